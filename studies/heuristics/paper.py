"""The paper's own figures, from `paper.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("paper.toml")
FUNCTIONS = ("f1", "f2", "f3", "f4")


@dataclass(frozen=True)
class PaperRow:
    """One row of the paper's Tables 3 and 4; accuracies in the order f1 to f4, the share in per cent."""

    title: str
    cases: int
    classes: int
    attributes: int
    training: tuple[float, ...]
    testing: tuple[float, ...]
    non_boundary: float

    def accuracy(self, part: str, function: str) -> float:
        """The accuracy of one function on the ``training`` or the ``testing`` part."""
        printed: tuple[float, ...] = {"training": self.training, "testing": self.testing}[part]
        return printed[FUNCTIONS.index(function)]


@dataclass(frozen=True)
class Paper:
    """All that the paper prints of its experiment."""

    rows: dict[str, PaperRow]
    mean_non_boundary: float
    pairs: int
    significant_pairs: int


@cache
def read_paper() -> Paper:
    """Read the figures.

    >>> read_paper().rows["pima"].accuracy("testing", "f4")
    0.7893
    """
    found = tomllib.loads(FILE.read_text(encoding="utf-8"))
    text = found.pop("text")
    rows = {
        name: PaperRow(**{**row, "training": tuple(row["training"]), "testing": tuple(row["testing"])})
        for name, row in found.items()
    }
    return Paper(rows, **text)
