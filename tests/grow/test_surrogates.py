"""Growth with surrogates gives what the definition gives, and routes rows in training as in prediction."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import TreeClassifier, TreeRegressor, load_penguins
from boxwood.criteria import Impurity
from boxwood.data import make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.tree import Subset, Threshold, Tree, check_tree
from tests.grow.tables import EVERY_CRITERION, STYLES, Recipe, dataset_of, grow_with, limits, recipes
from tests.oracles.naive_split import Limits, Table
from tests.oracles.naive_surrogates import check_surrogates

nan = np.nan
MISSING = (0.0, 0.15, 0.4, 0.8)
MIXED = (*STYLES, "category3", "category6")


def assert_routes_as_it_counted(tree: Tree, dataset) -> None:
    """The training rows, sent through the tree, make up the counts of every node that they pass."""
    passed = tree.decision_path(dataset.columns).toarray().astype(bool)
    assert np.array_equal(passed.sum(axis=0), tree.n_rows)
    for k in range(tree.n_classes):
        of_class = dataset.weights * (dataset.target == k)
        assert np.array_equal(of_class @ passed, tree.counts[:, k])


@settings(max_examples=250)
@given(
    recipe=recipes(MIXED, missing=MISSING),
    limits=limits(missing=("surrogate",)),
    most=st.sampled_from([5, 5, 0, 1, 2]),
)
def test_every_split_and_every_surrogate_is_the_best(recipe: Recipe, limits: Limits, most: int) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits, max_surrogates=most)
    check_tree(tree)
    check_surrogates(tree, Table.of(dataset), limits, most)
    assert_routes_as_it_counted(tree, dataset)
    assert Tree.from_dict(tree.to_dict()) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree


@pytest.mark.parametrize("criterion", EVERY_CRITERION)
@settings(max_examples=25)
@given(data=st.data())
def test_every_criterion(criterion: str, data: st.DataObject) -> None:
    recipe = data.draw(recipes(MIXED, missing=MISSING))
    bounds = data.draw(limits((criterion,), missing=("surrogate",)))
    dataset = recipe.cook()
    tree = grow_with(dataset, bounds, cuts=data.draw(st.sampled_from(["auto", "all"])))
    check_surrogates(tree, Table.of(dataset), bounds)
    assert_routes_as_it_counted(tree, dataset)


@settings(max_examples=60)
@given(
    recipe=recipes((*MIXED, "category40"), max_rows=60, missing=MISSING),
    limits=limits(missing=("surrogate",), max_leaf_nodes=st.integers(2, 9)),
    more=st.sampled_from([{}, {"splitter": "random", "seed": 3}, {"max_features": 1, "seed": 3}]),
)
def test_best_first_and_drawn_splits_route_alike(recipe: Recipe, limits: Limits, more: dict) -> None:
    dataset = recipe.cook()
    tree = grow_with(dataset, limits, **more)
    check_tree(tree)
    assert_routes_as_it_counted(tree, dataset)
    enough = Limits(**{**vars(limits), "max_leaf_nodes": dataset.n_rows + 1})
    free = Limits(**{**vars(limits), "max_leaf_nodes": None})
    assert grow_with(dataset, enough, **more) == grow_with(dataset, free, **more)


def large(n: int = 3000) -> tuple[list[np.ndarray], np.ndarray]:
    rng = np.random.default_rng(1)
    columns = [rng.normal(size=n) for _ in range(4)]
    columns.append(columns[0] * 2 + 0.3 * rng.normal(size=n))
    columns += [rng.integers(0, 20, n).astype(np.float64), rng.integers(0, 300, n).astype(np.int32)]
    columns.append((columns[0] > 0).astype(np.int32))
    target = (columns[0] + 0.5 * columns[1] + 0.05 * columns[5] > 0.3).astype(np.int32)
    target[rng.random(n) < 0.1] ^= 1
    for column in columns:
        lost = rng.random(n) < 0.2
        column[lost] = -1 if column.dtype == np.int32 else nan
    return columns, target


@pytest.mark.parametrize("weighted", [False, True])
def test_order_and_threads_make_no_difference(weighted: bool) -> None:
    columns, target = large()
    weights = np.random.default_rng(2).integers(1, 64, len(target)) / 16 if weighted else None
    options = GrowOptions(missing="surrogate", min_samples_leaf=3)
    plain = grow_tree(dataset_of(columns, target, weights), options)
    order = np.random.default_rng(3).permutation(len(target))
    shuffled = dataset_of(
        [column[order] for column in columns], target[order], None if weights is None else weights[order]
    )
    assert grow_tree(shuffled, options) == plain
    threads = GrowOptions(missing="surrogate", min_samples_leaf=3, n_threads=2)
    assert grow_tree(shuffled, threads) == plain
    assert_routes_as_it_counted(plain, dataset_of(columns, target, weights))
    assert plain.surrogate_feature.size > plain.n_leaves


def test_a_table_by_hand() -> None:
    first = np.array([1.0, 2, 3, 4, 5, 6, nan, nan, nan])
    second = np.array([9.0, 8, 2.5, 3, 2, 1, 8, 1, nan])  # the other way round, five of six
    third = np.array([0, 0, -1, 1, 1, 0, 1, -1, -1], dtype=np.int32)  # four of five
    target = np.array([0, 0, 0, 1, 1, 1, 0, 1, 1])
    dataset = dataset_of([first, second, third], target)
    tree = grow_tree(dataset, GrowOptions(missing="surrogate", max_depth=1))
    (one, other) = tree.split(0).surrogates
    assert tree.threshold[0] == 3.5
    assert one.split == Threshold(1, 2.25)  # the lower of two that agree as often
    assert (one.flipped, one.agreement) == (True, 5 / 6)
    assert other.split == Subset(2, {0: 0, 1: 1})
    assert other.agreement == 4 / 5
    # Row 6 goes left and row 7 right by the second column; row 8 has nothing, and a tie goes left.
    assert tree.counts.tolist() == [[4, 5], [4, 1], [0, 4]]
    assert tree.score[0] == pytest.approx(6 / 9 * 0.5)
    assert "surrogates: f1 > 2.25 (83%), f2 in {c000} against {c001} (80%)" in str(tree)


def test_rows_beyond_one_small_sample() -> None:
    """Large nodes, and small ones that are grown apart, route alike, on any number of threads."""
    rng = np.random.default_rng(5)
    n = 70_000
    columns = [rng.normal(size=n), rng.normal(size=n), rng.integers(0, 9, n).astype(np.float64)]
    columns.append(columns[0] + 0.2 * rng.normal(size=n))
    target = ((columns[0] > 0) ^ (columns[2] > 4)).astype(np.int32)
    for column in columns:
        column[rng.random(n) < 0.1] = nan
    dataset = dataset_of(columns, target)
    options = GrowOptions(missing="surrogate", max_depth=5)
    tree = grow_tree(dataset, options)
    ends = tree.apply(dataset.columns)
    assert np.array_equal(np.bincount(ends, minlength=tree.n_nodes)[tree.is_leaf], tree.n_rows[tree.is_leaf])
    assert tree == grow_tree(dataset, GrowOptions(missing="surrogate", max_depth=5, n_threads=2))


def test_what_cannot_go_together() -> None:
    X, y = [[1.0], [2.0], [nan]], [0, 1, 1]
    for arguments, words in (
        ({"max_surrogates": 3, "missing": "learn"}, "max_surrogates=3 belongs to missing='surrogate'"),
        ({"monotonic_cst": [1]}, "monotonic constraints cannot go together with missing='surrogate'"),
        ({"unknown_category": "majority"}, "unknown_category='majority' cannot go together"),
        ({"criterion": Impurity(np.sqrt)}, "a criterion that Python evaluates"),
        ({"max_surrogates": -1}, "'max_surrogates' parameter"),
        ({"categorical_split": "multiway"}, "stands in for a split in two"),
        ({"min_samples_category": 2.0}, "min_samples_category cannot go together"),
    ):
        with pytest.raises(ValueError, match=words):
            TreeClassifier(**{"missing": "surrogate", **arguments}).fit(X, y)
    with pytest.raises(ValueError, match="missing='surrogate' is for classes"):
        TreeRegressor(missing="surrogate").fit(X, y)


def test_penguins_are_told_apart_without_their_best_column() -> None:
    penguins = load_penguins()
    model = TreeClassifier(missing="surrogate", min_samples_leaf=5, max_depth=3)
    model.fit(penguins.data, penguins.target)
    dataset = make_dataset(penguins.data, penguins.target)
    assert_routes_as_it_counted(model.tree_, dataset)
    assert "surrogates: " in str(model.tree_)
    whole = model.score(penguins.data, penguins.target)
    root = penguins.feature_names[int(model.tree_.feature[0])]
    blinded = {**penguins.data, root: np.full(len(penguins.target), nan)}
    heavier = TreeClassifier(min_samples_leaf=5, max_depth=3).fit(penguins.data, penguins.target)
    assert model.score(blinded, penguins.target) > heavier.score(blinded, penguins.target) + 0.1
    assert whole > 0.95


def test_a_real_table_with_missing_cells(data_file) -> None:
    """Hepatitis: 19 columns of both kinds, of which 15 lack some cells."""
    frame = pd.read_csv(data_file("hepatitis.csv.gz"), keep_default_na=False, na_values=[""])
    X, y = frame.drop(columns="class"), frame["class"].astype(str)
    X = X.astype({name: "category" for name in X if X[name].nunique() <= 2})
    tree = TreeClassifier(missing="surrogate", min_samples_leaf=3).fit(X, y).tree_
    check_tree(tree)
    dataset = make_dataset(X, y)
    assert_routes_as_it_counted(tree, dataset)
    check_surrogates(tree, Table.of(dataset), Limits(missing="surrogate", min_samples_leaf=3))
