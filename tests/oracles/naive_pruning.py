"""Pruning written down as the papers say it: recursive, one node at a time, nothing incremental."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.stats import norm

from boxwood.tree import Tree
from tests.oracles.route import branch_of

# ------------------------------------------------------------------------------------------- rooted subtrees


def rooted_subtrees(tree: Tree, node: int = 0) -> Iterator[frozenset[int]]:
    """Every rooted subtree at a node, as the set of inner nodes that stay; for small trees."""
    yield frozenset()
    children = tree.children(node)
    if not len(children):
        return
    for parts in product(*(list(rooted_subtrees(tree, child)) for child in children)):
        yield frozenset([node]).union(*parts)


def leaves_of(tree: Tree, kept: frozenset[int]) -> list[int]:
    """The leaves of a rooted subtree."""
    if not kept:
        return [0]
    return [child for node in kept for child in tree.children(node) if child not in kept]


def is_rooted_subtree(small: Tree, large: Tree) -> bool:
    """Whether a tree is a rooted subtree of another: the same splits and counts from the root on."""
    pairs = [(0, 0)]
    while pairs:
        here, there = pairs.pop()
        if not np.array_equal(small.value[here], large.value[there]):
            return False
        split = small.split(here)
        if split is None:
            continue
        if split != large.split(there):
            return False
        pairs += zip(small.children(here), large.children(there), strict=True)
    return True


# ----------------------------------------------------------------------------------------- estimated errors


def weka_extra(n: float, e: float, confidence: float) -> float:
    """J48's extra errors: the bound on the rate is the solution of an equation, not a closed formula."""
    if confidence > 0.5:
        return 0.0
    if e < 1:
        none = n * float(brentq(lambda r: (1 - r) ** n - confidence, 0.0, 1.0, xtol=1e-15))
        return none + e * (weka_extra(n, 1.0, confidence) - none) if e > 0 else none
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z = float(norm.isf(confidence))
    f = (e + 0.5) / n
    # The larger r with (r - f)^2 = z^2 r (1 - r) / n.
    roots = np.roots([1 + z * z / n, -(2 * f + z * z / n), f * f])
    return float(max(roots.real)) * n - e


def c45_extra(n: float, e: float, confidence: float) -> float:
    """C4.5's extra errors, with its table."""
    levels = [0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00]
    deviations = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00]
    above = next(i for i, level in enumerate(levels) if confidence <= level)
    part = (confidence - levels[above - 1]) / (levels[above] - levels[above - 1])
    zz = (deviations[above - 1] + part * (deviations[above] - deviations[above - 1])) ** 2
    if e < 1e-6:
        return n * (1 - math.exp(math.log(confidence) / n))
    if e < 0.9999:
        none = n * (1 - math.exp(math.log(confidence) / n))
        return none + e * (c45_extra(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return 0.67 * (n - e)
    root = math.sqrt(zz * ((e + 0.5) * (1 - (e + 0.5) / n) + zz / 4))
    return n * (e + 0.5 + zz / 2 + root) / (n + zz) - e


# ------------------------------------------------------------------------------------------ subtree raising


@dataclass
class Growing:
    """A node that can be changed: its split's number in the tree, its children, its rows with weights."""

    source: int
    children: list[Growing]
    rows: dict[int, float] = field(default_factory=dict)

    def leaves(self) -> list[Growing]:
        return [leaf for child in self.children for leaf in child.leaves()] if self.children else [self]


class NaiveRaising:
    """Error-based pruning with subtree raising, all rows sent down again for every question."""

    def __init__(
        self,
        tree: Tree,
        columns: list[NDArray[Any]],
        target: NDArray[Any],
        weights: NDArray[Any],
        extra: Callable[[float, float], float],
        *,
        tolerance: float,
        last_of_ties: bool,
    ) -> None:
        self.tree, self.columns, self.target, self.extra = tree, columns, target, extra
        self.tolerance, self.last_of_ties = tolerance, last_of_ties
        self.root = self._copy(0)
        self._move(self.root, {row: float(weight) for row, weight in enumerate(weights)})
        self._prune(self.root)

    def _copy(self, node: int) -> Growing:
        return Growing(node, [self._copy(child) for child in self.tree.children(node)])

    def shape(self, node: Growing | None = None) -> Any:
        """The tree as nested tuples: a leaf is its class weights, a split its source with its branches."""
        node = self.root if node is None else node
        if not node.children:
            return tuple(self._counts(node.rows).tolist())
        return (node.source, *(self.shape(child) for child in node.children))

    def _counts(self, rows: dict[int, float]) -> NDArray[np.float64]:
        counts = np.zeros(self.tree.n_classes)
        for row, weight in rows.items():
            counts[self.target[row]] += weight
        return counts

    def _leaf_estimate(self, rows: dict[int, float]) -> float:
        counts = self._counts(rows)
        if counts.sum() <= 0:
            return 0.0
        errors = counts.sum() - counts.max()
        return float(errors + self.extra(float(counts.sum()), float(errors)))

    def _split(self, node: Growing, rows: dict[int, float]) -> list[dict[int, float]]:
        split = self.tree.split(node.source)
        assert split is not None
        parts: list[dict[int, float]] = [{} for _ in node.children]
        lost = {}
        categorical = self.tree.schema[split.feature].kind == "categorical"
        for row, weight in rows.items():
            cells = [column[row] for column in self.columns]
            branch = branch_of(split, cells[split.feature], categorical=categorical, row=cells)
            if branch >= 0:
                parts[branch][row] = weight
            else:
                lost[row] = weight
        known = [sum(part.values()) for part in parts]
        for row, weight in lost.items():
            for part, share in zip(parts, known, strict=True):
                part[row] = weight * share / sum(known)
        return parts

    def _estimate(self, node: Growing, rows: dict[int, float]) -> float:
        if not node.children:
            return self._leaf_estimate(rows)
        parts = self._split(node, rows)
        return sum(self._estimate(child, part) for child, part in zip(node.children, parts, strict=True))

    def _move(self, node: Growing, rows: dict[int, float]) -> None:
        node.rows = rows
        if node.children:
            for child, part in zip(node.children, self._split(node, rows), strict=True):
                self._move(child, part)

    def _prune(self, node: Growing) -> None:
        if not node.children:
            return
        for child in node.children:
            self._prune(child)
        weights = [sum(child.rows.values()) for child in node.children]
        tied = [i for i, weight in enumerate(weights) if weight > max(weights) - 1e-9]
        largest = node.children[tied[-1] if self.last_of_ties else tied[0]]
        raised = self._estimate(largest, node.rows)
        leaf = self._leaf_estimate(node.rows)
        subtree = sum(self._leaf_estimate(end.rows) for end in node.leaves())
        slack = 0.1 + self.tolerance
        if leaf <= subtree + slack and leaf <= raised + slack:
            node.children = []
        elif raised <= subtree + slack:
            node.source, node.children = largest.source, largest.children
            self._move(node, node.rows)
            self._prune(node)


def shape_of(tree: Tree, node: int = 0) -> Any:
    """A tree as `NaiveRaising.shape` gives it; its further column "source" has the numbers of splits."""
    assert tree.counts is not None
    if not len(tree.children(node)):
        return tuple(tree.counts[node].tolist())
    return (int(tree.extra["source"][node]), *(shape_of(tree, child) for child in tree.children(node)))
