"""Critical-value pruning: splits must have been worth something when they were made.

Problem. Prune by what growing knew already.

Idea (Mingers 1987). Every split has the value that it was chosen by. One that stays below the critical value
is pruned, unless a split further down reaches it: a weak split may be the way to a strong one.

The value is the tree's ``score``: the gain for impurities, the gain ratio for "gain_ratio". O(nodes),
idempotent.

Reference: J. Mingers, Expert systems: rule induction with statistical data, Journal of the Operational
Research Society 38 (1987).
"""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from boxwood._core import subtree_extremes
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Tree


class CriticalValue(Pruner):
    """Pruning of splits whose score, and that of all splits below, is less than a critical value.

    Parameters
    ----------
    threshold : float, default=0.01
        The critical value, in units of the score that the tree was grown by. For a regression tree that is
        the criterion's: squared units of the target for "squared_error", so that the default, 0.01, prunes
        nothing of a target in the thousands, and all of one in thousandths. Choose it by the variance of the
        target.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import CriticalValue
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> [prune(model, CriticalValue(value)).get_n_leaves() for value in (0.0, 0.4, 0.5)]
    [15, 12, 10]
    """

    FOR_NUMBERS: ClassVar[bool] = True

    def __init__(self, threshold: float = 0.01) -> None:
        self.threshold = threshold

    def _check(self) -> None:
        self._check_number("threshold", -math.inf, math.inf, closed=(False, False))

    def _prune(self, tree: Tree, material: Material) -> Tree:
        inner = ~tree.is_leaf
        unknown = inner & np.isnan(tree.score)
        if unknown.any():
            raise ValueError(
                f"CriticalValue compares the scores of splits, and node {int(np.argmax(unknown))} has none; "
                "use another pruner for a tree that was not grown."
            )
        value = np.where(inner, tree.score, 0.0)
        _, largest = subtree_extremes(tree.first_child, tree.n_children, value, inner.astype(np.uint8))
        return collapsed(tree, inner & (largest < self.threshold))
