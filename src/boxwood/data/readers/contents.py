"""What a format's reader hands on: the columns with their kinds, and what has to be said about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boxwood.data.readers.kinds import Lines, ReadColumn, Settled
from boxwood.data.readers.records import Malformed
from boxwood.data.readers.source import TableError

if TYPE_CHECKING:
    import polars as pl

_SHOWN = 5


@dataclass(frozen=True, eq=False)
class Contents:
    """The columns of a file, the target among them.

    Parameters
    ----------
    frame
        All columns, in the types of their kinds; categories are text.
    columns
        How each of them was read.
    remarks
        What was changed, left out or guessed, in half sentences.
    lines
        Where the rows stand in the file.
    domains
        The values of categories in their declared order, where the file declares them.
    weights
        The weight of each row, where the file has weights.
    """

    frame: pl.DataFrame
    columns: tuple[ReadColumn, ...]
    remarks: tuple[str, ...]
    lines: Lines
    domains: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    weights: npt.NDArray[np.float64] | None = None

    @staticmethod
    def of(
        settled: Sequence[Settled],
        remarks: Sequence[str],
        *,
        lines: Lines,
        domains: Mapping[str, tuple[str, ...]] | None = None,
        weights: npt.NDArray[np.float64] | None = None,
    ) -> Contents:
        """Put settled columns together, and say which texts were taken for missing."""
        import polars as pl

        words: dict[str, int] = {}
        for column in settled:
            for word, count in column.words.items():
                words[word] = words.get(word, 0) + count
        said = list(remarks)
        if words:
            total = sum(words.values())
            listed = " or ".join(f'"{word}"' for word in words)
            said.append(f"{total:,} {'cell' if total == 1 else 'cells'} of {listed} read as missing")
        return Contents(
            pl.DataFrame([column.series for column in settled]),
            tuple(column.reading for column in settled),
            tuple(said),
            lines,
            domains or {},
            weights,
        )


def inside(shown: str) -> str:
    """How a file is called within a sentence.

    >>> inside("The file"), inside('"t.csv"')
    ('the file', '"t.csv"')
    """
    return shown[0].lower() + shown[1:]


def refuse_duplicates(names: Sequence[str], where: str) -> None:
    """Refuse two columns of one name."""
    if len(set(names)) == len(names):
        return
    twice = sorted({name for name in names if names.count(name) > 1})
    listed = ", ".join(f'"{name}"' for name in twice[:8]) + (" and more" if len(twice) > 8 else "")
    verb = "stands" if len(twice) == 1 else "stand"
    raise TableError(f"{where}, {listed} {verb} more than once: names must differ.")


def malformed_sentence(
    shown: str, wrong: Sequence[Malformed], line: int, expected: str, separator: str = ","
) -> str:
    """Name the first malformed lines, and what can be done about them."""
    listed = "; ".join(str(Malformed(bad.line + line, bad.reason)) for bad in wrong[:_SHOWN])
    more = f"; and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
    count = "1 line is" if len(wrong) == 1 else f"{len(wrong):,} lines are"
    remedy = "mend them, or read with malformed='skip' to leave them out"
    if any("quote" in bad.reason for bad in wrong):
        remedy += "; if quotes are ordinary characters there, with quote=None"
    elif expected.endswith(" 1"):
        remedy += f"; if {separator!r} is not what stands between two cells, name the right separator"
    return (
        f"{shown} cannot be read as a table: {count} malformed: {listed}{more}; {expected}. Remedy: {remedy}."
    )


def skipped_remark(wrong: Sequence[Malformed], line: int) -> str:
    """Say which lines were left out."""
    numbers = [f"{bad.line + line:,}" for bad in wrong[:_SHOWN]]
    more = f" and {len(wrong) - _SHOWN:,} more" if len(wrong) > _SHOWN else ""
    if len(wrong) == 1:
        return f"malformed line {numbers[0]} left out"
    return f"{len(wrong):,} malformed lines left out ({', '.join(numbers)}{more})"
