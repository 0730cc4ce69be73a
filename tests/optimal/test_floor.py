"""The bound that holds whatever the splits: below the optimum of any problem, and met by what it is for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from boxwood.data import make_dataset
from boxwood.optimal import make_problem, solve
from boxwood.optimal.floor import floor_of


@pytest.mark.parametrize("seed", range(60))
def test_no_tree_goes_below_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 14)), int(rng.integers(1, 5))
    cells = rng.integers(0, 2, (n, 4))
    cells[:, :3] = np.array(
        [[i >> bit & 1 for bit in range(3)] for i in range(n)]
    )  # many rows can be told apart
    weight = rng.choice([0.5, 1.0, 2.25, 4.0], n) if seed % 2 else None
    problem = make_problem(
        make_dataset(cells, rng.integers(0, k, n), weight),
        max_depth=int(rng.integers(0, 4)),
        max_leaf_nodes=int(rng.integers(1, 6)) if seed % 3 == 0 else None,
        min_samples_leaf=int(rng.integers(1, 4)),
        complexity=float(rng.choice([0.0, 0.3, 1.0, 50.0])),
    )
    if seed % 4 == 0:
        k = len(problem.classes)
        problem = replace(problem, cost_matrix=rng.integers(0, 4, (k, k)).astype(float))
    assert floor_of(problem) <= solve(problem).objective + 1e-9


def test_it_is_met() -> None:
    """No errors; one class for each leaf; or one leaf, since a second does not pay."""
    dataset = make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], list("abcc"))
    for limits, optimum in (
        ({"max_depth": 2}, 0),
        ({"max_depth": 2, "complexity": 0.25}, 0.75),
        ({"max_depth": 1}, 1),
        ({"max_depth": 0}, 2),
        ({"max_depth": 2, "complexity": 10}, 12),
        ({"max_depth": 2, "min_samples_leaf": 3}, 2),
    ):
        problem = make_problem(dataset, **limits)  # type: ignore[arg-type]
        assert floor_of(problem) == solve(problem).objective == optimum
