"""Rules one row at a time: what fits, which conditions go, and how long a theory is.

Written from the definitions, with plain loops; shares no code with `boxwood.rules` but its dataclasses.
"""

from __future__ import annotations

import itertools
import math

from boxwood.rules import Categories, Condition, Interval

# C4.5's table of confidences and deviations.
CONFIDENCES = [0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00]
DEVIATIONS = [4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00]


def cell_fits(condition: Condition, cell: float) -> bool:
    """Whether a cell fits a condition."""
    if isinstance(condition, Categories):
        if cell == -1:
            return condition.missing
        return condition.unknown if cell == -2 else cell in condition.codes
    if math.isnan(cell):
        return condition.missing
    return (condition.low < cell or condition.low == -math.inf) and cell <= condition.high


def row_fits(conditions: list[Condition], row: list[float]) -> bool:
    """Whether a row fits all conditions."""
    return all(cell_fits(condition, row[condition.feature]) for condition in conditions)


def upper_errors(n: float, e: float, confidence: float) -> float:
    """C4.5's pessimistic number of errors, of `n` rows with `e` errors."""
    i = next(i for i in range(1, 9) if confidence <= CONFIDENCES[i])
    share = (confidence - CONFIDENCES[i - 1]) / (CONFIDENCES[i] - CONFIDENCES[i - 1])
    z = DEVIATIONS[i - 1] + share * (DEVIATIONS[i] - DEVIATIONS[i - 1])
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 0.9999:
        none = n * (1 - confidence ** (1 / n))
        return none + e * (upper_errors(n, 1.0, confidence) - none)
    if e + 0.5 >= n:
        return e + 0.67 * (n - e)
    p = (e + 0.5 + z * z / 2 + math.sqrt(z * z * ((e + 0.5) * (1 - (e + 0.5) / n) + z * z / 4))) / (n + z * z)
    return n * p


def split_ends(conditions: list[Condition]) -> list[Condition]:
    """The same conditions, with the two ends of an interval apart."""
    parts: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, Interval) and -math.inf < condition.low < condition.high < math.inf:
            parts.append(Interval(condition.feature, low=condition.low, missing=condition.missing))
            parts.append(Interval(condition.feature, high=condition.high, missing=condition.missing))
        else:
            parts.append(condition)
    return parts


def expected_share(parts, answer, rows, target, weights, confidence) -> float:
    """The pessimistic share of errors of a rule."""
    fitting = [i for i, row in enumerate(rows) if row_fits(parts, row)]
    n = sum(weights[i] for i in fitting)
    e = sum(weights[i] for i in fitting if target[i] != answer)
    return 1.0 if n == 0 else upper_errors(n, e, confidence) / n


def dropped(conditions, answer, rows, target, weights, confidence) -> tuple[list[Condition], float]:
    """The parts that are left, and the share of errors to be expected."""
    parts = split_ends(list(conditions))
    judge = (answer, rows, target, weights, confidence)
    now = expected_share(parts, *judge)
    while parts:
        shares = [expected_share(parts[:k] + parts[k + 1 :], *judge) for k in range(len(parts))]
        best = min(range(len(parts)), key=lambda k: (round(shares[k], 13), k))
        if shares[best] > now + 1e-12:
            break
        now = shares[best]
        del parts[best]
    return parts, now


def theory_length(subset, fits: list[set[int]], target, answer: int, bits: list[float]) -> float:
    """Bits of a subset of the rules of a class with their mistakes; every row weighs 1."""
    n = len(target)
    covered = set().union(*(fits[k] for k in subset)) if subset else set()
    wrong = sum(target[i] != answer for i in covered)
    lost = sum(target[i] == answer for i in range(n) if i not in covered)
    mistakes = math.log2(math.comb(len(covered), wrong)) + math.log2(math.comb(n - len(covered), lost))
    theory = sum(bits[k] for k in subset) - math.log2(math.factorial(len(subset)))
    return mistakes + 0.5 * max(0.0, theory)


def shortest(fits: list[set[int]], target, answer: int, bits: list[float]) -> float:
    """The bits of the best subset of all."""
    every = range(len(fits))
    subsets = itertools.chain.from_iterable(itertools.combinations(every, k) for k in range(len(fits) + 1))
    return min(theory_length(subset, fits, target, answer, bits) for subset in subsets)
