"""`python -m bench regress`: our greedy regression tree beside scikit-learn's exact one, in one run.

What is measured, and how, is told in `bench.tree_contest`. The absolute error is measured on the small
tables only: its search is slower by nature, and scikit-learn would take hours on the large ones.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import tables, tree_contest
from bench.contest import Observation
from bench.measure import Span
from bench.naive_numbers import NumberSearch
from bench.tree_targets import REGRESSION_TABLES, check_regression

HELP = "boxwood's TreeRegressor beside scikit-learn's DecisionTreeRegressor"
LARGE = ("covertype", "synthetic")


def make_model(library: str, threads: int, criterion: str, max_depth: int | None, seed: int) -> Any:
    """A regressor that has seen nothing yet."""
    if library == "boxwood":
        from boxwood import TreeRegressor

        return TreeRegressor(criterion=criterion, max_depth=max_depth, n_jobs=threads)
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(criterion=criterion, max_depth=max_depth, random_state=seed)


def explained(truth: NDArray[np.float64], answers: NDArray[np.float64]) -> float:
    """The share of the variance that the answers explain."""
    return 1 - float(np.square(truth - answers).sum() / np.square(truth - truth.mean()).sum())


CONTEST = tree_contest.TreeContest(
    name="regress",
    title="The greedy regression tree beside scikit-learn's",
    module="bench.regress",
    tables=tables.REGRESSION_TABLES,
    default_tables=REGRESSION_TABLES,
    criteria=("squared_error", "absolute_error"),
    quality="R²",
    make_model=make_model,
    score=explained,
    search=NumberSearch,
    check_targets=check_regression,
    leaves_out=lambda table, criterion: criterion == "absolute_error" and table in LARGE,
)


def observe(**arguments: Any) -> Observation:
    """What one process finds out about one contestant."""
    return tree_contest.observe(CONTEST, **arguments)


def compare_threads(**arguments: Any) -> list[list[Span]]:
    """How long one process fits on each number of threads, in turns."""
    return tree_contest.compare_threads(CONTEST, **arguments)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    tree_contest.add_arguments(CONTEST, parser)


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    return tree_contest.run(CONTEST, given)
