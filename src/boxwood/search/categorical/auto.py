"""Subsets of categories: ``categorical_split="auto"``.

The problem: V categories are present at a node; divide them into two branches with the largest gain.
There are 2^(V-1) - 1 ways. All a search needs is the table of weights per category and class, V x K.

The idea, by the number of classes present at the node and of categories present at it:

* *Two classes*: order the categories by their share of the second class. For a concave impurity one of
  the V - 1 prefixes of that order is a best subset (Breiman et al. 1984, theorem 4.5). O(V log V). A
  minimum leaf size can forbid the best prefix while it allows another subset; the best allowed prefix is
  taken then. For an impurity that is not concave (ambiguity, some functions of a user) the order is a
  heuristic.
* *More classes, at most 10 categories*: all subsets. Exact.
* *More classes, more categories*: order the categories by their coordinate along the principal direction
  of their class shares, centred at the node's own shares and weighted by the categories' weights, and try
  the V - 1 prefixes. A heuristic, good in practice (Coppersmith, Hong and Hosking 1999).

The branch that holds the lowest category code present at the node is branch 0, so that a subset has one
form. Missing rows join as in :mod:`boxwood.search.missing`. A category that was absent from the node in
training goes where ``unknown_category`` says.

There is no limit on the number of categories.

References: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984; D.
Coppersmith, S. J. Hong, J. Hosking, Partitioning nominal attributes in decision trees, Data Mining and
Knowledge Discovery 3 (1999) 197-217.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria.criterion import shares

ALL_SUBSETS = 10
"""With more than two classes, up to this many categories present at a node, every subset is tried."""


def all_subsets(n_values: int) -> NDArray[np.bool_]:
    """(2^(V-1) - 1, V): every way to divide V categories in two; True marks branch 0, which holds the
    first one.

    >>> all_subsets(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    numbers = np.arange(2 ** (n_values - 1) - 1)
    others = (numbers[:, np.newaxis] >> np.arange(n_values - 1)) & 1
    return np.concatenate([np.ones((len(numbers), 1), dtype=bool), others.astype(bool)], axis=1)


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


def order_by_principal_direction(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """The categories by their coordinate along the principal direction of their class shares.

    >>> counts = np.array([[9.0, 1.0, 0.0], [1.0, 9.0, 0.0], [5.0, 4.0, 1.0]])
    >>> order = order_by_principal_direction(counts).tolist()
    >>> order in ([0, 2, 1], [1, 2, 0])
    True
    """
    weight = counts.sum(axis=1)
    centred = shares(counts) - shares(counts.sum(axis=0))
    _, directions = np.linalg.eigh((centred * weight[:, np.newaxis]).T @ centred)
    return np.argsort(centred @ directions[:, -1], kind="stable")


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node.

    >>> candidates(np.array([[1.0, 1.0, 0.0], [3.0, 1.0, 2.0]])).tolist()
    [[True, False]]
    """
    if np.count_nonzero(counts.sum(axis=0)) <= 2:
        return prefixes(order_by_class_share(counts))
    if len(counts) <= ALL_SUBSETS:
        return all_subsets(len(counts))
    return prefixes(order_by_principal_direction(counts))
