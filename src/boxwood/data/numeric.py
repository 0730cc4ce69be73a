"""Numeric columns: float64 in full, without a copy wherever the caller's array will do.

The compiled core reads a one-dimensional float64 array of any stride, so the columns of a float64 table, in
either memory order, are views of it. Everything else is converted once. A whole table of float32 or integers
is converted in blocks of rows, which turns a walk through memory with long strides (a cache miss for every
cell) into one that stays in the cache: about five times faster on a million rows.

Integers are exact up to 2**53. Beyond that float64 rounds them, and the caller is warned. Numbers too large
for float64 become infinite here and are refused with the infinite ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.cells import (
    EXACT_INTEGERS,
    Cells,
    Coded,
    Numbers,
    Objects,
    Times,
    Where,
    judge,
    warn_of_rounding,
)

Array: TypeAlias = npt.NDArray[Any]

_BLOCK: Final = 512


def by_value(cells: Cells, where: Where) -> Cells:
    """Judge objects, and the values of codes, by what they are; what has a numeric form is returned in it.

    >>> by_value(Coded(np.array([1, 0, -1]), [10, 20]), Where("x0"))
    Numbers(array=array([20, 10, 10]), null=array([False, False,  True]))
    """
    if isinstance(cells, Objects):
        return judge(cells, where)
    if not isinstance(cells, Coded):
        return cells
    # The last entry of each table below is that of the missing cells, whose code is -1.
    present = np.zeros(len(cells.categories) + 1, dtype=np.bool_)
    present[cells.array] = True
    values = [value if there else None for value, there in zip(cells.categories, present, strict=False)]
    found = judge(Objects(values), Where(where.column))
    if isinstance(found, Times):
        return Times(np.append(found.microseconds(), np.nan)[cells.array], found.values)
    if isinstance(found, Numbers):
        null = np.zeros(len(values), np.bool_) if found.null is None else found.null
        numbers = np.append(found.array, found.array[:1])
        return Numbers(numbers[cells.array], np.append(null, True)[cells.array])
    return cells


def as_float64(cells: Numbers | Times, where: Where) -> Array:
    """The cells as float64, missing ones as NaN: the caller's own array wherever it will do.

    >>> as_float64(Numbers(np.array([1, 2], dtype=np.int8)), Where("x0"))
    array([1., 2.])
    """
    if isinstance(cells, Times):
        return cells.microseconds()
    array = cells.array
    if _is_rounded(array if cells.null is None else array[~cells.null]):
        warn_of_rounding(where)
    if not _is_readable(array):
        with np.errstate(over="ignore"):
            array = array.astype(np.float64)
    if cells.null is not None and cells.null.any():
        array = np.where(cells.null, np.nan, array)
    return array


def columns_of(array: Array, names: Sequence[str]) -> list[Array]:
    """The columns of a two-dimensional array of numbers, as float64.

    >>> columns_of(np.array([[1, 2], [3, 4]]), ["x0", "x1"])
    [array([1., 3.]), array([2., 4.])]
    """
    if not _is_readable(array):
        if _is_rounded(array):
            for column, name in enumerate(names):
                if _is_rounded(array[:, column]):
                    warn_of_rounding(Where(name))
        converted = np.empty(array.shape, dtype=np.float64, order="F")
        with np.errstate(over="ignore"):
            for start in range(0, len(array), _BLOCK):
                converted[start : start + _BLOCK] = array[start : start + _BLOCK]
        array = converted
    return [array[:, column] for column in range(array.shape[1])]


def _is_readable(array: Array) -> bool:
    """Whether the core can read the array: float64 cells that lie a whole number of float64s apart."""
    return (
        array.dtype == np.float64
        and array.dtype.isnative
        and array.flags.aligned
        and all(stride % 8 == 0 for stride in array.strides)
    )


def _is_rounded(array: Array) -> bool:
    """Whether float64 would round some of these integers."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return False
    return int(array.max()) > EXACT_INTEGERS or int(array.min()) < -EXACT_INTEGERS
