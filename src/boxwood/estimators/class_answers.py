"""What all tree classifiers have in common: a node answers with a class, and with the shares of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from boxwood.tree import Tree
from boxwood.tree.answers import ANSWER, answering_classes, cheapest_classes, heaviest_classes

if TYPE_CHECKING:
    from boxwood.estimators.tree_estimator import TreeEstimator as Routing
else:
    Routing = object


__all__ = ["ANSWER", "ClassAnswers", "answering_classes", "cheapest_classes", "heaviest_classes"]


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
