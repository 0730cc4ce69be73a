"""Trees made by hand: for tests, for importers, for learners that do not write arrays themselves.

There are two ways. A small tree is written as it looks, nested::

    build_tree(node(Threshold(0, 2.5), [leaf([8, 1]), leaf([0, 4])]), schema, ["no", "yes"])

A learner that meets its nodes in an order of its own adds them to a `TreeBuilder`, which hands out an id for
each, links them in any order, and numbers them breadth-first at the end.

What is not said is worked out: the counts, rows and sums of a split are those of its children together
(where rows are spread, which may put one into several children, say the rows of a split), a leaf of
whole-number weight has that many rows, and the impurity follows from the criterion where that is "gini",
"entropy" or "gain_ratio" (for regression, "squared_error"). The tree that comes out is checked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from boxwood.data.schema import Schema
from boxwood.tree import arrays
from boxwood.tree.arrays import Floats
from boxwood.tree.errors import TreeError
from boxwood.tree.split import Kind, Multiway, Split, Subset, Surrogate, Threshold
from boxwood.tree.tree import Tree


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """A node of a tree to be: what `leaf` and `node` return."""

    split: Split | None
    children: tuple[Node, ...]
    counts: tuple[float, ...] | None = None
    sums: tuple[float, ...] | None = None
    answer: float | None = None
    n_rows: int | None = None
    impurity: float | None = None
    score: float = math.nan
    extra: Mapping[str, float] = field(default_factory=dict)

    def __repr__(self) -> str:
        what = f"leaf {self.counts or self.sums}" if self.split is None else f"{self.split}"
        return f"<Node: {what}>"


def leaf(
    counts: Iterable[float] | None = None,
    *,
    sums: Iterable[float] | None = None,
    answer: float | None = None,
    n_rows: int | None = None,
    impurity: float | None = None,
    extra: Mapping[str, float] | None = None,
) -> Node:
    """A leaf.

    Parameters
    ----------
    counts
        Weight per class.
    sums, answer
        For regression: the sums of w, wy and wy², and the answer (the mean, wy / w, if left out).
    n_rows
        Number of rows; may be left out where the weight is a whole number, which it then is.
    impurity
        May be left out for the criteria named above.
    extra
        Further named numbers; NaN at the nodes that do not give them.

    Examples
    --------
    >>> leaf([8, 1])
    <Node: leaf (8.0, 1.0)>
    """
    return Node(None, (), _floats(counts), _floats(sums), answer, n_rows, impurity, math.nan, extra or {})


def node(
    split: Split,
    children: Iterable[Node],
    *,
    counts: Iterable[float] | None = None,
    sums: Iterable[float] | None = None,
    answer: float | None = None,
    n_rows: int | None = None,
    impurity: float | None = None,
    score: float = math.nan,
    extra: Mapping[str, float] | None = None,
) -> Node:
    """A node that splits, with one child per branch. Arguments as for `leaf`, and the score of the split.

    >>> from boxwood.tree import Threshold
    >>> node(Threshold(0, 2.5), [leaf([8, 1]), leaf([0, 4])])
    <Node: Threshold(feature=0, threshold=2.5, missing_branch=-1)>
    """
    below = tuple(children)
    return Node(split, below, _floats(counts), _floats(sums), answer, n_rows, impurity, score, extra or {})


def _floats(values: Iterable[float] | None) -> tuple[float, ...] | None:
    return None if values is None else tuple(float(value) for value in values)


def build_tree(
    root: Node,
    schema: Schema,
    classes: ArrayLike | None = None,
    *,
    criterion: str | None = None,
    missing: str = "learn",
    unknown_category: str = "missing",
) -> Tree:
    """Make a tree from nested nodes.

    Parameters
    ----------
    root
        The root, made by `leaf` or `node`.
    schema
        The columns of the table.
    classes
        The class labels; None for a regression tree.
    criterion
        "gini", or for regression "squared_error", if left out.
    missing, unknown_category
        For information, as in `Tree`.

    Examples
    --------
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Subset
    >>> schema = Schema((Column("island", "categorical", "category", ("Biscoe", "Dream")),), named=True)
    >>> build_tree(node(Subset(0, {0: 0, 1: 1}), [leaf([8, 1]), leaf([0, 4])]), schema, ["no", "yes"])
    Tree(classification, 2 leaves, depth 1, 1 feature, 2 classes)
    """
    builder = TreeBuilder(
        schema, classes, criterion=criterion, missing=missing, unknown_category=unknown_category
    )
    waiting = [(builder._add(root), root)]
    while waiting:
        parent, written = waiting.pop()
        children = [builder._add(child) for child in written.children]
        if children:
            builder.link(parent, children)
        waiting.extend(zip(children, written.children, strict=True))
    return builder.build()


class TreeBuilder:
    """Nodes in any order, made into a tree at the end.

    Parameters are those of `build_tree`.

    Examples
    --------
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Threshold
    >>> builder = TreeBuilder(Schema((Column("age", "numeric", "integer"),), named=True), ["no", "yes"])
    >>> root = builder.add_split(Threshold(0, 40.5, missing_branch=0))
    >>> builder.link(root, [builder.add_leaf([8, 1]), builder.add_leaf([0, 4])])
    >>> builder.build().counts
    array([[8., 5.],
           [8., 1.],
           [0., 4.]])
    """

    def __init__(
        self,
        schema: Schema,
        classes: ArrayLike | None = None,
        *,
        criterion: str | None = None,
        missing: str = "learn",
        unknown_category: str = "missing",
    ) -> None:
        self.schema = schema
        self.classes = None if classes is None else arrays.as_labels(classes)
        self.criterion = criterion or ("squared_error" if classes is None else "gini")
        self.missing = missing
        self.unknown_category = unknown_category
        self._nodes: list[Node] = []
        self._children: list[Sequence[int]] = []
        self._has_parent: list[bool] = []

    def add_leaf(self, counts: Iterable[float] | None = None, **more: Any) -> int:
        """Add a leaf, with the arguments of `leaf`; returns its id in this builder."""
        return self._add(leaf(counts, **more))

    def add_split(self, split: Split, children: Sequence[int] = (), **more: Any) -> int:
        """Add a node that splits, with the arguments of `node`; returns its id in this builder.

        The ids of its children, one per branch, are given here or later to `link`.
        """
        added = self._add(node(split, (), **more))
        if children:
            self.link(added, children)
        return added

    def _add(self, written: Node) -> int:
        self._nodes.append(written)
        self._children.append(())
        self._has_parent.append(False)
        return len(self._nodes) - 1

    def link(self, parent: int, children: Sequence[int]) -> None:
        """Give a split its children, one per branch."""
        split = self._nodes[parent].split
        if split is None:
            raise TreeError(f"builder node {parent} is a leaf and cannot have children")
        if len(children) != split.n_branches:
            raise TreeError(
                f"builder node {parent}: {len(children)} children are given, "
                f"and there are {split.n_branches} branches: {split}"
            )
        if self._children[parent]:
            raise TreeError(f"builder node {parent} has its children already")
        for child in children:
            if self._has_parent[child]:
                raise TreeError(f"builder node {child} has a parent already")
            self._has_parent[child] = True
        self._children[parent] = tuple(children)

    def build(self) -> Tree:
        """The tree, numbered breadth-first and checked."""
        roots = [added for added, has_parent in enumerate(self._has_parent) if not has_parent]
        if len(roots) != 1:
            raise TreeError(f"{len(roots)} nodes have no parent, and exactly one must be the root")
        order = [roots[0]]
        for added in order:  # grows while it is walked through
            order.extend(self._children[added])
        if len(order) != len(self._nodes):
            raise TreeError("some nodes cannot be reached from the root")
        nodes = [self._nodes[added] for added in order]
        for place, written in enumerate(nodes):
            if written.split is not None and not self._children[order[place]]:
                raise TreeError(f"builder node {order[place]} splits and has no children")
        return Tree.from_arrays(
            schema=self.schema,
            classes=self.classes,
            criterion=self.criterion,
            missing=self.missing,
            unknown_category=self.unknown_category,
            extra=_extra(nodes),
            copy=False,
            **_structure(nodes),
            **self._contents(nodes),
        )

    def _contents(self, nodes: list[Node]) -> dict[str, Any]:
        """Rows, weights, counts or sums, and impurities, completed from the leaves upwards."""
        regression = self.classes is None
        width = 3 if regression else len(self.classes) if self.classes is not None else 0
        written = [given.sums if regression else given.counts for given in nodes]
        table = np.zeros((len(nodes), width))
        n_rows = np.zeros(len(nodes), dtype=np.int64)
        first_child, n_children = _families(nodes)
        for place in range(len(nodes) - 1, -1, -1):
            given, values = nodes[place], written[place]
            family = slice(first_child[place], first_child[place] + n_children[place])
            if values is not None:
                if len(values) != width:
                    raise TreeError(f"{len(values)} numbers are given, and {width} needed", node=place)
                table[place] = values
            elif given.split is None:
                raise TreeError(f"a leaf needs {'sums' if regression else 'counts'}", node=place)
            else:
                table[place] = table[family].sum(axis=0)
            if given.n_rows is not None:
                n_rows[place] = given.n_rows
            elif given.split is None:
                weight = table[place, 0] if regression else table[place].sum()
                if not weight.is_integer():
                    raise TreeError(f"a leaf of weight {weight} needs n_rows", node=place)
                n_rows[place] = int(weight)
            else:
                n_rows[place] = n_rows[family].sum()
        contents: dict[str, Any] = {
            "n_rows": n_rows,
            "weight": table[:, 0].copy() if regression else table.sum(axis=1),
            "impurity": self._impurities(nodes, table),
            "score": np.array([given.score for given in nodes], dtype=np.float64),
        }
        if not regression:
            return {**contents, "counts": table}
        with np.errstate(invalid="ignore", divide="ignore"):
            means = table[:, 1] / table[:, 0]
        answer = [
            mean if given.answer is None else given.answer for given, mean in zip(nodes, means, strict=True)
        ]
        return {**contents, "sums": table, "answer": np.array(answer, dtype=np.float64)}

    def _impurities(self, nodes: list[Node], table: Floats) -> Floats:
        given = np.array([math.nan if one.impurity is None else one.impurity for one in nodes])
        if not np.isnan(given).any():
            return given
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.criterion == "squared_error":
                w, wy, wyy = table.T
                computed = np.maximum(wyy / w - (wy / w) ** 2, 0.0)
            elif self.criterion in ("gini", "entropy", "gain_ratio"):
                share = table / table.sum(axis=1, keepdims=True)
                if self.criterion == "gini":
                    computed = 1.0 - (share**2).sum(axis=1)
                else:
                    computed = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1) + 0.0
            else:
                raise TreeError(f"impurities must be given for the criterion {self.criterion!r}")
        return np.where(np.isnan(given), computed, given)


def _families(nodes: list[Node]) -> tuple[list[int], list[int]]:
    """``first_child`` (for splits) and ``n_children`` of nodes in breadth-first order."""
    n_children = [0 if written.split is None else written.split.n_branches for written in nodes]
    first_child = []
    following = 1
    for count in n_children:
        first_child.append(following if count else arrays.LEAF_CHILD)
        following += count
    return first_child, n_children


def _structure(nodes: list[Node]) -> dict[str, Any]:
    splits = [written.split for written in nodes]
    first_child, n_children = _families(nodes)
    offset, codes, branches = [0], list[int](), list[int]()
    for split in splits:
        if isinstance(split, Subset | Multiway):
            codes.extend(split.branches.keys())
            branches.extend(split.branches.values())
        offset.append(len(codes))
    thresholds = [
        arrays.LEAF_THRESHOLD if split is None else getattr(split, "threshold", math.nan) for split in splits
    ]
    return {
        "kind": np.array([Kind.LEAF if split is None else split.kind for split in splits], dtype=np.int8),
        "feature": np.array([arrays.LEAF_FEATURE if split is None else split.feature for split in splits]),
        "threshold": np.array(thresholds, dtype=np.float64),
        "first_child": np.array(first_child),
        "n_children": np.array(n_children),
        "missing_branch": np.array([-1 if split is None else split.missing_branch for split in splits]),
        "unknown_branch": np.array([-1 if split is None else split.unknown_branch for split in splits]),
        "category_offset": np.array(offset, dtype=np.int64),
        "category_code": np.array(codes, dtype=np.int64),
        "category_branch": np.array(branches, dtype=np.int64),
        **_surrogates(splits),
    }


def _surrogates(splits: list[Split | None]) -> dict[str, Any]:
    offset, codes, branches, category_offset = [0], list[int](), list[int](), [0]
    every: list[Surrogate] = []
    for split in splits:
        if isinstance(split, Threshold | Subset):
            every.extend(split.surrogates)
        offset.append(len(every))
    for surrogate in every:
        if isinstance(surrogate.split, Subset):
            codes.extend(surrogate.split.branches.keys())
            branches.extend(surrogate.split.branches.values())
        category_offset.append(len(codes))
    thresholds = [getattr(surrogate.split, "threshold", math.nan) for surrogate in every]
    return {
        "surrogate_offset": np.array(offset, dtype=np.int64),
        "surrogate_feature": np.array([surrogate.split.feature for surrogate in every], dtype=np.int64),
        "surrogate_threshold": np.array(thresholds, dtype=np.float64),
        "surrogate_flipped": np.array([surrogate.flipped for surrogate in every], dtype=np.int8),
        "surrogate_agreement": np.array([surrogate.agreement for surrogate in every], dtype=np.float64),
        "surrogate_category_offset": np.array(category_offset, dtype=np.int64),
        "surrogate_category_code": np.array(codes, dtype=np.int64),
        "surrogate_category_branch": np.array(branches, dtype=np.int64),
    }


def _extra(nodes: list[Node]) -> dict[str, Any]:
    names = sorted({name for written in nodes for name in written.extra})
    return {name: np.array([written.extra.get(name, math.nan) for written in nodes]) for name in names}
