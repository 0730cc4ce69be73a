"""What all searches for a grouping of categories share: their door to the core, and how much they can take.

A search sees the table of weights per category and class, V x K, and gives groupings of the V categories into
two branches. Some give an order of the categories, whose V - 1 prefixes are all weighed by the criterion;
others give one grouping. All of them work on the table in a canonical form: categories sorted by their class
shares, then by their weight, and those with equal shares joined into one. So the same table gives the same
grouping whatever the order of its rows and of its categories, and categories that nothing tells apart stay
together. (While a part of a category moves from one branch to the other, the impurity of the split is concave
in that part if the criterion is, so some best grouping keeps the category whole.) Where a minimum leaf size
or a monotonic constraint binds, or the criterion is not concave, "exact", "ordered" and "auto" take the
categories apart again, since then parting them may pay.

In a tree a search looks at the rows whose category is known; those without are then tried on both sides of
what it gives (:mod:`boxwood.search.missing`). Where the minimum leaf size forbids the one grouping that a
search gives, the prefixes of the principal order (two classes: of the order by class share) are tried in its
place. A search that has to weigh groupings itself while it works does so with the criterion, or with Gini if
the criterion is a Python function.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

MOST_VALUES: dict[str, int] = {
    "exact": 20,
    "sliq": 2000,
    "sliq_ext": 2000,
    "squared_gini": 2000,
    "chi2": 2000,
    "squared_gini_sdp": 500,
    "chi2_sdp": 500,
}
"""How many categories present a search takes; others take any number."""

MOST_CLASSES: dict[str, int] = {"ordered": 2, "twoing": 16}
"""How many classes a search takes; others take any number."""

MOST_VALUES_LISTED = 16
"""How many categories "exact" takes with a criterion that Python evaluates: all its groupings are listed."""


def groupings(counts: NDArray[np.float64], method: str) -> NDArray[np.bool_]:
    """(C, V): the groupings that a search tries for a (V, K) table, by Gini where it has to choose; True
    marks branch 0, which holds the first category.

    >>> groupings(np.array([[4.0, 1.0], [1.0, 4.0], [4.0, 1.0]]), "ordered").tolist()
    [[True, False, True]]
    """
    options = _core.Options(criterion="gini", categorical_split=method)
    found: NDArray[np.bool_] = (
        _core.category_groupings(np.ascontiguousarray(counts, np.float64), options) == 0
    )
    return found


def refuse_size(
    method: str,
    n_values: int,
    n_classes: int,
    what: str,
    *,
    listed: bool = False,
    argument: str = "categorical_split",
    remedy: str = ", or pool the rare ones with min_samples_category",
) -> None:
    """Raise a ValueError if a search cannot take that many categories or classes of what is named.

    ``listed`` says that all groupings are listed for a criterion in Python; ``argument`` is what the caller
    calls the search, and ``remedy`` what else can be done about too many categories.

    >>> refuse_size("exact", 30, 3, "column 'breed'")
    Traceback (most recent call last):
    ...
    ValueError: categorical_split='exact' takes at most 20 categories, and column 'breed' has 30; use \
'auto', 'twoing' or 'pc_ext', or pool the rare ones with min_samples_category
    """
    most = MOST_CLASSES.get(method, n_classes)
    if n_classes > most:
        raise ValueError(
            f"{argument}={method!r} takes at most {most} classes, and {what} comes with {n_classes}; "
            "use 'auto' or 'pc_ext'"
        )
    most = MOST_VALUES.get(method, n_values)
    reason = ""
    if method == "exact" and listed:
        most, reason = MOST_VALUES_LISTED, " with a criterion that Python evaluates"
    if n_values > most:
        others = (
            "'auto', 'twoing' or 'pc_ext'" if n_classes <= MOST_CLASSES["twoing"] else "'auto' or 'pc_ext'"
        )
        raise ValueError(
            f"{argument}={method!r} takes at most {most:,} categories{reason}, and {what} has "
            f"{n_values:,}; use {others}{remedy}"
        )
