"""The best tree on a table as people have it: equal to brute force, in terms of the table's own columns."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from boxwood import (
    MID,
    EqualFrequencyDiscretizer,
    MDLPDiscretizer,
    OptimalTreeClassifier,
    TreeClassifier,
    check_tree,
    load_penguins,
    make_dataset,
)
from boxwood.data import encode_with, read_table
from boxwood.tree import IsMissing, Subset, Threshold
from tests.oracles.brute_force_tree import Small, brute_force
from tests.oracles.route import path

PENGUINS, SPECIES, *_ = load_penguins()


def candidate_cells(table: dict[str, list[Any]]) -> np.ndarray:
    """Every threshold, category and missingness test of a table, read off their definitions; 1 is "no"."""
    found: list[list[int]] = []
    for cells in table.values():
        values = sorted({cell for cell in cells if cell is not None})
        if any(isinstance(value, str) for value in values):
            found += [[int(cell != value) for cell in cells] for value in values]
        else:
            cuts = [(low + high) / 2 for low, high in itertools.pairwise(values)]
            found += [[int(cell is None or cell > cut) for cell in cells] for cut in cuts]
        found.append([int(cell is not None) for cell in cells])
    return np.array(found, dtype=np.uint8).T


@st.composite
def tables(draw: st.DrawFn) -> tuple[dict[str, list[Any]], list[str], list[int]]:
    n_rows = draw(st.integers(2, 9))
    number = st.one_of(st.none(), st.integers(0, 3))
    colour = st.one_of(st.none(), st.sampled_from(["red", "green", "blue"]))
    # One cell of each kind that is not missing, so that the column's kind can be seen.
    table = {
        "size": [draw(st.integers(0, 3)), *draw(st.lists(number, min_size=n_rows - 1, max_size=n_rows - 1))],
        "colour": ["red", *draw(st.lists(colour, min_size=n_rows - 1, max_size=n_rows - 1))],
    }
    labels = draw(st.lists(st.sampled_from(["a", "b", "c"]), min_size=n_rows, max_size=n_rows))
    weights = draw(st.lists(st.integers(1, 4), min_size=n_rows, max_size=n_rows))
    return table, labels, weights


@settings(max_examples=150, deadline=None)
@given(
    tables(),
    st.integers(0, 3),
    st.one_of(st.none(), st.integers(1, 5)),
    st.integers(1, 2),
    st.sampled_from([0, 1, 2]),
    st.booleans(),
    st.sampled_from(["all", "grow"]),
)
def test_equals_brute_force_on_the_table(
    given_table: tuple[dict[str, list[Any]], list[str], list[int]],
    max_depth: int,
    max_leaf_nodes: int | None,
    min_samples_leaf: int,
    complexity: int,
    costly: bool,
    n_thresholds: str,
) -> None:
    table, labels, weights = given_table
    classes = sorted(set(labels))
    target = np.array([classes.index(label) for label in labels], dtype=np.int32)
    costs = np.array([[0, 1, 5], [2, 0, 1], [1, 3, 0]])[: len(classes), : len(classes)] if costly else None
    model = OptimalTreeClassifier(
        max_depth=max_depth,
        max_leaf_nodes=max_leaf_nodes,
        min_samples_leaf=min_samples_leaf,
        complexity=complexity,
        cost_matrix=costs,
        n_thresholds=n_thresholds,
    ).fit(table, labels, sample_weight=weights)
    best = brute_force(
        Small(
            cells=candidate_cells(table),
            target=target,
            n_classes=len(classes),
            weights=np.array(weights),
            costs=costs,
            max_depth=max_depth,
            max_leaves=max_leaf_nodes,
            min_rows=min_samples_leaf,
            leaf_cost=complexity,
        )
    )
    result = model.result_
    assert (result.status, result.objective, result.lower_bound) == ("optimal", best, best)
    check_tree(model.tree_)

    # What the tree costs when each row is routed by the words of its splits.
    columns = encode_with(model.tree_.schema, read_table(table, "the test"))
    rows = [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    ends = [path(model.tree_, row)[-1] for row in rows]
    assert ends == model.apply(table).tolist()
    answers = [classes.index(answer) for answer in model.predict(table)]
    cost = np.ones((len(classes),) * 2) - np.eye(len(classes)) if costs is None else costs
    paid = sum(w * cost[t, a] for w, t, a in zip(weights, target, answers, strict=True))
    assert paid + complexity * len(set(ends)) == best
    assert result.errors == sum(a != t for a, t in zip(answers, target, strict=True))
    assert model.get_depth() <= max_depth
    assert set(ends) == set(np.flatnonzero(model.tree_.is_leaf).tolist())


def test_the_tree_is_in_terms_of_the_table() -> None:
    model = OptimalTreeClassifier().fit(PENGUINS, SPECIES)
    splits = [model.tree_.split(node) for node in np.flatnonzero(~model.tree_.is_leaf)]
    assert {type(split) for split in splits} == {Threshold, Subset}
    values = {
        place: np.array([cell for cell in column if cell is not None], dtype=float)
        for place, column in enumerate(PENGUINS.values())
        if not isinstance(column[0], str)
    }
    for split in splits:
        if isinstance(split, Threshold):
            below = values[split.feature][values[split.feature] <= split.threshold].max()
            above = values[split.feature][values[split.feature] > split.threshold].min()
            assert math.isclose(split.threshold, (below + above) / 2)
            assert split.missing_branch == 1
        else:
            assert (split.missing_branch, split.unknown_branch) == (1, 1)
    assert "island = Dream" in str(model.tree_)


def test_a_missingness_test_becomes_a_split() -> None:
    table = {"age": [None, None, 30.0, 40.0, 50.0, None]}
    model = OptimalTreeClassifier(max_depth=1).fit(table, ["no", "no", "yes", "yes", "yes", "no"])
    assert isinstance(model.tree_.split(0), IsMissing)
    assert model.predict({"age": [None, 1.0]}).tolist() == ["no", "yes"]


def test_categories_that_cannot_come_to_a_node_are_not_listed() -> None:
    """A split by category below another one of the same column listed categories that went another way."""
    table = {"colour": ["red", "green", "blue", "red", "green", "blue"]}
    model = OptimalTreeClassifier(max_depth=2).fit(table, list("abcabc"))
    assert model.result_.objective == 0
    inner = np.flatnonzero(~model.tree_.is_leaf).tolist()
    listed = [sorted(model.tree_.split(node).branches) for node in inner]
    assert sorted(map(len, listed)) == [2, 3]


@pytest.mark.parametrize(
    ("mode", "answer"),
    [
        ("other", "b"),
        ("missing", "a"),
        ("majority", "b"),
        ("stop", "b"),
        ("error", None),
        ("distribute", "b"),
    ],
)
def test_unknown_categories(mode: str, answer: str | None) -> None:
    table = {"colour": [None, None, "red", "blue", "red"]}
    model = OptimalTreeClassifier(max_depth=1, unknown_category=mode).fit(table, list("aabbb"))
    assert isinstance(model.tree_.split(0), IsMissing)
    assert model.result_.objective == 0
    if answer is None:
        with pytest.raises(ValueError, match="category 'green' was not seen in training"):
            model.predict({"colour": ["green"]})
    else:
        assert model.predict({"colour": ["green"]}).tolist() == [answer]


def test_an_unknown_category_is_none_of_the_known_ones() -> None:
    table = {"colour": ["red", "red", "blue", "green"], "size": [1, 1, 1, 1]}
    model = OptimalTreeClassifier(max_depth=1).fit(table, ["yes", "yes", "no", "no"])
    assert model.predict({"colour": ["black"], "size": [1]}).tolist() == ["no"]


def test_the_cheapest_answer_is_given_and_shares_stay_shares() -> None:
    X = [[0]] * 10 + [[1]] * 5
    y = ["well"] * 8 + ["ill"] * 2 + ["well"] * 5
    costs = [[0, 10], [1, 0]]  # ill, well: to call the ill well costs ten times as much
    model = OptimalTreeClassifier(features="binary", cost_matrix=costs).fit(X, y)
    assert model.predict([[0], [1]]).tolist() == ["ill", "well"]
    assert model.predict_proba([[0]]).tolist() == [[0.2, 0.8]]
    assert model.result_.objective == 8
    assert model.result_.errors == 8
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    assert OptimalTreeClassifier(features="binary").fit(X, y).predict([[0]]).tolist() == ["well"]
    other = OptimalTreeClassifier(features="binary").fit(X, y)
    other.tree_ = model.tree_  # the answers go with the tree
    assert other.predict([[0], [1]]).tolist() == ["ill", "well"]


def test_class_weights_are_weights() -> None:
    weights = {"Adelie": 3, "Chinstrap": 1, "Gentoo": 2}
    by_class = OptimalTreeClassifier(max_depth=2, class_weight=weights).fit(PENGUINS, SPECIES)
    by_row = OptimalTreeClassifier(max_depth=2).fit(
        PENGUINS, SPECIES, sample_weight=[weights[label] for label in SPECIES]
    )
    assert by_class.tree_ == by_row.tree_
    assert by_class.result_.objective == by_row.result_.objective


@pytest.mark.parametrize("discretizer", [MID(5), MDLPDiscretizer(), EqualFrequencyDiscretizer(n_bins=3)])
def test_any_discretiser_will_do(discretizer: Any) -> None:
    model = OptimalTreeClassifier(max_depth=2, features=discretizer).fit(PENGUINS, SPECIES)
    assert not hasattr(discretizer, "thresholds_")
    fitted = clone(discretizer).fit(PENGUINS, SPECIES)
    assert model.discretizer_.splits() == fitted.splits() == model.splits_
    # The same 0/1 table, solved as such. There a 1 is "yes", and goes to the right.
    plain = OptimalTreeClassifier(max_depth=2, features="binary")
    plain.fit(np.asarray(fitted.transform(PENGUINS)), SPECIES)
    assert plain.result_.objective == model.result_.objective
    assert plain.discretizer_ is None


def test_fewer_thresholds_are_never_better() -> None:
    objectives = [
        OptimalTreeClassifier(max_depth=2, n_thresholds=n).fit(PENGUINS, SPECIES).result_.objective
        for n in (1, 3, 10, 45, "all")
    ]
    assert objectives == sorted(objectives, reverse=True)


def test_never_worse_than_the_tree_to_start_from() -> None:
    greedy = TreeClassifier(max_depth=3).fit(PENGUINS, SPECIES)
    wrong = int((greedy.predict(PENGUINS) != SPECIES).sum())
    model = OptimalTreeClassifier(n_thresholds=1, initial_tree=greedy.tree_, time_limit=0)
    model.fit(PENGUINS, SPECIES)
    assert model.result_.objective <= wrong
    assert "splits of initial_tree" in model.result_.search_space
    assert model.result_.trace[-1].objective == model.result_.objective


def test_a_tree_to_start_from_may_have_other_codes_and_another_order_of_columns() -> None:
    table = {"size": [1.0, 2.0, 3.0, 4.0], "colour": ["red", "blue", "red", "blue"]}
    labels = ["a", "b", "a", "a"]
    given_tree = TreeClassifier().fit(
        {"colour": ["amber", "red", "blue", "red", "blue"], "size": [9.0, 1.0, 2.0, 3.0, 4.0]}, ["a", *labels]
    )
    model = OptimalTreeClassifier(max_depth=2, n_thresholds=1, initial_tree=given_tree.tree_)
    assert model.fit(table, labels).result_.objective == 0


def test_a_tree_to_start_from_that_breaks_a_limit_is_reported() -> None:
    deep = TreeClassifier().fit(PENGUINS, SPECIES).tree_
    with pytest.warns(UserWarning, match="initial_tree .depth .* is no help"):
        OptimalTreeClassifier(max_depth=2, initial_tree=deep).fit(PENGUINS, SPECIES)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_pipelines_searches_copies_and_pickles(n_jobs: int) -> None:
    pipeline = make_pipeline(FunctionTransformer(), OptimalTreeClassifier(max_depth=2, n_jobs=n_jobs))
    X = np.random.default_rng(0).integers(0, 5, (60, 3)).astype(float)
    y = X.sum(axis=1) > 6
    search = GridSearchCV(pipeline, {"optimaltreeclassifier__complexity": [0, 2, 50]}, cv=3).fit(X, y)
    model = search.best_estimator_[-1]
    for copied in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert copied.tree_ == model.tree_
        assert np.array_equal(copied.predict(X), model.predict(X))
        assert copied.result_.objective == model.result_.objective
    assert clone(model).get_params() == model.get_params()


def test_what_the_tree_is_asked_about() -> None:
    model = OptimalTreeClassifier(max_depth=2).fit(PENGUINS, SPECIES)
    assert model.get_depth() == 2
    assert model.get_n_leaves() == model.result_.n_leaves == 4
    assert model.feature_importances_.shape == (7,)
    assert math.isclose(model.feature_importances_.sum(), 1.0)
    passed = model.decision_path(PENGUINS)
    assert np.array_equal(np.asarray(passed[:, [0]].todense()).ravel(), np.ones(len(SPECIES)))
    assert np.allclose(model.predict_proba(PENGUINS).sum(axis=1), 1)
    assert np.array_equal(
        model.classes_[model.predict_proba(PENGUINS).argmax(axis=1)], model.predict(PENGUINS)
    )


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_callback_ends_the_search(n_jobs: int) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 2, (1500, 90)), rng.integers(0, 3, 1500)
    told = []

    def enough(progress: Any) -> bool:
        told.append(progress)
        return len(told) == 3

    model = OptimalTreeClassifier(max_depth=5, features="binary", callback=enough, n_jobs=n_jobs).fit(X, y)
    assert len(told) == 3
    assert model.result_.status == "interrupted"
    assert not model.result_.keyboard_interrupt
    assert model.result_.lower_bound <= model.result_.objective
    assert model.result_.errors == (model.predict(X) != y).sum()


def test_a_gap_that_is_wide_enough_ends_the_search() -> None:
    model = OptimalTreeClassifier(max_depth=4, max_gap=1000).fit(PENGUINS, SPECIES)
    assert model.result_.status == "gap"
    assert model.result_.gap <= 1000


def test_the_words_for_the_search_space() -> None:
    def words(X: Any, y: Any, **arguments: Any) -> str:
        return OptimalTreeClassifier(**arguments).fit(X, y).result_.search_space

    X, y = [[1.0, 5.0], [2.0, 7.0], [3.0, 5.0]], [0, 1, 1]
    assert words(X, y, n_thresholds=1) == "optimal over 1 MID threshold of 2 features, depth at most 3"
    assert words(X, y, n_thresholds="all", max_leaf_nodes=5) == (
        "optimal over all thresholds of the raw table (3 of 2 features), depth at most 3 and at most 5 leaves"
    )
    colours = {"size": [1.0, None, 3.0], "colour": ["red", "blue", "red"]}
    assert words(colours, y, n_thresholds="all") == (
        "optimal over all 1 MID threshold, 2 categories and 1 missingness test of 2 features, depth at most 3"
    )
    assert words([[0, 1], [1, 1], [1, 0]], y, features="binary") == (
        "optimal over 2 binary features, depth at most 3"
    )


def test_rows_of_weight_zero_are_not_there() -> None:
    X = [[1.0], [2.0], [3.0], [99.0]]
    model = OptimalTreeClassifier(n_thresholds="all").fit(X, [0, 1, 1, 2], sample_weight=[1, 1, 1, 0])
    assert len(model.splits_) == 2
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.tree_.n_rows[0] == 3
    assert make_dataset(X, [0, 1, 1, 2], sample_weight=[1, 1, 1, 0]).n_rows == 3
