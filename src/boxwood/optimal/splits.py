"""Many splits of a table, each of which becomes a `Split` only when it is asked for.

The problem: a column with C categories has C splits of one category against the rest, and each of them, as a
`Subset`, lists all C: for 4,000 identifiers that is 16 million entries, of which a tree uses three. A ranking
has a million thresholds. The idea: keep the codes and the numbers in arrays, by column, and make a `Split`
for those places that somebody looks at: the nodes of the finished tree.

`Splits` is a sequence like any other, and equal to the tuple of its splits. Its parts know how to write their
0/1 features without ever being splits (`boxwood.optimal.features.cells_of`): one against the rest costs a
pass over the rows for the whole column, not one for each category.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

from boxwood.tree import IsMissing, Split, Subset, Threshold


@dataclass(frozen=True, slots=True, eq=False)
class CategoryTests:
    """Some categories of a column, each against the rest; missing and unknown cells are with the rest.

    >>> CategoryTests(0, np.array([2]), n_categories=3)[0].groups
    ((2,), (0, 1))
    """

    feature: int
    codes: npt.NDArray[np.int64]
    n_categories: int

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, place: int) -> Subset:
        this = int(self.codes[place])
        branches = {code: int(code != this) for code in range(self.n_categories)}
        return Subset(self.feature, branches, missing_branch=1, unknown_branch=1)


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdTests:
    """Thresholds of columns of numbers; missing cells go to the right.

    >>> ThresholdTests(np.array([3]), np.array([2.5]))[0]
    Threshold(feature=3, threshold=2.5, missing_branch=1)
    """

    features: npt.NDArray[np.int32]
    thresholds: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.thresholds)

    def __getitem__(self, place: int) -> Threshold:
        return Threshold(int(self.features[place]), float(self.thresholds[place]), missing_branch=1)


Part: TypeAlias = CategoryTests | ThresholdTests | tuple[Split, ...]


class Splits(Sequence[Split]):
    """A sequence of splits, made from parts that hold them in a smaller form.

    >>> splits = Splits([CategoryTests(0, np.arange(2), 2), (Threshold(1, 2.5),)])
    >>> len(splits), splits[1].groups, splits[-1].threshold
    (3, ((1,), (0,)), 2.5)
    """

    def __init__(self, parts: Iterable[Part]) -> None:
        self.parts = tuple(part for part in parts if len(part))
        self._ends = np.cumsum([len(part) for part in self.parts], dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if self.parts else 0

    @overload
    def __getitem__(self, place: int) -> Split: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Split, ...]: ...
    def __getitem__(self, place: int | slice) -> Split | tuple[Split, ...]:
        if isinstance(place, slice):
            return tuple(self[at] for at in range(*place.indices(len(self))))
        at = int(place) + len(self) if place < 0 else int(place)
        if not 0 <= at < len(self):
            raise IndexError(f"split {place} of {len(self)}")
        number = int(np.searchsorted(self._ends, at, side="right"))
        part = self.parts[number]
        return part[at - int(self._ends[number]) + len(part)]

    def __iter__(self) -> Iterator[Split]:
        for part in self.parts:
            for place in range(len(part)):
                yield part[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (Splits, tuple, list)):
            return NotImplemented
        if len(self) != len(other):
            return False
        return all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<{len(self):,} {'split' if len(self) == 1 else 'splits'}>"

    def places(self) -> Iterator[tuple[int, Part]]:
        """Each part, and the place of its first split."""
        first = 0
        for part in self.parts:
            yield first, part
            first += len(part)

    def between(self, begin: int, end: int) -> Splits:
        """Those from one place to another, in their small form.

        >>> Splits([CategoryTests(0, np.arange(5), 5), (Threshold(1, 2.5),)]).between(3, 9)
        <3 splits>
        """
        found: list[Part] = []
        for first, part in self.places():
            inside = slice(max(0, begin - first), max(0, min(len(part), end - first)))
            if isinstance(part, CategoryTests):
                found.append(CategoryTests(part.feature, part.codes[inside], part.n_categories))
            elif isinstance(part, ThresholdTests):
                found.append(ThresholdTests(part.features[inside], part.thresholds[inside]))
            else:
                found.append(part[inside])
        return Splits(found)

    def uses(self, split: Split) -> bool:
        """Whether a split is one of these, as far as the categories go that it still lists.

        A tree leaves out the categories that cannot come to a node, and sends those that training has not
        seen where its owner wants them.

        >>> splits = Splits([CategoryTests(0, np.arange(3), 3)])
        >>> splits.uses(Subset(0, {1: 0, 2: 1}, 1, 0)), splits.uses(Subset(0, {1: 0, 2: 0}, 1, 1))
        (True, False)
        """
        return any(self._part_uses(part, split) for part in self.parts)

    @staticmethod
    def _part_uses(part: Part, split: Split) -> bool:
        if isinstance(part, tuple):
            return any(is_use_of(split, candidate) for candidate in part)
        if isinstance(part, ThresholdTests):
            if not isinstance(split, Threshold):
                return False
            same = (part.features == split.feature) & (part.thresholds == split.threshold)
            return split.missing_branch == 1 and bool(same.any())
        if not isinstance(split, Subset) or split.feature != part.feature or split.missing_branch != 1:
            return False
        alone = [code for code, branch in split.branches.items() if branch == 0]
        if not alone:  # the category itself cannot come to this node
            return len(part) > 0
        return len(alone) == 1 and alone[0] in part.codes


def as_splits(splits: Sequence[Split]) -> Splits:
    """A sequence of splits as `Splits`.

    >>> as_splits([Threshold(0, 1.5)])
    <1 split>
    """
    return splits if isinstance(splits, Splits) else Splits([tuple(splits)])


def is_use_of(split: Split, candidate: Split) -> bool:
    """Whether a split does with training rows what a candidate does, as far as its categories go.

    >>> is_use_of(Threshold(0, 1.5, 1), Threshold(0, 1.5, 1)), is_use_of(Threshold(0, 1.5), Threshold(1, 1.5))
    (True, False)
    """
    if type(split) is not type(candidate) or split.feature != candidate.feature:
        return False
    if isinstance(split, Subset) and isinstance(candidate, Subset):
        inside = split.branches.items() <= candidate.branches.items()
        return inside and split.missing_branch == candidate.missing_branch
    return not isinstance(split, Threshold) or split == candidate


def fixed_parts(
    n_categories: Sequence[int],
    missing: npt.NDArray[np.bool_],
    kept: dict[int, npt.NDArray[np.int64]] | None = None,
) -> list[Part]:
    """The splits of a table that need no threshold: each category against the rest, and missing cells.

    Parameters
    ----------
    n_categories
        Of each column; 0 for a column of numbers.
    missing
        The columns that have missing cells.
    kept
        The categories to keep, by column; None for all.

    Examples
    --------
    >>> Splits(fixed_parts([0, 3], np.array([True, False])))
    <4 splits>
    """
    found: list[Part] = []
    for feature, n in enumerate(n_categories):
        codes = np.arange(n) if kept is None or n == 0 else kept[feature]
        found.append(CategoryTests(feature, codes, n))
        if missing[feature]:
            found.append((IsMissing(feature, unknown_branch=1),))
    return found
