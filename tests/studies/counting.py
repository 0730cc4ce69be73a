"""A study without tables and without trees, to try the harness on: a row says what key made it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from studies.harness.study import Configuration, Key, Row, Study


def plan(configuration: Configuration) -> list[Key]:
    return [
        {"dataset": name, "fold": fold}
        for name in configuration["datasets"]
        for fold in range(configuration["folds"]["number"])
    ]


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """A number that is drawn, with a seed from the key alone."""
    seed = [configuration["folds"]["seed"], int(key["fold"]), len(str(key["dataset"]))]
    return {"score": float(np.random.default_rng(seed).random()), "size": int(key["fold"]) + 1}


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    return f"{len(rows)} rows, mean size {rows['size'].mean():.2f}"


def counting_study(folder: Path, fit: Callable[..., Row] = fit) -> Study:
    return Study(
        name="counting",
        folder=folder,
        settings=("datasets", "folds"),
        keys=("dataset", "fold"),
        values=("score", "size"),
        tables=lambda configuration: {},
        plan=plan,
        fit=fit,
        report=report,
    )
