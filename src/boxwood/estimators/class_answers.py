"""What all tree classifiers have in common: a node answers with a class, and with the shares of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from boxwood.tree import Tree

if TYPE_CHECKING:
    from boxwood.estimators.tree_estimator import TreeEstimator as Routing
else:
    Routing = object


ANSWER: Final = "answering_class"
"""The further column of a tree, kept by save and load, with the number of the class that each node answers
with; it is there where that need not be the heaviest."""


class ClassAnswers(ClassifierMixin, Routing):
    """The predictions of a classifier, for an estimator that routes rows to the nodes of ``tree_``.

    ``fit`` sets ``classes_`` and, by `_remember_answers`, the class of each node.
    """

    classes_: NDArray[Any]
    _answers: tuple[Tree, NDArray[np.intp]]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags

    def _remember_answers(self, answers: NDArray[np.intp]) -> None:
        """Keep the class of each node of ``tree_``."""
        self._answers = (self.tree_, answers)

    def _answers_of(self, tree: Tree) -> NDArray[np.intp]:
        """The class of each node of a tree that ``fit`` has not made."""
        return answering_classes(tree)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the answer of its leaf.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        nodes = self.apply(X)
        tree, answers = self._answers
        if tree is not self.tree_:  # somebody has put another one there
            answers = self._answers_of(self.tree_)
        if len(answers) < len(nodes):  # look up the labels of the nodes, or those of the rows: what is less
            return self.classes_.take(answers).take(nodes)
        return self.classes_.take(answers.take(nodes))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class in the leaf of each row.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Shares, in the order of ``classes_``.
        """
        nodes = self.apply(X)
        shares: NDArray[np.float64] = self.tree_.value[:, 0].take(nodes, axis=0)
        return shares

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`; minus infinity for a class that the leaf does not hold.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Logarithms, in the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms


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
