"""Minimum-error pruning: the error that is to be expected on new rows, leaf against subtree.

Problem. The share of errors of a leaf on its own rows is too low, most of all where these are few.

Idea. Estimate the share of a class by its rows and m more, which have the shares of all rows:
``p = (n_c + m p_c) / (N + m)`` (Cestnik and Bratko 1991). A leaf that answers c then errs with probability

    (N - n_c + (1 - p_c) m) / (N + m),

a subtree with the average over its branches, weighted by their rows. From the leaves to the root, a node
becomes a leaf where that is no worse. The original of 1986 is Laplace's estimate, m = K with equal shares of
all K classes: ``(N - n_c + K - 1) / (N + K)``; it is what ``m=None`` means. The larger m is, the more is
pruned.

O(nodes). Idempotent: the root, from which p_c are taken, stays.

What we changed. With costs, p are estimated under altered priors (:mod:`boxwood.pruning.ledger`), and the
answer costs its share of an error for each class. A node is judged by the answer that it gives.

References: T. Niblett, I. Bratko, Learning decision rules in noisy domains, Expert Systems 86; B. Cestnik,
I. Bratko, On estimating probabilities in tree pruning, EWSL 1991, section 3.
"""

from __future__ import annotations

import math

import numpy as np

from boxwood._core import cheapest_subtree
from boxwood.pruning.ledger import error_shares, ledger
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import Tree
from boxwood.tree.answers import answering_classes


class MinimumError(Pruner):
    """Pruning to the least expected error.

    Parameters
    ----------
    m : float or None, default=None
        How many rows the shares of all classes count as; None: Laplace's estimate, as many as there are
        classes, all classes alike.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import MinimumError
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier().fit(penguins, species)
    >>> [prune(model, MinimumError(m)).get_n_leaves() for m in (0.5, 5, 50)]
    [15, 9, 6]
    """

    def __init__(self, m: float | None = None) -> None:
        self.m = m

    def _check(self) -> None:
        if self.m is not None:
            self._check_number("m", 0.0, math.inf, closed=(True, False))

    def _prune(self, tree: Tree, material: Material) -> Tree:
        read = ledger(tree, material)
        k = tree.n_classes
        m = float(k if self.m is None else self.m)
        prior = np.full(k, 1.0 / k) if self.m is None else read.counts[0] / read.size[0]
        # The share of an error that each answer is for each class.
        wrong = 1.0 - np.eye(k) if material.costs is None else error_shares(material.costs)
        answers = answering_classes(tree)
        rows = np.where(read.size + m > 0, read.size + m, 1.0)  # where answers are free, there are none
        expected = (read.errors + m * (prior @ wrong)[answers]) / rows
        leaf = read.size * expected  # in rows, so that averages are sums
        mask, _ = cheapest_subtree(tree.first_child, tree.n_children, leaf, np.zeros(tree.n_nodes))
        return collapsed(tree, mask)
