"""Runs that go on where another one ended, with more features: the answer is that of a run from scratch."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boxwood import _core
from boxwood.data import make_dataset
from boxwood.optimal import Problem, certify, make_problem, solve
from tests.optimal.core_problem import EFFORT, MACHINES, core_of, solved
from tests.oracles.brute_force_tree import Small, brute_force, random_problem


def chain(rng: np.random.Generator, n_features: int) -> list[int]:
    """Growing numbers of features, the last one all of them; now and then the same number twice."""
    steps = sorted(int(step) for step in rng.integers(1, n_features + 1, int(rng.integers(1, 4))))
    return [*steps, n_features]


def run(core: _core.OptimalProblem, past: Any, **tactics: Any) -> dict[str, Any]:
    n_threads = tactics.pop("n_threads", 1)
    return _core.solve_optimally(
        core, _core.OptimalTactics(**tactics), keep=True, past=past, n_threads=n_threads
    )


@pytest.mark.parametrize("seed", range(4))
def test_every_step_of_a_chain_is_optimal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(int(60 * EFFORT)):
        whole = random_problem(rng, most_features=6)
        past = None
        for p in chain(rng, whole.cells.shape[1]):
            problem = replace(whole, cells=whole.cells[:, :p])
            core = core_of(problem)
            best = brute_force(problem)
            found = run(core, past, machine=str(rng.choice(MACHINES)))
            assert found["status"] == "optimal"
            assert (found["objective"], found["lower_bound"]) == (best, best), (problem, p)
            assert core.evaluate(found["tree"]) == best
            past = found["kept"]


def test_same_tree_as_from_scratch() -> None:
    """Deeper trees, more rows than a word, all sorts of limits, several threads; tables of every width."""
    rng = np.random.default_rng(5)
    for _ in range(int(60 * EFFORT)):
        whole = random_problem(rng, most_rows=int(rng.choice([40, 300, 700])), most_features=12)
        whole = replace(whole, max_depth=int(rng.integers(3, 6)))
        past = None
        for p in chain(rng, whole.cells.shape[1]):
            core = core_of(replace(whole, cells=whole.cells[:, :p]))
            found = run(core, past, n_threads=int(rng.integers(1, 3)))
            scratch = solved(core)
            assert (found["objective"], found["tree"]) == (scratch["objective"], scratch["tree"])
            past = found["kept"]


def test_answers_that_new_thresholds_do_not_touch_are_kept() -> None:
    """Thresholds of a few columns, one after the other, as MID's prefixes are.

    Within a small part of the rows a new threshold often divides as an old one does, or not at all, or too
    unevenly for a leaf; what an earlier run knew about such a part is then taken as it is. Bounds of the
    other parts must not be: more thresholds make better trees. Several runs may go on from the same one.
    """
    rng = np.random.default_rng(11)
    inherited = 0
    for _ in range(int(25 * EFFORT)):
        n_rows, n_classes = int(rng.integers(30, 120)), int(rng.integers(2, 4))
        table = rng.normal(size=(n_rows, 3)).round(1)
        target = rng.integers(0, n_classes, n_rows).astype(np.int32)
        cuts = [(feature, cut) for feature in range(3) for cut in rng.choice(table[:, feature], 5)]
        rng.shuffle(cuts)
        cells = np.stack([table[:, int(f)] <= cut for f, cut in cuts], axis=1).astype(np.uint8)
        limits: dict[str, Any] = {
            "max_depth": int(rng.integers(4, 6)),
            "min_rows": int(rng.integers(1, 6)),
            "leaf_cost": int(rng.integers(0, 2)),
            "max_leaves": int(rng.choice([0, 7])),
        }
        past: Any = None
        for p in (6, 9, 10, len(cuts)):
            core = core_of(Small(np.ascontiguousarray(cells[:, :p]), target, n_classes, **limits))
            scratch = solved(core)
            found = [run(core, past, n_threads=n_threads) for n_threads in (1, 2)]
            for one in found:
                assert (one["objective"], one["tree"]) == (scratch["objective"], scratch["tree"]), limits
                assert one["lower_bound"] == scratch["lower_bound"]
                inherited += one["n_inherited"]
            past = found[0]["kept"]
    assert inherited > 0


def test_what_an_earlier_run_knew_is_used_only_where_it_holds() -> None:
    """Runs that differ in more than their features, or were stopped, hand on no wrong answer.

    Roots in a table depend on how deep the kernels go and on the look-ahead, values on the limits; and what a
    run that was ended at some moment has stored is as true as anything else. Of several optimal trees the one
    of an earlier run with other kernels was taken where all new features repeated old ones: the long version
    of this test found it.
    """
    rng = np.random.default_rng(12)
    for _ in range(int(25 * EFFORT)):
        n_rows = int(rng.integers(30, 100))
        table = rng.normal(size=(n_rows, 2)).round(1)
        cuts = [(feature, cut) for feature in range(2) for cut in rng.choice(table[:, feature], 6)]
        rng.shuffle(cuts)
        cells = np.stack([table[:, int(f)] <= cut for f, cut in cuts], axis=1).astype(np.uint8)
        target = rng.integers(0, 3, n_rows).astype(np.int32)
        few = Small(np.ascontiguousarray(cells[:, :8]), target, 3, max_depth=4, min_rows=2)
        many = replace(few, cells=cells)
        past = run(core_of(few), None)["kept"]
        tactics = {"deepest": int(rng.integers(0, 4)), "look_ahead": bool(rng.integers(0, 2))}
        for other, ways in (
            (many, tactics),
            (replace(many, leaf_cost=1), {}),
            (replace(many, max_leaves=6), {}),
            (replace(many, min_rows=1), {}),
            (replace(many, max_depth=5), {}),
        ):
            core = core_of(other)
            scratch = solved(core, **ways)
            found = run(core, past, **ways)
            assert (found["objective"], found["tree"]) == (scratch["objective"], scratch["tree"]), (
                other,
                ways,
            )
        polls = iter(range(int(rng.integers(1, 40))))
        stopped = _core.solve_optimally(
            core_of(replace(few, max_depth=5)),
            _core.OptimalTactics(deepest=1),
            keep=True,
            poll=lambda *_, polls=polls: next(polls, None) is None,
            time_limit=float(rng.random() * 2e-3),
        )
        core = core_of(replace(many, max_depth=5))
        found, scratch = run(core, stopped["kept"], deepest=1), solved(core, deepest=1)
        assert (found["objective"], found["tree"]) == (scratch["objective"], scratch["tree"])


def test_the_same_features_again_hand_on_what_was_known() -> None:
    core = core_of(Small(wide(30).cells, wide(30).target, 2, max_depth=5, min_rows=8))
    longer = core_of(Small(wide(31).cells, wide(31).target, 2, max_depth=5, min_rows=8))
    first = run(core, None)["kept"]
    again = run(core, first)["kept"]
    assert again.n_bytes_of_parts == first.n_bytes_of_parts > 0
    found, directly = run(longer, again), run(longer, first)
    assert found["n_inherited"] == directly["n_inherited"] > 0
    assert found["tree"] == directly["tree"] == solved(longer)["tree"]


def wide(n_features: int, depth: int = 4) -> Problem:
    rng = np.random.default_rng(7)
    cells = (rng.random((150, 40)) < rng.random(40)).astype(np.uint8)
    y = (cells[:, 0] + cells[:, 20] * cells[:, 39] + (rng.random(150) < 0.2)) % 2
    return make_problem(make_dataset(cells[:, :n_features], y), max_depth=depth)


def test_results_carry_on() -> None:
    result = solve(wide(20), continuable=True)
    for n_features in (25, 33, 40):
        problem = wide(n_features)
        result = solve(problem, continued_from=result)
        certify(result, problem)
        scratch = solve(problem)
        assert (result.status, result.objective) == ("optimal", scratch.objective)
        assert result.tree == scratch.tree
    again = solve(wide(40), continued_from=result)
    assert again.stats["n_kernel_calls"] == 0
    assert (again.objective, again.lower_bound) == (result.objective, result.lower_bound)


def test_an_unproved_result_is_a_start_only() -> None:
    stopped = solve(wide(20), time_limit=0, continuable=True)
    problem = wide(40)
    result = solve(problem, continued_from=stopped)
    assert (result.status, result.objective) == ("optimal", solve(problem).objective)


def test_another_choice_among_optimal_trees_is_made_anew() -> None:
    """Nothing is new but how deep the kernels go, which decides between trees that are as good."""
    rng = np.random.default_rng(3)
    for _ in range(int(30 * EFFORT)):
        cells = rng.integers(0, 2, (30, 6)).astype(np.uint8)
        core = core_of(Small(cells, rng.integers(0, 2, 30).astype(np.int32), 2, max_depth=4))
        past = run(core, None)["kept"]
        for ways in ({"deepest": 1}, {"deepest": 0}, {"look_ahead": False}):
            assert run(core, past, **ways)["tree"] == solved(core, **ways)["tree"]


def test_repeated_features_are_no_work() -> None:
    problem = wide(30)
    more = np.hstack([problem.cells, 1 - problem.cells[:, :3], np.ones_like(problem.cells[:, :1])])
    longer = make_problem(make_dataset(more, problem.target), max_depth=4)
    result = solve(longer, continued_from=solve(problem, continuable=True))
    assert result.stats["n_kernel_calls"] == 0
    assert result.objective == solve(longer).objective
    certify(result, longer)


def test_a_branch_of_a_chain_does_not_see_the_others() -> None:
    """Two lists of features with a common beginning: the tables of one must not be used for the other."""
    rng = np.random.default_rng(1)
    cells = (rng.random((90, 30)) < 0.4).astype(np.uint8)
    target = ((cells[:, 3] ^ cells[:, 12] ^ cells[:, 22]) ^ (rng.random(90) < 0.1)).astype(np.int32)
    start = run(core_of(Small(cells[:, :10], target, 2, max_depth=4)), None)["kept"]
    for columns in (range(10, 20), range(20, 30)):
        branch = np.ascontiguousarray(cells[:, [*range(10), *columns]])
        core = core_of(Small(branch, target, 2, max_depth=4))
        longer = run(core, start)
        assert longer["objective"] == solved(core)["objective"]
        # What was kept of other columns is of no use, and does no harm.
        other = core_of(Small(np.ascontiguousarray(branch[:, ::-1]), target, 2, max_depth=4))
        assert run(other, longer["kept"])["objective"] == longer["objective"]


def test_little_memory_for_tables() -> None:
    core = core_of(Small(wide(40).cells, wide(40).target, 2, max_depth=4))
    past = _core.solve_optimally(core, _core.OptimalTactics(), keep=True, memory_limit=2**21)["kept"]
    assert past.n_bytes <= 2**19
    assert past.n_bytes + past.n_bytes_of_parts <= 2**21


@pytest.mark.parametrize("limit", [450_000, 500_000, 550_000, 600_000, 650_000, 700_000, 800_000, 2_000_000])
def test_what_is_kept_takes_nothing_from_the_kernels(limit: int) -> None:
    """A table that was kept once made the next run's kernels less deep, so that it ended without a proof.

    Under a limit of memory the earlier run's table was set aside first, and the kernels got what was left.
    Now they come first, and a table that does not fit beside them is given up.
    """
    rng = np.random.default_rng(0)
    cells, target = (rng.random((60, 90)) < 0.5).astype(np.uint8), rng.integers(0, 3, 60).astype(np.int32)
    few = core_of(Small(np.ascontiguousarray(cells[:, :16]), target, 3, max_depth=3))
    many = core_of(Small(cells, target, 3, max_depth=3))

    def limited(core: _core.OptimalProblem, past: Any) -> dict[str, Any]:
        return _core.solve_optimally(core, _core.OptimalTactics(), keep=True, past=past, memory_limit=limit)

    scratch, found = limited(many, None), limited(many, limited(few, None)["kept"])
    assert (found["kernel_depth"], found["tree"]) == (scratch["kernel_depth"], scratch["tree"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"max_depth": 3}, "max_depth is 3, and continued_from was solved with 4"),
        ({"complexity": 0.5}, "complexity"),
        ({"cells": wide(20).cells ^ 1}, "column 0 of the problem"),
        ({"target": 1 - wide(20).target}, "classes of the rows"),
        ({"weights": np.arange(1.0, 151.0)}, "sample weights"),
        ({"cost_matrix": np.array([[0.0, 2.0], [1.0, 0.0]])}, "cost_matrix"),
    ],
)
def test_another_problem_is_refused(change: dict[str, Any], message: str) -> None:
    result = solve(wide(20), time_limit=0)
    with pytest.raises(ValueError, match=message):
        solve(replace(wide(20), **change), continued_from=result)


def test_fewer_features_or_other_rows_are_refused() -> None:
    result = solve(wide(20), time_limit=0)
    with pytest.raises(ValueError, match="20 features, and the problem only 10"):
        solve(wide(10), continued_from=result)
    rows = make_problem(make_dataset(wide(20).cells[:50], wide(20).target[:50]), max_depth=4)
    with pytest.raises(ValueError, match="150 rows, and the problem has 50"):
        solve(rows, continued_from=result)


def test_a_pickled_result_has_no_continuation() -> None:
    result = solve(wide(10), continuable=True)
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result)):
        assert (other.tree, other.objective) == (result.tree, result.objective)
        with pytest.raises(ValueError, match="give its tree as initial_tree"):
            solve(wide(20), continued_from=other)
