"""Columns of data frames, whatever library made them.

narwhals tells the libraries apart and gives one face to pandas, polars, pyarrow and others; what it has no
common method for (the codes of a categorical column) is asked of the library itself. No frame library is
imported here: a frame that reaches us brings its own.

Things to know about frames that shaped this file:

- an integer column with a missing cell becomes floats in most conversions to numpy, which merges integers
  beyond 2**53, so missing cells are filled first and marked by a mask;
- narwhals takes a pandas column of objects for text when its first hundred cells are, so it is not asked;
- a dictionary column of pyarrow loses its missing cells on the way to numpy, so its codes are read;
- the physical codes of a polars Categorical are global to the process, and mean nothing in another one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boxwood.data.cells import Cells, Coded, Numbers, Objects, Times, refuse_complex

try:
    import narwhals.stable.v2 as nw
except ImportError:  # numpy arrays, lists and dicts of columns still work
    HAS_NARWHALS = False
else:
    HAS_NARWHALS = True

if TYPE_CHECKING:
    from narwhals.stable.v2 import DataFrame, Series


def as_frame(table: object) -> DataFrame[Any] | None:
    """The narwhals face of a data frame, or None when `table` is no frame.

    A frame that has not been computed yet is refused.
    """
    if not HAS_NARWHALS:
        if hasattr(table, "columns"):
            raise TypeError(
                f"reading a {type(table).__module__}.{type(table).__qualname__} needs the package narwhals; "
                "install it with: pip install narwhals"
            )
        return None
    names = duplicate_names(table)
    if names:
        shown = ", ".join(map(repr, names))
        raise ValueError(
            f"more than one column of X is named {shown}; rename the columns so that all names differ"
        )
    frame = nw.from_native(table, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        return frame
    if isinstance(nw.from_native(table, pass_through=True), nw.LazyFrame):
        raise TypeError(
            f"X is a {type(table).__module__}.{type(table).__qualname__}, whose rows have not been computed "
            "yet; collect it into a data frame first"
        )
    return None


def as_series(column: object) -> Series[Any] | None:
    """The narwhals face of a series, or None when `column` is none."""
    if not HAS_NARWHALS:
        return None
    series = nw.from_native(column, series_only=True, pass_through=True)
    return series if isinstance(series, nw.Series) else None


def duplicate_names(table: object) -> list[object]:
    """Column names that a frame has more than once (pandas and pyarrow allow it).

    >>> duplicate_names({"a": [1]})
    []
    """
    if hasattr(table, "collect"):  # a lazy frame would have to be computed for its names
        return []
    names = getattr(table, "column_names", None)  # pyarrow
    if names is None:
        names = getattr(table, "columns", None)
    if names is None or isinstance(names, str) or callable(names):
        return []
    seen: set[object] = set()
    twice: dict[object, None] = {}
    try:
        for name in names:
            if name in seen:
                twice[name] = None
            seen.add(name)
    except TypeError:  # not names after all
        return []
    return list(twice)


def cells_of(series: Series[Any]) -> Cells:
    """The cells of one column of a frame.

    >>> import narwhals.stable.v2 as nw, polars as pl
    >>> cells_of(nw.from_native(pl.Series([1, None, 3]), series_only=True))
    Numbers(array=array([1, 0, 3]), null=array([False,  True, False]))
    """
    native = series.to_native()
    if series.implementation.is_pandas_like() and native.dtype == np.dtype(object):
        return Objects(native.to_numpy().tolist())
    dtype = series.dtype
    if dtype in (nw.Categorical, nw.Enum):
        return _coded(series)
    if dtype == nw.String:
        return _text(series)
    if dtype in (nw.Int128, nw.UInt128):  # numpy has none of these
        return Objects(series.to_list())
    if dtype.is_integer() or dtype == nw.Boolean:
        return _whole_numbers(series)
    if dtype.is_decimal():
        series = series.cast(nw.Float64)
    if dtype.is_nested():
        return Objects(series.to_list())
    if dtype == nw.Unknown and series.null_count() == len(series):  # a column that never had a type
        return Objects([None] * len(series))
    return cells_of_array(series.to_numpy())


def cells_of_array(array: np.ndarray[Any, Any]) -> Cells:
    """The cells of a one-dimensional numpy array.

    >>> cells_of_array(np.array(["a", "b"]))
    Objects(array=['a', 'b'], text=True)
    """
    if isinstance(array, np.ma.MaskedArray):
        return _masked(array)
    match array.dtype.kind:
        case "b" | "i" | "u" | "f":
            return Numbers(array)
        case "M":
            return Times(array, "date")
        case "m":
            return Times(array, "duration")
        case "U" | "S" | "T":
            return Objects(array.tolist(), text=True)
        case "O":
            return Objects(array.tolist())
        case "c":
            raise refuse_complex()
        case _:
            raise TypeError(f"a column of dtype {array.dtype} holds neither numbers, text, dates nor objects")


def _masked(array: np.ma.MaskedArray[Any, Any]) -> Cells:
    """A masked cell is a missing one."""
    null = np.ma.getmaskarray(array)
    cells = cells_of_array(np.asarray(array.data))
    if isinstance(cells, Numbers):
        return Numbers(cells.array, null)
    if isinstance(cells, Times):
        moments = cells.array.copy()
        moments[null] = "NaT"
        return Times(moments, cells.values)
    filled = [None if gone else cell for cell, gone in zip(cells.array, null, strict=True)]
    return Objects(filled, text=array.dtype.kind != "O")


def _whole_numbers(series: Series[Any]) -> Numbers:
    null = None
    if series.null_count():
        null = np.asarray(series.is_null().to_numpy(), dtype=np.bool_)
        series = series.fill_null(False if series.dtype == nw.Boolean else 0)
    array = series.to_numpy()
    if array.dtype.kind == "O":  # nullable booleans, in older versions of pandas
        array = array.astype(np.bool_)
    return Numbers(array, null)


def _text(series: Series[Any]) -> Cells:
    """Text, numbered by the library itself where it can do that."""
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "factorize"):
        codes, distinct = native.factorize()
        return Coded(np.asarray(codes), np.asarray(distinct, dtype=object).tolist())
    if series.implementation.is_pyarrow():
        return _arrow_coded(native.dictionary_encode())
    return Objects(series.to_list(), text=True)


def _coded(series: Series[Any]) -> Cells:
    native = series.to_native()
    implementation = series.implementation
    if implementation.is_pandas_like() and hasattr(native, "cat"):
        return Coded(native.cat.codes.to_numpy(), native.cat.categories.tolist(), bool(native.cat.ordered))
    if implementation.is_polars():
        return _polars_coded(native, is_enum=series.dtype == nw.Enum)
    if implementation.is_pyarrow():
        return _arrow_coded(native)
    # Any other library: number the values in the order in which they come.
    cells = series.to_list()
    gone = series.is_null().to_list()
    places: dict[Any, int] = {}
    codes = [
        -1 if empty else places.setdefault(cell, len(places)) for cell, empty in zip(cells, gone, strict=True)
    ]
    return Coded(np.array(codes, dtype=np.int64), list(places))


def _arrow_coded(native: Any) -> Coded:
    array = native.unify_dictionaries().combine_chunks()
    if not hasattr(array, "indices"):  # a column without rows stays in chunks
        return Coded(np.zeros(0, dtype=np.int64), [])
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return Coded(codes, array.dictionary.to_pylist(), bool(array.type.ordered))


def _polars_coded(native: Any, is_enum: bool) -> Coded:
    null = native.is_null().to_numpy()
    physical = native.to_physical().fill_null(0).to_numpy().astype(np.int64)
    if is_enum:
        return Coded(np.where(null, -1, physical), native.dtype.categories.to_list(), ordered=True)
    distinct = native.drop_nulls().unique()
    codes = distinct.to_physical().to_numpy()
    table = np.full(int(codes.max(initial=0)) + 1, -1, dtype=np.int64)
    table[codes] = np.arange(len(codes))
    return Coded(np.where(null, -1, table[physical]), distinct.to_list())
