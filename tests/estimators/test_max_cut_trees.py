"""Trees that divide categories by a maximum cut: what costs, numbers and other columns have to do with it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxwood import GrowOptions, TreeClassifier, check_tree, split_categories
from boxwood.criteria import Criterion
from boxwood.grow.costs import class_mixing
from boxwood.search.categorical.chi2 import CHI2
from boxwood.search.categorical.max_cut import cut_weight, cut_weights
from boxwood.search.categorical.squared_gini import SQUARED_GINI

SCORES = {"squared_gini": SQUARED_GINI, "chi2": CHI2}


def rows_of(table: np.ndarray) -> tuple[pd.DataFrame, np.ndarray]:
    """The rows of a table of counts, values a, b, c, ..."""
    value, label = np.nonzero(table)
    times = table[value, label].astype(int)
    names = np.array(list("abcdefghij"))[np.repeat(value, times)]
    return pd.DataFrame({"place": names}), np.repeat(label, times)


def groups_of(tree: TreeClassifier, n_values: int) -> list[int]:
    leaves = tree.apply(pd.DataFrame({"place": list("abcdefghij")[:n_values]}))
    return (leaves != leaves[0]).astype(int).tolist()


@pytest.mark.parametrize("method", ["squared_gini", "squared_gini_sdp"])
def test_symmetric_costs_enter_the_weights_of_a_tree(method: str) -> None:
    """They were altered priors alone, of which only the sums of the rows of the cost matrix are left."""
    rng = np.random.default_rng(0)
    changed = 0
    for _ in range(20):
        table = rng.integers(0, 9, (7, 4)) + np.eye(7, 4)
        costs = np.triu(rng.integers(1, 30, (4, 4)), 1).astype(float)
        costs += costs.T
        X, y = rows_of(table)
        tree = TreeClassifier(cost_matrix=costs, categorical_split=method, max_depth=1).fit(X, y)
        check_tree(tree.tree_)
        expected = split_categories(table, method=method, class_costs=costs)[0].tolist()
        assert groups_of(tree, 7) == expected
        changed += split_categories(table, method=method)[0].tolist() != expected
    assert changed >= 5


def test_costs_that_are_not_symmetric_are_altered_priors_only() -> None:
    table = np.random.default_rng(1).integers(0, 9, (7, 4)) + np.eye(7, 4)
    costs = np.array([[0.0, 1, 5, 2], [1, 0, 3, 9], [4, 3, 0, 1], [2, 9, 1, 0]])
    X, y = rows_of(table)
    tree = TreeClassifier(cost_matrix=costs, categorical_split="squared_gini", max_depth=1).fit(X, y)
    priced = table * costs.sum(axis=1)
    assert groups_of(tree, 7) == split_categories(priced, method="squared_gini")[0].tolist()
    assert class_mixing(costs, np.ones(4)) is None


def test_mixing_costs_without_weights_to_enter_are_refused() -> None:
    with pytest.raises(
        ValueError, match="mixing enters the weights of 'squared_gini' and 'squared_gini_sdp'"
    ):
        GrowOptions(categorical_split="chi2", mixing=((0.0, 1.0), (1.0, 0.0)))


# ---------------------------------------------------------------------------------------- numbers


def numbers(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.choice(3, 80, p=[0.7, 0.2, 0.1])
    return (rng.normal(size=80) + 0.4 * y).round(1)[:, np.newaxis], y


def weights_of_cuts(X: np.ndarray, y: np.ndarray, weights: str) -> dict[float, float]:
    """Section 4.2.3 of the thesis, literally: t - 1 attributes of two values, each with one edge."""
    values = np.unique(X)
    found = {}
    for low, high in itertools.pairwise(values.tolist()):
        left = X[:, 0] <= low
        table = np.array([np.bincount(y[side], minlength=3) for side in (left, ~left)], dtype=float)
        found[round((low + high) / 2, 9)] = float(cut_weights(table, weights)[0, 1])
    return found


@pytest.mark.parametrize("search", ["squared_gini", "chi2", "squared_gini_sdp", "chi2_sdp"])
def test_numbers_are_cut_by_the_criterion_whatever_divides_the_categories(search: str) -> None:
    for seed in range(10):
        X, y = numbers(seed)
        trees = [TreeClassifier(categorical_split=s, max_depth=3).fit(X, y).tree_ for s in (search, "auto")]
        assert trees[0] == trees[1]


@pytest.mark.parametrize("weights", SCORES)
def test_the_rule_of_the_thesis_for_numbers_is_a_criterion(weights: str) -> None:
    """The best of the t - 1 cuts by the weight of its edge. Gini's best cut is another one, often enough."""
    others = 0
    for seed in range(30):
        X, y = numbers(seed)
        worth = weights_of_cuts(X, y, weights)
        best = max(worth.values())
        for cuts in ("auto", "all"):
            told: dict[str, Any] = {"criterion": SCORES[weights], "categorical_split": weights, "cuts": cuts}
            tree = TreeClassifier(**told, max_depth=1).fit(X, y).tree_
            assert worth[round(float(tree.threshold[0]), 9)] == pytest.approx(best, rel=1e-12)
            scale = len(y) if weights == "chi2" else 1
            assert float(tree.score[0]) * scale == pytest.approx(best, rel=1e-9)
        gini = TreeClassifier(max_depth=1).fit(X, y).tree_
        others += worth[round(float(gini.threshold[0]), 9)] < best * (1 - 1e-9)
    assert others >= 3


def test_a_column_of_categories_competes_by_the_weight_of_its_cut() -> None:
    """Lemma 1 of the thesis, on what the tree tells of its split."""
    rng = np.random.default_rng(2)
    for _ in range(10):
        table = rng.integers(0, 9, (8, 4)) + np.eye(8, 4)
        X, y = rows_of(table)
        tree = TreeClassifier(criterion=SQUARED_GINI, categorical_split="squared_gini", max_depth=1).fit(X, y)
        weight = cut_weight(cut_weights(table, "squared_gini"), groups_of(tree, 8))
        assert float(tree.tree_.score[0]) == pytest.approx(weight, rel=1e-12)


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_boundary_points_suffice(score: Criterion) -> None:
    """Within a run of one class no cut is better than both ends of the run, with three branches too."""
    rng = np.random.default_rng(3)
    assert score.split_score is not None
    for _ in range(200):
        left, right, aside = rng.integers(0, 6, (3, 3)).astype(float)
        label = rng.integers(0, 3)
        run = np.arange(6.0)[:, np.newaxis] * np.eye(3)[label]
        last = right + run[-1]
        branches = np.stack([left + run, last - run, np.broadcast_to(aside, (6, 3))], axis=1)
        scores = score.split_score(branches)
        assert scores.max() <= max(scores[0], scores[-1]) + 1e-12
