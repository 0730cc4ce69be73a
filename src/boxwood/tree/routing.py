"""Rows through a tree: where they end, which nodes they pass, what they are answered.

The rule itself lives in the compiled core (``core/tree/router``); this is its door. Most rows end at one
node. Where a tree *spreads* rows (a missing or unknown value whose branch is `boxwood.tree.SPREAD`), a row
goes down every branch, its weight of 1 divided at each such node in proportion to the weights of the children,
and ends at several nodes with shares that add up to 1 (Quinlan 1993, chapter 3). Its answer is the mean of
what its ends answer, weighted by their shares.

A row visits a node at most once, so no row takes longer than the tree is large, and answers are mixed while
the row is followed: only `Tree.ends` and `Tree.decision_path` need memory for all that the rows reach.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxwood._core import Router
from boxwood.data.encode import infinite_cell
from boxwood.tree import arrays
from boxwood.tree.arrays import Floats, Int32s, Int64s
from boxwood.tree.errors import UnknownCategoryError
from boxwood.tree.paths import all_paths, decision_path
from boxwood.tree.split import ERROR, SPREAD

if TYPE_CHECKING:
    from boxwood.data.schema import Schema


class Ends(NamedTuple):
    """Where rows end: one entry for each end of each row, by row and then by node.

    Attributes
    ----------
    row : int64 array
        The number of the row.
    node : int32 array
        The node where it ends.
    share : float64 array
        The share of the row that ends there; the shares of a row add up to 1.
    """

    row: Int64s
    node: Int32s
    share: Floats


class Routing:
    """What a tree does with rows, given as columns encoded by `boxwood.data.encode_with` under its schema."""

    __slots__ = ()

    if TYPE_CHECKING:
        schema: Schema
        feature: Int32s
        missing_branch: Int32s
        unknown_branch: Int32s
        counts: Floats | None
        answer: Floats | None
        _cache: dict[str, Any]

        @property
        def n_features(self) -> int: ...  # noqa: D102
        @property
        def value(self) -> Floats: ...  # noqa: D102

    @property
    def spreads(self) -> bool:
        """Whether some rows go down several branches; `ends` then tells more than `apply`."""
        found = self._cache.get("spreads")
        if found is None:
            special = (self.missing_branch == SPREAD) | (self.unknown_branch == SPREAD)
            found = self._cache["spreads"] = bool(special.any())
        return bool(found)

    def apply(
        self, columns: Sequence[NDArray[Any]], n_threads: int = 1, *, refuse_infinite: bool = False
    ) -> Int32s:
        """The node where each row ends: a leaf, or an inner node where a branch is `STOP`.

        Of a row that is spread over several branches, the end with the largest share, the lowest of equals.

        Parameters
        ----------
        columns
            The columns of a table, encoded by `boxwood.data.encode_with` under the tree's schema.
        n_threads
            Threads to use.
        refuse_infinite
            Look for infinite numbers on the way, which costs less than a pass of its own.

        Raises
        ------
        UnknownCategoryError
            If a row holds an unknown category where that is an error.
        ValueError
            If a cell is infinite and that is to be refused.
        """
        self._check_width(columns)
        ends = self._router().apply(list(columns), n_threads, refuse_infinite)
        if ends is None:
            raise infinite_cell(self.schema, columns) or ValueError("a cell is infinite")
        self._refuse_unknown(ends)
        return ends

    def ends(self, columns: Sequence[NDArray[Any]], n_threads: int = 1) -> Ends:
        """All ends of all rows, with the share of the row that ends there.

        In a tree that spreads no rows, each row has one end of share 1. In one that does, a row that is
        missing everywhere may have as many as there are leaves.

        >>> from boxwood.data import Column, Schema
        >>> from boxwood.tree import SPREAD, Threshold, build_tree, leaf, node
        >>> schema = Schema((Column("age", "numeric", "float"),), named=True)
        >>> root = node(Threshold(0, 40.5, missing_branch=SPREAD), [leaf([3, 0]), leaf([0, 1])])
        >>> tree = build_tree(root, schema, ["no", "yes"])
        >>> row, node, share = tree.ends([np.array([50.0, np.nan])])
        >>> row.tolist(), node.tolist(), share.tolist()
        ([0, 1, 1], [2, 1, 2], [1.0, 0.75, 0.25])
        """
        self._check_width(columns)
        offset, node, share = self._router().ends(list(columns), n_threads)
        row = np.repeat(np.arange(offset.size - 1, dtype=np.int64), np.diff(offset))
        self._refuse_unknown(node, row)
        return Ends(row, node, share)

    def decision_path(self, columns: Sequence[NDArray[Any]], n_threads: int = 1) -> Any:
        """The nodes that each row passes, root and end (or all ends) included.

        Returns
        -------
        scipy.sparse.csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node, with sorted indices.
        """
        nodes = self.apply(columns, n_threads)
        if not self.spreads:
            return decision_path(self, nodes)  # type: ignore[arg-type]
        return all_paths(*self._router().passed(list(columns), n_threads), n_nodes=self.feature.size)

    def predict_counts(self, columns: Sequence[NDArray[Any]], n_threads: int = 1) -> Floats:
        """The class counts of the node where each row ends (`apply`), of shape (n_rows, n_classes)."""
        if self.counts is None:
            raise TypeError("a regression tree has no class counts; see predict_answers")
        result: Floats = self.counts[self.apply(columns, n_threads)]
        return result

    def predict_shares(
        self, columns: Sequence[NDArray[Any]], n_threads: int = 1, *, refuse_infinite: bool = False
    ) -> Floats:
        """The class shares of each row, of shape (n_rows, n_classes).

        They are the shares of the node where the row ends; for a row that is spread, the mean of those of its
        ends, weighted by their shares of the row.

        >>> from boxwood.data import Column, Schema
        >>> from boxwood.tree import SPREAD, Threshold, build_tree, leaf, node
        >>> schema = Schema((Column("age", "numeric", "float"),), named=True)
        >>> root = node(Threshold(0, 40.5, missing_branch=SPREAD), [leaf([3, 0]), leaf([0, 1])])
        >>> build_tree(root, schema, ["no", "yes"]).predict_shares([np.array([50.0, np.nan])])
        array([[0.  , 1.  ],
               [0.75, 0.25]])
        """
        if self.counts is None:
            raise TypeError("a regression tree has no classes; see predict_answers")
        return self.mix(columns, self.value[:, 0], n_threads, refuse_infinite=refuse_infinite)

    def predict_answers(
        self, columns: Sequence[NDArray[Any]], n_threads: int = 1, *, refuse_infinite: bool = False
    ) -> Floats:
        """The answer to each row (regression), of shape (n_rows,).

        It is that of the node where the row ends; for a row that is spread, the mean of those of its ends.
        """
        if self.answer is None:
            raise TypeError("a classification tree answers with classes; see predict_counts")
        if not self.spreads:
            result: Floats = self.answer[self.apply(columns, n_threads, refuse_infinite=refuse_infinite)]
            return result
        answers = self.answer[:, np.newaxis]
        return self.mix(columns, answers, n_threads, refuse_infinite=refuse_infinite)[:, 0]

    def mix(
        self,
        columns: Sequence[NDArray[Any]],
        values: Floats,
        n_threads: int = 1,
        *,
        refuse_infinite: bool = False,
    ) -> Floats:
        """For each row, the mean of what `values` (one row per node) holds for its ends, by their shares.

        >>> from boxwood.data import Column, Schema
        >>> from boxwood.tree import Threshold, build_tree, leaf, node
        >>> schema = Schema((Column("age", "numeric", "float"),), named=True)
        >>> tree = build_tree(node(Threshold(0, 40.5), [leaf([3, 0]), leaf([0, 1])]), schema, ["no", "yes"])
        >>> tree.mix([np.array([50.0])], np.array([[0.5], [0.1], [0.9]]))
        array([[0.9]])
        """
        if not self.spreads:
            nodes = self.apply(columns, n_threads, refuse_infinite=refuse_infinite)
            taken: Floats = values.take(nodes, axis=0)
            return taken
        self._check_width(columns)
        values = np.ascontiguousarray(values, dtype=np.float64)
        found = self._router().mix(list(columns), values, n_threads, refuse_infinite)
        if found is None:
            raise infinite_cell(self.schema, columns) or ValueError("a cell is infinite")
        nodes, mixed = found
        self._refuse_unknown(nodes)
        return mixed

    def _check_width(self, columns: Sequence[NDArray[Any]]) -> None:
        if len(columns) != self.n_features:
            raise ValueError(f"the tree was grown on {self.n_features} columns, and {len(columns)} are given")

    def _refuse_unknown(self, ends: Int32s, rows: Int64s | None = None) -> None:
        """Raise for the first row that the router reports as refused."""
        if self._may_refuse() and ends.size and ends.min() < 0:
            place = int(np.argmax(ends < 0))
            row = place if rows is None else int(rows[place])
            # Of several nodes that refuse a row that is spread, the first one.
            refusing = ends[place:] if rows is None else ends[rows == row]
            node = -1 - int(refusing[0] if rows is None else refusing[refusing < 0].max())
            feature = int(self.feature[node])
            raise UnknownCategoryError(row=row, node=node, feature=feature, column=self.schema.names[feature])

    def _router(self) -> Router:
        router = self._cache.get("router")
        if router is None:
            structure = [getattr(self, name) for name in arrays.ROUTING]
            router = self._cache["router"] = Router(self.schema.n_categories, *structure)
        return router

    def _may_refuse(self) -> bool:
        found = self._cache.get("may_refuse")
        if found is None:
            found = self._cache["may_refuse"] = bool((self.unknown_branch == ERROR).any())
        return bool(found)
