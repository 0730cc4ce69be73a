"""How categories are divided: one file per method.

A method turns the table of weights per category and class of a node into the ways to divide the categories
that are tried: groupings in two (:mod:`boxwood.search.categorical.groupings`), where True marks branch 0, or
the number of each category's branch. A new method is one file and one line in :data:`CATEGORICAL_SPLITS`. For
one table, without a tree, there is :func:`boxwood.split_categories`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical import (
    auto,
    chi2,
    chi2_sdp,
    exact,
    largest_alone,
    list_scheduling,
    multiway,
    one_vs_rest,
    ordered,
    pc,
    pc_ext,
    sliq,
    sliq_ext,
    squared_gini,
    squared_gini_sdp,
    twoing,
)
from boxwood.search.categorical.one_table import split_categories

CATEGORICAL_SPLITS: dict[str, Callable[[NDArray[np.float64]], NDArray[Any]]] = {
    "auto": auto.candidates,
    "exact": exact.candidates,
    "ordered": ordered.candidates,
    "twoing": twoing.candidates,
    "sliq": sliq.candidates,
    "sliq_ext": sliq_ext.candidates,
    "pc": pc.candidates,
    "pc_ext": pc_ext.candidates,
    "largest_alone": largest_alone.candidates,
    "list_scheduling": list_scheduling.candidates,
    "squared_gini": squared_gini.candidates,
    "chi2": chi2.candidates,
    "squared_gini_sdp": squared_gini_sdp.candidates,
    "chi2_sdp": chi2_sdp.candidates,
    "multiway": multiway.candidates,
    "one_vs_rest": one_vs_rest.candidates,
}
"""The values of the argument ``categorical_split``."""

GROUPINGS = tuple(name for name in CATEGORICAL_SPLITS if name not in ("auto", "multiway", "one_vs_rest"))
"""The searches for two groups of categories that a user names; "auto" chooses among them."""

__all__ = ["CATEGORICAL_SPLITS", "GROUPINGS", "split_categories"]
