"""The tables that benchmarks run on.

Real ones are gzipped CSV files in the folder of data sets (``$BOXWOOD_DATA``, else ``shared/data`` beside
the repository); synthetic ones are drawn with a fixed seed, so that they are there without any folder.
Every library gets the same C-ordered float64 array, and labels as they come: words stay words, numbers
become int64. For regression one of the numeric columns of a real table is the target, and its labels are
left out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError

ROOT = Path(__file__).resolve().parent.parent
LARGE = 10_000_000  # cells; a table of at least that many is a large one


@dataclass(frozen=True, eq=False)
class Table:
    """A table of numbers with a label, or a number to learn, per row."""

    name: str
    X: NDArray[np.float64]
    y: NDArray[Any]

    @property
    def shape(self) -> str:
        """Rows by columns, for people."""
        rows, columns = self.X.shape
        return f"{rows:,} x {columns}"

    @property
    def is_large(self) -> bool:
        """Whether the table is so large that threads and memory bandwidth matter."""
        return self.X.size >= LARGE

    def save(self, folder: Path) -> tuple[Path, Path]:
        """Write the table where another process can read it quickly, and say where."""
        paths = folder / "X.npy", folder / "y.npy"
        np.save(paths[0], self.X)
        np.save(paths[1], self.y)
        return paths


def find_data() -> Path | None:
    """The folder of real data sets, None when there is none."""
    named = os.environ.get("BOXWOOD_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


def read_csv(name: str) -> Table:
    """A real table, all of whose columns but the last, ``class``, are numbers."""
    import pandas as pd

    folder = find_data()
    if folder is None or not (folder / f"{name}.csv.gz").is_file():
        raise RefusedError(absence([name]))
    frame = pd.read_csv(
        folder / f"{name}.csv.gz", dtype={"class": str}, keep_default_na=False, na_values=[""]
    )
    labels = frame.pop("class").to_numpy().astype(str)
    y = labels.astype(np.int64) if all(label.lstrip("-").isdigit() for label in np.unique(labels)) else labels
    return Table(name, np.ascontiguousarray(frame.to_numpy(dtype=np.float64)), y)


def draw(name: str, n_rows: int, n_columns: int) -> Table:
    """A synthetic table of two classes: half of the columns inform, a quarter of them are redundant."""
    from sklearn.datasets import make_classification

    X, y = make_classification(
        n_samples=n_rows,
        n_features=n_columns,
        n_informative=n_columns // 2,
        n_redundant=n_columns // 4,
        flip_y=0.01,
        random_state=0,
    )
    return Table(name, np.ascontiguousarray(X, dtype=np.float64), y)


REAL: dict[str, Callable[[], Table]] = {
    "magic04": lambda: read_csv("magic04"),
    "letter": lambda: read_csv("letter"),
    "covertype": lambda: read_csv("covertype"),
}
SYNTHETIC: dict[str, Callable[[], Table]] = {
    "synthetic": lambda: draw("synthetic", 1_000_000, 20),
    "small": lambda: draw("small", 4_000, 8),
}
TABLES = REAL | SYNTHETIC


def with_target(table: Table, column: int = 0) -> Table:
    """The same table with one of its columns as what is to be learned, in place of its labels."""
    return Table(
        table.name, np.ascontiguousarray(np.delete(table.X, column, axis=1)), table.X[:, column].copy()
    )


def draw_numbers(name: str, n_rows: int, n_columns: int) -> Table:
    """A synthetic table for regression: Friedman's function of five columns, and noise."""
    from sklearn.datasets import make_friedman1

    X, y = make_friedman1(n_samples=n_rows, n_features=n_columns, noise=1.0, random_state=0)
    return Table(name, np.ascontiguousarray(X, dtype=np.float64), y)


REGRESSION_TABLES: dict[str, Callable[[], Table]] = {
    "magic04": lambda: with_target(read_csv("magic04")),  # fLength, the longer axis of a shower
    "covertype": lambda: with_target(read_csv("covertype")),  # elevation
    "synthetic": lambda: draw_numbers("synthetic", 1_000_000, 20),
    "small": lambda: draw_numbers("small", 4_000, 8),
}


def choose(names: Sequence[str]) -> tuple[list[str], str]:
    """Those of the named tables that can be had, and a sentence about the others ("" when there is none)."""
    folder = find_data()
    absent = [
        name
        for name in names
        if name in REAL and (folder is None or not (folder / f"{name}.csv.gz").is_file())
    ]
    return [name for name in names if name not in absent], absence(absent) if absent else ""


def absence(names: Sequence[str]) -> str:
    """Say that tables are absent, and what to do about it."""
    which = ", ".join(f"{name}.csv.gz" for name in names)
    return (
        f"{which} left out: the folder of data sets is absent or has no such file. "
        "Name the folder in the environment variable BOXWOOD_DATA, or put it at ../shared/data."
    )
