"""Which subsets of categories are tried."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import split_categories
from boxwood.criteria import CRITERIA, Criterion
from boxwood.search.categorical import CATEGORICAL_SPLITS
from boxwood.search.categorical.auto import ALL_SUBSETS
from boxwood.search.categorical.exact import all_subsets
from boxwood.search.categorical.groupings import MOST_CLASSES
from boxwood.search.categorical.ordered import order_by_class_share, prefixes
from boxwood.search.categorical.pc import order_by_principal_direction


def gains(criterion: Criterion, counts: np.ndarray, subsets: np.ndarray) -> np.ndarray:
    inside = subsets.astype(float) @ counts
    return criterion.gain(np.stack([inside, counts.sum(axis=0) - inside], axis=1))


@st.composite
def tables(
    draw: st.DrawFn, n_classes: st.SearchStrategy[int], n_values: st.SearchStrategy[int]
) -> np.ndarray:
    k, v = draw(n_classes), draw(n_values)
    row = st.lists(st.integers(0, 9).map(float), min_size=k, max_size=k).filter(any)
    return np.array(draw(st.lists(row, min_size=v, max_size=v)))


@pytest.mark.parametrize("n_values", range(1, 8))
def test_all_subsets_are_all_of_them_once(n_values: int) -> None:
    subsets = all_subsets(n_values)
    assert len({tuple(subset) for subset in subsets.tolist()}) == 2 ** (n_values - 1) - 1
    assert subsets[:, 0].all()
    assert not subsets.all(axis=1).any()


@given(counts=tables(st.just(2), st.integers(2, 8)))
def test_for_two_classes_a_prefix_of_the_class_share_order_is_best(counts: np.ndarray) -> None:
    for criterion in CRITERIA.values():
        if criterion.rule(2) != "boundaries":  # the theorem needs a concave impurity
            continue
        best = gains(criterion, counts, all_subsets(len(counts))).max()
        found = gains(criterion, counts, prefixes(order_by_class_share(counts))).max()
        assert found == pytest.approx(best, abs=1e-12)


TWO_WAY = {name: method for name, method in CATEGORICAL_SPLITS.items() if name != "multiway"}


@pytest.mark.parametrize("name", TWO_WAY)
@settings(max_examples=30)
@given(counts=tables(st.integers(2, 4), st.integers(2, 12)))
def test_every_method_proposes_valid_subsets_and_none_beats_all_subsets(
    name: str, counts: np.ndarray
) -> None:
    if np.count_nonzero(counts.sum(axis=0)) > MOST_CLASSES.get(name, counts.shape[1]):
        counts = counts[:, :2] + 1
    subsets = TWO_WAY[name](counts)
    assert len(subsets) > 0
    assert subsets.shape[1] == len(counts)
    assert subsets[:, 0].all()
    assert not subsets.all(axis=1).any()
    criterion = CRITERIA["gini"]
    best = gains(criterion, counts, all_subsets(len(counts))).max()
    found = gains(criterion, counts, subsets).max()
    assert found <= best + 1e-12
    by_theorem = np.count_nonzero(counts.sum(axis=0)) <= 2 and name in ("auto", "ordered", "pc", "twoing")
    if by_theorem or name == "exact" or (name == "auto" and len(counts) <= ALL_SUBSETS):
        assert found == pytest.approx(best, abs=1e-12)


@given(counts=tables(st.just(2), st.integers(2, 12)))
def test_for_two_classes_the_principal_direction_is_the_class_share(counts: np.ndarray) -> None:
    criterion = CRITERIA["gini"]
    by_share = gains(criterion, counts, prefixes(order_by_class_share(counts))).max()
    by_direction = gains(criterion, counts, prefixes(order_by_principal_direction(counts))).max()
    assert by_direction == pytest.approx(by_share, abs=1e-9)


def test_the_principal_direction_is_a_good_heuristic() -> None:
    rng = np.random.default_rng(0)
    criterion = CRITERIA["gini"]
    ratios = []
    for _ in range(30):
        shares = rng.dirichlet(np.ones(4), size=11)
        counts = np.array([rng.multinomial(40, p) for p in shares], dtype=float)
        best = gains(criterion, counts, all_subsets(11)).max()
        ratios.append(gains(criterion, counts, prefixes(order_by_principal_direction(counts))).max() / best)
    assert np.mean(ratios) > 0.9


@pytest.mark.filterwarnings("error")
def test_a_table_whose_sum_overflows_is_refused_in_a_sentence() -> None:
    """numpy warned of the overflow first."""
    with pytest.raises(ValueError, match="sum of the table is not finite"):
        split_categories([[1e308, 1e308], [1e308, 1e308]])
