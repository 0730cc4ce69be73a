"""Equal frequency: bins of equal weight, as far as the values allow.

The problem: cut a column into B bins without looking at the classes. The idea: let every bin hold the same
share of the rows. With ties that cannot be had exactly, so for j = 1 .. B - 1 the value change is taken
whose lower side is nearest to j / B of the weight, the lower one of two that are equally near. Where one
value change is nearest for several j, there are fewer bins.

Thresholds are midpoints of neighbouring values, as everywhere in the house; quantiles would do on the same
rows, but move when rows are repeated. Weights count as repetitions. O(n log n) for the sort.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.data import Dataset
from boxwood.discretize.arguments import is_whole, refuse
from boxwood.discretize.ranking import Pace, as_thresholds, by_column, numeric_columns
from boxwood.discretize.transformer import UnsupervisedDiscretizer
from boxwood.search.numeric import midpoint

SECONDS_PER_ROW = 1e-7
"""About what a column takes."""


class EqualFrequencyDiscretizer(UnsupervisedDiscretizer):
    """Bins of equal weight.

    Parameters
    ----------
    n_bins : int, default=8
        The number of bins of each column; fewer where the values do not allow it.
    encode : {"thresholds", "onehot", "ordinal"}, default="thresholds"
        The output: a 0/1 column for each threshold, 1 where ``x <= threshold``; a 0/1 column for each bin;
        or the number of the bin. Categories become one 0/1 column each, or their numbers.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.

    Attributes
    ----------
    thresholds_ : structured ndarray
        ``feature``, ``threshold`` and ``gain``, which is NaN: the classes are not looked at. In the order
        of column and threshold.
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
    >>> from boxwood.discretize import EqualFrequencyDiscretizer
    >>> X = [[1], [1], [1], [2], [3], [10]]
    >>> EqualFrequencyDiscretizer(n_bins=3).fit(X).thresholds_["threshold"]
    array([1.5, 2.5])
    """

    def __init__(
        self, n_bins: int = 8, *, encode: str = "thresholds", categorical_features: Any = "from_dtype"
    ) -> None:
        self.n_bins = n_bins
        self.encode = encode
        self.categorical_features = categorical_features

    def _check_arguments(self) -> None:
        super()._check_arguments()
        if not is_whole(self.n_bins, 2):
            refuse(self, "n_bins", self.n_bins, "an int in the range [2, inf)")

    def _learn(self, dataset: Dataset, pace: Pace) -> NDArray[Any]:
        places = numeric_columns(dataset)
        found, self._stopped = by_column(
            places,
            pace,
            lambda place: equal_frequency_cuts(dataset.columns[place], dataset.weights, int(self.n_bins)),
            dataset.n_rows * SECONDS_PER_ROW,
        )
        features = [place for place, cuts in zip(places, found, strict=False) for _ in cuts]
        return as_thresholds(features, [cut for cuts in found for cut in cuts], np.nan)


def equal_frequency_cuts(column: NDArray[Any], weights: NDArray[np.float64], n_bins: int) -> list[float]:
    """The thresholds of one column, whose missing cells are left out.

    >>> equal_frequency_cuts(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4), 2)
    [2.5]
    """
    known = ~np.isnan(column)
    values, group = np.unique(column[known], return_inverse=True)
    if len(values) < 2:
        return []
    below = np.cumsum(np.bincount(group, weights[known]))
    wanted = below[-1] * np.arange(1, n_bins) / n_bins
    below = below[:-1]
    upper = np.minimum(np.searchsorted(below, wanted), len(below) - 1)
    lower = np.maximum(upper - 1, 0)
    nearest = np.where(wanted - below[lower] <= below[upper] - wanted, lower, upper)
    return [midpoint(float(values[cut]), float(values[cut + 1])) for cut in np.unique(nearest).tolist()]
