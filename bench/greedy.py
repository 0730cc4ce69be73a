"""`python -m bench greedy`: our greedy classification tree beside scikit-learn's exact one, in one run.

What is measured, and how, is told in `bench.tree_contest`.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from bench import naive, tables, tree_contest
from bench.contest import Observation
from bench.measure import Span
from bench.tree_targets import CLASSIFICATION_TABLES, check_classification

HELP = "boxwood's TreeClassifier beside scikit-learn's DecisionTreeClassifier"


def make_model(library: str, threads: int, criterion: str, max_depth: int | None, seed: int) -> Any:
    """A classifier that has seen nothing yet."""
    if library == "boxwood":
        from boxwood import TreeClassifier

        return TreeClassifier(criterion=criterion, max_depth=max_depth, n_jobs=threads)
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion=criterion, max_depth=max_depth, random_state=seed)


CONTEST = tree_contest.TreeContest(
    name="greedy",
    title="The greedy tree beside scikit-learn's",
    module="bench.greedy",
    tables=tables.TABLES,
    default_tables=CLASSIFICATION_TABLES,
    criteria=("gini", "entropy"),
    quality="accuracy",
    make_model=make_model,
    score=lambda truth, answers: float(np.mean(answers == truth)),
    search=naive.ClassSearch,
    check_targets=check_classification,
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
