"""A table and the options of growth as the core takes them, and the core's refusals in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from boxwood import _core
from boxwood.data import Dataset
from boxwood.data.encode import infinite_cell
from boxwood.grow.options import GrowOptions


def core_problem(dataset: Dataset) -> dict[str, Any]:
    """The table by the names of the core's arguments."""
    return {
        "columns": list(dataset.columns),
        "n_categories": dataset.schema.n_categories,
        "target": dataset.target,
        "n_classes": dataset.n_classes,
        "weights": None if dataset.unit_weights else dataset.weights,
    }


def core_options(options: GrowOptions, n_features: int) -> _core.Options:
    """The options as the core takes them."""
    return _core.Options(
        criterion=options.criterion,
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
    )


@contextmanager
def explained(dataset: Dataset) -> Iterator[None]:
    """Turn the core's refusal of an infinite number into the error that names its cell."""
    try:
        yield
    except ValueError as error:
        raise infinite_cell(dataset.schema, dataset.columns, dataset.rows) or error from None
