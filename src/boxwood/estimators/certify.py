"""`boxwood.certify`: is the fitted tree what its result says?

A checker that shares nothing with the search. The table is encoded anew; its rows are routed through the
tree once by the library's one routing rule and once by plain comparisons; classes are counted and costs are
added up in Python's whole numbers; answers, limits, errors and bounds are looked at one by one.

What cannot be checked this way is that no better tree is there: the lower bound is the solver's word, which
its tests compare with brute force. What is checked about it is that it does not exceed the objective, and
meets it where the status says "optimal".
"""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from boxwood.data import MISSING, Dataset, align_columns, make_dataset
from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier
from boxwood.estimators.parameters import count_rows
from boxwood.estimators.rare import without_rare
from boxwood.optimal import Certificate, CertificateError, Problem, Result
from boxwood.optimal import certify as certify_result
from boxwood.optimal.scale import Scale, make_scale
from boxwood.optimal.splits import as_splits
from boxwood.tree import IsMissing, Threshold, Tree

STATES = ("optimal", "time_limit", "memory_limit", "gap", "interrupted", "pruned")


def certify(estimator: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Certificate:
    """Confirm what a fitted `OptimalTreeClassifier` says about its tree: objective, limits and bounds.

    Parameters
    ----------
    estimator : OptimalTreeClassifier or boxwood.optimal.Result
        The fitted estimator; or what `boxwood.optimal.solve` returned, with its problem in place of `X` and
        nothing else.
    X : array-like or frame of shape (n_samples, n_features), or boxwood.optimal.Problem
        The table that it was fitted on.
    y : array-like of shape (n_samples,)
        The labels.
    sample_weight : array-like of shape (n_samples,), default=None
        The weights, if it was fitted with some.

    Returns
    -------
    boxwood.optimal.Certificate
        What was confirmed.

    Raises
    ------
    boxwood.optimal.CertificateError
        It says what does not hold.

    Examples
    --------
    >>> from boxwood import OptimalTreeClassifier, certify, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> model = OptimalTreeClassifier(max_depth=2).fit(penguins, species)
    >>> certify(model, penguins, species)
    Certificate(objective=6.0, lower_bound=6.0, optimal=True, n_leaves=4, depth=2)
    """
    if isinstance(estimator, Result):
        if not isinstance(X, Problem) or y is not None or sample_weight is not None:
            raise TypeError("a Result is certified with its Problem: certify(result, problem)")
        return certify_result(estimator, X)
    if not isinstance(estimator, OptimalTreeClassifier):
        advice = ""
        if hasattr(estimator, "best_estimator_"):
            advice = ": pass its best_estimator_"
        elif hasattr(estimator, "steps"):
            advice = ": pass its final step, with the table as the steps before transform it"
        raise TypeError(
            f"certify takes an OptimalTreeClassifier or a boxwood.optimal.Result, not a "
            f"{type(estimator).__name__}{advice}"
        )
    if y is None:
        raise TypeError("certify needs the labels too: certify(estimator, X, y)")
    check_is_fitted(estimator)
    dataset = _training_rows(estimator, X, y, sample_weight)
    return _Check(estimator, dataset).run()


def _training_rows(estimator: OptimalTreeClassifier, X: Any, y: Any, sample_weight: Any) -> Dataset:
    """The rows that the tree was learned from, encoded anew."""
    schema = estimator.tree_.schema
    if schema.named:
        X = align_columns(X, schema.names, owner="certify")
    dataset = make_dataset(
        X,
        y,
        sample_weight=sample_weight,
        class_weight=estimator.class_weight,
        categorical_features=estimator._categorical_features(),
        owner="certify",
    )
    dataset = without_rare(dataset, estimator.min_samples_category)
    if dataset.schema != schema:
        pairs = zip(dataset.schema, schema, strict=False)
        strange = next((given.name for given, known in pairs if given != known), None)
        where = "it has another number of columns" if strange is None else f"column {strange!r} differs"
        raise CertificateError(f"this is not the table that the tree was learned from: {where}")
    if dataset.classes is None or not np.array_equal(dataset.classes, estimator.classes_):
        raise CertificateError(
            f"these are not the labels that the tree was learned from: they are {dataset.classes}, and the "
            f"tree knows {estimator.classes_}"
        )
    held_out = getattr(estimator, "validation_rows_", None) if estimator.early_stopping else None
    if held_out is None:
        return dataset
    rows = np.arange(dataset.n_rows) if dataset.rows is None else dataset.rows
    return dataset.take(np.flatnonzero(~np.isin(rows, held_out)))


class _Check:
    """One tree, its result, and the rows."""

    def __init__(self, estimator: OptimalTreeClassifier, dataset: Dataset) -> None:
        self.estimator = estimator
        self.dataset = dataset
        self.tree: Tree = estimator.tree_
        self.result: Result = estimator.result_
        costs = estimator.cost_matrix
        self.costs = None if costs is None else np.array(costs, dtype=np.float64)
        self.scale: Scale = make_scale(dataset.weights, self.costs, float(estimator.complexity))

    def run(self) -> Certificate:
        tree, result = self.tree, self.result
        if result.tree != tree:
            self._refuse("tree_ is not the tree of result_")
        self._check_splits()
        leaf_of = self._route()
        if not np.array_equal(leaf_of, tree.apply(self.dataset.columns)):
            self._refuse("the routing rule sends a row to another node than the tree's tests say")
        self._check_limits(leaf_of)
        objective = self.scale.real(self._cost(leaf_of), tree.n_leaves)
        if not math.isclose(objective, result.objective, rel_tol=1e-9, abs_tol=1e-12):
            self._refuse(f"the tree costs {objective}, and the result says {result.objective}")
        self._check_answers(leaf_of)
        self._check_bounds()
        return Certificate(
            objective=objective,
            lower_bound=result.lower_bound,
            optimal=result.is_optimal,
            n_leaves=tree.n_leaves,
            depth=tree.depth,
        )

    def _refuse(self, what: str) -> NoReturn:
        raise CertificateError(what)

    def _check_splits(self) -> None:
        """Every split of the tree must be one of the search space."""
        candidates = as_splits(self.estimator.splits_)
        for node in np.flatnonzero(~self.tree.is_leaf).tolist():
            split = self.tree.split(node)
            assert split is not None
            if not candidates.uses(split):
                self._refuse(f"node {node} has a split that is not in the search space: {split}")

    def _route(self) -> NDArray[np.int32]:
        """The node where each row ends, by the tests as they are written."""
        tree, columns = self.tree, self.dataset.columns
        ends = np.zeros(self.dataset.n_rows, dtype=np.int32)
        for node in range(tree.n_nodes):  # breadth-first: parents come first
            split = tree.split(node)
            if split is None:
                continue
            rows = np.flatnonzero(ends == node)
            values = columns[split.feature][rows]
            lost = np.isnan(values) if values.dtype == np.float64 else values == MISSING
            if isinstance(split, IsMissing):
                left = lost
            elif isinstance(split, Threshold):
                left = np.where(lost, split.missing_branch == 0, values <= split.threshold)
            else:
                yes = [code for code, branch in split.branches.items() if branch == 0]
                left = np.where(lost, split.missing_branch == 0, np.isin(values, yes))
            ends[rows] = tree.first_child[node] + np.where(left, 0, 1)
        return ends

    def _check_limits(self, leaf_of: NDArray[np.int32]) -> None:
        tree, given, dataset = self.tree, self.estimator, self.dataset
        if given.max_depth is not None and tree.depth > given.max_depth:
            self._refuse(f"the tree has the depth {tree.depth}, and max_depth is {given.max_depth}")
        if given.max_leaf_nodes is not None and tree.n_leaves > given.max_leaf_nodes:
            self._refuse(f"the tree has {tree.n_leaves} leaves, and max_leaf_nodes is {given.max_leaf_nodes}")
        least_rows = count_rows(given.min_samples_leaf, dataset.n_rows, least=1)
        least_weight = given.min_weight_fraction_leaf * float(dataset.weights.sum())
        for leaf in np.flatnonzero(tree.is_leaf).tolist():
            rows = np.flatnonzero(leaf_of == leaf)
            weight = float(dataset.weights[rows].sum())
            if tree.n_leaves > 1 and len(rows) < least_rows:
                self._refuse(f"leaf {leaf} holds {len(rows)} rows, fewer than min_samples_leaf")
            if tree.n_leaves > 1 and weight < least_weight * (1 - 1e-6):
                self._refuse(f"leaf {leaf} has the weight {weight}, less than min_weight_fraction_leaf")
            counts = np.bincount(dataset.target[rows], dataset.weights[rows], dataset.n_classes)
            same = tree.counts is not None and np.allclose(counts, tree.counts[leaf], rtol=1e-9)
            if not same or len(rows) != tree.n_rows[leaf]:
                self._refuse(f"leaf {leaf} has the class counts {counts}, and the tree says otherwise")

    def _cost(self, leaf_of: NDArray[np.int32]) -> int:
        """What the tree costs with the best answer in each leaf, in the solver's whole numbers."""
        scale, target, k = self.scale, self.dataset.target, self.dataset.n_classes
        total = 0
        for leaf in np.flatnonzero(self.tree.is_leaf).tolist():
            weight = [0] * k
            for row in np.flatnonzero(leaf_of == leaf).tolist():
                weight[target[row]] += 1 if scale.weights is None else int(scale.weights[row])
            if scale.costs is None:
                least = sum(weight) - max(weight)
            else:
                least = min(sum(weight[i] * int(scale.costs[i, j]) for i in range(k)) for j in range(k))
            total += scale.weight_unit * least + scale.leaf_cost
        return total

    def _check_answers(self, leaf_of: NDArray[np.int32]) -> None:
        """What `predict` answers must cost what the result says, but for the rounding of the weights."""
        dataset, result = self.dataset, self.result
        kept, answer_of = self.estimator._answers
        if kept != self.tree:
            self._refuse("the answers belong to another tree")
        answers = answer_of[leaf_of]
        wrong = answers != dataset.target
        costs = 1 - np.eye(dataset.n_classes) if self.costs is None else self.costs
        leaves = float(self.estimator.complexity) * self.tree.n_leaves
        paid = float((dataset.weights * costs[dataset.target, answers]).sum()) + leaves
        most = float(dataset.weights.sum()) * float(costs.max(initial=0)) + leaves
        if abs(paid - result.objective) > (1e-9 + 4 * self.scale.rounding) * max(1.0, most):
            self._refuse(f"the answers cost {paid}, and the result says {result.objective}")
        if int(wrong.sum()) != result.errors:
            self._refuse(f"{int(wrong.sum())} rows are answered wrongly, and the result says {result.errors}")
        weight = float(dataset.weights[wrong].sum())
        if not math.isclose(weight, result.weighted_errors, rel_tol=1e-9, abs_tol=1e-12):
            self._refuse(f"their weight is {weight}, and the result says {result.weighted_errors}")

    def _check_bounds(self) -> None:
        result = self.result
        tolerance = 1e-9 * max(1.0, abs(result.objective))
        if result.status not in STATES:
            self._refuse(f"{result.status!r} is no status")
        if result.lower_bound > result.objective + tolerance:
            self._refuse(f"the lower bound {result.lower_bound} exceeds the objective {result.objective}")
        if result.is_optimal and result.gap > tolerance:
            self._refuse(f"the status is optimal, and there is a gap of {result.gap}")
        if result.status == "gap" and result.gap > self.estimator.max_gap + tolerance:
            self._refuse(f"the gap is {result.gap}, and max_gap is {self.estimator.max_gap}")
