"""What is wrong is refused, with the column, the value and the remedy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boxwood.criteria import CRITERIA, Impurity
from boxwood.discretize import (
    MID,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
)

X, Y = [[1.0], [2.0], [3.0]], [0, 1, 1]
EVERY = [MID, MDLPDiscretizer, EqualFrequencyDiscretizer, EqualWidthDiscretizer, ChiMergeDiscretizer]


@pytest.mark.parametrize(
    ("discretizer", "message"),
    [
        (MID(0), r"'n_thresholds' parameter of MinimumImpurityDiscretizer must be an int .* Got 0 instead"),
        (MID(2.0), "Got 2.0 instead"),
        (MID(True), "Got True instead"),
        (MID("most"), "Got 'most' instead"),
        (MID(criterion="chi2"), "'criterion' parameter .* Got 'chi2' instead"),
        (MID(criterion=CRITERIA["gain_ratio"]), "'gain_ratio' .* score of its own"),
        (MID(criterion="hellinger"), "'hellinger' .* score of its own"),
        (MID(criterion="ambiguity"), "'ambiguity' .* not concave"),
        (MID(criterion=Impurity(np.square)), "'square' .* not concave"),
        (MID(criterion=np.sqrt), "a concave Impurity or Criterion. Got <ufunc 'sqrt'> instead"),
        (
            MID(criterion=CRITERIA["ambiguity"]),
            "'ambiguity' .* not concave",
        ),
        (MID(encode="binary"), "'encode' parameter .* Got 'binary' instead"),
        (MDLPDiscretizer(encode=None), "'encode' parameter .* Got None instead"),
        (EqualFrequencyDiscretizer(1), "'n_bins' parameter .* Got 1 instead"),
        (EqualWidthDiscretizer("8"), "'n_bins' parameter .* Got '8' instead"),
        (ChiMergeDiscretizer(alpha=0), "'alpha' parameter .* Got 0 instead"),
        (ChiMergeDiscretizer(max_bins=0), "'max_bins' parameter .* Got 0 instead"),
        (MID(categorical_features="colour"), "categorical_features must be None"),
    ],
)
def test_arguments(discretizer: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        discretizer.fit(X, Y)


@pytest.mark.parametrize("cls", EVERY)
def test_infinite_numbers(cls: Any) -> None:
    bad = {"size": [1.0, np.inf, 2.0]}
    with pytest.raises(ValueError, match=r"infinity in .*'size'.* row 1"):
        cls().fit(bad, Y)
    fitted = cls().fit({"size": [1.0, 3.0, 2.0]}, Y)
    with pytest.raises(ValueError, match=r"infinity in .*'size'.* row 1"):
        fitted.transform(bad)


@pytest.mark.parametrize("cls", EVERY)
def test_text_where_numbers_were(cls: Any) -> None:
    fitted = cls().fit({"size": [1.0, 3.0, 2.0]}, Y)
    with pytest.raises(ValueError, match="column 'size' held numbers in training, but holds 'tall' in row 1"):
        fitted.transform({"size": [1.0, "tall"]})


@pytest.mark.parametrize("cls", EVERY)
def test_wrong_columns(cls: Any) -> None:
    fitted = cls().fit({"size": [1.0, 3.0, 2.0]}, Y)
    with pytest.raises(ValueError, match="weight"):
        fitted.transform({"weight": [1.0]})
    with pytest.raises(ValueError, match=f"X has 2 features, but {cls.__name__} is expecting 1"):
        cls().fit(X, Y).transform([[1.0, 2.0]])


@pytest.mark.parametrize("cls", EVERY)
def test_wrong_weights(cls: Any) -> None:
    with pytest.raises(ValueError, match=r"-1.0 in row 2 is negative"):
        cls().fit(X, Y, sample_weight=[1, 1, -1])
    with pytest.raises(ValueError, match="non-zero"):
        cls().fit(X, Y, sample_weight=[0, 0, 0])
    with pytest.raises(ValueError, match=r"sample_weight\.shape"):
        cls().fit(X, Y, sample_weight=[1, 1])


@pytest.mark.parametrize("cls", [MID, MDLPDiscretizer, ChiMergeDiscretizer])
def test_wrong_labels(cls: Any) -> None:
    with pytest.raises(ValueError, match="requires y to be passed"):
        cls().fit(X, None)
    with pytest.raises(ValueError, match=f"This {cls.__name__} estimator requires y"):  # not its base class
        cls().fit(X)
    with pytest.raises(ValueError, match=r"Row 0 of y holds 0\.5"):
        cls().fit(X, [0.5, 1.5, 2.5])
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        cls().fit(X, [0, 1])


def test_splits_need_thresholds() -> None:
    with pytest.raises(ValueError, match="needs encode='thresholds'"):
        MID(encode="onehot").fit(X, Y).splits()


def test_one_class_and_one_row() -> None:
    assert MID().fit(X, [1, 1, 1]).transform(X).shape == (3, 2)
    for cls in EVERY:
        assert cls().fit([[1.0]], [0]).transform([[1.0]]).shape == (1, 0)
