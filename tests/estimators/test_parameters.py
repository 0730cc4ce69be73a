"""Every argument does what it says, or says no."""

from __future__ import annotations

import inspect
import re
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from boxwood import TreeClassifier
from boxwood.estimators.parameters import count_features, count_rows, count_threads, draw_seed

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 4))
y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(scale=0.5, size=120) > 0.5).astype(int)


def test_the_arguments_of_scikit_learn_have_its_names_and_defaults() -> None:
    theirs = inspect.signature(DecisionTreeClassifier).parameters
    ours = inspect.signature(TreeClassifier).parameters
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in ours.values())
    for name, parameter in theirs.items():
        assert ours[name].default == parameter.default, name
    assert set(ours) - set(theirs) - {"categorical_features"} == {
        "categorical_split",
        "missing",
        "unknown_category",
        "n_jobs",
    }


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("criterion", "purity", "'gini', 'entropy', 'gain_ratio', 'log_loss'"),
        ("criterion", None, "'gini'"),
        ("splitter", "worst", "'best', 'random'"),
        ("max_depth", 0, "[1, inf) or None"),
        ("max_depth", 2.0, "an int"),
        ("max_depth", True, "an int"),
        ("min_samples_split", 1, "[2, inf)"),
        ("min_samples_split", 0.0, "(0.0, 1.0]"),
        ("min_samples_split", 1.5, "(0.0, 1.0]"),
        ("min_samples_leaf", 0, "[1, inf)"),
        ("min_samples_leaf", 1.0, "(0.0, 1.0)"),
        ("min_samples_leaf", float("nan"), "(0.0, 1.0)"),
        ("min_weight_fraction_leaf", 0.6, "[0.0, 0.5]"),
        ("min_weight_fraction_leaf", -0.1, "[0.0, 0.5]"),
        ("max_features", 0, "[1, inf)"),
        ("max_features", 1.2, "(0.0, 1.0]"),
        ("max_features", "auto", "'sqrt', 'log2'"),
        ("max_leaf_nodes", 1, "[2, inf) or None"),
        ("min_impurity_decrease", -1e-9, "[0.0, inf)"),
        ("min_impurity_decrease", float("inf"), "[0.0, inf)"),
        ("class_weight", "even", "the str 'balanced'"),
        ("class_weight", [{0: 1}], "a dict"),
        ("ccp_alpha", -0.1, "[0.0, inf)"),
        ("categorical_split", "twoing", "the str 'auto'"),
        ("missing", "impute", "'learn', 'branch'"),
        ("unknown_category", "ignore", "'missing', 'majority', 'stop', 'error'"),
        ("n_jobs", 0, "an int other than 0 or None"),
        ("n_jobs", 1.5, "an int other than 0 or None"),
    ],
)
def test_a_wrong_value_is_named_with_what_is_allowed(name: str, value: Any, allowed: str) -> None:
    classifier = TreeClassifier(**{name: value})  # the constructor only stores
    message = f"The {name!r} parameter of TreeClassifier must be "
    with pytest.raises(ValueError, match=re.escape(message)) as refusal:
        classifier.fit(X, y)
    assert allowed in str(refusal.value)
    assert repr(value) in str(refusal.value)


def test_a_wrong_random_state_is_refused_even_where_nothing_is_drawn() -> None:
    with pytest.raises(ValueError, match="cannot be used to seed"):
        TreeClassifier(random_state="seven").fit(X, y)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"splitter": "random"}, "splitter='random' is not available"),
        ({"ccp_alpha": 0.01}, "ccp_alpha=0.01 is not available"),
        ({"monotonic_cst": [0, 0, 1, 0]}, "monotonic_cst is not available"),
    ],
)
def test_what_is_not_available_is_refused(given: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=re.escape(named)):
        TreeClassifier(**given).fit(X, y)


def test_numbers_of_numpy_are_numbers() -> None:
    given = {"max_depth": np.int64(3), "min_samples_leaf": np.float32(0.0625), "n_jobs": np.int8(1)}
    plain = TreeClassifier(max_depth=3, min_samples_leaf=8)
    assert TreeClassifier(**given).fit(X, y).tree_ == plain.fit(X, y).tree_


def test_max_depth() -> None:
    assert [TreeClassifier(max_depth=depth).fit(X, y).get_depth() for depth in (1, 2, 3)] == [1, 2, 3]
    assert TreeClassifier(max_depth=10**15).fit(X, y).tree_ == TreeClassifier().fit(X, y).tree_


@pytest.mark.parametrize("share", [0.04, 0.1, 0.33])
def test_fractions_of_rows(share: float) -> None:
    rows = int(np.ceil(share * len(y)))
    leaf = TreeClassifier(min_samples_leaf=share).fit(X, y)
    assert leaf.tree_ == TreeClassifier(min_samples_leaf=rows).fit(X, y).tree_
    assert leaf.tree_.n_rows.min() >= rows
    split = TreeClassifier(min_samples_split=share).fit(X, y)
    assert split.tree_ == TreeClassifier(min_samples_split=rows).fit(X, y).tree_
    assert split.tree_.n_rows[split.tree_.kind > 0].min() >= rows


def test_rows_of_weight_zero_are_not_counted() -> None:
    weights = np.ones(len(y))
    weights[::2] = 0
    weighted = TreeClassifier(min_samples_leaf=0.1).fit(X, y, sample_weight=weights)
    assert weighted.tree_ == TreeClassifier(min_samples_leaf=0.1).fit(X[1::2], y[1::2]).tree_


def test_min_weight_fraction_leaf() -> None:
    weights = rng.integers(1, 9, len(y)).astype(float)
    tree = TreeClassifier(min_weight_fraction_leaf=0.1).fit(X, y, sample_weight=weights).tree_
    assert tree.n_leaves > 1
    assert tree.weight.min() >= 0.1 * weights.sum()


def test_min_impurity_decrease() -> None:
    tree = TreeClassifier(min_impurity_decrease=0.02).fit(X, y).tree_
    splits = tree.kind > 0
    assert 1 < tree.n_leaves < TreeClassifier().fit(X, y).get_n_leaves()
    assert (tree.weight[splits] / tree.weight[0] * tree.score[splits]).min() >= 0.02


def test_max_leaf_nodes() -> None:
    assert [TreeClassifier(max_leaf_nodes=n).fit(X, y).get_n_leaves() for n in (2, 3, 7)] == [2, 3, 7]


def test_max_features() -> None:
    assert TreeClassifier(max_features=None).fit(X, y).max_features_ == 4
    assert TreeClassifier(max_features="sqrt").fit(X, y).max_features_ == 2
    assert TreeClassifier(max_features="log2").fit(X, y).max_features_ == 2
    assert TreeClassifier(max_features=0.75).fit(X, y).max_features_ == 3
    assert TreeClassifier(max_features=0.01).fit(X, y).max_features_ == 1
    trees = [TreeClassifier(max_features=1, random_state=seed).fit(X, y).tree_ for seed in (0, 0, 1, 2)]
    assert trees[0] == trees[1]
    assert len(set(trees)) == 3
    generator = np.random.RandomState(0)
    in_a_row = [TreeClassifier(max_features=1, random_state=generator).fit(X, y).tree_ for _ in range(2)]
    assert in_a_row[0] == trees[0]
    assert in_a_row[1] != trees[0]


def test_random_state_matters_only_where_columns_are_drawn() -> None:
    state = np.random.mtrand._rand.get_state(legacy=False)
    trees = {TreeClassifier(random_state=seed).fit(X, y).tree_ for seed in (None, 0, 1)}
    assert len(trees) == 1
    after = np.random.mtrand._rand.get_state(legacy=False)
    assert np.array_equal(state["state"]["key"], after["state"]["key"])  # the global generator was left alone
    assert state["state"]["pos"] == after["state"]["pos"]


def test_class_weight() -> None:
    rare = (X[:, 0] > 1.2).astype(int)
    balanced = TreeClassifier(class_weight="balanced", max_depth=2).fit(X, rare)
    assert balanced.tree_.counts[0] == pytest.approx(len(rare) / 2)
    by_label = TreeClassifier(class_weight={0: 1, 1: 3}, max_depth=2).fit(X, rare)
    by_row = TreeClassifier(max_depth=2).fit(X, rare, sample_weight=np.where(rare == 1, 3.0, 1.0))
    assert by_label.tree_ == by_row.tree_
    names = np.array(["no", "yes"])[rare]
    by_name = TreeClassifier(class_weight={"no": 1, "yes": 3}, max_depth=2).fit(X, names)
    assert np.array_equal(by_name.tree_.counts, by_row.tree_.counts)


def test_log_loss_is_entropy() -> None:
    trees = [TreeClassifier(criterion=name).fit(X, y).tree_ for name in ("log_loss", "entropy")]
    assert trees[0] == trees[1]


def test_n_jobs_leaves_the_tree_alone() -> None:
    trees = {TreeClassifier(n_jobs=n_jobs).fit(X, y).tree_ for n_jobs in (None, 1, 2, 3, -1, -2, -100, 10**9)}
    assert len(trees) == 1


def test_count_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joblib, "cpu_count", lambda: 8)
    assert [count_threads(n) for n in (None, 1, 20, -1, -2, -8, -9)] == [1, 1, 20, 8, 7, 1, 1]
    assert count_threads(10**9) == 256


def test_counts() -> None:
    assert count_rows(0.001, 100, least=2) == 2
    assert count_rows(3, 100, least=2) == 3
    assert [count_features(value, 1) for value in ("sqrt", "log2", 0.3, 1, None)] == [1] * 5
    assert draw_seed(3) != draw_seed(4)
    assert draw_seed(np.random.RandomState(3)) == draw_seed(3)
    assert 0 <= draw_seed(None) < 2**64
