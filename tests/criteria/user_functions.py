"""Functions that a user might write, with the curvature that each has."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from boxwood.criteria import Impurity


class Known(NamedTuple):
    impurity: Impurity
    curvature: str


def cube_root(x: np.ndarray) -> np.ndarray:
    return x ** (1 / 3)


def tenth_root(x: np.ndarray) -> np.ndarray:
    return x**0.1


def shannon(x: np.ndarray) -> np.ndarray:
    return -(xlogy(x, x) + xlogy(1 - x, 1 - x))


def where_shannon(x: np.ndarray) -> np.ndarray:
    return np.where(x > 0, -x * np.log2(x) - (1 - x) * np.log2(1 - x), 0)


def cancelling_gini(x: np.ndarray) -> np.ndarray:
    return 1 - (x**2 + (1 - x) ** 2)


def half_sine(x: np.ndarray) -> np.ndarray:
    return np.sin(np.pi * x)


def small_cosine(x: np.ndarray) -> np.ndarray:
    return 1 - np.cos(x / 100)


def log_four(x: np.ndarray) -> np.ndarray:
    return np.log1p(4 * x)


def capped(x: np.ndarray) -> np.ndarray:
    return np.minimum(x, 0.3)


def identity(x: np.ndarray) -> np.ndarray:
    return x


def third(x: np.ndarray) -> np.ndarray:
    return x / 3


def odds(x: np.ndarray) -> np.ndarray:
    return x / (1 - x)


def hinge(x: np.ndarray) -> np.ndarray:
    return np.maximum(0, x - 0.2)


def tent(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0.25, x / 2, 1.5 * x - 0.25)


def steep_at_the_end(x: np.ndarray) -> np.ndarray:
    return 1 - np.sqrt(1 - 2 * x)


def s_curve(x: np.ndarray) -> np.ndarray:
    return (2 * x) ** 2 * (3 - 4 * x)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-40 * (x - 0.25))) - 1 / (1 + np.exp(10))


def ripples(x: np.ndarray) -> np.ndarray:
    return x - np.sin(8 * np.pi * x) / (8 * np.pi)


def three_pieces(x: np.ndarray) -> np.ndarray:
    return np.interp(x, [0, 0.1, 0.3, 0.5], [0, 0.3, 0.35, 0.8])


def root_inside(x: np.ndarray) -> np.ndarray:
    return np.cbrt(x - 0.2871) + np.cbrt(0.2871)


def pairs(p: np.ndarray) -> np.ndarray:
    return 1 - (p * p).sum(axis=1)


def miss(p: np.ndarray) -> np.ndarray:
    return 1 - p.max(axis=1)


def roots(p: np.ndarray) -> np.ndarray:
    return np.sqrt(p).sum(axis=1) - 1


def last_counts_double(p: np.ndarray) -> np.ndarray:
    return pairs(p) + p[:, -1] * (1 - p[:, -1])


def cubed(p: np.ndarray) -> np.ndarray:
    return pairs(p) ** 3


def two_best(p: np.ndarray) -> np.ndarray:
    """How near the second share comes to the first."""
    ordered = np.sort(p, axis=1)
    return ordered[:, -2] / ordered[:, -1]


OF_SHARE = {
    function.__name__: Known(Impurity(function), curvature)
    for curvature, functions in {
        "concave": [
            np.sqrt,
            cube_root,
            tenth_root,
            shannon,
            where_shannon,
            cancelling_gini,
            half_sine,
            log_four,
            capped,
        ],
        "linear": [identity, third],
        "convex": [np.square, odds, np.expm1, hinge, tent, steep_at_the_end, small_cosine],
        "unknown": [s_curve, sigmoid, ripples, three_pieces, root_inside],
    }.items()
    for function in functions
}

OF_SHARES = {
    function.__name__: Known(Impurity(function, vector=True), curvature)
    for curvature, functions in {
        "concave": [pairs, miss, roots, last_counts_double],
        "unknown": [cubed, two_best],
    }.items()
    for function in functions
}
