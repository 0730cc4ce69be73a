"""Conditions that a rule can do without, dropped one at a time.

Problem. A rule read off a tree asks everything that its path asks, also what only mattered to other leaves.

Idea (Quinlan 1993, section 5.1). Without one of its conditions a rule fits more rows. If the errors to be
expected of it, estimated pessimistically from the rows that it fits, are no larger as a share of those, the
condition is not needed. Of all conditions the one whose loss leaves the lowest share goes first, and so on
until each that is left is needed. The estimate is C4.5's: the upper end of a confidence interval
(:func:`boxwood.pruning.error_based.estimated_errors`). Rules that have become the same are one; a rule that
asks nothing any more is left to the default.

An interval with two ends is two conditions here. A set of categories, met from all tests of the path, is
kept or dropped as a whole, where Quinlan drops one test of the path at a time. Missing and unknown values fit
what is left as they did before: where a test sent them this way.

Cost. For each rule a matrix of conditions and rows says what fits. A row that fits all but one condition is
counted for that condition, so a step costs O(conditions * rows) for all candidates together.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood.pruning.error_based import estimated_errors
from boxwood.rules.condition import Condition, met

Columns: TypeAlias = Sequence[NDArray[Any]]

_TIE = 1e-12


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows to judge rules by: encoded columns, the class of each row, and its weight."""

    columns: Columns
    target: NDArray[np.intp]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Draft:
    """A rule to be: conditions, the number of a class, and the share of errors to be expected."""

    conditions: tuple[Condition, ...]
    answer: int
    expected: float


def expected_shares(
    size: NDArray[np.float64], errors: NDArray[np.float64], confidence: float
) -> NDArray[np.float64]:
    """The errors to be expected, as a share of the rows; 1 where there are no rows.

    >>> expected_shares(np.array([6.0, 0.0]), np.array([0.0, 0.0]), 0.25).round(3)
    array([0.206, 1.   ])
    """
    some = np.maximum(size, np.finfo(np.float64).tiny)
    return np.where(size > 0, estimated_errors(size, errors, confidence, "c45") / some, 1.0)


def simplified_rule(conditions: Sequence[Condition], answer: int, rows: Rows, confidence: float) -> Draft:
    """A rule without the conditions that it does not need."""
    parts = [part for condition in conditions for part in condition.parts()]
    fits = np.array([part.fits(rows.columns[part.feature]) for part in parts], dtype=bool)
    fits = fits.reshape(len(parts), len(rows.target))
    unfit = len(parts) - fits.sum(axis=0)
    wrong = np.where(rows.target == answer, 0.0, rows.weights)
    kept = list(range(len(parts)))
    while True:
        near = np.flatnonzero(unfit <= 1)
        inside = near[unfit[near] == 0]
        size, errors = rows.weights[inside].sum(), wrong[inside].sum()
        now = float(expected_shares(np.array([size]), np.array([errors]), confidence)[0])
        if not kept:
            break
        outside = near[unfit[near] == 1]
        blocker = np.argmin(fits[np.ix_(kept, outside)], axis=0)
        sizes = size + np.bincount(blocker, rows.weights[outside], len(kept))
        shares = expected_shares(sizes, errors + np.bincount(blocker, wrong[outside], len(kept)), confidence)
        best = int(np.argmin(shares))
        if shares[best] > now + _TIE:
            break
        unfit -= ~fits[kept.pop(best)]
    return Draft(met([parts[place] for place in kept]), answer, now)


def simplified_rules(
    drafts: Sequence[tuple[Sequence[Condition], int]], rows: Rows, confidence: float
) -> list[Draft]:
    """All rules, simplified; each once, and none that asks nothing."""
    found: dict[tuple[int, frozenset[Condition]], Draft] = {}
    for conditions, answer in drafts:
        draft = simplified_rule(conditions, answer, rows, confidence)
        if draft.conditions:
            found.setdefault((answer, frozenset(draft.conditions)), draft)
    return list(found.values())
