"""What may be asked, what is refused, and what the checker sees."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood import OptimalTreeClassifier
from boxwood import certify as certify_estimator
from boxwood.data import make_dataset
from boxwood.optimal import CertificateError, Problem, certify, make_problem, solve
from boxwood.optimal.features import branch_of, cells_of
from boxwood.optimal.scale import make_scale
from boxwood.optimal.sketch import counts_of, leaves_of
from boxwood.optimal.solve import memory_bytes
from boxwood.tree import IsMissing, Subset, Threshold
from tests.oracles.brute_force_tree import Small, brute_force

XOR = [[0, 0], [0, 1], [1, 0], [1, 1]]


def problem_of(X: Any = XOR, y: Any = ("a", "b", "b", "a"), weight: Any = None, **limits: Any) -> Problem:
    return make_problem(make_dataset(X, list(y), weight), **limits)


@given(st.data())
def test_the_core_makes_cells_as_the_words_of_a_split_say(data: st.DataObject) -> None:
    """Thresholds take another way than the other splits, and every one must come to its own place."""
    numbers = st.sampled_from([0.0, -0.0, 1.0, 1.5, 2.0, np.nan])
    columns = [np.array(data.draw(st.lists(numbers, min_size=7, max_size=7))) for _ in range(2)]
    columns.append(np.array(data.draw(st.lists(st.integers(-1, 2), min_size=7, max_size=7)), dtype=np.int32))
    number, branch = st.integers(0, 1), st.integers(0, 1)
    threshold = st.builds(Threshold, number, st.sampled_from([-1.0, 0.0, 1.2, 1.5, 9.0]), branch)
    subset = st.builds(lambda code, way: Subset(2, {code: 0}, way, 1), st.integers(0, 2), branch)
    splits = data.draw(st.lists(st.one_of(threshold, subset, st.builds(IsMissing, number)), min_size=1))
    table = np.column_stack(columns[:2])  # columns of a row-major table lie apart
    cells = cells_of(splits, [table[:, 0], table[:, 1], columns[2]])
    expected = [branch_of(split, columns[split.feature]) for split in splits]
    assert cells.tolist() == np.column_stack(expected).tolist()


@given(st.integers(0, 2**32 - 1))
def test_a_tree_counts_the_rows_that_come_to_each_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (30, 3)), rng.integers(0, 3, 30)
    weight = rng.choice([0.5, 1.0, 2.0], 30) if seed % 2 else None
    problem = problem_of(X, y, weight)
    sketch = [
        [1, 0, -1, -1, 2, -1, -1],
        [1, 2, -1, -1, 5, -1, -1],
        [4, 3, -1, -1, 6, -1, -1],
        [-1, -1, 0, 1, -1, 2, 0],
    ]
    inside = {0: list(range(30))}
    for place, feature in enumerate(sketch[0]):
        if feature >= 0:
            inside[sketch[1][place]] = [row for row in inside[place] if X[row, feature] == 0]
            inside[sketch[2][place]] = [row for row in inside[place] if X[row, feature] == 1]
    weights, rows = counts_of(sketch, problem)
    for place, here in inside.items():
        for k, label in enumerate(problem.classes):
            of_class = [row for row in here if y[row] == label]
            assert rows[place, k] == len(of_class)
            assert weights[place, k] == sum(1.0 if weight is None else weight[row] for row in of_class)
    leaves = leaves_of(sketch, problem)
    assert all(row in inside[leaf] and sketch[0][leaf] < 0 for row, leaf in enumerate(leaves.tolist()))


def test_cells_must_be_binary() -> None:
    with pytest.raises(ValueError, match=r"column 'x1' holds 3\.0 in row 2"):
        problem_of([[0, 0], [0, 1], [1, 3], [1, 1]])
    with pytest.raises(ValueError, match="column 'x0' holds nan"):
        problem_of([[np.nan, 0], [0, 1], [1, 0], [1, 1]])
    with pytest.raises(ValueError, match="'colour' is categorical"):
        problem_of({"colour": ["red", "blue"]}, "ab")


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"max_depth": -1}, "max_depth must be a whole number of at least 0"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes must be a whole number of at least 1"),
        ({"min_samples_leaf": 0}, "min_samples_leaf"),
        ({"complexity": -0.5}, "complexity"),
        ({"complexity": np.inf}, "complexity"),
        ({"cost_matrix": [[0, 1, 1], [1, 0, 1]]}, r"the 2 classes, got the shape \(2, 3\)"),
        ({"cost_matrix": [[0, -1], [1, 0]]}, "cost_matrix must hold finite numbers"),
    ],
)
def test_limits_that_make_no_sense(limits: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        problem_of(**limits)


@pytest.mark.parametrize(
    "limits", [{"time_limit": -1}, {"max_gap": -1}, {"memory_limit": "much"}, {"n_threads": 0}]
)
def test_stops_that_make_no_sense(limits: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(limits))):
        solve(problem_of(), **limits)


def test_sane_answers_at_the_edges() -> None:
    assert solve(problem_of(max_depth=0)).n_leaves == 1
    assert solve(problem_of(max_depth=1)).objective == 2
    deep = solve(problem_of(max_depth=20))
    assert (deep.objective, deep.n_leaves, deep.status) == (0, 4, "optimal")
    one_class = solve(problem_of(y="aaaa"))
    assert (one_class.objective, one_class.n_leaves) == (0, 1)
    one_row = solve(problem_of([[0, 1]], "a", min_samples_leaf=5))
    assert (one_row.objective, one_row.n_leaves) == (0, 1)
    constant = solve(problem_of([[1], [1], [1]], "aab"))
    assert (constant.objective, constant.n_leaves) == (1, 1)
    dear = solve(problem_of(complexity=1e300))
    assert dear.n_leaves == 1


def test_ties_go_to_fewer_leaves_then_to_the_first_feature() -> None:
    result = solve(problem_of([[0, 0], [1, 1], [1, 1]], "abb", max_depth=2))
    assert (result.n_leaves, int(result.tree.feature[0])) == (2, 0)


def test_weights_decide() -> None:
    result = solve(problem_of(weight=[1, 1, 1, 0.25], max_depth=1))
    assert result.objective == 1.25
    assert (result.errors, result.weighted_errors) == (2, 1.25)
    certify(result, problem_of(weight=[1, 1, 1, 0.25], max_depth=1))


@given(st.integers(0, 2**32 - 1))
def test_random_weights_costs_and_leaf_costs(seed: int) -> None:
    """The objective of real numbers is the brute-force optimum of the rounded ones."""
    rng = np.random.default_rng(seed)
    n_rows, n_features = int(rng.integers(2, 11)), int(rng.integers(1, 4))
    cells = rng.integers(0, 2, (n_rows, n_features))
    y = rng.integers(0, 3, n_rows)
    k = len(np.unique(y))
    problem = problem_of(
        cells,
        y,
        rng.random(n_rows) + 0.1,
        max_depth=2,
        complexity=float(rng.choice([0, 0.1, rng.random()])),
        cost_matrix=None if rng.random() < 0.5 else rng.random((k, k)),
        min_samples_leaf=int(rng.integers(1, 3)),
    )
    result = solve(problem)
    certify(result, problem)
    scale = problem.scale
    optimum = brute_force(
        Small(
            problem.cells,
            problem.target,
            k,
            scale.weights,
            scale.costs,
            max_depth=2,
            min_rows=problem.min_samples_leaf,
            leaf_cost=scale.leaf_cost,
            weight_unit=scale.weight_unit,
        )
    )
    assert result.objective == scale.real(optimum)
    assert scale.rounding < 1e-3


def test_repetition_and_weight_are_the_same() -> None:
    rng = np.random.default_rng(2)
    cells, y = rng.integers(0, 2, (40, 5)), rng.integers(0, 3, 40)
    weight = rng.integers(1, 5, 40)
    weighted = solve(problem_of(cells, y, weight, max_depth=3))
    repeated = solve(problem_of(np.repeat(cells, weight, axis=0), np.repeat(y, weight), max_depth=3))
    assert weighted.objective == repeated.objective
    assert weighted.tree.feature.tolist() == repeated.tree.feature.tolist()


def test_more_freedom_is_never_worse() -> None:
    rng = np.random.default_rng(4)
    cells, y = rng.integers(0, 2, (60, 7)), rng.integers(0, 2, 60)
    by_depth = [solve(problem_of(cells, y, max_depth=depth)).objective for depth in range(6)]
    by_leaves = [solve(problem_of(cells, y, max_depth=4, max_leaf_nodes=n)).objective for n in range(1, 17)]
    by_features = [solve(problem_of(cells[:, :n], y)).objective for n in range(1, 8)]
    for values in (by_depth, by_leaves, by_features):
        assert values == sorted(values, reverse=True)
    assert by_leaves[-1] == by_depth[4]


def test_flipped_repeated_and_reordered_columns_change_nothing() -> None:
    rng = np.random.default_rng(6)
    cells, y = rng.integers(0, 2, (80, 8)), rng.integers(0, 3, 80)
    best = solve(problem_of(cells, y, max_depth=4)).objective
    for other in (1 - cells, cells[:, ::-1], np.hstack([cells, cells, 1 - cells])):
        assert solve(problem_of(other, y, max_depth=4)).objective == best


def test_the_checker_sees_lies() -> None:
    problem = problem_of(max_depth=2)
    result = solve(problem)
    stump = solve(problem_of(max_depth=1))
    assert certify(result, problem, stump.tree).objective == 0
    for lie, message in (
        (replace(result, objective=1.0), "the tree costs 0.0"),
        (replace(result, tree=stump.tree), "the tree costs 2.0"),
        (replace(stump, lower_bound=3.0), "exceeds the objective"),
        (replace(stump, lower_bound=1.0), "there is a gap"),
    ):
        with pytest.raises(CertificateError, match=message):
            certify(lie, problem)
    with pytest.raises(CertificateError, match="max_depth is 1"):
        certify(result, problem_of(max_depth=1))
    with pytest.raises(CertificateError, match="max_leaf_nodes is 3"):
        certify(result, problem_of(max_depth=2, max_leaf_nodes=3))
    with pytest.raises(CertificateError, match="min_samples_leaf"):
        certify(result, problem_of(max_depth=2, min_samples_leaf=2))
    with pytest.raises(CertificateError, match="below the lower bound"):
        certify(stump, problem, result.tree)


def test_an_initial_tree_of_another_table_is_refused() -> None:
    other = solve(problem_of([[0], [1]], "ab"))
    with pytest.raises(ValueError, match="initial_tree was grown on 1 features"):
        solve(problem_of(), initial_tree=other.tree)


def test_memory_in_words() -> None:
    assert memory_bytes("1.5 kB") == 1500
    assert memory_bytes("64MiB") == 64 * 2**20
    assert memory_bytes(0) == 1
    with pytest.raises(ValueError, match="not be negative"):
        memory_bytes(-1)


def test_whole_numbers_stay_and_others_are_rounded_once() -> None:
    assert make_scale(np.array([2.0, 5.0]), None, 0.0).rounding == 0
    thirds = make_scale(np.array([1 / 3, 2 / 3, 1.0]), None, 0.0)
    assert thirds.weights is not None
    assert thirds.weights.tolist() == [1, 2, 3]
    rough = make_scale(np.array([1.0, np.pi]), None, 0.0)
    assert rough.weights is not None
    assert int(rough.weights.sum()) < 2**31
    assert 0 < rough.rounding < 1e-8
    with pytest.raises(ValueError, match="divide sample_weight"):
        make_scale(np.array([2.0**52, 1.0]), np.array([[0, 9.0], [9.0, 0]]), 0.0)


@pytest.mark.parametrize("complexity", [12.0, 100.0, 1e9, 1e300])
def test_a_leaf_that_costs_more_than_all_rows(complexity: float) -> None:
    """The story: such a cost was cut down for the solver, and the objective was told with the cut one.

    With 100 a leaf, 60 rows and 25 errors the objective was 86.
    """
    problem = problem_of([[0, 1], [1, 1], [1, 0]] * 3, "abb" * 3, complexity=complexity)
    result = solve(problem)
    assert result.objective == result.lower_bound == complexity + 3
    assert certify(result, problem).objective == complexity + 3
    assert [step.objective for step in result.trace] == [complexity + 3]
    two = solve(problem_of([[0, 1], [1, 1], [1, 0]] * 3, "abb" * 3, max_depth=1)).tree
    certify(result, problem, two)
    model = OptimalTreeClassifier(features="binary", complexity=complexity)
    model.fit([[0, 1], [1, 1], [1, 0]] * 3, list("abb" * 3))
    assert model.result_.objective == complexity + 3
    certify_estimator(model, [[0, 1], [1, 1], [1, 0]] * 3, list("abb" * 3))


def test_limits_without_end_are_no_limits() -> None:
    """The story: infinite seconds and gaps are documented, and were an OverflowError; 2**70 a TypeError."""
    best = solve(problem_of(max_depth=2))
    assert solve(problem_of(max_depth=2), time_limit=np.inf, memory_limit=2**70).tree == best.tree
    assert solve(problem_of(max_depth=2), memory_limit="1000000000000000TB").tree == best.tree
    assert solve(problem_of(max_depth=2**70, max_leaf_nodes=2**70)).objective == 0
    assert solve(problem_of(min_samples_leaf=2**70)).tree.n_leaves == 1
    assert solve(problem_of(max_depth=2, complexity=0.1), max_gap=np.inf).gap < np.inf


@pytest.mark.parametrize(
    ("weights", "whole"),
    [([1.0, 2.5], [2, 5]), ([0.1, 0.25], [2, 5]), ([7 / 6, 5 / 3, 1.0], [7, 10, 6]), ([0.3, 0.7], [3, 7])],
)
def test_simple_fractions_are_exact(weights: list[float], whole: list[int]) -> None:
    """The story: class weights of 1 and 2.5 were rounded, and an objective of 8.5 was 8.50000000023."""
    scale = make_scale(np.array(weights), None, 0.0)
    assert scale.weights is not None
    assert scale.weights.tolist() == whole
    assert scale.rounding == 0
    assert np.isclose(scale.real(whole[0]), weights[0], rtol=1e-14)
