"""From a table to columns of numbers: once at training, and again at prediction under the schema of training.

Training decides what each column is:

1. what `categorical_features` chooses is categorical, by value;
2. text is categorical;
3. numbers, booleans, dates and durations are numeric;
4. objects are judged by their values (`boxwood.data.cells.judge`), and so is a Categorical that was not
   chosen; what is left is categorical.

Prediction follows the schema: a numeric column must hold numbers of the same meaning, in any form; a
categorical one may hold anything, since values are matched by value and those that training did not see are
`UNKNOWN`.

Numeric columns are float64 in full. A float64 array of the caller is never copied: its columns are views of
it. Integers beyond 2**53 get a warning, infinite numbers are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import numpy as np

from boxwood._core import find_infinite
from boxwood.data.categorical_features import CategoricalFeatures, categorical_mask
from boxwood.data.categories import canonical, levels, refuse_infinity
from boxwood.data.cells import Cells, Coded, Numbers, Objects, Rows, Times, Where, first_present
from boxwood.data.numeric import Array, as_float64, by_value, columns_of
from boxwood.data.schema import Column, Schema, Values
from boxwood.data.table import Table, read_table

Columns: TypeAlias = tuple[Array, ...]

_PLAIN: Final = frozenset({"float", "integer", "boolean"})
_CALLED: Final[dict[str, str]] = {"date": "dates", "duration": "durations"}


def encode_features(
    X: object,
    categorical_features: CategoricalFeatures = "from_dtype",
    rows: Rows | None = None,
    *,
    refuse_infinite: bool = True,
) -> tuple[Schema, Columns]:
    """Encode a table for training.

    Parameters
    ----------
    X
        The table: anything that `read_table` takes.
    categorical_features
        The columns to treat as categories besides text, see `boxwood.data.categorical_features`.
    rows
        The rows to look at; None means all. What stands in other rows leaves no trace.
    refuse_infinite
        Look for infinite numbers. False leaves that to whoever reads the columns next.

    Returns
    -------
    schema : Schema
        What the columns are.
    columns : tuple of arrays
        float64 with NaN for missing cells, or int32 codes with -1 for them. They cannot be written to.

    Examples
    --------
    >>> schema, columns = encode_features([[1.5, "red"], [None, "blue"]])
    >>> schema.columns
    (Column('x0', numeric, float), Column('x1', categorical, 2 categories: 'blue', 'red'))
    >>> columns
    (array([1.5, nan]), array([1, 0], dtype=int32))
    """
    table = read_table(X)
    mask = categorical_mask(categorical_features, table)
    described: list[Column] = []
    columns: list[Array] = []
    if table.array is not None and (mask is None or not mask.any()):
        array = table.array if rows is None else table.array[rows]
        described = [Column(name, "numeric", Numbers(array).values) for name in table.names]
        columns = columns_of(array, table.names)
    else:
        for place, name in enumerate(table.names):
            chosen = None if mask is None else bool(mask[place])
            column, cells = _trained(_cells(table, place, rows), chosen, Where(name, rows))
            described.append(column)
            columns.append(cells)
    schema = Schema(tuple(described), table.named)
    return schema, _finished(schema, columns, rows, refuse_infinite)


def encode_with(schema: Schema, X: object, *, refuse_infinite: bool = True) -> Columns:
    """Encode a table for prediction, its columns taken by position (see `align_columns` for names).

    Parameters
    ----------
    schema
        What the columns were in training.
    X
        The table: anything that `read_table` takes.
    refuse_infinite
        Look for infinite numbers. False leaves that to whoever reads the columns next.

    Returns
    -------
    tuple of arrays
        One array for each column, as in training; the code of a value that training did not see is -2.

    Raises
    ------
    ValueError
        For a wrong number of columns, an infinite number, or a numeric column that holds something else now.

    Examples
    --------
    >>> schema, _ = encode_features([[1.5, "red"], [None, "blue"]])
    >>> encode_with(schema, [[7, "green"], [8, "red"]])
    (array([7., 8.]), array([-2,  1], dtype=int32))
    """
    table = read_table(X)
    if len(table.names) != len(schema):
        raise ValueError(
            f"X has {len(table.names)} features, but the tree is expecting {len(schema)} features as input."
        )
    if table.array is not None and all(column.values in _PLAIN for column in schema):
        columns = columns_of(table.array, schema.names)
    else:
        columns = [_predicted(column, table.cells(place)) for place, column in enumerate(schema)]
    return _finished(schema, columns, None, refuse_infinite)


def _cells(table: Table, place: int, rows: Rows | None) -> Cells:
    cells = table.cells(place)
    return cells if rows is None else cells.take(rows)


def _trained(cells: Cells, chosen: bool | None, where: Where) -> tuple[Column, Array]:
    """Decide what a column is, and encode it. `chosen` is None when the column's type decides."""
    if chosen is None:
        chosen = isinstance(cells, Coded)
    if not chosen:
        cells = by_value(cells, where)
        if isinstance(cells, Numbers | Times):
            return Column(where.column, "numeric", cells.values), as_float64(cells, where)
    categories, codes = levels(cells, where).number()
    return Column(where.column, "categorical", "category", categories), codes


def _predicted(column: Column, cells: Cells) -> Array:
    """Encode a column as what it was in training."""
    where = Where(column.name)
    if column.is_categorical:
        return levels(cells, where).encode(column.codes)
    found = by_value(cells, where)
    if isinstance(found, Numbers | Times):
        array = as_float64(found, where)
        if _family(found.values) != _family(column.values) and not np.isnan(array).all():
            raise ValueError(
                f"column {column.name!r} held {_family(column.values)} in training, but holds "
                f"{_family(found.values)} now; pass it in the form that it had in training"
            )
        return array
    n_rows = len(found.array)
    objects = found.array if isinstance(found, Objects) else [found.cell(row) for row in range(n_rows)]
    present = first_present(objects)
    if present is None:
        return np.full(n_rows, np.nan)
    # Name the cell that is to blame: text beside numbers, if there is any.
    text = ((row, cell) for row, cell in enumerate(objects) if isinstance(canonical(cell), str))
    row, value = next(text, present)
    raise ValueError(
        f"column {column.name!r} held {_family(column.values)} in training, but holds {value!r} in row "
        f"{row} now; convert the column to {_family(column.values)}, or mark the cell as missing"
    )


def _family(values: Values) -> str:
    """What a numeric column holds, in a word for messages."""
    return _CALLED.get(values, "numbers")


def infinite_cell(schema: Schema, columns: Sequence[Array], rows: Rows | None = None) -> ValueError | None:
    """The error that names the first infinite cell of encoded columns, or None if there is none.

    >>> schema, _ = encode_features([[1.5], [2.5]])
    >>> infinite_cell(schema, [np.array([0.0, 1.0])])
    """
    numeric = [place for place, column in enumerate(schema) if not column.is_categorical]
    found, row = find_infinite([columns[place] for place in numeric])
    if found < 0:
        return None
    return refuse_infinity(Where(schema[numeric[found]].name, rows), row)


def _finished(
    schema: Schema, columns: list[Array], rows: Rows | None, refuse_infinite: bool = True
) -> Columns:
    """Refuse infinite numbers and lock the columns."""
    error = infinite_cell(schema, columns, rows) if refuse_infinite else None
    if error is not None:
        raise error
    locked = tuple(column.view() for column in columns)
    for column in locked:
        column.flags.writeable = False
    return locked
