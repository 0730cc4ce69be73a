"""What the columns of a table are: names, kinds, and the values of categorical columns.

A `Schema` is all that a tree remembers of the table it was grown on. It holds no rows. The columns that a
learner sees are numbers only:

- a *numeric* column is an array of float64, in which NaN means missing;
- a *categorical* column is an array of int32 codes. Code `k` stands for `column.categories[k]`, `MISSING`
  (-1) for a missing cell, and `UNKNOWN` (-2) for a value that training did not see, which can only occur in
  prediction.

Invariants, checked when a `Column` or a `Schema` is made: categories are finite values of a few plain types,
all different (1, 1.0 and True are one value); numeric columns have none; no two columns share a name.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

Category: TypeAlias = str | int | float | bool | datetime.datetime | datetime.date
"""The value of a categorical cell. Numbers match by value, text matches text only."""

Kind: TypeAlias = Literal["numeric", "categorical"]
Values: TypeAlias = Literal["float", "integer", "boolean", "date", "duration", "category"]

MISSING: Final = -1
"""The code of a missing cell in a categorical column."""

UNKNOWN: Final = -2
"""The code of a value that was not there in training."""

_CATEGORY_TYPES: Final = frozenset({str, int, float, bool, datetime.datetime, datetime.date})
_SHOWN: Final = 6


@dataclass(frozen=True, repr=False)
class Column:
    """One column of a table.

    Parameters
    ----------
    name
        Its name; ``x0``, ``x1``, ... where the table had no names.
    kind
        "numeric" or "categorical".
    values
        What the numbers mean: "float", "integer", "boolean", "date" (microseconds since 1 January 1970, UTC),
        "duration" (microseconds), or "category" for categorical columns.
    categories
        The values of a categorical column, in the order of their codes: numbers by size, text by code point,
        dates by time; in the declared order where the caller's column type has one.

    Examples
    --------
    >>> column = Column("island", "categorical", "category", ("Biscoe", "Dream"))
    >>> column.codes["Dream"]
    1
    >>> column
    Column('island', categorical, 2 categories: 'Biscoe', 'Dream')
    """

    name: str
    kind: Kind
    values: Values
    categories: tuple[Category, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"the name of a column must be a string, not {self.name!r}")
        if self.kind not in get_args(Kind):
            raise ValueError(f"column {self.name!r}: kind must be one of {get_args(Kind)}, not {self.kind!r}")
        if self.values not in get_args(Values):
            raise ValueError(
                f"column {self.name!r}: values must be one of {get_args(Values)}, not {self.values!r}"
            )
        if (self.kind == "categorical") != (self.values == "category"):
            raise ValueError(f"column {self.name!r}: a {self.kind} column cannot hold values {self.values!r}")
        if not isinstance(self.categories, tuple):
            raise TypeError(f"column {self.name!r}: categories must be a tuple")
        if self.kind == "numeric":
            if self.categories:
                raise ValueError(f"column {self.name!r}: a numeric column has no categories")
            return
        types = set(map(type, self.categories))
        if not types <= _CATEGORY_TYPES:
            names = ", ".join(sorted(cls.__name__ for cls in types - _CATEGORY_TYPES))
            raise TypeError(f"column {self.name!r}: a category cannot be of type {names}")
        if len(set(self.categories)) < len(self.categories):
            raise ValueError(f"column {self.name!r}: a category is listed twice")
        if float in types and not all(
            math.isfinite(value) for value in self.categories if type(value) is float
        ):
            raise ValueError(f"column {self.name!r}: a category must be a finite number")

    @cached_property
    def codes(self) -> Mapping[Category | None, int]:
        """The code of each category, and of None, which is `MISSING`."""
        codes: dict[Category | None, int] = dict(
            zip(self.categories, range(len(self.categories)), strict=True)
        )
        codes[None] = MISSING
        return MappingProxyType(codes)

    @property
    def is_categorical(self) -> bool:
        """Whether the column holds codes, not numbers."""
        return self.kind == "categorical"

    def __reduce__(self) -> tuple[type[Column], tuple[str, str, str, tuple[Category, ...]]]:
        return Column, (self.name, self.kind, self.values, self.categories)

    def __repr__(self) -> str:
        if not self.is_categorical:
            return f"Column({self.name!r}, numeric, {self.values})"
        size = len(self.categories)
        shown = ", ".join(map(repr, self.categories[:_SHOWN])) + (", ..." if size > _SHOWN else "")
        count = f"{size} {'category' if size == 1 else 'categories'}"
        return f"Column({self.name!r}, categorical, {count}{': ' if size else ''}{shown})"


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    Parameters
    ----------
    columns
        The columns.
    named
        True when the names came with the caller's table, False when they were made up (``x0``, ``x1``, ...).

    Examples
    --------
    >>> age = Column("age", "numeric", "integer")
    >>> sex = Column("sex", "categorical", "category", ("female", "male"))
    >>> schema = Schema((age, sex), named=True)
    >>> schema.names, schema.index("sex"), schema.n_categories.tolist()
    (('age', 'sex'), 1, [0, 2])
    """

    columns: tuple[Column, ...]
    named: bool

    def __post_init__(self) -> None:
        if not isinstance(self.columns, tuple) or not all(
            isinstance(column, Column) for column in self.columns
        ):
            raise TypeError("the columns of a schema must be a tuple of Column")
        if len(self._places) < len(self.columns):
            twice = next(name for place, name in enumerate(self.names) if self._places[name] != place)
            raise ValueError(f"two columns are named {twice!r}; names must differ")

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @cached_property
    def n_categories(self) -> npt.NDArray[np.int32]:
        """The number of categories of each column, and 0 for the numeric ones.

        A categorical column in which training saw no value at all counts as having one category, so that 0
        always means numeric. No code ever names that category.
        """
        sizes = [max(1, len(column.categories)) if column.is_categorical else 0 for column in self.columns]
        array = np.array(sizes, dtype=np.int32)
        array.flags.writeable = False
        return array

    def index(self, name: str) -> int:
        """The position of the column called `name`; `KeyError` when there is none."""
        try:
            return self._places[name]
        except KeyError:
            raise KeyError(f"there is no column {name!r}; the columns are {', '.join(self.names)}") from None

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, place: int) -> Column:
        return self.columns[place]

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __reduce__(self) -> tuple[type[Schema], tuple[tuple[Column, ...], bool]]:
        return Schema, (self.columns, self.named)
