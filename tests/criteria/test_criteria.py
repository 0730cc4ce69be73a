"""What every criterion promises: zero when pure, symmetric, concave, bounded, equal to the oracle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.criteria import ALIASES, CRITERIA, Criterion
from tests.oracles.naive_split import entropy_of_sizes, impurity

criteria = pytest.mark.parametrize("criterion", CRITERIA.values(), ids=CRITERIA)
weights = st.one_of(st.integers(0, 30).map(float), st.integers(0, 400).map(lambda n: n / 16))


@st.composite
def branches(draw: st.DrawFn, n_branches: int | None = None) -> np.ndarray:
    """A table of weights (branch, class) with some weight in every branch."""
    n_branches = n_branches or draw(st.integers(2, 3))
    n_classes = draw(st.integers(2, 6))
    rows = draw(
        st.lists(
            st.lists(weights, min_size=n_classes, max_size=n_classes).filter(any),
            min_size=n_branches,
            max_size=n_branches,
        )
    )
    return np.array(rows)


@criteria
def test_a_pure_node_has_no_impurity_and_no_node_has_more_than_the_largest(criterion: Criterion) -> None:
    for n_classes in range(1, 7):
        pure = np.zeros(n_classes)
        pure[n_classes // 2] = 3.5
        assert criterion.impurity(pure) == 0.0
        assert not np.signbit(criterion.impurity(pure))
        even = np.full(n_classes, 2.0)
        assert criterion.impurity(even) == pytest.approx(criterion.largest(n_classes))
    assert criterion.impurity(np.zeros(3)) == 0.0


@criteria
@given(table=branches())
def test_impurity_ignores_the_order_and_the_scale_of_classes(criterion: Criterion, table: np.ndarray) -> None:
    counts = table[0]
    value = float(criterion.impurity(counts))
    assert float(criterion.impurity(counts[::-1])) == pytest.approx(value, abs=1e-12)
    assert float(criterion.impurity(counts * 8)) == pytest.approx(value, abs=1e-12)
    assert -1e-12 <= value <= criterion.largest(len(counts)) + 1e-12


@criteria
@given(table=branches())
def test_scores_equal_the_oracle(criterion: Criterion, table: np.ndarray) -> None:
    oracle = "gini" if criterion.name == "gini" else "entropy"
    sizes = table.sum(axis=1)
    after = sum(size / sizes.sum() * impurity(oracle, part) for size, part in zip(sizes, table, strict=True))
    gain = impurity(oracle, table.sum(axis=0)) - after
    assert float(criterion.gain(table)) == pytest.approx(gain, abs=1e-12)
    score = gain / float(entropy_of_sizes(sizes)) if criterion.name == "gain_ratio" else gain
    assert float(criterion.score(table)) == pytest.approx(score, abs=1e-9)


@criteria
@given(tables=st.lists(branches(n_branches=2), min_size=1, max_size=5))
def test_many_candidates_score_as_one_by_one(criterion: Criterion, tables: list[np.ndarray]) -> None:
    n_classes = max(table.shape[1] for table in tables)
    padded = np.zeros((len(tables), 3, n_classes))  # a third branch and more classes without weight
    for position, table in enumerate(tables):
        padded[position, :2, : table.shape[1]] = table
    one_by_one = [float(criterion.score(table)) for table in tables]
    assert criterion.score(padded) == pytest.approx(one_by_one, abs=1e-12)


@given(table=branches())
def test_a_concave_impurity_never_loses_by_a_split(table: np.ndarray) -> None:
    for criterion in CRITERIA.values():
        assert criterion.concave
        assert float(criterion.gain(table)) >= -1e-12


@given(table=branches())
def test_gain_ratio_lies_between_0_and_1(table: np.ndarray) -> None:
    assert -1e-9 <= float(CRITERIA["gain_ratio"].score(table)) <= 1 + 1e-9


def test_names() -> None:
    assert list(CRITERIA) == [criterion.name for criterion in CRITERIA.values()]
    assert set(ALIASES.values()) <= set(CRITERIA)
    assert not set(ALIASES) & set(CRITERIA)
