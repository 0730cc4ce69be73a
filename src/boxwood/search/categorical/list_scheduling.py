"""Two superclasses of about equal weight: ``categorical_split="list_scheduling"``.

Take the classes by falling weight and put each into the lighter of two superclasses; sort the categories by
their share of one of them, and weigh the prefixes with the criterion, on the original classes.
O(entries + V log V + K log K). The impurity is claimed to be at most twice the best one for entropy
(de Albuquerque Mello Pereira 2018, section 3.4.4, where the proof is missing); our tests have not refuted it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "list_scheduling")
