"""The door to the solver: a problem in, a tree with its certificate out.

The search is in the core, in `core/optimal`: exact kernels for trees of depth three by counting every triple
of features once, a depth-first search with bounds above them, and anytime phases before the proof. The essays
there say how, with references. What holds for every run:

* there is a complete tree from the first moment, and the best one so far is handed back however the run ends;
* "optimal" means that the lower bound, in whole numbers, has met the objective, and the objective is what the
  tree costs when the rows are routed through it;
* same problem, same tree, for any number of threads and any size of the table, unless a limit, the callback
  or Ctrl-C ended the run;
* the core releases the interpreter while it works, and looks at the clock and for Ctrl-C inside its kernels.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from boxwood import _core
from boxwood.optimal.continuation import Continuation
from boxwood.optimal.problem import Problem
from boxwood.optimal.result import Improvement, Result
from boxwood.optimal.sketch import Counts, Sketch, counts_of, sketch_of, tree_of
from boxwood.tree import Tree

_MOST_BYTES: Final = 2**62
_UNITS: Final = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_MEMORY: Final = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*", re.IGNORECASE)


class SecondInterrupt(KeyboardInterrupt):
    """Ctrl-C was pressed again, after the first one had ended the search: this one is for the program."""


@dataclass(frozen=True, slots=True)
class Progress:
    """What a callback is told: seconds since the start, the best objective, the lower bound, nodes opened."""

    seconds: float
    objective: float
    lower_bound: float
    n_nodes: int = 0

    @property
    def gap(self) -> float:
        """The objective minus the lower bound."""
        return self.objective - self.lower_bound


def memory_bytes(limit: int | str | None) -> int:
    """A memory limit in bytes; 0 for none.

    >>> memory_bytes("2GiB"), memory_bytes("500 MB"), memory_bytes(None)
    (2147483648, 500000000, 0)
    """
    if limit is None:
        return 0
    if isinstance(limit, str):
        found = _MEMORY.fullmatch(limit)
        if not found:
            raise ValueError(
                f"memory_limit must be a number of bytes or text like '2GiB' or '500MB', got {limit!r}"
            )
        number, unit, binary = found.groups()
        wanted = float(number) * (1024 if binary else 1000) ** _UNITS[unit.lower()]
        return max(1, int(min(wanted, _MOST_BYTES)))
    if limit < 0:
        raise ValueError(f"memory_limit must not be negative, got {limit!r}")
    return max(1, min(int(limit), _MOST_BYTES))


def solve(
    problem: Problem,
    *,
    time_limit: float | None = None,
    memory_limit: int | str | None = None,
    max_gap: float = 0.0,
    initial_tree: Tree | None = None,
    n_threads: int = 1,
    callback: Callable[[Progress], bool] | None = None,
    tactics: _core.OptimalTactics | None = None,
    continued_from: Result | None = None,
    continuable: bool = False,
) -> Result:
    """Find the best tree, and prove it.

    Parameters
    ----------
    problem
        What is asked, see `make_problem`.
    time_limit
        Seconds; None means none. 0 gives the greedy tree, or, if making ready for it takes more than 0.1 s,
        a single leaf.
    memory_limit
        Bytes, or text like "2GiB": table and kernels are made to fit. If it is too small for any search, the
        result is the greedy tree, with the status "memory_limit".
    max_gap
        Stop as soon as the objective is within this of the lower bound, in units of the objective.
    initial_tree
        A tree on the same features to start from. One that breaks a limit of the problem is no help, and no
        harm.
    n_threads
        Threads that share the splits of the root.
    callback
        Called about twenty times a second from the calling thread; the search ends when it returns True. An
        exception that it raises ends the call.
    tactics
        Switches for measuring; none of them changes the optimum.
    continued_from
        The result of the same rows, weights, costs and limits with only the first of the problem's features:
        its tree is a start, and only parts of the rows are searched in which a new feature makes a
        difference. The answer is that of a run without it.
    continuable
        Keep what a later run with appended features can use: up to 256 MiB and the search's table of 96 MiB,
        or what `memory_limit` leaves for both.
        A run with `continued_from` always does.

    Returns
    -------
    Result
        The tree with its certificate.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem, solve
    >>> dataset = make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "yes"])
    >>> solve(make_problem(dataset, max_depth=2, complexity=0.25))
    Result(optimal, objective 0.75, 3 leaves)
    """
    if time_limit is not None and not time_limit >= 0:
        raise ValueError(f"time_limit must be a number of seconds that is not negative, got {time_limit!r}")
    if not max_gap >= 0:
        raise ValueError(f"max_gap must be a number that is not negative, got {max_gap!r}")
    if n_threads < 1:
        raise ValueError(f"n_threads must be at least 1, got {n_threads!r}")
    scale = problem.scale
    before = None if continued_from is None else continued_from._continuation
    if continued_from is not None:
        if before is None:
            raise ValueError(
                "continued_from has lost what a continued run needs (it was pickled or copied); give its "
                "tree as initial_tree"
            )
        before.check(problem)
    initial = None if initial_tree is None else sketch_of(initial_tree, problem)
    past = None if before is None else before.kept
    if before is not None and initial is None:
        initial = before.sketch

    def poll(seconds: float, objective: int, lower: int, n_nodes: int) -> bool:
        assert callback is not None
        return bool(callback(Progress(seconds, scale.real(objective), scale.real(lower), n_nodes)))

    found = _core.solve_optimally(
        problem.core,
        _core.OptimalTactics() if tactics is None else tactics,
        time_limit=-1.0 if time_limit is None or math.isinf(time_limit) else float(time_limit),
        memory_limit=memory_bytes(memory_limit),
        max_gap=scale.whole(max_gap),
        n_threads=n_threads,
        initial=initial,
        keep=continuable or continued_from is not None,
        past=past,
        poll=None if callback is None else poll,
    )
    try:
        return _result(found, problem)
    except KeyboardInterrupt as press:
        if found["keyboard_interrupt"]:
            raise SecondInterrupt from press
        raise


def _result(found: dict[str, Any], problem: Problem) -> Result:
    """What the core has found, in the words of the table."""
    scale = problem.scale
    counts = counts_of(found["tree"], problem)
    tree = tree_of(found["tree"], problem, counts)
    errors, weighted_errors = _errors(found["tree"], counts)
    stats = {"rounding": scale.rounding}
    told = ("status", "tree", "objective", "lower_bound", "trace", "kept", "keyboard_interrupt")
    return Result(
        status=found["status"],
        tree=tree,
        objective=scale.real(found["objective"]),
        lower_bound=scale.real(found["lower_bound"]),
        errors=errors,
        weighted_errors=weighted_errors,
        search_space=problem.search_space,
        stats={name: value for name, value in found.items() if name not in told} | stats,
        trace=tuple(Improvement(at, scale.real(value), scale.real(low)) for at, value, low in found["trace"]),
        keyboard_interrupt=found["keyboard_interrupt"],
        _continuation=Continuation(problem, found["tree"], found["kept"]),
    )


def _errors(sketch: Sketch, counts: Counts) -> tuple[int, float]:
    """Rows that the sketch answers wrongly, and their weight."""
    weights, rows = (count.copy() for count in counts)
    answer = np.array(sketch[3])
    leaves = np.flatnonzero(answer >= 0)
    for count in (weights, rows):
        count[leaves, answer[leaves]] = 0
    return int(rows[leaves].sum()), float(weights[leaves].sum())
