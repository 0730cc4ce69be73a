"""What a rule asks of one column: a number in an interval, or one of some categories.

A path of a tree may ask about a column several times. A rule asks once: the tests are *met*, intervals by the
larger lower end and the smaller upper end, sets of categories by what they share. Missing and unknown values
are part of every condition, so that meeting conditions is exact for them too.

These are values: small, frozen, comparable. They refer to columns by number and to categories by code; words
for them are found in :mod:`boxwood.rules.listing`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood.data import MISSING, UNKNOWN

Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Interval:
    """``low < x <= high``, or missing where that is allowed.

    Parameters
    ----------
    feature
        Number of the numeric column.
    low, high
        The ends. Infinite ends ask nothing; ``low >= high`` leaves no number.
    missing
        Whether a missing value fits.

    Examples
    --------
    >>> both = Interval(0, low=2.0).met(Interval(0, high=5.0, missing=True))
    >>> both
    Interval(feature=0, low=2.0, high=5.0, missing=False)
    >>> both.fits(np.array([2.0, 5.0, np.nan]))
    array([False,  True, False])
    """

    feature: int
    low: float = -math.inf
    high: float = math.inf
    missing: bool = False

    @property
    def has_numbers(self) -> bool:
        """Whether some number fits."""
        return self.low < self.high

    @property
    def is_empty(self) -> bool:
        """Whether nothing fits."""
        return not self.missing and not self.has_numbers

    @property
    def is_anything(self) -> bool:
        """Whether everything fits."""
        return self.missing and self.low == -math.inf and self.high == math.inf

    def met(self, other: Interval) -> Interval:
        """What fits both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        if low >= high:  # one way to write that no number fits
            low, high = math.inf, -math.inf
        return Interval(self.feature, low, high, self.missing and other.missing)

    def fits(self, column: NDArray[Any]) -> Mask:
        """Which cells fit."""
        if not self.has_numbers:
            return np.isnan(column) if self.missing else np.zeros(len(column), dtype=bool)
        with np.errstate(invalid="ignore"):
            if self.missing:  # what does not fit: comparisons with NaN are false
                outside = np.zeros(len(column), dtype=bool)
                if self.low > -math.inf:
                    outside |= column <= self.low
                if self.high < math.inf:
                    outside |= column > self.high
                return ~outside
            inside: Mask = ~np.isnan(column) if self.high == math.inf else column <= self.high
            if self.low > -math.inf:
                inside &= column > self.low
        return inside

    def parts(self) -> Iterator[Interval]:
        """The conditions that this one is made of, each with one end."""
        if self.has_numbers and self.low > -math.inf and self.high < math.inf:
            yield replace(self, high=math.inf)
            yield replace(self, low=-math.inf)
        else:
            yield self


@dataclass(frozen=True, slots=True)
class Categories:
    """One of some categories, or missing or unknown where that is allowed.

    Parameters
    ----------
    feature
        Number of the categorical column.
    codes
        The categories that fit, ascending.
    n_categories
        How many categories the column has.
    missing, unknown
        Whether a missing value fits, and a category that the column does not have.

    Examples
    --------
    >>> Categories(1, (0, 2), 3, unknown=True).fits(np.array([0, 1, 2, -1, -2]))
    array([ True, False,  True, False,  True])
    """

    feature: int
    codes: tuple[int, ...]
    n_categories: int
    missing: bool = False
    unknown: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nothing fits."""
        return not (self.codes or self.missing or self.unknown)

    @property
    def is_anything(self) -> bool:
        """Whether everything fits."""
        return self.missing and self.unknown and len(self.codes) == self.n_categories

    def met(self, other: Categories) -> Categories:
        """What fits both."""
        codes = tuple(sorted(set(self.codes) & set(other.codes)))
        missing, unknown = self.missing and other.missing, self.unknown and other.unknown
        return Categories(self.feature, codes, self.n_categories, missing, unknown)

    def fits(self, column: NDArray[Any]) -> Mask:
        """Which cells fit."""
        table = np.zeros(self.n_categories - UNKNOWN, dtype=bool)
        table[np.array(self.codes, dtype=np.intp) - UNKNOWN] = True
        table[MISSING - UNKNOWN], table[0] = self.missing, self.unknown
        fitting: Mask = table[column - UNKNOWN]
        return fitting

    def parts(self) -> Iterator[Categories]:
        """The condition itself: a set of categories is kept or dropped as a whole."""
        yield self


Condition: TypeAlias = Interval | Categories
"""What a rule asks of one column."""


def met(conditions: Iterator[Condition] | list[Condition]) -> tuple[Condition, ...]:
    """Conditions with one for each column, in the order in which the columns come up; none that ask nothing.

    >>> met([Interval(3, low=1.0), Interval(0, missing=True), Interval(3, high=2.0)])
    (Interval(feature=3, low=1.0, high=2.0, missing=False),)
    """
    found: dict[int, Any] = {}
    for condition in conditions:
        before = found.get(condition.feature)
        found[condition.feature] = condition if before is None else before.met(condition)
    return tuple(condition for condition in found.values() if not condition.is_anything)
