"""scikit-learn's own checks of `OptimalTreeClassifier`, without any expected failure."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood import EqualFrequencyDiscretizer, OptimalTreeClassifier


@parametrize_with_checks(
    [
        OptimalTreeClassifier(),
        OptimalTreeClassifier(max_depth=2, complexity=0.5, max_leaf_nodes=3, n_jobs=2),
        OptimalTreeClassifier(max_depth=2, features=EqualFrequencyDiscretizer(n_bins=4)),
        OptimalTreeClassifier(max_depth=2, n_thresholds="grow", time_limit=0.5),
        OptimalTreeClassifier(max_depth=2, n_thresholds="mdl", min_samples_leaf=0.05),
    ]
)
@pytest.mark.filterwarnings(
    "ignore:n_iter_no_change=20 has no effect", "ignore:n_thresholds='mdl' accepts none"
)
def test_sklearn_check(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


def test_reordered_columns_are_put_in_order() -> None:
    """scikit-learn's check of column names demands an error for reversed columns; we do better."""
    from sklearn.utils.estimator_checks import check_dataframe_column_names_consistency

    with pytest.raises(AssertionError, match="did not raise"):
        check_dataframe_column_names_consistency("OptimalTreeClassifier", OptimalTreeClassifier())
