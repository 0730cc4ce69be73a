"""Counting rows anew at the nodes of a tree that spreads them.

Problem. A row without the tested value goes down every branch, in proportion to the weights of the rows
whose value is known. Growth with costs (:mod:`boxwood.grow.costs`) chooses splits under altered weights, and
these proportions are altered ones then. Everything that comes later (prediction, subtree raising, rules)
divides rows by the weights that the tree tells, which are the true ones, and would find other counts.

Idea. The splits stand; the rows go through them once more, by their true weights. The router says which nodes
each row passes: several children of one node where it is spread, one where its value is known. From the root
down, one level at a time, the known rows of each branch are added up, and the others divided in proportion.
Parts are cut to multiples of a unit, and what is left goes to the heaviest branch, as in growth
(`core/grow/spread/grid.hpp`), so that every sum is exact.

O(nodes passed by all rows).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood.data import Dataset
from boxwood.tree import Tree
from boxwood.tree.arrays import Floats, Int64s


class Recount(NamedTuple):
    """Per node: the weight of each class, and the number of rows that are there, in part or whole."""

    counts: Floats
    n_rows: Int64s


def recounted(tree: Tree, rows: Dataset) -> Recount:
    """What each node of a classification tree holds of some rows, spread by their own weights.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import GrowOptions, grow_tree
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [float("nan")]], ["no", "no", "yes", "yes"])
    >>> tree = grow_tree(dataset, GrowOptions(missing="fractional", max_depth=1))
    >>> recounted(tree, dataset).counts.round(2).tolist()
    [[2.0, 2.0], [2.0, 0.67], [0.0, 1.33]]
    """
    offset, node = tree._router().passed(list(rows.columns_under(tree.schema)))
    row = np.repeat(np.arange(rows.n_rows), np.diff(offset))
    # One entry for each node that a row passes; the entry of its parent, and the depth of the node.
    key = row * np.int64(tree.n_nodes) + node
    order = np.argsort(key, kind="stable")
    row, at, key = row[order], node[order].astype(np.int64), key[order]
    parent = tree.parent[at].astype(np.int64)
    above = np.searchsorted(key, row * np.int64(tree.n_nodes) + np.maximum(parent, 0))
    depth = tree.node_depth[at]
    fanned = np.bincount(above[parent >= 0], minlength=len(at)) > 1  # whether the row is spread there
    weight: Floats = np.where(parent < 0, rows.weights[row], 0.0)
    unit = _unit(float(rows.weights.sum()))
    for level in range(1, int(depth.max()) + 1):
        here = np.flatnonzero(depth == level)
        spread = fanned[above[here]]
        single, many = here[~spread], here[spread]
        weight[single] = weight[above[single]]
        if many.size:
            known: Floats = np.bincount(at[single], weight[single], tree.n_nodes).astype(np.float64)
            weight[many] = _parts(weight[above[many]], above[many], at[many], known, unit)
    n_classes = tree.n_classes
    there = weight > 0
    counts = np.bincount(at * n_classes + rows.target[row], weight, tree.n_nodes * n_classes)
    n_rows = np.bincount(at[there], minlength=tree.n_nodes).astype(np.int64)
    return Recount(counts.astype(np.float64).reshape(tree.n_nodes, n_classes), n_rows)


def _unit(total: float) -> float:
    """The unit that parts are cut to: the total has fewer than 2**53 of it."""
    return math.ldexp(1.0, max(math.frexp(total)[1] - 53, -1074))


def _parts(
    whole: Floats,
    owner: NDArray[np.int64],
    node: NDArray[np.int64],
    known: Floats,
    unit: float,
) -> Floats:
    """What each branch gets of the rows that go down all; those of a row (`owner`) are neighbours."""
    first = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
    entry = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(owner))))  # the row of each branch
    in_all = np.bincount(entry, known[node])
    parts: Floats = np.floor(whole * (known[node] / in_all[entry]) / unit) * unit
    # The heaviest branch, the first of equals, gets what is left.
    by_weight = np.lexsort((node, -known[node], entry))
    heaviest = by_weight[first]
    parts[heaviest] = 0.0
    parts[heaviest] = whole[heaviest] - np.bincount(entry, parts)
    return parts
