"""The class that each node of a tree answers with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree

ANSWER: Final = "answering_class"
"""The further column of a tree, kept by save and load, with the number of the class that each node answers
with; it is there where that need not be the heaviest."""


def answering_classes(tree: Tree) -> NDArray[np.intp]:
    """The class that each node answers with: the heaviest one, or what the further column `ANSWER` says.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> tree = build_tree(leaf([9, 2]), schema, ["well", "ill"])
    >>> answering_classes(tree), answering_classes(tree.with_extra(ANSWER, [1]))
    (array([0]), array([1]))
    """
    written = tree.extra.get(ANSWER)
    return heaviest_classes(tree) if written is None else written.astype(np.intp)


def only_ties(tree: Tree) -> bool:
    """Whether the further column `ANSWER` is there only because rounding has made a tie of a small lead.

    A tree of scikit-learn keeps shares; multiplied by weights, two classes may come out as equals of which
    the answer is the second. Such a tree knows nothing of costs. (A column that names the heaviest class
    everywhere is not of this kind: nobody writes it for ties.)

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> trees = [build_tree(leaf(counts), schema, ["well", "ill"]) for counts in ([3, 3], [9, 2])]
    >>> [only_ties(tree.with_extra(ANSWER, [1])) for tree in trees]
    [True, False]
    """
    assert tree.counts is not None
    answers, heaviest = answering_classes(tree), heaviest_classes(tree)
    every = np.arange(tree.n_nodes)
    behind = tree.counts[every, heaviest] - tree.counts[every, answers]
    return bool((answers != heaviest).any() and (behind <= 1e-9 * tree.weight).all())


def heaviest_classes(tree: Tree) -> NDArray[np.intp]:
    """The heaviest class of each node, the first one of equals.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> heaviest_classes(build_tree(leaf([1, 3, 3]), schema, ["a", "b", "c"]))
    array([1])
    """
    assert tree.counts is not None
    heaviest: NDArray[np.intp] = tree.counts.argmax(axis=1)
    return heaviest


def cheapest_classes(tree: Tree, costs: NDArray[np.float64]) -> NDArray[np.intp]:
    """The class that costs least on the rows of each node, the first one of equals.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> tree = build_tree(leaf([9, 2]), schema, ["well", "ill"])
    >>> cheapest_classes(tree, np.array([[0.0, 1.0], [10.0, 0.0]]))
    array([1])
    """
    assert tree.counts is not None
    paid = tree.counts @ costs
    least = paid.min(axis=1, keepdims=True)
    cheapest: NDArray[np.intp] = (paid <= least * (1 + 1e-12)).argmax(axis=1)
    return cheapest
