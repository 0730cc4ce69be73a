"""Rows through a tree: what every node, were it a leaf, would lose on rows that were not used to grow it.

The rows are routed once, to where they end. From there, class weights are added up towards the root in one
pass; numbers, whose loss does not add up, walk up with their rows, one level at a time.

A row may end at an inner node (`STOP`), whose answer it gets for as long as the node is there; what such
rows lose is kept apart, since pruning below the node does not change it. Where the tree asks for an error at
an unknown category, such a row is taken to stop: a row for validation is not a mistake of the user. Rows
that are spread over several branches count at each end with their share.

O(rows * depth + nodes).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood._core import add_up
from boxwood.data import Dataset
from boxwood.tree import ERROR, STOP, Tree
from boxwood.tree.answers import answering_classes
from boxwood.tree.arrays import Floats


@dataclass(frozen=True, eq=False)
class Losses:
    """Per node: what it loses as a leaf on all rows that come to it, and on those that end there anyway."""

    as_leaf: Floats
    ending: Floats


def ends_of(
    tree: Tree, rows: Dataset, n_threads: int = 1
) -> tuple[NDArray[np.intp], NDArray[np.int32], Floats]:
    """Where rows end: their numbers, the nodes, and the weights that they bring."""
    if tree._may_refuse():
        tree = without_errors(tree)
    if tree.spreads:
        row, node, share = tree.ends(rows.columns_under(tree.schema), n_threads)
        return row, node, share * rows.weights[row]
    return np.arange(rows.n_rows), tree.apply(rows.columns_under(tree.schema), n_threads), rows.weights


def without_errors(tree: Tree) -> Tree:
    """The same tree, in which an unknown category ends at the node instead of being an error."""
    fields = tree._fields()
    fields["unknown_branch"] = np.where(tree.unknown_branch == ERROR, np.int32(STOP), tree.unknown_branch)
    return Tree._make(**fields)


def losses(
    tree: Tree, rows: Dataset, costs: Floats | None = None, n_threads: int = 1, *, power: int = 1
) -> Losses:
    """What each node loses on some rows: their weight where it is wrong, or cost, or distance.

    With ``power=2`` the squares of what each row loses are summed.
    """
    row, node, weight = ends_of(tree, rows, n_threads)
    if tree.counts is None:
        return _losses_of_numbers(tree, rows.target[row].astype(np.float64), node, weight, power)
    k = tree.n_classes
    flat: Floats = np.bincount(node * np.int64(k) + rows.target[row], weight, tree.n_nodes * k).astype(
        np.float64
    )
    ending = flat.reshape(tree.n_nodes, k)
    coming = add_up(tree.first_child, tree.n_children, ending)
    answers = answering_classes(tree)
    if costs is None:
        every = np.arange(tree.n_nodes)
        as_leaf, stopped = (table.sum(axis=1) - table[every, answers] for table in (coming, ending))
    else:
        price = costs.T[answers] ** power  # what each class costs at each node
        as_leaf, stopped = ((table * price).sum(axis=1) for table in (coming, ending))
    return Losses(as_leaf, np.where(tree.is_leaf, 0.0, stopped))


def _losses_of_numbers(tree: Tree, y: Floats, node: NDArray[np.int32], weight: Floats, power: int) -> Losses:
    assert tree.answer is not None
    as_leaf = np.zeros(tree.n_nodes)
    stopped = None
    parent = tree.parent
    while node.size:
        lost = weight * number_loss(tree.criterion, y, tree.answer[node]) ** power
        as_leaf += (found := np.bincount(node, lost, tree.n_nodes))
        stopped = found if stopped is None else stopped
        node = parent[node]
        on = node >= 0
        node, y, weight = node[on], y[on], weight[on]
    ending = np.zeros(tree.n_nodes) if stopped is None else np.where(tree.is_leaf, 0.0, stopped)
    return Losses(as_leaf, ending)


def number_loss(criterion: str, y: Floats, answer: Floats) -> Floats:
    """What an answer to a number loses under a criterion of regression trees.

    >>> number_loss("absolute_error", np.array([3.0]), np.array([5.0]))
    array([2.])
    """
    loss: Floats
    if criterion == "absolute_error":
        loss = np.abs(y - answer)
    elif criterion == "poisson":
        safe = np.maximum(answer, np.finfo(np.float64).tiny)
        ratio = np.where(y > 0, y, 1.0) / safe
        loss = np.where(y > 0, y * np.log(ratio), 0.0) - y + safe
    else:
        loss = (y - answer) ** 2
    return loss
