"""The tests of a chosen split: against textbook formulas, and as nothing but a cut through the full tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency

from boxwood.criteria import Impurity
from boxwood.data import Dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.select.stopping import bits_saved, significance
from boxwood.tree import Kind, Tree
from tests.grow.tables import Recipe, recipes

TABLES = recipes(("few", "integers", "floats", "category4"), max_rows=40, weights=("one", "integer"))
ENGINES: dict[str, dict[str, Any]] = {
    "main": {},
    "spread": {"missing": "fractional", "min_value_gap": 1e-12},
    "by level": {"criterion": Impurity(np.sqrt, name="root")},
}


@given(
    st.integers(2, 5).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(0, 40), min_size=width, max_size=width).filter(any), min_size=2, max_size=6
        )
    )
)
def test_significance_is_pearsons_test(branches: list[list[int]]) -> None:
    counts = np.array(branches, dtype=np.float64)
    there = counts[:, counts.any(axis=0)]
    expected = 1.0 if there.shape[1] < 2 else chi2_contingency(there, correction=False).pvalue
    assert significance(counts) == pytest.approx(expected, rel=1e-9, abs=1e-300)


def branches_of(tree: Tree, node: int) -> np.ndarray:
    assert tree.counts is not None
    return tree.counts[tree.first_child[node] : tree.first_child[node] + tree.n_children[node]]


def n_choices(dataset: Dataset, tree: Tree, node: int) -> float:
    """Cuts or bipartitions of the values at a node."""
    there = tree.decision_path(dataset.columns).toarray()[:, node] > 0
    n_values = len(np.unique(dataset.columns[tree.feature[node]][there]))
    return n_values - 1 if tree.kind[node] == Kind.THRESHOLD else 2 ** (n_values - 1) - 1


@pytest.mark.parametrize("engine", ENGINES)
@given(recipe=TABLES, level=st.sampled_from([0.001, 0.05, 0.5]))
def test_growth_stops_where_a_split_is_not_significant(engine: str, recipe: Recipe, level: float) -> None:
    dataset = recipe.cook()
    full = grow_tree(dataset, GrowOptions(**ENGINES[engine]))
    stopped = grow_tree(dataset, GrowOptions(**ENGINES[engine], min_significance=level))
    weak = [node for node in np.flatnonzero(~full.is_leaf) if significance(branches_of(full, node)) > level]
    assert stopped == full.collapse(weak)


@pytest.mark.parametrize("engine", ENGINES)
@given(recipe=TABLES)
def test_growth_stops_where_a_split_saves_no_bits(engine: str, recipe: Recipe) -> None:
    dataset = recipe.cook()
    full = grow_tree(dataset, GrowOptions(**ENGINES[engine]))
    stopped = grow_tree(dataset, GrowOptions(**ENGINES[engine], mdl_stop=True))
    saved = {
        node: bits_saved(branches_of(full, node), dataset.n_features, n_choices(dataset, full, node))
        for node in np.flatnonzero(~full.is_leaf)
    }
    if all(abs(bits) > 1e-9 for bits in saved.values()):
        assert stopped == full.collapse([n for n, bits in saved.items() if bits <= 0])


def test_small_weights_count_as_rows() -> None:
    recipe = Recipe(1, 60, 2, ("floats", "few"), 0.0, "one", True)
    dataset = recipe.cook()
    scaled = Dataset(
        schema=dataset.schema,
        columns=dataset.columns,
        target=dataset.target,
        classes=dataset.classes,
        weights=dataset.weights / 64,
        unit_weights=False,
        rows=None,
    )
    for options in ({"min_significance": 0.01}, {"mdl_stop": True}):
        trees = [grow_tree(data, GrowOptions(**options)) for data in (dataset, scaled)]
        assert trees[0].n_leaves > 1
        assert trees[0].threshold.tolist() == trees[1].threshold.tolist()
