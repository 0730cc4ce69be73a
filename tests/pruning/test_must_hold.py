"""What holds for every pruner, on trees of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxwood.data import Column, Dataset, Schema, make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.pruning import (
    MDL,
    PRUNERS,
    Collapse,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    Material,
    MinimumError,
    OptimalSize,
    Pessimistic,
    Pruner,
    ReducedError,
    SameAnswer,
    size_risks,
)
from boxwood.tree import Multiway, Threshold, Tree, build_tree, check_tree, leaf, node
from tests.oracles.naive_pruning import is_rooted_subtree, leaves_of, rooted_subtrees
from tests.oracles.trees import tables, trees, without_errors
from tests.pruning.grown import grown_trees, table

EVERY: list[Pruner] = [
    ReducedError(),
    ErrorBased(),
    ErrorBased(confidence=0.1, variant="c45", collapse=False),
    CostComplexity(alpha=0.02),
    CostComplexity(alpha=0.02, risk="impurity"),
    CostComplexity(),
    Pessimistic(),
    MinimumError(),
    MinimumError(m=2.5),
    CriticalValue(threshold=0.2),
    MDL(),
    OptimalSize(max_leaves=3),
    SameAnswer(),
    Collapse(),
]
ONCE = [pruner for pruner in EVERY if not isinstance(pruner, ErrorBased | Pessimistic | Collapse)]
KEEP_PROBA = SameAnswer(keep_proba=True)


def test_every_method_is_tested() -> None:
    assert {type(pruner) for pruner in EVERY} == set(PRUNERS.values())


def rows_for(tree: Tree, data: st.DataObject) -> Dataset:
    """Rows that the tree was not grown on."""
    columns = data.draw(tables(tree, max_rows=8))
    n = len(columns[0])
    drawn = np.array(data.draw(st.lists(st.integers(0, 20), min_size=n, max_size=n)))
    target = drawn.astype(np.float64) if tree.classes is None else (drawn % tree.n_classes).astype(np.int32)
    return Dataset(tree.schema, tuple(columns), target, tree.classes, np.ones(n), True)


@settings(max_examples=60)
@given(data=st.data())
def test_on_trees_of_every_kind(data: st.DataObject) -> None:
    tree = without_errors(data.draw(trees(regression=None)))
    material = Material(validation=rows_for(tree, data))
    before = tree.to_dict()
    for pruner in EVERY if tree.classes is None else [*EVERY, KEEP_PROBA]:
        if tree.classes is None and not pruner.FOR_NUMBERS:
            continue
        small = pruner.prune(tree, material)
        check_tree(small)
        assert pruner.prune(tree, material) == small
        assert small.n_leaves <= tree.n_leaves
        if tree.classes is not None or not isinstance(pruner, SameAnswer):  # which keeps the last digit
            assert is_rooted_subtree(small, tree), pruner
        if pruner in ONCE and getattr(pruner, "alpha", 0.0) is not None:
            assert pruner.prune(small, material) == small, pruner
    assert tree.to_dict() == before


@pytest.mark.parametrize(
    "options",
    [
        GrowOptions(),
        GrowOptions(missing="fractional"),
        GrowOptions(missing="fractional", categorical_split="multiway", unknown_category="stop"),
        GrowOptions(missing="surrogate"),
        GrowOptions(missing="branch", categorical_split="multiway"),
        GrowOptions(categorical_split="multiway", unknown_category="distribute"),
    ],
    ids=lambda options: f"{options.missing}, {options.categorical_split}",
)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_weights_equal_repetition(seed: int, n_classes: int, options: GrowOptions) -> None:
    """Parts of rows to judge on do not add up exactly, and rounding decided ties in reduced-error pruning."""

    def both(seed: int, n_rows: int, least: int) -> tuple[Dataset, Dataset]:
        """A table with weights, and one with repeated rows."""
        X, y = table(seed, n_rows, n_classes)
        times = np.random.default_rng(seed).integers(least, 4, n_rows)
        repeated = {name: np.repeat(column, times) for name, column in X.items()}
        return make_dataset(X, y, sample_weight=times), make_dataset(repeated, np.repeat(y, times))

    pairs = zip(both(seed, 70, 1), both(seed + 1000, 50, 0), strict=True)
    weighted, many = ((rows, grow_tree(rows, options), judging) for rows, judging in pairs)
    for pruner in EVERY:
        if getattr(pruner, "alpha", 0.0) is None:
            continue  # folds are drawn by rows; those that are given have a test of their own
        one, other = (
            pruner.prune(tree, Material(rows=rows, validation=judging))
            for rows, tree, judging in (weighted, many)
        )
        assert np.array_equal(one.kind, other.kind), pruner
        assert np.array_equal(one.feature, other.feature), pruner
        # Parts of rows are cut to a unit, each row by itself.
        np.testing.assert_allclose(one.counts, other.counts, rtol=1e-12, atol=1e-12)


def test_weights_that_add_up_to_one_count_as_rows() -> None:
    """AdaBoost's weights: the tree is pruned as with weights of mean 1."""
    X, y = table(4, 64)
    weights = np.random.default_rng(0).integers(1, 4, 64) * 1.0
    weights *= 64 / weights.sum()
    plain = make_dataset(X, y, sample_weight=weights)
    tiny = make_dataset(X, y, sample_weight=weights / 2**20)
    for pruner in EVERY:
        if pruner.validation_wanted == "no":
            shapes = [pruner.prune(grow_tree(rows), Material(rows=rows)).feature for rows in (plain, tiny)]
            assert np.array_equal(*shapes), pruner


@settings(max_examples=25)
@given(grown_trees(max_leaf_nodes=7), st.data())
def test_reduced_error_finds_the_best_subtree_and_of_these_the_smallest(
    grown: tuple[Tree, Dataset], data: st.DataObject
) -> None:
    tree, _ = grown
    X, y = table(data.draw(st.integers(0, 999)), 25, tree.n_classes)
    rows = make_dataset(X, y)
    assume(rows.schema == tree.schema and rows.n_classes == tree.n_classes)

    def errors(pruned: Tree) -> int:
        assert pruned.counts is not None
        return int((pruned.counts[pruned.apply(rows.columns)].argmax(axis=1) != rows.target).sum())

    every = []
    for kept in rooted_subtrees(tree):
        cut = tree.collapse(leaves_of(tree, kept))
        every.append((errors(cut), cut.n_leaves))
    found = ReducedError().prune(tree, Material(validation=rows))
    assert (errors(found), found.n_leaves) == min(every)


@settings(max_examples=25)
@given(grown_trees(max_leaf_nodes=7))
def test_the_best_of_every_size_and_its_hull(grown: tuple[Tree, Dataset]) -> None:
    tree, _ = grown
    assert tree.counts is not None
    wrong = tree.counts.sum(axis=1) - tree.counts.max(axis=1)
    best = np.full(tree.n_leaves, np.inf)
    for kept in rooted_subtrees(tree):
        ends = leaves_of(tree, kept)
        best[len(ends) - 1] = min(best[len(ends) - 1], wrong[ends].sum())
    assert np.array_equal(size_risks(tree), best)
    for most in range(1, tree.n_leaves + 1):
        found = OptimalSize(max_leaves=most).prune(tree)
        assert found.counts is not None
        lost = (found.counts.sum(axis=1) - found.counts.max(axis=1))[found.is_leaf].sum()
        assert found.n_leaves <= most
        assert lost == best[:most].min()
        assert found.n_leaves == 1 + int(np.argmin(best[:most]))
    # For every price, the tree of the path is the smallest that minimises risk plus price.
    total = tree.weight[0]
    for price in np.unique(np.concatenate(([0.0], -np.diff(best[np.isfinite(best)])))):
        if price < 0:
            continue
        paid = best + price * np.arange(1, len(best) + 1)
        small = CostComplexity(alpha=price / total).prune(tree)
        assert small.n_leaves == 1 + int(np.flatnonzero(paid <= paid.min() + 1e-9)[0])


def test_a_multiway_tree() -> None:
    schema = Schema(
        (
            Column("colour", "categorical", "category", ("blue", "green", "red")),
            Column("x", "numeric", "float"),
        ),
        named=True,
    )
    weak = node(Threshold(1, 0.5, missing_branch=0), [leaf([5, 1]), leaf([4, 1])], score=0.001)
    root = node(
        Multiway(0, {0: 0, 1: 1, 2: 2}, missing_branch=0, unknown_branch=0),
        [weak, leaf([0, 9]), leaf([8, 0])],
        score=0.4,
    )
    tree = build_tree(root, schema, ["no", "yes"])
    for pruner in EVERY:
        if pruner.validation_wanted == "no":
            assert pruner.prune(tree).n_leaves == 3, pruner


def test_classes_that_the_rows_lack_keep_their_labels() -> None:
    X, y = table(1, 60, 3, noise=0.0)
    rows = make_dataset(X, y)
    tree = grow_tree(rows)
    few = rows.take(np.flatnonzero(y == 0)[:5])
    small = ReducedError().prune(tree, Material(validation=few))
    assert small.counts is not None
    assert small.counts.shape[1] == 3
    assert is_rooted_subtree(small, tree)


def test_what_means_nothing_for_numbers_is_refused() -> None:
    X, y = table(0)
    tree = grow_tree(make_dataset(X, y * 1.5, task="regression"))
    for pruner in EVERY:
        if not pruner.FOR_NUMBERS:
            with pytest.raises(ValueError, match="counts wrong answers, and a regression tree has none"):
                pruner.prune(tree)


@pytest.mark.parametrize(
    ("pruner", "allowed"),
    [
        (ReducedError(validation=0.0), r"'validation' .* \(0.0, 1.0\)"),
        (ErrorBased(confidence=1.0), r"'confidence' .* \(0.0, 1.0\)"),
        (ErrorBased(variant="c50"), "'variant' .*'weka', 'c45'"),
        (ErrorBased(subtree_raising="yes"), "a bool or the str 'auto'"),
        (CostComplexity(alpha=-1), r"'alpha' .* \[0.0, inf\)"),
        (CostComplexity(cv=1), r"'cv' .* \[2, inf\)"),
        (CostComplexity(rule="2se"), "'rule' .*'1se', 'min'"),
        (CostComplexity(risk="gini"), "'risk' .*'error', 'impurity'"),
        (MinimumError(m=-1), "'m' "),
        (CriticalValue(threshold=float("nan")), "'threshold' "),
        (OptimalSize(max_leaves=0), "'max_leaves' "),
        (SameAnswer(keep_proba=1), "'keep_proba' "),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_a_wrong_value_is_named_with_what_is_allowed(pruner: Pruner, allowed: str) -> None:
    X, y = table(0)
    with pytest.raises(ValueError, match=allowed):
        pruner.prune(grow_tree(make_dataset(X, y)))
