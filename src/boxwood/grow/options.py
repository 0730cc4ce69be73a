"""What greedy growth can be told: which split is good, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass

from boxwood.criteria import Criterion, Impurity, get_criterion
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES

REGRESSION_CRITERIA = ("squared_error", "absolute_error", "poisson")
"""The criteria for a target of numbers."""

CUTS = ("auto", "all")
SPLITTERS = ("best", "random")

UNKNOWN_CATEGORY = ("missing", "majority", "stop", "error", "distribute")
"""The values of the argument ``unknown_category``; see :class:`GrowOptions`."""


MAX_SURROGATES = 5
"""What ``max_surrogates`` is unless it is said."""


@dataclass(frozen=True, kw_only=True)
class GrowOptions:
    """The options of greedy growth, in whole numbers and absolute weights.

    An estimator translates what its user wrote (shares of the rows, the square root of the number of
    columns, a random state) into these.

    Attributes
    ----------
    criterion
        How good a split is: for classes whatever :func:`boxwood.criteria.get_criterion` takes (a name, a
        :class:`~boxwood.criteria.Criterion`, an :class:`~boxwood.criteria.Impurity`), for numbers one of
        :data:`REGRESSION_CRITERIA`.
    cuts
        Which cuts of a numeric column are looked at: "auto", those that the criterion needs
        (:mod:`boxwood.search.numeric`), or "all".
    splitter
        "best": the best split of each column; "random": one cut per numeric column and one bipartition per
        categorical one, drawn at random, of which the best is taken.
    monotonic
        For each column 1 (the value rises with the column), -1 (it falls) or 0; None: no constraint. The
        value is the share of the second of two classes, or the answer of a regression tree. All cuts are
        looked at.
    missing
        Where missing rows go: a key of :data:`boxwood.search.MISSING_MODES`.
    unknown_category
        What to do at prediction with a category never seen in training, or absent from the node: treat it
        as "missing", send it to the heavier branch ("majority"), "stop" and answer with the node's own
        distribution, raise an "error", or "distribute" it over all branches by their weight.
    categorical_split
        Which subsets of categories are tried: a key of :data:`boxwood.search.CATEGORICAL_SPLITS`.
    max_depth
        A node this deep is a leaf; the root has depth 0. None: no limit.
    min_samples_split
        A node with fewer rows is a leaf.
    min_samples_leaf
        No branch has fewer rows.
    min_weight_leaf
        No branch has less weight.
    min_impurity_decrease
        A split is taken only if its gain, times the node's share of the whole weight, is at least this.
    max_features
        How many columns, drawn at random, are looked at per node; more when none of these has a split to
        offer. None: all.
    max_leaf_nodes
        Grow best first, until there are this many leaves. None: no limit, depth first.
    seed
        What the random draws of columns are keyed by, together with the path from the root to the node.
    n_threads
        Threads to use. The tree is the same for any number.
    max_surrogates
        With ``missing="surrogate"``: how many surrogates a split keeps at most.

    Examples
    --------
    >>> GrowOptions(criterion="entropy", max_depth=3).min_samples_leaf
    1
    >>> GrowOptions(splitter="worst")
    Traceback (most recent call last):
    ...
    ValueError: splitter='worst' is not one of 'best', 'random'
    """

    criterion: str | Criterion | Impurity = "gini"
    cuts: str = "auto"
    splitter: str = "best"
    monotonic: tuple[int, ...] | None = None
    missing: str = "learn"
    unknown_category: str = "missing"
    categorical_split: str = "auto"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_features: int | None = None
    max_leaf_nodes: int | None = None
    seed: int = 0
    n_threads: int = 1
    max_surrogates: int = MAX_SURROGATES

    def __post_init__(self) -> None:
        if isinstance(self.criterion, str) and self.criterion not in REGRESSION_CRITERIA:
            get_criterion(self.criterion)
        for name, allowed in (
            ("cuts", CUTS),
            ("splitter", SPLITTERS),
            ("missing", tuple(MISSING_MODES)),
            ("unknown_category", UNKNOWN_CATEGORY),
            ("categorical_split", tuple(CATEGORICAL_SPLITS)),
        ):
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name}={value!r} is not one of {', '.join(map(repr, allowed))}")
        for name, least in (
            ("max_depth", 0),
            ("min_samples_split", 2),
            ("min_samples_leaf", 1),
            ("min_weight_leaf", 0.0),
            ("min_impurity_decrease", 0.0),
            ("max_features", 1),
            ("max_leaf_nodes", 1),
            ("seed", 0),
            ("n_threads", 1),
            ("max_surrogates", 0),
        ):
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ValueError(f"{name}={value!r} is less than {least}")
        self._check_surrogates()

    def _check_surrogates(self) -> None:
        """Refuse what cannot go together with surrogates, or needs them."""
        if self.missing != "surrogate":
            if self.max_surrogates != MAX_SURROGATES:
                raise ValueError(
                    f"max_surrogates={self.max_surrogates!r} belongs to missing='surrogate', and missing is "
                    f"{self.missing!r}. Leave it out."
                )
            return
        if self.monotonic is not None and any(self.monotonic):
            raise ValueError(
                "monotonic constraints cannot go together with missing='surrogate': rows that surrogates "
                "send to a branch change its value after the split was judged. Use missing='learn'."
            )
        if self.unknown_category == "majority":
            raise ValueError(
                "unknown_category='majority' cannot go together with missing='surrogate': a branch for "
                "unknown categories is taken only after the surrogates were asked. Use "
                "unknown_category='missing', which asks them and then follows the heavier branch."
            )
