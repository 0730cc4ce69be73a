"""What the arguments of a discretiser may be. They are checked when ``fit`` is called, as scikit-learn asks.

A refusal names the argument, the value that was given and the values that are allowed.
"""

from __future__ import annotations

import numbers
from typing import NoReturn

import joblib  # type: ignore[import-untyped]
import numpy as np


def is_whole(value: object, least: int) -> bool:
    """Whether a value is an integer of at least this size.

    >>> is_whole(3, 1), is_whole(True, 1), is_whole(3.0, 1), is_whole(0, 1)
    (True, False, False, False)
    """
    return (
        isinstance(value, numbers.Integral)
        and not isinstance(value, (bool, np.bool_))
        and int(value) >= least
    )


def is_between(value: object, low: float, high: float) -> bool:
    """Whether a value is a number strictly between two.

    >>> is_between(0.05, 0, 1), is_between(1, 0, 1), is_between("0.5", 0, 1)
    (True, False, False)
    """
    return (
        isinstance(value, numbers.Real)
        and not isinstance(value, (bool, np.bool_))
        and low < float(value) < high
    )


def refuse(owner: object, name: str, value: object, allowed: str) -> NoReturn:
    """Raise the error for an argument that cannot be.

    >>> refuse(object(), "n_bins", 1, "an int in the range [2, inf)")
    Traceback (most recent call last):
    ...
    ValueError: The 'n_bins' parameter of object must be an int in the range [2, inf). Got 1 instead.
    """
    raise ValueError(
        f"The {name!r} parameter of {type(owner).__name__} must be {allowed}. Got {value!r} instead."
    )


MOST_THREADS = 256
"""A system gives up when a process starts too many threads, and no table needs more than these."""


def count_threads(n_jobs: int | None) -> int:
    """``n_jobs``: None is 1, -1 the processors that this process may use, -2 all but one of them.

    >>> count_threads(None), count_threads(3), count_threads(10**6)
    (1, 3, 256)
    >>> count_threads(-1) >= 1
    True
    """
    if n_jobs is None:
        return 1
    wanted = int(n_jobs) if n_jobs > 0 else max(1, joblib.cpu_count() + 1 + int(n_jobs))
    return min(wanted, MOST_THREADS)
