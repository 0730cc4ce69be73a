"""From rows to what is reported: means, differences from J48 on the same folds, and corrected t-tests.

Everything comes from the rows and the thesis's figures alone, so a report can be made again without a fit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from studies.harness.paired import Paired, corrected_t
from studies.harness.study import Configuration
from studies.pruning.experiment import J48, LEARNERS, NONE
from studies.pruning.paper import Paper, read_paper

FOLD = ["repeat", "fold"]
Point = tuple[str, str, str]  # data set, learner, configuration


@dataclass(frozen=True, eq=False)
class Results:
    """All that is reported."""

    frames: dict[Point, Any]
    """The rows of one point, one per fold, with repeat and fold as index."""
    datasets: list[str]
    configurations: list[str]
    encodings: list[str]
    test_over_train: float
    paper: Paper

    def there(self, learner: str) -> bool:
        """Whether a learner has any rows."""
        return any(name == learner for _, name, _ in self.frames)

    def learners(self) -> list[str]:
        """Those with rows."""
        return [learner for learner in LEARNERS if self.there(learner)]

    def mean(self, dataset: str, learner: str, configuration: str, value: str) -> float:
        """The mean over all folds; nan where there are no rows."""
        frame = self.frames.get((dataset, learner, configuration))
        return math.nan if frame is None else float(frame[value].mean())

    def kept(self, dataset: str, learner: str, configuration: str) -> float:
        """Figure 6.1: the size as a share of the unpruned tree's."""
        return self.mean(dataset, learner, configuration, "n_nodes") / self.mean(
            dataset, learner, NONE, "n_nodes"
        )

    def pairs(self, first: Point, second: Point, value: str) -> tuple[Any, Any] | None:
        """The values of two points on the folds that both have; None when there are none."""
        left, right = self.frames.get(first), self.frames.get(second)
        if left is None or right is None:
            return None
        folds = left.index.intersection(right.index)
        return (left.loc[folds, value], right.loc[folds, value]) if len(folds) else None

    def test(self, first: Point, second: Point, value: str = "accuracy") -> Paired:
        """The corrected t-test of two points; no pairs where one has no rows."""
        found = self.pairs(first, second, value)
        if found is None:
            return Paired(0, math.nan, math.nan, math.nan)
        return corrected_t(*found, self.test_over_train)

    def against_j48(self, dataset: str, learner: str, configuration: str, value: str) -> Paired:
        """Ours minus J48's, on the same folds."""
        return self.test((dataset, learner, configuration), (dataset, J48, configuration), value)

    def same_trees(self, dataset: str, learner: str, configuration: str) -> tuple[int, int]:
        """On how many folds we have as many leaves as J48 and the same accuracy, and of how many."""
        ours, theirs = (dataset, learner, configuration), (dataset, J48, configuration)
        leaves, right = self.pairs(ours, theirs, "n_leaves"), self.pairs(ours, theirs, "accuracy")
        if leaves is None or right is None:
            return 0, 0
        alike = (leaves[0] == leaves[1]) & ((right[0] - right[1]).abs() < 1e-9)
        return int(alike.sum()), len(alike)


def collect(rows: Any, configuration: Configuration) -> Results:
    """Put rows and the thesis's figures together."""
    frames = {
        (str(dataset), str(learner), str(name)): group.set_index(FOLD)
        for (dataset, learner, name), group in rows.groupby(
            ["dataset", "learner", "configuration"], sort=False
        )
    }
    there = {dataset for dataset, _, _ in frames}
    return Results(
        frames,
        [about["name"] for about in configuration["datasets"] if about["name"] in there],
        [way["name"] for way in configuration["configurations"]],
        [way["name"] for way in configuration["encodings"]],
        1 / (configuration["validation"]["folds"] - 1),
        read_paper(),
    )
