"""Ambiguity: how undecided the class shares are as possibilities.

The problem: how mixed is a node? The idea, from fuzzy trees: read the class shares as degrees of
possibility by dividing them by the largest one, and measure how many classes are nearly as possible as the
best. With pi_1 = 1 >= pi_2 >= ... >= pi_K the divided shares in falling order and pi_(K+1) = 0,

    A(p) = sum_i (pi_i - pi_(i+1)) ln i                  (Yuan and Shaw 1995; Ji et al. 2013, (4))
         = sum_(i >= 2) pi_i (ln i - ln (i - 1))         (the same, summed by parts)

zero for a pure node and at most ln K, where all classes are equally frequent. The second form has no
differences of nearly equal shares, and is the one used here.

With two classes A = ln 2 * x / (1 - x) for the smaller share x in [0, 1/2], and f'' = 2 ln 2 / (1 - x)^3 > 0:
*convex*, the odd one out among the named criteria. Two things follow. The best cut of a numeric column may
lie inside a run of one class, next to the place where both sides have equal class shares
(:mod:`boxwood.search.numeric`). And a split may make the weighted ambiguity larger: the best cut of a node
often has negative gain, and growth takes it all the same unless ``min_impurity_decrease`` is positive. With
more than two classes it is neither concave nor convex, and all cuts are looked at.

The cost is one sort of the classes per node or branch.

References: Y. Yuan, M. Shaw, Induction of fuzzy decision trees, Fuzzy Sets and Systems 69 (1995) 125-139;
H.-Y. Ji, X.-Z. Wang, Y.-L. He, W.-L. Li, A study on relationships between heuristics and optimal cuts in
decision tree induction, 2013.
"""

from __future__ import annotations

import math

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats


def impurity(counts: Floats) -> Floats:
    """The ambiguity of weights per class, in natural units; 0 where there is no weight.

    >>> impurity(np.array([[5.0, 0.0], [2.0, 2.0], [3.0, 6.0]])) / np.log(2)
    array([0. , 1. , 0.5])
    """
    falling = -np.sort(-np.asarray(counts, dtype=np.float64), axis=-1)
    top = falling[..., :1]
    possible = np.divide(falling[..., 1:], top, out=np.zeros_like(falling[..., 1:]), where=top > 0)
    steps = np.log1p(1.0 / np.arange(1.0, falling.shape[-1]))
    result: Floats = (possible * steps).sum(axis=-1)
    return result


def largest(n_classes: int) -> float:
    """The natural logarithm of K: all classes equally frequent.

    >>> largest(1), round(largest(2), 3)
    (0.0, 0.693)
    """
    return math.log(n_classes)


AMBIGUITY = Criterion("ambiguity", impurity, largest, "convex", "unknown", core="ambiguity")
