"""The boundary-point rule, against all cuts."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxwood.criteria import CRITERIA
from boxwood.search.numeric import (
    best_cut,
    boundary_points,
    branch_counts,
    candidate_cuts,
    feasible_cuts,
    midpoint,
    value_table,
)
from tests.oracles.naive_split import Limits, Table, exact_midpoint, offers_of


@st.composite
def nodes(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Values with ties, targets, weights and the number of classes of a small node."""
    n_classes = draw(st.integers(2, 4))
    n_rows = draw(st.integers(2, 14))
    values = draw(st.lists(st.integers(0, 9), min_size=n_rows, max_size=n_rows))
    target = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
    weights = draw(
        st.one_of(
            st.just([1.0] * n_rows),
            st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0, 3.0]), min_size=n_rows, max_size=n_rows),
        )
    )
    return np.array(values, dtype=float), np.array(target), np.array(weights), n_classes


@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=300)
@given(
    node=nodes(),
    missing=nodes(),
    min_samples_leaf=st.integers(1, 5),
    min_weight_leaf=st.sampled_from([0.0, 1.0, 2.5]),
    side=st.integers(0, 2),
)
def test_boundary_points_and_the_two_ends_hold_the_best_cut(
    name: str, node, missing, min_samples_leaf: int, min_weight_leaf: float, side: int
) -> None:  # type: ignore[no-untyped-def]
    """With missing rows nowhere (2), on the left (0) or on the right (1)."""
    criterion = CRITERIA[name]
    values, target, weights, n_classes = node
    table = value_table(values, target, weights, n_classes)
    extra = np.zeros((2, n_classes))
    extra_rows = [0, 0]
    if side < 2:
        _, missing_target, missing_weights, _ = missing
        np.add.at(extra[side], missing_target % n_classes, missing_weights)
        extra_rows[side] = len(missing_target)
    feasible = feasible_cuts(
        table,
        min_samples_leaf,
        min_weight_leaf,
        (extra_rows[0], extra_rows[1]),
        (float(extra[0].sum()), float(extra[1].sum())),
    )
    gains = criterion.gain(branch_counts(table) + extra)
    candidates = candidate_cuts(table, feasible, criterion.concave)
    assert not (candidates & ~feasible).any()
    assert candidates.any() == feasible.any()
    if feasible.any():
        assert gains[candidates].max() >= gains[feasible].max() - 1e-12


def test_without_the_two_ends_the_rule_is_wrong() -> None:
    """Boundary points alone miss the best allowed cut in a noticeable share of small cases."""
    rng = random.Random(1)
    gini = CRITERIA["gini"]
    missed = cases = 0
    while cases < 2000:
        n_rows = rng.randint(4, 10)
        table = value_table(
            [float(rng.randint(0, 7)) for _ in range(n_rows)],
            [rng.randint(0, 1) for _ in range(n_rows)],
            [1.0] * n_rows,
            2,
        )
        feasible = feasible_cuts(table, min_samples_leaf=rng.randint(2, 4))
        if not feasible.any() or (table.counts.sum(axis=0) == 0).any():
            continue
        cases += 1
        gains = gini.gain(branch_counts(table))
        boundary = feasible & boundary_points(table)
        missed += not boundary.any() or gains[boundary].max() < gains[feasible].max() - 1e-12
    assert 0.05 < missed / cases < 0.30, missed / cases


@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=200)
@given(node=nodes(), min_samples_leaf=st.integers(1, 4), min_weight_leaf=st.sampled_from([0.0, 1.0, 2.5]))
def test_best_cut_equals_the_oracle(name: str, node, min_samples_leaf: int, min_weight_leaf: float) -> None:  # type: ignore[no-untyped-def]
    values, target, weights, n_classes = node
    limits = Limits(criterion=name, min_samples_leaf=min_samples_leaf, min_weight_leaf=min_weight_leaf)
    offers = offers_of(Table((values,), (0,), target, weights, n_classes), np.arange(len(values)), 0, limits)
    found = best_cut(
        value_table(values, target, weights, n_classes), CRITERIA[name], min_samples_leaf, min_weight_leaf
    )
    if not len(offers):
        assert found is None
        return
    assert found is not None
    threshold, gain = found
    assert gain == pytest.approx(offers.gains.max(), abs=1e-12)
    if np.count_nonzero(np.bincount(target)) > 1:  # a pure node's cuts all tie, and it is never cut
        assert threshold == offers.splits[offers.best(1e-12)].threshold


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(a=finite, b=finite)
@example(a=-1.7976931348623157e308, b=1.7976931348623157e308)
@example(a=1.7e308, b=1.7976931348623157e308)
@example(a=5e-324, b=1e-323)
@example(a=0.0, b=5e-324)
@example(a=-5e-324, b=0.0)
def test_midpoint_lies_between_and_never_at_the_upper_value(a: float, b: float) -> None:
    lower, upper = min(a, b), max(a, b)
    if lower == upper:
        return
    middle = midpoint(lower, upper)
    assert lower <= middle < upper
    assert middle == exact_midpoint(lower, upper)


def test_midpoint_of_neighbouring_floats() -> None:
    for value in (1.0, 1e300, -1.0, 5e-324, 0.1):
        assert midpoint(value, math.nextafter(value, math.inf)) == value
