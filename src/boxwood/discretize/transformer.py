"""What all discretisers share: the face of a scikit-learn transformer.

A discretiser's own file has one method, ``_learn``, from a table to a ranked list of thresholds. Checking,
encoding, remembering the columns, transforming and naming are here, once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from boxwood import _core
from boxwood.data import (
    Dataset,
    Schema,
    align_columns,
    encode_features,
    encode_with,
    make_dataset,
    read_table,
    round_weights,
)
from boxwood.data.weights import check_sample_weight
from boxwood.discretize.arguments import refuse
from boxwood.discretize.outputs import ENCODINGS, Output, Words, by_feature, fill
from boxwood.discretize.ranking import PATIENT, Pace
from boxwood.tree import Split

Self = TypeVar("Self", bound="Discretizer")


class Discretizer(TransformerMixin, BaseEstimator):
    """The base of all discretisers; `SupervisedDiscretizer` and `UnsupervisedDiscretizer` have ``fit``.

    Attributes
    ----------
    thresholds_ : structured ndarray
        The thresholds, best first: ``feature`` (number of the column), ``threshold``, ``gain``.
    schema_ : Schema
        What the columns of the table are.
    missing_ : ndarray of bool
        The columns in which training met missing cells.
    """

    encode: str
    categorical_features: Any
    thresholds_: NDArray[Any]
    schema_: Schema
    missing_: NDArray[np.bool_]
    _stopped: str = ""  # what ended a ranking before all was ranked, see `boxwood.discretize.Ranking`

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    # ------------------------------------------------------------------------------------------ learning

    def _check_arguments(self) -> None:
        """Refuse arguments that cannot be."""
        if not isinstance(self.encode, str) or self.encode not in ENCODINGS:
            refuse(self, "encode", self.encode, f"a str among {{{', '.join(map(repr, ENCODINGS))}}}")

    def _learn(self, dataset: Dataset, pace: Pace) -> NDArray[Any]:
        """Find the thresholds."""
        raise NotImplementedError

    def _pace(self) -> Pace:
        """What ``fit`` may take."""
        return PATIENT

    def _fit(self, X: Any, dataset: Dataset) -> None:
        thresholds = self._learn(dataset, self._pace())
        self._remember_columns(X, dataset.schema)
        self._keep(dataset, thresholds)

    def fit_dataset(self: Self, dataset: Dataset, pace: Pace | None = None) -> Self:
        """Find the thresholds of a table that is encoded already.

        Parameters
        ----------
        dataset : Dataset
            From :func:`boxwood.make_dataset`, with the same ``categorical_features``.
        pace : Pace, default=None
            Threads, time and memory. When the time is over, what was found is handed back: those that rank by
            impurity (MID, MDLP) look at the clock all the time, ChiMerge and equal frequency between columns;
            equal width needs little time.

        Returns
        -------
        Discretizer
            This transformer.
        """
        self._check_arguments()
        thresholds = self._learn(dataset, pace or self._pace())
        self._name_columns(dataset.schema)
        self._keep(dataset, thresholds)
        return self

    def _keep(self, dataset: Dataset, thresholds: NDArray[Any]) -> None:
        thresholds.flags.writeable = False
        self.thresholds_ = thresholds
        self.schema_ = dataset.schema
        self.missing_ = np.array(_core.missing_columns(dataset.columns), dtype=np.bool_)

    def _remember_columns(self, X: Any, schema: Schema) -> None:
        """Set ``n_features_in_`` and ``feature_names_in_``."""
        if not isinstance(X, Mapping):
            validate_data(self, X, skip_check_array=True)
        # Not every scikit-learn knows every frame, and none knows a dict of columns.
        self._name_columns(schema)

    def _name_columns(self, schema: Schema) -> None:
        self.n_features_in_ = schema.n_features
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)

    # -------------------------------------------------------------------------------------- transforming

    def _used(self) -> NDArray[Any]:
        """The thresholds that ``transform`` uses: a prefix of ``thresholds_``."""
        return self.thresholds_

    @property
    def n_used(self) -> int:
        """How many thresholds ``transform`` uses."""
        check_is_fitted(self)
        return len(self._used())

    def _outputs(self) -> list[Output]:
        check_is_fitted(self)
        self._check_arguments()
        return ENCODINGS[self.encode](self.schema_, self._used(), self.missing_)

    def transform(self, X: Any) -> NDArray[Any]:
        """Encode a table.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples, n_outputs)
            0/1 columns of uint8, or bin numbers of int32 with ``encode="ordinal"``; a frame after
            ``set_output``. `get_feature_names_out` says what the columns are.
        """
        outputs = self._outputs()
        owner, schema = type(self).__name__, self.schema_
        if schema.named:
            X = align_columns(X, schema.names, owner=owner)
        table = read_table(X, owner)
        if not table.named or not (schema.named or isinstance(X, Mapping)):
            # Names, where both have them, are in order now; for all else scikit-learn has its words.
            validate_data(self, X, reset=False, skip_check_array=True)
        columns = encode_with(schema, table)
        return fill(outputs, columns, np.int32 if self.encode == "ordinal" else np.uint8)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """What the output columns are called.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names for a table that had none; of one that had names, only the same names are accepted.

        Returns
        -------
        ndarray of str objects
            "petal length <= 2.45", "colour = red", "age is missing", ...
        """
        outputs = self._outputs()
        names = _check_feature_names_in(self, input_features)
        words = Words(self.schema_, names.tolist(), by_feature(self._used()))
        return np.array([output.name(words) for output in outputs], dtype=object)

    def splits(self, n_thresholds: int | None = None) -> tuple[Split, ...]:
        """The output columns as splits of a tree: branch 0 are the rows with a 1.

        Parameters
        ----------
        n_thresholds : int, default=None
            Only so many thresholds, the best ones.

        Returns
        -------
        tuple of Split
            One for each output column; only with ``encode="thresholds"``.
        """
        check_is_fitted(self)
        self._check_arguments()
        self.check_splits()
        outputs = ENCODINGS[self.encode](self.schema_, self._used()[:n_thresholds], self.missing_)
        return tuple(output.split(self.schema_) for output in outputs if hasattr(output, "split"))

    def check_splits(self) -> None:
        """Raise a ValueError unless the output columns are splits of a tree, as `splits` gives them."""
        if self.encode != "thresholds":
            raise ValueError(
                f"splits() of {type(self).__name__} needs encode='thresholds', since a bin is not a split; "
                f"encode is {self.encode!r}"
            )


class SupervisedDiscretizer(Discretizer):
    """The base of discretisers that look at the classes."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the thresholds.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table. Its columns may be numbers, booleans, dates, strings or categories, with missing
            cells.
        y : array-like of shape (n_samples,)
            The labels. Without them it is an error.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. A row of weight 0 is not there.

        Returns
        -------
        Discretizer
            This transformer.
        """
        self._check_arguments()
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=self.categorical_features,
            owner=type(self).__name__,
            refuse_infinite=False,  # the ranking meets them
        )
        self._fit(X, dataset)
        return self


class UnsupervisedDiscretizer(Discretizer):
    """The base of discretisers that do not."""

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the thresholds.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table. Its columns may be numbers, booleans, dates, strings or categories, with missing
            cells.
        y : None
            Not looked at; it is here because pipelines pass it.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. A row of weight 0 is not there.

        Returns
        -------
        Discretizer
            This transformer.
        """
        self._check_arguments()
        table = read_table(X, type(self).__name__)
        weights = check_sample_weight(sample_weight, table.n_rows)
        rows = None
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            weights = weights[rows]
        schema, columns = encode_features(table, self.categorical_features, rows)
        weights = np.ones(len(columns[0])) if weights is None else round_weights(weights)
        target = np.zeros(len(weights), dtype=np.int32)
        unit = bool((weights == 1.0).all())
        self._fit(X, Dataset(schema, columns, target, np.zeros(1, dtype=np.int64), weights, unit, rows))
        return self
