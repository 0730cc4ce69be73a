"""What comes out: columns, names, frames, splits; and that it is what the thresholds say."""

from __future__ import annotations

import datetime
import pickle
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from sklearn.base import clone
from sklearn.pipeline import make_pipeline

from boxwood import TreeClassifier
from boxwood.data import Column, Dataset
from boxwood.discretize import DISCRETIZERS, MID, Discretizer
from boxwood.discretize.outputs import Words
from boxwood.tree import build_tree, leaf, node
from tests.discretize.tables import datasets

X = {
    "petal length": [1.4, 1.3, 4.7, 4.5, None, 6.0],
    "colour": ["red", "red", "blue", None, "blue", "green"],
    "wild": [True, False, True, True, False, True],
    "seen": [datetime.date(2001, 1, day) for day in (1, 2, 3, 4, 5, 7)],
}
Y = ["a", "a", "b", "b", "b", "c"]
EVERY = [cls() for cls in DISCRETIZERS.values()]


def ids(discretizer: Discretizer) -> str:
    return type(discretizer).__name__


@pytest.mark.parametrize("discretizer", EVERY, ids=ids)
@given(dataset=datasets(max_rows=30))
def test_transform_agrees_with_the_thresholds(discretizer: Discretizer, dataset: Dataset) -> None:
    """For every threshold and every training row, also rows equal to a threshold, or next to it."""
    table = np.column_stack(dataset.columns)
    fitted = clone(discretizer).fit(table, dataset.target, sample_weight=dataset.weights)
    thresholds = fitted.thresholds_
    at = np.full((3 * len(thresholds), table.shape[1]), np.nan)
    for place, (feature, threshold, _) in enumerate(thresholds.tolist()):
        at[3 * place : 3 * place + 3, feature] = (
            threshold,
            np.nextafter(threshold, np.inf),
            np.nextafter(threshold, -np.inf),
        )
    for rows in (table, at):
        if len(rows) == 0:
            continue
        got = fitted.set_params(encode="thresholds").transform(rows)
        assert got.dtype == np.uint8
        missing = np.isnan(rows)[:, np.isnan(table).any(axis=0)]
        cuts = rows[:, thresholds["feature"]] <= thresholds["threshold"]
        assert np.array_equal(got, np.hstack([missing, cuts]))
        bins = fitted.set_params(encode="ordinal").transform(rows)
        above = np.zeros(rows.shape, dtype=int)
        for feature, threshold, _ in thresholds.tolist():
            above[:, feature] += rows[:, feature] > threshold
        assert np.array_equal(bins, np.where(np.isnan(rows), -1, above))
        onehot = fitted.set_params(encode="onehot").transform(rows)
        width = np.bincount(thresholds["feature"], minlength=rows.shape[1]) + 1
        start = 0
        for feature in range(rows.shape[1]):
            expected = bins[:, [feature]] == np.arange(width[feature])
            assert np.array_equal(onehot[:, start : start + width[feature]], expected)
            start += width[feature] + int(np.isnan(table[:, feature]).any())


@pytest.mark.parametrize("discretizer", EVERY, ids=ids)
def test_a_split_sends_to_branch_0_the_rows_with_a_1(discretizer: Discretizer) -> None:
    """The columns are what the one routing rule says, unknown categories included."""
    fitted = clone(discretizer).fit(X, Y)
    rows = {name: [*values, values[0]] for name, values in X.items()}
    rows["colour"][-1] = "violet"
    out = fitted.transform(rows)
    splits = fitted.splits()
    assert len(splits) == out.shape[1]
    from boxwood.data import encode_with

    columns = encode_with(fitted.schema_, rows)
    for place, split in enumerate(splits):
        tree = build_tree(node(split, [leaf([1, 0]), leaf([0, 1])]), fitted.schema_, ["yes", "no"])
        assert np.array_equal(tree.apply(columns) == 1, out[:, place] == 1)


def test_names_can_be_read() -> None:
    fitted = MID("all").fit(X, Y)
    names = fitted.get_feature_names_out().tolist()
    assert names[:5] == [
        "petal length is missing",
        "colour = blue",
        "colour = green",
        "colour = red",
        "colour is missing",
    ]
    assert "petal length <= 2.95" in names
    assert "wild = false" in names
    assert "seen <= 2001-01-02 12:00" in names
    assert len(set(names)) == len(names) == fitted.transform(X).shape[1]
    onehot = MID(2, encode="onehot").fit({"petal length": X["petal length"]}, Y)
    assert onehot.get_feature_names_out().tolist() == [
        "petal length <= 2.95",
        "2.95 < petal length <= 5.35",
        "petal length > 5.35",
        "petal length is missing",
    ]
    ordinal = MID(3, encode="ordinal").fit(X, Y)
    assert ordinal.get_feature_names_out().tolist() == list(X)


def test_close_thresholds_have_different_names() -> None:
    table = [[0.12345671], [0.12345672], [0.12345673], [0.12345674]]
    names = MID("all").fit(table, [0, 1, 0, 1]).get_feature_names_out()
    assert len(set(names)) == 3


def test_a_missing_row_is_0_everywhere_but_in_its_own_column() -> None:
    fitted = MID("all").fit({"size": [1.0, 2.0, None, 3.0]}, [0, 1, 0, 0])
    assert fitted.get_feature_names_out()[0] == "size is missing"
    assert fitted.transform({"size": [None]}).tolist() == [[1] + [0] * (len(fitted.thresholds_))]


def test_missing_cells_that_training_never_met() -> None:
    fitted = MID("all").fit([[1.0], [2.0]], [0, 1])
    assert fitted.transform([[np.nan]]).tolist() == [[0]]
    assert fitted.set_params(encode="ordinal").transform([[np.nan]]).tolist() == [[-1]]


def test_unseen_categories() -> None:
    fitted = MID().fit({"colour": ["red", "blue", None]}, [0, 1, 1])
    rows = {"colour": ["violet", "red", None]}
    assert fitted.transform(rows).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert fitted.set_params(encode="ordinal").transform(rows).tolist() == [[-2], [1], [-1]]


def test_numbers_that_are_categories() -> None:
    fitted = MID(categorical_features=[0]).fit([[3, 1.0], [7, 2.0], [3, 3.0]], [0, 1, 1])
    assert fitted.get_feature_names_out().tolist() == ["x0 = 3", "x0 = 7", "x1 <= 1.5", "x1 <= 2.5"]


def test_names_of_many_categories_cost_one_look_at_each() -> None:
    """Every name asked all categories whether some are numbers: 20,000 of them took 22 s."""

    class Counted(tuple[Any, ...]):
        looks = 0

        def __iter__(self) -> Iterator[Any]:
            for item in super().__iter__():
                Counted.looks += 1
                yield item

    column = SimpleNamespace(categories=Counted([f"place {i}" for i in range(500)]), values="text")
    words = Words([cast(Column, column)], ["place"], {})
    names = [words.category(0, code) for code in range(500)]
    assert names[499] == "place 499"
    assert Counted.looks <= 500


def test_the_prefix_moves_without_fitting() -> None:
    rng = np.random.default_rng(0)
    table = rng.random((60, 3))
    y = (table[:, 0] + table[:, 1] > 1).astype(int)
    fitted = MID(30).fit(table, y)
    thirty = fitted.transform(table)
    names = fitted.get_feature_names_out()
    for n in (1, 7, 30):
        fitted.set_params(n_thresholds=n)
        assert np.array_equal(fitted.transform(table), thirty[:, :n])
        assert len(fitted.get_feature_names_out()) == n
        assert np.array_equal(clone(fitted).fit_transform(table, y), thirty[:, :n])
    assert len(fitted.thresholds_) == 30
    assert names[0] == fitted.get_feature_names_out()[0]
    fitted.set_params(n_thresholds=31)
    with pytest.raises(ValueError, match=r"n_thresholds=31 needs more than the 30 .* Fit .* again"):
        fitted.transform(table)
    with pytest.raises(ValueError, match="n_thresholds='all' needs more"):
        fitted.set_params(n_thresholds="all").transform(table)
    with pytest.raises(ValueError, match="The 'n_thresholds' parameter of"):
        fitted.set_params(n_thresholds=0).transform(table)


def test_more_than_there_are_is_all() -> None:
    fitted = MID(45).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert len(fitted.thresholds_) == fitted.n_value_changes_ == 2
    for n in (2, 45, 1000, "all"):
        assert fitted.set_params(n_thresholds=n).transform([[1.2]]).tolist() == [[1, 1]]


def test_mdl_proposes_a_length() -> None:
    rng = np.random.default_rng(3)
    table = rng.random((300, 2))
    y = (table[:, 0] > 0.6).astype(int)
    fitted = MID("mdl").fit(table, y)
    assert fitted.thresholds_["feature"].tolist() == [0]
    assert fitted.thresholds_["threshold"][0] == pytest.approx(0.6, abs=0.02)
    with pytest.raises(ValueError, match="needs more than the 1 thresholds"):
        fitted.set_params(n_thresholds=2).transform(table)


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("encode", ["thresholds", "onehot", "ordinal"])
def test_frames(library: str, encode: str) -> None:
    frames: Any = pytest.importorskip(library)
    table = frames.DataFrame(X)
    fitted = MID(5, encode=encode).set_output(transform=library).fit(table, Y)
    out = fitted.transform(table)
    assert isinstance(out, frames.DataFrame)
    assert list(out.columns) == fitted.get_feature_names_out().tolist()
    plain = clone(fitted).set_output(transform="default").fit_transform(X, Y)
    assert np.array_equal(out.to_numpy(), plain)
    backwards = table[list(reversed(X))]
    assert np.array_equal(fitted.transform(backwards).to_numpy(), plain)


def test_a_pandas_index_is_kept() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(X, index=list("uvwxyz"))
    out = MID(5).set_output(transform="pandas").fit_transform(table, Y)
    assert out.index.tolist() == list("uvwxyz")


def test_a_pipeline_with_weights() -> None:
    pipeline = make_pipeline(MID(3), TreeClassifier())
    pipeline.fit(X, Y, minimumimpuritydiscretizer__sample_weight=np.ones(6))
    assert pipeline.score(X, Y) > 0.5


@pytest.mark.parametrize("discretizer", EVERY, ids=ids)
def test_a_pickle_transforms_alike_and_a_refit_equals_a_fresh_fit(discretizer: Discretizer) -> None:
    fitted = clone(discretizer).fit(X, Y)
    again = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(again.transform(X), fitted.transform(X))
    other = clone(discretizer).fit([[1.0], [2.0]], [0, 1]).fit(X, Y)
    assert np.array_equal(other.transform(X), fitted.transform(X))
    assert str(other.thresholds_) == str(fitted.thresholds_)


def test_a_table_without_numbers() -> None:
    for discretizer in EVERY:
        fitted = clone(discretizer).fit({"colour": ["red", "blue"]}, [0, 1])
        assert len(fitted.thresholds_) == 0
        assert fitted.transform({"colour": ["red"]}).tolist() == [[0, 1]]


def test_a_constant_column_has_no_threshold_and_one_bin() -> None:
    fitted = MID(encode="onehot").fit([[5.0], [5.0]], [0, 1])
    assert fitted.get_feature_names_out().tolist() == ["x0 is present"]
    assert fitted.transform([[5.0], [np.nan]]).tolist() == [[1], [0]]


def test_thresholds_cannot_be_changed_by_accident() -> None:
    fitted = MID().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="read-only"):
        fitted.thresholds_["threshold"][0] = 7.0
