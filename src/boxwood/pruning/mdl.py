"""MDL pruning: the tree whose description, together with that of the classes given the tree, is the shortest.

Problem. How large a tree do these rows justify, with no parameter to choose?

Idea (Mehta, Rissanen and Agrawal 1995). Send the classes of all rows to somebody who has the columns, first
the tree, then in each leaf the classes of its rows. A node becomes a leaf where that makes the message
shorter; one pass from the leaves to the root finds the shortest.

The coding, in bits, for a table of F columns:

==================  =================================================================================
a node              1: leaf or split
the column          log2(F)
a threshold         log2(N - 1) for a node of N rows: there are at most so many
a subset            C - 1 for C categories at the node: 2**(C - 1) ways to part them
multiway, missing   nothing: the column says all
classes of a leaf   sum_k n_k log2(N / n_k) + (K - 1) / 2 log2(N / 2) + log2(pi**(K/2) / Gamma(K/2))
==================  =================================================================================

The last line is Rissanen's stochastic complexity of N draws from K classes (Mehta et al. 1995, equation 1),
here never below 0. SLIQ counts errors there instead, which says nothing of how sure a leaf is.

O(nodes * K). Idempotent: the message of a kept part does not depend on the rest.

What we changed. Weights count as rows, so N need not be whole. With costs, classes are counted under altered
priors (:mod:`boxwood.pruning.ledger`).

Reference: M. Mehta, J. Rissanen, R. Agrawal, MDL-based decision tree pruning, KDD 1995.
"""

from __future__ import annotations

import math

import numpy as np

from boxwood._core import cheapest_subtree
from boxwood.pruning.ledger import ledger
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Kind, Tree
from boxwood.tree.arrays import Floats


class MDL(Pruner):
    """Pruning to the shortest description of tree and classes. It has no parameters.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import MDL
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> model.get_n_leaves(), prune(model, MDL()).get_n_leaves()
    (15, 5)
    """

    def _prune(self, tree: Tree, material: Material) -> Tree:
        read = ledger(tree, material)
        leaf = 1.0 + class_bits(read.counts)
        mask, _ = cheapest_subtree(tree.first_child, tree.n_children, leaf, split_bits(tree, read.size))
        return collapsed(tree, mask)


def class_bits(counts: Floats) -> Floats:
    """Bits for the classes of rows, from the rows of each class (..., K).

    >>> class_bits(np.array([[8.0, 0.0], [4.0, 4.0]])).round(2)
    array([ 2.65, 10.65])
    """
    k = counts.shape[-1]
    n = counts.sum(axis=-1)
    n = np.where(n > 0, n, 1.0)  # no rows: nothing to send, whatever the rest says
    there = counts > 0
    share = np.where(there, counts, 1.0) / n[..., np.newaxis]
    plain = -(counts * np.log2(np.where(there, share, 1.0))).sum(axis=-1)
    parameters = (k - 1) / 2 * np.log2(n / 2) + (k / 2 * math.log(math.pi) - math.lgamma(k / 2)) / math.log(2)
    bits: Floats = plain + np.maximum(parameters, 0.0)
    return bits


def split_bits(tree: Tree, size: Floats) -> Floats:
    """Bits for what each inner node says besides its children."""
    listed = np.diff(tree.category_offset)
    bits = 1.0 + math.log2(tree.n_features) + np.zeros(tree.n_nodes)
    bits += np.where(tree.kind == Kind.THRESHOLD, np.log2(np.maximum(size - 1.0, 1.0)), 0.0)
    bits += np.where(tree.kind == Kind.SUBSET, np.maximum(listed - 1, 0), 0)
    return np.where(tree.is_leaf, 0.0, bits)
