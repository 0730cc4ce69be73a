"""One branch for each category: ``categorical_split="multiway"``.

The problem: C4.5, ID3 and CHAID ask for the value itself, not for a subset of values. The idea: there is just
one such split of a column, so nothing is searched; the categories present at the node, by code, have the
branches 0, 1, ... (Quinlan 1993, section 2.1). It is allowed only if every branch satisfies the minimum leaf
sizes. Categories that are absent from the node go where ``unknown_category`` says.

Missing rows join the branch with which the split gains most (``missing="learn"``; a tie goes to the lowest
code), or have a branch of their own, the last one (``missing="branch"``). "Missing against the rest" is a
candidate too.

Many branches gain much by their number alone: an identifier has a pure branch for each row. Use
``criterion="gain_ratio"``, or a test before the split (:mod:`boxwood.select`). Under twoing, which compares
every pair of branches, V categories cost O(V^2) unless there are two classes; growth refuses a column of more
than :data:`MOST_PAIRED` categories then.

References: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MOST_PAIRED = 5_000
"""Categories of a column, up to which every pair of branches is compared."""


def candidates(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """(1, V): the branch of each category, in the one split that there is.

    >>> candidates(np.ones((3, 2))).tolist()
    [[0, 1, 2]]
    """
    return np.arange(len(counts))[np.newaxis]
