"""Which splits an optimal tree may use, in which order, and how that is put into words.

The candidates come from a discretiser (thresholds, one category against the others, missing or not), or are
the columns of a table that is 0/1 to begin with. Some are there from the beginning; the thresholds are
ranked, and with ``n_thresholds="grow"`` join them little by little. The splits of a tree to start from are
there from the beginning too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from boxwood.data import Dataset
from boxwood.discretize import Discretizer, MinimumImpurityDiscretizer
from boxwood.optimal.features import (
    Limits,
    binary_splits,
    problem_on,
    start_from,
    tree_on_features,
)
from boxwood.optimal.problem import Problem
from boxwood.tree import IsMissing, Split, Subset, Tree

NAMES = {
    "MinimumImpurityDiscretizer": "MID ",
    "MDLPDiscretizer": "MDLP ",
    "EqualFrequencyDiscretizer": "equal-frequency ",
    "EqualWidthDiscretizer": "equal-width ",
    "ChiMergeDiscretizer": "ChiMerge ",
}


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
    ranked
        Thresholds, best first.
    growing
        Whether the thresholds join little by little.
    label
        What the thresholds are called.
    complete
        Whether every value change of the table is among them.

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
    ranked: tuple[Split, ...]
    growing: bool = False
    label: str = ""
    complete: bool = False
    initial: Tree | None = None
    _added: tuple[Split, ...] = ()
    _places: list[tuple[int, bool]] = field(default_factory=list)

    @property
    def n_thresholds(self) -> int:
        """The number of ranked thresholds."""
        return len(self.ranked)

    def begin_with(self, initial: Tree) -> None:
        """Take in the splits of a tree to start from."""
        known = self.fixed if self.growing else (*self.fixed, *self.ranked)
        self._places, added = start_from(initial, self.dataset, known)
        self._added = tuple(added)
        self.initial = initial

    def splits(self, size: int) -> tuple[Split, ...]:
        """The candidates with so many thresholds; those with fewer are the first of them."""
        if self.growing:
            return (*self.fixed, *self._added, *self.ranked[:size])
        return (*self.fixed, *self.ranked[:size], *self._added)

    def problem(self, size: int, limits: Limits) -> Problem:
        """The problem with so many thresholds."""
        return problem_on(self.dataset, self.splits(size), limits, self.meaning(size))

    def start(self, problem: Problem) -> Tree | None:
        """The tree to start from, on the features of the problem."""
        return None if self.initial is None else tree_on_features(self.initial, self._places, problem)

    def meaning(self, size: int) -> str:
        """What the candidates with so many thresholds are, in words."""
        features = _counted(self.dataset.n_features, "feature", "features")
        categories = sum(isinstance(split, Subset) for split in self.fixed)
        tests = sum(isinstance(split, IsMissing) for split in self.fixed)
        binary = len(self.fixed) - categories - tests
        parts = []
        everything = self.complete and size == self.n_thresholds
        if everything and not categories:
            parts.append(f"all thresholds of the raw table ({size:,} of {features})")
        elif size or not self.fixed:
            extent = "all " if everything else ""
            parts.append(extent + _counted(size, f"{self.label}threshold", f"{self.label}thresholds"))
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


def from_discretizer(discretizer: Discretizer, dataset: Dataset, growing: bool = False) -> CandidateSplits:
    """The candidates that a fitted discretiser has found."""
    splits: Sequence[Split] = discretizer.splits()
    n_ranked = discretizer.n_used
    first = len(splits) - n_ranked
    complete = (
        isinstance(discretizer, MinimumImpurityDiscretizer)
        and not discretizer._stopped
        and n_ranked == discretizer.n_value_changes_
    )
    return CandidateSplits(
        dataset=dataset,
        fixed=tuple(splits[:first]),
        ranked=tuple(splits[first:]),
        growing=growing,
        label=NAMES.get(type(discretizer).__name__, ""),
        complete=complete,
    )


def from_binary(dataset: Dataset) -> CandidateSplits:
    """The columns of a table that is 0/1 to begin with.

    >>> from boxwood.data import make_dataset
    >>> from_binary(make_dataset([[0, 1], [1, 1]], ["no", "yes"])).meaning(0)
    '2 binary features'
    """
    return CandidateSplits(dataset=dataset, fixed=binary_splits(dataset), ranked=())
