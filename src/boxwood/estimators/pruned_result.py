"""What a proof says about a tree that was pruned after the search.

The lower bound is about the search space, and holds whatever is done to the tree that was found. The
objective is about one tree, and is counted anew, in the solver's whole numbers. Where the two do not meet
any more, the status is "pruned": the tree is not the best one, and by how much it is not, at most, is the
gap.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from boxwood.data import Dataset
from boxwood.optimal import Result
from boxwood.optimal.scale import make_scale
from boxwood.tree import Tree

if TYPE_CHECKING:
    from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier

PRUNED = "pruned"


def result_of_pruned(model: OptimalTreeClassifier, tree: Tree, training: Dataset | None) -> Result:
    """The result with another tree on the same rows; without the rows, only where each weighs 1."""
    assert tree.counts is not None
    if training is None and not np.array_equal(tree.n_rows, tree.weight):
        raise ValueError(
            f"{type(model).__name__} was fitted with weights, and what a pruned tree costs is counted on its "
            "rows: fit it with pruning=... instead, or prune its tree_."
        )
    costs = None if model.cost_matrix is None else np.array(model.cost_matrix, dtype=np.float64)
    weights = np.ones(int(tree.n_rows[0])) if training is None else training.weights
    scale = make_scale(weights, costs, float(model.complexity))
    leaves = np.flatnonzero(tree.is_leaf)
    if training is None or scale.weights is None:
        counts = np.rint(tree.counts[leaves]).astype(np.int64)
    else:
        counts = np.zeros((tree.n_nodes, tree.n_classes), dtype=np.int64)
        place = tree.apply(training.columns) * np.int64(tree.n_classes) + training.target.astype(np.int64)
        np.add.at(counts.reshape(-1), place, scale.weights)
        counts = counts[leaves]
    if scale.costs is None:
        paid = counts.sum(axis=1) - counts.max(axis=1)
    else:
        paid = (counts @ scale.costs).min(axis=1)
    objective = scale.real(scale.weight_unit * int(paid.sum()) + scale.leaf_cost * len(leaves), len(leaves))
    old = model.result_
    status = old.status
    most = model.max_gap if status == "gap" else 0.0
    if status in ("optimal", "gap") and objective - old.lower_bound > most + 1e-9 * max(1.0, objective):
        status = PRUNED
    return replace(old, tree=tree, objective=objective, status=status)
