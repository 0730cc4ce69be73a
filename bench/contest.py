"""What a contest between ours and a peer found out: contestants, cases, observations, medians, ratios.

A case is one row of a report: a table, a criterion, a limit of depth. In every case each contestant (a
library on a number of threads) is observed several times, each time in a process of its own. Ratios are
the peer's time over ours, so that larger is better.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from bench.measure import Span, median


class Observation(TypedDict):
    """What one process found out about one contestant."""

    fit: list[Span]
    predict: list[Span]
    peak: int | None  # bytes
    leaves: int
    depth: int
    quality: float  # on the training table: accuracy, or the share of variance explained
    digest: str
    verdict: dict[str, Any] | None


@dataclass(frozen=True)
class Contestant:
    """A library on a number of threads."""

    library: str
    threads: int

    def __str__(self) -> str:
        return self.library if self == THEIRS else f"{self.library} {on_threads(self.threads)}"


THEIRS = Contestant("scikit-learn", 1)
MOST_STOLEN = 0.02  # of the time of two fits that are compared


@dataclass(frozen=True)
class Case:
    """One row of the report: a table, a criterion, a limit of depth."""

    table: str
    criterion: str
    max_depth: int | None

    @property
    def depth(self) -> str:
        """The limit, for people."""
        return "unlimited" if self.max_depth is None else str(self.max_depth)

    def __str__(self) -> str:
        return f"{self.table}, {self.criterion}, depth {self.depth}"


@dataclass(frozen=True, eq=False)
class Result:
    """All that was observed in one case."""

    case: Case
    shape: str
    is_large: bool
    table_bytes: int
    observed: dict[Contestant, list[Observation]]
    quality_name: str = "accuracy"
    # Our fits on one thread and on so many, one right after the other.
    side_by_side: Mapping[int, Sequence[tuple[Span, Span]]] = field(default_factory=dict)

    @property
    def ours(self) -> list[Contestant]:
        """Our contestants, fewest threads first."""
        return sorted((one for one in self.observed if one != THEIRS), key=lambda one: one.threads)

    def with_threads(self, threads: int) -> Contestant | None:
        """Our contestant with that many threads."""
        return next((one for one in self.ours if one.threads == threads), None)

    def fit(self, one: Contestant | None) -> float:
        """Median seconds of a fit."""
        return median([span.wall for seen in self._seen(one) for span in seen["fit"]])

    def fit_cpu(self, one: Contestant | None) -> float:
        """Median seconds of processors of a fit."""
        return median([span.cpu for seen in self._seen(one) for span in seen["fit"]])

    def predict(self, one: Contestant | None) -> float:
        """Median seconds of predicting the training table."""
        return median([span.wall for seen in self._seen(one) for span in seen["predict"]])

    def predict_cpu(self, one: Contestant | None) -> float:
        """Median seconds of processors of predicting the training table."""
        return median([span.cpu for seen in self._seen(one) for span in seen["predict"]])

    def memory(self, one: Contestant | None) -> float:
        """Median peak of a fit, in multiples of the table."""
        peaks = [seen["peak"] for seen in self._seen(one)]
        return median([peak / self.table_bytes for peak in peaks if peak is not None])

    def leaves(self, one: Contestant) -> float:
        """Median number of leaves."""
        return median([seen["leaves"] for seen in self._seen(one)])

    def depth(self, one: Contestant) -> float:
        """Median depth."""
        return median([seen["depth"] for seen in self._seen(one)])

    def quality(self, one: Contestant) -> float:
        """Median quality on the training table."""
        return median([seen["quality"] for seen in self._seen(one)])

    def fit_ratio(self, threads: int) -> float:
        """How many times faster our fit is than scikit-learn's."""
        return over(self.fit(THEIRS), self.fit(self.with_threads(threads)))

    def predict_ratio(self, threads: int) -> float:
        """How many times faster our predict is than scikit-learn's."""
        return over(self.predict(THEIRS), self.predict(self.with_threads(threads)))

    def fit_cpu_ratio(self, threads: int) -> float:
        """The same for fit by processor time, which other programs touch less."""
        return over(self.fit_cpu(THEIRS), self.fit_cpu(self.with_threads(threads)))

    def predict_cpu_ratio(self, threads: int) -> float:
        """The same for predict by processor time."""
        return over(self.predict_cpu(THEIRS), self.predict_cpu(self.with_threads(threads)))

    def gain_of_threads(self, threads: int) -> float:
        """How many times faster our fit is than on one thread: the median over fits side by side.

        A machine in company may be half as fast a minute later; two fits in a row mostly have the same one.
        Where a virtual machine lost a processor for a moment, all threads waited for the one that ran on it:
        pairs in which that took more than two per cent of the time do not count, unless few are left.
        """
        pairs = sorted(self.side_by_side.get(threads, ()), key=stolen_share)
        quiet = [pair for pair in pairs if stolen_share(pair) <= MOST_STOLEN]
        return median([over(one.wall, more.wall) for one, more in (quiet if len(quiet) >= 3 else pairs[:3])])

    def undisturbed(self) -> float:
        """The share of a processor that fits on one thread had; 1 when nothing else ran."""
        spans = [
            span
            for one in self.observed
            if one.threads == 1
            for seen in self.observed[one]
            for span in seen["fit"]
        ]
        return over(sum(span.cpu for span in spans), sum(span.wall for span in spans))

    def verdict(self) -> dict[str, Any] | None:
        """What the naive search found."""
        return next((s["verdict"] for one in self.ours for s in self.observed[one] if s["verdict"]), None)

    def n_trees(self) -> int:
        """How many different trees we grew; there should be one."""
        return len({seen["digest"] for one in self.ours for seen in self.observed[one]})

    def _seen(self, one: Contestant | None) -> list[Observation]:
        return [] if one is None else self.observed[one]


def stolen_share(spans: Sequence[Span]) -> float:
    """The share of their time on the clock for which processors were taken away."""
    return over(sum(span.stolen for span in spans), sum(span.wall for span in spans))


def over(numerator: float, denominator: float) -> float:
    """A ratio; NaN over nothing, as when a clock is too coarse to see a short call."""
    return numerator / denominator if denominator else math.nan


def on_threads(number: int) -> str:
    """Write a number of threads."""
    return "1 thread" if number == 1 else f"{number} threads"
