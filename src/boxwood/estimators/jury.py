"""Rows that take no part in learning, and judge what was learned: early stopping of the best tree."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from boxwood.data import Dataset
from boxwood.optimal import Result
from boxwood.optimal.features import tree_on_table
from boxwood.optimal.splits import Splits

if TYPE_CHECKING:
    from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier


class Jury:
    """Rows that were held out, and what they said of the tree of each number of thresholds."""

    def __init__(self, estimator: OptimalTreeClassifier, held: Dataset) -> None:
        self.rows = held.rows
        self.scores: list[float] = []
        self._estimator = estimator
        self._held = held
        self._best: tuple[Result, int] | None = None

    def hear(self, found: Result, size: int, splits: Splits) -> bool:
        """Score a tree; True when there has been nothing better for too long."""
        held = self._held
        tree = tree_on_table(found.tree, splits, held.schema)
        answers = self._estimator._best_answers(tree)[tree.apply(held.columns)]
        costs = self._estimator.cost_matrix
        if costs is None:
            score = float(held.weights[answers == held.target].sum() / held.weights.sum())
        else:
            paid = np.asarray(costs, dtype=np.float64)[held.target, answers]
            score = -float((held.weights * paid).sum() / held.weights.sum())
        if self._best is None or score > max(self.scores):
            self._best = (found, size)
        self.scores.append(score)
        since = len(self.scores) - 1 - int(np.argmax(self.scores))
        return since >= self._estimator.n_iter_no_change

    def verdict(self, last: Result) -> tuple[Result, int]:
        """The best result, with the story of all, and its number of thresholds."""
        assert self._best is not None
        best, size = self._best
        stats = {**best.stats, **{name: last.stats[name] for name in ("seconds", "steps", "proved", "floor")}}
        return replace(best, stats=stats, trace=last.trace, keyboard_interrupt=last.keyboard_interrupt), size
