"""What all tree classifiers have in common: a node answers with a class, and with the shares of all.

A row that ends at one node gets that node's answers. A row that is spread over several branches (missing or
unknown values, see `boxwood.tree.SPREAD`) gets the mean of its ends' shares, weighted by the share of the
row that ends there, and the class that is largest in it, the first of equals. Where the nodes of a tree
have answers of their own, because errors cost differently (`ANSWER`), the ends vote for theirs by their
shares instead: what an error costs is known where the answers were chosen, and the tree does not keep it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from boxwood.estimators.monotonic import monotonic_constraints
from boxwood.estimators.probabilities import PROBA_M, class_probabilities
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
    proba: str = "raw"
    proba_m: float = PROBA_M
    _answers: tuple[Tree, NDArray[np.intp]]
    _smoothed: NDArray[np.float64] | None  # of each node of the tree in _answers; None: its shares

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = False
        return tags

    def _remember_answers(self, answers: NDArray[np.intp]) -> None:
        """Keep the class of each node of ``tree_``, and its probabilities if they are not its shares."""
        self._answers = (self.tree_, answers)
        self._smoothed = None if self.proba == "raw" else self._smoothed_anew()

    def _smoothed_anew(self) -> NDArray[np.float64]:
        """The class probabilities of each node of ``tree_``, from its counts."""
        schema = self.tree_.schema
        monotonic = monotonic_constraints(getattr(self, "monotonic_cst", None), schema, type(self).__name__)
        return class_probabilities(self.tree_, self.proba, self.proba_m, monotonic)

    def _probabilities(self) -> NDArray[np.float64]:
        """The class probabilities of each node of ``tree_``."""
        tree = self.tree_
        if self._answers[0] is not tree:  # somebody has put another one there
            return self._smoothed_anew()
        shares: NDArray[np.float64] = tree.value[:, 0] if self._smoothed is None else self._smoothed
        return shares

    def _answers_of(self, tree: Tree) -> NDArray[np.intp]:
        """The class of each node of a tree that ``fit`` has not made."""
        return answering_classes(tree)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the answer of its leaf.

        That is the heaviest class there, the first of equals, whatever ``proba`` does to the probabilities.
        A row that is spread over several leaves gets the heaviest class of all of them together.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        check_is_fitted(self)
        tree, answers = self._answers
        if tree is not self.tree_:  # somebody has put another one there
            answers = self._answers_of(self.tree_)
        if self.tree_.spreads:
            found: NDArray[Any] = self.classes_.take(self._mix(X, votes(self.tree_, answers)).argmax(axis=1))
            return found
        nodes = self.apply(X)
        if len(answers) < len(nodes):  # look up the labels of the nodes, or those of the rows: what is less
            return self.classes_.take(answers).take(nodes)
        return self.classes_.take(answers.take(nodes))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class in the leaf of each row, smoothed if ``proba`` asks for it.

        A row that is spread over several leaves gets the mean of theirs, by the share of it that each has.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Shares, in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self._mix(X, self._probabilities())

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


def votes(tree: Tree, answers: NDArray[np.intp] | None = None) -> NDArray[np.float64]:
    """What is mixed to find the class of a row with several ends: class shares, or one vote per node.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> tree = build_tree(leaf([3, 1]), schema, ["well", "ill"])
    >>> votes(tree), votes(tree.with_extra(ANSWER, [1]))
    (array([[0.75, 0.25]]), array([[0., 1.]]))
    """
    shares: NDArray[np.float64] = tree.value[:, 0]
    if ANSWER not in tree.extra:
        return shares
    answers = answering_classes(tree) if answers is None else answers
    return np.eye(shares.shape[1])[answers]
