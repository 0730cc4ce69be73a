"""A run that goes on where another one ended, with more features.

`solve(problem, continued_from=result)` takes the result of the same rows, weights, costs and limits with only
the first of the problem's features. Its tree is where the search starts. If the earlier run was asked to be
`continuable` (a continued run always is), the core has also kept what it knew about parts of the rows, and
its tables of pairs of features: it searches only where a new feature makes a difference, and counts only what
involves one; the essay in `core/optimal/kept.hpp` says how. None of it changes the answer: it is the tree,
the objective and the lower bound of a run from scratch. Lower bounds of parts that a new feature divides in a
new way are not carried over, because more features make better trees.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxwood import _core
from boxwood.optimal.problem import Problem


@dataclass(frozen=True, slots=True, eq=False)
class Continuation:
    """What a result carries for a run with appended features."""

    problem: Problem
    sketch: list[list[int]]
    kept: _core.OptimalKept | None

    def check(self, problem: Problem) -> None:
        """Raise a ValueError unless `problem` is the earlier one with features appended."""
        before = self.problem
        p, q = before.n_features, problem.n_features
        if problem.n_rows != before.n_rows:
            raise ValueError(
                f"continued_from is about {before.n_rows} rows, and the problem has {problem.n_rows}; "
                "solve it without continued_from"
            )
        if p > q:
            raise ValueError(
                f"continued_from has {p} features, and the problem only {q}: features can be appended, not "
                "taken away"
            )
        differs = problem.core.first_difference(before.core)
        if differs is not None:
            raise ValueError(
                f"column {differs} of the problem is not the one that continued_from was solved with; "
                "appended features come after the old ones"
            )
        if not np.array_equal(problem.target, before.target):
            raise ValueError("the classes of the rows are not those that continued_from was solved with")
        for name, mine, other in (
            ("sample weights", problem.scale.weights, before.scale.weights),
            ("cost_matrix", problem.scale.costs, before.scale.costs),
        ):
            same = mine is other if mine is None or other is None else np.array_equal(mine, other)
            if not same:
                raise ValueError(f"{name}: not those that continued_from was solved with")
        for name in ("max_depth", "max_leaf_nodes", "min_samples_leaf", "min_weight_leaf", "complexity"):
            if getattr(problem, name) != getattr(before, name):
                raise ValueError(
                    f"{name} is {getattr(problem, name)!r}, and continued_from was solved with "
                    f"{getattr(before, name)!r}"
                )
