"""scikit-learn's meta-estimators, on mixed frames, with missing values wherever they permit them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from boxwood import TreeClassifier, TreeRegressor
from tests.estimators.mixed import mixed_numbers, mixed_pandas, mixed_polars

FRAMES = pytest.mark.parametrize("make", [mixed_pandas, mixed_polars], ids=["pandas", "polars"])


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@FRAMES
def test_alone(make: Any) -> None:
    X, y = make()
    classifier = TreeClassifier().fit(X, y)
    assert classifier.score(X, y) > 0.95
    assert classifier.feature_names_in_.tolist() == ["size", "colour", "grade", "count", "good"]
    assert [column.kind for column in classifier.tree_.schema] == [
        "numeric",
        "categorical",
        "categorical",
        "numeric",
        "numeric",
    ]


@FRAMES
def test_pipeline(make: Any) -> None:
    X, y = make()
    pipeline = make_pipeline(FunctionTransformer(), TreeClassifier(max_depth=4)).fit(X, y)
    assert pipeline.score(X, y) > 0.8
    assert pipeline[-1].tree_ == TreeClassifier(max_depth=4).fit(X, y).tree_


def test_pipeline_with_a_column_transformer() -> None:
    X, y = mixed_pandas()
    halve = ColumnTransformer(
        [("half", FunctionTransformer(lambda column: column / 2), ["size"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    pipeline = make_pipeline(halve, TreeClassifier()).fit(X, y)
    assert pipeline.score(X, y) > 0.95


@FRAMES
def test_grid_search(make: Any) -> None:
    X, y = make()
    grid = {"max_depth": [1, 4], "criterion": ["gini", "gain_ratio"]}
    search = GridSearchCV(TreeClassifier(), grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["max_depth"] == 4
    assert search.score(X, y) > 0.8


@FRAMES
def test_cross_validate(make: Any) -> None:
    X, y = make()
    scores = cross_validate(TreeClassifier(max_depth=5), X, y, cv=3, error_score="raise")
    assert scores["test_score"].mean() > 0.7
    assert cross_val_predict(TreeClassifier(), X, y, cv=3, method="predict_proba").shape == (len(y), 3)


def test_calibration() -> None:
    X, y = mixed_pandas()
    calibrated = CalibratedClassifierCV(TreeClassifier(max_depth=4), cv=3).fit(X, y)
    assert calibrated.score(X, y) > 0.7
    assert calibrated.predict_proba(X).sum(axis=1) == pytest.approx(1.0)


def test_voting() -> None:
    X, y = mixed_pandas()
    voters = [("gini", TreeClassifier(max_depth=4)), ("ratio", TreeClassifier(criterion="gain_ratio"))]
    assert VotingClassifier(voters, voting="soft").fit(X, y).score(X, y) > 0.8


def as_ensembles_take_it(X: pd.DataFrame) -> pd.DataFrame:
    """An older scikit-learn tries to turn the strings of a newer pandas into numbers, but not objects."""
    old = tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 8)
    return X.astype({"colour": object}) if old else X


@pytest.mark.parametrize("missing", [True, False])
def test_bagging_turns_a_mixed_frame_into_objects_and_numbers_stay_numbers(missing: bool) -> None:
    X, y = mixed_pandas(missing=missing)
    X = as_ensembles_take_it(X)
    bagging = BaggingClassifier(TreeClassifier(max_features=3), n_estimators=5, random_state=0).fit(X, y)
    for member in bagging.estimators_:
        assert [column.kind for column in member.tree_.schema] == [
            "numeric",
            "categorical",
            "categorical",
            "numeric",
            "numeric",
        ]
    assert bagging.score(X, y) > 0.8
    assert len({member.tree_ for member in bagging.estimators_}) == 5


def test_boosting_turns_a_mixed_frame_into_objects_and_numbers_stay_numbers() -> None:
    X, y = mixed_pandas(missing=False)
    X = as_ensembles_take_it(X)
    boosting = AdaBoostClassifier(TreeClassifier(max_depth=2), n_estimators=8).fit(X, y)
    for member in boosting.estimators_:
        assert [column.kind for column in member.tree_.schema] == [
            "numeric",
            "categorical",
            "categorical",
            "numeric",
            "numeric",
        ]
    alone = TreeClassifier(max_depth=2).fit(X, y)
    assert boosting.score(X, y) > alone.score(X, y)


def test_boosting_numbers_equals_boosting_with_their_own_tree_in_quality() -> None:
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).astype(np.float32).astype(np.float64)
    y = (X[:, 0] * X[:, 1] + 0.3 * rng.normal(size=300) > 0).astype(int)
    ours = AdaBoostClassifier(TreeClassifier(max_depth=2), n_estimators=20).fit(X, y)
    peer = DecisionTreeClassifier(max_depth=2, random_state=0)
    theirs = AdaBoostClassifier(peer, n_estimators=20).fit(X, y)
    assert ours.score(X, y) == pytest.approx(theirs.score(X, y), abs=0.03)


def test_metadata_routing_of_weights() -> None:
    X, y = mixed_pandas()
    weights = np.where(y == "maybe", 0.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(FunctionTransformer(), TreeClassifier().set_fit_request(sample_weight=True))
        pipeline.fit(X, y, sample_weight=weights)
        assert "maybe" not in pipeline.predict(X)
        search = GridSearchCV(
            TreeClassifier().set_fit_request(sample_weight=True).set_score_request(sample_weight=False),
            {"max_depth": [3]},
            cv=2,
            error_score="raise",
        ).fit(X, y, sample_weight=weights)
        assert "maybe" not in search.predict(X)


def test_clone_and_set_params() -> None:
    X, y = mixed_pandas()
    classifier = TreeClassifier(max_depth=3, categorical_features=["count"]).fit(X, y)
    copy = clone(classifier)
    assert not hasattr(copy, "tree_")
    assert copy.get_params() == classifier.get_params()
    assert copy.set_params(max_depth=1).fit(X, y).get_depth() == 1


def test_a_parallel_search() -> None:
    X, y = mixed_pandas()
    search = GridSearchCV(TreeClassifier(n_jobs=2), {"max_depth": [2, 3]}, cv=2, n_jobs=2).fit(X, y)
    alone = TreeClassifier(max_depth=search.best_params_["max_depth"]).fit(X, y)
    assert search.best_estimator_.tree_ == alone.tree_


def test_categories_by_column_type_in_objects() -> None:
    """An object array has no column types, so `categorical_features` by number says it."""
    X, y = mixed_pandas()
    objects = X.to_numpy(dtype=object)
    by_number = TreeClassifier(categorical_features=[3]).fit(objects, y)
    assert by_number.tree_.schema[3].kind == "categorical"
    frame = pd.DataFrame(objects, columns=X.columns)
    assert TreeClassifier(categorical_features=["count"]).fit(frame, y).tree_.schema[3].kind == "categorical"


# ----------------------------------------------------------------------------------------------- regression


@FRAMES
def test_a_regressor_in_pipeline_grid_search_and_cross_validation(make: Any) -> None:
    X, y = make()[0], mixed_numbers()
    pipeline = make_pipeline(FunctionTransformer(), TreeRegressor(max_depth=6)).fit(X, y)
    assert pipeline[-1].tree_ == TreeRegressor(max_depth=6).fit(X, y).tree_
    grid = {"max_depth": [1, 6], "criterion": ["squared_error", "absolute_error"]}
    search = GridSearchCV(TreeRegressor(), grid, cv=3, error_score="raise").fit(X, y)
    assert search.best_params_["max_depth"] == 6
    assert search.score(X, y) > 0.8
    scores = cross_validate(TreeRegressor(max_depth=6), X, y, cv=3, error_score="raise")
    assert scores["test_score"].mean() > 0.6


def test_voting_of_regressors() -> None:
    X, y = mixed_pandas()[0], mixed_numbers()
    voters = [("mean", TreeRegressor(max_depth=6)), ("median", TreeRegressor(criterion="absolute_error"))]
    assert VotingRegressor(voters).fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("missing", [True, False])
def test_bagging_of_regressors(missing: bool) -> None:
    X, y = as_ensembles_take_it(mixed_pandas(missing=missing)[0]), mixed_numbers()
    bagging = BaggingRegressor(TreeRegressor(max_features=3), n_estimators=5, random_state=0).fit(X, y)
    assert [column.kind for column in bagging.estimators_[0].tree_.schema] == [
        *("numeric", "categorical", "categorical", "numeric", "numeric")
    ]
    assert bagging.score(X, y) > 0.8
    assert len({member.tree_ for member in bagging.estimators_}) == 5


def test_boosting_of_regressors() -> None:
    X, y = as_ensembles_take_it(mixed_pandas(missing=False)[0]), mixed_numbers()
    boosting = AdaBoostRegressor(TreeRegressor(max_depth=3), n_estimators=8, random_state=0).fit(X, y)
    assert boosting.score(X, y) > TreeRegressor(max_depth=3).fit(X, y).score(X, y)


def test_metadata_routing_of_weights_of_a_regressor() -> None:
    X, y = mixed_pandas()[0], mixed_numbers()
    weights = (y < np.median(y)).astype(float)
    with sklearn.config_context(enable_metadata_routing=True):
        pipeline = make_pipeline(FunctionTransformer(), TreeRegressor().set_fit_request(sample_weight=True))
        pipeline.fit(X, y, sample_weight=weights)
    assert pipeline.predict(X).max() < np.median(y)


def test_clone_and_set_params_of_a_regressor() -> None:
    X, y = mixed_pandas()[0], mixed_numbers()
    regressor = TreeRegressor(max_depth=3, monotonic_cst={"size": 1}).fit(X, y)
    copy = clone(regressor)
    assert not hasattr(copy, "tree_")
    assert copy.get_params() == regressor.get_params()
    assert copy.set_params(max_depth=1).fit(X, y).get_depth() == 1
