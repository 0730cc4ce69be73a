"""Regression splits by the definition, and a checker that walks a grown tree and finds fault with it.

An independent reference for the compiled search: every cut between two distinct values of a numeric column,
every subset of categories (or, of many, those that follow the order of their means), missing rows on either
side or in a branch of their own, and missing against the rest. The branches of all splits of a column are
written as a 0/1 array (split x branch x row), and the loss of each branch follows from its textbook
formula:

- squared_error: sum of w (y - mean)^2
- absolute_error: sum of w |y - median|
- poisson: sum of w y log(y / mean), with 0 log 0 = 0

A gain is the node's loss minus that of its branches, divided by the node's weight. ``check_regression``
sends the training rows through a tree by its own reading of the node arrays, and asserts at every node that
rows, sums, answer and impurity are right, that a split is the best one there is, that ties went where they
belong, that monotonic constraints hold, and that a leaf had a reason to be one.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.oracles.naive_split import TIE, Limits, Split, exact_midpoint
from tests.oracles.naive_tree import (
    EPSILON,
    LEAF,
    check_best_first,
    check_routes,
    divide,
    same_split,
    split_of,
)

CRITERIA = ("squared_error", "absolute_error", "poisson")
ALL_SUBSETS = 6  # categories present at a node, up to which all subsets are tried
CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class NumberTable:
    """Encoded columns (float64 with NaN, or int32 codes with -1), a number for each row, and weights."""

    columns: tuple[np.ndarray, ...]
    n_categories: tuple[int, ...]  # 0: numeric
    target: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, dataset: Any) -> NumberTable:
        return cls(
            tuple(np.asarray(column) for column in dataset.columns),
            tuple(dataset.schema.n_categories.tolist()),
            np.asarray(dataset.target),
            np.asarray(dataset.weights),
        )

    @property
    def n_rows(self) -> int:
        return len(self.target)

    def missing(self, feature: int, rows: np.ndarray) -> np.ndarray:
        column = self.columns[feature][rows]
        return np.isnan(column) if self.n_categories[feature] == 0 else column < 0


# ------------------------------------------------------------------------------------------------ definitions


def weighted_median(y: np.ndarray, w: np.ndarray) -> float:
    """Where half of the weight is reached; the middle of two numbers where both sides have exactly half."""
    order = np.argsort(y, kind="stable")
    y, below = y[order], np.cumsum(w[order])
    half = below[-1] / 2
    place = int(np.searchsorted(below, half))
    if below[place] == half:
        return float((y[place] + y[place + 1]) / 2)
    return float(y[place])


def answer(criterion: str, y: np.ndarray, w: np.ndarray) -> float:
    if criterion == "absolute_error":
        return weighted_median(y, w)
    return math.fsum((w * y).tolist()) / math.fsum(w.tolist())


def loss(criterion: str, y: np.ndarray, w: np.ndarray) -> float:
    """The loss of a node with these numbers."""
    centre = answer(criterion, y, w)
    if criterion == "squared_error":
        return math.fsum((w * (y - centre) ** 2).tolist())
    if criterion == "absolute_error":
        return math.fsum((w * np.abs(y - centre)).tolist())
    some = y > 0
    return math.fsum((w[some] * y[some] * np.log(y[some] / centre)).tolist()) if some.any() else 0.0


def losses(criterion: str, membership: np.ndarray, y: np.ndarray, w: np.ndarray) -> np.ndarray:
    """The loss of each branch of each split, from a 0/1 array (split, branch, row)."""
    order = np.argsort(y, kind="stable")
    y, w = y[order], w[order]
    weights = membership[:, :, order] * w  # (split, branch, row)
    totals = weights.sum(axis=2)
    safe = np.where(totals > 0, totals, 1.0)
    if criterion == "absolute_error":
        reached = np.cumsum(weights, axis=2) >= totals[:, :, np.newaxis] / 2
        centres = y[reached.argmax(axis=2)]
        return (weights * np.abs(y - centres[:, :, np.newaxis])).sum(axis=2)
    centres = (weights * y).sum(axis=2) / safe
    if criterion == "squared_error":
        return (weights * (y - centres[:, :, np.newaxis]) ** 2).sum(axis=2)
    means = np.where(centres > 0, centres, 1.0)[:, :, np.newaxis]
    return (weights * y * np.log(np.where(y > 0, y, 1.0) / means)).sum(axis=2)


# ----------------------------------------------------------------------------------------------------- splits


@dataclass(frozen=True)
class Bounds:
    """What monotonic constraints allow at a node: one per column, and between which values it lies."""

    constraints: tuple[int, ...] | None = None
    low: float = -math.inf
    high: float = math.inf

    def allow(self, feature: int, values: list[float]) -> bool:
        if self.constraints is None:
            return True
        left, right = values[:2]
        within = all(self.low <= value <= self.high for value in values)
        return within and (left - right) * self.constraints[feature] <= 0

    def below(self, feature: int, kind: str, values: list[float], branch: int) -> Bounds:
        """The bounds of a child: those of a split on a constrained column meet in the middle."""
        sign = 0 if self.constraints is None or kind == "is_missing" else self.constraints[feature]
        if sign == 0 or branch > 1:
            return self
        middle = (values[0] + values[1]) / 2
        if (branch == 0) == (sign > 0):
            return Bounds(self.constraints, self.low, middle)
        return Bounds(self.constraints, middle, self.high)


@dataclass
class Offers:
    """The feasible splits of one column at one node, in the order in which ties are broken."""

    splits: list[Split] = field(default_factory=list)
    gains: np.ndarray = field(default_factory=lambda: np.empty(0))

    def best(self, tolerance: float) -> int:
        return int(np.flatnonzero(self.gains >= self.gains.max() - tolerance)[0])


def by_mean(table: NumberTable, rows: np.ndarray, feature: int) -> tuple[list[int], bool]:
    """The categories present at a node in the order of their means, and whether no two means are equal."""
    column = table.columns[feature][rows]
    means = {}
    for code in sorted(set(column[column >= 0].tolist())):
        of_code = rows[column == code]
        means[code] = answer("squared_error", table.target[of_code], table.weights[of_code])
    order = sorted(means, key=lambda code: means[code])
    apart = all(means[b] - means[a] > 1e-9 for a, b in itertools.pairwise(order))
    return order, apart


def by_content(table: NumberTable, rows: np.ndarray, feature: int, limits: Limits) -> list[int]:
    """The places of the categories present, ordered by what is in them: the lowest answer first, then the
    heaviest, then the one of most rows.
    """
    column = table.columns[feature][rows]
    keys = []
    for place, code in enumerate(sorted(set(column[~table.missing(feature, rows)].tolist()))):
        inside = rows[column == code]
        y, w = table.target[inside], table.weights[inside]
        keys.append((round(answer(limits.criterion, y, w), 9), -float(w.sum()), -len(inside), place))
    return [key[-1] for key in sorted(keys)]


def subsets(table: NumberTable, rows: np.ndarray, feature: int, every: bool) -> list[frozenset[int]]:
    """Branch 0 of every split of categories, with the lowest one; all, or those in the order of means."""
    order, _ = by_mean(table, rows, feature)
    lowest = min(order, default=-1)
    if every:
        others = sorted(set(order) - {lowest})
        return [
            frozenset((lowest, *some))
            for size in range(len(others))
            for some in itertools.combinations(others, size)
        ]
    sides = [(frozenset(order[:size]), frozenset(order[size:])) for size in range(1, len(order))]
    return [left if lowest in left else right for left, right in sides]


def offers_of(
    table: NumberTable, rows: np.ndarray, feature: int, limits: Limits, bounds: Bounds, every: bool
) -> Offers:
    """The feasible splits of one column at the node that holds these rows."""
    column = table.columns[feature][rows]
    missing = table.missing(feature, rows)
    y, w = table.target[rows], table.weights[rows]
    own_branch = (
        limits.missing == "branch"
        and missing.sum() >= max(limits.min_samples_leaf, 1)
        and w[missing].sum() >= limits.min_weight_leaf
        and (limits.criterion != "poisson" or y[missing].any())
    )
    splits: list[Split] = []
    membership: list[np.ndarray] = []
    nobody = np.zeros(len(rows), dtype=bool)

    def add(left: np.ndarray, **test: Any) -> None:
        left = left & ~missing
        right = ~left & ~missing
        if not missing.any():
            splits.append(Split(**test))
            membership.append(np.array([left, right, nobody]))
        elif own_branch:
            splits.append(Split(**test, missing_branch=2))
            membership.append(np.array([left, right, missing]))
        else:
            splits.append(Split(**test, missing_branch=1))
            membership.append(np.array([left, right | missing, nobody]))
            splits.append(Split(**test, missing_branch=0))
            membership.append(np.array([left | missing, right, nobody]))

    if table.n_categories[feature] == 0:
        for lower, upper in itertools.pairwise(sorted(set(column[~missing].tolist()))):
            add(column <= lower, kind="threshold", threshold=exact_midpoint(lower, upper))
    elif limits.categorical_split == "multiway":
        present = sorted(set(column[~missing].tolist()))
        values = [column == value for value in present]
        joins = by_content(table, rows, feature, limits)
        if own_branch or not missing.any():
            joins = [len(present) if own_branch else None]
        for joined in joins if len(present) > 1 else []:
            splits.append(Split("multiway", subset=frozenset(present), missing_branch=joined))
            parts = [values[i] | missing if i == joined else values[i] for i in range(len(present))]
            membership.append(np.array([*parts, missing] if joined == len(present) else parts))
    elif limits.categorical_split == "one_vs_rest":
        present = sorted(set(column[~missing].tolist()))
        order = [present[place] for place in by_content(table, rows, feature, limits)]
        for alone in order if len(present) > 2 else order[: len(present) // 2]:
            rest = frozenset(present) - {alone}
            subset = frozenset([alone]) if alone == present[0] else rest
            add(np.isin(column, list(subset)), kind="subset", subset=subset)
    else:
        for subset in subsets(table, rows, feature, every):
            add(np.isin(column, list(subset)), kind="subset", subset=subset)
    if missing.any() and not missing.all():
        splits.append(Split("is_missing", missing_branch=0))
        membership.append(np.array([missing, ~missing, nobody]))

    kept = [
        place
        for place, branches in enumerate(membership)
        if _feasible(table, rows, feature, splits[place], branches, limits, bounds)
    ]
    if not kept:
        return Offers()
    widest = max(len(membership[place]) for place in kept)
    padded = [np.pad(membership[place], ((0, widest - len(membership[place])), (0, 0))) for place in kept]
    after = losses(limits.criterion, np.array(padded), y, w).sum(axis=1)
    gains = (loss(limits.criterion, y, w) - after) / w.sum()
    return Offers([splits[place] for place in kept], gains)


def _feasible(
    table: NumberTable,
    rows: np.ndarray,
    feature: int,
    split: Split,
    branches: np.ndarray,
    limits: Limits,
    bounds: Bounds,
) -> bool:
    """Whether leaf sizes, constraints and the criterion allow a split."""
    parts = [rows[branch] for branch in branches if branch.any()]
    if any(len(part) < limits.min_samples_leaf for part in parts):
        return False
    if any(table.weights[part].sum() < limits.min_weight_leaf for part in parts):
        return False
    if limits.criterion == "poisson" and not all(table.target[part].any() for part in parts):
        return False  # a branch of zeros would answer 0, which no Poisson distribution has as its mean
    values = [answer(limits.criterion, table.target[part], table.weights[part]) for part in parts]
    if split.kind == "is_missing":  # its branches have no order
        return bounds.constraints is None or all(bounds.low <= value <= bounds.high for value in values)
    return bounds.allow(feature, values)


def is_exact(table: NumberTable, rows: np.ndarray, feature: int, limits: Limits) -> bool:
    """Whether the best split of the order of means is the best of all.

    No minimum may forbid it; zeros do under the Poisson deviance, where every branch needs a positive number.
    """
    free = limits.min_samples_leaf == 1 and limits.min_weight_leaf == 0
    positive = limits.criterion == "poisson" and bool((table.target[rows] > 0).all())
    auto = limits.categorical_split == "auto"
    return table.n_categories[feature] == 0 or (
        auto and free and (limits.criterion == "squared_error" or positive)
    )


# --------------------------------------------------------------------------------------------------- checking


def must_be_leaf(table: NumberTable, rows: np.ndarray, depth: int, limits: Limits) -> bool:
    """Whether a node is a leaf before any split is looked at."""
    y = table.target[rows]
    return bool(
        y.min() == y.max()
        or (limits.max_depth is not None and depth >= limits.max_depth)
        or len(rows) < limits.min_samples_split
        or len(rows) < 2 * limits.min_samples_leaf
        or table.weights[rows].sum() < 2 * limits.min_weight_leaf
    )


def check_regression(
    tree: Any,
    table: NumberTable,
    limits: Limits,
    unknown_category: str = "missing",
    monotonic: tuple[int, ...] | None = None,
) -> None:
    """Assert that a tree is what greedy growth must give on this table."""
    assert tree.classes is None
    assert tree.counts is None
    rows_at: dict[int, np.ndarray] = {0: np.arange(table.n_rows)}
    depth_at = {0: 0}
    bounds_at = {0: Bounds(monotonic)}
    gain_at: dict[int, float] = {}
    for node in range(len(tree.kind)):
        rows, depth, bounds = rows_at[node], depth_at[node], bounds_at[node]
        check_contents(tree, node, table, rows, limits.criterion)
        assert bounds.low - CLOSE <= tree.answer[node] <= bounds.high + CLOSE, f"node {node}: out of bounds"
        if tree.kind[node] == LEAF:
            assert math.isnan(tree.score[node])
            if not must_be_leaf(table, rows, depth, limits):
                best = best_gain(table, rows, limits, bounds)
                if best is not None and not _too_small(table, rows, best, limits):
                    assert limits.max_leaf_nodes is not None, f"node {node} is a leaf, but could gain {best}"
                    gain_at[node] = best
            continue
        assert not must_be_leaf(table, rows, depth, limits), f"node {node} should be a leaf"
        gain_at[node] = check_split(tree, node, table, rows, limits, bounds, unknown_category)
        assert not _too_small(table, rows, gain_at[node], limits, slack=-1e-12), (
            f"node {node}: gain too small"
        )
        feature = int(tree.feature[node])
        split = split_of(tree, node, bool(table.missing(feature, rows).any()))
        parts = divide(table, rows, feature, split)  # type: ignore[arg-type]
        assert len(parts) == tree.n_children[node], f"node {node}: number of children"
        values = [answer(limits.criterion, table.target[part], table.weights[part]) for part in parts]
        for branch, part in enumerate(parts):
            child = int(tree.first_child[node]) + branch
            rows_at[child] = part
            depth_at[child] = depth + 1
            bounds_at[child] = bounds.below(feature, split.kind, values, branch)
    assert len(rows_at) == len(tree.kind)
    if limits.max_leaf_nodes is not None and limits.every_feature:
        check_best_first(tree, gain_at, limits.max_leaf_nodes)


def check_contents(tree: Any, node: int, table: NumberTable, rows: np.ndarray, criterion: str) -> None:
    """Assert that rows, weight, sums, answer and impurity of a node are those of its rows."""
    y, w = table.target[rows], table.weights[rows]
    scale = math.fsum((w * y * y).tolist())
    assert tree.n_rows[node] == len(rows), f"node {node}: n_rows"
    assert tree.weight[node] == tree.sums[node, 0] == w.sum(), f"node {node}: weight"
    expected = [math.fsum((w * y).tolist()), scale]
    assert abs(tree.sums[node, 1] - expected[0]) <= CLOSE * math.sqrt(w.sum() * scale), f"node {node}: sums"
    assert abs(tree.sums[node, 2] - expected[1]) <= CLOSE * scale, f"node {node}: sums of squares"
    found = answer(criterion, y, w)
    assert abs(tree.answer[node] - found) <= CLOSE * np.abs(y).max(), f"node {node}: answer is not {found}"
    impurity = loss(criterion, y, w) / w.sum()
    slack = CLOSE * impurity + 1e-13 * (scale / w.sum() if criterion == "squared_error" else np.abs(y).max())
    assert abs(tree.impurity[node] - impurity) <= slack, f"node {node}: impurity is not {impurity}"


def best_gain(table: NumberTable, rows: np.ndarray, limits: Limits, bounds: Bounds) -> float | None:
    """The best gain over all columns, of categories in the order of means where these are all different."""
    gains = []
    for feature in range(len(table.columns)):
        by_order = table.n_categories[feature] and limits.categorical_split == "auto"
        if by_order and not by_mean(table, rows, feature)[1]:
            continue
        offers = offers_of(table, rows, feature, limits, bounds, every=False)
        gains += [float(offers.gains.max())] if offers.splits else []
    return max(gains, default=None)


def _too_small(
    table: NumberTable, rows: np.ndarray, gain: float, limits: Limits, slack: float = 1e-12
) -> bool:
    """Whether ``min_impurity_decrease`` forbids a split, in doubt (by the slack) as the caller hopes."""
    decrease = float(table.weights[rows].sum() / table.weights.sum()) * gain
    return decrease + EPSILON < limits.min_impurity_decrease + slack * (limits.min_impurity_decrease > 0)


def check_split(
    tree: Any,
    node: int,
    table: NumberTable,
    rows: np.ndarray,
    limits: Limits,
    bounds: Bounds,
    unknown_category: str,
) -> float:
    """Assert that the split of a node is the best one; returns its gain."""
    feature = int(tree.feature[node])
    where = f"node {node}, column {feature}"
    numeric = table.n_categories[feature] == 0
    any_missing = bool(table.missing(feature, rows).any())
    split = split_of(tree, node, any_missing)
    parts = divide(table, rows, feature, split)  # type: ignore[arg-type]
    sizes = np.array([table.weights[part].sum() for part in parts])
    check_routes(tree, node, split, sizes, numeric, any_missing, unknown_category, where)
    assert all(len(part) >= limits.min_samples_leaf for part in parts), f"{where}: too few rows"
    assert (sizes >= limits.min_weight_leaf).all(), f"{where}: too little weight"

    criterion = limits.criterion
    before = loss(criterion, table.target[rows], table.weights[rows])
    after = math.fsum(loss(criterion, table.target[part], table.weights[part]) for part in parts)
    gain, impurity = (before - after) / sizes.sum(), before / sizes.sum()
    assert abs(tree.score[node] - gain) <= CLOSE * impurity, (
        f"{where}: score {tree.score[node]} is not {gain}"
    )

    offered = offers_of(table, rows, feature, limits, bounds, every=False)
    few = numeric or len(by_mean(table, rows, feature)[0]) <= ALL_SUBSETS
    every = offers_of(table, rows, feature, limits, bounds, every=True) if few else offered
    position = next((i for i, other in enumerate(every.splits) if same_split(split, other)), None)
    assert position is not None, f"{where}: {split} is not among the feasible splits {every.splits[:50]}"
    apart = numeric or limits.categorical_split != "auto" or by_mean(table, rows, feature)[1]
    if offered.splits and apart:
        most = float(offered.gains.max())
        assert gain >= most - CLOSE * impurity, f"{where}: gains {gain}, but {most} is possible"
    if few and is_exact(table, rows, feature, limits) and bounds.constraints is None:
        assert gain >= every.gains.max() - CLOSE * impurity, f"{where}: a subset gains {every.gains.max()}"
    if numeric:
        expected = offered.splits[offered.best(TIE * impurity)]
        assert same_split(expected, split), f"{where}: {split} ties with {expected}"
    if limits.every_feature:
        most = best_gain(table, rows, limits, bounds) or -math.inf
        assert gain >= most - CLOSE * impurity, f"{where}: gains {gain}, but {most} is possible"
        for lower in range(feature):
            if table.n_categories[lower] == 0:
                other = offers_of(table, rows, lower, limits, bounds, every=False)
                tied = other.splits and other.gains.max() >= gain - 0.5 * TIE * impurity
                assert not tied, f"{where}: ties with column {lower}"
    return gain
