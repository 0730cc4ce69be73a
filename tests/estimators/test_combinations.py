"""Every combination of criterion, search, selection, pruning and missing rows works, or says why not.

Random tables and random arguments, each pair of which comes up: a fit succeeds, and then its tree keeps every
rule, survives a round trip, answers rows with missing and unknown values, and gives the training rows the
nodes that they were counted at; or it raises a ValueError, which is a sentence.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from boxwood import Tree, TreeClassifier, TreeRegressor, check_tree, rules
from boxwood.criteria import CRITERIA
from boxwood.grow import REGRESSION_CRITERIA, UNKNOWN_CATEGORY
from boxwood.grow.options import NUMBER_SPLITS
from boxwood.pruning import PRUNERS
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.select import SELECT

MOVES_ROWS = ("ebp", "error_based", "rep", "reduced_error", "ccp", "cost_complexity")
"""Pruners that hold rows back, grow on other ones, or send rows to other branches."""


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
    refusals: list[str] = []
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
        model = (TreeClassifier if classes else TreeRegressor)(**arguments)
        try:
            model.fit(X, y, sample_weight=weights)
        except ValueError as error:
            refusals.append(str(error))
            continue
        tree = model.tree_
        check_tree(tree)
        assert Tree.from_dict(tree.to_dict()) == tree
        if classes:
            np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
        strange = {name: [None, "never" if isinstance(column[0], str) else 1e6] for name, column in X.items()}
        assert len(model.predict(strange)) == 2
        assert len(rules(model).predict(X)) == n_rows
        counted = weights is None and not tree.spreads and arguments["pruning"] not in MOVES_ROWS
        if counted and (arguments["unknown_category"] != "stop" or arguments["min_samples_category"] is None):
            met = np.bincount(model.apply(X), minlength=tree.n_nodes)
            assert (met[tree.is_leaf] == tree.n_rows[tree.is_leaf]).all()
    assert len(refusals) < 12, "nothing worked"
    assert all(len(refusal) > 40 for refusal in refusals), "a refusal that is no sentence"
