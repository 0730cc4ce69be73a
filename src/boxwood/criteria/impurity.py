"""An impurity of your own: one Python function.

The problem: a criterion that is not among the named ones usually means compiling something. The idea (Ji et
al. 2013, section 3.5): with two classes an impurity is a function f of the smaller share x in [0, 1/2], and
any f will do that has f(0) = 0, is continuous, and increases:

    F(p) = f(min(p, 1 - p))

With more classes it is the sum of F over the class shares. Or the function takes the class shares themselves,
a whole array of vectors at once, and is free to do with them what it likes as long as pure nodes have 0.

What decides how much work a fit is, is the sign of f'' (:mod:`boxwood.search.numeric`). It may be declared;
otherwise it is found from the values of f (:mod:`boxwood.criteria.curvature`) and carried by the criterion.

*Why the sum keeps the cut rule.* If f is concave and increasing on [0, 1/2], its mirror image F is concave on
[0, 1], also across 1/2, where it turns from rising to falling; so is a sum of such functions of the shares.
A linear f is a case of this. For a convex f the sum is neither, and with more than two classes all cuts are
looked at.

*Bounds.* No F is larger than f(1/2) for two classes. For K classes the sum is at most K f(1/K) if f is
concave or linear (at equal shares, by symmetry), 2 f(1/2) if f is convex (two equal classes: f(x) <=
2 x f(1/2)), and K f(1/2) in any case.

f is called with whole arrays: once per level of the tree.

Reference: H.-Y. Ji, X.-Z. Wang, Y.-L. He, W.-L. Li, A study on relationships between heuristics and optimal
cuts in decision tree induction, 2013.
"""

from __future__ import annotations

import functools
import math
import threading
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from boxwood.criteria.conditions import Asked, check_share_function, check_vector_function
from boxwood.criteria.criterion import Criterion, Curvature, Floats, minority_shares, shares
from boxwood.criteria.curvature import curvature_of, sag_of

Declared: TypeAlias = Literal["concave", "linear", "convex"]

_SETTLING = threading.RLock()
"""Held while a function is looked at, so that threads that share one do it once."""


@dataclass(frozen=True)
class OfShare:
    """A user's f, mirrored, and summed over classes when there are more than two."""

    f: Asked
    curvature: Curvature

    def of_share(self, smaller: Floats) -> Floats:
        """Two classes: smaller shares (m,) to impurities (m,)."""
        return np.where(smaller > 0, self.f(smaller), 0.0) if len(smaller) else np.zeros(0)

    def of_shares(self, p: Floats) -> Floats:
        """More classes: class shares (m, K) to impurities (m,)."""
        result: Floats = self.of_share(np.minimum(p, 1.0 - p).ravel()).reshape(p.shape).sum(axis=1)
        return result

    def impurity(self, counts: Floats) -> Floats:
        """Weights per class (..., K) to impurity (...)."""
        smaller = minority_shares(counts)
        if smaller.shape[-1] <= 2:
            smaller = smaller[..., :1]
        result: Floats = self.of_share(smaller.ravel()).reshape(smaller.shape).sum(axis=-1)
        return result

    def largest(self, n_classes: int) -> float:
        """The largest impurity, or for an f that bends both ways and more than two classes a bound."""
        if n_classes <= 2:
            return (n_classes - 1) * float(self.f(np.array([0.5]))[0])
        even, half = self.f(np.array([1.0 / n_classes, 0.5])).tolist()
        if self.curvature in ("concave", "linear"):
            return float(n_classes * even)
        return float((2 if self.curvature == "convex" else n_classes) * half)


@dataclass(frozen=True)
class OfShares:
    """A user's function of class-share vectors."""

    f: Asked

    def of_shares(self, p: Floats) -> Floats:
        """Class shares (m, K) to impurities (m,); 0 for a pure node and where all shares are 0."""
        mixed = (p > 0).sum(axis=1) > 1
        values = np.zeros(len(p))
        if mixed.any():
            values[mixed] = self.f(p[mixed])
        return values

    def impurity(self, counts: Floats) -> Floats:
        """Weights per class (..., K) to impurity (...)."""
        p = shares(counts)
        return self.of_shares(p.reshape(-1, p.shape[-1])).reshape(p.shape[:-1])

    def largest(self, n_classes: int) -> float:
        """Not known."""
        return 0.0 if n_classes == 1 else math.inf


def _name_of(f: Callable[..., Any]) -> str:
    """What a function is called; a name that boxwood uses itself is set apart."""
    while isinstance(f, functools.partial):
        f = f.func
    name = str(getattr(f, "__name__", type(f).__name__)).strip("<>")
    return f"user.{name}" if _is_taken(name) else name


def _is_taken(name: str) -> bool:
    from boxwood.criteria import ALIASES, CRITERIA

    return name in CRITERIA or name in ALIASES or name.startswith("tsallis(")


class Impurity:
    """A criterion of your own, to be given to an estimator: ``TreeClassifier(criterion=Impurity(f))``.

    Parameters
    ----------
    f
        A function that gets a one-dimensional array of smaller class shares, all in [0, 1/2], and returns an
        array of the same shape: f(0) = 0, continuous, increasing. With more than two classes it is summed
        over the classes. With ``vector=True``, a function that gets an array of class shares, one node per
        row and one class per column, and returns one number per row: 0 where a row is pure, never negative.
    curvature
        "concave", "linear" or "convex" on [0, 1/2]. It decides which cuts need to be looked at. If None, it
        is found from the values of f; if it cannot be, all cuts are looked at, and a warning says so, once. A
        declaration that the values contradict is an error. With ``vector=True`` only "concave" can be
        declared, and means: in the vector of class shares.
    name
        What trees grown with it say; by default the function's own name.
    vector
        Whether f takes class-share vectors.

    Notes
    -----
    An ``Impurity`` never changes, so copies of it are the thing itself, and what was found out about f is
    found out once. Two are equal if they have the same f, curvature, name and kind. It can be pickled if f
    can: a function that can be imported, not a lambda.

    Examples
    --------
    >>> from boxwood.criteria import Impurity
    >>> root = Impurity(np.sqrt)
    >>> root
    Impurity(sqrt)
    >>> criterion = root.criterion(n_classes=2)
    >>> criterion.curvature, criterion.rule(2)
    ('concave', 'boundaries')
    >>> criterion.impurity(np.array([[1.0, 3.0], [0.0, 4.0]]))
    array([0.5, 0. ])

    A function of class shares:

    >>> second = Impurity(lambda p: 1 - p.max(axis=1), name="miss", vector=True)
    >>> second.criterion(n_classes=3).impurity(np.array([1.0, 1.0, 2.0]))
    array(0.5)
    """

    def __init__(
        self,
        f: Callable[[Floats], Any],
        curvature: Declared | None = None,
        *,
        name: str | None = None,
        vector: bool = False,
    ) -> None:
        if not callable(f):
            raise TypeError(f"f of an Impurity must be a function of an array of class shares, not {f!r}")
        if curvature not in (None, "concave", "linear", "convex"):
            raise ValueError(
                f"curvature of an Impurity must be 'concave', 'linear', 'convex' or None, not {curvature!r}"
            )
        if not isinstance(vector, bool | np.bool_):
            raise TypeError(f"vector of an Impurity must be True or False, not {vector!r}")
        if vector and curvature not in (None, "concave"):
            raise ValueError(
                f"curvature={curvature!r} cannot be declared for a function of class-share vectors: it is "
                "'concave' or, with None, found"
            )
        if name is not None and not (isinstance(name, str) and name):
            raise TypeError(f"name of an Impurity must be a string that is not empty, not {name!r}")
        if name is not None and _is_taken(name):
            raise ValueError(f"name {name!r} of an Impurity is one of boxwood's own criteria; take another")
        self.f = f
        self.curvature = curvature
        self.name = _name_of(f) if name is None else name
        self.vector = bool(vector)
        self._criteria: dict[int, Criterion] = {}
        self._warned = False

    def criterion(self, n_classes: int) -> Criterion:
        """Check f, settle its curvature, and give the criterion that trees are grown by.

        Parameters
        ----------
        n_classes
            The number of classes of the table.

        Returns
        -------
        Criterion
            With ``core=None``: it is evaluated in Python. Its ``curvature`` (two classes) and
            ``curvature_many`` say what was declared or found.

        Examples
        --------
        >>> from boxwood.criteria import Impurity
        >>> square = Impurity(np.square).criterion(2)
        >>> square.name, square.curvature, square.rule(2)
        ('square', 'convex', 'equal_shares')
        >>> Impurity(np.cos).criterion(2)
        Traceback (most recent call last):
        ...
        ValueError: impurity 'cos': f must be 0 at x = 0, a pure node, but is 1 there; subtract that, or use \
a formula that vanishes
        """
        if isinstance(n_classes, bool) or not isinstance(n_classes, int | np.integer) or n_classes < 1:
            raise ValueError(f"n_classes must be a positive whole number, not {n_classes!r}")
        kind = int(n_classes) if self.vector else min(int(n_classes), 3)
        with _SETTLING:
            if kind not in self._criteria:
                if self.vector:
                    self._criteria[kind] = self._of_vectors(kind)
                else:
                    self._criteria.update(self._of_share())
            return self._criteria[kind]

    def _of_share(self) -> dict[int, Criterion]:
        """The criterion for one, two, and more classes."""
        f = Asked(self.f, self.name)
        check_share_function(f)
        found = curvature_of(f)
        curvature = found.curvature
        if self.curvature is not None:
            contradiction = {
                "concave": found.upward,
                "convex": found.downward,
                "linear": found.upward or found.downward,
            }[self.curvature]
            if contradiction is not None:
                bends = "f'' > 0" if contradiction is found.upward else "f'' < 0"
                raise ValueError(
                    f"impurity {self.name!r} is declared {self.curvature}, but {bends} near "
                    f"x = {contradiction.shares[1]:.6g}: {contradiction}"
                )
            curvature = self.curvature
        elif curvature == "unknown":
            self._warn(
                f"on [0, 1/2] it is concave in places ({found.downward}) "
                f"and convex in others ({found.upward})"
            )
        many: Curvature = curvature if curvature in ("concave", "linear") else "unknown"
        formulas = OfShare(f, curvature)
        common = (self.name, formulas.impurity, formulas.largest, curvature, many)
        two = Criterion(*common, of_share=formulas.of_share)
        return {1: two, 2: two, 3: Criterion(*common, of_shares=formulas.of_shares)}

    def _of_vectors(self, n_classes: int) -> Criterion:
        f = Asked(self.f, self.name, vector=True)
        check_vector_function(f, n_classes)
        formulas = OfShares(f)
        sag = sag_of(formulas.of_shares, n_classes)
        curvature: Curvature = "concave"
        if sag is not None and self.curvature is not None:
            raise ValueError(f"impurity {self.name!r} is declared {self.curvature}, but {sag}")
        if sag is not None:
            curvature = "unknown"
            self._warn(f"it is not concave: {sag}")
        return Criterion(
            self.name,
            formulas.impurity,
            formulas.largest,
            curvature,
            curvature,
            of_shares=formulas.of_shares,
        )

    def _warn(self, reason: str) -> None:
        """Say, once, that all cuts are looked at."""
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"impurity {self.name!r}: {reason}. So no cut of a numeric column can be left out, and "
                "all are looked at; the tree is right, growing it takes longer",
                UserWarning,
                stacklevel=4,
            )

    def __repr__(self) -> str:
        own = _name_of(self.f)
        parts = [own.removeprefix("user.")]
        if self.curvature is not None:
            parts.append(f"curvature={self.curvature!r}")
        if self.name != own:
            parts.append(f"name={self.name!r}")
        if self.vector:
            parts.append("vector=True")
        return f"Impurity({', '.join(parts)})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Impurity):
            return NotImplemented
        return bool(self.f == other.f) and self._rest() == other._rest()

    def __hash__(self) -> int:
        return hash(self._rest())

    def _rest(self) -> tuple[str | None, str, bool]:
        return self.curvature, self.name, self.vector

    def __copy__(self) -> Impurity:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Impurity:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (self.f, self.curvature, self.name, self.vector)


def _rebuilt(f: Callable[[Floats], Any], curvature: Declared | None, name: str, vector: bool) -> Impurity:
    """An Impurity from what is pickled of it."""
    return Impurity(f, curvature, name=name, vector=vector)
