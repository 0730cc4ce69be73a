"""Trees as the solver writes them, and as `boxwood.tree.Tree`.

A sketch is four lists, one number per node, the root first and children after their parents: the feature (-1
for a leaf), the places of the children (branch 0 for the value 0), and the class that a leaf answers with.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.optimal.problem import Problem
from boxwood.tree import Threshold, Tree, TreeBuilder

Sketch: TypeAlias = list[list[int]]


Counts: TypeAlias = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]


def counts_of(sketch: Sketch, problem: Problem) -> Counts:
    """The weight, and the number, of the rows of each class at each node.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> problem = make_problem(make_dataset([[0], [1], [1]], ["no", "yes", "yes"], sample_weight=[1, 1, 2]))
    >>> counts_of([[0, -1, -1], [1, -1, -1], [2, -1, -1], [-1, 0, 1]], problem)
    (array([[1., 3.],
           [1., 0.],
           [0., 3.]]), array([[1, 2],
           [1, 0],
           [0, 2]]))
    """
    feature, left, right, _ = sketch
    shape = (len(feature), len(problem.classes))
    places = leaves_of(sketch, problem) * shape[1] + problem.target
    rows = np.bincount(places, minlength=shape[0] * shape[1]).reshape(shape)
    if problem.scale.weights is None and problem.scale.weight_factor == 1.0:  # every row weighs 1
        weights = rows.astype(np.float64)
    else:
        sums = np.bincount(places, problem.weights, minlength=shape[0] * shape[1])
        weights = sums.astype(np.float64, copy=False).reshape(shape)
    for place in reversed(range(len(feature))):  # children come after their parents
        if feature[place] >= 0:
            rows[place] = rows[left[place]] + rows[right[place]]
            weights[place] = weights[left[place]] + weights[right[place]]
    return weights, rows


def tree_of(sketch: Sketch, problem: Problem, counts: Counts | None = None) -> Tree:
    """The tree, with the rows, weights and class counts of every node; `counts` are those of `counts_of`.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> problem = make_problem(make_dataset([[0], [1], [1]], ["no", "yes", "yes"]))
    >>> tree_of([[0, -1, -1], [1, -1, -1], [2, -1, -1], [-1, 0, 1]], problem).counts
    array([[1., 2.],
           [1., 0.],
           [0., 2.]])
    """
    feature, left, right, _ = sketch
    weights, rows = counts_of(sketch, problem) if counts is None else counts
    n_rows = rows.sum(axis=1)
    builder = TreeBuilder(problem.schema, problem.classes)
    for place, tested in enumerate(feature):
        if tested < 0:
            builder.add_leaf(weights[place], n_rows=int(n_rows[place]))
        else:
            builder.add_split(Threshold(tested, 0.5), counts=weights[place], n_rows=int(n_rows[place]))
    for place, tested in enumerate(feature):
        if tested >= 0:
            builder.link(place, [left[place], right[place]])
    return builder.build()


def sketch_of(tree: Tree, problem: Problem) -> Sketch:
    """A tree on the problem's features as a sketch; its leaves answer as suits the problem's rows best.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> problem = make_problem(make_dataset([[0], [1], [1]], ["no", "yes", "yes"]))
    >>> sketch = [[0, -1, -1], [1, -1, -1], [2, -1, -1], [-1, 0, 1]]
    >>> sketch_of(tree_of(sketch, problem), problem) == sketch
    True
    """
    if tree.n_features != problem.n_features:
        raise ValueError(
            f"initial_tree was grown on {tree.n_features} features, and the problem has {problem.n_features}"
        )
    feature, left, right, answer = ([-1] * tree.n_nodes for _ in range(4))
    inside: list[np.ndarray | None] = [None] * tree.n_nodes
    inside[0] = np.arange(problem.n_rows)
    for place in range(tree.n_nodes):
        rows = inside[place]
        assert rows is not None  # breadth-first: parents come first
        if tree.is_leaf[place]:
            answer[place] = best_answer(rows, problem)[0]
            continue
        threshold = float(tree.threshold[place])
        if tree.n_children[place] != 2 or not 0 <= threshold < 1:
            raise ValueError(f"initial_tree: the split of node {place} is no test of a 0/1 feature")
        feature[place], left[place] = int(tree.feature[place]), int(tree.first_child[place])
        right[place] = left[place] + 1
        one = problem.cells[rows, feature[place]] == 1
        inside[left[place]], inside[right[place]] = rows[~one], rows[one]
    return [feature, left, right, answer]


def best_answer(rows: np.ndarray, problem: Problem) -> tuple[int, int]:
    """The class that costs least on these rows (the first of several), and its cost in the solver's units.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> problem = make_problem(make_dataset([[0], [1], [1]], ["no", "yes", "yes"]))
    >>> best_answer(np.arange(3), problem)
    (1, 1)
    """
    k = len(problem.classes)
    whole = problem.scale.weights
    # Sums of whole numbers below 2**53 are exact in float64.
    sums = np.bincount(problem.target[rows], None if whole is None else whole[rows], minlength=k)
    weight = [int(value) for value in sums]
    costs = problem.scale.costs

    def cost(truth: int, answer: int) -> int:
        return int(truth != answer) if costs is None else int(costs[truth, answer])

    by_answer = [sum(weight[i] * cost(i, j) for i in range(k)) for j in range(k)]
    answer = min(range(k), key=by_answer.__getitem__)
    return answer, by_answer[answer]


def leaves_of(sketch: Sketch, problem: Problem) -> npt.NDArray[np.int64]:
    """The place of each row's leaf.

    >>> from boxwood.data import make_dataset
    >>> from boxwood.optimal import make_problem
    >>> problem = make_problem(make_dataset([[0], [1], [1]], ["no", "yes", "yes"]))
    >>> leaves_of([[0, -1, -1], [1, -1, -1], [2, -1, -1], [-1, 0, 1]], problem)
    array([1, 2, 2])
    """
    return problem.core.leaves(sketch).astype(np.int64)
