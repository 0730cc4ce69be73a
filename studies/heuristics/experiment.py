"""The fits of the study: which there are, and how one is made.

Paper E, section 5.3: ten-fold cross-validation, repeated five times, of trees grown with each of the four
functions. The folds are stratified and depend on the data set and the repeat only, so that the four
functions are compared on the same folds.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boxwood import TreeClassifier
from studies import RefusedError
from studies.harness.folds import Rows, stratified_folds, stratified_sample
from studies.harness.study import Configuration, Key, Row
from studies.harness.tables import Table, read_table
from studies.heuristics.cuts import CutCount, count_row_cuts, count_table, count_value_cuts

KEYS = ("dataset", "function", "repeat", "fold")
VALUES = (
    "training_accuracy",
    "testing_accuracy",
    "n_leaves",
    "depth",
    "n_cuts",
    "n_cuts_evaluated",
    "root_cuts",
    "root_boundary_cuts",
    "root_row_pairs",
    "root_boundary_row_pairs",
)


def tables(configuration: Configuration) -> dict[str, str]:
    """The file of each data set."""
    return {dataset["name"]: dataset["table"] for dataset in configuration["datasets"]}


def plan(configuration: Configuration) -> list[Key]:
    """All fits. The functions change fastest: what they share is read and counted once."""
    validation = configuration["validation"]
    return [
        {"dataset": dataset["name"], "function": function, "repeat": repeat, "fold": fold}
        for dataset in configuration["datasets"]
        for repeat in range(len(validation["seeds"]))
        for fold in range(validation["folds"])
        for function in configuration["functions"]
    ]


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One tree: its accuracies, its size, and the cuts there were."""
    validation = configuration["validation"]
    part = Part(
        find_source(str(key["dataset"]), configuration, data),
        validation["folds"],
        validation["seeds"][int(key["repeat"])],
        int(key["fold"]),
    )
    train, test = part.tables()
    classifier = grow(train, configuration["functions"][key["function"]], configuration["stopping"])
    by_value, by_row = count_root(part)
    return {
        "training_accuracy": accuracy(classifier, train),
        "testing_accuracy": accuracy(classifier, test),
        "n_leaves": int(classifier.tree_.n_leaves),
        "depth": int(classifier.tree_.depth),
        "n_cuts": int(classifier.n_cuts_),
        "n_cuts_evaluated": int(classifier.n_cuts_evaluated_),
        "root_cuts": by_value.cuts,
        "root_boundary_cuts": by_value.boundaries,
        "root_row_pairs": by_row.cuts,
        "root_boundary_row_pairs": by_row.boundaries,
    }


def grow(train: Table, criterion: str, stopping: Mapping[str, Any]) -> TreeClassifier:
    """Fit a tree; what boxwood refuses is refused here in its own words."""
    try:
        classifier = TreeClassifier(criterion=criterion, **stopping)
        classifier.fit(train.X, train.y)
    except (TypeError, ValueError) as error:
        raise RefusedError(
            f"boxwood does not grow {train.name} with criterion {criterion!r} and {dict(stopping)}: {error}"
        ) from error
    return classifier


def accuracy(classifier: TreeClassifier, table: Table) -> float:
    """The share of rows whose label is predicted."""
    return float(np.mean(classifier.predict(table.X) == table.y))


# ------------------------------------------------------------------------------------------- rows of tables


@dataclass(frozen=True)
class Source:
    """A data set of the study: a table file, perhaps with its labels in bands, perhaps a sample of it."""

    folder: Path
    table: str
    label_bands: tuple[float, ...]
    sample_rows: int
    sample_seed: int


@dataclass(frozen=True)
class Part:
    """One fold of one repeat of a data set."""

    source: Source
    folds: int
    seed: int
    fold: int

    def tables(self) -> tuple[Table, Table]:
        """The rows that train and the rows that test."""
        table = read_source(self.source)
        train, test = split(self.source, self.folds, self.seed)[self.fold]
        return table.take(train), table.take(test)


def find_source(name: str, configuration: Configuration, data: Path | None) -> Source:
    """The data set of that name."""
    assert data is not None, "the harness finds the folder"
    dataset = next(found for found in configuration["datasets"] if found["name"] == name)
    sample = configuration["sample"]
    bands = tuple(dataset.get("label_bands", ()))
    return Source(data, dataset["table"], bands, sample["rows"], sample["seed"])


@functools.lru_cache(maxsize=2)
def read_source(source: Source) -> Table:
    """Read a data set."""
    table = read_table(source.folder, source.table)
    if source.label_bands:
        table = table.banded(source.label_bands)
    if source.sample_rows:
        table = table.take(stratified_sample(table.y, source.sample_rows, source.sample_seed))
    return table


@functools.lru_cache(maxsize=8)
def split(source: Source, folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """The folds of one repeat."""
    return stratified_folds(read_source(source).y, folds, seed)


@functools.lru_cache(maxsize=2)
def count_root(part: Part) -> tuple[CutCount, CutCount]:
    """The cuts of the training rows as a whole, between values and between rows."""
    train, _ = part.tables()
    return count_table(train, count_value_cuts), count_table(train, count_row_cuts)
