"""The searches for a grouping of categories against slow transcriptions of them."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import split_categories
from boxwood.criteria import Impurity
from boxwood.search.categorical import GROUPINGS
from boxwood.search.categorical.groupings import MOST_CLASSES
from tests.oracles import naive_categorical as naive

JOINING = ("auto", *GROUPINGS)
METHODS = (*JOINING, "one_vs_rest")
CRITERIA = ("gini", "entropy")
CLOSE = 1e-9


@st.composite
def tables(draw: st.DrawFn, most_values: int = 8, most_classes: int = 5, whole: bool = False) -> np.ndarray:
    """Random tables, with ties, zeros and, where they are not whole, fractions; no row or column is empty."""
    n, k = draw(st.integers(2, most_values)), draw(st.integers(2, most_classes))
    unit = 1.0 if whole else draw(st.sampled_from([1.0, 0.1, 1 / 3]))
    cells = draw(st.lists(st.integers(0, 7), min_size=n * k, max_size=n * k))
    table = np.array(cells, dtype=float).reshape(n, k) * unit
    table[table.sum(axis=1) == 0, draw(st.integers(0, k - 1))] = unit
    table[draw(st.integers(0, n - 1)), table.sum(axis=0) == 0] = unit
    return table


def fits(table: np.ndarray, method: str) -> bool:
    return table.shape[1] <= MOST_CLASSES.get(method, table.shape[1])


def distinct(table: np.ndarray) -> bool:
    """Whether all values have different class shares, so that none are joined."""
    return len(np.unique(naive.shares(table).round(9), axis=0)) == len(table)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=60)
@given(table=tables())
def test_no_method_beats_exact_and_all_tell_what_they_found(table: np.ndarray, criterion: str) -> None:
    least = naive.least_impurity(table, criterion)
    for method in METHODS:
        if not fits(table, method):
            continue
        branch, impurity = split_categories(table, criterion, method)
        assert branch[0] == 0, method
        assert set(branch.tolist()) == {0, 1}, method
        assert impurity == pytest.approx(
            naive.impurity_of(table, tuple(branch.tolist()), criterion), abs=CLOSE
        ), method
        assert impurity >= least - CLOSE, method
        if method == "exact" or (method == "auto" and len(table) <= 10):
            assert impurity == pytest.approx(least, abs=CLOSE), method
        if method == "ordered":
            assert impurity == pytest.approx(least, abs=CLOSE)


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=60)
@given(table=tables())
def test_superclasses_and_principal_orders_equal_their_transcription(
    table: np.ndarray, criterion: str
) -> None:
    # With equal shares at hand the transcriptions part values that we keep together, which never helps them.
    for method in ("twoing", "largest_alone", "list_scheduling"):
        expected = min(
            naive.impurity_of(table, grouping, criterion) for grouping in getattr(naive, method)(table)
        )
        if method == "twoing" or ties_do_not_matter(table, method):
            assert split_categories(table, criterion, method)[1] <= expected + CLOSE, method
    if distinct(table) and clear_direction(table):
        for method in ("pc", "pc_ext"):
            expected = min(
                naive.impurity_of(table, grouping, criterion) for grouping in getattr(naive, method)(table)
            )
            assert split_categories(table, criterion, method)[1] == pytest.approx(expected, abs=CLOSE), method


def ties_do_not_matter(table: np.ndarray, method: str) -> bool:
    """Whether the superclasses are clear, and no two values have equal shares of them."""
    totals = np.sort(table.sum(axis=0))
    if (np.diff(totals) < 1e-9).any():
        return False
    order = table.sum(axis=0)
    classes = {int(order.argmax())} if method == "largest_alone" else None
    if classes is None:
        bins: list[set[int]] = [set(), set()]
        for k in np.argsort(-order):
            weights = [sum(order[j] for j in one) for one in bins]
            if abs(weights[0] - weights[1]) < 1e-9 and bins[0]:
                return False
            bins[int(weights[1] < weights[0])].add(int(k))
        classes = bins[0]
    inside = np.sort(table[:, sorted(classes)].sum(axis=1) / table.sum(axis=1))
    return bool((np.diff(inside) > 1e-9).all())


def clear_direction(table: np.ndarray) -> bool:
    """Whether the principal direction, and the order along it, are beyond the doubts of rounding."""
    centred = naive.shares(table) - table.sum(axis=0) / table.sum()
    values, directions = np.linalg.eigh((centred * table.sum(axis=1)[:, np.newaxis]).T @ centred)
    places = np.sort(centred @ directions[:, -1])
    return values[-1] > 1.2 * values[-2] and values[-1] > 1e-9 and bool((np.diff(places) > 1e-6).all())


@pytest.mark.parametrize("criterion", CRITERIA)
@settings(max_examples=60)
@given(table=tables())
def test_sliq_makes_the_best_move_while_it_helps(table: np.ndarray, criterion: str) -> None:
    moves = naive.sliq_moves(table, criterion)
    impurities = [naive.impurity_of(table, grouping, criterion) for grouping in moves]
    if not distinct(table):
        return
    tied = any(
        abs(naive.impurity_of(table, other, criterion) - impurities[0]) < 1e-9
        for v in range(len(table))
        if (other := naive.from_zero([int(u == v) for u in range(len(table))])) != moves[0]
    )
    if tied:  # the transcription goes on from another move
        return
    assert split_categories(table, criterion, "sliq_ext")[1] <= impurities[0] + CLOSE
    if len(table) == 3:
        assert split_categories(table, criterion, "sliq_ext")[1] == pytest.approx(min(impurities), abs=CLOSE)
    first = split_categories(table, criterion, "sliq")[1]
    assert first <= impurities[0] + CLOSE


def test_sliq_equals_its_transcription_on_tables_without_ties() -> None:
    rng = np.random.default_rng(0)
    for _ in range(40):
        table = rng.random((rng.integers(2, 9), rng.integers(2, 5)))
        for criterion in CRITERIA:
            branch, impurity = split_categories(table, criterion, "sliq")
            expected = naive.sliq(table, criterion)
            assert tuple(branch.tolist()) == expected
            least = min(naive.impurity_of(table, g, criterion) for g in naive.sliq_moves(table, criterion))
            assert split_categories(table, criterion, "sliq_ext")[1] == pytest.approx(least, abs=CLOSE)
            assert impurity == pytest.approx(naive.impurity_of(table, expected, criterion), abs=CLOSE)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30)
@given(table=tables(most_values=14, most_classes=4), seed=st.integers(0, 99))
def test_the_order_of_the_values_does_not_matter(method: str, table: np.ndarray, seed: int) -> None:
    if not fits(table, method):
        table = table[:, :2] + 1
    if len(np.unique(naive.shares(table).round(9), axis=0)) == 1:
        return  # nothing tells the values apart
    order = np.random.default_rng(seed).permutation(len(table))
    for criterion in ("gini", "error"):
        branch, impurity = split_categories(table, criterion, method)
        shuffled, again = split_categories(table[order], criterion, method)
        assert again == impurity
        assert contents(table[order], shuffled) == contents(table, branch)
        if method != "one_vs_rest":  # of values with the same counts any may stand alone
            assert (shuffled == (branch[order] != branch[order][0])).all()


def contents(table: np.ndarray, branch: np.ndarray) -> list[list[tuple[float, ...]]]:
    """What is in the two branches, whatever their names."""
    return sorted(sorted(map(tuple, table[branch == side].tolist())) for side in (0, 1))


@pytest.mark.parametrize("criterion", ["gini", Impurity(lambda p: p * (1 - p), curvature="concave")])
def test_one_against_the_rest_does_not_go_by_the_place_in_the_table(criterion: Any) -> None:
    """Three pure values part equally well from the others: the first row of the table was split off, so that
    a table with its rows in another order gave another class.
    """
    table = np.diag([4.0, 4.0, 4.0])
    for order in itertools.permutations(range(3)):
        branch, _ = split_categories(table[list(order)], criterion, "one_vs_rest")
        alone = np.flatnonzero(branch == (branch.sum() == 1))
        assert [order[place] for place in alone] == [0]


@pytest.mark.parametrize("method", JOINING)
@settings(max_examples=30)
@given(table=tables(most_values=6, most_classes=3))
def test_values_with_equal_shares_stay_together(method: str, table: np.ndarray) -> None:
    if not fits(table, method):
        table = table[:, :2] + 1
    twice = np.concatenate([table, 2 * table])
    if len(np.unique(naive.shares(twice).round(9), axis=0)) == 1:
        return
    branch, impurity = split_categories(twice, "gini", method)
    assert (branch[: len(table)] == branch[len(table) :]).all()
    if method in ("exact", "twoing", "ordered", "auto"):
        assert impurity == pytest.approx(split_categories(table, "gini", method)[1], abs=CLOSE)


@settings(max_examples=100)
@given(table=tables(most_values=8, most_classes=5))
def test_the_claimed_bounds_of_the_superclass_heuristics(table: np.ndarray) -> None:
    gini, entropy = (naive.least_impurity(table, criterion) for criterion in CRITERIA)
    assert split_categories(table, "gini", "largest_alone")[1] <= 2 * gini + CLOSE
    assert split_categories(table, "entropy", "largest_alone")[1] <= 3 * entropy + CLOSE
    assert split_categories(table, "entropy", "list_scheduling")[1] <= 2 * entropy + CLOSE


@pytest.mark.parametrize("criterion", ["gini", "entropy", "twoing", "hellinger", "error", "tsallis(0.7)"])
def test_auto_is_never_worse_than_the_principal_order(criterion: str) -> None:
    rng = np.random.default_rng(1)
    for n, k in [(12, 3), (30, 5), (20, 9), (40, 12)]:
        for _ in range(5):
            table = rng.integers(0, 8, (n, k)) + np.eye(n, k)
            auto = split_categories(table, criterion, "auto")[1]
            assert auto <= split_categories(table, "gini" if criterion == "hellinger" else criterion, "pc")[
                1
            ] + (CLOSE if criterion not in ("twoing", "hellinger") else 1.0)


def test_twoing_is_nearly_always_exact() -> None:
    rng = np.random.default_rng(2)
    excess = []
    for _ in range(40):
        table = rng.integers(0, 8, (9, 4)) + np.eye(9, 4)
        least = split_categories(table, "gini", "exact")[1]
        excess.append(split_categories(table, "gini", "twoing")[1] / least - 1)
    assert np.mean(np.array(excess) < 1e-9) > 0.8
    assert max(excess) < 0.01
