"""From rows to numbers worth printing: means, standard deviations, and signed-rank tests.

The signed-rank test (Wilcoxon 1945; Demsar 2006 recommends it for two classifiers) is scipy's. Folds that
share training rows are not independent, so a p-value over the folds of one data set is smaller than it
should be; one over data sets is not, but has few pairs.
"""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


@dataclass(frozen=True)
class Cell:
    """The mean and the standard deviation (n - 1 in the denominator) of some numbers."""

    mean: float
    sd: float
    n: int

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.sd:.4f}" if self.n > 1 else f"{self.mean:.4f}"


def summarise(values: ArrayLike) -> Cell:
    """Mean and standard deviation.

    >>> str(summarise([0.5, 0.7]))
    '0.6000 ± 0.1414'
    """
    numbers = np.asarray(values, dtype=float)
    if numbers.size == 0:
        return Cell(math.nan, math.nan, 0)
    sd = float(numbers.std(ddof=1)) if numbers.size > 1 else math.nan
    return Cell(float(numbers.mean()), sd, int(numbers.size))


def cells(rows: Any, by: Sequence[str], value: str) -> dict[tuple[Hashable, ...], Cell]:
    """One cell for each combination of the columns ``by`` that has rows."""
    return {key: summarise(group[value]) for key, group in rows.groupby(list(by), sort=False)}


@dataclass(frozen=True)
class Comparison:
    """A signed-rank test of two paired samples."""

    first: str
    second: str
    n: int
    mean_difference: float  # first minus second
    statistic: float
    p: float

    def significant(self, level: float = 0.05) -> bool:
        """Whether p is below a level."""
        return self.p < level


def signed_rank(first: ArrayLike, second: ArrayLike, names: tuple[str, str] = ("", "")) -> Comparison:
    """Wilcoxon's signed-rank test, two-sided, zero differences left out.

    Differences are rounded to twelve digits, so that equal ones tie although they are floats. When no
    difference is left, the samples are the same, and p is 1.

    >>> signed_rank([0.8, 0.9, 0.7], [0.8, 0.9, 0.7]).p
    1.0
    """
    from scipy.stats import wilcoxon

    left, right = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if left.shape != right.shape or left.ndim != 1:
        raise ValueError(f"the two samples must be pairs; got shapes {left.shape} and {right.shape}")
    difference = np.round(left - right, 12)
    mean = float(difference.mean()) if difference.size else math.nan
    if not difference.any():
        return Comparison(*names, int(difference.size), mean, 0.0, 1.0)
    with warnings.catch_warnings():
        # scipy says which of its two methods small samples with ties get; either is what we want.
        warnings.simplefilter("ignore", UserWarning)
        found = wilcoxon(difference)
    return Comparison(*names, int(difference.size), mean, float(found.statistic), float(found.pvalue))


def compare_all(table: Any, names: Iterable[str]) -> list[Comparison]:
    """Every pair of columns of a frame whose rows are the pairs; rows with a gap are left out."""
    whole = table.dropna()
    return [signed_rank(whole[a], whole[b], (a, b)) for a, b in itertools.combinations(list(names), 2)]
