"""Groupings as cuts of a graph: weights, GreedyCut, local search, and the semidefinite relaxation.

The problem: a vertex per category, and for each pair a weight that tells what parting the two is worth. A cut
divides the vertices in two; it weighs as much as the edges across. Find a heavy one: the heaviest is hard.

The pieces, each a file of the core (``core/search/categorical/max_cut``):

* :func:`cut_weights`: the weights, see :mod:`~boxwood.search.categorical.squared_gini` and
  :mod:`~boxwood.search.categorical.chi2`. What mixing two classes costs may enter the Squared-Gini weights:
  ``class_costs`` of :func:`boxwood.split_categories`, and a symmetric ``cost_matrix`` of a tree.
* :func:`greedy_cut`: vertices by falling weight of their edges, each to the side that cuts more of them.
  O(V^2), at least half of the maximum, since each vertex cuts at least half the weight of its edges to
  earlier ones.
* :func:`improve_cut`: the best move of a vertex, while there is one; then the best exchange of two; and so
  on, up to a limit.
* :func:`relax_cut`: unit vectors in place of sides. The mixing method (Wang, Chang and Kolter 2017) sets one
  vector after the other to the best one given the others, in ceil(sqrt(2 V)) + 1 dimensions, enough for the
  optimum of the full program.

Random hyperplanes through the origin round the vectors to cuts (Goemans and Williamson 1995). They are drawn
from a fixed seed: same table, same cut.

In a tree the cut decides how a column of categories is divided, and no more: which cut of a numeric column is
best, and which column is split, the criterion decides, as for every other search. The thesis (section 4.2.3)
goes on from there: a numeric attribute with t values is t - 1 attributes of two values each, and the best of
them is taken by the weight of their only edge; attributes compete by the weight of their cuts. That is not
what an impurity decides (squared branch shares favour even halves), so it is a criterion to be asked for:
:data:`boxwood.search.categorical.squared_gini.SQUARED_GINI` scores any split by the weight of its cut, which
lemma 1 gives in closed form, and :data:`boxwood.search.categorical.chi2.CHI2` by the chi-square statistic of
its branches, which for two values is the weight of their edge. (A column of more values competes in the
thesis by the sum of its edges over n - 1, which counts each value against each; here by the statistic of the
two groups, as numeric columns do.) The trees of the thesis are those of ``TreeClassifier(
criterion=SQUARED_GINI, categorical_split="squared_gini")`` and the same with ``CHI2`` and "chi2".

References: F. de Albuquerque Mello Pereira, Binary splitting criteria for large categorical attributes in
decision trees, thesis, PUC-Rio, 2018, chapter 4; M. Goemans, D. Williamson, Journal of the ACM 42 (1995)
1115-1145; P.-W. Wang, W.-C. Chang, J. Z. Kolter, The mixing method, arXiv:1706.00476.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boxwood import _core

Floats = NDArray[np.float64]
Weigh = Callable[[Floats, Floats], Floats]
"""Rows (P, K) of one value and rows (P, K) of another, for P pairs, to what parting each pair is worth."""


WITH_COSTS = ("squared_gini", "squared_gini_sdp")
"""The searches whose weights take what mixing two classes costs."""


def cut_weights(table: ArrayLike, weights: str | Weigh, class_costs: ArrayLike | None = None) -> Floats:
    """What parting each pair of categories is worth: a symmetric (V, V) matrix.

    Parameters
    ----------
    table
        Weights per category and class, (V, K).
    weights
        "squared_gini", "chi2", or a function of two arrays: row p of both together is a pair of rows of the
        table, and the function gives the weight of each pair. It must be symmetric and not negative.
    class_costs
        For "squared_gini", what mixing two classes costs, (K, K) and symmetric; None: 1 for each pair.

    Returns
    -------
    array of float64
        The weights, zero on the diagonal.

    Examples
    --------
    >>> from boxwood.search.categorical.max_cut import cut_weights
    >>> table = [[3.0, 1.0], [1.0, 3.0], [2.0, 2.0]]
    >>> cut_weights(table, "chi2").round(2).tolist()
    [[0.0, 1.0, 0.27], [1.0, 0.0, 0.27], [0.27, 0.27, 0.0]]
    >>> cut_weights(table, lambda a, b: abs(a - b).sum(axis=1)).tolist()
    [[0.0, 4.0, 2.0], [4.0, 0.0, 2.0], [2.0, 2.0, 0.0]]
    """
    counts = np.ascontiguousarray(table, dtype=np.float64)
    if isinstance(weights, str):
        costs = None if class_costs is None else np.ascontiguousarray(class_costs, dtype=np.float64)
        named: Floats = _core.cut_weights(counts, weights, costs)
        return named
    one, other = np.triu_indices(len(counts), 1)
    given = _call(weights, counts[one], counts[other])
    if not np.allclose(given, _call(weights, counts[other], counts[one])):
        raise ValueError(
            "the function of two rows is not symmetric: it gives another weight when they trade places"
        )
    matrix = np.zeros((len(counts), len(counts)))
    matrix[one, other] = matrix[other, one] = given
    return matrix


def _call(weigh: Weigh, one: Floats, other: Floats) -> Floats:
    """The weights that a user's function gives, checked."""
    given = np.asarray(weigh(one.copy(), other.copy()), dtype=np.float64)
    if given.shape != (len(one),):
        raise ValueError(
            f"the function of two rows gave an array of shape {given.shape} for {len(one)} pairs; it gets "
            "two arrays of shape (pairs, classes), and must give one weight per pair: sum along axis 1"
        )
    if not np.isfinite(given).all() or (given < 0).any():
        raise ValueError(
            f"the function of two rows gave the weight {given[~(given >= 0) | np.isinf(given)][0]}; "
            "weights must be finite and not negative"
        )
    return given


def greedy_cut(weights: ArrayLike) -> NDArray[np.uint8]:
    """The side of each vertex by GreedyCut.

    >>> greedy_cut([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]).tolist()
    [1, 0, 1]
    """
    side: NDArray[np.uint8] = _core.greedy_cut(np.ascontiguousarray(weights, dtype=np.float64))
    return side


def improve_cut(
    weights: ArrayLike, side: ArrayLike, *, moves: int | None = None, exchanges: int | None = None
) -> NDArray[np.uint8]:
    """The side of each vertex after local search; None means 10 moves and 1 exchange per vertex at most.

    >>> improve_cut([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], [0, 0, 1]).tolist()
    [1, 0, 1]
    """
    matrix = np.ascontiguousarray(weights, dtype=np.float64)
    improved: NDArray[np.uint8] = _core.improve_cut(
        matrix,
        np.ascontiguousarray(side, dtype=np.uint8),
        10 * len(matrix) if moves is None else moves,
        len(matrix) if exchanges is None else exchanges,
    )
    return improved


def relax_cut(weights: ArrayLike) -> tuple[float, Floats]:
    """The value of the semidefinite relaxation, no less than any cut, and a unit vector per vertex.

    >>> value, vectors = relax_cut([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> round(value, 4), vectors.shape
    (2.25, (3, 4))
    """
    value, vectors = _core.relax_cut(np.ascontiguousarray(weights, dtype=np.float64))
    return float(value), vectors


def heavy_cut(weights: ArrayLike, *, relaxed: bool = False) -> NDArray[np.uint8]:
    """The side of each vertex by GreedyCut, or by the relaxation, then local search.

    >>> heavy_cut([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]], relaxed=True).tolist() in (
    ...     [0, 1, 0],
    ...     [1, 0, 1],
    ... )
    True
    """
    side: NDArray[np.uint8] = _core.heavy_cut(np.ascontiguousarray(weights, dtype=np.float64), relaxed)
    return side


def cut_weight(weights: ArrayLike, side: ArrayLike) -> float:
    """What a cut weighs.

    >>> cut_weight([[0.0, 1.0, 2.0], [1.0, 0.0, 4.0], [2.0, 4.0, 0.0]], [0, 1, 0])
    5.0
    """
    matrix, sides = np.asarray(weights, dtype=np.float64), np.asarray(side)
    return float(matrix[sides[:, np.newaxis] != sides[np.newaxis, :]].sum() / 2)
