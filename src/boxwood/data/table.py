"""Reading a table: what the caller passed, checked and opened column by column, but not yet encoded.

Accepted are numpy arrays and whatever turns into one, lists of rows, data frames (pandas, polars, pyarrow and
the others that narwhals knows) and a plain dict of columns, ``{"age": [31, 45], "island": ["Dream", None]}``.
Everything that cannot be a table is refused here, in the words of scikit-learn's own checks where it has
words for it.

A `Table` copies nothing. `table.cells(j)` reads column j when it is asked for, so that no more than one
column is held in two forms at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxwood.data.cells import Cells, Objects, is_missing, refuse_complex
from boxwood.data.frames import as_frame, as_series, cells_of, cells_of_array

_RESHAPE = (
    "Reshape your data either using array.reshape(-1, 1) if your data has a single feature or "
    "array.reshape(1, -1) if it contains a single sample."
)


@dataclass(frozen=True, eq=False)
class Table:
    """A table that has been looked at: its shape, the names of its columns, and a way to read each of them.

    Parameters
    ----------
    names
        The names of the columns, ``x0``, ``x1``, ... where the caller gave none.
    named
        Whether the names came from the caller.
    n_rows
        The number of rows.
    read
        Reads the column at a position.
    array
        The whole table where it is one array of numbers, so that its columns need no copy.

    Examples
    --------
    >>> table = read_table({"age": [31, 45], "island": ["Dream", None]})
    >>> table.shape, table.names, table.cells(0).array
    ((2, 2), ('age', 'island'), [31, 45])
    """

    names: tuple[str, ...]
    named: bool
    n_rows: int
    read: Callable[[int], Cells]
    array: npt.NDArray[Any] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n_rows, len(self.names)

    def cells(self, column: int) -> Cells:
        """The cells of the column at a position, as the caller gave them."""
        return self.read(column)

    def value(self, row: int, column: int) -> object:
        """The value of one cell, None when it is missing; for messages."""
        cell = self.read(column).cell(row)
        return None if is_missing(cell) else cell

    def __repr__(self) -> str:
        return f"Table({self.n_rows} rows, {len(self.names)} columns)"


def read_table(X: object, owner: str = "the tree") -> Table:
    """Look at a table and refuse what is none.

    Parameters
    ----------
    X
        The caller's table, or a `Table`, which is returned as it is.
    owner
        Who asks, for messages: the name of an estimator.

    Returns
    -------
    Table
        The table, with at least one row and one column.

    Raises
    ------
    TypeError
        For sparse and for lazy tables, and for column names that are partly strings.
    ValueError
        For everything else that is not a table: one dimension, three, no rows, no columns, complex numbers,
        rows of different lengths, two columns of one name.

    Examples
    --------
    >>> read_table([[1.5, "a"], [2.5, "b"]])
    Table(2 rows, 2 columns)
    """
    if isinstance(X, Table):
        return X
    table = _read(X)
    if table.n_rows == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape={table.shape}) while a minimum of 1 is required by {owner}."
        )
    if not table.names:
        raise ValueError(
            f"Found array with 0 feature(s) (shape={table.shape}) while a minimum of 1 is required by "
            f"{owner}."
        )
    return table


def _read(X: object) -> Table:
    if isinstance(X, np.ndarray):
        return _read_array(X)
    if isinstance(X, list | tuple):
        return _read_array(_rows_as_array(X))
    refuse_sparse(X, "X")
    if isinstance(X, Mapping):
        return _read_mapping(X)
    frame = as_frame(X)
    if frame is not None:
        names, named = _names(list(frame.columns))
        return Table(names, named, len(frame), lambda column: cells_of(frame[:, column]))
    if as_series(X) is not None:
        raise ValueError(
            f"Expected a 2-dimensional container but got {type(X)} instead. Pass a DataFrame containing a "
            "single row (i.e. single sample) or a single column (i.e. single feature) instead. Reshape "
            "your data."
        )
    return _read_array(np.asarray(X))


def _read_array(array: npt.NDArray[Any]) -> Table:
    if array.ndim != 2:
        if array.ndim > 2:
            raise ValueError(f"Found array with dim {array.ndim}, while dim <= 2 is required.")
        what = "1D" if array.ndim else "scalar"
        raise ValueError(f"Expected 2D array, got {what} array instead:\narray={array}.\n{_RESHAPE}")
    if array.dtype.kind == "c":
        raise refuse_complex()
    if not isinstance(array, np.ma.MaskedArray):
        array = np.asarray(array)  # a matrix would stay two-dimensional in its columns
    names = tuple(f"x{column}" for column in range(array.shape[1]))
    whole = array if array.dtype.kind in "biuf" and not isinstance(array, np.ma.MaskedArray) else None
    return Table(names, False, array.shape[0], lambda column: cells_of_array(array[:, column]), whole)


def _rows_as_array(rows: Sequence[Any]) -> npt.NDArray[Any]:
    """Lists of rows become an array of objects: numpy would turn the numbers of a mixed row into text."""
    try:
        array = np.array(rows, dtype=object)
    except ValueError:  # numpy cannot even make out rows
        array = np.empty(len(rows), dtype=object)
        array[:] = list(rows)
    if array.ndim == 1 and len(rows):
        lengths = [len(row) if isinstance(row, list | tuple | np.ndarray) else -1 for row in rows]
        odd = next((row for row, length in enumerate(lengths) if length != lengths[0]), None)
        if odd is not None and max(lengths) >= 0:
            raise ValueError(
                f"Expected rows of one length, but row 0 has {max(lengths[0], 1)} and row {odd} has "
                f"{max(lengths[odd], 1)} cells. Fill the missing cells with None."
            )
    return array


def _read_mapping(columns: Mapping[Any, Any]) -> Table:
    names, named = _names(list(columns))
    if not named and names:
        raise TypeError(
            f"the columns of a dict must be named by strings, not by {next(iter(columns))!r}; "
            "a numpy array or a list of rows needs no names"
        )
    read = {name: _cells_of_any(columns[name], name) for name in names}
    lengths = {name: len(cells.array) for name, cells in read.items()}
    for name, length in lengths.items():
        if length != lengths[names[0]]:
            raise ValueError(
                f"the columns of X differ in length: {names[0]!r} has {lengths[names[0]]} and {name!r} has "
                f"{length} cells"
            )
    return Table(names, True, lengths[names[0]] if names else 0, lambda column: read[names[column]])


def _cells_of_any(column: object, name: str) -> Cells:
    """The cells of a column that stands alone: a series, a one-dimensional array or a list of objects."""
    series = as_series(column)
    if series is not None:
        return cells_of(series)
    if hasattr(column, "to_pylist"):  # an array of pyarrow
        return Objects(column.to_pylist())
    if hasattr(column, "__array__"):
        column = np.asanyarray(column)
        if column.ndim != 1:
            raise ValueError(f"column {name!r} must have one dimension, not {column.ndim}")
        return cells_of_array(column)
    if isinstance(column, str | bytes) or not isinstance(column, Sequence):
        raise TypeError(f"column {name!r} must be a list, an array or a series, not {column!r}")
    return Objects(list(column))


def _names(names: list[Any]) -> tuple[tuple[str, ...], bool]:
    """The names of columns, and whether they are the caller's; to scikit-learn only strings are names."""
    strings = [isinstance(name, str) for name in names]
    if all(strings):
        return tuple(map(str, names)), True
    if any(strings):
        types = sorted({type(name).__qualname__ for name in names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but your input has "
            f"{types} as feature name / column name types. Convert them all to strings, for example with "
            "X.columns = X.columns.astype(str)."
        )
    return tuple(f"x{column}" for column in range(len(names))), False


def refuse_sparse(data: object, name: str) -> None:
    """Refuse scipy's sparse matrices and arrays, in scikit-learn's words."""
    if hasattr(data, "tocsr") or (hasattr(data, "nnz") and hasattr(data, "toarray")):
        raise TypeError(
            f"Sparse data was passed for {name}, but dense data is required. Use '.toarray()' to convert to "
            "a dense numpy array."
        )


def align_columns(X: Any, names: Sequence[str] | None, owner: str = "the tree") -> Any:
    """Put the columns of a table with names into the order of `names`.

    Parameters
    ----------
    X
        The caller's table. Without names (an array, a list, a frame whose names are no strings) it is
        returned as it is, and so is a frame that is in order already.
    names
        The names of training, or None when training had no names.
    owner
        Who asks, for messages: the name of an estimator.

    Returns
    -------
    object
        A table of the same type, with the columns in order.

    Raises
    ------
    ValueError
        When a column is missing or unknown. The message names it.

    Examples
    --------
    >>> align_columns({"b": [1], "a": [2]}, ["a", "b"])
    {'a': [2], 'b': [1]}
    """
    if names is None or isinstance(X, np.ndarray | list | tuple | Table):
        return X
    frame = None if isinstance(X, Mapping) or hasattr(X, "tocsr") else as_frame(X)
    if frame is None and not isinstance(X, Mapping):
        return X
    given = list(X if frame is None else frame.columns)
    if given == list(names) or not all(isinstance(name, str) for name in given):
        return X
    wanted, there = set(names), set(given)
    if wanted != there:
        raise ValueError(
            _wrong_names(sorted(there - wanted), sorted(wanted - there), len(given), len(names), owner)
        )
    if frame is None:
        return {name: X[name] for name in names}
    ordered = frame[list(names)]
    return ordered if isinstance(X, type(frame)) else ordered.to_native()


def _wrong_names(extra: list[str], gone: list[str], n_given: int, n_wanted: int, owner: str) -> str:
    """Say which columns are wrong, in scikit-learn's words."""
    message = "The feature names should match those that were passed during fit.\n"
    for title, wrong in (
        ("Feature names unseen at fit time", extra),
        ("Feature names seen at fit time, yet now missing", gone),
    ):
        if wrong:
            shown = [f"- {name}\n" for name in wrong[:5]] + (["- ...\n"] if len(wrong) > 5 else [])
            message += f"{title}:\n{''.join(shown)}"
    if n_given != n_wanted:
        message += f"X has {n_given} features, but {owner} is expecting {n_wanted} features as input.\n"
    return message
