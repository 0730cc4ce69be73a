"""Random problems as the core takes them, and the switches of its solver."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from boxwood import _core
from tests.oracles.brute_force_tree import Small

# How many times the usual number of random problems: BOXWOOD_EFFORT=14 makes the long run.
EFFORT = float(os.environ.get("BOXWOOD_EFFORT", "1"))


def there(machine: str) -> bool:
    try:
        _core.OptimalTactics(machine=machine)
    except ValueError:
        return False
    return True


MACHINES = [machine for machine in ("portable", "avx2", "avx512") if there(machine)]


def core_of(problem: Small) -> _core.OptimalProblem:
    return _core.OptimalProblem(
        np.ascontiguousarray(problem.cells),
        problem.target,
        problem.n_classes,
        None if problem.weights is None else problem.weights.astype(np.int64),
        None if problem.costs is None else np.ascontiguousarray(problem.costs.astype(np.int64)),
        max_depth=problem.max_depth,
        max_leaves=problem.max_leaves or 0,
        min_rows=problem.min_rows,
        min_weight=problem.min_weight,
        leaf_cost=problem.leaf_cost,
        weight_unit=problem.weight_unit,
    )


def random_tactics(rng: np.random.Generator) -> dict[str, Any]:
    switches = ("table", "siblings", "archive", "floor", "look_ahead", "probes", "merge", "steps")
    return {
        **{name: bool(rng.integers(2)) for name in switches},
        "deepest": int(rng.integers(0, 4)),
        "machine": str(rng.choice(MACHINES)),
        "table_bytes": int(rng.choice([0, 2**10, 2**20])),
    }


def solved(core: _core.OptimalProblem, n_threads: int = 1, **tactics: Any) -> dict[str, Any]:
    return _core.solve_optimally(core, _core.OptimalTactics(**tactics), n_threads=n_threads)
