"""From splits of a table to 0/1 features, and from a tree on these back to one on the table.

A 0/1 feature of the solver is a split with two branches: a threshold, one category against the others, or
whether a cell is missing. Its value in a row is the number of the branch that the row takes. So the solver's
tree, which sends the value 0 to the left, has the shape and the node numbers of the tree on the table, and
only the splits need be put in the place of the features: nothing is rounded or turned round on the way.

Where a missing value goes is part of the split, and what a feature says about such a row is what the finished
tree does with it. Only categories that training has not seen need a decision of their own, see `UNKNOWN`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood import _core
from boxwood.data import MISSING, Column, Dataset, Schema
from boxwood.data import UNKNOWN as UNKNOWN_CODE
from boxwood.optimal.problem import Problem
from boxwood.optimal.result import Result
from boxwood.optimal.splits import CategoryTests, ThresholdTests, as_splits
from boxwood.tree import ERROR, SPREAD, STOP, IsMissing, Split, Subset, Threshold, Tree, TreeBuilder

Cells = npt.NDArray[np.uint8]

UNKNOWN: Final = ("other", "missing", "majority", "stop", "error", "distribute")
"""What to do with a category that was not there in training: it is none of the known ones ("other"), counts
as missing, takes the heavier branch, ends at the node, or is an error."""


def branch_of(split: Split, column: npt.NDArray[Any]) -> Cells:
    """The branch that each row takes, by the words of the rule; 255 for a row that ends at the node.

    >>> branch_of(Threshold(0, 2.5, missing_branch=1), np.array([2.5, 3.0, np.nan]))
    array([0, 1, 1], dtype=uint8)
    >>> branch_of(Subset(0, {0: 1, 1: 0}, missing_branch=1, unknown_branch=-1), np.array([0, 1, -1, -2]))
    array([  1,   0,   1, 255], dtype=uint8)
    """
    missing = np.isnan(column) if column.dtype.kind == "f" else column == MISSING
    found: Cells
    if isinstance(split, IsMissing):
        found = (~missing).astype(np.uint8)
        if column.dtype.kind != "f":
            found[column == UNKNOWN_CODE] = split.unknown_branch % 256
        return found
    if isinstance(split, Threshold):
        found = (~(column <= split.threshold)).astype(np.uint8)
    else:
        # The last of the branches is that of every code that the split does not list.
        n_codes = max(split.branches, default=-1) + 1
        branches = np.full(n_codes + 1, split.unknown_branch % 256, dtype=np.uint8)
        branches[list(split.branches)] = list(split.branches.values())
        found = branches[np.where((column >= 0) & (column < n_codes), column, n_codes)]
    found[missing] = split.missing_branch % 256
    return found


def cells_of(splits: Sequence[Split], columns: Sequence[npt.NDArray[Any]]) -> Cells:
    """The 0/1 features of a table's rows, row by row.

    >>> cells_of([Threshold(0, 1.5, 1), IsMissing(0)], [np.array([1.0, 2.0, np.nan])])
    array([[0, 1],
           [1, 1],
           [1, 0]], dtype=uint8)
    """
    n_rows = len(columns[0]) if columns else 0
    cells = np.empty((n_rows, len(splits)), dtype=np.uint8)
    asked: list[_Thresholds] = []
    for first, part in as_splits(splits).places():
        if isinstance(part, CategoryTests):
            _fill_categories(part, columns[part.feature], cells[:, first : first + len(part)])
        elif isinstance(part, ThresholdTests):
            places = np.arange(first, first + len(part))
            asked.append((part.features, part.thresholds, np.ones(len(part), dtype=np.uint8), places))
        else:
            asked.append(_fill_listed(part, columns, cells, first))
    if not asked:
        return cells
    features, thresholds, missing, places = (np.concatenate(arrays) for arrays in zip(*asked, strict=True))
    numbers, column = np.unique(features, return_inverse=True)
    # The core asks all thresholds of a column at once.
    _core.threshold_cells(
        [columns[feature] for feature in numbers.tolist()],
        column.reshape(-1).astype(np.int32),
        thresholds.astype(np.float64, copy=False),
        missing,
        places.astype(np.int64, copy=False),
        cells,
    )
    return cells


_Thresholds: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]


def _fill_categories(part: CategoryTests, column: npt.NDArray[Any], cells: Cells) -> None:
    """One category against the rest, for many of a column: one pass over the rows."""
    cells[:] = 1
    place_of = np.full(part.n_categories + 1, -1, dtype=np.int64)
    place_of[part.codes] = np.arange(len(part))
    places = place_of[np.where(column >= 0, column, part.n_categories)]
    rows = np.flatnonzero(places >= 0)
    cells[rows, places[rows]] = 0


def _fill_listed(
    splits: tuple[Split, ...], columns: Sequence[npt.NDArray[Any]], cells: Cells, first: int
) -> _Thresholds:
    """Splits of any kind, one by one; the thresholds among them are handed back: feature, number, ..."""
    left: list[tuple[int, float, int, int]] = []
    for place, split in enumerate(splits, first):
        if isinstance(split, Threshold) and split.missing_branch in (0, 1):
            left.append((split.feature, split.threshold, split.missing_branch, place))
        else:
            cells[:, place] = branch_of(split, columns[split.feature])
    features, thresholds, missing, places = zip(*left, strict=True) if left else ((), (), (), ())
    return (
        np.array(features, dtype=np.int32),
        np.array(thresholds, dtype=np.float64),
        np.array(missing, dtype=np.uint8),
        np.array(places, dtype=np.int64),
    )


def binary_splits(dataset: Dataset) -> tuple[Split, ...]:
    """The columns of a table that is 0/1 to begin with, as splits.

    >>> from boxwood.data import make_dataset
    >>> binary_splits(make_dataset([[0], [1]], ["no", "yes"]))
    (Threshold(feature=0, threshold=0.5, missing_branch=1),)
    >>> binary_splits(make_dataset({"size": [0, 7]}, ["no", "yes"]))
    Traceback (most recent call last):
    ...
    ValueError: column 'size' holds 7.0 in row 1, and features='binary' takes 0 and 1 only: use features='mid'
    """
    refuse_other_than_binary(dataset.schema, dataset.columns, dataset.rows)
    return tuple(Threshold(place, 0.5, missing_branch=1) for place in range(dataset.n_features))


def refuse_other_than_binary(
    schema: Schema, columns: Sequence[npt.NDArray[Any]], rows: npt.NDArray[Any] | None = None
) -> None:
    """Raise a ValueError that names a cell that is neither 0 nor 1; `rows` are the caller's numbers.

    >>> refuse_other_than_binary(feature_schema(1), [np.array([0.0, 1.0])])
    """
    remedy = "features='binary' takes 0 and 1 only: use features='mid'"
    for place, values in enumerate(columns):
        column = schema[place]
        if column.is_categorical:
            first = column.categories[0] if column.categories else None
            raise ValueError(f"column {column.name!r} holds categories such as {first!r}, and {remedy}")
        wrong = (values != 0) & (values != 1)
        if wrong.any():
            at = int(wrong.argmax())
            row = at if rows is None else int(rows[at])
            what = "a missing value" if np.isnan(values[at]) else f"{float(values[at])}"
            raise ValueError(f"column {column.name!r} holds {what} in row {row}, and {remedy}")


def feature_schema(n_features: int) -> Schema:
    """Columns for so many 0/1 features.

    >>> feature_schema(2).names
    ('test 0', 'test 1')
    """
    return Schema(
        tuple(Column(f"test {place}", "numeric", "boolean") for place in range(n_features)), named=True
    )


@dataclass(frozen=True, eq=False)
class Limits:
    """The limits and the objective of a tree, as `boxwood.optimal.Problem` has them."""

    max_depth: int = 3
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    complexity: float = 0.0
    cost_matrix: npt.NDArray[np.float64] | None = None


def problem_on(dataset: Dataset, splits: Sequence[Split], limits: Limits, meaning: str = "") -> Problem:
    """The problem of the best tree that uses these splits.

    Parameters
    ----------
    dataset
        The table.
    splits
        Splits of it with two branches, which every row of the table takes one of.
    limits
        The limits and the objective.
    meaning
        What the splits are, in words.

    Returns
    -------
    Problem
        For `boxwood.optimal.solve`.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import solve
    >>> dataset = make_dataset([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    >>> splits = [Threshold(0, 1.5, missing_branch=1), Threshold(0, 2.5, missing_branch=1)]
    >>> result = solve(problem_on(dataset, splits, Limits(max_depth=1), "2 thresholds"))
    >>> result, result.search_space
    (Result(optimal, objective 0, 2 leaves), 'optimal over 2 thresholds, depth at most 1')
    >>> tree_on_table(result.tree, splits, dataset.schema).split(0)
    Threshold(feature=0, threshold=1.5, missing_branch=1)
    """
    if dataset.classes is None:
        raise ValueError("the target is a number, and must be a class: bin it first")
    # A table in which nothing varies has no split: a constant feature, which no tree uses, stands for none.
    cells = (
        cells_of(splits, dataset.columns) if len(splits) else np.zeros((dataset.n_rows, 1), dtype=np.uint8)
    )
    return Problem(
        cells=cells,
        target=np.ascontiguousarray(dataset.target, dtype=np.int32),
        classes=dataset.classes,
        weights=dataset.weights,
        schema=feature_schema(cells.shape[1]),
        meaning=meaning,
        **{name: getattr(limits, name) for name in Limits.__dataclass_fields__},
    )


def tree_on_table(tree: Tree, splits: Sequence[Split], schema: Schema, unknown: str = "other") -> Tree:
    """The tree on the table that a tree on 0/1 features stands for.

    A split by category lists the categories that can come to its node: those that a split above has sent
    another way are left out.

    Parameters
    ----------
    tree
        A tree whose feature j is ``splits[j]``.
    splits
        Splits of the table.
    schema
        The columns of the table.
    unknown
        What to do with categories that training did not see, one of `UNKNOWN`.

    Returns
    -------
    Tree
        With the same nodes, numbers and counts.
    """
    gone: list[frozenset[tuple[int, int]]] = [frozenset()] * tree.n_nodes

    def split_of(node: int) -> Split:
        first = int(tree.first_child[node])
        heavier = int(tree.weight[first] < tree.weight[first + 1])
        split = _with_unknown(splits[tree.feature[node]], unknown, heavier)
        gone[first] = gone[first + 1] = gone[node]
        if isinstance(split, Subset):
            here = {code: b for code, b in split.branches.items() if (split.feature, code) not in gone[node]}
            split = replace(split, branches=here)
            for branch in (0, 1):
                left_here = {(split.feature, code) for code in here if here[code] != branch}
                gone[first + branch] = gone[node] | left_here
        return split

    return _rebuilt(tree, schema, split_of, unknown)


def _rebuilt(tree: Tree, schema: Schema, split_of: Callable[[int], Split], unknown: str = "missing") -> Tree:
    """The same nodes with other splits."""
    builder = TreeBuilder(schema, tree.classes, criterion=tree.criterion, unknown_category=unknown)
    assert tree.counts is not None
    for node in range(tree.n_nodes):
        told: dict[str, Any] = {"counts": tree.counts[node], "n_rows": int(tree.n_rows[node])}
        if tree.is_leaf[node]:
            builder.add_leaf(**told)
        else:
            builder.add_split(split_of(node), **told)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        builder.link(node, list(tree.children(node)))
    return builder.build()


def _with_unknown(split: Split, unknown: str, heavier: int) -> Split:
    """The split, with the branch of unknown categories that was asked for."""
    if isinstance(split, Threshold) or unknown == "other":
        return split
    branches = {"missing": split.missing_branch, "majority": heavier, "stop": STOP, "error": ERROR}
    return replace(split, unknown_branch=branches.get(unknown, SPREAD))


def result_on_table(
    result: Result, splits: Sequence[Split], schema: Schema, unknown: str = "other"
) -> Result:
    """The result with its tree on the table, and nothing that only the solver needs."""
    return Result(
        status=result.status,
        tree=tree_on_table(result.tree, splits, schema, unknown),
        objective=result.objective,
        lower_bound=result.lower_bound,
        errors=result.errors,
        weighted_errors=result.weighted_errors,
        search_space=result.search_space,
        stats=dict(result.stats),
        trace=result.trace,
        keyboard_interrupt=result.keyboard_interrupt,
    )
