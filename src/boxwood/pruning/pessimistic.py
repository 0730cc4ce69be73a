"""Pessimistic pruning: half an error more per leaf, and a standard error in favour of the smaller tree.

Problem. Prune quickly, with nothing but the tree.

Idea (Quinlan 1987). A leaf that makes e errors on its own rows is put at e + 1/2 (the continuity correction
of the binomial distribution). A subtree with L leaves and N rows then has e' = e + L / 2, with the standard
error ``sqrt(e' (N - e') / N)``. From the root down, a node becomes a leaf if its own e + 1/2 is within that
standard error of e'. What is below a node that became a leaf is not looked at any more.

Whether a node is pruned depends on its subtree as grown, not on what pruning leaves of it; so all nodes are
judged at once, and the highest ones count. O(nodes). It is not idempotent: in the pruned tree subtrees are
others.

Reference: J. R. Quinlan, Simplifying decision trees, International Journal of Man-Machine Studies 27 (1987),
section 3.3.
"""

from __future__ import annotations

import numpy as np

from boxwood.pruning.ledger import below, ledger
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Tree


class Pessimistic(Pruner):
    """Quinlan's pessimistic pruning, from the root down. It has no parameters.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import Pessimistic
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> model.get_n_leaves(), prune(model, Pessimistic()).get_n_leaves()
    (15, 8)
    """

    def _prune(self, tree: Tree, material: Material) -> Tree:
        read = ledger(tree, material)
        corrected = below(tree, read.errors) + below(tree, np.ones(tree.n_nodes)) / 2
        size = np.where(read.size > 0, read.size, 1.0)  # a node whose answers are free counts no rows
        spread = np.sqrt(np.maximum(corrected * (read.size - corrected) / size, 0.0))
        return collapsed(tree, read.errors + 0.5 <= corrected + spread)
