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
* *Otherwise*: the prefixes of the principal order, and the best of PC-ext, Largest-Alone, List-Scheduling,
  and, up to 1,000 categories, the chi-square and Squared-Gini cuts; these only where categories squared times
  classes are at most 100 times the rows. Where categories times classes exceed 16 times the rows, the
  prefixes alone: a search costs no more than its node.

The extra groupings of the last two are polished: each category in turn is moved to the other branch if that
lowers the impurity, until no move does, O(classes) to weigh each. So "auto" is never worse than "pc".

The reasons for the limits, measured on 30 to 100 random tables of each shape, entries 0 to 7, on one core.
The excess is the mean of the impurity over the best that any search found:

* *10 categories for all subsets*: with 10 of them 25 us (Gini, 3 classes), with 12 already 85 us and with 14
  350 us, while twoing takes 6 to 10 us and misses the best grouping in 1 to 7 % of the tables, polished in
  none of them. So beyond 10 there is next to nothing to gain.
* *7 classes for twoing*: each class doubles its time. At 50 categories and Gini it takes 60 us with 5 of
  them, 165 us with 7, 340 us with 8, 1.2 ms with 10 and 41 ms with 15; the searches in its place take 300
  us with 8 and 410 us with 15. Their excess with 8 classes is 0.001 % (Gini) and 0.01 % (entropy), twoing's
  own is 0.02 %. PC-ext alone has 0.02 and 0.1 %, the cuts alone 0.05 to 0.2 %: the best of all, each
  polished, is better than any one.
* *1,000 categories for the cuts*: their weights are quadratic. With 1,000 categories and 15 classes the
  chi-square cut takes 30 ms; PC-ext takes 5 ms and the superclass heuristics 1 ms. In a cut that is only a
  start for the polish, at most 10 pairs are exchanged: each costs a look at all pairs.
* *100 times the rows for the cuts*: where most cells of the table are empty or hold a few rows, what a cut
  finds better than a polished PC-ext is little, and it costs more than all the rest. With 400 to 1,000
  categories and 9 or 15 classes, entries 0 to 7, the impurity without cuts is above the best of the cuts by
  at most 0.02 %. A tree of depth 10 on a table with 380 categories in each of two columns and 15 classes
  takes 76 ms; with a limit of 500 and the best move of each round it took 182 ms, for the same accuracy on
  other rows.

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
