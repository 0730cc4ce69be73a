"""The gain ratio of C4.5.

The problem: information gain favours features with many values and splits with many branches; a column
of row numbers would win. The idea: divide the gain by the information that the split itself carries,
the entropy of the branch sizes (its *split information*):

    ratio = (H(node) - sum_b w_b / w H(b)) / S,   S = - sum_b w_b / w log2 (w_b / w)   (Quinlan 1993, 2.2)

The ratio alone would favour splits with tiny S, such as one row against the rest, whatever their gain.
So, as in C4.5,

* the cut of each numeric column (and the subset of each categorical one) is chosen by gain, not by
  ratio, and
* features compete by ratio only among those whose gain is at least the average gain of all features
  that have a split to offer. That filter is :mod:`boxwood.select.average_gain`.

Since gain is at most S when the gain is the mutual information of branch and class, the ratio lies
between 0 and 1. The impurity of a node is its entropy in bits. It is concave, and since the cut of a
feature is chosen by gain, the rules that hold for a concave impurity hold here.

What we changed: C4.5 also charges numeric columns log2(number of cuts) / rows (Release 8, 1996); this
criterion does not. Branches for missing rows count as branches.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, section 2.2.
"""

from __future__ import annotations

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats, bits, shares
from boxwood.criteria.entropy import ENTROPY, impurity, largest


def split_information(branches: Floats) -> Floats:
    """The entropy, in bits, of the weights of the branches.

    >>> float(split_information(np.array([[3.0, 1.0], [0.0, 4.0]])))
    1.0
    """
    return bits(shares(np.asarray(branches, dtype=np.float64).sum(axis=-1)))


def ratio(branches: Floats) -> Floats:
    """Gain divided by split information; 0 where all rows go to one branch.

    >>> float(ratio(np.array([[4.0, 0.0], [0.0, 4.0]])))
    1.0
    """
    gain = ENTROPY.gain(branches)
    information = split_information(branches)
    result: Floats = np.divide(gain, information, out=np.zeros_like(gain), where=information > 0)
    return result


GAIN_RATIO = Criterion(
    "gain_ratio",
    impurity,
    largest,
    "concave",
    "concave",
    core="gain_ratio",
    rank=ratio,
    selection="average_gain",
)
