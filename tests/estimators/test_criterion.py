"""Criteria by name, and functions of one's own, in an estimator."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from boxwood import TreeClassifier, check_tree
from boxwood.criteria import ALIASES, CRITERIA, Impurity, get_criterion, tsallis
from tests.estimators.mixed import mixed_pandas

rng = np.random.default_rng(0)
X = rng.normal(size=(150, 4)).astype(np.float32).astype(np.float64)
y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(scale=0.5, size=150) > 0.5).astype(int)


def half_gini(smaller_share: np.ndarray) -> np.ndarray:
    return smaller_share * (1 - smaller_share)


def gini_of_shares(shares: np.ndarray) -> np.ndarray:
    return 1 - np.square(shares).sum(axis=1)


def wave(smaller_share: np.ndarray) -> np.ndarray:
    """Increasing, and neither concave nor convex."""
    return smaller_share + 0.05 * np.sin(4 * np.pi * smaller_share)


@pytest.mark.parametrize("name", [*CRITERIA, *ALIASES, "tsallis(1.5)", "tsallis(3)"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_name(name: str, n_classes: int) -> None:
    target = y if n_classes == 2 else y + (X[:, 2] > 1)
    classifier = TreeClassifier(criterion=name).fit(X, target)
    check_tree(classifier.tree_)
    expected = get_criterion(name)
    assert classifier.criterion_ == expected
    assert classifier.tree_.criterion == expected.name
    assert classifier.score(X, target) == 1.0
    assert classifier.tree_.impurity == pytest.approx(expected.impurity(classifier.tree_.counts), abs=1e-12)
    assert classifier.n_cuts_evaluated_ <= classifier.n_cuts_
    assert (classifier.feature_importances_ >= 0).all() or not expected.concave


def test_gini_and_entropy_are_those_of_scikit_learn() -> None:
    for name in ("gini", "entropy"):
        ours = TreeClassifier(criterion=name, max_depth=3).fit(X, y)
        theirs = DecisionTreeClassifier(criterion=name, max_depth=3, random_state=0).fit(X, y)
        assert ours.predict_proba(X) == pytest.approx(theirs.predict_proba(X))


def test_an_object_is_as_good_as_its_name() -> None:
    assert TreeClassifier(criterion=CRITERIA["sine"]).fit(X, y).tree_ == (
        TreeClassifier(criterion="sine").fit(X, y).tree_
    )
    assert TreeClassifier(criterion=tsallis(0.5)).fit(X, y).tree_ == (
        TreeClassifier(criterion="tsallis(0.5)").fit(X, y).tree_
    )


@pytest.mark.parametrize("impurity", [Impurity(half_gini), Impurity(gini_of_shares, vector=True)], ids=repr)
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_function_of_the_users_grows_the_tree_of_the_same_formula(
    impurity: Impurity, n_jobs: int | None
) -> None:
    for table, target in ((X, y), mixed_pandas()):
        if impurity.vector or len(set(target)) == 2:
            expected = TreeClassifier().fit(table, target).tree_
            own = TreeClassifier(criterion=impurity, n_jobs=n_jobs).fit(table, target)
            assert own.tree_.criterion == impurity.name
            assert np.array_equal(own.tree_.threshold, expected.threshold, equal_nan=True)
            assert np.array_equal(own.tree_.counts, expected.counts)
            assert own.criterion_.curvature == "concave"
            assert own.n_cuts_evaluated_ < own.n_cuts_


def test_what_was_found_about_a_function_is_told() -> None:
    convex = TreeClassifier(criterion=Impurity(np.square)).fit(X, y)
    assert convex.criterion_.curvature == "convex"
    with pytest.warns(UserWarning, match="all are looked at"):
        neither = TreeClassifier(criterion=Impurity(wave)).fit(X, y)
    assert neither.criterion_.curvature == "unknown"
    assert neither.n_cuts_evaluated_ == neither.n_cuts_


def test_a_function_that_breaks_the_conditions_is_refused_by_fit() -> None:
    for broken, condition in (
        (np.cos, "f must be 0 at x = 0"),
        (lambda x: x * (0.6 - x), "increas"),
        (lambda x: x[:1], "shape"),
        (lambda x: x * np.nan, "NaN|finite"),
    ):
        with pytest.raises(ValueError, match=condition):
            TreeClassifier(criterion=Impurity(broken)).fit(X, y)  # type: ignore[arg-type]


def test_clone_and_copies_keep_a_function() -> None:
    classifier = TreeClassifier(criterion=Impurity(half_gini), max_depth=3).fit(X, y)
    for twin in (clone(classifier), copy.deepcopy(classifier), copy.copy(classifier)):
        assert twin.criterion == classifier.criterion
        assert twin.fit(X, y).tree_ == classifier.tree_


def test_a_fitted_classifier_with_an_importable_function_can_be_pickled() -> None:
    for criterion in (Impurity(half_gini), Impurity(np.sqrt), *CRITERIA, tsallis(0.5)):
        classifier = TreeClassifier(criterion=criterion, max_depth=3).fit(X, y)
        twin = pickle.loads(pickle.dumps(classifier))
        assert twin.tree_ == classifier.tree_
        assert twin.criterion_.name == classifier.criterion_.name
        assert twin.criterion_.curvature == classifier.criterion_.curvature
        assert np.array_equal(twin.predict(X), classifier.predict(X))
        assert twin.fit(X, y).tree_ == classifier.tree_


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_grid_of_criteria(n_jobs: int | None) -> None:
    grid = {"criterion": ["gini", Impurity(np.sqrt), tsallis(0.5), CRITERIA["twoing"]], "max_depth": [2, 4]}
    search = GridSearchCV(TreeClassifier(), grid, cv=3, n_jobs=n_jobs, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 8
    assert search.best_params_["criterion"] in grid["criterion"]
    assert search.score(X, y) > 0.8


def test_the_html_of_a_fitted_classifier_is_drawn() -> None:
    classifier = TreeClassifier(criterion=Impurity(half_gini)).fit(X, y)
    assert "half_gini" in repr(classifier)
    assert "TreeClassifier" in classifier._repr_html_()


def test_a_bare_function_is_told_where_it_goes() -> None:
    """The list of names that the argument may have hid the sentence that says so."""
    with pytest.raises(ValueError, match=r"a function f goes into boxwood\.criteria\.Impurity\(f\)"):
        TreeClassifier(criterion=lambda x: x).fit([[0.0], [1.0]], [0, 1])
