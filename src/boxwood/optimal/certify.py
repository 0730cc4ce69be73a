"""A separate checker: does the tree cost what the solver says?

Nothing of the solver is used. The rows are routed through the finished `Tree`, once by the library's one
routing rule and once by plain comparisons; classes are counted and costs added up in Python's whole numbers;
every limit is looked at. What cannot be checked this way is the lower bound itself: that no better tree is
there is the solver's word (its tests compare it with brute force). What is checked about it is that it does
not exceed the objective, meets it where the status says "optimal", and does not exceed the cost of any other
tree that the caller knows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from boxwood.optimal.problem import Problem
from boxwood.optimal.result import Result
from boxwood.optimal.sketch import best_answer
from boxwood.tree import Tree


class CertificateError(ValueError):
    """The result does not hold on the rows."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What was confirmed."""

    objective: float
    lower_bound: float
    optimal: bool
    n_leaves: int
    depth: int


def certify(result: Result, problem: Problem, *others: Tree) -> Certificate:
    """Confirm objective, limits and bounds of a result.

    Parameters
    ----------
    result
        What `solve` returned.
    problem
        The problem it was given.
    *others
        Further trees on the same features: none may cost less than the lower bound.

    Returns
    -------
    Certificate
        What was confirmed. A `CertificateError` says what does not hold.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem, solve
    >>> dataset = make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"])
    >>> problem = make_problem(dataset, max_depth=2)
    >>> certify(solve(problem), problem)
    Certificate(objective=0.0, lower_bound=0.0, optimal=True, n_leaves=4, depth=2)
    """
    objective = problem.scale.real(_cost(result.tree, problem), result.tree.n_leaves)
    tolerance = 1e-9 * max(1.0, abs(objective))
    if not math.isclose(objective, result.objective, rel_tol=1e-9, abs_tol=1e-12):
        raise CertificateError(f"the tree costs {objective}, and the result says {result.objective}")
    if result.lower_bound > result.objective + tolerance:
        raise CertificateError(
            f"the lower bound {result.lower_bound} exceeds the objective {result.objective}"
        )
    if result.is_optimal and result.lower_bound < result.objective - tolerance:
        raise CertificateError(f"the status is optimal, and there is a gap of {result.gap}")
    for place, other in enumerate(others):
        cost = problem.scale.real(_cost(other, problem), other.n_leaves)
        if cost < result.lower_bound - tolerance:
            raise CertificateError(
                f"tree {place} costs {cost}, which is below the lower bound {result.lower_bound}"
            )
    return Certificate(
        objective=objective,
        lower_bound=result.lower_bound,
        optimal=result.is_optimal,
        n_leaves=result.tree.n_leaves,
        depth=result.tree.depth,
    )


def _cost(tree: Tree, problem: Problem) -> int:
    """What a tree costs, in the solver's units; raises if it breaks a limit."""
    leaf_of = _route(tree, problem)
    by_rule = tree.apply([column.astype(np.float64) for column in problem.cells.T])
    if not np.array_equal(leaf_of, by_rule):
        raise CertificateError("the routing rule sends a row to another leaf than the tree's tests say")
    if tree.depth > problem.max_depth:
        raise CertificateError(f"the tree has the depth {tree.depth}, and max_depth is {problem.max_depth}")
    if problem.max_leaf_nodes is not None and tree.n_leaves > problem.max_leaf_nodes:
        raise CertificateError(
            f"the tree has {tree.n_leaves} leaves: max_leaf_nodes is {problem.max_leaf_nodes}"
        )
    scale = problem.scale
    total = 0
    for leaf in np.flatnonzero(tree.is_leaf).tolist():
        rows = np.flatnonzero(leaf_of == leaf)
        if tree.n_leaves > 1:
            if len(rows) < problem.min_samples_leaf:
                raise CertificateError(f"leaf {leaf} holds {len(rows)} rows, fewer than min_samples_leaf")
            weight = float(problem.weights[rows].sum())
            if weight < problem.min_weight_leaf * (1 - 1e-6):
                raise CertificateError(f"leaf {leaf} has the weight {weight}, less than min_weight_leaf")
        counts = np.bincount(problem.target[rows], problem.weights[rows], minlength=len(problem.classes))
        if tree.counts is None or not np.allclose(counts, tree.counts[leaf], rtol=1e-9):
            raise CertificateError(f"leaf {leaf} has the class counts {counts}, and the tree says otherwise")
        total += scale.weight_unit * best_answer(rows, problem)[1] + scale.leaf_cost
    return total


def _route(tree: Tree, problem: Problem) -> np.ndarray:
    """The leaf of every row, by the tests as they are written."""
    at = np.zeros(problem.n_rows, dtype=np.int32)
    for _ in range(tree.depth):
        inner = ~tree.is_leaf[at]
        rows = np.flatnonzero(inner)
        nodes = at[rows]
        values = problem.cells[rows, tree.feature[nodes]].astype(np.float64)
        at[rows] = tree.first_child[nodes] + (values > tree.threshold[nodes])
    return at
