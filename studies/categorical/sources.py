"""The tables of chapter 6: which columns and rows of a file a data set has."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from studies import RefusedError
from studies.harness.folds import Rows, stratified_folds, stratified_sample
from studies.harness.study import Configuration
from studies.harness.tables import Table, read_table

NOMINAL, ALL = "nominal", "all"
INDICATORS = ("Wilderness_Area", "Soil_Type")


@dataclass(frozen=True)
class Source:
    """A data set of the study, in words that can be a key of a cache."""

    folder: Path
    table: str
    columns: int
    indicators: str
    sample: int
    seed: int


@dataclass(frozen=True)
class Part:
    """One fold of one repeat."""

    source: Source
    folds: int
    seed: int
    fold: int


def find_part(dataset: str, repeat: int, fold: int, configuration: Configuration, data: Path | None) -> Part:
    """The part of a data set that a key names."""
    assert data is not None, "chapter 6 has tables"
    (about,) = (about for about in configuration["datasets"] if about["name"] == dataset)
    validation, sample = configuration["validation"], configuration["sample"]
    source = Source(
        data,
        about["table"],
        about.get("columns", 0),
        about.get("indicators", ""),
        sample["rows"],
        sample["seed"],
    )
    return Part(source, validation["folds"], validation["seed"] + repeat, fold)


@functools.lru_cache(maxsize=3)
def read_source(source: Source) -> Table:
    """The complete rows of a data set, or a sample of them, with all its columns."""
    table = read_table(source.folder, source.table)
    X = table.X.iloc[:, : source.columns] if source.columns else table.X
    keep = np.flatnonzero(~X.isna().any(axis=1).to_numpy())
    if source.sample:
        keep = keep[stratified_sample(table.y[keep], source.sample, source.seed)]
    X = X.iloc[keep].reset_index(drop=True)
    if source.indicators:
        X = with_indicators(X, source.indicators == "folded")
    return Table(table.name, X, table.y[keep])


def with_indicators(X: Any, folded: bool) -> Any:
    """Columns of 0 and 1 as categories of two values, or folded back into the attribute behind them."""
    import pandas as pd

    there = {prefix: [name for name in X.columns if name.startswith(prefix)] for prefix in INDICATORS}
    if not all(there.values()):
        raise RefusedError(f"this table has no columns {INDICATORS[0]}1, ... and {INDICATORS[1]}1, ...")
    X = X.copy()
    for prefix, names in there.items():
        cells = X[names].to_numpy()
        if (cells.sum(axis=1) != 1).any():
            raise RefusedError(f"a row has not exactly one 1 among the columns {prefix}1, {prefix}2, ...")
        if folded:
            X = X.drop(columns=names)
            X[prefix] = pd.Categorical((cells.argmax(axis=1) + 1).astype(str))
        else:
            X[names] = X[names].astype(int).astype(str).astype("category")
    return X


def choose_columns(table: Table, attributes: str) -> Any:
    """The nominal columns, or all."""
    return table.X if attributes == ALL else table.X.drop(columns=table.numeric)


@functools.lru_cache(maxsize=8)
def split(part: Part) -> tuple[Rows, Rows]:
    """Training and testing rows."""
    return stratified_folds(read_source(part.source).y, part.folds, part.seed)[part.fold]
