"""The target of a regression: one finite number for each row, as float64.

Numbers come as floats of any width, integers, booleans (0 and 1), decimals and fractions, in an array, a
list, a series or a nullable column; a Categorical of numbers is read by its values. What is no number is
refused in the words of scikit-learn's checks where it has words for it: missing and infinite values, text,
complex numbers, several outputs. Dates and durations are refused too: a tree would answer with a mean of
dates as a bare number of microseconds, and nobody could tell.

A tree keeps the sum of the squares of its numbers, weighted. Numbers so large that this sum is infinite are
refused, with the remedy: divide them by a constant.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.cells import (
    EXACT_INTEGERS,
    Numbers,
    Times,
    Where,
    cell_kind,
    is_missing,
    warn_of_rounding,
)
from boxwood.data.numeric import by_value
from boxwood.data.target import read_target

NumericTarget: TypeAlias = npt.NDArray[np.float64]


def encode_numeric_target(y: object, n_rows: int | None = None, owner: str = "the tree") -> NumericTarget:
    """Encode the numbers that a regression is to learn.

    Parameters
    ----------
    y
        One number for each row.
    n_rows
        The number of rows that there should be; None accepts any but 0.
    owner
        Who asks, for messages: the name of an estimator.

    Returns
    -------
    array of float64
        The numbers. It cannot be written to, and is a copy where the caller's array could be.

    Raises
    ------
    ValueError
        For missing, infinite and complex numbers, text, dates, and several outputs.

    Examples
    --------
    >>> encode_numeric_target([1, 2.5, True])
    array([1. , 2.5, 1. ])
    >>> encode_numeric_target(["cheap", "dear"])
    Traceback (most recent call last):
    ...
    ValueError: could not convert string to float: 'cheap' in row 0 of y. A regression learns numbers; for \
classes, fit a classifier.
    """
    cells, _ = read_target(y, n_rows, owner, "MultiOutputRegressor")
    where = Where("y", is_target=True)
    found = by_value(cells, where)
    if isinstance(found, Times):
        raise ValueError(
            f"y holds {found.values}s, and a regression learns numbers. Turn them into numbers first, for "
            "example into days since the first of them."
        )
    if not isinstance(found, Numbers):
        raise _no_number(list(map(found.cell, range(len(found.array)))))
    if found.null is not None and found.null.any():
        raise _missing(int(found.null.argmax()))
    array = found.array
    wide = array.dtype.kind in "iu" and array.dtype.itemsize == 8
    if wide and (int(array.max()) > EXACT_INTEGERS or int(array.min()) < -EXACT_INTEGERS):
        warn_of_rounding(where)
    with np.errstate(over="ignore"):
        target: NumericTarget = np.array(array, dtype=np.float64)
    finite = np.isfinite(target)
    if not finite.all():
        row = int(np.argmin(finite))
        if np.isnan(target[row]):
            raise _missing(row)
        raise ValueError(
            f"Input y contains infinity or a value too large for {target.dtype!r}, first in row {row}. "
            "Replace it by a finite number, or leave out the row."
        )
    target.flags.writeable = False
    return target


def check_sum_of_squares(target: NumericTarget, weights: npt.NDArray[np.float64]) -> None:
    """Refuse numbers whose weighted sum of squares is infinite.

    >>> check_sum_of_squares(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    >>> check_sum_of_squares(np.array([1.0, 1e200]), np.array([1.0, 1.0]))
    Traceback (most recent call last):
    ...
    ValueError: the numbers of y are too large, up to 1e+200: the sum of their squares is infinite. Divide y
    by \
a constant.
    """
    with np.errstate(over="ignore"):
        total = float(np.dot(weights * target, target))
    if not np.isfinite(total):
        raise ValueError(
            f"the numbers of y are too large, up to {float(np.abs(target).max()):g}: the sum of their "
            "squares is infinite. Divide y by a constant."
        )


def _no_number(cells: list[object]) -> ValueError:
    """The error for the first cell that is no number."""
    row = next((row for row, cell in enumerate(cells) if is_missing(cell)), None)
    if row is not None:
        return _missing(row)
    numbers = ("boolean", "integer", "float")
    row = next(row for row, cell in enumerate(cells) if cell_kind(type(cell)) not in numbers)
    cell = cells[row]
    if isinstance(cell, str):
        return ValueError(
            f"could not convert string to float: {str(cell)!r} in row {row} of y. A regression learns "
            "numbers; for classes, fit a classifier."
        )
    return ValueError(
        f"Unknown label type: unknown. Row {row} of y holds {cell!r} of type {type(cell).__name__}, and a "
        "regression learns numbers."
    )


def _missing(row: int) -> ValueError:
    return ValueError(
        f"Input y contains NaN, first in row {row}. Every row needs a number; leave out the rows without."
    )
