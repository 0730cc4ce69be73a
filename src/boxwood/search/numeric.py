"""Cuts of a numeric column: what a candidate is, and which candidates need to be looked at.

The problem: at a node, find the threshold for which "x <= threshold" has the largest gain. Only cuts between
two neighbouring distinct values matter, so a node with G distinct values has G - 1 candidates. The
threshold of a cut is the midpoint of its two neighbours (the lower neighbour if the midpoint rounds to
the upper one), so that two values that differ in their last bit can still be separated, and a row equal
to a threshold goes left.

The idea that saves work: group the rows by value, and call a cut a *boundary point* unless its two
neighbouring groups both hold rows of one and the same class alone. Between two boundary points lies a
*run* of such groups. As the cut moves through a run, rows of one class k leave the right branch and enter
the left one, and nothing else happens; so look at the weighted impurity of both branches as a function of
the weight t that has passed. A branch with weights c per class and weight w adds w F(c / w). To which side
the sum of both bends decides which cuts can be best (Ji et al. 2013, proposition 4.1):

``"boundaries"``
    *F concave in the class shares.* Then w F(c / w) is concave in c (it is F's perspective), hence the sum
    over both branches is concave in t, and its minimum lies at an end of the run. A linear f is
    a case of it: F(p) is min(p, 1 - p) up to a factor, the sum is made of pieces of constant slope, and
    where that slope is 0 cuts tie. So the boundary points suffice, for any number of classes (Fayyad and
    Irani 1992, theorem 1; for every concave impurity Elomaa and Rousu 1999). The split scores for which
    this rule is claimed are convex in c, and are largest at an end of the run.
``"equal_shares"``
    *Two classes and f convex on [0, 1/2].* With p the share of class k in a branch, the derivative of w F in
    the weight of class k is h(p) = F(p) + (1 - p) F'(p), and h' = (1 - p) F''. So the sum changes by
    h(p_L) - h(p_R) per unit of t, while p_L rises and p_R falls. As long as both are below 1/2, or both
    above, h increases: the sum falls while p_L < p_R and rises afterwards, and has its minimum where both
    shares are equal. When p_L < 1/2 < p_R it rises, and when p_R < 1/2 < p_L it falls, because h is
    positive below 1/2 and negative above (f(x) <= x f'(x) for a convex f with f(0) = 0). Altogether it goes
    up, down to the place of equal shares, up, and down: the minimum is at an end of the run or there.
    Equal shares of both branches are the shares P of the node, and with l_k the weight of class k in the
    left branch and l all weight there, both at the start of the run, that place is where the weight

        n_c = (P l - l_k) / (1 - P)                                                 (Ji et al. 2013, (14))

    of the run has passed. It is rarely a cut, but the sum is monotone on either side of it, so the two
    cuts next to it are the candidates. Whether it lies between two neighbouring cuts is seen without n_c,
    from the sign of l_1 C_0 - l_0 C_1, with C the weights per class of both branches: no division, and
    one rounding per product.
``"all"``
    *Anything else*: more than two classes and F not concave, or an f that bends both ways. No cut can be left
    out.

Two kinds of candidates are easily forgotten, and are missing in the paper: the two cuts next to the place of
equal shares, and the ends of what is allowed. A minimum leaf size forbids cuts at both ends of the column; a
run that is cut short by it has its end at the limit, so for every rule the first and the last cut that are
allowed are candidates too. Without these kinds the rule misses the best allowed cut in more than one small
random case in ten.

With missing rows on either side the argument holds unchanged, because they only add a constant to one
branch; but P, l and l_k count them, and the minimum leaf size allows other cuts, and the first and the
last of those are the ones that count. Missing rows in a branch of their own add a constant to the sum and
do not count in P.

How the core does it: it never sorts a node. Columns with few distinct values are counted into a
histogram of (rank of the value, class), and of two siblings only the smaller one is counted, the other
one being the parent minus the sibling. Columns with many values are argsorted once per fit, and the
sorted lists of row numbers are partitioned, stably, at each split. Both give the counts used here, and
so the same tree. This module is their readable reference.

References: U. Fayyad, K. Irani, On the handling of continuous-valued attributes in decision tree
generation, Machine Learning 8 (1992) 87-102; T. Elomaa, J. Rousu, General and efficient multisplitting
of numerical attributes, Machine Learning 36 (1999) 201-244; H.-Y. Ji, X.-Z. Wang, Y.-L. He, W.-L. Li, A study
on relationships between heuristics and optimal cuts in decision tree induction, 2013.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood.criteria import TIE, Criterion, CutRule


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


def equal_share_cuts(table: ValueTable, extra_counts: ArrayLike | None = None) -> NDArray[np.bool_]:
    """(G - 1,): the cuts at or next to a place where both branches have the same class shares; two classes.

    ``extra_counts`` (2, 2) is what the missing rows add to the classes of the left and of the right branch.

    >>> table = value_table([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0, 1, 1, 1, 1, 0], [1.0] * 6, n_classes=2)
    >>> equal_share_cuts(table)
    array([False,  True,  True,  True, False])
    >>> equal_share_cuts(table, extra_counts=[[1.5, 0.0], [0.0, 0.0]])
    array([False, False,  True,  True, False])
    """
    n_classes = table.counts.shape[1]
    if n_classes > 2:
        raise ValueError(f"places of equal class shares are for two classes, and the table has {n_classes}")
    if n_classes < 2:
        return np.zeros(max(len(table.values) - 1, 0), dtype=bool)
    branches = branch_counts(table)
    if extra_counts is not None:
        branches = branches + np.asarray(extra_counts, dtype=np.float64)
    node = branches.sum(axis=1)
    left = branches[:, 0]
    side = np.sign(left[:, 1] * node[:, 0] - left[:, 0] * node[:, 1])  # of the left share against the node's
    near: NDArray[np.bool_] = side == 0
    passes = side[:-1] != side[1:]
    near[:-1] |= passes
    near[1:] |= passes
    return near


def candidate_cuts(
    table: ValueTable,
    feasible: NDArray[np.bool_],
    rule: CutRule = "boundaries",
    extra_counts: ArrayLike | None = None,
) -> NDArray[np.bool_]:
    """(G - 1,): the cuts that need a score.

    Parameters
    ----------
    table
        The rows of the node whose value is present.
    feasible
        Which cuts the minimum leaf sizes allow: :func:`feasible_cuts`. They are neighbours: none between two
        allowed ones is forbidden.
    rule
        "boundaries": the boundary points; "equal_shares" (two classes): also the cuts next to a place of
        equal class shares; both with the first and the last feasible cut. "all": all feasible cuts.
    extra_counts
        (2, K): what the missing rows add to the classes of the left and of the right branch; only the rule
        "equal_shares" needs it.

    Returns
    -------
    NDArray[np.bool_]
        The candidates, all of them feasible.

    Examples
    --------
    >>> table = value_table([1.0, 2.0, 3.0, 4.0], [0, 0, 0, 0], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> candidate_cuts(table, feasible_cuts(table))
    array([ True, False,  True])
    """
    if rule == "all":
        return feasible.copy()
    if rule not in ("boundaries", "equal_shares"):
        raise ValueError(f"rule must be 'boundaries', 'equal_shares' or 'all', not {rule!r}")
    candidates = boundary_points(table)
    if rule == "equal_shares":
        candidates |= equal_share_cuts(table, extra_counts)
    candidates &= feasible
    allowed = np.flatnonzero(feasible)
    candidates[allowed[:1]] = True
    candidates[allowed[-1:]] = True
    return candidates


def best_cut(
    table: ValueTable, criterion: Criterion, min_samples_leaf: int = 1, min_weight_leaf: float = 0.0
) -> tuple[float, float] | None:
    """The threshold of the best cut and what it is worth (its gain or, for a split score, that score), or
    None when no cut is allowed. The best gain may be negative when the impurity is not concave.

    Values within 1e-12 of the node's impurity tie, and a tie goes to the lowest threshold.

    >>> from boxwood.criteria import CRITERIA
    >>> table = value_table([1.0, 2.0, 3.0, 4.0], [0, 0, 1, 1], [1.0, 1.0, 1.0, 1.0], n_classes=2)
    >>> best_cut(table, CRITERIA["gini"])
    (2.5, 0.5)
    >>> best_cut(table, CRITERIA["twoing"])
    (2.5, 0.25)
    """
    feasible = feasible_cuts(table, min_samples_leaf, min_weight_leaf)
    rule = criterion.rule(table.counts.shape[1])
    cuts = np.flatnonzero(candidate_cuts(table, feasible, rule))
    if len(cuts) == 0:
        return None
    branches = branch_counts(table)[cuts]
    worth = criterion.gain(branches) if criterion.split_score is None else criterion.score(branches)
    tolerance = TIE * float(criterion.impurity(table.counts.sum(axis=0)))
    best = int(np.flatnonzero(worth >= worth.max() - tolerance)[0])
    cut = int(cuts[best])
    return midpoint(float(table.values[cut]), float(table.values[cut + 1])), float(worth[best])
