"""How categories are divided: one file per method.

A method turns the table of weights per category and class of a node into the ways to divide the categories
that are tried: subsets, where True marks branch 0, or the number of each category's branch. A new
method is one file and one line in :data:`CATEGORICAL_SPLITS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical import auto, multiway, one_vs_rest

CATEGORICAL_SPLITS: dict[str, Callable[[NDArray[np.float64]], NDArray[Any]]] = {
    "auto": auto.candidates,
    "multiway": multiway.candidates,
    "one_vs_rest": one_vs_rest.candidates,
}
"""The values of the argument ``categorical_split``."""

__all__ = ["CATEGORICAL_SPLITS"]
