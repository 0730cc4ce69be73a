"""One category against the rest: ``categorical_split="one_vs_rest"``.

The problem: a split that anybody can say in one breath ("colour is red, or not"), as trees on one-hot columns
have them. The idea: of the V categories present at a node, each against all others; for two categories that
is one split. O(V K) for K classes. The search is exact among these splits, and weaker than a search among all
subsets; the tree of the same table in one-hot columns has the same splits, but knows nothing of missing
values, and asks for each column by itself.

As for every grouping of categories, the branch that holds the lowest category code present is branch 0, and a
tie goes to the lowest code that stands alone.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights; True marks branch 0.

    >>> candidates(np.ones((3, 2))).astype(int).tolist()
    [[1, 0, 0], [1, 0, 1], [1, 1, 0]]
    >>> candidates(np.ones((2, 2))).astype(int).tolist()
    [[1, 0]]
    """
    n_values = len(counts)
    alone = np.eye(n_values, dtype=bool)[: 1 if n_values == 2 else n_values]
    return np.where(alone[:, :1], alone, ~alone)
