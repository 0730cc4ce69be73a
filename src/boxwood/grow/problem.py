"""A table and the options of growth as the core takes them, and the core's refusals in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from boxwood import _core
from boxwood.criteria import CutRule
from boxwood.data import Dataset
from boxwood.data.encode import infinite_cell
from boxwood.grow.options import GrowOptions
from boxwood.tree import Tree


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


def core_problem(dataset: Dataset) -> dict[str, Any]:
    """The table by the names of the core's arguments."""
    problem = {
        "columns": list(dataset.columns),
        "n_categories": dataset.schema.n_categories,
        "target": dataset.target,
        "weights": None if dataset.unit_weights else dataset.weights,
    }
    return problem if dataset.classes is None else problem | {"n_classes": dataset.n_classes}


def core_options(
    options: GrowOptions, n_features: int, criterion: str, parameter: float = 0.0, cut_rule: CutRule = "all"
) -> _core.Options:
    """The options as the core takes them."""
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
        max_depth=-1 if options.max_depth is None else options.max_depth,
        min_samples_split=options.min_samples_split,
        min_samples_leaf=options.min_samples_leaf,
        min_weight_leaf=options.min_weight_leaf,
        min_impurity_decrease=options.min_impurity_decrease,
        max_features=n_features if options.max_features is None else min(options.max_features, n_features),
        max_leaf_nodes=-1 if options.max_leaf_nodes is None else options.max_leaf_nodes,
        seed=options.seed,
        n_threads=options.n_threads,
        max_surrogates=options.max_surrogates,
    )


def grown(
    arrays: dict[str, Any], dataset: Dataset, criterion: str, options: GrowOptions, *, trusted: bool
) -> Growth:
    """The tree of the arrays that the core gave; those of the core alone can be trusted unchecked."""
    n_cuts, n_cuts_evaluated = arrays.pop("n_cuts"), arrays.pop("n_cuts_evaluated")
    tree = Tree.from_arrays(
        schema=dataset.schema,
        classes=dataset.classes,
        criterion=criterion,
        missing=options.missing,
        unknown_category=options.unknown_category,
        check=not trusted,
        copy=not trusted,
        **arrays,
    )
    return Growth(tree, n_cuts, n_cuts_evaluated)


@contextmanager
def explained(dataset: Dataset) -> Iterator[None]:
    """Turn the core's refusal of an infinite number into the error that names its cell."""
    try:
        yield
    except ValueError as error:
        raise infinite_cell(dataset.schema, dataset.columns, dataset.rows) or error from None
