"""The tests of independence are those of the definition, however strong the association."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, chi2_contingency

from boxwood.select.association import (
    log_chi2_tail,
    log_p_of_correlation,
    log_p_of_groups,
    log_p_of_table,
    pearson,
)
from tests.oracles.naive_association import c_quad, log_tail_of_even_freedom


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 31, 99, 400, 5_000, 100_000])
def test_the_tail_of_the_chi_square_distribution(freedom: int) -> None:
    spread = math.sqrt(2 * freedom)
    for x in (
        1e-9,
        0.1,
        freedom / 3,
        freedom - spread,
        freedom,
        freedom + 2,
        freedom + 3 * spread,
        3 * freedom,
    ):
        if x <= 0:
            continue
        tail = float(chi2.sf(x, freedom))
        if 1e-290 < tail < 0.9:
            assert log_chi2_tail(x, freedom) == pytest.approx(math.log(tail), rel=1e-9, abs=1e-12)
        elif tail >= 0.9:
            assert log_chi2_tail(x, freedom) == pytest.approx(
                math.log1p(-chi2.cdf(x, freedom)), rel=1e-7, abs=1e-15
            )


@pytest.mark.parametrize("freedom", [2, 4, 20, 100, 2_000])
@pytest.mark.parametrize("times", [1.01, 2.0, 30.0, 1e4, 1e8])
def test_far_beyond_the_smallest_number(freedom: int, times: float) -> None:
    x = times * freedom
    assert log_chi2_tail(x, freedom) == pytest.approx(log_tail_of_even_freedom(x, freedom), rel=1e-12)


def test_the_tail_falls_and_ends_well() -> None:
    for freedom in (1, 7, 1e3, 1e7):
        points = np.concatenate([np.linspace(0, 3 * freedom, 200), np.geomspace(3 * freedom, 1e300, 50)])
        values = [log_chi2_tail(x, freedom) for x in points]
        assert (np.diff(values) <= 1e-12).all()
        assert values[0] == 0.0
        assert np.isfinite(values).all()
    assert log_chi2_tail(math.inf, 3) == -math.inf
    assert log_chi2_tail(-1.0, 3) == 0.0


@settings(max_examples=80)
@given(
    seed=st.integers(0, 2**32 - 1), n_values=st.integers(2, 6), n_classes=st.integers(2, 5), data=st.data()
)
def test_closed_forms_are_the_quadratic_form(
    seed: int, n_values: int, n_classes: int, data: st.DataObject
) -> None:
    """All four kinds, with whole and with broken weights."""
    random = np.random.default_rng(seed)
    n_rows = data.draw(st.integers(8, 40))
    weights = random.integers(1, 5, n_rows) / data.draw(st.sampled_from([1, 2]))
    value, label = random.integers(0, n_values, n_rows), random.integers(0, n_classes, n_rows)
    number, target = random.normal(size=n_rows).round(1) + 100, random.normal(size=n_rows)
    if len(np.unique(value)) < 2 or len(np.unique(label)) < 2 or weights.sum() <= 2:
        return
    table = np.zeros((n_values, n_classes))
    np.add.at(table, (value, label), weights)
    size = weights.sum()
    statistic, freedom = pearson(table)
    expected, rank = c_quad(value, label, weights)
    assert freedom == rank
    assert (size - 1) / size * statistic == pytest.approx(expected, rel=1e-7, abs=1e-9)
    for found, (x, y) in (
        (log_p_of_table(table), (value, label)),
        (log_p_of_groups(number, label, weights), (number, label)),
        (log_p_of_groups(target, value, weights), (value, target)),
        (log_p_of_correlation(number, target, weights), (number, target)),
    ):
        expected, rank = c_quad(x, y, weights)
        assert found == pytest.approx(float(chi2.logsf(expected, rank)), rel=1e-6, abs=1e-8)


def test_pearson_is_scipys() -> None:
    table = np.array([[10.0, 4, 0], [3, 7, 9], [1, 1, 30], [12, 0, 5]])
    expected = chi2_contingency(table, correction=False)
    assert pearson(table) == (pytest.approx(expected.statistic), expected.dof)


def test_rows_that_are_too_few_prove_nothing() -> None:
    assert log_p_of_table(np.array([[1.0, 0.0]])) == 0.0
    assert log_p_of_groups(np.ones(3), np.array([0, 1, 1]), np.ones(3)) == 0.0
    assert log_p_of_correlation(np.ones(3), np.arange(3.0), np.ones(3)) == 0.0
