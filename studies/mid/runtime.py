"""Figures 3.6 to 3.8: does an error that is known beforehand, or the work that led to it, save time?

Whole tables, no folds, MID by entropy, at most 45 features, depth 5. An *experiment* is a way to begin:

| experiment | what is timed, at n features |
|---|---|
| `alone` | nothing is known |
| `bound_for_all` | all 45 features, starting from the optimal tree on n of them (type a) |
| `bound_from_previous` | n features, starting from the optimal tree on the step before (type b) |
| `bound_from_greedy` | n features, starting from the greedy tree on the same ones (Figure 3.8) |
| `reuse` | n features, going on from the finished search on the step before |

The thesis gives DL8.5 a number; its search then returns nothing if no tree is strictly better, and the
thesis runs it again with a looser number. Ours is given the tree, which it keeps if there is no better one,
so no run is repeated. `reuse` is ours alone: only trees that use one of the new features are searched.

Each solve is repeated for a while, and the median counts. ``before`` is the time of what came first: the
smaller solve or the greedy tree.
"""

from __future__ import annotations

import functools
import inspect
import statistics
import time
from collections.abc import Callable
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
VALUES = ("seconds", "before", "errors", "proved")
EXPERIMENTS = ("alone", "bound_for_all", "bound_from_previous", "bound_from_greedy", "reuse")
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
    """One way to begin, on so many features."""
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
    timed = functools.partial(median_of, most=runtime["repeat_most"], budget=runtime["repeat_seconds"])
    problem = case.problem(case.steps[-1] if experiment == "bound_for_all" else n)
    before = 0.0
    if experiment == "alone":
        seconds, result = timed(lambda: solve(problem, time_limit=case.limit))
    elif experiment == "bound_for_all":
        before, small = timed(lambda: solve(case.problem(n), time_limit=case.limit))
        start = on_more_features(small.tree, problem)
        seconds, result = timed(lambda: solve(problem, time_limit=case.limit, initial_tree=start))
    elif experiment == "bound_from_greedy":
        before, grown = timed(lambda: case.greedy(n))
        start = on_more_features(grown, problem)
        seconds, result = timed(lambda: solve(problem, time_limit=case.limit, initial_tree=start))
    else:
        earlier = case.before(n)
        if earlier is None:
            seconds, result = timed(lambda: solve(problem, time_limit=case.limit))
        elif experiment == "reuse":
            known = continued(case, earlier)
            seconds, result = timed(lambda: go_on(known, problem, case.limit))
        else:
            start = on_more_features(solved(case, earlier).tree, problem)
            seconds, result = timed(lambda: solve(problem, time_limit=case.limit, initial_tree=start))
    return {"seconds": seconds, "before": before, "errors": result.errors, "proved": int(result.is_optimal)}


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
        return solve(case.problem(n), time_limit=case.limit)
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


def median_of(call: Callable[[], Any], most: int, budget: float) -> tuple[float, Any]:
    """Median seconds of a call, repeated for a while, and its last answer."""
    times: list[float] = []
    answer = None
    while not times or (len(times) < most and sum(times) < budget):
        start = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - start)
    return statistics.median(times), answer


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
        f"the whole table, one thread. Medians of repeated solves. {reuse}"
    )


def totals(some: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Seconds of all steps by experiment: of the solves, and with what came before them."""
    return {
        name: (float(rows["seconds"].sum()), float((rows["seconds"] + rows["before"]).sum()))
        for name, rows in some.items()
    }


def summary_grid(title: str, some: dict[str, Any]) -> Grid:
    """Sums over all steps, and the last step."""
    added = totals(some)
    alone, alone_last = added["alone"][0], float(some["alone"]["seconds"].iloc[-1])
    rows = []
    for name in EXPERIMENTS:
        last = float(some[name]["seconds"].iloc[-1])
        # Type a solves the largest problem at every step, so its baseline is that one, as often.
        base = alone_last * len(some[name]) if name == "bound_for_all" else alone
        rows.append(
            [
                name,
                f"{added[name][0]:.4f}",
                f"{added[name][1]:.4f}",
                f"{base / added[name][0]:.2f}x" if added[name][0] else "–",
                f"{base / added[name][1]:.2f}x" if added[name][1] else "–",
                f"{last:.4f}",
                f"{int(some[name]['proved'].sum())} of {len(some[name])}",
            ]
        )
    header = ["experiment", "solves, s", "with what came before, s", "saves", "saves, all told"]
    return Grid(f"{title}: all steps together", [*header, "last step, s", "proved"], rows, 1)


def words(title: str, some: dict[str, Any]) -> str:
    """What the sums say, beside what the thesis says; and whether all ways found the same errors."""
    last = some["alone"].index[-1]
    same = [
        name
        for name in ("bound_from_previous", "bound_from_greedy", "reuse")
        if (some[name]["errors"] != some["alone"]["errors"]).any()
    ]
    if (some["bound_for_all"]["errors"] != some["alone"]["errors"].loc[last]).any():
        same.append("bound_for_all")
    added = totals(some)
    chain = added["alone"][0] / added["reuse"][0]
    agree = "All ways found the same errors." if not same else f"Other errors than alone: {', '.join(same)}."
    return (
        f"{title}: {agree} In the thesis a bound saves no more than it costs. Ours: solving all steps one "
        f"after the other takes {chain:.2f} times as long from nothing as with the work of the step before."
    )


def paint(figure: Any, some: dict[str, Any]) -> None:
    """Four panels: type a, type b, the greedy tree's bound, reuse."""
    axes = figure.subplots(2, 2).ravel()
    alone = some["alone"]
    at = np.asarray(alone.index, dtype=float)
    width = 0.8 * float(np.min(np.diff(at))) if len(at) > 1 else 0.8

    def bars(panel: Any, name: str, label: str, before: str = "") -> None:
        rows = some[name]
        bottom = np.asarray(rows["before"], dtype=float)
        if before:
            panel.bar(at, bottom, width, color=COLOURS[0], label=before)
        panel.bar(at, rows["seconds"], width, bottom=bottom if before else 0.0, color=COLOURS[2], label=label)

    bars(axes[0], "bound_for_all", "all features, with the bound", "the smaller solve")
    axes[0].axhline(float(alone["seconds"].iloc[-1]), color=COLOURS[4], label="all features, alone")
    finish(axes[0], "Type a, seconds", "features of the smaller solve")
    for panel, name, label, title in (
        (axes[1], "bound_from_previous", "with the bound of the step before", "Type b, seconds"),
        (axes[3], "reuse", "with the work of the step before", "Ours with reuse, seconds"),
    ):
        bars(panel, name, label)
        panel.plot(at, alone["seconds"], color=INK, linewidth=1.2, label="alone")
        finish(panel, title)
    bars(axes[2], "bound_from_greedy", "with the greedy tree's bound", "the greedy tree")
    axes[2].plot(at, alone["seconds"], color=INK, linewidth=1.2, label="alone")
    finish(axes[2], "Figure 3.8: bound of a greedy tree, seconds")
    for panel in axes:
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
