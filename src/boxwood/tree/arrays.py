"""The arrays that a tree is made of: their names, their types, and how they are kept from change.

A tree of n nodes is a structure of arrays of length n, indexed by node. Nodes are numbered breadth-first
from the root, 0, and the children of node i are ``first_child[i], ..., first_child[i] + n_children[i] - 1``:
binary and multiway trees share one layout, and a parent always comes before its children.

The categories of a split are ragged, so they lie end to end: those of node i are
``category_code[category_offset[i]:category_offset[i + 1]]``, ascending, and ``category_branch`` at the same
places says which branch each of them takes.

Surrogates are ragged twice over. Those of node i are numbered ``surrogate_offset[i], ...,
surrogate_offset[i + 1] - 1``, in the order in which they are asked. The categories of surrogate s are
``surrogate_category_code[surrogate_category_offset[s]:surrogate_category_offset[s + 1]]``; a surrogate
without categories is a threshold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood.tree.errors import TreeError

Int8s: TypeAlias = NDArray[np.int8]
Int32s: TypeAlias = NDArray[np.int32]
Int64s: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

STRUCTURE: dict[str, type[np.generic]] = {
    "kind": np.int8,
    "feature": np.int32,
    "threshold": np.float64,
    "first_child": np.int32,
    "n_children": np.int32,
    "missing_branch": np.int32,
    "unknown_branch": np.int32,
    "category_offset": np.int64,
    "category_code": np.int32,
    "category_branch": np.int32,
}
"""The splits."""

SURROGATES: dict[str, type[np.generic]] = {
    "surrogate_offset": np.int64,
    "surrogate_feature": np.int32,
    "surrogate_threshold": np.float64,
    "surrogate_flipped": np.int8,
    "surrogate_agreement": np.float64,
    "surrogate_category_offset": np.int64,
    "surrogate_category_code": np.int32,
    "surrogate_category_branch": np.int32,
}
"""The splits that stand in for others; a tree without any may leave these out (`no_surrogates`)."""

ROUTING = (*STRUCTURE, "weight", *(name for name in SURROGATES if name != "surrogate_agreement"))
"""What routing needs; the core's router takes these in this order."""

CONTENT: dict[str, type[np.generic]] = {
    "n_rows": np.int64,
    "weight": np.float64,
    "impurity": np.float64,
    "score": np.float64,
}
"""What every node knows about its rows."""

CLASSIFICATION: dict[str, type[np.generic]] = {"counts": np.float64}
"""Weight per class, of shape (n, K)."""

REGRESSION: dict[str, type[np.generic]] = {"sums": np.float64, "answer": np.float64}
"""Sums of w, wy and wy², of shape (n, 3), and the number that the node answers with."""

DTYPES: dict[str, type[np.generic]] = STRUCTURE | SURROGATES | CONTENT | CLASSIFICATION | REGRESSION

LEAF_FEATURE = -2
LEAF_THRESHOLD = -2.0
LEAF_CHILD = -1


def names(*, regression: bool) -> Iterator[str]:
    """The names of a tree's arrays.

    >>> list(names(regression=False))[-1]
    'counts'
    """
    yield from STRUCTURE
    yield from SURROGATES
    yield from CONTENT
    yield from REGRESSION if regression else CLASSIFICATION


def no_surrogates(n_nodes: int) -> dict[str, NDArray[Any]]:
    """The arrays of surrogates of a tree that has none.

    >>> no_surrogates(3)["surrogate_offset"]
    array([0, 0, 0, 0])
    """
    lengths = {"surrogate_offset": n_nodes + 1, "surrogate_category_offset": 1}
    return {name: np.zeros(lengths.get(name, 0), dtype=dtype) for name, dtype in SURROGATES.items()}


def as_array(name: str, values: ArrayLike, dtype: type[np.generic], *, copy: bool = True) -> NDArray[Any]:
    """`values` as a read-only, contiguous array of `dtype`, never rounding or wrapping a number.

    With ``copy=True`` the result is a copy unless nobody can write to `values` any more. With ``copy=False``
    the caller hands `values` over: it becomes read-only itself where its type allows.

    >>> as_array("feature", [0, 2, -2], np.int32)
    array([ 0,  2, -2], dtype=int32)
    >>> as_array("feature", [0, 2**40], np.int32)
    Traceback (most recent call last):
    ...
    boxwood.tree.errors.TreeError: feature holds 1099511627776, which is not an int32
    """
    given = np.asarray(values)
    if given.dtype != dtype or not given.dtype.isnative:
        converted = _convert(name, given, dtype)
        copy = copy and np.may_share_memory(converted, given)
        given = converted
    frozen = np.array(given, dtype=dtype, order="C", copy=True) if copy and not _is_frozen(given) else given
    if not frozen.flags.c_contiguous:
        frozen = np.ascontiguousarray(frozen)
    frozen.flags.writeable = False
    return frozen


def _convert(name: str, given: NDArray[Any], dtype: type[np.generic]) -> NDArray[Any]:
    """`given` in another type, if every number in it is a number of that type too."""
    if given.size == 0:
        return given.astype(dtype)
    wanted = np.dtype(dtype)
    if given.dtype.kind not in ("iuf" if wanted.kind == "f" else "iu"):
        raise TreeError(f"{name} is an array of {given.dtype}, and must be one of {wanted}")
    if wanted.kind == "i":
        limits = np.iinfo(wanted)
        for extreme in (int(given.min()), int(given.max())):
            if not limits.min <= extreme <= limits.max:
                raise TreeError(f"{name} holds {extreme}, which is not an {wanted}")
    return given.astype(wanted)


def _is_frozen(array: NDArray[Any]) -> bool:
    """Whether nobody holds a writable view of this memory (short of lifting numpy's flag on purpose)."""
    view: Any = array
    while type(view) is np.ndarray and not view.flags.writeable:
        if view.base is None:
            return bool(view.flags.owndata)
        view = view.base
    return False


def as_labels(labels: ArrayLike) -> NDArray[Any]:
    """Class labels as a read-only array of the machine's byte order, strings no wider than they need be.

    >>> as_labels(np.array(["no", "yes"], dtype="<U20")).dtype == np.dtype("U3")
    True
    """
    array = np.asarray(labels)
    if array.dtype.kind in "UT":
        array = np.array(array.tolist(), dtype=str) if array.size else array.astype("U1")
    elif not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not _is_frozen(array):
        array = np.array(array, copy=True)
    array.flags.writeable = False
    return array


def canonical_bytes(array: NDArray[Any]) -> bytes:
    """Bytes that are equal for equal content: one zero, one NaN.

    >>> canonical_bytes(np.array([0.0])) == canonical_bytes(np.array([-0.0]))
    True
    """
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.nan, array + 0.0)
    return array.tobytes()


def child_sums(values: NDArray[Any], first_child: Int32s) -> NDArray[Any]:
    """For each inner node, in order, the sum of `values` over its children.

    Children lie one family after the other behind the root, so this is a single pass.

    >>> child_sums(np.array([9, 4, 5, 1, 3]), np.array([1, 3, -1, -1, -1], dtype=np.int32))
    array([9, 4])
    """
    inner = first_child > 0
    if not inner.any():
        return values[:0]
    sums: NDArray[Any] = np.add.reduceat(values, first_child[inner], axis=0)
    return sums
