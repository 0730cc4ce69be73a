"""MDLP as its authors describe it: a recursion on one column, with plain lists.

Fayyad and Irani (1993): cut at the boundary point of least class entropy; accept by description length; go
on with both parts. Written from the formulas, sharing nothing with the library.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any


def entropy(weights: Counter[Any]) -> float:
    total = sum(weights.values())
    return sum(w / total * math.log2(total / w) for w in weights.values() if w > 0)


def tally(rows: list[tuple[float, Any, float]]) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for _, label, weight in rows:
        found[label] += weight
    return found


def accepts(left: Counter[Any], right: Counter[Any]) -> bool:
    """Whether coding the two parts and the cut is shorter than coding the whole."""
    whole = left + right
    n = sum(whole.values())
    e, e1, e2 = entropy(whole), entropy(left), entropy(right)
    k, k1, k2 = len(whole), len(left), len(right)
    gain = e - sum(left.values()) / n * e1 - sum(right.values()) / n * e2
    delta = math.log2(3**k - 2) - (k * e - k1 * e1 - k2 * e2)
    position = math.log2(n - 1) if n >= 2 else 0.0
    return gain > (position + delta) / n


def cut_points(rows: list[tuple[float, Any, float]]) -> list[float]:
    """The accepted cuts of rows (value, class, weight), ascending."""
    values = sorted({value for value, _, _ in rows})
    best: tuple[float, float] | None = None
    for low, high in itertools.pairwise(values):
        labels = {label for value, label, _ in rows if value in (low, high)}
        if len(labels) < 2:
            continue
        cut = (low + high) / 2
        left = tally([row for row in rows if row[0] <= cut])
        right = tally([row for row in rows if row[0] > cut])
        after = sum(left.values()) * entropy(left) + sum(right.values()) * entropy(right)
        if best is None or after < best[0] - 1e-9:
            best = (after, cut)
    if best is None:
        return []
    cut = best[1]
    left_rows = [row for row in rows if row[0] <= cut]
    right_rows = [row for row in rows if row[0] > cut]
    if not accepts(tally(left_rows), tally(right_rows)):
        return []
    return [*cut_points(left_rows), cut, *cut_points(right_rows)]
