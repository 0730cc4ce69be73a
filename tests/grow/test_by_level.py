"""Growth level by level gives the tree that the fused growth gives, for every criterion the core has."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.criteria import CRITERIA, Impurity
from boxwood.data import make_dataset
from boxwood.grow import GrowOptions, grow_by_level, grow_tree


def table(seed: int, n_rows: int = 300, n_classes: int = 3):
    """Numbers with ties, numbers without, categories, missing cells, weights."""
    random = np.random.default_rng(seed)
    X = np.column_stack(
        [
            random.normal(size=n_rows).round(1),
            random.normal(size=n_rows),
            random.integers(0, 6, n_rows),
            random.integers(0, 25, n_rows),
        ]
    )
    X[random.random(X.shape) < 0.08] = np.nan
    y = (np.nan_to_num(X[:, 0]) > 0).astype(int) + random.integers(0, n_classes - 1, n_rows)
    return X, y, random.integers(1, 5, n_rows) / 4


OPTIONS = [
    {},
    {"max_depth": 4},
    {"min_samples_leaf": 7},
    {"min_weight_leaf": 3.5},
    {"missing": "branch", "min_samples_leaf": 2},
    {"max_leaf_nodes": 9},
    {"max_features": 2, "seed": 5},
    {"min_impurity_decrease": 0.005},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("criterion", CRITERIA)
def test_equals_fused_growth(criterion, options):
    """Both growths see the same candidates.

    With a minimum leaf size and missing rows, the gathered candidates once lacked the best cut: the first and
    the last allowed cut were kept for one way to place the missing rows only, and each way has its own.
    """
    for seed in range(3):
        X, y, weights = table(seed, n_classes=2 + seed)
        dataset = make_dataset(X, y, sample_weight=weights if seed else None, categorical_features=[2, 3])
        fused = grow_tree(dataset, GrowOptions(criterion=criterion, **options))
        by_level = grow_by_level(dataset, CRITERIA[criterion], GrowOptions(**options)).tree
        assert fused.n_leaves > 1
        for name in (
            "kind",
            "feature",
            "threshold",
            "first_child",
            "missing_branch",
            "category_code",
            "counts",
        ):
            np.testing.assert_array_equal(getattr(by_level, name), getattr(fused, name), err_msg=name)
        np.testing.assert_allclose(by_level.score, fused.score, atol=1e-9)
        np.testing.assert_allclose(by_level.impurity, fused.impurity, atol=1e-12)


class Counting:
    """A function of a user's that remembers the sizes of the arrays it got."""

    def __init__(self, vector):
        self.vector, self.sizes = vector, []

    def __call__(self, x):
        self.sizes.append(len(x))
        return 1 - (x**2).sum(axis=1) if self.vector else x * (1 - x)


def sizes_of_calls(n_rows, vector, **options):
    """The tree of a table, and the sizes of the arrays that a function was called with while it grew."""
    random = np.random.default_rng(3)
    X = random.normal(size=(n_rows, 3))
    y = (X[:, 0] + X[:, 1] + 2 * random.normal(size=n_rows) > 0).astype(int)
    function = Counting(vector)
    impurity = Impurity(function, vector=vector, name="counted")
    impurity.criterion(2)  # asks for many values, once, to see whether the function will do
    function.sizes.clear()
    tree = grow_tree(make_dataset(X, y), GrowOptions(criterion=impurity, **options))
    return tree, function.sizes


@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("n_rows", [300, 3000])
def test_a_function_is_called_once_for_each_level(n_rows, vector):
    """That was promised in three places, and nothing held growth to it."""
    tree, sizes = sizes_of_calls(n_rows, vector, max_depth=5)
    assert tree.depth == 5
    assert len(sizes) == 5 + 1  # one for each level that is searched, and one for the nodes of the tree
    assert min(sizes[:5]) > n_rows / 10  # branches of candidates of all columns and nodes of the level
    assert sizes[5] <= tree.n_nodes


@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("n_rows", [300, 3000])
def test_best_first_a_function_is_called_once_for_each_split(n_rows, vector):
    tree, sizes = sizes_of_calls(n_rows, vector, max_leaf_nodes=9)
    assert tree.n_leaves == 9
    assert len(sizes) == 1 + 8 + 1  # the root, the two nodes that each split opens, and the nodes of the tree
    assert min(sizes[:2]) > n_rows / 10
