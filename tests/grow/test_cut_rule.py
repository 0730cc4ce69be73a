"""The cut rule in growth: what it leaves out is never the best, for any criterion.

Every split node of a grown tree is a trial: its score must equal the best score among all cuts of all
columns that the minimum leaf size allows, evaluated one after the other from their counts. Under gain ratio,
which compares columns and not cuts, the cut must have the best gain of its column, and the tree must be the
one that is grown with all cuts; so must it be where cells are missing, and each cut is two or three.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from boxwood.criteria import CRITERIA, Criterion, Impurity, get_criterion
from boxwood.data import Dataset
from boxwood.grow import GrowOptions, grow
from boxwood.tree import Tree
from tests.criteria.user_functions import OF_SHARE, OF_SHARES
from tests.grow.tables import dataset_of

TRIALS = 10_000
pytestmark = pytest.mark.slow
NAMED = (*CRITERIA, "tsallis(0.4)", "tsallis(3)", "tsallis(1)")
DOZEN = (
    *("sqrt", "tenth_root", "where_shannon", "capped", "identity", "square"),
    *("odds", "expm1", "steep_at_the_end", "s_curve", "ripples", "three_pieces"),
)
USER = {name: OF_SHARE[name].impurity for name in DOZEN}
VECTORS = {name: OF_SHARES[name].impurity for name in ("roots", "last_counts_double")}
WITH_GAPS = {**{name: name for name in NAMED}, "sqrt": USER["sqrt"], "square": USER["square"], **VECTORS}


class Trial(NamedTuple):
    dataset: Dataset
    options: GrowOptions
    min_samples_leaf: int
    min_weight_leaf: float


def random_trial(rng: np.random.Generator, criterion: str | Impurity, gaps: float = 0.0) -> Trial:
    """A small table with ties, 2 to 6 classes, perhaps weights, minimum leaf sizes and missing cells."""
    n_rows, n_classes = int(rng.integers(4, 70)), int(rng.choice([2, 2, 2, 3, 4, 6]))
    spreads = rng.choice([3.0, 12.0, 1e6], rng.integers(1, 4))
    columns = [np.round(rng.normal(size=n_rows) * spread) for spread in spreads]
    signal = columns[0].argsort().argsort() * n_classes // n_rows
    target = np.where(rng.random(n_rows) < rng.random(), rng.integers(0, n_classes, n_rows), signal)
    weights = rng.integers(1, 9, n_rows) / 4 if rng.random() < 0.4 else None
    min_samples_leaf = int(rng.choice([1, 1, 2, 5]))
    min_weight_leaf = float(rng.choice([0.0, 0.0, 2.5]))
    options = GrowOptions(
        criterion=criterion, min_samples_leaf=min_samples_leaf, min_weight_leaf=min_weight_leaf, max_depth=6
    )
    if gaps:
        columns = [np.where(rng.random(n_rows) < gaps, np.nan, column) for column in columns]
        options = replace(options, missing=str(rng.choice(["learn", "branch"])))
    dataset = dataset_of(columns, target, weights, n_classes)
    return Trial(dataset, options, min_samples_leaf, min_weight_leaf)


def allowed_cuts(trial: Trial, rows: np.ndarray, columns: Sequence[np.ndarray]) -> np.ndarray:
    """The class weights of both sides of all allowed cuts of some columns at a node."""
    one_hot = np.zeros((len(rows), trial.dataset.n_classes))
    one_hot[np.arange(len(rows)), trial.dataset.target[rows]] = trial.dataset.weights[rows]
    node = one_hot.sum(axis=0)
    values = np.stack(columns, axis=1)[rows]
    order = values.argsort(axis=0, kind="stable")
    values = np.take_along_axis(values, order, axis=0)
    left = one_hot[order].cumsum(axis=0)[:-1]  # cut, column, class
    weight, n_left = left.sum(axis=2), np.arange(1, len(rows))
    allowed = values[:-1] < values[1:]
    allowed &= (np.minimum(n_left, len(rows) - n_left) >= trial.min_samples_leaf)[:, np.newaxis]
    allowed &= np.minimum(weight, node.sum() - weight) >= trial.min_weight_leaf
    return np.stack([left[allowed], node - left[allowed]], axis=1)


def check(trial: Trial, criterion: Criterion) -> tuple[int, int, int]:
    """Check every node; returns how many split nodes, cuts and evaluated cuts there were."""
    growth = grow(trial.dataset, trial.options)
    tree = growth.tree
    assert growth.n_cuts_evaluated <= growth.n_cuts
    if criterion.rank is not None:
        assert tree == all_cuts(trial)
    rows_at = {0: np.arange(trial.dataset.n_rows)}
    found: list[float] = []
    cuts: list[np.ndarray] = []  # by split node
    for node in range(tree.n_nodes):
        rows = rows_at.pop(node)
        if tree.kind[node] == 0:
            continue
        left = trial.dataset.columns[tree.feature[node]][rows] <= tree.threshold[node]
        rows_at[int(tree.first_child[node])] = rows[left]
        rows_at[int(tree.first_child[node]) + 1] = rows[~left]
        columns = trial.dataset.columns
        if criterion.rank is not None:  # gain ratio: the best gain of the column
            columns = columns[tree.feature[node] :][:1]
            below = tree.counts[tree.children(node)]
            found.append(float(criterion.gain(below[np.newaxis])[0]))
        else:
            found.append(float(tree.score[node]))
        cuts.append(allowed_cuts(trial, rows, columns))
        assert len(cuts[-1]) > 0
    if cuts:
        merit = criterion.split_score or criterion.gain
        starts = np.cumsum([0, *(len(some) for some in cuts[:-1])])
        best = np.maximum.reduceat(merit(np.concatenate(cuts)), starts)
        for one, other in zip(found, best.tolist(), strict=True):
            assert math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-11)
    return len(found), growth.n_cuts, growth.n_cuts_evaluated


def all_cuts(trial: Trial) -> Tree:
    """The tree of a trial, when no cut is left out."""
    growth = grow(trial.dataset, replace(trial.options, cuts="all"))
    assert growth.n_cuts_evaluated == growth.n_cuts
    return growth.tree


def check_many(criterion: str | Impurity) -> tuple[int, int]:
    rng = np.random.default_rng(7)
    trials = cuts = evaluated = 0
    while trials < TRIALS:
        trial = random_trial(rng, criterion)
        found = check(trial, get_criterion(criterion, trial.dataset.n_classes))
        trials, cuts, evaluated = trials + found[0], cuts + found[1], evaluated + found[2]
    return cuts, evaluated


@pytest.mark.parametrize("name", NAMED)
def test_named_criteria(name: str) -> None:
    cuts, evaluated = check_many(name)
    assert evaluated < 0.95 * cuts


@pytest.mark.filterwarnings("ignore:impurity")
@pytest.mark.parametrize("name", [*USER, *VECTORS])
def test_user_functions(name: str) -> None:
    check_many({**USER, **VECTORS}[name])


@pytest.mark.filterwarnings("ignore:impurity")
@pytest.mark.parametrize("name", WITH_GAPS)
def test_with_missing_values_the_tree_is_that_of_all_cuts(name: str) -> None:
    rng = np.random.default_rng(8)
    trials = left_out = 0
    while trials < TRIALS // 4:
        trial = random_trial(rng, WITH_GAPS[name], gaps=0.2)
        growth = grow(trial.dataset, trial.options)
        assert growth.tree == all_cuts(trial)
        trials += int((growth.tree.kind != 0).sum())
        left_out += growth.n_cuts - growth.n_cuts_evaluated
    assert left_out > 0
