"""`TreeClassifier`: a greedy classification tree with the face of a scikit-learn estimator.

No algorithm lives here: what it shares with the regressor is in :mod:`boxwood.estimators.greedy_estimator`,
and what it shares with other classifiers in :mod:`boxwood.estimators.class_answers`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from boxwood.criteria import ALIASES, CRITERIA, Criterion, Impurity, get_criterion
from boxwood.data import make_dataset
from boxwood.estimators.class_answers import ClassAnswers, answering_classes
from boxwood.estimators.greedy_estimator import RULES, GreedyEstimator
from boxwood.estimators.parameters import BOOL, DICT, NONE, Rule, at_least, one_of, real
from boxwood.estimators.probabilities import PROBA, PROBA_M, check_proba
from boxwood.estimators.progress import Progress, with_callbacks
from boxwood.estimators.pruning_choice import check_cost_matrix, refuse_free_classes
from boxwood.grow import CUTS, MAX_SURROGATES
from boxwood.grow.options import (
    C45_RULES,
    COMPARISONS,
    GAIN_CORRECTIONS,
    LEAF_MINIMA,
    NUMERIC_MINIMA,
    THRESHOLDS,
)


def _is_criterion(value: object) -> bool:
    if isinstance(value, str):
        try:
            get_criterion(value)
        except ValueError:
            return False
    return isinstance(value, str | Criterion | Impurity)


CRITERION = Rule(
    f"a str among {{{', '.join(map(repr, [*CRITERIA, *ALIASES]))}}} (or 'tsallis(q)' with a positive number "
    "q), or a boxwood.criteria.Impurity or Criterion; a function f goes into boxwood.criteria.Impurity(f)",
    _is_criterion,
)


class TreeClassifier(ClassAnswers, GreedyEstimator):
    """A decision tree classifier, grown greedily.

    It takes the tables that people have: numbers, strings, categories, dates and missing values, in a
    numpy array or a pandas, polars or pyarrow frame, with labels of any type. Its arguments have the
    names and the meaning of scikit-learn's ``DecisionTreeClassifier``, followed by a few of its own.
    Every split is the best one of its node, and the tree is the same for any order of the rows and any
    number of threads.

    Parameters
    ----------
    criterion : str, Impurity or Criterion, default="gini"
        How good a split is. By name: "gini", "entropy" (or "log_loss"), "gain_ratio", "error" (or
        "purity"), "ambiguity", "sine", "tsallis" and "tsallis(q)" with its parameter, "twoing", "hellinger";
        see :mod:`boxwood.criteria`. With "gain_ratio" a column's cut is chosen by information gain, and
        columns compete by gain ratio among those with at least average gain. Or a function of your own,
        wrapped in :class:`boxwood.criteria.Impurity`.
    splitter : {"best", "random"}, default="best"
        "best" looks for the best cut of every column; "random" draws one cut per column, and takes the best
        of these.
    max_depth : int, default=None
        The depth of the tree; None means no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. A float is a share of the rows.
    min_samples_leaf : int or float, default=1
        No leaf has fewer rows. A float is a share of the rows.
    min_weight_fraction_leaf : float, default=0.0
        No leaf has a smaller share of the whole weight.
    max_features : int, float, {"sqrt", "log2"}, default=None
        How many columns, drawn at random, are looked at per node: a number, a share, the root or the
        logarithm of their number; None means all. When none of these has a split to offer, more are
        drawn.
    random_state : int, RandomState instance or None, default=None
        Decides about the draws of `max_features`, of ``splitter="random"``, of `monte_carlo` and of the rows
        that `pruning` judges on, and about nothing else.
    max_leaf_nodes : int, default=None
        Grow best first up to this many leaves; None means no limit.
    min_impurity_decrease : float, default=0.0
        A split is taken only if it lowers the impurity by this much, weighted by its share of the rows'
        weight.
    class_weight : dict or "balanced", default=None
        Weights of the classes, by label. "balanced" gives every class the same total weight. Only their
        ratios count: they are multiplied so that the weight of all rows together stays, and whatever needs a
        number of rows (`min_weight_leaf`, tests, smoothing, pruning) finds those that are there.
    ccp_alpha : float, default=0.0
        The price of a leaf, as in scikit-learn: the tree is pruned to the smallest one that minimises its
        impurity plus this for each leaf.
    monotonic_cst : array-like of int, dict or None, default=None
        For each numeric column 1, where the probability of ``classes_[1]`` is never to fall as the column
        rises, -1 where it is never to rise, 0 where anything goes; as an array in the order of the columns,
        or as a dict from column names, in which a column that is not named has 0. For two classes only.
        Smoothed probabilities (`proba`) keep to it too, and so does `pruning`: ``"ebp"`` raises no branches.
    cuts : {"auto", "all"}, default="auto"
        Which cuts of a number are weighed: only those that can be best under the criterion, or all of
        them. The tree is the same.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories: those whose type says so (pandas' Categorical, polars'
        Enum and Categorical), or those given by a mask, by their numbers or by their names; None means
        none of them. Columns of strings always are.
    categorical_split : {"auto", "exact", "ordered", "twoing", "sliq", "sliq_ext", "pc", "pc_ext", \
            "largest_alone", "list_scheduling", "squared_gini", "chi2", "squared_gini_sdp", "chi2_sdp", \
            "multiway", "one_vs_rest"}, default="auto"
        How categories are divided: in two groups, by the search that suits the table of each node ("auto") or
        by one that is named, in one branch each ("multiway"), or one against the rest; see
        :mod:`boxwood.search.categorical`. With ``splitter="random"`` a grouping is drawn, and no search for
        one can be named. Groups of hundreds of values by many classes easily fit noise: "one_vs_rest", or
        ``select="conditional_inference"``, may then be right more often. The search is for categories only:
        cuts of numbers, and which column is split, go by `criterion`. So it is with the maximum cuts, too
        ("squared_gini", "chi2" and their "_sdp"); to cut numbers by the weight of a cut as well, name it as
        the criterion (:mod:`boxwood.search.categorical.max_cut`).
    select : {"score", "chi2_filter", "conditional_inference"}, default="score"
        Which columns compete at a node: all of them by the score of their best split ("score"); those that
        pass a chi-square test (:mod:`boxwood.select.chi2_filter`); or only the most significant one, however
        many values it has (:mod:`boxwood.select.conditional_inference`). The p-values are in
        ``tree_.extra["p_value"]`` and in the text of the tree.
    max_p_value : float, default=0.1
        For ``select="chi2_filter"``: the largest p-value that passes.
    min_second_value : float, default=15.0
        For ``select="chi2_filter"``: the least weight of a column's second most frequent value.
    significance_level : float or None, default=0.05
        For ``select="conditional_inference"``: a node where no column has a p-value of at most this,
        corrected for the number of columns, is a leaf. None never stops.
    monte_carlo : int or None, default=None
        For ``select="conditional_inference"``: p-values from so many random permutations of the target, keyed
        by `random_state`; None means from the chi-square distribution.
    min_samples_category : float or None, default=None
        Categories that weigh less than this in the whole table are pooled: they are one group, with which
        categories never seen in training go too; see :mod:`boxwood.grow.pooling`. It is a weight (without
        `sample_weight`, a number of rows) and never a share of the rows, as a float is for the other
        ``min_samples_*``: 0.01 pools nothing. None means no pooling.
    missing : {"learn", "branch", "fractional", "surrogate"}, default="learn"
        Where missing rows go: to the branch that gains more ("learn"), to one of their own ("branch"), to all
        branches, each with a part of its weight ("fractional"; see :mod:`boxwood.grow.fractional`), or where
        splits of other columns send them that agree with this one ("surrogate"); see
        :mod:`boxwood.search.missing`.
    max_surrogates : int, default=5
        With ``missing="surrogate"``: how many surrogates a split keeps at most.
    unknown_category : {"missing", "majority", "stop", "error", "distribute"}, default="missing"
        What to do, when predicting, with a category that was never seen in training, or not at this
        node: take it as missing, follow the heavier branch, stop and answer with this node's own
        distribution, raise an error, or go down every branch, with a share of the row in proportion to
        the weight of the branch.
    proba : {"raw", "laplace", "m-estimate"}, default="raw"
        What `predict_proba` gives: the class shares of a leaf, ``n_k / n``; with Laplace's correction,
        ``(n_k + 1) / (n + K)`` for K classes; or the m-estimate, ``(n_k + m p_k) / (n + m)`` with the shares
        p of the root. Weights whose total is below the number of rows are rescaled to a mean of 1 before
        that. `predict` goes by the counts of the leaf whatever is chosen here.
    proba_m : float, default=2.0
        The m of the m-estimate: how many rows the shares of the root are worth.
    n_jobs : int, default=None
        Threads, at most 256. None means 1, -1 all processors that this process may use. The tree does
        not depend on it.
    pruning : str, pruner or None, default=None
        Prune the tree after growing it: "rep", "ebp", "ccp", "pep", "mep", "cvp", "mdl", ..., or one of
        :mod:`boxwood.pruning`'s objects, whose parameters can be searched over (``pruning__confidence``).
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        ``cost_matrix[i, j]`` is the cost of answering ``classes_[j]`` where the truth is ``classes_[i]``.
        Rows weigh in growing what wrong answers to them cost in sum, a node answers with what costs least on
        its rows (the tree has these answers in its further column "answering_class"), and pruning counts
        costs in place of errors. What counts is the cost beyond the cheapest answer to the same class: the
        same number more in a whole row changes nothing. Under ``categorical_split="squared_gini"``
        or "squared_gini_sdp", costs that are the same both ways also decide which classes' categories are
        worth parting; others enter by the weights of the rows alone. None: 1 for every wrong answer.
    min_weight_leaf : float, default=0.0
        No leaf has less weight. Of this and `min_weight_fraction_leaf` the larger one counts. With
        ``missing="fractional"``, where weights add up to less than the number of rows, it counts rows of mean
        weight.
    min_significance : float or None, default=None
        A split is taken only if the p-value of a chi-square test of its branches against the classes is at
        most this: 0.05 asks for a split that chance would make once in twenty times. None: no test. See
        :mod:`boxwood.select.stopping`.
    mdl_stop : bool, default=False
        Whether a split is taken only if it shortens the description of the classes; the coding is in
        :mod:`boxwood.select.stopping`.
    gain_correction : {"none", "mdl"}, default="none"
        "mdl": the information gain of a numeric column pays for the choice of its cut. This argument and the
        five that follow are rules of C4.5 and J48 for ``missing="fractional"``, explained in
        :mod:`boxwood.grow.fractional`; :class:`C45Classifier` has them all on.
    leaf_minimum : {"every", "two"}, default="every"
        How many branches of a split must satisfy the minimum leaf sizes: every one, or at least two.
    numeric_minimum : {"plain", "quinlan"}, default="plain"
        "quinlan": numeric cuts leave a tenth of the mean class weight on either side.
    min_value_gap : float, default=0.0
        Numbers that are not farther apart are not separated.
    comparison : {"exact", "weka"}, default="exact"
        "weka": gains are compared with J48's tolerances and exceptions.
    thresholds : {"midpoint", "training_value"}, default="midpoint"
        Whether a threshold lies in the middle between two numbers, or on a number of the training table.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        The labels, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names and all of them were strings.
    max_features_ : int
        The number of columns looked at per node.
    criterion_ : Criterion
        The criterion that was used; its ``curvature`` says what was found about a function of yours.
    n_cuts_ : int
        How many cuts there were between neighbouring numbers, over all nodes and numeric columns looked at.
    n_cuts_evaluated_ : int
        How many of them were weighed.

    Examples
    --------
    >>> from boxwood import TreeClassifier
    >>> X = [[2.0, "red"], [1.0, "red"], [4.0, "blue"], [None, "green"]]
    >>> y = ["small", "small", "large", "large"]
    >>> classifier = TreeClassifier().fit(X, y)
    >>> classifier.predict([[3.5, "blue"], [0.5, "red"]])
    array(['large', 'small'], dtype='<U5')
    >>> classifier.get_n_leaves()
    2

    An impurity of your own is one function of the smaller share:

    >>> import numpy as np
    >>> from boxwood.criteria import Impurity
    >>> classifier = TreeClassifier(criterion=Impurity(np.sqrt, name="root")).fit(X, y)
    >>> classifier.criterion_.curvature, classifier.get_n_leaves()
    ('concave', 2)
    """

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = {
        "criterion": (CRITERION,),
        **RULES,
        "class_weight": (DICT, one_of("balanced"), NONE),
        "cuts": (one_of(*CUTS),),
        "min_significance": (real("[0.0", "1.0]"), NONE),
        "mdl_stop": (BOOL,),
        "gain_correction": (one_of(*GAIN_CORRECTIONS),),
        "leaf_minimum": (one_of(*LEAF_MINIMA),),
        "numeric_minimum": (one_of(*NUMERIC_MINIMA),),
        "min_value_gap": (real("[0.0", "inf)"),),
        "comparison": (one_of(*COMPARISONS),),
        "thresholds": (one_of(*THRESHOLDS),),
        "max_surrogates": (at_least(0),),
        "proba": (one_of(*PROBA),),
        "proba_m": (real("[0.0", "inf)"),),
    }

    def __init__(
        self,
        *,
        criterion: str | Criterion | Impurity = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        cuts: str = "auto",
        categorical_features: Any = "from_dtype",
        categorical_split: str = "auto",
        select: str = "score",
        max_p_value: float = 0.1,
        min_second_value: float = 15.0,
        significance_level: float | None = 0.05,
        monte_carlo: int | None = None,
        min_samples_category: float | None = None,
        missing: str = "learn",
        unknown_category: str = "missing",
        max_surrogates: int = MAX_SURROGATES,
        proba: str = "raw",
        proba_m: float = PROBA_M,
        n_jobs: int | None = None,
        pruning: Any = None,
        cost_matrix: Any = None,
        min_weight_leaf: float = 0.0,
        min_significance: float | None = None,
        mdl_stop: bool = False,
        gain_correction: str = "none",
        leaf_minimum: str = "every",
        numeric_minimum: str = "plain",
        min_value_gap: float = 0.0,
        comparison: str = "exact",
        thresholds: str = "midpoint",
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.cuts = cuts
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.select = select
        self.max_p_value = max_p_value
        self.min_second_value = min_second_value
        self.significance_level = significance_level
        self.monte_carlo = monte_carlo
        self.min_samples_category = min_samples_category
        self.missing = missing
        self.unknown_category = unknown_category
        self.max_surrogates = max_surrogates
        self.proba = proba
        self.proba_m = proba_m
        self.n_jobs = n_jobs
        self.pruning = pruning
        self.cost_matrix = cost_matrix
        self.min_weight_leaf = min_weight_leaf
        self.min_significance = min_significance
        self.mdl_stop = mdl_stop
        self.gain_correction = gain_correction
        self.leaf_minimum = leaf_minimum
        self.numeric_minimum = numeric_minimum
        self.min_value_gap = min_value_gap
        self.comparison = comparison
        self.thresholds = thresholds

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_proba(self.proba, self.proba_m)

    def _own_options(self) -> dict[str, Any]:
        return {
            "min_significance": self.min_significance,
            "mdl_stop": bool(self.mdl_stop),
            "max_surrogates": self.max_surrogates,
            **{rule: getattr(self, rule) for rule in C45_RULES},
        }

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeClassifier:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table. Its columns may be numbers, booleans, dates, strings or categories, with missing
            cells.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. A row of weight 0 is not there.

        Returns
        -------
        TreeClassifier
            This estimator.
        """
        self._check_parameters()
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            categorical_features=self.categorical_features,
            owner=type(self).__name__,
            refuse_infinite=False,  # growth looks for them on its way
            keep_total_weight=True,
        )
        assert dataset.classes is not None
        n_classes = len(dataset.classes)
        if self.monotonic_cst is not None and n_classes > 2:
            raise ValueError(
                "Monotonicity constraints are not supported with multiclass classification: y has "
                f"{n_classes} classes. Use monotonic_cst=None."
            )
        criterion = get_criterion(self.criterion, n_classes)
        progress = Progress(self, X, y, {"sample_weight": sample_weight})
        progress.begin()
        costs = None
        if self.cost_matrix is not None:
            costs = check_cost_matrix(self.cost_matrix, dataset.classes)
            refuse_free_classes(costs, dataset.classes)
        self._grow(dataset, criterion, progress, X, cuts=self.cuts, constrained=n_classes == 2, costs=costs)
        self.classes_ = dataset.classes
        self.n_classes_ = n_classes
        self.criterion_ = criterion
        self._by_class = dataset.by_class
        self._remember_answers(answering_classes(self.tree_))
        progress.end()
        return self
