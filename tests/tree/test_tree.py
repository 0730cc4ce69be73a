import copy
import weakref

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.tree import Threshold, Tree, TreeError, build_tree, leaf, node
from boxwood.tree import arrays as array_names
from tests.oracles.trees import trees
from tests.tree.examples import SCHEMA, chain, every_kind, regression, stump


def fields_of(tree: Tree) -> dict:
    names = array_names.names(regression=tree.classes is None)
    return {
        "schema": tree.schema,
        "classes": tree.classes,
        "criterion": tree.criterion,
        "missing": tree.missing,
        "unknown_category": tree.unknown_category,
        **{name: getattr(tree, name) for name in names},
    }


def test_size():
    tree = every_kind()
    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (15, 10, 4)
    assert (tree.node_count, tree.max_depth) == (15, 4)
    assert (tree.n_features, tree.n_classes) == (3, 3)
    lone = build_tree(leaf([3, 1]), SCHEMA, ["a", "b"])
    assert (lone.n_nodes, lone.n_leaves, lone.depth) == (1, 1, 0)
    assert lone.parent.tolist() == [-1]
    assert lone.feature_importances().tolist() == [0, 0, 0]


def test_breadth_first():
    tree = every_kind()
    assert tree.parent.tolist() == [-1, 0, 0, 0, 2, 2, 4, 4, 4, 5, 5, 10, 10, 10, 10]
    assert tree.node_depth.tolist() == [0, 1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 4, 4, 4, 4]
    assert tree.is_leaf.tolist() == [tree.split(i) is None for i in range(15)]
    assert list(tree.children(2)) == [4, 5]
    assert list(tree.children(1)) == []


@settings(max_examples=50)
@given(trees(regression=None))
def test_derived_arrays_agree_with_the_children(tree):
    depth = {0: 0}
    parent = {0: -1}
    for i in range(tree.n_nodes):
        for child in tree.children(i):
            depth[child] = depth[i] + 1
            parent[child] = i
    assert tree.node_depth.tolist() == [depth[i] for i in range(tree.n_nodes)]
    assert tree.parent.tolist() == [parent[i] for i in range(tree.n_nodes)]
    assert tree.depth == max(depth.values())
    assert tree.n_leaves == sum(not tree.children(i) for i in range(tree.n_nodes))


def test_repr_is_one_short_line():
    assert repr(every_kind()) == "Tree(classification, 10 leaves, depth 4, 3 features, 3 classes)"
    assert repr(regression()) == "Tree(regression, 2 leaves, depth 1, 3 features)"
    one = build_tree(leaf([3]), SCHEMA, ["a"])
    assert repr(one) == "Tree(classification, 1 leaf, depth 0, 3 features, 1 class)"


def test_split_of_a_node():
    tree = every_kind()
    assert tree.split(0) == Threshold(0, 1.5, 2)
    assert tree.split(1) is None
    assert tree.split(-1) is None
    assert tree.split(10).groups == ((0, 3), (1,), (4,), ())
    with pytest.raises(IndexError):
        tree.split(15)


# ------------------------------------------------------------------------------------------ immutability


def test_nothing_can_be_written():
    tree = every_kind()
    for name, value in fields_of(tree).items():
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(tree, name, value)
        if isinstance(value, np.ndarray) and value.size:
            with pytest.raises(ValueError, match="read-only"):
                value[0] = value[-1]
    for name in ("parent", "node_depth", "is_leaf", "value"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(tree, name)[0] = 0
    with pytest.raises(AttributeError):
        del tree.kind
    with pytest.raises(TypeError):
        tree.with_extra("p", np.zeros(15)).extra["p"] = 1
    with pytest.raises(AttributeError, match="cannot be changed"):
        tree.__setstate__(stump().__getstate__())
    with pytest.raises(TypeError, match="build_tree"):
        Tree()


def test_later_changes_of_the_given_arrays_do_not_reach_the_tree():
    fields = {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in fields_of(stump()).items()
    }
    # A read-only view of memory that somebody can write is not safe either.
    weight = fields["weight"]
    fields["weight"] = weight.view()
    fields["weight"].flags.writeable = False
    tree = Tree.from_arrays(**fields)
    for value in (*fields.values(), weight):
        if isinstance(value, np.ndarray) and value.flags.writeable:
            value[...] = value[::-1].copy()
    assert tree == stump()


def test_copy_false_takes_the_arrays_over():
    fields = {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in fields_of(stump()).items()
    }
    tree = Tree.from_arrays(**fields, copy=False)
    assert np.shares_memory(tree.counts, fields["counts"])
    assert not fields["counts"].flags.writeable


def test_frozen_arrays_are_shared():
    tree = stump()
    again = Tree.from_arrays(**fields_of(tree))
    assert np.shares_memory(tree.counts, again.counts)
    assert np.shares_memory(tree.counts, tree.with_extra("p", [1, 2, 3]).counts)


def test_from_arrays_says_what_is_wrong():
    fields = fields_of(stump())
    with pytest.raises(TypeError, match=r"lacking or do not belong here: feature$"):
        Tree.from_arrays(**{k: v for k, v in fields.items() if k != "feature"})
    with pytest.raises(TypeError, match="answer, counts, sums"):
        Tree.from_arrays(**{**fields, "classes": None})
    with pytest.raises(TreeError, match="feature is an array of float64"):
        Tree.from_arrays(**{**fields, "feature": [0.0, -2.0, -2.0]})
    with pytest.raises(TreeError, match="n_rows is an array of bool"):
        Tree.from_arrays(**{**fields, "n_rows": [True, True, True]})
    with pytest.raises(TreeError, match="parent does not agree"):
        Tree.from_arrays(**fields, parent=[-1, 0, 1])
    assert Tree.from_arrays(**fields, parent=[-1, 0, 0]) == stump()


# ------------------------------------------------------------------------------------------ equality


def changed(tree: Tree, **changes) -> Tree:
    return Tree.from_arrays(**{**fields_of(tree), **changes})


def test_equal_content_makes_equal_trees():
    assert every_kind() == every_kind()
    assert hash(every_kind()) == hash(every_kind())
    assert len({every_kind(), every_kind(), stump()}) == 2
    assert stump() != "a tree"
    assert copy.copy(tree := stump()) is tree
    assert copy.deepcopy(tree) is tree
    assert weakref.ref(tree)() is tree


def test_zero_and_nan_have_one_form():
    root = leaf([3, 1])
    trees = [
        build_tree(node(Threshold(0, zero), [root, root]), SCHEMA, [0, 1]).with_extra(
            "p", [sign * np.nan] * 3
        )
        for zero, sign in ((0.0, 1), (-0.0, -1))
    ]
    assert trees[0] == trees[1]
    assert hash(trees[0]) == hash(trees[1])


@pytest.mark.parametrize(
    "changes",
    [
        {"criterion": "entropy"},
        {"missing": "branch"},
        {"unknown_category": "error"},
        {"threshold": [1.25, -2, -2]},
        {"missing_branch": [0, -1, -1], "unknown_branch": [0, -1, -1]},
        {"impurity": [0.5, 0, 0]},
        {"score": [0.5, np.nan, np.nan]},
        {"counts": [[8, 5], [7, 2], [1, 3]]},
        {"weight": [26, 18, 8], "counts": [[16, 10], [16, 2], [0, 8]]},
        {"n_rows": [26, 18, 8]},
        {"classes": ["no", "YES"]},
        {"classes": np.array(["no", "yes"], dtype=object)},
        {"extra": {"p": [1, 2, 3]}},
    ],
)
def test_different_content_makes_different_trees(changes):
    assert changed(stump(), **changes) != stump()
    assert changed(stump(), **changes) == changed(stump(), **changes)


def test_the_dtype_of_the_labels_counts():
    assert changed(stump(), classes=np.array([0, 1], np.int32)) != changed(stump(), classes=np.array([0, 1]))


def test_further_columns():
    tree = stump().with_extra("p_value", [0.01, np.nan, np.inf]).with_extra("gap", [0, 0, 1])
    assert list(tree.extra) == ["p_value", "gap"]
    assert tree != stump()
    assert tree == stump().with_extra("gap", [0, 0, 1]).with_extra("p_value", [0.01, np.nan, np.inf])
    assert tree.with_extra("gap", [1, 1, 1]).extra["gap"].tolist() == [1, 1, 1]
    for name, values in [("", [1, 2, 3]), ("weight", [1, 2, 3]), ("p", [1, 2]), ("p", ["a", "b", "c"])]:
        with pytest.raises(TreeError):
            stump().with_extra(name, values)


def test_arrays_for_tools_on_binary_trees():
    tree = chain(3)
    assert tree.children_left.tolist() == [1, 3, -1, 5, -1, -1, -1]
    assert tree.children_right.tolist() == [2, 4, -1, 6, -1, -1, -1]
    assert tree.children_left.dtype == np.int64
    assert tree.children_left is tree.children_left
    assert np.array_equal(tree.n_node_samples, tree.n_rows)
    assert np.array_equal(tree.weighted_n_node_samples, tree.weight)
    assert np.allclose(tree.value.sum(axis=2), 1)
    assert tree.value.shape == (7, 1, 2)
    assert regression().value.ravel().tolist() == [28 / 6, 2, 10]


def test_trees_with_more_branches_have_no_left_and_right():
    tree = every_kind()
    assert not hasattr(tree, "children_left")
    with pytest.raises(AttributeError, match="node 0 has more than two branches"):
        _ = tree.children_right
    assert tree.value.shape == (15, 1, 3)


@settings(max_examples=50)
@given(trees(), st.booleans())
def test_importances_by_definition(tree, normalize):
    wanted = np.zeros(tree.n_features)
    for i in range(tree.n_nodes):
        if tree.children(i):
            after = sum(tree.weight[c] * tree.impurity[c] for c in tree.children(i))
            wanted[tree.feature[i]] += (tree.weight[i] * tree.impurity[i] - after) / tree.weight[0]
    if normalize and wanted.sum() > 0:
        wanted /= wanted.sum()
    assert np.allclose(tree.feature_importances(normalize=normalize), wanted, atol=1e-12)
