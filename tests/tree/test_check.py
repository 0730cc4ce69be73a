import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import Schema
from boxwood.tree import Tree, TreeError, arrays, check_tree
from tests.oracles import route
from tests.oracles.trees import tables, trees, without_errors
from tests.tree.examples import every_kind, regression, spread_and_surrogates, stump
from tests.tree.test_tree import fields_of

nan, inf = np.nan, np.inf


def unchecked(tree: Tree, **changes) -> Tree:
    return Tree.from_arrays(**{**fields_of(tree), **changes}, check=False)


def put(array: np.ndarray, *places) -> np.ndarray:
    changed = array.copy()
    for index, value in places:
        changed[index] = value
    return changed


K = every_kind()
S = stump()
R = regression()
U = spread_and_surrogates()

# Tree, arrays to change, the node that is named, and words of the rule.
BROKEN = [
    (K, {"kind": put(K.kind, (6, 9))}, 6, "kind 9 is not a kind"),
    (K, {"kind": put(K.kind, (6, -1))}, 6, "kind -1 is not a kind"),
    (K, {"kind": put(K.kind, (4, 0))}, 4, "a leaf has 3 children"),
    (K, {"kind": put(K.kind, (6, 1))}, 6, "a split has 0 children"),
    (K, {"n_children": put(K.n_children, (5, 1))}, 5, "a split has 1 children"),
    (K, {"n_children": put(K.n_children, (5, -2))}, 5, "a split has -2 children"),
    (K, {"n_children": put(K.n_children, (5, 3))}, None, "have 15 children, and there are 14 nodes below"),
    (S, {"n_children": [2**31 - 1, 0, 0]}, None, "children, and there are 2 nodes below"),
    (K, {"first_child": put(K.first_child, (1, 3))}, 1, "the first child of a leaf is 3"),
    (
        K,
        {"first_child": put(K.first_child, (2, 0))},
        2,
        "first child is 0, and in breadth-first order must be 4",
    ),
    (K, {"first_child": put(K.first_child, (4, 9), (5, 6))}, 4, "must be 6"),
    (K, {"first_child": put(K.first_child, (10, 10**6))}, 10, "must be 11"),
    (K, {"feature": put(K.feature, (1, 0))}, 1, "a leaf tests column 0"),
    (K, {"feature": put(K.feature, (5, 3))}, 5, "tests column 3, and there are 3 columns"),
    (K, {"feature": put(K.feature, (5, -1))}, 5, "tests column -1"),
    (K, {"feature": put(K.feature, (0, 1))}, 0, "a threshold on a categorical column"),
    (K, {"feature": put(K.feature, (4, 0))}, 4, "categories on a numeric column"),
    (K, {"threshold": put(K.threshold, (1, 0.0))}, 1, "the threshold of a leaf must be -2.0"),
    (K, {"threshold": put(K.threshold, (2, nan))}, 2, "the threshold is nan, and must be finite"),
    (K, {"threshold": put(K.threshold, (2, inf))}, 2, "the threshold is inf, and must be finite"),
    (K, {"threshold": put(K.threshold, (5, 1.0))}, 5, "a split without threshold has one"),
    (K, {"missing_branch": put(K.missing_branch, (1, 0))}, 1, "of a leaf must be -1"),
    (K, {"unknown_branch": put(K.unknown_branch, (1, 0))}, 1, "of a leaf must be -1"),
    (
        K,
        {"missing_branch": put(K.missing_branch, (10, 4))},
        10,
        "missing values take branch 4, and there are 4",
    ),
    (K, {"missing_branch": put(K.missing_branch, (10, -2))}, 10, "missing values take branch -2"),
    (
        K,
        {"unknown_branch": put(K.unknown_branch, (10, 4))},
        10,
        "unknown values take branch 4, and there are 4",
    ),
    (K, {"unknown_branch": put(K.unknown_branch, (10, -4))}, 10, "unknown values take branch -4"),
    (K, {"missing_branch": put(K.missing_branch, (10, -4))}, 10, "missing values take branch -4"),
    (K, {"unknown_branch": put(K.unknown_branch, (0, 1))}, 0, "unknown branch must be its missing branch"),
    (
        K,
        {"missing_branch": put(K.missing_branch, (0, 1)), "unknown_branch": put(K.unknown_branch, (0, 1))},
        0,
        "it has 3 branches, and must have 2, or 3 with branch 2 for missing values",
    ),
    (K, {"missing_branch": put(K.missing_branch, (4, 0))}, 4, "it has 3 branches, and must have 2"),
    (K, {"missing_branch": put(K.missing_branch, (5, 1))}, 5, "must send them to branch 0"),
    (
        K,
        {"kind": put(K.kind, (10, 4)), "missing_branch": put(K.missing_branch, (10, 0))},
        10,
        "a test for missing values has 4 branches",
    ),
    (K, {"category_offset": put(K.category_offset, (0, 1))}, None, "category_offset runs from 1 to 6"),
    (K, {"category_offset": put(K.category_offset, (15, 9))}, None, "category_offset runs from 0 to 9"),
    (K, {"category_offset": put(K.category_offset, (8, 0))}, 7, "category_offset descends"),
    (K, {"category_offset": put(K.category_offset, (3, 2), (4, 2))}, 2, "does not split by category"),
    (
        K,
        {
            "category_offset": [0] * 11 + [4] * 5,
            "category_code": K.category_code[2:],
            "category_branch": K.category_branch[2:],
        },
        4,
        "lists no category",
    ),
    (K, {"category_code": put(K.category_code, (1, 3))}, 4, "category code 3 is not one of its column's"),
    (K, {"category_code": put(K.category_code, (0, -1))}, 4, "category code -1 is not"),
    (K, {"category_code": put(K.category_code, (1, 0))}, 4, "category code 0 is out of order or twice"),
    (K, {"category_code": put(K.category_code, (3, 4))}, 10, "category code 3 is out of order"),
    (K, {"category_branch": put(K.category_branch, (0, 2))}, 4, "code 0 takes branch 2, which it cannot"),
    (K, {"category_branch": put(K.category_branch, (2, 4))}, 10, "code 0 takes branch 4"),
    (K, {"category_branch": put(K.category_branch, (2, -1))}, 10, "code 0 takes branch -1"),
    (K, {"category_branch": put(K.category_branch, (5, 0))}, 13, "nothing leads here from node 10"),
    (K, {"missing_branch": put(K.missing_branch, (10, -1))}, 14, "nothing leads here from node 10"),
    (S, {"n_rows": [9, 9, 0]}, 2, "it has 0 rows"),
    (S, {"n_rows": [-1, 9, 4]}, 0, "it has -1 rows"),
    (S, {"n_rows": [2**62, 9, 4]}, 0, "it has 4611686018427387904 rows"),
    (S, {"n_rows": [14, 9, 4]}, 0, "children's rows do not add up"),
    (S, {"n_rows": [2**53 - 1, 2**52, 2**52]}, 0, "children's rows do not add up"),
    (S, {"weight": [13, 9, 0.0]}, 2, "its weight is 0.0"),
    (S, {"weight": [inf, 9, 4]}, 0, "its weight is inf"),
    (S, {"weight": [nan, 9, 4]}, 0, "its weight is nan"),
    (S, {"weight": [13 + 1e-7, 9, 4]}, 0, "children's weights do not add up"),
    (S, {"weight": [1.7e308, 1.7e308, 1.7e308]}, 0, "children's weights do not add up"),
    (S, {"impurity": [0.5, nan, 0.5]}, 1, "its impurity is nan"),
    (S, {"impurity": [0.5, inf, 0.5]}, 1, "its impurity is inf"),
    (S, {"score": [nan, 0.0, nan]}, 1, "a leaf has a score"),
    (S, {"score": [inf, nan, nan]}, 0, "its score is infinite"),
    (S, {"counts": [[8, 5], [9, 0], [-1, 5]]}, 2, "a class count is negative"),
    (S, {"counts": [[8, 5], [nan, 1], [0, 4]]}, 1, "a class count is negative or not finite"),
    (S, {"counts": [[8, 5], [8, 2], [0, 4]]}, 1, "class counts do not add up to its weight"),
    (S, {"counts": [[8, 5], [7, 2], [0, 4]]}, 0, "children's class counts do not add up"),
    (R, {"sums": [[6, 28, 218], [4, 8, nan], [2, 20, 201]]}, 1, "a sum is not finite"),
    (R, {"sums": [[6, 28, 218], [3, 8, 17], [2, 20, 201]]}, 1, "sum of weights is not its weight"),
    (R, {"sums": [[6, 28, 218], [4, 8, -1], [2, 20, 201]]}, 1, "sum of squares is negative"),
    (R, {"sums": [[6, 29, 218], [4, 8, 17], [2, 20, 201]]}, 0, "children's sums of wy do not"),
    (R, {"sums": [[6, 28, 219], [4, 8, 17], [2, 20, 201]]}, 0, "children's sums of wy² do not"),
    (R, {"answer": [1, inf, 2]}, 1, "its answer is inf"),
    (U, {"n_rows": put(U.n_rows, (5, 15))}, 5, "it has more rows than node 3"),
    (U, {"n_rows": put(U.n_rows, (5, 1), (6, 1))}, 3, "children's rows do not add up"),
    (U, {"n_rows": put(U.n_rows, (8, 5))}, 4, "children's rows do not add up"),
    (
        U,
        {"surrogate_offset": put(U.surrogate_offset, (0, 1))},
        None,
        "surrogate_offset does not run from 0 to 3",
    ),
    (U, {"surrogate_offset": put(U.surrogate_offset, (2, 0))}, None, "without descending"),
    (U, {"surrogate_offset": [0, 1, 1] + [3] * 8}, 2, "neither a threshold nor a subset"),
    (
        U,
        {"surrogate_category_offset": [0, 2, 1, 4]},
        None,
        "surrogate_category_offset does not run from 0 to 4",
    ),
    (U, {"surrogate_feature": [1, 0, 3]}, 1, "a surrogate tests column 3"),
    (U, {"surrogate_feature": [1, 1, 2]}, 1, "a surrogate tests the column of its own node"),
    (U, {"surrogate_feature": [2, 0, 0]}, 1, "needs categories, and one of numbers has none"),
    (U, {"surrogate_threshold": [nan, inf, nan]}, 1, "a surrogate has no finite threshold"),
    (U, {"surrogate_threshold": [0.5, 1.25, nan]}, 0, "a surrogate by category has a threshold"),
    (U, {"surrogate_flipped": [0, 2, 0]}, 1, "flipped in a way that there is not"),
    (U, {"surrogate_flipped": [1, 1, 0]}, 0, "flipped in a way that there is not"),
    (U, {"surrogate_agreement": [0.5, nan, 1]}, 1, "a surrogate has agreement nan"),
    (U, {"surrogate_category_code": [0, 1, 0, 5]}, 1, "lists category code 5, which is not its column's"),
    (U, {"surrogate_category_code": [0, 1, 3, 3]}, 1, "lists category code 3 out of order or twice"),
    (U, {"surrogate_category_branch": [0, 1, 2, 0]}, 1, "code 0 to a branch that is not 0 or 1"),
    (U, {"surrogate_flipped": [0]}, None, r"surrogate_flipped has shape \(1,\)"),
    (S, {"classes": ["no", "no"]}, None, "'no' is twice there"),
    (S, {"classes": [0.0, nan]}, None, "nan is no class label"),
    (S, {"classes": np.array([None, 1], dtype=object)}, None, "None is no class label"),
    (S, {"classes": np.array([{}, 1], dtype=object)}, None, "is not hashable"),
    (S, {"classes": np.array(["2024", "NaT"], dtype="datetime64[ns]")}, None, "None is no class label"),
    (S, {"classes": []}, None, "at least one label"),
    (S, {"classes": [["no", "yes"]]}, None, "not a list of at least one label"),
    (S, {"classes": ["no", "yes", "well"]}, None, r"counts has shape \(3, 2\), and must have \(3, 3\)"),
    (S, {"weight": [13, 9]}, None, r"weight has shape \(2,\)"),
    (S, {"counts": [13, 9, 4]}, None, r"counts has shape \(3,\)"),
    (S, {"category_offset": [0, 0, 0]}, None, r"category_offset has shape \(3,\), and must have \(4,\)"),
    (S, {"category_branch": [1]}, None, r"category_branch has shape \(1,\)"),
    (S, {"kind": []}, None, "it has 0 nodes"),
    (S, {"schema": Schema((), named=True)}, None, "the schema has no columns"),
    (S, {"schema": "height"}, None, "the schema is a str"),
    (S, {"criterion": 3}, None, "criterion is 3, and must be a string"),
    (S, {"extra": {"p": [1, 2]}}, None, r"p has shape \(2,\)"),
    (S, {"extra": {"weight": [1, 2, 3]}}, None, "'weight' is no name for a further column"),
]


@pytest.mark.parametrize(
    ("tree", "changes", "named", "rule"), BROKEN, ids=[f"{row[3]:.50}" for row in BROKEN]
)
def test_every_broken_rule_is_found(tree, changes, named, rule):
    check_tree(tree)
    with pytest.raises(TreeError, match=rule) as caught:
        check_tree(unchecked(tree, **changes))
    assert caught.value.node == named
    if named is not None:
        assert str(caught.value).startswith(f"node {named}: ")


def test_writable_or_foreign_arrays_are_found():
    tree = unchecked(stump())
    object.__setattr__(tree, "weight", tree.weight.copy())
    with pytest.raises(TreeError, match="weight can be written to"):
        check_tree(tree)
    object.__setattr__(tree, "weight", tree.weight.astype(np.float32))
    with pytest.raises(TreeError, match="weight is an array of float32"):
        check_tree(tree)
    object.__setattr__(tree, "weight", None)
    with pytest.raises(TreeError, match="weight is an array of NoneType"):
        check_tree(tree)
    both = unchecked(stump())
    object.__setattr__(both, "sums", both.counts)
    with pytest.raises(TreeError, match="a tree with classes has sums"):
        check_tree(both)


def test_a_cycle_is_found():
    # Node 1 claims the root's family as its own.
    fields = {
        "kind": [1, 1, 0],
        "feature": [0, 0, -2],
        "threshold": [1.5, 1.5, -2.0],
        "first_child": [1, 1, -1],
        "n_children": [2, 2, 0],
        "missing_branch": [0, 0, -1],
        "unknown_branch": [0, 0, -1],
    }
    with pytest.raises(TreeError, match="children, and there are 2 nodes below"):
        check_tree(unchecked(stump(), **fields))


def test_a_node_without_parent_is_found():
    fields = {
        "kind": [0, 1, 0],
        "feature": [-2, 0, -2],
        "threshold": [-2.0, 1.5, -2.0],
        "first_child": [-1, 1, -1],
        "n_children": [0, 2, 0],
        "missing_branch": [-1, 0, -1],
        "unknown_branch": [-1, 0, -1],
    }
    with pytest.raises(TreeError, match="node 1: no earlier node is its parent"):
        check_tree(unchecked(stump(), **fields))


@settings(max_examples=50)
@given(trees(regression=None))
def test_random_trees_keep_every_rule(tree):
    check_tree(tree)


@given(st.data())
def test_a_changed_tree_is_refused_or_works(data):
    tree = data.draw(trees(max_splits=4))
    fields = fields_of(tree)
    name = data.draw(st.sampled_from([*arrays.STRUCTURE, *arrays.SURROGATES]))
    array = fields[name].copy()
    if array.size == 0:
        return
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.integers(0, array.size - 1))
        array[place] = data.draw(st.integers(-3, 6))
    changed = unchecked(tree, **{name: array})
    try:
        check_tree(changed)
    except TreeError:
        return
    changed = without_errors(changed)
    columns = data.draw(tables(changed, max_rows=4))
    assert changed.apply(columns).tolist() == [route.heaviest(ends) for ends in route.ends(changed, columns)]
