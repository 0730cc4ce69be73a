"""Encoding for training and for prediction: views, meanings, and columns that have changed."""

from __future__ import annotations

import datetime
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boxwood.data import MISSING, UNKNOWN, encode_features, encode_with, load_penguins


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_float64_array_is_never_copied(order: Any) -> None:
    X = np.asarray(np.random.default_rng(0).normal(size=(50, 4)), order=order)
    schema, columns = encode_features(X)
    for columns_ in (columns, encode_with(schema, X), encode_features(X, None)[1]):
        for place, column in enumerate(columns_):
            assert np.shares_memory(column, X)
            assert column.strides == X[:, place].strides
            assert not column.flags.writeable
    assert X.flags.writeable


def test_slices_of_a_float64_array_are_views_too() -> None:
    X = np.random.default_rng(0).normal(size=(50, 8))[::-2, ::3]
    _, columns = encode_features(X)
    assert all(np.shares_memory(column, X) for column in columns)
    np.testing.assert_array_equal(np.column_stack(columns), X)


def test_read_only_arrays_and_memory_maps(tmp_path: Any) -> None:
    X = np.random.default_rng(0).normal(size=(20, 2))
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    schema, columns = encode_features(mapped)
    np.testing.assert_array_equal(np.column_stack(columns), X)
    assert np.shares_memory(columns[0], mapped)
    assert encode_with(schema, mapped)[0].dtype == np.float64


def test_floats_that_do_not_lie_whole_floats_apart_are_copied() -> None:
    records = np.zeros(5, dtype=np.dtype([("flag", np.int32), ("value", np.float64)]))
    records["value"] = np.arange(5.0)
    odd = records["value"][:, None]
    assert odd.strides[0] == 12
    _, (column,) = encode_features(odd)
    assert column.strides == (8,)
    assert column.tolist() == [0, 1, 2, 3, 4]
    assert encode_features({"a": records["value"]})[1][0].strides == (8,)


def test_encoding_a_float64_array_copies_nothing() -> None:
    X = np.zeros((200, 20))
    _, columns = encode_features(X)
    assert all(np.shares_memory(column, X) for column in columns)


@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "int8", "uint16", "int32", "int64", "bool", ">f8", ">i4", "longdouble"]
)
@pytest.mark.parametrize("order", ["C", "F"])
def test_other_numbers_become_float64(dtype: str, order: Any) -> None:
    numbers = np.random.default_rng(0).integers(0, 2 if dtype == "bool" else 100, size=(1500, 3))
    X = np.asarray(numbers.astype(dtype), order=order)
    schema, columns = encode_features(X)
    assert all(column.dtype == np.float64 and column.dtype.isnative for column in columns)
    np.testing.assert_array_equal(np.column_stack(columns), numbers)
    np.testing.assert_array_equal(np.column_stack(encode_with(schema, X)), numbers)
    kinds = {"f": "float", "i": "integer", "u": "integer", "b": "boolean"}
    assert {column.values for column in schema} == {kinds[np.dtype(dtype).kind]}


def test_two_values_that_differ_in_the_last_bit_stay_apart() -> None:
    low = 0.1
    high = np.nextafter(low, 1)
    for X in (
        np.array([[low], [high]]),
        [[low], [high]],
        pl.DataFrame({"a": [low, high]}),
        pd.DataFrame({"a": [low, high]}),
    ):
        _, (column,) = encode_features(X)
        assert column.tolist() == [low, high]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[0, 2**53 + 1]]),
        np.array([[0, 2**63 + 1]], dtype=np.uint64),
        np.array([[0, -(2**60)]]),
        pd.DataFrame({"x0": [0], "x1": pd.array([2**53 + 1], dtype="Int64")}),
        pl.DataFrame({"x0": [0], "x1": [2**53 + 1]}),
        [[0, 2**53 + 1]],
    ],
    ids=lambda X: type(X).__name__,
)
def test_integers_beyond_2_to_the_53_get_a_warning(X: Any) -> None:
    with pytest.warns(UserWarning, match="column 'x1' holds integers beyond 2") as caught:
        schema, _ = encode_features(X)
    assert len(caught) == 1
    with pytest.warns(UserWarning, match="column 'x1'"):
        encode_with(schema, X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        encode_features(X, categorical_features=[1])


def test_integers_up_to_2_to_the_53_get_none() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, (column,) = encode_features(np.array([[2**53], [-(2**53)], [2**53 - 1]]))
        encode_features(pd.DataFrame({"a": pd.array([2**53, None], dtype="Int64")}))
    assert column.tolist() == [2.0**53, -(2.0**53), 2.0**53 - 1]


def test_what_a_mask_hides_gets_no_warning() -> None:
    frame = pl.DataFrame({"a": [1, None]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(encode_features(frame)[1][0], [1, np.nan])


MIXED = pd.DataFrame(
    {
        "number": [1.5, np.nan, 3.5, 2.5],
        "count": [3, 1, 2, 3],
        "flag": [True, False, True, True],
        "text": ["b", None, "a", "b"],
        "level": pd.Categorical([10, 2, 10, None]),
        "day": pd.to_datetime(["2020-01-02", None, "2020-01-01", "2020-01-03"]),
        "span": pd.to_timedelta([1, None, 2, 3], unit="s"),
    }
)


def test_an_array_of_objects_is_judged_column_by_column() -> None:
    """Bagging turns a mixed frame into one array of objects; only declared categories of numbers are lost."""
    schema, columns = encode_features(MIXED)
    objects = MIXED.to_numpy(dtype=object)
    assert objects.dtype == object
    again, twins = encode_features(objects, categorical_features=[4])
    assert [column.kind for column in again] == [column.kind for column in schema]
    assert [column.categories for column in again] == [column.categories for column in schema]
    assert [column.values for column in again] == [column.values for column in schema]
    for column, twin in zip(columns, twins, strict=True):
        np.testing.assert_array_equal(column, twin)
    # Either form can be predicted under the other's schema.
    for one in (schema, again):
        for X in (MIXED, objects):
            for column, expected in zip(encode_with(one, X), columns, strict=True):
                np.testing.assert_array_equal(column, expected)


@pytest.mark.parametrize("row", range(4))
def test_one_row_of_objects_is_enough(row: int) -> None:
    """A column whose cells are all missing at prediction must not be taken for something else."""
    schema, columns = encode_features(MIXED)
    found = encode_with(schema, MIXED.to_numpy(dtype=object)[[row]])
    for column, cell in zip(columns, found, strict=True):
        np.testing.assert_array_equal(column[[row]], cell)


@pytest.mark.parametrize("dtype", [object, "U5"])
def test_text_arrays_are_categorical(dtype: Any) -> None:
    X = np.array([["1", "a"], ["2", "b"], ["1", "c"]], dtype=dtype)
    schema, columns = encode_features(X)
    assert [column.categories for column in schema] == [("1", "2"), ("a", "b", "c")]
    assert [column.tolist() for column in columns] == [[0, 1, 0], [0, 1, 2]]
    assert [c.tolist() for c in encode_with(schema, np.array([["2", "z"]], dtype=dtype))] == [[1], [UNKNOWN]]


def test_dates_in_an_array() -> None:
    X = np.array([["2020-01-01"], ["NaT"]], dtype="datetime64[D]")
    schema, (column,) = encode_features(X)
    assert schema[0].values == "date"
    np.testing.assert_array_equal(column, [1_577_836_800e6, np.nan])
    for unit in ("ns", "ms", "h"):
        np.testing.assert_array_equal(encode_with(schema, X.astype(f"datetime64[{unit}]"))[0], column)


@pytest.mark.parametrize(
    ("trained", "asked", "message"),
    [
        ([1.5, 2.5], ["1.5", "2.5"], "column 'a' held numbers in training, but holds '1.5' in row 0 now"),
        (
            [1.5, 2.5],
            [3.5, "many"],
            "holds 'many' in row 1 now; convert the column to numbers, or mark the cell",
        ),
        ([1.5, 2.5], [None, datetime.date(2020, 1, 1)], "held numbers in training, but holds dates now"),
        ([1.5, 2.5], [1, [2]], r"holds '?\[2\]'? in row 1 now"),
        ([datetime.date(2020, 1, 1)], [1.5e15], "held dates in training, but holds numbers now"),
        (
            [datetime.date(2020, 1, 1)],
            ["2020-01-01"],
            "held dates in training, but holds '2020-01-01' in row 0 now",
        ),
        (
            [datetime.date(2020, 1, 1)],
            [datetime.timedelta(1)],
            "held dates in training, but holds durations now",
        ),
        ([datetime.timedelta(1)], [1], "held durations in training, but holds numbers now"),
        ([1, 2], [datetime.date(2020, 1, 1), 3], "held numbers in training, but holds"),
    ],
)
@pytest.mark.parametrize("form", ["dict", "objects", "coded"])
def test_a_column_that_has_changed_is_refused(trained: Any, asked: Any, message: str, form: str) -> None:
    schema, _ = encode_features({"a": trained})
    X: Any = {"a": asked}
    if form == "objects":
        X = np.empty((len(asked), 1), dtype=object)
        X[:, 0] = asked
    elif form == "coded":
        hashable = [str(cell) if isinstance(cell, list) else cell for cell in asked]
        categories = [cell for cell in hashable if cell is not None]
        X = pd.DataFrame({"a": pd.Categorical(hashable, categories=categories)})
    with pytest.raises(ValueError, match=message):
        encode_with(schema, X)


def test_a_numeric_array_for_a_date_is_refused() -> None:
    schema, _ = encode_features({"a": [1.5], "b": [datetime.date(2020, 1, 1)]})
    with pytest.raises(ValueError, match="column 'b' held dates in training, but holds numbers now"):
        encode_with(schema, np.array([[1.5, 2.0]]))
    np.testing.assert_array_equal(encode_with(schema, np.array([[1.5, np.nan]]))[1], [np.nan])


@pytest.mark.parametrize(
    "asked", [[True, None], [1, None], [1.0, float("nan")], [np.int8(1), pd.NA]], ids=repr
)
def test_booleans_and_numbers_are_interchangeable(asked: list[Any]) -> None:
    for trained in ([True, False], [1, 0], [0.5, 1.5]):
        schema, _ = encode_features({"a": trained})
        np.testing.assert_array_equal(encode_with(schema, {"a": asked})[0], [1, np.nan])


@pytest.mark.parametrize(
    "asked", [["a", None], [1, 2.5], [datetime.date(2020, 1, 1), None], [[1], {}]], ids=repr
)
def test_a_categorical_column_may_hold_anything_later(asked: list[Any]) -> None:
    schema, _ = encode_features({"a": ["x", "y"]})
    expected = [MISSING if cell is None else UNKNOWN for cell in asked]
    assert encode_with(schema, {"a": asked})[0].tolist() == expected


def test_integer_categories_of_an_array_are_codes_at_prediction() -> None:
    X = np.array([[5, 1], [7, 2]])
    schema, _ = encode_features(X, categorical_features=[0, 1])
    found = encode_with(schema, np.array([[7, 3], [5, 1]]))
    assert [column.tolist() for column in found] == [[1, 0], [UNKNOWN, 0]]
    assert all(column.dtype == np.int32 for column in found)


@pytest.mark.parametrize("form", ["list", "pandas", "polars", "categorical"])
def test_fifty_thousand_categories(form: str) -> None:
    n = 50_000
    text = [f"user {i}" for i in np.random.default_rng(0).permutation(n)]
    X: Any = {
        "list": lambda: {"a": text},
        "pandas": lambda: pd.DataFrame({"a": text}),
        "polars": lambda: pl.DataFrame({"a": text}),
        "categorical": lambda: pd.DataFrame({"a": pd.Categorical(text)}),
    }[form]()
    start = time.perf_counter()
    schema, (codes,) = encode_features(X)
    again = encode_with(schema, X)[0]
    assert time.perf_counter() - start < 5  # a tenth of a second; quadratic work would take an hour
    assert len(schema[0].categories) == n
    assert list(schema[0].categories) == sorted(text)
    assert schema[0].categories[codes[7]] == text[7]
    np.testing.assert_array_equal(codes, again)


@given(
    hnp.arrays(
        st.sampled_from(["f8", "f4", "i8", "i2", "u1", "?"]),
        hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=6),
        elements={"allow_infinity": False, "min_value": 0, "max_value": 2**7 - 1},
    )
)
def test_an_array_its_objects_and_its_rows_are_one_table(X: np.ndarray[Any, Any]) -> None:
    schema, columns = encode_features(X)
    np.testing.assert_array_equal(np.column_stack(columns), X.astype(float))
    for twin in (
        X.astype(object),
        X.tolist(),
        np.asfortranarray(X),
        {name: X[:, j] for j, name in enumerate(schema.names)},
    ):
        for column, expected in zip(encode_with(schema, twin), columns, strict=True):
            np.testing.assert_array_equal(column, expected)


def test_penguins() -> None:
    schema, columns = encode_features(load_penguins().data)
    assert {column.name: column.values for column in schema} == {
        "island": "category",
        "bill_length_mm": "float",
        "bill_depth_mm": "float",
        "flipper_length_mm": "integer",
        "body_mass_g": "integer",
        "sex": "category",
        "year": "integer",
    }
    assert schema[schema.index("island")].categories == ("Biscoe", "Dream", "Torgersen")
    assert int((columns[schema.index("sex")] == MISSING).sum()) == 11
    assert int(np.isnan(columns[schema.index("body_mass_g")]).sum()) == 2
