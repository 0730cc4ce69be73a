"""What does a column of text hold? Every cell is looked at, and the reason is kept.

The kinds are tried from the narrow to the wide; the first one that every cell fits is the column's kind:

| kind | cells |
|---|---|
| "empty" | no value at all |
| "whole numbers" | 12, -3, +7, of 64 bits, none of them with a needless zero in front |
| "numbers" | 2.5, 1e-3, .5, and whole numbers beyond 64 bits; 2,5 where the separator is no comma |
| "booleans" | true and false, in any case of letters |
| "dates" | 2024-02-29, 2024-02-29T12:00:00.5, with a blank for the T, with a time zone or without |
| "durations" | times of day, 12:30 or 12:30:01.5 |
| "categories" | anything else |

One cell that is no number makes a column of numbers text, in whichever line it stands; the reason names that
cell and its line, so that a text which means "missing" is found at once.

Whole numbers of which one begins with a needless zero, as 01234 does, are codes: postcodes, article numbers.
As numbers they would lose that zero, and 0123 and 123 would be one; so they stay text, unless the caller says
that they are numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl

_FIRST: Final = 1000  # rows
_PADDED: Final = r"^\s*[+-]?0\d+\s*$"

Kind: TypeAlias = Literal["empty", "whole numbers", "numbers", "booleans", "dates", "durations", "categories"]


@dataclass(frozen=True)
class ReadColumn:
    """One column as it was read: its name, what it holds, why, and how many of its cells are missing.

    Examples
    --------
    >>> print(ReadColumn("age", "categories", 'because of "unknown" in line 1,023', 2))
    column "age": categories, because of "unknown" in line 1,023; 2 cells are missing
    """

    name: str
    kind: Kind
    reason: str
    missing: int = 0

    def __str__(self) -> str:
        text = f'column "{self.name}": {self.kind}'
        text += f", {self.reason}" if self.reason else ""
        if self.missing and self.kind != "empty":
            text += f"; {self.missing:,} {'cell is' if self.missing == 1 else 'cells are'} missing"
        return text


@dataclass(frozen=True, eq=False)
class Settled:
    """A column in the type that its cells have, how it was read, and which texts were taken for missing."""

    series: pl.Series
    reading: ReadColumn
    words: dict[str, int]


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines in which the rows of a table stand."""

    numbers: npt.NDArray[np.int64] | None

    def of(self, row: int) -> str:
        """Where a row stands, for a sentence."""
        return f"row {row + 1:,}" if self.numbers is None else f"line {int(self.numbers[row]):,}"


def settle(
    column: pl.Series,
    missing: Collection[str],
    lines: Lines,
    *,
    as_text: bool = False,
    as_numbers: bool = False,
    comma: bool = False,
) -> Settled:
    """Find out what a column of text holds, and give it that type.

    Parameters
    ----------
    column
        The cells as text. A null is an empty cell.
    missing
        The texts that mean missing, "" for the empty cell.
    lines
        Where the rows stand.
    as_text
        Leave the cells text, whatever they hold.
    as_numbers
        Whole numbers are numbers, even if some begin with a needless zero.
    comma
        A comma may stand in numbers for the point.

    Examples
    --------
    >>> import polars as pl
    >>> found = settle(pl.Series("age", ["31", "?", "old"]), ["", "?"], Lines(None))
    >>> print(found.reading)
    column "age": categories, because of "old" in row 3; 1 cell is missing
    >>> found.words
    {'?': 1}
    """
    if not as_text and "" in missing:
        plain = _plain_numbers(column, lines)
        if plain is not None:
            return plain if as_numbers else _unless_padded(plain, column, lines)
    text = column.str.strip_chars()
    words: dict[str, int] = {}
    named = [word for word in missing if word]
    if named:
        hit = text.is_in(named).fill_null(False)
        if hit.any():
            words = {str(word): count for word, count in text.filter(hit).value_counts(sort=True).rows()}
            text = text.set(hit, None)
    if "" in missing:
        empty = text == ""
        text = text.set(empty.fill_null(False), None) if empty.any() else text
    else:
        text = text.set(column.is_null(), "")
    gone = text.null_count()
    if gone == len(text):
        return Settled(text, ReadColumn(column.name, "empty", "since no cell has a value", gone), words)
    if as_text:
        return Settled(text, ReadColumn(column.name, "categories", "as was asked for", gone), words)
    for kind, reading in READINGS.items():
        if kind == "numbers":
            found = _numbers(text, comma, lines)
        else:
            values = reading(text)
            found = (values, "") if values is not None and values.null_count() == gone else None
        if found is not None:
            settled = Settled(found[0], ReadColumn(column.name, kind, found[1], gone), words)
            return settled if as_numbers else _unless_padded(settled, text, lines)
    return Settled(text, ReadColumn(column.name, "categories", _why_text(text, lines), gone), words)


def _plain_numbers(column: pl.Series, lines: Lines) -> Settled | None:
    """Numbers without anything among them but empty cells: the common case, settled without further ado."""
    import polars as pl

    gone = column.null_count()
    if gone == len(column):
        return None
    start = column.head(_FIRST)
    whole = start.cast(
        pl.Int64, strict=False
    )  # most columns show in their first rows that they are not whole
    if whole.null_count() == start.null_count():
        whole = column.cast(pl.Int64, strict=False)
        if whole.null_count() == gone:
            return Settled(whole, ReadColumn(column.name, "whole numbers", "", gone), {})
        start = column
    values = column.cast(pl.Float64, strict=False)
    if values.null_count() > gone or bool(values.is_nan().any()):  # "nan" may be one of the missing words
        return None
    row = int((whole.is_null() & start.is_not_null()).arg_max() or 0)
    reason = f'not whole because of "{column[row]}" in {lines.of(row)}'
    return Settled(values, ReadColumn(column.name, "numbers", reason, gone), {})


def _unless_padded(numbers: Settled, text: pl.Series, lines: Lines) -> Settled:
    """Whole numbers as the text that they stand in, if one of them begins with a needless zero."""
    if numbers.reading.kind != "whole numbers":
        return numbers
    padded = text.str.contains(_PADDED).fill_null(False)
    row = padded.arg_max()
    if row is None or not padded[row]:
        return numbers
    reason = f'because of the zero that "{text[row].strip()}" begins with in {lines.of(row)}'
    read = numbers.reading
    return Settled(
        text.str.strip_chars(), ReadColumn(read.name, "categories", reason, read.missing), numbers.words
    )


def _whole(text: pl.Series) -> pl.Series:
    import polars as pl

    return text.cast(pl.Int64, strict=False)


def _numbers(text: pl.Series, comma: bool, lines: Lines) -> tuple[pl.Series, str] | None:
    """The column as numbers with the reason why it is not of whole ones, or None."""
    import polars as pl

    gone = text.null_count()
    values = text.cast(pl.Float64, strict=False)
    if values.null_count() == gone:
        whole = text.cast(pl.Int64, strict=False)
        row = int((whole.is_null() & text.is_not_null()).arg_max() or 0)
        return values, f'not whole because of "{text[row]}" in {lines.of(row)}'
    if not comma:
        return None
    # 1,234 may mean a thousand and more: at least one number must show that it does not.
    points = text.str.contains(r"^[+-]?\d*,\d+([eE][+-]?\d+)?$")
    if not bool((points | values.is_not_null()).fill_null(True).all()):
        return None
    plain = text.filter(points & ~text.str.contains(r"^[+-]?\d{1,3}(,\d{3})+$"))
    if plain.is_empty():
        return None
    values = text.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return (values, f'with decimal commas, as in "{plain[0]}"') if values.null_count() == gone else None


def _booleans(text: pl.Series) -> pl.Series:
    import polars as pl

    return text.str.to_lowercase().replace_strict(
        {"true": True, "false": False}, default=None, return_dtype=pl.Boolean
    )


def _dates(text: pl.Series) -> pl.Series | None:
    first = text.drop_nulls()[0]
    if not (first[:4].isdigit() and first[4:5] == "-"):
        return None
    days = text.str.to_date("%Y-%m-%d", strict=False)
    if days.null_count() == text.null_count():
        return days
    with_t = text.str.replace(" ", "T", literal=True)
    for form in ("%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S%.f%#z"):
        moments = with_t.str.to_datetime(form, strict=False, time_unit="us")
        if moments.null_count() == text.null_count():
            return moments
    return None


def _durations(text: pl.Series) -> pl.Series | None:
    import polars as pl

    if ":" not in text.drop_nulls()[0]:
        return None
    for form in ("%H:%M:%S%.f", "%H:%M"):
        times = text.str.to_time(form, strict=False)
        if times.null_count() == text.null_count():
            return times.cast(pl.Duration("us"))
    return None


READINGS: dict[Kind, Callable[[pl.Series], pl.Series | None]] = {
    "whole numbers": _whole,
    "numbers": lambda text: text,  # has more to say, see `settle`
    "booleans": _booleans,
    "dates": _dates,
    "durations": _durations,
}


def _why_text(text: pl.Series, lines: Lines) -> str:
    """Name the cell that keeps a column from being numbers, and how many more there are."""
    import polars as pl

    odd = (text.cast(pl.Float64, strict=False).is_null() & text.is_not_null()).to_numpy()
    if not odd.any():  # an empty cell that counts as a value
        odd = text.is_not_null().to_numpy()
    rows = np.flatnonzero(odd)
    row = int(rows[0])
    reason = f'because of "{short(text[row])}" in {lines.of(row)}'
    more = len(rows) - 1
    if more and len(rows) <= (len(text) - text.null_count()) // 2:
        reason += (
            f" and {more:,} other {'cell that is no number' if more == 1 else 'cells that are no numbers'}"
        )
    return reason


def short(text: str, limit: int = 40) -> str:
    """A cell for a sentence: on one line, and not too long."""
    text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def typed(column: pl.Series) -> Settled:
    """Settle a column that has a type already: plain numeric types, and no types that learning has not.

    >>> import polars as pl
    >>> typed(pl.Series("n", [1, None], dtype=pl.UInt8)).series.dtype
    Int64
    """
    import polars as pl

    dtype = column.dtype
    kind: Kind
    reason = f"its type is {dtype}"
    if column.null_count() == len(column):
        return Settled(
            pl.Series(column.name, [None] * len(column), dtype=pl.String),
            ReadColumn(column.name, "empty", "since no cell has a value", len(column)),
            {},
        )
    if dtype == pl.Boolean:
        kind = "booleans"
    elif dtype.is_integer():
        whole = column.cast(pl.Int64, strict=False)
        exact = whole.null_count() == column.null_count()
        column, kind = (whole, "whole numbers") if exact else (column.cast(pl.Float64), "numbers")
    elif dtype.is_float() or dtype.is_decimal():
        column, kind = column.cast(pl.Float64), "numbers"
    elif dtype in (pl.Date, pl.Datetime):
        kind = "dates"
    elif dtype in (pl.Time, pl.Duration):
        column, kind = column.cast(pl.Duration("us")), "durations"
    elif dtype in (pl.String, pl.Categorical, pl.Enum):
        column, kind = column.cast(pl.String), "categories"
    else:
        raise TypeError(f"{dtype}")
    reading = ReadColumn(column.name, kind, reason, column.null_count())
    return Settled(column, reading, {})


def as_categories(column: Settled) -> Settled:
    """A column that has a type, read as text because the caller asked for it."""
    import polars as pl

    if column.series.dtype == pl.String:
        return column
    text = column.series.cast(pl.String)
    return Settled(
        text, ReadColumn(text.name, "categories", "as was asked for", text.null_count()), column.words
    )
