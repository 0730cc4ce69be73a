"""Twoing: the best division of the classes into two groups, found without looking for it.

The problem: with many classes, an impurity rewards splitting off one class as much as dividing the classes
into two sensible halves, which serves the rest of the tree better. The idea: pretend that there are only two
classes, a group A and all others, and take the split and the group that together decrease the two-class Gini
impurity most. With p_L, p_R the class shares of the branches and w_L, w_R their shares of the weight,

    twoing = w_L w_R / 4 * (sum_k |p_kL - p_kR|)^2     (Breiman et al. 1984, section 4.3.2, theorem 4.10)

No group needs to be tried: for a given split the best A holds the classes with p_kL >= p_kR, and the score is
*half* of the largest two-class Gini gain, which is 2 w_L w_R (P_L(A) - P_R(A))^2, since the largest
P_L(A) - P_R(A) is half of the sum. With two classes it is therefore half the Gini gain, and chooses the same
splits.

With more than two branches (missing rows with one of their own) the scores of all pairs are added:

    twoing = 1/4 sum_(i < j) w_i w_j (sum_k |p_ki - p_kj|)^2

A branch without weight adds nothing. The score is at least 0, at most 1/4 for two branches and
(1 - 1/B) / 2 for B.

It is a *split score*: it does not come from an impurity of single nodes. Where one is needed, it has Gini's.

The cut rule. For each group A the two-class gain is largest at a boundary point of the two groups, which is a
boundary point of the classes, or at the first or last allowed cut; so their maximum over A is too, for any
number of classes. The same follows for any number of branches from convexity: with c the weights per class
in the left branch, W and C those of the two branches together, w_L w_R |p_L - p_R|^2 is
|W c - C w_L|^2 (1/w_L + 1/w_R) up to a constant, and a squared norm of something linear over something linear
is convex in c; so is each pair with a branch that does not change.

Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984, section
4.3.2.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats, shares
from boxwood.criteria.gini import impurity, largest


def score(branches: Floats) -> Floats:
    """The twoing score of splits; 0 where all rows go to one branch.

    >>> float(score(np.array([[4.0, 0.0, 0.0], [0.0, 2.0, 2.0]])))
    0.25
    """
    branches = np.asarray(branches, dtype=np.float64)
    p = shares(branches)
    w = shares(branches.sum(axis=-1))
    total: Floats = np.zeros(branches.shape[:-2])
    for i, j in combinations(range(branches.shape[-2]), 2):
        apart = np.abs(p[..., i, :] - p[..., j, :]).sum(axis=-1)
        total = total + w[..., i] * w[..., j] * np.square(apart)
    return total / 4


TWOING = Criterion("twoing", impurity, largest, "concave", "concave", core="twoing", split_score=score)
