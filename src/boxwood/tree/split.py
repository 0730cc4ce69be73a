"""The splits that a node can hold.

A split asks one question about one column and has two or more branches, numbered from 0. The union is
small and closed, so that whatever reads a tree (routing, printing, exporting, pruning) can treat every
case and say so:

==============  ==================================================================================
`Threshold`     numeric column: ``x <= threshold`` is branch 0, ``x > threshold`` branch 1
`Subset`        categorical column: each category present at the node is on side 0 or on side 1
`Multiway`      categorical column: each category present at the node has one of many branches
`IsMissing`     any column: missing is branch 0, present is branch 1
==============  ==================================================================================

Every split says where the two kinds of surprising value go. A *missing* value takes ``missing_branch``.
An *unknown* one (a category never seen in training, or absent from the node when it was split) takes
``unknown_branch``. Either is the number of a branch, or `STOP`: the row ends at this node, which answers
for it; or `SPREAD`: the row goes down every branch, its weight divided in proportion to the weights of the
children; an unknown value may also be an `ERROR`.

Missing rows may have a branch of their own: ``missing_branch=2`` of a `Threshold` or a `Subset` makes it
a split of three branches.

A `Threshold` and a `Subset` may carry *surrogates*: splits of other columns that stand in for them (Breiman
et al. 1984, section 5.3). A row whose tested value is missing asks them in order, and the first whose own
value is there decides; where none is, ``missing_branch`` does. An unknown value asks them too, if
``unknown_branch`` is a branch: `STOP`, `ERROR` and `SPREAD` come first.

These objects are how a single split is handed around. A tree stores its splits as arrays and makes them
on demand (`boxwood.tree.Tree.split`). The rule itself, applied to rows, lives in the compiled core.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import ClassVar, TypeAlias

STOP = -1
"""In place of a branch: the row ends at this node, and the node answers for it."""

ERROR = -2
"""In place of a branch for unknown values: they are an error."""

SPREAD = -3
"""In place of a branch: the row goes down every branch, its weight divided by the weights of the children."""


class Kind(IntEnum):
    """What a node is, as stored in the array ``kind`` of a tree.

    >>> Kind(1).name
    'THRESHOLD'
    """

    LEAF = 0
    THRESHOLD = 1
    SUBSET = 2
    MULTIWAY = 3
    IS_MISSING = 4


class CategoryBranches(Mapping[int, int]):
    """An immutable mapping from category code to branch, in the order of the codes.

    >>> CategoryBranches({5: 0, 2: 1})
    {2: 1, 5: 0}
    """

    __slots__ = ("_branch_of",)

    def __init__(self, branches: Mapping[int, int]) -> None:
        self._branch_of = {int(code): int(branches[code]) for code in sorted(branches)}

    def __getitem__(self, code: int) -> int:
        return self._branch_of[code]

    def __iter__(self) -> Iterator[int]:
        return iter(self._branch_of)

    def __len__(self) -> int:
        return len(self._branch_of)

    def __hash__(self) -> int:
        return hash(tuple(self._branch_of.items()))

    def __repr__(self) -> str:
        return repr(self._branch_of)

    def codes(self, n_branches: int) -> tuple[tuple[int, ...], ...]:
        """The codes of each branch.

        >>> CategoryBranches({0: 1, 1: 0, 2: 1}).codes(2)
        ((1,), (0, 2))
        """
        groups: list[list[int]] = [[] for _ in range(n_branches)]
        for code, branch in self._branch_of.items():
            groups[branch].append(code)
        return tuple(tuple(group) for group in groups)


@dataclass(frozen=True, slots=True)
class Threshold:
    """``x <= threshold`` is branch 0, ``x > threshold`` is branch 1.

    Parameters
    ----------
    feature
        Number of the numeric column.
    threshold
        A finite number.
    missing_branch
        0, 1, `STOP`, `SPREAD`, or 2: a branch of their own.
    surrogates
        What missing values ask first, the best one first.

    Examples
    --------
    >>> Threshold(feature=0, threshold=2.5, missing_branch=1).n_branches
    2
    >>> Threshold(feature=0, threshold=2.5, missing_branch=2).n_branches
    3
    """

    kind: ClassVar[Kind] = Kind.THRESHOLD
    feature: int
    threshold: float
    missing_branch: int = STOP
    surrogates: tuple[Surrogate, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "surrogates", tuple(self.surrogates))

    @property
    def unknown_branch(self) -> int:
        """The missing branch: a number is never unknown."""
        return self.missing_branch

    @property
    def n_branches(self) -> int:
        """2, or 3 when missing values have a branch of their own."""
        return 3 if self.missing_branch == 2 else 2


@dataclass(frozen=True, slots=True)
class Subset:
    """Each category is on side 0 or on side 1.

    Parameters
    ----------
    feature
        Number of the categorical column.
    branches
        Category code to side (0 or 1), for the categories present at the node.
    missing_branch
        0, 1, `STOP`, `SPREAD`, or 2: a branch of their own.
    unknown_branch
        A branch, `STOP`, `SPREAD` or `ERROR`.
    surrogates
        What missing values ask first, and unknown ones that have a branch; the best one first.

    Examples
    --------
    >>> split = Subset(feature=1, branches={0: 0, 1: 1, 2: 0}, missing_branch=1, unknown_branch=1)
    >>> split.groups
    ((0, 2), (1,))
    """

    kind: ClassVar[Kind] = Kind.SUBSET
    feature: int
    branches: Mapping[int, int]
    missing_branch: int = STOP
    unknown_branch: int = STOP
    surrogates: tuple[Surrogate, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", CategoryBranches(self.branches))
        object.__setattr__(self, "surrogates", tuple(self.surrogates))

    @property
    def n_branches(self) -> int:
        """2, or 3 when missing values have a branch of their own."""
        return 3 if self.missing_branch == 2 else 2

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The category codes of each branch."""
        return CategoryBranches(self.branches).codes(self.n_branches)


@dataclass(frozen=True, slots=True)
class Surrogate:
    """A split of another column that stands in for a split in two.

    Parameters
    ----------
    split
        A `Threshold`, or a `Subset`, which knows only the categories that it lists. Nothing is said of
        missing and unknown values: they ask the next surrogate.
    agreement
        The share of the weight, of the training rows of the node that have both values, that it sends where
        the node's own split does: between 0 and 1.
    flipped
        Whether branch 0 of the surrogate leads to branch 1 of the node, and branch 1 to branch 0. A subset
        that is flipped is turned into one that is not.

    Examples
    --------
    >>> heavy = Surrogate(Threshold(1, 4201.0), agreement=0.91, flipped=True)
    >>> Threshold(0, 206.5, missing_branch=0, surrogates=(heavy,)).surrogates[0].agreement
    0.91
    >>> Surrogate(Subset(2, {0: 0, 1: 1}), 0.75, flipped=True).split.groups
    ((1,), (0,))
    """

    split: Threshold | Subset
    agreement: float
    flipped: bool = False

    def __post_init__(self) -> None:
        split = self.split
        if not isinstance(split, Threshold | Subset):
            raise TypeError(f"a surrogate is a Threshold or a Subset, not a {type(split).__name__}")
        if split.missing_branch != STOP or split.unknown_branch != STOP or split.surrogates:
            raise ValueError(
                "the split of a surrogate says nothing of missing and unknown values, which ask the next "
                "surrogate: leave out its missing_branch, unknown_branch and surrogates"
            )
        if self.flipped and isinstance(split, Subset):
            turned = {code: 1 - branch for code, branch in split.branches.items()}
            object.__setattr__(self, "split", Subset(split.feature, turned))
            object.__setattr__(self, "flipped", False)


@dataclass(frozen=True, slots=True)
class Multiway:
    """Each category has one of many branches.

    Parameters
    ----------
    feature
        Number of the categorical column.
    branches
        Category code to branch, for the categories present at the node.
    missing_branch
        A branch (one of the categories' or one of their own), `STOP` or `SPREAD`.
    unknown_branch
        A branch (likewise), `STOP`, `SPREAD` or `ERROR`.

    Examples
    --------
    >>> Multiway(feature=0, branches={0: 0, 1: 1, 2: 2}, missing_branch=3).n_branches
    4
    """

    kind: ClassVar[Kind] = Kind.MULTIWAY
    feature: int
    branches: Mapping[int, int]
    missing_branch: int = STOP
    unknown_branch: int = STOP

    def __post_init__(self) -> None:
        object.__setattr__(self, "branches", CategoryBranches(self.branches))

    @property
    def n_branches(self) -> int:
        """One more than the highest branch that anything leads to."""
        return 1 + max(self.missing_branch, self.unknown_branch, *self.branches.values(), -1)

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The category codes of each branch; () for one that only missing or unknown values take."""
        return CategoryBranches(self.branches).codes(self.n_branches)


@dataclass(frozen=True, slots=True)
class IsMissing:
    """Missing is branch 0, present is branch 1.

    Parameters
    ----------
    feature
        Number of the column, of either kind.
    unknown_branch
        Where a category never seen in training goes: 0, 1, `STOP`, `SPREAD` or `ERROR`.

    Examples
    --------
    >>> IsMissing(feature=3).missing_branch
    0
    """

    kind: ClassVar[Kind] = Kind.IS_MISSING
    feature: int
    unknown_branch: int = 0

    @property
    def missing_branch(self) -> int:
        """0: that is the question."""
        return 0

    @property
    def n_branches(self) -> int:
        """2."""
        return 2


Split: TypeAlias = Threshold | Subset | Multiway | IsMissing
"""Any split."""
