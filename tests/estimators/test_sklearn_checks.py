"""scikit-learn's own checks of an estimator, for the main configurations, without any expected failure."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood import TreeClassifier


@parametrize_with_checks(
    [
        TreeClassifier(),
        TreeClassifier(max_leaf_nodes=8),
        TreeClassifier(criterion="entropy", max_depth=4),
        TreeClassifier(criterion="gain_ratio", min_weight_fraction_leaf=0.02),
        TreeClassifier(missing="branch", n_jobs=2),
        TreeClassifier(max_features="sqrt", random_state=0),
    ]
)
def test_sklearn_check(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


def test_reordered_columns_are_put_in_order() -> None:
    """scikit-learn's check of column names demands an error for reversed columns; we do better.

    It is not among the checks for estimators of other packages.
    """
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

    with pytest.raises(AssertionError, match="did not raise"):
        check_dataframe_column_names_consistency("TreeClassifier", TreeClassifier())
