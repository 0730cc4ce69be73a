"""From the reader's own frame to what the caller asked for: polars or pandas, categories or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from boxwood.data.cells import EXACT_INTEGERS

if TYPE_CHECKING:
    import polars as pl

FRAMES: tuple[str, ...] = ("polars", "pandas")


def with_categories(frame: pl.DataFrame, domains: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """Turn text columns into categories: in their declared order, or by code point.

    >>> import polars as pl
    >>> with_categories(pl.DataFrame({"size": ["s", "l", None]}), {"size": ["s", "m", "l"]})["size"].dtype
    Enum(categories=['s', 'm', 'l'])
    """
    import polars as pl

    enums = []
    for column in frame:
        if column.dtype == pl.String:
            values = domains.get(column.name)
            if values is None:
                values = column.drop_nulls().unique().sort().to_list()
            enums.append(column.cast(pl.Enum(values)))
    return frame.with_columns(enums)


def as_labels(column: pl.Series) -> npt.NDArray[Any]:
    """The target as an array that any learner takes: text as text, numbers as numbers.

    >>> import polars as pl
    >>> as_labels(pl.Series(["b", "a"]))
    array(['b', 'a'], dtype='<U1')
    """
    import polars as pl

    if column.dtype == pl.String:
        return np.array(column.to_list(), dtype=np.str_)
    return column.to_numpy().copy()


def to_pandas(frame: pl.DataFrame) -> Any:
    """The same columns in a pandas frame; whole numbers with gaps are floats there, as everywhere in pandas.

    Column by column, since polars' own conversion needs pyarrow.
    """
    try:
        import pandas as pd
    except ImportError as error:
        raise ImportError(
            "frame='pandas' needs the package pandas, which is not installed: pip install pandas"
        ) from error
    return pd.DataFrame({column.name: _pandas_column(column) for column in frame})


def _pandas_column(column: pl.Series) -> Any:
    import pandas as pd
    import polars as pl

    if isinstance(column.dtype, pl.Enum):
        codes = column.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
        return pd.Categorical.from_codes(codes, column.dtype.categories.to_list())
    if column.dtype == pl.String:
        return pd.Series(column.to_list(), dtype=None if column.null_count() < len(column) else object)
    if column.null_count() == 0 or column.dtype.is_float():
        return column.to_numpy().copy()
    if column.dtype == pl.Boolean:
        return pd.array(column.to_list(), dtype="boolean")
    if column.dtype.is_integer():
        if bool((column.abs() >= EXACT_INTEGERS).any()):  # floats would round them
            return pd.array(column.to_list(), dtype="Int64")
        return column.cast(pl.Float64).to_numpy().copy()
    return column.to_numpy().copy()  # dates and durations have a missing value of their own
