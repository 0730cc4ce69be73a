"""Every grown tree is the one that the definition gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.tree import check_tree
from tests.grow.tables import (
    CRITERIA,
    EVERY_CRITERION,
    STYLES,
    Recipe,
    dataset_of,
    grow_with,
    limits,
    recipes,
)
from tests.oracles.naive_split import Limits, Table
from tests.oracles.naive_tree import assert_same_tree, check_greedy, grow

MISSING = (0.0, 0.15, 0.4, 0.9)


@settings(max_examples=300)
@given(recipe=recipes(), limits=limits())
def test_numeric_columns(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits)
    check_tree(tree)
    assert_same_tree(tree, grow(Table.of(dataset), limits))
    check_greedy(tree, Table.of(dataset), limits)


@pytest.mark.parametrize("mode", ["learn", "branch"])
@settings(max_examples=250)
@given(data=st.data())
def test_missing_rows(mode: str, data: st.DataObject) -> None:
    recipe = data.draw(recipes(missing=MISSING))
    bounds = data.draw(limits(missing=(mode,)))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds)
    check_tree(tree)
    check_greedy(tree, Table.of(dataset), bounds)
    assert_same_tree(tree, grow(Table.of(dataset), bounds))


@pytest.mark.parametrize("criterion", EVERY_CRITERION)
@settings(max_examples=50)
@given(data=st.data())
def test_every_criterion(criterion: str, data: st.DataObject) -> None:
    """Numbers, categories, missing rows in both modes, weights, leaf minima: every split is the best."""
    recipe = data.draw(recipes((*STYLES, "category3", "category6"), missing=MISSING))
    bounds = data.draw(limits((criterion,), missing=("learn", "branch")))
    cuts = data.draw(st.sampled_from(["auto", "all"]))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds, cuts=cuts)
    check_tree(tree)
    check_greedy(tree, Table.of(dataset), bounds)
    if not any(style.startswith("category") for style in recipe.styles):
        assert_same_tree(tree, grow(Table.of(dataset), bounds))


@settings(max_examples=300)
@given(
    recipe=recipes(("few",), max_rows=9, missing=(0.4,), weights=("one",), max_columns=2),
    limits=limits(missing=("learn", "branch")),
)
def test_ties_between_directions_of_missing_rows(recipe: Recipe, limits: Limits) -> None:
    """In tiny tables many splits tie: the lowest threshold wins, then missing rows on the right."""
    dataset = recipe.cook()
    assert_same_tree(grow_with(dataset, limits), grow(Table.of(dataset), limits))


@pytest.mark.parametrize("mode", ["learn", "branch"])
@settings(max_examples=200)
@given(data=st.data())
def test_categories(mode: str, data: st.DataObject) -> None:
    styles = ("category2", "category3", "category4", "category6", "few", "floats")
    recipe = data.draw(recipes(styles, missing=MISSING, max_columns=3))
    bounds = data.draw(limits(missing=(mode,)))
    unknown = data.draw(st.sampled_from(["missing", "majority", "stop", "error", "distribute"]))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds, unknown_category=unknown)
    check_tree(tree)
    check_greedy(tree, Table.of(dataset), bounds, unknown)


@settings(max_examples=60)
@given(
    recipe=recipes(
        ("category9", "category15", "category40", "few"), max_rows=120, missing=MISSING, max_columns=2
    ),
    limits=limits(missing=("learn", "branch")),
)
def test_many_categories(recipe: Recipe, limits: Limits) -> None:
    """Where subsets are too many to try, the split's own score and counts are still right."""
    dataset = recipe.cook()
    tree = grow_with(dataset, limits)
    check_tree(tree)
    check_greedy(tree, Table.of(dataset), limits)


@settings(max_examples=250)
@given(
    recipe=recipes((*STYLES, "category4"), missing=(0.0, 0.2)),
    limits=limits(missing=("learn", "branch"), max_leaf_nodes=st.integers(2, 9)),
)
def test_best_first(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits)
    check_tree(tree)
    assert tree.n_leaves <= (limits.max_leaf_nodes or 0)
    check_greedy(tree, Table.of(dataset), limits)


@settings(max_examples=100)
@given(recipe=recipes((*STYLES, "category4"), missing=(0.0, 0.2)), limits=limits(missing=("learn", "branch")))
def test_best_first_without_a_binding_limit_is_depth_first(recipe: Recipe, limits: Limits) -> None:
    dataset = recipe.cook()
    free = grow_with(dataset, limits)
    enough = Limits(**{**vars(limits), "max_leaf_nodes": dataset.n_rows + 1})
    assert grow_with(dataset, enough) == free


@settings(max_examples=120)
@given(
    recipe=recipes((*STYLES, "category4"), missing=(0.0, 0.2)),
    limits=limits(missing=("learn", "branch")),
    max_features=st.integers(1, 3),
    seed=st.integers(0, 2**64 - 1),
)
def test_drawn_columns(recipe: Recipe, limits: Limits, max_features: int, seed: int) -> None:
    """Each split is the best of its own column; and a leaf has no column with a split at all."""
    dataset = recipe.cook()
    tree = grow_with(dataset, limits, max_features=max_features, seed=seed)
    check_tree(tree)
    if limits.min_impurity_decrease == 0 and limits.criterion != "gain_ratio":
        loose = Limits(**{**vars(limits), "every_feature": False})
        check_greedy(tree, Table.of(dataset), loose)
    assert grow_with(dataset, limits, max_features=max_features, seed=seed, n_threads=2) == tree
    everything = grow_with(dataset, limits, max_features=len(dataset.columns), seed=seed)
    assert everything == grow_with(dataset, limits)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_exclusive_or_takes_a_split_without_gain(criterion: str) -> None:
    first = np.array([0.0, 0.0, 1.0, 1.0] * 3)
    second = np.array([0.0, 1.0, 0.0, 1.0] * 3)
    dataset = dataset_of([first, second], (first != second).astype(int))
    tree = grow_with(dataset, Limits(criterion=criterion))
    assert tree.n_leaves == 4
    assert tree.score[0] == 0.0
    assert tree.feature[:3].tolist() == [0, 1, 1]


def test_ties_go_to_the_lowest_column_and_the_lowest_threshold() -> None:
    column = np.array([1.0, 2.0, 3.0, 4.0])
    dataset = dataset_of([np.zeros(4), column, column], np.array([0, 1, 1, 0]))
    tree = grow_with(dataset, Limits())
    assert (tree.feature[0], tree.threshold[0]) == (1, 1.5)


def test_values_that_differ_in_the_last_bit_are_separated() -> None:
    upper = np.nextafter(1.0, 2.0)
    dataset = dataset_of([np.array([1.0, upper])], np.array([0, 1]))
    tree = grow_with(dataset, Limits())
    assert tree.n_leaves == 2
    assert tree.threshold[0] == 1.0
    huge = np.array([-1.7e308, 1.7e308, 1.75e308])
    tree = grow_with(dataset_of([huge], np.array([0, 1, 2])), Limits())
    assert tree.n_leaves == 3
    assert np.isfinite(tree.threshold[tree.kind > 0]).all()
    both_zeros = grow_with(dataset_of([np.array([-0.0, 0.0])], np.array([0, 1])), Limits())
    assert both_zeros.n_leaves == 1


def test_a_tie_sends_missing_rows_to_the_right() -> None:
    column = np.array([1.0, 2.0, np.nan, np.nan])
    tree = grow_with(dataset_of([column], np.array([0, 1, 0, 1])), Limits())
    assert (tree.threshold[0], tree.missing_branch[0]) == (1.5, 1)


def test_missing_against_the_rest_is_a_candidate() -> None:
    column = np.array([1.0, np.nan, 2.0, np.nan, 3.0, np.nan])
    tree = grow_with(dataset_of([column], np.array([0, 1, 0, 1, 0, 1])), Limits())
    assert tree.n_leaves == 2
    assert (tree.kind[0], tree.missing_branch[0]) == (4, 0)
    only_missing = dataset_of([np.full(4, np.nan)], np.array([0, 1, 0, 1]))
    assert grow_with(only_missing, Limits()).n_leaves == 1
