"""MID as it was published: Algorithm 4 of the thesis, procedure by procedure, in numpy.

It is here to be measured. Both of its caches are there, intervals are ranges of the sorted column, and the
entropy of one is a few calls of numpy; beyond that nothing is made cleverer than the text has it. Every round
looks at every boundary point that is left, and sorts the candidate in among those that were chosen. One slip
of the text is mended, as in the library: the caches hold the entropy of an interval times its share of the
rows.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
Ranked = list[tuple[float, float]]  # threshold and gain
Interval = tuple[int, int]  # rows of the sorted column


def literal_mid(X: Floats, y: Codes) -> list[tuple[int, float, float]]:
    """Column, threshold and gain of every boundary point, best first."""
    lists = []
    for column in X.T:
        order = np.argsort(column, kind="stable")
        x, labels = column[order], y[order]
        lists.append(sort_boundary_points(x, labels, compute_boundary_points(x, labels)))
    return get_best_thresholds(lists)


def compute_entropy(labels: Codes, whole: int) -> float:
    """The entropy of some rows in bits, times their share of the whole.

    >>> compute_entropy(np.array([0, 1]), 4)
    0.5
    """
    counts = np.bincount(labels)
    shares = counts[counts > 0] / len(labels)
    return float(-(shares * np.log2(shares)).sum()) * len(labels) / whole


def compute_boundary_points(x: Floats, y: Codes) -> list[float]:
    """Midpoints of neighbouring values whose rows are not all of one class (lines 9 to 23).

    >>> compute_boundary_points(np.array([1.0, 2.0, 3.0]), np.array([0, 0, 1]))
    [2.5]
    """
    points = []
    for place in range(1, len(x)):
        before, here = x[place - 1], x[place]
        if before == here:
            continue
        if y[place - 1] != y[place] or len(labels_of(x, y, before) | labels_of(x, y, here)) > 1:
            points.append(float((before + here) / 2))
    return points


def labels_of(x: Floats, y: Codes, value: float) -> set[int]:
    """The classes of the rows with a value."""
    return set(y[np.searchsorted(x, value, "left") : np.searchsorted(x, value, "right")].tolist())


def intervals(x: Floats, thresholds: list[float], candidate: float) -> tuple[Interval, Interval]:
    """The rows between a candidate and its neighbours among the thresholds (lines 35 and 36)."""
    place = thresholds.index(candidate)
    cut = int(np.searchsorted(x, candidate, "right"))
    low = 0 if place == 0 else int(np.searchsorted(x, thresholds[place - 1], "right"))
    last = place == len(thresholds) - 1
    high = len(x) if last else int(np.searchsorted(x, thresholds[place + 1], "right"))
    return (low, cut), (cut, high)


def sort_boundary_points(x: Floats, y: Codes, points: list[float]) -> Ranked:
    """Boundary points in the order in which they lower the entropy most, with the fall of each (24 to 54)."""
    whole = len(y)
    points = list(points)
    interval_cache: dict[Interval, float] = {}
    before = compute_entropy(y, whole)
    parent_cache = dict.fromkeys(points, before)
    chosen: Ranked = []
    while points:
        best, found = math.inf, (0.0, (0, 0), (0, 0))
        for candidate in points:
            thresholds = sorted([*(point for point, _ in chosen), candidate])
            left, right = intervals(x, thresholds, candidate)
            for interval in (left, right):
                if interval not in interval_cache:
                    interval_cache[interval] = compute_entropy(y[slice(*interval)], whole)
            after = before - parent_cache[candidate] + interval_cache[left] + interval_cache[right]
            if after < best:
                best, found = after, (candidate, left, right)
        point, left, right = found
        chosen.append((point, before - best))
        points.remove(point)
        before = best
        for other in points:
            cut = int(np.searchsorted(x, other, "right"))
            if left[0] < cut < left[1]:
                parent_cache[other] = interval_cache[left]
            elif right[0] < cut < right[1]:
                parent_cache[other] = interval_cache[right]
    return chosen


def get_best_thresholds(lists: list[Ranked]) -> list[tuple[int, float, float]]:
    """Merge the lists of all columns, always taking the head with the largest gain.

    >>> get_best_thresholds([[(1.5, 0.1)], [(7.5, 0.4), (8.5, 0.2)]])
    [(1, 7.5, 0.4), (1, 8.5, 0.2), (0, 1.5, 0.1)]
    """
    heads, thresholds = [0] * len(lists), []
    for _ in range(sum(map(len, lists))):
        waiting = [place for place in range(len(lists)) if heads[place] < len(lists[place])]
        place = max(waiting, key=lambda one: lists[one][heads[one]][1])
        thresholds.append((place, *lists[place][heads[place]]))
        heads[place] += 1
    return thresholds
