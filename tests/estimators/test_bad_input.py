"""Each kind of bad input gets a clear error or a sane tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from boxwood import TreeClassifier, check_tree

X = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 3.0], [4.0, 2.0]])
y = np.array([0, 0, 1, 1])


@pytest.mark.parametrize(
    ("table", "target", "message"),
    [
        (np.empty((0, 2)), np.empty(0), "0 sample"),
        (pd.DataFrame({"a": [], "b": []}), [], "0 sample"),
        ([], [], "0 sample|1D|2D|empty|no rows"),
        (np.empty((4, 0)), y, r"0 feature\(s\) \(shape=\(4, 0\)\) while a minimum of 1 is required"),
        (pd.DataFrame(index=range(4)), y, "0 feature"),
        (X[:, 0], y, "Reshape your data|2D array"),
        (X[np.newaxis], y, "dim 3|2D|two"),
        (X, y[:3], "inconsistent|4.*3|3.*4"),
        (X, None, "requires y to be passed, but the target y is None"),
        (X, [0.0, 1.0, np.nan, 1.0], "NaN|missing"),
        (X, ["a", None, "b", "b"], "missing|None|NaN"),
        (X, [0.0, 1.0, np.inf, 1.0], "infinity|infinite"),
        (X, [0.3, 0.1, 0.2, 0.9], "Unknown label type"),
        (X, [[0, 1], [1, 1], [0, 0], [1, 0]], "1d array|multi|one column"),
        (X + 1j, y, "Complex data not supported"),
    ],
    ids=[
        "no rows",
        "no rows in a frame",
        "an empty list",
        "no columns",
        "no columns in a frame",
        "one dimension",
        "three dimensions",
        "lengths differ",
        "no target",
        "NaN in the target",
        "None in the target",
        "infinite target",
        "continuous target",
        "two targets",
        "complex numbers",
    ],
)
def test_refused_in_fit(table: Any, target: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier().fit(table, target)


@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_infinite_cells_name_the_column_and_the_row(bad: float) -> None:
    table = X.copy()
    table[2, 1] = bad
    with pytest.raises(ValueError, match=r"x1.*row 2|row 2.*x1"):
        TreeClassifier().fit(table, y)
    frame = pd.DataFrame(table, columns=["width", "height"])
    with pytest.raises(ValueError, match="height"):
        TreeClassifier().fit(frame, y)
    fitted = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="x1"):
        fitted.predict(table)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -1.0, 1.0, 1.0], "negative"),
        ([0.0] * 4, "zero|no row|0"),
        ([1.0, np.nan, 1.0, 1.0], "NaN"),
        ([1.0, np.inf, 1.0, 1.0], "infin"),
        ([1.0, 1.0], "sample_weight"),
        ([[1.0, 1.0]] * 4, "sample_weight|1D"),
    ],
    ids=["negative", "sum zero", "NaN", "infinite", "too few", "two columns"],
)
def test_weights(weights: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TreeClassifier().fit(X, y, sample_weight=np.array(weights))


def test_a_class_without_weight_and_a_label_without_class() -> None:
    with pytest.raises(ValueError, match="'ghost'"):
        TreeClassifier(class_weight={0: 1, "ghost": 2}).fit(X, y)


def test_a_class_of_weight_zero_is_known_but_never_predicted() -> None:
    for classifier in (
        TreeClassifier(class_weight={0: 0, 1: 1}).fit(X, y),
        TreeClassifier().fit(X, y, sample_weight=y.astype(float)),
    ):
        assert classifier.classes_.tolist() == [0, 1]
        assert classifier.predict(X).tolist() == [1, 1, 1, 1]
        assert classifier.predict_proba(X).tolist() == [[0.0, 1.0]] * 4


def test_a_chain_of_thousands_of_nodes() -> None:
    n = 3_000
    chain = np.arange(n, dtype=float)[:, np.newaxis]
    target = np.arange(n) % 2
    classifier = TreeClassifier(criterion="entropy").fit(chain, target)
    check_tree(classifier.tree_)
    assert classifier.get_n_leaves() == n
    assert classifier.get_depth() > 1_000
    assert np.array_equal(classifier.predict(chain), target)
    assert classifier.decision_path(chain[:5]).shape == (5, 2 * n - 1)


def test_constant_columns_give_a_lone_leaf() -> None:
    classifier = TreeClassifier().fit(np.ones((4, 3)), y)
    check_tree(classifier.tree_)
    assert classifier.get_n_leaves() == 1
    assert classifier.predict(np.zeros((2, 3))).tolist() == [0, 0]
    assert classifier.predict_proba(np.zeros((1, 3))).tolist() == [[0.5, 0.5]]
    assert classifier.feature_importances_.tolist() == [0.0, 0.0, 0.0]


def test_one_class_gives_a_lone_leaf() -> None:
    classifier = TreeClassifier().fit(X, ["same"] * 4)
    assert classifier.get_n_leaves() == 1
    assert classifier.predict(X).tolist() == ["same"] * 4
    assert classifier.predict_proba(X).tolist() == [[1.0]] * 4


def test_one_row() -> None:
    classifier = TreeClassifier().fit([[1.0, "a"]], ["yes"])
    assert classifier.get_depth() == 0
    assert classifier.predict([[2.0, "b"]]).tolist() == ["yes"]


def test_columns_of_missing_values_only() -> None:
    frame = pd.DataFrame({"a": [np.nan] * 4, "b": [None] * 4, "c": [1.0, 2.0, 3.0, 4.0]})
    classifier = TreeClassifier().fit(frame, y)
    check_tree(classifier.tree_)
    assert classifier.score(frame, y) == 1.0


def test_a_million_categories() -> None:
    n = 1_000_000
    names = np.arange(n).astype(str)
    target = np.arange(n) % 2
    frame = pd.DataFrame({"name": names, "x": np.arange(n) % 7})
    classifier = TreeClassifier(max_depth=2).fit(frame, target)
    assert classifier.score(frame, target) == 1.0
    assert classifier.predict(pd.DataFrame({"name": ["nobody"], "x": [1]})).shape == (1,)


def test_duplicate_column_names() -> None:
    frame = pd.DataFrame(X, columns=["a", "a"])
    with pytest.raises(ValueError, match="'a'"):
        TreeClassifier().fit(frame, y)


@pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_array, sparse.coo_array])
def test_sparse_tables_are_refused(kind: Any) -> None:
    with pytest.raises(TypeError, match=r"Sparse data was passed.*toarray"):
        TreeClassifier().fit(kind(X), y)
    with pytest.raises(TypeError, match="Sparse"):
        TreeClassifier().fit(X, y).predict(kind(X))


def test_not_fitted() -> None:
    classifier = TreeClassifier()
    for method in ("predict", "predict_proba", "predict_log_proba", "apply", "decision_path"):
        with pytest.raises(NotFittedError):
            getattr(classifier, method)(X)
    for method in ("get_depth", "get_n_leaves"):
        with pytest.raises(NotFittedError):
            getattr(classifier, method)()
    with pytest.raises(NotFittedError):
        _ = classifier.feature_importances_


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_that_are_missing_or_extra_are_named(frame: Any) -> None:
    fitted = TreeClassifier().fit(frame({"width": X[:, 0], "height": X[:, 1]}), y)
    with pytest.raises(ValueError, match="height"):
        fitted.predict(frame({"width": X[:, 0]}))
    with pytest.raises(ValueError, match="colour"):
        fitted.predict(frame({"width": X[:, 0], "height": X[:, 1], "colour": X[:, 1]}))
    with pytest.raises(ValueError, match="depth"):
        fitted.predict(frame({"width": X[:, 0], "depth": X[:, 1]}))


def test_a_wrong_number_of_columns_in_scikit_learns_words() -> None:
    fitted = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="X has 3 features, but TreeClassifier is expecting 2 features"):
        fitted.predict(np.zeros((1, 3)))
    with pytest.raises(ValueError, match=r"Reshape your data|2D array"):
        fitted.predict([1.0, 2.0])


def test_a_failed_fit_keeps_the_old_tree() -> None:
    classifier = TreeClassifier().fit(X, y)
    before = classifier.tree_
    with pytest.raises(ValueError, match="x0"):
        classifier.fit(np.full((4, 3), np.inf), y)
    assert classifier.tree_ is before
    assert classifier.predict(X).tolist() == y.tolist()


def test_predicting_no_rows() -> None:
    fitted = TreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="0 sample"):
        fitted.predict(np.empty((0, 2)))
