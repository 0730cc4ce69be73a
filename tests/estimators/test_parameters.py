"""Every argument does what it says, or says no."""

from __future__ import annotations

import inspect
import re
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import TreeClassifier, TreeRegressor
from boxwood.estimators.parameters import count_features, count_rows, count_threads, draw_seed
from boxwood.grow.options import C45_RULES

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 4))
z = X[:, 0] + X[:, 1] ** 2 + rng.normal(scale=0.5, size=120)
y = (z > 0.5).astype(int)

BOTH = pytest.mark.parametrize(("estimator", "target"), [(TreeClassifier, y), (TreeRegressor, z)])


@pytest.mark.parametrize(
    ("ours", "theirs", "own"),
    [
        (
            TreeClassifier,
            DecisionTreeClassifier,
            {
                "cuts",
                "cost_matrix",
                "max_surrogates",
                "proba",
                "proba_m",
                "min_significance",
                "mdl_stop",
                *C45_RULES,
            },
        ),
        (TreeRegressor, DecisionTreeRegressor, set()),
    ],
)
def test_the_arguments_of_scikit_learn_have_its_names_and_defaults(
    ours: type, theirs: type, own: set[str]
) -> None:
    expected = inspect.signature(theirs).parameters
    found = inspect.signature(ours).parameters
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in found.values())
    for name, parameter in expected.items():
        assert found[name].default == parameter.default, name
    common = {"categorical_split", "missing", "unknown_category", "n_jobs", "pruning", "min_weight_leaf"}
    common |= {
        "select",
        "max_p_value",
        "min_second_value",
        "significance_level",
        "monte_carlo",
        "min_samples_category",
    }
    assert set(found) - set(expected) - {"categorical_features"} == common | own


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("criterion", "ginny", "'gini', 'entropy', 'gain_ratio', 'error', 'ambiguity', 'sine', 'tsallis'"),
        ("criterion", "squared_error", "'log_loss', 'purity'"),
        ("criterion", "tsallis(-1)", "'tsallis(q)' with a positive number q"),
        ("criterion", None, "a boxwood.criteria.Impurity"),
        ("criterion", np.sqrt, "a boxwood.criteria.Impurity"),
        ("cuts", "some", "'auto', 'all'"),
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
        ("categorical_split", "one_hot", "'auto', 'exact', 'ordered', 'twoing'"),
        ("select", "best", "'score', 'chi2_filter', 'conditional_inference'"),
        ("max_p_value", 0.0, "(0.0, 1.0]"),
        ("significance_level", 1.5, "(0.0, 1.0] or None"),
        ("monte_carlo", 0, "[1, inf) or None"),
        ("min_samples_category", -1, "[0.0, inf) or None"),
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


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("criterion", "gini", "'squared_error', 'absolute_error', 'poisson'"),
        ("criterion", None, "'squared_error'"),
        ("max_depth", 0, "[1, inf) or None"),
        ("min_samples_leaf", 1.0, "(0.0, 1.0)"),
        ("missing", "impute", "'learn', 'branch'"),
    ],
)
def test_a_wrong_value_of_the_regressor(name: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match=f"The {name!r} parameter of TreeRegressor must be ") as refusal:
        TreeRegressor(**{name: value}).fit(X, z)
    assert allowed in str(refusal.value)


@BOTH
def test_a_wrong_random_state_is_refused_even_where_nothing_is_drawn(estimator: Any, target: Any) -> None:
    with pytest.raises(ValueError, match="cannot be used to seed"):
        estimator(random_state="seven").fit(X, target)


@BOTH
def test_two_prunings_are_refused(estimator: Any, target: Any) -> None:
    with pytest.raises(ValueError, match=re.escape("ccp_alpha=0.01 is given beside pruning='ccp'")):
        estimator(ccp_alpha=0.01, pruning="ccp").fit(X, target)


def test_friedman_mse_is_refused_with_what_to_use() -> None:
    with pytest.raises(ValueError, match="the same splits as criterion='squared_error'"):
        TreeRegressor(criterion="friedman_mse").fit(X, z)


def test_numbers_of_numpy_are_numbers() -> None:
    given = {"max_depth": np.int64(3), "min_samples_leaf": np.float32(0.0625), "n_jobs": np.int8(1)}
    plain = TreeClassifier(max_depth=3, min_samples_leaf=8)
    assert TreeClassifier(**given).fit(X, y).tree_ == plain.fit(X, y).tree_


@BOTH
def test_max_depth(estimator: Any, target: Any) -> None:
    assert [estimator(max_depth=depth).fit(X, target).get_depth() for depth in (1, 2, 3)] == [1, 2, 3]
    assert estimator(max_depth=10**15).fit(X, target).tree_ == estimator().fit(X, target).tree_


@BOTH
@pytest.mark.parametrize("share", [0.04, 0.1, 0.33])
def test_fractions_of_rows(estimator: Any, target: Any, share: float) -> None:
    rows = int(np.ceil(share * len(target)))
    leaf = estimator(min_samples_leaf=share).fit(X, target)
    assert leaf.tree_ == estimator(min_samples_leaf=rows).fit(X, target).tree_
    assert leaf.tree_.n_rows.min() >= rows
    split = estimator(min_samples_split=share).fit(X, target)
    assert split.tree_ == estimator(min_samples_split=rows).fit(X, target).tree_
    assert split.tree_.n_rows[split.tree_.kind > 0].min() >= rows


@BOTH
def test_rows_of_weight_zero_are_not_counted(estimator: Any, target: Any) -> None:
    weights = np.ones(len(target))
    weights[::2] = 0
    weighted = estimator(min_samples_leaf=0.1).fit(X, target, sample_weight=weights)
    assert weighted.tree_ == estimator(min_samples_leaf=0.1).fit(X[1::2], target[1::2]).tree_


@BOTH
def test_min_weight_fraction_leaf(estimator: Any, target: Any) -> None:
    weights = rng.integers(1, 9, len(target)).astype(float)
    tree = estimator(min_weight_fraction_leaf=0.1).fit(X, target, sample_weight=weights).tree_
    assert tree.n_leaves > 1
    assert tree.weight.min() >= 0.1 * weights.sum()


@BOTH
def test_min_impurity_decrease(estimator: Any, target: Any) -> None:
    tree = estimator(min_impurity_decrease=0.02).fit(X, target).tree_
    splits = tree.kind > 0
    assert 1 < tree.n_leaves < estimator().fit(X, target).get_n_leaves()
    assert (tree.weight[splits] / tree.weight[0] * tree.score[splits]).min() >= 0.02


@BOTH
def test_max_leaf_nodes(estimator: Any, target: Any) -> None:
    assert [estimator(max_leaf_nodes=n).fit(X, target).get_n_leaves() for n in (2, 3, 7)] == [2, 3, 7]


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


@BOTH
def test_a_random_splitter(estimator: Any, target: Any) -> None:
    trees = [estimator(splitter="random", random_state=seed).fit(X, target).tree_ for seed in (0, 0, 1, 2)]
    assert trees[0] == trees[1]
    assert len(set(trees)) == 3
    generator = np.random.RandomState(0)
    in_a_row = [estimator(splitter="random", random_state=generator).fit(X, target).tree_ for _ in range(2)]
    assert in_a_row[0] == trees[0]
    assert in_a_row[1] != trees[0]
    best = estimator(max_depth=3).fit(X, target).score(X, target)
    assert estimator(max_depth=3, splitter="random", random_state=0).fit(X, target).score(X, target) < best
    threads = estimator(splitter="random", random_state=0, n_jobs=2).fit(X, target)
    assert threads.tree_ == trees[0]


@BOTH
def test_random_state_matters_only_where_something_is_drawn(estimator: Any, target: Any) -> None:
    state = np.random.mtrand._rand.get_state(legacy=False)
    trees = {estimator(random_state=seed).fit(X, target).tree_ for seed in (None, 0, 1)}
    assert len(trees) == 1
    after = np.random.mtrand._rand.get_state(legacy=False)
    assert np.array_equal(state["state"]["key"], after["state"]["key"])  # the global generator was left alone
    assert state["state"]["pos"] == after["state"]["pos"]


def test_class_weight() -> None:
    rare = (X[:, 0] > 1.2).astype(int)
    balanced = TreeClassifier(class_weight="balanced", max_depth=2).fit(X, rare)
    assert balanced.tree_.counts[0] == pytest.approx(len(rare) / 2)
    by_label = TreeClassifier(class_weight={0: 1, 1: 3}, max_depth=2).fit(X, rare)
    weights = np.where(rare == 1, 3.0, 1.0)  # which class weights keep from making more rows of these
    by_row = TreeClassifier(max_depth=2).fit(X, rare, sample_weight=weights * len(rare) / weights.sum())
    assert by_label.tree_ == by_row.tree_
    names = np.array(["no", "yes"])[rare]
    by_name = TreeClassifier(class_weight={"no": 1, "yes": 3}, max_depth=2).fit(X, names)
    assert np.array_equal(by_name.tree_.counts, by_row.tree_.counts)


def test_log_loss_is_entropy() -> None:
    trees = [TreeClassifier(criterion=name).fit(X, y).tree_ for name in ("log_loss", "entropy")]
    assert trees[0] == trees[1]


@BOTH
def test_n_jobs_leaves_the_tree_alone(estimator: Any, target: Any) -> None:
    jobs = (None, 1, 2, 3, -1, -2, -100, 10**9)
    assert len({estimator(n_jobs=n_jobs).fit(X, target).tree_ for n_jobs in jobs}) == 1


@pytest.mark.parametrize("criterion", ["gini", "entropy", "ambiguity", "tsallis(0.5)"])
def test_cuts_change_the_work_and_not_the_tree(criterion: str) -> None:
    auto = TreeClassifier(criterion=criterion).fit(X, y)
    every = TreeClassifier(criterion=criterion, cuts="all").fit(X, y)
    assert auto.tree_ == every.tree_
    assert auto.n_cuts_ == every.n_cuts_ == every.n_cuts_evaluated_
    assert 0 < auto.n_cuts_evaluated_ < auto.n_cuts_


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
