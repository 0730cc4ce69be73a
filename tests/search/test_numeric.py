"""Which cuts need a score: the rules, against all cuts."""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxwood.criteria import CRITERIA, Criterion
from boxwood.search.numeric import (
    best_cut,
    boundary_points,
    branch_counts,
    candidate_cuts,
    equal_share_cuts,
    feasible_cuts,
    midpoint,
    value_table,
)
from tests.criteria import plain_formulas
from tests.criteria.user_functions import OF_SHARE, OF_SHARES
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
@settings(max_examples=100)
@given(
    node=nodes(),
    missing=nodes(),
    min_samples_leaf=st.integers(1, 5),
    min_weight_leaf=st.sampled_from([0.0, 1.0, 2.5]),
    side=st.integers(0, 2),
)
def test_the_candidates_hold_the_best_cut(
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
    worth = worth_of(criterion, branch_counts(table) + extra)
    candidates = candidate_cuts(table, feasible, criterion.rule(n_classes), extra)
    assert not (candidates & ~feasible).any()
    assert candidates.any() == feasible.any()
    if feasible.any():
        assert worth[candidates].max() >= worth[feasible].max() - 1e-12


def worth_of(criterion: Criterion, branches: np.ndarray) -> np.ndarray:
    """What the candidates of one feature compete by."""
    return criterion.gain(branches) if criterion.split_score is None else criterion.score(branches)


# --- ten thousand small nodes for each criterion -----------------------------------------------------------

N_TRIALS = 10_000
N_CUTS = 11


@dataclass(frozen=True, eq=False)
class Trials:
    """Many small nodes at once: their cuts, padded to the same number, and which of them are what."""

    branches: np.ndarray  # (trial, cut, 3, K), missing rows included
    feasible: np.ndarray  # (trial, cut)
    boundary: np.ndarray
    equal_shares: np.ndarray
    by_rule: dict[str, np.ndarray]

    def missed(self, criterion: Criterion, candidates: np.ndarray) -> np.ndarray:
        """(trial,): whether the best candidate is not the best cut, or there is no candidate."""
        worth = worth_of(criterion, self.branches)
        best = np.where(self.feasible, worth, -np.inf).max(axis=1)
        found = np.where(candidates, worth, -np.inf).max(axis=1)
        return found < best - 1e-12 * np.maximum(np.abs(best), 1.0)


def one_trial(rng: np.random.Generator, n_classes: int) -> tuple[np.ndarray, ...]:
    """A node with runs of one class, ties, weights, minimum leaf sizes and missing rows; its cuts."""
    n_rows = int(rng.integers(3, 20))
    change = rng.random(n_rows) < rng.choice([0.15, 0.3, 0.6])
    target = rng.integers(0, n_classes, n_rows)[np.maximum.accumulate(np.where(change, np.arange(n_rows), 0))]
    values = (
        np.sort(rng.integers(0, N_CUTS + 1, n_rows))
        if rng.random() < 0.5
        else np.arange(n_rows) % (N_CUTS + 1)
    )
    values = np.sort(values).astype(float)
    weights = rng.choice([0.25, 0.5, 1.0, 2.0, 3.0], n_rows) if rng.random() < 0.5 else np.ones(n_rows)
    table = value_table(values, target, weights, n_classes)
    extra = np.zeros((3, n_classes))  # left, right, a branch of their own
    extra_rows = [0, 0, 0]
    side = int(rng.integers(0, 5))
    if side < 3:
        n_missing = int(rng.integers(1, 6))
        np.add.at(extra[side], rng.integers(0, n_classes, n_missing), rng.choice([0.5, 1.0, 2.0], n_missing))
        extra_rows[side] = n_missing
    feasible = feasible_cuts(
        table,
        int(rng.choice([1, 1, 2, 3, 5])),
        float(rng.choice([0.0, 0.0, 1.0, 2.5])),
        (extra_rows[0], extra_rows[1]),
        (float(extra[0].sum()), float(extra[1].sum())),
    )
    branches = np.zeros((len(feasible), 3, n_classes))
    branches[:, :2] = branch_counts(table)
    no_shares = np.zeros(len(feasible), dtype=bool)
    two = n_classes == 2
    return (
        branches + extra,
        feasible,
        boundary_points(table),
        equal_share_cuts(table, extra[:2]) if two else no_shares,
        candidate_cuts(table, feasible, "boundaries"),
        candidate_cuts(table, feasible, "equal_shares", extra[:2]) if two else no_shares,
    )


@cache
def trials(n_classes: int, n_trials: int) -> Trials:
    rng = np.random.default_rng(n_classes)
    branches = np.zeros((n_trials, N_CUTS, 3, n_classes))
    masks = np.zeros((5, n_trials, N_CUTS), dtype=bool)
    for trial in range(n_trials):
        cuts, *kinds = one_trial(rng, n_classes)
        while not kinds[0].any():  # no cut is allowed
            cuts, *kinds = one_trial(rng, n_classes)
        branches[trial, : len(cuts)] = cuts
        for mask, kind in zip(masks, kinds, strict=True):
            mask[trial, : len(cuts)] = kind
    feasible, boundary, equal_shares, by_boundaries, by_equal_shares = masks
    by_rule = {"boundaries": by_boundaries, "equal_shares": by_equal_shares, "all": feasible}
    return Trials(branches, feasible, boundary, equal_shares, by_rule)


def all_trials() -> dict[int, Trials]:
    """Ten thousand nodes of two classes, and ten thousand of three to six."""
    return {2: trials(2, N_TRIALS), **{k: trials(k, N_TRIALS // 4) for k in (3, 4, 5, 6)}}


USERS = {**OF_SHARE, **OF_SHARES}


@pytest.mark.parametrize("name", [*CRITERIA, *USERS])
def test_the_best_candidate_is_the_best_of_all_cuts(name: str) -> None:
    """With ties, weights, minimum leaf sizes, missing rows on either side and in a branch of their own, for
    2 to 6 classes: no rule leaves out the best cut.
    """
    for n_classes, many in all_trials().items():
        if name in CRITERIA:
            criterion = CRITERIA[name]
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                criterion = USERS[name].impurity.criterion(n_classes)
        missed = many.missed(criterion, many.by_rule[criterion.rule(n_classes)])
        assert not missed.any(), f"{n_classes} classes: {missed.sum()} of {len(missed)} missed"


def test_the_rules_leave_cuts_out() -> None:
    """Looking at all cuts would pass the test above; the rules do save work."""
    for n_classes, many in all_trials().items():
        share = many.by_rule["boundaries"].sum() / many.feasible.sum()
        assert share < 0.85, (n_classes, share)
    two = all_trials()[2]
    assert two.by_rule["equal_shares"].sum() / two.feasible.sum() < 0.8


def test_the_kinds_of_cuts_that_are_easily_forgotten_are_needed() -> None:
    """Of nodes with both classes and an allowed boundary point, boundary points alone miss many optima of a
    convex f; and so does the rule without the ends of what is allowed, or without the cuts at equal shares.
    """
    two, ambiguity = all_trials()[2], CRITERIA["ambiguity"]
    mixed = (two.branches[:, 0].sum(axis=1) > 0).all(axis=1) & (two.feasible & two.boundary).any(axis=1)
    without = {
        "either": two.feasible & two.boundary,
        "ends": two.feasible & (two.boundary | two.equal_shares),
        "equal shares": two.by_rule["boundaries"],
    }
    share = {kind: two.missed(ambiguity, candidates)[mixed].mean() for kind, candidates in without.items()}
    assert share["either"] > 0.10, share
    assert share["ends"] > 0.05, share
    assert share["equal shares"] > 0.03, share


@pytest.mark.parametrize(
    ("name", "n_classes", "rule"),
    [
        ("ambiguity", 2, "boundaries"),
        ("ambiguity", 3, "boundaries"),
        ("s_curve", 2, "equal_shares"),
        ("square", 3, "boundaries"),
        ("cubed", 3, "boundaries"),
    ],
)
def test_a_rule_that_is_not_claimed_does_not_hold(name: str, n_classes: int, rule: str) -> None:
    """So the curvature that a criterion carries says something."""
    many = all_trials()[n_classes]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        criterion = CRITERIA[name] if name in CRITERIA else USERS[name].impurity.criterion(n_classes)
    assert criterion.rule(n_classes) != rule
    assert many.missed(criterion, many.by_rule[rule]).any()


def test_negative_gains_are_common_for_ambiguity() -> None:
    """Why growth takes the best cut whatever its sign."""
    two, ambiguity = all_trials()[2], CRITERIA["ambiguity"]
    gains = np.where(two.feasible, ambiguity.gain(two.branches), -np.inf).max(axis=1)
    mixed = (two.branches[:, 0].sum(axis=1) > 0).all(axis=1)
    assert (gains[mixed] < -1e-9).mean() > 0.05


@given(node=nodes(), missing=st.lists(st.integers(0, 8).map(lambda n: n / 2), min_size=4, max_size=4))
def test_cuts_next_to_equal_shares_by_the_formula_for_n_c(node, missing: list[float]) -> None:  # type: ignore[no-untyped-def]
    """Ji and others' equation (14), with weights: where in a run the left share passes the node's."""
    values, target, weights, _ = node
    table = value_table(values, target % 2, weights, 2)
    extra = np.array(missing).reshape(2, 2)
    found = equal_share_cuts(table, extra)
    node_counts = table.counts.sum(axis=0) + extra.sum(axis=0)
    left = extra[0] + table.counts[0]
    for cut in range(len(table.values) - 2):
        group = table.counts[cut + 1]  # passes between this cut and the next
        if np.count_nonzero(group) == 1:
            k = int(group.argmax())
            share = node_counts[k] / node_counts.sum()
            if share < 1:
                n_c = (share * left.sum() - left[k]) / (1 - share)
                if 1e-9 < n_c < group[k] - 1e-9:
                    assert found[cut]
                    assert found[cut + 1]
        left = left + group


def test_arguments_of_candidate_cuts() -> None:
    table = value_table([1.0, 2.0, 3.0], [0, 1, 2], [1.0] * 3, n_classes=3)
    with pytest.raises(ValueError, match="rule must be 'boundaries', 'equal_shares' or 'all', not 'some'"):
        candidate_cuts(table, feasible_cuts(table), "some")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="equal class shares are for two classes, and the table has 3"):
        candidate_cuts(table, feasible_cuts(table), "equal_shares")
    one = value_table([1.0, 2.0, 3.0], [0, 0, 0], [1.0] * 3, n_classes=1)
    assert candidate_cuts(one, feasible_cuts(one), "equal_shares").all()
    single = value_table([1.0], [0], [1.0], n_classes=2)
    assert candidate_cuts(single, feasible_cuts(single), "equal_shares").shape == (0,)


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


@pytest.mark.parametrize("name", ["gini", "entropy", "gain_ratio"])
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


@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=50)
@given(node=nodes(), min_samples_leaf=st.integers(1, 4), min_weight_leaf=st.sampled_from([0.0, 1.0, 2.5]))
def test_best_cut_equals_the_plain_formulas(
    name: str, node, min_samples_leaf: int, min_weight_leaf: float
) -> None:  # type: ignore[no-untyped-def]
    values, target, weights, n_classes = node
    table = value_table(values, target, weights, n_classes)
    formula = plain_formulas.score if CRITERIA[name].split_score is not None else plain_formulas.gain
    expected = []
    for lower in table.values[:-1]:
        left, right = values <= lower, values > lower
        if min(left.sum(), right.sum()) < min_samples_leaf:
            continue
        if min(weights[left].sum(), weights[right].sum()) < min_weight_leaf:
            continue
        split = [
            [float(weights[side & (target == k)].sum()) for k in range(n_classes)] for side in (left, right)
        ]
        expected.append(formula(name, split))
    found = best_cut(table, CRITERIA[name], min_samples_leaf, min_weight_leaf)
    assert (found is None) == (not expected)
    if found is not None:
        assert found[1] == pytest.approx(max(expected), abs=1e-7 if name == "hellinger" else 1e-12)


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
