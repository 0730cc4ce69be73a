"""Where the missing rows of a node go.

The problem: some rows have no value in the column that a split tests, in training or only later. The
idea: treat the missing rows as one more group whose branch is chosen by the criterion like everything
else, and never guess a value.

``missing="learn"``
    Every cut (and every subset of categories) is tried twice, once with the missing rows in the right
    branch and once with them in the left one; a tie goes right. "Missing against the rest" is a
    candidate as well, after all thresholds. Twala, Jones and Hand (2008) call this *missingness
    incorporated in attributes*.
``missing="branch"``
    The missing rows get a branch of their own, the third one, and the score counts all three. If they
    are too few for a leaf (``min_samples_leaf``, ``min_weight_fraction_leaf``), the node falls back to
    "learn". "Missing against the rest" is a candidate here too.
``missing="fractional"``
    The missing rows go down both branches, each with a share of its weight in proportion to the branches'
    known weights, in growth and when predicting. They take no part in the score, which is multiplied by the
    known share of the node's weight (Quinlan 1993, chapter 3). Growth of this kind has an engine of its own,
    see :mod:`boxwood.grow.fractional`.
``missing="surrogate"``
    A split is judged on the rows that have a value: its gain counts by their share of the node's weight,
    and they alone must make up the minimum size of a leaf. The other rows go by surrogates: splits of other
    columns that send rows as this one does (Breiman et al. 1984, section 5.3). The search for them is in
    the core (``core/grow/surrogates.hpp``). Rows without any of these values go where more of the known
    weight went.

In the first two modes a column that has no missing rows at a node sends the ones that come later to the
heavier of its branches (by weight; on a tie to the left one). A node never sees a missing value as small,
large or zero.

Branch counts are arrays of shape (candidates, branches, classes), as everywhere in
:mod:`boxwood.criteria`; the functions here turn the counts of the rows that are present into those of
all rows.

References: B. Twala, M. Jones, D. Hand, Good methods for coping with missing data in decision trees,
Pattern Recognition Letters 29 (2008) 950-956; J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; L.
Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]


def learn(present: Floats, missing: Floats) -> Floats:
    """(C, 2, K) counts of the present rows and (K,) of the missing ones to (C, 2, 2, K): each candidate
    with the missing rows in the right branch, then with them in the left one.

    >>> learn(np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([0.0, 5.0])).tolist()
    [[[[1.0, 0.0], [0.0, 6.0]], [[1.0, 5.0], [0.0, 1.0]]]]
    """
    left, right = present[:, 0], present[:, 1]
    return np.stack([np.stack([left, right + missing], 1), np.stack([left + missing, right], 1)], axis=1)


def branch(present: Floats, missing: Floats) -> Floats:
    """(C, 2, K) counts of the present rows and (K,) of the missing ones to (C, 1, 3, K): a branch of
    their own.

    >>> branch(np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([0.0, 5.0])).tolist()
    [[[[1.0, 0.0], [0.0, 1.0], [0.0, 5.0]]]]
    """
    third = np.broadcast_to(missing, present[:, 0].shape)
    return np.concatenate([present, third[:, np.newaxis]], axis=1)[:, np.newaxis]


def known(present: Floats, missing: Floats) -> Floats:
    """(C, 2, K) counts of the present rows and (K,) of the missing ones to (C, 1, 2, K): without the latter.

    >>> known(np.array([[[1.0, 0.0], [0.0, 1.0]]]), np.array([0.0, 5.0])).tolist()
    [[[[1.0, 0.0], [0.0, 1.0]]]]
    """
    del missing
    return present[:, np.newaxis]


def fractional(present: Floats, missing: Floats) -> Floats:
    """(C, 2, K) counts of the present rows and (K,) of the missing ones to (C, 1, 2, K): the missing ones in
    both branches, in proportion to their present weights. That is what the tree keeps; the score is that of
    the present rows alone.

    >>> fractional(np.array([[[3.0, 0.0], [0.0, 1.0]]]), np.array([0.0, 4.0])).tolist()
    [[[[3.0, 3.0], [0.0, 2.0]]]]
    """
    weight = present.sum(axis=2, keepdims=True)
    share = weight / weight.sum(axis=1, keepdims=True)
    spread: Floats = present + share * missing
    return spread[:, np.newaxis]


def is_missing(present: Floats, missing: Floats) -> Floats:
    """(K,) counts of the present and of the missing rows to (1, 2, K): missing against the rest.

    >>> is_missing(np.array([2.0, 1.0]), np.array([0.0, 5.0])).tolist()
    [[[0.0, 5.0], [2.0, 1.0]]]
    """
    return np.stack([missing, present])[np.newaxis]


def heavier_branch(branches: Floats) -> int:
    """The branch that takes missing rows when the node had none in training: the heavier, on a tie the
    first.

    >>> heavier_branch(np.array([[1.0, 0.0], [2.0, 3.0]]))
    1
    """
    return int(np.argmax(branches.sum(axis=-1)))


MISSING_MODES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "learn": learn,
    "branch": branch,
    "fractional": fractional,
    "surrogate": known,
}
"""The values of the argument ``missing``."""
