"""Weights of very different size: the choice is right to the last bit, as rational arithmetic confirms.

Where one class outweighs the others a billion times, the textbook formula of the Gini impurity loses all its
digits, so the floating-point oracle cannot say which split is best. Fractions can.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from boxwood.data import make_dataset
from boxwood.tree import check_tree
from tests.grow.tables import grow_with
from tests.oracles.naive_split import TIE, Limits, Table, offers_of
from tests.oracles.naive_tree import same_split, split_of


def exact_gini(counts: list[Fraction]) -> Fraction:
    total = sum(counts, Fraction(0))
    return 1 - sum(((count / total) ** 2 for count in counts), Fraction(0)) if total else Fraction(0)


def exact_gain(branches: np.ndarray) -> tuple[Fraction, Fraction]:
    """The gain of a split and the impurity of its node, without any rounding."""
    rows = [[Fraction(float(count)) for count in branch] for branch in branches]
    node = [sum(column, Fraction(0)) for column in zip(*rows, strict=True)]
    total = sum(node, Fraction(0))
    after = sum((sum(row, Fraction(0)) / total * exact_gini(row) for row in rows), Fraction(0))
    return exact_gini(node) - after, exact_gini(node)


@pytest.mark.parametrize("seed", range(60))
def test_the_best_split_by_fractions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_rows, n_columns, n_classes = int(rng.integers(3, 24)), int(rng.integers(1, 3)), int(rng.integers(2, 5))
    X = np.round(rng.normal(size=(n_rows, n_columns)), 1)
    X[rng.random(X.shape) < rng.choice([0.0, 0.2])] = np.nan
    weights = np.exp(rng.normal(size=n_rows) * rng.choice([2, 5, 8]))
    dataset = make_dataset(X, rng.integers(0, n_classes, n_rows), sample_weight=weights)
    limits = Limits(missing=str(rng.choice(["learn", "branch"])), min_samples_leaf=int(rng.integers(1, 3)))
    tree = grow_with(dataset, limits)
    check_tree(tree)
    table = Table.of(dataset)
    passed = tree.decision_path(dataset.columns).tocsc()
    for node in np.flatnonzero(tree.kind > 0):
        rows = np.sort(passed.indices[passed.indptr[node] : passed.indptr[node + 1]])
        listed = []
        for feature in range(n_columns):
            offers = offers_of(table, rows, feature, limits)
            for split, branches in zip(offers.splits, offers.branches, strict=True):
                listed.append((feature, split, *exact_gain(branches)))
        best = max(gain for _, _, gain, _ in listed)
        impurity = listed[0][3]
        close = [(f, split) for f, split, gain, _ in listed if gain >= best - Fraction(TIE) * impurity]
        feature = int(tree.feature[node])
        missing = bool(np.isnan(dataset.columns[feature][rows]).any())
        chosen = split_of(tree, int(node), missing)
        assert feature == close[0][0]
        assert same_split(chosen, close[0][1]), f"node {node}: {close[0][1]} expected"
        assert tree.score[node] == pytest.approx(float(best), rel=1e-9, abs=2 * TIE * float(impurity))
