"""Which rules to keep, in which order, and what to answer where none fits.

Problem. Simplified rules overlap, and together they are more than is needed.

Idea (Quinlan 1993, sections 5.2 to 5.4).

1. For each class, keep the subset of its rules that is shortest to write down together with its mistakes. Of
   n rows, the subset covers r, of which f are of another class; of the n - r others, g are of the class. To
   name the mistakes takes ``log2 C(r, f) + log2 C(n - r, g)`` bits. A rule takes the bits of its conditions
   less ``log2(conditions!)``, as their order says nothing; a subset of k rules takes the bits of its rules
   less ``log2(k!)``. Bits of rules count half, since conditions repeat each other.
2. The class whose rules claim the least weight of other classes goes first; the rows that its rules fit
   are set aside, and so on.
3. The default is the heaviest class among the rows that no rule fits.
4. As long as there are rules without which fewer rows would be answered wrongly, the first of them goes.

Up to ten rules of a class, all subsets are weighed. For more, two climbs, one from all rules and one from
none, add or take away the rule that shortens most until nothing does, and the shorter end counts; Quinlan
anneals. Weights count as rows; binomials of numbers that are not whole go through the gamma function.

What a condition costs is our choice: the column, ``log2(columns)``; for each end of an interval one bit for
the side and ``log2`` of the number of cuts that the column offers; for categories, one bit each; and one bit
for missing values. Quinlan counts how often the tree uses a test instead.

O(subsets + rules fits) per class, and O(fits) per step of a climb, where fits are pairs of a rule and a row.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood.data import Schema
from boxwood.rules.condition import Condition, Interval
from boxwood.rules.simplify import Draft, Rows

Floats: TypeAlias = NDArray[np.float64]
Places: TypeAlias = NDArray[np.intp]

ALL_SUBSETS = 10
"""Up to so many rules of a class, all subsets are weighed."""

_RULE_BITS = 0.5
_TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Chosen:
    """Rules in order, the rows that each one fits, and the number of the default class."""

    drafts: list[Draft]
    fits: list[Places]
    default: int


def choose_rules(drafts: Sequence[Draft], rows: Rows, schema: Schema, n_classes: int) -> Chosen:
    """Keep some rules and put them in order; see the top of the file."""
    fits = [_rows_that_fit(draft.conditions, rows) for draft in drafts]
    cuts = _cuts(schema, rows)
    bits = np.array([rule_bits(draft.conditions, schema, cuts) for draft in drafts])
    by_class: dict[int, list[int]] = {}
    for answer in range(n_classes):
        places = [place for place, draft in enumerate(drafts) if draft.answer == answer]
        if places:
            kept = best_subset([fits[place] for place in places], rows, answer, bits[places])
            places = [places[k] for k in kept]
            if places:
                by_class[answer] = sorted(places, key=lambda place: (drafts[place].expected, place))
    order = [place for answer in _order_of_classes(by_class, fits, rows) for place in by_class[answer]]
    default = _default([fits[place] for place in order], rows, n_classes)
    order = _polished(order, drafts, fits, rows, default)
    return Chosen([drafts[place] for place in order], [fits[place] for place in order], default)


def _rows_that_fit(conditions: Sequence[Condition], rows: Rows) -> Places:
    fitting = np.ones(len(rows.target), dtype=bool)
    for condition in conditions:
        fitting &= condition.fits(rows.columns[condition.feature])
    return np.flatnonzero(fitting)


# ------------------------------------------------------------------------------------------------ bits


def _cuts(schema: Schema, rows: Rows) -> list[int]:
    """How many cuts each numeric column offers."""
    found = []
    for column, values in zip(schema.columns, rows.columns, strict=True):
        distinct = 0 if column.is_categorical else len(np.unique(values[~np.isnan(values)]))
        found.append(max(1, distinct - 1))
    return found


def rule_bits(conditions: Sequence[Condition], schema: Schema, cuts: Sequence[int]) -> float:
    """The bits that it takes to write a rule down.

    >>> from boxwood.data import Column
    >>> schema = Schema((Column("a", "numeric", "float"), Column("b", "numeric", "float")), named=True)
    >>> rule_bits([Interval(0, low=1.0)], schema, [4, 1])  # the column, the side, one of four cuts, missing
    5.0
    """
    bits, count = 0.0, 0
    for condition in conditions:
        if isinstance(condition, Interval):
            ends = (condition.low > -math.inf) + (condition.high < math.inf) if condition.has_numbers else 0
            count += max(1, ends)
            bits += (
                max(1, ends) * math.log2(len(schema)) + ends * (1 + math.log2(cuts[condition.feature])) + 1
            )
        else:
            count += 1
            bits += math.log2(len(schema)) + condition.n_categories + 1
    return bits - math.lgamma(count + 1) / math.log(2)


def exception_bits(covered: Floats, wrong: Floats, others: Floats, lost: Floats) -> Floats:
    """The bits that it takes to name the mistakes: `wrong` of `covered`, and `lost` of `others`.

    >>> float(exception_bits(np.array([4.0]), np.array([1.0]), np.array([8.0]), np.array([1.0]))[0].round(9))
    5.0
    """
    from scipy.special import gammaln

    nats = np.zeros(np.shape(covered))
    for n, k in ((covered, wrong), (others, lost)):
        nats += gammaln(n + 1) - gammaln(k + 1) - gammaln(np.maximum(n - k, 0.0) + 1)
    bits: Floats = np.maximum(nats, 0.0) / math.log(2)
    return bits


# ------------------------------------------------------------------------------------------------ subsets


def best_subset(fits: Sequence[Places], rows: Rows, answer: int, bits: Floats) -> list[int]:
    """The rules of one class that are shortest to write down together with their mistakes."""
    mine = np.where(rows.target == answer, rows.weights, 0.0)
    other = rows.weights - mine
    if len(fits) <= ALL_SUBSETS:
        return _best_of_all(fits, mine, other, bits)
    climb = _Climb(fits, mine, other, bits)
    ends = [climb.run(np.ones(len(fits), dtype=bool)), climb.run(np.zeros(len(fits), dtype=bool))]
    best = min(ends, key=lambda end: end[0])
    return np.flatnonzero(best[1]).tolist()


def _length(covered: Any, wrong: Any, mine: float, other: float, rule_bits: Any, count: Any) -> Floats:
    """Bits of subsets that cover so much, `wrong` of it of other classes."""
    from scipy.special import gammaln

    theory = _RULE_BITS * (rule_bits - gammaln(count + 1) / math.log(2))
    mistakes = exception_bits(covered, wrong, mine + other - covered, mine - (covered - wrong))
    length: Floats = mistakes + np.maximum(theory, 0.0)
    return length


def _best_of_all(fits: Sequence[Places], mine: Floats, other: Floats, bits: Floats) -> list[int]:
    m = len(fits)
    pattern = np.zeros(len(mine), dtype=np.int64)  # which rules fit each row, as bits
    for k, places in enumerate(fits):
        pattern[places] |= 1 << k
    mine_of, other_of = (np.bincount(pattern, weight, 1 << m) for weight in (mine, other))
    subsets = np.arange(1 << m)
    covers = (subsets[:, np.newaxis] & subsets) != 0
    right, wrong = covers @ mine_of, covers @ other_of
    members = (subsets[:, np.newaxis] >> np.arange(m)) & 1
    length = _length(right + wrong, wrong, mine_of.sum(), other_of.sum(), members @ bits, members.sum(axis=1))
    best = int(np.argmax(length <= length.min() + _TIE))
    return np.flatnonzero(members[best]).tolist()


class _Climb:
    """Better and better subsets, a rule at a time."""

    def __init__(self, fits: Sequence[Places], mine: Floats, other: Floats, bits: Floats) -> None:
        from scipy.sparse import csr_matrix

        ends = np.cumsum([0, *(len(places) for places in fits)])
        taken = np.concatenate(fits)
        shape = (len(fits), len(mine))
        self.matrix = csr_matrix((np.ones(len(taken)), taken, ends), shape=shape)
        self.mine, self.other, self.bits = mine, other, bits

    def run(self, inside: NDArray[np.bool_]) -> tuple[float, NDArray[np.bool_]]:
        """Climb from a subset; returns the bits at the top, and the subset."""
        covers = self.matrix.T @ inside.astype(np.float64)
        now = math.inf
        while True:
            # What a rule would add, or what would be lost without it.
            alone = np.where(covers == 0, 1.0, 0.0), np.where(covers == 1, 1.0, 0.0)
            change = [
                np.where(inside, -(self.matrix @ (alone[1] * weight)), self.matrix @ (alone[0] * weight))
                for weight in (self.mine, self.other)
            ]
            covered = covers > 0
            right, wrong = self.mine[covered].sum(), self.other[covered].sum()
            totals = self.mine.sum(), self.other.sum()
            rule_bits, count = self.bits[inside].sum(), int(inside.sum())
            if now == math.inf:
                now = float(_length(right + wrong, wrong, *totals, rule_bits, count))
            sign = np.where(inside, -1, 1)
            after = _length(
                right + wrong + change[0] + change[1],
                wrong + change[1],
                *totals,
                rule_bits + sign * self.bits,
                count + sign,
            )
            best = int(np.argmin(after))
            if after[best] >= now - _TIE:
                return now, inside
            now = float(after[best])
            covers = covers + sign[best] * self.matrix[best].toarray()[0]
            inside = inside.copy()
            inside[best] = not inside[best]


# ------------------------------------------------------------------------------------------------ order


def _order_of_classes(by_class: dict[int, list[int]], fits: Sequence[Places], rows: Rows) -> list[int]:
    """Classes by what their rules wrongly claim, of the rows that are left."""
    covers = {
        answer: np.unique(np.concatenate([fits[place] for place in places]))
        for answer, places in by_class.items()
    }
    left = rows.weights.copy()
    order: list[int] = []
    while covers:
        claims = {a: left[taken][rows.target[taken] != a].sum() for a, taken in covers.items()}
        first = min(claims, key=lambda answer: (claims[answer], answer))
        left[covers.pop(first)] = 0.0
        order.append(first)
    return order


def _default(fits: Sequence[Places], rows: Rows, n_classes: int) -> int:
    left = rows.weights.copy()
    for places in fits:
        left[places] = 0.0
    weights = left if left.any() else rows.weights
    return int(np.argmax(np.bincount(rows.target, weights, n_classes)))


def _polished(
    order: list[int], drafts: Sequence[Draft], fits: Sequence[Places], rows: Rows, default: int
) -> list[int]:
    """The rules without those that do more harm than good."""
    while order:
        first, second = np.full((2, len(rows.target)), len(order))
        for k, place in enumerate(order):
            taken = fits[place]
            known = first[taken] < len(order)
            later = taken[known]
            second[later] = np.where(second[later] == len(order), k, second[later])
            first[taken[~known]] = k
        answers = np.array([*(drafts[place].answer for place in order), default])
        errors_now = answers[first] != rows.target
        errors_then = answers[second] != rows.target
        gain = (errors_now.astype(np.float64) - errors_then) * rows.weights
        gains = np.bincount(first, gain, len(order) + 1)[:-1]
        if not (gains > _TIE).any():
            break
        order = order[: int(np.argmax(gains > _TIE))] + order[int(np.argmax(gains > _TIE)) + 1 :]
    return order
