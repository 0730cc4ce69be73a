"""Reduced-error pruning: a node becomes a leaf where that is no worse on rows that growing did not see.

Problem. The rows that a tree was grown on cannot tell which of its splits follow noise.

Idea (Quinlan 1987). Keep some rows back. Route them through the tree once; then, from the leaves to the
root, a node becomes a leaf if it then makes no more errors on these rows than the best pruned subtree below
it. Ties prune, so nodes that no row reaches do too. A node answers as it did in growing: classes that the
rows lack keep their labels.

One pass gives the best rooted subtree on these rows, and of all best ones the smallest (Elomaa and
Kääriäinen 2001, section 2); the tests compare it with all of them. O(rows * depth + nodes). Idempotent on
the same rows.

What we changed. Numbers are pruned the same way, by squared error (or the loss of the tree's criterion).
Losses that differ by less than 1e-12 of the root's tie: parts of rows that are spread, costs and squares do
not add up exactly, and rounding must not decide.
Inside ``fit`` the share is drawn stratified by class, before anything is grown. A tree that is grown already
needs rows of its own: on those that it was grown on it makes fewer errors than any part of it, and nothing
would be pruned.

References: J. R. Quinlan, Simplifying decision trees, International Journal of Man-Machine Studies 27
(1987), section 3.2; T. Elomaa, M. Kääriäinen, An analysis of reduced error pruning, JAIR 15 (2001).
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from boxwood._core import cheapest_subtree
from boxwood.data import Dataset
from boxwood.pruning.arrivals import losses
from boxwood.pruning.cross_validation import dealt_rows
from boxwood.pruning.pruner import MUST, Material, Pruner, collapsed
from boxwood.tree import Tree

SAME_LOSS = 1e-12
"""Losses that differ by less than this share of what the root loses as a leaf are equal."""


class ReducedError(Pruner):
    """Reduced-error pruning on rows that were kept back.

    Parameters
    ----------
    validation : float, default=0.1
        The share of the rows that ``fit`` keeps back, stratified by class. `boxwood.prune` takes them as
        ``X_val, y_val`` instead.
    random_state : int, RandomState instance or None, default=None
        Draws the rows; None: the estimator's own random state does.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins
    >>> from boxwood.pruning import ReducedError
    >>> penguins, species, *_ = load_penguins()
    >>> full = TreeClassifier().fit(penguins, species)
    >>> pruned = TreeClassifier(pruning=ReducedError(validation=0.25), random_state=0).fit(penguins, species)
    >>> pruned.get_n_leaves() < full.get_n_leaves()
    True
    """

    FOR_NUMBERS: ClassVar[bool] = True

    def __init__(self, validation: float = 0.1, random_state: Any = None) -> None:
        self.validation = validation
        self.random_state = random_state

    @property
    def validation_wanted(self) -> str:
        """It judges on rows of their own."""
        return MUST

    @property
    def held_out(self) -> float:
        """The share that ``fit`` keeps back."""
        return self.validation

    def _check(self) -> None:
        self._check_number("validation", 0.0, 1.0, closed=(False, False))

    def _prune(self, tree: Tree, material: Material) -> Tree:
        if material.validation is None:
            raise ValueError(
                "ReducedError needs rows that the tree was not grown on: give them as X_val and y_val, or "
                "let an estimator hold them out itself (pruning=ReducedError(validation=0.1))."
            )
        lost = losses(tree, material.validation, material.costs, material.n_threads)
        tie = SAME_LOSS * float(lost.as_leaf[0])
        mask, _ = cheapest_subtree(tree.first_child, tree.n_children, lost.as_leaf, lost.ending, tie)
        return collapsed(tree, mask)


def hold_out(dataset: Dataset, share: float, random_state: Any) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The rows to grow on, and those to keep back: a share of each class, at least one row in all.

    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset([[float(i)] for i in range(20)], ["a"] * 10 + ["b"] * 10)
    >>> kept, held = hold_out(dataset, 0.2, 0)
    >>> dataset.target[held].tolist()
    [0, 0, 1, 1]
    """
    n = dataset.n_rows
    wanted = min(max(1, round(share * n)), n - 1)
    # Rows are dealt out class by class: every n-th of that order has its share of each class.
    order = dealt_rows(dataset, random_state)
    chosen = np.zeros(n, dtype=bool)
    if wanted > 0:
        chosen[order[(np.arange(wanted) * n) // wanted]] = True
    return np.flatnonzero(~chosen), np.flatnonzero(chosen)
