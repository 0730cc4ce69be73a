"""The rows of a fit: which of a table's rows there are, and which of them train.

Chapter 6 leaves out rows with missing cells, the appendix keeps them.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from studies.harness.folds import Rows, stratified_folds, stratified_sample
from studies.harness.study import Configuration
from studies.harness.tables import Table, read_table


@dataclass(frozen=True)
class Source:
    """A table of a study, by its name: few enough words to be a key of a cache."""

    folder: Path
    table: str
    whole: bool  # rows with missing cells are kept
    sample: int
    seed: int


@dataclass(frozen=True)
class Part:
    """One fold of one repeat."""

    source: Source
    folds: int
    seed: int
    fold: int


def find_part(
    dataset: str, repeat: int, fold: int, whole: bool, configuration: Configuration, data: Path | None
) -> Part:
    """The part of a data set that a key names."""
    assert data is not None, "this study has tables"
    (about,) = (about for about in configuration["datasets"] if about["name"] == dataset)
    validation, sample = configuration["validation"], configuration["sample"]
    source = Source(data, about["table"], whole, sample["rows"], sample["seed"])
    return Part(source, validation["folds"], validation["seed"] + repeat, fold)


@functools.lru_cache(maxsize=4)
def read_source(source: Source) -> Table:
    """The rows of a table that the study uses."""
    table = read_table(source.folder, source.table)
    if not source.whole:
        table = table.take(np.flatnonzero(~table.X.isna().any(axis=1).to_numpy()))
    if source.sample:
        table = table.take(stratified_sample(table.y, source.sample, source.seed))
    return Table(table.name, table.X.reset_index(drop=True), table.y)


@functools.lru_cache(maxsize=32)
def split(part: Part) -> tuple[Rows, Rows]:
    """Training and testing rows."""
    return stratified_folds(read_source(part.source).y, part.folds, part.seed)[part.fold]


def one_hot(X: Any) -> Any:
    """A frame without categories: a 0/1 column for each of their values, missing where the cell is."""
    import pandas as pd

    columns: dict[str, Any] = {}
    for name in X.columns:
        column = X[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            codes = column.cat.codes.to_numpy()
            absent = codes < 0
            for code, category in enumerate(column.cat.categories):
                cells = (codes == code).astype(np.float64)
                cells[absent] = np.nan
                columns[f"{name}={category}"] = cells
        else:
            columns[name] = column.to_numpy()
    return pd.DataFrame(columns, index=X.index)
