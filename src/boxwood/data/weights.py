"""Weights: checked, multiplied by class weights, and rounded once so that every sum of them is exact.

Same data, same tree, on any number of threads: sums of weights must not depend on the order in which they are
taken. Floating-point sums do, unless nothing is ever rounded. So the weights themselves are rounded, once, to
whole multiples of a *unit*, a power of two so small that the total stays below 2**53 units. Every sum of some
of them is then a whole number of units below 2**53, which float64 holds exactly, whatever the order and the
grouping.

The price is small: each weight moves by at most half a unit, that is by less than 2**-53 of the total (2**-52
in the rare case that rounding pushes the total over the limit and the unit is doubled). Whole weights whose
total is below 2**53 do not move at all. A weight below half a unit would become 0, and its row would be gone;
it is kept at one unit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Real
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.table import refuse_sparse

Weights: TypeAlias = npt.NDArray[np.float64]
ClassWeight: TypeAlias = Mapping[Any, float] | str | None

_LIMIT: Final = 2**53
_SMALLEST_EXPONENT: Final = -1074  # every float64 is a whole multiple of 2**-1074


def round_weights(weights: npt.ArrayLike) -> Weights:
    """Round positive weights to whole multiples of a power of two, so that all their sums are exact.

    Parameters
    ----------
    weights
        Positive, finite numbers with a finite total.

    Returns
    -------
    array of float64
        The rounded weights, none of them 0.

    Examples
    --------
    >>> round_weights([1, 1, 3]).tolist()
    [1.0, 1.0, 3.0]
    >>> tenth, third = round_weights([0.1, 1 / 3])
    >>> float(tenth + third - third - tenth), abs(float(tenth) - 0.1) < 1e-16
    (0.0, True)
    """
    array = np.array(weights, dtype=np.float64)
    if array.size == 0:
        return array
    total = _total(array)
    if total < _LIMIT and np.array_equal(array, np.rint(array)):
        return array
    exponent = max(math.frexp(total)[1] - 53, _SMALLEST_EXPONENT)  # total < 2**53 units
    while True:
        units = np.maximum(np.rint(np.ldexp(array, -exponent)), 1.0)
        if int(units.astype(np.int64).sum()) < _LIMIT:
            return np.ldexp(units, exponent)
        exponent += 1


def check_sample_weight(sample_weight: object, n_rows: int) -> Weights | None:
    """The caller's weights as float64, or None when every row weighs 1.

    >>> check_sample_weight([2, 0], 2).tolist()
    [2.0, 0.0]
    """
    if sample_weight is None:
        return None
    refuse_sparse(sample_weight, "sample_weight")
    if isinstance(sample_weight, Real):
        weights = np.full(n_rows, float(sample_weight))
    else:
        try:
            given = np.asarray(sample_weight)
            if given.dtype.kind not in "biufO":
                raise TypeError(f"it has the dtype {given.dtype}")
            weights = np.array(given, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(f"sample_weight must hold numbers, one for each row: {error}") from error
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar, got {weights.ndim}D array. Expected either a "
            f"scalar value or a 1D array of length {n_rows}."
        )
    if len(weights) != n_rows:
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}!")
    for wrong, what in (
        (np.isnan(weights), "is NaN"),
        (np.isinf(weights), "is infinite"),
        (weights < 0, "is negative"),
    ):
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"sample_weight must hold finite numbers that are not negative, but {float(weights[row])} in "
                f"row {row} {what}"
            )
    if not weights.any():
        raise ValueError("Sample weights must contain at least one non-zero number.")
    return weights


def class_weights(
    class_weight: ClassWeight,
    classes: npt.NDArray[Any],
    codes: npt.NDArray[np.int32],
    weights: Weights | None,
) -> Weights | None:
    """The weight of each class, or None when every class weighs 1.

    Parameters
    ----------
    class_weight
        None, "balanced", or a dict from labels to weights, in which a class that is not named weighs 1.
    classes, codes
        The labels, and the class of each row.
    weights
        The weights of the rows. "balanced" gives every class the same share of the total *weight*, so that
        weighting a row by 2 and repeating it come to the same thing; with equal weights it is scikit-learn's
        formula.

    Examples
    --------
    >>> class_weights("balanced", np.array(["a", "b"]), np.array([0, 0, 0, 1], dtype=np.int32), None).tolist()
    [0.6666666666666666, 2.0]
    """
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        if class_weight != "balanced":
            raise ValueError(
                f"class_weight must be None, 'balanced' or a dict of weights, got {class_weight!r}"
            )
        shares = np.bincount(codes, weights, minlength=len(classes)).astype(np.float64)
        there = shares > 0
        balanced = np.ones(len(classes))
        balanced[there] = shares.sum() / (int(there.sum()) * shares[there])
        return balanced
    if not isinstance(class_weight, Mapping):
        raise ValueError(f"class_weight must be None, 'balanced' or a dict of weights, got {class_weight!r}")
    found = np.ones(len(classes))
    left = dict(class_weight)
    unnamed = []
    for code, label in enumerate(classes.tolist()):
        if label not in left:
            unnamed.append(label)
            continue
        weight = left.pop(label)
        if not (isinstance(weight, float | int | np.number) and math.isfinite(weight) and weight >= 0):
            raise ValueError(
                f"class_weight must hold finite numbers that are not negative, but class {label!r} has "
                f"{weight!r}"
            )
        found[code] = weight
    if left and unnamed:
        # A label that these rows do not have is fine by itself; with a class left out beside it, it is a
        # slip.
        raise ValueError(
            f"class_weight names {', '.join(map(repr, left))}, which y does not have, and leaves out "
            f"{', '.join(map(repr, unnamed))}; name the classes as they stand in y"
        )
    return found


def keep_total(by_class: Weights, codes: npt.NDArray[np.int32], weights: Weights | None) -> Weights:
    """Class weights multiplied so that the total weight of the rows is what it would be without them.

    Class weights say how classes count beside each other, and not how many rows there are: formulas that need
    a number of rows must not see ten times as many because all classes weigh 10. (Weights of rows do say it:
    a row of weight 2 is two rows.) Rows of a class of weight 0 are not there, and do not count.

    >>> keep_total(np.array([1.0, 3.0]), np.array([0, 0, 0, 1], dtype=np.int32), None)
    array([0.66666667, 2.        ])
    >>> keep_total(np.array([10.0, 10.0]), np.array([0, 0, 0, 1], dtype=np.int32), None)
    array([1., 1.])
    """
    shares = np.bincount(codes, weights, minlength=len(by_class)).astype(np.float64)
    there = (by_class > 0) & (shares > 0)
    if not there.any():
        return by_class
    kept = by_class[there]
    if (kept == kept[0]).all():
        return np.where(by_class > 0, 1.0, 0.0)
    ratios: Weights = by_class / kept.max()
    scaled: Weights = ratios * (shares[there].sum() / (shares[there] @ ratios[there]))
    return np.where(by_class > 0, np.maximum(scaled, np.finfo(np.float64).tiny), 0.0)


def row_weights(
    sample: Weights | None, by_class: Weights | None, codes: npt.NDArray[np.int32]
) -> Weights | None:
    """The product of the weights of rows and of classes, or None when all are 1.

    >>> row_weights(None, np.array([1.0, 3.0]), np.array([1, 0], dtype=np.int32)).tolist()
    [3.0, 1.0]
    """
    if by_class is None:
        return sample
    weights = by_class[codes] if sample is None else sample * by_class[codes]
    if not weights.any():
        raise ValueError(
            "Every row has weight zero: sample_weight times class_weight leaves nothing to learn from."
        )
    return weights


def regrets(costs: Weights) -> Weights:
    """What each answer costs beyond the cheapest answer to the same class.

    That is all that can be gained or lost: what every answer to a class costs is paid in any case, and adding
    a constant to a row of the matrix changes no decision. Usually the cheapest answer is the right one, and
    this is the matrix less its diagonal.

    >>> regrets(np.array([[0.0, 1.0], [5.0, 2.0]]))
    array([[0., 1.],
           [3., 0.]])
    """
    least: Weights = costs.min(axis=1, keepdims=True)
    return costs - least


def cost_prices(costs: Weights, totals: Weights) -> Weights:
    """What a row of each class weighs under altered priors; the weight of all rows stays.

    The costs are `regrets`: a class that no answer is better for than another has the price 0.

    >>> cost_prices(np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([30.0, 10.0]))
    array([0.66666667, 2.        ])

    Where no answer to any row is wrong, as in a table of a lone class, rows keep their weight.
    """
    prices: Weights = costs.sum(axis=1)
    paid = float(totals @ prices)
    if paid == 0:
        return np.ones(len(totals))
    prices *= totals.sum() / paid
    return prices


_NEAR = 1e-6  # more than a sum in floating point can be wrong


def _total(weights: Weights) -> float:
    if not (np.isfinite(weights).all() and (weights > 0).all()):
        raise ValueError("weights must be positive and finite to be rounded")
    with np.errstate(over="ignore"):
        total = float(weights.sum())
    if math.isinf(total):
        raise ValueError("the weights are too large: their total is infinite. Divide them by a constant.")
    if abs(math.frexp(total)[0] - 0.75) > 0.25 - _NEAR and total < 2.0**1000:
        return math.fsum(weights)  # next to a power of two the order of the rows must not decide the unit
    return total
