"""Weights, costs and the cost of a leaf as whole numbers, rounded once.

The solver counts in whole numbers, so that bounds that meet are a proof and a gap below one is none. Weights
and costs that are whole numbers stay as they are. Other weights are first divided by the smallest one: class
weights often are multiples of it, or fractions of small denominators, and are then brought to a common one.
If that does not make them whole, they are scaled so that their total just fits 31 bits, which the fast
kernels need, and rounded; costs likewise, to 15 bits. The cost of a leaf, in units of the objective, becomes
a fraction of small denominator, and the denominator multiplies everything else: the weights themselves, which
the kernels count, stay small. A leaf that costs more than all rows together costs the solver just one more
than these, so that its numbers stay small: one leaf is the best tree then, and what a leaf really costs is
added afterwards.

"Optimal" is then meant for the rounded numbers. How far they are from the given ones is in `rounding`: the
largest error of a weight as a share of the largest weight, of a cost as a share of the largest cost, or of
the leaf cost as a share of itself. It is 0 for whole numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
import numpy.typing as npt

Wholes = npt.NDArray[np.int64]

_WEIGHT_TOTAL: Final = 2**31 - 1
_LARGEST_COST: Final = 2**15
_OBJECTIVE: Final = 2**53
_DENOMINATOR: Final = 10_000
_DISTINCT: Final = 100


@dataclass(frozen=True, eq=False)
class Scale:
    """The numbers that the solver sees, and what one unit of its objective is worth.

    Parameters
    ----------
    weights
        Weight of each row; None when all are 1.
    costs
        Cost by truth and answer; None for 0 and 1.
    leaf_cost, weight_unit
        The solver's objective is ``weight_unit * (sum of weight * cost) + leaf_cost * leaves``.
    weight_factor
        The solver's weights divided by the given ones.
    factor
        The solver's objective divided by the objective.
    rounding
        The largest rounding error, as a share.
    leaf_excess
        What a leaf costs beyond what the solver counts for it, in units of the objective.
    """

    weights: Wholes | None
    costs: Wholes | None
    leaf_cost: int
    weight_unit: int
    weight_factor: float
    factor: float
    rounding: float
    leaf_excess: float = 0.0

    def real(self, objective: int, n_leaves: int = 1) -> float:
        """An objective in units of row weight, of a tree of so many leaves; or a bound for any tree.

        >>> make_scale(np.ones(3), None, 0.25).real(5)
        1.25
        >>> scale = make_scale(np.ones(3), None, 100.0)
        >>> scale.leaf_cost, scale.real(scale.leaf_cost + 1)
        (4, 101.0)
        """
        found = objective / self.factor
        return found + self.leaf_excess * n_leaves if self.leaf_excess else found

    def whole(self, amount: float) -> int:
        """The solver's units that fit into an amount of the objective.

        >>> make_scale(np.ones(3), None, 0.25).whole(1.3)
        5
        """
        return math.floor(min(amount * self.factor * (1 + 1e-12), _OBJECTIVE))


def _are_whole(values: npt.NDArray[np.float64]) -> bool:
    return bool((values == np.rint(values)).all())


def _rounded(values: npt.NDArray[np.float64], most: float, total: float) -> tuple[Wholes, float, float]:
    """Whole numbers, the factor that was applied, and the largest error as a share of the largest value."""
    if _are_whole(values):
        return values.astype(np.int64), 1.0, 0.0
    smallest = float(values[values > 0].min())
    by_smallest = values / smallest
    common = _common_denominator(by_smallest)
    if common and common * total / smallest <= most:
        return np.rint(by_smallest * common).astype(np.int64), common / smallest, 0.0
    factor = most / total
    whole = np.where(values > 0, np.maximum(np.rint(values * factor), 1), 0)
    error = float(np.abs(whole / factor - values).max() / values.max())
    return whole.astype(np.int64), factor, error


def _common_denominator(values: npt.NDArray[np.float64]) -> int:
    """A number that makes all values whole, up to 1e-9; 0 if there is no small one.

    >>> _common_denominator(np.array([1.0, 2.5, 7 / 3])), _common_denominator(np.array([1.0, np.pi]))
    (6, 0)
    """
    distinct = np.unique(values)
    if float(np.abs(distinct - np.rint(distinct)).max()) < 1e-9:
        return 1
    if len(distinct) > _DISTINCT:
        return 0
    near = [Fraction(value).limit_denominator(_DENOMINATOR) for value in distinct.tolist()]
    common = math.lcm(*(one.denominator for one in near))
    wrong = max(abs(float(one) - value) for one, value in zip(near, distinct.tolist(), strict=True))
    return common if wrong * common < 1e-9 and common <= _WEIGHT_TOTAL else 0


def make_scale(
    weights: npt.NDArray[np.float64], costs: npt.NDArray[np.float64] | None, complexity: float
) -> Scale:
    """Choose the whole numbers.

    Parameters
    ----------
    weights
        Weight of each row, positive.
    costs
        Cost by truth and answer, or None.
    complexity
        Cost of a leaf, in units of the objective.

    Returns
    -------
    Scale
        The whole numbers.

    Examples
    --------
    >>> scale = make_scale(np.array([0.5, 1.5, 1.5]), None, 0.1)
    >>> scale.weights, scale.leaf_cost, scale.weight_unit, scale.rounding
    (array([1, 3, 3]), 1, 5, 0.0)
    """
    total = float(weights.sum())
    whole, weight_factor, rounding = _rounded(weights, _WEIGHT_TOTAL - len(weights), total)
    whole_costs, cost_factor = None, 1.0
    if costs is not None:
        largest = float(costs.max())
        whole_costs, cost_factor, cost_rounding = _rounded(costs, _LARGEST_COST, largest)
        rounding = max(rounding, cost_rounding)
    factor = weight_factor * cost_factor
    worst = int(whole.sum()) * (1 if whole_costs is None else max(1, int(whole_costs.max())))
    # All rows at their worst, and two leaves that cost as much, must fit.
    room = _OBJECTIVE // (3 * worst + 3)
    if room < 1:
        raise ValueError(
            f"weights and costs are too large: together they reach {worst:.3g}, and the solver counts to "
            f"{_OBJECTIVE // 3:.3g}; divide sample_weight or cost_matrix by a constant"
        )
    exact = Fraction(repr(float(complexity))) * Fraction(factor)
    # More than all rows together: one leaf it is, whatever the number.
    given, exact = exact, min(exact, Fraction(worst + 1))
    leaf = exact.limit_denominator(min(_DENOMINATOR, room))
    if exact > 0:
        rounding = max(rounding, float(abs(leaf / exact - 1)))
    unit = bool((whole == 1).all())
    return Scale(
        weights=None if unit else whole,
        costs=whole_costs,
        leaf_cost=leaf.numerator,
        weight_unit=leaf.denominator,
        weight_factor=weight_factor,
        factor=factor * leaf.denominator,
        rounding=rounding,
        leaf_excess=float((given - exact) / Fraction(factor)),
    )
