"""Categories are matched by value, never by code, and their order does not depend on the rows."""

from __future__ import annotations

import datetime
import enum
import random
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data import MISSING, UNKNOWN, Schema, encode_features, encode_with
from boxwood.data.categories import canonical, distinct_numbers, distinct_text, in_order
from boxwood.data.cells import is_missing


class Shade(enum.StrEnum):
    DARK = "dark"


class Size(enum.IntEnum):
    SMALL = 1


MOMENT = datetime.datetime(2020, 1, 1, 12)


@pytest.mark.parametrize(
    ("cell", "form"),
    [
        ("a", "a"),
        (np.str_("a"), "a"),
        (Shade.DARK, "dark"),
        (b"caf\xc3\xa9", "café"),
        (b"\xff", "\\xff"),
        (np.bytes_(b"a"), "a"),
        (1, 1),
        (1.0, 1),
        (-0.0, 0),
        (np.int8(1), 1),
        (np.float32(1), 1),
        (Decimal(1), 1),
        (Size.SMALL, 1),
        (2.5, 2.5),
        (Decimal("2.5"), 2.5),
        (2**63 + 1, 2**63 + 1),
        (1e300, 1e300),
        (True, True),
        (np.False_, False),
        (MOMENT, MOMENT),
        (pd.Timestamp("2020-01-01 13:00", tz="Europe/Paris"), MOMENT),
        (np.datetime64("2020-01-01T12"), MOMENT),
        (datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)),
        (datetime.timedelta(seconds=1), 1_000_000),
        (np.timedelta64(1500, "ns"), 1.5),
        (datetime.time(0, 0, 1), 1_000_000),
        ((1, 2), "(1, 2)"),
        ({"foo": "bar"}, "{'foo': 'bar'}"),
        (pd.Interval(0, 1), "Interval(0, 1, closed='right')"),
        (None, None),
        (float("nan"), None),
        (pd.NA, None),
        (pd.NaT, None),
    ],
    ids=repr,
)
def test_canonical_forms(cell: Any, form: Any) -> None:
    found = canonical(cell)
    assert found == form
    assert type(found) is type(form)


def categories(X: Any, categorical_features: Any = "from_dtype") -> tuple[Any, ...]:
    return encode_features(X, categorical_features)[0][0].categories


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["b", "a", "B", "é", "ab"], ("B", "a", "ab", "b", "é")),
        ([3, "b", 1.5, "a", True, None], (1, 1.5, 3, "a", "b")),
        ([True, False, None], (False, True)),
        ([MOMENT, "x", 2, datetime.date(2019, 1, 1)], (2, "x", datetime.datetime(2019, 1, 1), MOMENT)),
        ([[2], [1], {"a": 1}], ("[1]", "[2]", "{'a': 1}")),
        ([1, True, 1.0, "one"], (1, "one")),
    ],
)
def test_the_order_of_categories(cells: list[Any], expected: tuple[Any, ...]) -> None:
    for seed in range(5):
        shuffled = random.Random(seed).sample(cells, len(cells))
        found = categories({"a": shuffled}, ["a"])
        assert found == expected
        assert [type(value) for value in found] == [type(value) for value in expected]


def test_declared_orders_are_kept() -> None:
    sizes = ["small", "medium", "large"]
    rows = ["large", "small", "large"]
    ordered = pd.Categorical(rows, categories=sizes, ordered=True)
    assert categories(pd.DataFrame({"a": ordered})) == ("small", "large")
    assert categories(pl.DataFrame({"a": pl.Series(rows, dtype=pl.Enum(sizes))})) == ("small", "large")
    indices = pa.array([2, 0, 2])
    assert categories(pa.table({"a": pa.DictionaryArray.from_arrays(indices, sizes, ordered=True)})) == (
        "small",
        "large",
    )
    # Without an order the list of categories means nothing.
    assert categories(pd.DataFrame({"a": pd.Categorical(rows, categories=sizes)})) == ("large", "small")
    assert categories(pl.DataFrame({"a": pl.Series(rows, dtype=pl.Categorical)})) == ("large", "small")
    assert categories(pa.table({"a": pa.DictionaryArray.from_arrays(indices, sizes)})) == ("large", "small")


def test_declared_but_absent_categories_are_unknown() -> None:
    schema, _ = encode_features(pd.DataFrame({"a": pd.Categorical(["x", "y"], categories=["x", "y", "z"])}))
    assert schema[0].categories == ("x", "y")
    assert encode_with(schema, pd.DataFrame({"a": ["z", "y"]}))[0].tolist() == [UNKNOWN, 1]


def test_codes_of_a_frame_mean_nothing() -> None:
    schema, (trained,) = encode_features(pd.DataFrame({"a": pd.Categorical(["x", "y"])}))
    assert trained.tolist() == [0, 1]
    turned = pd.DataFrame({"a": pd.Categorical(["x", "y"], categories=["y", "x"])})
    assert encode_with(schema, turned)[0].tolist() == [0, 1]
    only = pd.DataFrame({"a": pd.Categorical(["y"])})
    assert encode_with(schema, only)[0].tolist() == [1]


FORMS: dict[str, Any] = {
    "list": lambda cells: {"a": cells},
    "object array": lambda cells: np.array([[cell] for cell in cells], dtype=object),
    "pandas": lambda cells: pd.DataFrame({"a": cells}),
    "pandas object": lambda cells: pd.DataFrame({"a": pd.Series(cells, dtype=object)}),
    "pandas categorical": lambda cells: pd.DataFrame({"a": pd.Categorical(cells)}),
    "polars": lambda cells: pl.DataFrame({"a": cells}),
    "pyarrow": lambda cells: pa.table({"a": cells}),
    "pyarrow dictionary": lambda cells: pa.table({"a": pa.array(cells).dictionary_encode()}),
}
TEXT_FORMS = FORMS | {
    "pandas string": lambda cells: pd.DataFrame({"a": pd.array(cells, dtype="string")}),
    "polars categorical": lambda cells: pl.DataFrame({"a": pl.Series(cells, dtype=pl.Categorical)}),
    "polars enum": lambda cells: pl.DataFrame(
        {"a": pl.Series(cells, dtype=pl.Enum([*sorted(set(cells) - {None}), "?"]))}
    ),
}
NUMBER_FORMS = FORMS | {
    "float array": lambda cells: np.array(
        [[np.nan if cell is None else cell] for cell in cells], dtype=float
    ),
    "pandas Int64": lambda cells: pd.DataFrame({"a": pd.array(cells, dtype="Int64")}),
    "pandas Float64": lambda cells: pd.DataFrame({"a": pd.array(cells, dtype="Float64")}),
    "polars Float32": lambda cells: pl.DataFrame({"a": pl.Series(cells, dtype=pl.Float32)}),
    "pyarrow int8": lambda cells: pa.table({"a": pa.array(cells, pa.int8())}),
}


@pytest.mark.parametrize("trained", TEXT_FORMS)
@pytest.mark.parametrize("asked", TEXT_FORMS)
def test_text_matches_across_libraries(trained: str, asked: str) -> None:
    schema, (codes,) = encode_features(TEXT_FORMS[trained](["b", "a", None, "b"]))
    assert schema[0].categories == ("a", "b")
    assert codes.tolist() == [1, 0, MISSING, 1]
    assert codes.dtype == np.int32
    found = encode_with(schema, TEXT_FORMS[asked](["c", None, "b"]))[0]
    assert found.tolist() == [UNKNOWN, MISSING, 1]
    assert found.dtype == np.int32


@pytest.mark.parametrize("trained", NUMBER_FORMS)
@pytest.mark.parametrize("asked", NUMBER_FORMS)
def test_numbers_match_across_libraries(trained: str, asked: str) -> None:
    schema, (codes,) = encode_features(NUMBER_FORMS[trained]([10, 2, None, 10]), categorical_features=[0])
    assert schema[0].categories == (2, 10)
    assert codes.tolist() == [1, 0, MISSING, 1]
    found = encode_with(schema, NUMBER_FORMS[asked]([3, None, 10]))[0]
    assert found.tolist() == [UNKNOWN, MISSING, 1]


def test_text_and_numbers_do_not_match() -> None:
    schema, _ = encode_features({"a": ["1", "2"]})
    assert encode_with(schema, {"a": [1, 2.0]})[0].tolist() == [UNKNOWN, UNKNOWN]
    schema, _ = encode_features({"a": [1, 2]}, ["a"])
    assert encode_with(schema, {"a": ["1", 2]})[0].tolist() == [UNKNOWN, 1]


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int64", "uint64", "float32", "float64", "object", "bool"]
)
def test_numpy_numbers_match_by_value(dtype: str) -> None:
    schema, _ = encode_features(np.array([[1], [0]], dtype=np.int16), [0])
    assert encode_with(schema, np.array([[0], [1]], dtype=dtype))[0].tolist() == [0, 1]


def test_numbers_match_exactly_at_any_size() -> None:
    ids = [2**53, 2**53 + 1, 2**63 + 5]
    schema, (codes,) = encode_features(np.array(ids, dtype=np.uint64)[:, None], [0])
    assert schema[0].categories == tuple(ids)
    assert codes.tolist() == [0, 1, 2]
    gapped = pd.DataFrame({"a": pd.array([2**53 + 1, None], dtype="Int64")})
    assert encode_with(schema, gapped)[0].tolist() == [1, MISSING]
    assert encode_with(schema, np.array([[2.0**53]]))[0].tolist() == [0]


def test_dates_match_whatever_their_unit() -> None:
    days = np.array(["2020-01-02", "2020-01-01", "NaT"], dtype="datetime64[D]")[:, None]
    schema, (codes,) = encode_features(days, [0])
    assert schema[0].categories == (datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2))
    assert codes.tolist() == [1, 0, MISSING]
    for other in (
        days.astype("datetime64[ns]"),
        pl.DataFrame({"a": days[:, 0]}),
        {"a": [datetime.date(2020, 1, 2)]},
    ):
        assert encode_with(schema, other)[0][0] == 1


def test_durations_are_the_number_of_their_microseconds() -> None:
    spans = pd.DataFrame({"a": pd.to_timedelta([2, 1, None], unit="s")})
    schema, (codes,) = encode_features(spans, [0])
    assert schema[0].categories == (1_000_000, 2_000_000)
    assert codes.tolist() == [1, 0, MISSING]
    assert encode_with(schema, {"a": [datetime.timedelta(seconds=1)]})[0].tolist() == [0]


def test_unhashable_cells_are_known_by_their_repr() -> None:
    cells: list[Any] = [{"foo": "bar"}, [1, 2], (1, [2]), "text", None, 3.5]
    schema, (codes,) = encode_features({"a": cells})
    assert schema[0].categories == (3.5, "(1, [2])", "[1, 2]", "text", "{'foo': 'bar'}")
    assert codes.tolist() == [4, 2, 1, 3, MISSING, 0]
    assert encode_with(schema, {"a": [[1, 2], [2, 1]]})[0].tolist() == [2, UNKNOWN]


def test_bytes_are_text() -> None:
    schema, _ = encode_features(np.array([[b"a"], [b"b"]]))
    assert schema[0].categories == ("a", "b")
    assert encode_with(schema, np.array([["b"]]))[0].tolist() == [1]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1.0], [np.inf]]),
        {"a": ["x", float("-inf")]},
        pd.DataFrame({"a": pd.Categorical([1.0, np.inf])}),
    ],
)
def test_an_infinite_category_is_refused(X: Any) -> None:
    with pytest.raises(ValueError, match=r"Input X contains infinity in column '.*', row 1"):
        encode_features(X, [0])
    schema = Schema(encode_features({"a": [1]}, ["a"])[0].columns, named=True)
    with pytest.raises(ValueError, match="Input X contains infinity in column 'a', row 1"):
        encode_with(schema, X)


def test_complex_categories_are_refused() -> None:
    with pytest.raises(ValueError, match="Complex data not supported"):
        encode_features({"a": ["x", 1j]}, ["a"])


def test_a_date_that_cannot_be_a_category_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the years 1 to 9999"):
        encode_features(np.array([["20000-01-01"]], dtype="datetime64[D]"), [0])


@pytest.mark.parametrize(
    "array",
    [
        np.array([3, 1, 3], dtype=np.int8),
        np.array([-128, 127, -128], dtype=np.int8),
        np.array([2**64 - 1, 2**64 - 3], dtype=np.uint64),
        np.array([-(2**63), 2**63 - 1], dtype=np.int64),
        np.array([10**9, 0, 10**9]),
        np.array([True, True]),
        np.array([False, True]),
        np.array([1.0, 3.0, 1.0]),
        np.array([0.5, 3.0, 0.5], dtype=np.float32),
        np.array([1e300, 1.0]),
        np.array([-0.0, 0.0]),
        np.array([], dtype=np.int64),
        np.arange(200_000)[::-2] % 70_001 - 5,  # in several parts
    ],
    ids=repr,
)
def test_distinct_numbers_are_those_of_numpy(array: np.ndarray[Any, Any]) -> None:
    values, places = distinct_numbers(array)
    expected, expected_places = np.unique(array, return_inverse=True)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(places, expected_places)
    assert values.dtype == array.dtype


@pytest.mark.parametrize("n", [3, 20_000])
@pytest.mark.parametrize(
    "make",
    [
        lambda i: str(i),
        lambda i: f"{i % 7}",
        lambda i: "é" * (i % 3) + chr(0x10000 + i % 3000) + str(i),
        lambda i: str(i) + "\0" * (i % 2),
        lambda i: str(i // 2) + "\0" * (i % 2),
        lambda i: str(i) + "x" * 100,
    ],
    ids=["digits", "few", "wide", "null at the end", "null alone", "long"],
)
def test_distinct_text_is_that_of_python(n: int, make: Any) -> None:
    cells = [make(i) for i in np.random.default_rng(0).permutation(n)]
    text, places = distinct_text(cells)
    assert text == sorted(set(cells))
    assert [text[place] for place in places] == cells


plain = st.one_of(
    st.text(max_size=3),
    st.integers(-5, 5),
    st.integers(),
    st.floats(allow_infinity=False),
    st.booleans(),
    st.none(),
    st.datetimes(),
    st.dates(),
    st.tuples(st.integers(0, 2)),
    st.lists(st.integers(0, 2), max_size=2),
    st.sampled_from([np.int8(1), np.float32(1), np.str_("a"), b"a", np.nan]),
)


@given(st.lists(plain, min_size=1, max_size=12), st.lists(plain, min_size=1, max_size=12), st.randoms())
def test_matching_is_by_value(trained: list[Any], asked: list[Any], chance: random.Random) -> None:
    schema, (codes,) = encode_features({"a": trained}, ["a"])
    known = schema[0].categories
    # Every value has its code, and nothing else has.
    forms = [canonical(cell) for cell in trained]
    assert set(known) == {form for form in forms if form is not None}
    for form, code in zip(forms, codes.tolist(), strict=True):
        assert code == MISSING if form is None else known[code] == form
    # Prediction gives the same codes, and finds values that training did not see.
    assert encode_with(schema, {"a": trained})[0].tolist() == codes.tolist()
    for cell, code in zip(asked, encode_with(schema, {"a": asked})[0].tolist(), strict=True):
        form = canonical(cell)
        if is_missing(cell):
            assert code == MISSING
        else:
            assert code == (known.index(form) if form in known else UNKNOWN)
    # The order of the rows has no say.
    shuffled = trained.copy()
    chance.shuffle(shuffled)
    again = encode_features({"a": shuffled}, ["a"])[0][0].categories
    assert again == known
    assert [type(value) for value in again] == [type(value) for value in known]
    assert list(known) == in_order(known)
