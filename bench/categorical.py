"""`python -m bench categorical`: the searches for groupings of categories, on one table and in whole trees.

*One table.* Random tables of n values and k classes, entries uniform in 0 to 7, no empty row or column, as in
chapter 5 of the thesis that compares these searches. Every search that takes such a table divides the same
ones, by `boxwood.split_categories`; what is timed is the whole call, from an array to the branches. The
excess is what its impurity has over the best one that any of them found.

*Whole trees* are in `bench.categorical_trees`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError, categorical_trees, environment
from bench.measure import Span, median, repeat
from bench.report import Check, Grid, checklist, facts_as_text, times, write_csv, write_markdown
from bench.tree_contest import positive
from boxwood import split_categories
from boxwood.search.categorical import GROUPINGS
from boxwood.search.categorical.groupings import MOST_CLASSES, MOST_VALUES

HELP = "searches for groupings of categories: on one table, and whole trees beside encoded ones"
TITLE = "Groupings of categories"
SHAPES = ((12, 3), (12, 9), (50, 7), (50, 15), (100, 15), (100, 30), (1000, 15))
QUICK_SHAPES = ((8, 3), (12, 5))
TABLES = 3  # of each shape
MOST_SECONDS = 0.3e-3  # for the chi-square cut of 50 x 15
PARTS = ("table", "trees")


@dataclass(frozen=True)
class Row:
    """One search on tables of one shape, by one criterion."""

    n_values: int
    n_classes: int
    criterion: str
    method: str
    spans: list[Span]
    impurities: list[float]

    @property
    def seconds(self) -> float:
        """The median time of a call."""
        return median([span.cpu for span in self.spans])


def draw_table(n_values: int, n_classes: int, seed: int) -> NDArray[np.float64]:
    """A random table without an empty row or column.

    >>> draw_table(3, 2, 0).shape
    (3, 2)
    """
    rng = np.random.default_rng([n_values, n_classes, seed])
    while True:
        table = rng.integers(0, 8, (n_values, n_classes)).astype(np.float64)
        if table.any(axis=0).all() and table.any(axis=1).all():
            return table


def methods_for(n_values: int, n_classes: int) -> list[str]:
    """The searches that take a table of this shape.

    >>> "exact" in methods_for(12, 3), "exact" in methods_for(50, 3), "twoing" in methods_for(50, 30)
    (True, False, False)
    """
    return [
        method
        for method in ("auto", *GROUPINGS)
        if n_values <= MOST_VALUES.get(method, n_values) and n_classes <= MOST_CLASSES.get(method, n_classes)
    ]


def measure(
    shapes: Sequence[tuple[int, int]], criteria: Sequence[str], n_tables: int, budget: float
) -> list[Row]:
    """Every search on every shape; a search takes at most so many seconds per table, but one call."""
    rows = []
    for n_values, n_classes in shapes:
        tables = [draw_table(n_values, n_classes, seed) for seed in range(n_tables)]
        for criterion in criteria:
            for method in methods_for(n_values, n_classes):
                spans: list[Span] = []
                impurities = []
                for table in tables:
                    impurities.append(split_categories(table, criterion, method)[1])
                    spans += repeat(lambda t=table: split_categories(t, criterion, method), budget=budget)  # type: ignore[misc]  # noqa: B023
                rows.append(Row(n_values, n_classes, criterion, method, spans, impurities))
    return rows


def find(rows: Sequence[Row], shape: tuple[int, int], method: str) -> Row | None:
    """The row of a search by Gini."""
    found = [
        row
        for row in rows
        if (row.n_values, row.n_classes) == shape and row.method == method and row.criterion == "gini"
    ]
    return found[0] if found else None


def ratio(rows: Sequence[Row], shape: tuple[int, int], slow: str, fast: str) -> str:
    """How many times faster one search is than another."""
    one, other = find(rows, shape, slow), find(rows, shape, fast)
    return times(one.seconds / other.seconds if one and other else float("nan"))


def check_targets(rows: Sequence[Row]) -> list[Check]:
    """What is to be reached, with what was found."""
    chi2 = find(rows, (50, 15), "chi2")
    wrong = [
        f"{row.method} beats exact at {row.n_values} x {row.n_classes}"
        for row in rows
        for exact in rows
        if exact.method == "exact"
        and (exact.n_values, exact.n_classes, exact.criterion) == (row.n_values, row.n_classes, row.criterion)
        and any(a < b - 1e-9 for a, b in zip(row.impurities, exact.impurities, strict=True))
    ]
    return [
        Check(
            "chi2 at 50 x 15 in 0.3 ms",
            "not measured" if chi2 is None else f"{chi2.seconds * 1e3:.3f} ms",
            None if chi2 is None else chi2.seconds <= MOST_SECONDS,
        ),
        Check(
            "chi2 beside twoing at 15 classes (thesis: 30 to 300)",
            " and ".join(f"{ratio(rows, (n, 15), 'twoing', 'chi2')} at {n} values" for n in (50, 100)),
            None,
        ),
        Check(
            "greedy and local search beside the relaxation at 100 values (thesis: 60 to 70)",
            f"{ratio(rows, (100, 15), 'chi2_sdp', 'chi2')} by chi2, "
            f"{ratio(rows, (100, 15), 'squared_gini_sdp', 'squared_gini')} by squared_gini",
            None,
        ),
        Check("no search beats exact", "; ".join(wrong) or "none does", not wrong, is_correctness=True),
    ]


def grid_of(rows: Sequence[Row]) -> Grid:
    """One line per shape, criterion and search."""
    best: dict[tuple[int, int, str], list[float]] = {}
    for row in rows:
        key = (row.n_values, row.n_classes, row.criterion)
        best[key] = [min(pair) for pair in zip(row.impurities, best.get(key, row.impurities), strict=True)]
    lines = []
    for row in rows:
        least = best[row.n_values, row.n_classes, row.criterion]
        excess = [a / b - 1 if b > 0 else 0.0 for a, b in zip(row.impurities, least, strict=True)]
        lines.append(
            [
                f"{row.n_values} x {row.n_classes}",
                row.criterion,
                row.method,
                f"{row.seconds * 1e3:.3f} ms",
                f"{100 * max(excess):.2f} %",
            ]
        )
    return Grid("One table", ["values x classes", "criterion", "search", "time", "largest excess"], lines, 3)


def raw_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Every single measurement."""
    return [
        {
            "values": row.n_values,
            "classes": row.n_classes,
            "criterion": row.criterion,
            "search": row.method,
            "seconds": span.wall,
            "cpu_seconds": span.cpu,
        }
        for row in rows
        for span in row.spans
    ]


# ----------------------------------------------------------------------------------------------- command line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--parts", nargs="+", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--criteria", nargs="+", default=["gini", "entropy"], metavar="NAME")
    parser.add_argument("--tables", nargs="+", metavar="NAME", help="of the trees: shelter15 adult")
    parser.add_argument("--repeat", type=positive, metavar="N", help="random halves for the trees: 5")
    parser.add_argument("--quick", action="store_true", help="one round on less: a look, not a measurement")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every measurement on one table")


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    parts = given.parts or PARTS
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    if given.csv is not None and "table" not in parts:
        raise RefusedError("--csv has the measurements on one table; add the part 'table'.")
    grids, checks, notes, rows = [], [], "", []
    if "table" in parts:
        shapes = QUICK_SHAPES if given.quick else SHAPES
        rows = measure(shapes, given.criteria, 1 if given.quick else TABLES, 0.0 if given.quick else 0.2)
        grids.append(grid_of(rows))
        checks += check_targets(rows)
    if "trees" in parts:
        trees, notes = categorical_trees.measure(
            given.tables, given.repeat or (1 if given.quick else 5), given.quick
        )
        if trees:
            grids.append(categorical_trees.grid_of(trees))
            checks += categorical_trees.check_targets(trees)
        if notes:
            print(f"bench categorical: {notes}", file=sys.stderr)
    grids.append(checklist(checks))
    facts = environment.describe()
    print(f"{facts_as_text(facts)}.\n{notes}\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, grids, notes)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(rows))
    return int(any(check.is_correctness and check.reached is False for check in checks))
