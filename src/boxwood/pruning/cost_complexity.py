"""Cost-complexity pruning: every leaf has a price, and the price is found by cross-validation.

Problem. For each price alpha of a leaf there is one smallest rooted subtree that minimises ``R(T) + alpha *
leaves(T)``. As alpha rises, these trees shrink from the full one to the root, each inside the one before
(Breiman et al. 1984, chapter 3). Find all of them, then the right alpha.

Idea. The weakest links become leaves one after the other (`core/pruning/weakest_link.hpp`). To choose: grow
such a family on all but one part of the rows, and let the rest judge, for every part in turn; tree k of the
whole table stands for prices between its own and the next, and is judged at their geometric mean. Of all
trees whose risk is within one standard error of the least, the smallest is taken (``rule="1se"``), or the
best itself ("min").

The risk R is the cost of the tree's answers ("error", Breiman's and rpart's), or its impurity ("impurity",
what scikit-learn's ``ccp_alpha`` means), in either case as a share of the weight of all rows. With
``risk="impurity"`` prices and trees are scikit-learn's to the last bit. For numbers, both mean the
criterion.

What we changed. Folds are at most as many as rows; every weight counts (a row of weight 2 is two rows
wherever the folds are given). Under "error", prices that differ by less than 1e-12 of themselves are one.
``X_val, y_val`` in place of folds choose alpha on rows of their own.

O(n log n + leaves * depth) for the path; ten more trees for ten folds.

Reference: L. Breiman, J. Friedman, R. Olshen, C. Stone, Classification and Regression Trees, 1984, sections
3.3, 3.4 and 11.5.
"""

from __future__ import annotations

import math
import numbers
from typing import Any, ClassVar, NamedTuple

import numpy as np
from sklearn.utils import Bunch

from boxwood._core import weakest_links
from boxwood.data import Dataset
from boxwood.pruning.arrivals import losses
from boxwood.pruning.cross_validation import folds
from boxwood.pruning.ledger import leaf_risk
from boxwood.pruning.pruner import MAY, NO, Material, Pruner, collapsed
from boxwood.tree import Tree
from boxwood.tree.arrays import Floats

RISKS = ("error", "impurity")
RULES = ("1se", "min")
SAME_PRICE = 1e-12


class Path(NamedTuple):
    """The trees of all prices.

    Attributes
    ----------
    alphas
        The price from which on each tree is the best; the first is 0.
    risks
        The risk of each tree.
    node_alpha
        For each node of the full tree the price at which it becomes a leaf; infinite for leaves.
    """

    alphas: Floats
    risks: Floats
    node_alpha: Floats


def pruning_path(tree: Tree, material: Material | None = None, risk: str = "error") -> Path:
    """The weakest links of a tree, one after the other, ties included.

    >>> from boxwood import TreeClassifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> path = pruning_path(TreeClassifier(max_depth=2).fit(penguins, species).tree_)
    >>> (path.alphas * len(species)).round(1)
    array([  0.,   5.,  54., 120.])
    """
    material = Material() if material is None else material
    total = float(tree.weight[0])
    if risk == "impurity" or tree.counts is None:
        cost = tree.weight * tree.impurity / total
        unit = 1.0
    else:  # whole numbers for whole weights, so that ties are ties
        cost = leaf_risk(tree, material)
        unit = total
    nodes, alphas, risks = weakest_links(tree.first_child, tree.n_children, np.ascontiguousarray(cost))
    node_alpha = np.full(tree.n_nodes, np.inf)
    # A link that rounding makes a little cheaper than the one before it comes after it all the same.
    alphas /= unit
    node_alpha[nodes] = np.maximum.accumulate(alphas)
    return Path(np.concatenate(([0.0], alphas)), risks / unit, node_alpha)


def cost_complexity_pruning_path(tree: Tree, risk: str = "impurity") -> Bunch:
    """The prices and risks of a tree's cost-complexity path, as scikit-learn gives them.

    Parameters
    ----------
    tree : Tree
        The full tree.
    risk : {"impurity", "error"}, default="impurity"
        What a leaf costs: scikit-learn's weighted impurity, or wrong answers.

    Returns
    -------
    Bunch
        ``ccp_alphas`` and ``impurities``, the sums over the leaves of the trees; one entry for each node that
        becomes a leaf, after one for the full tree.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins
    >>> from boxwood.pruning import cost_complexity_pruning_path
    >>> penguins, species, *_ = load_penguins()
    >>> tree = TreeClassifier(max_leaf_nodes=3).fit(penguins, species).tree_
    >>> cost_complexity_pruning_path(tree).ccp_alphas.round(3)
    array([0.   , 0.206, 0.33 ])
    """
    if risk not in RISKS:
        raise ValueError(f"risk={risk!r} is not one of {', '.join(map(repr, RISKS))}")
    path = pruning_path(tree, risk=risk)
    return Bunch(ccp_alphas=path.alphas, impurities=path.risks)


class CostComplexity(Pruner):
    """Breiman's pruning: a price per leaf, given or found by cross-validation.

    Parameters
    ----------
    alpha : float or None, default=None
        The price of a leaf, as a share of the weight of all rows; None: found by cross-validation.
    cv : int, splitter or iterable of (rows to grow on, rows to judge on), default=10
        The folds.
    rule : {"1se", "min"}, default="1se"
        Which tree: the smallest within one standard error of the best, or the best.
    risk : {"error", "impurity"}, default="error"
        What a leaf costs: wrong answers (or their cost), or its impurity.
    random_state : int, RandomState instance or None, default=None
        Deals out the rows to the folds; None: the estimator's own random state does.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins
    >>> from boxwood.pruning import CostComplexity
    >>> penguins, species, *_ = load_penguins()
    >>> TreeClassifier(pruning=CostComplexity(), random_state=0).fit(penguins, species).get_n_leaves()
    8
    >>> TreeClassifier(pruning=CostComplexity(alpha=0.1)).fit(penguins, species).get_n_leaves()
    3
    """

    FOR_NUMBERS: ClassVar[bool] = True

    def __init__(
        self,
        alpha: float | None = None,
        cv: Any = 10,
        rule: str = "1se",
        risk: str = "error",
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.cv = cv
        self.rule = rule
        self.risk = risk
        self.random_state = random_state

    @property
    def rows_wanted(self) -> str:
        """Rows to grow other trees on, unless the price is given."""
        return MAY if self.alpha is None else NO

    @property
    def validation_wanted(self) -> str:
        """Rows to judge on, in place of folds."""
        return MAY if self.alpha is None else NO

    def _check(self) -> None:
        if self.alpha is not None:
            self._check_number("alpha", 0.0, math.inf, closed=(True, False))
        self._check_name("rule", *RULES)
        self._check_name("risk", *RISKS)
        if isinstance(self.cv, numbers.Integral):
            if isinstance(self.cv, (bool, np.bool_)) or self.cv < 2:
                self._refuse("cv", "an int in the range [2, inf), a splitter or an iterable of splits")
        elif isinstance(self.cv, str) or not (hasattr(self.cv, "split") or hasattr(self.cv, "__iter__")):
            self._refuse("cv", "an int in the range [2, inf), a splitter or an iterable of splits")

    def _prune(self, tree: Tree, material: Material) -> Tree:
        path = pruning_path(tree, material, self.risk)
        alpha = self._choose(tree, path, material) if self.alpha is None else self.alpha
        return _priced(tree, path, alpha, self.risk)

    def _choose(self, tree: Tree, path: Path, material: Material) -> float:
        """The price that judges find best."""
        alphas = _distinct(path.alphas)
        judged_at = np.append(np.sqrt(alphas[:-1] * alphas[1:]), np.inf)
        sums = np.zeros((2, len(alphas)))
        if material.validation is not None:
            held = material.validation
            sums += _judged(tree, path, judged_at, held, self.risk, material)
            return _best_price(alphas, sums, float(held.weights.sum()), held.n_rows, self.rule)
        if material.rows is None or material.grow is None:
            raise ValueError(
                "CostComplexity(alpha=None) finds the price of a leaf on rows: give X and y beside a "
                "greedy estimator, which grows again on parts of them, or X_val and y_val, or alpha."
            )
        rows = material.rows
        weight, n_rows = 0.0, 0
        random_state = material.random_state if self.random_state is None else self.random_state
        for grown, judged in folds(rows, self.cv, random_state):
            if not grown.size or not judged.size:
                continue
            branch = material.grow(rows.take(grown))
            there = pruning_path(branch, material, self.risk)
            held = rows.take(judged)
            sums += _judged(branch, there, judged_at, held, self.risk, material)
            weight, n_rows = weight + float(held.weights.sum()), n_rows + held.n_rows
        return _best_price(alphas, sums, weight, n_rows, self.rule)


def _priced(tree: Tree, path: Path, alpha: float, risk: str) -> Tree:
    """The tree of a price: nodes that are cheaper as leaves at that price, or as cheap, are leaves."""
    bound = alpha if risk == "impurity" else alpha * (1 + SAME_PRICE)
    return collapsed(tree, path.node_alpha <= bound)


def _distinct(alphas: Floats) -> Floats:
    """The prices of a path without repetitions, rising."""
    rising = np.maximum.accumulate(np.maximum(alphas, 0.0))
    new = np.ones(len(rising), dtype=bool)
    new[1:] = rising[1:] > rising[:-1] * (1 + SAME_PRICE)
    return rising[new]


def _judged(tree: Tree, path: Path, alphas: Floats, rows: Dataset, risk: str, material: Material) -> Floats:
    """What rows lose with the tree of each price, and the squares of it, summed: of shape (2, prices).

    What changes when a node becomes a leaf is what it loses as one, less what the leaves below it lost just
    before; so a pass over the nodes gives the change at each price, and the prices in order their sums. Rows
    that are spread count as the parts that they are divided into.
    """
    inner = ~tree.is_leaf
    link = np.isfinite(path.node_alpha)
    # The lowest node at or above each one that becomes a leaf at some price.
    above = np.where(link, np.arange(tree.n_nodes), np.maximum(tree.parent, 0))
    while not np.array_equal(above, above[above]):
        above = above[above]
    owner = above[np.maximum(tree.parent, 0)]
    links = np.flatnonzero(link)
    order = links[np.argsort(path.node_alpha[links], kind="stable")]
    bound = alphas if risk == "impurity" else alphas * (1 + SAME_PRICE)
    reached = np.searchsorted(path.node_alpha[order], bound, side="right")
    sums = np.zeros((2, len(alphas)))
    for power in (1, 2):
        lost = losses(tree, rows, material.costs, material.n_threads, power=power)
        now = np.where(inner & ~link, lost.ending, lost.as_leaf)  # what each node that is there answers for
        below = np.bincount(owner[1:], now[1:], tree.n_nodes)
        change = lost.as_leaf - lost.ending - below
        full = float(np.where(inner, lost.ending, lost.as_leaf).sum())
        sums[power - 1] = full + np.concatenate(([0.0], np.cumsum(change[order])))[reached]
    return sums


def _best_price(alphas: Floats, sums: Floats, weight: float, n_rows: int, rule: str) -> float:
    """The price of the best tree, or of the smallest within one standard error of it."""
    if not n_rows:  # a single row makes no two folds, and has nothing to prune
        return float(alphas[0])
    mean = sums[0] / weight
    best = int(
        np.flatnonzero(mean <= mean.min() + SAME_PRICE * abs(mean.min())).max()
    )  # the smallest of equals
    if rule == "min":
        return float(alphas[best])
    # For errors, the mean of squares minus the square of the mean is p (1 - p).
    variance = max(0.0, float(sums[1, best] / weight - mean[best] ** 2))
    bound = mean[best] + math.sqrt(variance / max(weight, n_rows))
    return float(alphas[int(np.flatnonzero(mean <= bound * (1 + SAME_PRICE)).max())])
