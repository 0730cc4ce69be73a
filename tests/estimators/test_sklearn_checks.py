"""scikit-learn's own checks of an estimator, for the main configurations, without any expected failure."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood import C45Classifier, CARTClassifier, ID3Classifier, TreeClassifier, TreeRegressor
from boxwood.criteria import Impurity
from boxwood.grow.options import NUMBER_SPLITS
from boxwood.search import CATEGORICAL_SPLITS


def fourth_root(smaller_share: np.ndarray) -> np.ndarray:
    return smaller_share**0.25


@parametrize_with_checks(
    [
        TreeClassifier(),
        TreeClassifier(max_leaf_nodes=8),
        TreeClassifier(criterion="entropy", max_depth=4),
        TreeClassifier(criterion="gain_ratio", min_weight_fraction_leaf=0.02),
        TreeClassifier(missing="branch", n_jobs=2),
        TreeClassifier(missing="surrogate", proba="laplace"),
        TreeClassifier(missing="surrogate", max_leaf_nodes=8, proba="m-estimate"),
        TreeClassifier(max_features="sqrt", random_state=0),
        TreeClassifier(splitter="random", random_state=0),
        TreeClassifier(criterion="ambiguity", cuts="all"),
        TreeClassifier(criterion=Impurity(fourth_root)),
        *(TreeClassifier(categorical_split=search) for search in CATEGORICAL_SPLITS if search != "auto"),
        *(TreeRegressor(categorical_split=search) for search in NUMBER_SPLITS if search != "auto"),
        TreeClassifier(select="chi2_filter"),
        TreeClassifier(select="conditional_inference", significance_level=0.5),
        TreeClassifier(categorical_split="multiway", select="chi2_filter"),
        TreeClassifier(
            categorical_split="one_vs_rest", select="conditional_inference", significance_level=0.5
        ),
        CARTClassifier(random_state=0),
        TreeClassifier(pruning="ebp"),
        TreeClassifier(missing="fractional", min_weight_leaf=2.0, min_significance=0.5, mdl_stop=True),
        C45Classifier(),
        ID3Classifier(),
        TreeRegressor(),
        TreeRegressor(categorical_split="multiway", select="conditional_inference", min_samples_category=2),
        TreeRegressor(criterion="absolute_error", max_depth=8),
        TreeRegressor(criterion="poisson", max_leaf_nodes=40),
        TreeRegressor(missing="branch", n_jobs=2),
        TreeRegressor(splitter="random", max_features=0.7, random_state=0),
    ]
)
def test_sklearn_check(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


@pytest.mark.parametrize("estimator", [TreeClassifier(), TreeRegressor()])
def test_reordered_columns_are_put_in_order(estimator: BaseEstimator) -> None:
    """scikit-learn's check of column names demands an error for reversed columns; we do better.

    It is not among the checks for estimators of other packages.
    """
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

    with pytest.raises(AssertionError, match="did not raise"):
        check_dataframe_column_names_consistency(type(estimator).__name__, estimator)
