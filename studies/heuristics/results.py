"""From rows to what is reported: accuracies, shares of cuts, signed-rank tests.

Everything comes from the rows and the paper's figures alone, so a report can be made again without a fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from studies.harness.study import Configuration
from studies.harness.summary import Cell, Comparison, cells, compare_all
from studies.heuristics.paper import Paper, PaperRow, read_paper

PARTS = ("training", "testing")

# Each way of counting: what it counts, then the columns of the cuts that need a look and of all cuts.
SHARES = {
    "tree": ("whole trees", "n_cuts_evaluated", "n_cuts"),
    "root": ("root, between values", "root_boundary_cuts", "root_cuts"),
    "rows": ("root, between rows", "root_boundary_row_pairs", "root_row_pairs"),
}


@dataclass(frozen=True)
class Line:
    """One data set: ours, and the row of the paper beside it."""

    name: str
    title: str
    extra: bool  # not one of the nine
    accuracy: dict[tuple[str, str], Cell]  # by part and function
    shares: dict[str, float]  # of cuts that need no look, by the way of counting
    n_leaves: float
    tests: list[Comparison]  # of testing accuracies over the folds
    paper: PaperRow


@dataclass(frozen=True)
class Results:
    """All that is reported."""

    functions: dict[str, str]
    lines: list[Line]
    over_sets: list[Comparison]
    """Signed-rank tests over the nine data sets: one pair of means each."""
    over_folds: list[Comparison]
    """The same over the folds: one pair of means over the nine data sets each."""
    paper: Paper

    @property
    def nine(self) -> list[Line]:
        """The data sets of the paper's Table 3, as far as there are rows."""
        return [line for line in self.lines if not line.extra]

    def mean_accuracy(self, part: str, function: str) -> float:
        """Over the nine data sets."""
        return _mean([line.accuracy[part, function].mean for line in self.nine])

    def mean_share(self, way: str) -> float:
        """Over the nine data sets."""
        return _mean([line.shares[way] for line in self.nine])

    def distance(self, part: str) -> float:
        """The mean absolute difference to the paper's accuracies."""
        return _mean(
            [
                abs(line.accuracy[part, function].mean - line.paper.accuracy(part, function))
                for line in self.nine
                for function in self.functions
            ]
        )

    def share_distance(self, way: str) -> float:
        """The mean absolute difference to the paper's shares of non-boundary cuts."""
        return _mean([abs(line.shares[way] - line.paper.non_boundary / 100) for line in self.nine])

    def nearest_share(self) -> str:
        """The way of counting that comes nearest to the paper."""
        return min(SHARES, key=self.share_distance)


def collect(rows: Any, configuration: Configuration) -> Results:
    """Sum up the rows; data sets that lack rows of some function are left out."""
    paper, functions = read_paper(), dict(configuration["functions"])
    lines = []
    for dataset in configuration["datasets"]:
        some = rows[rows["dataset"] == dataset["name"]]
        if set(some["function"]) != set(functions):
            continue
        accuracy = {
            (part, str(function)): cell
            for part in PARTS
            for (function,), cell in cells(some, ["function"], f"{part}_accuracy").items()
        }
        folds = some.pivot(index=["repeat", "fold"], columns="function", values="testing_accuracy")
        lines.append(
            Line(
                dataset["name"],
                dataset.get("title", paper.rows[dataset["paper"]].title),
                bool(dataset.get("extra", False)),
                accuracy,
                {way: share_saved(some, way) for way in SHARES},
                float(some["n_leaves"].mean()),
                compare_all(folds, functions),
                paper.rows[dataset["paper"]],
            )
        )
    nine = rows[rows["dataset"].isin([line.name for line in lines if not line.extra])]
    return Results(
        functions,
        lines,
        compare_all(_means(nine, ["dataset"]), functions),
        compare_all(_means(nine, ["repeat", "fold"]), functions),
        paper,
    )


def share_saved(rows: Any, way: str) -> float:
    """The share of cuts that need no look; sums over fits are taken before they are divided."""
    _, looked_at, there = SHARES[way]
    cuts = float(rows[there].sum())
    return 1 - float(rows[looked_at].sum()) / cuts if cuts else 0.0


def _means(rows: Any, by: Sequence[str]) -> Any:
    """Mean testing accuracies: a column per function, a row per combination of ``by``."""
    return rows.pivot_table(index=list(by), columns="function", values="testing_accuracy", aggfunc="mean")


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if len(values) else float("nan")
