"""ChiMerge: start with an interval for every value, and join neighbours whose classes look alike.

The problem is that of MDLP, from the other end: which neighbouring intervals differ in their classes by
more than chance? The idea: the chi-square test of independence on the two-row table of class weights. The
pair with the smallest statistic is joined, over and over, until every pair that is left differs
significantly, and no more than ``max_bins`` intervals are left.

With K classes the statistic has K - 1 degrees of freedom; classes that are in neither interval add nothing to
it. Weights count as repetitions. A heap of pairs makes it O(B (log B + K)) for B boundary points
(``core/discretize/chimerge.hpp``); of equal statistics the lowest pair is joined first.

Reference: R. Kerber, ChiMerge: discretization of numeric attributes, AAAI 1992.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2

from boxwood import _core
from boxwood.data import Dataset
from boxwood.discretize.arguments import is_between, is_whole, refuse
from boxwood.discretize.ranking import (
    THRESHOLD,
    Pace,
    as_thresholds,
    by_column,
    naming_infinity,
    numeric_columns,
)
from boxwood.discretize.transformer import SupervisedDiscretizer

SECONDS_PER_ROW = 5e-7
"""About what a column takes."""


class ChiMergeDiscretizer(SupervisedDiscretizer):
    """Kerber's discretiser: neighbouring intervals are joined while a chi-square test finds them alike.

    Parameters
    ----------
    alpha : float, default=0.05
        The level of the test: neighbours stay apart if such a difference has at most this probability when
        there is none.
    max_bins : int or None, default=15
        The largest number of bins of a column; None for no limit.
    encode : {"thresholds", "onehot", "ordinal"}, default="thresholds"
        The output: a 0/1 column for each threshold, 1 where ``x <= threshold``; a 0/1 column for each bin;
        or the number of the bin. Categories become one 0/1 column each, or their numbers.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.

    Attributes
    ----------
    thresholds_ : structured ndarray
        The cuts that are left, ``feature``, ``threshold`` and ``gain``, by falling ``gain``: the chi-square
        statistic of the two bins on either side.
    schema_ : Schema
        What the columns of the table are.
    missing_ : ndarray of bool
        The columns in which training met missing cells.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names.

    Examples
    --------
    >>> from boxwood.discretize import ChiMergeDiscretizer
    >>> X = [[value] for value in range(20)]
    >>> chimerge = ChiMergeDiscretizer().fit(X, [0] * 7 + [1] * 13)
    >>> chimerge.thresholds_.tolist()
    [(0, 6.5, 20.0)]
    """

    def __init__(
        self,
        *,
        alpha: float = 0.05,
        max_bins: int | None = 15,
        encode: str = "thresholds",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.alpha = alpha
        self.max_bins = max_bins
        self.encode = encode
        self.categorical_features = categorical_features

    def _check_arguments(self) -> None:
        super()._check_arguments()
        if not is_between(self.alpha, 0.0, 1.0):
            refuse(self, "alpha", self.alpha, "a float in the range (0.0, 1.0)")
        if self.max_bins is not None and not is_whole(self.max_bins, 1):
            refuse(self, "max_bins", self.max_bins, "an int in the range [1, inf) or None")

    def _learn(self, dataset: Dataset, pace: Pace) -> NDArray[Any]:
        places = numeric_columns(dataset)
        if pace.time_limit is None:
            return self._merged(dataset, places)
        found, self._stopped = by_column(
            places, pace, lambda place: self._merged(dataset, [place]), dataset.n_rows * SECONDS_PER_ROW
        )
        merged = np.concatenate([np.empty(0, dtype=THRESHOLD), *found])
        return merged[np.lexsort((merged["threshold"], merged["feature"], -merged["gain"]))]

    def _merged(self, dataset: Dataset, columns: list[int]) -> NDArray[Any]:
        """The cuts that are left in some columns."""
        places = np.array(columns, dtype=np.int32)
        freedom = max(1, len(np.unique(dataset.target)) - 1)
        with naming_infinity(dataset):
            found = _core.merge_alike(
                [dataset.columns[place] for place in columns],
                dataset.target.astype(np.int32, copy=False),
                dataset.n_classes,
                None if dataset.unit_weights else dataset.weights,
                least=float(chi2.isf(self.alpha, freedom)),
                most_intervals=-1 if self.max_bins is None else min(int(self.max_bins), 2**62),
            )
        features = places[found["feature"]] if len(places) else found["feature"]
        return as_thresholds(features, found["threshold"], found["gain"])
