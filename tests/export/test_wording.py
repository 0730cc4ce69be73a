import datetime
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.export.wording import (
    category_text,
    clean,
    date_text,
    distinct_texts,
    duration_text,
    moment_text,
    number_text,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (2.0, "2"),
        (43.349999999999994, "43.35"),
        (-17.949999999999996, "-17.95"),
        (206.5, "206.5"),
        (1234567.5, "1234567.5"),
        (123456789.25, "123456789.2"),
        (99999.99999999, "100000"),
        (0.1234567, "0.123457"),
        (1e-7, "1e-07"),
        (1e20, "1e+20"),
        (1.7976931348623157e308, "1.79769e+308"),
    ],
)
def test_numbers(value, text):
    assert number_text(value, 6) == text


@given(st.floats(-1e300, 1e300), st.integers(1, 17))
def test_numbers_are_rounded_to_the_digits_asked_for(value, digits):
    shown = float(number_text(value, digits))
    assert math.isclose(shown, value, rel_tol=0.5 * 10 ** (1 - digits) * 1.001)
    assert float(number_text(value, None)) == value


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), unique=True, max_size=30))
def test_different_numbers_look_different_and_keep_their_order(values):
    texts = distinct_texts(values, 6)
    assert texts.keys() == set(values)
    ordered = [float(texts[value]) for value in sorted(values)]
    assert ordered == sorted(set(ordered))


def test_numbers_close_together():
    values = [1.0, math.nextafter(1.0, 2), 1.5]
    texts = distinct_texts(values, 3)
    assert texts[1.5] == "1.5"
    assert [float(texts[value]) for value in values[:2]] == values[:2]


def test_dates():
    day = 86400e6
    assert date_text(0.0) == "1970-01-01"
    assert date_text(-day / 2) == "1969-12-31 12:00"
    assert date_text(day + 1.5e6) == "1970-01-02 00:00:01.500000"
    assert date_text(1e300) == "1e+300 µs"
    assert moment_text(datetime.datetime(2024, 2, 29, tzinfo=datetime.UTC)) == "2024-02-29 00:00+00:00"


def test_durations():
    assert duration_text(2 * 86400e6) == "2 days 0:00:00"
    assert duration_text(-3600e6) == "-1:00:00"
    assert duration_text(1e300) == "1e+300 µs"


@pytest.mark.parametrize(
    ("category", "text"),
    [
        ("Very Good", "Very Good"),
        ("", '""'),
        (" padded", '" padded"'),
        ("a, b", '"a, b"'),
        ("{x}", '"{x}"'),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        (3, "3"),
        (3.0, "3"),
        (0.1, "0.1"),
        (True, "true"),
        (datetime.date(2024, 2, 29), "2024-02-29"),
        (datetime.datetime(2024, 2, 29, 8, 30), "2024-02-29 08:30"),
    ],
)
def test_categories(category, text):
    assert category_text(category) == text


def test_text_among_other_categories_is_quoted():
    assert category_text("3", quote=True) == '"3"'
    assert category_text(3, quote=True) == "3"


@given(st.text())
def test_whatever_is_shown_can_be_printed(text):
    assert clean(text).isprintable()
