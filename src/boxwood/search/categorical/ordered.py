"""Prefixes of the order by class share, for two classes: ``categorical_split="ordered"``.

Sort the categories by their share of the second class. For a concave impurity one of the V - 1 prefixes of
that order is a best subset (Breiman et al. 1984, theorem 4.5). O(V log V). A minimum leaf size can forbid the
best prefix while it allows another subset; the best allowed prefix is taken then. For an impurity that is not
concave (ambiguity, some functions of a user) the order is a heuristic.

For a target of numbers the order is by mean, and exact in the same way (Fisher 1958). More than two classes
have no such order: a table with more is refused; "pc" is what comes nearest.

References: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984; W. D.
Fisher, On grouping for maximum homogeneity, JASA 53 (1958) 789-798.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria.criterion import shares
from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "ordered")


def prefixes(order: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(V - 1, V): the prefixes of an order of the categories; True marks the branch that holds category
    0.

    >>> prefixes(np.array([2, 0, 1])).astype(int).tolist()
    [[1, 1, 0], [1, 0, 1]]
    """
    position = np.empty(len(order), dtype=np.intp)
    position[order] = np.arange(len(order))
    inside = position[np.newaxis, :] < np.arange(1, len(order))[:, np.newaxis]
    return np.where(inside[:, :1], inside, ~inside)


def order_by_class_share(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """The categories by their share of the second class present, ties in the order of their codes.

    >>> order_by_class_share(np.array([[1.0, 1.0], [3.0, 1.0], [0.0, 2.0]]))
    array([1, 0, 2])
    """
    second = np.flatnonzero(counts.sum(axis=0) > 0)[-1]
    return np.argsort(shares(counts)[:, second], kind="stable")
