"""The classification error: one minus the majority share.

The problem: how mixed is a node? The idea: how often would it be wrong if it answered with its most
frequent class? With class shares p that is

    E(p) = 1 - max_k p_k                           (Breiman et al. 1984, section 4.1; Ji et al. 2013, (3))

zero for a pure node and at most 1 - 1/K. It is what a tree is judged by in the end, and a poor guide on
the way there: it is linear wherever the majority class stays the same, so every split that leaves the
majority of both branches as it was has gain exactly zero, however much it sorts.

With two classes it is f(x) = x on the smaller share x in [0, 1/2], and f'' = 0: between two boundary points
the weighted error of a cut is constant on stretches or peaks once, and boundary points suffice. With more,
1 - max is one minus the largest of linear functions and so concave, and the same rule holds.

With c_k the weight of class k and w their sum, w E = w - max_k c_k: exact whenever the weights are.

What we changed: nothing. Another name for it is "purity".

References: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984; H.-Y. Ji,
X.-Z. Wang, Y.-L. He, W.-L. Li, A study on relationships between heuristics and optimal cuts in decision tree
induction, 2013 (where the two cases of its two-class form are printed the wrong way round: it is p below one
half and 1 - p above).
"""

from __future__ import annotations

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats


def impurity(counts: Floats) -> Floats:
    """The classification error of weights per class; 0 where there is no weight.

    >>> float(impurity(np.array([2.0, 1.0, 1.0])))
    0.5
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1)
    others = total - counts.max(axis=-1)
    result: Floats = np.divide(others, total, out=np.zeros_like(total), where=total > 0)
    return result


def largest(n_classes: int) -> float:
    """1 - 1/K: all classes equally frequent.

    >>> largest(4)
    0.75
    """
    return 1.0 - 1.0 / n_classes


ERROR = Criterion("error", impurity, largest, "linear", "concave", core="error")
