"""Dates and durations as numbers: microseconds, whatever unit the caller's column has.

The same moment reaches us as ``datetime64[ns]``, as ``datetime64[D]``, as a polars Date, as a
`datetime.datetime` with a time zone or as a `datetime.date`. A threshold learned on one must hold for the
others, so all of them become float64 microseconds since 1 January 1970; durations and times of day become
microseconds. Moments with a time zone are turned into UTC, moments without one are taken as they stand. A
date is its midnight.

float64 counts microseconds exactly from the year 1684 to the year 2255, and durations of up to 285 years.
Units finer than a microsecond leave a fraction behind, as far as float64 can hold it: the nanosecond count is
never itself turned into a float, which would lose up to 256 ns of today's dates.
"""

from __future__ import annotations

import datetime
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_EPOCH_DAY: Final = datetime.date(1970, 1, 1).toordinal()
_MICROSECOND: Final = datetime.timedelta(microseconds=1)

# How many of a fine unit make a microsecond, and how many microseconds a coarse unit is. Months and years
# have no fixed length; numpy's calendar turns them into days first.
_PER_MICROSECOND: Final = {"ns": 10**3, "ps": 10**6, "fs": 10**9, "as": 10**12}
_MICROSECONDS: Final = {
    "us": 1,
    "ms": 10**3,
    "s": 10**6,
    "m": 60 * 10**6,
    "h": 3600 * 10**6,
    "D": 86400 * 10**6,
    "W": 7 * 86400 * 10**6,
}


def microseconds(array: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Turn an array of datetime64 or timedelta64 of any unit into microseconds; NaT becomes NaN.

    >>> microseconds(np.array(["1970-01-02", "NaT"], dtype="datetime64[D]"))
    array([8.64e+10,      nan])
    >>> microseconds(np.array([1500], dtype="timedelta64[ns]"))
    array([1.5])
    """
    unit, step = np.datetime_data(array.dtype)
    if unit == "generic":  # a column of nothing but NaT
        return np.full(array.shape, np.nan)
    missing = np.isnat(array)
    if unit in ("Y", "M"):
        # Calendar arithmetic for moments; a duration of a year is numpy's mean year of 365.2425 days.
        array = array.astype(f"{array.dtype.kind}8[s]")
        unit, step = "s", 1
    counts = array.astype(np.int64, copy=False)
    if unit in _PER_MICROSECOND:
        quotient, rest = np.divmod(counts, _PER_MICROSECOND[unit])
        result = quotient.astype(np.float64) + rest / _PER_MICROSECOND[unit]
        result *= step
    else:
        result = counts.astype(np.float64) * float(_MICROSECONDS[unit] * step)
    result[missing] = np.nan
    return result


def cell_microseconds(cell: object) -> float:
    """Turn one date, moment, duration or time of day into microseconds; NaT becomes NaN.

    >>> cell_microseconds(datetime.date(1970, 1, 2))
    86400000000.0
    >>> cell_microseconds(datetime.timedelta(milliseconds=2))
    2000.0
    """
    if isinstance(cell, np.datetime64 | np.timedelta64):
        return float(microseconds(np.array([cell]))[0])
    # pandas' Timestamp and Timedelta are subclasses of the standard types that count nanoseconds too.
    if isinstance(cell, datetime.timedelta):
        return float(cell // _MICROSECOND) + getattr(cell, "nanoseconds", 0) / 1000
    if isinstance(cell, datetime.time):
        return float(_since_midnight(cell))
    if isinstance(cell, datetime.datetime):
        cell = _in_utc(cell)
        day = (cell.toordinal() - _EPOCH_DAY) * _MICROSECONDS["D"]
        return float(day + _since_midnight(cell)) + getattr(cell, "nanosecond", 0) / 1000
    if isinstance(cell, datetime.date):
        return float((cell.toordinal() - _EPOCH_DAY) * _MICROSECONDS["D"])
    raise TypeError(f"{cell!r} is neither a date nor a duration")


def cell_moment(cell: datetime.date | np.datetime64) -> datetime.datetime:
    """Turn one date or moment into a plain `datetime.datetime` in UTC without time zone: the form of a
    category.

    >>> cell_moment(np.datetime64("2020-02-03"))
    datetime.datetime(2020, 2, 3, 0, 0)
    """
    if isinstance(cell, np.datetime64):
        moment = cell.astype("datetime64[us]").item()
        if not isinstance(moment, datetime.datetime):
            raise ValueError(f"the date {cell} is outside the years 1 to 9999, so it cannot be a category")
        return moment
    if isinstance(cell, datetime.datetime):
        cell = _in_utc(cell)
        return datetime.datetime(
            cell.year, cell.month, cell.day, cell.hour, cell.minute, cell.second, cell.microsecond
        )
    return datetime.datetime(cell.year, cell.month, cell.day)


def _in_utc(moment: datetime.datetime) -> datetime.datetime:
    return moment if moment.tzinfo is None else moment.astimezone(datetime.UTC)


def _since_midnight(time: datetime.datetime | datetime.time) -> int:
    return ((time.hour * 60 + time.minute) * 60 + time.second) * 10**6 + time.microsecond
