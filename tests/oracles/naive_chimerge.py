"""ChiMerge as its author describes it: one interval per value, join the most alike pair, start over.

Kerber (1992). The statistic is computed from expected counts, the textbook way; nothing is remembered
between two joins.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any


def statistic(a: Counter[Any], b: Counter[Any]) -> float:
    rows = (sum(a.values()), sum(b.values()))
    found = 0.0
    for label in sorted(set(a) | set(b)):
        column = a[label] + b[label]
        for row, counts in zip(rows, (a, b), strict=True):
            expected = row * column / sum(rows)
            found += (counts[label] - expected) ** 2 / expected
    return found


def join_alike(rows: list[tuple[float, Any, float]], least: float, most: float) -> list[tuple[float, float]]:
    """The cuts of rows (value, class, weight) that are left, ascending, each with its statistic."""
    values = sorted({value for value, _, _ in rows})
    intervals = []
    for value in values:
        counts: Counter[Any] = Counter()
        for other, label, weight in rows:
            if other == value:
                counts[label] += weight
        intervals.append((value, value, counts))
    while len(intervals) > 1:
        pairs = [
            (round(statistic(a[2], b[2]), 9), place)
            for place, (a, b) in enumerate(itertools.pairwise(intervals))
        ]
        smallest, place = min(pairs)
        if smallest >= least and len(intervals) <= most:
            break
        a, b = intervals[place : place + 2]
        intervals[place : place + 2] = [(a[0], b[1], a[2] + b[2])]
    return [((a[1] + b[0]) / 2, statistic(a[2], b[2])) for a, b in itertools.pairwise(intervals)]
