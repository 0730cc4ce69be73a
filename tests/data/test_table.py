"""What is a table, what is none, and columns found by their names."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from boxwood.data import align_columns, encode_features, encode_with, make_dataset, read_table


class NotAnArray:
    """Turns into an array, and is nothing else."""

    def __init__(self, data: Any) -> None:
        self.data = np.asarray(data)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
        return self.data


TWINS = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])

BAD_TABLES: dict[str, tuple[Any, type[Exception], str]] = {
    "1D": (np.zeros(3), ValueError, r"Expected 2D array, got 1D array instead(.|\n)*Reshape your data"),
    "1D list": ([1, 2], ValueError, r"Expected 2D array, got 1D array instead(.|\n)*Reshape your data"),
    "list of text": (["ab", "cd"], ValueError, "Expected 2D array, got 1D array"),
    "list of dicts": ([{"a": 1}], ValueError, "Expected 2D array, got 1D array"),
    "empty list": ([], ValueError, "Expected 2D array, got 1D array"),
    "scalar": (3.0, ValueError, r"Expected 2D array, got scalar array instead(.|\n)*Reshape your data"),
    "None": (None, ValueError, "got scalar array"),
    "text": ("table.csv", ValueError, "got scalar array"),
    "3D": (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3, while dim <= 2 is required"),
    "record array": (np.zeros(3, dtype=[("a", float)]), ValueError, "Expected 2D array, got 1D array"),
    "pandas series": (
        pd.Series([1.0]),
        ValueError,
        r"Expected a 2-dimensional container but got (.|\n)*Reshape your data",
    ),
    "polars series": (pl.Series([1.0]), ValueError, "Expected a 2-dimensional container but got"),
    "no rows": (
        np.empty((0, 3)),
        ValueError,
        r"Found array with 0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1 is required",
    ),
    "no columns": (
        np.empty((12, 0)),
        ValueError,
        r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1 is required",
    ),
    "frame without rows": (pd.DataFrame({"a": []}), ValueError, r"0 sample\(s\)"),
    "frame without columns": (pd.DataFrame(index=range(3)), ValueError, r"0 feature\(s\) \(shape=\(3, 0\)\)"),
    "empty row": ([[]], ValueError, r"0 feature\(s\)"),
    "empty dict": ({}, ValueError, r"0 sample\(s\)"),
    "complex": (np.array([[1j]]), ValueError, "Complex data not supported"),
    "complex list": ([[1.0], [1j]], ValueError, "Complex data not supported"),
    "complex frame": (pd.DataFrame({"a": [1j]}), ValueError, "Complex data not supported"),
    "complex column": ({"a": np.array([1j])}, ValueError, "Complex data not supported"),
    "void": (np.zeros((2, 2), dtype="V4"), TypeError, "V4 holds neither numbers"),
    "ragged": ([[1, 2], [3, 4], [5]], ValueError, "row 0 has 2 and row 2 has 1 cells"),
    "ragged with scalar": ([[1, 2], 3], ValueError, "row 0 has 2 and row 1 has 1 cells"),
    "ragged arrays": ([np.zeros(2), np.zeros(3)], ValueError, "row 0 has 2 and row 1 has 3 cells"),
    "tables for rows": ([np.zeros((2, 2)), np.zeros((2, 3))], ValueError, "Expected 2D array, got 1D array"),
    "csr": (
        sparse.csr_array(np.eye(3)),
        TypeError,
        "Sparse data was passed for X, but dense data is required.*toarray",
    ),
    "coo matrix": (sparse.coo_matrix(np.eye(3)), TypeError, "Sparse data was passed"),
    "dok": (sparse.dok_array(np.eye(3)), TypeError, "Sparse data was passed"),
    "duplicate names": (TWINS, ValueError, "more than one column of X is named 'a'"),
    "duplicate numbers": (
        pd.DataFrame([[1, 2]], columns=[0, 0]),
        ValueError,
        "more than one column of X is named 0",
    ),
    "duplicate pyarrow": (
        pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"]),
        ValueError,
        "more than one column of X is named 'a'",
    ),
    "mixed names": (
        pd.DataFrame([[1, 2]], columns=["a", 1]),
        TypeError,
        r"only supported if all input features have string names",
    ),
    "dict without names": ({0: [1], 1: [2]}, TypeError, "must be named by strings, not by 0"),
    "dict of different lengths": ({"a": [1], "b": [1, 2]}, ValueError, "'a' has 1 and 'b' has 2 cells"),
    "dict of scalars": ({"a": 1}, TypeError, "column 'a' must be a list, an array or a series, not 1"),
    "dict of text": ({"a": "abc"}, TypeError, "column 'a' must be a list"),
    "dict of tables": ({"a": np.eye(2)}, ValueError, "column 'a' must have one dimension, not 2"),
    "infinity": (
        np.array([[0.0, 1.0], [2.0, -np.inf]]),
        ValueError,
        "Input X contains infinity in column 'x1', row 1",
    ),
    "float32 infinity": (
        np.array([[np.inf]], dtype=np.float32),
        ValueError,
        "infinity in column 'x0', row 0",
    ),
    "infinity in a frame": (
        pd.DataFrame({"a": [1.0], "b": [np.inf]}),
        ValueError,
        "infinity in column 'b', row 0",
    ),
    "infinity in objects": ([[1.0], [float("inf")]], ValueError, "infinity in column 'x0', row 1"),
    "too large for float64": (
        np.array([["1e400"]]).astype(np.longdouble),
        ValueError,
        "infinity in column 'x0'",
    ),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables_are_refused(name: str) -> None:
    X, error, message = BAD_TABLES[name]
    with pytest.raises(error, match=message):
        encode_features(X)
    n_rows = len(X) if isinstance(X, list | np.ndarray) else 1
    with pytest.raises(error, match=message):
        make_dataset(X, [0] * n_rows)


@pytest.mark.parametrize(
    "name", ["1D", "3D", "scalar", "pandas series", "complex", "ragged", "csr", "float32 infinity"]
)
def test_bad_tables_are_refused_at_prediction(name: str) -> None:
    X, error, message = BAD_TABLES[name]
    schema, _ = encode_features(np.zeros((1, 1)))
    with pytest.raises(error, match=message):
        encode_with(schema, X)


def test_the_owner_is_named() -> None:
    with pytest.raises(ValueError, match="required by TreeClassifier"):
        make_dataset(np.empty((0, 1)), [], owner="TreeClassifier")


@pytest.mark.parametrize(
    "X",
    [
        [[1.0, 2.0], [3.0, 4.0]],
        ((1.0, 2.0), (3.0, 4.0)),
        [np.array([1.0, 2.0]), np.array([3.0, 4.0])],
        NotAnArray([[1.0, 2.0], [3.0, 4.0]]),
        np.matrix([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1.0, 2.0], [3.0, 4.0]], order="F"),
        np.array([[1.0, 2.0], [3.0, 4.0]], dtype=">f8"),
        np.array([[1, 2], [3, 4]], dtype=np.float16),
        np.array([[1, 2], [3, 4]], dtype=np.longdouble),
        np.array([[1, 2], [3, 4]], dtype=object),
        pd.DataFrame([[1.0, 2.0], [3.0, 4.0]]),
        pd.DataFrame([[1.0, 2.0], [3.0, 4.0]], columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])),
    ],
    ids=lambda X: type(X).__name__,
)
def test_tables_without_names(X: Any) -> None:
    schema, columns = encode_features(X)
    assert schema.names == ("x0", "x1")
    assert not schema.named
    assert read_table(X).shape == (2, 2)
    np.testing.assert_array_equal(columns, [[1, 3], [2, 4]])
    np.testing.assert_array_equal(encode_with(schema, X), columns)


def test_rows_of_mixed_types_keep_their_numbers() -> None:
    schema, columns = encode_features([[1, "a", 0.5], [2, "b", None]])
    assert [column.values for column in schema] == ["integer", "category", "float"]
    np.testing.assert_array_equal(columns[0], [1.0, 2.0])


def test_a_table_is_read_once() -> None:
    table = read_table([[1, "a"], [2, None]])
    assert read_table(table) is table
    assert repr(table) == "Table(2 rows, 2 columns)"
    assert (table.value(0, 1), table.value(1, 1), table.value(1, 0)) == ("a", None, 2)
    assert encode_features(table)[0] == encode_features([[1, "a"], [2, None]])[0]


@pytest.mark.parametrize(
    ("X", "row", "expected"),
    [
        (np.array([[1.5], [np.nan]]), 0, 1.5),
        (np.array([[1.5], [np.nan]]), 1, None),
        (pd.DataFrame({"a": pd.array([1, None], dtype="Int64")}), 1, None),
        (pd.DataFrame({"a": pd.Categorical(["x", None])}), 0, "x"),
        (pd.DataFrame({"a": pd.Categorical(["x", None])}), 1, None),
        (pl.DataFrame({"a": ["x", None]}), 0, "x"),
        (np.array([["2020-01-01"]], dtype="datetime64[D]"), 0, np.datetime64("2020-01-01")),
    ],
)
def test_the_value_of_a_cell(X: Any, row: int, expected: object) -> None:
    assert read_table(X).value(row, 0) == expected


NAMES = ("a", "b", "c")
FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "narwhals": lambda data: nw.from_native(pl.DataFrame(data), eager_only=True),
    "dict": dict,
}


@pytest.mark.parametrize("library", FRAMES)
def test_columns_are_put_in_order(library: str) -> None:
    make = FRAMES[library]
    schema, expected = encode_features(make({"a": [1, 2], "b": ["x", "y"], "c": [0.5, 1.5]}))
    turned = make({"c": [0.5, 1.5], "a": [1, 2], "b": ["x", "y"]})
    aligned = align_columns(turned, schema.names)
    assert type(aligned) is type(turned)
    assert read_table(aligned).names == NAMES
    for column, values in zip(encode_with(schema, aligned), expected, strict=True):
        np.testing.assert_array_equal(column, values)


@pytest.mark.parametrize("library", FRAMES)
def test_a_frame_in_order_is_left_alone(library: str) -> None:
    frame = FRAMES[library]({"a": [1], "b": [2], "c": [3]})
    assert align_columns(frame, NAMES) is frame


@pytest.mark.parametrize(
    "X", [np.eye(2), [[1, 2]], pd.DataFrame(np.eye(2)), sparse.eye_array(2), None, 3], ids=str
)
def test_tables_without_names_are_left_alone(X: Any) -> None:
    assert align_columns(X, NAMES) is X


def test_without_names_in_training_nothing_is_done() -> None:
    frame = pd.DataFrame({"b": [1], "a": [2]})
    assert align_columns(frame, None) is frame


@pytest.mark.parametrize("library", FRAMES)
@pytest.mark.parametrize(
    ("names", "unseen", "gone", "count"),
    [
        (["a", "b"], [], ["c"], 2),
        (["a", "b", "c", "d"], ["d"], [], 4),
        (["a", "b", "e"], ["e"], ["c"], None),
        (["v", "w", "x", "y", "z", "u"], ["u", "v", "w", "x", "y", "..."], ["a", "b", "c"], 6),
    ],
)
def test_wrong_columns_are_named(
    library: str, names: list[str], unseen: list[str], gone: list[str], count: int | None
) -> None:
    frame = FRAMES[library]({name: [1] for name in names})
    expected = "The feature names should match those that were passed during fit.\n"
    if unseen:
        expected += "Feature names unseen at fit time:\n" + "".join(f"- {name}\n" for name in unseen)
    if gone:
        expected += "Feature names seen at fit time, yet now missing:\n" + "".join(
            f"- {name}\n" for name in gone
        )
    if count is not None:
        expected += f"X has {count} features, but TreeClassifier is expecting 3 features as input.\n"
    with pytest.raises(ValueError) as error:
        align_columns(frame, NAMES, "TreeClassifier")
    assert str(error.value) == expected


def test_duplicate_names_are_refused_at_prediction() -> None:
    with pytest.raises(ValueError, match="more than one column of X is named 'a'"):
        align_columns(TWINS, ["a", "b"])


def test_a_wrong_number_of_columns_is_refused() -> None:
    schema, _ = encode_features(np.eye(3))
    with pytest.raises(ValueError, match="X has 1 features, but the tree is expecting 3 features as input"):
        encode_with(schema, np.eye(3)[:, :1])
