import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.tree import Threshold, UnknownCategoryError, build_tree, leaf, node
from tests.oracles import route
from tests.oracles.trees import tables, trees, without_errors
from tests.tree.examples import SCHEMA, chain, every_kind, regression, stump, table

nan = np.nan


@given(st.data())
def test_rows_end_where_the_rule_says(data):
    tree = without_errors(data.draw(trees(regression=None)))
    columns = data.draw(tables(tree))
    paths = route.paths(tree, columns)
    ends = [path[-1] for path in paths]
    assert tree.apply(columns).tolist() == ends
    if tree.counts is None:
        assert np.array_equal(tree.predict_answers(columns), tree.answer[ends])
    else:
        assert np.array_equal(tree.predict_counts(columns), tree.counts[ends])
    indicator = tree.decision_path(columns)
    assert indicator.shape == (len(ends), tree.n_nodes)
    assert [indicator[[i]].indices.tolist() for i in range(len(ends))] == paths
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
        assert tree.apply(columns).tolist() == [path[-1] for path in route.paths(tree, columns)]
        return
    with pytest.raises(UnknownCategoryError) as caught:
        tree.apply(columns)
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
