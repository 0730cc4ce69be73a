"""What reading a table gives: the features, the target, and what was understood, changed or left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boxwood.data.readers.kinds import ReadColumn


@dataclass(frozen=True, eq=False)
class LoadedTable:
    r"""A table that was read; unpacks as ``X, y``.

    Parameters
    ----------
    X
        The features, a frame of polars or pandas, with all rows that have a target, complete or not.
    y
        The target as an array, None when there is none.
    target
        The name of the target's column.
    columns
        How each column was read, in the order of the file: name, kind, the reason for it, missing cells.
    report
        One line that says what was left out, changed or guessed; empty when nothing was.
    sample_weight
        The weights of the rows, where the file has some (ARFF can), else None.

    Examples
    --------
    >>> import io, boxwood
    >>> table = boxwood.read_table(io.BytesIO(b"age,grown\n31,yes\n?,no\nold,yes\n"))
    >>> X, y = table
    >>> X.columns, y
    (['age'], array(['yes', 'no', 'yes'], dtype='<U3'))
    >>> table.report
    '1 cell of "?" read as missing.'
    >>> print(table.explain())
    column "age": categories, because of "old" in line 4; 1 cell is missing
    column "grown": categories, because of "yes" in line 2 (the target)
    """

    X: Any
    y: npt.NDArray[Any] | None
    target: str | None
    columns: tuple[ReadColumn, ...]
    report: str
    sample_weight: npt.NDArray[np.float64] | None = None

    def __iter__(self) -> Iterator[Any]:
        return iter((self.X, self.y))

    def explain(self) -> str:
        """Say of each column what it was read as, and why, one line each."""
        return "\n".join(
            f"{column}{' (the target)' if column.name == self.target else ''}" for column in self.columns
        )

    def __repr__(self) -> str:
        rows, columns = self.X.shape
        target = f", target {self.target!r}" if self.target is not None else ""
        return f"LoadedTable({rows:,} rows, {columns:,} features{target})"
