"""A table and the options of growth as the core takes them, and the core's refusals in our words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from boxwood import _core
from boxwood.criteria import CutRule
from boxwood.data import Dataset
from boxwood.data.encode import infinite_cell
from boxwood.grow.options import GrowOptions
from boxwood.grow.pooling import Pooled, name_unknown
from boxwood.search.categorical.groupings import MOST_CLASSES, MOST_VALUES, refuse_size
from boxwood.tree import Tree

MOST_UNITS = 100_000_000
"""Rows, by weight, that are permuted."""
MOST = 2**31 - 1
"""The core counts to this, and no table has more rows: a larger limit is none."""


class Growth(NamedTuple):
    """A grown tree, and how it was found.

    Attributes
    ----------
    tree
        The tree.
    n_cuts
        Over all nodes and all numeric columns that were searched there: the cuts between neighbouring values.
    n_cuts_evaluated
        How many of them were weighed.
    """

    tree: Tree
    n_cuts: int
    n_cuts_evaluated: int


def core_problem(pooled: Pooled) -> dict[str, Any]:
    """The table by the names of the core's arguments."""
    dataset = pooled.dataset
    n_categories = dataset.schema.n_categories.copy()
    for feature, code in pooled.other.items():
        n_categories[feature] = code + 1
    problem = {
        "columns": list(dataset.columns),
        "n_categories": n_categories,
        "target": dataset.target,
        "weights": None if dataset.unit_weights else dataset.weights,
    }
    return problem if dataset.classes is None else problem | {"n_classes": dataset.n_classes}


def refuse_categories(dataset: Dataset, options: GrowOptions, *, listed: bool) -> None:
    """Raise a ValueError if the search for groupings cannot take some column of categories.

    ``listed`` says that the criterion is evaluated in Python, for which all groupings are listed.
    """
    if options.categorical_split not in MOST_VALUES and options.categorical_split not in MOST_CLASSES:
        return
    for column, codes in zip(dataset.schema, dataset.columns, strict=True):
        if not column.is_categorical:
            continue
        n_values = len(np.unique(codes[codes >= 0]))
        named = f"column {column.name!r}"
        refuse_size(options.categorical_split, n_values, dataset.n_classes, named, listed=listed)


def core_options(
    options: GrowOptions,
    n_features: int,
    criterion: str,
    parameter: float = 0.0,
    cut_rule: CutRule = "all",
    search_criterion: str = "gini",
) -> _core.Options:
    """The options as the core takes them.

    ``search_criterion`` is what a search for a grouping of categories goes by where it has to choose itself
    and the criterion is evaluated in Python.
    """
    return _core.Options(
        criterion=criterion,
        parameter=parameter,
        cut_rule=cut_rule,
        cuts=options.cuts,
        splitter=options.splitter,
        monotonic=[] if options.monotonic is None else list(options.monotonic),
        missing=options.missing,
        unknown_category=options.unknown_category,
        categorical_split=options.categorical_split,
        max_depth=-1 if options.max_depth is None else min(options.max_depth, MOST),
        min_samples_split=min(options.min_samples_split, MOST),
        min_samples_leaf=min(options.min_samples_leaf, MOST),
        min_weight_leaf=options.min_weight_leaf,
        min_impurity_decrease=options.min_impurity_decrease,
        max_features=n_features if options.max_features is None else min(options.max_features, n_features),
        max_leaf_nodes=-1 if options.max_leaf_nodes is None else min(options.max_leaf_nodes, MOST),
        seed=options.seed,
        n_threads=options.n_threads,
        min_significance=1.0 if options.min_significance is None else options.min_significance,
        mdl_stop=options.mdl_stop,
        gain_correction=options.gain_correction,
        leaf_minimum=options.leaf_minimum,
        numeric_minimum=options.numeric_minimum,
        min_value_gap=options.min_value_gap,
        comparison=options.comparison,
        thresholds=options.thresholds,
        select=options.select,
        max_p_value=options.max_p_value,
        min_second_value=options.min_second_value,
        alpha=math.inf if options.significance_level is None else options.significance_level,
        monte_carlo=options.monte_carlo or 0,
        search_criterion=search_criterion,
        max_surrogates=min(options.max_surrogates, MOST),
        mixing=[] if options.mixing is None else [cost for row in options.mixing for cost in row],
    )


def grown(
    arrays: dict[str, Any], pooled: Pooled, criterion: str, options: GrowOptions, *, trusted: bool
) -> Growth:
    """The tree of the arrays that the core gave; those of the core alone can be trusted unchecked."""
    n_cuts, n_cuts_evaluated = arrays.pop("n_cuts"), arrays.pop("n_cuts_evaluated")
    extra = {"p_value": arrays.pop("p_value")} if "p_value" in arrays else None
    name_unknown(arrays, pooled.other)
    dataset = pooled.dataset
    tree = Tree.from_arrays(
        schema=dataset.schema,
        classes=dataset.classes,
        criterion=criterion,
        missing=options.missing,
        unknown_category=options.unknown_category,
        extra=extra,
        check=not trusted,
        copy=not trusted,
        **arrays,
    )
    return Growth(tree, n_cuts, n_cuts_evaluated)


def check_selection(dataset: Dataset, options: GrowOptions) -> None:
    """Refuse tests that this table cannot have."""
    if options.select == "chi2_filter" and dataset.classes is None:
        raise ValueError(
            "select='chi2_filter' tests a table of values and classes, and the target is a number. Use "
            "select='conditional_inference'."
        )
    if options.monte_carlo is None:
        return
    if options.monte_carlo > MOST:
        raise ValueError(
            f"monte_carlo={options.monte_carlo} permutations would never end: use at most {MOST:,}; 10,000 "
            "will do for p-values down to 0.001."
        )
    if (dataset.weights != np.floor(dataset.weights)).any() or dataset.weights.sum() > MOST_UNITS:
        raise ValueError(
            "monte_carlo permutes the target of the rows, a row of weight w being w rows: weights "
            f"must be whole numbers, and not more than {MOST_UNITS:,} together; class weights count, in the "
            "ratios that they have. Use monte_carlo=None."
        )
    n_tests = min(options.max_features or dataset.n_features, dataset.n_features)
    if (
        options.significance_level is not None
        and n_tests / (1 + options.monte_carlo) > options.significance_level
    ):
        raise ValueError(
            f"monte_carlo={options.monte_carlo} can never be significant: the smallest p-value of "
            f"{n_tests} columns is {n_tests}/{1 + options.monte_carlo}, above "
            f"significance_level={options.significance_level}. Use "
            f"monte_carlo={math.ceil(n_tests / options.significance_level) - 1} or more."
        )


@contextmanager
def explained(dataset: Dataset) -> Iterator[None]:
    """Turn the core's refusal of an infinite number into the error that names its cell."""
    try:
        yield
    except ValueError as error:
        raise infinite_cell(dataset.schema, dataset.columns, dataset.rows) or error from None
