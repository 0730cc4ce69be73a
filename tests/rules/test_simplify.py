"""Simplification, against loops over rows, conditions and subsets."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import TreeClassifier, load_penguins, rules
from boxwood.data import Column, Schema
from boxwood.rules import Categories, Interval
from boxwood.rules.choose import ALL_SUBSETS, _Climb, best_subset, choose_rules, rule_bits
from boxwood.rules.simplify import Draft, Rows, simplified_rule, simplified_rules
from tests.oracles.naive_rules import dropped, row_fits, shortest, theory_length

SCHEMA = Schema(
    (
        Column("x", "numeric", "float"),
        Column("y", "numeric", "float"),
        Column("c", "categorical", "category", ("a", "b", "c")),
    ),
    named=True,
)


def random_rows(rng: np.random.Generator, n: int, weighted: bool) -> tuple[Rows, list[list[float]]]:
    numbers = rng.integers(0, 5, (2, n)).astype(np.float64)
    numbers[rng.random((2, n)) < 0.15] = np.nan
    codes = rng.integers(-2, 3, n).astype(np.int32)
    hint = np.nan_to_num(numbers[0]) + (codes == 1) * 2 > 2
    target = np.where(rng.random(n) < 0.8, hint, rng.integers(0, 3, n)).astype(np.intp)
    weights = rng.integers(1, 5, n) / 2 if weighted else np.ones(n)
    columns = [*numbers, codes]
    return Rows(columns, target, weights), [
        list(row) for row in zip(*map(np.ndarray.tolist, columns), strict=True)
    ]


def random_conditions(rng: np.random.Generator) -> list[Interval | Categories]:
    found: list[Interval | Categories] = []
    for feature in range(2):
        low, high = sorted(rng.choice([-math.inf, 0.5, 1.5, 2.5, 3.5, math.inf], 2, replace=False).tolist())
        if rng.random() < 0.8:
            found.append(Interval(feature, low, high, bool(rng.integers(2))))
    if rng.random() < 0.7:
        codes = tuple(np.flatnonzero(rng.random(3) < 0.6).tolist())
        found.append(Categories(2, codes, 3, bool(rng.integers(2)), bool(rng.integers(2))))
    return [condition for condition in found if not condition.is_anything]


@pytest.mark.parametrize("seed", range(150))
def test_conditions_go_as_they_do_one_row_at_a_time(seed):
    rng = np.random.default_rng(seed)
    rows, plain = random_rows(rng, int(rng.integers(1, 40)), weighted=bool(seed % 2))
    conditions, answer = random_conditions(rng), int(rng.integers(3))
    confidence = float(rng.choice([0.05, 0.25, 0.5]))
    draft = simplified_rule(conditions, answer, rows, confidence)
    left, share = dropped(conditions, answer, plain, rows.target.tolist(), rows.weights.tolist(), confidence)
    assert math.isclose(draft.expected, share, abs_tol=1e-12)
    assert [row_fits(draft.conditions, row) for row in plain] == [row_fits(left, row) for row in plain]
    assert len(draft.conditions) == len({part.feature for part in left})


def test_no_condition_that_matters_is_dropped():
    rows = Rows(
        [np.arange(20.0), np.zeros(20), np.zeros(20, dtype=np.int32)], np.repeat([0, 1], 10), np.ones(20)
    )
    needed = Interval(0, high=9.5)
    draft = simplified_rule([needed, Interval(1, high=3.0)], 0, rows, 0.25)
    assert draft.conditions == (needed,)


def test_equal_rules_are_one_and_empty_ones_none():
    rows = Rows(
        [np.arange(20.0), np.zeros(20), np.zeros(20, dtype=np.int32)], np.repeat([0, 1], 10), np.ones(20)
    )
    low = Interval(0, high=9.5)
    starts = [
        ([low, Interval(1, high=3.0)], 0),
        ([Interval(1, low=-1.0), low], 0),
        ([Interval(1, high=3.0)], 1),
    ]
    assert [draft.conditions for draft in simplified_rules(starts, rows, 0.25)] == [(low,)]


@pytest.mark.parametrize("seed", range(30))
def test_the_shortest_subset_is_found(seed):
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 60)), int(rng.integers(1, 8))
    target = rng.integers(0, 2, n)
    fits = [np.flatnonzero((rng.random(n) < 0.3) | ((target == 1) & (rng.random(n) < 0.5))) for _ in range(m)]
    bits = rng.random(m) * 10
    rows = Rows([], target, np.ones(n))
    sets = [set(places.tolist()) for places in fits]
    kept = best_subset(fits, rows, 1, bits)
    best = shortest(sets, target.tolist(), 1, bits.tolist())
    assert math.isclose(theory_length(kept, sets, target.tolist(), 1, bits.tolist()), best, abs_tol=1e-6)
    # A climb reports what its subset takes, and no single rule improves on it.
    mine = (target == 1).astype(np.float64)
    for start in (np.zeros(m, dtype=bool), np.ones(m, dtype=bool)):
        length, inside = _Climb(fits, mine, 1 - mine, bits).run(start)
        members = np.flatnonzero(inside).tolist()
        assert math.isclose(
            length, theory_length(members, sets, target.tolist(), 1, bits.tolist()), abs_tol=1e-6
        )
        for k in range(m):
            other = sorted(set(members) ^ {k})
            assert theory_length(other, sets, target.tolist(), 1, bits.tolist()) >= length - 1e-6


def test_many_rules_are_climbed():
    rng = np.random.default_rng(0)
    target = rng.integers(0, 2, 500)
    fits = [np.flatnonzero((target == 1) & (np.arange(500) % 20 == k)) for k in range(20)]
    kept = best_subset(fits, Rows([], target, np.ones(500)), 1, np.full(20, 5.0))
    assert len(fits) > ALL_SUBSETS
    assert kept == list(range(20))


@settings(max_examples=60)
@given(st.integers(0, 10**6))
def test_no_rule_of_a_list_does_more_harm_than_good(seed):
    rng = np.random.default_rng(seed)
    rows, plain = random_rows(rng, 40, weighted=False)
    drafts = [
        Draft(tuple(random_conditions(rng)), int(rng.integers(3)), float(rng.random())) for _ in range(8)
    ]
    chosen = choose_rules(drafts, rows, SCHEMA, 3)
    kept = [(draft.conditions, draft.answer) for draft in chosen.drafts]

    def errors(some) -> int:
        wrong = 0
        for row, truth in zip(plain, rows.target, strict=True):
            answer = next(
                (answer for conditions, answer in some if row_fits(conditions, row)), chosen.default
            )
            wrong += answer != truth
        return wrong

    assert all(errors(kept[:k] + kept[k + 1 :]) >= errors(kept) for k in range(len(kept)))
    answers = [answer for _, answer in kept]
    blocks = [a for k, a in enumerate(answers) if k == 0 or answers[k - 1] != a]
    assert len(blocks) == len(set(blocks)), "the rules of a class stand together"


def test_bits_of_rules():
    cuts = [8, 2, 1]
    side = math.log2(3) + 1
    assert math.isclose(rule_bits([Interval(0, low=1.0)], SCHEMA, cuts), side + 3 + 1)
    both = 2 * side + 6 + 1 - 1  # two ends of eight cuts each, in either order
    assert math.isclose(rule_bits([Interval(0, 1.0, 2.0)], SCHEMA, cuts), both)
    assert math.isclose(rule_bits([Categories(2, (0,), 3)], SCHEMA, cuts), math.log2(3) + 3 + 1)


# ------------------------------------------------------------------------------------------------ whole lists


@pytest.fixture(scope="module")
def penguins():
    data = load_penguins()
    return data.data, np.array(data.target)


def test_penguins(penguins):
    table, species = penguins
    model = TreeClassifier().fit(table, species)
    found = rules(model, table, species, simplify=True)
    plain = rules(model)
    assert found.simplified
    assert not found.exact
    assert len(found) < len(plain) / 2
    assert (found.predict(table) == species).mean() > 0.98
    assert found.default in model.classes_
    proba = found.predict_proba(table)
    assert np.allclose(proba.sum(axis=1), 1)
    assert (model.classes_[proba.argmax(axis=1)] == species).mean() > 0.98
    used = found.apply(table)
    for place, rule in enumerate(found):
        assert rule.answer == found.predict(table)[used == place][0]
        assert rule.n_rows >= (used == place).sum()


def test_weights_are_repetitions(penguins):
    table, species = penguins
    model = TreeClassifier(max_depth=4).fit(table, species)
    weights = np.random.default_rng(0).integers(0, 4, len(species))
    repeated = {
        name: [cell for cell, w in zip(column, weights, strict=True) for _ in range(w)]
        for name, column in table.items()
    }
    one = rules(model, table, species, simplify=True, sample_weight=weights)
    two = rules(model, repeated, np.repeat(species, weights), simplify=True)
    assert [(rule.conditions, rule.answer, rule.counts) for rule in one] == [
        (rule.conditions, rule.answer, rule.counts) for rule in two
    ]
    assert one.default == two.default


def test_small_weights_count_as_rows(penguins):
    table, species = penguins
    model = TreeClassifier(max_depth=4).fit(table, species)
    one = rules(model, table, species, simplify=True)
    two = rules(model, table, species, simplify=True, sample_weight=np.full(len(species), 2.0**-12))
    assert [rule.conditions for rule in one] == [rule.conditions for rule in two]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"simplify": True}, "X is missing"),
        ({"simplify": True, "X": 1}, "y is missing"),
        ({"X": 1}, "X is for simplify=True"),
        ({"sample_weight": 1}, "sample_weight is for simplify=True"),
        ({"confidence": 0.1}, "confidence is for simplify=True"),
        ({"simplify": True, "X": 1, "y": 1, "confidence": 1.5}, "confidence must be above 0 and below 1"),
    ],
)
def test_arguments_that_do_not_go_together(penguins, arguments, message):
    model = TreeClassifier(max_depth=1).fit(*penguins)
    with pytest.raises(ValueError, match=message):
        rules(model, **arguments)


def test_labels_that_the_tree_does_not_know(penguins):
    table, species = penguins
    model = TreeClassifier(max_depth=1).fit(table, species)
    with pytest.raises(ValueError, match="y holds 'Emperor', which is none of the tree's classes"):
        rules(model, table, np.where(species == "Gentoo", "Emperor", species), simplify=True)
    with pytest.raises(TypeError, match="not a list"):
        rules([])
