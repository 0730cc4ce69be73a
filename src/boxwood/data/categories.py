"""Categories: what the value of a cell is, and when two cells hold the same one.

Codes are an accident of a table: another frame, another file or another fold numbers the same values
differently. So categories are matched by value, always:

- numbers are equal when their values are (1, 1.0, True, ``np.int8(1)``: pandas turns integers to floats as
  soon as one of them is missing), at any size, without rounding;
- text matches text only ("1" is not 1); bytes are read as UTF-8 text;
- dates and moments are one value when they are the same moment, whatever their unit or time zone; durations
  and times of day are the number of their microseconds;
- everything else (lists, dicts, intervals, ...) is known by its `repr`.

A value has one canonical form, of a plain type, so that a stored tree can name it: whole numbers are `int`,
others `float`, moments are `datetime.datetime` in UTC. The order of a column's categories never depends on
the order of the rows: numbers by size, then text by code point, then dates by time; an order that the caller
declared (an ordered Categorical, an Enum) is kept.

The work is done once per distinct value where the column allows it, and per row only by table look-ups that
run at C speed: a million distinct strings take about a second.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from boxwood.data.cells import (
    Cells,
    Coded,
    Numbers,
    Objects,
    Times,
    Where,
    cell_kind,
    is_missing,
    refuse_complex,
)
from boxwood.data.schema import MISSING, UNKNOWN, Category
from boxwood.data.times import cell_microseconds, cell_moment

Codes: TypeAlias = npt.NDArray[np.int32]

_INTEGERS: Final = 2.0**64  # below this, a whole float is written as an integer
_PART: Final = 65_536  # cells looked at together, so that what is made of them stays in the cache


def canonical(cell: object) -> Category | None:
    """The canonical form of a cell's value, or None when the cell is missing.

    >>> canonical(np.int8(1)), canonical(1.0), canonical(b"red"), canonical([1, 2]), canonical(float("nan"))
    (1, 1, 'red', '[1, 2]', None)
    """
    kind = cell_kind(type(cell))
    if kind == "text":
        return str.__str__(cast(str, cell))  # also of subclasses, whatever they print themselves as
    if is_missing(cell):
        return None
    match kind:
        case "boolean":
            return bool(cell)
        case "integer":
            return int(cast(int, cell))
        case "float":
            return _number(float(cast(float, cell)))
        case "date":
            return cell_moment(cast(datetime.date, cell))
        case "duration":
            return _number(cell_microseconds(cell))
        case "bytes":
            return bytes(cast(bytes, cell)).decode("utf-8", "backslashreplace")
        case "complex":
            raise refuse_complex()
        case _:
            return repr(cell)


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() and abs(value) < _INTEGERS else value


def in_order(values: Iterable[Category]) -> list[Category]:
    """Distinct categories in canonical order.

    >>> in_order(["b", 10, "a", 2.5])
    [2.5, 10, 'a', 'b']
    """
    values = list(values)
    if set(map(type, values)) == {str}:
        return sorted(cast("list[str]", values))
    text: list[str] = []
    dates: list[datetime.datetime] = []
    numbers: list[float] = []
    for value in values:
        if isinstance(value, str):
            text.append(value)
        elif isinstance(value, datetime.date):
            dates.append(cast(datetime.datetime, value))
        else:
            numbers.append(value)
    return [*sorted(numbers), *sorted(text), *sorted(dates)]


@dataclass(frozen=True, eq=False)
class ArrayLevels:
    """The distinct values of a column that is an array, with codes into them (-1 for missing cells)."""

    values: list[Category | None]
    codes: npt.NDArray[Any]
    ordered: bool = False

    def number(self) -> tuple[tuple[Category, ...], Codes]:
        """The categories of the column in order, and the codes of its cells."""
        if not self.ordered and set(map(type, self.values)) == {str}:
            distinct, places = distinct_text(cast("list[str]", self.values))
            return tuple(distinct), np.append(places.astype(np.int32), np.int32(MISSING))[self.codes]
        # A missing value can have a code, and two values can have one form.
        present = cast("list[Category]", [value for value in dict.fromkeys(self.values) if value is not None])
        categories = tuple(present if self.ordered else in_order(present))
        return categories, self.encode(numbered(categories))

    def encode(self, codes: Mapping[Category | None, int]) -> Codes:
        """The codes of the column's cells under a numbering."""
        table = np.fromiter(map(codes.get, self.values, repeat(UNKNOWN)), np.int32, len(self.values))
        table = np.append(table, np.int32(MISSING))  # a code of -1 finds the last entry
        return cast(Codes, table[self.codes])


@dataclass(frozen=True, eq=False)
class ObjectLevels:
    """The cells of a column of objects, with the canonical form of each distinct one."""

    cells: list[Any]
    forms: dict[Any, Category | None]

    def number(self) -> tuple[tuple[Category, ...], Codes]:
        """The categories of the column in order, and the codes of its cells."""
        categories = tuple(in_order(cast("set[Category]", set(self.forms.values()) - {None})))
        return categories, self.encode(numbered(categories))

    def encode(self, codes: Mapping[Category | None, int]) -> Codes:
        """The codes of the column's cells under a numbering."""
        known = dict(zip(self.forms, map(codes.get, self.forms.values(), repeat(UNKNOWN)), strict=True))
        return np.fromiter(map(known.__getitem__, self.cells), np.int32, len(self.cells))


@dataclass(frozen=True, eq=False)
class TextLevels:
    """The cells of a column of text, each of them its own canonical form, or None."""

    cells: list[str | None]

    def number(self) -> tuple[tuple[Category, ...], Codes]:
        """The categories of the column in order, and the codes of its cells."""
        codes = np.full(len(self.cells), MISSING, dtype=np.int32)
        present = np.fromiter((cell is not None for cell in self.cells), np.bool_, len(self.cells))
        distinct, codes[present] = distinct_text([cell for cell in self.cells if cell is not None])
        return tuple(distinct), codes

    def encode(self, codes: Mapping[Category | None, int]) -> Codes:
        """The codes of the column's cells under a numbering."""
        return np.fromiter(map(codes.get, self.cells, repeat(UNKNOWN)), np.int32, len(self.cells))


Levels: TypeAlias = ArrayLevels | ObjectLevels | TextLevels


def levels(cells: Cells, where: Where) -> Levels:
    """Find the distinct values of a column, in canonical form. An infinite number is refused.

    >>> found = levels(Objects(["b", None, "a", "b"]), Where("x0"))
    >>> found.number()
    (('a', 'b'), array([ 1, -1,  0,  1], dtype=int32))
    >>> found.encode({"b": 0, None: -1})
    array([ 0, -1, -2,  0], dtype=int32)
    """
    match cells:
        case Numbers():
            found: Levels = _levels_of_numbers(cells)
        case Times():
            found = _levels_of_times(cells)
        case Coded():
            found = _levels_of_codes(cells)
        case Objects():
            found = _levels_of_objects(cells.array)
    if not isinstance(found, TextLevels):
        values = found.values if isinstance(found, ArrayLevels) else found.forms.values()
        if float in set(map(type, values)) and (math.inf in values or -math.inf in values):
            infinite = {math.inf, -math.inf}
            row = next(row for row in range(len(cells.array)) if canonical(cells.cell(row)) in infinite)
            raise refuse_infinity(where, row)
    return found


def refuse_infinity(where: Where, row: int) -> ValueError:
    """The error for an infinite number."""
    return ValueError(
        f"Input X contains infinity in {where.cell(row)}. Replace it by a finite number, or by NaN to mark "
        "it missing."
    )


def _levels_of_numbers(cells: Numbers) -> ArrayLevels:
    missing = cells.null
    if cells.array.dtype.kind == "f":
        missing = np.isnan(cells.array) if missing is None else missing | np.isnan(cells.array)
    if missing is None or not missing.any():
        values, codes = distinct_numbers(cells.array)
    else:
        values, found = distinct_numbers(cells.array[~missing])
        codes = np.full(len(missing), MISSING, dtype=np.intp)
        codes[~missing] = found
    as_number = _number if cells.array.dtype.kind == "f" else lambda value: value
    return ArrayLevels([as_number(value) for value in values.tolist()], codes)


def distinct_numbers(array: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.integer[Any]]]:
    """The distinct values of an array in order, and each cell's place among them.

    It is `np.unique`, without its sort where the values are whole numbers in a narrow range.

    >>> distinct_numbers(np.array([7, 5, 7]))
    (array([5, 7]), array([1, 0, 1], dtype=int32))
    """
    if array.size == 0:
        return array, np.zeros(0, dtype=np.intp)
    whole = array
    if array.dtype.kind == "f":
        low, high = float(array.min()), float(array.max())
        if max(-low, high) >= 2.0**53:
            return np.unique(array, return_inverse=True)
        whole = array.astype(np.int64)
        if not np.array_equal(whole, array):
            return np.unique(array, return_inverse=True)
    low, high = int(whole.min()), int(whole.max())
    if high - low > 4 * array.size + 1024:
        return np.unique(array, return_inverse=True)
    present = np.zeros(high - low + 1, dtype=np.bool_)
    for part in _parts(whole):
        present[_places(part, low)] = True
    offsets = np.flatnonzero(present)
    values = offsets.astype(np.uint64) + np.uint64(low) if whole.dtype == np.uint64 else offsets + low
    numbers = np.cumsum(present, dtype=np.int32) - 1
    codes = np.empty(array.size, dtype=np.int32)
    for part, out in zip(_parts(whole), _parts(codes), strict=True):
        np.take(numbers, _places(part, low), out=out, mode="clip")  # which is quicker than "raise"
    return values.astype(array.dtype), codes


def _parts(array: npt.NDArray[Any]) -> list[npt.NDArray[Any]]:
    """Stretches of an array that stay in the cache, as views."""
    return [array[begin : begin + _PART] for begin in range(0, len(array), _PART)]


def _places(whole: npt.NDArray[Any], low: int) -> npt.NDArray[np.intp]:
    """How far whole numbers are above the lowest one."""
    if whole.dtype == np.uint64:  # may lie beyond every signed integer
        return (whole - np.uint64(low)).astype(np.intp)
    places: npt.NDArray[np.intp] = np.subtract(whole, low, dtype=np.intp)
    return places


def distinct_text(cells: list[str]) -> tuple[list[str], npt.NDArray[np.intp]]:
    """The distinct strings of a list in order, and each cell's place among them.

    Few distinct strings are found by hashing. Where most are distinct and all are short, numpy sorts them
    side by side in memory, which is faster than chasing pointers to them.

    >>> distinct_text(["b", "a", "b"])
    (['a', 'b'], array([1, 0, 1]))
    """
    distinct = set(cells)
    many = 2 * len(distinct) > len(cells) > 10_000
    # numpy makes all strings as long as the longest, and drops null characters at their ends.
    if many and max(map(len, cells)) <= 64 and "\0" not in "".join(cells):
        array, places = np.unique(np.array(cells), return_inverse=True)
        return array.tolist(), places
    text = sorted(distinct)
    codes = dict(zip(text, range(len(text)), strict=True))
    return text, np.fromiter(map(codes.__getitem__, cells), np.intp, len(cells))


def numbered(categories: Sequence[Category]) -> dict[Category | None, int]:
    """The code of each category, and of None, which is `MISSING`.

    >>> numbered(["a", "b"])
    {'a': 0, 'b': 1, None: -1}
    """
    codes: dict[Category | None, int] = dict(zip(categories, range(len(categories)), strict=True))
    codes[None] = MISSING
    return codes


def _levels_of_times(cells: Times) -> ArrayLevels:
    missing = np.isnat(cells.array)
    codes = np.full(len(cells.array), MISSING, dtype=np.intp)
    distinct, codes[~missing] = np.unique(cells.array[~missing], return_inverse=True)
    return ArrayLevels([canonical(value) for value in distinct], codes)


def _levels_of_codes(cells: Coded) -> ArrayLevels:
    """The values that occur; those that were only declared are not there."""
    size = len(cells.categories)
    present = np.zeros(size + 1, dtype=np.bool_)
    present[cells.array] = True  # the last entry is that of missing cells, whose code is -1
    if present[:size].all():
        values = [value if type(value) is str else canonical(value) for value in cells.categories]
        return ArrayLevels(values, cells.array, cells.ordered)
    values = [canonical(cells.categories[code]) for code in np.flatnonzero(present[:size])]
    places = np.append(np.cumsum(present[:size]) - 1, MISSING)
    return ArrayLevels(values, places[cells.array], cells.ordered)


def _levels_of_objects(cells: list[Any]) -> ObjectLevels | TextLevels:
    types = set(map(type, cells))
    if types <= {str, type(None)}:
        return TextLevels(cells)
    try:
        distinct = set(cells)
    except TypeError:  # an unhashable cell: known by its repr from here on
        cells = [cell if _is_hashable(cell) else canonical(cell) for cell in cells]
        distinct = set(cells)
    forms = {cell: cell if type(cell) is str else canonical(cell) for cell in distinct}
    # True and 1 are one value, and which of them a set keeps is chance: beside numbers, booleans are numbers.
    kinds = {cell_kind(cls) for cls in types}
    if "boolean" in kinds and kinds & {"integer", "float", "duration"}:
        forms = {cell: int(form) if type(form) is bool else form for cell, form in forms.items()}
    return ObjectLevels(cells, forms)


def _is_hashable(cell: object) -> bool:
    try:
        hash(cell)
    except TypeError:
        return False
    return True
