"""The principal order, mended by one exchange: ``categorical_split="pc_ext"``.

The prefixes of :mod:`~boxwood.search.categorical.pc`, and each of them with its last category and the first
one beyond it exchanged: 2 (V - 1) groupings, of which the best one by the criterion is taken. An exchange
costs as little as a step of the walk, O(classes).

Reference: D. Coppersmith, S. J. Hong, J. Hosking, Partitioning nominal attributes in decision trees, Data
Mining and Knowledge Discovery 3 (1999) 197-217.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "pc_ext")
