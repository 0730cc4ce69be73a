"""Routing, read off the definition of each split, one row and one node at a time.

Shares no code with the core: it goes through `Tree.split`, and from there by the words of the rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.data import MISSING, UNKNOWN
from boxwood.tree import ERROR, STOP, IsMissing, Split, Threshold, Tree


class RefusedError(Exception):
    """The row holds an unknown category at a node where that is an error."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


def branch_of(split: Split, cell: float, *, categorical: bool) -> int:
    """The branch that a cell takes, or STOP or ERROR."""
    missing = cell == MISSING if categorical else math.isnan(cell)
    if isinstance(split, IsMissing):
        if missing:
            return 0
        return split.unknown_branch if categorical and cell == UNKNOWN else 1
    if missing:
        return split.missing_branch
    if isinstance(split, Threshold):
        return 0 if cell <= split.threshold else 1
    return split.branches[int(cell)] if cell in split.branches else split.unknown_branch


def path(tree: Tree, row: Sequence[float]) -> list[int]:
    """The nodes that a row passes, from the root to where it ends."""
    passed = [0]
    while True:
        node = passed[-1]
        split = tree.split(node)
        if split is None:
            return passed
        categorical = tree.schema[split.feature].kind == "categorical"
        branch = branch_of(split, row[split.feature], categorical=categorical)
        if branch == STOP:
            return passed
        if branch == ERROR:
            raise RefusedError(node)
        passed.append(tree.children(node)[branch])


def paths(tree: Tree, columns: Sequence[NDArray[np.generic]]) -> list[list[int]]:
    """The path of each row of a table."""
    return [path(tree, row) for row in zip(*(column.tolist() for column in columns), strict=True)]
