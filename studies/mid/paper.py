"""The thesis's own figures, from `paper.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("paper.toml")


@dataclass(frozen=True)
class Printed:
    """Half a row of Table 3.1: so many features, and the training accuracies with them, in per cent."""

    features: float
    accuracy: float
    mid: float


@dataclass(frozen=True)
class PaperRow:
    """What the thesis prints of one data set; accuracies in per cent, by depth and pipeline."""

    title: str
    equal_frequency: Printed
    mdlp: Printed
    at_45: dict[tuple[int, str], float]
    best: dict[tuple[int, str], float]

    def printed(self, discretiser: str) -> Printed:
        """The half of the row of Table 3.1 that is about one discretiser."""
        return {"equal_frequency": self.equal_frequency, "mdlp": self.mdlp}[discretiser]


@dataclass(frozen=True)
class Paper:
    """All that the thesis prints of its experiments."""

    rows: dict[str, PaperRow]
    pipelines: tuple[str, ...]
    text: dict[str, Any]


@cache
def read_paper() -> Paper:
    """Read the figures.

    >>> read_paper().rows["banknote"].at_45[3, "mid_entropy"]
    97.38
    >>> read_paper().rows["wine"].printed("mdlp")
    Printed(features=21.8, accuracy=98.94, mid=98.88)
    """
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    text = found.pop("text")
    pipelines = tuple(text.pop("pipelines"))

    def table(cells: dict[str, list[float]]) -> dict[tuple[int, str], float]:
        return {
            (int(depth), pipeline): number
            for depth, numbers in cells.items()
            for pipeline, number in zip(pipelines, numbers, strict=True)
        }

    rows = {
        name: PaperRow(
            row["title"],
            Printed(*row["equal_frequency"]),
            Printed(*row["mdlp"]),
            table(row["table_3_2"]),
            table(row["table_3_3"]),
        )
        for name, row in found.items()
    }
    return Paper(rows, pipelines, text)
