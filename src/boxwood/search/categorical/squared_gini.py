"""A maximum cut with Squared-Gini weights: ``categorical_split="squared_gini"``.

Categories are the vertices of a graph, and an edge weighs what parting its two ends is worth: with A the
counts and N their sum, w_ij = 2 / N^2 times the sum over pairs of different classes x, y of A_ix A_jy. A cut
then weighs Gini(S) - p_L^2 Gini(L) - p_R^2 Gini(R) (lemma 1 of the thesis): the gain of Gini with squared
branch shares, which favours even branches. The cut is found by GreedyCut, at least half of the maximum, and
improved by moving and exchanging vertices (:mod:`~boxwood.search.categorical.max_cut`). The criterion only
compares the column's split with other columns'. O(V^2 (K + moves)); at most 2,000 categories. "GLSG" in the
thesis.

Reference: F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, section 4.2.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "squared_gini")
