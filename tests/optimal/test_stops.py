"""However a run ends, there is a whole tree, and the optimum lies between the bounds."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from boxwood.data import make_dataset
from boxwood.optimal import Problem, Progress, certify, make_problem, solve


def hard(n_rows: int = 300, n_features: int = 40, depth: int = 5, seed: int = 0, **limits: object) -> Problem:
    rng = np.random.default_rng(seed)
    cells = (rng.random((n_rows, n_features)) < 0.5).astype(np.uint8)
    target = (cells[:, :4].sum(axis=1) + (rng.random(n_rows) < 0.3)) % 2
    return make_problem(make_dataset(cells, target), max_depth=depth, **limits)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def small() -> tuple[Problem, float]:
    problem = hard(n_rows=120, n_features=16)
    return problem, solve(problem).objective


def mixed(n_classes: int, weighted: bool = False, **limits: object) -> Problem:
    rng = np.random.default_rng(2)
    cells = (rng.random((150, 20)) < 0.5).astype(np.uint8)
    target = (cells[:, :4].sum(axis=1) + (rng.random(150) < 0.3)) % n_classes
    weight = rng.choice([0.5, 1.0, 3.25], 150) if weighted else None
    return make_problem(make_dataset(cells, target, weight), max_depth=5, **limits)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "problem",
    [
        hard(n_rows=120, n_features=16),
        mixed(3),
        mixed(2, weighted=True),
        mixed(2, complexity=0.75),
        mixed(3, weighted=True, complexity=0.4),
        mixed(2, min_samples_leaf=5),
        mixed(2, max_leaf_nodes=9),
        mixed(3, weighted=True, cost_matrix=[[0, 1, 2.5], [3, 0, 1], [1, 1, 0]], complexity=1.5),
    ],
    ids=["plain", "classes", "weights", "leaf costs", "all of these", "rows", "leaves", "costs"],
)
def test_bounds_hold_at_random_moments(problem: Problem) -> None:
    best = solve(problem)
    certify(best, problem)
    optimum, whole = best.objective, best.stats["seconds"]
    rng = np.random.default_rng(1)
    unfinished = 0
    for _ in range(12):
        result = solve(problem, time_limit=float(rng.random() * whole), n_threads=int(rng.integers(1, 3)))
        certify(result, problem)
        assert result.lower_bound <= optimum <= result.objective
        assert result.is_optimal == (result.lower_bound == result.objective)
        unfinished += not result.is_optimal
    assert unfinished > 0


def test_the_clock_is_kept() -> None:
    problem = hard(n_rows=2000, n_features=150, depth=6)
    start = time.perf_counter()
    result = solve(problem, time_limit=0.5)
    assert time.perf_counter() - start < 15  # 0.2 s more are promised, which a busy machine does not show
    assert result.status == "time_limit"
    certify(result, problem)


def test_a_limit_of_zero_gives_the_greedy_tree() -> None:
    problem = hard()
    result = solve(problem, time_limit=0)
    assert result.status == "time_limit"
    certify(result, problem)


def test_a_stopped_tree_is_balanced() -> None:
    """A depth-first search alone leaves its last branch a leaf; here both sides are grown."""
    problem = hard(n_rows=1000, n_features=60, depth=6)
    result = solve(problem, time_limit=0.6)
    tree = result.tree
    left, right = tree.first_child[0], tree.first_child[0] + 1
    assert result.status == "time_limit"
    assert not tree.is_leaf[left]
    assert not tree.is_leaf[right]
    greedy = solve(problem, time_limit=0)
    assert result.objective < greedy.objective


def test_a_callback_ends_the_run() -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return len(seen) == 2

    problem = hard(n_rows=2000, n_features=120, depth=6)
    result = solve(problem, callback=stop)
    assert result.status == "interrupted"
    assert len(seen) == 2
    assert seen[0].gap >= 0
    assert not result.keyboard_interrupt
    certify(result, problem)


def test_an_error_in_the_callback_ends_the_call() -> None:
    def fail(progress: Progress) -> bool:
        raise RuntimeError(f"after {progress.seconds} s")

    with pytest.raises(RuntimeError, match="after"):
        solve(hard(n_rows=2000, n_features=120, depth=6), callback=fail, n_threads=2)


def test_a_gap_is_enough(small: tuple[Problem, float]) -> None:
    problem, optimum = small
    result = solve(problem, max_gap=5)
    assert result.gap <= 5
    assert result.lower_bound <= optimum <= result.objective
    certify(result, problem)


def test_memory_is_kept_or_refused(small: tuple[Problem, float]) -> None:
    problem, optimum = small
    assert solve(problem, memory_limit="2MiB").objective == optimum
    none = solve(problem, memory_limit=1000)
    assert none.status == "memory_limit"
    certify(none, problem)


MEMORY = """
import sys
import numpy as np
from boxwood.data import make_dataset
from boxwood.optimal import certify, make_problem, solve

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

def problem_of(n_rows, n_features, depth):
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 2, (n_rows, n_features))
    target = (cells[:, :5].sum(axis=1) + rng.integers(0, 2, n_rows)) % 3
    return make_problem(make_dataset(cells, target), max_depth=depth)

solve(problem_of(50, 5, 2))  # whatever Python loads at the first call
problem = problem_of(int(sys.argv[1]), 60, 6)
problem.core
with open("/proc/self/clear_refs", "w") as file:
    file.write("5")  # the peak starts anew
before = resident("VmRSS")
result = solve(problem, memory_limit=sys.argv[2], time_limit=1.5)
print(resident("VmHWM") - before, result.status)
certify(result, problem)
"""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="no resident peak to be read here")
@pytest.mark.parametrize(
    ("n_rows", "limit", "status"),
    [(800, "1MiB", "time_limit"), (800, "8MiB", "time_limit"), (12_000, "1MiB", "memory_limit")],
)
def test_memory_that_is_really_taken(n_rows: int, limit: str, status: str) -> None:
    """In a process of its own, where nothing freed before is at hand; ten per cent more are allowed."""
    run = [sys.executable, "-c", MEMORY, str(n_rows), limit]
    out = subprocess.run(run, check=True, timeout=60, capture_output=True, text=True).stdout.split()
    assert out[1] == status
    assert int(out[0]) <= 1.1 * int(limit[:-3]) * 2**20


def test_a_bound_is_there_before_the_proof_ends() -> None:
    """Half of the best tree's cost is proved first: a run that is stopped has more than nothing to say."""
    problem = hard(n_rows=400, n_features=30, depth=5)
    whole = solve(problem)
    halved = solve(problem, max_gap=0.55 * whole.objective)
    assert halved.status == "gap"
    assert 0.2 * whole.objective < halved.lower_bound <= whole.objective
    assert halved.stats["n_kernel_calls"] < whole.stats["n_kernel_calls"]


CTRL_C = """
import numpy as np, os, signal, threading, time
from boxwood.data import make_dataset
from boxwood.optimal import certify, make_problem, solve
signal.signal(signal.SIGINT, signal.default_int_handler)
rng = np.random.default_rng(0)
cells = rng.integers(0, 2, (2000, 120))
problem = make_problem(make_dataset(cells, cells[:, :5].sum(axis=1) % 2), max_depth=7)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
start = time.perf_counter()
result = solve(problem)
assert time.perf_counter() - start < 15
assert result.status == "interrupted" and result.keyboard_interrupt
certify(result, problem)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="signals are sent in another way here")
def test_ctrl_c_returns_the_best_tree() -> None:
    """A shell without job control ignores SIGINT for what it starts in the background, children included.

    So the script asks for the handler of Python: run from such a shell, it once saw no Ctrl-C at all.
    """
    subprocess.run([sys.executable, "-c", CTRL_C], check=True, timeout=60)


def test_the_trace_only_gets_better(small: tuple[Problem, float]) -> None:
    problem, optimum = small
    trace = solve(problem).trace
    values = [step.objective for step in trace]
    assert values == sorted(values, reverse=True)
    assert values[-1] == optimum
    assert all(step.lower_bound <= optimum for step in trace)
    assert [step.seconds for step in trace] == sorted(step.seconds for step in trace)


def test_an_initial_tree_is_a_start(small: tuple[Problem, float]) -> None:
    problem, optimum = small
    best = solve(problem)
    again = solve(problem, initial_tree=best.tree, time_limit=0)
    assert again.objective == optimum
    assert solve(problem, initial_tree=best.tree).tree == best.tree
