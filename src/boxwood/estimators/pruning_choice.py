"""The arguments ``pruning`` and ``cost_matrix`` of estimators, and what they tell a pruner."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.data.weights import regrets
from boxwood.estimators.parameters import NONE, Rule, one_of
from boxwood.pruning import PRUNERS, Pruner
from boxwood.tree import Tree

PRUNING: tuple[Rule, ...] = (
    one_of(*PRUNERS),
    Rule("a pruner of boxwood.pruning", lambda value: isinstance(value, Pruner)),
    NONE,
)


def make_pruner(pruning: str | Pruner) -> Pruner:
    """The pruner of that name with its defaults, or the given one.

    >>> make_pruner("ebp")
    ErrorBased()
    """
    if isinstance(pruning, Pruner):
        return pruning
    if pruning not in PRUNERS:
        raise ValueError(
            f"{pruning!r} is no method of pruning; there are {', '.join(map(repr, PRUNERS))}; or give a "
            "pruner of boxwood.pruning"
        )
    return PRUNERS[pruning]()


def class_scale(tree: Tree, class_weight: Any) -> float | None:
    """What makes class weights keep the total weight, where formulas need a number of rows.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> class_scale(build_tree(leaf([10, 30], n_rows=20), schema, ["a", "b"]), {"b": 3.0})
    0.5
    """
    if not isinstance(class_weight, Mapping) or tree.counts is None or tree.classes is None:
        return None
    factor = np.array([class_weight.get(label, 1.0) for label in tree.classes.tolist()], dtype=np.float64)
    there = tree.counts[0] > 0
    plain = float((tree.counts[0][there] / factor[there]).sum())
    return max(plain, float(tree.n_rows[0])) / float(tree.weight[0])


def check_cost_matrix(cost_matrix: Any, classes: NDArray[Any]) -> NDArray[np.float64]:
    """What answers cost beyond the cheapest one to the same class, one row and one column per class.

    >>> check_cost_matrix([[0, 1], [6, 1]], np.array(["well", "ill"]))
    array([[0., 1.],
           [5., 0.]])
    """
    k = len(classes)
    try:
        costs = np.array(cost_matrix, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"cost_matrix must be a table of numbers with a row and a column for each of the {k} classes: "
            f"{error}"
        ) from error
    if costs.shape != (k, k):
        raise ValueError(
            f"cost_matrix has the shape {costs.shape}, and must have ({k}, {k}): a row for each true class, "
            "a column for each answer, in the order of the sorted labels"
        )
    if not (np.isfinite(costs).all() and (costs >= 0).all()):
        raise ValueError("cost_matrix must hold finite numbers that are not negative")
    return regrets(costs)


def refuse_free_classes(costs: NDArray[np.float64], classes: NDArray[Any]) -> None:
    """Raise for a class to which all answers cost the same: its rows would weigh nothing in growing."""
    free = costs.sum(axis=1) == 0
    if free.any() and len(classes) > 1:
        raise ValueError(
            f"cost_matrix: all answers to the class {classes[free].tolist()[0]!r} cost the same. Growing "
            "weighs rows by what wrong answers to them cost, and the rows of this class would weigh nothing: "
            "leave them out, or give its row of the matrix different costs. (OptimalTreeClassifier, which "
            "weighs costs themselves, takes such a matrix.)"
        )
