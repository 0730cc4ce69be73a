"""What was understood of each column, in words: its kind, its values, and how many are missing."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boxwood.cli.refusal import quoted

if TYPE_CHECKING:
    import polars as pl
    from rich.table import Table

MOST_COLUMNS = 60  # tables wider than this are shown in part


@dataclass(frozen=True)
class Understood:
    """One column as learning will see it."""

    name: str
    kind: str
    distinct: int
    missing: int
    values: str
    numeric: bool


def understand(column: pl.Series, categorical: bool = False) -> Understood:
    """Describe one column; `categorical` says that its numbers are names of groups.

    >>> import polars as pl
    >>> understand(pl.Series("age", [3, 1, None, 2]))
    Understood(name='age', kind='whole numbers', distinct=3, missing=1, values='1 to 3, median 2', ...)
    >>> understand(pl.Series("mood", ["wild", "calm", "wild"])).values
    'wild (2), calm (1)'
    """
    import polars as pl

    missing = column.null_count()
    if column.dtype.is_float():
        missing += int(column.is_nan().sum())
        column = column.fill_nan(None)
    present = column.drop_nulls()
    distinct = present.n_unique()
    numeric = not categorical and column.dtype != pl.String
    if present.is_empty():
        kind, values = "empty", "no value at all"
    elif not numeric:
        kind, values = "categories", _most_frequent(present)
    elif column.dtype == pl.Boolean:
        kind, values = "booleans", f"{int(present.sum())} true, {int((~present).sum())} false"
    elif column.dtype.is_temporal():
        kind = "durations" if column.dtype == pl.Duration else "dates"
        low: Any = present.min()
        high: Any = present.max()
        values = f"{low} to {high}"
    else:
        kind = "numbers" if column.dtype.is_float() else "whole numbers"
        median = present.median()
        values = f"{_number(present.min())} to {_number(present.max())}, median {_number(median)}"
    return Understood(column.name, kind, distinct, missing, values, numeric)


def _number(value: object) -> str:
    return f"{value}" if isinstance(value, int) else f"{value:.6g}"


def _most_frequent(present: pl.Series, limit: int = 5) -> str:
    counts = present.value_counts(name="rows of it").sort(
        ["rows of it", present.name], descending=[True, False], maintain_order=True
    )
    shown = [f"{_short(value)} ({rows})" for value, rows in counts.head(limit).rows()]
    if counts.height > limit:
        shown.append(f"{counts.height - limit} more")
    return ", ".join(shown)


def _short(value: object, limit: int = 24) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def column_table(
    frame: pl.DataFrame, target: str, categorical: Collection[str], *, quantity: bool = False
) -> Table:
    """Return the table that is shown of a frame's columns, the target last; it may be a `quantity`."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("column", overflow="fold")
    table.add_column("read as", no_wrap=True)
    table.add_column("values", justify="right", no_wrap=True)
    table.add_column("missing", justify="right", no_wrap=True)
    table.add_column("which", overflow="fold")
    features = [name for name in frame.columns if name != target]
    for name in features[:MOST_COLUMNS]:
        seen = understand(frame[name], name in categorical)
        lost = Text(f"{seen.missing:,}", style="yellow" if seen.missing else "dim")
        table.add_row(Text(seen.name), seen.kind, f"{seen.distinct:,}", lost, Text(seen.values))
    if len(features) > MOST_COLUMNS:
        table.add_row(Text(f"and {len(features) - MOST_COLUMNS:,} more", style="dim"), "", "", "", "")
    seen = understand(frame[target], categorical=not quantity)
    table.add_row(
        Text(target, style="bold"),
        Text("the target", style="bold"),
        f"{seen.distinct:,}",
        "0",
        Text(seen.values),
    )
    return table


def remarks(features: pl.DataFrame) -> list[str]:
    """Say what is odd about text columns: numbers with words among them, and texts that never repeat."""
    import polars as pl

    found = []
    for name in features.columns:
        if features[name].dtype != pl.String:
            continue
        present = features[name].drop_nulls()
        odd = present.filter(present.cast(pl.Float64, strict=False).is_null())
        if 0 < len(odd) <= len(present) // 2:
            words = odd.unique(maintain_order=True).to_list()
            listed = ",".join(words[:5])
            found.append(
                f'"{name}" is read as categories because of {quoted(words, 5)} among its numbers; '
                f"if that means missing, add --missing-values '{listed}'."
            )
        elif len(present) >= 20 and present.n_unique() == len(present):
            found.append(
                f"\"{name}\" has a different text in every row; it can be left out with --drop '{name}'."
            )
    return found
