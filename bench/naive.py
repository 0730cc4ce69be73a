"""Is every split the best one of its node? An independent search says so, on a sample of nodes.

Nothing of the library is used but the arrays of the finished tree. The rows of a node are found by
walking from the root along the thresholds. Each column is sorted at the node, every cut between two
distinct values is tried, and a cut's gain is what the textbook says,

    I(node) - n_left / n I(left) - n_right / n I(right),

with the impurity I from class shares. Nothing is skipped: no boundary points, no bounds, no histograms.
It takes O(columns x rows x (log rows + classes)) per node, so large tables are sampled under a budget of
cells.

Three things must hold at a node: the rows and class counts stored are those found by walking; the stored
cut gains as much as the best one found; and the stored score is that gain, both within `TOLERANCE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

TOLERANCE = 1e-9
CELLS = 30_000_000  # of all sampled nodes together; the root comes on top

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Verdict:
    """What the naive search found at the sampled nodes of one tree."""

    nodes: int
    largest: int  # rows of the largest sampled node
    smallest: int
    worst: float  # largest difference of score, gain of the stored cut, and best gain
    wrong: tuple[str, ...]  # one sentence per node that is not as it should be

    @property
    def good(self) -> bool:
        """Whether every sampled node is as it should be."""
        return not self.wrong


def purity_terms(criterion: str, shares: Floats) -> Floats:
    """What one class contributes to the impurity: Gini counts -p^2 (and 1 once), entropy -p log2 p."""
    if criterion == "gini":
        return -np.square(shares)
    return -shares * np.log2(np.where(shares > 0, shares, 1.0))


def impurity(criterion: str, counts: Floats) -> float:
    """The impurity of a node with these class counts."""
    constant = 1.0 if criterion == "gini" else 0.0
    return constant + float(purity_terms(criterion, counts / counts.sum()).sum())


def cut_gains(criterion: str, values: Floats, codes: Integers, counts: Floats) -> Floats:
    """The gain of every cut between two distinct values of a column, from the lowest cut to the highest."""
    order = np.argsort(values, kind="stable")
    values, codes = values[order], codes[order]
    last_left = np.flatnonzero(values[1:] > values[:-1])
    n_left = last_left + 1.0
    n_right = values.size - n_left
    constant = 1.0 if criterion == "gini" else 0.0
    left_impurity = np.full(last_left.size, constant)
    right_impurity = np.full(last_left.size, constant)
    for code in np.flatnonzero(counts):
        left = np.cumsum(codes == code)[last_left].astype(np.float64)
        left_impurity += purity_terms(criterion, left / n_left)
        right_impurity += purity_terms(criterion, (counts[code] - left) / n_right)
    after = (n_left * left_impurity + n_right * right_impurity) / values.size
    gains: Floats = impurity(criterion, counts) - after
    return gains


def best_gain(criterion: str, X: Floats, codes: Integers, counts: Floats) -> float:
    """The best gain of all cuts of all columns; minus infinity when there is no cut."""
    best = -np.inf
    for column in range(X.shape[1]):
        gains = cut_gains(criterion, X[:, column], codes, counts)
        best = max(best, float(gains.max(initial=-np.inf)))
    return best


def rows_of(tree: Any, node: int, X: Floats) -> Integers:
    """The rows at a node, by walking to it from the root along the thresholds."""
    path = [node]
    while tree.parent[path[-1]] >= 0:
        path.append(int(tree.parent[path[-1]]))
    rows = np.arange(len(X))
    for child, parent in zip(path[-2::-1], path[:0:-1], strict=True):
        left = X[rows, tree.feature[parent]] <= tree.threshold[parent]
        rows = rows[left if child == tree.first_child[parent] else ~left]
    return rows


def sample_splits(tree: Any, n_columns: int, how_many: int, seed: int = 0) -> list[int]:
    """The root, and splits drawn at random, by turns one of the largest tenth and any one.

    A node that takes much more than its share of what is left of the budget of cells is passed over, so that
    large tables give smaller nodes.
    """
    splits = np.flatnonzero(~tree.is_leaf)
    if splits.size == 0:
        return []
    rng = np.random.default_rng(seed)
    by_size = splits[np.argsort(-tree.n_rows[splits], kind="stable")]
    large = rng.permutation(by_size[: max(1, splits.size // 10)])
    drawn = rng.permutation(splits)
    turns = [int(node) for pair in zip(large, drawn, strict=False) for node in pair]
    turns += [int(node) for node in drawn[large.size :]]
    chosen, cells = [0], 0
    for node in dict.fromkeys(turns):
        if len(chosen) == how_many:
            break
        size = int(tree.n_rows[node]) * n_columns
        share = (CELLS - cells) / (how_many - len(chosen))
        if node != 0 and size <= min(4 * share, CELLS - cells):
            chosen.append(node)
            cells += size
    return chosen


def examine(tree: Any, X: Floats, y: NDArray[Any], how_many: int = 30) -> Verdict:
    """Search a sample of a tree's nodes naively and compare."""
    _, codes = np.unique(y, return_inverse=True)
    nodes = sample_splits(tree, X.shape[1], how_many)
    worst, wrong = 0.0, []
    for node in nodes:
        rows = rows_of(tree, node, X)
        counts = np.bincount(codes[rows], minlength=len(tree.classes)).astype(np.float64)
        if len(rows) != tree.n_rows[node] or not np.array_equal(counts, tree.counts[node]):
            wrong.append(f"node {node} holds other rows than it says")
            continue
        best = best_gain(tree.criterion, X[rows], codes[rows], counts)
        left = X[rows, tree.feature[node]] <= tree.threshold[node]
        taken = impurity(tree.criterion, counts)
        for side in (rows[left], rows[~left]):
            if side.size:
                branch = np.bincount(codes[side], minlength=len(counts)).astype(np.float64)
                taken -= side.size / rows.size * impurity(tree.criterion, branch)
        difference = max(abs(float(tree.score[node]) - best), abs(taken - best))
        worst = max(worst, difference)
        if not difference <= TOLERANCE:
            wrong.append(
                f"node {node} ({len(rows):,} rows): score {tree.score[node]:.12g}, "
                f"its cut gains {taken:.12g}, the best cut {best:.12g}"
            )
    sizes = tree.n_rows[nodes] if nodes else np.zeros(1, dtype=np.int64)
    return Verdict(len(nodes), int(sizes.max()), int(sizes.min()), worst, tuple(wrong))
