import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import Column, Schema
from boxwood.tree import (
    IsMissing,
    Multiway,
    Subset,
    Threshold,
    TreeBuilder,
    TreeError,
    build_tree,
    leaf,
    node,
)
from tests.oracles.trees import trees
from tests.tree.examples import SCHEMA, every_kind, regression


@settings(max_examples=50)
@given(trees(), st.randoms())
def test_any_order_of_adding_gives_the_same_tree(tree, random):
    builder = TreeBuilder(
        tree.schema, tree.classes, missing=tree.missing, unknown_category=tree.unknown_category
    )
    order = list(range(tree.n_nodes))
    random.shuffle(order)
    added = {}
    for i in order:
        split = tree.split(i)
        more = {
            "n_rows": int(tree.n_rows[i]),
            "extra": {name: values[i] for name, values in tree.extra.items()},
        }
        if split is None:
            added[i] = builder.add_leaf(tree.counts[i], **more)
        else:
            added[i] = builder.add_split(split, score=tree.score[i], **more)
    random.shuffle(order)
    for i in order:
        if tree.children(i):
            builder.link(added[i], [added[child] for child in tree.children(i)])
    assert builder.build() == tree


def test_splits_are_kept_as_given():
    tree = every_kind()
    kinds = [type(tree.split(i)) for i in (0, 2, 4, 5, 10)]
    assert kinds == [Threshold, Threshold, Subset, IsMissing, Multiway]


def test_what_is_not_said_is_worked_out():
    tree = build_tree(node(Threshold(0, 1.5), [leaf([8, 1]), leaf([0, 4])]), SCHEMA, ["no", "yes"])
    assert tree.counts.tolist() == [[8, 5], [8, 1], [0, 4]]
    assert tree.n_rows.tolist() == [13, 9, 4]
    assert tree.weight.tolist() == [13, 9, 4]
    assert tree.impurity == pytest.approx([1 - (64 + 25) / 169, 1 - 65 / 81, 0])
    assert np.isnan(tree.score).all()
    assert tree.criterion == "gini"


def test_what_is_said_is_kept():
    children = [leaf([0.5, 1], n_rows=3, impurity=0.25), leaf([0, 4], n_rows=2, impurity=0.0)]
    root = node(Threshold(0, 1.5), children, counts=[0.5, 5], n_rows=5, impurity=0.75, score=0.1)
    tree = build_tree(
        root, SCHEMA, ["no", "yes"], criterion="hellinger", missing="branch", unknown_category="stop"
    )
    assert tree.impurity.tolist() == [0.75, 0.25, 0]
    assert tree.n_rows.tolist() == [5, 3, 2]
    assert tree.score[0] == 0.1
    assert (tree.criterion, tree.missing, tree.unknown_category) == ("hellinger", "branch", "stop")


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio"])
def test_entropy_in_bits(criterion):
    tree = build_tree(leaf([2, 1, 1, 0]), SCHEMA, list("abcd"), criterion=criterion)
    assert tree.impurity.tolist() == [1.5]
    assert build_tree(leaf([2, 0]), SCHEMA, list("ab"), criterion=criterion).impurity.tolist() == [0]


def test_regression():
    tree = regression()
    assert tree.classes is None
    assert tree.n_classes == 0
    assert tree.sums.tolist() == [[6, 28, 218], [4, 8, 17], [2, 20, 201]]
    assert tree.answer == pytest.approx([28 / 6, 2, 10])
    assert tree.impurity == pytest.approx([218 / 6 - (28 / 6) ** 2, 0.25, 0.5])
    median = build_tree(leaf(sums=(3, 6.0, 14.0), answer=1.5), SCHEMA)
    assert median.answer.tolist() == [1.5]


def test_further_columns():
    root = node(Threshold(0, 1.5), [leaf([8, 1], extra={"p": 0.5}), leaf([0, 4])], extra={"q": 1.0})
    tree = build_tree(root, SCHEMA, ["no", "yes"])
    assert tree.extra["p"].tolist() == pytest.approx([np.nan, 0.5, np.nan], nan_ok=True)
    assert tree.extra["q"].tolist() == pytest.approx([1, np.nan, np.nan], nan_ok=True)


def test_a_subtree_may_be_used_twice():
    same = leaf([1, 1])
    assert build_tree(node(Threshold(0, 1.5), [same, same]), SCHEMA, ["no", "yes"]).n_leaves == 2


@pytest.mark.parametrize(
    ("root", "rule"),
    [
        (leaf(), "node 0: a leaf needs counts"),
        (leaf([1, 2, 3]), "node 0: 3 numbers are given, and 2 needed"),
        (leaf([0.5, 0.25]), "node 0: a leaf of weight 0.75 needs n_rows"),
        (leaf([0, 0]), "node 0: it has 0 rows"),
        (leaf([2, -1]), "node 0: a class count is negative"),
        (node(Threshold(0, 1.5), [leaf([1, 1])]), "1 children are given, and there are 2 branches"),
        (node(Threshold(0, 1.5, 2), [leaf([1, 1])] * 2), "2 children are given, and there are 3 branches"),
        (node(Threshold(0, 1.5), []), "builder node 0 splits and has no children"),
        (node(Subset(1, {0: 0, 7: 1}), [leaf([1, 1])] * 2), "category code 7 is not one of its column's"),
        (node(Threshold(0, 1.5), [leaf([1, 1])] * 2, counts=[3, 3]), "children's rows|children's weights"),
    ],
)
def test_errors_name_the_node(root, rule):
    with pytest.raises(TreeError, match=rule):
        build_tree(root, SCHEMA, ["no", "yes"])


def test_impurities_of_unknown_criteria_must_be_given():
    with pytest.raises(TreeError, match="impurities must be given for the criterion 'hellinger'"):
        build_tree(leaf([1, 1]), SCHEMA, ["no", "yes"], criterion="hellinger")


def test_links_that_make_no_tree():
    def builder():
        fresh = TreeBuilder(Schema((Column("x", "numeric", "float"),), named=True), [0, 1])
        return fresh, fresh.add_leaf([1, 0]), fresh.add_leaf([0, 1])

    fresh, left, right = builder()
    with pytest.raises(TreeError, match="2 nodes have no parent"):
        fresh.build()
    root = fresh.add_split(Threshold(0, 1.0), [left, right])
    with pytest.raises(TreeError, match="has its children already"):
        fresh.link(root, [left, right])
    with pytest.raises(TreeError, match=f"builder node {left} has a parent already"):
        fresh.add_split(Threshold(0, 1.0), [left, right])
    with pytest.raises(TreeError, match="is a leaf and cannot have children"):
        fresh.link(left, [right])
    with pytest.raises(TreeError, match="0 nodes have no parent"):
        TreeBuilder(SCHEMA, [0, 1]).build()

    fresh, left, right = builder()
    one, other = fresh.add_split(Threshold(0, 1.0)), fresh.add_split(Threshold(0, 1.0))
    fresh.link(one, [other, left])
    fresh.link(other, [one, right])
    with pytest.raises(TreeError, match="0 nodes have no parent"):
        fresh.build()
    fresh.add_leaf([1, 1])
    with pytest.raises(TreeError, match="some nodes cannot be reached"):
        fresh.build()
