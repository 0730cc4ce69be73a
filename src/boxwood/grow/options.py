"""What greedy growth can be told: which split is good, and when to stop."""

from __future__ import annotations

from dataclasses import dataclass

from boxwood.criteria import Criterion, Impurity, get_criterion
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.search.categorical import GROUPINGS
from boxwood.search.categorical.max_cut import WITH_COSTS
from boxwood.select import SELECT

REGRESSION_CRITERIA = ("squared_error", "absolute_error", "poisson")
"""The criteria for a target of numbers."""

NUMBER_SPLITS = ("auto", "ordered", "multiway", "one_vs_rest")
"""The values of ``categorical_split`` for numbers: the first two mean the order of the categories' means."""

CUTS = ("auto", "all")
SPLITTERS = ("best", "random")

UNKNOWN_CATEGORY = ("missing", "majority", "stop", "error", "distribute")
"""The values of the argument ``unknown_category``; see :class:`GrowOptions`."""

GAIN_CORRECTIONS = ("none", "mdl")
LEAF_MINIMA = ("every", "two")
NUMERIC_MINIMA = ("plain", "quinlan")
COMPARISONS = ("exact", "weka")
THRESHOLDS = ("midpoint", "training_value")

C45_RULES = {
    "gain_correction": "none",
    "leaf_minimum": "every",
    "numeric_minimum": "plain",
    "min_value_gap": 0.0,
    "comparison": "exact",
    "thresholds": "midpoint",
}
"""The rules of C4.5 and J48 that growth can be told to keep, and what they are when it is not; see
:mod:`boxwood.grow.fractional`."""


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
        How categories are divided: a key of :data:`boxwood.search.CATEGORICAL_SPLITS`. With
        ``splitter="random"`` no search for a grouping, since it is drawn; for numbers one of
        :data:`NUMBER_SPLITS`.
    max_depth
        A node this deep is a leaf; the root has depth 0. None: no limit.
    min_samples_split
        A node with fewer rows is a leaf.
    min_samples_leaf
        No branch has fewer rows.
    min_weight_leaf
        No branch has less weight. With ``missing="fractional"``, where weights add up to less than the number
        of rows, it counts rows of mean weight.
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
    min_significance
        A split is taken only if the p-value of the chi-square test of its branches against the classes is at
        most this; None: no test. See :mod:`boxwood.select.stopping`.
    mdl_stop
        Whether a split is taken only if it shortens the description of the classes. The coding is in
        :mod:`boxwood.select.stopping`.
    gain_correction
        "none", or "mdl": the gain of a numeric column pays for the choice of its cut. This and the five
        that follow are rules of C4.5 and of Weka's J48, for ``missing="fractional"``; see
        :mod:`boxwood.grow.fractional`.
    leaf_minimum
        Which branches ``min_samples_leaf`` and ``min_weight_leaf`` bind: "every" one, or at least "two" of
        them, so that other branches of a multiway split may be smaller.
    numeric_minimum
        "plain", or "quinlan": a numeric cut leaves a tenth of the mean class weight on either side, but not
        less than ``min_weight_leaf`` and, unless that is larger, not more than 25.
    min_value_gap
        Neighbouring numbers that are not farther apart than this are not separated.
    comparison
        "exact", or "weka": tolerances, ties and exceptions as in J48.
    thresholds
        Where a threshold lies between two numbers: in the middle ("midpoint"), or on the largest number of
        the training table that is not above it ("training_value").
    select
        Which columns are searched at a node: all of them ("score"), or those that pass a test before,
        "chi2_filter" (:mod:`boxwood.select.chi2_filter`) or "conditional_inference"
        (:mod:`boxwood.select.conditional_inference`).
    max_p_value, min_second_value
        For "chi2_filter": the largest p-value that passes, and the least weight of a column's second most
        frequent value.
    significance_level
        For "conditional_inference": the largest corrected p-value that passes; None: the best column is
        always split.
    monte_carlo
        For "conditional_inference": p-values from this many random permutations of the target; None: from the
        chi-square distribution.
    min_samples_category
        Categories that weigh less than this in the whole table are pooled, see :mod:`boxwood.grow.pooling`.
        None: every category is one.
    max_surrogates
        With ``missing="surrogate"``: how many surrogates a split keeps at most.
    mixing
        For "squared_gini" and "squared_gini_sdp": what mixing two classes costs, a row for each class,
        symmetric. None: 1 for any two.

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
    min_significance: float | None = None
    mdl_stop: bool = False
    gain_correction: str = "none"
    leaf_minimum: str = "every"
    numeric_minimum: str = "plain"
    min_value_gap: float = 0.0
    comparison: str = "exact"
    thresholds: str = "midpoint"
    select: str = "score"
    max_p_value: float = 0.10
    min_second_value: float = 15.0
    significance_level: float | None = 0.05
    monte_carlo: int | None = None
    min_samples_category: float | None = None
    max_surrogates: int = MAX_SURROGATES
    mixing: tuple[tuple[float, ...], ...] | None = None

    def __post_init__(self) -> None:
        if isinstance(self.criterion, str) and self.criterion not in REGRESSION_CRITERIA:
            get_criterion(self.criterion)
        for name, allowed in (
            ("cuts", CUTS),
            ("splitter", SPLITTERS),
            ("missing", tuple(MISSING_MODES)),
            ("unknown_category", UNKNOWN_CATEGORY),
            ("categorical_split", tuple(CATEGORICAL_SPLITS)),
            ("gain_correction", GAIN_CORRECTIONS),
            ("leaf_minimum", LEAF_MINIMA),
            ("numeric_minimum", NUMERIC_MINIMA),
            ("comparison", COMPARISONS),
            ("thresholds", THRESHOLDS),
            ("select", SELECT),
        ):
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name}={value!r} is not one of {', '.join(map(repr, allowed))}")
        if self.splitter == "random" and self.categorical_split in GROUPINGS:
            raise ValueError(
                f"categorical_split={self.categorical_split!r} has no meaning with splitter='random', which "
                "draws the grouping of categories; use 'auto'"
            )
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
            ("min_significance", 0.0),
            ("min_value_gap", 0.0),
            ("min_second_value", 0.0),
            ("monte_carlo", 1),
            ("min_samples_category", 0.0),
            ("max_surrogates", 0),
        ):
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ValueError(f"{name}={value!r} is less than {least}")
        for name in ("max_p_value", "significance_level"):
            value = getattr(self, name)
            if value is not None and not 0 < value <= 1:
                raise ValueError(f"{name}={value!r} is not above 0 and at most 1")
        refuse_idle(self)
        if self.mixing is not None and self.categorical_split not in WITH_COSTS:
            raise ValueError(
                f"mixing enters the weights of {' and '.join(map(repr, WITH_COSTS))} only, and "
                f"categorical_split={self.categorical_split!r} has none. Leave it out."
            )
        if self.min_samples_category is not None and self.unknown_category == "error":
            raise ValueError(
                "unknown_category='error' cannot be combined with min_samples_category: rare "
                "categories of the training table are pooled with unknown ones. Use "
                "unknown_category='missing', 'majority' or 'stop'."
            )
        if self.missing == "fractional":
            self._check_fractional()
        idle = [name for name, usual in C45_RULES.items() if getattr(self, name) != usual]
        if self.missing != "fractional" and idle:
            given = ", ".join(f"{name}={getattr(self, name)!r}" for name in idle)
            usual = ", ".join(f"{name}={C45_RULES[name]!r}" for name in idle)
            kind = "are rules" if len(idle) > 1 else "is a rule"
            raise ValueError(
                f"{given} {kind} of growth with missing='fractional', and missing={self.missing!r}. Use "
                f"missing='fractional', or {usual}."
            )
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
        if self.categorical_split == "multiway":
            raise ValueError(
                "categorical_split='multiway' cannot go together with missing='surrogate': a surrogate "
                "stands in for a split in two. Use missing='learn', or another categorical_split."
            )
        if self.unknown_category == "majority":
            raise ValueError(
                "unknown_category='majority' cannot go together with missing='surrogate': a branch for "
                "unknown categories is taken only after the surrogates were asked. Use "
                "unknown_category='missing', which asks them and then follows the heavier branch."
            )
        if self.min_samples_category is not None:
            raise ValueError(
                "min_samples_category cannot go together with missing='surrogate': pooled categories are "
                "unknown to the tree, and unknown ones ask the surrogates first. Use missing='learn'."
            )

    def _check_fractional(self) -> None:
        """Refuse what growth with spread rows has no meaning for."""
        if self.splitter != "best":
            raise ValueError(
                f"splitter={self.splitter!r} is not available with missing='fractional', where every cut is "
                "weighed: use splitter='best'"
            )
        if self.monotonic is not None and any(self.monotonic):
            raise ValueError(
                "monotonic constraints are not available with missing='fractional': a row that is in several "
                "leaves can be held to none of them. Use missing='learn'."
            )
        named = self.criterion.name if isinstance(self.criterion, Criterion) else self.criterion
        if self.gain_correction != "none" and named not in ("entropy", "log_loss", "gain_ratio"):
            raise ValueError(
                f"gain_correction={self.gain_correction!r} is counted in bits, and criterion={named!r} is "
                "not: use 'entropy' or 'gain_ratio'"
            )
        if self.select != "score":
            raise ValueError(
                f"select={self.select!r} is not available with missing='fractional': its test counts "
                "rows, and a row may be in several nodes in part. Use missing='learn' or 'branch'."
            )


_BELONGS = {
    "max_p_value": "chi2_filter",
    "min_second_value": "chi2_filter",
    "significance_level": "conditional_inference",
    "monte_carlo": "conditional_inference",
}


def refuse_idle(options: GrowOptions) -> None:
    """Refuse a parameter of one way to select columns under another, where it would be ignored."""
    for name, owner in _BELONGS.items():
        value = getattr(options, name)
        if options.select != owner and value != getattr(GrowOptions, name):
            raise ValueError(
                f"{name}={value!r} belongs to select={owner!r}, and select={options.select!r} ignores "
                "it. Leave it out."
            )
