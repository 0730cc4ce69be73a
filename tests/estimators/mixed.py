"""A mixed table for the estimator's tests: numbers, strings, categories, dates, booleans, missing cells."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl


def mixed_columns(
    n: int = 240, *, missing: bool = True, seed: int = 0
) -> tuple[dict[str, list[Any]], np.ndarray]:
    """Columns as plain lists, and labels that follow from them, mostly."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n).round(2)
    colour = rng.choice(["red", "green", "blue"], n)
    grade = rng.choice(["low", "mid", "high"], n)
    count = rng.integers(0, 5, n)
    good = rng.random(n) < 0.5
    label = np.where((size > 0.2) ^ (colour == "red") | (grade == "high") & good, "yes", "no")
    label = np.where(rng.random(n) < 0.05, "maybe", label)
    columns: dict[str, list[Any]] = {
        "size": size.tolist(),
        "colour": colour.tolist(),
        "grade": grade.tolist(),
        "count": count.tolist(),
        "good": good.tolist(),
    }
    if missing:
        for name in ("size", "colour", "grade"):
            for row in np.flatnonzero(rng.random(n) < 0.1):
                columns[name][row] = None
    return columns, label


def mixed_numbers(n: int = 240, seed: int = 0) -> np.ndarray:
    """Numbers that follow from the same columns, mostly; a target for regression."""
    columns, _ = mixed_columns(n, missing=False, seed=seed)
    rng = np.random.default_rng(seed + 1)
    level = np.select([np.array(columns["colour"]) == name for name in ("red", "green")], [3.0, -1.0], 0.5)
    return 2 * np.array(columns["size"]) + level + np.array(columns["count"]) ** 2 + 0.1 * rng.normal(size=n)


def mixed_pandas(n: int = 240, *, missing: bool = True, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    columns, label = mixed_columns(n, missing=missing, seed=seed)
    frame = pd.DataFrame(columns)
    frame["size"] = frame["size"].astype(float)
    frame["grade"] = pd.Categorical(frame["grade"], categories=["low", "mid", "high"])
    return frame, label


def mixed_polars(n: int = 240, *, missing: bool = True, seed: int = 0) -> tuple[pl.DataFrame, np.ndarray]:
    columns, label = mixed_columns(n, missing=missing, seed=seed)
    return pl.DataFrame(columns, schema_overrides={"grade": pl.Enum(["low", "mid", "high"])}), label
