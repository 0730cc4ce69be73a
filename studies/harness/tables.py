"""The tables that studies run on: any folder of CSV files, gzipped or not, with a header and a label column.

The folder is named by ``--data``, else by the environment variable ``BOXWOOD_DATA``, else it is ``./data``.
The labels are in the column ``class``, or in the last one when no column has that name. When the folder has
a ``manifest.json``, its lists of categorical columns are followed; otherwise a column is numeric when all
of its cells are numbers. Only the empty cell is missing; words such as "NA" are values.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies import RefusedError

LABEL = "class"
ENDINGS = (".csv.gz", ".csv")


@dataclass(frozen=True, eq=False)
class Table:
    """A frame of features, and a label per row (labels are words)."""

    name: str
    X: Any
    y: NDArray[np.str_]

    @property
    def numeric(self) -> list[str]:
        """The names of the numeric columns."""
        return [name for name in self.X.columns if self.X[name].dtype.kind == "f"]

    def take(self, rows: NDArray[np.intp]) -> Table:
        """Some of the rows."""
        return Table(self.name, self.X.iloc[rows], self.y[rows])

    def banded(self, uppers: Sequence[float]) -> Table:
        """The same rows, numeric labels in bands: up to the first bound, up to the second, ..., above."""
        bands = np.searchsorted(np.asarray(uppers, dtype=float), self.y.astype(float), side="left")
        return Table(self.name, self.X, bands.astype(str))


def find_folder(named: str | os.PathLike[str] | None) -> Path:
    """The folder of tables: the one that is named, else ``$BOXWOOD_DATA``, else ``./data``."""
    if named is not None:
        folder, origin = Path(named), "--data"
    elif os.environ.get("BOXWOOD_DATA"):
        folder, origin = Path(os.environ["BOXWOOD_DATA"]), "the environment variable BOXWOOD_DATA"
    else:
        folder, origin = Path("data"), "the default"
    if not folder.is_dir():
        raise RefusedError(
            f"there is no folder of tables at {folder} ({origin}). Name one with --data FOLDER or in the "
            "environment variable BOXWOOD_DATA."
        )
    return folder.resolve()


def find_table(folder: Path, name: str) -> Path | None:
    """The file of a table, None when there is none."""
    return next((folder / (name + end) for end in ENDINGS if (folder / (name + end)).is_file()), None)


def check_tables(folder: Path, names: Iterable[str]) -> None:
    """Refuse a folder in which tables are missing, and name all of them."""
    missing = [name for name in dict.fromkeys(names) if find_table(folder, name) is None]
    if missing:
        which = ", ".join(f"{name}.csv.gz" for name in missing)
        raise RefusedError(
            f"the folder {folder} lacks {which} (or the same without .gz). Add the files, name another "
            "folder with --data, or choose the data sets that are there with --only."
        )


def digest(folder: Path, name: str) -> str:
    """Sixteen hexadecimal digits that change whenever the file of a table does."""
    path = find_table(folder, name)
    assert path is not None, "check_tables comes first"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


@functools.lru_cache(maxsize=4)
def read_table(folder: Path, name: str) -> Table:
    """Read a table; the last few are kept, since a study makes many fits on each."""
    import pandas as pd

    path = find_table(folder, name)
    if path is None:
        check_tables(folder, [name])
        raise AssertionError("check_tables refuses")
    frame = pd.read_csv(path, dtype=str, keep_default_na=False)
    if not len(frame):
        raise RefusedError(f"{path} has no rows.")
    label = LABEL if LABEL in frame.columns else frame.columns[-1]
    labels = frame.pop(label)
    if (labels == "").any():
        row = int(np.flatnonzero(labels == "")[0])
        raise RefusedError(f"{path}: row {row} has no label in column {label!r}. Drop such rows.")
    categorical = categorical_columns(folder, name)
    for column in frame.columns:
        cells = frame[column].mask(frame[column] == "")
        if categorical is not None and column in categorical:
            frame[column] = cells.astype("category")
            continue
        try:
            frame[column] = pd.to_numeric(cells).astype("float64")
        except ValueError:
            frame[column] = cells.astype("category")
    return Table(name, frame, labels.to_numpy(dtype=str))


@functools.lru_cache(maxsize=1)
def read_manifest(folder: Path) -> dict[str, Any]:
    """What ``manifest.json`` says about each table; empty when there is no such file."""
    path = folder / "manifest.json"
    if not path.is_file():
        return {}
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["datasets"]
        return {about["name"]: about for about in listed}
    except (ValueError, KeyError, TypeError) as error:
        raise RefusedError(
            f"{path} is not a list of data sets ({type(error).__name__}: {error}). Mend or remove it."
        ) from None


def categorical_columns(folder: Path, name: str) -> set[str] | None:
    """The categorical columns of a table by the manifest, None when it says nothing."""
    about = read_manifest(folder).get(name)
    return None if about is None else set(about.get("categorical", []))
