"""Optimal pruning: the best rooted subtree of every size.

Problem. Cost-complexity pruning offers the trees on the lower hull of risk against size; between two of them
there may be many sizes for which it has no tree.

Idea (Bohanec and Bratko 1994). Dynamic programming over sizes (`core/pruning/best_sizes.hpp`): the least
risk of k leaves at a node is the best way to deal k out to its children. O(leaves * max_leaves).

The risk is the cost of wrong answers on the rows that the tree was grown on, or for numbers the spread under
its criterion. The hull of `size_risks` is the cost-complexity path, which the tests confirm. In a tree with
splits of several branches not every size is there.

Reference: M. Bohanec, I. Bratko, Trading accuracy for simplicity in decision trees, Machine Learning 15
(1994).
"""

from __future__ import annotations

import numbers
from typing import ClassVar

import numpy as np

from boxwood._core import best_sizes
from boxwood.pruning.ledger import leaf_risk
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Tree
from boxwood.tree.arrays import Floats


def size_risks(tree: Tree, material: Material | None = None) -> Floats:
    """The least risk of a rooted subtree with 1, 2, ... leaves, in units of weight; infinite for no tree.

    >>> from boxwood import TreeClassifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> size_risks(TreeClassifier(max_depth=2).fit(penguins, species).tree_)
    array([192.,  72.,  18.,  13.])
    """
    risk = np.ascontiguousarray(leaf_risk(tree, Material() if material is None else material))
    return best_sizes(tree.first_child, tree.n_children, risk, tree.n_leaves)[0]


class OptimalSize(Pruner):
    """Pruning to the best subtree with no more than so many leaves.

    Parameters
    ----------
    max_leaves : int, default=8
        The number of leaves, at most; of equally good trees the smallest is taken.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import OptimalSize
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> prune(model, OptimalSize(max_leaves=4)).get_n_leaves()
    4
    """

    FOR_NUMBERS: ClassVar[bool] = True

    def __init__(self, max_leaves: int = 8) -> None:
        self.max_leaves = max_leaves

    def _check(self) -> None:
        value = self.max_leaves
        whole = isinstance(value, numbers.Integral) and not isinstance(value, (bool, np.bool_))
        if not (whole and value >= 1):
            self._refuse("max_leaves", "an int in the range [1, inf)")

    def _prune(self, tree: Tree, material: Material) -> Tree:
        risk = np.ascontiguousarray(leaf_risk(tree, material))
        most = min(int(self.max_leaves), tree.n_leaves)
        _, mask = best_sizes(tree.first_child, tree.n_children, risk, most)
        return collapsed(tree, mask)
