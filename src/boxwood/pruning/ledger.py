"""What each node would cost as a leaf: how many rows it has, and how many it answers wrongly.

Every error-based pruner reads these two columns and no other. They are in *rows*: class weights and sample
weights count, but where the weights add up to less than the number of rows (AdaBoost's add up to 1), they
are first multiplied so that their mean is 1, since a confidence limit on half a row means nothing.

With a cost matrix, an error counts what it costs. So that a node still has a number of rows, and no more
errors than rows, costs enter as altered priors (Breiman et al. 1984, section 4.4): a row of class i weighs
as much as the sum of its costs, ``C(i) = sum_j cost[i, j]``, all multiplied so that the total stays; an
answer j to it is ``cost[i, j] / C(i)`` of an error. With equal costs and two classes that is the plain
count. Costs are those beyond the cheapest answer to a class (`boxwood.data.weights.regrets`), which is no
error at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxwood._core import add_up
from boxwood.data.weights import cost_prices
from boxwood.pruning.pruner import Material
from boxwood.tree import Tree
from boxwood.tree.answers import answering_classes
from boxwood.tree.arrays import Floats


@dataclass(frozen=True, eq=False)
class Ledger:
    """Per node: the number of rows, how many of them its answer gets wrong, and the rows of each class."""

    size: Floats
    errors: Floats
    counts: Floats


def weight_scale(tree: Tree, material: Material) -> float:
    """What a unit of weight counts as: the given scale, or what makes the mean weight at least 1.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> weight_scale(build_tree(leaf([0.75, 0.25], n_rows=8), schema, ["a", "b"]), Material())
    8.0
    """
    if material.scale is not None:
        return material.scale
    n_rows, weight = float(tree.n_rows[0]), float(tree.weight[0])
    return 1.0 if weight >= n_rows else n_rows / weight


def class_sizes(tree: Tree, material: Material) -> tuple[Floats, Floats | None]:
    """What a unit of weight of each class counts as, and the costs of answers in the same unit."""
    assert tree.counts is not None
    scale = weight_scale(tree, material)
    if material.costs is None:
        return np.full(tree.n_classes, scale), None
    prices = cost_prices(material.costs, tree.counts[0]) * scale
    return prices, prices[:, np.newaxis] * error_shares(material.costs)


def error_shares(costs: Floats) -> Floats:
    """What share of an error each answer is for each class; 0 for a class whose answers all cost the same.

    >>> error_shares(np.array([[0.0, 1.0, 3.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]))
    array([[0.  , 0.25, 0.75],
           [0.5 , 0.  , 0.5 ],
           [0.  , 0.  , 0.  ]])
    """
    sums = costs.sum(axis=1, keepdims=True)
    shares: Floats = costs / np.where(sums > 0, sums, 1.0)
    return shares


def ledger(tree: Tree, material: Material) -> Ledger:
    """The columns of a classification tree.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> read = ledger(build_tree(leaf([6, 2]), schema, ["a", "b"]), Material())
    >>> read.size, read.errors
    (array([8.]), array([2.]))
    """
    assert tree.counts is not None
    sizes, losses = class_sizes(tree, material)
    counts: Floats = tree.counts * sizes
    answers = answering_classes(tree)
    size: Floats = counts.sum(axis=1)
    every = np.arange(tree.n_nodes)
    errors: Floats
    if losses is None:
        errors = size - counts[every, answers]
    else:
        errors = (tree.counts @ losses)[every, answers]
    return Ledger(size, errors, counts)


def below(tree: Tree, values: Floats) -> Floats:
    """For each node, the sum of `values` over the leaves below it (its own for a leaf)."""
    at_leaves = np.where(tree.is_leaf, values, 0.0)
    return add_up(tree.first_child, tree.n_children, at_leaves[:, np.newaxis])[:, 0]


def leaf_risk(tree: Tree, material: Material) -> Floats:
    """What each node costs as a leaf, in units of weight: wrong answers, or for numbers the spread around the
    answer under the tree's criterion.
    """
    if tree.counts is None:
        return tree.weight * tree.impurity
    answers = answering_classes(tree)
    every = np.arange(tree.n_nodes)
    risk: Floats
    if material.costs is None:
        risk = tree.counts.sum(axis=1) - tree.counts[every, answers]
    else:
        risk = (tree.counts @ material.costs)[every, answers]
    return risk
