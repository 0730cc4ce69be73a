"""Labels of any type, and what cannot be a label."""

from __future__ import annotations

import datetime
import time
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from boxwood.data import encode_target, make_dataset

LABELS: dict[str, tuple[Any, list[int], np.ndarray[Any, Any]]] = {
    "int": (np.array([3, 1, 3]), [1, 0, 1], np.array([1, 3])),
    "int8": (np.array([3, -1, 3], dtype=np.int8), [1, 0, 1], np.array([-1, 3], dtype=np.int8)),
    "uint64": (np.array([2**64 - 1, 0], dtype=np.uint64), [1, 0], np.array([0, 2**64 - 1], dtype=np.uint64)),
    "wide int": (np.array([10**15, -(10**15)]), [1, 0], np.array([-(10**15), 10**15])),
    "bool": (np.array([True, False]), [1, 0], np.array([False, True])),
    "whole float": (np.array([2.0, 1.0]), [1, 0], np.array([1.0, 2.0])),
    "float32": (np.array([2.0, 1.0], dtype=np.float32), [1, 0], np.array([1.0, 2.0], dtype=np.float32)),
    "text": (np.array(["b", "a"]), [1, 0], np.array(["a", "b"])),
    "object text": (np.array(["b", "a"], dtype=object), [1, 0], np.array(["a", "b"], dtype=object)),
    "object int": (np.array([2, 1], dtype=object), [1, 0], np.array([1, 2])),
    "object bool": (np.array([True, False], dtype=object), [1, 0], np.array([False, True])),
    "list of int": ([3, 1, 3], [1, 0, 1], np.array([1, 3])),
    "list of text": (["b", "a"], [1, 0], np.array(["a", "b"])),
    "list of bool": ([True, False], [1, 0], np.array([False, True])),
    "tuple": ((2, 1), [1, 0], np.array([1, 2])),
    "one class": (["a", "a"], [0, 0], np.array(["a"])),
    "pandas int": (pd.Series([2, 1], index=[7, 9]), [1, 0], np.array([1, 2])),
    "pandas Int64": (pd.Series([2, 1], dtype="Int64"), [1, 0], np.array([1, 2])),
    "pandas text": (pd.Series(["b", "a"]), [1, 0], np.array(["a", "b"], dtype=object)),
    "pandas boolean": (pd.Series([True, False], dtype="boolean"), [1, 0], np.array([False, True])),
    "pandas category": (
        pd.Series(pd.Categorical(["b", "a"], categories=["b", "a", "z"])),
        [1, 0],
        np.array(["a", "b"], dtype=object),
    ),
    "pandas category of int": (pd.Series(pd.Categorical([9, 3, 9])), [1, 0, 1], np.array([3, 9])),
    "pandas Categorical": (pd.Categorical(["b", "a"]), [1, 0], np.array(["a", "b"], dtype=object)),
    "polars int": (pl.Series([2, 1]), [1, 0], np.array([1, 2])),
    "polars text": (pl.Series(["b", "a"]), [1, 0], np.array(["a", "b"], dtype=object)),
    "polars Enum": (
        pl.Series(["b", "a"], dtype=pl.Enum(["b", "a", "z"])),
        [1, 0],
        np.array(["a", "b"], dtype=object),
    ),
    "pyarrow": (pa.chunked_array([["b"], ["a"]]), [1, 0], np.array(["a", "b"], dtype=object)),
    "pyarrow array": (pa.array([2, 1]), [1, 0], np.array([1, 2])),
}


@pytest.mark.parametrize("name", LABELS)
def test_labels_of_any_type(name: str) -> None:
    y, codes, classes = LABELS[name]
    target, found = encode_target(y)
    assert target.dtype == np.int32
    assert target.tolist() == codes
    np.testing.assert_array_equal(found, classes)
    assert found.dtype == classes.dtype
    assert not target.flags.writeable


@given(hnp.arrays(st.sampled_from(["i1", "i8", "u2", "?", "U2"]), st.integers(1, 20)))
def test_classes_are_those_of_numpy(y: np.ndarray[Any, Any]) -> None:
    target, classes = encode_target(y)
    expected, inverse = np.unique(y, return_inverse=True)
    np.testing.assert_array_equal(classes, expected)
    np.testing.assert_array_equal(target, inverse)
    assert classes.dtype == expected.dtype


BAD_LABELS: dict[str, tuple[Any, type[Exception], str]] = {
    "None": (None, ValueError, "requires y to be passed, but the target y is None"),
    "empty": ([], ValueError, r"0 sample\(s\)"),
    "empty pyarrow": (pa.chunked_array([], pa.string()), ValueError, r"0 sample\(s\)"),
    "NaN": (np.array([1.0, np.nan]), ValueError, "Input y contains NaN, first in row 1"),
    "infinity": (
        np.array([1.0, np.inf]),
        ValueError,
        r"Input y contains infinity or a value too large for dtype\('float64'\), first in row 1",
    ),
    "None in text": (["a", None], ValueError, "Input y contains NaN, first in row 1"),
    "None in int": ([None, 1], ValueError, "Input y contains NaN, first in row 0"),
    "NaN in text": (
        np.array(["a", np.nan], dtype=object),
        ValueError,
        "Input y contains NaN, first in row 1",
    ),
    "NA": (pd.Series([1, None], dtype="Int64"), ValueError, "Input y contains NaN, first in row 1"),
    "NA text": (pd.Series(["a", None]), ValueError, "Input y contains NaN, first in row 1"),
    "NA category": (
        pd.Series(pd.Categorical(["a", None])),
        ValueError,
        "Input y contains NaN, first in row 1",
    ),
    "polars null": (pl.Series(["a", None]), ValueError, "Input y contains NaN, first in row 1"),
    "polars null int": (pl.Series([1, None]), ValueError, "Input y contains NaN, first in row 1"),
    "nothing": ([None, None], ValueError, "Input y contains NaN, first in row 0"),
    "continuous": (
        np.array([1.0, 1.5]),
        ValueError,
        r"Unknown label type: continuous. Row 1 of y holds 1\.5",
    ),
    "continuous list": ([0.5, 1], ValueError, "Unknown label type: continuous"),
    "complex": (np.array([1j]), ValueError, "Complex data not supported"),
    "complex list": ([1j], ValueError, "Complex data not supported"),
    "bytes": (np.array([b"a"]), TypeError, "labels represented as bytes is not supported"),
    "mixed": ([1, "a"], ValueError, "Unknown label type: unknown. The labels in y are of the types int, str"),
    "dicts": ([{"a": 1}], ValueError, "Unknown label type"),
    "dates": ([datetime.date(2020, 1, 1)], ValueError, "Unknown label type: dates"),
    "datetime64": (np.array(["2020"], dtype="datetime64[Y]"), ValueError, "Unknown label type: dates"),
    "two outputs": (
        np.array([[0, 1], [1, 0]]),
        ValueError,
        r"got an array of shape \(2, 2\) instead. Several outputs",
    ),
    "two outputs list": ([[0, 1], [1, 0]], ValueError, "Several outputs"),
    "two outputs frame": (pd.DataFrame({"a": [1], "b": [2]}), ValueError, "Several outputs"),
    "lists of labels": ([[0], [1, 0]], ValueError, "some of its entries are lists"),
    "3D": (np.zeros((2, 1, 1)), ValueError, "y should be a 1d array, got an array of shape"),
    "scalar": (3, ValueError, r"y should be a 1d array, got an array of shape \(\)"),
    "sparse": (sparse.csr_array(np.eye(2)), TypeError, "Sparse data was passed for y"),
}


@pytest.mark.parametrize("name", BAD_LABELS)
def test_what_cannot_be_a_label(name: str) -> None:
    y, error, message = BAD_LABELS[name]
    with pytest.raises(error, match=message):
        encode_target(y)


def test_the_number_of_labels() -> None:
    with pytest.raises(
        ValueError, match=r"Found input variables with inconsistent numbers of samples: \[3, 2\]"
    ):
        make_dataset(np.zeros((3, 1)), [0, 1])


@pytest.mark.parametrize(
    "y", [np.array([[1], [0]]), [[1], [0]], pd.DataFrame({"y": [1, 0]}), pl.DataFrame({"y": [1, 0]})], ids=str
)
def test_a_column_of_labels_is_flattened_with_a_warning(y: Any) -> None:
    with pytest.warns(
        DataConversionWarning, match="A column-vector y was passed when a 1d array was expected"
    ):
        target, classes = encode_target(y)
    assert target.tolist() == [1, 0]
    assert classes.tolist() == [0, 1]


def test_many_classes_get_a_warning() -> None:
    with pytest.warns(UserWarning, match="greater than 50% of the number of samples"):
        encode_target(np.arange(21))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        encode_target(np.arange(20))
        encode_target(np.arange(22) // 2)


def test_a_million_labels_take_no_time() -> None:
    y = np.random.default_rng(0).integers(0, 7, 1_000_000)
    start = time.perf_counter()
    target, classes = encode_target(y)
    assert time.perf_counter() - start < 10  # hundredths of a second
    np.testing.assert_array_equal(classes[target], y)
