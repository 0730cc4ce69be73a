"""What a criterion is.

A split sends the rows of a node into two or more branches. All that a criterion sees of it is a table
of weights: one row per branch, one column per class. Whole arrays of candidates are scored at once, so
every function here works on an array whose last axis is the class and, for splits, whose last axis but
one is the branch::

    counts    (..., K)       weight per class at a node
    branches  (..., B, K)    weight per class in each of the B branches of a candidate

A branch without weight is allowed and adds nothing, so that candidates with two and with three branches
fit into one array.

The compiled core has the same formulas, evaluated from the same exact counts; the functions here are
their readable reference, are what a property test compares the core with, and serve wherever Python
needs a score.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

TIE = 1e-12
"""Scores closer than this share of the node's impurity are equal, so that rounding never decides a tree."""


def shares(counts: Floats) -> Floats:
    """The share of each class, from weights per class; all zero where there is no weight.

    >>> shares(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    result: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    return result


def bits(distribution: Floats) -> Floats:
    """Shannon's entropy of shares along the last axis, in bits, with 0 log 0 = 0.

    >>> float(bits(np.array([0.5, 0.25, 0.25])))
    1.5
    """
    distribution = np.asarray(distribution, dtype=np.float64)
    logarithms = np.log2(distribution, out=np.zeros_like(distribution), where=distribution > 0)
    entropy: Floats = -(distribution * logarithms).sum(axis=-1)
    return entropy + 0.0  # a pure node gives 0.0, not -0.0


@dataclass(frozen=True)
class Criterion:
    """One way to say how good a split is.

    Attributes
    ----------
    name
        The name that a user writes, and that the core knows it by.
    impurity
        Weights per class (..., K) to impurity (...): zero for a pure node, and the same for any order
        of classes.
    largest
        Number of classes to the largest impurity they allow. No gain is larger.
    concave
        Whether the impurity is concave in the class weights. Then no gain is negative, and the best cut
        of a numeric column lies at a boundary point or at the end of what the minimum leaf size allows
        (:mod:`boxwood.search.numeric`), and for two classes the best subset of categories is a prefix
        of their order by class share (:mod:`boxwood.search.categorical.auto`).
    rank
        Branches (..., B, K) to the score (...) by which features compete. None means the gain itself.
    selection
        The rule in :mod:`boxwood.select` that goes with it.

    Examples
    --------
    >>> from boxwood.criteria import CRITERIA
    >>> gini = CRITERIA["gini"]
    >>> two_splits = np.array([[[4.0, 0.0], [0.0, 4.0]], [[2.0, 2.0], [2.0, 2.0]]])
    >>> gini.gain(two_splits)
    array([0.5, 0. ])
    """

    name: str
    impurity: Callable[[Floats], Floats]
    largest: Callable[[int], float]
    concave: bool
    rank: Callable[[Floats], Floats] | None = None
    selection: str = "best_score"

    def gain(self, branches: Floats) -> Floats:
        """The decrease of impurity: the node's minus the weighted average of its branches'."""
        branches = np.asarray(branches, dtype=np.float64)
        weight_shares = shares(branches.sum(axis=-1))
        after = (weight_shares * self.impurity(branches)).sum(axis=-1)
        before_minus_after: Floats = self.impurity(branches.sum(axis=-2)) - after
        return before_minus_after

    def score(self, branches: Floats) -> Floats:
        """What features compete by: ``rank`` if the criterion has one, otherwise the gain."""
        return self.gain(branches) if self.rank is None else self.rank(branches)
