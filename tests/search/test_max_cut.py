"""The pieces of max-cut: weights, GreedyCut, local search, and the semidefinite relaxation."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.search.categorical.max_cut import (
    cut_weight,
    cut_weights,
    greedy_cut,
    heavy_cut,
    improve_cut,
    relax_cut,
)
from tests.oracles import naive_categorical as naive


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> np.ndarray:
    n = draw(st.integers(2, most))
    upper = np.array(draw(st.lists(st.integers(0, 5), min_size=n * n, max_size=n * n)), dtype=float).reshape(
        n, n
    )
    weights = np.triu(upper, 1)
    return weights + weights.T


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    n, k = draw(st.integers(2, 6)), draw(st.integers(2, 4))
    cells = st.lists(st.integers(0, 7), min_size=n * k, max_size=n * k)
    return (
        np.array(draw(cells), dtype=float).reshape(n, k) * 0.5 + np.eye(n, k) + (np.arange(n) >= k)[:, None]
    )


@settings(max_examples=40)
@given(table=tables())
def test_weights_equal_their_formulas(table: np.ndarray) -> None:
    np.testing.assert_allclose(
        cut_weights(table, "squared_gini"), naive.squared_gini_weights(table), atol=1e-12
    )
    np.testing.assert_allclose(cut_weights(table, "chi2"), naive.chi2_weights(table), atol=1e-12)
    costs = np.arange(table.shape[1] ** 2, dtype=float).reshape(table.shape[1], -1)
    costs = costs + costs.T
    np.testing.assert_allclose(
        cut_weights(table, "squared_gini", costs), naive.squared_gini_weights(table, costs), atol=1e-12
    )


@settings(max_examples=30)
@given(table=tables())
def test_a_squared_gini_cut_weighs_the_gain_with_squared_shares(table: np.ndarray) -> None:
    weights = cut_weights(table, "squared_gini")
    for grouping in naive.all_groupings(len(table)):
        sides = np.array(grouping)
        gain = naive.gini(table.sum(axis=0))
        for branch in (0, 1):
            part = table[sides == branch].sum(axis=0)
            gain -= (part.sum() / table.sum()) ** 2 * naive.gini(part)
        assert cut_weight(weights, sides) == pytest.approx(gain, abs=1e-12)


@settings(max_examples=60)
@given(weights=graphs())
def test_greedy_cut_is_half_of_the_maximum_and_local_search_never_loses(weights: np.ndarray) -> None:
    most = naive.maximum_cut(weights)
    greedy = naive.cut_weight(weights, greedy_cut(weights))
    assert greedy >= most / 2 - 1e-12
    for relaxed in (False, True):
        side = heavy_cut(weights, relaxed=relaxed)
        assert 0 < side.sum() < len(side)
        weight = naive.cut_weight(weights, side)
        assert weight <= most + 1e-12
        assert weight >= most / 2 - 1e-12
        if not relaxed:
            assert weight >= greedy - 1e-12


@settings(max_examples=60)
@given(weights=graphs(), start=st.lists(st.integers(0, 1), min_size=8, max_size=8))
def test_local_search_ends_where_no_move_and_no_exchange_helps(weights: np.ndarray, start: list[int]) -> None:
    side = np.array(start[: len(weights)])
    if side.min() == side.max():
        side[0] ^= 1
    found = improve_cut(weights, side, moves=1000, exchanges=1000)
    weight = naive.cut_weight(weights, found)
    for i in range(len(found)):
        moved = found.copy()
        moved[i] ^= 1
        if 0 < moved.sum() < len(moved):
            assert naive.cut_weight(weights, moved) <= weight + 1e-9
        for j in range(i):
            both = moved.copy()
            both[j] ^= 1
            if found[i] != found[j]:
                assert naive.cut_weight(weights, both) <= weight + 1e-9


def test_local_search_respects_its_limit() -> None:
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((30, 30)), 1)
    weights = upper + upper.T
    start = np.arange(30) < 1
    assert (improve_cut(weights, start, moves=0) == start).all()
    assert (improve_cut(weights, start, moves=3, exchanges=0) != start).sum() <= 3


@pytest.mark.parametrize("kind", ["squared_gini", "chi2", "random"])
def test_the_relaxation_equals_a_dense_solver(kind: str) -> None:
    rng = np.random.default_rng(3)
    for n in (3, 8, 20):
        table = rng.integers(0, 8, (n, 4)) + np.eye(n, 4) + 0.5
        upper = np.triu(rng.random((n, n)), 1)
        weights = upper + upper.T if kind == "random" else cut_weights(table, kind)
        value, vectors = relax_cut(weights)
        np.testing.assert_allclose((vectors**2).sum(axis=1), 1.0, atol=1e-9)
        assert value == pytest.approx(np.sum(weights * (1 - vectors @ vectors.T)) / 4, rel=1e-9)
        assert value == pytest.approx(naive.relaxation(weights), rel=1e-4)
        if n <= 8:
            assert value >= naive.maximum_cut(weights) * (1 - 1e-4)
        assert naive.cut_weight(weights, heavy_cut(weights, relaxed=True)) <= value * (1 + 1e-4)


@pytest.mark.parametrize("n", [3, 12, 25])
def test_the_relaxation_equals_a_general_solver(n: int) -> None:
    """SCS solves the program as it is written: least <W, X>, X semidefinite with ones on its diagonal."""
    scs = pytest.importorskip("scs", reason="scs, a solver of semidefinite programs, is not installed")
    rng = np.random.default_rng(n)
    weights = cut_weights(rng.integers(0, 8, (n, 5)) + 0.5, "chi2")
    weights = weights / weights.max()
    column, row = np.triu_indices(n)  # the lower triangle, column by column
    scale = np.where(row == column, 1.0, np.sqrt(2.0))
    size = len(row)
    diagonal = np.flatnonzero(row == column)
    unit = scipy.sparse.identity(size, format="csc")
    constraints = scipy.sparse.vstack([unit[diagonal], -unit], format="csc")
    bounds = np.concatenate([np.ones(n), np.zeros(size)])
    program = {"A": constraints, "b": bounds, "c": scale * weights[row, column] / 4}
    solver = scs.SCS(program, {"z": n, "s": [n]}, eps_abs=1e-8, eps_rel=1e-8, verbose=False)
    least = solver.solve()["info"]["pobj"]
    assert relax_cut(weights)[0] == pytest.approx(weights.sum() / 4 - least, rel=1e-5)


def test_a_function_of_two_rows_is_checked() -> None:
    table = np.array([[1.0, 2.0], [3.0, 1.0], [2.0, 2.0]])
    with pytest.raises(ValueError, match="sum along axis 1"):
        cut_weights(table, lambda a, b: abs(a - b).sum())
    with pytest.raises(ValueError, match="not symmetric"):
        cut_weights(table, lambda a, b: a[:, 0] + 2 * b[:, 0])
    with pytest.raises(ValueError, match="not negative"):
        cut_weights(table, lambda a, b: -abs(a - b).sum(axis=1))
