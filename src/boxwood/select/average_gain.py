"""The feature with the best score among those with at least average gain: the filter of C4.5.

The problem: a ratio is large when its denominator is small, so the gain ratio alone prefers a split of
one row against all others, however little it gains. The idea (Quinlan 1993, section 2.2): features
compete by their ratio only if their gain is at least the average gain of the features that have a split
to offer.

The average of the gains never exceeds their maximum, so at least one feature always passes. To keep
rounding out of the decision, a gain passes when it is at least the average minus 1e-12 of the node's
impurity. The gains are summed in the order of the features, so that the average has one value whatever
the number of threads.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria import TIE
from boxwood.select.best_score import best_score


def average_gain(gain: NDArray[np.float64], score: NDArray[np.float64], impurity: float) -> int:
    """The chosen feature, or -1 when none has a split. Parameters as in
    :func:`boxwood.select.best_score`.

    Examples
    --------
    The third feature has the best score but less than the average gain:

    >>> import numpy as np
    >>> gain = np.array([0.30, 0.40, 0.05, np.nan])
    >>> score = np.array([0.30, 0.45, 0.90, np.nan])
    >>> average_gain(gain, score, impurity=1.0)
    1
    """
    offered = ~np.isnan(gain)
    if not offered.any():
        return -1
    average = sum(gain[offered].tolist()) / int(offered.sum())
    passes = offered & (gain >= average - TIE * impurity)
    return best_score(gain, np.where(passes, score, np.nan), impurity)
