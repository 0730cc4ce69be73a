"""The faces that scikit-learn's users know. No algorithm lives here."""

from __future__ import annotations

from boxwood.estimators.cart_classifier import CARTClassifier
from boxwood.estimators.certify import certify
from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier
from boxwood.estimators.prune import prune
from boxwood.estimators.tree_classifier import TreeClassifier
from boxwood.estimators.tree_regressor import TreeRegressor

__all__ = ["CARTClassifier", "OptimalTreeClassifier", "TreeClassifier", "TreeRegressor", "certify", "prune"]
