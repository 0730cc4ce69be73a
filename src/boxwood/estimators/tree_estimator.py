"""What all tree estimators have in common: checking arguments, routing, describing.

No algorithm lives here. ``fit``, the subclass's business, checks its arguments, encodes the table
(:mod:`boxwood.data`), has a tree learned and keeps it; prediction encodes a table with the training table's
schema and routes its rows to nodes (:mod:`boxwood.tree`). What a node answers is the subclass's business
too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from boxwood.data import Schema, Table, align_columns, encode_with, read_table
from boxwood.estimators.parameters import Rule, check_parameter, count_threads
from boxwood.estimators.progress import CallbackSupportMixin
from boxwood.estimators.pruning_choice import make_pruner
from boxwood.tree import Tree, UnknownCategoryError


class TreeEstimator(CallbackSupportMixin, BaseEstimator):
    """The base of the tree estimators. Subclasses have a constructor, ``fit`` and ``predict``."""

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = {}

    n_jobs: int | None
    tree_: Tree

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        tags.target_tags.multi_output = False
        return tags

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of the pruner: ``pruning__confidence`` even where ``pruning="ebp"``.

        A pruner that is given by its name is first made a pruner with its defaults.

        Parameters
        ----------
        **params
            Parameters by name.

        Returns
        -------
        estimator
            This estimator.

        Examples
        --------
        >>> from boxwood import C45Classifier
        >>> C45Classifier().set_params(pruning__confidence=0.1).pruning
        ErrorBased(confidence=0.1)
        """
        nested = next((name for name in params if name.startswith("pruning__")), None)
        if nested is not None and "pruning" in self._get_param_names():
            chosen = params.get("pruning", getattr(self, "pruning", None))
            if chosen is None:
                raise ValueError(
                    f"{nested} is a parameter of a pruner, and pruning is None: choose one first, as in "
                    "pruning='ebp'."
                )
            params["pruning"] = make_pruner(chosen)
        super().set_params(**params)
        return self

    # ------------------------------------------------------------------------------------------ learning

    def _check_parameters(self) -> None:
        """Refuse what is wrong and what is not available."""
        owner = type(self).__name__
        for name, rules in self.RULES.items():
            check_parameter(owner, name, getattr(self, name), rules)

    def _remember_columns(self, X: Any, schema: Schema) -> None:
        """Set ``n_features_in_`` and ``feature_names_in_``."""
        if not isinstance(X, Mapping):
            validate_data(self, X, skip_check_array=True)
        # Not every scikit-learn knows every frame, and none knows a dict of columns.
        self.n_features_in_ = schema.n_features
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)

    # ---------------------------------------------------------------------------------------- predicting

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The node of ``tree_`` where each row ends.

        That is a leaf, or an inner node for a row that stops there (``unknown_category="stop"``). Of a row
        that is spread over several branches, it is the end that the largest share of it reaches.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of nodes.
        """
        table, columns = self._encode(X, refuse_infinite=False)  # routing looks for them on its way
        try:
            return self.tree_.apply(columns, n_threads=count_threads(self.n_jobs), refuse_infinite=True)
        except UnknownCategoryError as error:
            raise self._name_value(error, table) from None

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row visits.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        sparse matrix of shape (n_samples, n_nodes)
            1 where the row visits the node.
        """
        table, columns = self._encode(X)
        try:
            return self.tree_.decision_path(columns, n_threads=count_threads(self.n_jobs))
        except UnknownCategoryError as error:
            raise self._name_value(error, table) from None

    def _mix(self, X: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each row, what `values` (one row per node) holds for the node where it ends.

        For a row that is spread, the mean of its ends' values.
        """
        table, columns = self._encode(X, refuse_infinite=False)  # routing looks for them on its way
        threads = count_threads(self.n_jobs)
        try:
            return self.tree_.mix(columns, values, n_threads=threads, refuse_infinite=True)
        except UnknownCategoryError as error:
            raise self._name_value(error, table) from None

    def _encode(self, X: Any, refuse_infinite: bool = True) -> tuple[Table, tuple[NDArray[Any], ...]]:
        """A table with its columns in the order of training, and the columns under the schema of training."""
        check_is_fitted(self)
        owner, schema = type(self).__name__, self.tree_.schema
        if schema.named:
            X = align_columns(X, schema.names, owner=owner)
        table = read_table(X, owner)
        if not table.named or not (schema.named or isinstance(X, Mapping)):
            # Names, where both have them, are in order now; for all else scikit-learn has its words.
            validate_data(self, X, reset=False, skip_check_array=True)
        return table, encode_with(schema, table, refuse_infinite=refuse_infinite)

    def _name_value(self, error: UnknownCategoryError, table: Table) -> ValueError:
        """The error of an unknown category, with the value that the tree itself does not know."""
        value = table.value(error.row, error.feature)
        try:
            never = value not in self.tree_.schema[error.feature].codes
        except TypeError:  # not hashable: encoded by its repr
            never = True
        where = "was not seen in training" if never else f"was seen in training, but not at node {error.node}"
        return ValueError(
            f"column {error.column!r}, row {error.row}: the category {value!r} {where}, and "
            f"unknown_category='error'. Remove the row, or fit {type(self).__name__} with "
            "unknown_category='missing', 'majority', 'stop' or 'distribute'."
        )

    # ----------------------------------------------------------------------------------------- describing

    def get_depth(self) -> int:
        """The depth of the tree: the number of splits on its longest path.

        Returns
        -------
        int
            0 for a lone leaf.
        """
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """The number of leaves of the tree.

        Returns
        -------
        int
            At least 1.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column lowers the impurity, as a share of what all do; zeros for a lone leaf."""
        check_is_fitted(self)
        return self.tree_.feature_importances()
