"""`TreeRegressor`: a greedy regression tree with the face of a scikit-learn estimator.

No algorithm lives here: what it shares with the classifier is in :mod:`boxwood.estimators.greedy_estimator`,
and what a node answers is looked up in the tree.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from boxwood.data import Dataset, make_dataset
from boxwood.estimators.greedy_estimator import RULES, GreedyEstimator
from boxwood.estimators.parameters import Rule, one_of
from boxwood.estimators.progress import Progress, with_callbacks
from boxwood.grow import REGRESSION_CRITERIA


class TreeRegressor(RegressorMixin, GreedyEstimator):
    """A decision tree regressor, grown greedily.

    It takes the tables that people have: numbers, strings, categories, dates and missing values, in a numpy
    array or a pandas, polars or pyarrow frame. Its arguments have the names and the meaning of
    scikit-learn's ``DecisionTreeRegressor``, followed by a few of its own. Every cut of a number is the
    best one of its node. The tree is the same for any number of threads, and for any order of the rows but
    for the last digits of its sums.

    Categories are put in the order of the mean of their rows, and cut in two like numbers. No grouping is
    better under "squared_error" and "poisson" (where no minimum leaf size forbids the best one); under
    "absolute_error" it is a heuristic.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"}, default="squared_error"
        How good a split is: by the variance of its branches, whose answer is the mean; by the mean absolute
        deviation from their weighted median, which is their answer; or by the Poisson deviance from their
        mean, their answer, for counts and other numbers that are never negative and not all 0.
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
    ccp_alpha : float, default=0.0
        The price of a leaf, as in scikit-learn: the tree is pruned to the smallest one that minimises its
        impurity plus this for each leaf.
    monotonic_cst : array-like of int, dict or None, default=None
        For each numeric column 1, where the answer is never to fall as the column rises, -1 where it is never
        to rise, 0 where anything goes; as an array in the order of the columns, or as a dict from column
        names, in which a column that is not named has 0.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories: those whose type says so (pandas' Categorical, polars'
        Enum and Categorical), or those given by a mask, by their numbers or by their names; None means
        none of them. Columns of strings always are.
    categorical_split : {"auto", "ordered", "multiway", "one_vs_rest"}, default="auto"
        How categories are divided: in two groups that follow the order of their means ("auto" or "ordered"),
        in one branch each ("multiway"), or one against the rest.
    select : {"score", "chi2_filter", "conditional_inference"}, default="score"
        Which columns compete at a node: all of them by the score of their best split ("score"); those that
        pass a chi-square test (:mod:`boxwood.select.chi2_filter`, for classes only); or only the most
        significant one, however many values it has (:mod:`boxwood.select.conditional_inference`). The
        p-values are in ``tree_.extra["p_value"]`` and in the text of the tree.
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
    missing : {"learn", "branch"}, default="learn"
        Where missing rows go: to the branch that gains more ("learn"), or to one of their own ("branch").
    unknown_category : {"missing", "majority", "stop", "error", "distribute"}, default="missing"
        What to do, when predicting, with a category that was never seen in training, or not at this
        node: take it as missing, follow the heavier branch, stop and answer with this node's own answer,
        raise an error, or go down every branch, with a share of the row in proportion to the weight of the
        branch.
    n_jobs : int, default=None
        Threads, at most 256. None means 1, -1 all processors that this process may use. The tree does
        not depend on it.
    pruning : str, pruner or None, default=None
        Prune the tree after growing it: "rep", "ccp", "cvp", "optimal_size", "same_answer", or one of
        :mod:`boxwood.pruning`'s objects for them, whose parameters can be searched over
        (``pruning__alpha`` with ``pruning=CostComplexity()``).
    min_weight_leaf : float, default=0.0
        No leaf has less weight. Of this and `min_weight_fraction_leaf` the larger one counts.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names and all of them were strings.
    max_features_ : int
        The number of columns looked at per node.
    n_cuts_ : int
        How many cuts there were between neighbouring numbers, over all nodes and numeric columns looked at.
    n_cuts_evaluated_ : int
        How many of them were weighed.

    Examples
    --------
    >>> from boxwood import TreeRegressor
    >>> X = {"size": [35, 95, 60, 120, None], "place": ["town", "town", "village", "town", "village"]}
    >>> price = [390.0, 410.0, 280.0, 850.0, 260.0]
    >>> regressor = TreeRegressor(max_leaf_nodes=3).fit(X, price)
    >>> print(regressor.tree_)
    Regression tree: 3 leaves, depth 2, 5 rows
    <BLANKLINE>
                                             answer  rows     sd
    all rows                                            5  214.2
    ├── size <= 107.5                                   4  65.76
    │   ├── place = town or missing/unknown     400     2     10
    │   └── place = village                     270     2     10
    └── size > 107.5                            850     1      0
    <BLANKLINE>
    Missing values go to the heavier branch (the first of two alike) unless a line says otherwise.
    >>> regressor.predict({"size": [90, 200], "place": ["village", "city"]})
    array([270., 850.])
    """

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = {"criterion": (one_of(*REGRESSION_CRITERIA),), **RULES}

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
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
        n_jobs: int | None = None,
        pruning: Any = None,
        min_weight_leaf: float = 0.0,
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
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
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
        self.n_jobs = n_jobs
        self.pruning = pruning
        self.min_weight_leaf = min_weight_leaf

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self.criterion == "poisson"
        return tags

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeRegressor:
        """Grow the tree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table. Its columns may be numbers, booleans, dates, strings or categories, with missing
            cells.
        y : array-like of shape (n_samples,)
            The numbers to learn.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. A row of weight 0 is not there.

        Returns
        -------
        TreeRegressor
            This estimator.
        """
        self._check_parameters()
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=self.categorical_features,
            owner=type(self).__name__,
            refuse_infinite=False,  # growth looks for them on its way
            task="regression",
        )
        if self.criterion == "poisson":
            _check_poisson(dataset)
        progress = Progress(self, X, y, {"sample_weight": sample_weight})
        progress.begin()
        self._grow(dataset, self.criterion, progress, X)
        progress.end()
        return self

    def _check_parameters(self) -> None:
        if isinstance(self.criterion, str) and self.criterion == "friedman_mse":
            raise ValueError(
                f"criterion='friedman_mse' is not available in {type(self).__name__}: it chooses the same "
                "splits as criterion='squared_error'. Use that."
            )
        super()._check_parameters()

    def predict(self, X: Any) -> NDArray[np.float64]:
        """The answer of the leaf of each row; of one that is spread over several, the mean of theirs.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers.
        """
        check_is_fitted(self)
        answer = self.tree_.answer
        assert answer is not None
        if self.tree_.spreads:
            return self._mix(X, answer[:, np.newaxis])[:, 0]
        answers: NDArray[np.float64] = answer.take(self.apply(X))
        return answers


def _check_poisson(dataset: Dataset) -> None:
    """Refuse numbers that have no Poisson deviance, in scikit-learn's words."""
    negative = dataset.target < 0
    if negative.any():
        place = int(negative.argmax())
        row = place if dataset.rows is None else int(dataset.rows[place])
        raise ValueError(
            "Some value(s) of y are negative which is not allowed for Poisson regression: row "
            f"{row} holds {float(dataset.target[place])!r}. Use criterion='squared_error'."
        )
    if not dataset.target.any():
        raise ValueError(
            "Sum of y is not positive which is necessary for Poisson regression: every row holds 0. Use "
            "criterion='squared_error'."
        )
