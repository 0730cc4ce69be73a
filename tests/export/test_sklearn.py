"""Trees from and for scikit-learn: the same predictions on either side, missing values included."""

from __future__ import annotations

import math
import pickle
import re
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ExtraTreeClassifier,
    export_text,
    plot_tree,
)

import boxwood
from boxwood import (
    C45Classifier,
    OptimalTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    from_sklearn,
    to_sklearn,
)
from boxwood.data import Column, Schema
from boxwood.export.sklearn import last_left
from boxwood.tree import IsMissing, Multiway, Subset, Threshold, Tree, build_tree, leaf, node
from boxwood.tree.answers import ANSWER, answering_classes

TINY, LARGE = 2.0**-149, float(np.finfo(np.float32).max)
SPECIAL = [
    0.0,
    5e-324,
    TINY / 4,
    TINY / 2,
    TINY,
    1.5 * TINY,
    2.5 * TINY,
    2.0**-126,
    2.0**-126 - TINY,
    0.1,
    1.0,
]
SPECIAL += [1 + 2.0**-24, 1 + 2.0**-23, 1 + 3 * 2.0**-24, 2.0**24 + 1, 1e30, LARGE, LARGE + 2.0**102]
SPECIAL += [LARGE + 2.0**103, 2.0**128, 1e300, float(np.finfo(np.float64).max), math.inf]


def goes_left(x: float, threshold: float) -> bool:
    """What scikit-learn asks."""
    with np.errstate(over="ignore"):
        return bool(np.float64(np.float32(x)) <= threshold)


@pytest.mark.parametrize("threshold", [*SPECIAL, *(-value for value in SPECIAL)])
def test_the_threshold_is_the_last_number_that_goes_left(threshold):
    last = float(last_left(threshold))
    assert math.isfinite(last)
    assert goes_left(last, threshold)
    assert not goes_left(math.nextafter(last, math.inf), threshold) or threshold == math.inf


@given(st.floats(allow_nan=False) | st.floats(width=32, allow_nan=False))
def test_the_threshold_is_the_last_number_that_goes_left_anywhere(threshold):
    last = float(last_left(threshold))
    assert goes_left(last, threshold)
    assert not goes_left(math.nextafter(last, math.inf), threshold) or threshold == math.inf


# --------------------------------------------------------------------------------------- a thousand trees


def cells_around(thresholds: np.ndarray, rng: np.random.Generator, n: int) -> np.ndarray:
    """Numbers at, beside and between thresholds, most of them no float32 numbers."""
    known = thresholds[np.isfinite(thresholds) & (np.abs(thresholds) < 1e30)]
    known = known if known.size else np.zeros(1)
    near = rng.choice(known, n)
    step = rng.choice([0.0, 2.0**-54, 2.0**-26, 2.0**-25, 2.0**-24, 2.0**-23, 0.1], n) * rng.choice(
        [-1, 1], n
    )
    return np.where(rng.random(n) < 0.8, near * (1 + step), rng.normal(size=n))


def random_fit(seed: int) -> tuple[object, np.ndarray]:
    """A tree that scikit-learn has grown, and float64 rows around its thresholds."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(5, 60)), int(rng.integers(1, 5))
    X = rng.choice([rng.normal(size=(n, d)), rng.integers(0, 4, (n, d)) / 3])
    if seed % 2:
        X[rng.random((n, d)) < 0.2] = np.nan
    weights = None if seed % 3 else rng.integers(1, 10, n) / 10
    depth = int(rng.integers(1, 8))
    if seed % 4 == 3:
        model = DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, rng.normal(size=n), weights)
    elif seed % 8 == 6:
        model = ExtraTreeClassifier(max_depth=depth, random_state=0).fit(
            np.nan_to_num(X), rng.integers(0, 3, n), weights
        )
    else:
        model = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, rng.integers(0, 3, n), weights)
    rows = np.column_stack([cells_around(model.tree_.threshold, rng, 60) for _ in range(d)])
    if seed % 2:
        rows[rng.random(rows.shape) < 0.3] = np.nan
    return model, rows


def answers(tree: Tree, rows: np.ndarray) -> np.ndarray:
    """What a tree of ours predicts."""
    ends = tree.apply(list(np.ascontiguousarray(rows.T)))
    return tree.answer[ends] if tree.classes is None else tree.classes[answering_classes(tree)[ends]]


@pytest.mark.parametrize("block", range(5))
def test_trees_of_scikit_learn_come_in_and_go_back(block):
    for seed in range(100 * block, 100 * block + 100):
        model, rows = random_fit(seed)
        ours = from_sklearn(model)
        assert np.array_equal(answers(ours, rows), model.predict(rows)), seed
        back = to_sklearn(ours)
        assert np.array_equal(back.predict(rows), model.predict(rows)), seed
        again = from_sklearn(back)
        assert np.array_equal(again.threshold, ours.threshold, equal_nan=True), seed
        if np.isnan(model.tree_.threshold).any():
            continue  # scikit-learn before 1.8: the same tree in another order
        assert np.array_equal(back.apply(rows), model.apply(rows)), seed
        assert np.allclose(back.tree_.value, model.tree_.value, rtol=1e-14, atol=0)
        for name in ("feature", "children_left", "children_right", "impurity", "n_node_samples"):
            assert np.array_equal(getattr(back.tree_, name), getattr(model.tree_, name)), (seed, name)


def random_tree(seed: int) -> tuple[Tree, np.ndarray]:
    """A tree of ours, of thresholds and tests for missing values, and float32 rows around its thresholds."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 4))
    schema = Schema(tuple(Column(f"x{j}", "numeric", "float") for j in range(d)), named=bool(seed % 2))
    thresholds = rng.choice(rng.normal(size=8) * 10.0 ** rng.integers(-3, 4), 6)
    if seed % 5 == 0:
        thresholds = thresholds.astype(np.float32).astype(np.float64)

    def grow(depth: int):
        if depth == 0 or rng.random() < 0.2:
            if seed % 3 == 0:
                n, mean = int(rng.integers(1, 9)), float(rng.normal())
                return leaf(sums=(n, n * mean, n * (mean**2 + 1)))
            return leaf([*map(float, rng.integers(0, 3, 3)), 1.0], n_rows=3)
        feature = int(rng.integers(d))
        test = Threshold(feature, float(rng.choice(thresholds)), int(rng.integers(2)))
        return node(IsMissing(feature) if rng.random() < 0.2 else test, [grow(depth - 1), grow(depth - 1)])

    tree = build_tree(grow(int(rng.integers(0, 6))), schema, None if seed % 3 == 0 else list("abcd"))
    rows = np.column_stack([cells_around(thresholds, rng, 60) for _ in range(d)])
    rows[rng.random(rows.shape) < 0.2 * (seed % 2)] = np.nan
    return tree, rows.astype(np.float32).astype(np.float64)


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("block", range(5))
def test_our_trees_go_out_and_come_back(block):
    for seed in range(100 * block, 100 * block + 100):
        tree, rows = random_tree(seed)
        theirs = to_sklearn(tree)
        assert np.array_equal(theirs.predict(rows), answers(tree, rows)), seed
        back = from_sklearn(theirs)
        columns = list(np.ascontiguousarray(rows.T))
        assert np.array_equal(back.apply(columns), tree.apply(columns)), seed
        assert np.array_equal(answers(back, rows), answers(tree, rows)), seed
        assert (back.schema, back.criterion) == (tree.schema, tree.criterion)
        for name in ("kind", "feature", "first_child", "missing_branch", "n_rows", "weight", "counts"):
            assert np.array_equal(getattr(back, name), getattr(tree, name)), (seed, name)
        if tree.classes is None:
            assert np.allclose(back.sums, tree.sums, rtol=1e-12)


# ------------------------------------------------------------------------------------------------ coming in


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, (np.nan_to_num(X[:, 0]) + rng.normal(size=200) / 2 > 0).astype(int), rng.integers(1, 9, 200) / 8


def test_counts_are_whole_again(table):
    X, y, _ = table
    tree = from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    assert np.array_equal(tree.counts, np.rint(tree.counts))
    assert np.array_equal(tree.counts[0], np.bincount(y))
    assert ANSWER not in tree.extra


def test_scores_are_decreases_of_impurity(table):
    X, y, weights = table
    model = DecisionTreeClassifier(criterion="log_loss", max_depth=3, random_state=0).fit(X, y, weights)
    tree = from_sklearn(model)
    assert tree.criterion == "entropy"
    assert np.isnan(tree.score[tree.is_leaf]).all()
    for i in np.flatnonzero(~tree.is_leaf):
        below = sum(tree.weight[j] * tree.impurity[j] for j in tree.children(i)) / tree.weight[i]
        assert math.isclose(tree.score[i], tree.impurity[i] - below, abs_tol=1e-15)
    assert np.allclose(tree.feature_importances(), model.feature_importances_)


def test_regression_sums_are_those_of_the_rows(table):
    X, _, weights = table
    y = np.sin(np.arange(200.0)) * 3 + 5
    model = DecisionTreeRegressor(max_depth=4, random_state=0).fit(X, y, weights)
    tree = from_sklearn(model)
    reached = tree.decision_path(list(X.T)).toarray()
    for k, numbers in enumerate((weights, weights * y, weights * y**2)):
        assert np.allclose(tree.sums[:, k], numbers @ reached)
    assert np.array_equal(answers(tree, X), model.predict(X))


@pytest.mark.parametrize("criterion", ["absolute_error", "poisson", "friedman_mse"])
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_other_criteria_of_regression(table, criterion):
    X, _, weights = np.nan_to_num(table[0]), *table[1:]
    y = np.abs(np.sin(np.arange(200.0)))
    model = DecisionTreeRegressor(criterion=criterion, max_depth=4, random_state=0).fit(X, y, weights)
    tree = from_sklearn(model)
    assert tree.criterion == ("squared_error" if criterion == "friedman_mse" else criterion)
    assert np.array_equal(answers(tree, X), model.predict(X))
    leaves = tree.is_leaf
    if criterion != "friedman_mse":
        assert np.allclose(tree.sums[leaves, 2], tree.weight[leaves] * tree.answer[leaves] ** 2)
    assert np.array_equal(to_sklearn(tree).predict(X), model.predict(X))


def test_trees_of_ensembles(table):
    X, y, _ = table
    forest = RandomForestClassifier(3, random_state=0).fit(X, y)
    for one in forest.estimators_:
        assert np.array_equal(answers(from_sklearn(one), X), one.predict(X))
    boosted = GradientBoostingRegressor(n_estimators=3, random_state=0).fit(np.nan_to_num(X), y)
    for (one,) in boosted.estimators_:  # whose answers are no means of their rows
        assert np.array_equal(answers(from_sklearn(one), np.nan_to_num(X)), one.predict(np.nan_to_num(X)))
    with pytest.raises(
        TypeError, match="a RandomForestClassifier has many trees: give one of its estimators_"
    ):
        from_sklearn(forest)


def test_the_lead_that_rounding_takes_is_kept():
    X = np.zeros((11, 1))
    y = np.array([0] * 1 + [1] * 10)
    weights = np.array([0.9999999999999999] + [0.1] * 10)  # class 1 adds up to the same, one way or another
    for order in (slice(None), slice(None, None, -1)):
        model = DecisionTreeClassifier().fit(X, y[order], weights[order])
        tree = from_sklearn(model)
        assert np.array_equal(answers(tree, X), model.predict(X))
        assert np.array_equal(to_sklearn(tree).predict(X), model.predict(X))


def test_names_of_columns(table):
    pd = pytest.importorskip("pandas")
    X, y, _ = table
    model = DecisionTreeClassifier(max_depth=2).fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    tree = from_sklearn(model)
    assert tree.schema.names == ("a", "b", "c")
    assert tree.schema.named
    assert list(to_sklearn(tree).feature_names_in_) == ["a", "b", "c"]
    assert from_sklearn(model, ["x", "y", "z"]).schema.names == ("x", "y", "z")
    bare = from_sklearn(model.tree_)
    assert bare.schema.names == ("x0", "x1", "x2")
    assert not bare.schema.named
    assert not hasattr(to_sklearn(bare), "feature_names_in_")
    assert from_sklearn(model.tree_, classes=["no", "yes"], criterion="entropy").classes.tolist() == [
        "no",
        "yes",
    ]
    with pytest.raises(ValueError, match="2 feature_names are given for 3 columns"):
        from_sklearn(model, ["x", "y"])
    with pytest.raises(ValueError, match=r"classes has shape \(3,\), and the tree has 2 classes"):
        from_sklearn(model.tree_, classes=[1, 2, 3])
    with pytest.raises(ValueError, match="classes is for a bare tree_"):
        from_sklearn(model, classes=["no", "yes"])


def test_a_test_for_missing_values_reads_as_one():
    X, y = np.array([[1.0], [2.0], [np.nan], [3.0]]), [0, 0, 1, 0]
    model = DecisionTreeClassifier().fit(X, y)
    tree = from_sklearn(model)
    assert tree.split(0) == IsMissing(0, 0)
    assert "x0 is missing" in str(tree)
    assert to_sklearn(tree).tree_.threshold[0] == math.inf
    assert to_sklearn(tree).predict(X).tolist() == y


@pytest.mark.parametrize("to_left", [False, True])
@pytest.mark.parametrize("threshold", [math.nan, -math.inf, math.inf])
def test_thresholds_that_separate_nothing(threshold, to_left):
    """As older versions of scikit-learn write them."""
    model = DecisionTreeClassifier(max_depth=1).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    state = model.tree_.__getstate__()
    state["nodes"] = state["nodes"].copy()
    state["nodes"]["threshold"][0], state["nodes"]["missing_go_to_left"][0] = threshold, to_left
    model.tree_.__setstate__(state)
    rows = np.array([[1.0], [-LARGE], [LARGE], [np.nan]])
    tree = from_sklearn(model)
    assert np.array_equal(answers(tree, rows), model.predict(rows))
    assert np.array_equal(to_sklearn(tree).predict(rows), model.predict(rows))


def test_what_is_not_imported(table):
    X, y, _ = table
    with pytest.raises(ValueError, match="2 outputs is not imported"):
        from_sklearn(DecisionTreeClassifier().fit(X, np.column_stack((y, y))))
    with pytest.raises(NotFittedError):
        from_sklearn(DecisionTreeClassifier())
    with pytest.raises(TypeError, match="boxwood's already"):
        from_sklearn(TreeClassifier().fit(X, y))
    with pytest.raises(TypeError, match="not a list"):
        from_sklearn([])


# ------------------------------------------------------------------------------------------------ going out


def test_it_is_a_real_estimator(table, tmp_path):
    X, y, weights = np.float32(table[0]), *table[1:]
    ours = TreeClassifier(max_depth=4, criterion="entropy").fit(X, np.array(["no", "yes"])[y], weights)
    theirs = to_sklearn(ours)
    assert theirs.criterion == "entropy"
    assert np.array_equal(theirs.predict(X), ours.predict(X))
    assert np.array_equal(theirs.predict_proba(X), ours.predict_proba(X))
    whole = X[~np.isnan(X).any(axis=1)]  # scikit-learn before 1.8 errs on the path of missing values
    assert theirs.decision_path(whole).sum() == ours.decision_path(whole).sum()
    assert np.allclose(theirs.feature_importances_, ours.feature_importances_)
    assert (theirs.get_depth(), theirs.get_n_leaves()) == (ours.get_depth(), ours.get_n_leaves())
    assert theirs.score(X, np.array(["no", "yes"])[y]) > 0.8
    assert "feature_0 <=" in export_text(theirs)
    copy = pickle.loads(pickle.dumps(theirs))
    assert np.array_equal(copy.predict(X), theirs.predict(X))
    assert clone(theirs).get_params() == theirs.get_params()
    assert clone(theirs).fit(X, y).tree_.node_count > 1
    pytest.importorskip("matplotlib").use("Agg")
    assert len(plot_tree(theirs)) >= theirs.tree_.node_count


def test_other_learners_go_out(table):
    X, y, _ = np.float32(np.nan_to_num(table[0])), *table[1:]
    for ours in (
        TreeRegressor(max_depth=4).fit(X, y + X[:, 0]),
        TreeRegressor(criterion="absolute_error", max_depth=3).fit(X, y + X[:, 0]),
        OptimalTreeClassifier(max_depth=2).fit(X, y),
        TreeClassifier(criterion="hellinger", max_depth=3).fit(X, y),
    ):
        assert np.array_equal(to_sklearn(ours).predict(X), ours.predict(X))


SCHEMA = Schema(
    (
        Column("age", "numeric", "float"),
        Column("sex", "categorical", "category", ("f", "m", "x")),
        Column("born", "numeric", "date"),
    ),
    named=True,
)
TWO, THREE = [leaf([3, 1]), leaf([1, 3])], [leaf([3, 1]), leaf([1, 3]), leaf([1, 1])]


@pytest.mark.parametrize(
    ("root", "why"),
    [
        (node(Subset(1, {0: 0, 1: 1}, 0, 0), TWO), "column 'sex', which is categorical"),
        (node(Multiway(1, {0: 0, 1: 1, 2: 2}, 0, 0), THREE), "column 'sex', which is categorical"),
        (node(IsMissing(1), TWO), "column 'sex', which is categorical"),
        (node(Threshold(0, 1.0, 2), THREE), "column 'age', which has a branch of its own for missing"),
        (node(Threshold(0, 1.0), TWO), "column 'age', which lets missing values end there"),
        (node(Threshold(2, 1.0, 0), TWO), "column 'born', which holds dates"),
    ],
)
def test_what_scikit_learn_cannot_express(root, why):
    below = node(Threshold(0, 5.0, 0), [leaf([1, 0]), root])
    with pytest.raises(ValueError, match=f"no such tree: node 2 tests {why}"):
        to_sklearn(build_tree(below, SCHEMA, ["no", "yes"]))


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_an_answer_that_is_not_the_heaviest_class_is_refused():
    tree = build_tree(node(Threshold(0, 1.0, 0), TWO), SCHEMA, ["no", "yes"])
    assert to_sklearn(tree.with_extra(ANSWER, [1, 0, 1])).predict([[0.0, 0, 0]]).tolist() == ["no"]
    with pytest.raises(ValueError, match="node 1 answers 'yes', and its heaviest class"):
        to_sklearn(tree.with_extra(ANSWER, [0, 1, 1]))
    even = build_tree(leaf([2, 2]), SCHEMA, ["no", "yes"]).with_extra(ANSWER, [1])
    assert to_sklearn(even).predict([[0.0, 0, 0]]).tolist() == ["yes"]


def test_probabilities_that_are_smoothed_are_refused(table):
    X, y, _ = table
    model = SimpleNamespace(tree_=TreeClassifier(max_depth=2).fit(X, y).tree_, proba="laplace")
    with pytest.raises(ValueError, match=r"smooths its probabilities \(proba='laplace'\).*Give its tree_"):
        to_sklearn(model)
    assert to_sklearn(model.tree_).get_depth() == 2


def test_what_is_no_tree():
    with pytest.raises(
        TypeError, match="to_sklearn takes a Tree or a fitted tree estimator of boxwood, not a list"
    ):
        to_sklearn([])
    with pytest.raises(NotFittedError):
        to_sklearn(TreeClassifier())


def test_a_chain_of_ten_thousand_splits():
    bottom = leaf([1, 2])
    for i in range(10_000):
        bottom = node(Threshold(0, -float(i), 0), [bottom, leaf([2, 1])])
    tree = build_tree(bottom, SCHEMA, ["no", "yes"])
    assert from_sklearn(to_sklearn(tree)).depth == 10_000


def test_real_numbers(data_file):
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(data_file("magic04.csv.gz"))
    X, y = frame[:, :10].to_numpy().astype(np.float64), frame[:, 10].to_numpy()
    model = DecisionTreeClassifier(random_state=0).fit(X[::2], y[::2])
    tree = boxwood.from_sklearn(model)
    near = model.tree_.threshold[:300, None] * (1 + np.array([0.0, 1e-9, -1e-9, 4e-8, -4e-8]))
    rows = np.vstack((X, np.repeat(near.reshape(-1, 1), 10, axis=1)))
    assert np.array_equal(answers(tree, rows), model.predict(rows))


def test_the_advice_for_a_c45_tree_works():
    """A C45Classifier was told to use missing='learn', which its other rules do not go together with."""
    X, y = np.arange(60.0).reshape(20, 3), np.arange(20) % 10 > 4
    with pytest.raises(ValueError, match=r"Grow the tree with (TreeClassifier\(.*\))\.$") as caught:
        to_sklearn(C45Classifier().fit(X, y))
    advised = re.search(r"TreeClassifier\(.*\)", str(caught.value))
    model = eval(advised.group(), {"TreeClassifier": TreeClassifier}).fit(X, y)
    assert model.criterion == "gain_ratio"
    assert np.array_equal(to_sklearn(model).predict(X), model.predict(X))
