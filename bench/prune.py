"""`python -m bench prune`: how long pruning takes, beside growing, beside scikit-learn and beside Weka.

* Every pruner on one tree of about 100,000 leaves, beside the time that growing it took. `OptimalSize` looks
  for the best tree of at most 100 leaves there. Reduced-error pruning gets a tenth as many rows of its own;
  error-based pruning gets the rows that the tree was grown on, and raises branches. Cost complexity is given
  its price: to find one by ten folds is to grow ten more trees, and takes as long as that.
* Cost-complexity pruning beside scikit-learn's, on a tree that scikit-learn has grown. scikit-learn cannot
  prune without growing, so its pruning is the time of a fit with ``ccp_alpha`` less that of one without;
  ours is `boxwood.prune` on its tree, the way there and back included. The price is the one in the middle of
  the path.
* `C45Classifier` beside Weka's J48 with its default options, where Weka is there: the time that Weka itself
  says that it needed to build the model, without the start of Java and without reading the file.

All on one thread, in one process, in turns; the medians count.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import boxwood
from bench import RefusedError, environment, tables
from bench.measure import median, span_of
from bench.report import Check, Grid, checklist, facts_as_text, seconds, times, write_csv, write_markdown
from bench.tables import Table
from bench.tree_contest import positive
from boxwood.pruning import (
    MDL,
    Collapse,
    CostComplexity,
    CriticalValue,
    ErrorBased,
    MinimumError,
    OptimalSize,
    Pessimistic,
    Pruner,
    ReducedError,
    SameAnswer,
)

HELP = "boxwood's pruning beside growing, scikit-learn's ccp_alpha and Weka's J48"
TITLE = "Pruning"
ROWS, QUICK_ROWS = 480_000, 5_000
THEIR_ROWS, QUICK_THEIR_ROWS = 40_000, 2_000
ROUNDS = 3
NO_WEKA = (
    "J48 left out: Weka is absent. pip install python-weka-wrapper3 brings it (Java is needed too), or name "
    "the jar with --weka."
)
METHODS: dict[str, tuple[Pruner, str]] = {
    "ReducedError": (ReducedError(), "validation"),
    "ErrorBased, no raising": (ErrorBased(subtree_raising=False), ""),
    "ErrorBased, raising": (ErrorBased(subtree_raising=True), "rows"),
    "CostComplexity, errors": (CostComplexity(alpha=1e-4), ""),
    "CostComplexity, impurity": (CostComplexity(alpha=1e-4, risk="impurity"), ""),
    "Pessimistic": (Pessimistic(), ""),
    "MinimumError": (MinimumError(), ""),
    "CriticalValue": (CriticalValue(threshold=0.05), ""),
    "MDL": (MDL(), ""),
    "SameAnswer": (SameAnswer(), ""),
    "Collapse": (Collapse(), ""),
    "OptimalSize": (OptimalSize(max_leaves=100), ""),
}
SLOW = {"OptimalSize"}


@dataclass(frozen=True)
class Row:
    """One thing that was timed, beside another."""

    part: str
    name: str
    ours: Sequence[float]  # seconds of processors
    theirs: Sequence[float]
    n_leaves: str

    @property
    def ratio(self) -> float:
        """How many times longer the other takes."""
        return median(self.theirs) / median(self.ours)


# ------------------------------------------------------------------------------------------------- measuring


def noisy(n_rows: int, seed: int) -> Table:
    """A table whose classes are so noisy that a full tree has a leaf for every five rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 0) ^ (rng.random(n_rows) < 0.35)
    return Table("noisy", X, y.astype(np.int64))


def beside_growing(n_rows: int, rounds: int) -> list[Row]:
    """Every pruner on one large tree."""
    table, other = noisy(n_rows, 0), noisy(n_rows // 10, 1)
    rows: dict[str, dict[str, Any]] = {
        "": {},
        "rows": {"X": table.X, "y": table.y},
        "validation": {"X_val": other.X, "y_val": other.y},
    }
    growing: list[float] = []
    spent: dict[str, list[float]] = {name: [] for name in METHODS}
    leaves: dict[str, int] = {}
    for _ in range(rounds):
        span, model = span_of(lambda: boxwood.TreeClassifier().fit(table.X, table.y))
        growing.append(span.cpu)
        for name, (pruner, wanted) in METHODS.items():
            span, pruned = span_of(lambda p=pruner, w=wanted, m=model: boxwood.prune(m, p, **rows[w]))
            spent[name].append(span.cpu)
            leaves[name] = pruned.get_n_leaves()
    full = model.get_n_leaves()
    return [Row("growing", name, spent[name], growing, f"{full:,} to {leaves[name]:,}") for name in METHODS]


def beside_sklearn(n_rows: int, rounds: int) -> list[Row]:
    """Cost-complexity pruning of a scikit-learn tree, by scikit-learn and by us."""
    from sklearn.tree import DecisionTreeClassifier

    table = noisy(n_rows, 2)
    full = DecisionTreeClassifier(random_state=0).fit(table.X, table.y)
    alphas = boxwood.pruning.cost_complexity_pruning_path(boxwood.from_sklearn(full)).ccp_alphas
    alpha = float(alphas[len(alphas) // 2])
    theirs, ours = [], []
    for _ in range(rounds):
        plain = span_of(lambda: DecisionTreeClassifier(random_state=0).fit(table.X, table.y))[0]
        span, pruned = span_of(
            lambda: DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(table.X, table.y)
        )
        theirs.append(max(span.cpu - plain.cpu, 1e-4))
        span, small = span_of(lambda: boxwood.prune(full, CostComplexity(alpha=alpha, risk="impurity")))
        ours.append(span.cpu)
    same = "the same" if same_tree(small, pruned) else "DIFFERENT"
    leaves = f"{full.get_n_leaves():,} to {small.get_n_leaves():,}, {same}"
    return [Row("scikit-learn", "CostComplexity", ours, theirs, leaves)]


def same_tree(one: Any, other: Any) -> bool:
    """Whether two scikit-learn trees test the same columns at the same thresholds in the same places.

    A threshold stands for the float32 numbers that it parts, so that all that part them alike are one.
    """
    mine, yours = boxwood.from_sklearn(one), boxwood.from_sklearn(other)
    return all(
        np.array_equal(getattr(mine, name), getattr(yours, name), equal_nan=name == "threshold")
        for name in ("kind", "feature", "threshold", "first_child", "n_children", "missing_branch", "n_rows")
    )


def find_weka(given: Path | None) -> Path | None:
    """Weka's jar: the given one, or that of the installed package; None without it or without Java."""
    if shutil.which("java") is None:
        return None
    if given is not None:
        if not given.is_file():
            raise RefusedError(f"there is no file {given}.")
        return given
    found = importlib.util.find_spec("weka")
    places = [] if found is None else list(found.submodule_search_locations or ())
    return next((jar for place in places for jar in Path(place).glob("lib/weka.jar")), None)


def write_arff(table: Table, path: Path) -> None:
    """A table of numbers in Weka's format."""
    classes = ",".join(map(str, np.unique(table.y)))
    head = [f"@relation {table.name}", *(f"@attribute x{j} numeric" for j in range(table.X.shape[1]))]
    lines = [",".join([*map(repr, row), str(y)]) for row, y in zip(table.X.tolist(), table.y, strict=True)]
    path.write_text("\n".join([*head, f"@attribute class {{{classes}}}", "@data", *lines]) + "\n", "utf-8")


def j48_seconds(jar: Path, arff: Path) -> tuple[float, int]:
    """What Weka says that J48 took, and its number of leaves."""
    command = ["java", "-cp", str(jar), "weka.classifiers.trees.J48", "-t", str(arff), "-no-cv"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    took = re.search(r"Time taken to build model: ([0-9.]+) seconds", out)
    leaves = re.search(r"Number of Leaves\s*:\s*([0-9]+)", out)
    if took is None or leaves is None:
        raise RefusedError("Weka's answer does not tell how long it took.")
    return float(took.group(1)), int(leaves.group(1)) - out.count("(0.0)")


def beside_weka(jar: Path, names: Sequence[str], rounds: int) -> list[Row]:
    """C4.5 trees by us and by J48."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            table = tables.TABLES[name]()
            arff = Path(folder) / f"{name}.arff"
            write_arff(table, arff)
            ours, theirs = [], []
            for _ in range(rounds):
                took, their_leaves = j48_seconds(jar, arff)
                theirs.append(took)
                span, model = span_of(lambda t=table: boxwood.C45Classifier().fit(t.X, t.y))
                ours.append(span.cpu)
            leaves = f"{model.get_n_leaves():,}, J48 {their_leaves:,}"
            found.append(Row("J48", name, ours, theirs, leaves))
    return found


# --------------------------------------------------------------------------------------------------- reports


def check_targets(rows: Sequence[Row]) -> list[Check]:
    """What is to be reached, with what was found."""
    checks = []
    beside = [row for row in rows if row.part == "growing" and row.name not in SLOW]
    if beside:
        worst = min(beside, key=lambda row: row.ratio)
        found = f"worst {worst.name}: {1 / worst.ratio:.2f} of growing"
        checks.append(Check("every pruner but OptimalSize: less than growing", found, worst.ratio > 1))
    for part, least in (("scikit-learn", 3.0), ("J48", 5.0)):
        these = [row for row in rows if row.part == part]
        if these:
            worst = min(these, key=lambda row: row.ratio)
            found = f"worst {worst.name}: {times(worst.ratio)}"
            checks.append(
                Check(f"beside {part}: at least {least:g} times faster", found, worst.ratio >= least)
            )
    wrong = [row.name for row in rows if "DIFFERENT" in row.n_leaves]
    if any(row.part == "scikit-learn" for row in rows):
        text = "; ".join(wrong) or "the same tests in the same places"
        checks.append(Check("pruned trees are scikit-learn's", text, not wrong, is_correctness=True))
    return checks


def grid_of(rows: Sequence[Row]) -> Grid:
    """One line per pruner."""
    head = ["beside", "what", "leaves", "ours", "theirs", "faster"]
    lines = [
        [
            row.part,
            row.name,
            row.n_leaves,
            seconds(median(row.ours)),
            seconds(median(row.theirs)),
            times(row.ratio),
        ]
        for row in rows
    ]
    return Grid("Pruning beside growing, scikit-learn and J48", head, lines, 3)


def raw_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Every single measurement."""
    return [
        {"beside": row.part, "what": row.name, "round": number, "ours": ours, "theirs": theirs}
        for row in rows
        for number, (ours, theirs) in enumerate(zip(row.ours, row.theirs, strict=True))
    ]


# ---------------------------------------------------------------------------------------------- command line

PARTS: tuple[str, ...] = ("growing", "sklearn", "weka")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="what to measure: all")
    parser.add_argument("--weka", type=Path, metavar="JAR", help="Weka's jar; else the installed package's")
    parser.add_argument("--repeat", type=positive, metavar="N", help=f"rounds: {ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="one round on less: a look, not a measurement")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every single measurement")


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    rounds = given.repeat or (1 if given.quick else ROUNDS)
    remarks: list[str] = []
    rows: list[Row] = []
    measure: dict[str, Callable[[], list[Row]]] = {
        "growing": lambda: beside_growing(QUICK_ROWS if given.quick else ROWS, rounds),
        "sklearn": lambda: beside_sklearn(QUICK_THEIR_ROWS if given.quick else THEIR_ROWS, rounds),
    }
    for part in given.parts:
        if part in measure:
            rows += measure[part]()
    if "weka" in given.parts:
        jar = find_weka(given.weka)
        names, absent = tables.choose(["magic04", "letter"])
        if jar is None:
            remarks.append(NO_WEKA)
        elif names:
            rows += beside_weka(jar, names, rounds)
        if jar is not None and absent:
            remarks.append(absent)
    for remark in remarks:
        print(f"bench prune: {remark}", file=sys.stderr)
    checks = check_targets(rows)
    grids = [grid_of(rows), checklist(checks)]
    facts = environment.describe()
    print(f"{facts_as_text(facts)}.\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, grids, " ".join(remarks))
    if given.csv is not None:
        write_csv(given.csv, raw_rows(rows))
    return int(any(check.is_correctness and check.reached is False for check in checks))
