"""MDLP: cut each column where the entropy falls most, as long as the cut pays for its description.

The problem: into how many intervals is a column to be cut, and where? The idea: divide and conquer. Find the
boundary point that lowers the entropy of the interval most; if Fayyad and Irani's test
(:mod:`boxwood.discretize.description_length`) accepts it, cut there and go on with both parts; otherwise
the interval stays whole.

The cuts of a column do not depend on the order in which its intervals are treated, so they are found best
first, by the ranking that MID uses (:mod:`boxwood.discretize.ranking`, where complexity and tie rules are
told): the list comes out ranked, over all columns, at no further cost.

Reference: U. Fayyad, K. Irani, Multi-interval discretization of continuous-valued attributes for
classification learning, IJCAI 1993.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from boxwood.data import Dataset
from boxwood.discretize.ranking import Pace, rank_thresholds
from boxwood.discretize.transformer import SupervisedDiscretizer


class MDLPDiscretizer(SupervisedDiscretizer):
    """Fayyad and Irani's discretiser: recursive cuts by entropy, stopped by description length.

    Parameters
    ----------
    encode : {"thresholds", "onehot", "ordinal"}, default="thresholds"
        The output: a 0/1 column for each threshold, 1 where ``x <= threshold``; a 0/1 column for each bin;
        or the number of the bin. Categories become one 0/1 column each, or their numbers.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.

    Attributes
    ----------
    thresholds_ : structured ndarray
        The accepted cuts, best first: ``feature``, ``threshold`` and ``gain``, the fall of the entropy over
        all rows of the table, in bits.
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
    >>> from boxwood.discretize import MDLPDiscretizer
    >>> X = [[value] for value in range(20)]
    >>> mdlp = MDLPDiscretizer(encode="ordinal").fit(X, [0] * 7 + [1] * 13)
    >>> mdlp.thresholds_["threshold"]
    array([6.5])
    >>> mdlp.transform([[6], [7]]).tolist()
    [[0], [1]]
    """

    def __init__(self, *, encode: str = "thresholds", categorical_features: Any = "from_dtype") -> None:
        self.encode = encode
        self.categorical_features = categorical_features

    def _learn(self, dataset: Dataset, pace: Pace) -> NDArray[Any]:
        ranking = rank_thresholds(dataset, refusal="interval", others=False, pace=pace)
        self._stopped = ranking.stopped
        return ranking.thresholds
