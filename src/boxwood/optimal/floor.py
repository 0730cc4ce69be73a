"""What no tree costs less than, whatever its splits.

A bound over some splits says nothing about the trees that others would allow. This one needs no splits: a
tree of L leaves pays for L leaves, and answers with at most L classes, so that all rows of the others are
answered wrongly. The least of that over the L that the limits allow holds for every threshold and every
grouping of categories. With a cost matrix, rows cost at least what their cheapest answer does.

It is weak, and it is often all that is needed: a tree without errors and without a price for leaves cannot be
beaten, and neither can a single leaf where a second one costs more than all errors.
"""

from __future__ import annotations

import numpy as np

from boxwood.optimal.problem import Problem


def floor_of(problem: Problem) -> float:
    """The bound, in units of the objective.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> dataset = make_dataset([[0], [1], [1]], ["no", "yes", "yes"])
    >>> [floor_of(make_problem(dataset, complexity=leaf)) for leaf in (0.0, 0.25, 2.0)]
    [0.0, 0.5, 3.0]
    """
    scale = problem.scale
    k = len(problem.classes)
    sums = np.bincount(problem.target, scale.weights, minlength=k)  # whole numbers, exact below 2**53
    weight = sorted((int(value) for value in sums), reverse=True)
    if scale.costs is None:
        errors = [sum(weight[n:]) for n in range(1, k + 1)]
    else:
        costs = [[int(cost) for cost in row] for row in scale.costs]
        by_truth = [int(value) for value in sums]
        one = min(sum(by_truth[i] * costs[i][j] for i in range(k)) for j in range(k))
        errors = [one, sum(by_truth[i] * min(costs[i]) for i in range(k))]
    most = _most_leaves(problem)
    return min(
        scale.real(scale.weight_unit * wrong + scale.leaf_cost * n, n)
        for n, wrong in enumerate(errors, 1)
        if n <= most
    )


def _most_leaves(problem: Problem) -> int:
    """No tree has more leaves, by depth, number of leaves and rows."""
    by_rows = max(1, problem.n_rows // problem.min_samples_leaf)
    by_depth = 2 ** min(int(problem.max_depth), 60)
    by_leaves = by_rows if problem.max_leaf_nodes is None else int(problem.max_leaf_nodes)
    return int(min(by_rows, by_depth, by_leaves))
