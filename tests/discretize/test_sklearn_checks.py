"""scikit-learn's own checks of a transformer, for the main configurations, without any expected failure."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood.discretize import (
    MID,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
)


@parametrize_with_checks(
    [
        MID(),
        MID(5, criterion="gini", encode="onehot"),
        MID("all", encode="ordinal"),
        MID("mdl"),
        MDLPDiscretizer(),
        EqualFrequencyDiscretizer(),
        EqualWidthDiscretizer(encode="onehot"),
        ChiMergeDiscretizer(encode="ordinal"),
    ]
)
def test_sklearn_check(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)
