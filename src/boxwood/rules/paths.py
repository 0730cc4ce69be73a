"""From a tree to rules: one for each way in which a row can end.

Every branch of a split is a condition on its column, missing and unknown values included
(:mod:`boxwood.rules.condition`). The conditions on the path to a leaf, met column by column, are a rule. A
row that stops at an inner node (`STOP`) ends there, so each such way is a rule too, with the answer of that
node; a way that is an error is kept apart, so that the rules refuse the rows that the tree refuses. The rules
do not overlap and fit every other row, so their order does not matter and they answer exactly as the tree
does. A leaf that no row can reach, since a test above it contradicts another one, has no rule.

There are two things that rules cannot say. A tree that divides rows with missing values among its branches
answers with a mixture; here such a row takes the heaviest branch of the split. A tree with surrogates asks
them where a value is missing; here such a row takes the branch for missing values. `Ways.exact` is False
then. Such a row may come to a node where the tree, which sends it elsewhere, would never have asked about it;
a category that is an error there takes the branch for missing values too. In a tree with surrogates the ways
that are errors are therefore those of rows for which no surrogate is asked, and they come before the others.

O(leaves * depth), without recursion.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from boxwood.data import MISSING, UNKNOWN
from boxwood.rules.condition import Categories, Condition, Interval
from boxwood.tree import ERROR, SPREAD, STOP, IsMissing, Split, Threshold, Tree


@dataclass(frozen=True, slots=True)
class Way:
    """Conditions, the node where rows that fit all of them end, and the column that ends them there early."""

    conditions: tuple[Condition, ...]
    node: int
    stopped_by: int | None = None


@dataclass(slots=True)
class Ways:
    """All ways through a tree: those that end, those that are errors, and whether they say all of it."""

    ends: list[Way] = field(default_factory=list)
    errors: list[Way] = field(default_factory=list)
    exact: bool = True


def ways_through(tree: Tree) -> Ways:
    """The ways through a tree, in the order in which its text shows them.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf, node
    >>> schema = Schema((Column("age", "numeric", "float"),), named=True)
    >>> tree = build_tree(node(Threshold(0, 40.5, 1), [leaf([8, 1]), leaf([0, 4])]), schema, ["no", "yes"])
    >>> for way in ways_through(tree).ends:
    ...     way.node, way.conditions
    (1, (Interval(feature=0, low=-inf, high=40.5, missing=False),))
    (2, (Interval(feature=0, low=40.5, high=inf, missing=True),))
    """
    ways = Ways()
    lenient = bool(np.diff(tree.surrogate_offset).any())
    # What leads to a node by the rules; and what does so in the tree for certain, without a surrogate.
    waiting: list[tuple[int, dict[int, Condition], dict[int, Condition] | None]] = [(0, {}, {})]
    while waiting:
        node, asked, certain = waiting.pop()
        split = tree.split(node)
        if split is None:
            ways.ends.append(Way(_asking(asked), node))
            continue
        below = []
        for branch, condition, surely in _branches(tree, node, split, ways, lenient):
            further, safely = _further(asked, condition), _further(certain, surely)
            if branch == ERROR:
                if safely is not None:
                    ways.errors.append(Way(_asking(safely), node, split.feature))
            elif further is None:
                continue
            elif branch == STOP:
                ways.ends.append(Way(_asking(further), node, split.feature))
            else:
                below.append((tree.children(node)[branch], further, safely))
        waiting.extend(reversed(below))
    return ways


def _further(asked: dict[int, Condition] | None, condition: Condition) -> dict[int, Condition] | None:
    """What was asked, and one condition more; None where nothing fits that."""
    if asked is None:
        return None
    before = asked.get(condition.feature)
    here = condition if before is None else before.met(condition)  # type: ignore[arg-type]
    return None if here.is_empty else {**asked, condition.feature: here}


def _asking(asked: dict[int, Condition]) -> tuple[Condition, ...]:
    return tuple(condition for condition in asked.values() if not condition.is_anything)


def _branches(
    tree: Tree, node: int, split: Split, ways: Ways, lenient: bool
) -> Iterator[tuple[int, Condition, Condition]]:
    """What leads to each branch of a split, to `STOP` and to `ERROR`; and what does so without surrogates."""
    feature, column = split.feature, tree.schema[split.feature]
    missing, unknown = split.missing_branch, split.unknown_branch
    if missing == SPREAD or (column.is_categorical and unknown == SPREAD):
        children = tree.children(node)
        heaviest = int(np.argmax(tree.weight[children.start : children.stop]))
        missing = heaviest if missing == SPREAD else missing
        unknown = heaviest if unknown == SPREAD else unknown
        ways.exact = False
    asks = bool(getattr(split, "surrogates", ()))
    if asks:
        ways.exact = False
    endings = (*range(split.n_branches), STOP, ERROR)
    if not column.is_categorical:
        for branch in endings:
            low, high = math.inf, -math.inf
            if isinstance(split, IsMissing) and branch == 1:
                low, high = high, low
            elif isinstance(split, Threshold) and branch in (0, 1):
                low = -math.inf if branch == 0 else split.threshold
                high = split.threshold if branch == 0 else math.inf
            interval = Interval(feature, low, high, missing == branch)
            yield branch, interval, replace(interval, missing=False) if asks else interval
        return
    size = int(tree.schema.n_categories[feature])
    if isinstance(split, IsMissing):
        table = np.ones(size - UNKNOWN, dtype=np.int64)
    else:
        assert not isinstance(split, Threshold)
        table = np.full(size - UNKNOWN, unknown, dtype=np.int64)
        table[np.array(list(split.branches), dtype=np.intp) - UNKNOWN] = list(split.branches.values())
    table[MISSING - UNKNOWN], table[0] = missing, unknown
    alone = np.ones(len(table), dtype=bool)  # who asks no surrogates
    if asks:
        alone[MISSING - UNKNOWN] = False
        if split.unknown_branch >= 0 and not isinstance(split, IsMissing):
            alone[np.setdiff1d(np.arange(len(table)), np.array(list(split.branches)) - UNKNOWN)] = False
    for branch in endings:
        taken = table == branch
        surely = _categories(feature, size, taken & alone)
        if lenient and branch == missing:  # what is an error here, of rows that should have gone elsewhere
            taken |= table == ERROR
        yield branch, _categories(feature, size, taken), surely


def _categories(feature: int, size: int, taken: NDArray[np.bool_]) -> Categories:
    """The condition of the codes that are taken, with unknown and missing ones first."""
    codes = tuple(np.flatnonzero(taken[-UNKNOWN:]).tolist())
    return Categories(feature, codes, size, bool(taken[MISSING - UNKNOWN]), bool(taken[0]))
