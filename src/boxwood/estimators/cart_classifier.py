"""`CARTClassifier`: Breiman's defaults. A preset of `TreeClassifier`; no algorithm of its own."""

from __future__ import annotations

from typing import Any, ClassVar

from boxwood.estimators.parameters import Rule, one_of
from boxwood.estimators.tree_classifier import TreeClassifier
from boxwood.grow import MAX_SURROGATES
from boxwood.pruning import CostComplexity, Pruner
from boxwood.pruning.cost_complexity import RULES as SELECTION_RULES


class CARTClassifier(TreeClassifier):
    """A classification tree as in the book: Gini, two branches, surrogates, cost-complexity pruning.

    It is :class:`boxwood.TreeClassifier` with other defaults: ``missing="surrogate"`` and
    ``pruning=CostComplexity(cv=cv, rule=rule)``. The tree is grown until its leaves are pure or cannot be
    split, the weakest links are pruned one after the other, ten-fold cross-validation judges the trees, and
    the smallest within one standard error of the best is taken.

    Parameters
    ----------
    criterion : str, Impurity or Criterion, default="gini"
        How good a split is; see :class:`boxwood.TreeClassifier`.
    max_depth : int, default=None
        The depth of the tree; None means no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. A float is a share of the rows.
    min_samples_leaf : int or float, default=1
        No leaf has fewer rows. A float is a share of the rows.
    min_weight_fraction_leaf : float, default=0.0
        No leaf has a smaller share of the whole weight.
    cv : int, splitter or iterable of (rows to grow on, rows to judge on), default=10
        The folds that choose the size of the tree.
    rule : {"1se", "min"}, default="1se"
        Which tree: the smallest within one standard error of the best, or the best.
    random_state : int, RandomState instance or None, default=None
        Deals out the rows to the folds, and decides about nothing else.
    class_weight : dict or "balanced", default=None
        Weights of the classes, by label; only their ratios count.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        ``cost_matrix[i, j]`` is the cost of answering ``classes_[j]`` where the truth is ``classes_[i]``.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.
    missing : {"surrogate", "learn", "branch", "fractional"}, default="surrogate"
        Where missing rows go; see :class:`boxwood.TreeClassifier`.
    max_surrogates : int, default=5
        How many surrogates a split keeps at most, with ``missing="surrogate"``.
    unknown_category : {"missing", "majority", "stop", "error", "distribute"}, default="missing"
        What to do, when predicting, with a category that was never seen in training; "majority" is not for
        surrogates.
    n_jobs : int, default=None
        Threads. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The pruned tree.
    classes_ : ndarray
        The labels, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names and all of them were strings.

    Examples
    --------
    >>> from boxwood import CARTClassifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> CARTClassifier(random_state=0).fit(penguins, species).get_n_leaves()
    8
    """

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = {
        **TreeClassifier.RULES,
        "rule": (one_of(*SELECTION_RULES),),
    }

    def __init__(
        self,
        *,
        criterion: Any = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        cv: Any = 10,
        rule: str = "1se",
        random_state: Any = None,
        class_weight: Any = None,
        cost_matrix: Any = None,
        categorical_features: Any = "from_dtype",
        missing: str = "surrogate",
        max_surrogates: int = MAX_SURROGATES,
        unknown_category: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(
            criterion=criterion,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            random_state=random_state,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
            categorical_features=categorical_features,
            missing=missing,
            max_surrogates=max_surrogates,
            unknown_category=unknown_category,
            n_jobs=n_jobs,
        )
        self.cv = cv
        self.rule = rule

    def _pruner(self) -> Pruner:
        return CostComplexity(cv=self.cv, rule=self.rule)
