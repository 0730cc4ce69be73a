"""Same data, same tree: whatever the order of the rows, the number of threads and the form of the weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import Dataset
from boxwood.tree import Tree
from tests.grow.tables import CRITERIA, STYLES, Recipe, dataset_of, grow_with, limits, recipes
from tests.oracles.naive_split import Limits

MIXED = (*STYLES, "category3", "category7", "category30")


def take(dataset: Dataset, rows: np.ndarray, weights: np.ndarray | None = None) -> Dataset:
    return dataset_of(
        [column[rows] for column in dataset.columns],
        dataset.target[rows],
        dataset.weights[rows] if weights is None else weights,
        len(dataset.classes),
        dataset.schema.n_categories.tolist(),
    )


def without_rows(tree: Tree) -> tuple[object, ...]:
    """What a tree says, apart from how many rows it was grown on."""
    return (
        tree.kind.tolist(),
        tree.feature.tolist(),
        tree.threshold[tree.kind == 1].tolist(),
        tree.missing_branch.tolist(),
        tree.category_code.tolist(),
        tree.category_branch.tolist(),
        tree.counts.tolist(),
    )


@settings(max_examples=150)
@given(
    recipe=recipes(MIXED, max_rows=200, missing=(0.0, 0.2)),
    limits=limits(missing=("learn", "branch"), max_leaf_nodes=st.sampled_from([None, None, 5, 12])),
    seed=st.integers(0, 1000),
)
def test_threads_and_order_of_rows(recipe: Recipe, limits: Limits, seed: int) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits)
    for n_threads in (2, 3):
        assert grow_with(dataset, limits, n_threads=n_threads) == tree
    order = np.random.default_rng(seed).permutation(dataset.n_rows)
    assert grow_with(take(dataset, order), limits) == tree


@settings(max_examples=150)
@given(
    recipe=recipes(MIXED, missing=(0.0, 0.2), weights=("integer",)),
    limits=limits(missing=("learn", "branch")),
)
def test_weights_equal_repetition_where_no_row_count_binds(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    loose = Limits(**{**vars(limits), "min_samples_split": 2, "min_samples_leaf": 1})
    repeated = take(dataset, np.repeat(np.arange(dataset.n_rows), dataset.weights.astype(int)), None)
    repeated = take(repeated, np.arange(repeated.n_rows), np.ones(repeated.n_rows))
    assert without_rows(grow_with(repeated, loose)) == without_rows(grow_with(dataset, loose))


@settings(max_examples=100)
@given(recipe=recipes(MIXED, missing=(0.0, 0.2)), limits=limits(missing=("learn", "branch")))
def test_scaled_weights_give_the_same_splits(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    doubled = take(dataset, np.arange(dataset.n_rows), dataset.weights * 4)
    scaled = Limits(**{**vars(limits), "min_weight_leaf": limits.min_weight_leaf * 4})
    tree, other = grow_with(dataset, limits), grow_with(doubled, scaled)
    assert np.array_equal(tree.counts * 4, other.counts)
    assert without_rows(tree)[:-1] == without_rows(other)[:-1]


@settings(max_examples=150)
@given(
    recipe=recipes(MIXED, missing=(0.0, 0.2)),
    limits=limits(missing=("learn", "branch"), max_leaf_nodes=st.sampled_from([None, None, 4, 8])),
    max_features=st.sampled_from([None, None, 1, 2]),
)
def test_level_by_level_growth(recipe: Recipe, limits: Limits, max_features: int | None) -> None:
    dataset = recipe.cook()
    fused = grow_with(dataset, limits, max_features=max_features, seed=7)
    by_level = grow_with(dataset, limits, by_level=True, max_features=max_features, seed=7)
    assert without_rows(by_level) == without_rows(fused)
    assert np.array_equal(by_level.n_rows, fused.n_rows)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("missing", ["learn", "branch"])
def test_a_large_mixed_table(criterion: str, missing: str) -> None:
    """Large enough for every method of the core, with threads over columns and over nodes."""
    rng = np.random.default_rng(3)
    n = 20_000
    columns = [
        rng.normal(size=n),
        rng.integers(0, 5, n).astype(float),
        rng.integers(0, 300, n).astype(float),
        rng.integers(0, 6, n).astype(np.int32),
        rng.integers(0, 200, n).astype(np.int32),
        np.round(rng.normal(size=n), 2),
    ]
    columns[0][rng.random(n) < 0.1] = np.nan
    columns[2][rng.random(n) < 0.05] = np.nan
    columns[4][rng.random(n) < 0.1] = -1
    target = ((np.nan_to_num(columns[0]) > 0.3).astype(int) + columns[3] % 2 + rng.integers(0, 2, n)) % 3
    weights = rng.integers(1, 9, n) / 8
    for given_weights in (None, weights):
        dataset = dataset_of(columns, target, given_weights)
        bounds = Limits(criterion=criterion, missing=missing, min_samples_leaf=3, max_depth=12)
        tree = grow_with(dataset, bounds)
        assert tree.n_leaves > 300
        for n_threads in (2, 3):
            assert grow_with(dataset, bounds, n_threads=n_threads) == tree
        order = rng.permutation(n)
        assert grow_with(take(dataset, order), bounds, n_threads=2) == tree


def test_the_draw_of_columns_depends_on_the_seed_and_the_path_only() -> None:
    rng = np.random.default_rng(5)
    dataset = dataset_of([rng.normal(size=400) for _ in range(12)], rng.integers(0, 3, 400))
    trees = [grow_with(dataset, Limits(), max_features=2, seed=seed) for seed in range(5)]
    assert len({tree.feature.tobytes() for tree in trees}) == 5
    for seed, tree in enumerate(trees):
        assert grow_with(dataset, Limits(), max_features=2, seed=seed, n_threads=3) == tree
        best_first = Limits(max_leaf_nodes=401)
        assert grow_with(dataset, best_first, max_features=2, seed=seed) == tree
    used = np.bincount(np.concatenate([tree.feature[tree.feature >= 0] for tree in trees]), minlength=12)
    assert (used > 0).all()


def test_drawing_goes_on_until_a_column_has_a_split() -> None:
    rng = np.random.default_rng(6)
    columns = [np.zeros(100) for _ in range(30)]
    columns[17] = rng.normal(size=100)
    dataset = dataset_of(columns, (columns[17] > 0).astype(int))
    for seed in range(20):
        tree = grow_with(dataset, Limits(), max_features=1, seed=seed)
        assert tree.n_leaves == 2
        assert tree.feature[0] == 17
