"""What a discretiser's output columns are: how each is computed, what it is called, which split it is.

==============  ============================  ===========================================================
`AtMost`        ``petal length <= 2.45``      1 where the number is at most the threshold
`Between`       ``1 < petal length <= 2.45``  1 where the number lies in a bin; open at the bottom
`Bin`           ``petal length``              the number of the bin, from 0; -1 for missing cells
`Equals`        ``colour = red``              1 where the category is this one
`Code`          ``colour``                    the number of the category; -1 missing, -2 never seen
`Missing`       ``age is missing``            1 where the cell is missing
==============  ============================  ===========================================================

A missing cell is 0 in every 0/1 column of its feature but the last kind, which exists where training met a
missing cell; so is a category that training never saw, everywhere.

The three encodings are lists of these. With "thresholds" the columns of categories and missing cells come
first, in the order of the table, and the thresholds after them in the order of their rank: a longer prefix
of the ranking only appends columns. The others go feature by feature.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxwood.data import MISSING, Column, Schema
from boxwood.export.wording import (
    category_text,
    clean,
    date_text,
    distinct_texts,
    duration_text,
    number_text,
)
from boxwood.tree import IsMissing, Split, Subset, Threshold

Array: TypeAlias = NDArray[Any]


class Words:
    """The names of columns and the texts of their thresholds, in as few digits as keep them apart.

    >>> from boxwood.data import Column
    >>> words = Words([Column("size", "numeric", "float")], ["size"], {0: [2.4499999999999997]})
    >>> words.threshold(0, 2.4499999999999997)
    '2.45'
    """

    def __init__(
        self, columns: Iterable[Column], names: Sequence[str], thresholds: dict[int, list[float]]
    ) -> None:
        self.columns = tuple(columns)
        self.names = [clean(str(name)) for name in names]
        self._texts = {feature: self._numbers(feature, values) for feature, values in thresholds.items()}
        self._mixed = [
            any(not isinstance(category, str) for category in column.categories) for column in self.columns
        ]

    def threshold(self, feature: int, value: float) -> str:
        """A threshold of a column."""
        return self._texts[feature][value]

    def category(self, feature: int, code: int) -> str:
        """A category of a column; in quotes where numbers stand beside text."""
        category = self.columns[feature].categories[code]
        return category_text(category, quote=self._mixed[feature] and isinstance(category, str))

    def _numbers(self, feature: int, values: Iterable[float]) -> dict[float, str]:
        match self.columns[feature].values:
            case "date":
                return {value: date_text(value) for value in values}
            case "duration":
                return {value: duration_text(value) for value in values}
            case "float":
                return distinct_texts(values, 6)
            case _:
                return {value: number_text(value, None) for value in values}


@dataclass(frozen=True, slots=True)
class AtMost:
    """Whether a number is at most a threshold.

    >>> AtMost(0, 2.5).cells(np.array([2.5, 3.0, np.nan]))
    array([ True, False, False])
    """

    feature: int
    threshold: float

    def cells(self, column: Array) -> Array:
        """The output column."""
        found: Array = column <= self.threshold
        return found

    def name(self, words: Words) -> str:
        """What the output column is called."""
        if words.columns[self.feature].values == "boolean" and 0 <= self.threshold < 1:
            return f"{words.names[self.feature]} = false"
        return f"{words.names[self.feature]} <= {words.threshold(self.feature, self.threshold)}"

    def split(self, schema: Schema) -> Split:
        """The split whose branch 0 are the rows with a 1."""
        return Threshold(self.feature, self.threshold, missing_branch=1)


@dataclass(frozen=True, slots=True)
class Between:
    """Whether a number lies in a bin: above `low` if there is one, at most `high` if there is one.

    >>> Between(0, 1.0, 2.0).cells(np.array([1.0, 2.0, np.nan]))
    array([False,  True, False])
    """

    feature: int
    low: float | None
    high: float | None

    def cells(self, column: Array) -> Array:
        """The output column."""
        found: Array = ~np.isnan(column)
        if self.low is not None:
            found &= column > self.low
        if self.high is not None:
            found &= column <= self.high
        return found

    def name(self, words: Words) -> str:
        """What the output column is called."""
        name = words.names[self.feature]
        low = None if self.low is None else words.threshold(self.feature, self.low)
        high = None if self.high is None else words.threshold(self.feature, self.high)
        if low is None and high is None:
            return f"{name} is present"
        if low is None:
            return f"{name} <= {high}"
        return f"{name} > {low}" if high is None else f"{low} < {name} <= {high}"


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of the bin in which a number lies; -1 if it is missing.

    >>> Bin(0, (1.0, 2.0)).cells(np.array([1.0, 1.5, 9.0, np.nan]))
    array([ 0,  1,  2, -1])
    """

    feature: int
    thresholds: tuple[float, ...]

    def cells(self, column: Array) -> Array:
        """The output column."""
        place = np.searchsorted(np.array(self.thresholds, dtype=np.float64), column, side="left")
        return np.where(np.isnan(column), MISSING, place)

    def name(self, words: Words) -> str:
        """What the output column is called."""
        return words.names[self.feature]


@dataclass(frozen=True, slots=True)
class Equals:
    """Whether a category is this one.

    >>> Equals(0, 1).cells(np.array([1, 0, -1, -2]))
    array([ True, False, False, False])
    """

    feature: int
    code: int

    def cells(self, column: Array) -> Array:
        """The output column."""
        found: Array = column == self.code
        return found

    def name(self, words: Words) -> str:
        """What the output column is called."""
        return f"{words.names[self.feature]} = {words.category(self.feature, self.code)}"

    def split(self, schema: Schema) -> Split:
        """The split whose branch 0 are the rows with a 1."""
        codes = range(len(schema[self.feature].categories))
        sides = {code: int(code != self.code) for code in codes}
        return Subset(self.feature, sides, missing_branch=1, unknown_branch=1)


@dataclass(frozen=True, slots=True)
class Code:
    """The number of a category; -1 if it is missing, -2 if training never saw it.

    >>> Code(0).cells(np.array([1, -1, -2]))
    array([ 1, -1, -2])
    """

    feature: int

    def cells(self, column: Array) -> Array:
        """The output column."""
        return column

    def name(self, words: Words) -> str:
        """What the output column is called."""
        return words.names[self.feature]


@dataclass(frozen=True, slots=True)
class Missing:
    """Whether a cell is missing.

    >>> Missing(0).cells(np.array([1.0, np.nan])), Missing(1).cells(np.array([0, -1, -2]))
    (array([False,  True]), array([False,  True, False]))
    """

    feature: int

    def cells(self, column: Array) -> Array:
        """The output column."""
        found: Array = np.isnan(column) if column.dtype == np.float64 else column == MISSING
        return found

    def name(self, words: Words) -> str:
        """What the output column is called."""
        return f"{words.names[self.feature]} is missing"

    def split(self, schema: Schema) -> Split:
        """The split whose branch 0 are the rows with a 1."""
        return IsMissing(self.feature, unknown_branch=1)


Output: TypeAlias = AtMost | Between | Bin | Equals | Code | Missing


def _beside(schema: Schema, feature: int, missing: Array) -> list[Output]:
    """The columns that need no threshold: one for each category, one for missing cells."""
    found: list[Output] = []
    if schema[feature].is_categorical:
        found += [Equals(feature, code) for code in range(len(schema[feature].categories))]
    if missing[feature]:
        found.append(Missing(feature))
    return found


def by_feature(thresholds: Array) -> dict[int, list[float]]:
    """The thresholds of each feature that has some, ascending.

    >>> from boxwood.discretize.ranking import THRESHOLD
    >>> by_feature(np.array([(1, 2.5, 0.3), (0, 7.0, 0.2), (1, 0.5, 0.1)], dtype=THRESHOLD))
    {1: [0.5, 2.5], 0: [7.0]}
    """
    found: dict[int, list[float]] = defaultdict(list)
    for feature, threshold in zip(
        thresholds["feature"].tolist(), thresholds["threshold"].tolist(), strict=True
    ):
        found[feature].append(threshold)
    return {feature: sorted(values) for feature, values in found.items()}


def _as_thresholds(schema: Schema, thresholds: Array, missing: Array) -> list[Output]:
    ranked = zip(thresholds["feature"].tolist(), thresholds["threshold"].tolist(), strict=True)
    fixed = [output for feature in range(len(schema)) for output in _beside(schema, feature, missing)]
    return fixed + [AtMost(feature, threshold) for feature, threshold in ranked]


def _as_onehot(schema: Schema, thresholds: Array, missing: Array) -> list[Output]:
    found: list[Output] = []
    cuts = by_feature(thresholds)
    for feature, column in enumerate(schema):
        if not column.is_categorical:
            ends = [None, *cuts.get(feature, []), None]
            found += [Between(feature, low, high) for low, high in itertools.pairwise(ends)]
        found += _beside(schema, feature, missing)
    return found


def _as_ordinal(schema: Schema, thresholds: Array, missing: Array) -> list[Output]:
    cuts = by_feature(thresholds)
    return [
        Code(feature) if column.is_categorical else Bin(feature, tuple(cuts.get(feature, [])))
        for feature, column in enumerate(schema)
    ]


ENCODINGS: dict[str, Callable[[Schema, Array, Array], list[Output]]] = {
    "thresholds": _as_thresholds,
    "onehot": _as_onehot,
    "ordinal": _as_ordinal,
}
"""From the schema, the thresholds in use and the columns with missing cells to output columns."""


def fill(outputs: Sequence[Output], columns: Sequence[Array], dtype: type[np.generic]) -> Array:
    """The output columns of a table, side by side.

    >>> fill([AtMost(0, 1.5), Missing(0)], [np.array([1.0, np.nan])], np.uint8)
    array([[1, 0],
           [0, 1]], dtype=uint8)
    """
    n_rows = len(columns[0])
    table: Array = np.empty((n_rows, len(outputs)), dtype=dtype, order="F")
    for place, output in enumerate(outputs):
        table[:, place] = output.cells(columns[output.feature])
    return table
