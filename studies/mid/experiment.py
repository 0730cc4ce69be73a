"""The fits of the study: which there are, and how one is made.

A pipeline is where the features come from, and who learns. Those of the thesis's Tables 3.2 and 3.3:

| pipeline | features | learner |
|---|---|---|
| `mid_gini`, `mid_entropy` | a prefix of MID's ranking | optimal |
| `cart_mid_gini`, `cart_mid_entropy` | the same | greedy, by the same impurity |
| `cart_gini`, `cart_entropy` | the columns as they are | greedy |
| `mdlp`, `equal_frequency` | MDLP's cuts; 8 bins of equally many rows per column | optimal |

Table 3.1 compares training accuracies at depth 3: `equal_frequency` and `mdlp` beside MID (entropy) with as
many features as they have in ours (`mid_as_...`) and as many as they have in the thesis (`mid_thesis_...`).
`every_threshold` is the optimum over all thresholds of the training rows: no tree of that depth has fewer
errors, whatever its features are.

The optimal learner is `boxwood.optimal.solve` where the thesis had DL8.5, the greedy one is `TreeClassifier`
where it had scikit-learn's CART.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood import TreeClassifier
from boxwood.data import encode_with, make_dataset
from boxwood.optimal import Result, make_problem, solve
from boxwood.tree import Tree
from studies.harness.study import Configuration, Key, Row
from studies.mid.paper import read_paper
from studies.mid.sources import Part, cells, find_source, n_boundary_points, numbers, ranking

KEYS = ("dataset", "depth", "pipeline", "features", "fold")
VALUES = (
    "n_features",
    "training_accuracy",
    "testing_accuracy",
    "seconds",
    "proved",
    "gap",
    "n_leaves",
    "features_used",
)

OWN = "own"  # as many features as the discretiser finds
BY_PREFIX = ("mid_gini", "mid_entropy", "cart_mid_gini", "cart_mid_entropy")
ONCE = ("cart_gini", "cart_entropy", "mdlp", "equal_frequency")
DISCRETISERS = ("equal_frequency", "mdlp")
EVERY = "every_threshold"
TABLE_1 = tuple(f"mid_{whose}_{name}" for name in DISCRETISERS for whose in ("as", "thesis"))


@dataclass(frozen=True, eq=False)
class Learned:
    """A tree on some features, and how it was found."""

    tree: Tree
    seconds: float
    proved: bool
    gap: float


# ------------------------------------------------------------------------------------------------------- plan


def tables(configuration: Configuration) -> dict[str, str]:
    """The file of each data set."""
    return {dataset["name"]: dataset["table"] for dataset in configuration["datasets"]}


def plan(configuration: Configuration) -> list[Key]:
    """All fits, those of one fold together: they share their rankings."""
    return [
        {"dataset": about["name"], "depth": depth, "pipeline": pipeline, "features": features, "fold": fold}
        for about in configuration["datasets"]
        for fold in range(configuration["validation"]["folds"])
        for depth, pipeline, features in fits_of_fold(about, configuration["plan"])
    ]


def fits_of_fold(about: Any, wanted: Any) -> list[tuple[int, str, str]]:
    """Depth, pipeline and features of every fit of one fold of a data set."""
    first = wanted["table_1_depth"]
    found = [(first, pipeline, OWN) for pipeline in (*DISCRETISERS, *TABLE_1)]
    if about.get(EVERY, False):
        found.append((first, EVERY, OWN))
    for depth in wanted["depths"]:
        found += [(depth, pipeline, OWN) for pipeline in ONCE]
        found += [(depth, pipeline, str(n)) for pipeline in BY_PREFIX for n in wanted["features"]]
    beyond = wanted["beyond"]
    if about["name"] == beyond["dataset"]:
        first, steps = beyond["first"], beyond["steps"]
        found += [
            (beyond["depth"], beyond["pipeline"], f"{first}+{step}/{steps}") for step in range(1, steps + 1)
        ]
    return list(dict.fromkeys(found))


# -------------------------------------------------------------------------------------------------------- fit


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One tree: its accuracies, its size, how long it took and whether it is proved."""
    validation, limits = configuration["validation"], configuration["limits"]
    dataset, pipeline, depth = str(key["dataset"]), str(key["pipeline"]), int(key["depth"])
    source = find_source(dataset, configuration, data)
    part = Part(source, validation["folds"], validation["seed"], int(key["fold"]))
    train, test = numbers(part)
    seen, unseen = train.X, test.X
    n_features = seen.shape[1]
    if pipeline not in ("cart_gini", "cart_entropy"):
        thresholds = choose_thresholds(dataset, pipeline, str(key["features"]), part)
        seen, unseen = cells(train.X, thresholds), cells(test.X, thresholds)
        n_features = len(thresholds)
    if pipeline.startswith("cart"):
        learned = grow(seen, train.y, pipeline.rpartition("_")[2], depth, limits["min_samples_leaf"])
    else:
        learned = prove(seen, train.y, depth, limits["min_samples_leaf"], seconds_for(key, limits))
    return {
        "n_features": n_features,
        "training_accuracy": accuracy(learned.tree, seen, train.y),
        "testing_accuracy": accuracy(learned.tree, unseen, test.y),
        "seconds": learned.seconds,
        "proved": int(learned.proved),
        "gap": learned.gap,
        "n_leaves": int(learned.tree.n_leaves),
        "features_used": n_tests(learned.tree),
    }


def seconds_for(key: Key, limits: Any) -> float:
    """What an optimal tree gets; less, where only Table 3.3 and the figures show it: these are many."""
    features = str(key["features"])
    short = features.isdecimal() and int(features) < limits["table_2_features"]
    return float(limits["sweep_seconds"] if short else limits["seconds"])


def choose_thresholds(dataset: str, pipeline: str, features: str, part: Part) -> NDArray[Any]:
    """The thresholds that a pipeline puts before its learner."""
    if pipeline in DISCRETISERS:
        return ranking(part, pipeline)
    if pipeline == EVERY:
        return ranking(part, "mid_entropy")
    if pipeline in TABLE_1:
        _, whose, discretiser = pipeline.split("_", 2)
        printed = read_paper().rows[dataset].printed(discretiser).features
        number = len(ranking(part, discretiser)) if whose == "as" else round(printed)
        return ranking(part, "mid_entropy")[:number]
    ranked = pipeline.removeprefix("cart_")
    first, _, more = features.partition("+")
    number = int(first)
    if more:
        step, _, steps = more.partition("/")
        most = max(n_boundary_points(part, ranked), number)
        number += round((most - number) * int(step) / int(steps))
    return ranking(part, ranked)[:number]


def prove(X: NDArray[np.uint8], y: NDArray[Any], depth: int, least: int, limit: float) -> Learned:
    """The optimal tree on 0/1 features, or the best one that was found in time."""
    start = time.perf_counter()
    result: Result = solve(
        make_problem(make_dataset(X, y), max_depth=depth, min_samples_leaf=least), time_limit=limit
    )
    return Learned(result.tree, time.perf_counter() - start, result.is_optimal, result.gap)


def grow(X: NDArray[Any], y: NDArray[Any], criterion: str, depth: int, least: int) -> Learned:
    """The greedy tree."""
    start = time.perf_counter()
    fitted = TreeClassifier(criterion=criterion, max_depth=depth, min_samples_leaf=least).fit(X, y)
    return Learned(fitted.tree_, time.perf_counter() - start, False, float("nan"))


def accuracy(tree: Tree, X: NDArray[Any], y: NDArray[Any]) -> float:
    """The share of rows whose label is predicted."""
    assert tree.classes is not None
    counts = tree.predict_counts(encode_with(tree.schema, X))
    return float(np.mean(tree.classes[counts.argmax(axis=1)] == y))


def n_tests(tree: Tree) -> int:
    """How many different tests a tree makes: pairs of a feature and a threshold."""
    inner = np.flatnonzero(~np.asarray(tree.is_leaf))
    return len({(int(tree.feature[node]), float(tree.threshold[node])) for node in inner})
