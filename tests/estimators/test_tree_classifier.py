"""What a fitted classifier answers."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.tree import DecisionTreeClassifier

from boxwood import TreeClassifier, check_tree
from boxwood.tree import SPREAD
from tests.estimators.mixed import mixed_columns, mixed_pandas, mixed_polars


@pytest.fixture(scope="module")
def numbers() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 5)).astype(np.float32).astype(np.float64)
    return X, ((X[:, 0] + X[:, 1] ** 2 + 0.5 * rng.normal(size=500)) > 0.7).astype(int) + (X[:, 2] > 1)


@pytest.mark.parametrize(
    "labels", [["a", "b", "c"], [10, 20, 30], [False, True, True], [0.0, 1.0, 2.0], list("αβγ")], ids=str
)
def test_labels_of_any_type(numbers: tuple[np.ndarray, np.ndarray], labels: list[Any]) -> None:
    X, codes = numbers
    y = np.array(labels)[codes]
    classifier = TreeClassifier().fit(X, y)
    assert classifier.classes_.tolist() == sorted(set(labels))
    assert classifier.n_classes_ == len(set(labels))
    assert classifier.predict(X).dtype == y.dtype
    assert np.array_equal(classifier.predict(X), y)
    assert TreeClassifier().fit(X, y.astype(object)).predict(X).tolist() == y.tolist()


def test_probabilities(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers
    classifier = TreeClassifier(max_depth=3).fit(X, y)
    shares = classifier.predict_proba(X)
    assert shares.shape == (500, 3)
    assert shares.sum(axis=1) == pytest.approx(1.0)
    assert np.array_equal(classifier.classes_[shares.argmax(axis=1)], classifier.predict(X))
    peer = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    assert shares == pytest.approx(peer.predict_proba(X))
    with np.errstate(divide="ignore"):
        assert np.array_equal(classifier.predict_log_proba(X), np.log(shares))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classifier.predict_log_proba(X)


def test_apply_and_decision_path(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers
    classifier = TreeClassifier(max_depth=4).fit(X, y)
    tree = classifier.tree_
    nodes = classifier.apply(X)
    leaves = tree.kind == 0
    assert np.array_equal(np.bincount(nodes, minlength=tree.n_nodes)[leaves], tree.n_rows[leaves])
    path = classifier.decision_path(X)
    assert path.shape == (500, tree.n_nodes)
    assert np.array_equal(np.asarray(path.sum(axis=0)).ravel(), tree.n_rows)
    assert (path[np.arange(500), nodes] == 1).all()
    assert classifier.get_depth() == 4
    assert classifier.get_n_leaves() == tree.n_leaves


def test_importances_are_those_of_scikit_learn(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers
    ours = TreeClassifier(max_depth=4).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_, abs=1e-9)
    assert ours.feature_importances_.sum() == pytest.approx(1.0)


def test_ties_between_classes_go_to_the_first() -> None:
    classifier = TreeClassifier().fit([[0.0]] * 4, ["b", "a", "b", "a"])
    assert classifier.predict([[0.0]]).tolist() == ["a"]


def test_a_replaced_tree_answers_at_once(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers
    deep, shallow = TreeClassifier().fit(X, y), TreeClassifier(max_depth=1).fit(X, y)
    expected = shallow.predict(X)
    deep.tree_ = shallow.tree_
    assert np.array_equal(deep.predict(X), expected)


def test_pickle(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    for X, y in (numbers, mixed_pandas()):
        classifier = TreeClassifier().fit(X, y)
        copy = pickle.loads(pickle.dumps(classifier))
        assert copy.tree_ == classifier.tree_
        assert np.array_equal(copy.predict(X), classifier.predict(X))


# ------------------------------------------------------------------------------------------------ tables


def table_of(kind: str) -> Any:
    columns, y = mixed_columns()
    match kind:
        case "pandas":
            return mixed_pandas()
        case "polars":
            return mixed_polars()
        case "pyarrow":
            return pa.table(columns), y
        case "dict":
            return columns, y
        case "list":
            return [list(row) for row in zip(*columns.values(), strict=True)], y
        case _:
            return np.array(list(zip(*columns.values(), strict=True)), dtype=object), y


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow", "dict", "list", "object array"])
def test_tables_of_every_kind(kind: str) -> None:
    X, y = table_of(kind)
    classifier = TreeClassifier().fit(X, y)
    check_tree(classifier.tree_)
    assert classifier.score(X, y) > 0.95
    assert classifier.n_features_in_ == 5
    assert classifier.predict_proba(X).shape == (len(y), 3)
    named = kind in ("pandas", "polars", "pyarrow", "dict")
    assert hasattr(classifier, "feature_names_in_") == named
    if named:
        assert classifier.feature_names_in_.tolist() == ["size", "colour", "grade", "count", "good"]
    expected = TreeClassifier().fit(*table_of("pandas"))
    # An Enum keeps its order of categories, so that left and right may change places.
    assert sorted(classifier.tree_.counts.tolist()) == sorted(expected.tree_.counts.tolist())
    assert np.array_equal(classifier.predict(X), expected.predict(table_of("pandas")[0]))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.uint8, bool])
def test_arrays_of_every_layout(order: str, dtype: Any) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 200, size=(300, 4))
    X = np.asarray(values % 2 if dtype is bool else values, dtype=dtype, order=order)  # type: ignore[call-overload]
    y = rng.integers(0, 3, 300)
    expected = TreeClassifier().fit(X.astype(np.float64), y)
    classifier = TreeClassifier().fit(X, y)
    assert np.array_equal(classifier.tree_.threshold, expected.tree_.threshold, equal_nan=True)
    assert np.array_equal(classifier.predict(X), expected.predict(X.astype(np.float64)))
    strided = np.repeat(X, 2, axis=0)[::2]
    assert np.array_equal(TreeClassifier().fit(strided, y).tree_.counts, expected.tree_.counts)


@pytest.mark.parametrize("make", [mixed_pandas, mixed_polars], ids=["pandas", "polars"])
def test_reordered_columns_are_matched_by_name(make: Any) -> None:
    X, y = make()
    classifier = TreeClassifier().fit(X, y)
    backwards = X[list(X.columns)[::-1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(classifier.predict(backwards), classifier.predict(X))
        assert np.array_equal(classifier.apply(backwards), classifier.apply(X))


def test_frames_of_different_libraries_mix() -> None:
    X, y = mixed_pandas()
    other, _ = mixed_polars()
    classifier = TreeClassifier().fit(X, y)
    assert np.array_equal(classifier.predict(other), classifier.predict(X))


def test_an_array_after_a_frame_warns_in_scikit_learns_words(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers
    classifier = TreeClassifier().fit(pd.DataFrame(X, columns=list("abcde")), y)
    with pytest.warns(UserWarning, match="X does not have valid feature names"):
        classifier.predict(X)


def test_the_caller_s_arrays_are_left_alone(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = numbers[0].copy(), numbers[1].copy()
    weights = np.random.default_rng(0).random(500)
    copies = X.copy(), y.copy(), weights.copy()
    TreeClassifier().fit(X, y, sample_weight=weights).predict(X)
    assert all(np.array_equal(now, then) for now, then in zip((X, y, weights), copies, strict=True))
    assert X.flags.writeable


def test_a_row_equal_to_a_threshold_goes_left_in_training_and_prediction() -> None:
    values = np.array([1.0, np.nextafter(1.0, 2.0)])
    classifier = TreeClassifier().fit(values[:, np.newaxis], [0, 1])
    assert classifier.tree_.threshold[0] == 1.0
    assert classifier.predict(values[:, np.newaxis]).tolist() == [0, 1]


def test_missing_values_seen_only_in_prediction_go_to_the_heavier_branch() -> None:
    X = np.array([[1.0], [2.0], [3.0], [4.0], [5.0]])
    classifier = TreeClassifier().fit(X, [0, 0, 1, 1, 1])
    assert classifier.predict([[np.nan]]).tolist() == [1]
    assert classifier.predict([[None]]).tolist() == [1]


def test_missing_values_of_every_spelling() -> None:
    y = [0, 0, 1, 1]
    for gone in (None, float("nan"), np.nan, pd.NA, pd.NaT):
        X = pd.DataFrame({"a": pd.Series(["u", "v", gone, gone], dtype=object)})
        classifier = TreeClassifier().fit(X, y)
        assert classifier.score(X, y) == 1.0
        assert classifier.get_n_leaves() == 2


def test_dates(numbers: tuple[np.ndarray, np.ndarray]) -> None:
    days = pd.date_range("2024-01-01", periods=40, freq="D")
    y = (days >= "2024-01-20").astype(int)
    frame = pd.DataFrame({"day": days})
    classifier = TreeClassifier().fit(frame, y)
    assert classifier.get_n_leaves() == 2
    assert np.array_equal(classifier.predict(frame.astype("datetime64[s]")), y)
    assert np.array_equal(classifier.predict(pl.DataFrame({"day": days.to_pydatetime().tolist()})), y)


def test_branch_gives_missing_rows_a_branch() -> None:
    X = np.array([[1.0], [1.5], [3.0], [3.5], [np.nan], [np.nan]])
    y = [0, 0, 1, 1, 2, 2]
    classifier = TreeClassifier(missing="branch").fit(X, y)
    assert classifier.tree_.n_children[0] == 3
    assert classifier.get_depth() == 1
    assert classifier.predict(X).tolist() == y
    too_few = TreeClassifier(missing="branch", min_samples_leaf=3).fit(X, [0, 0, 0, 1, 1, 1])
    assert (too_few.tree_.n_children <= 2).all()


# --------------------------------------------------------------------------------------- unknown categories


@pytest.fixture
def colours() -> tuple[pd.DataFrame, np.ndarray]:
    colour = ["red"] * 6 + ["green"] * 3 + ["blue"] * 2
    return pd.DataFrame({"colour": colour}), np.array([0] * 6 + [1] * 5)


@pytest.mark.parametrize(
    ("mode", "answer", "node"),
    [("missing", 0, 2), ("majority", 0, 2), ("stop", 0, 0), ("distribute", 0, 2)],
    ids=str,
)
def test_a_category_never_seen(colours: Any, mode: str, answer: int, node: int) -> None:
    X, y = colours
    classifier = TreeClassifier(unknown_category=mode).fit(X, y)
    strange = pd.DataFrame({"colour": ["mauve"]})
    assert classifier.predict(strange).tolist() == [answer]
    assert classifier.apply(strange).tolist() == [node]
    if mode in ("stop", "distribute"):
        assert classifier.predict_proba(strange) == pytest.approx(np.array([[6 / 11, 5 / 11]]))


@pytest.mark.parametrize("missing", ["learn", "branch", "surrogate"])
def test_a_category_never_seen_is_spread_in_any_mode_for_missing_rows(missing: str) -> None:
    X = pd.DataFrame({"colour": ["red"] * 6 + ["blue"] * 2 + [None] * 2, "size": [1.0] * 6 + [2.0] * 4})
    y = np.array([0] * 6 + [1] * 3 + [0])
    classifier = TreeClassifier(unknown_category="distribute", missing=missing, max_depth=1).fit(
        X[["colour"]], y
    )
    tree = classifier.tree_
    strange = pd.DataFrame({"colour": ["mauve"]})
    assert tree.unknown_branch[0] == SPREAD
    shares = tree.weight[1:] / tree.weight[0]
    assert classifier.predict_proba(strange)[0] == pytest.approx(shares @ tree.value[1:, 0])
    assert classifier.predict(strange).tolist() == [0]
    assert classifier.decision_path(strange).sum() == tree.n_nodes


def test_as_missing_follows_the_missing_rows() -> None:
    X = pd.DataFrame({"colour": ["red"] * 6 + [None] * 3 + ["blue"] * 2})
    y = np.array([0] * 6 + [1] * 5)
    strange = pd.DataFrame({"colour": ["mauve"]})
    assert TreeClassifier(unknown_category="missing").fit(X, y).predict(strange).tolist() == [1]
    assert TreeClassifier(unknown_category="majority").fit(X, y).predict(strange).tolist() == [0]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_an_error_names_the_column_the_row_and_the_value(colours: Any, frame: Any) -> None:
    X, y = colours
    classifier = TreeClassifier(unknown_category="error").fit(frame({"colour": X["colour"].tolist()}), y)
    strange = frame({"colour": ["red", "mauve"]})
    for method in (classifier.predict, classifier.decision_path, classifier.predict_proba):
        with pytest.raises(
            ValueError, match="'colour', row 1: the category 'mauve' was not seen in training"
        ):
            method(strange)


def test_an_error_for_a_category_absent_at_its_node() -> None:
    X = pd.DataFrame({"colour": ["red", "green", "blue", "blue"] * 3, "size": [1, 1, 5, 9] * 3})
    y = np.array([0, 1, 2, 2] * 3)
    classifier = TreeClassifier(unknown_category="error").fit(X, y)
    root = classifier.tree_.split(0)
    row = pd.DataFrame({"colour": ["blue"], "size": [1]})
    if root.feature == 1:  # blue rows are large, so that below "size" no blue row is left to learn from
        with pytest.raises(ValueError, match="'blue' was seen in training, but not at node 1"):
            classifier.predict(row)
    else:
        assert classifier.predict(row).tolist() == [2]


def test_categories_match_by_value() -> None:
    X = pd.DataFrame({"code": pd.Series([1, 2, 3, 1, 2, 3])})
    y = np.array([0, 1, 0, 0, 1, 0])
    classifier = TreeClassifier(categorical_features=["code"], unknown_category="error").fit(X, y)
    assert classifier.get_n_leaves() == 2
    other = pl.DataFrame({"code": [1, 2, 3, 1, 2, 3]})
    for same in (X.astype(float), X.astype("int8"), X.astype("category"), other):
        assert np.array_equal(classifier.predict(same), y)


# -------------------------------------------------------------------------------------------------- tags


def test_tags_are_honest() -> None:
    from sklearn.utils import get_tags

    tags = get_tags(TreeClassifier())
    assert tags.estimator_type == "classifier"
    assert tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert tags.input_tags.string
    assert not tags.input_tags.sparse
    assert tags.target_tags.required
    assert not tags.target_tags.multi_output
    assert tags.classifier_tags.multi_class
    assert not tags.classifier_tags.multi_label
    assert not tags.non_deterministic


def test_the_repr_and_the_html_are_short() -> None:
    X, y = mixed_pandas()
    classifier = TreeClassifier(max_depth=3).fit(X, y)
    assert repr(classifier) == "TreeClassifier(max_depth=3)"
    assert "TreeClassifier" in classifier._repr_html_()
