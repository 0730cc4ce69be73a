"""What a user's impurity function must fulfil, and what is said when it does not.

The problem: a function that is wrong in one place (NaN at 0, a step, one value for a whole array) gives trees
that are wrong somewhere deep down, or an error message from there. The idea: ask it for its values before a
tree is grown, and say which condition failed and at which share. The conditions on f (Ji et al. 2013, section
3.5): f(0) = 0, and on [0, 1/2] f is continuous and increasing. A second derivative is not asked for, and
neither is strictness: an f that stays level in places is fine, one that is zero everywhere is not. Of a
function of class-share vectors is asked that it is zero for pure nodes and nowhere negative.

*Increasing* is tested against the largest value so far, with the measured noise of
:mod:`boxwood.criteria.curvature` as slack.

*Continuous* cannot be decided from values, but steps can be told from steepness. Every interval of a grid is
halved, always on into the half with the larger rise, until its ends are neighbouring floats. If f has a step
there, the rise is nearly as large as it was sixteen halvings before; if f is merely steep, a root up to the
tenth say, it is much smaller. Next to 0, where floats are dense, the same is read off the values at
2^-1000 and 2^-500. A step less than 1e-9 of the largest value passes: the tree would not notice it.

Each later call is checked too, for what is cheap to see: the shape and finite numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from boxwood.criteria.criterion import Floats
from boxwood.criteria.curvature import EPS, MARGIN, STEPS, noise, simplex_points, windows

ZERO_REMEDY = (
    "0 * log(0) and 0 / 0 are NaN in NumPy: write scipy.special.xlogy(x, x), or np.where(x > 0, ..., 0)"
)
SMALLEST_STEP = 1e-9
"""The share of the largest value below which a step is not looked for."""


def _shown(row: Any) -> str:
    """A share, or a vector of shares, for a message."""
    if np.ndim(row) == 0:
        return f"x = {float(row):.6g}"
    return "the class shares (" + ", ".join(f"{p:.4g}" for p in row) + ")"


@dataclass(frozen=True)
class Asked:
    """A user's function, with its answers checked: one finite number for each share (or row of shares).

    >>> Asked(np.sqrt, "root")(np.array([0.0, 0.25]))
    array([0. , 0.5])
    >>> Asked(np.sum, "total")(np.array([0.0, 0.25]))
    Traceback (most recent call last):
    ...
    ValueError: impurity 'total': f got an array of 2 shares and must return one number for each, an array \
of shape (2,), but returned one of shape ()
    """

    f: Callable[[Floats], Any]
    name: str
    vector: bool = False

    def __call__(self, given: Floats) -> Floats:
        """The values of f, or an error that says what is wrong with them and where."""
        try:
            with np.errstate(all="ignore"):  # log(0) inside np.where is fine; what comes out is checked
                answer = self.f(given.copy())
        except Exception as error:
            raise ValueError(f"impurity {self.name!r}: {self._why(given, error)}") from error
        try:
            values = np.asarray(answer)
        except ValueError as error:  # a ragged list
            raise ValueError(f"impurity {self.name!r}: f returned no array of numbers ({error})") from error
        if values.dtype.kind not in "fiu" or values.dtype in (np.float16, np.float32):
            shown = repr(answer) if values.ndim == 0 else f"an array of dtype {values.dtype}"
            raise ValueError(
                f"impurity {self.name!r}: f must return an array of dtype float64, but returned {shown}"
            )
        if values.shape != given.shape[:1]:
            each = "rows of class shares" if self.vector else "shares"
            remedy = " (sum over the classes is .sum(axis=1))" if self.vector else self._vector_hint()
            raise ValueError(
                f"impurity {self.name!r}: f got an array of {len(given)} {each} and must return one number "
                f"for each, an array of shape ({len(given)},), but returned one of shape {values.shape}"
                f"{remedy}"
            )
        finite = np.isfinite(values)
        if not finite.all():
            place = int(np.flatnonzero(~finite)[0])
            remedy = f". {ZERO_REMEDY}" if (given[place] == 0).any() else ""
            raise ValueError(
                f"impurity {self.name!r}: f must be finite, but it is {values[place]} "
                f"at {_shown(given[place])}{remedy}"
            )
        return values.astype(np.float64, copy=False)

    def _why(self, given: Floats, error: Exception) -> str:
        """What to say when f raises: that it takes one number only, or at which input it raises."""
        raised = f"{type(error).__name__}: {error}"
        if hint := self._vector_hint():
            return f"f got a one-dimensional array of smaller shares and raised {raised}{hint}"
        three = np.full((3, *given.shape[1:]), 1.0 / given.shape[1] if self.vector else 0.25)
        if not self._answers(three) and self._answers(three[0] if self.vector else 0.25):
            what = "an array of rows of class shares, shape (m, K)," if self.vector else "an array of shares"
            one = "one row" if self.vector else "one number"
            return (
                f"f works for {one} only, but it is called with {what} and must return one number for each. "
                f"Use NumPy's functions (np.log, np.where) in place of math's and of if. It raised {raised}"
            )
        for row in given[:4096]:
            if not self._answers(row[np.newaxis]):
                return f"f raised at {_shown(row)}: {raised}"
        return f"f raised when it got an array of shape {given.shape}: {raised}"

    def _vector_hint(self) -> str:
        """What to say of an f of one share that makes one number of a row of class shares; else nothing."""
        try:
            with np.errstate(all="ignore"):
                takes_rows = np.shape(self.f(np.full((3, 2), 0.5))) == (3,)
        except Exception:
            takes_rows = False
        if self.vector or not takes_rows:
            return ""
        return ". A function of rows of class shares, as it seems to be, is Impurity(f, vector=True)"

    def _answers(self, given: Any) -> bool:
        try:
            with np.errstate(all="ignore"):
                self.f(given)
        except Exception:
            return False
        return True


def _check_one_by_one(f: Asked, points: Floats, values: Floats, largest: float) -> None:
    """The value at a share must not depend on the other shares in the array."""
    for place in (*range(0, len(points), max(len(points) // 4, 1)), len(points) - 1):
        alone = float(f(points[place : place + 1])[0])
        if abs(alone - values[place]) > 1e-9 * largest:
            raise ValueError(
                f"impurity {f.name!r}: at {_shown(points[place])} f is {alone:.6g} when asked for alone and "
                f"{values[place]:.6g} beside others; each value must depend on its own share only"
            )


def _check_zero(f: Asked, point: Any, value: float, largest: float) -> None:
    if abs(value) > MARGIN * EPS * largest:
        what = f"a pure node, {_shown(point)}," if f.vector else "x = 0, a pure node,"
        raise ValueError(
            f"impurity {f.name!r}: f must be 0 at {what} but is {value:.6g} there; subtract that, or use a "
            "formula that vanishes"
        )


def check_share_function(f: Asked) -> None:
    """Refuse an f of the smaller share that breaks a condition on [0, 1/2].

    >>> check_share_function(Asked(np.sqrt, "root"))
    >>> check_share_function(Asked(np.cos, "cosine"))
    Traceback (most recent call last):
    ...
    ValueError: impurity 'cosine': f must be 0 at x = 0, a pure node, but is 1 there; subtract that, or use \
a formula that vanishes
    """
    points = windows().points
    values = f(points)
    largest = float(np.abs(values).max())
    _check_one_by_one(f, points, values, largest)
    _check_zero(f, points[0], float(values[0]), largest)
    if largest == 0:
        raise ValueError(f"impurity {f.name!r}: f is 0 on all of [0, 1/2]; it must increase somewhere")
    slack = noise(f, points) + MARGIN * EPS * float(np.abs(values[0]))
    negative = values + slack
    if negative.min() < 0:
        place = int(negative.argmin())
        raise ValueError(
            f"impurity {f.name!r}: f must not be negative, but f({points[place]:.6g}) = {values[place]:.6g}"
        )
    peak = np.maximum.accumulate(values)
    peak_at = np.maximum.accumulate(np.where(values == peak, np.arange(len(values)), 0))
    drop = peak - values - slack - slack[peak_at]
    if drop.max() > 0:
        place = int(drop.argmax())
        before = int(peak_at[place])
        raise ValueError(
            f"impurity {f.name!r}: f must increase on [0, 1/2], but f({points[before]:.6g}) = "
            f"{values[before]:.6g} and f({points[place]:.6g}) = {values[place]:.6g}"
        )
    _check_steps(f, largest)


def _check_steps(f: Asked, largest: float) -> None:
    """Refuse an increasing f that has a step."""
    for lowest in (2.0**-1000, 2.0**-500, 2.0**-250, 2.0**-120):
        try:
            near, less_near = f(np.array([lowest, math.sqrt(lowest)]))
        except ValueError:  # what f does so close to 0 is its own affair
            continue
        if near > SMALLEST_STEP * largest and near > 0.75 * less_near:
            raise ValueError(
                f"impurity {f.name!r}: f must be continuous, but it jumps at x = 0: f(0) = 0 and "
                f"f({lowest:.3g}) = {near:.6g}"
            )
        break

    edges = np.unique(np.concatenate([np.arange(1, STEPS + 1) / (2 * STEPS), 2.0 ** -np.arange(10.0, 65.0)]))
    low, high = edges[:-1].copy(), edges[1:].copy()
    at_low, at_high = f(low), f(high)
    rises = [at_high - at_low]
    halvings = np.zeros(len(low), dtype=np.intp)
    while True:
        middle = low + (high - low) / 2
        apart = (low < middle) & (middle < high)
        if not apart.any():
            break
        at_middle = f(middle)
        to_left = at_middle - at_low >= at_high - at_middle
        left, right = apart & to_left, apart & ~to_left
        high, at_high = np.where(left, middle, high), np.where(left, at_middle, at_high)
        low, at_low = np.where(right, middle, low), np.where(right, at_middle, at_low)
        rises.append(at_high - at_low)
        halvings += apart
    rise = rises[-1]
    before = np.array(rises)[np.maximum(halvings - 16, 0), np.arange(len(rise))]
    steps = np.flatnonzero((rise > SMALLEST_STEP * largest) & (rise > 0.75 * before))
    steps = steps[rise[steps] > noise(f, low[steps]) + noise(f, high[steps])] if len(steps) else steps
    if len(steps):
        place = int(steps[rise[steps].argmax()])
        raise ValueError(
            f"impurity {f.name!r}: f must be continuous, but it jumps at x = {high[place]:.6g}, "
            f"from {at_low[place]:.6g} to {at_high[place]:.6g}"
        )


def check_vector_function(f: Asked, n_classes: int) -> None:
    """Refuse a function of class shares that breaks a condition, for that many classes.

    >>> check_vector_function(Asked(lambda p: 1 - p.max(axis=1), "error", vector=True), 3)
    >>> check_vector_function(Asked(lambda p: p.max(axis=1), "top", vector=True), 2)
    Traceback (most recent call last):
    ...
    ValueError: impurity 'top': f must be 0 at a pure node, the class shares (1, 0), but is 1 there; \
subtract that, or use a formula that vanishes
    """
    pure = np.eye(n_classes)
    points = np.concatenate([pure, simplex_points(n_classes)])
    values = f(points)
    largest = float(np.abs(values).max())
    _check_one_by_one(f, points, values, largest)
    scale = largest if n_classes > 1 else 1.0
    for row, value in zip(pure, values[:n_classes].tolist(), strict=True):
        _check_zero(f, row, value, scale)
    if largest == 0 and n_classes > 1:
        raise ValueError(
            f"impurity {f.name!r}: f is 0 for all class shares; mixed nodes must have more than 0"
        )
    if values.min() < -MARGIN * EPS * largest:
        place = int(values.argmin())
        raise ValueError(
            f"impurity {f.name!r}: f must not be negative, but it is {values[place]:.6g} "
            f"at {_shown(points[place])}"
        )
