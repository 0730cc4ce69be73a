"""How much each column matters to a tree: the decrease of impurity that its splits bring.

A split of node i into children c lowers the impurity by ``w_i I_i - sum_c w_c I_c``, in units of weight.
Summed over the splits of a column, as a share of the weight of all rows, that is the column's importance
(Breiman et al. 1984, section 5.3.4, without surrogates); normalised, importances add up to 1. The definition
is scikit-learn's, here for any number of branches.

It is measured on the training rows, so it favours columns with many distinct values, which can fit them by
chance.

Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boxwood.tree import arrays
from boxwood.tree.arrays import Floats

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree


def feature_importances(tree: Tree, *, normalize: bool = True) -> Floats:
    """The importance of each column; see `Tree.feature_importances`."""
    inner = np.flatnonzero(~tree.is_leaf)
    mixed = tree.weight * tree.impurity
    decrease = mixed[inner] - arrays.child_sums(mixed, tree.first_child)
    by_column = np.bincount(tree.feature[inner], weights=decrease, minlength=tree.n_features)
    importances: Floats = by_column / tree.weight[0]
    if normalize and importances.sum() > 0:
        importances /= importances.sum()
    return importances
