"""`python -m bench limits`: how long `OptimalTreeClassifier` takes when it is given little time.

``time_limit`` is for the whole fit, from the array to the fitted estimator. Large tables are the hard ones:
encoding, ranking and setting up take longer than a small limit, and each must end early, with a tree in hand.
On a small table at a depth that no search exhausts, it is the search itself that is ended. Every fit is
certified: a tree that is not what it says is wrong, a late one only late.

What is timed is ``fit`` on an array, on one thread unless ``--threads`` says otherwise, in one process, each
limit several times, all in turns; the worst of the rounds counts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench import RefusedError, environment, tables
from bench.measure import Span, span_of
from bench.report import Check, Grid, checklist, facts_as_text, seconds, write_csv, write_markdown
from bench.tables import Table
from bench.tree_contest import positive
from boxwood import OptimalTreeClassifier, certify
from boxwood.optimal import CertificateError

HELP = "boxwood's optimal trees under small limits of time: how late they are"
TITLE = "Limits of time"
TABLES = ("covertype", "synthetic", "magic04")
QUICK_TABLES = ("small",)
LIMITS = (0.05, 0.2, 0.5, 1.0, 2.0, 5.0)
QUICK_LIMITS = (0.05, 0.2)
DEPTH = 6
ROUNDS = 3
MOST = 0.2  # seconds that a fit may be late


@dataclass(frozen=True)
class Row:
    """One limit on one table: how long the fits took, and the tree of the last one."""

    table: str
    shape: str
    limit: float
    spans: Sequence[Span]
    n_thresholds: int
    n_leaves: int
    objective: float
    lower_bound: float
    status: str
    refusal: str = ""  # why a tree is not what it says

    @property
    def time(self) -> float:
        """Seconds of the slowest fit."""
        return max(span.wall for span in self.spans)

    @property
    def late(self) -> float:
        """Seconds beyond the limit; negative for a search that came to its end before."""
        return self.time - self.limit


def measure(names: Sequence[str], limits: Sequence[float], rounds: int, threads: int) -> list[Row]:
    """All rows, with a line on the error stream after each table."""
    rows: list[Row] = []
    for name in names:
        table = tables.TABLES[name]()
        rows += fit_within(table, limits, rounds, threads)
        late = max(row.late for row in rows if row.table == name)
        print(f"{name}: late by {late:+.3f} s at most", file=sys.stderr)
    return rows


def fit_within(table: Table, limits: Sequence[float], rounds: int, threads: int) -> list[Row]:
    """Fits of one table within each limit, in turns."""
    models = [OptimalTreeClassifier(DEPTH, time_limit=limit, n_jobs=threads) for limit in limits]
    spans: list[list[Span]] = [[] for _ in limits]
    refusals = [""] * len(limits)
    for _ in range(rounds):
        for place, model in enumerate(models):
            spans[place].append(span_of(partial(model.fit, table.X, table.y))[0])
            try:
                certify(model, table.X, table.y)
            except CertificateError as error:
                refusals[place] = str(error)
    return [
        Row(
            table.name,
            table.shape,
            limit,
            spans[place],
            len(model.splits_),
            model.tree_.n_leaves,
            model.result_.objective,
            model.result_.lower_bound,
            model.result_.status,
            refusals[place],
        )
        for place, (limit, model) in enumerate(zip(limits, models, strict=True))
    ]


# ---------------------------------------------------------------------------------------------------- reports


def check_targets(rows: Sequence[Row]) -> list[Check]:
    """What is to be reached, with what was found."""
    worst = max(rows, key=lambda row: row.late)
    found = f"worst {worst.late:+.3f} s ({worst.table}, limit {worst.limit:g} s)"
    wrong = [f"{row.table}, limit {row.limit:g} s: {row.refusal}" for row in rows if row.refusal]
    return [
        Check(f"late by at most {MOST:g} s", found, worst.late <= MOST),
        Check("every tree is what it says", "; ".join(wrong) or "certified", not wrong, is_correctness=True),
    ]


def grid_of(rows: Sequence[Row]) -> Grid:
    """One line per limit and table."""
    head = [
        "table",
        "rows x columns",
        "status",
        "limit",
        "time",
        "late",
        "splits",
        "leaves",
        "objective",
        "bound",
    ]
    lines = [
        [
            row.table,
            row.shape,
            row.status,
            f"{row.limit:g} s",
            seconds(row.time),
            f"{row.late:+.3f} s",
            f"{row.n_thresholds:,}",
            f"{row.n_leaves}",
            f"{row.objective:,.0f}",
            f"{row.lower_bound:,.0f}",
        ]
        for row in rows
    ]
    return Grid(f"Fits of depth {DEPTH} within a limit, the slowest of each", head, lines, 3)


def raw_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Every single measurement."""
    return [
        {
            "table": row.table,
            "limit": row.limit,
            "round": number,
            "seconds": span.wall,
            "cpu_seconds": span.cpu,
            "objective": row.objective,
        }
        for row in rows
        for number, span in enumerate(row.spans)
    ]


# ----------------------------------------------------------------------------------------------- command line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--tables",
        nargs="+",
        choices=list(tables.TABLES),
        metavar="NAME",
        help=", ".join(tables.TABLES),
    )
    parser.add_argument("--limits", nargs="+", type=float, metavar="S", help="seconds")
    parser.add_argument("--threads", type=positive, default=1, metavar="N", help="threads: 1")
    parser.add_argument("--repeat", type=positive, metavar="N", help=f"rounds: {ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="one round on less: a look, not a measurement")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every single measurement")


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    names, absent = tables.choose(given.tables or (QUICK_TABLES if given.quick else TABLES))
    if not names:
        raise RefusedError(absent)
    if absent:
        print(f"bench limits: {absent}", file=sys.stderr)
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    limits = given.limits or (QUICK_LIMITS if given.quick else LIMITS)
    rows = measure(names, limits, given.repeat or (1 if given.quick else ROUNDS), given.threads)
    checks = check_targets(rows)
    grids = [grid_of(rows), checklist(checks)]
    facts = environment.describe()
    print(f"{facts_as_text(facts)}.\n{absent}\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, grids, absent)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(rows))
    return int(any(check.is_correctness and check.reached is False for check in checks))
