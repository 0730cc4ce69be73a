"""Which splits an optimal tree may use, in which order, and how that is put into words.

The candidates come from a discretiser (thresholds, one category against the others, missing or not), or are
the columns of a table that is 0/1 to begin with. Some are there from the beginning; the thresholds are
ranked, and with ``n_thresholds="grow"`` join them little by little. The splits of a tree to start from are
there from the beginning too.

A long ranking takes longer than a short one, and a short one is its beginning. So where thresholds join
little by little, they are ranked little by little too: `CandidateSplits.reach` has the ranking made anew,
eight times as long, when it is used up.

Where there is no room or no time for all of them (:mod:`boxwood.estimators.room`), the rarest categories are
left out, and the last thresholds; `CandidateSplits.meaning` says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from boxwood.data import Dataset
from boxwood.discretize import Discretizer, MinimumImpurityDiscretizer, Pace
from boxwood.optimal.features import Limits, binary_splits, problem_on
from boxwood.optimal.initial import start_from, tree_on_features
from boxwood.optimal.problem import Problem
from boxwood.optimal.splits import CategoryTests, Splits, ThresholdTests, fixed_parts
from boxwood.tree import IsMissing, Split, Tree

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
    n_wanted
        How many thresholds are asked for, of those that the table has; None: as many as there are.
    longest
        The longest ranking that there is room for.

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
    fixed: Splits
    discretizer: Discretizer | None = None
    growing: bool = False
    pace: Callable[[], Pace] | None = None
    n_wanted: float | None = None
    longest: float = math.inf
    n_left_out: int = 0
    _initial: Tree | None = None
    _added: tuple[Split, ...] = ()
    _places: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def n_thresholds(self) -> int:
        """The number of thresholds that are asked for, ranked or still to be."""
        if self.discretizer is None:
            return 0
        if (
            self.n_wanted is None
            or self.stopped
            or not isinstance(self.discretizer, MinimumImpurityDiscretizer)
        ):
            return self.discretizer.n_used
        return int(min(self.n_wanted, self.discretizer.n_value_changes_))

    @property
    def n_categories(self) -> int:
        """The number of categories among the candidates."""
        return sum(len(part) for part in self.fixed.parts if isinstance(part, CategoryTests))

    def leave_out(self, most: int) -> bool:
        """Keep at most so many candidates that are no thresholds; False if there are no more.

        Of categories those of the fewest rows are left out, and tests for missing cells last of all.
        """
        if self.discretizer is None or len(self.fixed) <= most:
            return False
        parts = [part for part in self.fixed.parts if isinstance(part, CategoryTests)]
        tests = [split for part in self.fixed.parts if isinstance(part, tuple) for split in part]
        n_kept = max(0, most - len(tests))
        rows = [
            np.bincount(codes[codes >= 0], minlength=part.n_categories)[part.codes]
            for part in parts
            for codes in [self.dataset.columns[part.feature]]
        ]
        order = np.argsort(-np.concatenate([*rows, np.zeros(0, dtype=np.int64)]), kind="stable")
        kept = np.zeros(len(order), dtype=np.bool_)
        kept[order[:n_kept]] = True
        self.n_left_out += len(order) - int(kept.sum())
        stay: dict[int, NDArray[np.int64]] = {}
        begin = 0
        for part in parts:
            stay[part.feature] = part.codes[kept[begin : begin + len(part)]]
            begin += len(part)
        missing = np.zeros(self.dataset.n_features, dtype=np.bool_)
        for test in tests[: max(0, most)]:
            missing[test.feature] = True
        self.fixed = _fixed_splits(self.discretizer, missing, stay)
        return True

    @property
    def stopped(self) -> str:
        """What ended a ranking early: "time", "interrupt", or "" for nothing."""
        return "" if self.discretizer is None else self.discretizer._stopped

    def reach(self, size: int) -> bool:
        """Have so many thresholds ranked; False if something ended that early."""
        if self.discretizer is None or self.pace is None or size <= self.discretizer.n_used:
            return True
        length = int(min(8 * size, self.n_thresholds, self.longest))
        longer = clone(self.discretizer).set_params(n_thresholds=length)
        longer.fit_dataset(self.dataset, self.pace())
        if longer._stopped:
            self.discretizer._stopped = longer._stopped
            return False
        self.discretizer = longer
        return True

    def begin_with(self, initial: Tree, size: int) -> None:
        """Take in the splits of a tree to start from; without growth, so many thresholds are there."""
        known = self.fixed if self.growing else self.splits(size)
        self._places, added = start_from(initial, self.dataset, known)
        self._added = tuple(added)
        self._initial = initial

    def forget(self) -> None:
        """Leave out everything but the thresholds."""
        self.fixed, self._added, self._initial = Splits([]), (), None

    def splits(self, size: int) -> Splits:
        """The candidates with so many thresholds; those with fewer are the first of them."""
        if self.discretizer is None:
            return Splits([*self.fixed.parts, self._added])
        ranked = self.discretizer._used()[:size]
        thresholds = ThresholdTests(ranked["feature"], ranked["threshold"])
        if self.growing:
            return Splits([*self.fixed.parts, self._added, thresholds])
        return Splits([*self.fixed.parts, thresholds, self._added])

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

    def meaning(self, size: int, *, complete: bool = False) -> str:
        """What the candidates with so many thresholds are, in words; if `complete`, none was left out."""
        features = _counted(self.dataset.n_features, "feature", "features")
        categories = self.n_categories + (self.n_left_out if complete else 0)
        listed = [split for part in self.fixed.parts if isinstance(part, tuple) for split in part]
        tests = sum(isinstance(split, IsMissing) for split in listed)
        binary = len(listed) - tests
        label = NAMES.get(type(self.discretizer).__name__, "")
        everything = self._has_all(size)
        parts = []
        raw = everything and not categories and not self.n_left_out
        if raw:
            parts.append(f"all thresholds of the raw table ({size:,} of {features})")
        elif size or not len(self.fixed):
            extent = "all " if everything else ""
            parts.append(extent + _counted(size, f"{label}threshold", f"{label}thresholds"))
        if binary:
            parts.append(_counted(binary, "binary feature", "binary features"))
        if self.n_left_out and not complete:
            parts.append(f"{categories:,} of {categories + self.n_left_out:,} categories")
        elif categories:
            parts.append(_counted(categories, "category", "categories"))
        if tests:
            parts.append(_counted(tests, "missingness test", "missingness tests"))
        if self._added:
            parts.append(_counted(len(self._added), "split of initial_tree", "splits of initial_tree"))
        words = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
        return words if binary or raw else f"{words} of {features}"


def _fixed_splits(
    discretizer: Discretizer, missing: NDArray[np.bool_], kept: dict[int, NDArray[np.int64]] | None = None
) -> Splits:
    """What a discretiser has beside its thresholds, in the order of its `splits`."""
    n_categories = discretizer.schema_.n_categories.tolist()
    return Splits(fixed_parts(n_categories, missing, kept))


def from_discretizer(
    discretizer: Discretizer,
    dataset: Dataset,
    growing: bool = False,
    pace: Callable[[], Pace] | None = None,
    n_wanted: float | None = None,
    longest: float = math.inf,
) -> CandidateSplits:
    """The candidates that a fitted discretiser has found, or with `pace` can find."""
    fixed = _fixed_splits(discretizer, discretizer.missing_)
    return CandidateSplits(dataset, fixed, discretizer, growing, pace, n_wanted, longest)


def from_binary(dataset: Dataset) -> CandidateSplits:
    """The columns of a table that is 0/1 to begin with.

    >>> from boxwood.data import make_dataset
    >>> from_binary(make_dataset([[0, 1], [1, 1]], ["no", "yes"])).meaning(0)
    '2 binary features'
    """
    return CandidateSplits(dataset, Splits([binary_splits(dataset)]))
