"""What a study leaves behind for people and programs: Markdown, CSV, and grids for the console.

The grid itself is the benchmarks' (`bench.report`): one way to lay out a table in this repository.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.report import Grid, facts_as_text

__all__ = ["Grid", "number", "percent", "p_value", "write_markdown", "write_csv"]

ABSENT = "–"


def number(value: float, digits: int = 4) -> str:
    """A number, or a dash when there is none.

    >>> number(0.78912), number(float("nan"))
    ('0.7891', '–')
    """
    return ABSENT if math.isnan(value) else f"{value:.{digits}f}"


def percent(share: float) -> str:
    """A share in per cent.

    >>> percent(0.6787), percent(float("nan"))
    ('67.9', '–')
    """
    return number(100 * share, 1)


def p_value(p: float) -> str:
    """A p-value, with a star below 0.05.

    >>> p_value(0.04), p_value(0.5), p_value(1e-6)
    ('0.0400*', '0.5000', '<0.0001*')
    """
    if math.isnan(p):
        return ABSENT
    return ("<0.0001" if p < 0.0001 else f"{p:.4f}") + ("*" if p < 0.05 else "")


def write_markdown(path: Path, title: str, facts: Mapping[str, str], parts: Sequence[Grid | str]) -> None:
    """Write a report: a title, on what it ran, then grids and paragraphs in turn."""
    words = [part if isinstance(part, str) else part.as_markdown() for part in parts]
    head = [f"# {title}", facts_as_text(facts) + "." if facts else ""]
    path.write_text("\n\n".join(word for word in [*head, *words] if word) + "\n", "utf-8", newline="\n")


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write a table for other programs; the first row has all columns."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
