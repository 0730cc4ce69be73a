"""The cut rule in growth: what it leaves out is never the best, for any criterion.

Every split node of a grown tree is a trial: its score must equal the best score among all cuts of all
columns that the minimum leaf size allows, evaluated one after the other from their counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from boxwood.criteria import CRITERIA, Criterion, Impurity, get_criterion
from boxwood.data import Dataset
from boxwood.grow import GrowOptions, grow
from tests.criteria.user_functions import OF_SHARE
from tests.grow.tables import dataset_of

TRIALS = 10_000
pytestmark = pytest.mark.slow
NAMED = (*CRITERIA, "tsallis(0.4)", "tsallis(3)", "tsallis(1)")
DOZEN = (
    *("sqrt", "tenth_root", "where_shannon", "capped", "identity", "square"),
    *("odds", "expm1", "steep_at_the_end", "s_curve", "ripples", "three_pieces"),
)
USER = {name: OF_SHARE[name].impurity for name in DOZEN}


class Trial(NamedTuple):
    dataset: Dataset
    options: GrowOptions
    min_samples_leaf: int
    min_weight_leaf: float


def random_trial(rng: np.random.Generator, criterion: str | Impurity) -> Trial:
    """A small table with ties, 2 to 6 classes, perhaps weights and minimum leaf sizes."""
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
    dataset = dataset_of(columns, target, weights, n_classes)
    return Trial(dataset, options, min_samples_leaf, min_weight_leaf)


def best_score(trial: Trial, rows: np.ndarray, criterion: Criterion) -> float:
    """The best score of all allowed cuts at a node. Gain ratios are not for this."""
    weights, target = trial.dataset.weights[rows], trial.dataset.target[rows]
    one_hot = np.zeros((len(rows), trial.dataset.n_classes))
    one_hot[np.arange(len(rows)), target] = weights
    node = one_hot.sum(axis=0)
    tables = []
    for column in trial.dataset.columns:
        values = column[rows]
        order = values.argsort(kind="stable")
        cuts = np.flatnonzero(np.diff(values[order]) > 0)
        left = one_hot[order].cumsum(axis=0)[cuts]
        allowed = (cuts + 1 >= trial.min_samples_leaf) & (len(rows) - cuts - 1 >= trial.min_samples_leaf)
        allowed &= left.sum(axis=1) >= trial.min_weight_leaf
        allowed &= node.sum() - left.sum(axis=1) >= trial.min_weight_leaf
        tables.append(np.stack([left, node - left], axis=1)[allowed])
    branches = np.concatenate(tables)
    merit = criterion.split_score or criterion.gain
    return float(merit(branches).max()) if len(branches) else -np.inf


def check(trial: Trial, criterion: Criterion) -> tuple[int, int, int]:
    """Check every node; returns how many split nodes, cuts and evaluated cuts there were."""
    growth = grow(trial.dataset, trial.options)
    tree = growth.tree
    assert growth.n_cuts_evaluated <= growth.n_cuts
    rows_at = {0: np.arange(trial.dataset.n_rows)}
    trials = 0
    for node in range(tree.n_nodes):
        rows = rows_at.pop(node)
        if tree.kind[node] == 0:
            continue
        trials += 1
        left = trial.dataset.columns[tree.feature[node]][rows] <= tree.threshold[node]
        rows_at[int(tree.first_child[node])] = rows[left]
        rows_at[int(tree.first_child[node]) + 1] = rows[~left]
        if criterion.rank is not None:
            continue
        best = best_score(trial, rows, criterion)
        assert tree.score[node] == pytest.approx(best, rel=1e-9, abs=1e-11)
    return trials, growth.n_cuts, growth.n_cuts_evaluated


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
@pytest.mark.parametrize("name", USER)
def test_user_functions(name: str) -> None:
    check_many(USER[name])
