"""The meaning of `categorical_features` is scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from boxwood.data import encode_features

FRAME = pd.DataFrame(
    {
        "number": [1.5, 2.5],
        "code": [7, 8],
        "text": ["x", "y"],
        "level": pd.Categorical([3, 1]),
        "word": pd.Categorical(["b", "a"]),
        "day": pd.Categorical(pd.to_datetime(["2020-01-01", "2020-01-02"])),
    }
)


def kinds(X: Any, categorical_features: Any) -> str:
    """One letter for each column: n for numeric, c for categorical."""
    return "".join(column.kind[0] for column in encode_features(X, categorical_features)[0])


@pytest.mark.parametrize(
    ("categorical_features", "expected"),
    [
        ("from_dtype", "nncccc"),
        (None, "nncncn"),
        ([], "nncncn"),
        (["code"], "nccncn"),
        (["level", "number"], "cncccn"),
        (np.array(["day"]), "nncncc"),
        (pd.Index(["day"]), "nncncc"),
        ([1], "nccncn"),
        ((0, np.int8(3)), "cncccn"),
        (np.array([1, 1]), "nccncn"),
        (np.array([5], dtype=np.uint8), "nncncc"),
        ([False, True, False, False, False, False], "nccncn"),
        (np.array([True, False, False, True, False, False]), "cncccn"),
        (pd.Series([False] * 5 + [True]), "nncncc"),
        (pl.Series([False] * 5 + [True]), "nncncc"),
    ],
    ids=repr,
)
def test_which_columns_are_categorical(categorical_features: Any, expected: str) -> None:
    assert kinds(FRAME, categorical_features) == expected


def test_the_default_is_from_dtype() -> None:
    assert encode_features(FRAME)[0] == encode_features(FRAME, "from_dtype")[0]


def test_a_categorical_that_is_not_chosen_keeps_its_numbers() -> None:
    schema, columns = encode_features(FRAME, None)
    assert schema[3].values == "integer"
    assert columns[3].tolist() == [3.0, 1.0]
    assert schema[5].values == "date"
    assert np.diff(columns[5]).tolist() == [86_400e6]
    gapped = pd.DataFrame({"a": pd.Categorical([2.5, None, 1.5])})
    np.testing.assert_array_equal(encode_features(gapped, None)[1][0], [2.5, np.nan, 1.5])


def test_a_declared_value_that_does_not_occur_has_no_say() -> None:
    frame = pd.DataFrame({"a": pd.Categorical([2, 1], categories=[1, 2, "text"])})
    assert kinds(frame, None) == "n"
    assert kinds(frame, "from_dtype") == "c"


def test_arrays() -> None:
    numbers = np.array([[1, 2], [3, 4]])
    assert kinds(numbers, "from_dtype") == "nn"
    assert kinds(numbers, None) == "nn"
    assert kinds(numbers, [1]) == "nc"
    assert kinds(numbers, [True, False]) == "cn"
    text = np.array([["1", "a"], ["2", "b"]])
    assert kinds(text, None) == "cc"
    objects = np.array([["1", 1], ["2", 2]], dtype=object)
    assert kinds(objects, None) == "cn"
    assert kinds(objects, [1]) == "cc"


def test_polars_text_stays_categorical() -> None:
    frame = pl.DataFrame({"c": ["a"], "e": ["a"]}, schema={"c": pl.Categorical, "e": pl.Enum(["a"])})
    assert kinds(frame, None) == "cc"
    assert kinds(frame, "from_dtype") == "cc"


@pytest.mark.parametrize(
    ("categorical_features", "message"),
    [
        ("text", r"got the string 'text'. Write \['text'\]"),
        (3, "got 3"),
        ([0, "text"], "got: int, str"),
        ([True, 1], "got: bool, int"),
        ([0.5], "got: float"),
        ([None], "got: NoneType"),
        ([[True, False]], "got: list"),
        ([True, False], r"must have shape \(n_features,\) = \(6,\), got: \(2,\)"),
        ([6], r"must be in \[0, n_features - 1\] = \[0, 5\], got: 6"),
        ([-1], "got: -1"),
        (["shoe"], "item value 'shoe' which is not a valid feature name"),
    ],
    ids=repr,
)
def test_wrong_values_are_named(categorical_features: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        encode_features(FRAME, categorical_features)


def test_names_need_a_table_with_names() -> None:
    with pytest.raises(ValueError, match="has the name 'x0', but the table has no column names"):
        encode_features(np.eye(2), ["x0"])
