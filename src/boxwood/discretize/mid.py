"""MID, the Minimum Impurity Discretizer: the best thresholds of all columns, in one ranked list.

The problem: an exact learner of trees wants few binary columns, and good ones; and it wants to start with
few and go on with more, without losing what it has. The idea: rank the thresholds of all columns together
by how far they lower the impurity given those ranked before (:mod:`boxwood.discretize.ranking`, with the
reference, the complexity and the invariants), and use as long a prefix of the list as time allows.

Ranking is done once. ``set_params(n_thresholds=...)`` moves the end of the prefix that ``transform`` uses,
without fitting again.

What is new here: "all" ranks every value change, so that nothing is lost in the end; "mdl" proposes a length
by itself, as the thesis suggests for further work: each column's list ends at the first cut that Fayyad and
Irani's test (:mod:`boxwood.discretize.description_length`) refuses, and the shorter lists are merged.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from boxwood.criteria import ALIASES, CRITERIA, Criterion, Impurity, get_criterion
from boxwood.data import Dataset
from boxwood.discretize.arguments import count_threads, is_whole, refuse
from boxwood.discretize.ranking import Pace, rank_thresholds
from boxwood.discretize.transformer import SupervisedDiscretizer

CONCAVE = ("entropy", "gini", "error", "sine", "tsallis", "tsallis(q)", *ALIASES)
"""The names of concave impurities."""


class MinimumImpurityDiscretizer(SupervisedDiscretizer):
    """MID: the thresholds that lower the impurity most, of all columns together.

    Parameters
    ----------
    n_thresholds : int, "all" or "mdl", default=45
        How many thresholds to use: the best so many; every midpoint of neighbouring values; or as many as
        an MDL test accepts. After fitting, a smaller number takes effect at once.
    criterion : {"entropy", "gini", "error", "sine", "tsallis", "log_loss", "purity"}, Impurity or \
            Criterion, default="entropy"
        How impure an interval is: any concave impurity, by its name, or as an object. "tsallis(q)" with a
        number q is a name, too; "log_loss" is another one for "entropy", "purity" for "error". A function of
        your own is a :class:`boxwood.criteria.Impurity`. Entropy and Gini are ranked by the compiled core, on
        ``n_jobs`` threads; all others in Python, which takes longer.
    encode : {"thresholds", "onehot", "ordinal"}, default="thresholds"
        The output: a 0/1 column for each threshold, 1 where ``x <= threshold``; a 0/1 column for each bin;
        or the number of the bin. Categories become one 0/1 column each, or their numbers.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.
    n_jobs : int or None, default=None
        Threads, which share the columns. None means 1, -1 all processors that this process may use. The
        ranking does not depend on it.

    Attributes
    ----------
    thresholds_ : structured ndarray
        The ranking that was asked for, best first: ``feature``, ``threshold`` and ``gain``, the fall of the
        impurity over all rows of the table (entropy in bits).
    n_value_changes_ : int
        How many thresholds the table has altogether. With as many in ``thresholds_`` nothing is lost.
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
    >>> from boxwood.discretize import MinimumImpurityDiscretizer
    >>> X = [[1.0, 7.0], [2.0, 9.0], [3.0, 7.0], [4.0, 9.0]]
    >>> mid = MinimumImpurityDiscretizer(n_thresholds=2).fit(X, ["no", "no", "yes", "yes"])
    >>> mid.thresholds_.tolist()
    [(0, 2.5, 1.0), (1, 8.0, 0.0)]
    >>> mid.set_params(n_thresholds=1).transform(X).tolist()
    [[1], [1], [0], [0]]
    >>> mid.get_feature_names_out()
    array(['x0 <= 2.5'], dtype=object)
    """

    def __init__(
        self,
        n_thresholds: int | str = 45,
        *,
        criterion: str | Criterion | Impurity = "entropy",
        encode: str = "thresholds",
        categorical_features: Any = "from_dtype",
        n_jobs: int | None = None,
    ) -> None:
        self.n_thresholds = n_thresholds
        self.criterion = criterion
        self.encode = encode
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs

    def _check_arguments(self) -> None:
        super()._check_arguments()
        named = isinstance(self.n_thresholds, str) and self.n_thresholds in ("all", "mdl")
        if not named and not is_whole(self.n_thresholds, 1):
            refuse(self, "n_thresholds", self.n_thresholds, "an int in the range [1, inf), 'all' or 'mdl'")
        if self.n_jobs is not None and (not is_whole(self.n_jobs, -(2**31)) or self.n_jobs == 0):
            refuse(self, "n_jobs", self.n_jobs, "an int other than 0 or None")
        if not isinstance(self.criterion, Impurity):  # the table tells how many classes its function gets
            self._criterion()

    def _criterion(self, n_classes: int = 3) -> Criterion:
        given = self.criterion
        known = isinstance(given, Criterion | Impurity) or (
            isinstance(given, str) and (given in CRITERIA or given in ALIASES or given.startswith("tsallis("))
        )
        if not known:
            names = ", ".join(map(repr, CONCAVE))
            refuse(self, "criterion", given, f"a str among {{{names}}}, a concave Impurity or Criterion")
        criterion = get_criterion(given, n_classes)
        if criterion.rank is not None or criterion.split_score is not None:
            raise ValueError(
                f"The criterion {criterion.name!r} of {type(self).__name__} judges splits by a score of "
                "its own, but thresholds are ranked by impurity. Use 'entropy' or 'gini'."
            )
        if criterion.rule(n_classes) != "boundaries":
            raise ValueError(
                f"The criterion {criterion.name!r} of {type(self).__name__} is not concave: a cut could "
                "raise the impurity. Use a concave one, for example 'entropy' or 'gini'."
            )
        return criterion

    def _pace(self) -> Pace:
        return Pace(n_threads=count_threads(self.n_jobs))

    def _learn(self, dataset: Dataset, pace: Pace) -> NDArray[Any]:
        by_mdl = self.n_thresholds == "mdl"
        ranking = rank_thresholds(
            dataset,
            self._criterion(dataset.n_classes),
            limit=None if isinstance(self.n_thresholds, str) else min(int(self.n_thresholds), 2**62),
            refusal="list" if by_mdl else "ignored",
            others=not by_mdl,
            pace=pace,
        )
        self._stopped = ranking.stopped
        self.n_value_changes_ = ranking.n_value_changes
        self._fitted_with = self.n_thresholds
        return ranking.thresholds

    def _used(self) -> NDArray[Any]:
        wanted, there = self.n_thresholds, len(self.thresholds_)
        if wanted == self._fitted_with or (there == self.n_value_changes_ and wanted != "mdl"):
            return self.thresholds_ if isinstance(wanted, str) else self.thresholds_[: int(wanted)]
        if wanted == "mdl":
            raise ValueError(
                "n_thresholds='mdl' is no prefix of the ranking that was made with "
                f"n_thresholds={self._fitted_with!r}: it ends each column's list by itself. Fit "
                f"{type(self).__name__} again."
            )
        if isinstance(wanted, str) or int(wanted) > there:
            raise ValueError(
                f"n_thresholds={wanted!r} needs more than the {there} thresholds that were ranked with "
                f"n_thresholds={self._fitted_with!r}. Fit {type(self).__name__} again, or choose at most "
                f"{there}."
            )
        return self.thresholds_[: int(wanted)]


MID = MinimumImpurityDiscretizer
"""The short name of `MinimumImpurityDiscretizer`."""
