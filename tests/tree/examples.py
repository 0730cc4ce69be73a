"""Small trees that several tests look at."""

from __future__ import annotations

import datetime

import numpy as np
from numpy.typing import NDArray

from boxwood.data import Column, Schema
from boxwood.tree import (
    ERROR,
    SPREAD,
    STOP,
    IsMissing,
    Multiway,
    Subset,
    Surrogate,
    Threshold,
    Tree,
    TreeBuilder,
    build_tree,
    leaf,
    node,
)

COLOURS = ("blue", "green", "red")

SCHEMA = Schema(
    (
        Column("height", "numeric", "float"),
        Column("colour", "categorical", "category", COLOURS),
        Column("code", "categorical", "category", (1, 2.5, True + 2, "x", datetime.date(2024, 2, 29))),
    ),
    named=True,
)


def stump() -> Tree:
    """``height <= 1.5``, missing to the right."""
    return build_tree(
        node(Threshold(0, 1.5, missing_branch=1), [leaf([8, 1]), leaf([0, 4])]), SCHEMA, ["no", "yes"]
    )


def every_kind() -> Tree:
    """Each kind of split, with 2, 3 and 4 branches, and every special route."""
    colours = node(Subset(1, {0: 0, 2: 1}, missing_branch=2, unknown_branch=STOP), [leaf([3, 0, 1])] * 3)
    codes = node(
        Multiway(2, {0: 0, 1: 1, 3: 0, 4: 2}, missing_branch=3, unknown_branch=ERROR),
        [leaf([1, 2, 0]), leaf([0, 5, 0]), leaf([0, 0, 7]), leaf([1, 1, 1])],
        score=0.25,
    )
    known = node(IsMissing(2, unknown_branch=1), [leaf([2, 2, 0]), codes], score=0.5)
    tall = node(Threshold(0, 2.25, missing_branch=STOP), [colours, known])
    root = node(Threshold(0, 1.5, missing_branch=2), [leaf([9, 0, 0]), tall, leaf([0, 1, 0])], score=0.125)
    return build_tree(root, SCHEMA, ["a", "b", "c"])


def spread_and_surrogates() -> Tree:
    """Rows that go down several branches, and every kind of surrogate."""
    codes = node(
        Multiway(2, {0: 0, 1: 1, 4: 2}, missing_branch=SPREAD, unknown_branch=SPREAD),
        [leaf([1, 2, 1], n_rows=3), leaf([0, 4, 0]), leaf([0, 0, 8])],
        n_rows=14,
    )
    standing_in = (
        Surrogate(Threshold(0, 1.25), 0.9375, flipped=True),
        Surrogate(Subset(2, {0: 1, 3: 0}), 0.75),
    )
    colours = node(
        Subset(1, {0: 0, 2: 1}, missing_branch=1, unknown_branch=0, surrogates=standing_in),
        [codes, node(IsMissing(2, SPREAD), [leaf([2, 2, 0]), leaf([0, 0, 1])])],
    )
    root = node(
        Threshold(0, 2.5, SPREAD, (Surrogate(Subset(1, {0: 0, 1: 1}), 2 / 3),)), [colours, leaf([9, 0, 0])]
    )
    return build_tree(root, SCHEMA, ["a", "b", "c"], missing="fractional", unknown_category="distribute")


def chain(length: int) -> Tree:
    """A tree of `length` thresholds one below the other."""
    builder = TreeBuilder(Schema((Column("x", "numeric", "float"),), named=False), [0, 1])
    below = builder.add_leaf([0, 1])
    for step in range(length):
        below = builder.add_split(
            Threshold(0, float(step), missing_branch=1), [below, builder.add_leaf([1, step % 2])]
        )
    return builder.build()


def balanced(depth: int, n_classes: int = 3, seed: int = 0) -> Tree:
    """A complete binary tree of random thresholds."""
    rng = np.random.default_rng(seed)
    builder = TreeBuilder(
        Schema(tuple(Column(f"x{j}", "numeric", "float") for j in range(5)), named=False),
        list(range(n_classes)),
    )
    level = [builder.add_leaf(rng.integers(1, 20, n_classes)) for _ in range(2**depth)]
    while len(level) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        level = [
            builder.add_split(
                Threshold(int(rng.integers(5)), float(rng.normal()), int(rng.integers(2))), list(pair)
            )
            for pair in pairs
        ]
    return builder.build()


def regression() -> Tree:
    """A small regression tree."""
    left, right = leaf(sums=(4, 8.0, 17.0)), leaf(sums=(2, 20.0, 201.0))
    return build_tree(node(Threshold(0, 0.5, missing_branch=0), [left, right]), SCHEMA)


def table(*rows: tuple[float, int, int]) -> list[NDArray[np.generic]]:
    """Encoded columns for `SCHEMA`."""
    height, colour, code = zip(*rows, strict=True) if rows else ((), (), ())
    return [
        np.array(height, dtype=np.float64),
        np.array(colour, dtype=np.int32),
        np.array(code, dtype=np.int32),
    ]
