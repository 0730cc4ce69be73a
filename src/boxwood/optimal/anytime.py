"""The road to the whole table: solve on few features, then on more, and keep what is known.

The problem: an optimal tree over every threshold of a table can take very long, and over a few good ones it
takes a moment; how many can be afforded is not known beforehand. The idea, from the thesis that introduced
MID: the features are ranked, every prefix of the ranking is a problem of its own, and a tree for one prefix
is one for each longer one. So solve on growing prefixes, each run starting from the last tree. The objective
never rises, a tree is there after the first and smallest run, and when the last prefix is done, so is the
proof for all features.

Reference: A. Dal Maso, MID: a new strategy for learning optimal decision trees on continuous data (thesis,
2024), chapter 3, upper-bound experiments a and b. It found that the tree of the shorter prefix alone saves no
more than it cost. What we changed: a run is told the *result* of the last one, not only its tree
(`boxwood.optimal.solve`, `continued_from`), and what the search has learnt: parts of the rows that no new
feature divides in a new way keep their answers and bounds, and elsewhere the kernels count, of three features
in a row, those of which one is new (``core/optimal/kept.hpp``). On the thesis's two tables, 1 to 45 features
at depth 5, that makes all runs together 1.7 and 2 times as fast. Prefixes grow by half (`growing_sizes`), so
that there are few of them.

What holds at every stop: the result is that of the longest prefix begun, and its lower bound is one for that
prefix, which ``search_space`` names. Which prefix was last proved is in ``stats["proved"]``. A prefix is not
begun when, by the time that the last one took to set up, there would be none left to search; nor when the
tree cannot be beaten, whatever the features (:mod:`boxwood.optimal.floor`). Ctrl-C between the searches,
while a problem is being set up, ends them as it ends a search: with the last tree, or with a single leaf if
there is none yet. A second Ctrl-C always raises.
"""

from __future__ import annotations

import inspect
import math
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from boxwood.optimal.floor import floor_of
from boxwood.optimal.problem import Problem
from boxwood.optimal.result import Improvement, Result
from boxwood.optimal.sketch import sketch_of
from boxwood.optimal.solve import Progress, SecondInterrupt, memory_bytes, solve
from boxwood.tree import Tree

_FIRST: Final = 16
_SECONDS_PER_ROW: Final = 1.2e-7
_SECONDS_PER_CELL: Final = 4e-9
GRACE: Final = 0.1
"""Seconds after the time is over that the set-up of a search and its greedy tree may take; the solver has the
same number."""
_INSIDE: Final = ("boxwood", "sklearn")
ENDS: Final = ("time_limit", "memory_limit", "interrupted")
"""The states in which a search was ended from outside."""


@dataclass(frozen=True, slots=True)
class Step:
    """One prefix: how many thresholds it had, and what came out."""

    n_thresholds: int
    status: str
    objective: float
    lower_bound: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Stops:
    """What can end a search; `deadline` is a time of `time.perf_counter`."""

    deadline: float | None = None
    memory_limit: int | str | None = None
    max_gap: float = 0.0
    n_threads: int = 1
    callback: Callable[[Progress], bool] | None = None

    @property
    def seconds(self) -> float | None:
        """What is left of the time."""
        if self.deadline is None or math.isinf(self.deadline):
            return None
        return max(0.0, self.deadline - time.perf_counter())


def set_up_seconds(n_rows: int, n_features: int) -> float:
    """About what it takes to make a 0/1 table, to put it into the solver's form and to grow a greedy tree.

    >>> round(set_up_seconds(500_000, 45), 2)
    0.15
    """
    return n_rows * (_SECONDS_PER_ROW + n_features * _SECONDS_PER_CELL)


def features_in_time(n_rows: int, seconds: float) -> int:
    """How many 0/1 features can be set up in so many seconds; 0 if not even one can.

    >>> features_in_time(500_000, 0.15), features_in_time(1_000, 0.1), features_in_time(10**7, 0.1)
    (45, 24970, 0)
    """
    most = (seconds / n_rows - _SECONDS_PER_ROW) / _SECONDS_PER_CELL + 1e-6
    return int(min(max(0.0, most), 2**53))


def growing_sizes(n_thresholds: int, first: int = _FIRST) -> list[int]:
    """The lengths of the prefixes: each half as long again as the one before.

    >>> growing_sizes(60), growing_sizes(10), growing_sizes(0)
    ([16, 24, 36, 54, 60], [10], [0])
    """
    sizes = []
    size = first
    while size < n_thresholds:
        sizes.append(size)
        size += size // 2
    return [*sizes, n_thresholds]


def solve_once(
    problem: Problem,
    stops: Stops,
    initial_tree: Tree | None = None,
    last: Result | None = None,
    continuable: bool = False,
) -> Result:
    """Solve within the limits that are left; `last` is the result on the first of the problem's features.

    The memory limit is for everything, so the 0/1 table is taken off it, and that of the last run, which is
    still there.
    """
    limit = memory_bytes(stops.memory_limit)
    held = problem.n_rows * (problem.n_features + (0 if last is None else last.tree.n_features))
    return solve(
        problem,
        time_limit=stops.seconds,
        memory_limit=max(1, limit - held) if limit else None,
        max_gap=stops.max_gap,
        initial_tree=initial_tree,
        n_threads=stops.n_threads,
        callback=stops.callback,
        continued_from=last,
        continuable=continuable,
    )


def solve_growing(
    problem_of: Callable[[int], Problem | str],
    sizes: Sequence[int],
    stops: Stops,
    *,
    start: Callable[[Problem], Tree | None] | None = None,
    after: Callable[[Result, int], bool] | None = None,
    bare: Callable[[], Problem] | None = None,
) -> Result:
    """Solve on growing prefixes of ranked features.

    Parameters
    ----------
    problem_of
        Makes the problem with so many thresholds. Its features must begin with those of the shorter ones. In
        place of a problem, though not of the first, it may give a status, which ends the search.
    sizes
        The numbers of thresholds, ascending.
    stops
        What ends the search, all prefixes together.
    start
        Makes a tree to begin with from the first problem.
    after
        Told the result of each prefix and its number of thresholds; the search ends when it returns True.
    bare
        Makes a problem without features, for when Ctrl-C comes before there is any other; None: it raises.

    Returns
    -------
    Result
        Of the last prefix begun. `trace` is that of all runs; `stats` has the last run's numbers, the seconds
        of all, and besides ``steps`` (a tuple of `Step`), ``proved`` (what the tree of the last prefix
        that was solved to the end is optimal over, or None) and ``floor`` (what no tree costs less than,
        whatever the features).

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal.features import Limits, problem_on
    >>> from boxwood.tree import Threshold
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "no"])
    >>> splits = [Threshold(0, cut, missing_branch=1) for cut in (1.5, 3.5, 2.5)]
    >>> def problem_of(size):
    ...     return problem_on(dataset, splits[:size], Limits(max_depth=2), f"{size} thresholds")
    >>> result = solve_growing(problem_of, [1, 3], Stops())
    >>> [(step.n_thresholds, step.objective) for step in result.stats["steps"]], result.stats["proved"]
    ([(1, 1.0), (3, 0.0)], 'optimal over 3 thresholds, depth at most 2')
    """
    road = _Road(stops)
    for size in sizes:
        try:
            if not road.go(problem_of, size, size != sizes[-1], start, after):
                break
        except SecondInterrupt:
            raise
        except KeyboardInterrupt:
            if road.pressed or (road.last is None and bare is None):
                raise
            if road.last is None and bare is not None:
                road.go(lambda size: bare(), 0, False, None, None, replace(stops, deadline=0.0))
            road.end("interrupted")
            break
    return road.result()


class _Road:
    """The prefixes solved so far."""

    def __init__(self, stops: Stops) -> None:
        self.stops = stops
        self.last: Result | None = None
        self.pressed = False  # Ctrl-C, while the last one was searched for
        self.proved: str | None = None
        self.floor = 0.0
        self.steps: list[Step] = []
        self.trace: list[Improvement] = []
        self.began = time.perf_counter()
        self.set_up = 0.0  # seconds, per threshold

    def go(
        self,
        problem_of: Callable[[int], Problem | str],
        size: int,
        more: bool,
        start: Callable[[Problem], Tree | None] | None,
        after: Callable[[Result, int], bool] | None,
        stops: Stops | None = None,
    ) -> bool:
        """Solve one prefix; whether to go on."""
        stops = stops or self.stops
        step_began = time.perf_counter()
        before = step_began - self.began
        late = stops.deadline is not None and step_began + self.set_up * size >= stops.deadline
        problem = "time_limit" if late and self.last is not None else problem_of(size)
        if isinstance(problem, str):
            self.end(problem)
            return False
        initial = start(problem) if start is not None and self.last is None else None
        if initial is not None:
            _warn_if_useless(initial, problem)
        floor = self.floor if self.steps else floor_of(problem)
        found = solve_once(problem, _later(stops, before), initial, self.last, more)
        self.pressed = found.keyboard_interrupt
        seconds = time.perf_counter() - step_began
        step = Step(size, found.status, found.objective, found.lower_bound, seconds)
        self.last, self.floor, self.steps = found, floor, [*self.steps, step]  # at once: Ctrl-C may come
        self.set_up = (seconds - found.stats["search_seconds"]) / max(1, size)
        for one in found.trace:
            if not self.trace or one.objective < self.trace[-1].objective:
                self.trace.append(replace(one, seconds=before + one.seconds))
        if found.is_optimal:
            self.proved = found.search_space
        enough = after is not None and after(found, size)
        beatable = found.objective > self.floor + stops.max_gap
        return beatable and not enough and found.status not in ENDS

    def end(self, status: str) -> None:
        """Something has ended the search between two prefixes."""
        assert self.last is not None
        self.last = replace(self.last, status=status, keyboard_interrupt=status == "interrupted")

    def result(self) -> Result:
        """The result of the last prefix, with the story of all."""
        assert self.last is not None
        told = {
            "seconds": time.perf_counter() - self.began,
            "steps": tuple(self.steps),
            "proved": self.proved,
            "floor": self.floor,
        }
        # What only a longer prefix could use holds the whole table: it ends here.
        stats = {**self.last.stats, **told}
        return replace(self.last, trace=tuple(self.trace), stats=stats, _continuation=None)


def _warn_if_useless(initial: Tree, problem: Problem) -> None:
    """Say so if a tree to start from breaks a limit: the solver leaves it aside."""
    if problem.core.evaluate(sketch_of(initial, problem)) is None:
        warn_outside(
            f"initial_tree (depth {initial.depth}, {initial.n_leaves} leaves on these rows) is no help: it "
            "breaks max_depth, max_leaf_nodes, min_samples_leaf or min_weight_fraction_leaf. Grow it within "
            "the same limits.",
            UserWarning,
        )


def warn_outside(message: str, category: type[Warning]) -> None:
    """Warn at the line that called the library, however deep in it this is."""
    frame, level = inspect.currentframe(), 0
    while frame is not None and frame.f_globals.get("__name__", "").split(".")[0] in _INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


def _later(stops: Stops, before: float) -> Stops:
    """The same stops, with a callback that is told the seconds of all runs together."""
    callback = stops.callback
    if callback is None:
        return stops

    def told(progress: Progress) -> bool:
        return callback(replace(progress, seconds=before + progress.seconds))

    return replace(stops, callback=told)
