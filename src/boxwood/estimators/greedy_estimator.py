"""What the greedy classifier and the greedy regressor have in common: their arguments, and growing.

No algorithm lives here: growing is :mod:`boxwood.grow`'s business, and what every fitted tree can do is in
:mod:`boxwood.estimators.tree_estimator`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn.utils import check_random_state

from boxwood.criteria import Criterion
from boxwood.data import Dataset
from boxwood.estimators.monotonic import monotonic_constraints
from boxwood.estimators.parameters import (
    N_JOBS,
    NONE,
    Rule,
    at_least,
    count_features,
    count_rows,
    count_threads,
    draw_seed,
    fraction,
    one_of,
    real,
)
from boxwood.estimators.progress import Progress
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.grow import MAX_SURROGATES, SPLITTERS, UNKNOWN_CATEGORY, GrowOptions, grow
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES

RULES: dict[str, tuple[Rule, ...]] = {
    "splitter": (one_of(*SPLITTERS),),
    "max_depth": (at_least(1), NONE),
    "min_samples_split": (at_least(2), fraction("(0.0", "1.0]")),
    "min_samples_leaf": (at_least(1), fraction("(0.0", "1.0)")),
    "min_weight_fraction_leaf": (real("[0.0", "0.5]"),),
    "max_features": (at_least(1), fraction("(0.0", "1.0]"), one_of("sqrt", "log2"), NONE),
    "max_leaf_nodes": (at_least(2), NONE),
    "min_impurity_decrease": (real("[0.0", "inf)"),),
    "ccp_alpha": (real("[0.0", "inf)"),),
    "categorical_split": (one_of(*CATEGORICAL_SPLITS),),
    "missing": (one_of(*MISSING_MODES),),
    "unknown_category": (one_of(*UNKNOWN_CATEGORY),),
    "n_jobs": (N_JOBS, NONE),
}
"""What the common arguments may be; ``categorical_features`` and ``monotonic_cst`` need the table."""


class GreedyEstimator(TreeEstimator):
    """The base of the greedy estimators. Subclasses have a constructor, ``fit`` and ``predict``."""

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = RULES

    criterion: Any
    splitter: str
    max_depth: int | None
    min_samples_split: int | float
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    max_features: int | float | str | None
    random_state: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    ccp_alpha: float
    monotonic_cst: Any
    categorical_features: Any
    categorical_split: str
    missing: str
    unknown_category: str

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_random_state(self.random_state)
        if self.ccp_alpha > 0:
            raise ValueError(
                f"ccp_alpha={self.ccp_alpha!r} is not available in {type(self).__name__}: a tree is not "
                "pruned while it is fitted. Use ccp_alpha=0.0, and limit its size by max_leaf_nodes, "
                "max_depth or min_samples_leaf."
            )

    def _grow(
        self,
        dataset: Dataset,
        criterion: str | Criterion,
        progress: Progress,
        X: Any,
        *,
        cuts: str = "auto",
        constrained: bool = True,
    ) -> None:
        """Grow the tree, and set what every fitted tree estimator has.

        ``constrained`` says whether ``monotonic_cst`` can have a meaning: it has none for a single class.
        """
        n_features = dataset.schema.n_features
        max_features = count_features(self.max_features, n_features)
        monotonic = monotonic_constraints(self.monotonic_cst, dataset.schema, type(self).__name__)
        draws = self.splitter == "random" or max_features < n_features
        options = GrowOptions(
            criterion=criterion,
            cuts=cuts,
            splitter=self.splitter,
            monotonic=monotonic if constrained else None,
            missing=self.missing,
            unknown_category=self.unknown_category,
            categorical_split=self.categorical_split,
            max_depth=self.max_depth,
            min_samples_split=count_rows(self.min_samples_split, dataset.n_rows, least=2),
            min_samples_leaf=count_rows(self.min_samples_leaf, dataset.n_rows, least=1),
            min_weight_leaf=self.min_weight_fraction_leaf * float(dataset.weights.sum()),
            min_impurity_decrease=self.min_impurity_decrease,
            max_features=max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            seed=draw_seed(self.random_state) if draws else 0,
            n_threads=count_threads(self.n_jobs),
            max_surrogates=getattr(self, "max_surrogates", MAX_SURROGATES),
        )
        growth = grow(dataset, options, progress.poll if progress.wanted else None)
        self._remember_columns(X, dataset.schema)
        self.tree_ = growth.tree
        self.max_features_ = max_features
        self.n_cuts_ = growth.n_cuts
        self.n_cuts_evaluated_ = growth.n_cuts_evaluated
