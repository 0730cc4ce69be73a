"""How strongly a column goes with the target: the tests of ``select``, in closed form.

The problem: gain grows with the number of ways to split a column, so that among columns that tell nothing the
one with the most values wins. A test of independence knows how many values there were: its p-value is
uniform for every column that tells nothing. Hothorn, Hornik and Zeileis (2006) take the statistic c_quad, a
quadratic form in the pseudo-inverse of a covariance matrix of (values x classes)^2 entries. Under
permutations of the target it has closed forms, with N rows, I values and K classes present:

==========================  =============================================================  ===================
column and target           statistic                                                      degrees of freedom
==========================  =============================================================  ===================
categories, classes         (N - 1) / N times Pearson's X² of their table                  (I - 1)(K - 1)
numbers, classes            (N - 1) SSB / SST of the numbers, grouped by class             K - 1
categories, numbers         (N - 1) SSB / SST of the target, grouped by value              I - 1
numbers, numbers            (N - 1) r², r their correlation                                1
==========================  =============================================================  ===================

O(N) instead of cubic time. Rows without a value take no part. With weights, N is their sum: a row of weight 2
is two rows. Where all weights together are less than the rows are many, they are brought to a mean of 1
first.

Strong columns have p-values below the smallest float64; they are compared by their logarithm. The core has
the same formulas; those here are their readable reference.

Reference: T. Hothorn, K. Hornik, A. Zeileis, Unbiased recursive partitioning: a conditional inference
framework, Journal of Computational and Graphical Statistics 15 (2006) 651-674.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood import _core

Floats: TypeAlias = NDArray[np.float64]


def log_chi2_tail(x: float, freedom: float) -> float:
    """The logarithm of the probability that a chi-square distributed number exceeds x.

    >>> round(log_chi2_tail(3.841458820694124, 1), 9) == round(float(np.log(0.05)), 9)
    True
    >>> round(log_chi2_tail(1e6, 3), 3)
    -499993.318
    """
    return float(_core.log_chi_square_tail(x, freedom))


def pearson(table: Floats) -> tuple[float, int]:
    """Pearson's X² of a table of weights (values x classes), and its degrees of freedom.

    >>> pearson(np.array([[10.0, 0.0], [0.0, 10.0], [0.0, 0.0]]))
    (20.0, 1)
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if table.size == 0:
        return 0.0, 0
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
    return float(((table - expected) ** 2 / expected).sum()), freedom


def log_p_of_table(table: Floats) -> float:
    """The log p-value of categories against classes, by their table of weights.

    >>> round(log_p_of_table(np.array([[10.0, 0.0], [0.0, 10.0]])), 3)
    -11.245
    """
    statistic, freedom = pearson(table)
    size = float(table.sum())
    return log_chi2_tail((size - 1) / size * statistic, freedom) if freedom > 0 and size > 1 else 0.0


def log_p_of_groups(numbers: Floats, group: NDArray[np.int_], weights: Floats) -> float:
    """The log p-value of numbers against the group of each: a column's against classes, or a target's against
    categories.

    >>> round(log_p_of_groups(np.array([1.0, 2.0, 7.0, 8.0]), np.array([0, 0, 1, 1]), np.ones(4)), 3)
    -2.436
    """
    size = float(weights.sum())
    mean = float(weights @ numbers) / size
    total = float(weights @ (numbers - mean) ** 2)
    groups = np.unique(group)
    if len(groups) < 2 or size <= 1 or total == 0:
        return 0.0
    between = 0.0
    for one in groups:
        inside = group == one
        between += float(weights[inside] @ (numbers[inside] - mean)) ** 2 / float(weights[inside].sum())
    return log_chi2_tail((size - 1) * between / total, len(groups) - 1)


def log_p_of_correlation(numbers: Floats, target: Floats, weights: Floats) -> float:
    """The log p-value of numbers against a target of numbers.

    >>> round(log_p_of_correlation(np.arange(8.0), np.arange(8.0) ** 2, np.ones(8)), 3)
    -4.513
    """
    size = float(weights.sum())
    x = numbers - float(weights @ numbers) / size
    y = target - float(weights @ target) / size
    spread = float(weights @ x**2) * float(weights @ y**2)
    return log_chi2_tail((size - 1) * float(weights @ (x * y)) ** 2 / spread, 1) if spread > 0 else 0.0
