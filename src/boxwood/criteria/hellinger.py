"""The Hellinger distance between the classes.

The problem: where one class is rare, impurities are dominated by the frequent one, and change when the
frequent class is sampled down. The idea: look at how each class is spread over the branches, and never at how
frequent the classes are. With c_kb the weight of class k in branch b and C_k its weight at the node,

    d = sqrt( sum_b ( sqrt(c_1b / C_1) - sqrt(c_0b / C_0) )^2 )     (Cieslak and Chawla 2008, section 2)

is zero where both classes are spread alike and sqrt 2 where no branch holds both. Multiplying the weights of
one class by a constant changes nothing.

With more than two classes it is the mean, over the classes present at the node, of the distance between the
class and all others together. With two classes present that is the two-class distance. A node that holds one
class only has distance 0: there is nothing to tell apart.

It is a *split score*: it does not come from an impurity of single nodes. Where one is needed, it has Gini's.

The cut rule. For two classes d^2 = 2 - 2 sum_b sqrt(c_1b c_0b / (C_1 C_0)); a geometric mean is concave in
its two weights, so d^2 is convex in the weights of a branch, between two boundary points it is largest at an
end, and the root keeps the order: the boundary rule holds, with any number of branches. The mean of several
roots of convex functions need not be convex, so with more than two classes all cuts are looked at.

What we changed: nothing for two classes. The mean over one-against-rest for more is ours; it runs over the
classes that are present, so that classes which the table has and the node has not change nothing.

References: D. Cieslak, N. Chawla, Learning decision trees for unbalanced data, ECML PKDD 2008; D.
Cieslak, T. Hoens, N. Chawla, W. Kegelmeyer, Hellinger distance decision trees are robust and
skew-insensitive, Data Mining and Knowledge Discovery 24 (2012) 136-158.
"""

from __future__ import annotations

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats
from boxwood.criteria.gini import impurity, largest


def _spread(part: Floats, whole: Floats) -> Floats:
    """sqrt(part / whole), 0 where there is no whole."""
    share = np.divide(
        part, whole, out=np.zeros(np.broadcast_shapes(part.shape, whole.shape)), where=whole > 0
    )
    roots: Floats = np.sqrt(share)
    return roots


def score(branches: Floats) -> Floats:
    """The Hellinger distance of splits, between the classes or, for more than two, the mean over the
    classes present of the distance between each and the rest.

    >>> score(np.array([[[90.0, 0.0], [0.0, 1.0]], [[45.0, 2.0], [45.0, 2.0]]]))
    array([1.41421356, 0.        ])
    """
    branches = np.asarray(branches, dtype=np.float64)
    node = branches.sum(axis=-2, keepdims=True)
    if branches.shape[-1] == 2:
        branches, others = branches[..., :1], branches[..., 1:]
        node, node_others = node[..., :1], node[..., 1:]
    else:
        others = branches.sum(axis=-1, keepdims=True) - branches
        node_others = node.sum(axis=-1, keepdims=True) - node
    apart = np.square(_spread(branches, node) - _spread(others, node_others)).sum(axis=-2)
    both = ((node > 0) & (node_others > 0))[..., 0, :]
    distance = np.where(both, np.sqrt(apart), 0.0).sum(axis=-1)
    n_present = both.sum(axis=-1)
    result: Floats = distance / np.maximum(n_present, 1)
    return result


HELLINGER = Criterion(
    "hellinger", impurity, largest, "concave", "unknown", core="hellinger", split_score=score
)
