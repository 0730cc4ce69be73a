"""A maximum cut with chi-square weights: ``categorical_split="chi2"``.

As :mod:`~boxwood.search.categorical.squared_gini`, but an edge weighs the chi-square statistic of the table
of its two categories alone, divided by the number of categories less one: w_ij = 1 / (V - 1) sum_k (A_ik N_j
- A_jk N_i)^2 / (N_i N_j (A_ik + A_jk)). "GLchi2" in the thesis, where it is the best of the max-cut criteria.

Reference: F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, section 4.2.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "chi2")
