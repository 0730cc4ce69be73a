"""The Gini impurity.

The problem: how mixed is a node? The idea: draw two of its rows at random, with replacement; how often
do their classes differ? With class shares p that is

    G(p) = 1 - sum_k p_k^2                                        (Breiman et al. 1984, section 4.3.1)

It is zero for a pure node and at most 1 - 1/K, where all K classes are equally frequent. It is strictly
concave, so a split never increases it, and only a split that leaves every branch with the node's own
shares has gain zero.

With c_k the weight of class k and w their sum, w G = w - sum_k c_k^2 / w, so moving one row of weight v
and class k from right to left changes both sides' sums of squares by v (2 c_k + v) and v (v - 2 c_k):
constant time per row, whatever the number of classes. The core scans that way, and then evaluates the
winner once more from its exact counts, so that the answer does not depend on the order of the scan.

Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984.
"""

from __future__ import annotations

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats, shares


def impurity(counts: Floats) -> Floats:
    """The Gini impurity of weights per class; 0 where there is no weight.

    >>> float(impurity(np.array([2.0, 1.0, 1.0])))
    0.625
    """
    counts = np.asarray(counts, dtype=np.float64)
    one = (counts.sum(axis=-1) > 0).astype(np.float64)
    result: Floats = one - np.square(shares(counts)).sum(axis=-1)
    return result


def largest(n_classes: int) -> float:
    """1 - 1/K: all classes equally frequent.

    >>> largest(4)
    0.75
    """
    return 1.0 - 1.0 / n_classes


GINI = Criterion("gini", impurity, largest, "concave", "concave", core="gini")
