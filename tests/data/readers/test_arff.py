"""ARFF files, beside scipy's reader where that one can follow."""

from __future__ import annotations

import datetime
import io

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import arff as scipy_arff

import boxwood
from boxwood.data.readers.java_dates import read_moment, strptime_format

HEAD = """% a comment
@RELATION 'a table'

@Attribute 'body mass' REAL   % in grams
@attribute island { Biscoe, 'Dream, or so', "it's" }
@attribute seen date "dd.MM.yyyy HH:mm"
@attribute note string
@attribute class {yes,no}
@DATA
"""


def load(text: str, target: str | bool | None = False, **options: object) -> boxwood.LoadedTable:
    return boxwood.read_table(io.BytesIO(text.encode()), target, **options)


def test_declarations_quotes_dates_comments_and_missing_cells() -> None:
    rows = (
        "3750.5, 'Dream, or so', '29.02.2024 12:30', 'a \\'word\\' 100%', yes % fine\n"
        "% between\n"
        '?,"it\'s",?,?,no\n'
        "\t4000 , Biscoe,\"01.01.2020 00:00\",'?',?\n"
    )
    table = load(HEAD + rows, None)
    assert table.target == "class"
    assert table.report == '1 row without a value of "class" left out.'
    assert table.X["island"].dtype == pl.Enum(["Biscoe", "Dream, or so", "it's"])
    assert table.X.rows() == [
        (3750.5, "Dream, or so", datetime.datetime(2024, 2, 29, 12, 30), "a 'word' 100%"),
        (None, "it's", None, None),
    ]
    assert load(HEAD + rows).X["note"].to_list()[2] == "?"  # in quotes it is a value
    assert str(table.columns[1]) == 'column "island": categories, declared as a list of values'


def test_sparse_rows_and_weights() -> None:
    rows = "{0 1.5, 1 'Dream, or so'}\n{}, {2.5}\n{ 3 hello,4 no }\n{1 ?, 2 '02.01.1970 00:00'},{0.5}\n"
    table = load(HEAD + rows)
    epoch = datetime.datetime(1970, 1, 1)
    assert table.X.rows() == [
        (1.5, "Dream, or so", epoch, None, "yes"),
        (0.0, "Biscoe", epoch, None, "yes"),
        (0.0, "Biscoe", epoch, "hello", "no"),
        (0.0, None, datetime.datetime(1970, 1, 2), None, "yes"),
    ]
    assert table.sample_weight is not None
    assert table.sample_weight.tolist() == [1.0, 2.5, 1.0, 0.5]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1,Biscoe,?,?", "line 10 has 4 cells"),
        (
            "1,Bisco,?,?,yes",
            'has "Bisco" in "island", which does not declare that value (did it mean "Biscoe"?)',
        ),
        ("one,Biscoe,?,?,yes", 'has "one" in "body mass", which is no number'),
        ("1,Biscoe,2024-02-29,?,yes", 'no date of the form "dd.MM.yyyy HH:mm"'),
        ("1_000,Biscoe,?,?,yes", 'has "1_000" in "body mass", which is no number'),
        ("1,Biscoe,?,?,yes,{1_0}", 'weight "1_0"'),
        ("1,'Biscoe,?,?,yes", "quote that is never closed"),
        ("{7 1}", "position 7, which is too high"),
        ("{0 1, 0 2}", "position 0, which it named before"),
        ("{0 1", "does not end with one"),
        ("1,Biscoe,?,?,yes,{-1}", 'weight "-1"'),
    ],
)
def test_malformed_rows_are_named_or_left_out(row: str, reason: str) -> None:
    text = f"{HEAD}{row}\n2,Biscoe,?,?,no\n"
    with pytest.raises(ValueError) as caught:
        load(text)
    assert reason in str(caught.value)
    assert "line 10" in str(caught.value)
    table = load(text, malformed="skip")
    assert table.X["body mass"].to_list() == [2]
    assert table.report == "Malformed line 10 left out."


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("@relation r\n@attribute a relational\n@end a\n@data\n", 'line 2: attribute "a" is relational'),
        ("@relation r\n@attribute a complex\n@data\n1\n", 'has the type "complex"'),
        ("@relation r\n@attribute a {x,y\n@data\nx\n", "no closing brace"),
        ("@relation r\n@attribute a {x,x}\n@data\nx\n", 'lists the value "x" twice'),
        ("@relation r\n@attribute a real\n@attribute a real\n@data\n1,2\n", "more than once"),
        ("@relation r\n@attribute a date 'QQ'\n@data\n1\n", "letter Q"),
        ("@relation r\n@attribute a real\n1,2\n", 'not with "1,2"'),
        ("@relation r\n@attribute a real\n", "no @data line"),
        ("@relation r\n@attribute a real\n@data\n% nothing\n", "has no rows"),
        ("@relation r\n@data\n", "declares no attribute"),
    ],
)
def test_bad_declarations_are_refused(text: str, part: str) -> None:
    with pytest.raises(ValueError) as caught:
        load(text)
    assert part in str(caught.value)


def test_arguments_about_delimiters_are_refused() -> None:
    with pytest.raises(ValueError, match="leave out separator"):
        load(HEAD + "1,Biscoe,?,?,yes\n", separator=";")


def test_other_words_are_missing_only_on_demand() -> None:
    text = "@relation r\n@attribute a real\n@attribute b {x,NA}\n@data\nNA,NA\n1,x\n"
    with pytest.raises(ValueError, match="which is no number"):
        load(text)
    table = load(text, missing=["NA"])
    assert table.X.rows() == [(None, "NA"), (1, "x")]  # where it is declared it is a value
    assert table.report == '1 cell of "NA" read as missing.'


NUMBERS = st.one_of(st.none(), st.integers(-99, 99), st.floats(-1e6, 1e6))


@settings(max_examples=30)
@given(st.lists(st.tuples(NUMBERS, st.sampled_from(["?", "a", "b-c", "d.1"])), min_size=1))
def test_it_agrees_with_scipy_on_what_needs_no_quotes(rows: list[tuple[float | None, str]]) -> None:
    lines = [f"{'?' if number is None else repr(number)},{value}\n" for number, value in rows]
    text = "@relation r\n@attribute n numeric\n@attribute v {a,b-c,d.1}\n@data\n" + "".join(lines)
    theirs, _ = scipy_arff.loadarff(io.StringIO(text))
    ours = load(text, categories="text").X
    numbers = ours["n"].cast(pl.Float64).fill_null(float("nan")).to_numpy()
    np.testing.assert_array_equal(numbers, theirs["n"])
    assert ours["v"].fill_null("?").to_list() == [value.decode() for value in theirs["v"]]


def quoted(text: str) -> str:
    """Write a value as Weka does."""
    for plain, escaped in (("\\", "\\\\"), ("'", "\\'"), ("\n", "\\n"), ("\t", "\\t")):
        text = text.replace(plain, escaped)
    return f"'{text}'"


@settings(max_examples=60)
@given(st.lists(st.text(alphabet="ab ,'\"%{}\\?\n\té", max_size=6), min_size=1, max_size=6, unique=True))
def test_any_text_is_read_back(values: list[str]) -> None:
    domain = ", ".join(map(quoted, values))
    rows = "".join(f"{quoted(value)}, {quoted(value)}\n" for value in values)
    sparse = "".join(f"{{0 {quoted(value)},1 {quoted(value)}}}\n" for value in values)
    text = f"@relation r\n@attribute v {{{domain}}}\n@attribute s string\n@data\n{rows}{sparse}"
    X = load(text, categories="text").X
    assert X["v"].to_list() == values * 2
    assert X["s"].to_list() == values * 2


def test_java_dates() -> None:
    assert strptime_format("EEE, d MMM yyyy hh:mm:ss.SSS a") == "%a, %d %b %Y %I:%M:%S.%f %p"
    assert read_moment("2024-02-29T12:00:00+0200", "yyyy-MM-dd'T'HH:mm:ssZ").hour == 10
    with pytest.raises(ValueError, match="never closed"):
        strptime_format("yyyy'T")
