"""All thresholds of a table, best first.

The problem: which N thresholds, of all columns together, say most about the class, so that those for
N - 1 are among those for N? The idea, MID: cut each column again and again, every time where its impurity
falls most given the cuts that it has already, and merge the columns' lists by comparing their heads.

A cut changes nothing outside the interval that it divides. So each column keeps a heap of its intervals
with the best cut of each; the best of these comes next, and its two halves are scanned. That gives the
list that trying every remaining cut at every step would give, in near-linear instead of quadratic time. It
is done in the core for entropy and Gini (``core/discretize/ranking.hpp`` has the details), and here, with
whole intervals at a time in numpy, for every other concave criterion, a user's function among them.

Invariants:

- the ranking for n thresholds is the beginning of the ranking for more;
- gains are whole multiples of one unit, 2**-40 of the least power of two above the largest impurity (that
  of the whole table, where the largest is not known: no gain of a concave impurity exceeds it), so that gains
  which are equal come out equal, in any order of the rows; equal ones go to the lowest column, then to the
  lowest threshold;
- rows without a value count as an interval of their own: the gain is the fall of the impurity over *all*
  rows, and comparable between columns;
- within one column gains need not fall, because a cut can make a better one possible; the merge keeps each
  column's own order;
- boundary points come first; if asked, the other value changes follow with gain 0, in the order of column
  and threshold. For the splits of a single node boundary points suffice, for an optimal tree they do not.

Reference: A. Dal Maso, MID: a new strategy for learning optimal decision trees on continuous data (thesis,
2024), Algorithm 4. Its caches hold the entropy of an interval where the formulas in the text need it
weighted by the interval's share of the rows; the formulas are followed here.
"""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.criteria import CRITERIA, Criterion
from boxwood.data import Dataset
from boxwood.data.encode import infinite_cell
from boxwood.discretize.description_length import is_worth_describing
from boxwood.search.numeric import ValueTable, boundary_points, midpoint, value_table

Refusal: TypeAlias = Literal["ignored", "list", "interval"]
"""What a cut that the MDL test refuses means: nothing, the end of its column's list, or that its interval
stays whole."""

THRESHOLD = np.dtype([("feature", np.int32), ("threshold", np.float64), ("gain", np.float64)])
"""One entry of a ranking: the number of the column, ``x <= threshold``, and what the cut gains."""

GRID_BITS = 40
BYTES_PER_CELL = 56
"""What the core needs, at most, for a cell of a column while it ranks."""
IN_CORE = ("entropy", "gini")


@dataclass(frozen=True, slots=True)
class Pace:
    """How much a ranking may take: threads, seconds and bytes (None: as many as it needs).

    When the time is over, what was ranked so far is handed back. Ctrl-C is an error, unless it is to end the
    ranking in the same way. Where all columns do not fit the memory at once, they are ranked a few at a time,
    with the same result.
    """

    n_threads: int = 1
    time_limit: float | None = None
    keep_on_interrupt: bool = False
    memory_limit: int | None = None


PATIENT = Pace()
"""One thread, and all the time it needs."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """A ranked list of thresholds.

    Parameters
    ----------
    thresholds
        A structured array (`THRESHOLD`), best first.
    n_value_changes
        The number of all cuts that there are, ranked or not: neighbouring distinct values in all numeric
        columns.
    stopped
        What ended the ranking before all was ranked: "time", "interrupt", or "" for nothing.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> ranking = rank_thresholds(make_dataset([[1.0], [2.0], [4.0]], [0, 1, 1]))
    >>> ranking.thresholds["threshold"], ranking.complete
    (array([1.5, 3. ]), True)
    """

    thresholds: NDArray[Any]
    n_value_changes: int
    stopped: str = ""

    @property
    def complete(self) -> bool:
        """Whether every value change is in it."""
        return not self.stopped and len(self.thresholds) == self.n_value_changes


def as_thresholds(features: Any, thresholds: Any, gains: Any) -> NDArray[Any]:
    """A structured array of thresholds.

    >>> as_thresholds([0], [1.5], [0.25])
    array([(0, 1.5, 0.25)],
          dtype=[('feature', '<i4'), ('threshold', '<f8'), ('gain', '<f8')])
    """
    found = np.empty(len(thresholds), dtype=THRESHOLD)
    found["feature"], found["threshold"], found["gain"] = features, thresholds, gains
    return found


def numeric_columns(dataset: Dataset) -> list[int]:
    """The positions of the numeric columns.

    >>> from boxwood.data import make_dataset
    >>> numeric_columns(make_dataset({"colour": ["red", "blue"], "size": [1, 2]}, [0, 1]))
    [1]
    """
    return [place for place, column in enumerate(dataset.schema) if not column.is_categorical]


@contextmanager
def naming_infinity(dataset: Dataset) -> Iterator[None]:
    """Turn the core's refusal of an infinite number into the error that names its cell."""
    try:
        yield
    except ValueError as error:
        raise infinite_cell(dataset.schema, dataset.columns, dataset.rows) or error from None


def rank_thresholds(
    dataset: Dataset,
    criterion: Criterion = CRITERIA["entropy"],
    *,
    limit: int | None = None,
    refusal: Refusal = "ignored",
    others: bool = True,
    pace: Pace = PATIENT,
) -> Ranking:
    """Rank the thresholds of a table.

    Parameters
    ----------
    dataset
        The table. Infinite numbers in it are refused here, if they were not before.
    criterion
        How impure an interval is; must be concave.
    limit
        How many thresholds are wanted; None for all.
    refusal
        What to do about cuts that the MDL test refuses.
    others
        Go on, after the last boundary point, with the other value changes.
    pace
        Threads, and what may end the ranking early.

    Returns
    -------
    Ranking
        The thresholds, best first.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> rank_thresholds(dataset).thresholds.tolist()
    [(0, 2.5, 1.0), (0, 1.5, 0.0), (0, 3.5, 0.0)]
    """
    places = np.array(numeric_columns(dataset), dtype=np.int32)
    if not any(criterion is CRITERIA[name] for name in IN_CORE):
        return _ranked_here(dataset, places, criterion, limit, refusal, others, pace)
    scale = grid_scale(criterion, dataset)
    target = dataset.target.astype(np.int32, copy=False)

    def in_core(places: NDArray[np.int32], others: bool, pace: Pace) -> Ranking:
        with naming_infinity(dataset):
            found = _core.rank_thresholds(
                [dataset.columns[place] for place in places],
                target,
                dataset.n_classes,
                None if dataset.unit_weights else dataset.weights,
                criterion=criterion.name,
                scale=scale,
                refusal=refusal,
                others=others,
                limit=-1 if limit is None else limit,
                n_threads=pace.n_threads,
                time_limit=-1.0 if pace.time_limit is None else pace.time_limit,
                keep_on_interrupt=pace.keep_on_interrupt,
            )
        features = places[found["feature"]] if len(places) else found["feature"]
        stopped = ("interrupt" if found["keyboard_interrupt"] else "time") if found["stopped"] else ""
        return Ranking(as_thresholds(features, found["threshold"], found["gain"]), found["n_cuts"], stopped)

    if pace.memory_limit is not None and limit is not None:
        together = max(1, pace.memory_limit // (BYTES_PER_CELL * max(1, dataset.n_rows)))
        if together < len(places):
            parts = [places[first : first + together] for first in range(0, len(places), together)]
            return _ranked_in_parts(parts, limit, others, pace, in_core)
    return in_core(places, others, pace)


def _ranked_in_parts(
    parts: list[NDArray[np.int32]],
    limit: int,
    others: bool,
    pace: Pace,
    rank: Callable[[NDArray[np.int32], bool, Pace], Ranking],
) -> Ranking:
    """The ranking of all columns from those of a few columns each: their lists merged by their heads."""
    deadline = math.inf if pace.time_limit is None else time.perf_counter() + pace.time_limit

    def left() -> Pace:
        seconds = None if math.isinf(deadline) else max(0.0, deadline - time.perf_counter())
        return replace(pace, time_limit=seconds)

    lists: list[NDArray[Any]] = []
    n_value_changes, stopped = 0, ""
    for part in parts:
        found = rank(part, False, left())
        lists.append(found.thresholds)
        n_value_changes += found.n_value_changes
        stopped = found.stopped
        if stopped:
            break
    heads = [(-float(one["gain"][0]), number, 0) for number, one in enumerate(lists) if len(one)]
    heapq.heapify(heads)
    order: list[tuple[int, int]] = []
    while heads and len(order) < limit:
        _, number, at = heapq.heappop(heads)
        order.append((number, at))
        if at + 1 < len(lists[number]):
            heapq.heappush(heads, (-float(lists[number]["gain"][at + 1]), number, at + 1))
    merged = [lists[number][at : at + 1] for number, at in order]
    for part, known in zip(parts, lists, strict=False):
        missing = limit - sum(map(len, merged))
        if stopped or not others or missing <= 0:
            break
        rest = rank(part, True, left())  # boundary points first: all of them, since all were taken in
        stopped = rest.stopped
        merged.append(rest.thresholds[len(known) : len(known) + missing])
    return Ranking(np.concatenate([np.empty(0, dtype=THRESHOLD), *merged]), n_value_changes, stopped)


Found = TypeVar("Found")


def by_column(
    places: Sequence[int], pace: Pace, learn: Callable[[int], Found], expected: float = 0.0
) -> tuple[list[Found], str]:
    """What is learned from each column, as long as there is time for one more; and what ended it, or "".

    How many seconds the first will take must be told (`expected`); a tenth of a second more is forgiven.

    >>> by_column([3, 5], Pace(time_limit=0.0), lambda place: place + 1)
    ([4], 'time')
    >>> by_column([3, 5], Pace(time_limit=0.0), lambda place: place + 1, expected=2.0)
    ([], 'time')
    """
    deadline = math.inf if pace.time_limit is None else time.perf_counter() + pace.time_limit
    found: list[Found] = []
    longest = max(0.0, expected - 0.1)
    try:
        for place in places:
            began = time.perf_counter()
            if longest and began + longest > deadline:
                return found, "time"
            found.append(learn(place))
            longest = time.perf_counter() - began
    except KeyboardInterrupt:
        if not pace.keep_on_interrupt:
            raise
        return found, "interrupt"
    return found, ""


def _ranked_here(
    dataset: Dataset,
    places: NDArray[np.int32],
    criterion: Criterion,
    limit: int | None,
    refusal: Refusal,
    others: bool,
    pace: Pace,
) -> Ranking:
    """The same for a criterion that the core does not know; on one thread."""
    infinite = infinite_cell(dataset.schema, dataset.columns, dataset.rows)
    if infinite is not None:
        raise infinite
    deadline = math.inf if pace.time_limit is None else time.perf_counter() + pace.time_limit
    lists: list[_Column] = []
    stopped = ""
    try:
        for place in places:
            lists.append(_Column(dataset, dataset.columns[place], criterion, refusal, limit, deadline))
            if time.perf_counter() > deadline:
                stopped = "time"
                break
    except KeyboardInterrupt:
        if not pace.keep_on_interrupt:
            raise
        stopped = "interrupt"
    entries = _merged(lists, limit, others and not stopped)
    rows = [(places[entry[0]], entry[1], entry[2]) for entry in entries]
    n_value_changes = sum(len(one.table.values[1:]) for one in lists)
    return Ranking(np.array(rows, dtype=THRESHOLD), n_value_changes, stopped)


def grid_scale(criterion: Criterion, dataset: Dataset) -> int:
    """Gains are multiples of 2 to the power of this minus 40.

    >>> from boxwood.data import make_dataset
    >>> grid_scale(CRITERIA["entropy"], make_dataset([[1.0], [2.0], [3.0]], ["a", "b", "c"]))
    1
    """
    largest = criterion.largest(int(np.count_nonzero(np.bincount(dataset.target))))
    if not math.isfinite(largest):
        counts = np.bincount(dataset.target, dataset.weights, dataset.n_classes).astype(np.float64)
        largest = float(criterion.impurity(counts))
    return math.ceil(math.log2(largest)) if largest > 0 else 0


class _Column:
    """One column's boundary points, best first, for a criterion that Python evaluates."""

    def __init__(
        self,
        dataset: Dataset,
        column: NDArray[Any],
        criterion: Criterion,
        refusal: Refusal,
        limit: int | None,
        deadline: float,
    ) -> None:
        known = ~np.isnan(column)
        self.table: ValueTable = value_table(
            column[known], dataset.target[known], dataset.weights[known], dataset.n_classes
        )
        self.boundary = boundary_points(self.table)
        self.criterion = criterion
        self.total = float(dataset.weights.sum())
        self.unit = 2.0 ** (grid_scale(criterion, dataset) - GRID_BITS)
        # sums[i]: the class weights left of the i-th boundary point; before the first and after the last,
        # the ends.
        cuts = np.flatnonzero(self.boundary)
        below = np.cumsum(self.table.counts, axis=0)
        self.places = [-1, *cuts.tolist(), len(self.table.values) - 1]
        self.sums = np.vstack([np.zeros((1, dataset.n_classes)), below[cuts], below[-1:]])
        self.cuts = list(self._ranked(refusal, limit, deadline))

    def threshold(self, cut: int) -> float:
        """The threshold after a value."""
        return midpoint(float(self.table.values[cut]), float(self.table.values[cut + 1]))

    def _ranked(self, refusal: Refusal, limit: int | None, deadline: float) -> Iterator[tuple[int, float]]:
        """The cuts with their gains."""
        heap: list[tuple[float, int, int, int]] = []
        self._enter(heap, 0, len(self.places) - 1)
        found = 0
        while heap and (limit is None or found < limit) and time.perf_counter() <= deadline:
            gain, at, first, last = heapq.heappop(heap)
            if refusal != "ignored" and not is_worth_describing(
                self.sums[at] - self.sums[first], self.sums[last] - self.sums[at]
            ):
                if refusal == "list":
                    return
                continue
            yield self.places[at], -gain
            found += 1
            self._enter(heap, first, at)
            self._enter(heap, at, last)

    def _enter(self, heap: list[tuple[float, int, int, int]], first: int, last: int) -> None:
        """Put an interval on the heap, with the best of the boundary points inside it."""
        if last - first < 2:
            return
        left = self.sums[first + 1 : last] - self.sums[first]
        right = self.sums[last] - self.sums[first + 1 : last]
        node = self.sums[last] - self.sums[first]
        after = left.sum(axis=1) * self.criterion.impurity(left)
        after += right.sum(axis=1) * self.criterion.impurity(right)
        gains = (node.sum() * self.criterion.impurity(node) - after) / self.total
        steps = np.maximum(np.rint(gains / self.unit), 0.0)
        best = int(np.argmax(steps))
        heapq.heappush(heap, (-float(steps[best]) * self.unit, first + 1 + best, first, last))


def _merged(columns: Sequence[_Column], limit: int | None, others: bool) -> list[tuple[int, float, float]]:
    """The columns' lists in one: column, threshold, gain."""
    most = math.inf if limit is None else limit
    found: list[tuple[int, float, float]] = []
    heads = [(-column.cuts[0][1], place, 0) for place, column in enumerate(columns) if column.cuts]
    heapq.heapify(heads)
    while heads and len(found) < most:
        gain, place, at = heapq.heappop(heads)
        column = columns[place]
        found.append((place, column.threshold(column.cuts[at][0]), -gain))
        if at + 1 < len(column.cuts):
            heapq.heappush(heads, (-column.cuts[at + 1][1], place, at + 1))
    if others:
        for place, column in enumerate(columns):
            for cut in np.flatnonzero(~column.boundary).tolist():
                if len(found) >= most:
                    return found
                found.append((place, column.threshold(cut), 0.0))
    return found
