"""The fits of the study: which there are, and how one is made.

| learner | what it is |
|---|---|
| `boxwood` | `TreeClassifier`: information gain, binary splits, one category against the rest |
| `c45` | `C45Classifier` with J48's growing rules, set as the thesis sets J48 |
| `sklearn` | scikit-learn's `DecisionTreeClassifier`, information gain, after one-hot encoding |
| `j48` | Weka's J48 itself, on the same folds |

A configuration is one of chapter 6 (none, early stopping, reduced-error and error-based pruning; complete
rows only) or an encoding of the appendix (binary, one-hot, multiway, and ours by subsets; all rows).
scikit-learn's tree has neither pruner, so it has `none` and `early_stop`; J48 has no `early_stop`, and
`c45`, which stands beside it, neither.

Times are processor times of the thread that makes the fit, so they hardly depend on what else is running.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import numpy as np

import boxwood
from studies.harness.study import Configuration, Key, Row
from studies.pruning.sources import Part, find_part, one_hot, read_source, split
from studies.pruning.weka import Weka, find_weka, fit_j48

KEYS = ("dataset", "learner", "configuration", "repeat", "fold")
VALUES = ("n_nodes", "n_leaves", "n_empty", "accuracy", "fit_seconds", "predict_seconds")
BOXWOOD, C45, SKLEARN, J48 = LEARNERS = ("boxwood", "c45", "sklearn", "j48")
NONE, EARLY_STOP = "none", "early_stop"


# ------------------------------------------------------------------------------------------------------- plan


def tables(configuration: Configuration) -> dict[str, str]:
    """The file of each data set."""
    return {dataset["name"]: dataset["table"] for dataset in configuration["datasets"]}


def plan(configuration: Configuration) -> list[Key]:
    """All fits, those of one fold together."""
    weka = find_weka(configuration["weka"]["jar"])
    return [
        {
            "dataset": about["name"],
            "learner": learner,
            "configuration": way["name"],
            "repeat": repeat,
            "fold": fold,
        }
        for about in configuration["datasets"]
        for repeat in range(configuration["plan"]["repeats"])
        for fold in range(configuration["validation"]["folds"])
        for way in (*configuration["configurations"], *configuration["encodings"])
        for learner in configuration["plan"]["learners"]
        if has(learner, way, weka)
    ]


def has(learner: str, way: Any, weka: Weka) -> bool:
    """Whether a learner has a configuration."""
    if learner == J48:
        return "j48" in way and weka.runs(way["j48"])
    if learner == C45:
        return way["name"] != EARLY_STOP and way.get("split") != "auto"
    if learner == SKLEARN:
        return way["name"] in (NONE, EARLY_STOP)
    return True


def find_way(name: str, configuration: Configuration) -> tuple[Any, bool]:
    """A configuration by its name, and whether it is one of the appendix."""
    for listed in ("configurations", "encodings"):
        for way in configuration[listed]:
            if way["name"] == name:
                return way, listed == "encodings"
    raise KeyError(name)


# -------------------------------------------------------------------------------------------------------- fit


def fit(key: Key, configuration: Configuration, data: Path | None) -> Row:
    """One tree: its size, its accuracy, and how long it took."""
    way, of_appendix = find_way(str(key["configuration"]), configuration)
    repeat, fold = int(key["repeat"]), int(key["fold"])
    part = find_part(str(key["dataset"]), repeat, fold, of_appendix, configuration, data)
    if key["learner"] == J48:
        weka = find_weka(configuration["weka"]["jar"])
        assert weka.jar is not None, "the plan has J48 only where Weka is"
        return fit_j48(weka.jar, part, way["j48"], way.get("one_hot", False))
    return fit_ours(part, str(key["learner"]), way)


def fit_ours(part: Part, learner: str, way: Any) -> Row:
    """One tree of ours, or of scikit-learn."""
    table = read_source(part.source)
    train, test = split(part)
    seen, unseen = table.X.iloc[train], table.X.iloc[test]
    n_classes = len(np.unique(table.y))
    estimator = make(learner, way, n_classes, part.seed)
    if learner == SKLEARN:  # its table comes encoded; in the appendix encoding is part of the fit
        seen, unseen = one_hot(seen), one_hot(unseen)
    encoded = way.get("one_hot", False)
    begin = time.thread_time()
    estimator.fit(one_hot(seen) if encoded else seen, table.y[train])
    fitted = time.thread_time()
    answers = estimator.predict(one_hot(unseen) if encoded else unseen)
    end = time.thread_time()
    tree = estimator.tree_
    return {
        "n_nodes": int(tree.node_count if learner == SKLEARN else tree.n_nodes),
        "n_leaves": int(estimator.get_n_leaves()),
        "n_empty": 0,
        "accuracy": float(np.mean(answers == table.y[test])),
        "fit_seconds": fitted - begin,
        "predict_seconds": end - fitted,
    }


def make(learner: str, way: Any, n_classes: int, seed: int) -> Any:
    """An estimator that does as a configuration says."""
    least = way["least"] / n_classes if "least" in way else 1
    if learner == SKLEARN:
        from sklearn.tree import DecisionTreeClassifier

        return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=least, random_state=seed)
    categories = way.get("split", "one_vs_rest")
    if learner == C45:
        return boxwood.C45Classifier(
            categorical_split=categories,
            min_weight_leaf=1,
            gain_correction="none",
            pruning=pruner(way, seed),
        )
    return boxwood.TreeClassifier(
        criterion="entropy", categorical_split=categories, min_samples_leaf=least, pruning=pruner(way, seed)
    )


def pruner(way: Any, seed: int) -> Any:
    """The pruner of a configuration, None for none."""
    if "validation" in way:
        return boxwood.pruning.ReducedError(validation=way["validation"], random_state=seed)
    if "confidence" in way:
        return boxwood.pruning.ErrorBased(confidence=way["confidence"], subtree_raising=False, collapse=False)
    return None
