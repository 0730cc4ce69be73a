"""Dates and durations: one number for one moment, whatever it is written in."""

from __future__ import annotations

import datetime
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data.times import cell_microseconds, cell_moment, microseconds

NOON = 1_577_880_000_000_000.0  # 1 January 2020, 12:00 UTC
MIDNIGHT = 1_577_836_800_000_000.0


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "m", "h"])
def test_every_unit_of_a_moment(unit: str) -> None:
    array = np.array(["2020-01-01T12:00", "NaT"], dtype=f"datetime64[{unit}]")
    assert microseconds(array)[0] == NOON
    assert np.isnan(microseconds(array)[1])
    assert cell_microseconds(array[0]) == NOON


@pytest.mark.parametrize("unit", ["D", "M", "Y"])
def test_every_unit_of_a_day(unit: str) -> None:
    array = np.array(["2020-01-01", "NaT"], dtype=f"datetime64[{unit}]")
    assert microseconds(array)[0] == MIDNIGHT
    assert np.isnan(microseconds(array)[1])


@pytest.mark.parametrize(
    ("count", "unit", "expected"),
    [
        (1, "W", 7 * 86400e6),
        (2, "D", 2 * 86400e6),
        (-3, "h", -3 * 3600e6),
        (90, "s", 90e6),
        (1500, "ns", 1.5),
        (-1500, "ns", -1.5),
        (2_500_000, "ps", 2.5),
        (3, "25us", 75.0),
        (7, "25ns", 0.175),
    ],
)
def test_every_unit_of_a_duration(count: int, unit: str, expected: float) -> None:
    assert microseconds(np.array([count], dtype=f"timedelta64[{unit}]"))[0] == pytest.approx(
        expected, rel=1e-15
    )


def test_nothing_but_missing() -> None:
    assert np.isnan(microseconds(np.array(["NaT"], dtype="datetime64"))).all()
    assert np.isnan(microseconds(np.array(["NaT"], dtype="timedelta64[ns]"))).all()


def test_nanoseconds_keep_their_microseconds() -> None:
    # As float64, today's nanosecond counts are 256 apart.
    base = np.datetime64("2026-01-01T00:00:00", "ns")
    array = base + np.arange(0, 10_000, 1000).astype("timedelta64[ns]")
    assert np.diff(microseconds(array)).tolist() == [1.0] * 9


@pytest.mark.parametrize(
    "cell",
    [
        datetime.datetime(2020, 1, 1, 12),
        datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC),
        datetime.datetime(2020, 1, 1, 13, tzinfo=ZoneInfo("Europe/Paris")),
        datetime.datetime(2020, 1, 1, 7, tzinfo=datetime.timezone(datetime.timedelta(hours=-5))),
        np.datetime64("2020-01-01T12"),
        pd.Timestamp("2020-01-01 12:00"),
        pd.Timestamp("2020-01-01 13:00", tz="Europe/Paris"),
    ],
)
def test_every_form_of_a_moment(cell: Any) -> None:
    assert cell_microseconds(cell) == NOON
    assert cell_moment(cell) == datetime.datetime(2020, 1, 1, 12)
    assert type(cell_moment(cell)) is datetime.datetime


def test_a_date_is_its_midnight() -> None:
    assert cell_microseconds(datetime.date(2020, 1, 1)) == MIDNIGHT
    assert cell_moment(datetime.date(2020, 1, 1)) == datetime.datetime(2020, 1, 1)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        (datetime.timedelta(days=-1, microseconds=3), -86400e6 + 3),
        (pd.Timedelta(1500, "ns"), 1.5),
        (np.timedelta64(3, "s"), 3e6),
        (datetime.time(1, 2, 3, 4), 3_723_000_004.0),
        (pd.Timestamp("1970-01-01 00:00:00.000001500"), 1.5),
    ],
)
def test_every_form_of_a_duration(cell: object, expected: float) -> None:
    assert cell_microseconds(cell) == expected


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(TypeError, match="'noon' is neither a date nor a duration"):
        cell_microseconds("noon")
    with pytest.raises(ValueError, match="outside the years 1 to 9999"):
        cell_moment(np.datetime64("20000-01-01"))


@given(st.datetimes(datetime.datetime(1700, 1, 1), datetime.datetime(2250, 1, 1)))
def test_cells_and_arrays_agree(moment: datetime.datetime) -> None:
    array = np.array([moment], dtype="datetime64[us]")
    assert cell_microseconds(moment) == microseconds(array)[0] == array.astype(np.int64)[0]
    assert cell_moment(array[0]) == moment
