"""Surrogates by the definition, and a checker of trees that were grown with them.

``best_surrogate`` tries every threshold in both directions, row by row, and for categories takes the
majority of each. ``check_surrogates`` walks a grown tree with the rows of its table, and asserts at every
split that it is the best one by ``naive_split``, that it has the surrogates that it must have, and that the
rows of its children are those that the rule sends there. Sums are of weights that are exact, so everything
is compared exactly.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.tree import Subset, Threshold
from tests.oracles.naive_split import (
    TIE,
    Limits,
    Table,
    can_try_everything,
    exact_midpoint,
    impurity,
    offers_of,
)
from tests.oracles.naive_tree import (
    best_split_within_reach,
    class_weights,
    must_be_leaf,
    same_split,
    split_of,
)


@dataclass(frozen=True)
class Found:
    """A surrogate: its column, the side of each value (or the threshold), and how much of the weight
    agrees."""

    feature: int
    agreeing: float
    known: float
    threshold: float = math.nan
    flipped: bool = False
    sides: tuple[tuple[int, int], ...] = ()

    @property
    def agreement(self) -> float:
        return self.agreeing / self.known


def is_known(table: Table, feature: int, rows: np.ndarray) -> np.ndarray:
    column = table.columns[feature][rows]
    return ~np.isnan(column) if table.n_categories[feature] == 0 else column >= 0


def best_surrogate(table: Table, feature: int, rows: np.ndarray, branch: np.ndarray) -> Found | None:
    """The best surrogate of a column for a split that sends each of these rows, known to it, to a branch."""
    both = is_known(table, feature, rows)
    rows, branch = rows[both], branch[both]
    column, weight = table.columns[feature][rows], table.weights[rows]
    known = float(weight.sum())
    majority = max(float(weight[branch == 0].sum()), float(weight[branch == 1].sum()))
    values = sorted(set(column.tolist()))
    found: list[Found] = []
    if table.n_categories[feature] == 0:
        for flipped in (False, True):
            for lower, upper in itertools.pairwise(values):
                sent = np.where(column <= lower, int(flipped), 1 - int(flipped))
                agreeing = float(weight[sent == branch].sum())
                found.append(Found(feature, agreeing, known, exact_midpoint(lower, upper), flipped))
    elif values:
        sides = []
        for value in values:
            of_value = column == value
            left, right = (float(weight[of_value & (branch == side)].sum()) for side in (0, 1))
            sides.append((value, 0 if left >= right else 1))
        sent = np.array([dict(sides)[value] for value in column.tolist()])
        found.append(Found(feature, float(weight[sent == branch].sum()), known, sides=tuple(sides)))
    found = [one for one in found if one.agreeing > majority]
    # The first of the best: small values left before the reverse, low thresholds before high ones.
    return max(found, key=lambda one: one.agreeing) if found else None


def side_of(table: Table, surrogate: Found, row: int) -> int | None:
    value = table.columns[surrogate.feature][row]
    if surrogate.sides:
        return dict(surrogate.sides).get(int(value))
    if math.isnan(value):
        return None
    return int(surrogate.flipped) if value <= surrogate.threshold else 1 - int(surrogate.flipped)


def divide(
    table: Table, rows: np.ndarray, feature: int, split: Any, max_surrogates: int
) -> tuple[list[np.ndarray], list[Found], int]:
    """The rows of both branches of a split, its surrogates, and the branch of rows without any value."""
    known = is_known(table, feature, rows)
    column = table.columns[feature][rows]
    left = column <= split.threshold if split.kind == "threshold" else np.isin(column, list(split.subset))
    branch = np.where(left, 0, 1)
    found = [
        best_surrogate(table, other, rows[known], branch[known])
        for other in range(len(table.columns))
        if other != feature
    ]
    kept = [surrogate for surrogate in found if surrogate is not None]
    kept.sort(key=lambda surrogate: (-surrogate.agreement, surrogate.feature))
    kept = kept[:max_surrogates]
    weights = [float(table.weights[rows[known & (branch == side)]].sum()) for side in (0, 1)]
    heavier = 1 if weights[1] > weights[0] else 0
    for place in np.flatnonzero(~known):
        sides = [side_of(table, surrogate, int(rows[place])) for surrogate in kept]
        branch[place] = next((side for side in sides if side is not None), heavier)
    return [rows[branch == 0], rows[branch == 1]], kept, heavier


def check_surrogates(tree: Any, table: Table, limits: Limits, max_surrogates: int = 5) -> None:
    """Assert that a tree is what growth with surrogates must give on this table."""
    rows_at: dict[int, np.ndarray] = {0: np.arange(table.n_rows)}
    depth = tree.node_depth.tolist()
    for node in range(tree.n_nodes):
        rows = rows_at[node]
        counts = class_weights(table, rows)
        assert tree.n_rows[node] == len(rows), f"node {node}: n_rows"
        assert np.array_equal(tree.counts[node], counts), f"node {node}: counts"
        if tree.is_leaf[node]:
            if limits.max_leaf_nodes is None and not must_be_leaf(table, rows, depth[node], limits):
                choice = best_split_within_reach(table, rows, limits)
                small = limits.min_impurity_decrease > 0
                assert small or choice is None, f"node {node} is a leaf, but {choice} is possible"
            continue
        feature = int(tree.feature[node])
        split = split_of(tree, node, any_missing=False)
        parts, wanted, heavier = divide(table, rows, feature, split, max_surrogates)
        assert tree.missing_branch[node] == heavier, f"node {node}: rows without any value"
        assert [as_found(one) for one in tree.split(node).surrogates] == [
            (one.feature, one.threshold if not one.sides else None, one.flipped, one.sides, one.agreement)
            for one in wanted
        ], f"node {node}: surrogates"
        check_best(tree, node, table, rows, limits)
        for branch, part in enumerate(parts):
            rows_at[int(tree.first_child[node]) + branch] = part


def as_found(surrogate: Any) -> tuple[Any, ...]:
    split = surrogate.split
    if isinstance(split, Subset):
        return split.feature, None, False, tuple(split.branches.items()), surrogate.agreement
    assert isinstance(split, Threshold)
    return split.feature, split.threshold, surrogate.flipped, (), surrogate.agreement


def check_best(tree: Any, node: int, table: Table, rows: np.ndarray, limits: Limits) -> None:
    """Assert that no split of any column is better, and that a tie went to the first column and threshold."""
    tolerance = TIE * impurity(limits.criterion, class_weights(table, rows))
    feature, split = int(tree.feature[node]), split_of(tree, node, any_missing=False)
    offers = [offers_of(table, rows, other, limits) for other in range(len(table.columns))]
    own = offers[feature]
    tests = [same_test(split, one) for one in own.splits]
    assert any(tests), f"node {node}: {split} is not possible"
    place = tests.index(True)
    merit = float(own.merits[place])
    if limits.criterion == "gain_ratio":
        assert abs(tree.score[node] - own.ratios[place]) <= 1e-9
        assert merit >= own.merits.max() - 1e-9 or not can_try_everything(table, rows, feature, limits)
        return
    assert abs(tree.score[node] - merit) <= 1e-9, f"node {node}: score {tree.score[node]}, not {merit}"
    reach = [j for j in range(len(offers)) if len(offers[j]) and can_try_everything(table, rows, j, limits)]
    best = max([float(offers[j].merits.max()) for j in reach], default=merit)
    assert merit >= best - 1e-9, f"node {node}: {merit}, and {best} is possible"
    if table.n_categories[feature] == 0 and abs(merit - best) <= tolerance / 2:
        earlier = [offers[j] for j in reach if j < feature]
        assert all(one.merits.max() < best - tolerance / 2 for one in earlier), f"node {node}: ties earlier"
        assert place == own.best(tolerance), (
            f"node {node}: {split} ties with {own.splits[own.best(tolerance)]}"
        )


def same_test(one: Any, other: Any) -> bool:
    """Whether two splits ask the same, wherever they send missing rows."""
    return same_split(
        type(one)(one.kind, one.threshold, one.subset), type(other)(other.kind, other.threshold, other.subset)
    )
