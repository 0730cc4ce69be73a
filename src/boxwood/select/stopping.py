"""Is the best split worth taking? Two tests of its class counts, beyond how much it gains.

The problem: the best of many splits gains something even where the classes have nothing to do with any
column. The idea: before a split is taken, ask whether its table of branches against classes says more than
chance, or whether it pays for its own description.

``min_significance``
    Pearson's statistic of the table has, were branch and class independent, about a chi-square distribution
    of (branches - 1)(classes - 1) degrees of freedom, over the classes at the node (Quinlan 1986, section 4).
    The split is taken if its p-value is at most ``min_significance``. As the split is the best of many, the
    true probability is larger than the p-value: this is a knob, not a proof.
``mdl_stop``
    The split is taken if the classes of the node's rows are told in fewer bits with it (after Quinlan and
    Rivest 1989; the coding is ours). A leaf of n rows costs 1 bit, n times the entropy of its classes, and
    (K - 1)/2 log2 n bits for the shares of K classes. A split costs 1 bit, log2 of the number of columns,
    log2 of the number of choices (cuts between the values present; bipartitions of the categories present,
    or categories where one stands against the others; nothing for one branch each), and its branches as
    leaves.

Weights count as rows; where all of them together weigh less than the number of rows, they are first scaled to
a mean of 1. Rows whose tested value is missing take no part under ``missing="fractional"``. The core applies
the tests (``core/select/stopping``); the functions here are their readable reference.

References: J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986) 81-106; J. R. Quinlan and
R. Rivest, Inferring decision trees using the minimum description length principle, Information and
Computation 80 (1989) 227-248.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

Floats: TypeAlias = NDArray[np.float64]


def significance(branches: Floats) -> float:
    """The p-value of a split: (branches, classes) counts in, a probability out.

    >>> import numpy as np
    >>> round(significance(np.array([[20.0, 10.0], [10.0, 20.0]])), 6)
    0.009823
    >>> significance(np.array([[2.0, 2.0], [3.0, 3.0]]))
    1.0
    """
    return float(_core.significance(np.ascontiguousarray(branches, dtype=np.float64)))


def leaf_bits(counts: Sequence[float]) -> float:
    """The bits that tell the classes of a leaf, with their shares.

    >>> leaf_bits([4.0, 4.0])
    10.5
    """
    n = float(sum(counts))
    entropy = -sum(c / n * math.log2(c / n) for c in counts if c > 0)
    return 1 + n * entropy + (len(counts) - 1) / 2 * math.log2(max(n, 1.0))


def bits_saved(branches: Floats, n_columns: int, n_choices: float) -> float:
    """By how many bits a split shortens the description.

    >>> import numpy as np
    >>> bits_saved(np.array([[8.0, 0.0], [0.0, 8.0]]), n_columns=1, n_choices=1)
    13.0
    """
    below = sum(leaf_bits(row) for row in branches.tolist())
    whole = leaf_bits(branches.sum(axis=0).tolist())
    return whole - (1 + math.log2(n_columns) + math.log2(n_choices) + below)
