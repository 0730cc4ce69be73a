"""The rules of a tree answer as the tree does: for every row, missing and unknown values included."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import OptimalTreeClassifier, TreeClassifier, TreeRegressor, load_penguins, rules
from boxwood.data import MISSING, Column, Schema
from boxwood.rules import Categories, Interval
from boxwood.tree import (
    ERROR,
    SPREAD,
    STOP,
    Multiway,
    Threshold,
    Tree,
    UnknownCategoryError,
    arrays,
    build_tree,
    leaf,
    node,
)
from tests.oracles.naive_rules import row_fits
from tests.oracles.route import branch_of
from tests.oracles.trees import tables, trees


def undivided(tree: Tree) -> Tree:
    """The same tree where rows take the heaviest branch instead of being divided, and no surrogates."""
    special = (tree.missing_branch == SPREAD) | (tree.unknown_branch == SPREAD)
    if not special.any() and not tree.surrogate_offset[-1]:
        return tree
    names = [name for name in arrays.names(regression=tree.classes is None) if name not in arrays.SURROGATES]
    fields = {name: getattr(tree, name).copy() for name in names}
    for i in np.flatnonzero(special):
        heaviest = int(np.argmax([tree.weight[child] for child in tree.children(i)]))
        for branches in (fields["missing_branch"], fields["unknown_branch"]):
            branches[i] = heaviest if branches[i] == SPREAD else branches[i]
    return Tree.from_arrays(
        schema=tree.schema, classes=tree.classes, criterion=tree.criterion, check=False, **fields
    )


def end_by_rules(tree: Tree, plain: Tree, row: list[float]) -> tuple[int | None, int | None]:
    """Where a row ends by the rules, or where it is refused.

    A row for which surrogates would be asked may come to a node that the tree never sends it to, and is not
    refused there, but takes the branch for missing values.
    """
    at, sure = 0, True
    while True:
        split, asking = plain.split(at), tree.split(at)
        if split is None:
            return at, None
        cell, categorical = row[split.feature], tree.schema[split.feature].is_categorical
        branch = branch_of(split, cell, categorical=categorical)
        if branch == ERROR:
            if sure:
                return None, at
            branch = split.missing_branch
        if branch == STOP:
            return at, None
        if getattr(asking, "surrogates", ()):
            missing = cell == MISSING if categorical else math.isnan(cell)
            absent = categorical and cell not in asking.branches and asking.unknown_branch >= 0
            sure = sure and not missing and not absent
        at = plain.children(at)[branch]


@settings(max_examples=100)
@given(st.data())
def test_a_row_fits_the_rule_of_the_node_where_it_ends(data):
    tree = data.draw(trees(regression=None))
    columns = data.draw(tables(tree))
    found = rules(tree)
    plain = undivided(tree)
    assert found.exact or plain is not tree
    for place, row in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        fitting = [rule for rule in found if row_fits(rule.conditions, row)]
        one = [column[place : place + 1] for column in columns]
        end, refused = end_by_rules(tree, plain, row)
        if refused is None:
            assert [rule.node for rule in fitting] == [end]
            (number,) = found.first_fitting(one)
            assert found[number].node == end
            continue
        assert not fitting or tree.surrogate_offset[-1]
        with pytest.raises(UnknownCategoryError) as raised:
            found.first_fitting(one)
        assert (raised.value.node, raised.value.feature) == (refused, tree.feature[refused])


@settings(max_examples=30)
@given(st.data())
def test_conditions_ask_about_each_column_once_and_of_something(data):
    tree = data.draw(trees(regression=None, max_splits=10))
    for rule in rules(tree):
        features = [condition.feature for condition in rule.conditions]
        assert len(set(features)) == len(features)
        assert not any(condition.is_empty or condition.is_anything for condition in rule.conditions)


def test_infinite_numbers_take_their_branch():
    schema = Schema((Column("x", "numeric", "float"),), named=True)
    tree = build_tree(node(Threshold(0, 1.0, 0), [leaf([1, 0]), leaf([0, 1])]), schema, ["a", "b"])
    column = np.array([-math.inf, math.inf, math.nan])
    assert rules(tree).first_fitting([column]).tolist() == [0, 1, 0]


@pytest.fixture(scope="module")
def penguins():
    data = load_penguins()
    return data.data, data.target


@pytest.mark.parametrize(
    "model",
    [
        TreeClassifier(),
        TreeClassifier(missing="branch", unknown_category="stop"),
        OptimalTreeClassifier(max_depth=3),
        OptimalTreeClassifier(max_depth=2, cost_matrix=[[0, 1, 1], [9, 0, 9], [1, 1, 0]]),
    ],
)
def test_estimators(penguins, model):
    table, species = penguins
    model.fit(table, species)
    strange = {name: list(column) for name, column in table.items()}
    strange["island"][::3] = ["Atlantis"] * len(strange["island"][::3])
    strange["sex"][::4] = [None] * len(strange["sex"][::4])
    strange["bill_length_mm"][::5] = [None] * len(strange["bill_length_mm"][::5])
    found = rules(model)
    for rows in (table, strange):
        assert np.array_equal(found.predict(rows), model.predict(rows))
        assert np.array_equal(found.predict_proba(rows), model.predict_proba(rows))
    total = len(species)
    assert sum(rule.n_rows for rule in found) == total
    for rule in found:
        if rule.n_rows:
            share = rule.counts[model.classes_.tolist().index(rule.answer)] / total
            assert math.isclose(rule.support, share)
            assert math.isclose(rule.confidence, share / rule.coverage)
            assert math.isclose(rule.lift, rule.confidence / species.count(rule.answer) * total)


def test_regression(penguins):
    table, _ = penguins
    mass = [4000 if cell is None else cell for cell in table["body_mass_g"]]
    rest = {name: column for name, column in table.items() if name != "body_mass_g"}
    model = TreeRegressor(max_depth=5).fit(rest, mass)
    found = rules(model.tree_)
    assert np.array_equal(found.predict(rest), model.predict(rest))
    assert all(math.isnan(rule.confidence) for rule in found)
    with pytest.raises(TypeError, match="no class shares"):
        found.predict_proba(rest)
    with pytest.raises(ValueError, match="simplify=True is for classes"):
        rules(model, rest, mass, simplify=True)


@pytest.mark.parametrize("learner", [DecisionTreeClassifier, DecisionTreeRegressor])
def test_trees_of_scikit_learn(learner):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 3, 300)
    X[rng.random(X.shape) < 0.1] = np.nan
    fitted = learner(max_depth=6, random_state=0).fit(X, y)
    near = X * (1 + rng.choice([0, 1e-9, 1e-8], X.shape))
    for rows in (X, near):
        assert np.array_equal(rules(fitted).predict(rows), fitted.predict(rows))
        assert len(rules(fitted)) == fitted.get_n_leaves()


def test_rows_that_stop_have_a_rule_of_their_own():
    schema = Schema((Column("c", "categorical", "category", ("u", "v")),), named=True)
    tree = build_tree(node(Multiway(0, {0: 0, 1: 1}), [leaf([3, 1]), leaf([0, 2])]), schema, ["a", "b"])
    found = rules(tree)
    assert [rule.conditions for rule in found] == [
        (Categories(0, (), 2, missing=True, unknown=True),),
        (Categories(0, (0,), 2),),
        (Categories(0, (1,), 2),),
    ]
    assert [rule.n_rows for rule in found] == [0, 4, 2]
    assert found.predict({"c": ["u", "v", None, "w"]}).tolist() == ["a", "b", "a", "a"]
    assert found.predict_proba({"c": [None]}).tolist() == [[0.5, 0.5]]
    assert "c is missing or unknown" in str(found)


def test_a_lone_leaf_always_answers():
    schema = Schema((Column("x", "numeric", "float"),), named=True)
    found = rules(build_tree(leaf([1, 3]), schema, ["a", "b"]))
    assert found.predict([[1.0], [None]]).tolist() == ["b", "b"]
    assert found[0].conditions == ()
    assert "always" in str(found)


def test_a_path_that_contradicts_itself_has_no_rule():
    schema = Schema((Column("x", "numeric", "float"),), named=True)
    inner = node(Threshold(0, 5.0, 0), [leaf([3, 1]), leaf([1, 1])])
    tree = build_tree(node(Threshold(0, 2.0, 0), [inner, leaf([0, 2])]), schema, ["a", "b"])
    assert [rule.conditions for rule in rules(tree)] == [
        (Interval(0, high=2.0, missing=True),),
        (Interval(0, low=2.0),),
    ]


@pytest.mark.parametrize("given", [{"proba": "laplace"}, {"proba": "m-estimate", "proba_m": 3.0}], ids=str)
def test_probabilities_are_smoothed_where_the_estimator_smooths_them(penguins, given):
    """Rules called themselves exact, and gave the shares of leaves where the model gives smoothed ones."""
    table, species, *_ = penguins
    model = TreeClassifier(**given).fit(table, species)
    found = rules(model)
    assert found.exact
    np.testing.assert_array_equal(found.predict_proba(table), model.predict_proba(table))
    raw = rules(model.tree_).predict_proba(table)  # a tree smooths nothing
    np.testing.assert_array_equal(raw, TreeClassifier().fit(table, species).predict_proba(table))
    assert not np.allclose(raw, found.predict_proba(table))
