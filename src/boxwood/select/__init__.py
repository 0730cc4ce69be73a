"""Which feature: one file per rule.

A rule is a function of what the features offer at one node (the gain and the score of the best split of
each) and returns the chosen feature. The core has the same rules; the functions here are their readable
reference, and choose wherever growth runs in Python. A new rule is one file and one line in
:data:`SELECTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood.select.average_gain import average_gain
from boxwood.select.best_score import best_score

Selection: TypeAlias = Callable[[NDArray[np.float64], NDArray[np.float64], float], int]

SELECTIONS: dict[str, Selection] = {
    "best_score": best_score,
    "average_gain": average_gain,
}

__all__ = ["SELECTIONS", "Selection", "average_gain", "best_score"]
