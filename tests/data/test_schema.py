"""Columns and schemas: what they remember, and what they refuse to be."""

from __future__ import annotations

import copy
import datetime
import pickle
from typing import Any

import numpy as np
import pytest

from boxwood.data import MISSING, UNKNOWN, Column, Schema

AGE = Column("age", "numeric", "integer")
SEX = Column("sex", "categorical", "category", ("female", "male"))


def test_a_column_numbers_its_categories() -> None:
    assert dict(SEX.codes) == {"female": 0, "male": 1, None: MISSING}
    assert SEX.is_categorical
    assert not AGE.is_categorical
    assert MISSING == -1
    assert UNKNOWN == -2


def test_codes_match_numbers_by_value_and_text_by_text() -> None:
    column = Column("size", "categorical", "category", (1, 2.5, "1"))
    for one in (1, 1.0, True, np.int8(1), np.float32(1)):
        assert column.codes[one] == 0
    assert column.codes[np.str_("1")] == 2
    assert "2.5" not in column.codes


def test_codes_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        SEX.codes["other"] = 2  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1, "numeric", "float"), TypeError, "must be a string, not 1"),
        (("a", "ordinal", "float"), ValueError, "kind must be one of"),
        (("a", "numeric", "complex"), ValueError, "values must be one of"),
        (("a", "numeric", "category"), ValueError, "a numeric column cannot hold values 'category'"),
        (
            ("a", "categorical", "float", ("x",)),
            ValueError,
            "a categorical column cannot hold values 'float'",
        ),
        (("a", "numeric", "float", ("x",)), ValueError, "has no categories"),
        (("a", "categorical", "category", ["x"]), TypeError, "must be a tuple"),
        (("a", "categorical", "category", ("x", "x")), ValueError, "listed twice"),
        (("a", "categorical", "category", (1, True)), ValueError, "listed twice"),
        (("a", "categorical", "category", (float("inf"),)), ValueError, "finite"),
        (("a", "categorical", "category", (float("nan"),)), ValueError, "finite"),
        (("a", "categorical", "category", (None,)), TypeError, "cannot be of type NoneType"),
        (("a", "categorical", "category", ((1, 2),)), TypeError, "cannot be of type tuple"),
        (("a", "categorical", "category", (np.int64(1),)), TypeError, "cannot be of type int64"),
    ],
)
def test_a_column_refuses_nonsense(arguments: tuple[Any, ...], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Column(*arguments)


def test_a_schema_finds_columns_by_name_and_place() -> None:
    schema = Schema((AGE, SEX), named=True)
    assert schema.names == ("age", "sex")
    assert schema.index("sex") == 1
    assert schema[1] is SEX
    assert len(schema) == schema.n_features == 2
    assert list(schema) == [AGE, SEX]
    with pytest.raises(KeyError, match="there is no column 'shoe'; the columns are age, sex"):
        schema.index("shoe")


def test_n_categories_is_zero_for_numeric_columns_only() -> None:
    empty = Column("note", "categorical", "category", ())
    sizes = Schema((AGE, SEX, empty), named=True).n_categories
    assert sizes.dtype == np.int32
    assert sizes.tolist() == [0, 2, 1]
    assert not sizes.flags.writeable


def test_a_schema_refuses_nonsense() -> None:
    with pytest.raises(ValueError, match="two columns are named 'age'"):
        Schema((AGE, SEX, AGE), named=True)
    with pytest.raises(TypeError, match="tuple of Column"):
        Schema([AGE], named=True)  # type: ignore[arg-type]


def test_schemas_compare_and_travel_by_content() -> None:
    when = Column("when", "categorical", "category", (datetime.datetime(2020, 1, 1), 1, 2.5, "x"))
    schema = Schema((AGE, SEX, when), named=False)
    assert schema.n_categories.tolist() == [0, 2, 4]
    assert schema[2].codes["x"] == 3
    for twin in (pickle.loads(pickle.dumps(schema)), copy.deepcopy(schema)):
        assert twin == schema
        assert hash(twin) == hash(schema)
        assert twin[2].codes == when.codes
    assert schema != Schema((AGE, SEX, when), named=True)


def test_a_pickle_does_not_carry_the_codes() -> None:
    column = Column("id", "categorical", "category", tuple(f"user {i}" for i in range(1000)))
    before = len(pickle.dumps(column))
    assert column.codes["user 7"] == 7
    assert len(pickle.dumps(column)) == before


@pytest.mark.parametrize(
    ("column", "shown"),
    [
        (AGE, "Column('age', numeric, integer)"),
        (Column("a", "categorical", "category"), "Column('a', categorical, 0 categories)"),
        (Column("a", "categorical", "category", ("x",)), "Column('a', categorical, 1 category: 'x')"),
        (
            Column("a", "categorical", "category", tuple(range(1000))),
            "Column('a', categorical, 1000 categories: 0, 1, 2, 3, 4, 5, ...)",
        ),
    ],
)
def test_a_column_prints_short(column: Column, shown: str) -> None:
    assert repr(column) == shown
