"""Every grouping: ``categorical_split="exact"``.

V categories can be divided into two branches in 2^(V-1) - 1 ways; all are weighed, in Gray-code order, so
that from one to the next a single category changes sides and a step costs O(classes). At most 20 categories,
half a million groupings. Exact for every criterion and under every minimum leaf size.

Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984, section
4.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "exact")


def all_subsets(n_values: int) -> NDArray[np.bool_]:
    """(2^(V-1) - 1, V): every way to divide V categories in two; True marks branch 0, which holds the
    first one.

    >>> all_subsets(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 0, 1]]
    """
    numbers = np.arange(2 ** (n_values - 1) - 1)
    others = (numbers[:, np.newaxis] >> np.arange(n_values - 1)) & 1
    return np.concatenate([np.ones((len(numbers), 1), dtype=bool), others.astype(bool)], axis=1)
