"""Greedy growth: a thin door to the compiled core.

The problem: grow a tree whose every split is the best one of its node. The idea, as old as the subject
(Hunt 1966; Breiman et al. 1984; Quinlan 1986): start with all rows at the root; let every column offer
its best split of the node; take the best offer; go on with the branches, until a rule says stop. Three
choices are separate, and any combination works:

* how good is a split: :mod:`boxwood.criteria`
* which split of one column: :mod:`boxwood.search`
* which column: :mod:`boxwood.select`

A node is a leaf when it is pure; when it is as deep as ``max_depth``; when it has fewer than
``min_samples_split`` or twice ``min_samples_leaf`` rows, or less than twice ``min_weight_leaf`` weight;
when no column has a split that leaves every branch the minimum leaf size; or when the best split's
gain, times the node's share of the weight of the whole table, is below ``min_impurity_decrease``; or when
the tests of :mod:`boxwood.select.stopping`, if they are asked for, find nothing in it. A split of gain
zero is taken: the first split of an exclusive or gains nothing, and the second everything.

Growth is depth first, or, under ``max_leaf_nodes``, best first: of all open leaves, the one whose split
gains the most weight times impurity is split next; on a tie, the one that was made first.

Invariants. The tree depends on the rows as a set: not on their order, and not on the number of threads.
Weights were rounded when the table was encoded so that every sum of them is exact in any order; columns
are compared by scores evaluated from these exact sums; scores within 1e-12 of the node's impurity tie,
and a tie goes to the lowest column, then the lowest threshold; columns are drawn at random by a
generator keyed by the seed and the path to the node.

The core releases the interpreter while it works. It looks for Ctrl-C regularly, and hands its progress
to ``poll``, which may ask it to stop: every open node then becomes a leaf, and the tree is a valid one.

References: E. Hunt, J. Marin, P. Stone, Experiments in Induction, 1966; L. Breiman, J. Friedman, R.
Olshen, C. Stone, Classification and Regression Trees, 1984; J. R. Quinlan, Induction of decision trees,
Machine Learning 1 (1986) 81-106.
"""

from __future__ import annotations

from collections.abc import Callable

from boxwood import _core
from boxwood.criteria import get_criterion
from boxwood.data import Dataset
from boxwood.grow.by_level import grow_by_level
from boxwood.grow.fractional import grow_fractional
from boxwood.grow.options import NUMBER_SPLITS, REGRESSION_CRITERIA, GrowOptions
from boxwood.grow.pooling import pool_rare
from boxwood.grow.problem import (
    Growth,
    check_selection,
    core_options,
    core_problem,
    explained,
    grown,
    refuse_categories,
)
from boxwood.search.categorical.multiway import MOST_PAIRED
from boxwood.tree import Tree


def grow(
    dataset: Dataset, options: GrowOptions | None = None, poll: Callable[[float], bool] | None = None
) -> Growth:
    """Grow a greedy tree, for classes or for numbers, and tell how many cuts were looked at.

    Parameters
    ----------
    dataset
        The encoded table. Without classes, its target is a number, and the tree is a regression tree.
    options
        What to look for and when to stop; None means the defaults ("squared_error" for numbers).
    poll
        Called now and then from the calling thread with the share of the rows (0 to 1) that have reached
        their leaf. Growth stops early when it returns True. An exception that it raises ends growth.

    Returns
    -------
    Growth
        The tree, the number of cuts and how many of them were weighed.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import grow
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0], [5.0]], ["no", "no", "yes", "yes", "yes"])
    >>> growth = grow(dataset)
    >>> growth.tree.n_leaves, growth.n_cuts, growth.n_cuts_evaluated
    (2, 4, 3)
    """
    if dataset.classes is None:
        return _grow_numbers(dataset, options or GrowOptions(criterion="squared_error"), poll)
    options = GrowOptions() if options is None else options
    if options.criterion in REGRESSION_CRITERIA:
        raise ValueError(
            f"criterion={options.criterion!r} is for a target of numbers, and this one has classes"
        )
    criterion = get_criterion(options.criterion, dataset.n_classes)
    if options.missing == "fractional":
        return grow_fractional(dataset, criterion, options, poll)
    if criterion.core is None:
        return grow_by_level(dataset, criterion, options, poll)
    if options.categorical_split == "multiway" and criterion.name == "twoing" and dataset.n_classes > 2:
        _refuse_many_pairs(dataset)
    check_selection(dataset, options)
    pooled = pool_rare(dataset, options.min_samples_category)
    refuse_categories(pooled.dataset, options, listed=False)
    with explained(dataset):
        arrays = _core.grow(
            **core_problem(pooled),
            options=core_options(options, dataset.n_features, criterion.core, criterion.parameter),
            poll=poll,
        )
    # The core's arrays are right, as the tests confirm.
    return grown(arrays, pooled, criterion.name, options, trusted=True)


def _grow_numbers(dataset: Dataset, options: GrowOptions, poll: Callable[[float], bool] | None) -> Growth:
    """Grow a regression tree."""
    criterion = options.criterion
    if not isinstance(criterion, str) or criterion not in REGRESSION_CRITERIA:
        named = ", ".join(map(repr, REGRESSION_CRITERIA))
        raise ValueError(f"criterion={criterion!r} is for classes; a target of numbers takes one of {named}")
    for name, unused in (("missing", "fractional"), ("mdl_stop", True)):
        if getattr(options, name) == unused:
            raise ValueError(f"{name}={unused!r} is for classes, and the target is a number")
    if options.min_significance is not None:
        raise ValueError(
            f"min_significance={options.min_significance!r} tests branches against classes, and the target "
            "is a number: use min_impurity_decrease"
        )
    if options.categorical_split not in NUMBER_SPLITS:
        named = ", ".join(map(repr, NUMBER_SPLITS))
        raise ValueError(
            f"categorical_split={options.categorical_split!r} divides categories by their classes, and this "
            f"target has numbers; use {named}"
        )
    check_selection(dataset, options)
    pooled = pool_rare(dataset, options.min_samples_category)
    with explained(dataset):
        arrays = _core.grow_regression(
            **core_problem(pooled), options=core_options(options, dataset.n_features, criterion), poll=poll
        )
    return grown(arrays, pooled, criterion, options, trusted=True)


def _refuse_many_pairs(dataset: Dataset) -> None:
    """Refuse columns of so many categories that their pairs cannot be compared."""
    for column, n_categories in zip(
        dataset.schema.columns, dataset.schema.n_categories.tolist(), strict=True
    ):
        if n_categories > MOST_PAIRED:
            raise ValueError(
                "categorical_split='multiway' with criterion='twoing' compares every pair of "
                f"branches, and column {column.name!r} has {n_categories:,} categories, more than "
                f"{MOST_PAIRED:,}. Use another criterion, categorical_split='auto', or "
                "min_samples_category to pool rare ones."
            )


def grow_tree(
    dataset: Dataset, options: GrowOptions | None = None, poll: Callable[[float], bool] | None = None
) -> Tree:
    """Grow a greedy tree: the tree of :func:`grow`.

    Parameters
    ----------
    dataset, options, poll
        As for :func:`grow`.

    Returns
    -------
    Tree
        The tree.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import GrowOptions, grow_tree
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> tree = grow_tree(dataset, GrowOptions(criterion="entropy"))
    >>> tree.n_leaves, float(tree.threshold[0]), float(tree.score[0])
    (2, 2.5, 1.0)
    """
    return grow(dataset, options, poll).tree
