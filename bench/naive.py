"""Is every split the best one of its node? An independent search says so, on a sample of nodes.

Nothing of the library is used but the arrays of the finished tree. The rows of a node are found by
walking from the root along the thresholds. Each column is sorted at the node, every cut between two
distinct values is tried, and a cut's gain is what the textbook says,

    I(node) - n_left / n I(left) - n_right / n I(right),

with the impurity I from class shares (for trees that answer with numbers, `bench.naive_numbers`). Nothing
is skipped: no boundary points, no bounds, no histograms. It takes O(columns x rows x (log rows + classes))
per node, so large tables are sampled under a budget of cells.

Three things must hold at a node: the rows and class counts (or sums) stored are those found by walking; the
stored cut gains as much as the best one found; and the stored score is that gain, both within `TOLERANCE`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

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


class Search(Protocol):
    """What a search knows about the target of a table."""

    @property
    def cells(self) -> int:
        """How many cells may be searched, all sampled nodes together."""

    def agrees(self, node: int, rows: Integers) -> bool:
        """Whether a node stores what these rows hold."""

    def impurity(self, rows: Integers) -> float:
        """The impurity of a node with these rows."""

    def cut_gains(self, values: Floats, rows: Integers) -> Floats:
        """The gain of every cut of a column of these rows."""

    def scale(self, rows: Integers) -> float:
        """What a difference is compared with."""


class ClassSearch:
    """Searches the nodes of a classification tree."""

    def __init__(self, tree: Any, y: NDArray[Any]) -> None:
        self.tree = tree
        self.codes = np.unique(y, return_inverse=True)[1]

    @property
    def cells(self) -> int:
        """How many cells may be searched."""
        return CELLS

    def counts(self, rows: Integers) -> Floats:
        """Rows per class."""
        return np.bincount(self.codes[rows], minlength=len(self.tree.classes)).astype(np.float64)

    def agrees(self, node: int, rows: Integers) -> bool:
        """Whether a node stores the number and the classes of these rows."""
        return len(rows) == self.tree.n_rows[node] and np.array_equal(
            self.counts(rows), self.tree.counts[node]
        )

    def impurity(self, rows: Integers) -> float:
        """The impurity of a node with these rows."""
        return impurity(self.tree.criterion, self.counts(rows))

    def cut_gains(self, values: Floats, rows: Integers) -> Floats:
        """The gain of every cut of a column of these rows."""
        return cut_gains(self.tree.criterion, values, self.codes[rows], self.counts(rows))

    def scale(self, rows: Integers) -> float:
        """Impurities of classes have no unit."""
        return 1.0


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


def best_gain(search: Search, X: Floats, rows: Integers) -> float:
    """The best gain of all cuts of all columns of some rows; minus infinity when there is no cut."""
    best = -np.inf
    for column in range(X.shape[1]):
        gains = search.cut_gains(X[rows, column], rows)
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


def sample_splits(tree: Any, n_columns: int, how_many: int, budget: int, seed: int = 0) -> list[int]:
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
        share = (budget - cells) / (how_many - len(chosen))
        if node != 0 and size <= min(4 * share, budget - cells):
            chosen.append(node)
            cells += size
    return chosen


def examine(tree: Any, X: Floats, search: Search, how_many: int = 30) -> Verdict:
    """Search a sample of a tree's nodes naively and compare."""
    nodes = sample_splits(tree, X.shape[1], how_many, search.cells)
    worst, wrong = 0.0, []
    for node in nodes:
        rows = rows_of(tree, node, X)
        if not search.agrees(node, rows):
            wrong.append(f"node {node} holds other rows than it says")
            continue
        best = best_gain(search, X, rows)
        left = X[rows, tree.feature[node]] <= tree.threshold[node]
        taken = search.impurity(rows)
        for side in (rows[left], rows[~left]):
            if side.size:
                taken -= side.size / rows.size * search.impurity(side)
        difference = max(abs(float(tree.score[node]) - best), abs(taken - best)) / search.scale(rows)
        worst = max(worst, difference)
        if not difference <= TOLERANCE:
            wrong.append(
                f"node {node} ({len(rows):,} rows): score {tree.score[node]:.12g}, "
                f"its cut gains {taken:.12g}, the best cut {best:.12g}"
            )
    sizes = tree.n_rows[nodes] if nodes else np.zeros(1, dtype=np.int64)
    return Verdict(len(nodes), int(sizes.max()), int(sizes.min()), worst, tuple(wrong))
