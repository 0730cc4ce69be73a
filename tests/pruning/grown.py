"""Small random tables and the trees grown on them, for tests of pruning."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from boxwood.data import Dataset, make_dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.tree import Tree


def table(seed: int, n_rows: int = 60, n_classes: int = 2, noise: float = 0.3) -> tuple[Any, NDArray[Any]]:
    """Numbers and categories, with missing cells, and a class that depends on some of them."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 8, size=(n_rows, 3)).astype(float)
    y = (x[:, 0] > 3).astype(int) + (x[:, 1] > 5)
    y = np.where(rng.random(n_rows) < noise, rng.integers(0, n_classes, n_rows), y) % n_classes
    x[rng.random(x.shape) < 0.1] = np.nan
    colour = np.array(["red", "green", "blue", "grey"], dtype=object)[rng.integers(0, 4, n_rows)]
    return {"a": x[:, 0], "b": x[:, 1], "c": x[:, 2], "colour": colour}, y


@st.composite
def grown_trees(draw: st.DrawFn, max_leaf_nodes: int | None = None) -> tuple[Tree, Dataset]:
    """A tree with its rows."""
    n_classes = draw(st.integers(2, 3))
    X, y = table(draw(st.integers(0, 10**6)), draw(st.integers(8, 80)), n_classes)
    weights = None
    if draw(st.booleans()):
        weights = np.random.default_rng(draw(st.integers(0, 99))).integers(1, 4, len(y))
    dataset = make_dataset(X, y, sample_weight=weights)
    return grow_tree(dataset, GrowOptions(max_leaf_nodes=max_leaf_nodes)), dataset
