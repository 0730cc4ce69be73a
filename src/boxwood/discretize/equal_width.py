"""Equal width: the range of a column cut into bins of the same length.

The simplest discretiser, and the yardstick of the others: with the smallest value a and the largest b, the
thresholds are a + j (b - a) / B for j = 1 .. B - 1, computed as a weighted mean of a and b so that no range
is too wide. These are the only thresholds in the house that are not midpoints of neighbouring values. A bin
may be empty. Neither classes nor weights matter, but a row of weight 0 is not there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.data import Dataset
from boxwood.discretize.arguments import is_whole, refuse
from boxwood.discretize.ranking import Pace, as_thresholds, numeric_columns
from boxwood.discretize.transformer import UnsupervisedDiscretizer


class EqualWidthDiscretizer(UnsupervisedDiscretizer):
    """Bins of equal width.

    Parameters
    ----------
    n_bins : int, default=8
        The number of bins of each column; a column with one value only has one.
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
    >>> from boxwood.discretize import EqualWidthDiscretizer
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [8]]).thresholds_["threshold"]
    array([2., 4., 6.])
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
        features: list[int] = []
        thresholds: list[float] = []
        for place in numeric_columns(dataset):
            found = equal_width_cuts(dataset.columns[place], int(self.n_bins))
            features += [place] * len(found)
            thresholds += found
        return as_thresholds(features, thresholds, np.nan)


def equal_width_cuts(column: NDArray[Any], n_bins: int) -> list[float]:
    """The thresholds of one column, whose missing cells are left out.

    >>> equal_width_cuts(np.array([3.0, np.nan, 5.0]), 2)
    [4.0]
    """
    known = column[~np.isnan(column)]
    if len(known) == 0 or known.min() == known.max():
        return []
    low, high = float(known.min()), float(known.max())
    found = [low * ((n_bins - j) / n_bins) + high * (j / n_bins) for j in range(1, n_bins)]
    # Where the range is only a few floats wide, rounding can make thresholds equal or reach an end.
    return sorted({threshold for threshold in found if low <= threshold < high})
