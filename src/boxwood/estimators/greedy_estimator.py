"""What the greedy classifier and the greedy regressor have in common: their arguments, growing and pruning.

No algorithm lives here: growing is :mod:`boxwood.grow`'s business, pruning
:mod:`boxwood.pruning`'s, and what every fitted tree can do is in :mod:`boxwood.estimators.tree_estimator`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import Bunch, check_random_state

from boxwood.criteria import Criterion, get_criterion
from boxwood.data import Dataset
from boxwood.estimators.monotonic import keeping_order, monotonic_constraints
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
from boxwood.estimators.pruning_choice import PRUNING, make_pruner
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.grow import SPLITTERS, UNKNOWN_CATEGORY, GrowOptions, grow
from boxwood.grow.costs import class_mixing, class_prices, with_prices, without_prices
from boxwood.grow.problem import Growth
from boxwood.pruning import CostComplexity, Material, Pruner, cost_complexity_pruning_path
from boxwood.pruning.inside_fit import grow_and_prune
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.search.categorical.max_cut import WITH_COSTS
from boxwood.select import SELECT
from boxwood.tree import Tree
from boxwood.tree.answers import ANSWER, cheapest_classes

RULES: dict[str, tuple[Rule, ...]] = {
    "splitter": (one_of(*SPLITTERS),),
    "max_depth": (at_least(1), NONE),
    "min_samples_split": (at_least(2), fraction("(0.0", "1.0]")),
    "min_samples_leaf": (at_least(1), fraction("(0.0", "1.0)")),
    "min_weight_fraction_leaf": (real("[0.0", "0.5]"),),
    "min_weight_leaf": (real("[0.0", "inf)"),),
    "max_features": (at_least(1), fraction("(0.0", "1.0]"), one_of("sqrt", "log2"), NONE),
    "max_leaf_nodes": (at_least(2), NONE),
    "min_impurity_decrease": (real("[0.0", "inf)"),),
    "ccp_alpha": (real("[0.0", "inf)"),),
    "pruning": PRUNING,
    "categorical_split": (one_of(*CATEGORICAL_SPLITS),),
    "select": (one_of(*SELECT),),
    "max_p_value": (real("(0.0", "1.0]"),),
    "min_second_value": (real("[0.0", "inf)"),),
    "significance_level": (real("(0.0", "1.0]"), NONE),
    "monte_carlo": (at_least(1), NONE),
    "min_samples_category": (real("[0.0", "inf)"), NONE),
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
    min_weight_leaf: float
    max_features: int | float | str | None
    random_state: Any
    max_leaf_nodes: int | None
    min_impurity_decrease: float
    ccp_alpha: float
    monotonic_cst: Any
    categorical_features: Any
    categorical_split: str
    select: str
    max_p_value: float
    min_second_value: float
    significance_level: float | None
    monte_carlo: int | None
    min_samples_category: float | None
    missing: str
    unknown_category: str
    pruning: Any
    _unpruned: bool = False  # whether ``fit`` leaves the tree as it has grown, whatever the parameters say

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_random_state(self.random_state)
        if self.ccp_alpha > 0 and self.pruning is not None:
            raise ValueError(
                f"ccp_alpha={self.ccp_alpha!r} is given beside pruning={self.pruning!r}: both prune. "
                "Use one of them; pruning=CostComplexity(alpha=..., risk='impurity') is what ccp_alpha does."
            )

    def _pruner(self) -> Pruner | None:
        """What prunes the tree inside ``fit``."""
        if self.ccp_alpha > 0:
            return CostComplexity(alpha=self.ccp_alpha, risk="impurity")
        return None if self.pruning is None else keeping_order(make_pruner(self.pruning), self.monotonic_cst)

    def _options(
        self, dataset: Dataset, criterion: str | Criterion, cuts: str, constrained: bool
    ) -> GrowOptions:
        """What growing is told for a table."""
        n_features = dataset.schema.n_features
        max_features = count_features(self.max_features, n_features)
        monotonic = monotonic_constraints(self.monotonic_cst, dataset.schema, type(self).__name__)
        total = float(dataset.weights.sum())
        if self.missing == "fractional":  # whose growth counts rows of mean weight
            total = max(total, float(dataset.n_rows))
        draws = self.splitter == "random" or max_features < n_features or self.monte_carlo is not None
        return GrowOptions(
            criterion=criterion,
            cuts=cuts,
            splitter=self.splitter,
            monotonic=monotonic if constrained else None,
            missing=self.missing,
            unknown_category=self.unknown_category,
            categorical_split=self.categorical_split,
            select=self.select,
            max_p_value=self.max_p_value,
            min_second_value=self.min_second_value,
            significance_level=self.significance_level,
            monte_carlo=self.monte_carlo,
            min_samples_category=self.min_samples_category,
            max_depth=self.max_depth,
            min_samples_split=count_rows(self.min_samples_split, dataset.n_rows, least=2),
            min_samples_leaf=count_rows(self.min_samples_leaf, dataset.n_rows, least=1),
            min_weight_leaf=max(self.min_weight_leaf, self.min_weight_fraction_leaf * total),
            min_impurity_decrease=self.min_impurity_decrease,
            max_features=max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            seed=draw_seed(self.random_state) if draws else 0,
            n_threads=count_threads(self.n_jobs),
            **self._own_options(),
        )

    def _own_options(self) -> dict[str, Any]:
        """What growing is told beyond that, by a kind of estimator."""
        return {}

    def _grow(
        self,
        dataset: Dataset,
        criterion: str | Criterion,
        progress: Progress,
        X: Any,
        *,
        cuts: str = "auto",
        constrained: bool = True,
        costs: NDArray[np.float64] | None = None,
    ) -> None:
        """Grow the tree, prune it, and set what every fitted tree estimator has.

        ``constrained`` says whether ``monotonic_cst`` can have a meaning: it has none for a single class.
        """
        pruner = None if self._unpruned else self._pruner()
        growths: list[Growth] = []
        options: list[GrowOptions] = []

        def grown(part: Dataset) -> Tree:
            told = self._options(part, criterion, cuts, constrained)
            if options:  # trees that help to prune are grown like the first one, and nobody hears of them
                told = replace(told, seed=options[0].seed)
            options.append(told)
            poll = progress.poll if progress.wanted and not growths else None
            growths.append(_grown_with_costs(part, told, costs, poll))
            return growths[-1].tree

        def material(tree: Tree) -> Material:
            return self._material(tree, costs, criterion)

        if pruner is None:
            self.tree_ = grown(dataset)
        else:
            self.tree_ = grow_and_prune(dataset, grown, pruner, material, self.random_state)
        self._remember_columns(X, dataset.schema)
        self.max_features_ = count_features(self.max_features, dataset.schema.n_features)
        self.n_cuts_ = growths[0].n_cuts
        self.n_cuts_evaluated_ = growths[0].n_cuts_evaluated

    def _material(
        self, tree: Tree, costs: NDArray[np.float64] | None, criterion: str | Criterion
    ) -> Material:
        """What a pruner is told about a tree of this estimator."""
        return Material(
            costs=costs,
            impurity=criterion.impurity if isinstance(criterion, Criterion) else None,
            random_state=self.random_state,
            n_threads=count_threads(self.n_jobs),
        )

    def _used_criterion(self) -> str | Criterion:
        """The criterion that the fitted tree was grown by."""
        used: str | Criterion = getattr(self, "criterion_", self.criterion)
        return used

    def _grow_again(self, costs: NDArray[np.float64] | None) -> Callable[[Dataset], Tree]:
        """A function that grows a tree like the fitted one on other rows of its table."""

        def grown(part: Dataset) -> Tree:
            constrained = part.classes is None or part.n_classes == 2
            told = self._options(part, self._used_criterion(), getattr(self, "cuts", "auto"), constrained)
            return _grown_with_costs(part, told, costs, None).tree

        return grown

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The prices of a leaf at which the tree of this table shrinks, as in scikit-learn.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,)
            What to learn.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.

        Returns
        -------
        Bunch
            ``ccp_alphas``, the effective alphas of subtrees during pruning, and ``impurities``, the sums of
            the impurities of their leaves.
        """
        full = clone(self)
        full._unpruned = True
        return cost_complexity_pruning_path(full.fit(X, y, sample_weight=sample_weight).tree_)


def _grown_with_costs(
    dataset: Dataset, options: GrowOptions, costs: NDArray[np.float64] | None, poll: Any
) -> Growth:
    """Grow a tree; with costs by altered priors, and with the answers that cost least."""
    if costs is None:
        return grow(dataset, options, poll)
    prices = class_prices(dataset, costs)
    if options.categorical_split in WITH_COSTS:
        options = replace(options, mixing=class_mixing(costs, prices))
    growth = grow(with_prices(dataset, prices), options, poll)
    tree = without_prices(growth.tree, prices, dataset, get_criterion(options.criterion, dataset.n_classes))
    return growth._replace(tree=tree.with_extra(ANSWER, cheapest_classes(tree, costs)))
