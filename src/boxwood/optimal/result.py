"""What a solver hands back: a tree, and how good it is for certain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boxwood.tree import Tree


@dataclass(frozen=True, slots=True)
class Improvement:
    """A better tree was found: when (seconds), its objective, and the lower bound at that moment."""

    seconds: float
    objective: float
    lower_bound: float


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """A tree with its certificate, as returned by `boxwood.optimal.solve`.

    Parameters
    ----------
    status
        "optimal": the bounds meet, and nothing that was asked for is better; it is "optimal" whenever they
        do. Else what ended the search: "time_limit", "memory_limit", "gap" (the gap that was asked for is
        reached) or "interrupted" (by the callback or Ctrl-C). Or "pruned": the tree was pruned after the
        search, and costs more than the best.
    tree
        The best tree found.
    objective, lower_bound
        Its objective, and a number that no tree goes below, in units of row weight. Where a limit has left
        out some of the splits that were asked for, the bound holds for trees with these as well; what was
        proved about the others is in ``stats["steps"]`` and ``stats["proved"]`` of an estimator's result.
    errors, weighted_errors
        Training rows that the tree answers wrongly, and their weight.
    search_space
        What "optimal" ranges over, in words; of a search that was ended, what it went over. With early
        stopping that is the number of thresholds that was chosen.
    stats
        How the search went: `seconds`, `n_kernel_calls`, `n_nodes`, ..., and `rounding` (see
        `boxwood.optimal.scale`).
    trace
        Every better tree, in the order of time.
    keyboard_interrupt
        Whether Ctrl-C ended the search.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem, solve
    >>> dataset = make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> result = solve(make_problem(dataset, max_depth=2))
    >>> result
    Result(optimal, objective 0, 4 leaves)
    >>> result.gap, result.errors, result.search_space
    (0.0, 0, 'optimal over 2 binary features, depth at most 2')
    """

    status: str
    tree: Tree
    objective: float
    lower_bound: float
    errors: int
    weighted_errors: float
    search_space: str
    stats: Mapping[str, Any]
    trace: tuple[Improvement, ...]
    keyboard_interrupt: bool = False
    _continuation: Any = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """What is pickled and copied: not what is only there for a run with appended features."""
        return {**self.__dict__, "_continuation": None}

    @property
    def is_optimal(self) -> bool:
        """Whether the bounds meet."""
        return self.status == "optimal"

    @property
    def gap(self) -> float:
        """The objective minus the lower bound."""
        return self.objective - self.lower_bound

    @property
    def n_leaves(self) -> int:
        """Leaves of the tree."""
        return self.tree.n_leaves

    def __repr__(self) -> str:
        bound = "" if self.is_optimal else f", lower bound {self.lower_bound:g}"
        leaves = "leaf" if self.n_leaves == 1 else "leaves"
        return f"Result({self.status}, objective {self.objective:g}{bound}, {self.n_leaves} {leaves})"
