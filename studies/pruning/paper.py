"""The thesis's own figures, from `paper.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("paper.toml")
ENCODINGS = ("binary", "one_hot", "multiway")


@dataclass(frozen=True)
class PaperRow:
    """What the thesis prints of one data set."""

    classes: int
    attributes: int
    rows: int
    missing: bool
    categorical: int
    accuracy: dict[str, float]
    """Per cent, by encoding: Tables A.1.1 and A.2.1."""
    marks: dict[str, str]
    """Whether an encoding is significantly better ("v") or worse ("*") than "binary"."""
    fit_seconds: dict[str, tuple[float, float]]
    """For "one_hot" and "multiway": seconds of fitting of "binary", and its own (A.1.2, A.2.2)."""
    fit_marks: dict[str, str]


@dataclass(frozen=True)
class Paper:
    """All that the thesis prints in numbers."""

    rows: dict[str, PaperRow]
    text: dict[str, Any]


@cache
def read_paper() -> Paper:
    """Read the figures.

    >>> paper = read_paper()
    >>> paper.rows["monks-problems-2"].accuracy["multiway"], paper.rows["monks-problems-2"].marks["multiway"]
    (65.72, '*')
    >>> paper.rows["letter"].fit_seconds["one_hot"]
    (1.58, 1.43)
    """
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    text = found.pop("text")
    rows = {}
    for name, row in found.items():
        one_hot, multiway = row.get("marks", ["", ""])
        rows[name] = PaperRow(
            *row["table_5_1"],
            accuracy=dict(zip(ENCODINGS, row["accuracy"], strict=True)),
            marks={"one_hot": one_hot, "multiway": multiway},
            fit_seconds={"one_hot": tuple(row["a_1_2"]), "multiway": tuple(row["a_2_2"])},
            fit_marks={"one_hot": row.get("marks_a_1_2", ""), "multiway": row.get("marks_a_2_2", "")},
        )
    return Paper(rows, text)
