"""Random trees and random rows for them: every kind of split and route, surrogates, any shape.

For property tests with hypothesis. `trees()` draws a valid `Tree`; `tables(tree)` draws columns, encoded for
it, that are likely to meet its thresholds, categories and special branches.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from boxwood.data import MISSING, UNKNOWN, Column, Schema
from boxwood.tree import (
    ERROR,
    SPREAD,
    STOP,
    IsMissing,
    Multiway,
    Split,
    Subset,
    Surrogate,
    Threshold,
    Tree,
    TreeBuilder,
)

names = st.one_of(
    st.sampled_from(["age", "island", "x0", "bill length", "größe", "木", "tab\there", '"quoted"', "a,b"]),
    st.text(min_size=1, max_size=8),
)

categories = st.one_of(
    st.text(max_size=5),
    st.integers(-5, 5),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.dates(),
    st.datetimes(),
)

numbers = st.one_of(
    st.integers(-3, 3).map(float),
    st.floats(-1e6, 1e6),
    st.floats(allow_nan=False, allow_infinity=False),
)

labels = st.one_of(
    st.lists(
        st.text(max_size=4).map(lambda text: text.rstrip("\0")), min_size=1, max_size=4, unique=True
    ).map(lambda drawn: np.array(sorted(drawn), dtype=str)),
    st.lists(st.integers(-100, 100), min_size=1, max_size=4, unique=True).flatmap(
        lambda drawn: st.sampled_from([np.int8, np.int32, np.int64]).map(
            lambda dtype: np.array(sorted(drawn), dtype=dtype)
        )
    ),
    st.just(np.array([False, True])),
    st.just(np.array([0.5, 1.25, math.inf], dtype=np.float32)),
    st.just(np.array(["2024-01-01", "2024-02-29"], dtype="datetime64[D]")),
    st.lists(categories, min_size=1, max_size=4, unique=True).map(lambda drawn: _objects(drawn)),
)


def _objects(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@st.composite
def columns(draw: st.DrawFn, name: str, kind: str) -> Column:
    """A column of either kind."""
    if kind == "numeric":
        values = draw(st.sampled_from(["float", "integer", "boolean", "date", "duration"]))
        return Column(name, "numeric", values)
    n = draw(st.sampled_from([3, 2, 6, 0]))
    drawn = draw(st.lists(categories, min_size=n, max_size=n, unique=True))
    return Column(name, "categorical", "category", tuple(drawn))


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    """A schema of one to four columns."""
    kinds = {"c": "categorical", "n": "numeric"}
    shape = draw(st.sampled_from(["cn", "c", "n", "ncc", "cncn"]))
    drawn = draw(st.lists(names, min_size=len(shape), max_size=len(shape), unique=True))
    made = [draw(columns(name, kinds[kind])) for name, kind in zip(drawn, shape, strict=True)]
    return Schema(tuple(made), named=draw(st.booleans()))


@st.composite
def splits(draw: st.DrawFn, schema: Schema) -> Split:
    """A split that fits the schema, with any routes for missing and unknown values."""
    numeric = [j for j, column in enumerate(schema.columns) if column.kind == "numeric"]
    listed = [j for j, column in enumerate(schema.columns) if column.categories]
    possible = [Multiway, Subset] * bool(listed) + [Threshold] * bool(numeric) + [IsMissing]
    kind = draw(st.sampled_from(possible))
    if kind is IsMissing:
        feature = draw(st.integers(0, len(schema) - 1))
        return IsMissing(feature, draw(st.sampled_from([0, 1, STOP, ERROR, SPREAD])))
    if kind is Threshold:
        missing = draw(st.sampled_from([0, 1, 2, STOP, SPREAD]))
        feature = draw(st.sampled_from(numeric))
        return Threshold(feature, draw(numbers), missing, draw(surrogates(schema, feature)))
    feature = draw(st.sampled_from(listed))
    every = range(len(schema[feature].categories))
    codes = draw(st.lists(st.sampled_from(every), min_size=1, max_size=6, unique=True))
    if kind is Subset:
        sides = [draw(st.integers(0, 1)) for _ in codes]
        # Something must lead to either side: if the categories do not, missing values do.
        lacking = {0, 1} - set(sides)
        missing = lacking.pop() if lacking else draw(st.sampled_from([0, 1, 2, STOP, SPREAD]))
        unknown = draw(st.sampled_from([0, 1, STOP, ERROR, SPREAD] + ([2] if missing == 2 else [])))
        more = draw(surrogates(schema, feature))
        return Subset(feature, dict(zip(codes, sides, strict=True)), missing, unknown, more)
    wide = [draw(st.integers(0, 3)) for _ in codes]
    branches = sorted(set(wide))
    n = len(branches)
    table = {code: branches.index(branch) for code, branch in zip(codes, wide, strict=True)}
    missing = n if n == 1 else draw(st.sampled_from([*range(STOP, n + 1), SPREAD]))
    n = max(n, missing + 1)
    return Multiway(feature, table, missing, draw(st.integers(SPREAD, n)))


@st.composite
def surrogates(draw: st.DrawFn, schema: Schema, feature: int) -> tuple[Surrogate, ...]:
    """None to three surrogates for a split of a column; often none."""
    numeric = [j for j, column in enumerate(schema.columns) if column.kind == "numeric" and j != feature]
    listed = [j for j, column in enumerate(schema.columns) if column.categories and j != feature]
    possible = [Threshold] * bool(numeric) + [Subset] * bool(listed)
    drawn = []
    for _ in range(draw(st.sampled_from([0, 0, 1, 3])) if possible else 0):
        agreement = draw(st.integers(0, 8)) / 8
        if draw(st.sampled_from(possible)) is Threshold:
            split = Threshold(draw(st.sampled_from(numeric)), draw(numbers))
            drawn.append(Surrogate(split, agreement, draw(st.booleans())))
        else:
            other = draw(st.sampled_from(listed))
            codes = st.integers(0, len(schema[other].categories) - 1)
            sides = draw(st.dictionaries(codes, st.integers(0, 1), min_size=1, max_size=4))
            drawn.append(Surrogate(Subset(other, sides), agreement, draw(st.booleans())))
    return tuple(drawn)


@st.composite
def trees(
    draw: st.DrawFn, max_splits: int = 6, regression: bool | None = False, schema: Schema | None = None
) -> Tree:
    """A valid tree of any shape; with ``regression=None``, of either task; without a schema, for any."""
    if regression is None:
        regression = draw(st.booleans())
    schema = schema or draw(schemas())
    classes = None if regression else draw(labels)
    builder = TreeBuilder(
        schema, classes, missing=draw(st.sampled_from(["learn", "branch"])), unknown_category="stop"
    )
    # Split leaves at random: the shape first, then the nodes, in an order of their own.
    shape: list[tuple[Split, list[int]] | None] = [None]
    leaves = [0]
    for _ in range(draw(st.integers(0, max_splits))):
        split = draw(splits(schema))
        chosen = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        children = list(range(len(shape), len(shape) + split.n_branches))
        shape.extend([None] * len(children))
        shape[chosen] = (split, children)
        leaves.extend(children)
    extra = draw(st.booleans())
    added: dict[int, int] = {}
    for place in draw(st.permutations(range(len(shape)))):
        here = shape[place]
        more = {"p": draw(st.floats())} if extra and draw(st.booleans()) else {}
        if here is not None:
            added[place] = builder.add_split(here[0], score=draw(st.floats(0, 1)), extra=more)
        else:
            added[place] = builder.add_leaf(**_contents(draw, classes), extra=more)
    for place, here in enumerate(shape):
        if here is not None:
            builder.link(added[place], [added[child] for child in here[1]])
    return builder.build()


def _contents(draw: st.DrawFn, classes: NDArray[Any] | None) -> dict[str, Any]:
    n_rows = draw(st.integers(1, 1000))
    if classes is None:
        mean, spread = draw(st.floats(-100, 100)), draw(st.floats(0, 10))
        return {"sums": (n_rows, n_rows * mean, n_rows * (mean**2 + spread)), "n_rows": n_rows}
    eighths = draw(st.lists(st.integers(0, 4000), min_size=len(classes), max_size=len(classes)))
    counts = [count / 8 for count in eighths]
    counts[n_rows % len(counts)] += 0.125
    return {"counts": counts, "n_rows": n_rows}


@st.composite
def tables(draw: st.DrawFn, tree: Tree, max_rows: int = 12) -> list[NDArray[Any]]:
    """Encoded columns for a tree: cells at, next to and away from what it tests, missing, unknown."""
    n = draw(st.integers(0, max_rows))
    drawn: list[NDArray[Any]] = []
    for feature, column in enumerate(tree.schema.columns):
        if column.kind == "categorical":
            codes = st.integers(UNKNOWN, len(column.categories) - 1) | st.just(MISSING)
            cells = draw(st.lists(codes, min_size=n, max_size=n))
            drawn.append(np.array(cells, dtype=np.int32))
        else:
            tested = set(tree.threshold[(tree.kind == 1) & (tree.feature == feature)].tolist())
            asked = set(tree.surrogate_threshold[tree.surrogate_feature == feature].tolist())
            tested = sorted(tested | asked)
            near = [math.nextafter(value, side) for value in tested for side in (-math.inf, math.inf)]
            known = st.sampled_from([*tested, *(value for value in near if math.isfinite(value)), 0.0])
            cells = draw(st.lists(known | numbers | st.just(math.nan), min_size=n, max_size=n))
            drawn.append(np.array(cells, dtype=np.float64))
    return drawn


def without_errors(tree: Tree) -> Tree:
    """The same tree where unknown categories end at the node instead of being an error."""
    document = tree.to_dict()
    branches = document["nodes"]["unknown_branch"]
    document["nodes"]["unknown_branch"] = ["stop" if branch == "error" else branch for branch in branches]
    return Tree.from_dict(document)
