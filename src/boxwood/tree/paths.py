"""The way of each row through a tree, from where it ends back to the root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from boxwood.tree.arrays import Int32s, Int64s

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree


def decision_path(tree: Tree, ends: Int32s) -> Any:
    """The nodes passed by rows that end at `ends`, as an indicator matrix; see `Tree.decision_path`.

    All rows climb together, one level at a time, writing from the back of their part of the result. Parents
    have lower numbers than their children, so the indices of a row come out sorted.
    """
    from scipy.sparse import csr_matrix

    lengths = tree.node_depth[ends].astype(np.int64) + 1
    starts = np.concatenate(([0], np.cumsum(lengths)))
    passed = np.empty(starts[-1], dtype=np.int64)
    nodes, places = ends.astype(np.int64), starts[1:] - 1
    while nodes.size:
        passed[places] = nodes
        nodes = tree.parent[nodes].astype(np.int64)
        going = nodes >= 0
        nodes, places = nodes[going], places[going] - 1
    ones = np.ones(passed.size, dtype=np.int64)
    return csr_matrix((ones, passed, starts), shape=(ends.size, tree.n_nodes))


def all_paths(offset: Int64s, passed: Int32s, n_nodes: int) -> Any:
    """The nodes passed by rows that may go down several branches: those of row i begin at ``offset[i]``.

    >>> all_paths(np.array([0, 2]), np.array([0, 2], dtype=np.int32), n_nodes=3).toarray()
    array([[1, 0, 1]])
    """
    from scipy.sparse import csr_matrix

    ones = np.ones(passed.size, dtype=np.int64)
    return csr_matrix((ones, passed.astype(np.int64), offset), shape=(offset.size - 1, n_nodes))
