"""Class weights: only their ratios count, in everything that a fit does, and in pruning after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from boxwood import C45Classifier, CARTClassifier, TreeClassifier, prune
from boxwood.data import make_dataset
from boxwood.pruning import CostComplexity, ReducedError
from boxwood.pruning.reduced_error import hold_out
from tests.pruning.grown import table


@pytest.mark.parametrize(
    "arguments",
    [
        {"min_significance": 0.05},
        {"mdl_stop": True},
        {"min_weight_leaf": 5.0},
        {"min_weight_fraction_leaf": 0.1},
        {"min_samples_category": 10.0},
        {"select": "chi2_filter"},
        {"select": "conditional_inference"},
        {"select": "conditional_inference", "monte_carlo": 99, "random_state": 0},
        {"missing": "fractional", "min_weight_leaf": 4.0},
        {"proba": "laplace", "max_depth": 2},
        {"proba": "m-estimate", "max_depth": 2},
        *({"pruning": name, "random_state": 0} for name in ("ebp", "pep", "mep", "mdl", "ccp", "rep")),
        {"kind": C45Classifier},
        {"kind": C45Classifier, "numeric_minimum": "plain"},
        {"kind": CARTClassifier, "random_state": 0},
    ],
    ids=repr,
)
@pytest.mark.parametrize("seed", range(3))
def test_ten_times_the_weight_of_every_class_is_no_more_rows(arguments: dict[str, Any], seed: int) -> None:
    """A weight of 10 for each class made ten rows of each row: tests found significance, smoothing found
    proof, and C4.5's minima bound nothing. Only the pruners knew better.
    """
    X, y = table(seed, 90, noise=0.4)
    kind = arguments.get("kind", TreeClassifier)
    model = kind(**{name: value for name, value in arguments.items() if name != "kind"})
    found = []
    for one, three in ((1, 1), (10, 10), (0.1, 0.1), (None, None)):
        model.set_params(class_weight=None if one is None else {0: one, 1: three})
        found.append((model.fit(X, y).tree_, model.predict_proba(X)))
    assert all(tree == found[0][0] for tree, _ in found)
    assert all(np.array_equal(shares, found[0][1]) for _, shares in found)
    if arguments.get("monte_carlo") is None:  # which permutes whole rows
        one, ten = (model.set_params(class_weight={0: n, 1: 3 * n}).fit(X, y).tree_ for n in (1, 8))
        assert one == ten
        if arguments.get("pruning") != "rep":
            assert one.weight[0] == pytest.approx(len(y))


def test_a_row_of_weight_2_is_two_rows_whatever_its_class_weighs() -> None:
    X, y = table(4, 60)
    weights = np.random.default_rng(0).integers(0, 3, 60)
    twice = {name: np.repeat(column, weights) for name, column in X.items()}
    for model in (C45Classifier(class_weight={0: 2, 1: 5}), TreeClassifier(class_weight={0: 2, 1: 5})):
        one = model.fit(X, y, sample_weight=weights).tree_
        other = model.fit(twice, np.repeat(y, weights)).tree_
        assert np.array_equal(one.feature, other.feature)
        np.testing.assert_allclose(one.counts, other.counts)


def test_rows_of_a_class_of_weight_0_are_not_there() -> None:
    """Nor do they count in the total that is kept."""
    X, y = table(6, 60, 3)
    weighed = TreeClassifier(class_weight={0: 0, 1: 5, 2: 5}).fit(X, y)
    left_out = TreeClassifier().fit(X, y, sample_weight=(y != 0).astype(float))
    assert weighed.tree_ == left_out.tree_


@pytest.mark.parametrize("class_weight", [{0: 9, 1: 1}, "balanced"])
@pytest.mark.parametrize("pruner", [ReducedError(validation=0.3, random_state=1), CostComplexity()])
def test_rows_to_judge_on_are_weighed_as_in_fit(class_weight: Any, pruner: Any) -> None:
    """`prune` took rows to judge on as they are, where ``fit`` weighs their classes: other trees came out."""
    differs = 0
    for seed in range(8):
        X, y = table(seed, 150, noise=0.4)
        kept, held = hold_out(make_dataset(X, y), 0.3, 1)
        training, judging = ({name: column[rows] for name, column in X.items()} for rows in (kept, held))
        n_leaves = []
        for weights in (None, class_weight):
            grown = TreeClassifier(class_weight=weights, random_state=0).fit(training, y[kept])
            small = prune(grown, pruner, X_val=judging, y_val=y[held])
            n_leaves.append(small.get_n_leaves())
        differs += n_leaves[0] != n_leaves[1]
        if isinstance(pruner, CostComplexity):
            continue
        factor = grown._by_class
        lost = [(factor[y[held]] * (model.predict(judging) != y[held])).sum() for model in (grown, small)]
        assert lost[1] <= lost[0] * (1 + 1e-9)
        if class_weight != "balanced":  # which goes by all rows in fit
            inside = TreeClassifier(class_weight=class_weight, pruning=pruner, random_state=0).fit(X, y)
            assert np.array_equal(small.tree_.feature, inside.tree_.feature)
    assert differs > 0


def test_trees_of_scikit_learn_weigh_rows_to_judge_on_too() -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(0, 4, (120, 3)).astype(float)
    y = ((X[:, 0] > 1) ^ (rng.random(120) < 0.4)).astype(int)
    ones = []
    for weights in ({0: 1, 1: 20}, {0: 20, 1: 1}):
        full = DecisionTreeClassifier(class_weight=weights, max_depth=3).fit(X[::2], y[::2])
        ones.append(prune(full, "rep", X_val=X[1::2], y_val=y[1::2]).predict(X).mean())
    assert ones[0] > 0.5 > ones[1]
