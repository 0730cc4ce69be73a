"""Random small tables for discretisers: ties, missing cells, weights of all kinds, one to four classes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from boxwood.data import Dataset, make_dataset

WEIGHTS = ("none", "whole", "halves", "any")


@st.composite
def datasets(
    draw: st.DrawFn,
    max_rows: int = 24,
    max_columns: int = 3,
    weights: tuple[str, ...] = WEIGHTS,
    missing: bool = True,
    max_classes: int = 4,
) -> Dataset:
    """A table of numbers with few distinct values, or many."""
    n = draw(st.integers(1, max_rows))
    seed = draw(st.integers(0, 2**32 - 1))
    n_values = draw(st.sampled_from([2, 4, 8, 40]))
    n_classes = draw(st.integers(1, max_classes))
    kind = draw(st.sampled_from(weights))
    share = draw(st.sampled_from([0.0, 0.2, 0.9])) if missing else 0.0
    slope = draw(st.booleans())
    rng = np.random.default_rng(seed)
    X = rng.integers(0, n_values, (n, draw(st.integers(1, max_columns)))) / draw(st.sampled_from([1, 10]))
    y = rng.integers(0, n_classes, n)
    if slope:  # classes that depend on the first column
        y = np.minimum(np.argsort(np.argsort(X[:, 0], kind="stable")) * n_classes // n, y + 1) % n_classes
    X[rng.random(X.shape) < share] = np.nan
    w = {
        "none": None,
        "whole": rng.integers(1, 5, n),
        "halves": rng.integers(1, 9, n) / 4,
        "any": rng.random(n) + 0.01,
    }[kind]
    return make_dataset(X, y, sample_weight=w)
