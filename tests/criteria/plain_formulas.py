"""The named criteria by the letter of their definitions: plain floats, one node or split at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

Counts = Sequence[float]


def class_shares(counts: Counts) -> list[float]:
    total = sum(counts)
    return [float(count) / float(total) for count in counts] if total > 0 else [0.0 for _ in counts]


def gini(counts: Counts) -> float:
    return sum(
        p * q for (i, p), (j, q) in itertools.product(enumerate(class_shares(counts)), repeat=2) if i != j
    )


def entropy(counts: Counts) -> float:
    return sum(-p * math.log2(p) for p in class_shares(counts) if p > 0)


def error(counts: Counts) -> float:
    p = class_shares(counts)
    return 1 - max(p) if any(p) else 0.0


def ambiguity(counts: Counts) -> float:
    p = class_shares(counts)
    if not any(p):
        return 0.0
    possible = [*sorted((share / max(p) for share in p), reverse=True), 0.0]
    return sum((possible[i - 1] - possible[i]) * math.log(i) for i in range(1, len(possible)))


def sine(counts: Counts) -> float:
    p = class_shares(counts)
    return math.sin(math.pi * p[0]) if len(p) == 2 else sum(math.sin(math.pi * share) for share in p)


def tsallis(counts: Counts, q: float = 1.5) -> float:
    p = class_shares(counts)
    return (1 - sum(share**q for share in p if share > 0)) / (q - 1) if any(p) else 0.0


def twoing(branches: Sequence[Counts]) -> float:
    """Half of the largest two-class Gini gain of any grouping of the classes; more branches: over pairs."""
    total = sum(map(sum, branches))
    score = 0.0
    for left, right in itertools.combinations(branches, 2):
        w_left, w_right = sum(left), sum(right)
        if w_left == 0 or w_right == 0:
            continue
        node = w_left + w_right
        best = 0.0
        for size in range(1, len(left)):
            for group in itertools.combinations(range(len(left)), size):
                inside = [sum(part[k] for k in group) for part in (left, right)]
                two = [(inside[0], w_left - inside[0]), (inside[1], w_right - inside[1])]
                both = (two[0][0] + two[1][0], two[0][1] + two[1][1])
                gain = gini(both) - (w_left * gini(two[0]) + w_right * gini(two[1])) / node
                best = max(best, gain)
        score += best / 2 * (node / total) ** 2
    return score


def hellinger(branches: Sequence[Counts]) -> float:
    """Two classes: the distance. More: the mean over the classes present of one against the rest."""
    n_classes = len(branches[0])
    node = [sum(branch[k] for branch in branches) for k in range(n_classes)]
    distances = []
    for k in range(n_classes):
        if node[k] == 0:
            continue
        rest = sum(node) - node[k]
        if rest == 0:
            return 0.0
        squares = [
            (math.sqrt(branch[k] / node[k]) - math.sqrt((sum(branch) - branch[k]) / rest)) ** 2
            for branch in branches
        ]
        distances.append(math.sqrt(sum(squares)))
    return sum(distances) / len(distances) if distances else 0.0


IMPURITIES: dict[str, Callable[[Counts], float]] = {
    "gini": gini,
    "entropy": entropy,
    "gain_ratio": entropy,
    "error": error,
    "ambiguity": ambiguity,
    "sine": sine,
    "tsallis": tsallis,
    "twoing": gini,
    "hellinger": gini,
}


def gain(name: str, branches: Sequence[Counts]) -> float:
    impurity = IMPURITIES[name]
    node = [sum(column) for column in zip(*branches, strict=True)]
    return impurity(node) - sum(sum(branch) / sum(node) * impurity(branch) for branch in branches)


def score(name: str, branches: Sequence[Counts]) -> float:
    """What features compete by."""
    if name == "twoing":
        return twoing(branches)
    if name == "hellinger":
        return hellinger(branches)
    if name == "gain_ratio":
        return gain(name, branches) / entropy([sum(branch) for branch in branches])
    return gain(name, branches)
