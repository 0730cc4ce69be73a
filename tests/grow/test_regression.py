"""Every grown regression tree is the one that the definition gives."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import Dataset, make_dataset
from boxwood.grow import GrowOptions, grow, grow_tree
from boxwood.tree import Tree, check_tree
from tests.grow.tables import STYLES, Recipe, dataset_of, grow_with, limits, recipes
from tests.oracles.naive_regression import (
    CLOSE,
    CRITERIA,
    NumberTable,
    by_mean,
    check_contents,
    check_regression,
    loss,
    weighted_median,
)
from tests.oracles.naive_split import Limits
from tests.oracles.naive_tree import divide, split_of

MISSING = (0.0, 0.15, 0.4, 0.9)
CATEGORIES = ("category2", "category3", "category4", "category6", "few", "floats")
TARGETS = ("quarters", "normal", "counts", "skewed")


def with_numbers(dataset: Dataset, style: str, seed: int) -> Dataset:
    """The same table with a number for each row, none of them negative: ties, no ties, zeros, a long tail."""
    rng = np.random.default_rng(seed)
    level = np.asarray(dataset.target, dtype=np.float64)  # the class that the recipe drew may tell something
    match style:
        case "quarters":
            target = (level + rng.integers(0, 4, len(level))) / 4
        case "normal":
            target = np.abs(level + rng.normal(size=len(level)))
        case "counts":
            target = rng.poisson(0.5 * level).astype(np.float64)
        case _:
            target = np.exp(3 * rng.normal(size=len(level)))
    if not target.any():
        target[0] = 1.0
    return replace(dataset, target=target, classes=None)


def numbers(**given: object) -> st.SearchStrategy[Dataset]:
    """Random tables with a number for each row."""

    def cook(recipe: Recipe, style: str) -> Dataset:
        return with_numbers(recipe.cook(), style, recipe.seed)

    return st.builds(cook, recipes(**given), st.sampled_from(TARGETS))  # type: ignore[arg-type]


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=120)
@given(data=st.data())
def test_numeric_columns(criterion: str, data: st.DataObject) -> None:
    dataset, bounds = data.draw(numbers()), data.draw(limits((criterion,)))
    tree = grow_with(dataset, bounds)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), bounds)


@pytest.mark.parametrize("mode", ["learn", "branch"])
@settings(max_examples=150)
@given(data=st.data())
def test_missing_rows(mode: str, data: st.DataObject) -> None:
    dataset = data.draw(numbers(missing=MISSING))
    bounds = data.draw(limits(CRITERIA, missing=(mode,)))
    tree = grow_with(dataset, bounds)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), bounds)


@pytest.mark.parametrize("mode", ["learn", "branch"])
@settings(max_examples=120)
@given(data=st.data())
def test_categories(mode: str, data: st.DataObject) -> None:
    dataset = data.draw(numbers(styles=CATEGORIES, missing=MISSING, max_columns=3))
    bounds = data.draw(limits(CRITERIA, missing=(mode,)))
    unknown = data.draw(st.sampled_from(["missing", "majority", "stop", "error", "distribute"]))
    tree = grow_with(dataset, bounds, unknown_category=unknown)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), bounds, unknown)


@pytest.mark.parametrize("way", ["multiway", "one_vs_rest"])
@settings(max_examples=100)
@given(data=st.data())
def test_one_branch_per_category_and_one_against_the_rest(way: str, data: st.DataObject) -> None:
    """With absolute error the median of the rows without a value was looked up even where there were none,
    one place past the end of the sorted responses: nobody used it, but the sanitizers stopped at the read."""
    dataset = data.draw(numbers(styles=(*CATEGORIES, "category12"), missing=MISSING, max_columns=3))
    bounds = data.draw(limits(CRITERIA, missing=("learn", "branch"), categorical_split=(way,)))
    tree = grow_with(dataset, bounds)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), bounds)
    assert grow_with(dataset, bounds, n_threads=2) == tree
    monotonic = tuple(int(kind == 0) for kind in dataset.schema.n_categories)
    constrained = grow_with(dataset, bounds, monotonic=monotonic)
    check_regression(constrained, NumberTable.of(dataset), bounds, monotonic=monotonic)


@settings(max_examples=40)
@given(
    dataset=numbers(
        styles=("category9", "category15", "category40", "few"), max_rows=120, missing=MISSING, max_columns=2
    ),
    limits=limits(CRITERIA, missing=("learn", "branch")),
)
def test_many_categories(dataset: Dataset, limits: Limits) -> None:
    tree = grow_with(dataset, limits)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), limits)


@settings(max_examples=120)
@given(
    dataset=numbers(styles=(*STYLES, "category4"), missing=(0.0, 0.2)),
    limits=limits(CRITERIA, missing=("learn", "branch"), max_leaf_nodes=st.integers(2, 9)),
)
def test_best_first(dataset: Dataset, limits: Limits) -> None:
    tree = grow_with(dataset, limits)
    check_tree(tree)
    assert tree.n_leaves <= (limits.max_leaf_nodes or 0)
    check_regression(tree, NumberTable.of(dataset), limits)


@settings(max_examples=60)
@given(dataset=numbers(styles=(*STYLES, "category4"), missing=(0.0, 0.2)), limits=limits(CRITERIA))
def test_best_first_without_a_binding_limit_is_depth_first(dataset: Dataset, limits: Limits) -> None:
    enough = replace(limits, max_leaf_nodes=dataset.n_rows + 1)
    assert grow_with(dataset, enough) == grow_with(dataset, limits)


@settings(max_examples=60)
@given(
    dataset=numbers(styles=(*STYLES, "category4"), missing=(0.0, 0.2)),
    limits=limits(CRITERIA, missing=("learn", "branch")),
    max_features=st.integers(1, 3),
    seed=st.integers(0, 2**64 - 1),
)
def test_drawn_columns(dataset: Dataset, limits: Limits, max_features: int, seed: int) -> None:
    """Each split is the best of its own column; and a leaf has no column with a split at all."""
    tree = grow_with(dataset, limits, max_features=max_features, seed=seed)
    check_tree(tree)
    if limits.min_impurity_decrease == 0:
        check_regression(tree, NumberTable.of(dataset), replace(limits, every_feature=False))
    assert grow_with(dataset, limits, max_features=max_features, seed=seed, n_threads=2) == tree


@settings(max_examples=150)
@given(
    dataset=numbers(missing=(0.0, 0.2), max_columns=3),
    limits=limits(CRITERIA, missing=("learn", "branch")),
    signs=st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4),
)
def test_monotonic_constraints(dataset: Dataset, limits: Limits, signs: list[int]) -> None:
    constraints = tuple(signs[: dataset.n_features])
    tree = grow_with(dataset, limits, monotonic=constraints)
    check_tree(tree)
    check_regression(tree, NumberTable.of(dataset), limits, monotonic=constraints)
    assert grow_with(dataset, limits, monotonic=constraints, n_threads=2) == tree


# ------------------------------------------------------------------------------------------------ invariance


def shuffled(dataset: Dataset, seed: int) -> Dataset:
    order = np.random.default_rng(seed).permutation(dataset.n_rows)
    return replace(
        dataset,
        columns=tuple(column[order] for column in dataset.columns),
        target=dataset.target[order],
        weights=dataset.weights[order],
    )


def assert_same_splits(one: Tree, other: Tree) -> None:
    """Splits are equal to the last bit; what is added up in the order of the rows is nearly so."""
    for name in ("kind", "feature", "threshold", "first_child", "n_children", "missing_branch", "n_rows"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True), name
    for name in ("category_offset", "category_code", "category_branch", "unknown_branch", "weight"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    for name in ("sums", "answer", "impurity", "score"):
        mine, yours = getattr(one, name), getattr(other, name)
        size = np.abs(np.nan_to_num(mine)).max()
        assert mine == pytest.approx(yours, rel=1e-10, abs=1e-13 * size, nan_ok=True), name


@settings(max_examples=60)
@given(
    dataset=numbers(styles=(*STYLES, "category6"), missing=(0.0, 0.2), max_rows=60),
    limits=limits(CRITERIA, missing=("learn", "branch")),
    seed=st.integers(0, 2**32 - 1),
)
def test_neither_the_order_of_rows_nor_threads_matter(dataset: Dataset, limits: Limits, seed: int) -> None:
    tree = grow_with(dataset, limits)
    assert grow_with(dataset, limits, n_threads=2) == tree
    assert_same_splits(grow_with(shuffled(dataset, seed), limits), tree)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_large_table_grows_the_same_tree_on_any_number_of_threads(criterion: str) -> None:
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=20_000) for _ in range(4)]
    columns.append(rng.integers(0, 40, 20_000).astype(np.int32))
    target = np.exp(columns[0]) + np.abs(columns[1]) + columns[4] % 7 + rng.random(20_000)
    dataset = replace(dataset_of(columns, np.zeros(20_000)), target=target, classes=None)
    trees = [grow_with(dataset, Limits(criterion=criterion, max_depth=9), n_threads=n) for n in (1, 2, 3)]
    assert trees[0] == trees[1] == trees[2]
    other = grow_with(shuffled(dataset, 1), Limits(criterion=criterion, max_depth=9), n_threads=2)
    assert_same_splits(other, trees[0])
    table = NumberTable.of(dataset)
    rows = np.flatnonzero(trees[0].apply(list(dataset.columns)) == trees[0].n_nodes - 1)
    check_contents(trees[0], trees[0].n_nodes - 1, table, rows, criterion)


# ------------------------------------------------------------------------------------------------- precision


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_numbers_far_from_zero(criterion: str, offset: float) -> None:
    """Sums of squares of numbers near a billion lose all that tells them apart; deviations do not."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = np.round(4 * (X[:, 0] > 0) + 2 * (X[:, 1] > 0.5) + rng.normal(size=200), 3) + offset
    dataset = make_dataset(X, y, task="regression")
    far = grow_tree(dataset, GrowOptions(criterion=criterion, max_depth=4))
    if criterion != "poisson":  # whose splits depend on where zero is
        near = grow_tree(
            make_dataset(X, y - offset, task="regression"), GrowOptions(criterion=criterion, max_depth=4)
        )
        assert np.array_equal(near.feature, far.feature)
        assert np.array_equal(near.threshold, far.threshold)
        assert far.answer == pytest.approx(near.answer + offset, rel=1e-12)
        assert far.impurity == pytest.approx(near.impurity, rel=1e-6)
    assert far.n_leaves > 8
    assert far.impurity.min() >= 0
    leaves = far.apply(list(dataset.columns))
    for leaf in np.unique(leaves):
        here = y[leaves == leaf]
        if criterion == "poisson":  # to second order; the definition itself cancels here
            expected = np.var(here) / (2 * here.mean())
            assert far.impurity[leaf] == pytest.approx(expected, rel=1e-2)
        else:
            expected = loss(criterion, here, np.ones(len(here))) / len(here)
            assert far.impurity[leaf] == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("scale", [1e-100, 1e-9, 1e9, 1e100])
def test_the_unit_does_not_matter(criterion: str, scale: float) -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(150, 3)), rng.random(150)
    options = GrowOptions(criterion=criterion)
    one = grow_tree(make_dataset(X, y, task="regression"), options)
    other = grow_tree(make_dataset(X, y * scale, task="regression"), options)
    assert np.array_equal(one.feature, other.feature)
    assert np.array_equal(one.threshold, other.threshold)
    assert other.answer == pytest.approx(one.answer * scale, rel=1e-12)


def test_numbers_that_differ_in_the_last_bit_are_told_apart() -> None:
    y = np.array([1.0, np.nextafter(1.0, 2.0), 1.0, np.nextafter(1.0, 2.0)])
    tree = grow_tree(make_dataset(np.arange(4.0)[:, None], y, task="regression"))
    check_tree(tree)
    assert (tree.impurity >= 0).all()
    assert tree.n_leaves in (1, 4)  # equal within rounding, or not at all


@pytest.mark.parametrize("criterion", CRITERIA)
def test_equal_numbers_are_a_leaf_whatever_their_sum_rounds_to(criterion: str) -> None:
    """Ten times 0.1 is not 1.0: a variance from sums of squares would be a little more than zero."""
    X = np.arange(10.0)[:, None]
    tree = grow_tree(make_dataset(X, np.full(10, 0.1), task="regression"), GrowOptions(criterion=criterion))
    assert tree.n_leaves == 1
    assert tree.impurity[0] == pytest.approx(0.0, abs=1e-17)
    assert tree.answer[0] == pytest.approx(0.1, rel=1e-15)


# -------------------------------------------------------------------------------------------------- examples


def test_the_median_of_an_even_number_is_in_the_middle() -> None:
    y = np.array([1.0, 2.0, 10.0, 20.0])
    tree = grow_tree(
        make_dataset(np.zeros((4, 1)), y, task="regression"), GrowOptions(criterion="absolute_error")
    )
    assert tree.answer.tolist() == [6.0]
    assert tree.impurity.tolist() == [6.75]
    weighted = make_dataset(np.zeros((4, 1)), y, [1, 1, 1, 2], task="regression")
    assert grow_tree(weighted, GrowOptions(criterion="absolute_error")).answer.tolist() == [10.0]


def test_exclusive_or_takes_a_split_without_gain() -> None:
    first = np.array([0.0, 0.0, 1.0, 1.0] * 3)
    second = np.array([0.0, 1.0, 0.0, 1.0] * 3)
    dataset = make_dataset(np.column_stack([first, second]), first != second, task="regression")
    tree = grow_tree(dataset, GrowOptions(criterion="squared_error"))
    assert tree.n_leaves == 4
    assert tree.score[0] == pytest.approx(0.0, abs=1e-15)
    assert tree.feature[:3].tolist() == [0, 1, 1]


def test_ties_go_to_the_lowest_column_and_the_lowest_threshold() -> None:
    column = np.array([1.0, 2.0, 3.0, 4.0])
    X = np.column_stack([np.zeros(4), column, column])
    for criterion in ("squared_error", "absolute_error"):
        dataset = make_dataset(X, [0.0, 1.0, 1.0, 0.0], task="regression")
        tree = grow_tree(dataset, GrowOptions(criterion=criterion))
        assert (tree.feature[0], tree.threshold[0]) == (1, 1.5)


def test_a_criterion_of_the_other_task_is_refused() -> None:
    X = np.arange(4.0)[:, None]
    with pytest.raises(ValueError, match="'gini'"):
        grow(make_dataset(X, [1.0, 2.0, 3.0, 4.0], task="regression"), GrowOptions(criterion="gini"))
    with pytest.raises(ValueError, match="'squared_error'"):
        grow(make_dataset(X, [0, 0, 1, 1]), GrowOptions(criterion="squared_error"))


def test_the_order_of_means_is_exact_for_squared_error() -> None:
    """With eleven categories, against all 1023 ways to part them."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 11, 90).astype(np.int32)
    target = np.round(rng.normal(size=11)[codes] + rng.normal(size=90), 2)
    dataset = replace(dataset_of([codes], np.zeros(90)), target=target, classes=None)
    tree = grow_with(dataset, Limits(criterion="squared_error", max_depth=1))
    table, rows = NumberTable.of(dataset), np.arange(90)
    order, apart = by_mean(table, rows, 0)
    assert apart
    best = 0.0
    for mask in range(1, 2**10):
        left = np.isin(codes, [code for place, code in enumerate(order) if mask >> place & 1])
        after = sum(loss("squared_error", target[side], np.ones(side.sum())) for side in (left, ~left))
        best = max(best, (loss("squared_error", target, np.ones(90)) - after) / 90)
    assert tree.score[0] == pytest.approx(best, rel=1e-9)


# -------------------------------------------------------------------------------------------- random splitter


def check_random(tree: Tree, table: NumberTable, limits: Limits) -> None:
    """Assert that contents and scores are right and that every cut lies between the values of its node."""
    rows_at = {0: np.arange(table.n_rows)}
    for node in range(tree.n_nodes):
        rows = rows_at[node]
        check_contents(tree, node, table, rows, limits.criterion)
        if tree.is_leaf[node]:
            continue
        feature = int(tree.feature[node])
        missing = table.missing(feature, rows)
        split = split_of(tree, node, bool(missing.any()))
        known = table.columns[feature][rows][~missing]
        if split.kind == "threshold":
            assert known.min() <= split.threshold < known.max()
        if split.kind == "subset":
            assert split.subset < set(known.tolist())
        parts = divide(table, rows, feature, split)  # type: ignore[arg-type]
        assert all(len(part) >= limits.min_samples_leaf for part in parts)
        losses = [loss(limits.criterion, table.target[part], table.weights[part]) for part in (rows, *parts)]
        weight = float(table.weights[rows].sum())
        gain = (losses[0] - math.fsum(losses[1:])) / weight
        assert abs(tree.score[node] - gain) <= CLOSE * losses[0] / weight
        for branch, part in enumerate(parts):
            rows_at[int(tree.first_child[node]) + branch] = part


@settings(max_examples=120)
@given(
    dataset=numbers(styles=(*STYLES, "category4"), missing=MISSING),
    limits=limits(CRITERIA, missing=("learn", "branch")),
    seed=st.integers(0, 2**64 - 1),
)
def test_random_cuts(dataset: Dataset, limits: Limits, seed: int) -> None:
    tree = grow_with(dataset, limits, splitter="random", seed=seed)
    check_tree(tree)
    check_random(tree, NumberTable.of(dataset), limits)
    assert grow_with(dataset, limits, splitter="random", seed=seed, n_threads=2) == tree
    other = grow_with(shuffled(dataset, seed % 2**32), limits, splitter="random", seed=seed)
    assert_same_splits(other, tree)


def test_random_cuts_are_uniform() -> None:
    X = np.array([[0.0], [0.1], [1.0]])
    dataset = make_dataset(X, [0.0, 1.0, 5.0], task="regression")
    options = [
        GrowOptions(criterion="squared_error", splitter="random", max_depth=1, seed=seed)
        for seed in range(400)
    ]
    cuts = np.array([grow_tree(dataset, one).threshold[0] for one in options])
    assert len(np.unique(cuts)) == 400
    assert ((cuts >= 0) & (cuts < 1)).all()
    counts = np.histogram(cuts, bins=4, range=(0, 1))[0]
    assert counts.min() > 60  # 100 are expected, with a standard deviation of 8.7


def test_the_oracle_knows_a_median() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        y, weights = rng.integers(0, 9, 7).astype(float), rng.integers(1, 4, 7)
        assert weighted_median(y, weights.astype(float)) == np.median(np.repeat(y, weights))
