"""A maximum cut with chi-square weights: ``categorical_split="chi2"``.

As :mod:`~boxwood.search.categorical.squared_gini`, but an edge weighs the chi-square statistic of the table
of its two categories alone, divided by the number of categories less one: w_ij = 1 / (V - 1) sum_k (A_ik N_j
- A_jk N_i)^2 / (N_i N_j (A_ik + A_jk)). "GLchi2" in the thesis, where it is the best of the max-cut criteria.

As a criterion, :data:`CHI2`, the chi-square statistic of its branches, by weight, is the score of any split;
of a number too, as the thesis has it in section 4.2.3. It is convex in the weights of a branch, so only
boundary points need be looked at.

Reference: F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, section 4.2.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria import Criterion
from boxwood.criteria.criterion import shares
from boxwood.criteria.gini import impurity, largest
from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "chi2")


def score(branches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Pearson's chi-square statistic of branches (..., B, K) and classes, divided by the weight.

    >>> float(score(np.array([[2.0, 0.0], [0.0, 2.0]]))), float(score(np.array([[1.0, 3.0], [2.0, 6.0]])))
    (1.0, 0.0)
    """
    branches = np.asarray(branches, dtype=np.float64)
    parts = shares(branches.sum(axis=-1))[..., :, np.newaxis]
    whole = shares(branches.sum(axis=-2))[..., np.newaxis, :]
    apart = shares(branches) - whole
    terms = np.divide(parts * np.square(apart), whole, out=np.zeros_like(apart), where=whole > 0)
    weight: NDArray[np.float64] = terms.sum(axis=(-2, -1))
    return weight


CHI2 = Criterion("chi2", impurity, largest, "concave", "concave", split_score=score)
"""The chi-square statistic of a split as a criterion."""
