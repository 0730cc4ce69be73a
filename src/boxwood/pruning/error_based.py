"""Error-based pruning, as C4.5 and Weka's J48 do it.

Problem. Prune without keeping rows back: the errors that a leaf makes on its own rows are too few, and the
fewer rows it has, the more so.

Idea (Quinlan 1993, chapter 4). Put the errors of a leaf at the upper end of a confidence interval
(`core/pruning/upper_error.hpp` has both programs' formulas). The estimate of a subtree is the sum over its
leaves. From the leaves to the root, a node becomes a leaf if its estimate is no more than the subtree's plus
a tenth of an error, nor than the estimate of its largest branch, put in its place, plus a tenth. If it does
not, but the largest branch in its place is no worse than the subtree, that branch is raised: it gets all
rows of the node, rows with missing values again divided over branches, and is pruned once more from its
leaves (:mod:`boxwood.pruning.raising`).

Before all that, `collapse`: from the root down, a subtree that makes no fewer errors on its own rows than
its node would as a leaf (but for 0.001) is replaced by it.

What is exact. Both variants follow their program to the letter: z from the quantile of the normal
distribution ("weka") or from a table with linear interpolation ("c45"), errors at nearly all rows, the
tenth, and J48's tolerance of 1e-6 in comparisons; where two branches are equally heavy, J48 raises the last,
C4.5 the first. J48 with a confidence above 0.5 adds nothing to the errors, and so does "weka".

What we changed. Raising needs rows; without them the tree is pruned without raising ("auto"). Sizes and
errors come from :mod:`boxwood.pruning.ledger`, so costs and weights count.

Without raising O(nodes). The result is not a rooted subtree where a branch was raised.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, sections 4.1 and 4.2.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import ClassVar

import numpy as np

from boxwood._core import cheapest_subtree, extra_errors
from boxwood.pruning.collapsing import without_needless
from boxwood.pruning.ledger import ledger
from boxwood.pruning.pruner import MAY, MUST, NO, Material, Pruner, collapsed
from boxwood.pruning.raising import pruned_and_raised
from boxwood.tree import Tree
from boxwood.tree.answers import ANSWER, only_ties
from boxwood.tree.arrays import Floats

VARIANTS = ("weka", "c45")
SLACK = 0.1
TOLERANCE = 1e-6
# C4.5 reads z off this table of confidences, linearly between.
CONFIDENCES = (0.0, 0.001, 0.005, 0.01, 0.05, 0.10, 0.20, 0.40, 1.00)
DEVIATIONS = (4.0, 3.09, 2.58, 2.33, 1.65, 1.28, 0.84, 0.25, 0.00)


def deviation(confidence: float, variant: str) -> float:
    """The deviation z of a one-sided interval of that confidence.

    >>> round(deviation(0.25, "weka"), 4), round(deviation(0.25, "c45"), 4)
    (0.6745, 0.6925)
    """
    if variant == "weka":
        return NormalDist().inv_cdf(1 - confidence) if confidence <= 0.5 else 0.0
    return float(np.interp(confidence, CONFIDENCES, DEVIATIONS))


def estimated_errors(size: Floats, errors: Floats, confidence: float, variant: str) -> Floats:
    """The errors of leaves at the upper end of their confidence interval; 0 for a leaf without rows.

    >>> estimated_errors(np.array([6.0, 9.0, 1.0]), np.zeros(3), 0.25, "c45").round(3)
    array([1.238, 1.285, 0.75 ])
    """
    z = deviation(confidence, variant)
    found: Floats = errors + extra_errors(
        np.ascontiguousarray(size), np.ascontiguousarray(errors), confidence, z, variant == "weka"
    )
    return np.where(size > 0, found, 0.0)


class ErrorBased(Pruner):
    """C4.5's pruning by a pessimistic estimate of errors, with subtree raising.

    Parameters
    ----------
    confidence : float, default=0.25
        The smaller, the more is pruned.
    subtree_raising : bool or "auto", default="auto"
        Whether a node may be replaced by its largest branch, which needs the rows that the tree was grown on.
        "auto" does so where they are there, as inside ``fit``.
    variant : {"weka", "c45"}, default="weka"
        Whose formulas: J48's or C4.5's.
    collapse : bool, default=True
        First replace subtrees that make no fewer errors than their node would.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> full = TreeClassifier(criterion="gain_ratio").fit(penguins, species)
    >>> pruned = TreeClassifier(criterion="gain_ratio", pruning="ebp").fit(penguins, species)
    >>> pruned.get_n_leaves() < full.get_n_leaves()
    True
    """

    ROOTED: ClassVar[bool] = False

    def __init__(
        self,
        confidence: float = 0.25,
        subtree_raising: bool | str = "auto",
        variant: str = "weka",
        collapse: bool = True,
    ) -> None:
        self.confidence = confidence
        self.subtree_raising = subtree_raising
        self.variant = variant
        self.collapse = collapse

    @property
    def rows_wanted(self) -> str:
        """Rows to redistribute when a branch is raised."""
        if isinstance(self.subtree_raising, str):
            return MAY
        return MUST if self.subtree_raising else NO

    def _check(self) -> None:
        self._check_number("confidence", 0.0, 1.0, closed=(False, False))
        self._check_name("variant", *VARIANTS)
        if not (isinstance(self.subtree_raising, (bool, np.bool_)) or self.subtree_raising == "auto"):
            self._refuse("subtree_raising", "a bool or the str 'auto'")
        if not isinstance(self.collapse, (bool, np.bool_)):
            self._refuse("collapse", "a bool")

    def _raises(self, tree: Tree, material: Material) -> bool:
        """Whether branches are raised, now that there are rows."""
        if ANSWER not in tree.extra or material.costs is not None or only_ties(tree):
            return bool(self.subtree_raising)
        if self.subtree_raising is True:
            raise ValueError(
                "subtree_raising=True: this tree answers by costs that are not known here, and nodes that "
                "get other rows could not. Use subtree_raising=False, or prune the estimator."
            )
        return False

    def _prune(self, tree: Tree, material: Material) -> Tree:
        if self.subtree_raising is True and material.rows is None:
            raise ValueError(
                "subtree_raising=True needs the rows that the tree was grown on, which move to other "
                "branches: give them as X and y, or use subtree_raising='auto' or False."
            )
        raises = material.rows is not None and self._raises(tree, material)
        if self.collapse:
            tree = without_needless(tree, material)
        slack = SLACK + (TOLERANCE if self.variant == "weka" else 0.0)
        if raises:
            assert material.rows is not None
            return pruned_and_raised(
                tree,
                material.rows,
                material,
                confidence=self.confidence,
                z=deviation(self.confidence, self.variant),
                weka=self.variant == "weka",
                slack=slack,
                tie=TOLERANCE if self.variant == "weka" else 0.0,
            )
        read = ledger(tree, material)
        leaf = estimated_errors(read.size, read.errors, self.confidence, self.variant)
        mask, _ = cheapest_subtree(tree.first_child, tree.n_children, leaf, np.zeros(tree.n_nodes), slack)
        return collapsed(tree, mask)
