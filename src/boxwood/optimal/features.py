"""From splits of a table to 0/1 features, and from a tree on these back to one on the table.

A 0/1 feature of the solver is a split with two branches: a threshold, one category against the others, or
whether a cell is missing. Its value in a row is the number of the branch that the row takes. So the solver's
tree, which sends the value 0 to the left, has the shape and the node numbers of the tree on the table, and
only the splits need be put in the place of the features: nothing is rounded or turned round on the way.

Where a missing value goes is part of the split, and what a feature says about such a row is what the finished
tree does with it. Only categories that training has not seen need a decision of their own, see `UNKNOWN`.

A tree to start from (`start_from`) is put into features the other way: each of its splits is looked up among
the features by what it does with the rows, and is appended as one more feature where none does the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boxwood import _core
from boxwood.data import MISSING, Column, Dataset, Schema
from boxwood.data import UNKNOWN as UNKNOWN_CODE
from boxwood.optimal.problem import Problem
from boxwood.optimal.result import Result
from boxwood.tree import ERROR, SPREAD, STOP, IsMissing, Multiway, Split, Subset, Threshold, Tree, TreeBuilder

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
        found = np.full(len(column), split.unknown_branch % 256, dtype=np.uint8)
        for code, branch in split.branches.items():
            found[column == code] = branch
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
    thresholds: list[Threshold] = []
    places: list[int] = []
    for place, split in enumerate(splits):
        # Most are of this kind, and the core asks all thresholds of a column at once.
        if isinstance(split, Threshold) and split.missing_branch in (0, 1):
            thresholds.append(split)
            places.append(place)
        else:
            cells[:, place] = branch_of(split, columns[split.feature])
    numbers = sorted({split.feature for split in thresholds})
    _core.threshold_cells(
        [columns[feature] for feature in numbers],
        np.array([numbers.index(split.feature) for split in thresholds], dtype=np.int32),
        np.array([split.threshold for split in thresholds], dtype=np.float64),
        np.array([split.missing_branch for split in thresholds], dtype=np.uint8),
        np.array(places, dtype=np.int64),
        cells,
    )
    return cells


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
    remedy = "features='binary' takes 0 and 1 only: use features='mid'"
    for place, values in enumerate(dataset.columns):
        column = dataset.schema[place]
        if column.is_categorical:
            first = column.categories[0] if column.categories else None
            raise ValueError(f"column {column.name!r} holds categories such as {first!r}, and {remedy}")
        wrong = (values != 0) & (values != 1)
        if wrong.any():
            at = int(wrong.argmax())
            row = at if dataset.rows is None else int(dataset.rows[at])
            what = "a missing value" if np.isnan(values[at]) else f"{float(values[at])}"
            raise ValueError(f"column {column.name!r} holds {what} in row {row}, and {remedy}")
    return tuple(Threshold(place, 0.5, missing_branch=1) for place in range(dataset.n_features))


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
    cells = cells_of(splits, dataset.columns) if splits else np.zeros((dataset.n_rows, 1), dtype=np.uint8)
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


def start_from(
    initial: Tree, dataset: Dataset, splits: Sequence[Split]
) -> tuple[list[tuple[int, bool]], list[Split]]:
    """A tree on the table in terms of 0/1 features: where to begin the search.

    Parameters
    ----------
    initial
        A classification tree on the columns of the table; a column is found by its name where both have
        names, else by its place.
    dataset
        The table.
    splits
        The features that there are.

    Returns
    -------
    places : list of (int, bool)
        For each node of the tree the number of a feature and whether it has the branches the other way round;
        (-1, False) for a leaf. Numbers from ``len(splits)`` on are those of `added`.
    added : list of Split
        Splits of the tree that no feature does the work of.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.tree import build_tree, leaf, node
    >>> dataset = make_dataset([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    >>> root = node(Threshold(0, 2.9, 0), [leaf([1, 1]), leaf([0, 1])])
    >>> given = build_tree(root, dataset.schema, ["no", "yes"])
    >>> start_from(given, dataset, [Threshold(0, 1.5, 1)])
    ([(1, False), (-1, False), (-1, False)], [Threshold(feature=0, threshold=2.9, missing_branch=0)])
    >>> start_from(given, dataset, [Threshold(0, 1.5, 1), Threshold(0, 2.5, 1)])
    ([(1, False), (-1, False), (-1, False)], [])
    """
    if initial.classes is None:
        raise ValueError("initial_tree is a regression tree, and classes are to be learned")
    column_of = _columns_of(initial, dataset)
    known: dict[bytes, tuple[int, bool]] = {}
    added: list[Split] = []

    def remember(split: Split, place: int) -> tuple[int, bool]:
        cells = branch_of(split, dataset.columns[split.feature])
        known.setdefault(cells.tobytes(), (place, False))
        known.setdefault((1 - cells).tobytes(), (place, True))
        return known[cells.tobytes()]

    for place, split in enumerate(splits):
        remember(split, place)
    places: list[tuple[int, bool]] = []
    for node in range(initial.n_nodes):
        given = initial.split(node)
        if given is None:
            places.append((-1, False))
            continue
        split = _on_dataset(given, node, initial, dataset, column_of)
        found = remember(split, len(splits) + len(added))
        if found == (len(splits) + len(added), False):
            added.append(split)
        places.append(found)
    return places, added


def _columns_of(initial: Tree, dataset: Dataset) -> list[int]:
    """The place in the table of each column of a tree."""
    theirs, ours = initial.schema, dataset.schema
    if theirs.named and ours.named:
        place_of = {name: place for place, name in enumerate(ours.names)}
        used = {int(feature) for feature in initial.feature if feature >= 0}
        lacking = [theirs.names[feature] for feature in sorted(used) if theirs.names[feature] not in place_of]
        if lacking:
            raise ValueError(f"initial_tree tests the column {lacking[0]!r}, which the table does not have")
        return [place_of.get(name, -1) for name in theirs.names]
    if len(theirs) != len(ours):
        raise ValueError(f"initial_tree was grown on {len(theirs)} columns, and the table has {len(ours)}")
    return list(range(len(ours)))


def _on_dataset(given: Split, node: int, initial: Tree, dataset: Dataset, column_of: list[int]) -> Split:
    """A split of another tree as one of this table, with two branches."""
    where = f"initial_tree: the split of node {node}"
    if isinstance(given, Multiway) or given.n_branches != 2:
        raise ValueError(
            f"{where} has {given.n_branches} branches, and an optimal tree has two at every split: grow it "
            "with missing='learn' and without multiway splits"
        )
    place = column_of[given.feature]
    theirs, ours = initial.schema[given.feature], dataset.schema[place]
    if theirs.is_categorical != ours.is_categorical:
        raise ValueError(
            f"{where} takes the column {ours.name!r} as {theirs.kind}, and in the table it is {ours.kind}"
        )
    split: Split
    if isinstance(given, Threshold):
        split = replace(given, feature=place)
    elif isinstance(given, IsMissing):
        split = IsMissing(place, given.unknown_branch if given.unknown_branch >= 0 else 1)
    else:
        # By value: another table may have numbered its categories otherwise. Those that the node has not seen
        # go where its unknown ones go.
        lost = given.unknown_branch if given.unknown_branch >= 0 else 1
        side = {theirs.categories[code]: branch for code, branch in given.branches.items()}
        branches = {code: side.get(value, lost) for code, value in enumerate(ours.categories)}
        split = Subset(place, branches, given.missing_branch, lost)
    if not isinstance(split, IsMissing) and split.missing_branch < 0:
        if (branch_of(split, dataset.columns[place]) > 1).any():
            raise ValueError(
                f"{where} ends the way of rows whose {ours.name!r} is missing, and the table has such rows: "
                "an optimal tree has a leaf for every row"
            )
        split = replace(split, missing_branch=1)
    return split


def tree_on_features(initial: Tree, places: Sequence[tuple[int, bool]], problem: Problem) -> Tree:
    """A tree on the table as one on 0/1 features, given where `start_from` found its splits.

    A split that has all its rows on one side is left out, since the solver knows no empty leaf.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.tree import build_tree, leaf, node
    >>> dataset = make_dataset([[1.0], [2.0], [3.0]], ["no", "yes", "yes"])
    >>> problem = problem_on(dataset, [Threshold(0, 1.5, 1)], Limits())
    >>> root = node(Threshold(0, 1.5, 0), [leaf([1, 0]), leaf([0, 2])])
    >>> given = build_tree(root, dataset.schema, ["no", "yes"])
    >>> tree_on_features(given, [(0, False), (-1, False), (-1, False)], problem).split(0)
    Threshold(feature=0, threshold=0.5, missing_branch=-1)
    """
    builder = TreeBuilder(problem.schema, problem.classes)
    families: list[tuple[int, int]] = []
    waiting: list[tuple[int, npt.NDArray[np.intp]]] = [(0, np.arange(problem.n_rows))]
    for added, (node, rows) in enumerate(waiting):  # grows while it is walked through
        while places[node][0] >= 0:
            place, turned = places[node]
            one = problem.cells[rows, place] == 1
            sides = [rows[~one], rows[one]]
            children = list(initial.children(node))[:: -1 if turned else 1]
            if len(sides[0]) and len(sides[1]):
                break
            node = children[0] if len(sides[0]) else children[1]
        counts = np.bincount(problem.target[rows], problem.weights[rows], minlength=len(problem.classes))
        if places[node][0] < 0:
            builder.add_leaf(counts, n_rows=len(rows))
            continue
        builder.add_split(Threshold(place, 0.5), counts=counts, n_rows=len(rows))
        families.append((added, len(waiting)))
        waiting.extend(zip(children, sides, strict=True))
    for parent, first in families:
        builder.link(parent, [first, first + 1])
    return builder.build()
