"""Trees from scikit-learn, and trees for scikit-learn: the same predictions on either side.

The two libraries ask ``x <= threshold`` of different numbers. scikit-learn rounds every cell to float32 and
compares that with a float64 threshold; a `Tree` compares the cell as it is. So a threshold that is only
copied sends the cells in a small neighbourhood of it the other way.

*Coming in*, each threshold t moves to the largest float64 that scikit-learn would send left (`last_left`).
Let f be the largest float32 that is at most t, and g the next float32 above f. A cell goes left if and only
if it rounds to f or below. Rounding is to the nearest, to the even one of two that are equally near, so that
is every cell up to the midpoint of f and g, which is a float64; the midpoint itself goes left where f is the
even one. Cells beyond float32 round to an infinity, which scikit-learn refuses before it asks. An infinite
threshold, its way to separate missing cells from all others, becomes a test for missing values; that has
its branch for missing cells first, where scikit-learn has it second.

*Going out*, a threshold stays as it is. A cell that is a float32 number already is not rounded, so it goes
the same way in both; for any other cell nothing can be promised, since scikit-learn never sees it.

What a node knows is translated too. scikit-learn stores class shares (since version 1.3), a tree counts: a
share times the weight, and the whole number that this is up to rounding. For regression it stores the answer
and the impurity; under squared error they give back the sum of squares.

Both directions take time linear in the size of the tree, and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood.data.schema import Column, Schema
from boxwood.export.tree_of import tree_of
from boxwood.tree import STOP, Kind, Tree, arrays
from boxwood.tree.answers import ANSWER, answering_classes
from boxwood.tree.arrays import Floats, Int64s

_INFINITE32 = 2.0**128  # where float32 would go on if it had more room
_SAME_IMPURITY = {"log_loss": "entropy", "friedman_mse": "squared_error"}
_FOR_CLASSES = ("gini", "entropy")
_FOR_NUMBERS = ("squared_error", "absolute_error", "poisson")
_ROUNDING = 8 * np.finfo(np.float64).eps


# ------------------------------------------------------------------------------------------------ coming in


def from_sklearn(
    estimator: Any,
    feature_names: Sequence[str] | None = None,
    *,
    classes: ArrayLike | None = None,
    criterion: str | None = None,
) -> Tree:
    """Make a `Tree` of a fitted scikit-learn tree. It sends every row where scikit-learn sends it.

    Thresholds move a little: to the largest float64 that scikit-learn, which rounds cells to float32, sends
    left. So the predictions are the same for all rows that scikit-learn accepts, whether they are float32
    numbers or not, missing values included.

    Parameters
    ----------
    estimator : DecisionTreeClassifier or DecisionTreeRegressor, or sklearn.tree._tree.Tree
        The fitted estimator (an extra tree will do as well), or its ``tree_``. The trees of a forest are in
        its ``estimators_``. Trees with several outputs are refused.
    feature_names : sequence of str, default=None
        Names of the columns; None takes those that the estimator was fitted with, or else x0, x1, ...
    classes : array-like, default=None
        The class labels, only for a bare ``tree_``, which does not know them; None means 0, 1, ... (or a
        regression tree, where it has one value per node).
    criterion : str, default=None
        How a bare ``tree_``, which does not know it, was grown; None means "gini", or "squared_error" for
        regression.

    Returns
    -------
    Tree
        With ``log_loss`` called "entropy", and ``friedman_mse``, whose impurity it is, "squared_error". The
        score of a split is the impurity that it takes away, per unit of the node's weight.

    Notes
    -----
    The sums of a regression tree are those of its leaves, added up. For "squared_error" they are the sums of
    the training rows. Other criteria do not tell how far the numbers of a leaf lie apart; the sums are then
    those of as many rows that all have the answer of their leaf.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from boxwood import from_sklearn
    >>> X, y = load_iris(return_X_y=True)
    >>> fitted = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, y)
    >>> tree = from_sklearn(fitted, ["sepal_l", "sepal_w", "petal_l", "petal_w"])
    >>> tree
    Tree(classification, 3 leaves, depth 2, 4 features, 3 classes)
    >>> bool((tree.predict_counts(list(X.T)).argmax(axis=1) == fitted.predict(X)).all())
    True
    """
    theirs, names, classes, criterion = _opened(estimator, feature_names, classes, criterion)
    order, first_child = _breadth_first(theirs)
    leaf = first_child < 0
    n = len(order)
    is_missing = np.logical_or(*_tests_missing(theirs))[order]
    threshold = np.where(is_missing, np.nan, last_left(theirs.threshold[order]))
    threshold[leaf] = arrays.LEAF_THRESHOLD
    missing = np.where(leaf, STOP, np.where(theirs.missing_go_to_left[order].astype(bool) | is_missing, 0, 1))
    weight = theirs.weighted_n_node_samples[order]
    impurity = theirs.impurity[order]
    contents: dict[str, Any] = {
        "n_rows": theirs.n_node_samples[order],
        "weight": weight,
        "impurity": impurity,
    }
    contents["score"] = _decreases(weight, impurity, first_child)
    extra: dict[str, Any] = {}
    if classes is not None:
        contents["counts"], extra = _counts(theirs.value[order, 0, :], weight)
    else:
        squared = criterion == "squared_error"
        contents["answer"] = theirs.value[order, 0, 0]
        contents["sums"] = _sums(
            contents["answer"], weight, impurity if squared else 0 * impurity, first_child
        )
    kind = np.where(leaf, Kind.LEAF, np.where(is_missing, Kind.IS_MISSING, Kind.THRESHOLD))
    return Tree.from_arrays(
        schema=Schema(tuple(Column(name, "numeric", "float") for name in names[0]), named=names[1]),
        classes=classes,
        criterion=criterion,
        extra=extra,
        copy=False,
        kind=kind.astype(np.int8),
        feature=np.where(leaf, arrays.LEAF_FEATURE, theirs.feature[order]),
        threshold=threshold,
        first_child=first_child,
        n_children=np.where(leaf, 0, 2),
        missing_branch=missing,
        unknown_branch=missing,
        category_offset=np.zeros(n + 1, dtype=np.int64),
        category_code=np.zeros(0, dtype=np.int32),
        category_branch=np.zeros(0, dtype=np.int32),
        **contents,
    )


def last_left(threshold: ArrayLike) -> Floats:
    """The largest float64 that is at most `threshold` once it is rounded to float32; see the top of the file.

    >>> float(last_left(0.5)) == 0.5 + 2**-25  # halfway to the next float32, and 0.5 is the even one
    True
    """
    wanted = np.asarray(threshold, dtype=np.float64)
    wanted = np.where(np.isnan(wanted), -np.inf, wanted)  # nothing is at most NaN either
    upwards, downwards = np.float32(np.inf), np.float32(-np.inf)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        below = wanted.astype(np.float32)
        below = np.where(below > wanted, np.nextafter(below, downwards), below)
        above = np.nextafter(below, upwards)
        middle = (_wide(below) + _wide(above)) / 2  # exact: neighbours differ in their last digit
        last = np.where(middle.astype(np.float32) <= below, middle, np.nextafter(middle, -np.inf))
    return np.where(below == np.inf, np.finfo(np.float64).max, last)


def _wide(single: NDArray[np.float32]) -> Floats:
    """As float64, with the infinities where the next float32 would be."""
    return np.clip(single.astype(np.float64), -_INFINITE32, _INFINITE32)


def _opened(
    estimator: Any, feature_names: Sequence[str] | None, classes: ArrayLike | None, criterion: str | None
) -> tuple[Any, tuple[list[str], bool], ArrayLike | None, str]:
    """The scikit-learn ``tree_``, the names of its columns (are they real?), classes, criterion."""
    from sklearn.base import is_classifier
    from sklearn.tree import BaseDecisionTree
    from sklearn.tree._tree import Tree as Theirs
    from sklearn.utils.validation import check_is_fitted

    if isinstance(estimator, BaseDecisionTree):
        check_is_fitted(estimator)
        if classes is not None or criterion is not None:
            given = "classes" if classes is not None else "criterion"
            raise ValueError(
                f"{given} is for a bare tree_; a fitted {type(estimator).__name__} knows its own"
            )
        theirs = estimator.tree_
        classes = estimator.classes_ if is_classifier(estimator) else None
        found = estimator.criterion
        criterion = found if isinstance(found, str) else type(found).__name__
        if feature_names is None:
            feature_names = getattr(estimator, "feature_names_in_", None)
    elif isinstance(estimator, Theirs):
        theirs = estimator
    else:
        if isinstance(estimator, Tree) or isinstance(getattr(estimator, "tree_", None), Tree):
            _no_import("it is one of boxwood's already")
        if hasattr(estimator, "estimators_"):
            _no_import(f"a {type(estimator).__name__} has many trees: give one of its estimators_")
        _no_import(f"it takes a fitted scikit-learn tree, not a {type(estimator).__name__}")
    if theirs.n_outputs != 1:
        raise ValueError(
            f"a tree with {theirs.n_outputs} outputs is not imported: a boxwood Tree has one answer. "
            "Fit one scikit-learn tree for each output."
        )
    if theirs.node_count < 1:
        raise ValueError("the scikit-learn tree has no nodes: it has not been fitted")
    if classes is None and theirs.n_classes[0] > 1:  # a bare tree
        classes = np.arange(theirs.n_classes[0])
    if criterion is None:
        criterion = "squared_error" if classes is None else "gini"
    named = feature_names is not None
    names = [f"x{j}" for j in range(theirs.n_features)] if feature_names is None else list(feature_names)
    if len(names) != theirs.n_features:
        raise ValueError(f"{len(names)} feature_names are given for {theirs.n_features} columns")
    if classes is not None and np.shape(classes) != (theirs.n_classes[0],):
        raise ValueError(
            f"classes has shape {np.shape(classes)}, and the tree has {theirs.n_classes[0]} classes"
        )
    return theirs, (list(map(str, names)), named), classes, _SAME_IMPURITY.get(criterion, criterion)


def _no_import(why: str) -> NoReturn:
    raise TypeError(f"from_sklearn cannot import this: {why}")


def _tests_missing(theirs: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Where missing cells go left and present ones right, and where it is the other way round.

    The threshold is infinite then, or NaN: scikit-learn before 1.8 writes that where a cut falls between the
    largest number and the missing cells.
    """
    inner, to_left = theirs.children_left >= 0, theirs.missing_go_to_left.astype(bool)
    nothing = np.isnan(theirs.threshold) | (theirs.threshold == -np.inf)
    return inner & to_left & nothing, inner & ~to_left & (theirs.threshold == np.inf)


def _breadth_first(theirs: Any) -> tuple[Int64s, Int64s]:
    """Their nodes in our order, level by level, and our number of the first child of each (-1 for a leaf)."""
    _, swapped = _tests_missing(theirs)
    left, right = theirs.children_left, theirs.children_right
    level = np.zeros(1, dtype=np.int64)
    levels = []
    while level.size:
        levels.append(level)
        inner = level[left[level] >= 0]
        families = np.stack((left[inner], right[inner]), axis=1)
        families[swapped[inner]] = families[swapped[inner], ::-1]
        level = families.ravel()
    order = np.concatenate(levels)
    inner = left[order] >= 0
    first_child = np.where(inner, 2 * np.cumsum(inner) - 1, arrays.LEAF_CHILD)
    return order, first_child


def _decreases(weight: Floats, impurity: Floats, first_child: Int64s) -> Floats:
    """The impurity that each split takes away; NaN for leaves."""
    inner = first_child > 0
    score = np.full(len(weight), np.nan)
    below = arrays.child_sums(weight * impurity, first_child.astype(np.int32))
    score[inner] = impurity[inner] - below / weight[inner]
    return score


def _counts(shares: Floats, weight: Floats) -> tuple[Floats, dict[str, Any]]:
    """Class counts from shares; and the answers, where rounding has taken the lead from a class."""
    counts = shares * weight[:, np.newaxis]
    whole = np.rint(counts)
    counts = np.where(np.abs(counts - whole) <= _ROUNDING * weight[:, np.newaxis], whole, counts)
    answers = shares.argmax(axis=1)
    if np.array_equal(counts.argmax(axis=1), answers):
        return counts, {}
    return counts, {ANSWER: answers.astype(np.float64)}


def _sums(answer: Floats, weight: Floats, variance: Floats, first_child: Int64s) -> Floats:
    """The sums of w, wy and wy²: those of the leaves, added up from the last level to the first."""
    sums = np.stack((weight, weight * answer, weight * (np.maximum(variance, 0.0) + answer**2)), axis=1)
    inner = np.flatnonzero(first_child > 0)
    child = first_child[inner]
    end = len(inner)
    while end:  # all nodes at the end whose children are complete: a level or more at a time
        begin = int(np.searchsorted(child[:end], inner[end - 1], side="right"))
        sums[inner[begin:end]] = sums[child[begin:end]] + sums[child[begin:end] + 1]
        end = begin
    return sums


# ------------------------------------------------------------------------------------------------ going out


def to_sklearn(model: Any) -> Any:
    """Make a fitted scikit-learn estimator of a tree.

    It is a real ``DecisionTreeClassifier`` or ``DecisionTreeRegressor``: predicting, ``apply``,
    ``decision_path``, ``export_text``, ``plot_tree``, pickling and whatever else works on those works on it.

    scikit-learn rounds cells to float32. The predictions are the same for every row whose cells are float32
    numbers (or missing); a cell that is not may fall on the other side of a threshold very near to it.

    Parameters
    ----------
    model : Tree or estimator of boxwood
        The tree, or a fitted estimator, whose ``tree_`` is taken.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier or sklearn.tree.DecisionTreeRegressor
        Its nodes are numbered depth first, as scikit-learn does. All its parameters but ``criterion`` have
        their default values, and a criterion that scikit-learn does not have is "gini" there ("entropy" for
        gain ratio), so fitting a clone of it grows another tree. scikit-learn before 1.8 accepts no missing
        values where ``criterion`` is "absolute_error".

    Raises
    ------
    ValueError
        If scikit-learn has no such tree: it knows neither categories nor splits of more than two branches,
        sends missing values left or right and nowhere else, has no surrogates, and always answers with the
        heaviest class of a leaf.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, to_sklearn
    >>> penguins, species, *_ = load_penguins()
    >>> numbers = {name: penguins[name] for name in ("bill_length_mm", "flipper_length_mm")}
    >>> model = TreeClassifier(max_depth=2).fit(numbers, species)
    >>> theirs = to_sklearn(model)
    >>> theirs, theirs.get_depth()
    (DecisionTreeClassifier(), 2)
    """
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from sklearn.tree._tree import NODE_DTYPE
    from sklearn.tree._tree import Tree as Theirs

    tree = _tree_to_export(model)
    _refuse_foreign_splits(tree)
    value = tree.value if tree.counts is None else _shares(tree)
    is_missing = tree.kind == Kind.IS_MISSING
    left, right = tree.children_left, tree.children_right
    left, right = np.where(is_missing, right, left), np.where(is_missing, left, right)
    number = _depth_first(tree, left, right)
    inner = ~tree.is_leaf
    nodes = np.zeros(tree.n_nodes, dtype=NODE_DTYPE)
    fields: dict[str, NDArray[Any]] = {
        "left_child": np.where(inner, number[left], -1),
        "right_child": np.where(inner, number[right], -1),
        "feature": tree.feature,
        "threshold": np.where(is_missing, np.inf, tree.threshold),
        "impurity": tree.impurity,
        "n_node_samples": tree.n_rows,
        "weighted_n_node_samples": tree.weight,
        "missing_go_to_left": inner & ~is_missing & (tree.missing_branch == 0),
    }
    for name, array in fields.items():
        nodes[name][number] = array
    values = np.empty_like(value)
    values[number] = value

    named = {"gain_ratio": "entropy"}.get(tree.criterion, tree.criterion)
    if tree.classes is None:
        estimator = DecisionTreeRegressor(criterion=named if named in _FOR_NUMBERS else "squared_error")
    else:
        estimator = DecisionTreeClassifier(criterion=named if named in _FOR_CLASSES else "gini")
        estimator.classes_ = np.array(tree.classes)
        estimator.n_classes_ = np.intp(tree.n_classes)
    estimator.n_features_in_ = tree.n_features
    if tree.schema.named:
        estimator.feature_names_in_ = np.array(tree.schema.names, dtype=object)
    estimator.n_outputs_ = 1
    estimator.max_features_ = tree.n_features
    estimator.tree_ = Theirs(tree.n_features, np.array([max(1, tree.n_classes)], dtype=np.intp), 1)
    state = {"max_depth": tree.depth, "node_count": tree.n_nodes, "nodes": nodes, "values": values}
    estimator.tree_.__setstate__(state)
    return estimator


def _tree_to_export(model: Any) -> Tree:
    tree = tree_of(model, "to_sklearn")
    smoothed = getattr(model, "proba", "raw")
    if smoothed != "raw":
        raise ValueError(
            f"{type(model).__name__} smooths its probabilities (proba={smoothed!r}), and a scikit-learn tree "
            "never does. Give its tree_ to have them as they are in the leaves."
        )
    return tree


def _refuse_foreign_splits(tree: Tree) -> None:
    """Raise for the first node that asks what a scikit-learn tree cannot ask."""
    inner = ~tree.is_leaf
    strange = inner & (tree.kind != Kind.THRESHOLD) & (tree.kind != Kind.IS_MISSING)
    values = np.array([column.values for column in tree.schema.columns])
    tested = values[np.where(inner, tree.feature, 0)]
    in_time = inner & np.isin(tested, ("date", "duration"))
    categorical = inner & (tested == "category")
    lost = inner & ((tree.missing_branch < 0) | (tree.missing_branch > 1))
    wrong = strange | categorical | in_time | lost | (np.diff(tree.surrogate_offset) > 0)
    if not wrong.any():
        return
    node = int(np.argmax(wrong))
    # Not "with missing='learn'" alone, which the rules of a C45Classifier do not go together with.
    criterion = "criterion='gain_ratio', " if tree.criterion == "gain_ratio" else ""
    grower = f"Tree{'Regressor' if tree.classes is None else 'Classifier'}({criterion}missing='learn')"
    if categorical[node]:
        why = "is categorical, and scikit-learn's trees know numbers only. Encode the column before growing"
    elif in_time[node]:
        why = f"holds {tested[node]}s, and scikit-learn has another unit. Make them numbers before growing"
    elif tree.missing_branch[node] == 2:
        why = (
            "has a branch of its own for missing values, and scikit-learn sends them left or right. Grow the "
            "tree with missing='learn'"
        )
    elif tree.missing_branch[node] == STOP:
        why = "lets missing values end there, and scikit-learn sends them left or right"
    elif lost[node]:
        why = (
            "divides rows with a missing value among its branches, and scikit-learn sends them left or "
            f"right. Grow the tree with {grower}"
        )
    else:
        why = "has surrogates, which scikit-learn does not know. Grow the tree with missing='learn'"
    name = tree.schema.names[tree.feature[node]]
    raise ValueError(f"scikit-learn has no such tree: node {node} tests column {name!r}, which {why}.")


def _shares(tree: Tree) -> Floats:
    """Class shares in which the largest belongs to the class that the tree answers with."""
    assert tree.counts is not None
    assert tree.classes is not None
    shares = tree.value.copy()
    answers = answering_classes(tree)
    heaviest = tree.counts.argmax(axis=1)
    behind = tree.counts.max(axis=1) - tree.counts[np.arange(tree.n_nodes), answers]
    wrong = tree.is_leaf & (behind > _ROUNDING * tree.weight)
    if wrong.any():
        node = int(np.argmax(wrong))
        label = tree.classes.tolist()
        raise ValueError(
            f"scikit-learn has no such tree: node {node} answers {label[answers[node]]!r}, and its heaviest "
            f"class, with which scikit-learn always answers, is {label[heaviest[node]]!r}. Grow the tree "
            "without cost_matrix."
        )
    # Two counts may differ where their shares, being rounded, do not; and of equal ones the first wins.
    tied = np.flatnonzero(tree.is_leaf & (shares[:, 0].argmax(axis=1) != answers))
    shares[tied, 0, answers[tied]] = np.nextafter(shares[tied, 0].max(axis=1), 2.0)
    return shares


def _depth_first(tree: Tree, left: Int64s, right: Int64s) -> Int64s:
    """The number of each node in the order node, everything on its left, everything on its right."""
    bounds = np.searchsorted(tree.node_depth, np.arange(tree.depth + 2)).tolist()
    levels = [np.arange(begin, end) for begin, end in pairwise(bounds)]
    inner = [level[~tree.is_leaf[level]] for level in levels]
    size = np.ones(tree.n_nodes, dtype=np.int64)
    for nodes in reversed(inner):
        size[nodes] += size[left[nodes]] + size[right[nodes]]
    number = np.zeros(tree.n_nodes, dtype=np.int64)
    for nodes in inner:
        number[left[nodes]] = number[nodes] + 1
        number[right[nodes]] = number[nodes] + 1 + size[left[nodes]]
    return number


__all__ = ["from_sklearn", "last_left", "to_sklearn"]
