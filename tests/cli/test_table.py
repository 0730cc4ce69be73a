from __future__ import annotations

import datetime
import gzip
import io
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from boxwood.cli.describe import remarks, understand
from boxwood.cli.refusal import Refusal
from boxwood.cli.table import read_table

Csv = Callable[..., Path]
MOMENTS = [datetime.datetime(2024, 2, 29, 12), datetime.datetime(2020, 1, 1, 1, 2, 3, 500000), None]


def test_types_come_from_the_whole_file(csv: Csv) -> None:
    rows = "".join(f"{i},{i}\n" for i in range(5000))
    frame = read_table(str(csv(f"a,b\n{rows}5000,late\n")))
    assert frame["a"].dtype == pl.Int64
    assert frame["b"].dtype == pl.String
    assert frame["b"][-1] == "late"


@pytest.mark.parametrize(
    ("cells", "dtype", "values"),
    [
        (["1", "2", ""], pl.Int64, [1, 2, None]),
        (["1", "2.5", ""], pl.Float64, [1.0, 2.5, None]),
        ([" 1", "2 ", "  "], pl.Int64, [1, 2, None]),
        (["1e3", "-2", ""], pl.Float64, [1000.0, -2.0, None]),
        (["true", "false", ""], pl.Boolean, [True, False, None]),
        (
            ["2024-02-29", "2020-01-01", ""],
            pl.Date,
            [datetime.date(2024, 2, 29), datetime.date(2020, 1, 1), None],
        ),
        ([" true", "false ", ""], pl.Boolean, [True, False, None]),
        (
            [" 2024-02-29", "2020-01-01", ""],
            pl.Date,
            [datetime.date(2024, 2, 29), datetime.date(2020, 1, 1), None],
        ),
        (["2024-02-29T12:00:00", " 2020-01-01T01:02:03.5", ""], pl.Datetime("us"), MOMENTS),
        (["x", "NA", ""], pl.String, ["x", "NA", None]),
        (["x ", " y z", ""], pl.String, ["x", "y z", None]),
        (["99999999999999999999", "1", ""], pl.Float64, [1e20, 1.0, None]),
        (["", "", ""], pl.String, [None, None, None]),
    ],
)
def test_cells_become_values(csv: Csv, cells: list[str], dtype: pl.DataType, values: list[object]) -> None:
    frame = read_table(str(csv("a,b\n" + "".join(f"{cell},0\n" for cell in cells))))
    assert frame["a"].dtype == dtype
    assert frame["a"].to_list() == values


def test_one_number_beyond_64_bits_does_not_change_the_other_columns(csv: Csv) -> None:
    frame = read_table(str(csv("a,b,c,d\n99999999999999999999,1,true,2024-01-01\n1,x,false,2024-01-02\n")))
    assert [dtype.base_type() for dtype in frame.dtypes] == [pl.Float64, pl.String, pl.Boolean, pl.Date]


def test_texts_that_mean_missing(csv: Csv) -> None:
    path = csv("a,b\n1,x\n?,NA\nNA, ?\n")
    frame = read_table(str(path), missing=["?", "NA"])
    assert frame["a"].to_list() == [1, None, None]
    assert frame["b"].to_list() == ["x", None, None]


def test_text_columns_stay_text(csv: Csv) -> None:
    frame = read_table(str(csv("zip,b\n007,1\n01,2\n")), text_columns=["zip", "elsewhere"])
    assert frame["zip"].to_list() == ["007", "01"]
    assert frame["b"].to_list() == [1, 2]


def test_names_are_trimmed_and_never_empty(csv: Csv) -> None:
    assert read_table(str(csv(",  age ,sex\n1,2,3\n"))).columns == ["column 1", "age", "sex"]


def test_quotes_windows_lines_and_byte_order_marks(csv: Csv) -> None:
    frame = read_table(str(csv(b'\xef\xbb\xbfa,b\r\n"x, ""y""",1\r\nz,2\r\n')))
    assert frame.columns == ["a", "b"]
    assert frame["a"].to_list() == ['x, "y"', "z"]


def test_compressed_files_and_other_separators(csv: Csv) -> None:
    path = csv(gzip.compress(b"a;b\n1;x\n"), "table.csv.gz")
    assert read_table(str(path), separator=";").rows() == [(1, "x")]


def test_a_separator_and_an_encoding_are_found_out(csv: Csv) -> None:
    assert read_table(str(csv("a;b\n1;é\n".encode("utf-16")))).rows() == [(1, "é")]
    assert read_table(str(csv("a\tb\n1\té\n".encode("cp1252")))).rows() == [(1, "é")]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n1,x\n")))
    assert read_table("-").rows() == [(1, "x")]


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        (b"", ["is empty"]),
        (b"\n\n", [""]),
        (b"a,b\n", ["a header and no rows"]),
        (b"a,b,a\n1,2,3\n", ["header", '"a"', "more than once"]),
        (b"a,b\n1,2\n1,2,3\n", ["line 3 has 3 cells", "header has 2"]),
        (b"PK\x03\x04\x00\x00\x00", ["not a text file"]),
        (b"\x1f\x8b broken", ["cannot be read as a table"]),
        (b'a,"b\n1,2\n', [""]),
    ],
)
def test_what_is_no_table_is_refused(csv: Csv, content: bytes, parts: list[str]) -> None:
    with pytest.raises(Refusal) as caught:
        read_table(str(csv(content)))
    for part in parts:
        assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_paths_that_are_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="folder"):
        read_table(str(tmp_path))
    with pytest.raises(Refusal, match="There is no file"):
        read_table(str(tmp_path / "nothing.csv"))
    with pytest.raises(Refusal, match="There is no file"):
        read_table(str(tmp_path / "*.csv"))


def test_what_is_understood_of_a_column() -> None:
    assert understand(pl.Series("a", [1.5, None, float("nan")])).missing == 2
    assert understand(pl.Series("a", [3, 1, 1])).values == "1 to 3, median 1"
    assert understand(pl.Series("a", [3, 1, 1]), categorical=True).values == "1 (2), 3 (1)"
    assert understand(pl.Series("a", [True, False, True])).values == "2 true, 1 false"
    assert understand(pl.Series("a", [None, None], dtype=pl.String)).kind == "empty"
    assert understand(pl.Series("a", list("abcdefg"))).values.endswith("2 more")
    dates = pl.Series("a", [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)])
    assert (understand(dates).kind, understand(dates).values) == ("dates", "2020-01-01 to 2021-01-01")


def test_odd_columns_are_remarked_upon() -> None:
    frame = pl.DataFrame(
        {
            "age": ["1", "2", "?", "4"] * 10,
            "name": [f"n{i}" for i in range(40)],
            "sex": ["f", "m"] * 20,
            "size": list(range(40)),
        }
    )
    age, name = remarks(frame)
    assert "--missing-values '?'" in age
    assert "--drop 'name'" in name
