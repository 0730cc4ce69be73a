"""Cost-complexity pruning: scikit-learn's path and trees, and the choice by folds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import TreeClassifier, TreeRegressor, from_sklearn, prune
from boxwood.data import make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.pruning import CostComplexity, Material, cost_complexity_pruning_path
from boxwood.pruning.arrivals import losses
from boxwood.pruning.cost_complexity import _judged, pruning_path
from tests.pruning.grown import table


@pytest.mark.parametrize(
    ("theirs", "n_classes"),
    [(DecisionTreeClassifier(), 2), (DecisionTreeClassifier(), 3), (DecisionTreeRegressor(), 0)],
)
@pytest.mark.parametrize("seed", range(3))
def test_path_and_trees_are_those_of_scikit_learn(theirs: Any, n_classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(250, 4))
    y = X[:, 0] + rng.normal(size=250)
    if n_classes:
        y = np.digitize(y, [-0.5, 0.5][: n_classes - 1])
    weights = rng.integers(1, 4, 250).astype(float)
    full = theirs.set_params(random_state=0, ccp_alpha=0.0).fit(X, y, sample_weight=weights)
    expected = full.cost_complexity_pruning_path(X, y, sample_weight=weights)
    found = cost_complexity_pruning_path(from_sklearn(full))
    np.testing.assert_allclose(found.ccp_alphas, expected.ccp_alphas, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.impurities, expected.impurities, rtol=1e-9, atol=1e-15)
    for alpha in np.quantile(expected.ccp_alphas, [0.2, 0.5, 0.8, 0.95]) * 1.0001:
        again = theirs.set_params(ccp_alpha=alpha).fit(X, y, sample_weight=weights)
        mine = prune(full, CostComplexity(alpha=alpha, risk="impurity"))
        assert type(mine) is type(full)
        assert mine.tree_.node_count == again.tree_.node_count
        assert np.array_equal(mine.tree_.feature, again.tree_.feature)
        assert np.array_equal(mine.predict(X), again.predict(X))
    theirs.set_params(ccp_alpha=0.0)


def test_ccp_alpha_prunes_inside_fit() -> None:
    X, y = table(3, 200)
    for estimator, target in ((TreeClassifier, y), (TreeRegressor, y * 1.5)):
        path = estimator().cost_complexity_pruning_path(X, target)
        assert np.all(np.diff(path.ccp_alphas) >= -1e-12)
        middle = float(path.ccp_alphas[len(path.ccp_alphas) // 2])
        small = estimator(ccp_alpha=middle).fit(X, target)
        full = estimator().fit(X, target)
        assert 1 < small.get_n_leaves() < full.get_n_leaves()
        assert small.tree_ == prune(full, CostComplexity(alpha=middle, risk="impurity")).tree_


@pytest.mark.parametrize("costs", [None, np.array([[0.0, 1.0], [4.0, 0.0]])])
def test_a_price_is_judged_by_the_tree_of_that_price(costs: Any) -> None:
    rows = make_dataset(*table(5, 120))
    other = rows.take(np.arange(40))
    tree = grow_tree(rows, GrowOptions(unknown_category="stop"))
    material = Material(costs=costs)
    path = pruning_path(tree, material)
    alphas = np.unique(np.concatenate((path.alphas * 1.01, [0.0, 1.0])))
    found = _judged(tree, path, alphas, other, "error", material)
    for place, alpha in enumerate(alphas):
        small = CostComplexity(alpha=alpha).prune(tree, material)
        for power in (1, 2):
            lost = losses(small, other, costs, power=power)
            expected = np.where(small.is_leaf, lost.as_leaf, lost.ending).sum()
            assert found[power - 1, place] == pytest.approx(expected)


def test_the_rules_and_ready_made_splits() -> None:
    X, y = table(7, 150)
    folds = [
        (np.flatnonzero(np.arange(150) % 5 != i), np.flatnonzero(np.arange(150) % 5 == i)) for i in range(5)
    ]
    sizes = {
        rule: TreeClassifier(pruning=CostComplexity(cv=folds, rule=rule)).fit(X, y).get_n_leaves()
        for rule in ("1se", "min")
    }
    assert sizes["1se"] <= sizes["min"] < TreeClassifier().fit(X, y).get_n_leaves()
    # A row of weight 2 is two rows, where the folds say where both are.
    twice = {name: np.concatenate((column, column)) for name, column in X.items()}
    doubled = [(np.concatenate((a, a + 150)), np.concatenate((b, b + 150))) for a, b in folds]
    one = TreeClassifier(pruning=CostComplexity(cv=folds)).fit(X, y, sample_weight=np.full(150, 2.0))
    two = TreeClassifier(pruning=CostComplexity(cv=doubled)).fit(twice, np.concatenate((y, y)))
    assert np.array_equal(one.tree_.weight, two.tree_.weight)


def test_a_risk_that_is_none_is_refused() -> None:
    """Any word that was not "impurity" meant "error"."""
    tree = grow_tree(make_dataset(*table(0)))
    with pytest.raises(ValueError, match="risk='zzz' is not one of 'error', 'impurity'"):
        cost_complexity_pruning_path(tree, risk="zzz")


def test_a_price_needs_rows_and_something_to_grow() -> None:
    X, y = table(0)
    model = TreeClassifier().fit(X, y)
    for given, rows in ((model, {}), (model.tree_, {"X": X, "y": y})):
        with pytest.raises(ValueError, match="X_val and y_val"):
            prune(given, "ccp", **rows)
    assert prune(model, "ccp", X, y).get_n_leaves() <= model.get_n_leaves()
    assert prune(model.tree_, "ccp", X_val=X, y_val=y).n_leaves >= 1
