"""The naive search for trees that answer with numbers: every cut of every column, by the textbook formula.

The loss of some rows is the sum of their squared distances from their mean, or of their distances from
their median. For squares, running sums of the distances from the node's mean give the loss on both sides of
every cut. For absolute distances two heaps hold the lower and the upper half of the rows seen so far, with
their sums; one pass upwards gives the loss on the left of every cut, one pass downwards that on the right.

Gains are compared relative to the impurity of the node, since numbers may have any unit.
"""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import naive
from bench.naive import Floats, Integers

SLOW_CELLS = 400_000  # the budget of the search with heaps, in Python
CLOSE = 1e-9


class NumberSearch:
    """Searches the nodes of a regression tree."""

    def __init__(self, tree: Any, y: NDArray[np.float64]) -> None:
        self.tree = tree
        self.y = y
        self.absolute = tree.criterion == "absolute_error"

    @property
    def cells(self) -> int:
        """How many cells may be searched."""
        return SLOW_CELLS if self.absolute else naive.CELLS

    def loss(self, rows: Integers) -> float:
        """The loss of some rows under the best single answer."""
        y = self.y[rows]
        if self.absolute:
            return float(np.abs(y - np.median(y)).sum())
        return float(np.square(y - y.mean()).sum())

    def impurity(self, rows: Integers) -> float:
        """The mean loss."""
        return self.loss(rows) / len(rows)

    def scale(self, rows: Integers) -> float:
        """What a difference is compared with."""
        return self.impurity(rows)

    def agrees(self, node: int, rows: Integers) -> bool:
        """Whether a node stores the sums and the answer of these rows."""
        y, tree = self.y[rows], self.tree
        size = float(np.square(y).sum())
        answer = np.median(y) if self.absolute else y.mean()
        return bool(
            len(rows) == tree.n_rows[node]
            and abs(tree.sums[node, 1] - y.sum()) <= CLOSE * np.sqrt(len(y) * size)
            and abs(tree.sums[node, 2] - size) <= CLOSE * size
            and abs(tree.answer[node] - answer) <= CLOSE * np.abs(y).max()
        )

    def cut_gains(self, values: Floats, rows: Integers) -> Floats:
        """The gain of every cut between two distinct values of a column, lowest cut first."""
        order = np.argsort(values, kind="stable")
        values, y = values[order], self.y[rows][order]
        last_left = np.flatnonzero(values[1:] > values[:-1])
        if self.absolute:
            left = absolute_losses(y)[last_left]
            right = absolute_losses(y[::-1])[::-1][last_left + 1]
        else:
            y = y - y.mean()
            n_left = last_left + 1.0
            sums, squares = np.cumsum(y), np.cumsum(np.square(y))
            left = squares[last_left] - np.square(sums[last_left]) / n_left
            right = (
                squares[-1] - squares[last_left] - np.square(sums[-1] - sums[last_left]) / (len(y) - n_left)
            )
        gains: Floats = (self.loss(rows) - left - right) / len(y)
        return gains


def absolute_losses(y: NDArray[np.float64]) -> Floats:
    """For every beginning of a list of numbers, the sum of their distances from their median.

    >>> absolute_losses(np.array([3.0, 1.0, 2.0, 9.0])).tolist()
    [0.0, 2.0, 2.0, 9.0]
    """
    low: list[float] = []  # negated: the largest of the lower half comes first
    high: list[float] = []
    low_sum = high_sum = 0.0
    losses = np.empty(len(y))
    for place, number in enumerate(y.tolist()):
        if low and number > -low[0]:
            heapq.heappush(high, number)
            high_sum += number
        else:
            heapq.heappush(low, -number)
            low_sum += number
        if len(low) > len(high) + 1:
            moved = -heapq.heappop(low)
            heapq.heappush(high, moved)
            low_sum, high_sum = low_sum - moved, high_sum + moved
        elif len(high) > len(low):
            moved = heapq.heappop(high)
            heapq.heappush(low, -moved)
            low_sum, high_sum = low_sum + moved, high_sum - moved
        middle = -low[0]
        losses[place] = (len(low) * middle - low_sum) + (high_sum - len(high) * middle)
    return losses
