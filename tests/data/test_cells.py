"""Judging a column of objects by its values."""

from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxwood.data.cells import Numbers, Objects, Times, Where, cell_kind, is_missing, judge
from boxwood.data.encode import encode_features

NAN = float("nan")
DAY = datetime.date(2020, 1, 1)
MISSING_CELLS = [
    None,
    NAN,
    np.nan,
    np.float32("nan"),
    pd.NA,
    pd.NaT,
    np.datetime64("NaT"),
    Decimal("NaN"),
    np.ma.masked,
]


@pytest.mark.parametrize("cell", MISSING_CELLS, ids=repr)
def test_missing_cells(cell: Any) -> None:
    assert is_missing(cell)


@pytest.mark.parametrize(
    "cell", ["", "nan", 0, False, 0.0, (), [], {}, b"", float("inf"), DAY, Decimal(0)], ids=repr
)
def test_present_cells(cell: Any) -> None:
    assert not is_missing(cell)


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "boolean"),
        (np.bool_(True), "boolean"),
        (3, "integer"),
        (np.uint8(3), "integer"),
        (3.5, "float"),
        (np.float16(3.5), "float"),
        (Decimal("3.5"), "float"),
        (Fraction(7, 2), "float"),
        (1j, "complex"),
        (np.complex64(1j), "complex"),
        ("a", "text"),
        (np.str_("a"), "text"),
        (b"a", "bytes"),
        (DAY, "date"),
        (pd.Timestamp("2020"), "date"),
        (np.datetime64("2020"), "date"),
        (np.timedelta64(1, "s"), "duration"),
        (datetime.timedelta(1), "duration"),
        (datetime.time(1), "duration"),
        ([1], "other"),
        (pd.Interval(0, 1), "other"),
        (np.zeros(2), "other"),
    ],
    ids=repr,
)
def test_kinds(value: object, kind: str) -> None:
    assert cell_kind(type(value)) == kind


@pytest.mark.parametrize(
    ("cells", "values", "expected"),
    [
        ([1, 2], "integer", [1, 2]),
        ([1, None, 3], "integer", [1, NAN, 3]),
        ([1, NAN, 3], "integer", [1, NAN, 3]),
        ([1, pd.NA, np.int8(3)], "integer", [1, NAN, 3]),
        ([True, None, False], "boolean", [1, NAN, 0]),
        ([True, NAN], "boolean", [1, NAN]),
        ([np.True_, False], "boolean", [1, 0]),
        ([True, 2], "integer", [1, 2]),
        ([1, 2.5, True], "float", [1, 2.5, 1]),
        ([1.0, 2.0], "float", [1, 2]),
        ([Decimal("0.5"), Fraction(1, 4), None], "float", [0.5, 0.25, NAN]),
        ([1.5, pd.NaT, np.datetime64("NaT")], "float", [1.5, NAN, NAN]),
        ([DAY, None, datetime.datetime(2020, 1, 1, 1)], "date", [1577836800e6, NAN, 1577840400e6]),
        ([DAY, NAN, pd.NaT, pd.NA], "date", [1577836800e6, NAN, NAN, NAN]),
        ([np.datetime64("2020-01-01"), np.datetime64("NaT")], "date", [1577836800e6, NAN]),
        ([datetime.timedelta(seconds=1), NAN], "duration", [1e6, NAN]),
        ([np.timedelta64(1, "ms"), np.timedelta64("NaT")], "duration", [1e3, NAN]),
    ],
    ids=repr,
)
def test_numeric_columns(cells: list[Any], values: str, expected: list[float]) -> None:
    found = judge(Objects(cells), Where("a"))
    assert isinstance(found, Numbers | Times)
    assert found.values == values
    schema, (column,) = encode_features({"a": cells})
    assert (schema[0].kind, schema[0].values) == ("numeric", values)
    np.testing.assert_array_equal(column, np.array(expected, dtype=float))


@pytest.mark.parametrize(
    "cells",
    [
        ["a", "b"],
        ["a", None],
        [1, "a"],
        [1.5, NAN, "a"],
        [DAY, 1],
        [DAY, datetime.timedelta(1)],
        [DAY, "a"],
        [{"a": 1}, 1.0],
        [[1], [2]],
        [b"x", 1],
        [pd.Interval(0, 1)],
    ],
    ids=repr,
)
def test_what_is_left_is_categorical(cells: list[Any]) -> None:
    assert isinstance(judge(Objects(cells), Where("a")), Objects)
    schema, _ = encode_features({"a": cells})
    assert schema[0].kind == "categorical"


@pytest.mark.parametrize(
    "cells", [[None], [NAN, None], [pd.NA], [pd.NaT, np.datetime64("NaT")], [Decimal("NaN")]], ids=repr
)
def test_a_column_without_values_is_neutral(cells: list[Any]) -> None:
    schema, (column,) = encode_features({"a": cells})
    assert schema[0].kind == "categorical"
    assert schema[0].categories == ()
    assert set(column.tolist()) == {-1}


def test_a_column_of_text_is_not_judged() -> None:
    text = Objects([None, None], text=True)
    assert judge(text, Where("a")) is text


def test_complex_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="Complex data not supported"):
        judge(Objects([1.0, 1j]), Where("a"))


def test_numbers_beyond_float64_are_refused() -> None:
    with pytest.raises(ValueError, match="too large for float64 in column 'a', row 7"):
        judge(Objects([1, 10**400]), Where("a", np.array([3, 7])))


@pytest.mark.parametrize(
    "cells", [[2**53 + 1, 0], [2**53 + 1, None], [0.5, -(2**60)], [10**30, 1], [2**64, None]], ids=repr
)
def test_integers_that_float64_rounds_get_a_warning(cells: list[Any]) -> None:
    with pytest.warns(UserWarning, match="column 'id' holds integers beyond 2\\*\\*53"):
        encode_features({"id": cells})
