"""A maximum cut with Squared-Gini weights: ``categorical_split="squared_gini"``.

Categories are the vertices of a graph, and an edge weighs what parting its two ends is worth: with A the
counts and N their sum, w_ij = 2 / N^2 times the sum over pairs of different classes x, y of A_ix A_jy. A cut
then weighs Gini(S) - p_L^2 Gini(L) - p_R^2 Gini(R) (lemma 1 of the thesis): the gain of Gini with squared
branch shares, which favours even branches. The cut is found by GreedyCut, at least half of the maximum, and
improved by moving and exchanging vertices (:mod:`~boxwood.search.categorical.max_cut`). The criterion only
compares the column's split with other columns'. O(V^2 (K + moves)); at most 2,000 categories. "GLSG" in the
thesis.

What mixing two classes costs may enter: w_ij is then the sum of mix(x, y) A_ix A_jy. A tree with a symmetric
``cost_matrix`` does so.

As a criterion, :data:`SQUARED_GINI`, the weight of the cut is the score of any split, of a number too, as the
thesis has it in section 4.2.3. It is no impurity of nodes, so it has Gini's where one is needed, and it is
evaluated in Python, level by level. While rows of one class move from one branch to another the score is
linear in their weight, so only boundary points need be looked at.

Reference: F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, section 4.2.1.
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
    return groupings(counts, "squared_gini")


def score(branches: NDArray[np.float64]) -> NDArray[np.float64]:
    """Gini(S) - sum over branches of p_b^2 Gini(b), for branches (..., B, K).

    >>> float(score(np.array([[2.0, 0.0], [0.0, 2.0]]))), float(score(np.array([[3.0, 1.0], [0.0, 0.0]])))
    (0.5, 0.0)
    """
    branches = np.asarray(branches, dtype=np.float64)
    parts = np.square(shares(branches.sum(axis=-1)))
    after = (parts * impurity(branches)).sum(axis=-1)
    weight: NDArray[np.float64] = impurity(branches.sum(axis=-2)) - after
    return weight


SQUARED_GINI = Criterion("squared_gini", impurity, largest, "concave", "concave", split_score=score)
"""The weight of a cut as a criterion."""
