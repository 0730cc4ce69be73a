"""Monotonic constraints: what may be asked for, and that answers keep to it."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from boxwood import TreeClassifier, TreeRegressor, prune
from boxwood.criteria import Impurity
from boxwood.pruning import ErrorBased

rng = np.random.default_rng(0)
X = rng.normal(size=(400, 4)).astype(np.float32).astype(np.float64)
z = X[:, 0] + np.sin(3 * X[:, 1]) + 0.5 * rng.normal(size=400)
y = (z > 0.2).astype(int)

ESTIMATORS: list[Any] = [
    TreeClassifier(),
    TreeClassifier(criterion="entropy", max_leaf_nodes=30),
    TreeClassifier(splitter="random", random_state=0),
    TreeRegressor(),
    TreeRegressor(criterion="absolute_error", max_leaf_nodes=30),
    TreeRegressor(splitter="random", max_features=2, random_state=0),
]


def answers(estimator: Any, table: np.ndarray) -> np.ndarray:
    if isinstance(estimator, TreeClassifier):
        return estimator.predict_proba(table)[:, 1]
    return estimator.predict(table)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=str)
@pytest.mark.parametrize("share", [0.0, 0.2], ids=["complete", "with gaps"])
@pytest.mark.parametrize("missing", ["learn", "branch"])
def test_answers_keep_to_the_constraints(estimator: Any, share: float, missing: str) -> None:
    table = np.where(np.random.default_rng(1).random(X.shape) < share, np.nan, X)
    target = y if isinstance(estimator, TreeClassifier) else z
    constraints = [1, -1, 0, 1]
    estimator = estimator.set_params(monotonic_cst=constraints, missing=missing).fit(table, target)
    assert estimator.get_n_leaves() > 2
    free = estimator.set_params(monotonic_cst=None).fit(table, target)
    broken = 0
    for column, sign in enumerate(constraints):
        steps = np.sort(X[:, column])[::20]
        rows = np.repeat(table[:60], len(steps), axis=0)
        rows[:, column] = np.tile(steps, 60)
        if sign:
            estimator.set_params(monotonic_cst=constraints).fit(table, target)
            found = answers(estimator, rows).reshape(60, -1)
            assert (np.diff(found, axis=1) * sign >= -1e-12).all(), f"column {column}"
            free.set_params(monotonic_cst=None).fit(table, target)
            broken += int((np.diff(answers(free, rows).reshape(60, -1), axis=1) * sign < 0).sum())
    assert broken > 0  # without constraints these trees are not monotonic


@pytest.mark.parametrize("constraints", [[1, 1, 1, 1], [-1, 1, 1, -1], [1, 1, -1, 1]], ids=str)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_same_probabilities_as_scikit_learn(constraints: list[int], criterion: str) -> None:
    """Where every column is constrained: elsewhere scikit-learn cuts freely and then bends the answers."""
    given = {"criterion": criterion, "max_depth": 3, "monotonic_cst": constraints}
    theirs = DecisionTreeClassifier(random_state=0, **given).fit(X, y)
    ours = TreeClassifier(**given).fit(X, y)
    assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X), abs=1e-12)


@pytest.mark.parametrize(("estimator", "target"), [(TreeClassifier, y), (TreeRegressor, z)])
def test_zeros_constrain_nothing(estimator: Any, target: Any) -> None:
    free = estimator().fit(X, target).tree_
    assert estimator(monotonic_cst=[0, 0, 0, 0]).fit(X, target).tree_ == free
    assert estimator(monotonic_cst=np.zeros(4)).fit(X, target).tree_ == free


@pytest.mark.parametrize(("estimator", "target"), [(TreeClassifier, y), (TreeRegressor, z)])
def test_by_name(estimator: Any, target: Any) -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    by_name = estimator(monotonic_cst={"b": -1, "a": 1}).fit(frame, target)
    assert by_name.tree_ == estimator(monotonic_cst=[1, -1, 0, 0]).fit(frame, target).tree_


@pytest.mark.parametrize(("estimator", "target"), [(TreeClassifier, y), (TreeRegressor, z)])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 0], "monotonic_cst has shape 2 but the input data X has 4 features."),
        ([[1, 0, 0, 0]], "monotonic_cst has shape (1, 4) but the input data X has 4 features."),
        ([1, 0, 2, 0], "monotonic_cst must be None or an array-like of -1, 0 or 1, but got [0 1 2]"),
        ([1, 0, 0.5, 0], "monotonic_cst must be None or an array-like of -1, 0 or 1"),
        (["up", 0, 0, 0], "monotonic_cst must be None or an array-like of -1, 0 or 1"),
        ([None, 0, 0, 1], "monotonic_cst must be None or an array-like of -1, 0 or 1"),
        (1, "monotonic_cst has shape ()"),
        ({"a": 1}, "was not fitted on data with feature names. Pass monotonic_cst as an integer array"),
    ],
    ids=str,
)
def test_what_cannot_be_a_constraint(estimator: Any, target: Any, given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        estimator(monotonic_cst=given).fit(X, target)


def test_names_that_are_not_there_and_values_that_are_none() -> None:
    frame = pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match=r"contains 1 unexpected feature names: \['e'\]"):
        TreeRegressor(monotonic_cst={"e": 1}).fit(frame, z)
    with pytest.raises(ValueError, match=r"monotonic_cst\['a'\] must be either -1, 0 or 1. Got 3."):
        TreeRegressor(monotonic_cst={"a": 3}).fit(frame, z)


@pytest.mark.parametrize(("estimator", "target"), [(TreeClassifier, y), (TreeRegressor, z)])
def test_a_categorical_column_has_no_order(estimator: Any, target: Any) -> None:
    frame = pd.DataFrame(X[:, :2], columns=["a", "b"]).assign(colour=np.where(X[:, 2] > 0, "red", "blue"))
    with pytest.raises(ValueError, match="asks for 1 on column 'colour', which is categorical"):
        estimator(monotonic_cst={"colour": 1}).fit(frame, target)
    estimator(monotonic_cst={"a": 1, "colour": 0}).fit(frame, target)
    numbered = frame.assign(colour=(X[:, 2] > 0).astype(int))
    with pytest.raises(ValueError, match="'colour', which is categorical"):
        estimator(monotonic_cst={"colour": -1}, categorical_features=["colour"]).fit(numbered, target)


def test_more_than_two_classes_in_scikit_learns_words() -> None:
    with pytest.raises(
        ValueError, match="Monotonicity constraints are not supported with multiclass classification"
    ):
        TreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y + (X[:, 3] > 0))


def test_one_class_has_nothing_to_constrain() -> None:
    assert TreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, np.ones(400, int)).get_n_leaves() == 1


def test_under_constraints_every_cut_is_weighed() -> None:
    classifier = TreeClassifier(monotonic_cst=[0, 0, 0, 1]).fit(X, y)
    assert classifier.n_cuts_evaluated_ == classifier.n_cuts_


SMALL = [
    {"proba": "laplace"},
    {"proba": "m-estimate", "proba_m": 5.0},
    {"proba": "laplace", "pruning": "ccp", "random_state": 0},
    {"proba": "laplace", "class_weight": {0: 1, 1: 3.7}, "missing": "branch"},
    {"cost_matrix": [[0, 1], [4, 0]], "proba": "laplace"},
    *({"pruning": name, "random_state": 0} for name in ("rep", "ebp", "ccp", "pep", "mep", "cvp", "mdl")),
]


@pytest.mark.parametrize("given", SMALL, ids=str)
@pytest.mark.parametrize("sign", [1, -1])
def test_smoothing_and_pruning_keep_to_the_constraints(given: dict[str, Any], sign: int) -> None:
    """Laplace's correction moves small leaves more than large ones, and turned the order of neighbours
    around: with ``proba="laplace"`` probabilities fell along a column with the constraint 1. So they did in a
    branch that error-based pruning raised, since it got rows that it was not grown on."""
    for seed in range(25):
        draw = np.random.default_rng(seed)
        table = draw.integers(0, 6, (200, 4)).astype(float)
        side = np.where(table[:, 1] > 2, 1, -1) * (table[:, 2] - 2) * 2
        target = (sign * table[:, 0] + side + draw.normal(size=200) * 2 > 3 * sign).astype(int)
        model = TreeClassifier(monotonic_cst=[sign, 0, 0, 0], **given).fit(table, target)
        rows = np.repeat(table, 6, axis=0)
        rows[:, 0] = np.tile(np.arange(6.0), len(table))
        assert (np.diff(model.predict_proba(rows)[:, 1].reshape(-1, 6)) * sign >= 0).all(), f"seed {seed}"
        assert (np.diff(model.predict(rows).reshape(-1, 6)) * sign >= 0).all(), f"seed {seed}"
        np.testing.assert_allclose(model.predict_proba(rows).sum(axis=1), 1.0, rtol=1e-15)


def test_smoothing_is_the_same_where_nothing_is_out_of_order() -> None:
    free = TreeClassifier(max_depth=1, proba="laplace").fit(X, y)
    held = TreeClassifier(max_depth=1, proba="laplace", monotonic_cst=[1, 0, 0, 0]).fit(X, y)
    assert held.tree_.feature[0] == 0
    assert np.array_equal(free.predict_proba(X), held.predict_proba(X))


def test_raising_that_was_asked_for_is_refused() -> None:
    pruning = ErrorBased(subtree_raising=True)
    with pytest.raises(ValueError, match=r"monotonic_cst: .* Use subtree_raising=False"):
        TreeClassifier(monotonic_cst=[1, 0, 0, 0], pruning=pruning).fit(X, y)
    TreeClassifier(monotonic_cst=[0, 0, 0, 0], pruning=pruning).fit(X, y)
    assert pruning.subtree_raising is True
    model = TreeClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, y)
    with pytest.raises(ValueError, match=r"monotonic_cst: .* Use subtree_raising=False"):
        prune(model, pruning, X, y)
    assert prune(model, "ebp", X, y).tree_ == prune(model, ErrorBased(subtree_raising=False)).tree_


def test_a_function_of_the_users_keeps_to_the_constraints() -> None:
    given = {"monotonic_cst": [1, -1, 0, 0], "max_depth": 4}
    own = TreeClassifier(criterion=Impurity(lambda x: x * (1 - x), name="own"), **given).fit(X, y)
    assert np.array_equal(own.predict_proba(X), TreeClassifier(**given).fit(X, y).predict_proba(X))
