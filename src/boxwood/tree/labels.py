"""Category values and class labels as JSON, each keeping its type.

JSON has strings, booleans and numbers, and a number written without a point or an exponent is an integer.
Those stand for themselves. Everything else is an object with one key, its type:

=====================  =======================================================
``"red"``              string
``true``               boolean
``3``                  integer
``3.0``                float
``{"float": "inf"}``   a float that is no JSON number: ``inf`` or ``-inf``
``{"datetime": ...}``  date and time, ISO 8601
``{"date": ...}``      date, ISO 8601
=====================  =======================================================

Class labels are an array, so their dtype is kept beside them: ``{"dtype": "int32", "labels": [1, 2, 5]}``.
"""

from __future__ import annotations

import datetime
import math
import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.tree.errors import TreeFormatError

_INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
_FLOATS = ("float16", "float32", "float64")
_TIME = re.compile(r"(datetime64|timedelta64)\[(Y|M|W|D|h|m|s|ms|us|ns)\]")
_MOMENT = re.compile(r"-?\d{4,12}(-\d\d(-\d\d(T\d\d(:\d\d(:\d\d(\.\d{1,9})?)?)?)?)?)?")

MAX_CHARACTERS = 2**28
"""numpy stores every string label as wide as the widest; more than this in all is refused."""

MAX_DIGITS = 1000
"""Integers of more digits are refused: nothing real has them, and reading one takes quadratic time."""


def value_to_json(value: object) -> Any:
    """A category or a label as JSON.

    >>> value_to_json(np.int64(3)), value_to_json(datetime.date(2024, 2, 29))
    (3, {'date': '2024-02-29'})
    """
    if isinstance(value, np.generic):
        value = _python_scalar(value)
    if isinstance(value, bool):
        return bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        if abs(value) >= 10**MAX_DIGITS:
            raise TreeFormatError(f"an integer of more than {MAX_DIGITS} digits cannot be saved")
        return int(value)
    if isinstance(value, float):
        if math.isnan(value):
            raise TreeFormatError("NaN is neither a category nor a label, and cannot be saved")
        return float(value) if math.isfinite(value) else {"float": repr(float(value))}
    if isinstance(value, datetime.datetime):
        if getattr(value, "nanosecond", 0):
            raise TreeFormatError(f"{value!r} is finer than a microsecond and cannot be saved as JSON")
        return {"datetime": value.isoformat()}
    if isinstance(value, datetime.date):
        return {"date": value.isoformat()}
    raise TreeFormatError(
        f"{value!r:.60} of type {type(value).__name__} cannot be saved as JSON; strings, numbers, booleans "
        "and dates can. Convert it before fitting, or pickle the tree instead"
    )


def _python_scalar(value: np.generic) -> object:
    if isinstance(value, np.datetime64):
        fine = value.astype("datetime64[us]")
        if fine == value:
            return fine.item()
    return value.item() if value.dtype.kind in "biufU" else value


def value_from_json(json: object) -> Any:
    """What `value_to_json` wrote down; `TreeFormatError` if it is nothing of the kind.

    >>> value_from_json({"date": "2024-02-29"})
    datetime.date(2024, 2, 29)
    """
    if isinstance(json, bool | int | str):
        return json
    if isinstance(json, float) and math.isfinite(json):
        return json
    if isinstance(json, dict) and len(json) == 1:
        (tag, text), *_ = json.items()
        if tag == "float" and text in ("inf", "-inf"):
            return float(text)
        if isinstance(text, str):
            try:
                if tag == "datetime":
                    return datetime.datetime.fromisoformat(text)
                if tag == "date":
                    return datetime.date.fromisoformat(text)
            except ValueError:
                raise TreeFormatError(f"{text!r:.60} is not an ISO 8601 {tag}") from None
    raise TreeFormatError(f"{json!r:.60} is no category or label")


def labels_to_json(labels: NDArray[Any]) -> dict[str, Any]:
    """Class labels with their dtype.

    >>> labels_to_json(np.array(["no", "yes"]))
    {'dtype': 'str', 'labels': ['no', 'yes']}
    """
    dtype = labels.dtype
    if dtype.kind == "U":
        return {"dtype": "str", "labels": labels.tolist()}
    if dtype.kind == "M":
        return {"dtype": dtype.name, "labels": np.datetime_as_string(labels).tolist()}
    if dtype.kind == "m":
        return {"dtype": dtype.name, "labels": labels.astype(np.int64).tolist()}
    if dtype.name not in ("bool", "object", *_INTEGERS, *_FLOATS):
        raise TreeFormatError(
            f"class labels of dtype {dtype} cannot be saved as JSON; convert them before fitting"
        )
    return {"dtype": dtype.name, "labels": [value_to_json(label) for label in labels.tolist()]}


def labels_from_json(dtype: object, labels: object) -> NDArray[Any]:
    """What `labels_to_json` wrote down; `TreeFormatError` if it is nothing of the kind.

    >>> labels_from_json("int8", [0, 1])
    array([0, 1], dtype=int8)
    """
    if not isinstance(labels, list) or not labels:
        raise TreeFormatError("the class labels are not a list of at least one label")
    if not isinstance(dtype, str):
        raise TreeFormatError(f"{dtype!r:.40} is no dtype of class labels")
    if dtype == "object":
        array = np.empty(len(labels), dtype=object)
        array[:] = [value_from_json(label) for label in labels]
        return array
    time = _TIME.fullmatch(dtype)
    if dtype == "str":
        _all_of(str, labels, dtype)
        if len(labels) * max(map(len, labels)) > MAX_CHARACTERS:
            raise TreeFormatError(f"{len(labels)} class labels as wide as the longest one are too large")
        return np.array(labels, dtype=str)
    if dtype == "bool":
        _all_of(bool, labels, dtype)
        return np.array(labels, dtype=bool)
    if time is not None and time[1] == "datetime64":
        _all_of(str, labels, dtype)
        if not all(map(_MOMENT.fullmatch, labels)):
            raise TreeFormatError(f"the class labels are not all of dtype {dtype}")
        try:
            moments = np.array(labels, dtype=dtype)
        except (ValueError, OverflowError):
            raise TreeFormatError(f"the class labels are not all of dtype {dtype}") from None
        if np.datetime_as_string(moments).tolist() != labels:
            raise TreeFormatError(f"the class labels are not all of dtype {dtype}")
        return moments
    if dtype in _INTEGERS or time is not None:
        _all_of(int, labels, dtype)
        limits = np.iinfo(dtype if time is None else "int64")
        if not limits.min <= min(labels) <= max(labels) <= limits.max:
            raise TreeFormatError(f"the class labels are not all of dtype {dtype}")
        return np.array(labels, dtype=dtype if time is None else "int64").astype(dtype)
    if dtype in _FLOATS:
        numbers = [value_from_json(label) for label in labels]
        _all_of(float, numbers, dtype)
        with np.errstate(over="ignore"):
            array = np.array(numbers, dtype=dtype)
        if array.astype(np.float64).tolist() != numbers:
            raise TreeFormatError(f"the class labels are not all of dtype {dtype}")
        return array
    raise TreeFormatError(f"{dtype!r:.40} is no dtype of class labels")


def _all_of(kind: type, labels: list[Any], dtype: str) -> None:
    if any(type(label) is not kind for label in labels):
        raise TreeFormatError(f"the class labels are not all of dtype {dtype}")
