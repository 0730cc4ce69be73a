"""Which splits an optimal tree may use, in which order, and how that is put into words.

The candidates come from a discretiser (thresholds, one category against the others, missing or not), or are
the columns of a table that is 0/1 to begin with. Some are there from the beginning; the thresholds are
ranked, and with ``n_thresholds="grow"`` join them little by little. The splits of a tree to start from are
there from the beginning too.

A long ranking takes longer than a short one, and a short one is its beginning. So where thresholds join
little by little, they are ranked little by little too: `CandidateSplits.reach` has the ranking made anew,
eight times as long, when it is used up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from sklearn.base import clone

from boxwood.data import Dataset
from boxwood.discretize import Discretizer, MinimumImpurityDiscretizer, Pace
from boxwood.optimal.features import (
    Limits,
    binary_splits,
    problem_on,
    start_from,
    tree_on_features,
)
from boxwood.optimal.problem import Problem
from boxwood.tree import IsMissing, Split, Subset, Tree

NAMES: Final = {
    "MinimumImpurityDiscretizer": "MID ",
    "MDLPDiscretizer": "MDLP ",
    "EqualFrequencyDiscretizer": "equal-frequency ",
    "EqualWidthDiscretizer": "equal-width ",
    "ChiMergeDiscretizer": "ChiMerge ",
}
FIRST_RANKING: Final = 128
"""How many thresholds are ranked to begin with where they join little by little."""


def _counted(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


@dataclass(eq=False)
class CandidateSplits:
    """The candidates for one table.

    Parameters
    ----------
    dataset
        The table.
    fixed
        Candidates that are there from the beginning.
    discretizer
        Fitted: it has the thresholds, best first. None if there are none.
    growing
        Whether the thresholds join little by little.
    pace
        Gives the threads and the time for a longer ranking; None if there is none to be had.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.discretize import MID
    >>> X = {"size": [1.0, 2.0, 4.0], "colour": ["red", "blue", "blue"]}
    >>> dataset = make_dataset(X, [0, 1, 1])
    >>> candidates = from_discretizer(MID(n_thresholds=1).fit(X, [0, 1, 1]), dataset)
    >>> candidates.meaning(candidates.n_thresholds)
    '1 MID threshold and 2 categories of 2 features'
    """

    dataset: Dataset
    fixed: tuple[Split, ...]
    discretizer: Discretizer | None = None
    growing: bool = False
    pace: Callable[[], Pace] | None = None
    _initial: Tree | None = None
    _added: tuple[Split, ...] = ()
    _places: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def n_thresholds(self) -> int:
        """The number of thresholds, ranked or still to be."""
        if self.discretizer is None:
            return 0
        if self.pace is not None and isinstance(self.discretizer, MinimumImpurityDiscretizer):
            return self.discretizer.n_value_changes_
        return self.discretizer.n_used

    @property
    def stopped(self) -> str:
        """What ended a ranking early: "time", "interrupt", or "" for nothing."""
        return "" if self.discretizer is None else self.discretizer._stopped

    def reach(self, size: int) -> bool:
        """Have so many thresholds ranked; False if something ended that early."""
        if self.discretizer is None or self.pace is None or size <= self.discretizer.n_used:
            return True
        longer = clone(self.discretizer).set_params(n_thresholds=min(8 * size, self.n_thresholds))
        longer.fit_dataset(self.dataset, self.pace())
        if longer._stopped:
            self.discretizer._stopped = longer._stopped
            return False
        self.discretizer = longer
        return True

    def begin_with(self, initial: Tree) -> None:
        """Take in the splits of a tree to start from."""
        known = self.fixed if self.growing else self.splits(self.n_thresholds)
        self._places, added = start_from(initial, self.dataset, known)
        self._added = tuple(added)
        self._initial = initial

    def splits(self, size: int) -> tuple[Split, ...]:
        """The candidates with so many thresholds; those with fewer are the first of them."""
        if self.discretizer is None:
            return (*self.fixed, *self._added)
        ranked = self.discretizer.splits(size)[len(self.fixed) :]
        if self.growing:
            return (*self.fixed, *self._added, *ranked)
        return (*self.fixed, *ranked, *self._added)

    def problem(self, size: int, limits: Limits) -> Problem:
        """The problem with so many thresholds."""
        return problem_on(self.dataset, self.splits(size), limits, self.meaning(size))

    def start(self, problem: Problem) -> Tree | None:
        """The tree to start from, on the features of the problem."""
        return None if self._initial is None else tree_on_features(self._initial, self._places, problem)

    def _has_all(self, size: int) -> bool:
        """Whether so many thresholds are all that the table has."""
        found = self.discretizer
        return (
            isinstance(found, MinimumImpurityDiscretizer)
            and not self.stopped
            and size == found.n_value_changes_
        )

    def meaning(self, size: int) -> str:
        """What the candidates with so many thresholds are, in words."""
        features = _counted(self.dataset.n_features, "feature", "features")
        categories = sum(isinstance(split, Subset) for split in self.fixed)
        tests = sum(isinstance(split, IsMissing) for split in self.fixed)
        binary = len(self.fixed) - categories - tests
        label = NAMES.get(type(self.discretizer).__name__, "")
        everything = self._has_all(size)
        parts = []
        if everything and not categories:
            parts.append(f"all thresholds of the raw table ({size:,} of {features})")
        elif size or not self.fixed:
            extent = "all " if everything else ""
            parts.append(extent + _counted(size, f"{label}threshold", f"{label}thresholds"))
        if binary:
            parts.append(_counted(binary, "binary feature", "binary features"))
        if categories:
            parts.append(_counted(categories, "category", "categories"))
        if tests:
            parts.append(_counted(tests, "missingness test", "missingness tests"))
        if self._added:
            parts.append(_counted(len(self._added), "split of initial_tree", "splits of initial_tree"))
        listed = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        return listed if binary or (everything and not categories) else f"{listed} of {features}"


def from_discretizer(
    discretizer: Discretizer,
    dataset: Dataset,
    growing: bool = False,
    pace: Callable[[], Pace] | None = None,
) -> CandidateSplits:
    """The candidates that a fitted discretiser has found, or with `pace` can find."""
    return CandidateSplits(dataset, discretizer.splits(0), discretizer, growing, pace)


def from_binary(dataset: Dataset) -> CandidateSplits:
    """The columns of a table that is 0/1 to begin with.

    >>> from boxwood.data import make_dataset
    >>> from_binary(make_dataset([[0, 1], [1, 1]], ["no", "yes"])).meaning(0)
    '2 binary features'
    """
    return CandidateSplits(dataset, binary_splits(dataset))
