"""Every rule that a tree keeps, checked.

Nothing that reads a tree (routing, printing, pruning, exporting) checks again what is checked here, so a
tree from anywhere else (a file, a builder, another library) passes through `check_tree` first. It takes
time linear in the size of the tree, works on whole arrays, and needs no recursion, however deep the tree.

1. Shape. Every array has its type and its length; a tree has between 1 and 2³⁰ - 1 nodes.
2. Structure. Ids are breadth-first and families lie one after the other, so ``first_child`` follows from
   ``n_children``. That one equation says that every node but the root has exactly one parent, that a parent
   comes before its children, and hence that there is no cycle.
3. Splits. Kind, column, threshold, and the branches of missing and unknown values agree with each other.
4. Categories. Sorted, distinct, known to the column; and something leads to every branch. (That rows are
   spread over a branch does not count: somebody must take it alone.)
5. Surrogates. Only at thresholds and subsets, of other columns, with a threshold or with categories.
6. Contents. At least one row and a positive weight everywhere, so that every node has an answer. A node's
   rows are exactly its children's together; only where missing rows are spread, the children may share
   rows, but none has more than the node. Weights, class counts and sums agree to within 1e-9 of the weight.
7. Labels. The classes are distinct, and none of them is missing.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.data.schema import Schema
from boxwood.tree import arrays
from boxwood.tree.errors import TreeError
from boxwood.tree.split import ERROR, SPREAD, STOP, Kind

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree

TOLERANCE = 1e-9
"""Sums of weights may differ by this share of the weight, since a caller may add them up in any order."""

MAX_NODES = 2**30 - 1
MAX_ROWS = 2**53


def check_tree(tree: Tree) -> None:
    """Raise `TreeError`, naming the first node and the rule, if `tree` breaks one.

    Trees check themselves when they are made, unless they are made with ``check=False``.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Threshold, build_tree, leaf, node
    >>> schema = Schema((Column("height", "numeric", "float"),), named=True)
    >>> check_tree(build_tree(node(Threshold(0, 1.5), [leaf([8, 1]), leaf([0, 4])]), schema, ["a", "b"]))
    >>> build_tree(node(Threshold(7, 1.5), [leaf([8, 1]), leaf([0, 4])]), schema, ["a", "b"])
    Traceback (most recent call last):
    ...
    boxwood.tree.errors.TreeError: node 0: it tests column 7, and there are 1 columns
    """
    _check_shape(tree)
    _check_structure(tree)
    _check_splits(tree)
    _check_categories(tree)
    _check_surrogates(tree)
    with np.errstate(over="ignore", invalid="ignore"):
        _check_contents(tree)
    _check_labels(tree)


def _refuse(broken: NDArray[np.bool_], rule: str, **values: NDArray[Any]) -> None:
    """Raise `rule` for the first node at which it is `broken`, with the `values` of that node filled in."""
    if broken.any():
        node = int(np.argmax(broken))
        raise TreeError(rule.format(**{name: array[node] for name, array in values.items()}), node=node)


def _check_shape(tree: Tree) -> None:
    if not isinstance(tree.schema, Schema):
        raise TreeError(f"the schema is a {type(tree.schema).__name__}, and must be a Schema")
    if tree.schema.n_features < 1:
        raise TreeError("the schema has no columns")
    for name in ("criterion", "missing", "unknown_category"):
        if not isinstance(getattr(tree, name), str):
            raise TreeError(f"{name} is {getattr(tree, name)!r}, and must be a string")
    regression = tree.classes is None
    if tree.classes is not None and (tree.classes.ndim != 1 or tree.classes.size < 1):
        raise TreeError(f"the classes have shape {tree.classes.shape}: not a list of at least one label")
    for name in arrays.CLASSIFICATION if regression else arrays.REGRESSION:
        if getattr(tree, name) is not None:
            raise TreeError(f"a tree {'without' if regression else 'with'} classes has {name}")
    n = tree.n_nodes
    if not 1 <= n <= MAX_NODES:
        raise TreeError(f"it has {n} nodes, and must have between 1 and {MAX_NODES}")
    lengths: dict[str, tuple[int, ...]] = {
        "category_offset": (n + 1,),
        "category_code": (tree.category_code.size,),
        "category_branch": (tree.category_code.size,),
        **dict.fromkeys(arrays.SURROGATES, (tree.surrogate_feature.size,)),
        "surrogate_offset": (n + 1,),
        "surrogate_category_offset": (tree.surrogate_feature.size + 1,),
        "surrogate_category_code": (tree.surrogate_category_code.size,),
        "surrogate_category_branch": (tree.surrogate_category_code.size,),
        "counts": (n, tree.n_classes),
        "sums": (n, 3),
    }
    for name in arrays.names(regression=regression):
        _check_array(name, getattr(tree, name), arrays.DTYPES[name], lengths.get(name, (n,)))
    for name, column in tree.extra.items():
        if not isinstance(name, str) or not name or name in arrays.DTYPES:
            raise TreeError(f"{name!r} is no name for a further column")
        _check_array(name, column, np.float64, (n,))


def _check_array(name: str, array: object, dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    if not isinstance(array, np.ndarray) or array.dtype != dtype:
        found = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
        raise TreeError(f"{name} is an array of {found}, and must be one of {np.dtype(dtype)}")
    if array.shape != shape:
        raise TreeError(f"{name} has shape {array.shape}, and must have {shape}")
    if array.flags.writeable:
        raise TreeError(f"{name} can be written to")


def _check_structure(tree: Tree) -> None:
    leaf = tree.kind == Kind.LEAF
    known = (tree.kind >= Kind.LEAF) & (tree.kind <= Kind.IS_MISSING)
    _refuse(~known, "kind {kind} is not a kind of node", kind=tree.kind)
    _refuse(leaf & (tree.n_children != 0), "a leaf has {n} children", n=tree.n_children)
    _refuse(~leaf & (tree.n_children < 2), "a split has {n} children", n=tree.n_children)
    _refuse(
        leaf & (tree.first_child != arrays.LEAF_CHILD),
        "the first child of a leaf is {child}, and must be -1",
        child=tree.first_child,
    )
    ends = 1 + np.cumsum(tree.n_children, dtype=np.int64)
    starts = np.concatenate(([1], ends[:-1]))
    _refuse(starts <= np.arange(tree.n_nodes), "no earlier node is its parent")
    if ends[-1] != tree.n_nodes:
        raise TreeError(
            f"the splits have {ends[-1] - 1} children, and there are {tree.n_nodes - 1} nodes below"
        )
    _refuse(
        ~leaf & (tree.first_child != starts),
        "its first child is {child}, and in breadth-first order must be {start}",
        child=tree.first_child,
        start=starts,
    )


def _check_splits(tree: Tree) -> None:
    kind, feature, n_children = tree.kind, tree.feature, tree.n_children
    missing, unknown = tree.missing_branch, tree.unknown_branch
    leaf = kind == Kind.LEAF
    threshold = kind == Kind.THRESHOLD
    listed = (kind == Kind.SUBSET) | (kind == Kind.MULTIWAY)

    _refuse(leaf & (feature != arrays.LEAF_FEATURE), "a leaf tests column {feature}", feature=feature)
    _refuse(leaf & (tree.threshold != arrays.LEAF_THRESHOLD), "the threshold of a leaf must be -2.0")
    _refuse(
        leaf & ((missing != STOP) | (unknown != STOP)),
        "the missing and unknown branches of a leaf must be -1",
    )

    n_features = tree.schema.n_features
    in_range = leaf | ((feature >= 0) & (feature < n_features))
    _refuse(~in_range, f"it tests column {{feature}}, and there are {n_features} columns", feature=feature)
    categorical = np.array([column.kind == "categorical" for column in tree.schema.columns], dtype=bool)
    of_categorical = ~leaf & categorical[np.where(leaf, 0, feature)]
    _refuse(threshold & of_categorical, "a threshold on a categorical column")
    _refuse(listed & ~of_categorical, "categories on a numeric column")

    _refuse(
        threshold & ~np.isfinite(tree.threshold), "the threshold is {t}, and must be finite", t=tree.threshold
    )
    _refuse(
        ~leaf & ~threshold & ~np.isnan(tree.threshold), "a split without threshold has one (it must be NaN)"
    )

    _refuse(
        ~leaf & ((missing < SPREAD) | (missing == ERROR) | (missing >= n_children)),
        "missing values take branch {branch}, and there are {n}",
        branch=missing,
        n=n_children,
    )
    _refuse(
        ~leaf & ((unknown < SPREAD) | (unknown >= n_children)),
        "unknown values take branch {branch}, and there are {n}",
        branch=unknown,
        n=n_children,
    )
    _refuse(threshold & (unknown != missing), "a threshold's unknown branch must be its missing branch")
    two_or_three = threshold | (kind == Kind.SUBSET)
    _refuse(
        two_or_three & (n_children != np.where(missing == 2, 3, 2)),
        "it has {n} branches, and must have 2, or 3 with branch 2 for missing values",
        n=n_children,
    )
    is_missing = kind == Kind.IS_MISSING
    _refuse(is_missing & (n_children != 2), "a test for missing values has {n} branches, not 2", n=n_children)
    _refuse(is_missing & (missing != 0), "a test for missing values must send them to branch 0")


def _check_categories(tree: Tree) -> None:
    n, offset, code, branch = tree.n_nodes, tree.category_offset, tree.category_code, tree.category_branch
    if offset[0] != 0 or offset[-1] != code.size:
        raise TreeError(f"category_offset runs from {offset[0]} to {offset[-1]}, not from 0 to {code.size}")
    _refuse(offset[1:] < offset[:-1], "category_offset descends")
    length = np.diff(offset)
    listed = (tree.kind == Kind.SUBSET) | (tree.kind == Kind.MULTIWAY)
    _refuse(~listed & (length > 0), "categories at a node that does not split by category")
    _refuse(listed & (length == 0), "a split by category lists no category")
    if not listed.any():
        return

    owner = np.repeat(np.arange(n), length)

    def refuse(broken: NDArray[np.bool_], rule: str) -> None:
        if broken.any():
            at = int(np.argmax(broken))
            raise TreeError(rule.format(code=code[at], branch=branch[at]), node=int(owner[at]))

    n_categories = np.array([len(column.categories) for column in tree.schema.columns], dtype=np.int64)
    known = n_categories[tree.feature[owner]]
    refuse((code < 0) | (code >= known), "category code {code} is not one of its column's")
    ascending = np.ones(code.size, dtype=bool)
    ascending[1:] = (code[1:] > code[:-1]) | (owner[1:] != owner[:-1])
    refuse(~ascending, "category code {code} is out of order or twice there")
    sides = np.where(tree.kind == Kind.SUBSET, 2, tree.n_children)[owner]
    refuse((branch < 0) | (branch >= sides), "category code {code} takes branch {branch}, which it cannot")

    led_to = np.ones(n, dtype=bool)
    parent = tree.parent
    led_to[1:] = ~listed[parent[1:]]
    led_to[tree.first_child[owner] + branch] = True
    for taken in (tree.missing_branch, tree.unknown_branch):
        going = listed & (taken >= 0)
        led_to[tree.first_child[going] + taken[going]] = True
    _refuse(~led_to, "nothing leads here from node {parent}", parent=parent)


def _check_surrogates(tree: Tree) -> None:
    offset, feature, threshold = tree.surrogate_offset, tree.surrogate_feature, tree.surrogate_threshold
    starts, code = tree.surrogate_category_offset, tree.surrogate_category_code
    for name, ends, size in (
        ("surrogate_offset", offset, feature.size),
        ("surrogate_category_offset", starts, code.size),
    ):
        if ends[0] != 0 or ends[-1] != size or (ends[1:] < ends[:-1]).any():
            raise TreeError(f"{name} does not run from 0 to {size} without descending")
    if feature.size == 0:
        return
    length = np.diff(offset)
    in_two = (tree.kind == Kind.THRESHOLD) | (tree.kind == Kind.SUBSET)
    _refuse(~in_two & (length > 0), "surrogates at a node that is neither a threshold nor a subset")
    owner = np.repeat(np.arange(tree.n_nodes), length)

    def refuse(broken: NDArray[np.bool_], rule: str, of: NDArray[Any] | None = None) -> None:
        if broken.any():
            at = int(np.argmax(broken))
            s = at if of is None else int(of[at])
            code_at = None if of is None else code[at]
            text = rule.format(feature=feature[s], agreement=tree.surrogate_agreement[s], code=code_at)
            raise TreeError(f"a surrogate {text}", node=int(owner[s]))

    refuse((feature < 0) | (feature >= tree.n_features), "tests column {feature}, which is not there")
    refuse(feature == tree.feature[owner], "tests the column of its own node")
    columns = tree.schema.columns
    categorical = np.array([column.kind == "categorical" for column in columns], dtype=bool)[feature]
    listed = np.diff(starts) > 0
    refuse(categorical != listed, "of categories needs categories, and one of numbers has none")
    refuse(~listed & ~np.isfinite(threshold), "has no finite threshold")
    refuse(listed & ~np.isnan(threshold), "by category has a threshold (it must be NaN)")
    flipped = tree.surrogate_flipped
    refuse((flipped != 0) & ((flipped != 1) | listed), "is flipped in a way that there is not")
    agreement = tree.surrogate_agreement
    refuse(~((agreement >= 0) & (agreement <= 1)), "has agreement {agreement}, not between 0 and 1")

    of = np.repeat(np.arange(feature.size), np.diff(starts))
    known = np.array([len(column.categories) for column in columns], dtype=np.int64)[feature[of]]
    refuse((code < 0) | (code >= known), "lists category code {code}, which is not its column's", of)
    ascending = np.ones(code.size, dtype=bool)
    ascending[1:] = (code[1:] > code[:-1]) | (of[1:] != of[:-1])
    refuse(~ascending, "lists category code {code} out of order or twice", of)
    branch = tree.surrogate_category_branch
    refuse((branch < 0) | (branch > 1), "sends category code {code} to a branch that is not 0 or 1", of)


def _check_contents(tree: Tree) -> None:
    n_rows, weight = tree.n_rows, tree.weight
    _refuse((n_rows < 1) | (n_rows > MAX_ROWS), "it has {n} rows", n=n_rows)
    _refuse(~(np.isfinite(weight) & (weight > 0)), "its weight is {w}, and must be positive", w=weight)
    _refuse(~np.isfinite(tree.impurity), "its impurity is {i}, and must be finite", i=tree.impurity)
    leaf = tree.kind == Kind.LEAF
    _refuse(leaf & ~np.isnan(tree.score), "a leaf has a score (it must be NaN)")
    _refuse(np.isinf(tree.score), "its score is infinite")

    inner = np.flatnonzero(~leaf)

    def add_up(values: NDArray[Any], what: str, scale: NDArray[Any], tolerance: float = TOLERANCE) -> None:
        """Refuse the first node whose children's `values` do not make up its own."""
        wrong = np.zeros(tree.n_nodes, dtype=bool)
        difference = np.abs(arrays.child_sums(values, tree.first_child) - values[inner])
        wrong[inner] = ~(difference <= tolerance * scale[inner])
        _refuse(wrong, f"its children's {what} do not add up to its own")

    _check_rows(tree, inner)
    add_up(weight, "weights", weight)
    if tree.counts is not None:
        counts = tree.counts
        bad = (~(np.isfinite(counts) & (counts >= 0))).max(axis=1)
        _refuse(bad, "a class count is negative or not finite")
        _refuse(
            ~(np.abs(counts.sum(axis=1) - weight) <= TOLERANCE * weight),
            "its class counts do not add up to its weight",
        )
        for k in range(counts.shape[1]):
            add_up(counts[:, k], "class counts", weight)
    if tree.sums is not None and tree.answer is not None:
        w, wy, wyy = tree.sums.T
        _refuse((~np.isfinite(tree.sums)).max(axis=1), "a sum is not finite")
        _refuse(~np.isfinite(tree.answer), "its answer is {a}, and must be finite", a=tree.answer)
        _refuse(~(np.abs(w - weight) <= TOLERANCE * weight), "its sum of weights is not its weight")
        _refuse(wyy < 0, "its sum of squares is negative")
        add_up(w, "sums of weights", weight)
        add_up(wy, "sums of wy", np.sqrt(weight * wyy))
        add_up(wyy, "sums of wy²", wyy)


def _check_rows(tree: Tree, inner: NDArray[np.intp]) -> None:
    """The rows of a node are its children's together, or, where rows are spread, at most these."""
    n_rows, spread = tree.n_rows, tree.missing_branch[inner] == SPREAD
    wrong = np.zeros(tree.n_nodes, dtype=bool)
    # In floating point first: integers could wrap round to the right sum.
    about, whole = arrays.child_sums(n_rows.astype(np.float64), tree.first_child), n_rows[inner]
    exact = arrays.child_sums(n_rows, tree.first_child)
    differs = (np.abs(about - whole) > TOLERANCE * whole) | (exact != whole)
    wrong[inner] = np.where(spread, about < whole, differs)
    _refuse(wrong, "its children's rows do not add up to its own")
    shared = np.zeros(tree.n_nodes, dtype=bool)
    parent = tree.parent[1:]
    shared[1:] = (tree.missing_branch[parent] == SPREAD) & (n_rows[1:] > n_rows[parent])
    _refuse(shared, "it has more rows than node {parent} above it", parent=tree.parent)


def _check_labels(tree: Tree) -> None:
    if tree.classes is None:
        return
    seen: set[object] = set()
    for label in tree.classes.tolist():
        try:
            repeated = label in seen
            seen.add(label)
        except TypeError:
            raise TreeError(f"the class label {label!r} is not hashable") from None
        if repeated:
            raise TreeError(f"the class label {label!r} is twice there")
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise TreeError(f"{label!r} is no class label")
