"""A greedy tree grown by the definition, and a checker that walks a grown tree and finds fault with it.

``grow`` is the grower one would write on a page: take the best split of a node (``naive_split``),
divide its rows, go on. ``check_greedy`` takes a tree from anywhere, sends the training rows through it
by its own reading of the node arrays, and asserts at every node that the counts are right, that a split
is the best one there is, that ties went where they belong, and that a leaf had a reason to be one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tests.oracles.naive_split import (
    BRUTE_FORCE,
    SPLIT_SCORES,
    TIE,
    Choice,
    Limits,
    Offers,
    Split,
    Table,
    best_split,
    can_try_everything,
    impurity,
    offers_of,
    split_scores,
)

EPSILON = float(np.finfo(np.float64).eps)
LEAF, THRESHOLD, SUBSET, MULTIWAY, IS_MISSING = range(5)


# ---------------------------------------------------------------------------------------------------- growing


@dataclass(eq=False)
class Node:
    rows: np.ndarray
    depth: int
    choice: Choice | None = None  # the split that it would take
    children: list[Node] = field(default_factory=list)

    def walk(self) -> Iterator[Node]:
        """Breadth-first, like the ids of a tree."""
        queue = [self]
        for node in queue:
            yield node
            queue.extend(node.children)


def class_weights(table: Table, rows: np.ndarray) -> np.ndarray:
    counts = np.zeros(table.n_classes)
    np.add.at(counts, table.target[rows], table.weights[rows])
    return counts


def must_be_leaf(table: Table, rows: np.ndarray, depth: int, limits: Limits) -> bool:
    """Whether a node is a leaf before any split is looked at."""
    counts = class_weights(table, rows)
    return bool(
        np.count_nonzero(counts) <= 1
        or (limits.max_depth is not None and depth >= limits.max_depth)
        or len(rows) < limits.min_samples_split
        or len(rows) < 2 * limits.min_samples_leaf
        or counts.sum() < 2 * limits.min_weight_leaf
    )


def decrease(table: Table, rows: np.ndarray, gain: float) -> float:
    """The decrease of impurity as a share of the whole table, what ``min_impurity_decrease`` limits."""
    return float(table.weights[rows].sum() / table.weights.sum()) * gain


def split_at(table: Table, rows: np.ndarray, depth: int, limits: Limits) -> Choice | None:
    """The split that a node takes, None when it is a leaf."""
    if must_be_leaf(table, rows, depth, limits):
        return None
    choice = best_split(table, rows, limits)
    if choice is None or _too_small(table, rows, choice.gain, limits, slack=0.0):
        return None
    return choice


def divide(table: Table, rows: np.ndarray, feature: int, split: Split) -> list[np.ndarray]:
    """The rows of each branch."""
    column = table.columns[feature][rows]
    numeric = table.n_categories[feature] == 0
    missing = np.isnan(column) if numeric else column < 0
    if split.kind == "is_missing":
        return [rows[missing], rows[~missing]]
    if split.kind == "threshold":
        branch = np.where(column <= split.threshold, 0, 1)
    elif split.kind == "multiway":
        branch = np.searchsorted(sorted(split.subset), column)
    else:
        branch = np.where(np.isin(column, list(split.subset)), 0, 1)
    if missing.any():
        assert split.missing_branch is not None
        branch[missing] = split.missing_branch
    n_branches = len(split.subset) if split.kind == "multiway" else 2
    own = split.missing_branch == n_branches
    return [rows[branch == number] for number in range(n_branches + own)]


def grow(table: Table, limits: Limits) -> Node:
    """Grow a tree: all nodes that can be split, or the best ``max_leaf_nodes - 1`` of them, best first."""
    root = Node(np.arange(table.n_rows), 0)
    root.choice = split_at(table, root.rows, 0, limits)
    open_nodes = [root]
    n_leaves = 1
    while True:
        budget = math.inf if limits.max_leaf_nodes is None else limits.max_leaf_nodes - n_leaves
        ready = [
            node for node in open_nodes if node.choice is not None and len(node.choice.branches) - 1 <= budget
        ]
        if not ready:
            break
        if limits.max_leaf_nodes is None:
            node = ready[0]
        else:
            node = max(ready, key=lambda node: priority(table, node))  # max keeps the first of equals
        open_nodes.remove(node)
        assert node.choice is not None
        for rows in divide(table, node.rows, node.choice.feature, node.choice.split):
            child = Node(rows, node.depth + 1)
            child.choice = split_at(table, rows, child.depth, limits)
            node.children.append(child)
        open_nodes.extend(node.children)
        n_leaves += len(node.children) - 1
    return root


def priority(table: Table, node: Node) -> float:
    assert node.choice is not None
    return float(table.weights[node.rows].sum()) * node.choice.gain


# --------------------------------------------------------------------------------------------------- checking


def split_of(tree: Any, node: int, any_missing: bool) -> Split:
    """The split of a node of a grown tree, in the oracle's words."""
    kind = int(tree.kind[node])
    missing_branch = int(tree.missing_branch[node]) if any_missing else None
    if kind == IS_MISSING:
        return Split("is_missing", missing_branch=0)
    if kind == THRESHOLD:
        return Split("threshold", threshold=float(tree.threshold[node]), missing_branch=missing_branch)
    begin, end = tree.category_offset[node], tree.category_offset[node + 1]
    codes, branches = tree.category_code[begin:end], tree.category_branch[begin:end]
    if kind == MULTIWAY:
        assert branches.tolist() == list(range(len(codes))), f"node {node}: branches follow the codes"
        return Split("multiway", subset=frozenset(codes.tolist()), missing_branch=missing_branch)
    assert kind == SUBSET, f"node {node}: kind {kind} is not one that greedy growth makes"
    assert (np.diff(codes) > 0).all()
    return Split("subset", subset=frozenset(codes[branches == 0].tolist()), missing_branch=missing_branch)


def same_split(one: Split, other: Split) -> bool:
    if one.kind != other.kind or one.subset != other.subset:
        return False
    if one.kind == "threshold" and one.threshold != other.threshold:
        return False
    return one.missing_branch == other.missing_branch


def position_of(split: Split, offers: Offers) -> int:
    """Where in the list of all feasible splits a split stands."""
    for position, offered in enumerate(offers.splits):
        if same_split(split, offered):
            return position
    raise AssertionError(f"{split} is not among the feasible splits {offers.splits[:50]}")


def check_greedy(tree: Any, table: Table, limits: Limits, unknown_category: str = "missing") -> None:
    """Assert that a tree is what greedy growth must give on this table."""
    criterion = limits.criterion
    rows_at: dict[int, np.ndarray] = {0: np.arange(table.n_rows)}
    depth_at = {0: 0}
    gain_at: dict[int, float] = {}  # best gain of every node that could be split
    width_at: dict[int, int] = {}  # and the number of its branches
    for node in range(len(tree.kind)):
        rows, depth = rows_at[node], depth_at[node]
        counts = class_weights(table, rows)
        assert tree.n_rows[node] == len(rows), f"node {node}: n_rows"
        assert np.array_equal(tree.counts[node], counts), f"node {node}: counts"
        assert tree.weight[node] == counts.sum(), f"node {node}: weight"
        node_impurity = impurity(criterion, counts)
        assert abs(tree.impurity[node] - node_impurity) <= 1e-9, f"node {node}: impurity"
        if tree.kind[node] == LEAF:
            assert math.isnan(tree.score[node])
            if not must_be_leaf(table, rows, depth, limits) and _decides(table, rows, limits):
                choice = best_split_within_reach(table, rows, limits)
                if choice is not None and not _too_small(table, rows, choice.gain, limits):
                    assert limits.max_leaf_nodes is not None, (
                        f"node {node} is a leaf, but {choice} is possible"
                    )
                    gain_at[node] = choice.gain
                    width_at[node] = len(choice.branches)
            continue

        assert not must_be_leaf(table, rows, depth, limits), f"node {node} should be a leaf"
        gain_at[node] = check_split(tree, node, table, rows, limits, unknown_category)
        width_at[node] = int(tree.n_children[node])
        assert not _too_small(table, rows, gain_at[node], limits, slack=-1e-12), (
            f"node {node}: gain too small"
        )
        feature = int(tree.feature[node])
        column = table.columns[feature][rows]
        any_missing = bool((np.isnan(column) if table.n_categories[feature] == 0 else column < 0).any())
        parts = divide(table, rows, feature, split_of(tree, node, any_missing))
        assert len(parts) == tree.n_children[node], f"node {node}: number of children"
        for branch, part in enumerate(parts):
            child = int(tree.first_child[node]) + branch
            rows_at[child] = part
            depth_at[child] = depth + 1
    assert len(rows_at) == len(tree.kind)
    if limits.max_leaf_nodes is not None and limits.every_feature:
        check_best_first(tree, gain_at, limits.max_leaf_nodes, width_at)


def _too_small(table: Table, rows: np.ndarray, gain: float, limits: Limits, slack: float = 1e-12) -> bool:
    """Whether ``min_impurity_decrease`` forbids a split, in doubt (by the slack) as the caller hopes.

    A limit of 0 forbids nothing: the best split by a criterion that is not concave may have a negative gain.
    """
    limit = limits.min_impurity_decrease
    return limit > 0 and decrease(table, rows, gain) + EPSILON < limit + slack


def _decides(table: Table, rows: np.ndarray, limits: Limits) -> bool:
    """Whether the columns whose every split can be tried decide about a leaf.

    With gain ratios another column may win though it gains less, and ``min_impurity_decrease`` is about gain.
    """
    return (limits.criterion != "gain_ratio" or limits.min_impurity_decrease == 0) or all(
        can_try_everything(table, rows, f, limits) for f in range(len(table.columns))
    )


def within_brute_force(table: Table, rows: np.ndarray, feature: int) -> bool:
    column = table.columns[feature][rows]
    return table.n_categories[feature] == 0 or len(set(column[column >= 0].tolist())) <= BRUTE_FORCE


def best_split_within_reach(table: Table, rows: np.ndarray, limits: Limits) -> Choice | None:
    """The best split over the columns whose every split can be tried; None when there is no such column."""
    reach = [f for f in range(len(table.columns)) if can_try_everything(table, rows, f, limits)]
    part = Table(
        tuple(table.columns[f] for f in reach),
        tuple(table.n_categories[f] for f in reach),
        table.target,
        table.weights,
        table.n_classes,
    )
    choice = best_split(part, rows, limits)
    if choice is None:
        return None
    return Choice(reach[choice.feature], choice.split, choice.branches, choice.gain, choice.score)


def check_split(
    tree: Any, node: int, table: Table, rows: np.ndarray, limits: Limits, unknown_category: str
) -> float:
    """Assert that the split of a node is the best one; returns its gain."""
    feature = int(tree.feature[node])
    where = f"node {node}, column {feature}"
    column = table.columns[feature][rows]
    numeric = table.n_categories[feature] == 0
    missing = np.isnan(column) if numeric else column < 0
    split = split_of(tree, node, bool(missing.any()))
    parts = divide(table, rows, feature, split)
    branches = np.array([class_weights(table, part) for part in parts])
    sizes = branches.sum(axis=1)
    check_routes(tree, node, split, sizes, numeric, bool(missing.any()), unknown_category, where)

    criterion = limits.criterion
    node_impurity = impurity(criterion, class_weights(table, rows))
    after = sum(
        size / sizes.sum() * impurity(criterion, part) for size, part in zip(sizes, branches, strict=True)
    )
    gain = node_impurity - float(after)
    merit = float(split_scores(criterion, branches[np.newaxis])[0]) if criterion in SPLIT_SCORES else gain
    score = gain / impurity("entropy", sizes) if criterion == "gain_ratio" else merit
    assert abs(tree.score[node] - score) <= 1e-9, f"{where}: score {tree.score[node]} is not {score}"
    assert all(len(part) >= limits.min_samples_leaf for part in parts), f"{where}: too few rows"
    assert (sizes >= limits.min_weight_leaf).all(), f"{where}: too little weight"

    tolerance = TIE * node_impurity
    reached = within_brute_force(table, rows, feature) or limits.categorical_split != "auto"
    offers = offers_of(table, rows, feature, limits) if reached else None
    if offers is not None:
        assert merit <= offers.merits.max() + 1e-9, f"{where}: {merit} is more than any split has"
        position = position_of(split, offers)
    if can_try_everything(table, rows, feature, limits):
        offers = offers or offers_of(table, rows, feature, limits)
        assert merit >= offers.merits.max() - 1e-9, f"{where}: {merit}, but {offers.merits.max()} is possible"
        if numeric or limits.categorical_split != "auto":
            expected = offers.splits[offers.best(tolerance)]
            assert same_split(expected, offers.splits[position]), f"{where}: {split} ties with {expected}"
    if limits.every_feature and all(
        can_try_everything(table, rows, f, limits) for f in range(len(table.columns))
    ):
        choice = best_split(table, rows, limits)
        assert choice is not None
        assert abs(score - choice.score) <= 1e-9, f"{where}: score {score}, but {choice} is possible"
        assert feature == choice.feature, f"{where}: ties with column {choice.feature}"
    return gain


def check_routes(
    tree: Any,
    node: int,
    split: Split,
    sizes: np.ndarray,
    numeric: bool,
    any_missing: bool,
    unknown_category: str,
    where: str,
) -> None:
    """Assert where missing and unknown values go."""
    heavier = int(np.argmax(sizes))
    missing_branch, unknown_branch = int(tree.missing_branch[node]), int(tree.unknown_branch[node])
    if not any_missing:
        assert missing_branch == heavier, f"{where}: later missing rows belong in branch {heavier}"
    if split.kind == "subset":
        assert split.subset, f"{where}: branch 0 is empty"
        begin = tree.category_offset[node]
        assert tree.category_branch[begin] == 0, f"{where}: the lowest category belongs in branch 0"
    if split.kind == "is_missing":  # an unknown category is there, unless it counts as missing
        expected = 0 if unknown_category == "missing" else 1
        assert unknown_branch == expected, f"{where}: unknown_branch {unknown_branch} is not {expected}"
    elif numeric:
        assert unknown_branch == missing_branch, f"{where}: unknown_branch of a numeric split"
    else:
        expected = {"missing": missing_branch, "majority": heavier, "stop": -1, "error": -2}[unknown_category]
        assert unknown_branch == expected, f"{where}: unknown_branch {unknown_branch} is not {expected}"


def check_best_first(
    tree: Any, gain_at: dict[int, float], max_leaf_nodes: int, width_at: dict[int, int] | None = None
) -> None:
    """Assert that the split nodes are the ones that best-first growth reaches within its budget."""
    created = [0]
    open_nodes = [0]
    n_leaves = 1
    expanded = set()
    while True:
        budget = max_leaf_nodes - n_leaves
        ready = [node for node in open_nodes if node in gain_at and budget >= 1]
        if not ready:
            break
        value = {node: float(tree.weight[node]) * gain_at[node] for node in ready}
        top = max(value.values())
        close = [node for node in ready if value[node] >= top - 1e-9 * max(1.0, top)]
        split = [node for node in close if tree.kind[node] != LEAF]
        if not split:
            # Only a split of more than two branches may be passed over, when so many leaves are too many.
            wide = [node for node in close if width_at is not None and width_at[node] - 1 > budget]
            if wide != close:
                assert budget == 1, f"{close} should be split"
                assert tree.missing == "branch", f"{close} should be split"
            open_nodes = [node for node in open_nodes if node not in close]
            continue
        node = min(split, key=created.index)
        open_nodes.remove(node)
        expanded.add(node)
        children = range(
            int(tree.first_child[node]), int(tree.first_child[node]) + int(tree.n_children[node])
        )
        created.extend(children)
        open_nodes.extend(children)
        n_leaves += len(children) - 1
    assert expanded == {node for node in range(len(tree.kind)) if tree.kind[node] != LEAF}
    assert n_leaves <= max_leaf_nodes


def assert_same_tree(tree: Any, root: Node) -> None:
    """Assert that a tree on numeric columns has exactly the splits of a naive one."""
    nodes = list(root.walk())
    assert len(tree.kind) == len(nodes), f"{len(tree.kind)} nodes, the oracle has {len(nodes)}"
    for number, node in enumerate(nodes):
        if not node.children:
            assert tree.kind[number] == LEAF, f"node {number}: the oracle has a leaf"
            continue
        assert node.choice is not None
        assert tree.feature[number] == node.choice.feature, (
            f"node {number}: column {node.choice.feature} expected"
        )
        any_missing = node.choice.split.missing_branch is not None
        split = split_of(tree, number, any_missing)
        assert same_split(split, node.choice.split), (
            f"node {number}: {node.choice.split} expected, got {split}"
        )
