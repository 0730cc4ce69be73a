"""Pruning that changes no answer: splits all of whose leaves answer alike.

Problem. A tree grown for pure leaves, or for probabilities, has splits that no answer depends on.

Idea. Where all leaves below a node answer with the same class (or number), the node becomes a leaf. Rows
that end at an inner node count too: its answer must be the same. With ``keep_proba=True`` the shares of all
classes must be the same as well, so that no probability changes either.

One pass; idempotent. The least and the largest answer below each node are enough: where they are equal, all
are. Sums of weights are exact, so equal shares are equal numbers.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boxwood._core import subtree_extremes
from boxwood.pruning.pruner import Material, Pruner, collapsed
from boxwood.tree import STOP, Tree
from boxwood.tree.answers import answering_classes
from boxwood.tree.arrays import Floats


class SameAnswer(Pruner):
    """Merge leaves that answer alike; no prediction changes.

    Parameters
    ----------
    keep_proba : bool, default=False
        Merge only leaves with the same shares of all classes, so that no probability changes either.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, prune
    >>> from boxwood.pruning import SameAnswer
    >>> penguins, species, *_ = load_penguins()
    >>> model = TreeClassifier(max_depth=3).fit(penguins, species)
    >>> smaller = prune(model, SameAnswer())
    >>> model.get_n_leaves(), smaller.get_n_leaves()
    (7, 6)
    >>> bool((smaller.predict(penguins) == model.predict(penguins)).all())
    True
    """

    FOR_NUMBERS: ClassVar[bool] = True

    def __init__(self, keep_proba: bool = False) -> None:
        self.keep_proba = keep_proba

    def _check(self) -> None:
        if not isinstance(self.keep_proba, (bool, np.bool_)):
            self._refuse("keep_proba", "a bool")

    def _prune(self, tree: Tree, material: Material) -> Tree:
        if tree.answer is not None:
            if self.keep_proba:
                raise ValueError("keep_proba=True has no meaning for a regression tree, which has no classes")
            mask, shared = _alike(tree, tree.answer)
            # The mean of equal numbers may differ from them in the last digit; no answer is to change.
            answer = np.where(mask, shared, tree.answer)
            answer.flags.writeable = False
            return collapsed(Tree._make(**(tree._fields() | {"answer": answer})), mask)
        answers = answering_classes(tree).astype(np.float64)
        mask, shared = _alike(tree, answers)
        mask &= shared == answers
        if self.keep_proba and mask.any():
            _, found = np.unique(tree.value[:, 0, :], axis=0, return_inverse=True)
            number = found.reshape(-1).astype(np.float64)
            same, shared = _alike(tree, number)
            mask &= same & (shared == number)
        return collapsed(tree, mask)


def _alike(tree: Tree, value: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """The inner nodes below which all that answers has the same value, and that value."""
    leaf = tree.is_leaf
    stops = ~leaf & ((tree.missing_branch == STOP) | (tree.unknown_branch == STOP))
    least, largest = subtree_extremes(
        tree.first_child, tree.n_children, np.ascontiguousarray(value), (leaf | stops).astype(np.uint8)
    )
    mask: NDArray[np.bool_] = ~leaf & (least == largest)
    return mask, least
