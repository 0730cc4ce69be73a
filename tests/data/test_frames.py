"""Every column type of pandas, polars and pyarrow, and the same tree for the same table."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from boxwood.data import encode_features, encode_with, make_dataset, read_table
from boxwood.data import frames as frames_module

NAN = np.nan
DAYS = [datetime.date(2020, 1, 1), None, datetime.date(2020, 1, 2)]
MOMENTS = [datetime.datetime(2020, 1, 1, 1), None, datetime.datetime(2021, 5, 5)]
MOMENT_NUMBERS = [1_577_840_400e6, NAN, 1_620_172_800e6]
DAY_NUMBERS = [1_577_836_800e6, NAN, 1_577_923_200e6]
SPANS = [datetime.timedelta(1), None, datetime.timedelta(seconds=2)]
SPAN_NUMBERS = [86_400e6, NAN, 2e6]
TIMES = [datetime.time(1), None, datetime.time(2)]
TIME_NUMBERS = [3_600e6, NAN, 7_200e6]
PARIS = ZoneInfo("Europe/Paris")
IN_PARIS = [
    None if moment is None else moment.replace(tzinfo=datetime.UTC).astimezone(PARIS) for moment in MOMENTS
]

NUMERIC: dict[str, tuple[Any, str, list[float]]] = {
    # pandas
    "pd float64": (pd.Series([1.5, NAN, 3]), "float", [1.5, NAN, 3]),
    "pd float32": (pd.Series([1.5, NAN, 3], dtype="float32"), "float", [1.5, NAN, 3]),
    "pd int64": (pd.Series([1, 2, 3]), "integer", [1, 2, 3]),
    "pd uint8": (pd.Series([1, 2, 3], dtype="uint8"), "integer", [1, 2, 3]),
    "pd bool": (pd.Series([True, False, True]), "boolean", [1, 0, 1]),
    "pd object bool": (pd.Series([True, None, False], dtype=object), "boolean", [1, NAN, 0]),
    "pd object int": (pd.Series([1, None, 3], dtype=object), "integer", [1, NAN, 3]),
    "pd object float": (pd.Series([1.5, None, 3], dtype=object), "float", [1.5, NAN, 3]),
    "pd object date": (pd.Series(DAYS, dtype=object), "date", DAY_NUMBERS),
    "pd object time": (pd.Series(TIMES, dtype=object), "duration", TIME_NUMBERS),
    "pd Int64": (pd.Series([1, None, 3], dtype="Int64"), "integer", [1, NAN, 3]),
    "pd Float64": (pd.Series([1.5, None, 3], dtype="Float64"), "float", [1.5, NAN, 3]),
    "pd boolean": (pd.Series([True, None, False], dtype="boolean"), "boolean", [1, NAN, 0]),
    "pd Sparse": (pd.Series(pd.arrays.SparseArray([0, 0, 1])), "integer", [0, 0, 1]),
    "pd arrow int": (pd.Series([1, None, 3], dtype="int64[pyarrow]"), "integer", [1, NAN, 3]),
    "pd arrow double": (pd.Series([1.5, None, 3], dtype="double[pyarrow]"), "float", [1.5, NAN, 3]),
    "pd arrow bool": (pd.Series([True, None, False], dtype="bool[pyarrow]"), "boolean", [1, NAN, 0]),
    "pd arrow decimal": (
        pd.Series([1, None, 2], dtype=pd.ArrowDtype(pa.decimal128(10, 2))),
        "float",
        [1, NAN, 2],
    ),
    "pd arrow date": (pd.Series(DAYS, dtype=pd.ArrowDtype(pa.date32())), "date", DAY_NUMBERS),
    "pd arrow timestamp": (
        pd.Series(MOMENTS, dtype=pd.ArrowDtype(pa.timestamp("ms"))),
        "date",
        MOMENT_NUMBERS,
    ),
    **{
        f"pd datetime64[{unit}]": (pd.Series(MOMENTS).astype(f"datetime64[{unit}]"), "date", MOMENT_NUMBERS)
        for unit in ("ns", "us", "ms", "s")
    },
    "pd datetime tz": (
        pd.Series(MOMENTS).dt.tz_localize("UTC").dt.tz_convert("Europe/Paris"),
        "date",
        MOMENT_NUMBERS,
    ),
    "pd timedelta": (pd.Series(SPANS, dtype="timedelta64[ns]"), "duration", SPAN_NUMBERS),
    # polars
    "pl Float64": (pl.Series([1.5, None, NAN]), "float", [1.5, NAN, NAN]),
    "pl Float32": (pl.Series([1.5, None, 3], dtype=pl.Float32), "float", [1.5, NAN, 3]),
    "pl Int8": (pl.Series([1, None, 3], dtype=pl.Int8), "integer", [1, NAN, 3]),
    "pl UInt64": (pl.Series([1, None, 3], dtype=pl.UInt64), "integer", [1, NAN, 3]),
    "pl Int128": (pl.Series([1, None, 3], dtype=pl.Int128), "integer", [1, NAN, 3]),
    "pl Boolean": (pl.Series([True, None, False]), "boolean", [1, NAN, 0]),
    "pl Decimal": (pl.Series([1, None, 2], dtype=pl.Decimal(10, 2)), "float", [1, NAN, 2]),
    "pl Date": (pl.Series(DAYS), "date", DAY_NUMBERS),
    **{
        f"pl Datetime {unit}": (pl.Series(MOMENTS, dtype=pl.Datetime(unit)), "date", MOMENT_NUMBERS)
        for unit in ("ns", "us", "ms")
    },
    "pl Datetime tz": (pl.Series(IN_PARIS, dtype=pl.Datetime("us", "Europe/Paris")), "date", MOMENT_NUMBERS),
    "pl Duration": (pl.Series(SPANS, dtype=pl.Duration("ms")), "duration", SPAN_NUMBERS),
    "pl Time": (pl.Series(TIMES), "duration", TIME_NUMBERS),
    "pl Object": (pl.Series([1, None, 3], dtype=pl.Object), "integer", [1, NAN, 3]),
    # pyarrow
    "pa double": (pa.array([1.5, None, NAN]), "float", [1.5, NAN, NAN]),
    "pa int64": (pa.array([1, None, 3]), "integer", [1, NAN, 3]),
    "pa bool": (pa.array([True, None, False]), "boolean", [1, NAN, 0]),
    "pa decimal": (pa.array([1, None, 2], pa.decimal128(10, 2)), "float", [1, NAN, 2]),
    "pa date32": (pa.array(DAYS), "date", DAY_NUMBERS),
    "pa date64": (pa.array(DAYS, pa.date64()), "date", DAY_NUMBERS),
    "pa timestamp": (pa.array(MOMENTS, pa.timestamp("s")), "date", MOMENT_NUMBERS),
    "pa timestamp tz": (pa.array(IN_PARIS, pa.timestamp("us", "Europe/Paris")), "date", MOMENT_NUMBERS),
    "pa duration": (pa.array(SPANS, pa.duration("ns")), "duration", SPAN_NUMBERS),
    "pa time": (pa.array(TIMES), "duration", TIME_NUMBERS),
}

CATEGORICAL: dict[str, tuple[Any, tuple[Any, ...], list[int]]] = {
    "pd str": (pd.Series(["b", None, "a"]), ("a", "b"), [1, -1, 0]),
    "pd object": (pd.Series(["b", None, "a"], dtype=object), ("a", "b"), [1, -1, 0]),
    "pd string": (pd.Series(["b", None, "a"], dtype="string"), ("a", "b"), [1, -1, 0]),
    "pd arrow string": (pd.Series(["b", None, "a"], dtype="string[pyarrow]"), ("a", "b"), [1, -1, 0]),
    "pd ArrowDtype": (pd.Series(["b", None, "a"], dtype=pd.ArrowDtype(pa.string())), ("a", "b"), [1, -1, 0]),
    "pd arrow dictionary": (
        pd.Series(["b", None, "a"], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        ("a", "b"),
        [1, -1, 0],
    ),
    "pd mixed": (pd.Series(["b", 1, None], dtype=object), (1, "b"), [1, 0, -1]),
    "pd bytes": (pd.Series([b"b", None, b"a"], dtype=object), ("a", "b"), [1, -1, 0]),
    "pd category": (pd.Series(pd.Categorical(["b", None, "a"])), ("a", "b"), [1, -1, 0]),
    "pd category of numbers": (pd.Series(pd.Categorical([10, None, 2])), (2, 10), [1, -1, 0]),
    "pd category of booleans": (pd.Series(pd.Categorical([True, None, False])), (False, True), [1, -1, 0]),
    "pd interval": (
        pd.Series(pd.cut([3, 1, 2], [0, 1, 2, 3])),
        tuple(f"Interval({i}, {i + 1}, closed='right')" for i in range(3)),
        [2, 0, 1],
    ),
    "pd period": (
        pd.Series(pd.PeriodIndex(["2021", "2020", "2020"], freq="D")),
        ("Period('2020-01-01', 'D')", "Period('2021-01-01', 'D')"),
        [1, 0, 0],
    ),
    "pd nothing": (pd.Series([None, None, None], dtype=object), (), [-1, -1, -1]),
    "pl String": (pl.Series(["b", None, "a"]), ("a", "b"), [1, -1, 0]),
    "pl Categorical": (pl.Series(["b", None, "a"], dtype=pl.Categorical), ("a", "b"), [1, -1, 0]),
    "pl Enum": (pl.Series(["b", None, "a"], dtype=pl.Enum(["b", "z", "a"])), ("b", "a"), [0, -1, 1]),
    "pl no Categorical": (pl.Series([None, None, None], dtype=pl.Categorical), (), [-1, -1, -1]),
    "pl Binary": (pl.Series([b"b", None, b"a"]), ("a", "b"), [1, -1, 0]),
    "pl List": (pl.Series([[2], None, [1]]), ("[1]", "[2]"), [1, -1, 0]),
    "pl Struct": (pl.Series([{"a": 2}, None, {"a": 1}]), ("{'a': 1}", "{'a': 2}"), [1, -1, 0]),
    "pl Null": (pl.Series([None, None, None]), (), [-1, -1, -1]),
    "pa string": (pa.array(["b", None, "a"]), ("a", "b"), [1, -1, 0]),
    "pa large_string": (pa.array(["b", None, "a"], pa.large_string()), ("a", "b"), [1, -1, 0]),
    "pa dictionary": (pa.array(["b", None, "a"]).dictionary_encode(), ("a", "b"), [1, -1, 0]),
    "pa dictionary of numbers": (pa.array([10, None, 2]).dictionary_encode(), (2, 10), [1, -1, 0]),
    "pa dictionary with null": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["b", None, "a"])),
        ("a", "b"),
        [1, -1, 0],
    ),
    "pa dictionary with twins": (
        pa.DictionaryArray.from_arrays(pa.array([0, 1, 2]), pa.array(["b", "a", "b"])),
        ("a", "b"),
        [1, 0, 1],
    ),
    "pa null": (pa.nulls(3), (), [-1, -1, -1]),
}


def as_table(column: Any) -> Any:
    if isinstance(column, pd.Series):
        return column.to_frame("a")
    if isinstance(column, pl.Series):
        return pl.DataFrame({"a": column})
    return pa.table({"a": column})


@pytest.mark.parametrize("name", NUMERIC)
@pytest.mark.parametrize("wrap", ["frame", "narwhals", "dict"])
def test_numeric_columns(name: str, wrap: str) -> None:
    column, values, expected = NUMERIC[name]
    X = {"frame": as_table, "narwhals": lambda c: nw.from_native(as_table(c)), "dict": lambda c: {"a": c}}[
        wrap
    ](column)
    schema, (found,) = encode_features(X)
    assert schema.names == ("a",)
    assert schema.named
    assert (schema[0].kind, schema[0].values) == ("numeric", values)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(encode_with(schema, X)[0], expected)


@pytest.mark.parametrize(
    ("name", "wrap"),
    [
        (name, wrap)
        for name in CATEGORICAL
        for wrap in ("frame", "narwhals", "dict")
        # An array of pyarrow that stands alone is read by its values, and numbers are numbers.
        if (name, wrap) != ("pa dictionary of numbers", "dict")
    ],
)
def test_categorical_columns(name: str, wrap: str) -> None:
    column, categories, expected = CATEGORICAL[name]
    X = {"frame": as_table, "narwhals": lambda c: nw.from_native(as_table(c)), "dict": lambda c: {"a": c}}[
        wrap
    ](column)
    schema, (found,) = encode_features(X)
    assert schema[0].kind == "categorical"
    assert schema[0].categories == categories
    assert found.dtype == np.int32
    assert found.tolist() == expected
    assert encode_with(schema, X)[0].tolist() == expected


@pytest.mark.parametrize("name", [*NUMERIC, *CATEGORICAL])
def test_some_rows_of_a_column(name: str) -> None:
    """Rows that are left out leave no trace: encoding a part is encoding a table of that part."""
    column = {**NUMERIC, **CATEGORICAL}[name][0]
    X = as_table(column)
    schema, (found,) = encode_features(X, rows=np.array([2]))
    part = X.slice(2, 1) if isinstance(X, pa.Table | pl.DataFrame) else X.iloc[2:]
    expected_schema, (expected,) = encode_features(part)
    assert schema == expected_schema
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", ["pl no Categorical", "pl Null", "pa null", "pd nothing"])
def test_a_column_without_values_accepts_anything_later(name: str) -> None:
    schema, _ = encode_features(as_table(CATEGORICAL[name][0]))
    assert encode_with(schema, {"a": ["x", 1.5, None]})[0].tolist() == [-2, -2, -1]


@pytest.mark.parametrize(
    ("head", "tail", "kind"),
    [
        ("a", 1, "categorical"),
        ("a", [1], "categorical"),
        (None, 1, "numeric"),
        (None, 1.5, "numeric"),
        (None, DAYS[0], "numeric"),
        (None, "x", "categorical"),
        (None, [1], "categorical"),
    ],
)
def test_objects_are_judged_by_every_cell(head: Any, tail: Any, kind: str) -> None:
    frame = pd.DataFrame({"a": pd.Series([head] * 500 + [tail], dtype=object)})
    assert encode_features(frame)[0][0].kind == kind


def test_chunked_dictionaries() -> None:
    column = pa.chunked_array(
        [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a", None]).dictionary_encode()]
    )
    schema, (codes,) = encode_features(pa.table({"a": column}))
    assert schema[0].categories == ("a", "b", "c")
    assert codes.tolist() == [1, 0, 2, 0, -1]


def test_polars_categoricals_of_other_columns_do_not_count() -> None:
    frame = pl.DataFrame(
        {"a": ["x", "y"], "b": ["y", "z"]}, schema={"a": pl.Categorical, "b": pl.Categorical}
    )
    schema, columns = encode_features(frame)
    assert [column.categories for column in schema] == [("x", "y"), ("y", "z")]
    assert [column.tolist() for column in columns] == [[0, 1], [0, 1]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_one_table_in_any_library(make: Any) -> None:
    data = {
        "age": [31, None, 45],
        "ratio": [0.5, 1.5, None],
        "island": ["Dream", "Biscoe", None],
        "tall": [True, False, True],
    }
    dataset = make_dataset(make(data), ["a", "b", "a"])
    assert dataset.schema.names == ("age", "ratio", "island", "tall")
    assert [column.kind for column in dataset.schema] == ["numeric", "numeric", "categorical", "numeric"]
    expected = [[31, NAN, 45], [0.5, 1.5, NAN], [1, 0, -1], [1, 0, 1]]
    for column, values in zip(dataset.columns, expected, strict=True):
        np.testing.assert_array_equal(column, values)


def test_a_float_frame_is_not_copied() -> None:
    array = np.arange(12.0).reshape(6, 2)
    for frame in (pd.DataFrame(array, copy=False), pl.DataFrame({"a": np.arange(6.0)})):
        _, columns = encode_features(frame)
        first = frame.iloc[:, 0] if isinstance(frame, pd.DataFrame) else frame["a"]
        assert np.shares_memory(columns[0], first.to_numpy())


@pytest.mark.parametrize(
    "lazy", [pl.LazyFrame({"a": [1]}), nw.from_native(pl.LazyFrame({"a": [1]}))], ids=["polars", "narwhals"]
)
def test_lazy_frames_are_refused(lazy: Any) -> None:
    with pytest.raises(TypeError, match="have not been computed yet; collect it"):
        read_table(lazy)


def test_without_narwhals_arrays_and_dicts_still_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frames_module, "HAS_NARWHALS", False)
    assert make_dataset({"a": [1, 2], "b": ["x", "y"]}, [0, 1]).n_features == 2
    assert make_dataset(np.eye(2), np.array([0, 1])).n_features == 2
    with pytest.raises(TypeError, match=r"reading a pandas.*DataFrame needs the package narwhals"):
        read_table(pd.DataFrame({"a": [1]}))


def test_what_only_looks_like_a_frame_is_read_as_an_array() -> None:
    class Grid:
        columns = 3

        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray[Any, Any]:
            return np.eye(3)

    assert read_table(Grid()).shape == (3, 3)


def test_masked_arrays_have_missing_cells() -> None:
    numbers = np.ma.masked_array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    schema, columns = encode_features(numbers)
    assert [column.values for column in schema] == ["integer", "integer"]
    np.testing.assert_array_equal(columns, [[1, 3], [NAN, 4]])
    text = np.ma.masked_array([["a"], ["b"]], mask=[[True], [False]])
    assert encode_features(text)[1][0].tolist() == [-1, 0]
    moments = np.ma.masked_array(
        np.array([["2020-01-01"], ["2020-01-02"]], dtype="datetime64[D]"), mask=[[True], [False]]
    )
    np.testing.assert_array_equal(encode_features(moments)[1][0], [NAN, DAY_NUMBERS[2]])
