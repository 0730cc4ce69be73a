"""What a pruner is: a scikit-learn parameter object that makes a smaller tree of a tree.

Pruners are values with parameters, so that ``pruning__confidence`` can be searched over, and they never
change the tree that they are given. What they may need besides the tree comes as one `Material`: rows to
redistribute, rows that took no part in growing, costs, a way to grow the same kind of tree on fewer rows.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from boxwood.data import Dataset
from boxwood.tree import Tree
from boxwood.tree.arrays import Floats

MUST, MAY, NO = "must", "may", "no"


@dataclass(frozen=True, eq=False, kw_only=True)
class Material:
    """What a pruner may use besides the tree.

    Attributes
    ----------
    rows
        The rows that the tree was grown on, encoded under its schema.
    validation
        Rows that took no part in growing it.
    costs
        ``costs[i, j]``: what it costs to answer class j where the truth is class i; None: 1 per error.
    scale
        What a unit of weight counts as in formulas that need a number of rows; None: 1, or so much that the
        weights have the mean 1 where they add up to less than the number of rows.
    grow
        Grows the same kind of tree on other rows, for cross-validation.
    random_state
        For draws, where the pruner has no random state of its own.
    impurity
        From class counts (n, K) to impurities (n,), for nodes that get other rows; None: by the name of the
        tree's criterion.
    n_threads
        Threads for routing rows.
    """

    rows: Dataset | None = None
    validation: Dataset | None = None
    costs: Floats | None = None
    scale: float | None = None
    grow: Callable[[Dataset], Tree] | None = None
    random_state: Any = None
    impurity: Callable[[Floats], Floats] | None = None
    n_threads: int = 1


class Pruner(BaseEstimator):
    """The base of the pruners. A subclass has a constructor, `_check` and `_prune`."""

    FOR_NUMBERS: ClassVar[bool] = False
    """Whether it means anything for a regression tree."""

    ROOTED: ClassVar[bool] = True
    """Whether what it makes of a tree is always a rooted subtree of it."""

    @property
    def rows_wanted(self) -> str:
        """Whether it needs the rows that the tree was grown on: "must", "may" or "no"."""
        return NO

    @property
    def validation_wanted(self) -> str:
        """Whether it needs rows that took no part in growing: "must", "may" or "no"."""
        return NO

    @property
    def held_out(self) -> float:
        """The share of the rows that ``fit`` keeps away from growing, for this pruner; 0 for none."""
        return 0.0

    def prune(self, tree: Tree, material: Material | None = None) -> Tree:
        """Prune a tree.

        Parameters
        ----------
        tree
            The tree. It is not changed.
        material
            What the method may use besides; None: nothing.

        Returns
        -------
        Tree
            A new tree, compact, with nodes numbered anew; the given one where there is nothing to prune.
        """
        self._check()
        if tree.classes is None and not self.FOR_NUMBERS:
            raise ValueError(
                f"{type(self).__name__} counts wrong answers, and a regression tree has none: use "
                "ReducedError, CostComplexity, OptimalSize, CriticalValue or SameAnswer."
            )
        return self._prune(tree, Material() if material is None else material)

    def _check(self) -> None:
        """Refuse parameters that cannot be."""

    def _prune(self, tree: Tree, material: Material) -> Tree:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- for subclasses

    def _refuse(self, name: str, allowed: str) -> NoReturn:
        raise ValueError(
            f"The {name!r} parameter of {type(self).__name__} must be {allowed}. "
            f"Got {getattr(self, name)!r} instead."
        )

    def _check_number(self, name: str, low: float, high: float, *, closed: tuple[bool, bool]) -> None:
        """Refuse what is not a number in a range; ``closed`` says which ends belong to it."""
        value = getattr(self, name)
        number = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
        inside = number and (low <= value if closed[0] else low < value)
        if not (inside and (value <= high if closed[1] else value < high)):
            self._refuse(
                name, f"a float in the range {'[('[not closed[0]]}{low}, {high}{'])'[not closed[1]]}"
            )

    def _check_name(self, name: str, *allowed: str) -> None:
        """Refuse what is not one of some strings."""
        value = getattr(self, name)
        if not (isinstance(value, str) and value in allowed):
            self._refuse(name, f"a str among {{{', '.join(map(repr, allowed))}}}")


def collapsed(tree: Tree, mask: NDArray[Any]) -> Tree:
    """The tree in which the masked nodes are leaves."""
    return tree.collapse(mask.astype(bool, copy=False))
