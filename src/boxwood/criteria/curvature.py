"""Finding, from its values alone, how a function curves.

The problem: which cuts of a numeric column need a score depends on the sign of f'' on (0, 1/2) (Ji et al.
2013, proposition 4.1), or with more classes on whether the impurity is concave in the class shares. A user's
f is a Python function without derivatives, may have kinks, and its values carry rounding errors.

The idea for f on [0, 1/2]: three equally spaced points a < b < c see curvature of either sign as
f(a) - 2 f(b) + f(c), whether or not there is a derivative: negative somewhere and never positive is
concave, and so on. The *windows* (a, b, c) are placed on dyadic grids, where the middle is exact: everywhere
at nine widths, and once more at ever smaller widths towards 0 and towards 1/2, where functions such as the
square root or the entropy do their bending.

How large must a second difference be to count? Larger than rounding could make it, and how large that is
depends on how f is written: 1 - (x^2 + (1 - x)^2) is wrong by the last digit of 1, however small the result.
So the noise is measured: at each point the median of sixteen second differences that are about 2^-24 of x
wide, in which the curvature of f is below rounding and only noise is left. The median keeps kinks and jumps
out. Close to 0 such errors hide, because 1 - x does not change any more as x does; so no point is taken to be
less noisy than nine in ten points of the coarse grid are. A difference counts when it exceeds sixteen times
the noise, and sixteen units in the last place of the values, of its points.

The idea for an impurity F of class-share vectors: concave means F((a + b) / 2) >= (F(a) + F(b)) / 2 on every
segment. Moving rows of class k from one branch to another moves both branches' shares along lines through
the pure node k, so segments of such lines are tested, of many lengths, from points inside, on edges and on
faces, and with them segments between random points. The points are random but always the same.

Neither is a proof: a bend narrower than the grid, or below rounding, stays unseen. A user who knows better
declares the curvature; a declaration that the numbers contradict is refused.

Cost: fewer than a hundred thousand values of f in about a hundred calls, once per function.

Reference: H.-Y. Ji, X.-Z. Wang, Y.-L. He, W.-L. Li, A study on relationships between heuristics and optimal
cuts in decision tree induction, 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxwood.criteria.criterion import Curvature, Floats

STEPS = 512
"""The grid over the whole of [0, 1/2] has this many steps."""

NEAR_ZERO = range(9, 41)
"""Windows towards 0 live in [0, 2^-k]."""

NEAR_HALF = range(9, 21)
"""Windows towards 1/2 live in [1/2 - 2^-k, 1/2]."""

MARGIN = 16.0
"""How many times the measured noise, and the rounding of the values, a difference must exceed."""

MOST_CLASSES = 16
"""Lines through that many pure nodes are tested; with more classes, through that many spread evenly."""

EPS = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, eq=False)
class Windows:
    """Triples of equally spaced shares: ``points[low]``, ``points[middle]`` and ``points[high]``."""

    points: Floats
    low: NDArray[np.intp]
    middle: NDArray[np.intp]
    high: NDArray[np.intp]


def windows() -> Windows:
    """The triples at which second differences are taken.

    >>> w = windows()
    >>> a, b, c = w.points[w.low], w.points[w.middle], w.points[w.high]
    >>> bool((b - a == c - b).all()), float(a.min()), float(c.max())
    (True, 0.0, 0.5)
    """
    triples: list[tuple[Floats, Floats, Floats]] = []

    def add(grid: Floats) -> None:
        width = 1
        while 2 * width < len(grid):
            triples.append((grid[: -2 * width], grid[width:-width], grid[2 * width :]))
            width *= 2

    add(np.arange(STEPS + 1) / (2 * STEPS))
    small = np.arange(17) / 16
    for k in NEAR_ZERO:
        add(small * 2.0**-k)
    for k in NEAR_HALF:
        add(0.5 - small[::-1] * 2.0**-k)
    low, middle, high = (np.concatenate(part) for part in zip(*triples, strict=True))
    points = np.unique(np.concatenate([low, middle, high]))
    places = [np.searchsorted(points, part) for part in (low, middle, high)]
    return Windows(points, *places)


def noise(f: Callable[[Floats], Floats], points: Floats) -> Floats:
    """How far f's values may be off at the given points in (0, 1/2], by rounding alone; 0 at 0.

    >>> exact = noise(lambda x: x, np.array([0.25]))
    >>> cancelling = noise(lambda x: 1000 - (1000 - x), np.array([0.25]))
    >>> bool(exact[0] < 1e-14 < 1e-13 < cancelling[0] < 1e-10)
    True
    """
    everywhere = np.concatenate([points, np.arange(1, STEPS + 1) / (2 * STEPS)])
    steps = 1.0 - np.arange(18) * (1.23 * 2.0**-24)
    values = f((everywhere[:, np.newaxis] * steps).ravel()).reshape(len(everywhere), len(steps))
    wobble = np.median(np.abs(np.diff(values, 2, axis=1)), axis=1)
    floor = np.quantile(wobble[len(points) :], 0.9)
    here = np.maximum(wobble[: len(points)], floor) + EPS * np.abs(values[: len(points), 0])
    return np.where(points > 0, MARGIN * here, 0.0)


@dataclass(frozen=True)
class Bend:
    """Where a function curves most plainly to one side: three shares and the values there."""

    shares: tuple[float, float, float]
    values: tuple[float, float, float]

    def __str__(self) -> str:
        return ", ".join(f"f({x:.6g}) = {v:.6g}" for x, v in zip(self.shares, self.values, strict=True))


@dataclass(frozen=True)
class Found:
    """What the second differences of a function say."""

    curvature: Curvature
    upward: Bend | None
    """Where f'' > 0 is plainest, if anywhere."""
    downward: Bend | None
    """Where f'' < 0 is plainest, if anywhere."""


def curvature_of(f: Callable[[Floats], Floats]) -> Found:
    """How a function on [0, 1/2] curves, by its values. "unknown" means that it bends both ways.

    >>> curvature_of(np.sqrt).curvature, curvature_of(np.square).curvature
    ('concave', 'convex')
    >>> curvature_of(lambda x: 3 * x).curvature
    'linear'
    >>> found = curvature_of(lambda x: x - np.sin(4 * np.pi * x) / 14)
    >>> found.curvature, found.upward is not None, found.downward is not None
    ('unknown', True, True)
    """
    window = windows()
    values = f(window.points)
    slack = noise(f, window.points)
    a, b, c = window.low, window.middle, window.high
    difference = (values[a] - values[b]) + (values[c] - values[b])
    allowed = slack[a] + 2 * slack[b] + slack[c]
    plainness = difference / np.maximum(allowed, np.finfo(np.float64).tiny)

    def bend(place: int) -> Bend:
        at = (a[place], b[place], c[place])
        return Bend(
            (float(window.points[at[0]]), float(window.points[at[1]]), float(window.points[at[2]])),
            (float(values[at[0]]), float(values[at[1]]), float(values[at[2]])),
        )

    top, bottom = int(plainness.argmax()), int(plainness.argmin())
    upward = bend(top) if difference[top] > allowed[top] else None
    downward = bend(bottom) if difference[bottom] < -allowed[bottom] else None
    curvature: Curvature
    if upward is not None and downward is not None:
        curvature = "unknown"
    elif upward is not None:
        curvature = "convex"
    elif downward is not None:
        curvature = "concave"
    else:
        curvature = "linear"
    return Found(curvature, upward, downward)


def simplex_points(n_classes: int) -> Floats:
    """(m, K): class shares everywhere: even, inside, near and on faces and edges. Always the same.

    >>> points = simplex_points(3)
    >>> bool(np.allclose(points.sum(axis=1), 1)), bool((points == 0).any())
    (True, True)
    """
    random = np.random.default_rng(20131224)
    parts = [np.full((1, n_classes), 1.0 / n_classes)]
    parts += [random.dirichlet(np.full(n_classes, spread), size=48) for spread in (0.1, 0.5, 1.0, 5.0)]
    # Some classes absent: counts of a handful of rows.
    counts = random.multinomial(6, np.full(n_classes, 1.0 / n_classes), size=48)
    parts.append(counts / 6.0)
    points = np.concatenate(parts)
    result: Floats = points / points.sum(axis=1, keepdims=True)
    return result


@dataclass(frozen=True, eq=False)
class Sag:
    """A segment in whose middle a function of class shares lies below its ends."""

    ends: tuple[tuple[float, ...], tuple[float, ...]]
    middle_value: float
    mean_of_ends: float

    def __str__(self) -> str:
        first, second = ("(" + ", ".join(f"{p:.4g}" for p in end) + ")" for end in self.ends)
        return (
            f"half way between the shares {first} and {second} it is {self.middle_value:.6g}, "
            f"less than the mean of both ends, {self.mean_of_ends:.6g}"
        )


def sag_of(f: Callable[[Floats], Floats], n_classes: int) -> Sag | None:
    """The plainest place where a function of class shares is not concave, or None when none was found.

    >>> sag_of(lambda p: 1 - (p * p).sum(axis=1), 3) is None
    True
    >>> sag_of(lambda p: (p * (1 - p)).sum(axis=1) ** 3, 3) is None
    False
    """
    inside = simplex_points(n_classes)
    largest = float(np.abs(f(inside)).max())
    worst, plainest = None, 0.0
    for a, b in _segments(inside):
        at_a, at_middle, at_b = f(np.concatenate([a, (a + b) / 2, b])).reshape(3, -1)
        mean = (at_a + at_b) / 2
        slack = 64 * EPS * largest + 1e-13 * (np.abs(at_a) + np.abs(at_b))
        below = mean - at_middle - slack
        place = int(below.argmax())
        if below[place] > plainest:
            plainest = float(below[place])
            ends = (tuple(a[place].tolist()), tuple(b[place].tolist()))
            worst = Sag(ends, float(at_middle[place]), float(mean[place]))
    return worst


def _segments(inside: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Pairs of arrays of end points."""
    n_classes = inside.shape[1]
    # Along the lines through the pure nodes: shares that gain or lose rows of one class.
    for k in np.unique(np.linspace(0, n_classes - 1, min(n_classes, MOST_CLASSES)).astype(int)):
        towards = -inside
        towards[:, k] += 1.0
        for near, far in ((0.0, 1.0), (0.0, 0.5), (0.5, 1.0), (0.25, 0.375), (0.0, 1 / 64), (63 / 64, 1.0)):
            yield inside + near * towards, inside + far * towards
    # Between any two points, and short pieces of such segments.
    random = np.random.default_rng(20131225)
    for length in (1.0, 1 / 8, 1 / 64):
        for _ in range(6):
            yield inside, inside + length * (inside[random.permutation(len(inside))] - inside)
