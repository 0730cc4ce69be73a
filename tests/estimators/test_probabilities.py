"""What `proba` makes of the counts of a leaf, and that answers do not depend on it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV

from boxwood import TreeClassifier
from boxwood.data import Column, Schema
from boxwood.estimators.class_answers import ANSWER
from boxwood.tree import SPREAD, Threshold, build_tree, leaf, node

X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]])
Y = np.array(["a", "a", "a", "b", "a", "c", "c"])


def formula(counts: np.ndarray, root: np.ndarray, proba: str, m: float) -> np.ndarray:
    """The definition, class by class."""
    n, k = counts.sum(), len(counts)
    if proba == "raw":
        return counts / n
    if proba == "laplace":
        return np.array([(one + 1) / (n + k) for one in counts])
    return np.array(
        [(one + m * share) / (n + m) for one, share in zip(counts, root / root.sum(), strict=True)]
    )


@pytest.mark.parametrize(
    ("proba", "m"), [("raw", 2.0), ("laplace", 2.0), ("m-estimate", 2.0), ("m-estimate", 9.5)]
)
def test_the_formulas(proba, m):
    model = TreeClassifier(max_depth=1, proba=proba, proba_m=m).fit(X, Y)
    counts = model.tree_.counts
    wanted = [formula(counts[leaf_], counts[0], proba, m) for leaf_ in model.apply(X)]
    assert np.allclose(model.predict_proba(X), wanted)
    assert np.array_equal(model.predict(X), TreeClassifier(max_depth=1).fit(X, Y).predict(X))


@pytest.mark.parametrize("proba", ["laplace", "m-estimate"])
def test_small_weights_count_as_rows_and_repeated_rows_as_weights(proba):
    plain = TreeClassifier(max_depth=2, proba=proba).fit(X, Y).predict_proba(X)
    light = TreeClassifier(max_depth=2, proba=proba).fit(X, Y, sample_weight=np.full(7, 1 / 7))
    assert np.allclose(light.predict_proba(X), plain)
    twice = TreeClassifier(max_depth=2, proba=proba).fit(X, Y, sample_weight=np.full(7, 2.0))
    again = TreeClassifier(max_depth=2, proba=proba).fit(np.repeat(X, 2, axis=0), np.repeat(Y, 2))
    assert np.allclose(twice.predict_proba(X), again.predict_proba(X))
    assert not np.allclose(twice.predict_proba(X), plain)


def test_within_other_estimators():
    boosted = AdaBoostClassifier(TreeClassifier(max_depth=1, proba="laplace"), n_estimators=5).fit(X, Y)
    assert boosted.score(X, Y) > 0.5
    search = GridSearchCV(
        TreeClassifier(), {"proba": ["raw", "laplace", "m-estimate"]}, cv=2, scoring="accuracy"
    )
    assert search.fit(np.repeat(X, 2, axis=0), np.repeat(Y, 2)).best_score_ > 0.5


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"'proba' parameter .* must be a str among"):
        TreeClassifier(proba="smooth").fit(X, Y)
    with pytest.raises(ValueError, match="'proba_m' parameter"):
        TreeClassifier(proba="m-estimate", proba_m=-1.0).fit(X, Y)
    with pytest.raises(ValueError, match=r"proba_m=3\.0 is the m of proba='m-estimate', and proba is 'raw'"):
        TreeClassifier(proba_m=3.0).fit(X, Y)


SCHEMA = Schema((Column("x0", "numeric", "float"),), named=False)


def spread_tree():
    """A missing row: 6 of 10 to a leaf that says "a" by a little, 4 of 10 to one that says "b" for sure."""
    root = node(Threshold(0, 3.5, missing_branch=SPREAD), [leaf([7, 5]), leaf([0, 8])])
    return build_tree(root, SCHEMA, ["a", "b"], missing="fractional")


@pytest.mark.parametrize("proba", ["raw", "laplace", "m-estimate"])
def test_a_spread_row_gets_the_mixture_of_its_leaves(proba):
    model = TreeClassifier(proba=proba).fit(X, np.where(X[:, 0] < 3, "a", "b"))
    model.tree_ = spread_tree()
    leaves = np.array(
        [formula(np.array(c), np.array([7.0, 13.0]), proba, 2.0) for c in ([7.0, 5.0], [0.0, 8.0])]
    )
    rows = [[1.0], [9.0], [np.nan]]
    mixed = 0.6 * leaves[0] + 0.4 * leaves[1]
    assert np.allclose(model.predict_proba(rows), [leaves[0], leaves[1], mixed])
    assert model.predict(rows).tolist() == ["a", "b", "b"]  # though its heaviest leaf says "a"
    assert model.apply(rows).tolist() == [1, 2, 1]
    assert model.decision_path(rows).toarray().tolist() == [[1, 1, 0], [1, 0, 1], [1, 1, 1]]


def test_ends_vote_where_nodes_have_answers_of_their_own():
    model = TreeClassifier().fit(X, np.where(X[:, 0] < 3, "a", "b"))
    model.tree_ = spread_tree().with_extra(ANSWER, [1.0, 0.0, 1.0])
    assert model.predict([[np.nan]]).tolist() == ["a"]  # 6 of 10 of the row answer so
    model.tree_ = spread_tree().with_extra(ANSWER, [1.0, 1.0, 1.0])
    assert model.predict([[np.nan]]).tolist() == ["b"]
