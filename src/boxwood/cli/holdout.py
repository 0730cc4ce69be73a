"""Putting rows aside for the test: a share of every class, drawn from a seed.

Each class gives its share of the rows, rounded so that the total is right (largest remainders first), but
never its last row: what the tree is asked about, it has seen. So a class of one row is trained on and not
tested. scikit-learn's `train_test_split` refuses such a table; people have them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def hold_out(
    codes: NDArray[np.int64], share: float, seed: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row numbers to train on and those to test on, each in the table's order.

    >>> train, test = hold_out(np.array([0, 0, 0, 0, 1, 1, 1, 1, 2]), 0.25, seed=0)
    >>> len(train), len(test)
    (7, 2)
    """
    counts = np.bincount(codes)
    wanted = counts * share
    takes = np.minimum(np.floor(wanted), np.maximum(counts - 1, 0)).astype(np.int64)
    remainders = wanted - takes
    for label in np.argsort(-remainders, kind="stable"):
        if takes.sum() >= round(float(wanted.sum())) or remainders[label] < 1e-9:
            break
        if takes[label] < counts[label] - 1:
            takes[label] += 1
    draw = np.random.default_rng(seed)
    tested = np.zeros(len(codes), dtype=bool)
    for label, take in enumerate(takes):
        rows = np.flatnonzero(codes == label)
        tested[draw.permutation(rows)[:take]] = True
    return np.flatnonzero(~tested), np.flatnonzero(tested)
