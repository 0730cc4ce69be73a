"""A discretiser that has little time or little memory: less, or the same a few columns at a time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from boxwood import ChiMergeDiscretizer, EqualFrequencyDiscretizer, OptimalTreeClassifier
from boxwood.data import make_dataset
from boxwood.discretize import Pace, rank_thresholds


def table(n_rows: int, n_columns: int, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 12, (n_rows, n_columns)).astype(float)
    X[rng.random(X.shape) < 0.05] = np.nan
    return make_dataset(X, rng.integers(0, 3, n_rows))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("refusal", ["ignored", "list", "interval"])
def test_a_few_columns_at_a_time_give_the_same_ranking(refusal: Any, seed: int) -> None:
    """The story: a ranking held all columns at once, whatever the limit of memory."""
    dataset = table(40, 5, seed)
    for limit in (1, 7, 30, 500):
        for others in (False, True):
            told = {"limit": limit, "refusal": refusal, "others": others}
            whole = rank_thresholds(dataset, **told)
            for columns in (1, 2, 4):
                pace = Pace(memory_limit=columns * 40 * 56)
                parts = rank_thresholds(dataset, **told, pace=pace)
                assert np.array_equal(parts.thresholds, whole.thresholds)
                assert parts.n_value_changes == whole.n_value_changes
                assert parts.complete == whole.complete


@pytest.mark.parametrize("discretizer", [ChiMergeDiscretizer(alpha=0.5), EqualFrequencyDiscretizer()])
def test_column_by_column_is_the_same_where_there_is_time(discretizer: Any) -> None:
    dataset = table(300, 6)
    patient = discretizer.fit_dataset(dataset).thresholds_
    hasty = discretizer.fit_dataset(dataset, Pace(time_limit=60)).thresholds_
    assert len(patient) > 6
    assert np.array_equal(np.nan_to_num(patient["gain"]), np.nan_to_num(hasty["gain"]))
    assert patient[["feature", "threshold"]].tolist() == hasty[["feature", "threshold"]].tolist()
    assert discretizer._stopped == ""


@pytest.mark.parametrize("discretizer", [ChiMergeDiscretizer(), EqualFrequencyDiscretizer()])
def test_the_clock_is_looked_at_between_columns(discretizer: Any) -> None:
    """The story: ChiMerge did not look at all: with 0.3 s for 400,000 rows of 8 columns it took 1.7 s."""
    dataset = table(20_000, 30)
    some = discretizer.fit_dataset(dataset, Pace(time_limit=0.0))
    assert some._stopped == "time"
    assert set(some.thresholds_["feature"].tolist()) <= {0}
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 60))
    y = X[:, 59] > 0
    began = time.perf_counter()
    model = OptimalTreeClassifier(1, features=discretizer, time_limit=0).fit(X, y)
    assert time.perf_counter() - began < 15
    assert (model.result_.status, model.result_.lower_bound) == ("time_limit", 0)
