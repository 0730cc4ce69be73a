"""How a tree is learned: greedily, or as the best one of all, with a proof. `boxwood learn` chooses.

A greedy tree is there in a moment for any table, and may be as deep as it likes. The best tree of a given
depth is a search, for classes only. Without ``--method`` the rule is:

- an option that only one of them has decides for it;
- a quantity, and a table of the caller's, is learned greedily;
- the embedded table shows the best tree.
"""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any

from boxwood.cli import options
from boxwood.cli.refusal import Refusal
from boxwood.cli.report import say
from boxwood.cli.task import Task

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray
    from rich.console import Console

    from boxwood import OptimalTreeClassifier

METHODS = ("greedy", "optimal")
ONLY_GREEDY = ("criterion", "cuts", "min_samples_split", "min_impurity_decrease", "max_features", "missing")
ONLY_OPTIMAL = ("complexity", "n_thresholds", "time_limit", "memory_limit", "max_gap")
SECONDS = 60.0
DEPTH, LEAF = 3, 5
UNKNOWN = {
    "greedy": ("missing", "majority", "stop", "error"),
    "optimal": ("other", "missing", "majority", "stop", "error"),
}
WHY = {
    "time_limit": "the time limit ended the search",
    "memory_limit": "the memory limit ended the search",
    "gap": "the gap that was asked for is reached",
    "interrupted": "Ctrl-C ended the search",
    "pruned": "the tree was pruned after the search",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that only the best tree has."""
    group = parser.add_argument_group("the best tree (--method optimal)")
    group.add_argument(
        "--complexity",
        type=options.amount(0.0),
        metavar="X",
        help="what a leaf costs: the rows that it must mend (default: 0)",
    )
    group.add_argument(
        "--n-thresholds",
        type=options.thresholds,
        metavar="N",
        help='how many thresholds the tree may choose from: a number, "all", "mdl", or "grow" for more and '
        "more until all are in (default: 45)",
    )
    group.add_argument(
        "--time-limit",
        type=options.amount(0.0),
        metavar="SECONDS",
        help=f"end the search, and show the best tree so far with its gap (default: {SECONDS:g})",
    )
    group.add_argument(
        "--memory-limit", metavar="SIZE", help='memory of the search, such as "2GiB" (default: no limit)'
    )
    group.add_argument(
        "--max-gap",
        type=options.amount(0.0),
        metavar="X",
        help="end the search when the tree is this near to the best one for certain (default: 0)",
    )


def flag(name: str) -> str:
    """The option of an argument.

    >>> flag("max_gap")
    '--max-gap'
    """
    return "--" + name.replace("_", "-")


def choose_method(given: argparse.Namespace, task: Task) -> str:
    """Decide how to learn from the options and the task, or refuse what does not go together."""
    greedy = [name for name in ONLY_GREEDY if getattr(given, name) is not None]
    optimal = [name for name in ONLY_OPTIMAL if getattr(given, name) is not None]
    method: str | None = given.method
    if method is None:
        best = not greedy and not task.regression and (optimal or given.table is None)
        method = "optimal" if best else "greedy"
    strange = optimal if method == "greedy" else greedy
    if strange and task.regression and given.method is None:
        raise Refusal(
            f"{flag(strange[0])} is about the best tree, which is for classes, and the target is taken as a "
            "quantity: leave it out, or add --task classification."
        )
    if strange:
        other = "optimal" if method == "greedy" else "greedy"
        raise Refusal(f"{flag(strange[0])} belongs to --method {other}, and the method is {method}.")
    if method == "optimal" and task.regression:
        raise Refusal(
            "--method optimal learns classes, and the target is taken as a quantity: use --method greedy, or "
            "add --task classification."
        )
    if given.unknown_category is not None and given.unknown_category not in UNKNOWN[method]:
        raise Refusal(
            f"--unknown-category {given.unknown_category} belongs to --method optimal, and the method is "
            f"{method}."
        )
    return method


def optimal_estimator(given: argparse.Namespace) -> OptimalTreeClassifier:
    """The estimator that the options ask for."""
    from boxwood import OptimalTreeClassifier

    return OptimalTreeClassifier(
        max_depth=DEPTH if given.max_depth is None else given.max_depth,
        max_leaf_nodes=given.max_leaf_nodes,
        min_samples_leaf=LEAF if given.min_samples_leaf is None else given.min_samples_leaf,
        complexity=given.complexity or 0.0,
        n_thresholds=45 if given.n_thresholds is None else given.n_thresholds,
        time_limit=SECONDS if given.time_limit is None else given.time_limit,
        memory_limit=given.memory_limit,
        max_gap=given.max_gap or 0.0,
        unknown_category=given.unknown_category or "other",
        categorical_features=given.categorical or "from_dtype",
        progress=True,
        n_jobs=given.n_jobs,
    )


def fit_quietly(model: OptimalTreeClassifier, x: pl.DataFrame, labels: NDArray[Any]) -> None:
    """Fit without the warning about Ctrl-C: what is printed says it too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Ctrl-C ended the search", RuntimeWarning)
        model.fit(x, labels)


def show_proof(console: Console, model: OptimalTreeClassifier, x: pl.DataFrame, labels: NDArray[Any]) -> None:
    """Print what is known about the tree for certain, after checking it."""
    from boxwood import certify

    certify(model, x, labels)
    result = model.result_
    numbers = f"objective {result.objective:g}, lower bound {result.lower_bound:g}, gap {result.gap:g}"
    if result.is_optimal:
        say(console, f"Proof    {result.search_space}")
    else:
        say(console, f"Proof    not complete: {WHY[result.status]}", "yellow")
    say(console, f"         {numbers}; certified: the rows were routed again, and every number holds")
    if not result.is_optimal:
        searched = result.search_space.removeprefix("optimal over ")
        say(console, f"         the lower bound holds for {searched}")
        if result.stats["proved"]:
            say(console, f"         before that: {result.stats['proved']}")


def show_greedy(
    console: Console,
    model: OptimalTreeClassifier,
    parts: list[tuple[str, pl.DataFrame, NDArray[Any]]],
) -> None:
    """Print, for comparison, how right a greedy tree of the same limits is."""
    from boxwood import TreeClassifier

    if model.max_leaf_nodes == 1 or not model.max_depth:
        return
    greedy = TreeClassifier(
        max_depth=model.max_depth,
        max_leaf_nodes=model.max_leaf_nodes,
        min_samples_leaf=model.min_samples_leaf,
        categorical_features=model.categorical_features,
        n_jobs=model.n_jobs,
    )
    _, x, labels = parts[0]
    greedy.fit(x, labels)
    shares = [f"{name} accuracy {greedy.score(x, labels):.4f}" for name, x, labels in parts]
    say(console, f"Greedy   for comparison, a greedy tree of these limits: {', '.join(shares)}")
