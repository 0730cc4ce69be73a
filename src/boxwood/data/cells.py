"""The cells of one column as the caller gave them, sorted into four forms.

Tables come from many places, but a column is always one of these:

- `Numbers`: an array of a float, integer or boolean dtype, with a mask when the frame marks missing cells
  apart;
- `Times`: an array of datetime64 or timedelta64;
- `Coded`: integer codes with a list of values (Categorical, Enum, dictionary-encoded text);
- `Objects`: a list of Python objects: text, or anything at all.

Reading a table (`boxwood.data.frames`, `boxwood.data.table`) makes them, encoding consumes them, and nothing
else in the library knows where a table came from. `judge` looks into an `Objects` column and moves it to the
form that its values have: all numbers or booleans, all dates, all durations; else it stays what it is, and
will be categorical. Ensembles turn a mixed frame into one array of objects, so numeric columns must be
recognised there.
"""

from __future__ import annotations

import datetime
import numbers
import sys
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.schema import Values
from boxwood.data.times import cell_microseconds, microseconds

Rows: TypeAlias = npt.NDArray[np.intp]
CellKind: TypeAlias = Literal[
    "missing", "boolean", "integer", "float", "complex", "date", "duration", "text", "bytes", "other"
]

EXACT_INTEGERS: Final = 2**53
"""Up to here float64 holds every integer."""

_NUMBERS: frozenset[str] = frozenset({"boolean", "integer", "float"})
_MAY_BE_MISSING: frozenset[str] = frozenset({"float", "date", "duration"})


@dataclass(frozen=True)
class Where:
    """Where a column came from, for messages: its name, and the caller's numbers of its rows."""

    column: str
    rows: Rows | None = None
    is_target: bool = False

    def cell(self, row: int) -> str:
        """Name a cell in a message."""
        if self.is_target:
            return f"row {row} of {self.column}"
        return f"column {self.column!r}, row {row if self.rows is None else int(self.rows[row])}"


@dataclass(frozen=True, eq=False)
class Numbers:
    """Booleans, integers or floats. `null` marks missing cells beside NaN; the array holds anything there."""

    array: npt.NDArray[Any]
    null: npt.NDArray[np.bool_] | None = None

    @property
    def values(self) -> Values:
        """What the numbers are."""
        kinds: dict[str, Values] = {"b": "boolean", "i": "integer", "u": "integer", "f": "float"}
        return kinds[self.array.dtype.kind]

    def take(self, rows: Rows) -> Numbers:
        """The cells of some rows."""
        return Numbers(self.array[rows], None if self.null is None else self.null[rows])

    def cell(self, row: int) -> object:
        """The value of one cell."""
        return None if self.null is not None and self.null[row] else self.array[row].item()


@dataclass(frozen=True, eq=False)
class Times:
    """Dates or durations: an array of datetime64 or timedelta64, or microseconds with what they mean."""

    array: npt.NDArray[Any]
    values: Literal["date", "duration"]

    def microseconds(self) -> npt.NDArray[np.float64]:
        """The cells as microseconds, missing ones as NaN."""
        return self.array if self.array.dtype.kind == "f" else microseconds(self.array)

    def take(self, rows: Rows) -> Times:
        """The cells of some rows."""
        return Times(self.array[rows], self.values)

    def cell(self, row: int) -> object:
        """The value of one cell."""
        return self.array[row]


@dataclass(frozen=True, eq=False)
class Objects:
    """Any Python objects. `text` says that the column's type is text, so that its values need no judging."""

    array: list[Any]
    text: bool = False

    def take(self, rows: Rows) -> Objects:
        """The cells of some rows."""
        return Objects(list(map(self.array.__getitem__, rows.tolist())), self.text)

    def cell(self, row: int) -> object:
        """The value of one cell."""
        return self.array[row]


@dataclass(frozen=True, eq=False)
class Coded:
    """Codes into a list of values, -1 for missing cells. `ordered` says that their order has a meaning."""

    array: npt.NDArray[Any]
    categories: list[Any]
    ordered: bool = False

    def take(self, rows: Rows) -> Coded:
        """The cells of some rows."""
        return Coded(self.array[rows], self.categories, self.ordered)

    def cell(self, row: int) -> object:
        """The value of one cell."""
        code = int(self.array[row])
        return None if code < 0 else self.categories[code]


Cells: TypeAlias = Numbers | Times | Objects | Coded


def _kind_of(cls: type) -> CellKind:
    """What a Python object of this type is to us.

    >>> cell_kind(np.float32), cell_kind(bool), cell_kind(datetime.date), cell_kind(dict)
    ('float', 'boolean', 'date', 'other')
    """
    # pandas' missing markers are told by name: pandas need not be there. NaT is a subclass of datetime.
    if cls is type(None) or cls.__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return "missing"
    # The order matters: timedelta64 is a kind of integer to numpy, and bool is one to Python.
    table: tuple[tuple[CellKind, tuple[type, ...]], ...] = (
        ("text", (str,)),
        ("bytes", (bytes, bytearray)),
        ("date", (datetime.date, np.datetime64)),
        ("duration", (datetime.timedelta, datetime.time, np.timedelta64)),
        ("boolean", (bool, np.bool_)),
        ("integer", (numbers.Integral, np.integer)),
        ("float", (numbers.Real, np.floating, Decimal)),
        ("complex", (numbers.Complex, np.complexfloating)),
    )
    return next((kind for kind, types in table if issubclass(cls, types)), "other")


cell_kind: Callable[[type], CellKind] = lru_cache(maxsize=1024)(_kind_of)
"""What a Python object of a type is to us, looked up once per type."""


def is_missing(cell: object) -> bool:
    """Whether a cell is empty: None, NaN, NaT or pandas' NA.

    >>> is_missing(None), is_missing(float("nan")), is_missing(np.datetime64("NaT")), is_missing("")
    (True, True, True, False)
    """
    kind = cell_kind(type(cell))
    if kind == "missing":
        return True
    if kind not in _MAY_BE_MISSING:
        return False
    return cell.is_nan() if isinstance(cell, Decimal) else bool(cell != cell)


def first_present(cells: Iterable[object]) -> tuple[int, object] | None:
    """The first cell that is not missing, with its place, or None."""
    return next(((place, cell) for place, cell in enumerate(cells) if not is_missing(cell)), None)


def refuse_complex() -> ValueError:
    """The error for complex numbers, in scikit-learn's words."""
    return ValueError(
        "Complex data not supported: a tree orders its numbers. Pass the real and imaginary parts as two "
        "columns."
    )


def judge(cells: Objects, where: Where) -> Cells:
    """Move a column of objects to the form that its values have.

    A column without any value stays as it is: it says nothing, and must not forbid what prediction brings.

    >>> judge(Objects([1, None, True]), Where("x0"))
    Numbers(array=array([1, 0, 1]), null=array([False,  True, False]))
    >>> judge(Objects([1, "a"]), Where("x0"))
    Objects(array=[1, 'a'], text=False)
    """
    if cells.text:
        return cells
    kinds = {cell_kind(cls) for cls in set(map(type, cells.array))} - {"missing"}
    if "complex" in kinds:
        raise refuse_complex()
    if kinds <= _NUMBERS:
        return _judge_numbers(cells, kinds, where) if kinds else cells
    if len(kinds) > 1 and kinds <= _NUMBERS | _MAY_BE_MISSING:
        # NaN is a float and numpy's NaT has a type of its own: do the kinds agree without the missing cells?
        kinds = {cell_kind(type(cell)) for cell in cells.array if not is_missing(cell)}
        if kinds <= _NUMBERS:
            return _judge_numbers(cells, kinds, where) if kinds else cells
    if len(kinds) == 1 and kinds <= {"date", "duration"}:
        times = [np.nan if is_missing(cell) else cell_microseconds(cell) for cell in cells.array]
        array = np.array(times, dtype=np.float64)
        return cells if np.isnan(array).all() else Times(array, "date" if "date" in kinds else "duration")
    return cells


def _judge_numbers(cells: Objects, kinds: set[CellKind], where: Where) -> Cells:
    """Turn a column of number objects into an array. Missing cells do not make floats of integers or
    booleans.
    """
    filled = cells.array
    if any(cell_kind(cls) not in _NUMBERS and cls is not type(None) for cls in set(map(type, filled))):
        filled = [None if is_missing(cell) else cell for cell in filled]
    column = np.empty(len(filled), dtype=object)
    column[:] = filled
    try:
        array = column.astype(np.float64)  # None becomes NaN
    except OverflowError:
        largest = sys.float_info.max
        row = next(row for row, cell in enumerate(filled) if cell is not None and abs(cell) > largest)
        raise ValueError(
            f"Input {'y' if where.is_target else 'X'} contains a number too large for float64 in "
            f"{where.cell(row)}. Scale the column{'' if where.is_target else ', or leave it out'}."
        ) from None
    null = np.isnan(array)
    if null.all():
        return cells
    if null.any():
        kinds = {cell_kind(cls) for cls in set(map(type, column[~null]))}
        column[null] = 0
    if "float" not in kinds:
        try:
            whole = column.astype(np.bool_ if kinds == {"boolean"} else np.int64)
            return Numbers(whole, null if null.any() else None)
        except OverflowError:  # integers beyond 64 bits stay floats
            pass
    if "integer" in kinds and np.nanmax(np.abs(array)) >= EXACT_INTEGERS:
        warn_of_rounding(where)
    return Numbers(array)


def warn_of_rounding(where: Where) -> None:
    """Warn that a column, or the target, holds integers that float64 cannot tell apart."""
    if where.is_target:
        warnings.warn(
            f"{where.column} holds integers beyond 2**53, which float64 rounds. Subtract an offset to keep "
            "them exact.",
            UserWarning,
            stacklevel=2,
        )
        return
    warnings.warn(
        f"column {where.column!r} holds integers beyond 2**53, which float64 cannot all tell apart, so "
        "close ones may become equal. Subtract an offset, or name the column in categorical_features if "
        "its numbers are identifiers.",
        UserWarning,
        stacklevel=2,
    )
