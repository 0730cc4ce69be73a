"""Subtree raising: a branch takes the place of its parent, with all of its rows.

The work is done in the core (`core/pruning/raising.hpp`), on the rows that the tree was grown on; here its
answer is made a tree. Nodes keep the splits that they had. What they know of their rows is counted anew
where rows have moved: rows, weights, class counts, impurities, and with costs the answers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from boxwood._core import prune_and_raise
from boxwood.criteria import get_criterion
from boxwood.data import Dataset
from boxwood.data.weights import cost_prices
from boxwood.pruning.ledger import class_sizes
from boxwood.pruning.pruner import Material
from boxwood.tree import Tree
from boxwood.tree.answers import ANSWER, answering_classes, cheapest_classes, heaviest_classes
from boxwood.tree.arrays import Floats
from boxwood.tree.edit import rearranged


def pruned_and_raised(
    tree: Tree,
    rows: Dataset,
    material: Material,
    *,
    confidence: float,
    z: float,
    weka: bool,
    slack: float,
    tie: float,
) -> Tree:
    """The tree after error-based pruning with subtree raising."""
    assert tree.counts is not None
    sizes, losses = class_sizes(tree, material)
    try:
        found: dict[str, Any] = prune_and_raise(
            tree._router(),
            tree.first_child,
            tree.n_children,
            list(rows.columns_under(tree.schema)),
            np.ascontiguousarray(rows.target, dtype=np.int32),
            None if rows.unit_weights else np.ascontiguousarray(rows.weights),
            tree.counts,
            tree.n_rows,
            spreads=tree.spreads,
            confidence=confidence,
            z=z,
            weka=weka,
            slack=slack,
            size=sizes,
            losses=None if losses is None else np.ascontiguousarray(losses),
            tie=tie,
            n_threads=material.n_threads,
        )
    except ValueError as error:
        raise ValueError(
            f"subtree raising: {error}. Give the rows (X, y, sample_weight) that it was fitted with, or use "
            "subtree_raising=False."
        ) from error
    source, leaf = found["source"], found["leaf"].astype(bool)
    if not found["n_raised"]:
        if len(source) == tree.n_nodes:
            return tree
        return rearranged(tree, source, leaf)
    changed = np.flatnonzero(found["changed"])
    counts: Floats = found["counts"]
    weight = np.where(found["changed"], counts.sum(axis=1), tree.weight[source])
    impurity = tree.impurity[source]
    impurity[changed] = _impurities(tree, counts[changed], material)
    made = rearranged(
        tree, source, leaf, counts=counts, weight=weight, n_rows=found["n_rows"], impurity=impurity
    )
    if material.costs is not None:
        return made.with_extra(ANSWER, cheapest_classes(made, material.costs))
    if ANSWER in made.extra:  # which decides ties, where rows have not moved
        return made.with_extra(
            ANSWER, np.where(found["changed"], heaviest_classes(made), answering_classes(made))
        )
    return made


def _impurities(tree: Tree, counts: Floats, material: Material) -> Floats:
    """The impurities of nodes, as growing measures them."""
    assert tree.counts is not None
    impurity = material.impurity
    if impurity is None:
        try:
            impurity = get_criterion(tree.criterion, tree.n_classes).impurity
        except ValueError:
            raise ValueError(
                f"subtree raising needs the impurity of nodes that get other rows, and {tree.criterion!r}, "
                "by which the tree was grown, is not known by name: use subtree_raising=False, or prune "
                "inside fit."
            ) from None
    if material.costs is None:
        return impurity(counts)
    priced = counts * cost_prices(material.costs, tree.counts[0])
    result: Floats = impurity(priced) * (priced.sum(axis=1) / counts.sum(axis=1))
    return result
