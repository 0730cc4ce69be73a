"""Collapsing: subtrees that make no fewer errors on their own rows than their node would are taken away.

Problem. Growth splits as long as the classes become purer, and often all branches then answer alike: the
split changes shares and no answer. Idea: from the root down, a subtree whose leaves together make no fewer
errors on the rows that the tree was grown on than its node would, but for 0.001, becomes a leaf. C4.5 and
J48 do this before they prune; J48's option ``-U`` leaves a tree that is collapsed and not pruned.

O(nodes). The result is a rooted subtree with the same number of training errors, to within 0.001 each.

Reference: J. R. Quinlan, C4.5: Programs for Machine Learning, 1993, chapter 4.
"""

from __future__ import annotations

from boxwood.pruning.ledger import below, ledger
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Tree

COLLAPSE = 1e-3
"""So many errors less are none, as in C4.5 and in J48."""


def without_needless(tree: Tree, material: Material) -> Tree:
    """The tree without subtrees that make no fewer errors than their node would."""
    errors = ledger(tree, material).errors
    needless = below(tree, errors) >= errors - COLLAPSE
    return collapsed(tree, needless & ~tree.is_leaf)


class Collapse(Pruner):
    """Take away subtrees that make no fewer errors than their node would.

    Examples
    --------
    >>> from boxwood import TreeClassifier
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"]
    >>> grown = TreeClassifier(max_depth=1).fit(X, y)
    >>> grown.get_n_leaves(), TreeClassifier(max_depth=1, pruning="collapse").fit(X, y).get_n_leaves()
    (2, 1)
    """

    def _prune(self, tree: Tree, material: Material) -> Tree:
        return without_needless(tree, material)
