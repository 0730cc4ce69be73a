"""The feature whose best split scores highest.

The problem: every feature has offered its best split of the node; which one is taken? The idea: the
best score. Two scores that differ by rounding alone must not let the order of a sum decide the tree, so
scores within a tolerance of the best one tie, and a tie goes to the lowest feature. The tolerance is
1e-12 of the node's impurity.

A feature without any split that the minimum leaf sizes allow offers NaN and is never chosen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria import TIE


def best_score(gain: NDArray[np.float64], score: NDArray[np.float64], impurity: float) -> int:
    """The chosen feature, or -1 when none has a split.

    Parameters
    ----------
    gain, score
        The gain and the score of each feature's best split, NaN where it has none.
    impurity
        The impurity of the node, the scale of the tolerance.

    Examples
    --------
    >>> import numpy as np
    >>> score = np.array([np.nan, 0.25, 0.5, 0.5])
    >>> best_score(score, score, impurity=0.5)
    2
    >>> best_score(np.array([np.nan]), np.array([np.nan]), impurity=0.5)
    -1
    """
    offered = ~np.isnan(score)
    if not offered.any():
        return -1
    best = score[offered].max()
    return int(np.flatnonzero(offered & (score >= best - TIE * impurity))[0])
