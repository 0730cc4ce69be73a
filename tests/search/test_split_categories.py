"""``boxwood.split_categories``: what it takes, what it gives, what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import boxwood
from boxwood.criteria import CRITERIA, Impurity
from boxwood.search.categorical import GROUPINGS
from boxwood.search.categorical.one_table import METHODS

TABLE = np.array([[8.0, 1, 1], [1, 8, 1], [7, 2, 1], [1, 1, 8], [2, 2, 3]])


def test_a_value_without_weight_has_no_branch() -> None:
    branch, impurity = boxwood.split_categories(np.insert(TABLE, 0, 0.0, axis=0))
    plain, again = boxwood.split_categories(TABLE)
    assert branch[0] == -1
    assert (branch[1:] == plain).all()
    assert impurity == again


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("criterion", [*CRITERIA, Impurity(lambda p: p * (1 - p), curvature="concave")])
def test_every_criterion_goes_with_every_method(criterion: Any, method: str) -> None:
    table = TABLE[:, :2] if method == "ordered" else TABLE
    branch, impurity = boxwood.split_categories(table, criterion, method)
    n_branches = len(table) if method == "multiway" else 2
    assert sorted(set(branch.tolist())) == list(range(n_branches))
    assert impurity >= 0


def test_a_python_criterion_finds_what_the_compiled_one_finds() -> None:
    rng = np.random.default_rng(0)
    like_gini = Impurity(lambda p: p * (1 - p), curvature="concave")
    for _ in range(10):
        table = rng.integers(0, 8, (7, 3)) + np.eye(7, 3)
        for method in ("auto", "exact", "pc", "twoing", "sliq_ext", "chi2"):
            ours = boxwood.split_categories(table, like_gini, method)
            assert ours[0].tolist() == boxwood.split_categories(table, "gini", method)[0].tolist()


def test_weights_equal_repetition_and_scale_does_not_matter() -> None:
    for method in ("auto", *GROUPINGS):
        table = TABLE[:, :2] if method == "ordered" else TABLE
        expected, impurity = boxwood.split_categories(table, method=method)
        for scaled in (4 * table, table / 3):
            branch, again = boxwood.split_categories(scaled, method=method)
            assert (branch == expected).all(), method
            assert again == pytest.approx(impurity, abs=1e-12)


def test_what_mixing_classes_costs_decides_which_are_parted() -> None:
    table = np.diag([5.0, 5.0, 5.0])
    costs = np.ones((3, 3)) - np.eye(3)
    costs[0, 2] = costs[2, 0] = 10
    costs[1, 2] = costs[2, 1] = 10
    for method in ("squared_gini", "squared_gini_sdp"):
        assert boxwood.split_categories(table, method=method, class_costs=costs)[0].tolist() == [0, 0, 1]


def test_one_value_against_the_rest_is_the_best_of_its_kind() -> None:
    branch, impurity = boxwood.split_categories(TABLE, method="one_vs_rest")
    assert min(branch.sum(), 5 - branch.sum()) == 1
    assert impurity >= boxwood.split_categories(TABLE, method="exact")[1]


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ([[1, -2], [3, 4]], {}, r"table\[0, 1\] is -2.0"),
        ([[1, 2], [float("nan"), 4]], {}, r"table\[1, 0\] is nan"),
        ([[1, 2], [float("inf"), 4]], {}, r"table\[1, 0\] is inf"),
        ([1, 2], {}, "values x classes"),
        ([["a", "b"], ["c", "d"]], {}, "must hold numbers"),
        ([[1, 2], [0, 0]], {}, "weight for one value only"),
        ([[0, 0], [0, 0]], {}, "weight for no value; a split needs two"),
        (np.empty((0, 3)), {}, "weight for no value"),
        (np.empty((3, 0)), {}, "weight for no value"),
        ([[1, 0], [3, 0]], {}, "one class only"),
        (TABLE, {"method": "best"}, "method='best' is not one of"),
        (TABLE, {"criterion": "ginny"}, "criterion 'ginny' is unknown"),
        (TABLE, {"method": "ordered"}, "^method='ordered' takes at most 2 classes"),
        (
            np.arange(1, 64).reshape(21, 3),
            {"method": "exact"},
            "^method='exact' takes at most 20 categories, .* add the rows of rare values together$",
        ),
        (np.eye(17) + 1, {"method": "twoing"}, "at most 16 classes"),
        (np.arange(6003).reshape(2001, 3), {"method": "chi2"}, "at most 2,000 categories"),
        (np.arange(1503).reshape(501, 3), {"method": "chi2_sdp"}, "at most 500 categories"),
        (TABLE, {"class_costs": np.ones((3, 3))}, "only, not those of method='auto'"),
        (TABLE, {"method": "squared_gini", "class_costs": np.ones((2, 2))}, "square matrix"),
        (
            TABLE,
            {"method": "squared_gini", "class_costs": np.triu(np.ones((3, 3)))},
            r"symmetric: \[0, 1\] is 1.0, and \[1, 0\] is 0.0",
        ),
        (TABLE, {"method": "squared_gini", "class_costs": "high"}, "matrix of numbers, 3 x 3, not 'high'"),
        (TABLE, {"method": "squared_gini", "class_costs": [[1, 2], [3]]}, "matrix of numbers, 3 x 3"),
    ],
)
def test_refusals_name_the_reason(table: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        boxwood.split_categories(table, **options)


def test_many_values_are_no_wall() -> None:
    rng = np.random.default_rng(1)
    table = rng.multinomial(20, [0.1] * 10, size=20_000).astype(float)
    for method in ("auto", "pc", "pc_ext", "largest_alone", "list_scheduling", "one_vs_rest"):
        branch, _ = boxwood.split_categories(table, method=method)
        assert set(branch.tolist()) == {0, 1}


def test_one_of_very_many_values_stands_alone() -> None:
    """A matrix of values x values was made for this: 60,000 values took 29 GB."""
    rng = np.random.default_rng(1)
    table = rng.multinomial(20, [0.1] * 10, size=300_000).astype(float)
    table[200_000] = [0] * 9 + [500]
    branch, _ = boxwood.split_categories(table, method="one_vs_rest")
    assert np.flatnonzero(branch).tolist() == [200_000]
