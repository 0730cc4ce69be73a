"""Paired t-tests: the plain one, and the one that is corrected for folds that share their training rows.

The folds of a repeated cross-validation are not independent: any two share most of their training rows, and
the plain test finds differences that are not there. Nadeau and Bengio (Machine Learning 52, 2003) replace
the variance of the mean, s²/n, by (1/n + testing rows / training rows) s²; Weka's experimenter calls it the
corrected resampled t-test. The plain test, one-tailed, is here because paper B counts with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.05


@dataclass(frozen=True)
class Paired:
    """What a paired test found."""

    n: int
    mean_difference: float  # first minus second
    t: float
    p: float  # nan when there are fewer than two pairs

    @property
    def significant(self) -> bool:
        """Whether p is below 0.05."""
        return self.p < LEVEL

    @property
    def mark(self) -> str:
        """Weka's marks of the second one: "v" when it is greater, "*" when it is smaller, else ""."""
        if not self.significant:
            return ""
        return "*" if self.mean_difference > 0 else "v"


def corrected_t(first: ArrayLike, second: ArrayLike, test_over_train: float) -> Paired:
    """Two-tailed, corrected by the ratio of testing to training rows (1/9 for ten folds).

    >>> alike = corrected_t([0.5, 0.7, 0.6], [0.5, 0.7, 0.6], 1 / 9)
    >>> alike.p, alike.mark
    (1.0, '')
    >>> corrected_t([0.9, 0.8, 0.91, 0.8], [0.5, 0.41, 0.5, 0.4], 1 / 3).mark
    '*'
    """
    from scipy.stats import t as distribution

    n, mean, error = _moments(first, second, test_over_train)
    if n < 2:
        return Paired(n, mean, math.nan, math.nan)
    if mean == 0:
        return Paired(n, mean, 0.0, 1.0)
    value = mean / error if error else math.copysign(math.inf, mean)
    return Paired(n, mean, value, float(2 * distribution.sf(abs(value), n - 1)))


def greater_t(first: ArrayLike, second: ArrayLike) -> Paired:
    """One-tailed and uncorrected: is the first one greater?

    >>> greater_t([0.9, 0.8, 0.91], [0.5, 0.41, 0.5]).significant
    True
    >>> greater_t([0.5, 0.41, 0.5], [0.9, 0.8, 0.91]).significant
    False
    """
    from scipy.stats import t as distribution

    n, mean, error = _moments(first, second, 0.0)
    if n < 2:
        return Paired(n, mean, math.nan, math.nan)
    if mean == 0:
        return Paired(n, mean, 0.0, 0.5)
    value = mean / error if error else math.copysign(math.inf, mean)
    return Paired(n, mean, value, float(distribution.sf(value, n - 1)))


def _moments(first: ArrayLike, second: ArrayLike, extra: float) -> tuple[int, float, float]:
    """How many pairs, their mean difference, and its standard error."""
    left, right = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"the two samples must be pairs; got shapes {left.shape} and {right.shape}")
    difference: NDArray[np.float64] = np.round(left - right, 12)  # what is equal but for rounding is equal
    n = int(difference.size)
    mean = float(difference.mean()) if n else math.nan
    if n < 2:
        return n, mean, math.nan
    return n, mean, math.sqrt((1 / n + extra) * float(difference.var(ddof=1)))
