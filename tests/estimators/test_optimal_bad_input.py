"""`OptimalTreeClassifier` and input that cannot be right, or is an extreme: clear words, or sense."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from boxwood import (
    MID,
    EqualFrequencyDiscretizer,
    OptimalTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    certify,
    load_penguins,
)
from boxwood.estimators import room

PENGUINS, SPECIES, *_ = load_penguins()
BITS = [[0, 1], [1, 1], [1, 0]]


def refused(match: str, X: Any = PENGUINS, y: Any = SPECIES, **arguments: Any) -> None:
    with pytest.raises(ValueError, match=match):
        OptimalTreeClassifier(**arguments).fit(X, y)


@pytest.mark.parametrize(
    ("X", "match"),
    [
        (
            [[0, 1], [1, 2], [1, 0]],
            "column 'x1' holds 2.0 in row 1, and .* takes 0 and 1 only",
        ),
        ([[0, 0.5], [1, 1], [1, 0]], "column 'x1' holds 0.5 in row 0"),
        ([[0, np.nan], [1, 1], [1, 0]], "column 'x1' holds a missing value in row 0"),
        ({"colour": ["red", "blue", "red"]}, "column 'colour' holds categories such as 'blue'"),
    ],
)
def test_binary_takes_0_and_1_only(X: Any, match: str) -> None:
    refused(match, X, ["a", "b", "b"], features="binary")


def test_the_row_of_a_wrong_cell_is_the_callers() -> None:
    model = OptimalTreeClassifier(features="binary")
    with pytest.raises(ValueError, match=r"holds 7\.0 in row 2"):
        model.fit([[0], [1], [7]], ["a", "b", "b"], sample_weight=[0, 1, 1])
    model.fit([[0], [1], [7]], ["a", "b", "b"], sample_weight=[1, 1, 0])


def test_booleans_are_binary() -> None:
    model = OptimalTreeClassifier(features="binary").fit([[True], [False]], ["a", "b"])
    assert model.predict([[False]]).tolist() == ["b"]


def test_one_class_is_one_leaf() -> None:
    model = OptimalTreeClassifier().fit(PENGUINS, ["bird"] * len(SPECIES))
    assert model.get_n_leaves() == 1
    assert (model.result_.status, model.result_.objective) == ("optimal", 0)
    assert set(model.predict(PENGUINS)) == {"bird"}
    assert np.array_equal(model.predict_proba(PENGUINS), np.ones((len(SPECIES), 1)))


@pytest.mark.parametrize("n_thresholds", [45, "grow"])
def test_depth_0_is_one_leaf(n_thresholds: Any) -> None:
    model = OptimalTreeClassifier(max_depth=0, n_thresholds=n_thresholds).fit(PENGUINS, SPECIES)
    assert model.get_n_leaves() == 1
    assert model.result_.objective == 344 - 152
    assert certify(model, PENGUINS, SPECIES).optimal


@pytest.mark.parametrize("max_depth", [20, 10_000, None])
def test_a_depth_far_beyond_a_small_table(max_depth: int | None) -> None:
    X = [[1.0, 3.0], [2.0, 1.0], [3.0, 3.0], [4.0, 1.0]]
    model = OptimalTreeClassifier(max_depth).fit(X, list("abba"))
    assert (model.result_.status, model.result_.objective) == ("optimal", 0)
    certify(model, X, list("abba"))


def test_a_time_limit_of_zero_gives_a_greedy_tree() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 30))
    y = X[:, :5].sum(axis=1) > 0
    model = OptimalTreeClassifier(max_depth=6, time_limit=0)
    began = time.perf_counter()
    model.fit(X, y)
    assert time.perf_counter() - began < 15  # 0.2 s are promised, which a busy machine does not show
    assert model.result_.status == "time_limit"
    assert model.get_n_leaves() > 2
    certify(model, X, y)


@pytest.mark.parametrize("n_thresholds", [20, "all", "grow"])
@pytest.mark.parametrize("in_time", [0, 1, 5])
def test_a_table_too_large_for_its_time_has_fewer_thresholds(
    in_time: int, n_thresholds: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The story: half a million rows were set up with all thresholds, however late it was: 0.6 s too long."""
    monkeypatch.setattr(room, "features_in_time", lambda n_rows, seconds: in_time)
    rng = np.random.default_rng(0)
    X = rng.integers(0, 30, (200, 3)).astype(float)
    y = (X[:, 0] > 10) ^ (X[:, 1] > 20) ^ (rng.random(200) < 0.1)
    model = OptimalTreeClassifier(n_thresholds=n_thresholds, time_limit=60).fit(X, y)
    assert len(model.splits_) == in_time
    assert model.result_.status == "time_limit"
    assert model.result_.lower_bound == 0  # what more thresholds would bring is not known
    assert (model.get_n_leaves() > 1) == (in_time > 0)
    certify(model, X, y)
    # Without a limit of time nobody asks.
    assert OptimalTreeClassifier(2, n_thresholds=20).fit(X, y).result_.is_optimal


@pytest.mark.parametrize("memory_limit", [0, 1, "1kB"])
def test_a_memory_limit_of_nothing_gives_a_greedy_tree(memory_limit: Any) -> None:
    model = OptimalTreeClassifier(memory_limit=memory_limit).fit(PENGUINS, SPECIES)
    assert model.result_.status == "memory_limit"
    assert model.get_n_leaves() > 2
    certify(model, PENGUINS, SPECIES)


def test_constant_columns_are_no_candidates() -> None:
    model = OptimalTreeClassifier().fit([[1.0, 5.0], [1.0, 5.0]], ["a", "b"])
    assert model.get_n_leaves() == 1
    assert model.splits_ == ()
    certify(model, [[1.0, 5.0], [1.0, 5.0]], ["a", "b"])


@pytest.mark.parametrize(
    ("cost_matrix", "match"),
    [
        ([[0, 1], [1, 0]], r"one row and one column for each of the 3 classes, got the shape \(2, 2\)"),
        ([0, 1, 1], r"got the shape \(3,\)"),
        ([[0, 1, 1], [1, 0]], "cost_matrix must be a table of numbers"),
        ([["a"] * 3] * 3, "cost_matrix must be a table of numbers"),
        ([[0, 1, -1], [1, 0, 1], [1, 1, 0]], "finite numbers that are not negative"),
        ([[0, 1, np.inf], [1, 0, 1], [1, 1, 0]], "finite numbers that are not negative"),
    ],
)
def test_a_wrong_cost_matrix(cost_matrix: Any, match: str) -> None:
    refused(match, cost_matrix=cost_matrix)


def test_a_cost_matrix_of_zeros_makes_every_tree_free() -> None:
    model = OptimalTreeClassifier(cost_matrix=np.zeros((3, 3))).fit(PENGUINS, SPECIES)
    assert (model.result_.objective, model.get_n_leaves()) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"max_depth": -1}, "'max_depth' .* int in the range"),
        ({"max_depth": 2.5}, "'max_depth'"),
        ({"max_leaf_nodes": 0}, "'max_leaf_nodes'"),
        ({"min_samples_leaf": 0}, "'min_samples_leaf'"),
        ({"complexity": -0.5}, "'complexity'"),
        ({"complexity": np.nan}, "'complexity'"),
        ({"n_thresholds": 0}, "'n_thresholds' .* {'all', 'mdl', 'grow'}"),
        ({"n_thresholds": "many"}, "'n_thresholds'"),
        ({"time_limit": -1}, "'time_limit'"),
        ({"time_limit": "1 h"}, "'time_limit'"),
        ({"memory_limit": "lots"}, "memory_limit must be a number of bytes or text like '2GiB'"),
        ({"memory_limit": -5}, "'memory_limit'"),
        ({"max_gap": -1}, "'max_gap'"),
        ({"features": "all"}, "features='all' is not available .* n_thresholds='all'"),
        ({"features": "best"}, "'features' .* a discretiser"),
        ({"features": MID}, "'features'"),
        ({"features": "binary", "n_thresholds": 10}, "n_thresholds=10 has no meaning with features='binary'"),
        ({"features": MID(), "n_thresholds": 10}, "which decides itself"),
        ({"features": EqualFrequencyDiscretizer(encode="onehot")}, "needs encode='thresholds'"),
        ({"features": MID(categorical_features=[0]), "categorical_features": [1]}, "give it to one of them"),
        ({"early_stopping": True}, "only n_thresholds='grow' leaves open"),
        ({"early_stopping": 1}, "'early_stopping'"),
        ({"validation_fraction": 1.0}, "'validation_fraction'"),
        ({"n_iter_no_change": 0}, "'n_iter_no_change'"),
        ({"initial_tree": "stump"}, "'initial_tree' .* a boxwood.Tree"),
        ({"initial_tree": TreeClassifier()}, r"initial_tree .* is a TreeClassifier: fit that, .*tree_"),
        (
            {"features": "binary", "unknown_category": "stop"},
            "unknown_category='stop' has no meaning with features='binary', which has no categories",
        ),
        (
            {"early_stopping": True, "n_thresholds": "grow", "validation_fraction": 0.999},
            "holds 344 of 344 rows out, and leaves none",
        ),
        ({"class_weight": "heavy"}, "'class_weight'"),
        ({"unknown_category": "ignore"}, "'unknown_category'"),
        ({"on_interrupt": "ignore"}, "'on_interrupt'"),
        ({"callback": 3}, "'callback' .* a callable"),
        ({"progress": "bar"}, "'progress'"),
        ({"n_jobs": 0}, "'n_jobs'"),
    ],
)
def test_wrong_arguments_are_named(arguments: dict[str, Any], match: str) -> None:
    refused(match, **arguments)


def test_trees_that_cannot_be_a_start() -> None:
    by_branch = TreeClassifier(missing="branch").fit(PENGUINS, SPECIES).tree_
    refused("node .* has 3 branches, and an optimal tree has two", initial_tree=by_branch)
    other = TreeClassifier().fit({"beak": [1.0, 2.0]}, ["a", "b"]).tree_
    refused("initial_tree tests the column 'beak'", initial_tree=other)
    unnamed = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"]).tree_
    refused("grown on 1 columns, and the table has 7", initial_tree=unnamed)
    kinds = TreeClassifier().fit({"island": [1.0, 2.0]}, ["a", "b"]).tree_
    refused("'island' as numeric, and in the table it is categorical", initial_tree=kinds)


def test_a_regression_tree_is_no_start() -> None:
    """Its leaves are numbers; the splits alone would do, but whoever gives it has mixed something up."""
    numbers = TreeRegressor(max_depth=2).fit({"year": PENGUINS["year"]}, np.arange(344.0)).tree_
    refused("initial_tree is a regression tree", initial_tree=numbers)


def test_missing_rows_must_have_a_way_on() -> None:
    from boxwood.tree import STOP, Threshold, build_tree, leaf, node

    schema = TreeClassifier().fit(PENGUINS, SPECIES).tree_.schema
    root = node(Threshold(1, 40.0, STOP), [leaf([1, 0, 0]), leaf([0, 1, 0])])
    ends = build_tree(root, schema, ["Adelie", "Chinstrap", "Gentoo"])
    refused("ends the way of rows whose 'bill_length_mm' is missing", initial_tree=ends)


def test_infinite_numbers_are_refused() -> None:
    refused("'x0'.*inf|inf.*x0", [[np.inf], [1.0]], [0, 1])


def test_a_callback_that_fails_ends_the_fit() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (1500, 90)), rng.integers(0, 3, 1500)

    def failing(progress: Any) -> bool:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        OptimalTreeClassifier(max_depth=5, features="binary", callback=failing).fit(X, y)


def test_progress_without_rich_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "rich.live", None)
    with pytest.warns(UserWarning, match="needs the package rich"):
        OptimalTreeClassifier(features="binary", progress=True).fit(BITS, [0, 1, 1])


def test_the_library_is_silent(capfd: pytest.CaptureFixture[str]) -> None:
    OptimalTreeClassifier(max_depth=3).fit(PENGUINS, SPECIES)
    OptimalTreeClassifier(max_depth=3, progress=True).fit(PENGUINS, SPECIES)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "arguments",
    [
        {"time_limit": np.inf},
        {"memory_limit": 2**70},
        {"max_leaf_nodes": 2**70},
        {"n_thresholds": 2**70},
        {"min_samples_leaf": 2**70},
        {"max_depth": 2**70},
        {"max_gap": np.inf},
    ],
)
def test_limits_beyond_all_measure(arguments: dict[str, Any]) -> None:
    """The story: an infinite time or gap, both allowed, ended in an OverflowError, 2**70 in a signature."""
    X = [[1.0, 3.0], [2.0, 1.0], [3.0, 3.0], [4.0, 1.0]]
    model = OptimalTreeClassifier(**arguments).fit(X, list("abba"))
    certify(model, X, list("abba"))


def test_no_limit_of_depth_is_no_depth() -> None:
    model = OptimalTreeClassifier(None).fit([[1.0], [2.0], [3.0]], list("aba"))
    assert model.result_.search_space.endswith(", any depth")


@pytest.mark.parametrize("cell", [7, np.nan, 0.5])
def test_binary_takes_0_and_1_only_when_predicting_too(cell: float) -> None:
    """The story: fit refused a 7 and a missing value, and predict took both for a 1."""
    model = OptimalTreeClassifier(features="binary").fit(BITS, [0, 1, 1])
    assert model.predict(BITS).tolist() == [0, 1, 1]
    for ask in (model.predict, model.predict_proba, model.apply, model.decision_path):
        with pytest.raises(ValueError, match=r"column 'x1' holds .* in row 1, and features='binary' takes 0"):
            ask([[0, 1], [0, cell]])


def test_no_threshold_accepted_is_said() -> None:
    """The story: 'mdl' accepted no cut of a table of noise, and the single leaf came without a word."""
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 2)), rng.integers(0, 2, 50)
    with pytest.warns(UserWarning, match="'mdl' accepts none of the 98 thresholds") as caught:
        model = OptimalTreeClassifier(n_thresholds="mdl").fit(X, y)
    assert model.get_n_leaves() == 1
    assert caught[0].filename == __file__


def test_warnings_point_at_the_caller() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0.3)
    deep = TreeClassifier().fit(X, y).tree_
    with pytest.warns(UserWarning, match="initial_tree .* is no help") as caught:
        OptimalTreeClassifier(1, initial_tree=deep).fit(X, y)
    assert caught[0].filename == __file__


@pytest.mark.parametrize("arguments", [{"validation_fraction": 0.2}, {"n_iter_no_change": 9}])
def test_idle_arguments_are_reported(arguments: dict[str, Any]) -> None:
    """Not refused: scikit-learn's checks set some of them on every estimator that has them."""
    with pytest.warns(UserWarning, match="has no effect without early_stopping=True") as caught:
        OptimalTreeClassifier(**arguments).fit(BITS, [0, 1, 1])
    assert caught[0].filename == __file__
