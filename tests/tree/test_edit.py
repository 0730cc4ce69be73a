"""`Tree.collapse`: what is cut is gone, what stays is unchanged, and rows end where the cut was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.tree import Tree, TreeError, check_tree
from tests.oracles.trees import tables, trees, without_errors
from tests.tree.examples import chain, every_kind, stump


def surviving(tree: Tree, chosen: set[int]) -> list[int]:
    """The nodes that stay, by walking up from each."""

    def stays(node: int) -> bool:
        while node:
            node = int(tree.parent[node])
            if node in chosen:
                return False
        return True

    return [node for node in range(tree.n_nodes) if stays(node)]


@settings(max_examples=60)
@given(st.data())
def test_a_collapsed_tree_is_the_old_one_without_what_was_below(data: st.DataObject) -> None:
    tree = without_errors(data.draw(trees(regression=None)))
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    before = tree.to_dict()
    small = tree.collapse(chosen)
    check_tree(small)
    assert tree.to_dict() == before
    stay = surviving(tree, chosen)
    assert small.n_nodes == len(stay)
    for node, old in enumerate(stay):
        assert small.split(node) == (None if old in chosen else tree.split(old))
        assert (small.n_rows[node], small.weight[node], small.impurity[node]) == (
            tree.n_rows[old],
            tree.weight[old],
            tree.impurity[old],
        )
        assert np.array_equal(small.value[node], tree.value[old])
        for name, column in tree.extra.items():
            assert np.array_equal(small.extra[name][node], column[old], equal_nan=True)
    assert small.collapse([]) is small
    assert Tree.from_dict(small.to_dict()) == small


@settings(max_examples=60)
@given(st.data())
def test_rows_end_at_the_highest_cut_on_their_way(data: st.DataObject) -> None:
    tree = without_errors(data.draw(trees()))
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    columns = data.draw(tables(tree))
    small = tree.collapse(chosen)
    number = {old: node for node, old in enumerate(surviving(tree, chosen))}
    expected: dict[tuple[int, int], float] = {}
    for row, end, share in zip(*tree.ends(columns), strict=True):
        node = int(end)
        while node not in number:
            node = int(tree.parent[node])
        key = (int(row), number[node])
        expected[key] = expected.get(key, 0.0) + float(share)
    found = {
        (int(row), int(node)): float(share) for row, node, share in zip(*small.ends(columns), strict=True)
    }
    assert found == pytest.approx(expected)


def test_a_mask_and_a_list_are_the_same() -> None:
    tree = every_kind()
    mask = np.zeros(tree.n_nodes, dtype=bool)
    mask[[2, 5]] = True
    assert tree.collapse(mask) == tree.collapse([2, 5]) == tree.collapse(np.array([5, 2]))
    assert tree.collapse([0]).n_nodes == 1
    with pytest.raises(ValueError, match="a mask of nodes needs"):
        tree.collapse(mask[:3])
    with pytest.raises(TypeError, match=r"not 3: write \[3\] for one"):  # was: 'int' object is not iterable
        tree.collapse(3)  # type: ignore[arg-type]


def test_a_long_chain_needs_no_recursion() -> None:
    tree = chain(20_000)
    half = tree.collapse([int(np.flatnonzero(tree.node_depth == 10_000)[0])])
    assert half.depth in (10_000, 10_001)
    assert tree.collapse([0]).depth == 0


def test_a_node_that_is_not_there_is_refused() -> None:
    with pytest.raises(TreeError, match="there is no node 7: the last one is 2"):
        stump().collapse([7])
    with pytest.raises(TypeError, match="node numbers or a mask"):
        stump().collapse([0.5])  # type: ignore[list-item]
