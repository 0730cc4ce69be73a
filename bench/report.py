"""How results are shown: aligned text for the console, Markdown for files, CSV for other programs."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import RefusedError

NOT_MEASURED = "n/a"


# ---------------------------------------------------------------------------------------------------- numbers


def seconds(value: float) -> str:
    """A time in a unit that suits it.

    >>> seconds(0.01234), seconds(4.567), seconds(123.4)
    ('12.3 ms', '4.57 s', '123.4 s')
    """
    if math.isnan(value):
        return NOT_MEASURED
    if value < 1:
        return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value * 1000:.0f} ms"
    return f"{value:.2f} s" if value < 100 else f"{value:.1f} s"


def times(value: float, digits: int = 1) -> str:
    """A multiple.

    >>> times(15.04), times(0.333, 2), times(float("nan"))
    ('15.0x', '0.33x', 'n/a')
    """
    return NOT_MEASURED if math.isnan(value) else f"{value:.{digits}f}x"


# ------------------------------------------------------------------------------------------------------ grids


@dataclass(frozen=True)
class Grid:
    """A titled table of words and numbers: the first ``words`` columns are words."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int

    def as_text(self) -> str:
        """Aligned columns for the console, words to the left, numbers to the right."""
        widths = [
            max(len(row[place]) for row in [self.header, *self.rows]) for place in range(len(self.header))
        ]
        lines = [
            "  ".join(
                cell.ljust(width) if place < self.words else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in [self.header, ["-" * width for width in widths], *self.rows]
        ]
        return "\n".join([self.title, *lines] if self.title else lines)

    def as_markdown(self) -> str:
        """A Markdown table under its title."""
        marks = ["---" if place < self.words else "--:" for place in range(len(self.header))]
        lines = ["| " + " | ".join(row) + " |" for row in [self.header, marks, *self.rows]]
        return "\n".join([f"### {self.title}", "", *lines] if self.title else lines)


# -------------------------------------------------------------------------------------------------- checklist


@dataclass(frozen=True)
class Check:
    """One thing to reach, what was found, and whether that is enough (None: not measured in this run)."""

    aim: str
    found: str
    reached: bool | None
    is_correctness: bool = False  # failing it means wrong, not slow

    @property
    def mark(self) -> str:
        """PASS, FAIL, or a dash."""
        return "-" if self.reached is None else "PASS" if self.reached else "FAIL"


def checklist(checks: Iterable[Check]) -> Grid:
    """The checks as a table."""
    return Grid(
        "To reach", ["", "aim", "found"], [[check.mark, check.aim, check.found] for check in checks], 3
    )


# ------------------------------------------------------------------------------------------------------ files


def facts_as_text(facts: Mapping[str, str]) -> str:
    """The environment in one sentence.

    >>> facts_as_text({"processor": "Abacus", "cores": "2"})
    'processor Abacus, cores 2'
    """
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def write_markdown(
    path: Path, title: str, facts: Mapping[str, str], grids: Sequence[Grid], notes: str
) -> None:
    """Write a whole report."""
    parts = [f"# {title}", facts_as_text(facts) + ".", notes, *(grid.as_markdown() for grid in grids)]
    path.write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8", newline="\n")


def write_csv(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    """Write raw measurements, one per line."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def split_at_markers(path: Path, name: str) -> tuple[str, str]:
    """A file up to and with ``<!-- bench:NAME -->``, and from ``<!-- /bench:NAME -->`` on."""
    begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RefusedError(f"{path} cannot be read ({error.strerror}).") from None
    if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
        raise RefusedError(f"{path} must have one line {begin} and, after it, one line {end}.")
    return text[: text.index(begin) + len(begin)], text[text.index(end) :]


def fill_markers(path: Path, name: str, content: str) -> None:
    """Replace what stands between ``<!-- bench:NAME -->`` and ``<!-- /bench:NAME -->`` in a file."""
    before, after = split_at_markers(path, name)
    path.write_text(f"{before}\n{content}\n{after}", encoding="utf-8", newline="\n")
