"""The fast kernels against the plain solver, on every instruction set that this machine has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.optimal.core_problem import EFFORT, MACHINES, core_of, random_tactics, solved
from tests.oracles.brute_force_tree import Small, random_problem


def test_there_is_a_portable_kernel() -> None:
    assert "portable" in MACHINES


def larger(rng: np.random.Generator) -> Small:
    problem = random_problem(rng, most_rows=int(rng.choice([40, 300, 700])), most_features=7)
    return replace(
        problem,
        max_depth=int(rng.integers(2, 6)),
        max_leaves=None if problem.max_leaves is None else int(rng.integers(2, 14)),
        min_rows=1 if problem.min_rows == 1 else int(rng.integers(1, 20)),
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_every_kernel_equals_the_reference(machine: str) -> None:
    rng = np.random.default_rng(3)
    for _ in range(int(250 * EFFORT)):
        problem = larger(rng)
        core = core_of(problem)
        best = core.solve_plainly()[0]
        for deepest in (2, 3):
            found = solved(core, machine=machine, deepest=deepest)
            assert (found["objective"], found["status"]) == (best, "optimal"), problem
            assert core.evaluate(found["tree"]) == best


@pytest.mark.parametrize("weight", [1, 3, 130, 33_000, 700_000_000])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_numbers_of_every_width(weight: int, n_classes: int) -> None:
    """Sums of 8, 16, 32 and 64 bits, on both sides of each border."""
    rng = np.random.default_rng(weight + n_classes)
    for n_rows in (60, 127, 128, 255, 256, 300):
        cells = (rng.random((n_rows, 6)) < 0.4).astype(np.uint8)
        target = ((cells @ rng.integers(0, 3, 6) + rng.integers(0, 2, n_rows)) % n_classes).astype(np.int32)
        weights = None if weight == 1 else rng.integers(1, weight + 1, n_rows)
        problem = Small(cells, target, n_classes, weights, max_depth=3)
        best = core_of(problem).solve_plainly()[0]
        for machine in MACHINES:
            for merge in (False, True):
                assert solved(core_of(problem), machine=machine, merge=merge)["objective"] == best


def test_wide_tables_fill_many_vectors() -> None:
    """More columns than one vector has lanes; the optimum of depth two is found by every pair of them."""
    rng = np.random.default_rng(5)
    for n_features in (31, 32, 33, 63, 64, 65, 130):
        cells = (rng.random((90, n_features)) < rng.random(n_features)).astype(np.uint8)
        target = (cells[:, 3] ^ cells[:, n_features - 2] ^ (rng.random(90) < 0.1)).astype(np.int32)
        problem = Small(cells, target, 2, max_depth=2)
        best = core_of(problem).solve_plainly()[0]
        deeper = core_of(replace(problem, max_depth=3))
        values = set()
        for machine in MACHINES:
            assert solved(core_of(problem), machine=machine)["objective"] == best
            values.add(solved(deeper, machine=machine)["objective"])
        values.add(solved(deeper, deepest=2)["objective"])
        assert len(values) == 1


def test_same_tree_whatever_helps() -> None:
    """Threads, the size of the table, bounds and instruction sets change the time, not the tree."""
    rng = np.random.default_rng(11)
    for _ in range(int(150 * EFFORT)):
        core = core_of(larger(rng))
        trees = {str(solved(core)["tree"])}
        for n_threads in (1, 2, 3):
            tactics = {**random_tactics(rng), "deepest": 3, "look_ahead": True}
            trees.add(str(solved(core, n_threads=n_threads, **tactics)["tree"]))
        assert len(trees) == 1


ENTRY = 48
"""Bytes of an entry of the table."""


@pytest.mark.parametrize(
    ("n_classes", "options"),
    [
        (2, {}),
        (3, {}),
        (2, {"weighted": True}),
        (3, {"weighted": True, "leaf_cost": 2}),
        (2, {"leaf_cost": 1}),
        (2, {"min_rows": 4, "leaf_cost": 1}),
        (2, {"max_leaves": 11}),
        (4, {"weighted": True, "min_rows": 3, "max_leaves": 9, "leaf_cost": 3}),
    ],
)
def test_a_small_table_forgets_but_does_not_lie(n_classes: int, options: dict[str, Any]) -> None:
    """2**8 entries, which overflow, and 2**24: the same tree, whatever is asked for."""
    rng = np.random.default_rng(13)
    cells = (rng.random((120, 14)) < 0.5).astype(np.uint8)
    target = ((cells[:, :5].sum(axis=1) + (rng.random(120) < 0.1)) % n_classes).astype(np.int32)
    options = dict(options)
    weights = rng.integers(1, 9, 120) if options.pop("weighted", False) else None
    core = core_of(Small(cells, target, n_classes, weights=weights, max_depth=5, **options))
    few, many = 2**8 * ENTRY, 2**24 * ENTRY
    small, large = (solved(core, table_bytes=size) for size in (few, many))
    assert few // 2 <= small["table_bytes"] <= few
    assert many // 2 <= large["table_bytes"] <= many
    assert (small["objective"], small["tree"]) == (large["objective"], large["tree"])
    assert small["lower_bound"] == large["lower_bound"]
    assert small["n_kernel_calls"] > large["n_kernel_calls"]
