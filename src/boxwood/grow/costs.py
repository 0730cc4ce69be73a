"""Growing with costs: altered priors.

Problem. Answers cost differently, and impurities know nothing of costs.

Idea (Breiman et al. 1984, section 4.4.3). A row of class i weighs as much as the sum of what wrong answers
to it cost, all weights multiplied so that their total stays. For two classes, Gini's gain then is the gain
in expected cost; for more it is a heuristic, as only the sums of the rows of the cost matrix count.

What we changed. The tree that comes out tells true weights: class counts are divided by the prices again, so
that probabilities are those of the rows. Impurities are multiplied by the ratio of the two weights, so that
weight times impurity, which importances and cost-complexity pruning add up, is what was grown by. So that
dividing gives back whole numbers, prices are rounded to 20 significant bits.

Altered weights choose splits, and nothing else. Where rows with missing values are spread, they are spread by
true weights: the rows go through the finished tree once more (:mod:`boxwood.grow.recount`), and its counts
are what prediction and subtree raising find when they send the same rows down.

Symmetric costs enter the weights of a maximum cut themselves, where categories are divided by one of them
(:mod:`boxwood.search.categorical.squared_gini`): parting a row of class x from one of class y is worth what
mixing the two costs. The prices are taken out of these weights again, so that no cost counts twice.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boxwood.criteria import Criterion
from boxwood.data import Dataset
from boxwood.data.weights import cost_prices, round_weights
from boxwood.grow.recount import recounted
from boxwood.tree import Tree
from boxwood.tree.arrays import Floats

BITS = 20


def class_prices(dataset: Dataset, costs: Floats) -> Floats:
    """What a row of each class weighs in growing.

    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "no", "yes"])
    >>> class_prices(dataset, np.array([[0.0, 1.0], [3.0, 0.0]])).round(3)
    array([0.667, 2.   ])
    """
    totals: Floats = np.bincount(dataset.target, dataset.weights, dataset.n_classes).astype(np.float64)
    fraction, exponent = np.frexp(cost_prices(costs, totals))
    rounded: Floats = np.ldexp(np.rint(np.ldexp(fraction, BITS)), exponent - BITS)
    return rounded


def class_mixing(costs: Floats, prices: Floats) -> tuple[tuple[float, ...], ...] | None:
    """What mixing two classes costs in a table whose rows have their prices.

    None: the costs are all alike, or what mixing costs depends on which of the two is answered.

    >>> class_mixing(np.array([[0.0, 1.0, 4.0], [1.0, 0.0, 1.0], [4.0, 1.0, 0.0]]), np.array([1.0, 0.5, 1.0]))
    ((0.0, 2.0, 4.0), (2.0, 0.0, 2.0), (4.0, 2.0, 0.0))
    >>> class_mixing(np.array([[0.0, 1.0], [1.0, 0.0]]), np.ones(2)) is None
    True
    """
    apart = ~np.eye(len(costs), dtype=bool)
    if not np.array_equal(costs[apart], costs.T[apart]) or len(np.unique(costs[apart])) < 2:
        return None
    both = np.outer(prices, prices)
    mixing = np.divide(costs, both, out=np.zeros_like(both), where=apart & (both > 0))
    return tuple(tuple(row) for row in mixing.tolist())


def with_prices(dataset: Dataset, prices: Floats) -> Dataset:
    """The table with every weight multiplied by the price of its row's class."""
    if (prices == 1.0).all():
        return dataset
    weights = round_weights(dataset.weights * prices[dataset.target])
    weights.flags.writeable = False
    return replace(dataset, weights=weights, unit_weights=False)


def without_prices(tree: Tree, prices: Floats, rows: Dataset, criterion: Criterion) -> Tree:
    """The tree with true weights and counts again: those of the rows that it was grown on."""
    if (prices == 1.0).all():
        return tree
    assert tree.counts is not None
    fields = tree._fields()
    if tree.spreads:
        counts, fields["n_rows"] = recounted(tree, rows)
        weight: Floats = counts.sum(axis=1)
        fields["impurity"] = priced_impurity(counts, prices, criterion.impurity)
    else:
        counts = tree.counts / prices
        weight = counts.sum(axis=1)
        fields["impurity"] = tree.impurity * (tree.weight / weight)
    fields |= {"counts": counts, "weight": weight}
    for name in ("counts", "weight", "impurity", "n_rows"):
        fields[name].flags.writeable = False
    return Tree._make(**fields)


def priced_impurity(counts: Floats, prices: Floats, impurity: Callable[[Floats], Floats]) -> Floats:
    """Impurities under altered weights, such that true weight times impurity is what was grown by."""
    priced = counts * prices
    result: Floats = impurity(priced) * (priced.sum(axis=1) / counts.sum(axis=1))
    return result
