import pickle

import pytest

from boxwood.tree import ERROR, STOP, IsMissing, Kind, Multiway, Subset, Threshold

SPLITS = [
    (Threshold(0, 1.5), Kind.THRESHOLD, 2, STOP, STOP),
    (Threshold(0, 1.5, 1), Kind.THRESHOLD, 2, 1, 1),
    (Threshold(0, 1.5, 2), Kind.THRESHOLD, 3, 2, 2),
    (Subset(1, {0: 0, 1: 1}), Kind.SUBSET, 2, STOP, STOP),
    (Subset(1, {0: 0, 1: 1}, 2, ERROR), Kind.SUBSET, 3, 2, ERROR),
    (Multiway(1, {0: 0, 1: 1, 2: 2}), Kind.MULTIWAY, 3, STOP, STOP),
    (Multiway(1, {0: 0, 1: 1}, 2, 3), Kind.MULTIWAY, 4, 2, 3),
    (IsMissing(2), Kind.IS_MISSING, 2, 0, 0),
    (IsMissing(2, ERROR), Kind.IS_MISSING, 2, 0, ERROR),
]


@pytest.mark.parametrize(("split", "kind", "n_branches", "missing", "unknown"), SPLITS)
def test_every_split_says_where_everything_goes(split, kind, n_branches, missing, unknown):
    assert split.kind == kind
    assert split.n_branches == n_branches
    assert split.missing_branch == missing
    assert split.unknown_branch == unknown


@pytest.mark.parametrize("split", [row[0] for row in SPLITS])
def test_splits_are_values(split):
    assert pickle.loads(pickle.dumps(split)) == split
    assert len({split, pickle.loads(pickle.dumps(split))}) == 1
    with pytest.raises(AttributeError):
        split.feature = 3


def test_the_order_in_which_categories_are_given_does_not_matter():
    one, other = Subset(0, {3: 1, 0: 0}), Subset(0, {0: 0, 3: 1})
    assert one == other
    assert hash(one) == hash(other)
    assert list(one.branches) == [0, 3]
    assert one != Subset(0, {0: 0, 3: 0})


def test_categories_by_branch():
    assert Multiway(0, {0: 2, 1: 0, 5: 2}, 1, 3).groups == ((1,), (), (0, 5), ())


def test_the_branches_cannot_be_changed():
    given = {0: 0, 1: 1}
    split = Subset(0, given)
    given[0] = 1
    assert split.branches[0] == 0
    with pytest.raises(TypeError):
        split.branches[0] = 1
