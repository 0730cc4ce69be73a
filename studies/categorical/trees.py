"""Chapter 6: trees on real tables, with each search of the splits of categories.

The thesis leaves out an attribute at a node when a chi-square test does not reject that it says nothing
(`select="chi2_filter"`), or chooses the attribute by the p-value of c_quad (`"conditional_inference"`) and
uses the search for its split only. Rows with missing cells are left out. Times are processor times.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import boxwood
from studies.categorical.sources import ALL, choose_columns, find_part, read_source, split
from studies.harness.study import Configuration, Key, Row

KEYS = ("dataset", "attributes", "depth", "select", "method", "repeat", "fold")
VALUES = ("accuracy", "fit_seconds", "n_leaves", "reached_depth", "n_classes")


def tables(configuration: Configuration) -> dict[str, str]:
    """The file of each data set."""
    return {dataset["name"]: dataset["table"] for dataset in configuration["datasets"]}


def plan(configuration: Configuration) -> list[Key]:
    """All fits, those of one fold together."""
    wanted = configuration["plan"]
    return [
        {
            "dataset": about["name"],
            "attributes": attributes,
            "depth": level["depth"],
            "select": select,
            "method": method,
            "repeat": repeat,
            "fold": fold,
        }
        for about in configuration["datasets"]
        for repeat in range(wanted["repeats"])
        for fold in range(configuration["validation"]["folds"])
        for attributes in wanted["attributes"]
        if attributes != ALL or about.get("numeric", False)
        for level in wanted["depths"]
        for select in wanted["selects"]
        for method in level["methods"]
    ]


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One tree: its accuracy, its size, and how long it took."""
    repeat, fold = int(key["repeat"]), int(key["fold"])
    part = find_part(str(key["dataset"]), repeat, fold, configuration, data)
    table = read_source(part.source)
    train, test = split(part)
    n_classes = len(np.unique(table.y))
    most = configuration["trees"]["most"].get(key["method"], {}).get("classes", n_classes)
    if n_classes > most:
        nothing = dict.fromkeys(VALUES, float("nan"))
        return {**nothing, "n_classes": n_classes}
    X = choose_columns(table, str(key["attributes"]))
    tree: Any = boxwood.TreeClassifier(
        criterion=configuration["trees"]["criterion"],
        max_depth=int(key["depth"]),
        categorical_split=str(key["method"]),
        select=str(key["select"]),
    )
    begin = time.thread_time()
    tree.fit(X.iloc[train], table.y[train])
    seconds = time.thread_time() - begin
    return {
        "accuracy": float(tree.score(X.iloc[test], table.y[test])),
        "fit_seconds": seconds,
        "n_leaves": int(tree.get_n_leaves()),
        "reached_depth": int(tree.get_depth()),
        "n_classes": n_classes,
    }
