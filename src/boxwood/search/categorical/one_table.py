"""The searches on one table: :func:`split_categories`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood import _core
from boxwood.criteria import TIE, Criterion, Impurity, get_criterion
from boxwood.criteria.criterion import shares
from boxwood.data.weights import round_weights
from boxwood.search.categorical.groupings import MOST_VALUES, refuse_size
from boxwood.search.categorical.max_cut import WITH_COSTS, Weigh, cut_weights, heavy_cut
from boxwood.search.categorical.one_vs_rest import alone

Floats = NDArray[np.float64]

METHODS = (
    "auto",
    "exact",
    "ordered",
    "twoing",
    "sliq",
    "sliq_ext",
    "pc",
    "pc_ext",
    "largest_alone",
    "list_scheduling",
    "squared_gini",
    "chi2",
    "squared_gini_sdp",
    "chi2_sdp",
    "multiway",
    "one_vs_rest",
)
"""The values of the argument ``method`` of :func:`split_categories`, beside a function of two rows."""


def split_categories(
    table: ArrayLike,
    criterion: str | Criterion | Impurity = "gini",
    method: str | Weigh = "auto",
    *,
    class_costs: ArrayLike | None = None,
) -> tuple[NDArray[np.intp], float]:
    """Divide the values of a categorical attribute by their class counts.

    Parameters
    ----------
    table : array-like of shape (n_values, n_classes)
        Weights per value and class: counts, or any finite numbers that are not negative. They are rounded
        once by less than 2**-52 of their sum, so that all sums of them are exact.
    criterion
        How good a split is: whatever :func:`boxwood.criteria.get_criterion` takes.
    method
        A search of :mod:`boxwood.search.categorical` by its name: "auto", "exact", "ordered", "twoing",
        "sliq", "sliq_ext", "pc", "pc_ext", "largest_alone", "list_scheduling", "squared_gini", "chi2",
        "squared_gini_sdp", "chi2_sdp", "multiway" (a branch for each value) or "one_vs_rest" (one value
        against all others). Or a function that tells what parting two values is worth, for a maximum cut: it
        is called with two arrays of shape (n_pairs, n_classes), the rows of both values of each pair, and
        gives one weight per pair, the same if the two trade places, and never negative.
    class_costs : array-like of shape (n_classes, n_classes) or None
        For "squared_gini" and "squared_gini_sdp": what mixing two classes costs, symmetric; None: 1 for any
        two.

    Returns
    -------
    branch : array of int, of shape (n_values,)
        The branch of each value. The first value with weight is in branch 0. A value without weight, which
        nothing is known of, has -1.
    impurity : float
        The impurity of the branches, weighted by their share of the weight, on the table's own classes. Of
        "twoing" and "hellinger", which score splits, it is Gini's.

    Notes
    -----
    The same table gives the same groups whatever the order of its rows: what is in a value decides every tie,
    and only values with the very same weights are taken by their place. Searches for two groups keep values
    with equal class shares together, for concave criteria ("exact", "ordered" and "auto" may part them for
    others), unless all values have the same; "multiway" and "one_vs_rest" part them by their nature. In a
    tree the same searches run at every node: ``TreeClassifier(categorical_split=...)``.

    Examples
    --------
    >>> import boxwood
    >>> table = [[8, 1, 1], [1, 8, 1], [7, 2, 1], [1, 1, 8], [0, 0, 0]]
    >>> branch, impurity = boxwood.split_categories(table)
    >>> branch.tolist(), round(impurity, 3)
    ([0, 1, 0, 1, -1], 0.495)
    >>> branch, impurity = boxwood.split_categories(table, "entropy", method="chi2")
    >>> branch.tolist()
    [0, 1, 0, 1, -1]
    >>> boxwood.split_categories(table, method=lambda a, b: abs(a - b).max(axis=1))[0].tolist()
    [0, 1, 0, 1, -1]
    """
    counts = _check_table(table)
    known = counts.sum(axis=1).nonzero()[0]
    rows = counts if len(known) == len(counts) else counts[known]
    n_classes = np.count_nonzero(rows.sum(axis=0))
    if len(known) < 2 or n_classes < 2:
        there, what = (len(known), "value") if len(known) < 2 else (int(n_classes), "class")
        raise ValueError(
            f"the table has weight for {'one' if there else 'no'} {what}{' only' if there else ''}; a split "
            "needs two"
        )
    rule = get_criterion(criterion, counts.shape[1])
    if not callable(method) and method not in METHODS:
        named = ", ".join(map(repr, METHODS))
        raise ValueError(f"method={method!r} is not one of {named}, nor a function of two rows")
    costs = None
    if class_costs is not None:
        if method not in WITH_COSTS:
            raise ValueError(
                f"class_costs enter the weights of {' and '.join(map(repr, WITH_COSTS))} only, not those of "
                f"method={method!r}"
            )
        costs = _check_costs(class_costs, counts.shape[1])
    branch = np.full(len(counts), -1, dtype=np.intp)
    groups, impurity = _divide(rows, int(n_classes), rule, method, costs)
    branch[known] = groups
    return branch, _impurity(rows, groups, rule) if impurity is None else impurity


def _check_table(table: ArrayLike) -> Floats:
    """The table as float64, rounded so that sums are exact."""
    try:
        counts = np.array(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("table must hold numbers, a row of equal length for each value") from None
    if counts.ndim != 2:
        raise ValueError(f"table must be values x classes, but it has {counts.ndim} dimension(s)")
    with np.errstate(over="ignore", invalid="ignore"):  # told below, in a sentence
        total = float(counts.sum())
    if not (math.isfinite(total) and counts.min(initial=0.0) >= 0):
        bad = ~(counts >= 0) | np.isinf(counts)
        if not bad.any():
            raise ValueError("the sum of the table is not finite; divide it by a large number")
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"table[{row}, {column}] is {counts[row, column]}; weights must be finite and not negative"
        )
    if total >= 2**52 or not (counts == np.rint(counts)).all():  # whole numbers stay as they are
        positive = counts > 0
        counts[positive] = round_weights(counts[positive])
    return counts


def _check_costs(class_costs: ArrayLike, n_classes: int) -> Floats:
    try:
        costs = np.ascontiguousarray(class_costs, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(
            f"class_costs must be a matrix of numbers, {n_classes} x {n_classes}, not {class_costs!r}"
        ) from None
    if costs.shape != (n_classes, n_classes):
        raise ValueError(
            f"class_costs has shape {costs.shape}; {n_classes} classes need a square matrix of them"
        )
    bad = ~np.isfinite(costs) | (costs < 0) | (costs != costs.T)
    if bad.any():
        row, column = (int(i) for i in np.argwhere(bad)[0])
        raise ValueError(
            f"class_costs must be finite, not negative and symmetric: [{row}, {column}] is "
            f"{costs[row, column]}, and [{column}, {row}] is {costs[column, row]}"
        )
    return costs


def _divide(
    rows: Floats, n_classes: int, criterion: Criterion, method: str | Weigh, costs: Floats | None
) -> tuple[NDArray[Any], float | None]:
    """The branch of each value, all of which have weight; and the impurity, where the core tells it."""
    if callable(method):
        return _cut(rows, method), None
    if method == "multiway":
        return np.arange(len(rows)), None
    if method == "one_vs_rest":
        chosen = alone(rows, criterion)
        branch = np.full(len(rows), int(chosen == 0))
        branch[chosen] = int(chosen != 0)
        return branch, None
    listed = criterion.core is None
    merge = ", or add the rows of rare values together"
    refuse_size(method, len(rows), n_classes, "the table", listed=listed, argument="method", remedy=merge)
    options = _core.Options(
        criterion=criterion.core or "given",
        parameter=criterion.parameter,
        cut_rule=criterion.rule(rows.shape[1]),
        categorical_split=method,
    )
    if criterion.core is None:
        return _best(rows, _core.category_groupings(rows, options) == 0, criterion), None
    return _core.split_categories(rows, options, costs)[:2]


def _best(rows: Floats, subsets: NDArray[np.bool_], criterion: Criterion) -> NDArray[Any]:
    """Of some subsets the best one by a criterion, as branches; on a tie the first."""
    inside = subsets.astype(np.float64) @ rows
    branches = np.stack([inside, rows.sum(axis=0) - inside], axis=1)
    scores = (criterion.split_score or criterion.gain)(branches)
    tolerance = TIE * float(criterion.impurity(rows.sum(axis=0)))
    subset = subsets[int(np.flatnonzero(scores >= scores.max() - tolerance)[0])]
    return np.where(subset == subset[0], 0, 1)


def _cut(rows: Floats, weigh: Weigh) -> NDArray[Any]:
    """A heavy cut by a user's weights, on the table in canonical form."""
    of_class = shares(rows).round(12)
    order = np.lexsort((rows.sum(axis=1), *of_class.T[::-1]))
    equal = (of_class[order[1:]] == of_class[order[:-1]]).all(axis=1)
    value = np.empty(len(rows), dtype=np.intp)
    value[order] = np.concatenate([[0], np.cumsum(~equal)])
    if value.max() == 0:
        value[order] = np.arange(len(rows))  # nothing tells the values apart
    joined = np.zeros((int(value.max()) + 1, rows.shape[1]))
    np.add.at(joined, value, rows)
    if len(joined) > MOST_VALUES["chi2"]:
        raise ValueError(
            f"a function of two rows takes at most {MOST_VALUES['chi2']:,} values of different class shares, "
            f"and the table has {len(joined):,}; use 'auto' or 'pc_ext'"
        )
    side = heavy_cut(cut_weights(joined, weigh))[value]
    return np.where(side == side[0], 0, 1)


def _impurity(rows: Floats, branch: NDArray[Any], criterion: Criterion) -> float:
    """The weighted impurity of the branches."""
    counts = np.zeros((int(branch.max()) + 1, rows.shape[1]))
    np.add.at(counts, branch, rows)
    weights = counts.sum(axis=1)
    parts: Floats = weights * criterion.impurity(counts)
    return math.fsum(parts) / float(weights.sum())  # the same in any order of the branches
