"""C4.5 as a preset: `TreeClassifier` with the defaults of Weka's J48, and nothing else."""

from __future__ import annotations

from typing import Any

from boxwood.criteria import Criterion, Impurity
from boxwood.estimators.probabilities import PROBA_M
from boxwood.estimators.tree_classifier import TreeClassifier


class C45Classifier(TreeClassifier):
    """C4.5: a `TreeClassifier` whose defaults are those of Weka's J48.

    Every argument is one of :class:`TreeClassifier`, and means the same. What differs is what they are when
    nothing is said:

    ==================  ===================  ===========================================================
    argument            default              what J48 calls it, or does
    ==================  ===================  ===========================================================
    criterion           "gain_ratio"         gain ratio among columns of at least average gain
    categorical_split   "multiway"           one branch per category (``-B`` is "one_vs_rest")
    missing             "fractional"         rows without the value go down every branch
    unknown_category    "stop"               a category without rows at the node gets the node's answer
    pruning             "ebp"                collapsing, then error-based pruning with subtree raising at
                                             confidence 0.25 (``-C 0.25``); "collapse" is ``-U``; None is
                                             ``-U -O``
    min_weight_leaf     2.0                  ``-M 2``
    leaf_minimum        "two"                in two branches, not in all
    gain_correction     "mdl"                MDL correction of numeric columns ("none" is ``-J``)
    numeric_minimum     "quinlan"            a tenth of the mean class size on either side of a cut
    min_value_gap       1e-5                 nearer numbers are not separated
    comparison          "weka"               tolerances and ties
    thresholds          "training_value"     a split point is a value of the table ("midpoint" is
                                             ``-doNotMakeSplitPointActualValue``)
    ==================  ===================  ===========================================================

    The rules of growing are explained in :mod:`boxwood.grow.fractional`, pruning in
    :mod:`boxwood.pruning`. J48 counts branches without training rows as leaves; this tree has none.

    Examples
    --------
    >>> from boxwood import C45Classifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> for pruning in (None, "collapse", "ebp"):
    ...     print(C45Classifier(pruning=pruning).fit(penguins, species).get_n_leaves())
    20
    9
    9
    """

    def __init__(
        self,
        *,
        criterion: str | Criterion | Impurity = "gain_ratio",
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
        categorical_split: str = "multiway",
        missing: str = "fractional",
        unknown_category: str = "stop",
        proba: str = "raw",
        proba_m: float = PROBA_M,
        n_jobs: int | None = None,
        pruning: Any = "ebp",
        cost_matrix: Any = None,
        min_weight_leaf: float = 2.0,
        min_significance: float | None = None,
        mdl_stop: bool = False,
        gain_correction: str = "mdl",
        leaf_minimum: str = "two",
        numeric_minimum: str = "quinlan",
        min_value_gap: float = 1e-5,
        comparison: str = "weka",
        thresholds: str = "training_value",
    ) -> None:
        super().__init__(
            criterion=criterion,
            splitter=splitter,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            max_features=max_features,
            random_state=random_state,
            max_leaf_nodes=max_leaf_nodes,
            min_impurity_decrease=min_impurity_decrease,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            monotonic_cst=monotonic_cst,
            cuts=cuts,
            categorical_features=categorical_features,
            categorical_split=categorical_split,
            missing=missing,
            unknown_category=unknown_category,
            proba=proba,
            proba_m=proba_m,
            n_jobs=n_jobs,
            pruning=pruning,
            cost_matrix=cost_matrix,
            min_weight_leaf=min_weight_leaf,
            min_significance=min_significance,
            mdl_stop=mdl_stop,
            gain_correction=gain_correction,
            leaf_minimum=leaf_minimum,
            numeric_minimum=numeric_minimum,
            min_value_gap=min_value_gap,
            comparison=comparison,
            thresholds=thresholds,
        )
