"""Pruning through the doors: the argument `pruning`, the function `prune`, costs, and the preset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from boxwood import (
    C45Classifier,
    CARTClassifier,
    OptimalTreeClassifier,
    Tree,
    TreeClassifier,
    TreeRegressor,
    certify,
    check_tree,
    prune,
)
from boxwood.pruning import PRUNERS, ErrorBased, ReducedError
from boxwood.tree.answers import ANSWER
from tests.pruning.grown import table

X, y = table(0, 150)


@pytest.mark.parametrize("name", PRUNERS)
def test_a_name_prunes_inside_fit(name: str) -> None:
    full = TreeClassifier(random_state=0).fit(X, y)
    small = TreeClassifier(pruning=name, random_state=0).fit(X, y)
    check_tree(small.tree_)
    assert small.get_n_leaves() <= full.get_n_leaves()
    assert small.tree_ == TreeClassifier(pruning=PRUNERS[name](), random_state=0).fit(X, y).tree_
    if not PRUNERS[name].FOR_NUMBERS:
        with pytest.raises(ValueError, match="a regression tree has none"):
            TreeRegressor(pruning=name).fit(X, y * 1.0)
    else:
        assert TreeRegressor(pruning=name, random_state=0).fit(X, y * 1.0).get_n_leaves() >= 1


def test_parameters_of_a_pruner_can_be_searched() -> None:
    search = GridSearchCV(TreeClassifier(pruning=ErrorBased()), {"pruning__confidence": [0.05, 0.5]}, cv=2)
    assert search.fit(np.column_stack([X["a"], X["b"]]), y).best_params_["pruning__confidence"] in (0.05, 0.5)


def test_parameters_of_a_pruner_can_be_searched_by_its_name() -> None:
    """C45Classifier's pruner is the word "ebp", and a word has no parameters: an AttributeError."""
    numbers = np.column_stack([X["a"], X["b"]])
    search = GridSearchCV(C45Classifier(), {"pruning__confidence": [0.05, 0.5]}, cv=2).fit(numbers, y)
    assert isinstance(search.best_estimator_.pruning, ErrorBased)
    searched = {"pruning": ["ebp", "error_based"], "pruning__variant": ["weka", "c45"]}
    assert GridSearchCV(TreeClassifier(), searched, cv=2).fit(numbers, y).best_params_
    model = C45Classifier().set_params(pruning__confidence=0.05)
    assert clone(model).pruning.confidence == 0.05
    assert C45Classifier().pruning == "ebp"
    assert model.fit(X, y).tree_ == C45Classifier(pruning=ErrorBased(confidence=0.05)).fit(X, y).tree_
    with pytest.raises(ValueError, match="is a parameter of a pruner, and pruning is None"):
        TreeClassifier().set_params(pruning__confidence=0.05)
    with pytest.raises(ValueError, match="Invalid parameter 'price'"):
        C45Classifier().set_params(pruning__price=1)
    with pytest.raises(ValueError, match="Invalid parameter 'pruning'"):
        CARTClassifier().set_params(pruning__confidence=0.05)


def test_what_was_given_comes_back() -> None:
    model = TreeClassifier().fit(X, y)
    before = model.tree_.to_dict()
    assert isinstance(prune(model.tree_, "mdl"), Tree)
    small = prune(model, "mdl")
    assert isinstance(small, TreeClassifier)
    assert small.tree_ == prune(model.tree_, "mdl")
    assert model.tree_.to_dict() == before
    assert np.array_equal(
        small.predict(X), small.classes_[small.tree_.value[small.apply(X), 0].argmax(axis=1)]
    )
    numbers = np.column_stack([X["a"], X["b"]])
    theirs = DecisionTreeClassifier(random_state=0).fit(numbers, y)
    smaller = prune(theirs, "ebp")
    assert type(smaller) is DecisionTreeClassifier
    assert smaller.tree_.node_count < theirs.tree_.node_count
    assert np.array_equal(
        smaller.predict(numbers), smaller.classes_[smaller.predict_proba(numbers).argmax(axis=1)]
    )
    with pytest.raises(TypeError, match="prune takes a Tree"):
        prune(7, "mdl")


@pytest.mark.parametrize(
    ("method", "rows", "match"),
    [
        ("rep", {}, "give them as X_val and y_val"),
        ("rep", {"X": X, "y": y}, "no use for X and y as it is set: give rows .* as X_val and y_val"),
        ("mdl", {"X": X, "y": y}, "MDL has no use for X and y"),
        ("mdl", {"X_val": X, "y_val": y}, "no use for X_val and y_val"),
        (ErrorBased(subtree_raising=True), {}, "give them as X and y"),
        ("ebp", {"X": X}, "X is given without y"),
        ("ebp", {"sample_weight": y}, "sample_weight is given without X"),
        ("rap", {}, "'rap' is no method of pruning"),
        ("rep", {"X_val": X, "y_val": ["?"] * 150}, "which is not one of"),
    ],
)
def test_rows_that_lack_and_rows_that_are_needless(method: Any, rows: dict[str, Any], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        prune(TreeClassifier().fit(X, y), method, **rows)


def test_reduced_error_keeps_its_share_back() -> None:
    small = TreeClassifier(pruning=ReducedError(validation=0.2), random_state=3).fit(X, y)
    assert small.tree_.n_rows[0] == 120
    assert small.tree_ == TreeClassifier(pruning=ReducedError(validation=0.2, random_state=3)).fit(X, y).tree_


@pytest.mark.parametrize("name", [None, *PRUNERS])
def test_costs(name: str | None) -> None:
    costs = np.array([[0.0, 1.0], [9.0, 0.0]])
    plain = TreeClassifier(pruning=name, random_state=0).fit(X, y)
    same = TreeClassifier(pruning=name, random_state=0, cost_matrix=[[0, 1], [1, 0]]).fit(X, y)
    assert np.array_equal(plain.tree_.feature, same.tree_.feature)
    model = TreeClassifier(pruning=name, random_state=0, cost_matrix=costs).fit(X, y)
    tree = model.tree_
    check_tree(tree)
    assert tree.counts is not None
    assert np.array_equal(tree.counts, np.rint(tree.counts))  # true counts, not altered ones
    assert np.array_equal(tree.extra[ANSWER], (tree.counts @ costs).argmin(axis=1))
    answers = {kind: made.predict(X) for kind, made in (("plain", plain), ("costly", model))}
    paid = {kind: costs[y, answer].sum() for kind, answer in answers.items()}
    assert paid["costly"] <= paid["plain"]


def test_a_wrong_cost_matrix_is_refused() -> None:
    for costs, match in (
        ([[0, 1]], r"shape \(1, 2\), and must have \(2, 2\)"),
        ([[0, -1], [1, 0]], "not negative"),
        ([[0, 0], [1, 0]], "all answers to the class 0 cost the same"),
        ("dear", "must be a table of numbers"),
    ):
        with pytest.raises(ValueError, match=match):
            TreeClassifier(cost_matrix=costs).fit(X, y)


def test_class_weights_keep_the_total() -> None:
    """Ten times the weight for all classes changes nothing that a pruner sees."""
    one = TreeClassifier(pruning="ebp", class_weight={0: 1, 1: 1}).fit(X, y)
    ten = TreeClassifier(pruning="ebp", class_weight={0: 10, 1: 10}).fit(X, y)
    assert np.array_equal(one.tree_.feature, ten.tree_.feature)


def test_an_optimal_tree_says_what_pruning_cost_it() -> None:
    for weights in (None, np.arange(150) % 3 + 0.5):
        model = OptimalTreeClassifier(max_depth=3, pruning="mdl").fit(X, y, sample_weight=weights)
        full = OptimalTreeClassifier(max_depth=3).fit(X, y, sample_weight=weights)
        assert model.get_n_leaves() < full.get_n_leaves()
        assert model.result_.status == "pruned"
        assert model.result_.lower_bound == full.result_.lower_bound < model.result_.objective
        certify(model, X, y, sample_weight=weights)
    assert prune(OptimalTreeClassifier(max_depth=3).fit(X, y), "same_answer").result_.is_optimal
    for name in ("rep", "ccp"):
        with pytest.raises(ValueError, match="proves its tree on all rows"):
            OptimalTreeClassifier(pruning=name).fit(X, y)


def test_cart_is_a_preset() -> None:
    cart = CARTClassifier(random_state=0).fit(X, y)
    assert cart.tree_ == TreeClassifier(pruning="ccp", missing="surrogate", random_state=0).fit(X, y).tree_
    assert cart.get_n_leaves() < TreeClassifier().fit(X, y).get_n_leaves()
    assert len(cart.cost_complexity_pruning_path(X, y).ccp_alphas) > cart.get_n_leaves()


def test_costs_of_a_lone_class_change_nothing() -> None:
    """Its rows had a price of 0 / 0, and the weights could not be rounded."""
    classifier = TreeClassifier(cost_matrix=[[0.0]]).fit([[1.0], [2.0]], ["a", "a"])
    assert classifier.predict([[3.0]]).tolist() == ["a"]
