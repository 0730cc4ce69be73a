"""Equal frequency and equal width, by their definitions."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.discretize import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from boxwood.search.numeric import midpoint


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=30), st.integers(2, 9))
def test_each_cut_is_the_value_change_nearest_to_its_share(rows: list[tuple[int, int]], n_bins: int) -> None:
    values = np.array([float(value) for value, _ in rows])
    weights = np.array([weight for _, weight in rows])
    fitted = EqualFrequencyDiscretizer(n_bins).fit(values[:, None], sample_weight=weights)
    distinct = np.unique(values).tolist()
    cuts = [midpoint(a, b) for a, b in itertools.pairwise(distinct)]
    expected = set()
    for j in range(1, n_bins):
        if cuts:
            below = [(abs(n_bins * weights[values <= cut].sum() - j * weights.sum()), cut) for cut in cuts]
            expected.add(min(below)[1])
    assert fitted.thresholds_["threshold"].tolist() == sorted(expected)
    assert np.isnan(fitted.thresholds_["gain"]).all()


def test_many_distinct_values_give_bins_of_equal_size() -> None:
    X = np.random.default_rng(0).random((800, 2))
    bins = EqualFrequencyDiscretizer(8, encode="ordinal").fit_transform(X)
    for column in bins.T:
        assert np.bincount(column).tolist() == [100] * 8


def test_equal_width() -> None:
    X = np.array([[0.0, 5.0], [10.0, 5.0], [np.nan, 5.0], [1.0, np.nan]])
    fitted = EqualWidthDiscretizer(5).fit(X)
    assert fitted.thresholds_["feature"].tolist() == [0, 0, 0, 0]
    assert fitted.thresholds_["threshold"] == pytest.approx([2, 4, 6, 8])


def test_the_widest_and_the_narrowest_range() -> None:
    top = np.finfo(float).max
    assert np.isfinite(EqualWidthDiscretizer(3).fit([[-top], [top]]).thresholds_["threshold"]).all()
    narrow = EqualWidthDiscretizer(8).fit([[1.0], [np.nextafter(1.0, 2.0)]])
    assert narrow.transform([[1.0], [np.nextafter(1.0, 2.0)]]).tolist() == [[1], [0]]


def test_rows_of_weight_zero_are_not_there() -> None:
    X = [[0.0], [1.0], [100.0]]
    for discretizer in (EqualWidthDiscretizer(4), EqualFrequencyDiscretizer(4)):
        there = discretizer.fit(X[:2]).thresholds_.tolist()
        weighted = discretizer.fit(X, sample_weight=[1, 1, 0]).thresholds_.tolist()
        assert str(weighted) == str(there)  # gains are NaN, which equals nothing
