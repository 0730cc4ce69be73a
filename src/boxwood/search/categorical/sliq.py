"""One category after the other, while it helps: ``categorical_split="sliq"``.

All categories start in one branch. Again and again the one whose move to the other branch lowers the impurity
most is moved, until no move lowers it. O(V^2 K); at most 2,000 categories. The first move is made whatever it
gains, so that there is always a grouping.

Reference: M. Mehta, R. Agrawal, J. Rissanen, SLIQ: a fast scalable classifier for data mining, EDBT 1996.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "sliq")
