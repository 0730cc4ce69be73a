"""Which split of one feature: cuts of numeric columns, subsets of categories, and where missing rows go.

The searches run in the compiled core. The modules here say what a candidate is, and hold a short
readable reference of each search.
"""

from __future__ import annotations

from boxwood.search.categorical import CATEGORICAL_SPLITS, split_categories
from boxwood.search.missing import MISSING_MODES

__all__ = ["CATEGORICAL_SPLITS", "MISSING_MODES", "split_categories"]
