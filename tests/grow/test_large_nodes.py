"""Large nodes, where the core counts and sorts by other means than in small ones, against all cuts of every
column.

The reference is vectorised (`boxwood.search`), but looks at every cut that the limits allow, and not at
boundary points only.
"""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.criteria import CRITERIA
from boxwood.data import Dataset
from boxwood.search.missing import MISSING_MODES, is_missing
from boxwood.search.numeric import branch_counts, feasible_cuts, value_table
from boxwood.select import SELECTIONS
from boxwood.tree import Tree
from tests.grow.tables import dataset_of, grow_with
from tests.oracles.naive_split import Limits

N_ROWS = 30_000


def make_table(n_classes: int, weighted: bool, missing: float) -> Dataset:
    rng = np.random.default_rng(n_classes)
    columns = [
        rng.normal(size=N_ROWS),
        rng.integers(0, 3, N_ROWS).astype(float),
        np.round(rng.normal(size=N_ROWS), 1),
        rng.exponential(size=N_ROWS),
        rng.integers(0, 2000, N_ROWS).astype(float),
        np.where(rng.random(N_ROWS) < 0.95, 0.0, rng.normal(size=N_ROWS)),
    ]
    signal = columns[0] + 0.3 * columns[1] + (columns[2] > 1) * (columns[3] - 1)
    target = np.searchsorted(np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1]), signal)
    noise = rng.random(N_ROWS) < 0.3
    target[noise] = rng.integers(0, n_classes, noise.sum())
    for column in columns:
        column[rng.random(N_ROWS) < missing] = np.nan
    weights = rng.integers(1, 17, N_ROWS) / 16 if weighted else None
    return dataset_of(columns, target, weights, n_classes)


def best_of_column(dataset: Dataset, rows: np.ndarray, feature: int, limits: Limits) -> tuple[float, float]:
    """What the best split of a column wins by, and its score; NaN when there is none."""
    criterion = CRITERIA[limits.criterion]
    column, target, weights = dataset.columns[feature][rows], dataset.target[rows], dataset.weights[rows]
    gone = np.isnan(column)
    missing = np.bincount(target[gone], weights[gone], minlength=dataset.n_classes)
    table = value_table(column[~gone], target[~gone], weights[~gone], dataset.n_classes)
    present = branch_counts(table)
    arranged: list[np.ndarray] = []
    if not gone.any():
        arranged.append(present[feasible_cuts(table, limits.min_samples_leaf)])
    elif limits.missing == "branch" and gone.sum() >= limits.min_samples_leaf:
        feasible = feasible_cuts(table, limits.min_samples_leaf)
        arranged.append(MISSING_MODES["branch"](present, missing)[feasible, 0])
    else:
        both = MISSING_MODES["learn"](present, missing)
        for way, extra in enumerate([(0, int(gone.sum())), (int(gone.sum()), 0)]):
            arranged.append(both[feasible_cuts(table, limits.min_samples_leaf, extra_rows=extra), way])
    if min(gone.sum(), (~gone).sum()) >= limits.min_samples_leaf:
        arranged.append(is_missing(table.counts.sum(axis=0), missing))
    best = (np.nan, np.nan)
    for branches in arranged:
        if len(branches):
            merits = (criterion.split_score or criterion.gain)(branches)
            at = int(np.argmax(merits))
            if np.isnan(best[0]) or merits[at] > best[0]:
                best = float(merits[at]), float(criterion.score(branches)[at])
    return best


def check_nodes(tree: Tree, dataset: Dataset, limits: Limits, n_nodes: int) -> None:
    """The largest split nodes and a sample of the others."""
    passed = tree.decision_path(dataset.columns).tocsc()
    splits = np.flatnonzero(tree.kind > 0)
    by_size = splits[np.argsort(-tree.n_rows[splits], kind="stable")]
    sample = np.random.default_rng(0).choice(by_size[n_nodes // 2 :], n_nodes // 2, replace=False)
    for node in (*by_size[: n_nodes // 2], *sample):
        rows = passed.indices[passed.indptr[node] : passed.indptr[node + 1]]
        assert len(rows) == tree.n_rows[node]
        offers = np.array([best_of_column(dataset, rows, j, limits) for j in range(len(dataset.columns))])
        criterion = CRITERIA[limits.criterion]
        chosen = SELECTIONS[criterion.selection](offers[:, 0], offers[:, 1], float(tree.impurity[node]))
        assert tree.score[node] == pytest.approx(offers[chosen, 1], abs=1e-9)
        assert tree.feature[node] == chosen


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    ("n_classes", "weighted", "missing", "mode"),
    [
        (2, False, 0.0, "learn"),
        (2, True, 0.1, "learn"),
        (3, False, 0.05, "branch"),
        (7, False, 0.0, "learn"),
        (7, True, 0.1, "branch"),
    ],
)
def test_every_split_is_the_best(
    criterion: str, n_classes: int, weighted: bool, missing: float, mode: str
) -> None:
    dataset = make_table(n_classes, weighted, missing)
    limits = Limits(criterion=criterion, missing=mode, min_samples_leaf=5)
    tree = grow_with(dataset, limits, n_threads=2)
    check_nodes(tree, dataset, limits, n_nodes=16)
    assert grow_with(dataset, limits) == tree
