"""Only columns that pass a chi-square test are searched: ``select="chi2_filter"``.

The problem: a column of categories that tells nothing may offer a good split by chance, the more so the more
values it has. The idea: before the search, test each column at the node, and leave out those that fail. A
column of categories passes if

* the p-value of Pearson's test on its table of values and classes is at most ``max_p_value`` (10 %), and
* its second most frequent value weighs at least ``min_second_value`` (15), so that the test can be believed.

A numeric column stands for its cuts, each of them an attribute of two values: it passes if one of its cuts
passes, that is, has at least ``min_second_value`` on either side and a p-value of at most ``max_p_value``.
The search then looks at all of its cuts.

Rows without a value take no part in the test. A node where no column passes is a leaf. An identifier, whose
values all have weight 1, never passes. The target must be classes.

The tree keeps the p-value of the column that a node tests (of a numeric column, that of its most significant
cut) in ``tree.extra["p_value"]``. The tests are not corrected for their number: the filter is a sieve, not a
proof.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from boxwood.select.association import log_chi2_tail, pearson


def passes(table: NDArray[np.float64], max_p_value: float = 0.10, min_second_value: float = 15.0) -> bool:
    """Whether a column of categories passes, by its table of weights (values x classes).

    >>> passes(np.array([[30.0, 10.0], [10.0, 30.0]])), passes(np.array([[30.0, 10.0], [0.0, 14.0]]))
    (True, False)
    >>> passes(np.eye(400)[:, :2])
    False
    """
    weights = np.sort(table.sum(axis=1))
    if len(weights) < 2 or weights[-2] < min_second_value:
        return False
    statistic, freedom = pearson(table)
    return freedom > 0 and log_chi2_tail(statistic, freedom) <= math.log(max_p_value)
