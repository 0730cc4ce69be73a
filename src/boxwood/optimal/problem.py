"""What is asked: rows with 0/1 features, classes and weights, and the limits of the tree.

A tree on 0/1 features tests one feature at each split: branch 0, the left one, holds the rows whose feature
is 0 (``x <= 0.5``), branch 1 those whose feature is 1. We look for the tree that minimises

    sum over rows of weight * cost[truth, answer]  +  complexity * number of leaves

with at most `max_depth` splits on a path, at most `max_leaf_nodes` leaves, and in every leaf at least
`min_samples_leaf` rows and `min_weight_leaf` weight. Without a cost matrix a wrong answer costs 1 and a right
one nothing. A tree of a single leaf is always allowed.

Where the 0/1 features come from is not said here: a table that is binary to begin with, or the thresholds of
a discretiser. `Problem.meaning` is a sentence about that, and becomes part of the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boxwood import _core
from boxwood.data import Dataset
from boxwood.data.schema import Schema
from boxwood.optimal.scale import Scale, make_scale

ANY_DEPTH: Final = 10_000
"""A depth that no table needs: from here on there is no limit."""
_LARGEST: Final = 2**62


def search_space_of(meaning: str, max_depth: int, max_leaf_nodes: int | None = None) -> str:
    """A sentence about what "optimal" ranges over.

    >>> search_space_of("45 thresholds", 3)
    'optimal over 45 thresholds, depth at most 3'
    >>> search_space_of("45 thresholds", ANY_DEPTH, 7)
    'optimal over 45 thresholds, any depth and at most 7 leaves'
    """
    depth = "any depth" if max_depth >= ANY_DEPTH else f"depth at most {max_depth}"
    leaves = "leaf" if max_leaf_nodes == 1 else "leaves"
    budget = "" if max_leaf_nodes is None else f" and at most {max_leaf_nodes} {leaves}"
    return f"optimal over {meaning}, {depth}{budget}"


@dataclass(frozen=True, eq=False, repr=False)
class Problem:
    """A problem for `solve`; `make_problem` makes one from a dataset.

    Parameters
    ----------
    cells
        The features, a matrix of 0 and 1 (uint8), row by row.
    target
        The class of each row: codes into `classes`.
    classes
        The labels.
    weights
        The weight of each row, positive.
    schema
        The columns of the matrix, for the tree.
    max_depth, max_leaf_nodes, min_samples_leaf, min_weight_leaf, complexity, cost_matrix
        The limits and the objective, see above; ``cost_matrix[i, j]`` is the cost of the answer
        ``classes[j]`` where the truth is ``classes[i]``.
    meaning
        What the search space is, in words.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> make_problem(dataset, max_depth=2)
    Problem(4 rows, 2 features, 2 classes, max_depth=2)
    """

    cells: npt.NDArray[np.uint8]
    target: npt.NDArray[np.int32]
    classes: npt.NDArray[Any]
    weights: npt.NDArray[np.float64]
    schema: Schema
    max_depth: int = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    complexity: float = 0.0
    cost_matrix: npt.NDArray[np.float64] | None = field(default=None)
    meaning: str = ""

    def __post_init__(self) -> None:
        for name, least in (("max_depth", 0), ("max_leaf_nodes", 1), ("min_samples_leaf", 1)):
            value = getattr(self, name)
            if value is not None and (int(value) != value or value < least):
                raise ValueError(f"{name} must be a whole number of at least {least}, got {value!r}")
        for name in ("min_weight_leaf", "complexity"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value >= 0):
                raise ValueError(f"{name} must be a finite number that is not negative, got {value!r}")
        if self.cells.ndim != 2 or self.cells.shape != (len(self.target), len(self.schema)):
            raise ValueError(
                f"cells must have one row per target ({len(self.target)}) and one column per feature "
                f"({len(self.schema)}), got the shape {self.cells.shape}"
            )
        if self.cost_matrix is not None:
            self._check_costs(self.cost_matrix)

    def _check_costs(self, costs: npt.NDArray[np.float64]) -> None:
        k = len(self.classes)
        if costs.shape != (k, k):
            raise ValueError(
                f"cost_matrix must have one row and one column for each of the {k} classes, got the shape "
                f"{costs.shape}"
            )
        if not (np.isfinite(costs).all() and (costs >= 0).all()):
            raise ValueError("cost_matrix must hold finite numbers that are not negative")

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.target)

    @property
    def n_features(self) -> int:
        """The number of features."""
        return len(self.schema)

    @property
    def search_space(self) -> str:
        """A sentence about what "optimal" ranges over."""
        features = "feature" if self.n_features == 1 else "features"
        meaning = self.meaning or f"{self.n_features} binary {features}"
        return search_space_of(meaning, self.max_depth, self.max_leaf_nodes)

    @cached_property
    def scale(self) -> Scale:
        """The whole numbers that the solver counts with."""
        return make_scale(self.weights, self.cost_matrix, self.complexity)

    @cached_property
    def core(self) -> _core.OptimalProblem:
        """The problem as the core takes it."""
        scale = self.scale
        least = self.min_weight_leaf * scale.weight_factor
        try:
            return _core.OptimalProblem(
                self.cells,
                self.target,
                len(self.classes),
                scale.weights,
                scale.costs,
                max_depth=min(int(self.max_depth), ANY_DEPTH, max(1, self.n_rows - 1)),
                max_leaves=0 if self.max_leaf_nodes is None else min(int(self.max_leaf_nodes), _LARGEST),
                min_rows=min(int(self.min_samples_leaf), _LARGEST),
                min_weight=int(np.ceil(min(least * (1 - 1e-12), 2.0**60))),
                leaf_cost=scale.leaf_cost,
                weight_unit=scale.weight_unit,
            )
        except ValueError as error:
            raise ValueError(f"the problem cannot be solved: {error}") from error

    def __repr__(self) -> str:
        return (
            f"Problem({self.n_rows} rows, {self.n_features} features, {len(self.classes)} classes, "
            f"max_depth={self.max_depth})"
        )


def make_problem(
    dataset: Dataset,
    *,
    max_depth: int = 3,
    max_leaf_nodes: int | None = None,
    min_samples_leaf: int = 1,
    min_weight_leaf: float = 0.0,
    complexity: float = 0.0,
    cost_matrix: npt.ArrayLike | None = None,
) -> Problem:
    """A problem from an encoded table whose columns are 0 and 1.

    Parameters
    ----------
    dataset
        The table; every column numeric (numbers or booleans), every cell 0 or 1.
    max_depth, max_leaf_nodes, min_samples_leaf, min_weight_leaf, complexity, cost_matrix
        As in `Problem`.

    Returns
    -------
    Problem
        For `solve`.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> make_problem(make_dataset([[0], [2]], ["no", "yes"]))
    Traceback (most recent call last):
    ...
    ValueError: column 'x0' holds 2.0 in row 1, and must hold 0 and 1 only: discretise it first
    """
    cells = np.empty((dataset.n_rows, dataset.n_features), dtype=np.uint8)
    if dataset.classes is None:
        raise ValueError("the target is a number, and must be a class: bin it first")
    for place, values in enumerate(dataset.columns):
        column = dataset.schema[place]
        if column.is_categorical:
            raise ValueError(
                f"column {column.name!r} is categorical, and must hold 0 and 1 only: "
                "give one column per category"
            )
        wrong = (values != 0) & (values != 1)
        if wrong.any():
            at = int(wrong.argmax())
            row = at if dataset.rows is None else int(dataset.rows[at])
            raise ValueError(
                f"column {column.name!r} holds {float(values[at])} in row {row}, and must hold 0 and 1 only: "
                "discretise it first"
            )
        cells[:, place] = values != 0
    return Problem(
        cells=cells,
        target=np.ascontiguousarray(dataset.target, dtype=np.int32),
        classes=dataset.classes,
        weights=dataset.weights,
        schema=dataset.schema,
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        min_weight_leaf=min_weight_leaf,
        complexity=complexity,
        cost_matrix=None if cost_matrix is None else np.array(cost_matrix, dtype=np.float64),
    )
