"""Rare categories are one group, with which unknown ones go; and no number of categories is too large."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boxwood
from boxwood import TreeClassifier, TreeRegressor
from boxwood.data import make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.tree import check_tree


def table(seed: int = 0, n_rows: int = 600) -> tuple[dict[str, list[object]], np.ndarray]:
    random = np.random.default_rng(seed)
    place = [f"p{k}" for k in random.geometric(0.15, n_rows)]
    colour: list[object] = random.choice(["red", "green", "blue"], n_rows).tolist()
    for row in np.flatnonzero(random.random(n_rows) < 0.1):
        colour[row] = None
    rare = np.array([int(name[1:]) > 12 for name in place])
    return {"place": place, "colour": colour}, np.where(random.random(n_rows) < 0.1, 1 - rare, rare)


@pytest.mark.parametrize("categorical_split", ["auto", "multiway", "one_vs_rest"])
@pytest.mark.parametrize("unknown", ["missing", "majority", "stop"])
def test_a_tree_with_pooled_categories_is_that_of_a_table_with_pooled_names(
    categorical_split, unknown, tmp_path
) -> None:  # type: ignore[no-untyped-def]
    X, y = table()
    names, counts = np.unique(X["place"], return_counts=True)
    rare = set(names[counts < 25].tolist())
    assert 3 < len(rare) < len(names)
    by_hand = {**X, "place": ["~other" if name in rare else name for name in X["place"]]}
    options = {"categorical_split": categorical_split, "unknown_category": unknown, "min_samples_leaf": 3}
    for estimator in (TreeClassifier, TreeRegressor):
        pooled = estimator(min_samples_category=25, **options).fit(X, y)
        expected = estimator(**options).fit(by_hand, y)
        check_tree(pooled.tree_)
        assert pooled.tree_.feature.tolist() == expected.tree_.feature.tolist()
        assert pooled.tree_.n_rows.tolist() == expected.tree_.n_rows.tolist()
        assert np.array_equal(pooled.apply(X), expected.apply(by_hand))
        kept = pooled.tree_.schema[0].categories
        assert set(kept) == set(names.tolist()) - rare
        # A place that training never saw goes with the rare ones, wherever these were.
        unseen = {**X, "place": ["nowhere" if name in rare else name for name in X["place"]]}
        assert np.array_equal(pooled.apply(unseen), pooled.apply(X))
        pooled.tree_.save(tmp_path / "tree.json")
        assert boxwood.load(tmp_path / "tree.json") == pooled.tree_


def test_the_limit_is_by_weight_and_exact() -> None:
    X = {"colour": ["red"] * 4 + ["blue"] * 2 + ["green"]}
    y = [0, 1, 0, 1, 1, 1, 1]
    options = GrowOptions(min_samples_category=3)
    tree = grow_tree(make_dataset(X, y, sample_weight=[1, 1, 1, 1, 1.5, 1.5, 2]), options)
    assert tree.schema[0].categories == ("blue", "red")
    light = make_dataset(
        X, y, sample_weight=[2.0**-10] * 7
    )  # together less than the rows: brought to a mean of 1
    assert grow_tree(light, options).schema[0].categories == ("red",)
    nothing = grow_tree(make_dataset(X, y), GrowOptions(min_samples_category=100))
    assert (nothing.schema[0].categories, nothing.n_leaves) == ((), 1)
    assert grow_tree(make_dataset(X, y), GrowOptions(min_samples_category=1)) == grow_tree(make_dataset(X, y))


def test_a_test_for_missing_values_knows_that_pooled_values_are_there() -> None:
    X = {"colour": ["red", "blue", "green", None, None, None]}
    tree = TreeClassifier(min_samples_category=2).fit(X, [0, 0, 0, 1, 1, 1])
    assert tree.predict({"colour": ["red", "black", None]}).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "options",
    [{}, {"categorical_split": "multiway"}, {"categorical_split": "one_vs_rest"}, {"select": "chi2_filter"}],
    ids=str,
)
def test_very_many_categories(options: dict[str, str], tmp_path: Path) -> None:
    """Nearly as many values as rows: everything a fitted tree does still works."""
    random = np.random.default_rng(1)
    n_rows = 120_000
    X = {"id": [f"user {i}" for i in range(n_rows)], "x": random.normal(size=n_rows).tolist()}
    y = np.array(X["x"]) > 0.3
    model = TreeClassifier(**options, max_depth=2).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.99
    text = str(model.tree_)
    assert len(text) < 100 * (model.tree_.n_nodes + 10)
    model.tree_.save(tmp_path / "tree.json")
    assert boxwood.load(tmp_path / "tree.json") == model.tree_


def test_a_pooled_identifier_leaves_no_trace(tmp_path: Path) -> None:
    X = {"id": [f"user {i}" for i in range(5_000)], "x": [float(i % 7) for i in range(5_000)]}
    y = [i % 7 > 3 for i in range(5_000)]
    tree = TreeClassifier(min_samples_category=2).fit(X, y).tree_
    assert tree.schema[0].categories == ()
    assert tree.feature[0] == 1
    tree.save(tmp_path / "tree.json")
    assert (tmp_path / "tree.json").stat().st_size < 3_000
