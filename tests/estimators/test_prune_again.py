"""`prune` after a fit comes to the tree that pruning inside the fit comes to."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from boxwood import C45Classifier, TreeClassifier, TreeRegressor, from_sklearn, prune
from boxwood.pruning import CostComplexity, ErrorBased
from boxwood.tree.answers import ANSWER
from tests.pruning.grown import table


def many_categories(seed: int) -> tuple[dict[str, Any], np.ndarray]:
    rng = np.random.default_rng(seed)
    X = {"a": rng.normal(size=120), "c": np.array([f"v{v}" for v in rng.integers(0, 40, 120)], dtype=object)}
    return X, ((X["a"] > 0) ^ (rng.random(120) < 0.3)).astype(int)


@pytest.mark.parametrize("kind", [TreeClassifier, TreeRegressor])
def test_pooled_categories_are_pooled_again_in_every_fold(kind: Any) -> None:
    """The tree's schema lacks them, and prune grew its folds on a table in which they were all unknown."""
    for seed in range(12):
        X, y = many_categories(seed)
        weights = np.random.default_rng(seed).integers(0, 3, 120)
        pruner = CostComplexity(rule="min")
        model = kind(min_samples_category=4, random_state=0)
        full = model.fit(X, y, sample_weight=weights)
        after = prune(full, pruner, X, y, sample_weight=weights)
        inside = kind(min_samples_category=4, random_state=0, pruning=pruner).fit(X, y, sample_weight=weights)
        assert after.tree_ == inside.tree_


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3, 1: 1}])
@pytest.mark.parametrize("pruner", [CostComplexity(), ErrorBased(subtree_raising=True)])
@pytest.mark.parametrize(
    "plain",
    [C45Classifier(), *(TreeClassifier(missing=mode) for mode in ("learn", "surrogate", "fractional"))],
    ids=repr,
)
def test_on_the_rows_of_the_fit(plain: Any, pruner: Any, class_weight: Any) -> None:
    for seed in range(4):
        X, y = table(seed, 90, noise=0.4)
        model = clone(plain).set_params(class_weight=class_weight, random_state=0)
        inside = clone(model).set_params(pruning=pruner).fit(X, y)
        after = prune(clone(model).set_params(pruning=None).fit(X, y), pruner, X, y)
        assert after.tree_ == inside.tree_
        assert np.array_equal(after.predict(X), inside.predict(X))


def test_ties_of_a_tree_of_scikit_learn_are_no_costs() -> None:
    """Shares times weights tie where rounding had made a lead, and the answers are kept in a column of their
    own. That column was taken for answers by unknown costs: raising was refused, or left out ("auto").
    """
    ties = raised = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 6, (80, 3)).astype(float)
        y = ((X[:, 0] > 2) ^ (rng.random(80) < 0.3)).astype(int)
        model = DecisionTreeClassifier(class_weight="balanced", random_state=0).fit(X, y)
        small = prune(model, ErrorBased(subtree_raising=True), X, y)
        assert prune(model, "ebp", X, y).tree_.node_count == small.tree_.node_count
        assert np.array_equal(small.predict(X), small.classes_[small.predict_proba(X).argmax(axis=1)])
        tie = ANSWER in from_sklearn(model).extra
        ties += tie
        raised += tie and small.tree_.node_count != prune(model, "ebp").tree_.node_count
    assert ties > 5
    assert raised > 0


def test_answers_by_costs_that_are_not_known_cannot_be_raised() -> None:
    X, y = table(1, 90, noise=0.4)
    tree = TreeClassifier(cost_matrix=[[0, 1], [4, 0]]).fit(X, y).tree_
    with pytest.raises(ValueError, match="answers by costs that are not known here"):
        prune(tree, ErrorBased(subtree_raising=True), X, y)
