"""Squared-Gini weights, cut by the semidefinite relaxation: ``categorical_split="squared_gini_sdp"``.

The weights of :mod:`~boxwood.search.categorical.squared_gini`, cut by the method of Goemans and Williamson:
the semidefinite relaxation, solved by the mixing method, rounded by 64 random hyperplanes (of a fixed seed),
then local search (:mod:`~boxwood.search.categorical.max_cut`). At least 0.878 of the maximum on average.
Slow, and in the thesis no better than GreedyCut with local search; offered for comparison. At most 500
categories.

Reference: M. Goemans, D. Williamson, Improved approximation algorithms for maximum cut and satisfiability
problems using semidefinite programming, Journal of the ACM 42 (1995) 1115-1145.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "squared_gini_sdp")
