"""Which stopping rule comes nearest to the paper's trees?

The problem. The paper does not say when its trees stop growing, and its training accuracies (0.79 on pima,
where a full tree reaches 1) say that they stopped early.

The idea. Each rule of a grid is tried alone: a limit of depth, of leaves, of rows per leaf, of gain. Its
distance is the mean absolute difference between our training accuracy and the paper's over the nine data
sets and the four functions. Training accuracy is what a stopping rule decides; testing accuracy is left
for the comparison. The distance over testing accuracies is shown, but decides nothing.

The labels of abalone are counted in two ways, as Table 3 says (28 ring counts that occur) and in three
groups; `README.md` says why. Both distances are shown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studies.harness.environment import read_environment
from studies.harness.report import Grid, number, write_csv, write_markdown
from studies.harness.study import Configuration, Key, Row, Study
from studies.heuristics.experiment import Part, accuracy, find_source, grow, tables
from studies.heuristics.paper import Paper, read_paper

KEYS = ("dataset", "rule", "function", "repeat", "fold")
VALUES = ("training_accuracy", "testing_accuracy", "n_leaves", "depth")
SHOWN = 15


def rules(configuration: Configuration) -> list[str]:
    """The rules of the grid as words, ``max_depth=3`` say."""
    grid: Mapping[str, list[int | float]] = configuration["calibration"]["rules"]
    return [f"{argument}={json.dumps(value)}" for argument, values in grid.items() for value in values]


def arguments(rule: str) -> dict[str, int | float]:
    """A rule as arguments of the classifier.

    >>> arguments("min_samples_leaf=0.05")
    {'min_samples_leaf': 0.05}
    """
    name, _, value = rule.partition("=")
    return {name: json.loads(value)}


def plan(configuration: Configuration) -> list[Key]:
    """All fits: every rule with every function on every fold of every data set."""
    calibration = configuration["calibration"]
    return [
        {"dataset": dataset["name"], "rule": rule, "function": function, "repeat": repeat, "fold": fold}
        for dataset in configuration["datasets"]
        for repeat in range(len(calibration["seeds"]))
        for fold in range(calibration["folds"])
        for rule in rules(configuration)
        for function in configuration["functions"]
    ]


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One tree under one rule."""
    calibration = configuration["calibration"]
    part = Part(
        find_source(str(key["dataset"]), configuration, data),
        calibration["folds"],
        calibration["seeds"][int(key["repeat"])],
        int(key["fold"]),
    )
    train, test = part.tables()
    classifier = grow(train, configuration["functions"][key["function"]], arguments(str(key["rule"])))
    return {
        "training_accuracy": accuracy(classifier, train),
        "testing_accuracy": accuracy(classifier, test),
        "n_leaves": int(classifier.tree_.n_leaves),
        "depth": int(classifier.tree_.depth),
    }


# ------------------------------------------------------------------------------------------------ distances


def distances(rows: Any, configuration: Configuration, paper: Paper) -> Any:
    """One line per rule and data set: mean absolute differences to the paper, and the size of the trees."""
    import pandas as pd

    printed = {dataset["name"]: dataset["paper"] for dataset in configuration["datasets"]}
    cells = rows.groupby(["rule", "dataset", "function"], sort=False)[list(VALUES)].mean().reset_index()
    for part in ("training", "testing"):
        theirs = [
            paper.rows[printed[dataset]].accuracy(part, function)
            for dataset, function in zip(cells["dataset"], cells["function"], strict=True)
        ]
        cells[part] = (cells[f"{part}_accuracy"] - theirs).abs()
    wanted = ["training", "testing", "n_leaves", "depth"]
    found: pd.DataFrame = cells.groupby(["rule", "dataset"], sort=False)[wanted].mean().reset_index()
    return found


def rank(lines: Any, datasets: list[str]) -> Any:
    """One line per rule, nearest first, over some of the data sets."""
    some = lines[lines["dataset"].isin(datasets)]
    means = some.groupby("rule", sort=False)[["training", "testing", "n_leaves", "depth"]].mean()
    return means.sort_values("training", kind="stable")


def readings(configuration: Configuration) -> tuple[list[str], list[str]]:
    """The nine data sets as Table 3 prints them, and with the extra ones in the place of their twins."""
    printed = [dataset["name"] for dataset in configuration["datasets"] if not dataset.get("extra")]
    twins = {
        dataset["paper"]: dataset["name"] for dataset in configuration["datasets"] if dataset.get("extra")
    }
    papers = {dataset["name"]: dataset["paper"] for dataset in configuration["datasets"]}
    return printed, [twins.get(papers[name], name) for name in printed]


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write the distances of all rules, and show the nearest ones."""
    lines = distances(rows, configuration, read_paper())
    as_printed, in_groups = readings(configuration)
    ranked, other = rank(lines, in_groups), rank(lines, as_printed)
    by_dataset = lines.pivot(index="rule", columns="dataset", values="training")
    sets = [name for name in dict.fromkeys([*in_groups, *as_printed]) if name in by_dataset.columns]

    def grid(chosen: list[str], title: str) -> Grid:
        return Grid(
            title,
            ["rule", "training", "28 rings", "testing", "leaves", "depth", *sets],
            [
                [
                    rule,
                    number(ranked.loc[rule, "training"]),
                    number(other.loc[rule, "training"]),
                    number(ranked.loc[rule, "testing"]),
                    number(ranked.loc[rule, "n_leaves"], 1),
                    number(ranked.loc[rule, "depth"], 1),
                    *(number(by_dataset.loc[rule, name], 3) for name in sets),
                ]
                for rule in chosen
            ],
            1,
        )

    order = list(ranked.index)
    title = "Mean absolute difference to the paper's accuracies, by stopping rule"
    write_markdown(
        out / "calibration.md",
        "Which stopping rule comes nearest?",
        read_environment(out),
        [
            "`training` is the distance that decides: over the training accuracies of the nine data sets and "
            "the four functions, with abalone's labels in three groups. `28 rings` is the same with the "
            "labels as they are, `testing` the same over testing accuracies. Then the mean size of the "
            "trees, and the training distance on each data set.",
            grid(order, title),
        ],
    )
    write_csv(
        out / "calibration.csv",
        [
            {"rule": rule, **{str(name): value for name, value in ranked.loc[rule].items()}}
            | {"training_28_rings": other.loc[rule, "training"]}
            | {f"training_{name}": by_dataset.loc[rule, name] for name in sets}
            for rule in order
        ],
    )
    nearest = f"nearest: {order[0]}; as printed, with 28 ring counts: {other.index[0]}."
    written = f"written: {out / 'calibration.md'}, {out / 'calibration.csv'}"
    return "\n".join([grid(order[:SHOWN], title).as_text(), "", nearest, written])


CALIBRATION = Study(
    name="heuristics-calibration",
    folder=Path(__file__).parent,
    settings=("datasets", "functions", "sample", "calibration"),
    keys=KEYS,
    values=VALUES,
    tables=tables,
    plan=plan,
    fit=fit,
    report=report,
)
