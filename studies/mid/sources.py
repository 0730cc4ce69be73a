"""The data sets of the study: numbers and labels, whole or in folds, and their ranked thresholds.

Everything that several fits share is kept for a while: the last few tables, folds and rankings.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.discretize import EqualFrequencyDiscretizer, MDLPDiscretizer, MinimumImpurityDiscretizer
from studies import RefusedError
from studies.harness.folds import Rows, stratified_folds, stratified_sample
from studies.harness.study import Configuration
from studies.harness.tables import read_table

BINS = 8


@dataclass(frozen=True)
class Source:
    """A data set: a table file, perhaps with fewer columns, another label, or a sample of its rows."""

    folder: Path
    table: str
    columns: int
    label: str
    sample_rows: int
    sample_seed: int


@dataclass(frozen=True, eq=False)
class Numbers:
    """Rows of numbers with a label each."""

    X: NDArray[np.float64]
    y: NDArray[np.str_]


@dataclass(frozen=True)
class Part:
    """The training rows of one fold of a data set; ``folds`` 0 means that all rows train."""

    source: Source
    folds: int = 0
    seed: int = 0
    fold: int = 0


def find_source(name: str, configuration: Configuration, data: Path | None) -> Source:
    """The data set of that name."""
    assert data is not None, "the harness finds the folder"
    about = next(found for found in configuration["datasets"] if found["name"] == name)
    sample = configuration["sample"]
    return Source(
        data,
        about["table"],
        int(about.get("columns", 0)),
        str(about.get("label", "")),
        sample["rows"],
        sample["seed"],
    )


@functools.lru_cache(maxsize=2)
def read_source(source: Source) -> Numbers:
    """Read a data set: its numeric columns, without rows that lack a number or the label."""
    table = read_table(source.folder, source.table)
    names = table.numeric[: source.columns] if source.columns else table.numeric
    X = np.ascontiguousarray(table.X[names].to_numpy(dtype=np.float64))
    y = table.y
    whole = ~np.isnan(X).any(axis=1)
    if source.label:
        if source.label not in table.X.columns:
            raise RefusedError(f"the table {source.table} has no column {source.label!r} for the labels.")
        column = table.X[source.label]
        whole &= column.notna().to_numpy()
        y = np.array(column.astype(str).tolist())
    rows = np.flatnonzero(whole)
    if source.sample_rows:
        rows = rows[stratified_sample(y[rows], source.sample_rows, source.sample_seed)]
    return Numbers(np.ascontiguousarray(X[rows]), y[rows])


@functools.lru_cache(maxsize=4)
def split(source: Source, folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """Training and testing rows of every fold."""
    return stratified_folds(read_source(source).y, folds, seed)


@functools.lru_cache(maxsize=2)
def numbers(part: Part) -> tuple[Numbers, Numbers]:
    """The rows that train and the rows that test."""
    whole = read_source(part.source)
    if not part.folds:
        return whole, whole
    train, test = split(part.source, part.folds, part.seed)[part.fold]
    return (
        Numbers(np.ascontiguousarray(whole.X[train]), whole.y[train]),
        Numbers(np.ascontiguousarray(whole.X[test]), whole.y[test]),
    )


@functools.lru_cache(maxsize=8)
def ranking(part: Part, discretiser: str) -> NDArray[Any]:
    """The thresholds of the training rows, best first: ``feature``, ``threshold``, ``gain``.

    ``mid_gini`` and ``mid_entropy`` rank every value change; the others give as many as they find.
    """
    train, _ = numbers(part)
    if discretiser == "equal_frequency":
        fitted: Any = EqualFrequencyDiscretizer(n_bins=BINS)
    elif discretiser == "mdlp":
        fitted = MDLPDiscretizer()
    else:
        criterion = discretiser.removeprefix("mid_")
        fitted = MinimumImpurityDiscretizer(n_thresholds="all", criterion=criterion)
    thresholds: NDArray[Any] = fitted.fit(train.X, train.y).thresholds_
    return thresholds


def n_boundary_points(part: Part, discretiser: str) -> int:
    """How many thresholds of a ranking lower the impurity: the features that the thesis's MID has at most."""
    return int(np.count_nonzero(ranking(part, discretiser)["gain"] > 0))


def cells(X: NDArray[np.float64], thresholds: NDArray[Any]) -> NDArray[np.uint8]:
    """The 0/1 columns ``x <= t``, in the order of the thresholds.

    >>> thresholds = np.array([(0, 1.5)], dtype=[("feature", int), ("threshold", float)])
    >>> cells(np.array([[1.0], [2.0]]), thresholds).tolist()
    [[1], [0]]
    """
    binary = np.empty((len(X), len(thresholds)), dtype=np.uint8, order="F")
    for place, (feature, threshold) in enumerate(
        zip(thresholds["feature"], thresholds["threshold"], strict=True)
    ):
        binary[:, place] = X[:, feature] <= threshold
    return binary
