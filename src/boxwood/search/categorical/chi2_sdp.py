"""Chi-square weights, cut by the semidefinite relaxation: ``categorical_split="chi2_sdp"``.

The weights of :mod:`~boxwood.search.categorical.chi2`, cut as in
:mod:`~boxwood.search.categorical.squared_gini_sdp`. At most 500 categories.

Reference: M. Goemans, D. Williamson, Improved approximation algorithms for maximum cut and satisfiability
problems using semidefinite programming, Journal of the ACM 42 (1995) 1115-1145.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "chi2_sdp")
