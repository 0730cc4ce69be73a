"""Splits that cannot be used are refused, and never mean "do not prune"."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import KFold, PredefinedSplit

from boxwood import CARTClassifier, TreeClassifier, prune
from boxwood.pruning import CostComplexity
from tests.pruning.grown import table

X, Y = table(2, 60)
ROWS = np.arange(60)
HALVES = [(ROWS[::2], ROWS[1::2]), (ROWS[1::2], ROWS[::2])]


@pytest.mark.parametrize(
    ("cv", "match"),
    [
        ([], r"cv=\[\] has no split"),
        (iter([]), "has no split.*give list"),
        ([(ROWS[:30], ROWS[30:] + 30)], "split 0 names the row 60, and the rows are numbered from 0 to 59"),
        ([HALVES[0], (ROWS[:30], ROWS[:30] - 1)], "split 1 names the row -1"),
        ([1, 2, 3], "split 0 is 1, and must be a pair"),
        ([(ROWS, ROWS, ROWS)], "must be a pair"),
        (["ab"], "must be a pair"),
        ({0: HALVES[0]}, "must be a pair"),
        ([(ROWS[:30] / 1.0, ROWS[30:] / 1.0)], r"float64, 1 dimensions\), and needs a list of row numbers"),
        ([(["a"], ["b"])], "needs a list of row numbers"),
        ([(3, 4)], "needs a list of row numbers"),
        ([(ROWS[:, np.newaxis], ROWS)], "2 dimensions"),
        ([(ROWS[:40] < 20, ROWS >= 20)], "a mask of 40 rows, and the table has 60"),
        ([(ROWS, [])], "no split has rows of positive weight both"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else type(value).__name__,
)
def test_unusable_splits_are_refused(cv: Any, match: str) -> None:
    """No row was judged, the price was 0, and the tree came out as it was grown; or numpy gave up."""
    with pytest.raises(ValueError, match=match):
        CARTClassifier(cv=cv).fit(X, Y)
    if not hasattr(cv, "__next__"):
        with pytest.raises(ValueError, match=match):
            prune(TreeClassifier().fit(X, Y), CostComplexity(cv=cv), X, Y)


def test_a_generator_serves_one_fit_and_says_so_in_the_next() -> None:
    model = CARTClassifier(cv=(half for half in HALVES))
    assert model.fit(X, Y).tree_ == CARTClassifier(cv=HALVES).fit(X, Y).tree_
    with pytest.raises(ValueError, match="is empty after the first fit"):
        model.fit(X, Y)


def test_every_form_of_splits_is_the_same() -> None:
    masks = [(np.isin(ROWS, one), np.isin(ROWS, other)) for one, other in HALVES]
    lists = [[one.tolist(), other.tolist()] for one, other in HALVES]
    same = (HALVES, masks, lists, PredefinedSplit(ROWS % 2))
    trees = [CARTClassifier(cv=cv).fit(X, Y).tree_ for cv in same]
    assert all(tree == trees[0] for tree in trees)
    assert CARTClassifier(cv=KFold(3)).fit(X, Y).get_n_leaves() >= 1


def test_rows_of_weight_0_may_be_named() -> None:
    """They are not there; rows beyond the last one that is there are rows of the table all the same."""
    weights = np.where(ROWS < 50, 1.0, 0.0)
    whole = CARTClassifier(cv=HALVES).fit(X, Y, sample_weight=weights)
    first = {name: column[:50] for name, column in X.items()}
    fewer = [(one[one < 50], other[other < 50]) for one, other in HALVES]
    assert whole.tree_ == CARTClassifier(cv=fewer).fit(first, Y[:50]).tree_
    with pytest.raises(ValueError, match="no split has rows of positive weight"):
        CARTClassifier(cv=[(ROWS, ROWS[50:])]).fit(X, Y, sample_weight=weights)


def test_a_single_row_has_nothing_to_prune() -> None:
    assert CARTClassifier().fit([[1.0]], ["a"]).get_n_leaves() == 1
