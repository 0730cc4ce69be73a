"""What a criterion is.

A split sends the rows of a node into two or more branches. All that a criterion sees of it is a table
of weights: one row per branch, one column per class. Whole arrays of candidates are scored at once, so
every function here works on an array whose last axis is the class and, for splits, whose last axis but
one is the branch::

    counts    (..., K)       weight per class at a node
    branches  (..., B, K)    weight per class in each of the B branches of a candidate

A branch without weight is allowed and adds nothing, so that candidates with two and with three branches
fit into one array.

There are two kinds. A *node impurity* says how mixed a node is, and splits compete by its decrease, the
gain. A *split score* looks at the branches together (twoing, Hellinger); splits compete by that score,
and wherever a single node needs an impurity (the column of a tree, importances, cost-complexity), such a
criterion has Gini's.

Which cuts of a numeric column need a score depends on how the impurity curves. Each criterion carries
what is known about that, once for two classes and once for more, and :meth:`Criterion.rule` turns it into
the rule of :mod:`boxwood.search.numeric`:

==========  ===============  =====================
curvature   two classes      more classes
==========  ===============  =====================
concave     boundaries       boundaries
linear      boundaries       boundaries
convex      equal_shares     all
unknown     all              all
==========  ===============  =====================

The compiled core has the same formulas, evaluated from the same exact counts; the functions here are
their readable reference, are what a property test compares the core with, and serve wherever Python
needs a score. A criterion that the core does not know (``core`` is None) is evaluated in Python, one call
per level of the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

Curvature: TypeAlias = Literal["concave", "linear", "convex", "unknown"]
"""How an impurity curves: with two classes as a function of the smaller share, on [0, 1/2]; with more, as
a function of the class shares."""

CutRule: TypeAlias = Literal["boundaries", "equal_shares", "all"]
"""Which cuts of a numeric column need a score: :mod:`boxwood.search.numeric`."""

TIE = 1e-12
"""Scores closer than this share of the node's impurity are equal, so that rounding never decides a tree."""


def shares(counts: Floats) -> Floats:
    """The share of each class, from weights per class; all zero where there is no weight.

    >>> shares(np.array([1.0, 3.0]))
    array([0.25, 0.75])
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    result: Floats = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    return result


def minority_shares(counts: Floats) -> Floats:
    """For each class min(p, 1 - p), from weights per class: the share of the class or of all others,
    whichever is smaller. Exactly zero for a pure node, and where there is no weight.

    >>> minority_shares(np.array([1.0, 3.0, 12.0]))
    array([0.0625, 0.1875, 0.25  ])
    """
    counts = np.asarray(counts, dtype=np.float64)
    total = counts.sum(axis=-1, keepdims=True)
    smaller = np.minimum(counts, total - counts)
    result: Floats = np.divide(smaller, total, out=np.zeros_like(counts), where=total > 0)
    return result


def bits(distribution: Floats) -> Floats:
    """Shannon's entropy of shares along the last axis, in bits, with 0 log 0 = 0.

    >>> float(bits(np.array([0.5, 0.25, 0.25])))
    1.5
    """
    distribution = np.asarray(distribution, dtype=np.float64)
    logarithms = np.log2(distribution, out=np.zeros_like(distribution), where=distribution > 0)
    entropy: Floats = -(distribution * logarithms).sum(axis=-1)
    return entropy + 0.0  # a pure node gives 0.0, not -0.0


@dataclass(frozen=True, repr=False)
class Criterion:
    """One way to say how good a split is.

    Attributes
    ----------
    name
        What it is called, in messages and in saved trees.
    impurity
        Weights per class (..., K) to impurity (...): zero for a pure node. Named criteria give the same
        for any order of classes. For split scores it is Gini's.
    largest
        Number of classes to the largest impurity they allow, or to a bound of it (infinite: not known).
        No gain is larger.
    curvature
        How the impurity curves with two classes. For a split score, "concave" says that the boundary rule
        holds.
    curvature_many
        The same with more than two classes.
    core
        The name that the compiled core knows it by; None: evaluated in Python, level by level.
    parameter
        The number that goes with it, for criteria that have one.
    split_score
        Branches (..., B, K) to the score (...) by which the candidates compete, of one feature and of
        different ones; None: by the gain.
    rank
        Branches (..., B, K) to the score (...) by which features compete, where that differs from what
        the candidates of one feature compete by.
    selection
        The rule in :mod:`boxwood.select` that goes with it.
    of_share
        For a user's function with two classes: smaller shares (m,) in [0, 1/2] to impurities (m,).
    of_shares
        For a user's function otherwise: class shares (m, K) to impurities (m,).

    Examples
    --------
    >>> from boxwood.criteria import CRITERIA
    >>> gini = CRITERIA["gini"]
    >>> two_splits = np.array([[[4.0, 0.0], [0.0, 4.0]], [[2.0, 2.0], [2.0, 2.0]]])
    >>> gini.gain(two_splits)
    array([0.5, 0. ])
    >>> gini.rule(2), CRITERIA["ambiguity"].rule(2), CRITERIA["ambiguity"].rule(3)
    ('boundaries', 'equal_shares', 'all')
    >>> gini
    Criterion('gini', concave)
    """

    name: str
    impurity: Callable[[Floats], Floats]
    largest: Callable[[int], float]
    curvature: Curvature
    curvature_many: Curvature
    core: str | None = None
    parameter: float = 0.0
    split_score: Callable[[Floats], Floats] | None = None
    rank: Callable[[Floats], Floats] | None = None
    selection: str = "best_score"
    of_share: Callable[[Floats], Floats] | None = None
    of_shares: Callable[[Floats], Floats] | None = None

    def __post_init__(self) -> None:
        for argument in ("curvature", "curvature_many"):
            if getattr(self, argument) not in get_args(Curvature):
                raise ValueError(
                    f"{argument} of the criterion {self.name!r} is {getattr(self, argument)!r}; "
                    f"it must be one of {', '.join(map(repr, get_args(Curvature)))}"
                )

    def __repr__(self) -> str:
        many = "" if self.curvature_many == self.curvature else f", {self.curvature_many} for more classes"
        return f"Criterion({self.name!r}, {self.curvature}{many})"

    @property
    def concave(self) -> bool:
        """Whether it is concave for any number of classes.

        Then no gain is negative, and for two classes the best subset of categories is a prefix of their
        order by class share (:mod:`boxwood.search.categorical.auto`).

        >>> from boxwood.criteria import CRITERIA
        >>> CRITERIA["gini"].concave, CRITERIA["ambiguity"].concave
        (True, False)
        """
        return self.curvature == self.curvature_many == "concave"

    def rule(self, n_classes: int) -> CutRule:
        """Which cuts of a numeric column need a score, with that many classes.

        >>> from boxwood.criteria import CRITERIA
        >>> CRITERIA["hellinger"].rule(2), CRITERIA["hellinger"].rule(3)
        ('boundaries', 'all')
        """
        curvature = self.curvature if n_classes <= 2 else self.curvature_many
        if curvature in ("concave", "linear"):
            return "boundaries"
        if curvature == "convex" and n_classes <= 2:
            return "equal_shares"
        return "all"

    def gain(self, branches: Floats) -> Floats:
        """The decrease of impurity: the node's minus the weighted average of its branches'."""
        branches = np.asarray(branches, dtype=np.float64)
        weight_shares = shares(branches.sum(axis=-1))
        after = (weight_shares * self.impurity(branches)).sum(axis=-1)
        before_minus_after: Floats = self.impurity(branches.sum(axis=-2)) - after
        return before_minus_after

    def score(self, branches: Floats) -> Floats:
        """What features compete by: ``rank`` where there is one, else ``split_score``, else the gain."""
        for score in (self.rank, self.split_score):
            if score is not None:
                return score(branches)
        return self.gain(branches)
