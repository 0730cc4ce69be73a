"""Greedy growth level by level, with the criterion evaluated in Python.

The problem: a criterion that is a Python function cannot be called once per candidate, let alone once
per row. The idea: the core grows a whole level at a time in two steps. It gathers the branch counts of
all candidates of all columns of all open nodes into one array, Python scores that array in one call, and
the core takes the scores back, splits every node at its best candidate and opens the next level. Under
``max_leaf_nodes`` growth is best first, and each batch is what the last split opened.

Of a user's function the core wants the impurities of branches alone: it hands over the smaller class share
of every branch (two classes) or all class shares, and works out the gains itself.

The candidates are the same as in :func:`boxwood.grow.grow`: of a numeric column the cuts that the
criterion's curvature asks for (:mod:`boxwood.search.numeric`), every grouping of categories that the
search looks at, each with every way to place the missing rows. So for a criterion that the core also has,
both give the same tree; the tests hold them to that.

Selection works as in the core: the columns' best candidates by gain are found first, then
:mod:`boxwood.select` chooses among them.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from boxwood import _core
from boxwood.criteria import TIE, Criterion
from boxwood.data import Dataset
from boxwood.grow.options import GrowOptions
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
from boxwood.select import SELECTIONS

Floats = NDArray[np.float64]


def grow_by_level(
    dataset: Dataset,
    criterion: Criterion,
    options: GrowOptions | None = None,
    poll: Callable[[float], bool] | None = None,
) -> Growth:
    """Grow a tree with a criterion evaluated in Python, one call per level.

    Parameters
    ----------
    dataset
        The encoded table.
    criterion
        How good a split is.
    options, poll
        As for :func:`boxwood.grow.grow`; the criterion named in the options is not used.

    Returns
    -------
    Growth
        The tree, the number of cuts and how many of them were weighed.

    Examples
    --------
    >>> from boxwood.criteria import CRITERIA
    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import grow_by_level
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> tree = grow_by_level(dataset, CRITERIA["gini"]).tree
    >>> tree.n_leaves, float(tree.threshold[0]), float(tree.score[0])
    (2, 2.5, 0.5)
    """
    options = GrowOptions() if options is None else options
    if options.categorical_split == "multiway":
        raise ValueError(
            f"categorical_split='multiway' is not available with criterion={criterion.name!r}, which "
            "is evaluated in Python: candidates are handed over with two branches, or three. Use "
            "categorical_split='auto' or 'one_vs_rest', or one of the named criteria."
        )
    pooled = pool_rare(dataset, options.min_samples_category)
    check_selection(dataset, options)
    refuse_categories(pooled.dataset, options, listed=True)
    with explained(dataset):
        grower = _core.LevelGrower(
            **core_problem(pooled),
            options=core_options(
                options,
                dataset.n_features,
                "given",
                criterion.parameter,
                cut_rule=criterion.rule(dataset.n_classes),
                search_criterion=criterion.core or "gini",
            ),
            poll=poll,
        )
    while grower.n_open > 0:
        if criterion.of_share is not None and dataset.n_classes == 2:
            grower.take_impurities(criterion.of_share(grower.gather_minority()), TIE)
        elif criterion.of_shares is not None:
            grower.take_impurities(criterion.of_shares(grower.gather_shares()), TIE)
        else:
            level = grower.gather_counts()
            impurity = criterion.impurity(level["totals"])
            gains: Floats = np.ascontiguousarray(criterion.gain(level["counts"]), dtype=np.float64)
            scores = _scores(criterion, gains, level["counts"], level["node"], level["feature"], impurity)
            grower.take(scores, gains, TIE * impurity)
    arrays = grower.finish()
    arrays["impurity"] = criterion.impurity(arrays["counts"])
    return grown(arrays, pooled, criterion.name, options, trusted=False)


def _scores(
    criterion: Criterion,
    gain: Floats,
    branches: Floats,
    node: NDArray[np.int32],
    feature: NDArray[np.int32],
    impurity: Floats,
) -> Floats:
    """What the core compares: the gain, or, where features compete by another score, the score of each
    node's chosen candidate and NaN elsewhere.
    """
    if criterion.split_score is not None:
        return np.ascontiguousarray(criterion.split_score(branches), dtype=np.float64)
    if criterion.rank is None and criterion.selection == "best_score":
        return gain
    select = SELECTIONS[criterion.selection]
    score = criterion.score(branches)
    chosen = np.full_like(gain, np.nan)
    for i in range(len(impurity)):
        first, last = np.searchsorted(node, [i, i + 1])
        offers = []
        for j in np.unique(feature[first:last]):
            begin, end = first + np.searchsorted(feature[first:last], [j, j + 1])
            near = gain[begin:end] >= gain[begin:end].max() - TIE * impurity[i]
            offers.append(int(begin + np.flatnonzero(near)[0]))
        winner = select(gain[offers], score[offers], float(impurity[i]))
        if winner >= 0:
            chosen[offers[winner]] = score[offers[winner]]
    return chosen
