"""Files of every kind and every fault, read or refused in one sentence."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import HistGradientBoostingClassifier

import boxwood
from boxwood import read_table


def load(content: str | bytes, target: str | bool | None = False, **options: object) -> boxwood.LoadedTable:
    content = content.encode() if isinstance(content, str) else content
    return read_table(io.BytesIO(content), target, **options)


# ---------------------------------------------------------------------------- dialects, encodings


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_the_separator_is_found_out(separator: str) -> None:
    X = load("name,age\nx,1\ny,2\n".replace(",", separator)).X
    assert X.columns == ["name", "age"]
    assert X["age"].to_list() == [1, 2]


def test_a_separator_inside_quotes_does_not_count() -> None:
    X = load('a;b\n"1;2;3,4";x\n"5;6;7,8";y\n').X
    assert X.rows() == [("1;2;3,4", "x"), ("5;6;7,8", "y")]


def test_a_few_ragged_lines_do_not_hide_the_separator() -> None:
    rows = "".join(f"{i};{i},5;x\n" for i in range(30))
    table = load(f"a;b;c\n{rows}1;2\n", malformed="skip")
    assert table.X.columns == ["a", "b", "c"]
    assert table.X["b"].to_list()[:2] == [0.5, 1.5]
    assert table.report == "Malformed line 32 left out."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_are_found_out(encoding: str) -> None:
    table = load("größe,été\n1,ça\n2,là\n".encode(encoding))
    assert table.X.columns == ["größe", "été"]
    assert table.X["été"].to_list() == ["ça", "là"]
    assert table.report == ""


def test_an_encoding_that_was_guessed_is_told() -> None:
    table = load("a,b\n1,x\n2,é€\n".encode("cp1252"))
    assert table.X["b"].to_list() == ["x", "é€"]
    assert table.report == "Read as Windows-1252, since the byte 0xe9 in line 3 is not UTF-8."
    assert load("a,b\n1,Ж\n".encode("koi8-r"), encoding="koi8-r").X["b"].to_list() == ["Ж"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("age,sex\n31,m\n", ["age", "sex"]),
        ("31,m\n45,f\n", ["column 1", "column 2"]),
        ("m,yes\nf,yes\n", ["column 1", "column 2"]),  # "yes" stands again below
        ("x,x\ny,z\n", ["column 1", "column 2"]),  # names differ
        ("sex,rich\nf,yes\nm,no\n", ["sex", "rich"]),
        ("0,1,class\n5,7,a\n6,7,b\n", ["0", "1", "class"]),  # as pandas writes
        ("5,7,a\n6,7,b\n", ["column 1", "column 2", "column 3"]),
        (",age\nx,1\n", ["column 1", "age"]),
    ],
)
def test_a_header_is_found_out(text: str, names: list[str]) -> None:
    assert load(text).X.columns == names
    assert ("no header" in load(text).report.lower()) == (names[1] == "column 2")


def test_a_header_can_be_named() -> None:
    assert load("a,b\nc,d\n", header=False).X.height == 2
    assert load("1,2\n3,4\n", header=True).X.columns == ["1", "2"]


def test_line_ends_blank_lines_and_quoted_breaks() -> None:
    assert load("a,b\r1,x\r2,y\r").X.height == 2
    table = load('\n\na,b\r\n\r\n1,"x\r\ny"\r\n   \n2,z\n?,"w"\n\n')
    assert table.X["a"].to_list() == [1, 2, None]
    assert table.X["b"].to_list() == ["x\r\ny", "z", "w"]


def test_blanks_before_quotes_do_not_count() -> None:
    assert load('a, "b"\n1, "x, y"\n2, "z"\n').X.rows() == [(1, "x, y"), (2, "z")]


# ---------------------------------------------------------------------------- types


def test_a_late_text_makes_a_column_text_and_the_reason_names_its_line() -> None:
    rows = [f"{i},{i / 2}" for i in range(2000)]
    rows[1021] = "unknown,1"
    age, half = load("age,half\n" + "\n".join(rows)).columns
    assert str(age) == 'column "age": categories, because of "unknown" in line 1,023'
    assert str(half) == 'column "half": numbers, not whole because of "0.0" in line 2'


def test_the_line_of_the_reason_counts_breaks_inside_of_cells_and_lines_left_out() -> None:
    text = 'a,b\n1,"x\n\ny"\n1,2,3\n2,z\nodd,z\n'
    assert 'because of "odd" in line 7' in load(text, malformed="skip").columns[0].reason


def test_words_that_mean_missing() -> None:
    table = load("a,b\n1,x\n?,NA\nNA, ?\n4,none\n")
    assert table.X["a"].to_list() == [1, None, None, 4]
    assert table.X["b"].to_list() == ["x", None, None, "none"]
    assert table.report == '4 cells of "?" or "NA" read as missing.'
    only = load("a,b\n1,x\n?,NA\nNA, ?\n4,\n", missing=["?"])
    assert only.X["a"].to_list() == ["1", None, "NA", "4"]
    assert only.X["b"].to_list() == ["x", "NA", None, ""]


def test_decimal_commas_where_the_separator_leaves_them_free() -> None:
    X = load("a;b;c\n1,5;1,234;1,5\n2;5,678;x\n").X
    assert X["a"].to_list() == [1.5, 2.0]
    assert X["b"].to_list() == ["1,234", "5,678"]  # thousands, or not
    assert X["c"].to_list() == ["1,5", "x"]


def test_columns_stay_text_on_demand() -> None:
    assert load("zip,b\n007,1\n01,2\n", text=["zip"]).X["zip"].to_list() == ["007", "01"]
    with pytest.raises(ValueError, match='did you mean "zip"'):
        load("zip,b\n007,1\n", text=["zp"])


def test_numbers_that_begin_with_a_zero_are_codes() -> None:
    """The postcode 01234 was read as the number 1234, and nobody was told."""
    text = "zip,share,b\n99999,00.5,1\n 01234 ,1,2\n?,1,3\n"
    table = load(text)
    assert table.X["zip"].to_list() == ["99999", "01234", None]
    assert str(table.columns[0]) == (
        'column "zip": categories, because of the zero that "01234" begins with in line 3; 1 cell is missing'
    )
    assert table.X["share"].to_list() == [0.5, 1, 1]  # a number with a fraction is no code
    assert load(text, numbers=["zip"]).X["zip"].to_list() == [99999, 1234, None]
    assert load("a,b\n0,1\n-0,2\n10,3\n").X["a"].to_list() == [0, 0, 10]
    with pytest.raises(
        ValueError, match='numbers= names the column "b", which holds categories, because of "x"'
    ):
        load("a,b\n0,x\n", numbers=["b"])
    with pytest.raises(ValueError, match="stands in text= and in numbers="):
        load(text, numbers=["zip"], text=["zip"])


def test_a_separator_at_the_end_of_each_line_makes_no_column() -> None:
    """``a,b,`` had a third column without name and values, which was the target."""
    table = load("a,b,\n1,x,\n2,y,\n", None)
    assert table.target == "b"
    assert table.X.columns == ["a"]
    assert table.report == "The last column, which has neither a name nor a value, left out."
    assert load("a,b,\n1,x,\n2,y,z\n").X.columns == ["a", "b", "column 3"]  # a value is kept


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_comments_above_a_table_are_left_out(end: str) -> None:
    """Lines that begin with # made a header of one cell, and malformed lines of all others."""
    text = end.join(["# made in May, by hand, of paper", "", "#", "a;b", "1;x", "2;y;z", "3;y", ""])
    table = load(text, malformed="skip")
    assert table.X.rows() == [(1, "x"), (3, "y")]
    assert table.report == "3 lines of comment above the table left out; malformed line 6 left out."
    assert load("#id,name\n1,x\n2,y\n").X.columns == ["#id", "name"]
    assert load("#up,3\n#up,4\n#down,5\n", header=False).X["column 1"].to_list() == ["#up", "#up", "#down"]
    assert load("#up,3\n#up,4\nc,5\n", header=False).X["column 2"].to_list() == [3, 4, 5]
    assert load("# years\nage\n31\n").X.rows() == load("age\n31\n").X.rows()
    assert load("#age\n31\n").X.columns == ["#age"]


# ---------------------------------------------------------------------------- target, frames


def test_it_unpacks_and_learners_take_it() -> None:
    rows = "".join(f"{i},{'ab'[i % 2]},{'?' if i == 7 else 'yn'[i % 2]}\n" for i in range(60))
    for frame in ("polars", "pandas"):
        table = load(f"n,c,y\n{rows}", None, frame=frame)
        X, y = table
        assert table.report == '1 cell of "?" read as missing; 1 row without a value of "y" left out.'
        assert len(X) == len(y) == 59
        assert boxwood.TreeClassifier().fit(X, y).score(X, y) == 1.0
    assert str(X.dtypes["c"]) == "category"
    assert (
        HistGradientBoostingClassifier(max_iter=2, categorical_features="from_dtype").fit(X, y).score(X, y)
        > 0.9
    )


def test_the_target() -> None:
    text = "Class,n,z\na,1,2\nb,2,3\n"
    assert load(text, None).target == "Class"
    assert load(text, "z").y.tolist() == [2, 3]
    assert load(text).y is None
    with pytest.raises(ValueError, match='no target column "clas": did you mean "Class"'):
        load(text, "clas")
    with pytest.raises(ValueError, match="nothing to learn from"):
        load("y\na\nb\n", "y")
    with pytest.raises(ValueError, match='"y" has no value in any row'):
        load("x,y\n1,\n2,\n", "y")


def test_pandas_columns() -> None:
    text = "i,j,b,d,t,h,big\n1,1,true,2024-02-29,x,12:30,9007199254740993\n2,,,,,,\n"
    X = load(text, frame="pandas", categories="text").X
    assert X["i"].dtype == np.int64
    assert X["j"].dtype == np.float64
    assert X["b"].tolist() == [True, pd.NA]
    assert X["d"][0] == pd.Timestamp("2024-02-29")
    assert X["h"][0] == pd.Timedelta(hours=12.5)
    assert X["t"].tolist()[0] == "x"
    assert X["t"].isna().tolist() == [False, True]
    assert X["big"][0] == 9007199254740993


# ---------------------------------------------------------------------------- malformed


@pytest.mark.parametrize(
    ("text", "lines", "left"),
    [
        ("a,b\n1,2\n3\n4,5,6\n7,8\n", ["line 3 has 1 cell;", "line 4 has 3 cells;", "header has 2"], 2),
        ('a,b\n1,2\n3,x"y\n7,8\n', ["line 3 has a quote in the middle of a field"], 2),
        ('a,b\n1,2\n3,"x\n7,8\n', ["line 3 opens a quote that is never closed"], 2),
        ('a,b\n1,2\n3,"x\n7,"z"\n8,"z"\n', ["line 4 has a quote in the middle"], 2),
    ],
)
def test_malformed_lines_are_named_or_left_out(text: str, lines: list[str], left: int) -> None:
    with pytest.raises(ValueError) as caught:
        load(text)
    for part in [*lines, "malformed='skip'"]:
        assert part in str(caught.value)
    table = load(text, malformed="skip")
    assert 1 <= table.X.height <= left
    assert table.report.startswith(("Malformed line", "2 malformed lines left out (3, 4)"))


def test_a_file_of_wrong_quotes_is_given_up() -> None:
    with pytest.raises(ValueError, match="50 lines and more have wrong quotes, the first one is line 2"):
        load("a,b\n" + '1,5" pipe\n' * 60, malformed="skip")


def test_quotes_can_be_ordinary() -> None:
    assert load('a,b\n1,5" pipe\n2,6"\n', quote=None).X["b"].to_list() == ['5" pipe', '6"']


@settings(max_examples=40)
@given(
    st.lists(st.tuples(*[st.sampled_from(["1", "2.5", "x", 'q"', "a,b", "l\nm", "é", ""])] * 2)),
    st.sampled_from([",", ";", "\t"]),
)
def test_what_the_csv_module_writes_is_read_back(rows: list[tuple[str, str]], separator: str) -> None:
    rows = [("0", "z"), *rows]  # never empty
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=separator).writerows([["first", "second"], *rows])
    X = load(file.getvalue(), separator=separator, header=True, missing=[], text=["first", "second"]).X
    assert X.rows() == rows


# ---------------------------------------------------------------------------- bad files


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b",,\n,,\n", "no cell with a value"),  # was an IndexError
        (b"# nothing\n,,\n", "no cell with a value"),
        (b"a,b\n", "a header and no rows"),
        (b"a,b,a\n1,2,3\n", '"a" stands more than once'),
        (b"PK\x03\x04rest", "ZIP archive or a spreadsheet"),
        (bytes(range(256)) * 8, "not a text file"),
        (random.Random(0).randbytes(4000).replace(b"\0", b"\1"), "not a text file"),
        (b"\x1f\x8b broken", "cannot be decompressed"),
        (b"PAR1 broken", "cannot be read as a Parquet file"),
        (b'a,"b\n1,2\n', "ends inside a quoted cell"),
    ],
)
def test_what_is_no_table_is_refused(content: bytes, part: str) -> None:
    with pytest.raises(ValueError, match=part) as caught:
        load(content)
    assert "\n" not in str(caught.value)


def test_paths_and_arguments_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError, match="There is no file"):
        read_table(tmp_path / "no.csv")
    with pytest.raises(IsADirectoryError, match="is a folder"):
        read_table(tmp_path)
    for options, part in (
        ({"frame": "arrow"}, "frame must be one of"),
        ({"categories": "codes"}, "categories must be one of"),
        ({"malformed": "warn"}, "malformed must be one of"),
        ({"separator": "::"}, "one plain character"),
        ({"header": "yes"}, "header must be"),
        ({"encoding": "klingon"}, "no encoding"),
    ):
        with pytest.raises(ValueError, match=part):
            load("a,b\n1,2\n", **options)
    with pytest.raises(TypeError, match="a list of texts"):
        load("a,b\n1,2\n", missing="NA")
    with pytest.raises(TypeError, match="from a path or an open file"):
        read_table(pd.DataFrame({"a": [1]}))
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ImportError, match=r"boxwood\[cli\]"):
        load("a,b\n1,2\n")


# ---------------------------------------------------------------------------- parquet


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "n": pl.Series([1, None, 3], dtype=pl.UInt8),
            "x": pl.Series([1.5, None, 2.0], dtype=pl.Float32),
            "c": pl.Series(["NA", None, "b"], dtype=pl.Categorical),
            "y": [True, False, None],
        }
    )
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    table = read_table(path)
    assert [column.kind for column in table.columns] == ["whole numbers", "numbers", "categories", "booleans"]
    assert table.X["c"].to_list() == ["NA", None]
    assert table.y.tolist() == [True, False]
    assert read_table(path, missing=["NA"]).X["c"].to_list() == [None, None]
    with pytest.raises(ValueError, match="leave out separator"):
        read_table(path, separator=";")
    pl.DataFrame({"a": [[1], [2]], "y": [0, 1]}).write_parquet(path)
    with pytest.raises(ValueError, match='column "a" has the type List'):
        read_table(path)


# ---------------------------------------------------------------------------- real files


def test_every_real_table_is_read_as_its_description_says(data_dir: Path) -> None:
    described = json.loads((data_dir / "manifest.json").read_text("utf-8"))["datasets"]
    for data in described:
        if data["n_rows"] > 60_000:
            continue  # the same, only slower
        # A coded column is what its description says of it, which no cell shows.
        coded = set(data.get("nominal_coded", ()))
        table = read_table(data_dir / data["file"], "class", missing=[""])
        kinds = {column.name: column.kind for column in table.columns}
        assert len(table.X) == data["n_rows"], data["name"]
        assert table.report == "", data["name"]
        assert len(set(table.y.tolist())) == data["n_classes"], data["name"]
        assert sum(column.missing for column in table.columns) == data["n_missing_cells"], data["name"]
        for name in data["numeric"]:
            assert kinds[name] in ("numbers", "whole numbers"), (data["name"], name)
        for name in set(data["categorical"]) - coded:
            values = table.X[name].drop_nulls()
            # Categories whose every name is a number cannot be told from numbers; naming them in text= can.
            numbers = values.dtype.is_numeric()
            assert kinds[name] == "categories" or numbers, (data["name"], name)
            if numbers:
                X = read_table(data_dir / data["file"], "class", missing=[""], text=[name]).X
                assert X[name].dtype == pl.Enum


def test_real_tables_of_blanks_without_a_header(data_dir: Path) -> None:
    for folder in ("binary", "numeric"):
        for path in sorted((data_dir / folder).glob("*.txt.gz"))[:4]:
            table = read_table(path, "column 1")
            first = gzip.decompress(path.read_bytes()).splitlines()[0].split()
            assert table.X.width == len(first) - 1, path
            assert "no header" in table.report.lower()
