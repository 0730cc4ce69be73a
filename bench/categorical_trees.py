"""Whole trees on tables with categories: ours beside scikit-learn on encoded columns, and LightGBM.

Every contestant learns from one random half of the rows and is judged on the other, in turns, each time on
another half. A fit is timed from the caller's frame to the fitted tree: encoding belongs to it, since
without it there is no tree. All trees have at most depth 10 and at least 5 rows in a leaf.

* ``boxwood``: categories as they are, for some values of ``categorical_split``; ``inference`` is "auto" with
  columns chosen by conditional inference;
* ``one-hot``: scikit-learn's tree after OneHotEncoder, sparse, unknown categories ignored;
* ``ordinal``: after OrdinalEncoder, unknown categories as -1;
* ``LightGBM``: one tree with native categories and no shrinking, at most 1,024 leaves; left out where it is
  not installed.

"auto" is judged beside one-hot. Groupings of hundreds of values by many classes can say more than one-hot
columns, and learn more by heart, so it is told as well what one category against the rest does (the splits
that one-hot columns have), and how far a test of each column helps.

Missing numbers are replaced by the median for scikit-learn's trees, since sparse columns take none. The
synthetic table, for a quick look without any folder of data sets, has one column of 30 categories.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from bench import tables
from bench.measure import Span, median, span_of
from bench.report import Check, Grid, seconds

NAMES = ("shelter15", "adult")
DEPTH = 10
LEAF = 5
SEARCHES: dict[str, dict[str, str]] = {
    "auto": {},
    "inference": {"select": "conditional_inference"},
    **{name: {"categorical_split": name} for name in ("one_vs_rest", "pc", "chi2", "squared_gini")},
}


@dataclass
class Row:
    """One contestant on one table."""

    table: str
    contestant: str
    spans: list[Span] = field(default_factory=list)
    accuracies: list[float] = field(default_factory=list)
    leaves: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """The median time of a fit, of one thread."""
        return median([span.cpu for span in self.spans])

    @property
    def accuracy(self) -> float:
        """The mean accuracy on rows that were not learned from."""
        return float(np.mean(self.accuracies))


def read(name: str) -> tuple[pd.DataFrame, NDArray[Any]] | None:
    """A table of the folder of data sets, its categories marked; None where it is absent."""
    if name == "synthetic":
        return draw()
    folder = tables.find_data()
    if folder is None or not (folder / "manifest.json").is_file():
        return None
    known = {
        entry["name"]: entry
        for entry in json.loads((folder / "manifest.json").read_text("utf-8"))["datasets"]
    }
    if name not in known:
        return None
    entry = known[name]
    kinds = dict.fromkeys(entry["numeric"], "float64") | dict.fromkeys(entry["categorical"], "category")
    frame = pd.read_csv(
        folder / entry["file"], dtype={**kinds, "class": str}, keep_default_na=False, na_values=[""]
    )
    labels = frame.pop("class").to_numpy().astype(str)
    return frame, labels


def draw(n_rows: int = 600) -> tuple[pd.DataFrame, NDArray[Any]]:
    """A synthetic table: 30 categories with shares of four classes, and a number that tells nothing."""
    rng = np.random.default_rng(0)
    shares = rng.dirichlet(np.full(4, 0.3), 30)
    codes = rng.integers(0, 30, n_rows)
    labels = np.array([rng.choice(4, p=shares[code]) for code in codes]).astype(str)
    place = pd.Categorical([f"place {code}" for code in codes])
    return pd.DataFrame({"place": place, "noise": rng.normal(size=n_rows)}), labels


def make_model(contestant: str, frame: pd.DataFrame) -> Any:
    """A model that has seen nothing yet."""
    if contestant.startswith("boxwood"):
        from boxwood import TreeClassifier

        asked = SEARCHES[contestant.removeprefix("boxwood ")]
        return TreeClassifier(max_depth=DEPTH, min_samples_leaf=LEAF, **asked)
    if contestant == "LightGBM":
        from lightgbm import LGBMClassifier

        return LGBMClassifier(
            n_estimators=1,
            learning_rate=1.0,
            max_depth=DEPTH,
            num_leaves=2**DEPTH,
            min_child_samples=LEAF,
            min_child_weight=0.0,
            n_jobs=1,
            verbose=-1,
        )
    from sklearn.compose import make_column_transformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder
    from sklearn.tree import DecisionTreeClassifier

    categories = [name for name in frame.columns if isinstance(frame[name].dtype, pd.CategoricalDtype)]
    numbers = [name for name in frame.columns if name not in categories]
    encoder = (
        OneHotEncoder(handle_unknown="ignore")
        if contestant == "one-hot"
        else OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2)
    )
    columns = make_column_transformer((encoder, categories), (SimpleImputer(strategy="median"), numbers))
    tree = DecisionTreeClassifier(max_depth=DEPTH, min_samples_leaf=LEAF, random_state=0)
    return make_pipeline(columns, tree)


def size_of(model: Any) -> tuple[int, int]:
    """Leaves and depth of a fitted model."""
    if hasattr(model, "booster_"):
        trees = model.booster_.trees_to_dataframe()
        first = (
            trees["tree_index"] < max(1, len(model.classes_))
            if len(model.classes_) > 2
            else trees["tree_index"] == 0
        )
        part = trees[first]
        return int(part["split_feature"].isna().sum()), int(part["node_depth"].max()) - 1
    if hasattr(model, "tree_"):
        return int(model.tree_.n_leaves), int(model.tree_.max_depth)
    tree = model[-1]
    return int(tree.get_n_leaves()), int(tree.get_depth())


def contestants() -> list[str]:
    """Who takes part."""
    found = [*(f"boxwood {search}" for search in SEARCHES), "one-hot", "ordinal"]
    return [*found, "LightGBM"] if importlib.util.find_spec("lightgbm") else found


def measure(names: Sequence[str] | None, rounds: int, quick: bool) -> tuple[list[Row], str]:
    """Every contestant on every table, and a sentence about tables that are absent."""
    rows, absent = [], []
    for name in names or (("synthetic",) if quick else NAMES):
        table = read(name)
        if table is None:
            absent.append(name)
            continue
        rows += compare(name, *table, rounds)
    return rows, tables.absence(absent) if absent else ""


def compare(name: str, frame: pd.DataFrame, labels: NDArray[Any], rounds: int) -> list[Row]:
    """Every contestant on one table, in turns."""
    found = {contestant: Row(name, contestant) for contestant in contestants()}
    for number in range(rounds):
        learn = np.random.default_rng(number).permutation(len(labels)) < len(labels) // 2
        for contestant, row in found.items():
            model = make_model(contestant, frame)
            span, fitted = span_of(lambda m=model, rows=learn: m.fit(frame[rows], labels[rows]))  # type: ignore[misc]
            row.spans.append(span)
            row.accuracies.append(float(np.mean(fitted.predict(frame[~learn]) == labels[~learn])))
            leaves, depth = size_of(fitted)
            row.leaves.append(leaves)
            row.depths.append(depth)
    return list(found.values())


def check_targets(rows: Sequence[Row]) -> list[Check]:
    """What is to be reached, with what was found; and what was found of groupings."""
    theirs = {row.table: row for row in rows if row.contestant == "one-hot"}
    checks = []
    for search in ("auto", "one_vs_rest", "inference"):
        ours = {row.table: row for row in rows if row.contestant == f"boxwood {search}"}
        if not ours:
            continue
        ratios = {name: theirs[name].seconds / ours[name].seconds for name in ours}
        gains = {name: ours[name].accuracy - theirs[name].accuracy for name in ours}
        judged = search == "auto"
        checks += [
            Check(
                f"{search} faster than one-hot",
                ", ".join(f"{value:.1f}x on {name}" for name, value in ratios.items()),
                min(ratios.values()) > 1 if judged else None,
            ),
            Check(
                f"{search} at least as accurate as one-hot on average",
                ", ".join(f"{100 * value:+.2f} points on {name}" for name, value in gains.items()),
                float(np.mean(list(gains.values()))) >= 0 if judged else None,
            ),
        ]
    return checks


def grid_of(rows: Sequence[Row]) -> Grid:
    """One line per table and contestant."""
    lines = [
        [
            row.table,
            row.contestant,
            seconds(row.seconds),
            f"{100 * row.accuracy:.2f} %",
            f"{median(row.leaves):,.0f}",
            f"{median(row.depths):.0f}",
        ]
        for row in rows
    ]
    title = f"Trees of depth {DEPTH}, half of the rows learned, the other half judged"
    return Grid(title, ["table", "contestant", "fit", "accuracy", "leaves", "depth"], lines, 2)
