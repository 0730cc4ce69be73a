"""From rows to what is reported: the three tables, and why a training accuracy falls short of the thesis's.

Everything comes from the rows and the thesis's figures alone, so a report can be made again without a fit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from studies.harness.study import Configuration
from studies.harness.summary import Cell, summarise
from studies.mid.experiment import BY_PREFIX, DISCRETISERS, EVERY, ONCE, OWN, VALUES
from studies.mid.paper import Paper, PaperRow, read_paper

PIPELINES = (*BY_PREFIX, *ONCE)
OPTIMAL_BY_MID = ("mid_gini", "mid_entropy")
ROUNDING = 0.005  # per cent; the thesis prints two digits
APART = 2.0  # per cent; so much farther apart than ours, training and testing are not of one experiment
Point = tuple[str, int, str, str]  # dataset, depth, pipeline, features


@dataclass(frozen=True)
class Summary:
    """One tree per fold: means over the folds."""

    n_features: float
    training: Cell
    testing: Cell
    seconds: float
    proved: float  # share of folds
    features_used: float
    n_leaves: float


@dataclass(frozen=True)
class Shortfall:
    """One cell of Table 3.1 beside the thesis's: per cent, and the reasons when ours is the smaller one."""

    dataset: str
    discretiser: str
    pipeline: str
    ours: Cell
    n_features: float
    thesis: float
    thesis_features: float
    proved: bool
    reasons: tuple[str, ...]

    @property
    def at_least(self) -> bool:
        """Whether ours is at least the thesis's."""
        return 100 * self.ours.mean >= self.thesis - ROUNDING

    @property
    def comparable(self) -> bool:
        """Whether every fold is proved, on (nearly) as many features as the thesis has."""
        return self.proved and abs(self.n_features - self.thesis_features) <= 0.5


@dataclass(frozen=True)
class Results:
    """All that is reported."""

    points: dict[Point, Summary]
    datasets: list[str]
    depths: list[int]
    features: list[int]
    paper: Paper

    def row(self, dataset: str) -> PaperRow:
        """What the thesis prints of a data set."""
        return self.paper.rows[dataset]

    def at(self, dataset: str, depth: int, pipeline: str, features: int | str = OWN) -> Summary | None:
        """The summary of one point, None where there are no rows."""
        return self.points.get((dataset, depth, pipeline, str(features)))

    def curve(self, dataset: str, depth: int, pipeline: str) -> list[Summary]:
        """A pipeline by the number of its features; one point for those without a choice."""
        found = [
            summary
            for (name, level, which, _), summary in self.points.items()
            if (name, level, which) == (dataset, depth, pipeline)
        ]
        return sorted(found, key=lambda summary: summary.n_features)

    def at_most(self, dataset: str, depth: int, pipeline: str) -> Summary | None:
        """Table 3.2: with 45 features (or as many as were asked for at most), or the only point."""
        return self.at(dataset, depth, pipeline, max(self.features) if pipeline in BY_PREFIX else OWN)

    def best(self, dataset: str, depth: int, pipeline: str) -> Summary | None:
        """Table 3.3: the number of features with the highest testing accuracy."""
        if pipeline not in BY_PREFIX:
            return self.at(dataset, depth, pipeline)
        found = [self.at(dataset, depth, pipeline, n) for n in self.features]
        there = [summary for summary in found if summary is not None]
        return max(there, key=lambda summary: summary.testing.mean, default=None)

    def wins(self, of: Any) -> tuple[int, int]:
        """In how many cells MID before the optimal learner has the highest accuracy, alone or not."""
        won = total = 0
        for dataset in self.datasets:
            for depth in self.depths:
                found = {p: of(dataset, depth, p) for p in PIPELINES}
                there = {p: round(s.testing.mean, 6) for p, s in found.items() if s is not None}
                if len(there) == len(PIPELINES):
                    total += 1
                    won += max(there.values()) in [there[p] for p in OPTIMAL_BY_MID]
        return won, total


def collect(rows: Any, configuration: Configuration) -> Results:
    """Sum up the rows: all of them, whatever part of the study the last command asked for."""
    points: dict[Point, Summary] = {}
    for (dataset, depth, pipeline, features), some in rows.groupby(
        ["dataset", "depth", "pipeline", "features"], sort=False
    ):
        means = some[list(VALUES)].mean()
        points[dataset, int(depth), pipeline, features] = Summary(
            float(means["n_features"]),
            summarise(some["training_accuracy"]),
            summarise(some["testing_accuracy"]),
            float(means["seconds"]),
            float(means["proved"]),
            float(means["features_used"]),
            float(means["n_leaves"]),
        )
    there = {dataset for dataset, _, _, _ in points}
    names = [about["name"] for about in configuration["datasets"]]
    prefixes = {(depth, int(n)) for _, depth, _, n in points if n.isdecimal()}
    return Results(
        points,
        [name for name in names if name in there],
        sorted({depth for depth, _ in prefixes}),
        sorted({n for _, n in prefixes}) or list(configuration["plan"]["features"]),
        read_paper(),
    )


# -------------------------------------------------------------------------------------------------- Table 3.1


def shortfalls(results: Results, configuration: Configuration) -> list[Shortfall]:
    """Every training accuracy of Table 3.1 beside the thesis's."""
    depth = configuration["plan"]["table_1_depth"]
    sampled = configuration["sample"]["rows"]
    found = []
    for dataset in results.datasets:
        ceiling = results.at(dataset, depth, EVERY)
        for discretiser in DISCRETISERS:
            printed = results.row(dataset).printed(discretiser)
            apart = distances(results, dataset, depth, discretiser)
            for pipeline, thesis in (
                (discretiser, printed.accuracy),
                (f"mid_as_{discretiser}", printed.mid),
                (f"mid_thesis_{discretiser}", printed.mid),
            ):
                summary = results.at(dataset, depth, pipeline)
                if summary is None:
                    continue
                found.append(
                    Shortfall(
                        dataset,
                        discretiser,
                        pipeline,
                        summary.training,
                        summary.n_features,
                        thesis,
                        printed.features,
                        summary.proved == 1,
                        reasons(summary, thesis, printed.features, ceiling, sampled, apart),
                    )
                )
    return found


def distances(results: Results, dataset: str, depth: int, discretiser: str) -> tuple[float, float]:
    """How far training and testing accuracy are apart with a discretiser, in ours and in the thesis."""
    summary = results.at(dataset, depth, discretiser)
    tested = results.row(dataset).at_45.get((depth, discretiser))
    if summary is None or tested is None:
        return math.nan, math.nan
    ours = 100 * (summary.training.mean - summary.testing.mean)
    return ours, results.row(dataset).printed(discretiser).accuracy - tested


def reasons(
    summary: Summary,
    thesis: float,
    thesis_features: float,
    ceiling: Summary | None,
    sampled: int,
    apart: tuple[float, float] = (math.nan, math.nan),
) -> tuple[str, ...]:
    """Why ours is smaller than the thesis's, as far as the rows tell; empty when it is not.

    ``apart`` is how far training and testing accuracy are apart, in ours and in the thesis. On large tables a
    tree of depth 3 does not learn rows by heart, so a thesis that has points between the two, where ours has
    none, does not tell of the same rows or trees in its Tables 3.1 and 3.2.

    Folds are drawn at random, by us and by the thesis. Two standard errors of a difference of two means, with
    our standard deviation for both, is what other folds may explain.
    """
    missing = thesis - ROUNDING - 100 * summary.training.mean
    if missing <= 0:
        return ()
    found = []
    if sampled:
        found.append(f"a sample of {sampled:,} rows")
    if summary.proved < 1:
        found.append(f"{1 - summary.proved:.0%} of the folds not proved in time")
    if summary.n_features < thesis_features - 0.5:
        found.append(f"{summary.n_features:.1f} features, the thesis has {thesis_features:.1f}")
    if ceiling is not None and ceiling.proved == 1 and 100 * ceiling.training.mean < thesis - ROUNDING:
        found.append(
            f"no tree of this depth reaches it: with every threshold the proved optimum is "
            f"{100 * ceiling.training.mean:.2f}"
        )
    if apart[1] > apart[0] + APART:
        found.append(
            f"the thesis's own testing accuracy is {apart[1]:.2f} below its training accuracy, ours "
            f"{apart[0]:.2f}"
        )
    n = summary.training.n
    if n > 1:
        noise = 2 * math.sqrt(2 / n) * 100 * summary.training.sd
        if missing <= noise:
            found.append(f"other folds: {missing:.2f} missing, {noise:.2f} is two standard errors")
    return tuple(found)


def unexplained(found: Sequence[Shortfall]) -> list[Shortfall]:
    """Shortfalls without any reason."""
    return [one for one in found if not one.at_least and not one.reasons]
