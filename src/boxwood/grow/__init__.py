"""Order and stopping: the greedy grower."""

from __future__ import annotations

from boxwood.grow.by_level import grow_tree_by_level
from boxwood.grow.greedy import grow_tree
from boxwood.grow.options import UNKNOWN_CATEGORY, GrowOptions

__all__ = ["UNKNOWN_CATEGORY", "GrowOptions", "grow_tree", "grow_tree_by_level"]
