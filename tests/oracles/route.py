"""Routing, read off the definition of each split, one row and one node at a time.

Shares no code with the core: it goes through `Tree.split`, and from there by the words of the rule.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.data import MISSING, UNKNOWN
from boxwood.tree import ERROR, SPREAD, STOP, IsMissing, Split, Subset, Threshold, Tree


class RefusedError(Exception):
    """The row holds an unknown category at a node where that is an error."""

    def __init__(self, node: int) -> None:
        super().__init__(node)
        self.node = node


def branch_of(split: Split, cell: float, *, categorical: bool, row: Sequence[float] = ()) -> int:
    """The branch that a cell takes, or STOP, ERROR or SPREAD; its row is there for the surrogates."""
    missing = cell == MISSING if categorical else math.isnan(cell)
    if isinstance(split, IsMissing):
        if missing:
            return 0
        return split.unknown_branch if categorical and cell == UNKNOWN else 1
    if not missing:
        if isinstance(split, Threshold):
            return 0 if cell <= split.threshold else 1
        if cell in split.branches:
            return split.branches[int(cell)]
        if split.unknown_branch < 0:
            return split.unknown_branch
    for surrogate in getattr(split, "surrogates", ()):
        branch = surrogate_branch(surrogate.split, row[surrogate.split.feature])
        if branch is not None:
            return 1 - branch if surrogate.flipped else branch
    return split.missing_branch if missing else split.unknown_branch


def surrogate_branch(split: Threshold | Subset, cell: float) -> int | None:
    """The side of a surrogate that a cell is on; None if it has no value there."""
    if isinstance(split, Subset):
        return split.branches.get(int(cell))
    if math.isnan(cell):
        return None
    return 0 if cell <= split.threshold else 1


def reached(tree: Tree, row: Sequence[float]) -> tuple[dict[int, float], dict[int, float]]:
    """All nodes that a row passes with the share of it that does, and those where it ends."""
    passed: dict[int, float] = {}
    ends: dict[int, float] = {}
    refusing = []
    waiting = [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        passed[node] = share
        split = tree.split(node)
        if split is None:
            ends[node] = share
            continue
        categorical = tree.schema[split.feature].kind == "categorical"
        branch = branch_of(split, row[split.feature], categorical=categorical, row=row)
        children = tree.children(node)
        if branch == STOP:
            ends[node] = share
        elif branch == ERROR:
            refusing.append(node)
        elif branch == SPREAD:
            weights = [float(tree.weight[child]) for child in children]
            total = sum(weights)
            waiting.extend((child, share * (w / total)) for child, w in zip(children, weights, strict=True))
        else:
            waiting.append((children[branch], share))
    if refusing:
        raise RefusedError(min(refusing))
    return passed, ends


def heaviest(ends: dict[int, float]) -> int:
    """The end with the largest share, the lowest of equals."""
    return min(ends, key=lambda node: (-ends[node], node))


def path(tree: Tree, row: Sequence[float]) -> list[int]:
    """The nodes that a row passes, in order; in a tree that spreads no rows, from the root to its end."""
    return sorted(reached(tree, row)[0])


def end(tree: Tree, row: Sequence[float]) -> int:
    """The node where a row ends, or the heaviest of its ends."""
    return heaviest(reached(tree, row)[1])


def paths(tree: Tree, columns: Sequence[NDArray[np.generic]]) -> list[list[int]]:
    """The path of each row of a table."""
    return [path(tree, row) for row in zip(*(column.tolist() for column in columns), strict=True)]


def ends(tree: Tree, columns: Sequence[NDArray[np.generic]]) -> list[dict[int, float]]:
    """The ends of each row of a table, with their shares."""
    return [reached(tree, row)[1] for row in zip(*(column.tolist() for column in columns), strict=True)]
