"""The thesis's heat maps, drawn from our rows: Figures 6.1, 6.3, 6.4, 6.5 and 6.6.

The thesis's own are pictures without numbers. Its scikit-learn rows are our `TreeClassifier` here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from studies.harness.heatmap import HeatMap
from studies.pruning.experiment import BOXWOOD, C45, J48
from studies.pruning.results import Results


@dataclass(frozen=True)
class Figure:
    """One heat map: configurations down, data sets across."""

    stem: str
    title: str
    needs_j48: bool
    value: Callable[[Results, str, str], float]
    show: Callable[[float], str]
    colour: Callable[[float], float] = lambda value: value

    def is_there(self, results: Results) -> bool:
        """Whether there are rows for it."""
        return results.there(J48) or not self.needs_j48

    def heat(self, results: Results) -> HeatMap:
        """What is drawn."""
        return HeatMap(
            self.title,
            results.configurations,
            results.datasets,
            [[self.value(results, name, way) for name in results.datasets] for way in results.configurations],
            self.show,
            self.colour,
            self.needs_j48,
        )


def signed(value: float) -> str:
    """A whole difference, with its sign."""
    return f"{value:+.0f}" if round(value) else "0"


def half_logarithm(value: float) -> float:
    """The logarithm of large differences, with their sign; small ones as they are."""
    return math.copysign(math.log1p(abs(value)), value)


def difference(learner: str, value: str, scale: float = 1.0) -> Callable[[Results, str, str], float]:
    """Ours minus J48's."""
    return lambda results, name, way: scale * results.against_j48(name, learner, way, value).mean_difference


FIGURES = (
    Figure(
        "figure_6_1",
        "Figure 6.1: size, per cent of the unpruned tree",
        False,
        lambda results, name, way: 100 * results.kept(name, BOXWOOD, way),
        lambda value: f"{value:.0f}",
    ),
    Figure(
        "figure_6_3",
        "Figure 6.3: nodes, ours (information gain) minus J48",
        True,
        difference(BOXWOOD, "n_nodes"),
        signed,
        half_logarithm,
    ),
    Figure(
        "figure_6_3_c45",
        "Figure 6.3 with C45Classifier: nodes, ours minus J48",
        True,
        difference(C45, "n_nodes"),
        lambda value: f"{value:+.1f}" if abs(value) >= 0.05 else "0",
        half_logarithm,
    ),
    Figure(
        "figure_6_4",
        "Figure 6.4: accuracy, per cent",
        False,
        lambda results, name, way: 100 * results.mean(name, BOXWOOD, way, "accuracy"),
        lambda value: f"{value:.1f}",
    ),
    Figure(
        "figure_6_5",
        "Figure 6.5: accuracy, ours (information gain) minus J48, percentage points",
        True,
        difference(BOXWOOD, "accuracy", 100),
        lambda value: f"{value:+.1f}" if abs(value) >= 0.05 else "0",
    ),
    Figure(
        "figure_6_5_c45",
        "Figure 6.5 with C45Classifier: accuracy, ours minus J48, percentage points",
        True,
        difference(C45, "accuracy", 100),
        lambda value: f"{value:+.1f}" if abs(value) >= 0.05 else "0",
    ),
    Figure(
        "figure_6_6",
        "Figure 6.6: milliseconds of fitting",
        False,
        lambda results, name, way: 1000 * results.mean(name, BOXWOOD, way, "fit_seconds"),
        lambda value: f"{value:.1f}" if value < 100 else f"{value:.0f}",
        lambda value: math.log10(max(value, 1e-3)),
    ),
)
