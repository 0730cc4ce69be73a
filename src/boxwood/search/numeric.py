"""Cuts of a numeric column: what a candidate is, and which candidates need to be looked at.

The problem: at a node, find the threshold t for which "x <= t" has the largest gain. Only cuts between
two neighbouring distinct values matter, so a node with G distinct values has G - 1 candidates. The
threshold of a cut is the midpoint of its two neighbours (the lower neighbour if the midpoint rounds to
the upper one), so that two values that differ in their last bit can still be separated, and a row equal
to a threshold goes left.

The idea that saves work: group the rows by value. A cut whose two neighbouring groups both hold rows of
one and the same class alone is never better than the better one of the two cuts next to it, if the
impurity is concave; so only the other cuts, the *boundary points*, need a score (Fayyad and Irani 1992,
theorem 1; for every concave impurity: Elomaa and Rousu 1999).

One exception must not be forgotten. A minimum leaf size forbids cuts at both ends. Between two boundary
points the gain is convex in the position of the cut, so on a run that is cut short by the limit its
maximum may lie at the limit: the first and the last cut that are allowed are candidates too. Without
these two the rule misses the best allowed cut in more than one small random case in ten.

With missing rows on either side the argument holds unchanged, because they only add a constant to one
branch; the minimum leaf size then allows other cuts, and the first and the last of those are the ones
that count.

How the core does it: it never sorts a node. Columns with few distinct values are counted into a
histogram of (rank of the value, class), and of two siblings only the smaller one is counted, the other
one being the parent minus the sibling. Columns with many values are argsorted once per fit, and the
sorted lists of row numbers are partitioned, stably, at each split. Both give the counts used here, and
so the same tree. This module is their readable reference.

References: U. Fayyad, K. Irani, On the handling of continuous-valued attributes in decision tree
generation, Machine Learning 8 (1992) 87-102; T. Elomaa, J. Rousu, General and efficient multisplitting
of numerical attributes, Machine Learning 36 (1999) 201-244.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood.criteria import TIE, Criterion


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The rows of a node, grouped by the value of one numeric column.

    Cut i separates ``values[i]`` from ``values[i + 1]``; there are ``len(values) - 1`` cuts.
    """

    values: NDArray[np.float64]
    """The G distinct values, ascending."""
    counts: NDArray[np.float64]
    """(G, K): weight per value and class."""
    rows: NDArray[np.int64]
    """(G,): number of rows per value."""


def value_table(values: ArrayLike, target: ArrayLike, weights: ArrayLike, n_classes: int) -> ValueTable:
    """Group the rows of a node whose value is present.

    >>> table = value_table([2.0, 1.0, 2.0], [0, 1, 1], [1.0, 1.0, 0.5], n_classes=2)
    >>> table.values
    array([1., 2.])
    >>> table.counts
    array([[0. , 1. ],
           [1. , 0.5]])
    """
    distinct, group = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True)
    counts = np.zeros((len(distinct), n_classes))
    np.add.at(counts, (group, np.asarray(target, dtype=np.int64)), np.asarray(weights, dtype=np.float64))
    return ValueTable(distinct, counts, np.bincount(group, minlength=len(distinct)).astype(np.int64))


def midpoint(lower: float, upper: float) -> float:
    """The threshold between two neighbouring values: the midpoint, but never the upper one.

    >>> midpoint(1.0, 2.0)
    1.5
    >>> import math
    >>> midpoint(math.nextafter(1.0, 0.0), 1.0) < 1.0
    True
    >>> midpoint(1.7e308, 1.75e308) < math.inf
    True
    """
    middle = (lower + upper) / 2
    if not np.isfinite(middle):
        middle = lower / 2 + upper / 2
    return lower if middle == upper else middle


def branch_counts(table: ValueTable) -> NDArray[np.float64]:
    """(G - 1, 2, K): weight per class left and right of each cut.

    >>> branch_counts(value_table([1.0, 2.0, 3.0], [0, 1, 1], [1.0, 1.0, 1.0], n_classes=2))
    array([[[1., 0.],
            [0., 2.]],
    <BLANKLINE>
           [[1., 1.],
            [0., 1.]]])
    """
    left = np.cumsum(table.counts, axis=0)[:-1]
    return np.stack([left, table.counts.sum(axis=0) - left], axis=1)


def feasible_cuts(
    table: ValueTable,
    min_samples_leaf: int = 1,
    min_weight_leaf: float = 0.0,
    extra_rows: tuple[int, int] = (0, 0),
    extra_weight: tuple[float, float] = (0.0, 0.0),
) -> NDArray[np.bool_]:
    """(G - 1,): which cuts leave enough rows and weight on both sides.

    ``extra_rows`` and ``extra_weight`` are what the missing rows add to the left and to the right branch.

    >>> table = value_table([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> feasible_cuts(table, min_samples_leaf=2)
    array([False,  True, False])
    """
    rows = np.cumsum(table.rows)[:-1]
    weight = branch_counts(table).sum(axis=2)
    feasible: NDArray[np.bool_] = (
        (rows + extra_rows[0] >= min_samples_leaf)
        & (table.rows.sum() - rows + extra_rows[1] >= min_samples_leaf)
        & (weight[:, 0] + extra_weight[0] >= min_weight_leaf)
        & (weight[:, 1] + extra_weight[1] >= min_weight_leaf)
    )
    return feasible


def boundary_points(table: ValueTable) -> NDArray[np.bool_]:
    """(G - 1,): which cuts are boundary points.

    A cut is none when the two groups next to it hold one class only, and the same one.

    >>> table = value_table([1.0, 2.0, 3.0, 3.0], [0, 0, 0, 1], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> boundary_points(table)
    array([False,  True])
    """
    present = table.counts > 0
    together = present[:-1] | present[1:]
    boundary: NDArray[np.bool_] = together.sum(axis=1) > 1
    return boundary


def candidate_cuts(table: ValueTable, feasible: NDArray[np.bool_], concave: bool = True) -> NDArray[np.bool_]:
    """(G - 1,): the cuts that need a score.

    For a concave impurity these are the feasible boundary points and the first and last feasible cut,
    otherwise all feasible cuts.

    >>> table = value_table([1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> candidate_cuts(table, feasible_cuts(table))
    array([ True, False,  True])
    """
    if not concave:
        return feasible.copy()
    candidates = feasible & boundary_points(table)
    allowed = np.flatnonzero(feasible)
    candidates[allowed[:1]] = True
    candidates[allowed[-1:]] = True
    return candidates


def best_cut(
    table: ValueTable, criterion: Criterion, min_samples_leaf: int = 1, min_weight_leaf: float = 0.0
) -> tuple[float, float] | None:
    """The threshold and the gain of the best cut, or None when no cut is allowed.

    Gains within 1e-12 of the node's impurity tie, and a tie goes to the lowest threshold.

    >>> from boxwood.criteria import CRITERIA
    >>> table = value_table([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> best_cut(table, CRITERIA["gini"])
    (2.5, 0.5)
    """
    feasible = feasible_cuts(table, min_samples_leaf, min_weight_leaf)
    cuts = np.flatnonzero(candidate_cuts(table, feasible, criterion.concave))
    if len(cuts) == 0:
        return None
    gains = criterion.gain(branch_counts(table)[cuts])
    tolerance = TIE * float(criterion.impurity(table.counts.sum(axis=0)))
    best = int(np.flatnonzero(gains >= gains.max() - tolerance)[0])
    cut = int(cuts[best])
    return midpoint(float(table.values[cut]), float(table.values[cut + 1])), float(gains[best])
