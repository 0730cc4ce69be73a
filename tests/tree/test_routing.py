import pickle
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.data import Column, Schema
from boxwood.tree import (
    SPREAD,
    STOP,
    Subset,
    Surrogate,
    Threshold,
    Tree,
    UnknownCategoryError,
    build_tree,
    leaf,
    node,
)
from tests.oracles import route
from tests.oracles.trees import tables, trees, without_errors
from tests.tree.examples import SCHEMA, chain, every_kind, regression, stump, table

nan = np.nan


@given(st.data())
def test_rows_end_where_the_rule_says(data):
    tree = without_errors(data.draw(trees(regression=None)))
    columns = data.draw(tables(tree))
    rows = route.ends(tree, columns)
    heaviest = [route.heaviest(ends) for ends in rows]
    assert tree.apply(columns).tolist() == heaviest
    found = tree.ends(columns)
    wanted = [(row, node, ends[node]) for row, ends in enumerate(rows) for node in sorted(ends)]
    assert list(zip(*(column.tolist() for column in found), strict=True)) == wanted
    assert tree.spreads or [len(ends) for ends in rows] == [1] * len(rows)
    if tree.counts is None:
        mixed = [sum(ends[node] * tree.answer[node] for node in ends) for ends in rows]
        assert np.allclose(tree.predict_answers(columns), mixed, rtol=1e-12, atol=1e-9)
    else:
        assert np.array_equal(tree.predict_counts(columns), tree.counts[heaviest])
        shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
        mixed = [sum(ends[node] * shares[node] for node in ends) for ends in rows]
        assert np.allclose(tree.predict_shares(columns), np.reshape(mixed, (-1, tree.n_classes)), atol=1e-12)
    indicator = tree.decision_path(columns)
    assert indicator.shape == (len(rows), tree.n_nodes)
    assert [indicator[[i]].indices.tolist() for i in range(len(rows))] == route.paths(tree, columns)
    assert set(indicator.data.tolist()) <= {1}


@given(st.data())
def test_unknown_categories_are_an_error_where_asked(data):
    tree = data.draw(trees())
    columns = data.draw(tables(tree))
    refused = None
    for row, cells in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        try:
            route.path(tree, cells)
        except route.RefusedError as error:
            refused = (row, error.node)
            break
    if refused is None:
        assert tree.apply(columns).tolist() == [route.heaviest(ends) for ends in route.ends(tree, columns)]
        return
    for refusing in (tree.predict_shares, tree.decision_path, tree.ends, tree.apply):
        with pytest.raises(UnknownCategoryError) as caught:
            refusing(columns)
        error = caught.value
        assert (error.row, error.node) == refused
    assert error.feature == tree.feature[error.node]
    assert error.column == tree.schema.names[error.feature]
    assert repr(error.column) in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.row, again.node, again.feature, again.column) == (*refused, error.feature, error.column)
    assert str(again) == str(error)


def test_each_special_route_by_hand():
    tree = every_kind()
    columns = table(
        (1.5, -1, -1),  # on the threshold: left
        (nan, 0, 0),  # missing, a branch of its own
        (2.0, 0, 0),
        (2.0, 2, 0),
        (2.0, -1, 0),  # missing, a branch of its own
        (2.0, 1, 0),  # a known colour, but absent at the node: ends there
        (2.0, -2, 0),  # never seen: ends there
        (9.0, 0, -1),  # is missing
        (9.0, 0, 3),
        (9.0, 0, 4),
    )
    assert tree.apply(columns).tolist() == [1, 3, 6, 7, 8, 4, 4, 9, 11, 13]
    with pytest.raises(UnknownCategoryError, match=r"column 'code', row 1: .* unknown_category='missing'"):
        tree.apply(table((1.0, 0, 0), (9.0, 0, 2)))


def spread_chain(depth: int) -> Tree:
    """``x <= step`` one below the other; a missing row is in every leaf."""
    root = leaf([0, 1])
    for step in range(depth):
        root = node(Threshold(0, float(step), missing_branch=SPREAD), [root, leaf([1, 0])])
    return build_tree(root, SCHEMA, ["a", "b"])


def test_a_missing_row_is_in_every_leaf_of_a_long_chain():
    tree = spread_chain(2000)
    columns = table((nan, 0, 0), (-1.0, 0, 0), (nan, 0, 0))
    row, end, share = tree.ends(columns)
    assert row.tolist() == [0] * 2001 + [1] + [2] * 2001
    assert end[:2001].tolist() == np.flatnonzero(tree.is_leaf).tolist()
    assert np.allclose(share[:2001], 1 / 2001)
    assert np.allclose(tree.predict_shares(columns)[[0, 2]], [2000 / 2001, 1 / 2001])
    assert np.diff(tree.decision_path(columns).indptr).tolist() == [4001, 2001, 4001]


def test_many_spread_rows_need_memory_for_their_answers_only():
    tree = spread_chain(300)
    n = 20_000
    columns = [np.full(n, nan), np.zeros(n, dtype=np.int32), np.zeros(n, dtype=np.int32)]
    tracemalloc.start()
    one, two = tree.predict_shares(columns), tree.predict_shares(columns, n_threads=2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.array_equal(one, two)
    assert np.array_equal(tree.apply(columns), tree.apply(columns, n_threads=2))
    assert peak < 5e6


def test_a_row_is_spread_by_the_weights_of_the_children():
    below = node(Threshold(0, 0.5, missing_branch=SPREAD), [leaf([2, 0]), leaf([0, 6])])
    tree = build_tree(
        node(Subset(1, {0: 0, 1: 1}, SPREAD, SPREAD), [below, leaf([8, 0])]), SCHEMA, ["a", "b"]
    )
    columns = table((nan, -1, 0), (0.0, -2, 0), (1.0, 0, 0))
    assert tree.ends(columns).share.tolist() == [0.5, 0.125, 0.375, 0.5, 0.5, 1.0]
    assert tree.apply(columns).tolist() == [2, 2, 4]
    assert tree.predict_shares(columns).tolist() == [[0.625, 0.375], [1, 0], [0, 1]]
    assert tree.predict_counts(columns).tolist() == [[8, 0], [8, 0], [0, 6]]


def test_surrogates_are_asked_in_order():
    first = Surrogate(Subset(1, {0: 0, 2: 1}), 0.9)
    second = Surrogate(Threshold(2, 4.5), 0.8, flipped=True)
    schema = Schema(
        (SCHEMA[0], SCHEMA[1], Column("length", "numeric", "float"), SCHEMA[2]),
        named=True,
    )
    split = Threshold(0, 1.5, missing_branch=1, surrogates=(first, second))
    tree = build_tree(node(split, [leaf([8, 1]), leaf([0, 4])]), schema, ["no", "yes"])
    assert tree.split(0).surrogates == (first, second)
    rows = [(1.0, 2, 9.0), (nan, 0, 0.0), (nan, 2, 9.0), (nan, 1, 9.0), (nan, -1, 4.5), (nan, -2, nan)]
    height, colour, length = (np.array(cells) for cells in zip(*rows, strict=True))
    columns = [height, colour.astype(np.int32), length, np.zeros(len(rows), dtype=np.int32)]
    # Its own value; the first surrogate, twice; a colour that it does not list; no colour; nothing at all.
    assert tree.apply(columns).tolist() == [1, 1, 2, 1, 2, 2]


@pytest.mark.parametrize(("unknown", "end"), [(1, 1), (STOP, 0), (SPREAD, 2)])
def test_an_unknown_category_asks_surrogates_only_where_it_has_a_branch(unknown, end):
    split = Subset(1, {0: 0, 1: 1}, 0, unknown, (Surrogate(Threshold(0, 1.5), 0.9),))
    tree = build_tree(node(split, [leaf([8, 1]), leaf([0, 40])]), SCHEMA, ["no", "yes"])
    assert tree.apply(table((1.0, -2, 0))).tolist() == [end]


def test_neighbours_in_the_last_bit_are_told_apart():
    low = 0.1
    high = np.nextafter(low, 1)
    tree = build_tree(node(Threshold(0, low), [leaf([1, 0]), leaf([0, 1])]), SCHEMA, [0, 1])
    assert tree.apply(table((low, 0, 0), (high, 0, 0))).tolist() == [1, 2]


def test_no_rows_and_strided_columns_and_threads():
    tree = stump()
    assert tree.apply(table()).tolist() == []
    assert tree.predict_counts(table()).shape == (0, 2)
    assert tree.decision_path(table()).shape == (0, 3)
    wide = np.random.default_rng(0).normal(1.5, 1, (50_000, 3))
    codes = np.zeros(50_000, dtype=np.int32)
    one = tree.apply([wide[:, 1], codes, codes])
    two = tree.apply([wide[:, 1], codes, codes], n_threads=2)
    assert np.array_equal(one, two)
    assert np.array_equal(one, np.where(wide[:, 1] <= 1.5, 1, 2))
    assert np.array_equal(tree.apply([wide[::-1, 1], codes, codes]), one[::-1])


def test_a_wrong_table_is_refused():
    with pytest.raises(ValueError, match="grown on 3 columns, and 1 are given"):
        stump().apply([np.zeros(3)])
    with pytest.raises(ValueError, match="kind"):
        stump().apply([np.zeros(3), np.zeros(3), np.zeros(3)])
    with pytest.raises(TypeError, match="predict_answers"):
        regression().predict_counts(table())
    with pytest.raises(TypeError, match="predict_counts"):
        stump().predict_answers(table())


def test_a_path_of_any_length():
    tree = chain(3000)
    path = tree.decision_path([np.array([-1.0, 2999.5])])
    assert np.diff(path.indptr).tolist() == [3001, 2]
    assert path.has_sorted_indices
