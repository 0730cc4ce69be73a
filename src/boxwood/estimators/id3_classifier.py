"""ID3 as a preset: `TreeClassifier` with other defaults, and nothing else."""

from __future__ import annotations

from typing import Any

from boxwood.criteria import Criterion, Impurity
from boxwood.estimators.probabilities import PROBA_M
from boxwood.estimators.tree_classifier import TreeClassifier


class ID3Classifier(TreeClassifier):
    """ID3: a `TreeClassifier` that splits by information gain, one branch per category, and never prunes.

    Every argument is one of :class:`TreeClassifier`, and means the same. What differs is what they are when
    nothing is said: ``criterion="entropy"``, ``categorical_split="multiway"``, ``missing="fractional"`` (rows
    without the value go down every branch, as Quinlan 1986, section 5, proposes) and
    ``unknown_category="stop"`` (a category without rows at the node gets the node's answer).

    ID3 as published has categories only. Numeric columns are allowed here and are cut in two, as in C4.5
    without its corrections; to have none of that, give numbers as categories (`categorical_features`) or
    discretise them first (:mod:`boxwood.discretize`).

    Reference: J. R. Quinlan, Induction of decision trees, Machine Learning 1 (1986) 81-106.

    Examples
    --------
    >>> from boxwood import ID3Classifier
    >>> X = [["sunny", "high"], ["sunny", "normal"], ["overcast", "high"], ["rain", "normal"]]
    >>> classifier = ID3Classifier().fit(X, ["no", "yes", "yes", "yes"])
    >>> classifier.get_n_leaves(), classifier.predict([["sunny", "high"]])
    (4, array(['no'], dtype='<U3'))
    """

    def __init__(
        self,
        *,
        criterion: str | Criterion | Impurity = "entropy",
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
