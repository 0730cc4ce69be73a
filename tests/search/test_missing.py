"""The arrangements of missing rows."""

from __future__ import annotations

import numpy as np
import pytest

from boxwood.search.missing import MISSING_MODES, heavier_branch, is_missing

PRESENT = np.array([[[3.0, 0.0], [1.0, 4.0]], [[3.0, 2.0], [1.0, 2.0]]])
MISSING = np.array([2.0, 0.5])


@pytest.mark.parametrize("mode", MISSING_MODES.values(), ids=MISSING_MODES)
def test_no_row_is_lost(mode) -> None:  # type: ignore[no-untyped-def]
    branches = mode(PRESENT, MISSING)
    left_out = mode is MISSING_MODES["surrogate"]  # those rows are told apart by other columns
    everything = PRESENT.sum(axis=1) + (0.0 if left_out else MISSING)
    assert branches.shape[0] == len(PRESENT)
    for way in range(branches.shape[1]):
        assert np.array_equal(branches[:, way].sum(axis=1), everything)


def test_learn_tries_right_first_and_branch_adds_a_third() -> None:
    right_then_left = MISSING_MODES["learn"](PRESENT, MISSING)
    assert right_then_left[0].tolist() == [[[3.0, 0.0], [3.0, 4.5]], [[5.0, 0.5], [1.0, 4.0]]]
    assert MISSING_MODES["branch"](PRESENT, MISSING)[1].tolist() == [[[3.0, 2.0], [1.0, 2.0], [2.0, 0.5]]]


def test_missing_against_the_rest() -> None:
    assert is_missing(PRESENT[0].sum(axis=0), MISSING).tolist() == [[[2.0, 0.5], [4.0, 4.0]]]


def test_the_heavier_branch_is_the_first_of_equals() -> None:
    assert heavier_branch(np.array([[1.0, 1.0], [0.0, 2.0]])) == 0
    assert heavier_branch(np.array([[1.0, 1.0], [0.0, 2.5]])) == 1
