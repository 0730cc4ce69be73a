"""The best tree on 0/1 columns, by trying them all.

An independent reference for the optimal solvers: every feature at every node, every number of leaves on
either side, whole-number costs, no bounds. A set of rows is the bits of a Python integer. `profile` gives,
for each number of leaves, the least cost of a tree with exactly that many; the objective follows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import inf

import numpy as np


@dataclass(frozen=True, eq=False)
class Small:
    """A small problem, and every limit that a solver knows."""

    cells: np.ndarray  # rows x features, 0 or 1
    target: np.ndarray
    n_classes: int
    weights: np.ndarray | None = None
    costs: np.ndarray | None = None  # truth x answer
    max_depth: int = 2
    max_leaves: int | None = None
    min_rows: int = 1
    min_weight: int = 0
    leaf_cost: int = 0
    weight_unit: int = 1

    def weight(self, row: int) -> int:
        return 1 if self.weights is None else int(self.weights[row])

    def cost(self, truth: int, answer: int) -> int:
        return int(truth != answer) if self.costs is None else int(self.costs[truth, answer])


def brute_force(problem: Small) -> int:
    """The least objective of any tree that the limits allow."""
    n_rows, n_features = problem.cells.shape
    everything = (1 << n_rows) - 1
    ones = [sum(1 << row for row in range(n_rows) if problem.cells[row, f]) for f in range(n_features)]

    def members(rows: int) -> list[int]:
        return [row for row in range(n_rows) if rows >> row & 1]

    def leaf(rows: int) -> float:
        return min(
            sum(problem.weight(row) * problem.cost(int(problem.target[row]), answer) for row in members(rows))
            for answer in range(problem.n_classes)
        )

    def allowed(rows: int) -> bool:
        inside = members(rows)
        heavy = sum(problem.weight(row) for row in inside) >= problem.min_weight
        return len(inside) >= max(1, problem.min_rows) and heavy

    @cache
    def profile(rows: int, depth: int) -> dict[int, float]:
        best: dict[int, float] = {1: leaf(rows)} if allowed(rows) else {}
        if depth == 0:
            return best
        for column in ones:
            left, right = profile(rows & ~column, depth - 1), profile(rows & column, depth - 1)
            for a, cost_a in left.items():
                for b, cost_b in right.items():
                    best[a + b] = min(best.get(a + b, inf), cost_a + cost_b)
        return best

    found = {**profile(everything, problem.max_depth), 1: leaf(everything)}
    most = inf if problem.max_leaves is None else problem.max_leaves
    return min(
        problem.weight_unit * int(cost) + problem.leaf_cost * leaves
        for leaves, cost in found.items()
        if leaves <= most and cost < inf
    )


def random_problem(rng: np.random.Generator, *, most_rows: int = 12, most_features: int = 4) -> Small:
    """A random small problem: ties, duplicate rows and columns, constants, and every option now and then."""
    n_rows = int(rng.integers(1, most_rows + 1))
    n_features = int(rng.integers(1, most_features + 1))
    n_classes = int(rng.integers(1, 5))
    cells = (rng.random((n_rows, n_features)) < rng.choice([0.2, 0.5, 0.8], n_features)).astype(np.uint8)
    if rng.random() < 0.3:
        cells = cells[rng.integers(0, n_rows, n_rows)]
    if n_features > 1 and rng.random() < 0.2:
        cells[:, -1] = cells[:, 0] ^ int(rng.integers(0, 2))
    target = rng.integers(0, n_classes, n_rows)
    if rng.random() < 0.5:
        target = (cells[:, 0] * 2 + cells[:, -1] + (rng.random(n_rows) < 0.2)) % n_classes
    largest = int(rng.choice([3, 40, 3000, 10**7, 10**10]))
    costs = rng.integers(0, int(rng.choice([2, 5, 300])), (n_classes, n_classes))
    return Small(
        cells=cells,
        target=target.astype(np.int32),
        n_classes=n_classes,
        weights=rng.integers(1, largest + 1, n_rows) if rng.random() < 0.4 else None,
        costs=costs if rng.random() < 0.25 else None,
        max_depth=int(rng.integers(0, 4)),
        max_leaves=int(rng.integers(1, 9)) if rng.random() < 0.4 else None,
        min_rows=int(rng.integers(1, 4)) if rng.random() < 0.4 else 1,
        min_weight=int(rng.integers(0, 2 * largest)) if rng.random() < 0.2 else 0,
        leaf_cost=int(rng.integers(0, 4)) if rng.random() < 0.4 else 0,
        weight_unit=int(rng.integers(1, 4)) if rng.random() < 0.3 else 1,
    )
