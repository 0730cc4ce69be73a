"""`boxwood.prune`: one function for every method of pruning and every kind of tree.

No algorithm lives here: the model is opened, rows are encoded under its schema, a pruner of
:mod:`boxwood.pruning` does the work, and the answer is put into the form that the model had.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.tree import BaseDecisionTree
from sklearn.utils.validation import check_is_fitted

from boxwood.data import Dataset, dataset_under
from boxwood.estimators.class_answers import ANSWER, ClassAnswers, answering_classes
from boxwood.estimators.greedy_estimator import GreedyEstimator
from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier
from boxwood.estimators.pruning_choice import check_cost_matrix, class_scale, make_pruner
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.export.sklearn import from_sklearn, to_sklearn
from boxwood.pruning import Material, Pruner
from boxwood.pruning.pruner import MUST, NO
from boxwood.tree import Tree


def prune(
    model: Any,
    method: str | Pruner,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    X_val: Any = None,
    y_val: Any = None,
) -> Any:
    """Prune a tree, and return what was given: a tree, or a fitted estimator.

    Parameters
    ----------
    model : Tree, estimator of boxwood, or scikit-learn DecisionTreeClassifier or DecisionTreeRegressor
        The tree to prune. It is not changed. A scikit-learn tree must have grown on float32 numbers to
        predict as it did, which it always has.
    method : str or pruner
        A name ("rep", "ebp", "ccp", "pep", "mep", "cvp", "mdl", "optimal_size", "same_answer", or a longer
        one of :data:`boxwood.pruning.PRUNERS`) or a pruner with parameters.
    X, y, sample_weight : default=None
        The rows that the model was grown on, for methods that move them to other branches (error-based
        pruning with subtree raising) or grow again on parts of them (cost complexity without a price).
    X_val, y_val : default=None
        Rows that the model has not seen, for methods that judge on them (reduced error; cost complexity
        without a price, in place of folds). Their classes weigh what they did in ``fit``. (scikit-learn's
        trees do not remember what "balanced" came to: there, the rows that are given are balanced.)

    Returns
    -------
    Tree, or an estimator of the same class as `model`
        Compact: nodes that were pruned are gone.

    Raises
    ------
    ValueError
        If the method needs rows that are not given; it names the arguments. Or if it has no use for rows that
        are.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import ErrorBased
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> prune(model, "mdl").get_n_leaves()
    5
    >>> prune(model.tree_, ErrorBased(confidence=0.1))
    Tree(classification, 9 leaves, depth 4, 7 features, 3 classes)
    >>> prune(model, "rep")
    Traceback (most recent call last):
    ...
    ValueError: ReducedError needs rows that the tree was not grown on: give them as X_val and y_val, or let \
an estimator hold them out itself (pruning=ReducedError(validation=0.1)).
    """
    pruner = make_pruner(method)
    pruner._check()
    _refuse_needless(pruner, X, y, sample_weight, X_val, y_val)
    if isinstance(model, Tree):
        opened = _Opened(tree=model, close=lambda tree: tree)
    elif isinstance(model, BaseDecisionTree):
        opened = _open_theirs(model)
    elif isinstance(model, TreeEstimator):
        check_is_fitted(model)
        opened = _open_ours(model)
    else:
        raise TypeError(
            "prune takes a Tree, a fitted tree estimator of boxwood, or a fitted scikit-learn "
            f"DecisionTreeClassifier or DecisionTreeRegressor, not a {type(model).__name__}"
        )
    return opened.close(pruner.prune(opened.tree, opened.material(X, y, sample_weight, X_val, y_val)))


def _refuse_needless(pruner: Pruner, X: Any, y: Any, sample_weight: Any, X_val: Any, y_val: Any) -> None:
    """Raise for rows that the method has no use for, and for rows without their target."""
    name = type(pruner).__name__
    for table, target, wanted, names in (
        (X, y, pruner.rows_wanted, ("X", "y")),
        (X_val, y_val, pruner.validation_wanted, ("X_val", "y_val")),
    ):
        if (table is None) != (target is None):
            given, lacking = names if target is None else names[::-1]
            raise ValueError(f"{given} is given without {lacking}: give both.")
        if table is not None and wanted == NO:
            remedy = "leave them out"
            if pruner.validation_wanted == MUST:
                remedy = "give rows that the model has not seen as X_val and y_val"
            raise ValueError(f"{name} has no use for {names[0]} and {names[1]} as it is set: {remedy}.")
    if sample_weight is not None and X is None:
        raise ValueError("sample_weight is given without X: it belongs to the rows of X.")
    if X is not None and X_val is not None and MUST not in (pruner.rows_wanted, pruner.validation_wanted):
        raise ValueError(f"{name} takes X and y or X_val and y_val, not both.")


@dataclass(frozen=True, eq=False, kw_only=True)
class _Opened:
    """A tree, what is known about it, and the way back to what was given."""

    tree: Tree
    close: Callable[[Tree], Any]
    known: Material = field(default_factory=Material)
    class_weight: Any = None
    owner: str = "prune"
    pooled: bool = False  # whether growth pooled categories, which the tree's schema then lacks

    def material(self, X: Any, y: Any, sample_weight: Any, X_val: Any, y_val: Any) -> Material:
        """What the pruner is told."""
        tree = self.tree
        rows = validation = None
        if X is not None:
            rows = dataset_under(
                tree.schema,
                tree.classes,
                X,
                y,
                sample_weight,
                self.class_weight,
                self.owner,
                own_categories=self.pooled,
            )
        if X_val is not None:
            validation = dataset_under(
                tree.schema, tree.classes, X_val, y_val, None, self.class_weight, owner=self.owner
            )
        return replace(self.known, rows=rows, validation=validation)


def _open_ours(model: TreeEstimator) -> _Opened:
    """A fitted estimator of boxwood; the answer is a copy of it."""

    def close(tree: Tree) -> TreeEstimator:
        pruned = copy.copy(model)
        if isinstance(pruned, OptimalTreeClassifier):
            pruned._keep_pruned(tree)
            return pruned
        pruned.tree_ = tree
        if isinstance(pruned, ClassAnswers):
            pruned._remember_answers(answering_classes(tree))
        return pruned

    owner, tree = type(model).__name__, model.tree_
    class_weight = getattr(model, "class_weight", None)
    by_class = getattr(model, "_by_class", None)  # what fit made of it
    weights = class_weight if by_class is None or tree.classes is None else _by_label(tree.classes, by_class)
    costs = getattr(model, "cost_matrix", None)
    if costs is not None and tree.classes is not None:
        costs = check_cost_matrix(costs, tree.classes)
    known = Material(costs=costs, scale=class_scale(tree, class_weight))
    if isinstance(model, GreedyEstimator):
        known = replace(model._material(tree, costs, model._used_criterion()), grow=model._grow_again(costs))
    pooled = getattr(model, "min_samples_category", None) is not None
    return _Opened(tree=tree, close=close, known=known, class_weight=weights, owner=owner, pooled=pooled)


def _by_label(classes: NDArray[Any], by_class: NDArray[np.float64]) -> dict[Any, float]:
    """Class weights as a dict."""
    return dict(zip(classes.tolist(), by_class.tolist(), strict=True))


def _open_theirs(model: Any) -> _Opened:
    """A fitted scikit-learn tree; the answer is a copy of it with a tree of its own."""
    tree = from_sklearn(model)

    def close(pruned_tree: Tree) -> Any:
        pruned = copy.copy(model)
        pruned.tree_ = to_sklearn(pruned_tree).tree_
        return pruned

    def grow(part: Dataset) -> Tree:
        X = np.column_stack(part.columns)
        y = part.target if part.classes is None else part.classes[part.target]
        names = tree.schema.names if tree.schema.named else None
        grown = from_sklearn(
            clone(model).set_params(class_weight=None).fit(X, y, sample_weight=part.weights)
            if is_classifier(model)
            else clone(model).fit(X, y, sample_weight=part.weights),
            names,
        )
        return grown if tree.classes is None else _with_classes(grown, tree)

    class_weight = getattr(model, "class_weight", None)
    known = Material(
        scale=class_scale(tree, class_weight), grow=grow, random_state=getattr(model, "random_state", None)
    )
    return _Opened(tree=tree, close=close, known=known, class_weight=class_weight, owner=type(model).__name__)


def _with_classes(tree: Tree, like: Tree) -> Tree:
    """A tree grown on part of the rows, with all classes of another one."""
    assert tree.classes is not None
    assert tree.counts is not None
    assert like.classes is not None
    if len(tree.classes) == len(like.classes):
        return tree
    place = np.searchsorted(like.classes, tree.classes)
    counts = np.zeros((tree.n_nodes, like.n_classes))
    counts[:, place] = tree.counts
    fields = tree._fields() | {"counts": counts, "classes": like.classes}
    if ANSWER in tree.extra:
        fields["extra"] = {**tree.extra, ANSWER: place[answering_classes(tree)].astype(np.float64)}
    return Tree._make(**fields)
