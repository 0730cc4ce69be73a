"""The tables that solvers for optimal trees are measured on: 0/1 cells, and the code of a class per row.

Two folders of them. The *binary* ones are binary to begin with: ``binary/NAME.txt.gz`` in the folder of data
sets, label first. The *binarised* ones are made here from the folder's CSV tables: up to eight thresholds per
numeric column that part its rows into equally many, one column per category, nothing that is the same in
every row. They are made with numpy alone, so that no contestant has a hand in them. The same name is in
both folders at times, so these have an ending: ``yeast-8``.

`known_optima.csv` beside this file holds the least numbers of errors that are known, by table and depth.
"""

from __future__ import annotations

import csv
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError
from bench.tables import find_data

KNOWN = Path(__file__).with_name("known_optima.csv")
THRESHOLDS = 8
ENDING = f"-{THRESHOLDS}"

TWO_CLASSES = ("pima", "german_credit", "ionosphere", "spambase", "magic04", "tic_tac_toe")
MANY_CLASSES = ("yeast", "satimage", "pendigits", "letter")
BINARISED = tuple(name + ENDING for name in (*TWO_CLASSES, *MANY_CLASSES))


@dataclass(frozen=True, eq=False)
class BinaryTable:
    """Rows of 0/1 cells with the code of a class each."""

    name: str
    X: NDArray[np.uint8]
    y: NDArray[np.int32]

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return int(self.y.max()) + 1

    @property
    def shape(self) -> str:
        """Rows by columns, for people."""
        rows, columns = self.X.shape
        return f"{rows:,} x {columns}"

    @property
    def majority_errors(self) -> int:
        """The errors of a single leaf."""
        return len(self.y) - int(np.bincount(self.y).max())

    def save(self, folder: Path) -> tuple[Path, Path]:
        """Write the table where another process can read it, and say where."""
        paths = folder / "X.npy", folder / "y.npy"
        np.save(paths[0], self.X)
        np.save(paths[1], self.y)
        return paths


def binary_names() -> list[str]:
    """The binary tables of the folder of data sets; none when there is no folder."""
    folder = find_data()
    if folder is None:
        return []
    return sorted(path.name.removesuffix(".txt.gz") for path in (folder / "binary").glob("*.txt.gz"))


def binarised_names() -> list[str]:
    """Those of the default CSV tables that the folder has, by the names that they have here."""
    folder = find_data()
    if folder is None:
        return []
    return [name for name in BINARISED if (folder / f"{name.removesuffix(ENDING)}.csv.gz").is_file()]


def read(name: str) -> BinaryTable:
    """A table by its name."""
    return read_binarised(name) if name.endswith(ENDING) else read_binary(name)


def read_binary(name: str) -> BinaryTable:
    """A table that is binary to begin with."""
    path = _found(f"binary/{name}.txt.gz")
    cells = np.loadtxt(path, dtype=np.int64, ndmin=2)
    return BinaryTable(name, np.ascontiguousarray(cells[:, 1:], dtype=np.uint8), codes(cells[:, 0]))


def read_binarised(name: str) -> BinaryTable:
    """A CSV table, binarised."""
    import pandas as pd

    path = _found(f"{name.removesuffix(ENDING)}.csv.gz")
    frame = pd.read_csv(path, dtype={"class": str}, keep_default_na=False, na_values=[""])
    labels = frame.pop("class").to_numpy()
    parts = [binarise(frame[column].to_numpy()) for column in frame.columns]
    return BinaryTable(name, np.ascontiguousarray(np.column_stack(parts)), codes(labels))


def codes(labels: NDArray[Any]) -> NDArray[np.int32]:
    """Labels as numbers from 0 on.

    >>> codes(np.array(["no", "yes", "no"]))
    array([0, 1, 0], dtype=int32)
    """
    return np.unique(labels, return_inverse=True)[1].astype(np.int32)


def binarise(values: NDArray[Any]) -> NDArray[np.uint8]:
    """One column as 0/1 columns: ``x <= t`` for up to eight thresholds, or ``x = category``.

    >>> binarise(np.array([3.0, 1.0, 2.0])).T
    array([[0, 1, 0],
           [0, 1, 1]], dtype=uint8)
    >>> binarise(np.array(["b", "a", "b"], dtype=object)).T
    array([[0, 1, 0],
           [1, 0, 1]], dtype=uint8)
    """
    if values.dtype.kind in "fiub":
        shares = np.arange(1, THRESHOLDS + 1) / (THRESHOLDS + 1)
        thresholds = np.unique(np.quantile(values, shares, method="inverted_cdf"))
        cells = values[:, None] <= thresholds
    else:
        words = values.astype(str)
        cells = words[:, None] == np.unique(words)
    inside = cells.any(axis=0) & ~cells.all(axis=0)
    return cells[:, inside].astype(np.uint8)


@functools.cache
def known_optima() -> dict[tuple[str, int], int]:
    """The least errors that are known, by table and depth."""
    with KNOWN.open(newline="", encoding="utf-8") as file:
        return {(row["table"], int(row["depth"])): int(row["errors"]) for row in csv.DictReader(file)}


def _found(place: str) -> Path:
    folder = find_data()
    if folder is None or not (folder / place).is_file():
        raise RefusedError(
            f"{place} is not there. Name the folder of data sets in the environment variable BOXWOOD_DATA, "
            "or put it at ../shared/data."
        )
    return folder / place
