"""Trees that divide rows among branches, or ask surrogates: what rules and scikit-learn say then."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from boxwood import TreeClassifier, rules, to_sklearn
from boxwood.data import Column, Schema
from boxwood.rules import Interval
from boxwood.tree import SPREAD, Surrogate, Threshold, UnknownCategoryError, build_tree, leaf, node

SCHEMA = Schema((Column("x", "numeric", "float"), Column("z", "numeric", "float")), named=True)
LEAVES = [leaf([3, 1]), leaf([1, 9])]


def divided():
    return build_tree(node(Threshold(0, 1.0, SPREAD), LEAVES), SCHEMA, ["no", "yes"])


def with_surrogate():
    split = Threshold(0, 1.0, 0, surrogates=(Surrogate(Threshold(1, 5.0), 0.9),))
    return build_tree(node(split, LEAVES), SCHEMA, ["no", "yes"])


def test_a_divided_row_takes_the_heaviest_branch():
    found = rules(divided())
    assert not found.exact
    assert [rule.conditions for rule in found] == [
        (Interval(0, high=1.0),),
        (Interval(0, low=1.0, missing=True),),
    ]
    assert found.predict([[0.0, 0.0], [2.0, 0.0], [np.nan, 0.0]]).tolist() == ["no", "yes", "yes"]
    assert "The tree divides rows with missing values among its branches" in str(found)


def test_a_row_that_would_ask_surrogates_takes_the_branch_for_missing_values():
    tree = with_surrogate()
    found = rules(tree)
    assert not found.exact
    columns = [np.array([0.0, 2.0, np.nan]), np.array([9.0, 1.0, 9.0])]
    assert tree.apply(columns).tolist() == [1, 2, 2]
    assert found.first_fitting(columns).tolist() == [0, 1, 0]
    assert "surrogates; these rules do not" in str(found)


def test_rules_refuse_no_row_that_the_tree_answers():
    """A row without a value takes the branch for missing values here, and the surrogate's branch in the tree.
    It could so come to a node where its category is unknown: with ``unknown_category="error"`` rules refused
    rows of the training table."""
    told = {"rules": 0, "tree": 0}
    for seed in range(20):
        draw = np.random.default_rng(seed)
        X = pd.DataFrame(
            {
                "a": draw.integers(0, 5, 80) * 1.0,
                "c": draw.choice(list("pqrs"), 80),
                "d": draw.choice(list("uvwx"), 80),
            }
        )
        y = X["a"] + X["c"].map(ord) + X["d"].map(ord) % 7 + 2 * draw.normal(size=80) > 119
        gaps = X.mask(draw.random(X.shape) < 0.2)
        model = TreeClassifier(missing="surrogate", unknown_category="error").fit(gaps, y)
        found = rules(model)
        assert not found.exact
        found.predict(gaps)
        new = pd.DataFrame({"a": [1.0] * 9, "c": [*"pqrs?", *"pqrs"], "d": [*"uvwx", *"uvwx?"]})
        new = pd.concat([new, new.mask(draw.random(new.shape) < 0.2)])
        for _, row in new.iterrows():
            one = row.to_frame().T
            try:
                answer = model.predict(one)
            except ValueError:
                told["tree"] += 1
                if not one.isna().to_numpy().any():
                    with pytest.raises(UnknownCategoryError):
                        found.predict(one)
                continue
            if not one.isna().to_numpy().any():
                assert found.predict(one) == answer
            else:
                found.predict(one)
                told["rules"] += 1
    assert min(told.values()) > 20


def test_scikit_learn_has_neither():
    with pytest.raises(ValueError, match="node 0 tests column 'x', which divides rows with a missing value"):
        to_sklearn(divided())
    with pytest.raises(ValueError, match="node 0 tests column 'x', which has surrogates"):
        to_sklearn(with_surrogate())
