"""From a tree to a smaller one: nodes are taken over, subtrees are left out, everything is numbered anew.

A tree is never changed; an edited tree is a new one, as compact as if it had been grown that way. Both edits
come down to one step: nodes of the old tree are listed in the order of the new one, with the word for each
whether it is a leaf now. Leaving out whole subtrees keeps the breadth-first order of the rest, so collapsing
nodes lists those that stay and is done; subtree raising (:mod:`boxwood.pruning.error_based`) brings a list of
its own.

Finding the nodes that stay takes no loop over levels: what is known of a node's nearest ancestors is joined
with what is known of theirs, which doubles the distance every time. O(n log depth), for chains too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.tree import arrays
from boxwood.tree.arrays import Int32s, Int64s
from boxwood.tree.errors import TreeError
from boxwood.tree.split import STOP, Kind

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree

PER_CATEGORY = ("category_code", "category_branch")
PER_SURROGATE = ("surrogate_feature", "surrogate_threshold", "surrogate_flipped", "surrogate_agreement")
PER_SURROGATE_CATEGORY = ("surrogate_category_code", "surrogate_category_branch")
RAGGED = {
    "category_offset",
    *PER_CATEGORY,
    "surrogate_offset",
    *PER_SURROGATE,
    "surrogate_category_offset",
    *PER_SURROGATE_CATEGORY,
}
"""The arrays that have no entry per node: they lie end to end behind offsets."""


def below_any(parent: Int32s, chosen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether each node has a chosen one above it.

    >>> below_any(np.array([-1, 0, 0, 1, 1], dtype=np.int32), np.array([False, True, False, False, False]))
    array([False, False, False,  True,  True])
    """
    ancestor = np.maximum(parent, 0)
    found = chosen[ancestor]
    found[0] = False
    while ancestor.any():
        found |= found[ancestor]
        ancestor = ancestor[ancestor]
    return found


def collapse(tree: Tree, nodes: Iterable[int]) -> Tree:
    """The tree in which some nodes are leaves; see `Tree.collapse`."""
    chosen = np.zeros(tree.n_nodes, dtype=bool)
    if not isinstance(nodes, Iterable):
        hint = f": write [{nodes}] for one" if isinstance(nodes, int | np.integer) else ""
        raise TypeError(f"nodes must be a list of node numbers or a mask, not {nodes!r}{hint}")
    listed = np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes))
    if listed.dtype == bool:
        if listed.shape != chosen.shape:
            raise ValueError(
                f"a mask of nodes needs {tree.n_nodes} entries, one for each; it has {listed.shape}"
            )
        chosen = listed.copy()
    elif listed.size:
        if listed.ndim != 1 or listed.dtype.kind not in "iu":
            raise TypeError(f"nodes must be a list of node numbers or a mask, not {nodes!r}")
        wrong = (listed < 0) | (listed >= tree.n_nodes)
        if wrong.any():
            raise TreeError(
                f"there is no node {int(listed[np.argmax(wrong)])}: the last one is {tree.n_nodes - 1}"
            )
        chosen[listed] = True
    chosen &= ~tree.is_leaf
    if not chosen.any():
        return tree
    order = np.flatnonzero(~below_any(tree.parent, chosen))
    return rearranged(tree, order, tree.is_leaf[order] | chosen[order])


def rearranged(tree: Tree, order: NDArray[np.intp], leaf: NDArray[np.bool_], **contents: Any) -> Tree:
    """A tree whose node i is node ``order[i]`` of another one, made a leaf where `leaf` says so.

    The order must be breadth-first for the tree that results. `contents` replace what is stored at the nodes
    (``n_rows``, ``weight``, ``counts``, ``extra``, ...); all else is taken over.
    """
    made: dict[str, Any] = {}
    for name in arrays.names(regression=tree.classes is None):
        if name in contents:
            made[name] = contents[name]
        elif name not in RAGGED:
            made[name] = getattr(tree, name)[order]
    made["kind"] = np.where(leaf, np.int8(Kind.LEAF), made["kind"])
    made["feature"] = np.where(leaf, np.int32(arrays.LEAF_FEATURE), made["feature"])
    made["threshold"] = np.where(leaf, arrays.LEAF_THRESHOLD, made["threshold"])
    made["score"] = np.where(leaf, np.nan, made["score"])
    for name in ("missing_branch", "unknown_branch"):
        made[name] = np.where(leaf, np.int32(STOP), made[name])
    n_children = np.where(leaf, np.int32(0), made["n_children"])
    starts = np.concatenate(([1], 1 + np.cumsum(n_children[:-1], dtype=np.int64)))
    made["n_children"] = n_children
    made["first_child"] = np.where(leaf, np.int64(arrays.LEAF_CHILD), starts).astype(np.int32)
    made["category_offset"], places = _stretches(tree.category_offset, order, ~leaf)
    made |= {name: getattr(tree, name)[places] for name in PER_CATEGORY}
    made["surrogate_offset"], places = _stretches(tree.surrogate_offset, order, ~leaf)
    made |= {name: getattr(tree, name)[places] for name in PER_SURROGATE}
    every = np.ones(len(places), dtype=bool)
    made["surrogate_category_offset"], places = _stretches(tree.surrogate_category_offset, places, every)
    made |= {name: getattr(tree, name)[places] for name in PER_SURROGATE_CATEGORY}
    extra = contents.get("extra")
    if extra is None:
        extra = {name: column[order] for name, column in tree.extra.items()}
    return type(tree).from_arrays(
        schema=tree.schema,
        classes=tree.classes,
        criterion=tree.criterion,
        missing=tree.missing,
        unknown_category=tree.unknown_category,
        extra=extra,
        check=False,  # right by construction, as the tests confirm
        copy=False,
        **made,
    )


def _stretches(
    offset: Int64s, owners: NDArray[np.intp], kept: NDArray[np.bool_]
) -> tuple[Int64s, NDArray[np.intp]]:
    """The offsets of the stretches of some owners, put end to end, and where their entries were."""
    length = np.where(kept, np.diff(offset)[owners], 0)
    ends = np.concatenate(([0], np.cumsum(length)))
    return ends, np.arange(ends[-1]) + np.repeat(offset[owners] - ends[:-1], length)
