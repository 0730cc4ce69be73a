"""Fayyad and Irani's test: does a cut pay for the bits that it takes to describe it?

The problem: entropy always falls, or at least never rises, when an interval is cut; when is a fall more
than noise? The idea, minimum description length: somebody who knows the values, and is to be told the
classes, can be sent the classes of the interval in one code, or the position of a cut and the classes of
the two parts in a code for each. The cut is accepted if the second message is the shorter one:

    gain > (log2(N - 1) + D) / N,    D = log2(3**k - 2) - (k E - k1 E1 - k2 E2)

with N the number of rows of the interval, E the entropies and k the numbers of classes of the interval and
of its two parts.

What we added: weights count as repetitions, N is the weight. Below N = 2, which whole weights never reach,
log2(N - 1) would fall without bound and accept every cut; it counts as 0 there.

The core has the same test (``core/discretize/ranking.hpp``); this is its readable form.

Reference: U. Fayyad, K. Irani, Multi-interval discretization of continuous-valued attributes for
classification learning, IJCAI 1993, section 3.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from boxwood.criteria import CRITERIA


def is_worth_describing(left: ArrayLike, right: ArrayLike) -> bool:
    """Whether the test accepts a cut, given the weight of each class on its two sides.

    >>> is_worth_describing([10, 0], [0, 10]), is_worth_describing([10, 9], [9, 10])
    (True, False)
    """
    sides = np.array([left, right], dtype=np.float64)
    parts = np.vstack([sides.sum(axis=0), sides])
    entropy = CRITERIA["entropy"].impurity(parts)
    classes = (parts > 0).sum(axis=1)
    weight = parts.sum(axis=1)
    gain = entropy[0] - (weight[1:] * entropy[1:]).sum() / weight[0]
    k = int(classes[0])
    labellings = k * math.log2(3.0) + math.log2(1.0 - 2.0 * 3.0**-k)
    change = labellings - (classes * entropy * [1, -1, -1]).sum()
    return bool(gain > (math.log2(max(weight[0] - 1.0, 1.0)) + change) / weight[0])
