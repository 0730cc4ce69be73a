"""The solvers for optimal trees, each behind the same few functions, and what one process finds out of one.

All of them get the same problem: the fewest errors on the training rows that a tree of at most some depth
makes on 0/1 features, with one row in a leaf as the least, on one thread.

* **boxwood**: `make_dataset`, `make_problem` and `solve`, all of it on the clock.
* **pystreed**: `STreeDClassifier`, whose default task is this one.
* **pydl8.5**: `DL85Classifier`. Its limit of time is in whole seconds.
* **gosdt**: `GOSDTClassifier` charges for leaves and cannot do without: the charge is so small that all
  leaves of a tree cost less than one error.

Cells are converted to the type that a solver takes without copying before the clock starts. Errors are not
what a solver says about itself: the tree answers every row, and wrong answers are counted.

*Peak memory* is what the call adds to the resident memory of its process after imports, a small warm-up and
the conversion, so the baseline is the imported library with the table in its hands.

A process may use `MEMORY` bytes of address space; a solver that wants more fails, and the report says so.
"""

from __future__ import annotations

import contextlib
import importlib.util
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from bench.measure import Span, peak_of, repeat

MEMORY = 8 * 2**30
WARM_ROWS = 40


class Observation(TypedDict):
    """What one process found out about one contestant in one case."""

    spans: list[Span]
    peak: int | None  # bytes
    table_bytes: int  # what the solver says that its table may take; 0 when it says nothing
    proved: bool
    errors: int | None  # None: no tree
    trace: list[tuple[float, float]]  # seconds and objective of each better tree; ours only
    failure: str  # "" when all went well


@dataclass(frozen=True)
class Found:
    """A model, looked at."""

    proved: bool
    answers: NDArray[Any] | None
    table_bytes: int = 0
    trace: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True)
class Solver:
    """How a library is asked."""

    name: str
    module: str
    prepare: Callable[[NDArray[np.uint8]], NDArray[Any]]
    fit: Callable[[NDArray[Any], NDArray[np.int32], int, float, int], Any]  # X, y, depth, limit, threads
    look: Callable[[Any, NDArray[Any]], Found]
    whole_seconds: bool = False

    @property
    def is_there(self) -> bool:
        """Whether the library is installed."""
        return importlib.util.find_spec(self.module) is not None


# -------------------------------------------------------------------------------------------------- libraries


def fit_boxwood(X: NDArray[Any], y: NDArray[np.int32], depth: int, limit: float, threads: int) -> Any:
    """Encode, ask, solve."""
    from boxwood.data import make_dataset
    from boxwood.optimal import make_problem, solve

    return solve(make_problem(make_dataset(X, y), max_depth=depth), time_limit=limit, n_threads=threads)


def look_boxwood(result: Any, X: NDArray[Any]) -> Found:
    """The answers of the leaves that rows are routed to."""
    from boxwood.data import encode_with

    tree = result.tree
    counts = tree.predict_counts(encode_with(tree.schema, X))
    return Found(
        result.status == "optimal",
        tree.classes[counts.argmax(axis=1)],
        int(result.stats.get("table_bytes", 0)),
        [(step.seconds, step.objective) for step in result.trace],
    )


def fit_pystreed(X: NDArray[Any], y: NDArray[np.int32], depth: int, limit: float, threads: int) -> Any:
    """A new object each time, since an old one keeps its cache."""
    from pystreed import STreeDClassifier

    return STreeDClassifier(max_depth=depth, time_limit=limit).fit(X, y)


def look_pystreed(model: Any, X: NDArray[Any]) -> Found:
    """No result means that no tree was found in time."""
    if not model.is_fitted():
        return Found(False, None)
    return Found(bool(model.fit_result.is_optimal()), model.predict(X))


def fit_pydl85(X: NDArray[Any], y: NDArray[np.int32], depth: int, limit: float, threads: int) -> Any:
    """Its limit is a whole number of seconds, and 0 means none."""
    from pydl85 import DL85Classifier

    return DL85Classifier(max_depth=depth, time_limit=max(1, math.ceil(limit))).fit(X, y)


def look_pydl85(model: Any, X: NDArray[Any]) -> Found:
    """The tree may be absent after a time-out."""
    return Found(not model.timeout_, None if model.tree_ is None else model.predict(X))


def fit_gosdt(X: NDArray[Any], y: NDArray[np.int32], depth: int, limit: float, threads: int) -> Any:
    """Fewest errors first; among trees of equally many, fewest leaves."""
    from gosdt import GOSDTClassifier

    return GOSDTClassifier(
        regularization=1 / (len(y) * (2**depth + 1)),
        allow_small_reg=True,
        depth_budget=depth,  # levels of splits, whatever its documentation says
        time_limit=max(1, math.ceil(limit)),
    ).fit(X, y)


def look_gosdt(model: Any, X: NDArray[Any]) -> Found:
    """Its own ``predict`` needs a scikit-learn of before 1.8; the tree inside does not."""
    trees = getattr(model, "trees_", [])
    proved = str(model.result_.status).rpartition(".")[2] == "CONVERGED"
    return Found(proved, np.asarray(trees[0].predict(X)).astype(np.int64) if trees else None)


SOLVERS = {
    solver.name: solver
    for solver in (
        Solver("boxwood", "boxwood", np.ascontiguousarray, fit_boxwood, look_boxwood),
        Solver("pystreed", "pystreed", lambda X: X.astype(np.intc), fit_pystreed, look_pystreed),
        Solver("pydl8.5", "pydl85", lambda X: X.astype(np.int32), fit_pydl85, look_pydl85, True),
        Solver("gosdt", "gosdt", lambda X: X.astype(bool), fit_gosdt, look_gosdt, True),
    )
}
PEERS = tuple(name for name in SOLVERS if name != "boxwood")


# --------------------------------------------------------------------------------------- in the fresh process


def observe(paths: tuple[str, str], library: str, depth: int, limit: float, threads: int) -> Observation:
    """Solve one problem, as often as a second allows, and count the errors of its tree."""
    limit_memory()
    solver = SOLVERS[library]
    cells, y = np.load(paths[0]), np.load(paths[1])
    X = solver.prepare(cells)
    with silence():
        try:
            warm = np.concatenate([np.flatnonzero(y == label)[:WARM_ROWS] for label in np.unique(y)])
            solver.fit(X[warm], np.ascontiguousarray(y[warm]), 2, 5, threads)
            peak, first, model = peak_of(partial(solver.fit, X, y, depth, limit, threads))
            found = solver.look(model, X)
            del model
            spans = [first]
            if found.proved:
                spans = repeat(partial(solver.fit, X, y, depth, limit, threads), spans)
        except Exception as error:
            return failed(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    errors = None if found.answers is None else int(np.count_nonzero(found.answers != y))
    return {
        "spans": spans,
        "peak": peak,
        "table_bytes": found.table_bytes,
        "proved": found.proved,
        "errors": errors,
        "trace": list(found.trace),
        "failure": "",
    }


def failed(why: str) -> Observation:
    """An observation of nothing."""
    return {
        "spans": [],
        "peak": None,
        "table_bytes": 0,
        "proved": False,
        "errors": None,
        "trace": [],
        "failure": why,
    }


def limit_memory() -> None:
    """Let the process fail rather than the machine."""
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """What a compiled library prints must not get between the lines of the answer, nor fill the screen."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
