"""Tests of independence by their definition.

``c_quad`` is the statistic of Hothorn, Hornik and Zeileis (2006), equations 3 and 4: the linear statistic T =
sum w g(x) h(y)', its expectation and its covariance under permutations of y, and the quadratic form with the
Moore-Penrose inverse of the covariance, whose rank is the number of degrees of freedom. g and h are
indicators of categories and classes, or the number itself. Nothing is simplified.
"""

from __future__ import annotations

import math

import numpy as np

from tests.oracles.naive_split import Table


def indicators(values: np.ndarray) -> np.ndarray:
    """A column for each distinct value; a number stays as it is."""
    if values.dtype.kind == "f":
        return values[:, np.newaxis]
    return (values[:, np.newaxis] == np.unique(values)).astype(np.float64)


def c_quad(x: np.ndarray, y: np.ndarray, weights: np.ndarray) -> tuple[float, int]:
    """The statistic and its degrees of freedom."""
    g, h = indicators(x), indicators(y)
    size = weights.sum()
    linear = (g * weights[:, np.newaxis]).T @ h
    mean_h = weights @ h / size
    spread_h = ((h - mean_h) * weights[:, np.newaxis]).T @ (h - mean_h) / size
    sum_g = weights @ g
    squares_g = (g * weights[:, np.newaxis]).T @ g
    expectation = np.outer(sum_g, mean_h)
    covariance = size / (size - 1) * np.kron(spread_h, squares_g) - np.kron(
        spread_h, np.outer(sum_g, sum_g)
    ) / (size - 1)
    difference = (linear - expectation).T.ravel()
    inverse = np.linalg.pinv(covariance, rcond=1e-10, hermitian=True)
    rank = int(np.linalg.matrix_rank(covariance, tol=1e-10 * np.abs(covariance).max(), hermitian=True))
    return float(difference @ inverse @ difference), rank


def log_tail_of_even_freedom(x: float, freedom: int) -> float:
    """log P(X > x) for an even number of degrees of freedom: a sum of freedom / 2 terms, e^(-x/2) (x/2)^k /
    k!.
    """
    terms = [k * math.log(x / 2) - math.lgamma(k + 1) for k in range(freedom // 2)]
    largest = max(terms)
    return largest + math.log(math.fsum(math.exp(term - largest) for term in terms)) - x / 2


def best_cut_statistic(table: Table, rows: np.ndarray, feature: int, least: float) -> float:
    """The largest X² of a cut of a numeric column with enough weight on either side; NaN for none."""
    column = table.columns[feature][rows]
    known = rows[~np.isnan(column)]
    column = table.columns[feature][known]
    best = math.nan
    for value in np.unique(column)[:-1]:
        counts = np.zeros((2, table.n_classes))
        np.add.at(counts, ((column > value).astype(int), table.target[known]), table.weights[known])
        if counts.sum(axis=1).min() < least:
            continue
        counts = counts[:, counts.sum(axis=0) > 0]
        expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
        best = float(np.fmax(best, ((counts - expected) ** 2 / expected).sum()))
    return best
