"""MID as it was published: Algorithm 4 of the thesis, line by line, slow and obvious.

Every remaining boundary point is tried at every step. The one slip is mended: the caches hold the impurity
of an interval *weighted by its share of the rows*, as the thesis's formulas have it. Beyond the text there
are weights, and rows without a value, which count in the whole but are in no interval.

Impurities are fractions: exact for Gini; for entropy the exact sum of c log2(w / c) as float64 terms,
whose result does not depend on the order of the classes. Two gains are equal if they round to the same
multiple of the unit.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np

Row = tuple[float, int, Fraction]  # value, class, weight


Formula = Callable[[list[Fraction]], Fraction | float]
"""Shares of the classes that are there to an impurity."""


def compute_impurity(criterion: str | Formula, rows: Iterable[Row], whole: Fraction) -> Fraction:
    """The impurity of some rows times their share of the whole weight."""
    counts: dict[int, Fraction] = defaultdict(Fraction)
    for _, label, weight in rows:
        counts[label] += weight
    total = sum(counts.values(), Fraction(0))
    if total == 0:
        return Fraction(0)
    if callable(criterion):
        return Fraction(criterion([c / total for c in counts.values()])) * total / whole
    if criterion == "gini":
        return (total - sum(c * c for c in counts.values()) / total) / whole
    bits = math.fsum(float(c) * math.log2(float(total) / float(c)) for c in counts.values())
    return Fraction(bits) / whole


def midpoint(lower: float, upper: float) -> float:
    middle = (lower + upper) / 2
    return lower if middle >= upper else middle


def compute_boundary_points(rows: list[Row]) -> list[float]:
    points = []
    for before, after in itertools.pairwise(rows):
        if before[0] == after[0]:
            continue
        previous = {label for value, label, _ in rows if value == before[0]}
        following = {label for value, label, _ in rows if value == after[0]}
        if len(previous | following) > 1:
            points.append(midpoint(before[0], after[0]))
    return points


def sort_boundary_points(
    rows: list[Row], points: list[float], criterion: str | Formula, whole: Fraction, unit: Fraction
) -> list[tuple[float, int]]:
    """The boundary points in the order in which they lower the impurity most, with gains in units."""
    points = list(points)
    interval_cache: dict[tuple[float, float], Fraction] = {}

    def impurity(low: float, high: float) -> Fraction:
        if (low, high) not in interval_cache:
            inside = [row for row in rows if low < row[0] <= high]
            interval_cache[low, high] = compute_impurity(criterion, inside, whole)
        return interval_cache[low, high]

    chosen: list[tuple[float, int]] = []
    before = impurity(-math.inf, math.inf)
    parent_cache = dict.fromkeys(points, (-math.inf, math.inf))
    while points:
        best: tuple[int, float, Fraction] | None = None
        for candidate in points:
            low, high = parent_cache[candidate]
            after = before - impurity(low, high) + impurity(low, candidate) + impurity(candidate, high)
            gain = max(0, round((before - after) / unit))
            if best is None or gain > best[0]:
                best = (gain, candidate, after)
        assert best is not None
        gain, point, before = best
        chosen.append((point, gain))
        points.remove(point)
        low, high = parent_cache[point]
        for other in points:
            if low < other < point:
                parent_cache[other] = (low, point)
            elif point < other < high:
                parent_cache[other] = (point, high)
    return chosen


def get_best_thresholds(lists: list[list[tuple[float, int]]]) -> list[tuple[int, float, int]]:
    lists = [list(one) for one in lists]
    thresholds = []
    while any(lists):
        index, value = -1, -1
        for place, one in enumerate(lists):
            if one and one[0][1] > value:
                index, value = place, one[0][1]
        thresholds.append((index, *lists[index].pop(0)))
    return thresholds


def rank(
    columns: list[np.ndarray], target: Any, weights: Any, criterion: str | Formula, unit: float
) -> list[tuple[int, float, int]]:
    """Column, threshold and gain (in units) of all boundary points, best first."""
    exact = [Fraction(float(weight)) for weight in weights]
    whole = sum(exact, Fraction(0))
    lists = []
    for column in columns:
        rows = sorted(
            (float(value), int(label), weight)
            for value, label, weight in zip(column, target, exact, strict=True)
            if not math.isnan(value)
        )
        points = compute_boundary_points(rows)
        lists.append(sort_boundary_points(rows, points, criterion, whole, Fraction(unit)))
    return get_best_thresholds(lists)
