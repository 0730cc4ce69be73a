"""How many cuts of a table are boundaries, counted from its columns and labels alone.

The problem. The paper's last column is the share of "non-boundary cuts", those that a concave or linear
impurity never needs to look at. A grower can report how many cuts it evaluated; this file counts without
any grower, so that the two can be compared.

Two ways to count. A *cut* lies between two neighbouring distinct values of a numeric column, and is a
boundary unless the rows of both values are all of one class (`count_value_cuts`; Fayyad and Irani 1992).
The paper, section 2, speaks of N - 1 cuts between neighbouring rows under the assumption that all values
differ. Where values repeat, as they do in nearly all of the nine tables, that is another count: rows are
sorted by value, equal values by class, and a pair of neighbours is a boundary when their classes differ
(`count_row_cuts`). Pairs of equal values are no cuts at all, yet they swell that share: a column with ten
values and 683 rows has 9 cuts, and 682 pairs.

Complexity: one sort per column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.harness.tables import Table


@dataclass(frozen=True)
class CutCount:
    """How many cuts there are, and how many of them are boundaries."""

    cuts: int
    boundaries: int

    def __add__(self, other: CutCount) -> CutCount:
        return CutCount(self.cuts + other.cuts, self.boundaries + other.boundaries)

    @property
    def non_boundary_share(self) -> float:
        """The share that needs no look; 0 when there is no cut."""
        return 1 - self.boundaries / self.cuts if self.cuts else 0.0


def count_value_cuts(values: NDArray[np.float64], classes: NDArray[np.intp]) -> CutCount:
    """Count the cuts between neighbouring distinct values; missing values are left out.

    >>> count_value_cuts(np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1, 1]))
    CutCount(cuts=3, boundaries=2)
    """
    values, classes = _in_order(values, classes)
    if values.size == 0:
        return CutCount(0, 0)
    first = np.flatnonzero(np.r_[True, values[1:] != values[:-1]])
    low = np.minimum.reduceat(classes, first)
    high = np.maximum.reduceat(classes, first)
    one_class = (low[:-1] == high[:-1]) & (low[1:] == high[1:]) & (low[:-1] == low[1:])
    return CutCount(int(one_class.size), int(np.count_nonzero(~one_class)))


def count_row_cuts(values: NDArray[np.float64], classes: NDArray[np.intp]) -> CutCount:
    """Count pairs of neighbouring rows as if they were cuts; missing values are left out.

    >>> count_row_cuts(np.array([1.0, 2.0, 2.0, 3.0, 4.0]), np.array([0, 0, 1, 1, 1]))
    CutCount(cuts=4, boundaries=1)
    """
    _, classes = _in_order(values, classes)
    return CutCount(max(classes.size - 1, 0), int(np.count_nonzero(classes[1:] != classes[:-1])))


def count_table(table: Table, count: Any) -> CutCount:
    """Add up a way of counting over the numeric columns of a table."""
    classes = np.unique(table.y, return_inverse=True)[1]
    columns = (table.X[name].to_numpy(dtype=np.float64) for name in table.numeric)
    return sum((count(column, classes) for column in columns), CutCount(0, 0))


def _in_order(
    values: NDArray[np.float64], classes: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Both arrays by rising value, equal values by rising class, without missing values."""
    present = ~np.isnan(values)
    values, classes = values[present], classes[present]
    order = np.lexsort((classes, values))
    return values[order], classes[order]
