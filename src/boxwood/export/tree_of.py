"""The tree of whatever a caller gives: a `Tree`, an estimator of boxwood's, a tree of scikit-learn's.

Whoever has no tree is refused with what would do: a forest has many trees, a pipeline has one in its last
step, a search has its best estimator. "Not fitted" is said only of estimators that will have a tree.
"""

from __future__ import annotations

from typing import Any

from boxwood.tree import Tree


def tree_of(model: Any, taker: str, *, theirs: bool = False) -> Tree:
    """The tree of a model.

    Parameters
    ----------
    model
        What the caller gave.
    taker
        Who asks, for messages: the name of a function.
    theirs
        Whether a fitted tree of scikit-learn will do too.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from boxwood import TreeRegressor
    >>> tree_of(TreeRegressor().fit([[1.0], [2.0]], [3.0, 4.0]), "rules")
    Tree(regression, 2 leaves, depth 1, 1 feature)
    >>> tree_of(make_pipeline(TreeRegressor()), "rules")
    Traceback (most recent call last):
    ...
    TypeError: rules takes a Tree or a fitted tree estimator of boxwood, not a Pipeline: give its last step, \
model[-1], whose columns are what the steps before it make
    """
    if isinstance(model, Tree):
        return model
    tree = getattr(model, "tree_", None)
    if isinstance(tree, Tree):
        return tree
    if theirs and _is_theirs(model):
        from boxwood.export.sklearn import from_sklearn

        return from_sklearn(model)
    if hasattr(model, "fit") and _has_a_tree_when_fitted(model):
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(model, "tree_")
    kinds = "boxwood or scikit-learn" if theirs else "boxwood"
    name = model.__name__ if isinstance(model, type) else type(model).__name__
    what = f"the class {name}" if isinstance(model, type) else f"a {name}"
    raise TypeError(
        f"{taker} takes a Tree or a fitted tree estimator of {kinds}, not {what}{_remedy(model, theirs)}"
    )


def _is_theirs(model: Any) -> bool:
    from sklearn.tree import BaseDecisionTree
    from sklearn.tree._tree import Tree as Theirs

    return isinstance(model, (BaseDecisionTree, Theirs))


def _has_a_tree_when_fitted(model: Any) -> bool:
    """Whether it is one of boxwood's estimators, or derived from one."""
    return not isinstance(model, type) and any(
        kind.__module__ == "boxwood.estimators.tree_estimator" for kind in type(model).__mro__
    )


def _remedy(model: Any, theirs: bool) -> str:
    """What the caller can do, as the end of a sentence."""
    if isinstance(model, type):
        return ": make an object of it, and fit that"
    if hasattr(model, "steps"):
        return ": give its last step, model[-1], whose columns are what the steps before it make"
    if hasattr(model, "best_estimator_"):
        return ": give its best_estimator_"
    if _is_theirs(model):
        return ", which is a tree of scikit-learn's already; boxwood.from_sklearn makes a Tree of it"
    members = getattr(model, "estimators_", None)
    if members is not None:
        if not theirs and _is_theirs(next(iter(_flat(members)), None)):
            return ", which has many trees, all of them scikit-learn's already"
        return ", which has many trees: give one of its estimators_"
    return ""


def _flat(members: Any) -> list[Any]:
    """The estimators of an ensemble, which may stand in an array, a list or a list of lists."""
    found: list[Any] = []
    for member in members:
        found += list(member) if isinstance(member, list) or hasattr(member, "ravel") else [member]
    return found
