"""One category against the rest: ``categorical_split="one_vs_rest"``.

The problem: a split that anybody can say in one breath ("colour is red, or not"), as trees on one-hot columns
have them. The idea: of the V categories present at a node, each against all others; for two categories that
is one split. O(V K) for K classes. The search is exact among these splits, and weaker than a search among all
subsets; the tree of the same table in one-hot columns has the same splits, but knows nothing of missing
values, and asks for each column by itself.

As for every grouping of categories, the branch that holds the lowest category code present is branch 0. A tie
goes to the first category in the canonical order: by class shares, the larger share of the first class first,
then by weight. So neither the names of the categories nor the order of the rows decide. Categories with the
same weights in all classes are interchangeable, and of those the lowest code stands alone. J48 goes by code
throughout, and so do we where its comparisons are asked for (``comparison="weka"``).

For a target of numbers the order is by the categories' answers (their means or medians), then by weight and
number of rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria import TIE, Criterion
from boxwood.criteria.criterion import shares

_LARGE = 6144.0  # the spacing of numbers about it is 2**-40, see core/search/categorical/share.hpp


def canonical_order(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """The order of the categories that only their weights decide: by class shares to twelve digits, then by
    weight, then by place.

    >>> canonical_order(np.array([[0.0, 2.0], [1.0, 1.0], [2.0, 2.0], [1.0, 0.0]])).tolist()
    [3, 2, 1, 0]
    """
    of_class = (shares(counts) + _LARGE) - _LARGE
    keys = np.column_stack([of_class, counts.sum(axis=1), counts])
    order: NDArray[np.intp] = np.lexsort(-keys.T[::-1])
    return order


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights, in order; True marks branch 0.

    >>> candidates(np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 1.0]])).astype(int).tolist()
    [[1, 1, 0], [1, 0, 0], [1, 0, 1]]
    >>> candidates(np.ones((2, 2))).astype(int).tolist()
    [[1, 0]]
    """
    n_values = len(counts)
    alone = np.eye(n_values, dtype=bool)[canonical_order(counts)[: 1 if n_values == 2 else n_values]]
    return np.where(alone[:, :1], alone, ~alone)


def alone(counts: NDArray[np.float64], criterion: Criterion) -> int:
    """The category that parts best from all others, without a matrix of candidates: O(V K).

    >>> from boxwood.criteria import CRITERIA
    >>> alone(np.array([[4.0, 4.0], [0.0, 3.0], [3.0, 3.0]]), CRITERIA["gini"])
    1
    """
    total = counts.sum(axis=0)
    branches = np.stack([counts, total - counts], axis=1)
    scores = (criterion.split_score or criterion.gain)(branches)
    tied = np.flatnonzero(scores >= scores.max() - TIE * float(criterion.impurity(total)))
    return int(tied[canonical_order(counts[tied])[0]])
