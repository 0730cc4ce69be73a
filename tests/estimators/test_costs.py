"""Costs of answers: what they do to growing, counting, pruning and predicting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boxwood import (
    C45Classifier,
    CARTClassifier,
    OptimalTreeClassifier,
    TreeClassifier,
    check_tree,
    prune,
)
from boxwood.pruning import PRUNERS, ErrorBased
from boxwood.tree.answers import ANSWER, cheapest_classes
from tests.pruning.grown import table


def costs_of(seed: int, n_classes: int) -> NDArray[np.float64]:
    costs = np.random.default_rng(seed).integers(1, 6, size=(n_classes, n_classes)).astype(float)
    np.fill_diagonal(costs, 0.0)
    return costs


def routed_counts(model: Any, X: Any, y: NDArray[Any], weights: NDArray[Any] | None) -> NDArray[np.float64]:
    """The class counts of leaves, from where the rows end."""
    tree = model.tree_
    _, columns = model._encode(X)
    row, end, share = tree.ends(columns)
    counts = np.zeros((tree.n_nodes, tree.n_classes))
    np.add.at(
        counts,
        (end, np.searchsorted(tree.classes, y)[row]),
        share if weights is None else share * weights[row],
    )
    return counts


def test_a_tree_with_costs_and_spread_rows_can_be_raised() -> None:
    """C45Classifier(cost_matrix=...) raised "these are not the rows that the tree was grown on".

    Growing spread the rows by weights times prices, the counts were divided by the prices, and raising spread
    the same rows by their true weights: 5% of a row was somewhere else.
    """
    X = np.array([0.0, 1, 2, 3, 4, 5, 6, 7, np.nan, np.nan])[:, np.newaxis]
    y = np.array([0, 0, 0, 1, 0, 1, 1, 1, 1, 0])
    C45Classifier(cost_matrix=[[0, 1], [3, 0]]).fit(X, y)
    full = TreeClassifier(missing="fractional", cost_matrix=[[0, 1], [3, 0]]).fit(X, y)
    leaf = full.tree_.is_leaf
    np.testing.assert_allclose(routed_counts(full, X, y, None)[leaf], full.tree_.counts[leaf], atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(12))
def test_counts_raising_and_prediction_agree(seed: int, n_classes: int) -> None:
    """The counts of leaves are those of the training rows sent down the tree, however it was pruned."""
    rng = np.random.default_rng(seed)
    X, y = table(seed, int(rng.integers(8, 90)), n_classes)
    X["colour"] = [None if rng.random() < 0.2 else value for value in X["colour"]]
    assert len(np.unique(y)) == n_classes
    costs = costs_of(seed, n_classes)
    for weights in (None, rng.random(len(y)) + 0.1, rng.integers(1, 4, len(y)).astype(float)):
        for pruning in (None, "ebp", ErrorBased(confidence=0.05, variant="c45"), "collapse"):
            for kind in (C45Classifier, TreeClassifier):
                model = kind(missing="fractional", cost_matrix=costs, pruning=pruning)
                tree = model.fit(X, y, sample_weight=weights).tree_
                check_tree(tree)
                leaf = tree.is_leaf
                np.testing.assert_allclose(
                    routed_counts(model, X, y, weights)[leaf], tree.counts[leaf], rtol=1e-9, atol=1e-9
                )
                assert np.array_equal(tree.extra[ANSWER], cheapest_classes(tree, costs))
        full = C45Classifier(cost_matrix=costs, pruning=None).fit(X, y, sample_weight=weights)
        inside = C45Classifier(cost_matrix=costs).fit(X, y, sample_weight=weights)
        after = prune(full, ErrorBased(subtree_raising=True), X, y, sample_weight=weights)
        assert after.tree_ == inside.tree_


@pytest.mark.parametrize("missing", ["learn", "fractional", "surrogate"])
def test_equal_costs_are_no_costs(missing: str) -> None:
    X, y = table(3, 80, 3)
    plain = TreeClassifier(missing=missing).fit(X, y).tree_
    equal = TreeClassifier(missing=missing, cost_matrix=2 * (1 - np.eye(3))).fit(X, y).tree_
    assert np.array_equal(plain.feature, equal.feature)
    assert np.array_equal(plain.threshold, equal.threshold, equal_nan=True)
    assert np.array_equal(plain.counts, equal.counts)
    assert np.array_equal(plain.impurity, equal.impurity)
    assert CARTClassifier(cost_matrix=1 - np.eye(3), random_state=0).fit(X, y).get_n_leaves() > 1


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", [None, *PRUNERS])
def test_a_constant_in_a_row_of_the_costs_changes_nothing(name: str | None, n_classes: int) -> None:
    """What every answer to a class costs is paid in any case.

    Rows weighed what their whole row of the matrix sums up to, so that a cost of 100 for both answers to a
    class made growing and pruning look at nothing but this class, and the standard error of CART's rule rose.
    """
    X, y = table(n_classes, 120, n_classes)
    costs = costs_of(n_classes, n_classes)
    paid = costs + np.array([[100.0], [7.0], [0.0]])[:n_classes]
    models = [TreeClassifier(pruning=name, random_state=0), C45Classifier(pruning=name, random_state=0)]
    for model in [*models, CARTClassifier(random_state=0)]:
        one = model.set_params(cost_matrix=costs).fit(X, y).tree_
        assert model.set_params(cost_matrix=paid).fit(X, y).tree_ == one
        assert model.set_params(cost_matrix=paid / 4).fit(X, y).tree_.n_leaves == one.n_leaves
    full = TreeClassifier(cost_matrix=paid, random_state=0).fit(X, y)
    if name in ("ebp", "pep", "mep", "mdl", "cvp", "collapse", "optimal_size"):
        same = TreeClassifier(cost_matrix=costs, random_state=0).fit(X, y)
        assert prune(full, name).tree_ == prune(same, name).tree_


def test_a_right_answer_may_be_dearer_than_another() -> None:
    """What counts is the cost beyond the cheapest answer, whichever that is: two honest matrices are one."""
    X, y = table(5, 90, 3)
    odd = np.array([[2.0, 1.0, 4.0], [1.0, 0.0, 3.0], [2.0, 2.0, 0.0]])
    less = np.array([[1.0, 0.0, 3.0], [1.0, 0.0, 3.0], [2.0, 2.0, 0.0]])
    one, other = (C45Classifier(cost_matrix=costs).fit(X, y) for costs in (odd, less))
    assert one.tree_ == other.tree_
    assert 0 not in one.predict(X)  # the answer 1 is cheaper for every row of class 0


@pytest.mark.parametrize("name", ["ebp", "pep", "mep", "mdl", "collapse", "optimal_size", "same_answer"])
def test_a_class_whose_answers_all_cost_the_same(name: str) -> None:
    """It weighs nothing in growing, which says so; a tree that is best by costs can be pruned all the same.

    The share of an error that an answer to such a class is was 0 / 0.
    """
    X, y = table(1, 60, 3)
    X = {name: X[name] for name in "ab"}
    costs = [[5.0, 5.0, 5.0], [1.0, 0.0, 3.0], [2.0, 2.0, 0.0]]
    with pytest.raises(ValueError, match="all answers to the class 0 cost the same"):
        TreeClassifier(cost_matrix=costs).fit(X, y)
    with pytest.raises(ValueError, match="all answers to the class 0 cost the same"):
        TreeClassifier(cost_matrix=np.zeros((3, 3))).fit(X, y)
    for matrix in (costs, np.zeros((3, 3))):
        model = OptimalTreeClassifier(max_depth=2, cost_matrix=matrix, pruning=name).fit(X, y)
        assert 0 not in model.predict(X) or not np.any(matrix)
        check_tree(prune(OptimalTreeClassifier(max_depth=2, cost_matrix=matrix).fit(X, y), name).tree_)
