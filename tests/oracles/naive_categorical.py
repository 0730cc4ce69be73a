"""Groupings of categories, slowly and by the book: literal transcriptions to compare the searches with.

A table is a (V, K) array of weights; a grouping is a tuple of branches, 0 or 1, that begins with 0. Nothing
is kept from one grouping to the next: every one is measured from the table. No value is joined with another.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

Grouping = tuple[int, ...]


def gini(counts: np.ndarray) -> float:
    return 1.0 - sum((c / counts.sum()) ** 2 for c in counts) if counts.sum() > 0 else 0.0


def entropy(counts: np.ndarray) -> float:
    return -sum(c / counts.sum() * math.log2(c / counts.sum()) for c in counts if c > 0)


IMPURITIES: dict[str, Callable[[np.ndarray], float]] = {"gini": gini, "entropy": entropy}


def impurity_of(table: np.ndarray, grouping: Grouping, criterion: str) -> float:
    """The weighted impurity of the branches."""
    sides = np.array(grouping)
    branches = [table[sides == branch].sum(axis=0) for branch in (0, 1)]
    return sum(b.sum() / table.sum() * IMPURITIES[criterion](b) for b in branches)


def all_groupings(n: int) -> Iterator[Grouping]:
    for others in itertools.product((0, 1), repeat=n - 1):
        if any(others):
            yield (0, *others)


def least_impurity(table: np.ndarray, criterion: str) -> float:
    return min(impurity_of(table, grouping, criterion) for grouping in all_groupings(len(table)))


def from_zero(sides: list[int]) -> Grouping:
    return tuple(side ^ sides[0] for side in sides)


def prefixes(order: list[int]) -> list[Grouping]:
    found = []
    for length in range(1, len(order)):
        inside = set(order[:length])
        found.append(from_zero([0 if v in inside else 1 for v in range(len(order))]))
    return found


def shares(table: np.ndarray) -> np.ndarray:
    return table / table.sum(axis=1, keepdims=True)


def superclass_order(table: np.ndarray, classes: set[int]) -> list[int]:
    inside = table[:, sorted(classes)].sum(axis=1) / table.sum(axis=1)
    return sorted(range(len(table)), key=lambda v: inside[v])


def twoing(table: np.ndarray) -> list[Grouping]:
    """Every prefix of every pair of superclasses."""
    n_classes = table.shape[1]
    found = []
    for size in range(1, n_classes):
        for classes in itertools.combinations(range(n_classes), size):
            found += prefixes(superclass_order(table, set(classes)))
    return found


def largest_alone(table: np.ndarray) -> list[Grouping]:
    return prefixes(superclass_order(table, {int(table.sum(axis=0).argmax())}))


def list_scheduling(table: np.ndarray) -> list[Grouping]:
    totals = table.sum(axis=0)
    bins: list[set[int]] = [set(), set()]
    for k in sorted(range(len(totals)), key=lambda k: -totals[k]):
        lighter = min((0, 1), key=lambda side: sum(totals[j] for j in bins[side]))
        bins[lighter].add(k)
    return prefixes(superclass_order(table, bins[0]))


def principal_order(table: np.ndarray) -> list[int]:
    centred = shares(table) - table.sum(axis=0) / table.sum()
    _, directions = np.linalg.eigh((centred * table.sum(axis=1)[:, np.newaxis]).T @ centred)
    places = centred @ directions[:, -1]
    return sorted(range(len(table)), key=lambda v: places[v])


def pc(table: np.ndarray) -> list[Grouping]:
    return prefixes(principal_order(table))


def pc_ext(table: np.ndarray) -> list[Grouping]:
    order = principal_order(table)
    found = prefixes(order)
    for place in range(len(order) - 1):
        exchanged = order.copy()
        exchanged[place], exchanged[place + 1] = order[place + 1], order[place]
        found.append(prefixes(exchanged)[place])
    return found


def sliq_moves(table: np.ndarray, criterion: str) -> list[Grouping]:
    """The groupings after 1, 2, ... moves, each the best move there is."""
    left = list(range(len(table)))
    found = []
    while len(left) > 1:
        tries = [[0 if u in left and u != v else 1 for u in range(len(table))] for v in left]
        best = min(range(len(left)), key=lambda i: impurity_of(table, tuple(tries[i]), criterion))
        del left[best]
        found.append(from_zero(tries[best]))
    return found


def sliq(table: np.ndarray, criterion: str) -> Grouping:
    moves = sliq_moves(table, criterion)
    now = moves[0]
    for grouping in moves[1:]:
        if not impurity_of(table, grouping, criterion) < impurity_of(table, now, criterion) - 1e-12:
            break
        now = grouping
    return now


def squared_gini_weights(table: np.ndarray, costs: np.ndarray | None = None) -> np.ndarray:
    n, k = table.shape
    weights = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        weights[i, j] = sum(
            2 * (1 if costs is None else costs[x, y]) * table[i, x] * table[j, y] / table.sum() ** 2
            for x, y in itertools.permutations(range(k), 2)
        )
    return weights


def chi2_weights(table: np.ndarray) -> np.ndarray:
    n, k = table.shape
    weights = np.zeros((n, n))
    for i, j in itertools.permutations(range(n), 2):
        pair = table[[i, j]]
        for row, c in itertools.product(pair, range(k)):
            expected = row.sum() * pair[:, c].sum() / pair.sum()
            if expected > 0:
                weights[i, j] += (row[c] - expected) ** 2 / expected
    return weights / (n - 1)


def cut_weight(weights: np.ndarray, side: np.ndarray) -> float:
    return sum(weights[i, j] for i in range(len(side)) for j in range(i) if side[i] != side[j])


def maximum_cut(weights: np.ndarray) -> float:
    return max(cut_weight(weights, np.array(grouping)) for grouping in all_groupings(len(weights)))


def relaxation(weights: np.ndarray, rounds: int = 4000) -> float:
    """The value of the semidefinite relaxation of max-cut, by alternating directions on the dense matrix.

    minimise <W, X> / 4 with X positive semidefinite and a unit diagonal; the answer is (sum W - <W, X>) / 4.
    X is kept twice: once with the diagonal, once with the cone.
    """
    n = len(weights)
    scale = np.abs(weights).max()
    cost = weights / scale if scale > 0 else weights
    dual = np.zeros((n, n))
    inside = np.eye(n)
    for _ in range(rounds):
        unit = inside - dual - cost
        np.fill_diagonal(unit, 1.0)
        values, vectors = np.linalg.eigh(unit + dual)
        before = inside
        inside = (vectors * np.maximum(values, 0)) @ vectors.T
        dual += unit - inside
        if np.abs(inside - before).max() < 1e-9 and np.abs(unit - inside).max() < 1e-9:
            break
    return float((weights.sum() - (weights * unit).sum()) / 4)
