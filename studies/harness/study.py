"""What a study is: a plan of fits, the function that makes one of them, and a report on all of them.

A fit is named by its key, ``{"dataset": "pima", "function": "f1", "repeat": 0, "fold": 3}`` say. Everything
random in a fit must follow from its key and the configuration, so that a row is the same whichever process
makes it, in whatever order, today or when the run is resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Configuration = Mapping[str, Any]
Key = Mapping[str, str | int]
Row = Mapping[str, float]


@dataclass(frozen=True)
class Study:
    """One study, or one step of it that has rows of its own."""

    name: str
    """What the folder of its output is called."""
    folder: Path
    """Where its ``study.toml`` is."""
    settings: Sequence[str]
    """The parts of the configuration that decide about the rows; others may change between two runs."""
    keys: Sequence[str]
    """The columns that name a fit; one of them is ``dataset``."""
    values: Sequence[str]
    """The columns that a fit fills."""
    tables: Callable[[Configuration], Mapping[str, str]]
    """From the configuration to the table file of each data set; empty for a study without files."""
    plan: Callable[[Configuration], Sequence[Key]]
    """From the configuration to all fits, in the order of the rows."""
    fit: Callable[[Key, Configuration, Path | None], Row]
    """Make one fit. It is called in other processes, so it must be a function that can be imported."""
    report: Callable[[Any, Configuration, Path], str]
    """From the rows (a pandas frame), the configuration and the folder for files to a text to print."""
