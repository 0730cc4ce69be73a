"""Growth in which a row without the tested value goes down every branch, with a part of its weight: C4.5's.

The problem: a row has no value of the column that a node tests. The idea (Quinlan 1993, chapter 3): it is
one row of an unknown value, so it is taken for a bit of each. It goes down every branch, its weight divided
in proportion to the weights of the rows whose value is known. A column's gain is computed from its known
rows and multiplied by their share of the node's weight; in the gain ratio the unknown rows count as one more
branch. Prediction does the same: a row without the value gets the mixture of all the leaves that it reaches.

The core has an engine of its own for this (``core/grow/spread``), since a row may then be in many nodes. A
table in which no cell is missing is grown by the main engine, unless one of the rules below is asked for: the
tree is the same, and all its splits say that missing values are spread.

Leaf minima (``min_samples_leaf``, ``min_weight_leaf``) speak of the rows of a branch whose value is known.
Where the weights add up to less than the number of rows (AdaBoost's add up to 1), ``min_weight_leaf`` counts
rows of mean weight.
Every cut of a numeric column is weighed, whatever ``cuts`` says.

Rules of C4.5 and of Weka's J48, each an option of :class:`boxwood.grow.GrowOptions` by itself:

``gain_correction="mdl"``
    From the gain of a numeric column, log2(cuts) / (weight of the node) is subtracted, where cuts is the
    number of cuts that the minima allow. A column without gain is then out (Quinlan 1996, section 2.2).
``leaf_minimum="two"``
    The minima bind two branches of a split and not all.
``numeric_minimum="quinlan"``
    Numeric cuts leave on either side at least a tenth of the known weight divided by the number of classes,
    raised to ``min_weight_leaf``, capped at 25, which counts rows of mean weight too.
``min_value_gap=1e-5``
    Values nearer than this are not separated.
``comparison="weka"``
    A cut beats the one before it, and a column the column before it, by more than 1e-6; of the categories
    that "one_vs_rest" tries, the one with the best gain ratio is its column's offer; gains from 1e-3
    below the average pass the filter of the gain ratio; a categorical column whose categories are 0.3 times
    as many as the rows of the table, or more, does not count in that average, unless all columns are such; a
    node is pure when all but 1e-6 of its weight is.
``thresholds="training_value"``
    A threshold is the largest number of the whole training table that is not above the midpoint.

All sums stay exact: a part of a weight is cut to a multiple of a power of two, and what is left goes to the
heaviest branch, so "same rows, same tree" holds in any order of the rows.

References: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993; Improved use of continuous attributes in
C4.5, Journal of Artificial Intelligence Research 4 (1996) 77-90; I. Witten, E. Frank, M. Hall, C. Pal, Data
Mining, 4th edition, 2017, section 6.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from boxwood import _core
from boxwood.criteria import Criterion
from boxwood.data import Dataset
from boxwood.grow.options import C45_RULES, GrowOptions
from boxwood.grow.pooling import pool_rare
from boxwood.grow.problem import Growth, core_options, core_problem, explained, grown, refuse_categories
from boxwood.tree import SPREAD, Kind


def grow_fractional(
    dataset: Dataset,
    criterion: Criterion,
    options: GrowOptions,
    poll: Callable[[float], bool] | None = None,
) -> Growth:
    """Grow a tree whose rows may be spread; :func:`boxwood.grow.grow` calls it for ``missing="fractional"``.

    Parameters
    ----------
    dataset, options, poll
        As for :func:`boxwood.grow.grow`.
    criterion
        How good a split is: one that the core has.

    Returns
    -------
    Growth
        The tree, the number of cuts and how many of them were weighed.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import GrowOptions, grow_tree
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [float("nan")]], ["no", "no", "yes", "yes"])
    >>> tree = grow_tree(dataset, GrowOptions(missing="fractional", max_depth=1))
    >>> tree.counts[1:].round(2).tolist()  # the fourth row is two thirds in the left branch
    [[2.0, 0.67], [0.0, 1.33]]
    """
    if criterion.core is None:
        raise ValueError(
            f"criterion={criterion.name!r} is evaluated in Python, and missing='fractional' needs one "
            "that is compiled: use one of the named criteria, or missing='learn'"
        )
    told = options
    if dataset.weights.sum() < dataset.n_rows:
        scale = float(dataset.weights.sum()) / dataset.n_rows
        told = replace(options, min_weight_leaf=options.min_weight_leaf * scale)
    spread = _needs_spreading(dataset, options)
    pooled = pool_rare(dataset, options.min_samples_category)
    refuse_categories(pooled.dataset, options, listed=False)
    with explained(dataset):
        arrays = (_core.grow_spread if spread else _core.grow)(
            **core_problem(pooled),
            options=core_options(told, dataset.n_features, criterion.core, criterion.parameter),
            poll=poll,
        )
    if not spread:
        # Nothing was missing, and what will be is spread.
        inner = arrays["kind"] != Kind.LEAF
        arrays["missing_branch"][inner] = SPREAD
        as_missing = inner & (arrays["kind"] == Kind.THRESHOLD)
        if options.unknown_category in ("missing", "distribute"):
            as_missing = inner
        arrays["unknown_branch"][as_missing] = SPREAD
    return grown(arrays, pooled, criterion.name, options, trusted=True)


def _needs_spreading(dataset: Dataset, options: GrowOptions) -> bool:
    """Whether the engine for spread rows must grow the tree."""
    if options.categorical_split != "auto":
        return True
    if any(getattr(options, name) != usual for name, usual in C45_RULES.items()):
        return True
    return any(
        bool(np.isnan(column).any() if column.dtype == np.float64 else (column < 0).any())
        for column in dataset.columns
    )
