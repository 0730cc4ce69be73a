"""Which feature: one file per rule.

Two questions are asked at a node. Which features are searched at all: that is the argument ``select``, a name
in :data:`SELECT`; "score" is all of them, the others test each feature before the search
(:mod:`~boxwood.select.chi2_filter`, :mod:`~boxwood.select.conditional_inference`). And which of the splits
that the searches found is taken: that is the criterion's business, by a rule in :data:`SELECTIONS`.

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
"""By which rule the offers of features compete; see :attr:`boxwood.criteria.Criterion.selection`."""

SELECT = ("score", "chi2_filter", "conditional_inference")
"""The values of the argument ``select``: all features are searched, or those that pass a test."""

__all__ = ["SELECT", "SELECTIONS", "Selection", "average_gain", "best_score"]
