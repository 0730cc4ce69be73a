"""Growth with spread rows against the oracle, against the main engine, and in any order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import C45Classifier, TreeClassifier
from boxwood.data import Dataset
from boxwood.data.weights import round_weights
from boxwood.grow import GrowOptions, grow, grow_tree
from boxwood.tree import SPREAD, Tree, check_tree
from tests.grow.tables import EVERY_CRITERION, Recipe, dataset_of, recipes
from tests.oracles.naive_c45 import check_spread
from tests.oracles.naive_split import Table

COLUMNS = ("few", "integers", "floats", "ties", "constant", "copy", "category2", "category4", "category7")
J48: dict[str, Any] = {
    "criterion": "gain_ratio",
    "categorical_split": "multiway",
    "min_weight_leaf": 2.0,
    "gain_correction": "mdl",
    "leaf_minimum": "two",
    "numeric_minimum": "quinlan",
    "min_value_gap": 1e-5,
    "comparison": "weka",
    "thresholds": "training_value",
}
RULES = st.fixed_dictionaries(
    {
        "criterion": st.sampled_from(["gini", "entropy", "gain_ratio"]),
        "categorical_split": st.sampled_from(["multiway", "one_vs_rest"]),
        "min_samples_leaf": st.sampled_from([1, 2, 4]),
        "min_weight_leaf": st.sampled_from([0.0, 2.0, 3.5]),
        "leaf_minimum": st.sampled_from(["every", "two"]),
        "numeric_minimum": st.sampled_from(["plain", "quinlan"]),
        "min_value_gap": st.sampled_from([0.0, 1e-5, 1.0]),
        "thresholds": st.sampled_from(["midpoint", "training_value"]),
        "max_depth": st.sampled_from([None, 2]),
    }
)


def fractional(dataset: Dataset, **options: Any) -> Tree:
    tree = grow_tree(dataset, GrowOptions(missing="fractional", **options))
    check_tree(tree)
    return tree


def same(one: Tree, other: Tree) -> bool:
    return one == other


@given(recipes(COLUMNS, max_rows=20, missing=(0.0, 0.15, 0.4)), RULES)
def test_every_node_is_what_the_rules_ask_for(recipe: Recipe, rules: dict[str, Any]) -> None:
    dataset = recipe.cook()
    options = GrowOptions(missing="fractional", **rules)
    check_spread(fractional(dataset, **rules), Table.of(dataset), options)


@given(recipes(COLUMNS, max_rows=24, missing=(0.0, 0.2)), st.booleans(), st.booleans())
def test_j48_rules_together(recipe: Recipe, plain_gain: bool, binary: bool) -> None:
    """J48 -B compares the categories of a column by gain ratio; it was once done by gain, as cuts are."""
    rules = J48 | ({"gain_correction": "none"} if plain_gain else {})
    rules |= {"categorical_split": "one_vs_rest"} if binary else {}
    dataset = recipe.cook()
    check_spread(fractional(dataset, **rules), Table.of(dataset), GrowOptions(missing="fractional", **rules))


@given(
    recipes(COLUMNS, max_rows=14, missing=(0.2,), max_columns=3),
    st.sampled_from([name for name in EVERY_CRITERION if name not in ("ambiguity", "gain_ratio")]),
)
def test_every_criterion_spreads_rows(recipe: Recipe, criterion: str) -> None:
    dataset = recipe.cook()
    options = GrowOptions(missing="fractional", criterion=criterion, categorical_split="one_vs_rest")
    check_spread(
        fractional(dataset, criterion=criterion, categorical_split="one_vs_rest"), Table.of(dataset), options
    )


@given(recipes(("few", "floats", "category4", "category7"), max_rows=16, missing=(0.25,)))
def test_subsets_are_the_best_of_all(recipe: Recipe) -> None:
    dataset = recipe.cook()
    options = GrowOptions(missing="fractional", criterion="entropy")
    check_spread(fractional(dataset, criterion="entropy"), Table.of(dataset), options)


@given(recipes(COLUMNS, max_rows=40), st.sampled_from(EVERY_CRITERION), st.sampled_from([None, 5]))
def test_without_missing_cells_the_main_engine_gives_the_same_tree(
    recipe: Recipe, criterion: str, max_leaf_nodes: int | None
) -> None:
    dataset = recipe.cook()
    wanted = {"criterion": criterion, "max_leaf_nodes": max_leaf_nodes, "min_samples_leaf": 2}
    plain = fractional(dataset, **wanted)
    # A gap that separates nothing else asks for the second engine.
    spread = fractional(dataset, **wanted, min_value_gap=1e-12)
    assert same(plain, spread)
    assert (spread.missing_branch[~spread.is_leaf] == SPREAD).all()


@given(recipes(COLUMNS, max_rows=30, missing=(0.2,)), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_rows_and_the_number_of_threads_do_not_matter(
    recipe: Recipe, random: Any, j48: bool
) -> None:
    dataset = recipe.cook()
    order = list(range(dataset.n_rows))
    random.shuffle(order)
    shuffled = dataset_of(
        [column[order] for column in dataset.columns],
        dataset.target[order],
        dataset.weights[order],
        dataset.n_classes,
        dataset.schema.n_categories.tolist(),
    )
    rules = J48 if j48 else {"criterion": "gini"}
    assert same(fractional(dataset, **rules), fractional(shuffled, **rules, n_threads=2))


def test_large_nodes_are_the_same_on_any_number_of_threads() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(6000, 8))
    y = (X[:, 0] + X[:, 1] > rng.normal(size=6000)).astype(np.int32)
    X[rng.random(X.shape) < 0.03] = np.nan
    dataset = dataset_of([np.ascontiguousarray(column) for column in X.T], y)
    trees = [fractional(dataset, **J48, max_depth=6, n_threads=threads) for threads in (1, 2, 3)]
    assert same(trees[0], trees[1])
    assert same(trees[0], trees[2])


def test_a_row_without_a_value_is_divided_by_the_known_weights() -> None:
    column = np.array([1.0, 2.0, 3.0, np.nan])
    tree = fractional(dataset_of([column], np.array([0, 0, 1, 1])), max_depth=1)
    assert tree.n_rows.tolist() == [4, 3, 2]
    np.testing.assert_allclose(tree.counts, [[2, 2], [2, 2 / 3], [0, 4 / 3]], rtol=1e-15)
    assert tree.weight[1] + tree.weight[2] == tree.weight[0]


def test_parts_add_up_exactly_at_every_node() -> None:
    rng = np.random.default_rng(0)
    columns = [np.where(rng.random(500) < 0.3, np.nan, rng.normal(size=500)) for _ in range(5)]
    weights = round_weights(rng.integers(1, 100, 500) / 7)
    tree = fractional(dataset_of(columns, rng.integers(0, 3, 500), weights), max_depth=8)
    for node in np.flatnonzero(~tree.is_leaf):
        first = tree.first_child[node]
        family = slice(first, first + tree.n_children[node])
        assert tree.counts is not None
        assert (tree.counts[family].sum(axis=0) == tree.counts[node]).all()
        assert tree.weight[family].sum() == tree.weight[node]


def test_best_first_growth_stops_at_the_limit() -> None:
    rng = np.random.default_rng(1)
    columns = [np.where(rng.random(200) < 0.2, np.nan, rng.normal(size=200)) for _ in range(3)]
    dataset = dataset_of(columns, rng.integers(0, 2, 200))
    sizes = [fractional(dataset, max_leaf_nodes=limit).n_leaves for limit in (2, 5, 9)]
    assert sizes == [2, 5, 9]


def test_drawn_columns_depend_on_the_seed_alone() -> None:
    rng = np.random.default_rng(2)
    columns = [np.where(rng.random(80) < 0.2, np.nan, rng.normal(size=80)) for _ in range(6)]
    dataset = dataset_of(columns, rng.integers(0, 2, 80))
    one, again, other = (fractional(dataset, max_features=2, seed=seed) for seed in (7, 7, 8))
    assert same(one, again)
    assert not same(one, other)


def test_growth_can_be_stopped() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20_000, 20))
    X[0, 0] = np.nan
    dataset = dataset_of([np.ascontiguousarray(column) for column in X.T], rng.integers(0, 2, 20_000))
    seen: list[float] = []

    def poll(done: float) -> bool:
        seen.append(done)
        return True

    tree = grow(dataset, GrowOptions(missing="fractional"), poll).tree
    assert seen
    assert all(0 <= done <= 1 for done in seen)
    assert tree.n_leaves < 2000

    def fail(done: float) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grow(dataset, GrowOptions(missing="fractional"), fail)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splitter": "random"}, "splitter='random' is not available with missing='fractional'"),
        ({"monotonic": (1,)}, "monotonic constraints are not available"),
        ({"gain_correction": "mdl"}, "is counted in bits, and criterion='gini' is not"),
        (
            {"missing": "learn", "comparison": "weka"},
            "comparison='weka' is a rule of growth with missing='frac",
        ),
        ({"thresholds": "lowest"}, "thresholds='lowest' is not one of 'midpoint', 'training_value'"),
    ],
)
def test_what_cannot_be_combined_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GrowOptions(**({"missing": "fractional"} | options))


def test_a_minimum_of_weight_counts_rows_where_weights_are_shares() -> None:
    """AdaBoost's weights add up to 1, and no leaf then weighs 2: without Quinlan's minimum nothing grew."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(60, 2))
    y = (x[:, 0] > 0).astype(int)
    for minimum in ("plain", "quinlan"):
        model = C45Classifier(numeric_minimum=minimum)
        one = model.fit(x, y).tree_
        shares = model.fit(x, y, sample_weight=np.full(60, 1 / 60)).tree_
        assert one.n_leaves > 1
        assert np.array_equal(one.feature, shares.feature)
    half = TreeClassifier(missing="fractional", min_weight_fraction_leaf=0.3)  # a share is a share
    trees = [half.fit(x, y, sample_weight=np.full(60, weight)).tree_ for weight in (1.0, 1 / 60, 3.0)]
    assert all(np.array_equal(trees[0].feature, tree.feature) for tree in trees)
    assert all(np.array_equal(trees[0].n_rows, tree.n_rows) for tree in trees)
    assert trees[0].n_leaves > 1
