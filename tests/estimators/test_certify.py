"""The checker confirms what holds, and finds every lie that is told to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import boxwood
from boxwood import OptimalTreeClassifier, TreeClassifier, certify, load_penguins
from boxwood.data import make_dataset
from boxwood.optimal import CertificateError, make_problem, solve

PENGUINS, SPECIES, *_ = load_penguins()


@pytest.fixture
def model() -> OptimalTreeClassifier:
    return OptimalTreeClassifier(max_depth=2).fit(PENGUINS, SPECIES)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"max_depth": 0},
        {"class_weight": "balanced"},
        {"class_weight": {"Adelie": 0.37, "Gentoo": 1.11}, "complexity": 0.3},
        {"cost_matrix": [[0, 1, 2.5], [1, 0, 7], [0.1, 3, 0]], "max_leaf_nodes": 5},
        {"min_samples_leaf": 0.1, "min_weight_fraction_leaf": 0.15},
        {"n_thresholds": "grow", "early_stopping": True, "random_state": 3},
        {"max_depth": 6, "time_limit": 0},
        {"max_depth": 4, "max_gap": 3.5},
        {"memory_limit": 0},
        {"unknown_category": "error", "n_thresholds": "all"},
    ],
)
def test_what_holds_is_confirmed(arguments: dict[str, Any]) -> None:
    model = OptimalTreeClassifier(**arguments).fit(PENGUINS, SPECIES)
    certificate = certify(model, PENGUINS, SPECIES)
    assert certificate.objective == model.result_.objective
    assert certificate.optimal == model.result_.is_optimal
    assert certificate.depth == model.get_depth()


def test_weights_and_reordered_columns() -> None:
    weights = np.random.default_rng(0).choice([0.0, 0.3, 1.0, 2.2], len(SPECIES))
    model = OptimalTreeClassifier(max_depth=2).fit(PENGUINS, SPECIES, sample_weight=weights)
    turned = dict(reversed(PENGUINS.items()))
    assert certify(model, turned, SPECIES, weights).objective == model.result_.objective
    with pytest.raises(CertificateError, match="class counts"):
        certify(model, PENGUINS, SPECIES, weights + 1)


def test_a_result_with_its_problem() -> None:
    problem = make_problem(make_dataset([[0, 0], [0, 1], [1, 0], [1, 1]], list("abba")), max_depth=2)
    assert boxwood.certify(solve(problem), problem).n_leaves == 4


@pytest.mark.parametrize(
    ("lie", "found"),
    [
        ({"objective": 5.0, "lower_bound": 5.0}, "the tree costs 6.0, and the result says 5.0"),
        ({"lower_bound": 7.0}, "exceeds the objective"),
        ({"lower_bound": 4.0}, "there is a gap of 2.0"),
        ({"status": "gap", "lower_bound": 4.0}, "max_gap is 0"),
        ({"status": "done"}, "'done' is no status"),
        ({"errors": 4}, "6 rows are answered wrongly"),
        ({"weighted_errors": 4.5}, "their weight is 6.0"),
    ],
)
def test_lies_of_the_result_are_found(model: OptimalTreeClassifier, lie: dict[str, Any], found: str) -> None:
    model.result_ = replace(model.result_, **lie)
    with pytest.raises(CertificateError, match=found):
        certify(model, PENGUINS, SPECIES)


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ({"max_depth": 1}, "depth 2, and max_depth is 1"),
        ({"max_leaf_nodes": 3}, "4 leaves, and max_leaf_nodes is 3"),
        ({"min_samples_leaf": 90}, "fewer than min_samples_leaf"),
        ({"min_weight_fraction_leaf": 0.2}, "less than min_weight_fraction_leaf"),
        ({"complexity": 1.0}, "the tree costs 10.0"),
    ],
)
def test_broken_limits_are_found(model: OptimalTreeClassifier, arguments: dict[str, Any], found: str) -> None:
    model.set_params(**arguments)
    with pytest.raises(CertificateError, match=found):
        certify(model, PENGUINS, SPECIES)


def test_another_tree_is_found(model: OptimalTreeClassifier) -> None:
    other = TreeClassifier(max_depth=2).fit(PENGUINS, SPECIES).tree_
    model.tree_ = other
    with pytest.raises(CertificateError, match="tree_ is not the tree of result_"):
        certify(model, PENGUINS, SPECIES)
    model.result_ = replace(model.result_, tree=other)
    with pytest.raises(CertificateError, match="not in the search space"):
        certify(model, PENGUINS, SPECIES)


def test_other_answers_are_found(model: OptimalTreeClassifier) -> None:
    model._remember_answers((model._answers[1] + 1) % 3)
    with pytest.raises(CertificateError, match="the answers cost"):
        certify(model, PENGUINS, SPECIES)


def test_another_table_is_found(model: OptimalTreeClassifier) -> None:
    fewer = {name: column[:300] for name, column in PENGUINS.items()}
    with pytest.raises(CertificateError, match="class counts"):
        certify(model, fewer, SPECIES[:300])
    renamed = {**PENGUINS, "island": ["Atlantis"] * len(SPECIES)}
    with pytest.raises(CertificateError, match="column 'island' differs"):
        certify(model, renamed, SPECIES)
    with pytest.raises(CertificateError, match="not the labels"):
        certify(model, PENGUINS, [label.upper() for label in SPECIES])


def test_wrong_calls_are_refused(model: OptimalTreeClassifier) -> None:
    with pytest.raises(TypeError, match="needs the labels"):
        certify(model, PENGUINS)
    with pytest.raises(TypeError, match="not a TreeClassifier"):
        certify(TreeClassifier(), PENGUINS, SPECIES)
    with pytest.raises(TypeError, match="with its Problem"):
        certify(model.result_, PENGUINS, SPECIES)


def test_what_to_pass_in_place_of_a_pipeline_or_a_search() -> None:
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline

    X, y = [[0, 1], [1, 1], [1, 0], [0, 0]] * 3, [0, 1, 1, 0] * 3
    pipeline = make_pipeline(OptimalTreeClassifier(1)).fit(X, y)
    with pytest.raises(TypeError, match="not a Pipeline: pass its final step"):
        certify(pipeline, X, y)
    certify(pipeline[-1], X, y)
    search = GridSearchCV(OptimalTreeClassifier(), {"max_depth": [1]}, cv=2).fit(X, y)
    with pytest.raises(TypeError, match="not a GridSearchCV: pass its best_estimator_"):
        certify(search, X, y)
    certify(search.best_estimator_, X, y)
