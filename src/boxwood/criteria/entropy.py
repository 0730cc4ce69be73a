"""Entropy, and its decrease: the information gain.

The problem: how mixed is a node? The idea: how many bits does it take, on average, to tell somebody the
class of one of its rows? With class shares p that is

    H(p) = - sum_k p_k log2 p_k                                   (Quinlan 1986, equation for I(p, n))

zero for a pure node and at most log2 K. It is strictly concave. The decrease of entropy by a split is the
information that the branch carries about the class: the mutual information of branch and class.

Entropies are in bits here and in the trees that are grown with it, as in scikit-learn. The base of the
logarithm changes no tree except through ``min_impurity_decrease``. scikit-learn's other name for it,
"log_loss", is accepted by the estimator: the log loss of predicting a node's own shares is its entropy.

With c_k the weight of class k and w their sum, w H = w log2 w - sum_k c_k log2 c_k, so moving one row
changes one term on each side: constant time per row, with a table of c log2 c when the weights are
whole numbers.

Reference: J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986) 81-106.
"""

from __future__ import annotations

import math

from boxwood.criteria.criterion import Criterion, Floats, bits, shares


def impurity(counts: Floats) -> Floats:
    """The entropy, in bits, of weights per class; 0 where there is no weight.

    >>> import numpy as np
    >>> float(impurity(np.array([2.0, 1.0, 1.0])))
    1.5
    """
    return bits(shares(counts))


def largest(n_classes: int) -> float:
    """log2 K: all classes equally frequent.

    >>> largest(4)
    2.0
    """
    return math.log2(n_classes)


ENTROPY = Criterion("entropy", impurity, largest, "concave", "concave", core="entropy")
