"""Error-based pruning: both programs' formulas, and subtree raising against its plain definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boxwood.data import Dataset, make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.pruning import ErrorBased, Material
from boxwood.pruning.error_based import estimated_errors
from boxwood.tree import SPREAD, Threshold, Tree, build_tree, check_tree, leaf, node
from tests.oracles.naive_pruning import NaiveRaising, c45_extra, shape_of, weka_extra
from tests.pruning.grown import table

TRIPLES = [
    (n, e, confidence)
    for n in (1.0, 2.0, 3.5, 10.0, 47.0, 1000.0)
    for e in (0.0, 0.4, 1.0, 2.25, 9.0, 300.0)
    if e <= n
    for confidence in (0.01, 0.1, 0.25, 0.4)
]


def test_the_formulas_of_both_programs() -> None:
    assert len(TRIPLES) >= 50
    for n, e, confidence in TRIPLES:
        for variant, extra in (("weka", weka_extra), ("c45", c45_extra)):
            found = estimated_errors(np.array([n]), np.array([e]), confidence, variant)
            assert found[0] == pytest.approx(e + extra(n, e, confidence), rel=1e-9), (
                n,
                e,
                confidence,
                variant,
            )
    assert estimated_errors(np.array([9.0]), np.array([2.0]), 0.75, "weka")[0] == 2.0
    assert estimated_errors(np.array([0.0]), np.array([0.0]), 0.25, "c45")[0] == 0.0


def naive(tree: Tree, rows: Dataset, variant: str, confidence: float) -> Any:
    weka = variant == "weka"
    extra = weka_extra if weka else c45_extra
    return NaiveRaising(
        tree,
        list(rows.columns),
        rows.target,
        rows.weights,
        lambda n, e: extra(n, e, confidence),
        tolerance=1e-6 if weka else 0.0,
        last_of_ties=weka,
    ).shape()


def numbered(tree: Tree) -> Tree:
    return tree.with_extra("source", np.arange(tree.n_nodes, dtype=np.float64))


def approx(shape: Any) -> Any:
    """Nested tuples with their class weights rounded, for comparison."""
    return tuple(approx(part) if isinstance(part, tuple) else round(part, 9) for part in shape)


@pytest.mark.parametrize("variant", ["weka", "c45"])
@pytest.mark.parametrize("seed", range(8))
def test_raising_is_what_its_definition_says(seed: int, variant: str) -> None:
    X, y = table(seed, 90, 2 + seed % 2, noise=0.35)
    weights = np.random.default_rng(seed).integers(1, 3, len(y)) if seed % 3 == 0 else None
    rows = make_dataset(X, y, sample_weight=weights)
    tree = numbered(grow_tree(rows, GrowOptions(unknown_category="majority")))
    pruner = ErrorBased(confidence=0.3, variant=variant, collapse=False, subtree_raising=True)
    small = pruner.prune(tree, Material(rows=rows))
    check_tree(small)
    assert shape_of(small) == naive(tree, rows, variant, 0.3)
    # Every node has the rows that it says.
    ends = small.apply(rows.columns)
    counts = np.zeros((small.n_nodes, small.n_classes))
    np.add.at(counts, (ends, rows.target), rows.weights)
    assert small.counts is not None
    assert np.array_equal(counts[small.is_leaf], small.counts[small.is_leaf])
    assert np.array_equal(
        np.bincount(ends, minlength=small.n_nodes)[small.is_leaf], small.n_rows[small.is_leaf]
    )


def spread_tree(rows: Dataset, depth: int, rng: np.random.Generator) -> Tree:
    """A tree of random thresholds that spreads rows whose value is missing."""

    def grown(part: dict[int, float], left: int) -> Any:
        counts = np.zeros(rows.n_classes)
        for row, weight in part.items():
            counts[rows.target[row]] += weight
        here = leaf(counts, n_rows=len(part))
        if not left or len(part) < 4:
            return here
        feature = int(rng.integers(rows.n_features))
        column = rows.columns[feature]
        threshold = float(rng.integers(1, 6)) + 0.5
        parts: list[dict[int, float]] = [{}, {}]
        lost = {}
        for row, weight in part.items():
            if np.isnan(column[row]):
                lost[row] = weight
            else:
                parts[int(column[row] > threshold)][row] = weight
        known = [sum(piece.values()) for piece in parts]
        if not min(known):
            return here
        for row, weight in lost.items():
            for piece, share in zip(parts, known, strict=True):
                piece[row] = weight * share / sum(known)
        split = Threshold(feature, threshold, missing_branch=SPREAD)
        children = [grown(piece, left - 1) for piece in parts]
        return node(split, children, counts=counts, n_rows=len(part))

    full = {row: float(weight) for row, weight in enumerate(rows.weights)}
    return build_tree(grown(full, depth), rows.schema, rows.classes)


@pytest.mark.parametrize("seed", range(6))
def test_raising_divides_rows_with_missing_values_anew(seed: int) -> None:
    X, y = table(seed, 60, 2, noise=0.3)
    X.pop("colour")
    rows = make_dataset(X, y)
    tree = numbered(spread_tree(rows, 5, np.random.default_rng(seed)))
    small = ErrorBased(collapse=False, subtree_raising=True).prune(tree, Material(rows=rows))
    check_tree(small)
    assert approx(shape_of(small)) == approx(naive(tree, rows, "weka", 0.25))


def test_raising_needs_the_rows_of_the_tree() -> None:
    X, y = table(0)
    rows = make_dataset(X, y)
    tree = grow_tree(rows)
    with pytest.raises(ValueError, match="needs the rows that the tree was grown on"):
        ErrorBased(subtree_raising=True).prune(tree)
    others = make_dataset(*table(1))
    with pytest.raises(ValueError, match="not the rows that the tree was grown on"):
        ErrorBased().prune(tree, Material(rows=others))
