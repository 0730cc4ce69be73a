"""All pairs of superclasses: ``categorical_split="twoing"``.

Join the K classes into two superclasses and sort the categories by their share of one of them, as for two
classes; weigh the prefixes of that order with the criterion, on the original classes; do so for all
2^(K-1) - 1 pairs of superclasses, and take the best grouping of all. Nearly always the best there is
(de Albuquerque Mello Pereira 2018, chapter 5). The pairs follow a Gray code: one class changes its superclass
at a step, which then costs O(V log V + entries). At most 16 classes.

This is the search that belongs to the twoing criterion of CART, used with any criterion.

References: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984, section
11.7.2; F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, section 3.3.2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "twoing")
