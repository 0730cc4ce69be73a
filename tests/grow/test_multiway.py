"""One branch per category, and one category against the rest: every tree is the one that the definition
gives.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxwood
from boxwood.criteria import CRITERIA, Impurity
from boxwood.data import make_dataset
from boxwood.export import export_text
from boxwood.grow import GrowOptions, grow_by_level, grow_tree
from boxwood.search.categorical.multiway import MOST_PAIRED
from boxwood.tree import Multiway, Tree, check_tree
from tests.grow.tables import CRITERIA as FAST
from tests.grow.tables import EVERY_CRITERION, Recipe, dataset_of, grow_with, limits, recipes
from tests.oracles.naive_split import Limits, Table
from tests.oracles.naive_tree import assert_same_tree, check_greedy, grow

STYLES = ("category2", "category3", "category6", "category12", "few", "floats", "copy")
MISSING = (0.0, 0.15, 0.5)
WAYS = ("multiway", "one_vs_rest")


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=150)
@given(data=st.data())
def test_every_split_is_the_best(way: str, data: st.DataObject) -> None:
    """Categories and numbers, missing rows in both modes, weights, leaf minima, ties."""
    recipe = data.draw(recipes(STYLES, missing=MISSING, max_columns=3))
    bounds = data.draw(limits(FAST, missing=("learn", "branch"), categorical_split=(way,)))
    unknown = data.draw(st.sampled_from(["missing", "majority", "stop", "error"]))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds, unknown_category=unknown)
    check_tree(tree)
    check_greedy(tree, Table.of(dataset), bounds, unknown)
    assert_same_tree(tree, grow(Table.of(dataset), bounds))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("criterion", EVERY_CRITERION)
@settings(max_examples=20)
@given(data=st.data())
def test_every_criterion(criterion: str, way: str, data: st.DataObject) -> None:
    recipe = data.draw(recipes(STYLES, missing=MISSING, max_columns=2))
    bounds = data.draw(limits((criterion,), missing=("learn", "branch"), categorical_split=(way,)))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds)
    check_greedy(tree, Table.of(dataset), bounds)


@settings(max_examples=100)
@given(
    recipe=recipes(STYLES, missing=(0.0, 0.3), max_columns=3),
    limits=limits(
        missing=("learn", "branch"), max_leaf_nodes=st.integers(2, 9), categorical_split=("multiway",)
    ),
)
def test_a_limit_of_leaves_counts_every_branch(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits)
    assert tree.n_leaves <= (limits.max_leaf_nodes or 0)
    check_greedy(tree, Table.of(dataset), limits)


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=40)
@given(data=st.data())
def test_threads_order_of_rows_and_repetition(way: str, data: st.DataObject) -> None:
    recipe = data.draw(recipes((*STYLES, "category40"), max_rows=150, missing=MISSING, weights=("integer",)))
    bounds = data.draw(limits(missing=("learn", "branch"), categorical_split=(way,)))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds)
    assert grow_with(dataset, bounds, n_threads=2) == tree
    rows = np.random.default_rng(recipe.seed).permutation(dataset.n_rows)
    sizes = dataset.schema.n_categories.tolist()
    columns = [column[rows] for column in dataset.columns]
    shuffled = dataset_of(columns, dataset.target[rows], dataset.weights[rows], len(dataset.classes), sizes)
    assert grow_with(shuffled, bounds) == tree
    if (bounds.min_samples_leaf, bounds.min_samples_split) == (1, 2):
        twice = np.repeat(np.arange(dataset.n_rows), dataset.weights.astype(int))
        columns = [column[twice] for column in dataset.columns]
        ones = np.ones(len(twice))
        repeated = grow_with(
            dataset_of(columns, dataset.target[twice], ones, len(dataset.classes), sizes), bounds
        )
        assert repeated.counts.tolist() == tree.counts.tolist()
        assert repeated.category_branch.tolist() == tree.category_branch.tolist()


@pytest.mark.parametrize("way", WAYS)
def test_drawn_columns_and_random_cuts_route_as_they_were_grown(way: str) -> None:
    random = np.random.default_rng(3)
    codes = random.integers(0, 300, 2000)
    X = np.column_stack([codes, random.integers(0, 5, 2000), random.normal(size=2000)])
    X[random.random(X.shape) < 0.1] = np.nan
    y = (codes % 3) + random.integers(0, 2, 2000)
    dataset = make_dataset(X, y, categorical_features=[0, 1])
    for more in ({"max_features": 2}, {"splitter": "random"}, {"missing": "branch"}, {"n_threads": 2}):
        tree = grow_tree(dataset, GrowOptions(categorical_split=way, seed=1, max_depth=4, **more))
        check_tree(tree)
        counts = np.zeros_like(tree.counts)
        np.add.at(counts, (tree.apply(dataset.columns), dataset.target), 1.0)
        leaf = tree.kind == 0
        assert np.array_equal(counts[leaf], tree.counts[leaf])
        assert (tree.kind == (3 if way == "multiway" else 2)).any()


def colours() -> Tree:
    X = {"colour": ["red", "green", "blue", "red", "green", "blue", None, "red"]}
    y = ["a", "b", "c", "a", "b", "c", "b", "a"]
    return grow_tree(make_dataset(X, y), GrowOptions(categorical_split="multiway", unknown_category="stop"))


def test_the_text_names_every_branch(tmp_path: Path) -> None:
    tree = colours()
    assert tree.split(0) == Multiway(0, {0: 0, 1: 1, 2: 2}, missing_branch=1, unknown_branch=-1)
    lines = export_text(tree).splitlines()
    assert [line.split("  ")[0] for line in lines[4:7]] == [
        "├── colour = blue",
        "├── colour = green or missing",
        "└── colour = red",
    ]
    assert "ends at the node that asks for it" in lines[-1]
    tree.save(tmp_path / "tree.json")
    assert boxwood.load(tmp_path / "tree.json") == tree


def test_one_small_branch_forbids_the_split_unless_missing_rows_fill_it() -> None:
    codes = np.array([0, 0, 0, 1, 1, 1, 2, 2, -1], dtype=np.int32)
    target = np.array([0, 0, 0, 1, 1, 1, 0, 1, 1])
    bounds = Limits(min_samples_leaf=3, categorical_split="multiway")
    tree = grow_with(dataset_of([codes], target, n_categories=[3]), bounds)
    assert tree.missing_branch[0] == 2
    assert grow_with(dataset_of([codes[:8]], target[:8], n_categories=[3]), bounds).n_leaves == 1


def test_many_branches() -> None:
    """More branches than a byte can number, below a node of many rows."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 5_000, 80_000)
    dataset = make_dataset(codes.reshape(-1, 1), codes % 7 % 3, categorical_features=[0])
    tree = grow_tree(dataset, GrowOptions(categorical_split="multiway"))
    assert tree.n_leaves == len(np.unique(codes))
    check_tree(tree)


def test_what_cannot_be_had_is_refused() -> None:
    X = {"code": [f"c{i}" for i in range(MOST_PAIRED + 1)]}
    y = [i % 3 for i in range(MOST_PAIRED + 1)]
    options = GrowOptions(categorical_split="multiway", criterion="twoing")
    with pytest.raises(ValueError, match="column 'code' has 5,001 categories"):
        grow_tree(make_dataset(X, y), options)
    assert grow_tree(make_dataset(X, [i % 2 for i in y]), options).n_leaves > 1
    function = GrowOptions(categorical_split="multiway", criterion=Impurity(np.sqrt))
    with pytest.raises(ValueError, match="evaluated in Python"):
        grow_tree(make_dataset(X, y), function)
    with pytest.raises(ValueError, match="evaluated in Python"):
        grow_by_level(make_dataset(X, y), CRITERIA["gini"], GrowOptions(categorical_split="multiway"))
