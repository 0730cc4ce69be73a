"""ChiMerge leaves the cuts that joining pair after pair leaves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

from boxwood.data import Dataset
from boxwood.discretize import ChiMergeDiscretizer
from tests.discretize.tables import datasets
from tests.oracles import naive_chimerge


@settings(max_examples=200)
@given(
    dataset=datasets(max_rows=40),
    alpha=st.sampled_from([0.01, 0.1, 0.5, 0.9]),
    max_bins=st.sampled_from([None, 1, 2, 5]),
)
def test_the_cuts_are_those_of_the_naive_joins(dataset: Dataset, alpha: float, max_bins: int | None) -> None:
    X = np.column_stack(dataset.columns)
    chimerge = ChiMergeDiscretizer(alpha=alpha, max_bins=max_bins)
    found = chimerge.fit(X, dataset.target, sample_weight=dataset.weights).thresholds_
    least = chi2.isf(alpha, max(1, len(np.unique(dataset.target)) - 1))
    for place, column in enumerate(dataset.columns):
        rows = zip(column.tolist(), dataset.target.tolist(), dataset.weights.tolist(), strict=True)
        expected = naive_chimerge.join_alike(
            [row for row in rows if not np.isnan(row[0])], least, np.inf if max_bins is None else max_bins
        )
        mine = sorted(found[found["feature"] == place].tolist(), key=lambda entry: entry[1])
        assert [entry[1] for entry in mine] == [cut for cut, _ in expected]
        assert [entry[2] for entry in mine] == pytest.approx([chi for _, chi in expected], abs=1e-6)


def test_the_list_is_ranked_by_the_statistic() -> None:
    rng = np.random.default_rng(1)
    X = rng.random((300, 3))
    found = ChiMergeDiscretizer().fit(X, (X[:, 1] > 0.4).astype(int) + (X[:, 2] > 0.9)).thresholds_
    assert len(found) > 3
    assert np.all(np.diff(found["gain"]) <= 0)
