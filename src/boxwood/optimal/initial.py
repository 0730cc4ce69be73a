"""A tree to start from, put into 0/1 features.

Each split of the tree is looked up among the features by what it does with the rows, and is appended as one
more feature where none does the same. Only the tree's own bits are kept for that, and those of a few features
at a time: with all features at hand, a tree to start from once took five times the memory of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from boxwood.data import Dataset
from boxwood.optimal.features import Cells, branch_of, cells_of
from boxwood.optimal.problem import Problem
from boxwood.optimal.splits import as_splits
from boxwood.tree import IsMissing, Multiway, Split, Subset, Threshold, Tree, TreeBuilder

_AT_ONCE: Final = 2**20
"""Cells."""


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
    asked: dict[int, tuple[Split, bytes, bytes]] = {}  # by node: the split, its bits, and their opposite
    for node in range(initial.n_nodes):
        given = initial.split(node)
        if given is not None:
            split = _on_dataset(given, node, initial, dataset, column_of)
            cells = branch_of(split, dataset.columns[split.feature])
            asked[node] = (split, _packed(cells), _packed(1 - cells))
    known = _looked_up({bits for _, *both in asked.values() for bits in both}, dataset, splits)
    added: list[Split] = []
    places: list[tuple[int, bool]] = []
    for node in range(initial.n_nodes):
        if node not in asked:
            places.append((-1, False))
            continue
        split, bits, opposite = asked[node]
        if bits not in known and opposite not in known:
            known[bits] = len(splits) + len(added)
            added.append(split)
        places.append((known[bits], False) if bits in known else (known[opposite], True))
    return places, added


def _packed(cells: Cells) -> bytes:
    return np.packbits(cells).tobytes()


def _looked_up(wanted: set[bytes], dataset: Dataset, splits: Sequence[Split]) -> dict[bytes, int]:
    """The first feature that has these bits in the rows, for each of some bits that there is one for.

    Features are made a few at a time: a tree has few splits, and its features may be many.
    """
    known: dict[bytes, int] = {}
    parts = as_splits(splits)
    step = max(1, _AT_ONCE // max(1, dataset.n_rows))
    for first in range(0, len(splits) if wanted else 0, step):
        cells = cells_of(parts.between(first, first + step), dataset.columns)
        bits = np.packbits(cells, axis=0)
        for place in range(cells.shape[1]):
            found = bits[:, place].tobytes()
            if found in wanted:
                known.setdefault(found, first + place)
    return known


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
    >>> from boxwood.optimal.features import Limits, problem_on
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
