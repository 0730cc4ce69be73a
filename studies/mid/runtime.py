"""Figures 3.6 to 3.8: does an error that is known beforehand, or the work that led to it, save time?

Whole tables, no folds, MID by entropy, at most 45 features, depth 5. An *experiment* is a way to begin:

| experiment | what is timed, at n features |
|---|---|
| `bound_for_all` | all 45 features, starting from the optimal tree on n of them (type a) |
| `bound_from_previous` | n features, starting from the optimal tree on the step before (type b) |
| `bound_from_greedy` | n features, starting from the greedy tree on the same ones (Figure 3.8) |
| `reuse` | n features, going on from the finished search on the step before |

The thesis gives DL8.5 a number; its search then returns nothing if no tree is strictly better, and the
thesis runs it again with a looser number. Ours is given the tree, which it keeps if there is no better one,
so no run is repeated. `reuse` is ours alone: only where a new feature makes a difference is searched again.

Each solve takes turns with the same one from nothing (``alone``) and with what came first (``before``: the
smaller solve, or the greedy tree), for a while; the medians of processor time count.
"""

from __future__ import annotations

import functools
import inspect
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from boxwood import TreeClassifier
from boxwood.data import make_dataset
from boxwood.optimal import Problem, Result, make_problem, solve
from boxwood.tree import Tree, TreeBuilder
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import COLOURS, INK, draw
from studies.harness.environment import read_environment
from studies.harness.report import Grid, write_csv, write_markdown
from studies.harness.study import Configuration, Key, Row, Study
from studies.mid.figures import finish
from studies.mid.paper import read_paper
from studies.mid.sources import Part, Source, cells, find_source, numbers, ranking

KEYS = ("dataset", "experiment", "features")
VALUES = ("seconds", "before", "alone", "errors", "errors_alone", "proved")
EXPERIMENTS = ("bound_for_all", "bound_from_previous", "bound_from_greedy", "reuse")
REUSES = "continued_from" in inspect.signature(solve).parameters


def tables(configuration: Configuration) -> dict[str, str]:
    """The file of each data set."""
    wanted = configuration["runtime"]["datasets"]
    return {d["name"]: d["table"] for d in configuration["datasets"] if d["name"] in wanted}


def steps(configuration: Configuration) -> list[int]:
    """The numbers of features, up to all of them.

    >>> steps({"runtime": {"features": 45, "step": 11}})
    [1, 12, 23, 34, 45]
    """
    runtime = configuration["runtime"]
    return [*range(1, runtime["features"], runtime["step"]), runtime["features"]]


def plan(configuration: Configuration) -> list[Key]:
    """All solves."""
    return [
        {"dataset": dataset, "experiment": experiment, "features": n}
        for dataset in configuration["runtime"]["datasets"]
        for experiment in EXPERIMENTS
        for n in steps(configuration)
    ]


# ---------------------------------------------------------------------------------------------------- solves


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One way to begin, on so many features, in turns with the same solve from nothing."""
    runtime = configuration["runtime"]
    case = Case(
        find_source(str(key["dataset"]), configuration, data),
        runtime["criterion"],
        runtime["depth"],
        configuration["limits"]["min_samples_leaf"],
        runtime["seconds"],
        tuple(steps(configuration)),
    )
    n, experiment = int(key["features"]), str(key["experiment"])
    problem = case.problem(case.steps[-1] if experiment == "bound_for_all" else n)
    first, begin = beginning(case, n, experiment, problem)
    calls: list[Callable[[], Any]] = [lambda: solve(problem, time_limit=case.limit), begin]
    times, (alone, result, _) = medians([*calls, first], runtime["repeat_most"], runtime["repeat_seconds"])
    return {
        "seconds": times[1],
        "before": times[2],
        "alone": times[0],
        "errors": result.errors,
        "errors_alone": alone.errors,
        "proved": int(result.is_optimal and alone.is_optimal),
    }


def beginning(
    case: Case, n: int, experiment: str, problem: Problem
) -> tuple[Callable[[], Any], Callable[[], Result]]:
    """What comes first, and the solve that begins with it."""
    start: Tree | None = None
    first: Callable[[], Any] = lambda: None  # noqa: E731
    earlier = case.before(n)
    if experiment == "bound_for_all":
        small = case.problem(n)
        first = functools.partial(solve, small, time_limit=case.limit)
        start = on_more_features(solved(case, n).tree, problem)
    elif experiment == "bound_from_greedy":
        first = functools.partial(case.greedy, n)
        start = on_more_features(case.greedy(n), problem)
    elif earlier is not None and experiment == "reuse":
        return first, functools.partial(go_on, continued(case, earlier), problem, case.limit)
    elif earlier is not None:
        start = on_more_features(solved(case, earlier).tree, problem)
    return first, functools.partial(solve, problem, time_limit=case.limit, initial_tree=start)


class Case:
    """A table with its ranked thresholds, and the limits of its trees; equal ones share their solves."""

    def __init__(
        self, source: Source, criterion: str, depth: int, least: int, limit: float, steps: tuple[int, ...]
    ) -> None:
        self.source, self.criterion, self.depth, self.least = source, criterion, depth, least
        self.limit, self.steps = limit, steps

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Case) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self.source, self.depth, self.steps))

    def before(self, n: int) -> int | None:
        """The step before, None for the first one."""
        place = self.steps.index(n)
        return self.steps[place - 1] if place else None

    def cells(self, n: int) -> tuple[Any, Any]:
        """The first n features, and the labels."""
        train, _ = numbers(Part(self.source))
        return cells(train.X, ranking(Part(self.source), f"mid_{self.criterion}")[:n]), train.y

    def problem(self, n: int) -> Problem:
        """The problem with the first n features."""
        problem = make_problem(
            make_dataset(*self.cells(n)), max_depth=self.depth, min_samples_leaf=self.least
        )
        problem.core  # noqa: B018  what is asked is made ready before the clock starts
        return problem

    def greedy(self, n: int) -> Tree:
        """The greedy tree on the first n features."""
        fitted = TreeClassifier(
            criterion=self.criterion, max_depth=self.depth, min_samples_leaf=self.least
        ).fit(*self.cells(n))
        tree: Tree = fitted.tree_
        return tree


@functools.lru_cache(maxsize=64)
def solved(case: Case, n: int) -> Result:
    """The optimal tree on n features, from nothing."""
    return solve(case.problem(n), time_limit=case.limit)


@functools.lru_cache(maxsize=64)
def continued(case: Case, n: int) -> Result:
    """The same, going on from step to step."""
    earlier = case.before(n)
    if earlier is None:
        more: dict[str, Any] = {"continuable": True} if REUSES else {}
        return solve(case.problem(n), time_limit=case.limit, **more)
    return go_on(continued(case, earlier), case.problem(n), case.limit)


def go_on(known: Result, problem: Problem, limit: float) -> Result:
    """Search on with more features; a solver that cannot reuse work gets the tree only."""
    if REUSES:
        more: dict[str, Any] = {"continued_from": known}
    else:
        more = {"initial_tree": on_more_features(known.tree, problem)}
    return solve(problem, time_limit=limit, **more)


def on_more_features(tree: Tree, problem: Problem) -> Tree:
    """The same tests on the problem's features, which begin with those of the tree."""
    assert tree.counts is not None
    builder = TreeBuilder(problem.schema, problem.classes)
    for node in range(tree.n_nodes):
        if tree.is_leaf[node]:
            builder.add_leaf(tree.counts[node], n_rows=int(tree.n_rows[node]))
        else:
            split = tree.split(node)
            assert split is not None
            builder.add_split(split, counts=tree.counts[node], n_rows=int(tree.n_rows[node]))
    for node in np.flatnonzero(~np.asarray(tree.is_leaf)):
        first = int(tree.first_child[node])
        builder.link(int(node), [first, first + 1])
    return builder.build()


def medians(calls: Sequence[Callable[[], Any]], most: int, budget: float) -> tuple[list[float], list[Any]]:
    """Median seconds of a processor of calls that take turns for a while, and their last answers."""
    times: list[list[float]] = [[] for _ in calls]
    answers: list[Any] = [None] * len(calls)
    rounds = 0
    while rounds == 0 or (rounds < most and sum(map(sum, times)) < budget * len(calls)):
        for place in range(len(calls)) if rounds % 2 == 0 else reversed(range(len(calls))):
            start = time.process_time()
            answers[place] = calls[place]()
            times[place].append(time.process_time() - start)
        rounds += 1
    return [statistics.median(one) for one in times], answers


# ----------------------------------------------------------------------------------------------------- report


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write the tables and figures, and give the text to print."""
    pictures: list[Path] = []
    parts: list[Grid | str] = [how_it_was_made(configuration)]
    for dataset in dict.fromkeys(rows["dataset"]):
        some = {
            name: group.set_index(group["features"].astype(int)).sort_index()
            for name, group in rows[rows["dataset"] == dataset].groupby("experiment")
        }
        if set(some) != set(EXPERIMENTS):
            continue
        title = read_paper().rows[dataset].title
        parts += [summary_grid(title, some), words(title, some)]
        stem = {"banknote": "figure_3_6", "iris": "figure_3_7"}.get(dataset, f"runtime_{dataset}")
        drawn = draw(lambda figure, some=some: paint(figure, some), out / stem, (12, 7.5))
        pictures += drawn
        parts.append(
            f"![{title}: run times, Figures 3.6 to 3.8]({stem}.png)" if drawn else f"{title}: {NO_FIGURE}"
        )
    write_markdown(out / "report.md", "A bound, or the work behind it", read_environment(out), parts)
    write_csv(out / "runtime.csv", rows.to_dict("records"))
    files = [out / "report.md", out / "runtime.csv", *pictures]
    shown = [part.as_text() if isinstance(part, Grid) else part for part in parts if "](" not in str(part)]
    return "\n\n".join([*shown, "written: " + ", ".join(map(str, files))])


def how_it_was_made(configuration: Configuration) -> str:
    """What was solved, in a sentence."""
    runtime = configuration["runtime"]
    reuse = (
        "`reuse` goes on from the finished search."
        if REUSES
        else "This version of the solver cannot go on from a finished search: `reuse` hands on the tree only."
    )
    return (
        f"MID by {runtime['criterion']}, 1 to {runtime['features']} features in steps of {runtime['step']}, "
        f"depth {runtime['depth']}, at least {configuration['limits']['min_samples_leaf']} rows per leaf, "
        f"the whole table, one thread. Medians of processor time. {reuse}"
    )


def summary_grid(title: str, some: dict[str, Any]) -> Grid:
    """Sums over all steps."""
    rows = []
    for name in EXPERIMENTS:
        alone, solves, before = (float(some[name][column].sum()) for column in ("alone", "seconds", "before"))
        rows.append(
            [
                name,
                f"{alone:.4f}",
                f"{solves:.4f}",
                f"{before:.4f}",
                f"{alone / solves:.2f}x" if solves else "–",
                f"{alone / (solves + before):.2f}x" if solves + before else "–",
                f"{int(some[name]['proved'].sum())} of {len(some[name])}",
            ]
        )
    header = ["experiment", "alone, s", "so, s", "what came before, s", "saves", "saves, all told", "proved"]
    return Grid(f"{title}: all steps together", header, rows, 1)


def words(title: str, some: dict[str, Any]) -> str:
    """What the sums say, beside what the thesis says; and whether all ways found the same errors."""
    wrong = [name for name in EXPERIMENTS if (some[name]["errors"] != some[name]["errors_alone"]).any()]
    agree = (
        "All ways found the same errors." if not wrong else f"Other errors than alone: {', '.join(wrong)}."
    )
    chain = float(some["reuse"]["alone"].sum() / some["reuse"]["seconds"].sum())
    return (
        f"{title}: {agree} In the thesis a bound saves no more than it costs. Ours: solving all steps one "
        f"after the other takes {chain:.2f} times as long from nothing as with the work of the step before."
    )


def paint(figure: Any, some: dict[str, Any]) -> None:
    """Four panels: type a, type b, the greedy tree's bound, reuse."""
    panels = figure.subplots(2, 2).ravel()
    for panel, name, title, label, before in (
        (panels[0], "bound_for_all", "Type a, seconds", "all features, with the bound", "the smaller solve"),
        (panels[1], "bound_from_previous", "Type b, seconds", "with the bound of the step before", ""),
        (panels[2], "bound_from_greedy", "Figure 3.8, seconds", "with the greedy tree's", "the greedy tree"),
        (panels[3], "reuse", "Ours with reuse, seconds", "with the work of the step before", ""),
    ):
        rows = some[name]
        at = np.asarray(rows.index, dtype=float)
        width = 0.8 * float(np.min(np.diff(at))) if len(at) > 1 else 0.8
        bottom = np.asarray(rows["before"], dtype=float) if before else np.zeros(len(at))
        if before:
            panel.bar(at, bottom, width, color=COLOURS[0], label=before)
        panel.bar(at, rows["seconds"], width, bottom=bottom, color=COLOURS[2], label=label)
        panel.plot(at, rows["alone"], color=INK, linewidth=1.2, label="alone")
        finish(panel, title)
        panel.legend(fontsize=8)


RUNTIME = Study(
    name="mid-runtime",
    folder=Path(__file__).parent,
    settings=("datasets", "sample", "limits", "runtime"),
    keys=KEYS,
    values=VALUES,
    tables=tables,
    plan=plan,
    fit=fit,
    report=report,
)
