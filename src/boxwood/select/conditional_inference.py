"""The most significant column is chosen, then split: ``select="conditional_inference"``.

The problem and the tests are those of :mod:`boxwood.select.association`: the p-values of columns compare
fairly, however many values each of them has. At every node

1. each column is tested against the target, on the rows that have a value in it;
2. the p-values are corrected for the number m of columns tested (those that are not constant at the node), by
   Bonferroni's bound: m p, at most 1;
3. if the smallest is above ``significance_level`` (5 %; None never stops), the node is a leaf; otherwise that
   column is taken, and only its splits are searched, by the criterion. If the minimum leaf sizes allow none
   of them, the next significant column has its turn.

P-values that differ by rounding alone tie, and a tie goes to the lowest column. The corrected p-value is kept
in ``tree.extra["p_value"]``.

The chi-square distribution is an approximation that needs rows: with less than about five per value and
class, columns of many values look significant too often or too seldom. ``monte_carlo=n`` counts instead how
many of n random permutations of the target have at least the statistic of the node: p = (1 + count) / (1 +
n), which is right for any table, and takes n times as long. Columns are compared by the middle p-value,
which counts equal statistics half: a column of few values has few statistics, and would be at a disadvantage
otherwise. Columns with equal counts (strong columns all have 0) are told apart by the chi-square. The
permutations depend on the seed, the path to the node and the column alone; weights must be whole numbers
then, since a row of weight w stands for w rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def most_significant(
    log_p_values: Sequence[float], significance_level: float | None = 0.05
) -> tuple[int, float]:
    """The chosen column (-1: none is significant), and its corrected p-value.

    >>> column, p_value = most_significant([math.log(0.2), math.log(0.01), math.log(0.04)])
    >>> column, round(p_value, 9)
    (1, 0.03)
    >>> most_significant([math.log(0.2), math.log(0.04)])[0]
    -1
    """
    smallest = min(log_p_values)
    chosen = next(
        i for i, log_p in enumerate(log_p_values) if log_p <= smallest + 1e-11 * (1 + abs(smallest))
    )
    p_value = min(1.0, math.exp(log_p_values[chosen] + math.log(len(log_p_values))))
    return (chosen if significance_level is None or p_value <= significance_level else -1), p_value
