"""Chapter 5: how close to the best split of a random table each search comes, and how long it takes.

A row is a batch of tables of one shape under one criterion, with four columns per method: on how many tables
it was best, the sum and the largest of its relative excess over the best split that any method found, and
its processor time. Where exact search is among the methods, the best known is the best there is. Twoing and
PC-ext are also compared with each other, as the thesis does.
"""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import boxwood
from studies.harness.configuration import read_configuration
from studies.harness.study import Configuration, Key, Row

KEYS = ("dataset", "criterion", "batch")
MEASURES = ("best", "excess", "worst", "seconds")
PAIR = ("twoing", "pc_ext")
PAIR_VALUES = ("twoing_better", "pc_ext_better", "twoing_above", "pc_ext_above")
TIE = 1e-9  # relative; smaller differences are rounding
METHODS: tuple[str, ...] = tuple(
    read_configuration(Path(__file__).with_name("study.toml"))["splits"]["methods"]
)
VALUES = ("tables", *(f"{measure}:{method}" for method in METHODS for measure in MEASURES), *PAIR_VALUES)


def tables(configuration: Configuration) -> dict[str, str]:
    """There are no files: the tables are drawn."""
    return {}


def plan(configuration: Configuration) -> list[Key]:
    """All batches."""
    wanted = configuration["plan"]
    batches = math.ceil(wanted["tables"] / configuration["splits"]["batch"])
    return [
        {"dataset": f"{values}x{classes}", "criterion": criterion, "batch": batch}
        for classes in wanted["classes"]
        for values in wanted["values"]
        for criterion in wanted["criteria"]
        for batch in range(batches)
    ]


def shape(dataset: str) -> tuple[int, int]:
    """Values and classes.

    >>> shape("50x15")
    (50, 15)
    """
    values, classes = dataset.split("x")
    return int(values), int(classes)


def asked(method: str, values: int, classes: int, most: Any) -> bool:
    """Whether a method is tried on tables of a shape."""
    limit = most.get(method, {})
    return values <= limit.get("values", values) and classes <= limit.get("classes", classes)


def draw_tables(values: int, classes: int, batch: int, settings: Any) -> list[NDArray[np.float64]]:
    """Random tables without an empty row or column."""
    rng = np.random.default_rng([settings["seed"], values, classes, batch])
    found: list[NDArray[np.float64]] = []
    while len(found) < settings["batch"]:
        table = rng.integers(0, settings["largest"] + 1, size=(values, classes)).astype(np.float64)
        if table.sum(axis=0).all() and table.sum(axis=1).all():
            found.append(table)
    return found


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """All methods on one batch of tables."""
    settings = configuration["splits"]
    values, classes = shape(str(key["dataset"]))
    methods = [name for name in settings["methods"] if asked(name, values, classes, settings["most"])]
    drawn = draw_tables(values, classes, int(key["batch"]), settings)
    impurity = {method: np.empty(len(drawn)) for method in methods}
    row: dict[str, float] = dict.fromkeys(VALUES, math.nan)
    for method in methods:
        begin = time.thread_time()
        for place, table in enumerate(drawn):
            _, impurity[method][place] = boxwood.split_categories(
                table, criterion=str(key["criterion"]), method=method
            )
        row[f"seconds:{method}"] = time.thread_time() - begin
    best = np.min(list(impurity.values()), axis=0)
    for method, found in impurity.items():
        over = excess(found, best)
        row[f"best:{method}"] = int((over == 0).sum())
        row[f"excess:{method}"] = float(over.sum())
        row[f"worst:{method}"] = float(over.max())
    row["tables"] = len(drawn)
    if all(method in impurity for method in PAIR):
        twoing, pc_ext = (impurity[method] for method in PAIR)
        for name, one, other in (("twoing", twoing, pc_ext), ("pc_ext", pc_ext, twoing)):
            row[f"{name}_better"] = int((excess(other, one) > 0).sum())
            row[f"{name}_above"] = float(excess(one, other).max())
    return row


def excess(found: NDArray[np.float64], best: NDArray[np.float64]) -> NDArray[np.float64]:
    """The relative excess of one impurity over another; 0 where it is no larger.

    >>> excess(np.array([1.1, 1.0, 0.5]), np.array([1.0, 1.0, 0.0])).round(3).tolist()
    [0.1, 0.0, inf]
    """
    over = found - best
    over[over <= TIE * np.maximum(np.abs(best), 1e-300)] = 0.0
    return np.divide(over, best, out=np.where(over > 0, np.inf, 0.0), where=best > 0)
