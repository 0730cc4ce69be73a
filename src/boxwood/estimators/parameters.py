"""What the arguments of a tree estimator may be, and what they mean in whole numbers.

Arguments are checked when ``fit`` is called, as scikit-learn asks. Every refusal names the argument, the
value that was given and the values that are allowed, in scikit-learn's words.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from boxwood.discretize.arguments import count_threads

__all__ = [
    "BOOL",
    "CALLABLE",
    "DICT",
    "NONE",
    "N_JOBS",
    "Rule",
    "at_least",
    "check_parameter",
    "count_features",
    "count_rows",
    "count_threads",
    "draw_seed",
    "fraction",
    "one_of",
    "real",
]


def _is_int(value: object) -> bool:
    return isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))


def _is_real(value: object) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))


def _is_fraction(value: object) -> bool:
    """A real number that is no integer: 1 is one row, 1.0 is all rows."""
    return _is_real(value) and not isinstance(value, numbers.Integral)


class Rule:
    """One kind of value that an argument may have, and how to say so.

    >>> at_least(2)
    an int in the range [2, inf)
    """

    def __init__(self, description: str, accepts: Callable[[Any], bool]) -> None:
        self.description = description
        self.accepts = accepts

    def __repr__(self) -> str:
        return self.description


def at_least(least: int) -> Rule:
    """An integer."""
    return Rule(f"an int in the range [{least}, inf)", lambda value: _is_int(value) and value >= least)


def fraction(low: str, high: str) -> Rule:
    """A float in a range; the brackets say which ends belong to it.

    >>> rule = fraction("(0.0", "1.0]")
    >>> rule
    a float in the range (0.0, 1.0]
    >>> [rule.accepts(value) for value in (0.0, 0.5, 1.0, 1)]
    [False, True, True, False]
    """
    return Rule(
        f"a float in the range {low}, {high}", lambda value: _is_fraction(value) and _within(value, low, high)
    )


def real(low: str, high: str) -> Rule:
    """A float or an integer in a range."""
    return Rule(
        f"a float in the range {low}, {high}", lambda value: _is_real(value) and _within(value, low, high)
    )


def _within(value: float, low: str, high: str) -> bool:
    bottom, top = float(low[1:]), float(high[:-1])
    above = value >= bottom if low[0] == "[" else value > bottom
    below = value <= top if high[-1] == "]" else value < top
    return above and below


def one_of(*names: str) -> Rule:
    """One of some strings."""
    listed = ", ".join(map(repr, names))
    return Rule(
        f"a str among {{{listed}}}" if len(names) > 1 else f"the str {listed}",
        lambda value: isinstance(value, str) and value in names,
    )


NONE = Rule("None", lambda value: value is None)
DICT = Rule("a dict", lambda value: isinstance(value, dict))
BOOL = Rule("a bool", lambda value: isinstance(value, (bool, np.bool_)))
CALLABLE = Rule("a callable", callable)
N_JOBS = Rule("an int other than 0", lambda value: _is_int(value) and value != 0)


def check_parameter(owner: str, name: str, value: Any, rules: tuple[Rule, ...]) -> None:
    """Raise a ValueError unless one of the rules accepts the value.

    >>> check_parameter("TreeClassifier", "max_depth", 0, (at_least(1), NONE))
    Traceback (most recent call last):
    ...
    ValueError: The 'max_depth' parameter of TreeClassifier must be an int in the range [1, inf) or None. \
Got 0 instead.
    """
    if any(rule.accepts(value) for rule in rules):
        return
    described = [rule.description for rule in rules]
    allowed = described[0] if len(described) == 1 else f"{', '.join(described[:-1])} or {described[-1]}"
    raise ValueError(f"The {name!r} parameter of {owner} must be {allowed}. Got {value!r} instead.")


def count_rows(value: float, n_rows: int, least: int) -> int:
    """``min_samples_split`` and ``min_samples_leaf``: a number of rows, or a share of them.

    >>> count_rows(5, 200, least=1), count_rows(0.101, 200, least=1)
    (5, 21)
    """
    return int(value) if _is_int(value) else max(least, math.ceil(value * n_rows))


def count_features(value: int | float | str | None, n_features: int) -> int:
    """``max_features``: a number of columns, a share of them, their root, or all of them.

    >>> [count_features(value, 20) for value in (None, 3, 0.5, "sqrt", "log2", 99)]
    [20, 3, 10, 4, 4, 20]
    """
    if value is None:
        return n_features
    if value == "sqrt":
        return max(1, int(math.sqrt(n_features)))
    if value == "log2":
        return max(1, int(math.log2(n_features)))
    assert not isinstance(value, str)
    return min(int(value), n_features) if _is_int(value) else max(1, int(value * n_features))


def draw_seed(random_state: Any) -> int:
    """One 64-bit seed from a scikit-learn random state.

    >>> draw_seed(0) == draw_seed(0)
    True
    """
    high, low = check_random_state(random_state).randint(0, 2**32, size=2, dtype=np.uint64)
    return int(high) << 32 | int(low)
