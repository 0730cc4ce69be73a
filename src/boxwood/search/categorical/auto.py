"""The search that suits the table: ``categorical_split="auto"``.

The problem: V categories are present at a node; divide them into two branches with the largest gain. All a
search needs is the table of weights per category and class, V x K. The rule, by the classes and the
categories present at the node (those with equal class shares count once):

* *Two classes*: the prefixes of the order by class share (:mod:`~boxwood.search.categorical.ordered`). Exact
  for concave criteria.
* *At most 10 categories*: every subset (:mod:`~boxwood.search.categorical.exact`).
* *Up to 7 classes*: the prefixes of the principal order (:mod:`~boxwood.search.categorical.pc`), and the
  grouping of :mod:`~boxwood.search.categorical.twoing`, unless categories times superclasses exceed
  2,000,000.
* *Otherwise*: the prefixes of the principal order, and the best of PC-ext, Largest-Alone, List-Scheduling
and,
  up to 1,000 categories, the chi-square and Squared-Gini cuts.

The extra grouping of the last two is polished: while moving one category to the other branch lowers the
impurity, the best such move is made, O(classes) to weigh each. So "auto" is never worse than "pc".

MEASURED

The branch that holds the lowest category code present at the node is branch 0, so that a subset has one
form. Missing rows join as in :mod:`boxwood.search.missing`. A category that was absent from the node in
training goes where ``unknown_category`` says. There is no limit on the number of categories.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood.search.categorical.groupings import groupings

ALL_SUBSETS = 10
"""With more than two classes, up to this many categories present at a node, every subset is tried."""


def candidates(counts: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C, V): the subsets to try for a (V, K) table of weights of the categories present at a node.

    >>> candidates(np.array([[1.0, 1.0, 0.0], [3.0, 1.0, 2.0]])).tolist()
    [[True, False]]
    """
    return groupings(counts, "auto")
