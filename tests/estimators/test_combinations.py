"""Every combination of criterion, search, selection, pruning and missing rows works, or says why not.

Random tables and random arguments, each pair of which comes up: a fit succeeds, and then its tree keeps every
rule, survives a round trip, answers rows with missing and unknown values, and gives the training rows the
nodes that they were counted at; or it raises a ValueError that is known, for arguments that deserve it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boxwood import Tree, TreeClassifier, TreeRegressor, check_tree, rules
from boxwood.criteria import CRITERIA, Impurity
from boxwood.grow import REGRESSION_CRITERIA, UNKNOWN_CATEGORY
from boxwood.grow.options import NUMBER_SPLITS
from boxwood.pruning import PRUNERS
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.select import SELECT

HOLDS_BACK = ("rep", "reduced_error")
"""Pruners that keep rows away from growing."""

REFUSALS: tuple[tuple[str, Callable[[dict[str, Any], bool], bool]], ...] = (
    ("select='.*' is not available with missing='fractional'", lambda a, _: a["missing"] == "fractional"),
    ("splitter='random' is not available with missing='f", lambda a, _: a["missing"] == "fractional"),
    ("monotonic constraints are not available with missing='f", lambda a, _: a["missing"] == "fractional"),
    ("criterion='root' is evaluated in Python, and missing='f", lambda a, _: a["missing"] == "fractional"),
    ("select='chi2_filter' tests a table of values and classes", lambda _, classes: not classes),
    ("[A-Za-z]+ counts wrong answers, and a regression tree has none", lambda _, classes: not classes),
    (".* cannot go together with missing='surrogate'", lambda a, _: a["missing"] == "surrogate"),
    ("missing='surrogate' cannot go together with a criterion", lambda a, _: a["missing"] == "surrogate"),
    ("categorical_split='.*' has no meaning with splitter='random'", lambda a, _: a["splitter"] == "random"),
    ("categorical_split='ordered' takes at most 2 classes", lambda _, classes: classes),
    ("categorical_split='exact' takes at most (16|20) categories", lambda _, classes: classes),
    ("categorical_split='.*' is not available with criterion='root'", lambda _, classes: classes),
    ("select='.*' is not available with criterion='root'", lambda _, classes: classes),
    ("Monotonicity constraints are not supported with multiclass", lambda a, _: "monotonic_cst" in a),
)
"""How refusals begin, and what must have been asked for: no failure inside can pass for one."""


def known(refusal: str, arguments: dict[str, Any], classes: bool) -> bool:
    return any(re.match(begins, refusal) and asked(arguments, classes) for begins, asked in REFUSALS)


def numeric(column: list[Any]) -> bool:
    return isinstance(column[0], float)  # the first row is always there


def draw_table(draw: random.Random, numbers: np.random.Generator) -> dict[str, list[Any]]:
    n_rows = draw.choice([1, 2, 8, 30, 120])
    table: dict[str, list[Any]] = {}
    for name in "abcd"[: draw.randint(1, 4)]:
        if draw.random() < 0.5:
            column: list[Any] = numbers.normal(size=n_rows).round(draw.choice([0, 1, 5])).tolist()
        else:
            column = [f"v{v}" for v in numbers.integers(0, draw.choice([1, 2, 4, 12, 30]), n_rows)]
        if draw.random() < 0.5:
            column = [None if draw.random() < 0.2 else value for value in column]
        table[name] = column
    return table


def draw_arguments(draw: random.Random, classes: bool) -> dict[str, Any]:
    arguments = {
        "criterion": draw.choice([*CRITERIA] if classes else REGRESSION_CRITERIA),
        "categorical_split": draw.choice([*CATEGORICAL_SPLITS] if classes else NUMBER_SPLITS),
        "missing": draw.choice([*MISSING_MODES] if classes else ["learn", "branch"]),
        "unknown_category": draw.choice([rule for rule in UNKNOWN_CATEGORY if rule != "error"]),
        "splitter": draw.choice(["best"] * 6 + ["random"]),
        "select": draw.choice(["score", *SELECT]),
        "pruning": draw.choice([None, None, *PRUNERS]),
        "max_depth": draw.choice([None, 1, 3]),
        "max_leaf_nodes": draw.choice([None, None, None, 2, 5]),
        "max_features": draw.choice([None, None, None, 1, "sqrt"]),
        "min_samples_leaf": draw.choice([1, 1, 3, 0.1]),
        "min_weight_leaf": draw.choice([0.0, 0.0, 0.01, 2.0]),
        "min_samples_category": draw.choice([None] * 6 + [2, 5.5]),
        "n_jobs": draw.choice([1, 2]),
        "random_state": 0,
    }
    if classes:
        arguments["proba"] = draw.choice(["raw", "laplace", "m-estimate"])
        arguments["min_significance"] = draw.choice([None] * 5 + [0.05, 0.5])
        arguments["mdl_stop"] = draw.random() < 0.15
        if draw.random() < 0.1:
            arguments["criterion"] = Impurity(np.sqrt, name="root")
    return arguments


def draw_by_class(draw: random.Random, numbers: np.random.Generator, labels: list[int]) -> dict[str, Any]:
    """Costs and weights of the classes that are there."""
    k = len(labels)
    arguments: dict[str, Any] = {}
    if draw.random() < 0.3:
        costs = numbers.integers(0, 5, (k, k)) + draw.choice([0.0, 0.5]) + 1.0
        costs[np.arange(k), np.arange(k)] = draw.choice([0.0, 0.5])
        arguments["cost_matrix"] = costs
    if draw.random() < 0.3:
        weights = {label: draw.choice([1, 3, 0.2]) for label in labels}
        arguments["class_weight"] = draw.choice(["balanced", weights])
    return arguments


def draw_weights(draw: random.Random, numbers: np.random.Generator, n_rows: int) -> np.ndarray | None:
    kind = draw.choice(["none", "none", "whole", "broken", "summing to one"])
    if kind == "none":
        return None
    if kind == "whole":
        return np.maximum(numbers.integers(0, 4, n_rows), np.arange(n_rows) == 0).astype(float)
    return numbers.random(n_rows) + 0.01 if kind == "broken" else np.full(n_rows, 1 / n_rows)


@pytest.mark.parametrize("seed", range(40))
def test_it_works_or_says_why_not(seed: int) -> None:
    refusals = 0
    for number in range(12):
        draw, numbers = random.Random(seed * 1000 + number), np.random.default_rng(seed * 1000 + number)
        classes = draw.random() < 0.75
        X = draw_table(draw, numbers)
        n_rows = len(X["a"])
        y = (
            numbers.integers(0, draw.choice([1, 2, 2, 3, 9]), n_rows)
            if classes
            else numbers.random(n_rows) + 0.1
        )
        weights, arguments = draw_weights(draw, numbers, n_rows), draw_arguments(draw, classes)
        if classes:
            arguments |= draw_by_class(draw, numbers, np.unique(y).tolist())
        if draw.random() < 0.1:
            arguments["monotonic_cst"] = {name: draw.choice([-1, 1]) for name in X if numeric(X[name])}
        model = (TreeClassifier if classes else TreeRegressor)(**arguments)
        try:
            model.fit(X, y, sample_weight=weights)
        except ValueError as error:
            if not known(str(error), arguments, classes):
                raise
            refusals += 1
            continue
        tree = model.tree_
        check_tree(tree)
        assert Tree.from_dict(tree.to_dict()) == tree
        if classes:
            np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        strange = {name: [None, "never" if isinstance(column[0], str) else 1e6] for name, column in X.items()}
        assert len(model.predict(strange)) == 2
        assert len(rules(model).predict(X)) == n_rows
        counted = arguments["pruning"] not in HOLDS_BACK and "class_weight" not in arguments
        if counted and (arguments["unknown_category"] != "stop" or arguments["min_samples_category"] is None):
            brought = np.ones(n_rows) if weights is None else weights
            row, end, share = tree.ends(model._encode(X)[1])
            met = np.bincount(end, share * brought[row], tree.n_nodes)
            np.testing.assert_allclose(met[tree.is_leaf], tree.weight[tree.is_leaf], rtol=1e-9, atol=1e-12)
    assert refusals < 12, "nothing worked"
