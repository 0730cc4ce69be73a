"""The sine impurity.

The problem: how mixed is a node? The idea: any function of the class share that vanishes at 0 and 1 and
rises to the middle will do, so why not the smoothest one:

    S(p) = sin(pi p)                     two classes, p the share of either
    S(p) = sum_k sin(pi p_k)             more            (Ji et al. 2013, section 5.2)

It is Ji and others' example of an impurity that is none of the classical ones. sin(pi x) is zero at 0,
increasing on [0, 1/2], symmetric about 1/2, and f'' = -pi^2 sin(pi x) < 0: concave. A sum of concave
functions is concave, so the boundary rule holds for any number of classes, and by symmetry its maximum
lies at equal shares: 1 for two classes, K sin(pi / K) for more, which approaches pi.

The two-class form is half the sum over classes; a node of a three-class table that holds two classes only
is measured by the sum. Within one table the number of classes is fixed, so no two nodes are measured by
different forms.

sin(pi p) is evaluated as the sine of pi min(p, 1 - p), so that a pure node has exactly zero.

Reference: H.-Y. Ji, X.-Z. Wang, Y.-L. He, W.-L. Li, A study on relationships between heuristics and optimal
cuts in decision tree induction, 2013, sections 3.5 and 5.2.
"""

from __future__ import annotations

import math

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats, minority_shares


def impurity(counts: Floats) -> Floats:
    """The sine impurity of weights per class; 0 where there is no weight.

    >>> impurity(np.array([[3.0, 3.0], [6.0, 0.0]]))
    array([1., 0.])
    >>> float(impurity(np.array([1.0, 1.0, 4.0]))).__round__(6)
    1.866025
    """
    smaller = minority_shares(counts)
    if smaller.shape[-1] <= 2:
        smaller = smaller[..., :1]
    result: Floats = np.sin(np.pi * smaller).sum(axis=-1)
    return result


def largest(n_classes: int) -> float:
    """The value at equal shares: 0, 1, and K sin(pi / K) from three classes on.

    >>> largest(1), largest(2), round(largest(6), 3)
    (0.0, 1.0, 3.0)
    """
    if n_classes <= 2:
        return float(n_classes - 1)
    return n_classes * math.sin(math.pi / n_classes)


SINE = Criterion("sine", impurity, largest, "concave", "concave", core="sine")
