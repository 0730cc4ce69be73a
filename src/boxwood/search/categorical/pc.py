"""Prefixes of the principal order: ``categorical_split="pc"``.

Each category is a point: its class shares, centred at the shares of the node and weighted by the category's
weight. Sort the points along their principal direction, the leading eigenvector of their covariance, and try
the V - 1 prefixes. A heuristic, good in practice; for two classes it is the exact order by class share. The
core finds the direction by power iteration without forming the K x K matrix, O(entries of the table) per
step, so neither many categories nor many classes hurt.

Reference: D. Coppersmith, S. J. Hong, J. Hosking, Partitioning nominal attributes in decision trees, Data
Mining and Knowledge Discovery 3 (1999) 197-217.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria.criterion import shares
from boxwood.search.categorical.groupings import groupings


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node."""
    return groupings(counts, "pc")


def order_by_principal_direction(counts: NDArray[np.float64]) -> NDArray[np.intp]:
    """The categories by their coordinate along the principal direction of their class shares.

    >>> counts = np.array([[9.0, 1.0, 0.0], [1.0, 9.0, 0.0], [5.0, 4.0, 1.0]])
    >>> order = order_by_principal_direction(counts).tolist()
    >>> order in ([0, 2, 1], [1, 2, 0])
    True
    """
    weight = counts.sum(axis=1)
    centred = shares(counts) - shares(counts.sum(axis=0))
    _, directions = np.linalg.eigh((centred * weight[:, np.newaxis]).T @ centred)
    return np.argsort(centred @ directions[:, -1], kind="stable")
