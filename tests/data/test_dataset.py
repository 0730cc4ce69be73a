"""The dataset: everything encoded once, and no trace of rows of weight 0."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data import Dataset, load_penguins, make_dataset


def assert_same(one: Dataset, other: Dataset) -> None:
    assert one.schema == other.schema
    for column, twin in zip(one.columns, other.columns, strict=True):
        np.testing.assert_array_equal(column, twin)
    np.testing.assert_array_equal(one.classes[one.target], other.classes[other.target])
    np.testing.assert_array_equal(one.weights, other.weights)


def test_a_dataset_of_penguins() -> None:
    penguins = load_penguins()
    dataset = make_dataset(penguins.data, penguins.target)
    assert repr(dataset) == "Dataset(344 rows, 7 columns, 3 classes)"
    assert (dataset.n_rows, dataset.n_features, dataset.n_classes) == (344, 7, 3)
    assert dataset.classes.tolist() == ["Adelie", "Chinstrap", "Gentoo"]
    assert np.bincount(dataset.target).tolist() == [152, 68, 124]
    assert dataset.schema.named
    assert dataset.unit_weights
    assert dataset.rows is None


def test_a_dataset_is_frozen() -> None:
    dataset = make_dataset(np.eye(3), [0, 1, 2])
    with pytest.raises(FrozenInstanceError):
        dataset.unit_weights = False  # type: ignore[misc]
    for array in (*dataset.columns, dataset.target, dataset.weights, dataset.classes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[1]


def test_the_callers_array_is_viewed() -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    dataset = make_dataset(X, np.arange(30) % 3)
    assert all(np.shares_memory(column, X) for column in dataset.columns)
    weighted = make_dataset(X, np.arange(30) % 3, sample_weight=np.full(30, 0.3))
    assert all(np.shares_memory(column, X) for column in weighted.columns)


DATA: dict[str, Any] = {
    "number": [1.5, None, 2.5, 9.5],
    "text": ["a", "b", "a", "only here"],
    "objects": [1, 2, None, "a word"],
    "level": [3, 1, 3, 7],
}


ALIKE = {name: DATA[name] for name in ("number", "text", "level")}  # polars and pyarrow have no mixed columns


@pytest.mark.parametrize(
    ("X", "part"),
    [
        (DATA, {name: column[:3] for name, column in DATA.items()}),
        (pd.DataFrame(DATA), pd.DataFrame(DATA).iloc[:3]),
        (pl.DataFrame(ALIKE), pl.DataFrame(ALIKE)[:3]),
        (pa.table(ALIKE), pa.table(ALIKE).slice(0, 3)),
    ],
    ids=["dict", "pandas", "polars", "pyarrow"],
)
def test_a_row_of_weight_zero_is_not_there(X: Any, part: Any) -> None:
    y = ["x", "y", "x", "x"]
    dataset = make_dataset(X, y, [1, 2, 1, 0], categorical_features=["level"])
    assert_same(dataset, make_dataset(part, y[:3], [1, 2, 1], categorical_features=["level"]))
    assert dataset.rows is not None
    assert dataset.rows.tolist() == [0, 1, 2]
    assert "only here" not in dataset.schema[1].categories
    if "objects" in dataset.schema.names:
        assert dataset.schema[2].kind == "numeric"  # the word is what would make it categorical


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "object"])
def test_rows_of_weight_zero_of_an_array(dtype: str) -> None:
    X = np.arange(20).reshape(10, 2).astype(dtype)
    keep = np.array([0, 1, 1, 0, 1, 0, 1, 1, 1, 0])
    dataset = make_dataset(X, np.arange(10) % 2, keep)
    assert dataset.rows is not None
    np.testing.assert_array_equal(dataset.rows, np.flatnonzero(keep))
    np.testing.assert_array_equal(np.column_stack(dataset.columns), X[keep > 0].astype(float))
    assert dataset.unit_weights


def test_what_a_row_of_weight_zero_holds_is_no_error() -> None:
    X = np.array([[1.0], [np.inf], [2.0]])
    assert make_dataset(X, [0, 1, 1], [1, 0, 1]).n_rows == 2
    with pytest.raises(ValueError, match="infinity in column 'x0', row 1"):
        make_dataset(X, [0, 1, 1], [0, 1, 1])


def test_a_class_weight_of_zero_drops_rows_too() -> None:
    dataset = make_dataset(np.arange(3.0)[:, None], ["a", "b", "a"], None, {"b": 0})
    assert dataset.columns[0].tolist() == [0, 2]
    assert dataset.rows is not None
    assert dataset.rows.tolist() == [0, 2]


def test_classes_come_from_all_rows() -> None:
    """As in scikit-learn: ensembles that work by weights need the same classes every time."""
    dataset = make_dataset(np.arange(3.0)[:, None], ["a", "b", "c"], [1, 0, 1])
    assert dataset.classes.tolist() == ["a", "b", "c"]
    assert dataset.target.tolist() == [0, 2]
    assert dataset.target.dtype == np.int32


def test_weights_are_rounded_once() -> None:
    dataset = make_dataset(np.zeros((1000, 1)), np.zeros(1000, int), np.random.default_rng(0).random(1000))
    weights = dataset.weights.tolist()
    assert sum(weights) == sum(reversed(weights)) == float(dataset.weights.sum())


def test_a_dataset_of_numbers() -> None:
    X = np.arange(8.0).reshape(4, 2)
    dataset = make_dataset(X, [1, 2.5, True, 4], task="regression")
    assert repr(dataset) == "Dataset(4 rows, 2 columns, numbers)"
    assert dataset.classes is None
    assert dataset.n_classes == 0
    assert dataset.target.dtype == np.float64
    assert dataset.target.tolist() == [1.0, 2.5, 1.0, 4.0]
    assert not dataset.target.flags.writeable


def test_rows_of_weight_zero_take_their_numbers_with_them() -> None:
    X = np.arange(3.0)[:, None]
    dataset = make_dataset(X, [5.0, 1e300, 7.0], [1, 0, 2], task="regression")
    assert dataset.target.tolist() == [5.0, 7.0]
    assert dataset.weights.tolist() == [1.0, 2.0]


def test_a_regression_has_neither_classes_nor_another_task() -> None:
    X = np.arange(3.0)[:, None]
    with pytest.raises(ValueError, match="class_weight='balanced' is given for a regression"):
        make_dataset(X, [1.0, 2.0, 3.0], class_weight="balanced", task="regression")
    with pytest.raises(ValueError, match="task='ranking' is not one of 'classification', 'regression'"):
        make_dataset(X, [1.0, 2.0, 3.0], task="ranking")


@pytest.mark.parametrize("y", [[1e200, 1.0], [1e154, 1.0]], ids=str)
def test_numbers_whose_squares_have_no_sum_are_refused(y: list[float]) -> None:
    with pytest.raises(ValueError, match=r"too large, up to .*: the sum of their squares is infinite"):
        make_dataset(np.arange(2.0)[:, None], y, [100, 100], task="regression")
    make_dataset(np.arange(2.0)[:, None], [1e150, 1.0], [100, 100], task="regression")


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (np.zeros((1, 1)), [0]),
        (np.zeros((5, 3)), [0, 1, 0, 1, 0]),
        (np.full((5, 2), np.nan), [0, 1, 0, 1, 0]),
        ({"a": ["x"] * 3}, ["only"] * 3),
        ({"a": [None, None]}, [0, 1]),
    ],
    ids=["one row", "constant columns", "all missing", "one class", "no values"],
)
def test_poor_tables_are_tables(X: Any, y: list[Any]) -> None:
    dataset = make_dataset(X, y)
    assert dataset.n_rows == len(y)
    assert len(dataset.columns) == dataset.schema.n_features
