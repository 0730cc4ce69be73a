"""Which subset of categories: one file per method.

A method turns the table of weights per category and class of a node into the subsets to try. A new
method is one file and one line in :data:`CATEGORICAL_SPLITS`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical import auto

CATEGORICAL_SPLITS: dict[str, Callable[[NDArray[np.float64]], NDArray[np.bool_]]] = {
    "auto": auto.candidates,
}
"""The values of the argument ``categorical_split``."""

__all__ = ["CATEGORICAL_SPLITS"]
