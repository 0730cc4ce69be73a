"""The arrays that tools read are scikit-learn's, number by number."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier

from boxwood.data import Column, Schema
from boxwood.tree import Threshold, Tree, TreeBuilder

LARGEST = np.finfo(np.float64).max  # for their "present or missing", an infinite threshold


def imported(fitted: DecisionTreeClassifier) -> tuple[Tree, np.ndarray]:
    """A tree of scikit-learn as one of ours, and its number of each of our nodes."""
    theirs = fitted.tree_
    names = [f"x{j}" for j in range(theirs.n_features)]
    builder = TreeBuilder(
        Schema(tuple(Column(name, "numeric", "float") for name in names), named=False), fitted.classes_
    )
    for i in range(theirs.node_count):
        counts = theirs.value[i, 0] * theirs.weighted_n_node_samples[i]
        more = {"n_rows": int(theirs.n_node_samples[i]), "impurity": theirs.impurity[i]}
        if theirs.children_left[i] < 0:
            builder.add_leaf(counts, **more)
        else:
            to_left = bool(theirs.missing_go_to_left[i])
            split = Threshold(int(theirs.feature[i]), min(theirs.threshold[i], LARGEST), 0 if to_left else 1)
            builder.add_split(split, counts=counts, **more)
    for i in range(theirs.node_count):
        if theirs.children_left[i] >= 0:
            builder.link(i, [int(theirs.children_left[i]), int(theirs.children_right[i])])
    order = [0]
    for i in order:
        if theirs.children_left[i] >= 0:
            order += [theirs.children_left[i], theirs.children_right[i]]
    return builder.build(), np.array(order)


@pytest.fixture(params=["iris", "weighted", "missing"])
def fitted(request):
    rng = np.random.default_rng(0)
    if request.param == "iris":
        X, y = load_iris(return_X_y=True)
        weights = None
    else:
        X, y = make_classification(400, 8, n_informative=5, n_classes=3, random_state=0)
        weights = rng.integers(1, 4, 400) / 2
        if request.param == "missing":
            X[rng.random(X.shape) < 0.1] = np.nan
    X = X.astype(np.float32)
    return DecisionTreeClassifier(random_state=0).fit(X, y, sample_weight=weights), X.astype(np.float64)


def test_same_arrays(fitted):
    model, _ = fitted
    ours, order = imported(model)
    theirs = model.tree_
    ours_of = np.argsort(order)  # our number of each of their nodes
    assert np.array_equal(ours.threshold, np.minimum(theirs.threshold[order], LARGEST))
    for name in ("feature", "impurity", "n_node_samples", "weighted_n_node_samples"):
        assert np.allclose(getattr(ours, name), getattr(theirs, name)[order])
    assert np.allclose(ours.value, theirs.value[order])
    for name in ("children_left", "children_right"):
        child = getattr(theirs, name)[order]
        assert np.array_equal(getattr(ours, name), np.where(child < 0, -1, ours_of[child]))
    assert (ours.node_count, ours.n_leaves, ours.max_depth) == (
        theirs.node_count,
        theirs.n_leaves,
        theirs.max_depth,
    )


def test_same_answers(fitted):
    model, X = fitted
    ours, order = imported(model)
    columns = [X[:, j] for j in range(X.shape[1])]
    assert np.array_equal(order[ours.apply(columns)], model.apply(X))
    counts = ours.predict_counts(columns)
    assert np.allclose(counts / counts.sum(axis=1, keepdims=True), model.predict_proba(X))
    path, wanted = ours.decision_path(columns), model.decision_path(X)
    assert (path.shape, path.format, path.dtype) == (wanted.shape, wanted.format, wanted.dtype)
    ends = wanted.toarray() * np.arange(model.tree_.node_count)
    if np.array_equal(ends.max(axis=1), model.apply(X)):  # not so for missing values up to 1.7
        assert np.array_equal(path.toarray(), wanted.toarray()[:, order])
    else:
        assert np.isnan(X).any()


def test_same_importances(fitted):
    model, _ = fitted
    ours, _ = imported(model)
    assert np.allclose(ours.feature_importances(), model.feature_importances_)
    raw = model.tree_.compute_feature_importances(normalize=False)
    assert np.allclose(ours.feature_importances(normalize=False), raw)
