"""One category after the other, to the end: ``categorical_split="sliq_ext"``.

As :mod:`~boxwood.search.categorical.sliq`, but the moves go on, each time the best one, even if it raises the
impurity, until one branch is empty; the best grouping seen on the way is taken. O(V^2 K); at most 2,000
categories.

Reference: D. Coppersmith, S. J. Hong, J. Hosking, Partitioning nominal attributes in decision trees, Data
Mining and Knowledge Discovery 3 (1999) 197-217.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "sliq_ext")
