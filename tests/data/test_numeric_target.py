"""Numbers to learn, from wherever they come, and what is no number."""

from __future__ import annotations

import datetime
import time
import warnings
from decimal import Decimal
from fractions import Fraction
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

from boxwood.data import encode_numeric_target, make_dataset

NUMBERS: dict[str, tuple[Any, list[float]]] = {
    "float64": (np.array([3.5, -1.0]), [3.5, -1.0]),
    "float32": (np.array([0.1, 2.0], dtype=np.float32), [float(np.float32(0.1)), 2.0]),
    "float16": (np.array([0.5, 2.0], dtype=np.float16), [0.5, 2.0]),
    "big-endian": (np.array([0.5, 2.0], dtype=">f8"), [0.5, 2.0]),
    "int8": (np.array([3, -1], dtype=np.int8), [3.0, -1.0]),
    "uint64": (np.array([3, 2**40], dtype=np.uint64), [3.0, 2.0**40]),
    "bool": (np.array([True, False]), [1.0, 0.0]),
    "strided": (np.arange(6.0)[::3], [0.0, 3.0]),
    "list": ([1, 2.5, True], [1.0, 2.5, 1.0]),
    "tuple": ((1, 2), [1.0, 2.0]),
    "object": (np.array([1, 2.5], dtype=object), [1.0, 2.5]),
    "decimals": ([Decimal("0.25"), Fraction(1, 2)], [0.25, 0.5]),
    "equal": ([7.5, 7.5], [7.5, 7.5]),
    "pandas": (pd.Series([1, 2], index=[7, 9]), [1.0, 2.0]),
    "pandas Int64": (pd.Series([1, 2], dtype="Int64"), [1.0, 2.0]),
    "pandas Float32": (pd.Series([1.5, 2], dtype="Float32"), [1.5, 2.0]),
    "pandas boolean": (pd.Series([True, False], dtype="boolean"), [1.0, 0.0]),
    "pandas pyarrow": (pd.Series([1.5, 2], dtype=pd.ArrowDtype(pa.float64())), [1.5, 2.0]),
    "pandas category": (pd.Series(pd.Categorical([3.5, 1, 3.5])), [3.5, 1.0, 3.5]),
    "pandas objects": (pd.Series([1, 2.5], dtype=object), [1.0, 2.5]),
    "polars": (pl.Series([1, 2]), [1.0, 2.0]),
    "polars float32": (pl.Series([1.5, 2.0], dtype=pl.Float32), [1.5, 2.0]),
    "polars bool": (pl.Series([True, False]), [1.0, 0.0]),
    "polars decimal": (pl.Series([Decimal("1.5"), Decimal("2")]), [1.5, 2.0]),
    "pyarrow": (pa.array([1.5, 2.0]), [1.5, 2.0]),
    "pyarrow chunked": (pa.chunked_array([[1], [2]]), [1.0, 2.0]),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_of_every_kind(name: str) -> None:
    y, expected = NUMBERS[name]
    target = encode_numeric_target(y)
    assert target.dtype == np.float64
    assert target.flags.c_contiguous
    assert target.tolist() == expected
    assert not target.flags.writeable


@given(hnp.arrays(st.sampled_from(["i1", "i4", "u2", "?", "f4", "f8"]), st.integers(1, 20)))
def test_arrays_are_those_of_numpy(y: np.ndarray[Any, Any]) -> None:
    if np.isfinite(y).all():
        np.testing.assert_array_equal(encode_numeric_target(y), y.astype(np.float64))
    else:
        with pytest.raises(ValueError, match=r"Input y contains (NaN|infinity)"):
            encode_numeric_target(y)


NO_NUMBERS: dict[str, tuple[Any, type[Exception], str]] = {
    "None": (None, ValueError, "requires y to be passed, but the target y is None"),
    "empty": ([], ValueError, r"0 sample\(s\)"),
    "NaN": (np.array([1.0, np.nan]), ValueError, "Input y contains NaN, first in row 1"),
    "None in it": ([1.0, None], ValueError, "Input y contains NaN, first in row 1"),
    "nothing": ([None, None], ValueError, "Input y contains NaN, first in row 0"),
    "NA": (pd.Series([1, None], dtype="Int64"), ValueError, "Input y contains NaN, first in row 1"),
    "NA category": (pd.Series(pd.Categorical([1, None])), ValueError, "Input y contains NaN, first in row 1"),
    "null": (pl.Series([1, None]), ValueError, "Input y contains NaN, first in row 1"),
    "infinity": (
        np.array([1.0, -np.inf]),
        ValueError,
        r"Input y contains infinity or a value too large for dtype\('float64'\), first in row 1",
    ),
    "long infinity": (np.array([1.0, "1e4000"], dtype=np.longdouble), ValueError, "infinity"),
    "text": (["a", "b"], ValueError, "could not convert string to float: 'a' in row 0 of y"),
    "digits": (np.array(["1", "2"]), ValueError, "could not convert string to float: '1' in row 0 of y"),
    "a word": ([1, "b", 2], ValueError, "could not convert string to float: 'b' in row 1 of y"),
    "a word and a gap": ([1, "b", None], ValueError, "Input y contains NaN, first in row 2"),
    "text category": (pd.Series(pd.Categorical(["x", "y"])), ValueError, "string to float: 'x' in row 0"),
    "polars text": (pl.Series(["x", "y"]), ValueError, "could not convert string to float: 'x' in row 0"),
    "bytes": (np.array([b"a"]), ValueError, "Row 0 of y holds b'a' of type bytes"),
    "dicts": ([{"a": 1}], ValueError, "of type dict, and a regression learns numbers"),
    "complex": (np.array([1j]), ValueError, "Complex data not supported"),
    "complex list": ([1j, 2], ValueError, "Complex data not supported"),
    "dates": ([datetime.date(2020, 1, 1)], ValueError, "y holds dates, and a regression learns numbers"),
    "datetime64": (np.array(["2020"], dtype="datetime64[Y]"), ValueError, "y holds dates"),
    "durations": (pd.Series(pd.to_timedelta([1, 2], unit="D")), ValueError, "y holds durations"),
    "two outputs": (
        np.ones((2, 2)),
        ValueError,
        r"Several outputs.*sklearn.multioutput.MultiOutputRegressor",
    ),
    "two outputs frame": (pd.DataFrame({"a": [1], "b": [2]}), ValueError, "Several outputs"),
    "lists": ([[0.5], [1, 0]], ValueError, "some of its entries are lists"),
    "3D": (np.zeros((2, 1, 1)), ValueError, "y should be a 1d array, got an array of shape"),
    "scalar": (3.5, ValueError, r"y should be a 1d array, got an array of shape \(\)"),
    "sparse": (sparse.csr_array(np.eye(2)), TypeError, "Sparse data was passed for y"),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_what_is_no_number(name: str) -> None:
    y, error, message = NO_NUMBERS[name]
    with pytest.raises(error, match=message):
        encode_numeric_target(y)


def test_the_number_of_numbers() -> None:
    with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[3, 2\]"):
        make_dataset(np.zeros((3, 1)), [0.5, 1.5], task="regression")


@pytest.mark.parametrize(
    "y", [np.array([[1.5], [0]]), [[1.5], [0]], pd.DataFrame({"y": [1.5, 0]}), pl.DataFrame({"y": [1.5, 0]})]
)
def test_a_column_of_numbers_is_flattened_with_a_warning(y: Any) -> None:
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d array"):
        assert encode_numeric_target(y).tolist() == [1.5, 0.0]


@pytest.mark.parametrize(
    "y", [np.array([2**53 + 1, 0]), [2**53 + 1, 0], [2**70, 0], [2**53 + 2, 0.5]], ids=repr
)
def test_integers_that_float64_rounds_get_a_warning(y: Any) -> None:
    """Numbers of mixed kinds, or beyond 64 bits, used to get the warning of a feature column."""
    with pytest.warns(UserWarning, match=r"^y holds integers beyond 2\*\*53, which float64 rounds"):
        encode_numeric_target(y)


def test_integers_that_float64_holds_get_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        encode_numeric_target(np.array([2**53, -(2**53)]))


def test_the_callers_array_is_left_alone() -> None:
    y = np.array([1.5, 2.5])
    target = encode_numeric_target(y)
    y[0] = 9.0
    assert target.tolist() == [1.5, 2.5]


def test_a_million_numbers_take_no_time() -> None:
    y = np.random.default_rng(0).normal(size=1_000_000)
    start = time.perf_counter()
    encode_numeric_target(y)
    assert time.perf_counter() - start < 10  # hundredths of a second
