"""Order and stopping: the greedy grower."""

from __future__ import annotations

from boxwood.grow.by_level import grow_by_level
from boxwood.grow.greedy import grow, grow_tree
from boxwood.grow.options import (
    CUTS,
    MAX_SURROGATES,
    REGRESSION_CRITERIA,
    SPLITTERS,
    UNKNOWN_CATEGORY,
    GrowOptions,
)
from boxwood.grow.problem import Growth

__all__ = [
    "CUTS",
    "MAX_SURROGATES",
    "REGRESSION_CRITERIA",
    "SPLITTERS",
    "UNKNOWN_CATEGORY",
    "GrowOptions",
    "Growth",
    "grow",
    "grow_by_level",
    "grow_tree",
]
