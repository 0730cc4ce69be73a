"""The answer of every learner: one immutable tree.

A tree holds what it takes to route a row (`boxwood.tree.arrays`), what was known about the rows of each node
in training (how many, their weight, their class counts or sums, the impurity, the score of the split), the
schema of the table, and the class labels. It holds neither probabilities, which follow from the counts, nor
training data.

Trees are values: equal content makes equal trees, with equal hashes; nothing about them can be changed; a
pruned or annotated tree is a new one that shares the arrays it has in common with the old. So a tree can be
handed to other threads, used as a key, and cached from.

Nothing here recurses: a tree may be a chain of any length.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood.data.schema import Schema
from boxwood.tree import arrays, persist
from boxwood.tree.arrays import Floats, Int8s, Int32s, Int64s
from boxwood.tree.check import check_tree
from boxwood.tree.edit import collapse
from boxwood.tree.errors import TreeError, TreeFormatError
from boxwood.tree.importance import feature_importances
from boxwood.tree.routing import Routing
from boxwood.tree.split import IsMissing, Kind, Multiway, Split, Subset, Surrogate, Threshold
from boxwood.tree.state import FORMAT_VERSION, State, plain_schema, schema_from_plain, upgrade

Array = TypeVar("Array", bound=NDArray[Any])

_FIELDS = ("schema", "classes", "criterion", "missing", "unknown_category", *arrays.DTYPES, "extra")
_PRINTED_NODES = 1000
_PRINTED_BRANCHES = 2000  # of one node


class Tree(Routing):
    """A decision tree. Learners make it; `boxwood.tree.build_tree` makes one by hand.

    Nodes are numbered breadth-first from the root, 0. All arrays are read-only and indexed by node.

    Attributes
    ----------
    schema : Schema
        The columns of the table.
    classes : array or None
        The class labels; None for a regression tree.
    criterion, missing, unknown_category : str
        How the tree was grown. For information: routing goes by the branches stored at the nodes.
    kind : int8 array
        What each node is, see `boxwood.tree.Kind`; 0 for a leaf.
    feature : int32 array
        The number of the column that the node tests; -2 for a leaf.
    threshold : float64 array
        ``x <= threshold`` goes to branch 0; -2.0 for a leaf, NaN for a split of another kind.
    first_child, n_children : int32 array
        The children of node i are ``first_child[i], ..., first_child[i] + n_children[i] - 1``, in the order
        of the branches; -1 and 0 for a leaf.
    missing_branch, unknown_branch : int32 array
        The branch of missing and of unknown values; -1 to end at the node, -2 for an error, -3 to go down
        every branch.
    category_offset : int64 array
        The categories of node i are ``category_code[category_offset[i]:category_offset[i + 1]]``.
    category_code, category_branch : int32 array
        Category codes, ascending within a node, and the branch of each.
    surrogate_offset : int64 array
        The surrogates of node i are ``surrogate_offset[i], ..., surrogate_offset[i + 1] - 1``.
    surrogate_feature, surrogate_threshold, surrogate_flipped, surrogate_agreement : arrays
        Of each surrogate; see `boxwood.tree.Surrogate`. The threshold is NaN where it goes by category.
    surrogate_category_offset, surrogate_category_code, surrogate_category_branch : arrays
        Its categories, as those of a node.
    n_rows : int64 array
        Number of training rows; where rows are spread, of those that reached the node with any weight.
    weight : float64 array
        Their weight.
    counts : float64 array of shape (n_nodes, n_classes), or None
        Their weight per class (classification).
    sums, answer : float64 arrays of shape (n_nodes, 3) and (n_nodes,), or None
        The sums of w, wy and wy², and the number that the node predicts (regression).
    impurity : float64 array
        Their impurity under the criterion.
    score : float64 array
        What the chosen split scored; NaN for a leaf.
    extra : mapping from str to float64 array
        Further columns, one number per node, see `with_extra`.

    Examples
    --------
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Threshold, build_tree, leaf, node
    >>> schema = Schema((Column("petal_length", "numeric", "float"),), named=True)
    >>> root = node(Threshold(0, 2.45, missing_branch=1), [leaf([50, 0]), leaf([1, 49])])
    >>> tree = build_tree(root, schema, ["setosa", "virginica"])
    >>> tree
    Tree(classification, 2 leaves, depth 1, 1 feature, 2 classes)
    >>> tree.apply([np.array([1.4, 5.1, np.nan])])
    array([1, 2, 2], dtype=int32)
    >>> print(tree)
    Classification tree: 2 leaves, depth 1, 100 rows
    <BLANKLINE>
                                        answer          rows  setosa  virginica
    all rows                                             100      51         49
    ├── petal_length <= 2.45            setosa    100%    50      50          0
    └── petal_length > 2.45 or missing  virginica  98%    50       1         49
    """

    __slots__ = ("__weakref__", "_cache", *_FIELDS)

    schema: Schema
    classes: NDArray[Any] | None
    criterion: str
    missing: str
    unknown_category: str
    kind: Int8s
    feature: Int32s
    threshold: Floats
    first_child: Int32s
    n_children: Int32s
    missing_branch: Int32s
    unknown_branch: Int32s
    category_offset: Int64s
    category_code: Int32s
    category_branch: Int32s
    surrogate_offset: Int64s
    surrogate_feature: Int32s
    surrogate_threshold: Floats
    surrogate_flipped: Int8s
    surrogate_agreement: Floats
    surrogate_category_offset: Int64s
    surrogate_category_code: Int32s
    surrogate_category_branch: Int32s
    n_rows: Int64s
    weight: Floats
    impurity: Floats
    score: Floats
    counts: Floats | None
    sums: Floats | None
    answer: Floats | None
    extra: Mapping[str, Floats]
    _cache: dict[str, Any]

    # ------------------------------------------------------------------------------------------ making

    def __init__(self) -> None:
        raise TypeError("make a tree with Tree.from_arrays, boxwood.tree.build_tree or boxwood.load")

    @classmethod
    def from_arrays(
        cls,
        *,
        schema: Schema,
        classes: ArrayLike | None,
        criterion: str,
        missing: str = "learn",
        unknown_category: str = "missing",
        extra: Mapping[str, ArrayLike] | None = None,
        parent: ArrayLike | None = None,
        check: bool = True,
        copy: bool = True,
        **node_arrays: ArrayLike,
    ) -> Tree:
        """Make a tree from its arrays.

        Parameters
        ----------
        schema, classes, criterion, missing, unknown_category, extra
            As in the tree's attributes.
        parent
            Follows from the other arrays; given, it is compared with what follows.
        check
            Run `check_tree`. Leave it out only for arrays known to be right.
        copy
            False hands the arrays over: they are made read-only instead of being copied.
        **node_arrays
            The arrays in the tree's attributes, by name: all of ``kind`` ... ``category_branch``, ``n_rows``,
            ``weight``, ``impurity`` and ``score``, and ``counts``, or for regression ``sums`` and ``answer``;
            those of surrogates where there are any.

        Raises
        ------
        TreeError
            If they do not make a tree.
        """
        if not node_arrays.keys() & arrays.SURROGATES.keys():
            node_arrays |= arrays.no_surrogates(np.size(node_arrays.get("kind", ())))
        wanted = set(arrays.names(regression=classes is None))
        if node_arrays.keys() != wanted:
            wrong = sorted(node_arrays.keys() ^ wanted)
            raise TypeError(f"these arrays are lacking or do not belong here: {', '.join(wrong)}")
        fields: dict[str, Any] = {
            name: arrays.as_array(name, values, arrays.DTYPES[name], copy=copy)
            for name, values in node_arrays.items()
        }
        tree = cls._make(
            schema=schema,
            classes=None if classes is None else arrays.as_labels(classes),
            criterion=criterion,
            missing=missing,
            unknown_category=unknown_category,
            extra=MappingProxyType(
                {
                    name: arrays.as_array(name, column, np.float64, copy=copy)
                    for name, column in (extra or {}).items()
                }
            ),
            **fields,
        )
        if check:
            check_tree(tree)
        if parent is not None and not np.array_equal(np.asarray(parent), tree.parent):
            raise TreeError("parent does not agree with first_child and n_children")
        return tree

    @classmethod
    def _make(cls, **fields: Any) -> Tree:
        tree = object.__new__(cls)
        tree._fill(fields)
        return tree

    def _fill(self, fields: dict[str, Any]) -> None:
        for name in ("counts", "sums", "answer"):
            fields.setdefault(name, None)
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_cache", {})

    def with_extra(self, name: str, values: ArrayLike) -> Tree:
        """The same tree with one more named column: one number per node, kept by save and load.

        >>> from boxwood.data import Column, Schema
        >>> from boxwood.tree import build_tree, leaf
        >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
        >>> tree = build_tree(leaf([3, 1]), schema, ["a", "b"])
        >>> tree.with_extra("p_value", [0.04]).extra["p_value"]
        array([0.04])
        """
        fields = self._fields()
        fields["extra"] = MappingProxyType({**self.extra, name: arrays.as_array(name, values, np.float64)})
        tree = self._make(**fields)
        check_tree(tree)
        return tree

    def collapse(self, nodes: Iterable[int]) -> Tree:
        """The tree in which some nodes are leaves: what was below them is left out, the rest numbered anew.

        Parameters
        ----------
        nodes
            Numbers of nodes, or a mask with an entry for each node. Leaves stay as they are.

        Examples
        --------
        >>> from boxwood.data import Column, Schema
        >>> from boxwood.tree import Threshold, build_tree, leaf, node
        >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
        >>> low = node(Threshold(0, 1.0), [leaf([5, 1]), leaf([3, 2])])
        >>> tree = build_tree(node(Threshold(0, 2.0), [low, leaf([0, 4])]), schema, ["no", "yes"])
        >>> tree.collapse([1]).counts
        array([[8., 7.],
               [8., 3.],
               [0., 4.]])
        """
        return collapse(self, nodes)

    def _fields(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _FIELDS}

    # ------------------------------------------------------------------------------------------ size

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.kind)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.is_leaf))

    @property
    def n_features(self) -> int:
        """Number of columns of the table."""
        return self.schema.n_features

    @property
    def n_classes(self) -> int:
        """Number of classes; 0 for a regression tree."""
        return 0 if self.classes is None else int(self.classes.shape[0])

    @property
    def depth(self) -> int:
        """Number of splits on the longest path; 0 for a lone leaf."""
        return int(self.node_depth[-1])

    @property
    def is_leaf(self) -> NDArray[np.bool_]:
        """Whether each node is a leaf."""
        return self._cached("is_leaf", lambda: self.kind == Kind.LEAF)

    @property
    def parent(self) -> Int32s:
        """The parent of each node; -1 for the root."""

        def make() -> Int32s:
            families = np.repeat(np.arange(self.n_nodes, dtype=np.int32), self.n_children)
            return np.concatenate((np.array([-1], dtype=np.int32), families))

        return self._cached("parent", make)

    @property
    def node_depth(self) -> Int32s:
        """Number of splits above each node."""

        def make() -> Int32s:
            # Level by level: the children of nodes 0, ..., i end where 1 + their number of children ends.
            ends = (1 + np.cumsum(self.n_children, dtype=np.int64)).tolist()
            bounds = [0, 1]
            while bounds[-1] < self.n_nodes:
                bounds.append(ends[bounds[-1] - 1])
            return np.repeat(np.arange(len(bounds) - 1, dtype=np.int32), np.diff(bounds))

        return self._cached("node_depth", make)

    def _cached(self, name: str, make: Callable[[], Array]) -> Array:
        """A derived array, made once."""
        found: Array | None = self._cache.get(name)
        if found is None:
            found = make()
            found.flags.writeable = False
            self._cache[name] = found
        return found

    # ------------------------------------------------------------------------------------------ nodes

    def children(self, node: int) -> range:
        """The children of a node, in the order of its branches; empty for a leaf."""
        count = int(self.n_children[node])
        first = int(self.first_child[node])
        return range(first, first + count) if count else range(0)

    def split(self, node: int) -> Split | None:
        """The split of a node; None for a leaf."""
        node = range(self.n_nodes)[node]
        kind, feature = Kind(self.kind[node]), int(self.feature[node])
        missing, unknown = int(self.missing_branch[node]), int(self.unknown_branch[node])
        if kind == Kind.LEAF:
            return None
        surrogates = self._surrogates(node)
        if kind == Kind.THRESHOLD:
            return Threshold(feature, float(self.threshold[node]), missing, surrogates)
        if kind == Kind.IS_MISSING:
            return IsMissing(feature, unknown)
        start, end = self.category_offset[node], self.category_offset[node + 1]
        codes, branches = self.category_code[start:end].tolist(), self.category_branch[start:end].tolist()
        table = dict(zip(codes, branches, strict=True))
        if kind == Kind.SUBSET:
            return Subset(feature, table, missing, unknown, surrogates)
        return Multiway(feature, table, missing, unknown)

    def _surrogates(self, node: int) -> tuple[Surrogate, ...]:
        """The surrogates of a node, the best one first."""
        found = []
        for s in range(int(self.surrogate_offset[node]), int(self.surrogate_offset[node + 1])):
            feature, start, end = int(self.surrogate_feature[s]), *self.surrogate_category_offset[s : s + 2]
            codes = self.surrogate_category_code[start:end].tolist()
            branches = self.surrogate_category_branch[start:end].tolist()
            split: Threshold | Subset = Threshold(feature, float(self.surrogate_threshold[s]))
            if codes:
                split = Subset(feature, dict(zip(codes, branches, strict=True)))
            agreement, flipped = float(self.surrogate_agreement[s]), bool(self.surrogate_flipped[s])
            found.append(Surrogate(split, agreement, flipped))
        return tuple(found)

    def feature_importances(self, *, normalize: bool = True) -> Floats:
        """How much each column lowers the impurity, as in scikit-learn.

        The decrease at each split (the node's impurity minus its children's, weighted) is summed by column,
        as a share of the weight of all rows; normalised, the sums add up to 1 unless all are 0.
        """
        return feature_importances(self, normalize=normalize)

    # ------------------------------------------------------------------------------------------ for tools

    @property
    def node_count(self) -> int:
        """`n_nodes`, as scikit-learn calls it."""
        return self.n_nodes

    @property
    def max_depth(self) -> int:
        """`depth`, as scikit-learn calls it."""
        return self.depth

    @property
    def children_left(self) -> Int64s:
        """The child for "yes" (branch 0) of each node of a binary tree; -1 for a leaf."""
        return self._binary_child("children_left", 0)

    @property
    def children_right(self) -> Int64s:
        """The child for "no" (branch 1) of each node of a binary tree; -1 for a leaf."""
        return self._binary_child("children_right", 1)

    def _binary_child(self, name: str, branch: int) -> Int64s:
        def make() -> Int64s:
            wide = self.n_children > 2
            if wide.any():
                raise AttributeError(
                    f"this tree has no {name}: node {int(np.argmax(wide))} has more than two branches; "
                    "see first_child and n_children"
                )
            return np.where(self.is_leaf, np.int64(-1), self.first_child.astype(np.int64) + branch)

        return self._cached(name, make)

    @property
    def value(self) -> Floats:
        """Class shares, of shape (n_nodes, 1, n_classes), or answers, of shape (n_nodes, 1, 1)."""

        def make() -> Floats:
            if self.counts is None:
                assert self.answer is not None
                return self.answer.reshape(-1, 1, 1).copy()
            shares: Floats = self.counts / self.counts.sum(axis=1, keepdims=True)
            return shares[:, np.newaxis, :]

        return self._cached("value", make)

    @property
    def n_node_samples(self) -> Int64s:
        """`n_rows`, as scikit-learn calls it."""
        return self.n_rows

    @property
    def weighted_n_node_samples(self) -> Floats:
        """`weight`, as scikit-learn calls it."""
        return self.weight

    # ------------------------------------------------------------------------------------------ as a value

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Tree cannot be changed ({name!r})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Tree cannot be changed ({name!r})")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return self is other or self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        """What two equal trees have in common, arrays as a digest of their content."""
        key: tuple[Any, ...] | None = self._cache.get("key")
        if key is None:
            digest = hashlib.blake2b(digest_size=32)
            parts = [(name, getattr(self, name)) for name in arrays.names(regression=self.classes is None)]
            for name, array in (*parts, *sorted(self.extra.items())):
                digest.update(f"{name} {array.dtype} {array.shape}\n".encode("utf-8", "surrogatepass"))
                digest.update(arrays.canonical_bytes(array))
            labels = None if self.classes is None else (str(self.classes.dtype), tuple(self.classes.tolist()))
            named = (self.criterion, self.missing, self.unknown_category)
            key = self._cache["key"] = (self.schema, labels, named, digest.digest())
        return key

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> Tree:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Tree:
        return self

    def __getstate__(self) -> State:
        regression = self.classes is None
        return {
            "version": FORMAT_VERSION,
            "criterion": self.criterion,
            "missing": self.missing,
            "unknown_category": self.unknown_category,
            "schema": plain_schema(self.schema),
            "classes": self.classes,
            "arrays": {name: getattr(self, name) for name in arrays.names(regression=regression)},
            "extra": dict(self.extra),
        }

    def __setstate__(self, state: State) -> None:
        if hasattr(self, "_cache"):
            raise AttributeError("a Tree cannot be changed")
        self._fill(self._from_state(state)._fields())

    @classmethod
    def _from_state(cls, state: Mapping[str, Any]) -> Tree:
        """The tree of a pickle or a file, of whatever version."""
        current = upgrade(state)
        try:
            return cls.from_arrays(
                schema=schema_from_plain(current["schema"]),
                classes=current["classes"],
                criterion=current["criterion"],
                missing=current["missing"],
                unknown_category=current["unknown_category"],
                extra=current["extra"],
                **current["arrays"],
            )
        except (TreeError, KeyError, TypeError) as error:
            raise TreeFormatError(f"the tree is damaged: {error}") from error

    def to_dict(self) -> dict[str, Any]:
        """The tree as a JSON document (``docs/tree-format.md``): plain dicts, lists, strings and numbers."""
        return persist.document(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Tree:
        """The tree that `to_dict` wrote down; `TreeFormatError` if it is damaged."""
        return cls._from_state(persist.state_from_document(document))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the tree to a JSON file, compressed if the name ends in ``.gz``; `boxwood.load` reads it."""
        persist.write(self.to_dict(), path)

    def __repr__(self) -> str:
        def number(count: int, one: str, more: str) -> str:
            return f"{count} {one if count == 1 else more}"

        parts = [
            "regression" if self.classes is None else "classification",
            number(self.n_leaves, "leaf", "leaves"),
            f"depth {self.depth}",
            number(self.n_features, "feature", "features"),
        ]
        if self.classes is not None:
            parts.append(number(self.n_classes, "class", "classes"))
        return f"Tree({', '.join(parts)})"

    def __str__(self) -> str:
        # The one import against the direction of the rooms, and only when a tree is printed.
        from boxwood.export.text import export_text

        if self.n_nodes <= _PRINTED_NODES:
            return export_text(self)
        # As many whole levels as fit.
        shown = int(self.node_depth[_PRINTED_NODES]) - 1
        return export_text(self, max_depth=max(shown, 1), max_branches=_PRINTED_BRANCHES)


def load(path: str | os.PathLike[str], *, max_bytes: int = persist.MAX_BYTES) -> Tree:
    """Read a tree that `Tree.save` wrote. Nothing in the file is executed.

    Parameters
    ----------
    path
        The file, compressed or not.
    max_bytes
        Refuse files that are larger, decompressed.

    Raises
    ------
    TreeFormatError
        If the file is not a saved tree, is damaged, or comes from a newer version.

    Examples
    --------
    >>> import os, tempfile
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> tree = build_tree(leaf([3, 1]), Schema((Column("x", "numeric", "float"),), named=True), [False, True])
    >>> path = os.path.join(tempfile.mkdtemp(), "tree.json")
    >>> tree.save(path)
    >>> load(path) == tree
    True
    """
    try:
        return Tree.from_dict(persist.read(path, max_bytes))
    except TreeFormatError as error:
        raise TreeFormatError(f"{os.fspath(path)}: {error}") from error
