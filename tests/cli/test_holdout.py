from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.cli.holdout import hold_out

tables = st.lists(st.integers(0, 4), min_size=1, max_size=60).map(
    lambda labels: np.unique(np.array(labels), return_inverse=True)[1]
)


@given(codes=tables, share=st.floats(0, 0.99), seed=st.integers(0, 3))
def test_every_row_is_on_one_side_and_every_class_is_trained_on(
    codes: np.ndarray, share: float, seed: int
) -> None:
    train, test = hold_out(codes, share, seed)
    assert sorted([*train, *test]) == list(range(len(codes)))
    assert set(codes[train]) == set(codes)
    assert list(train) == sorted(train)
    assert list(test) == sorted(test)


@given(codes=tables, share=st.floats(0, 0.99), seed=st.integers(0, 3))
def test_each_class_gives_its_share(codes: np.ndarray, share: float, seed: int) -> None:
    _, test = hold_out(codes, share, seed)
    counts, taken = np.bincount(codes), np.bincount(codes[test], minlength=codes.max() + 1)
    wanted = counts * share
    assert (taken < wanted + 1).all()
    assert ((taken > wanted - 1) | (taken == counts - 1)).all()


def test_the_total_is_the_share() -> None:
    codes = np.repeat([0, 1, 2], [50, 30, 20])
    train, test = hold_out(codes, 0.25, seed=0)
    assert (len(train), len(test)) == (75, 25)
    assert np.bincount(codes[test]).tolist() == [13, 7, 5]


def test_a_class_of_one_row_is_trained_on() -> None:
    train, test = hold_out(np.array([0] * 9 + [1]), 0.5, seed=0)
    assert 9 in train
    assert len(test) == 5


def test_the_seed_decides() -> None:
    codes = np.zeros(100, dtype=int)
    first, again, other = (hold_out(codes, 0.3, seed)[1].tolist() for seed in (1, 1, 2))
    assert first == again
    assert first != other


@pytest.mark.parametrize("share", [0.0, 0.001])
def test_nothing_is_put_aside_when_the_share_is_nothing(share: float) -> None:
    assert len(hold_out(np.array([0, 0, 1, 1]), share, seed=0)[1]) == 0
