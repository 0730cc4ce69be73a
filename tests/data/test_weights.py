"""Weights: checked, multiplied, and rounded so that every sum is exact."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.utils.class_weight import compute_sample_weight

from boxwood.data import make_dataset, round_weights

positive = st.floats(
    min_value=0, exclude_min=True, allow_infinity=False, max_value=1e300, allow_subnormal=True
)
weights_lists = st.one_of(
    st.lists(positive, min_size=1, max_size=30),
    st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30),
    st.lists(st.integers(1, 2**40).map(float), min_size=1, max_size=30),
)


@given(weights_lists, st.randoms(use_true_random=False))
def test_every_sum_is_exact_in_any_order(weights: list[float], chance: Any) -> None:
    rounded = round_weights(weights)
    subset = chance.sample(range(len(weights)), chance.randint(1, len(weights)))
    exact = sum((Fraction(float(rounded[i])) for i in subset), Fraction(0))
    for _ in range(3):
        chance.shuffle(subset)
        total = 0.0
        for i in subset:
            total += float(rounded[i])
        assert Fraction(total) == exact
    # Grouped in another way: pairwise, and as the difference of a larger and a smaller sum.
    assert Fraction(float(np.sum(rounded[subset]))) == exact
    rest = sorted(set(range(len(weights))) - set(subset))
    assert Fraction(float(np.sum(rounded)) - float(np.sum(rounded[rest]))) == exact


@given(weights_lists)
def test_rounding_moves_little_and_keeps_every_row(weights: list[float]) -> None:
    rounded = round_weights(weights)
    total = sum(map(Fraction, weights))
    assert (rounded > 0).all()
    for before, after in zip(weights, rounded.tolist(), strict=True):
        assert abs(Fraction(after) - Fraction(before)) <= max(total / 2**51, Fraction(5e-324))
    # A second rounding changes nothing.
    np.testing.assert_array_equal(round_weights(rounded), rounded)


@given(st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=30), st.integers(-200, 200))
def test_rounding_scales_with_powers_of_two(weights: list[float], exponent: int) -> None:
    scale = math.ldexp(1.0, exponent)
    if (np.asarray(weights) == np.rint(weights)).all() or (
        np.asarray(weights) * scale == np.rint(np.asarray(weights) * scale)
    ).all():
        return  # whole weights are left as they are, which is finer
    np.testing.assert_array_equal(round_weights(np.asarray(weights) * scale), round_weights(weights) * scale)


@given(st.lists(st.integers(1, 2**53 // 30), min_size=1, max_size=30))
def test_whole_weights_do_not_move(weights: list[int]) -> None:
    if sum(weights) < 2**53:
        assert round_weights(weights).tolist() == weights


def test_unit_weights_stay_one() -> None:
    assert (round_weights(np.ones(1000)) == 1.0).all()


def test_the_order_of_a_plain_sum_does_matter() -> None:
    """What the rounding is for: one after the other, forwards and backwards."""
    weights = np.random.default_rng(0).random(10_000)
    assert np.add.accumulate(weights)[-1] != np.add.accumulate(weights[::-1])[-1]
    rounded = round_weights(weights)
    assert np.add.accumulate(rounded)[-1] == np.add.accumulate(rounded[::-1])[-1] == math.fsum(rounded)
    assert np.abs(rounded - weights).max() < 1e-12


def test_a_vanishing_weight_is_kept_at_one_unit() -> None:
    rounded = round_weights([1.5, 1e-30])
    assert rounded[0] == 1.5
    assert 0 < rounded[1] < 1e-15


def test_rounding_up_over_the_limit_doubles_the_unit() -> None:
    rounded = round_weights([2.0**53 - 8] + [0.6] * 8)  # by itself, 0.6 would become 1, and the total 2**53
    assert rounded.tolist() == [2.0**53 - 8] + [2.0] * 8


def test_whole_weights_beyond_2_to_the_53_are_rounded() -> None:
    rounded = round_weights([2.0**53, 1.0, 1.0, 2.0**53])
    assert float(rounded.sum()) == sum(map(Fraction, rounded.tolist()))


@pytest.mark.parametrize("weights", [[1.0, 0.0], [-1.0], [np.nan], [np.inf]])
def test_only_positive_weights_can_be_rounded(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="must be positive and finite"):
        round_weights(weights)


def test_no_weights() -> None:
    assert round_weights([]).tolist() == []


def test_weights_with_an_infinite_total_are_refused() -> None:
    with pytest.raises(ValueError, match="their total is infinite"):
        round_weights([1e308, 1e308])


X = np.arange(4.0)[:, None]
Y = ["a", "a", "a", "b"]


@pytest.mark.parametrize(
    "sample_weight",
    [
        [1, 2, 3, 4],
        (1.0, 2.0, 3.0, 4.0),
        np.array([1, 2, 3, 4], dtype=np.int8),
        np.array([1, 2, 3, 4], dtype=object),
        pd.Series([1, 2, 3, 4], index=list("wxyz")),
        pd.Series([1, 2, 3, 4], dtype="Int64"),
        pl.Series([1, 2, 3, 4]),
    ],
    ids=lambda weights: type(weights).__name__,
)
def test_weights_in_any_form(sample_weight: Any) -> None:
    dataset = make_dataset(X, Y, sample_weight)
    assert dataset.weights.tolist() == [1, 2, 3, 4]
    assert dataset.weights.dtype == np.float64
    assert not dataset.unit_weights


def test_the_callers_weights_are_not_touched() -> None:
    weights = np.array([0.1, 0.2, 0.0, 0.3])
    before = weights.copy()
    make_dataset(X, Y, weights, "balanced")
    np.testing.assert_array_equal(weights, before)


@pytest.mark.parametrize("sample_weight", [None, 1, 1.0, [1, 1, 1, 1], np.ones(4, dtype=bool)], ids=repr)
def test_unit_weights_are_recognised(sample_weight: Any) -> None:
    dataset = make_dataset(X, Y, sample_weight)
    assert dataset.unit_weights
    assert dataset.weights.tolist() == [1.0] * 4
    assert dataset.rows is None


@pytest.mark.parametrize(
    ("sample_weight", "error", "message"),
    [
        ([1, -2.5, 1, 1], ValueError, "but -2.5 in row 1 is negative"),
        ([1, 1, np.nan, 1], ValueError, "but nan in row 2 is NaN"),
        ([1, 1, None, 1], ValueError, "in row 2 is NaN"),
        (pl.Series([1.0, None, 1.0, 1.0]), ValueError, "in row 1 is NaN"),
        (
            pd.Series([1, None, 1, 1], dtype="Int64"),
            ValueError,
            "sample_weight must hold numbers|in row 1 is NaN",
        ),
        ([1, 1, 1, np.inf], ValueError, "but inf in row 3 is infinite"),
        ([0, 0, 0, 0], ValueError, "Sample weights must contain at least one non-zero number"),
        (0, ValueError, "at least one non-zero number"),
        (-1, ValueError, "is negative"),
        ([1, 1, 1], ValueError, r"sample_weight.shape == \(3,\), expected \(4,\)!"),
        (np.ones((4, 2)), ValueError, "Sample weights must be 1D array or scalar, got 2D array"),
        (np.ones((4, 1)), ValueError, "got 2D array"),
        (["a", "b", "c", "d"], ValueError, "sample_weight must hold numbers"),
        (["1", "1", "1", "1"], ValueError, "sample_weight must hold numbers"),
        ([1j, 1, 1, 1], ValueError, "sample_weight must hold numbers"),
        ([[1], [1, 2], 1, 1], ValueError, "sample_weight must hold numbers"),
        (sparse.csr_array(np.ones((1, 4))), TypeError, "Sparse data was passed for sample_weight"),
        ([1e308] * 4, ValueError, "their total is infinite"),
    ],
    ids=repr,
)
def test_bad_weights_are_refused(sample_weight: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_dataset(X, Y, sample_weight)


@pytest.mark.parametrize(
    "class_weight", [None, "balanced", {"a": 2, "b": 0.5}, {"b": 3}, {"a": 1, "b": 2, "z": 9}], ids=repr
)
def test_class_weights_are_scikit_learns(class_weight: Any) -> None:
    expected = compute_sample_weight(class_weight, Y)
    np.testing.assert_allclose(make_dataset(X, Y, None, class_weight).weights, expected, rtol=1e-15)
    np.testing.assert_allclose(make_dataset(X, Y, 2.0, class_weight).weights, 2 * expected, rtol=1e-15)


@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [True, True, False, False], [2.0, 2.0, 3.0, 3.0]], ids=repr)
def test_labels_of_class_weights_match_by_value(labels: list[Any]) -> None:
    dataset = make_dataset(X, labels, None, {labels[0]: 5})
    assert dataset.weights.tolist() == [5, 5, 1, 1]


def test_balanced_weights_count_weight_not_rows() -> None:
    """Weighting a row by 2 and repeating it come to the same thing."""
    weighted = make_dataset(X, Y, [1, 2, 0, 3], "balanced")
    repeated = make_dataset(X[[0, 1, 1, 3, 3, 3]], ["a", "a", "a", "b", "b", "b"], None, "balanced")
    assert weighted.weights.sum() == repeated.weights.sum()
    np.testing.assert_allclose(weighted.weights, [1, 2, 3], rtol=1e-15)


def test_balanced_weights_of_a_class_without_rows() -> None:
    dataset = make_dataset(X, Y, [1, 1, 1, 0], "balanced")
    assert dataset.weights.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("even", "class_weight must be None, 'balanced' or a dict of weights, got 'even'"),
        ([{"a": 1}], "class_weight must be None, 'balanced' or a dict of weights"),
        ({"a": -1}, "class 'a' has -1"),
        ({"a": float("nan")}, "class 'a' has nan"),
        ({"a": "2"}, "class 'a' has '2'"),
        ({"A": 2}, "class_weight names 'A', which y does not have, and leaves out 'a', 'b'"),
        ({"a": 0, "b": 0}, "Every row has weight zero"),
    ],
    ids=repr,
)
def test_bad_class_weights_are_refused(class_weight: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_dataset(X, Y, None, class_weight)


def test_the_order_of_the_rows_does_not_decide_the_unit() -> None:
    """The sum of these is 16, or the last number before it, as they come: the unit was half as large in one
    order as in the other, and a weight of a third was rounded to another number.
    """
    weights = np.array([1] * 7 + [7, 7, 6, 7, 7, 7]) * (1 / 3)
    rounded = round_weights(weights)
    rng = np.random.default_rng(0)
    for _ in range(20):
        order = rng.permutation(len(weights))
        assert (round_weights(weights[order]) == rounded[order]).all()
