"""`python -m bench discretize`: ranking thresholds, beside the published algorithm and a peer.

Three questions, a table of the report each:

* **MID**: all thresholds of whole tables, and beside it, on a sample of rows, a literal transcription of
  Algorithm 4 (`bench.discretize_literal`), which is quadratic and would not end on the whole. Both rank
  the boundary points of the sample, and their gains must agree. The sample is doubled while the transcription
  takes less than two seconds.
* **A million**: tables of numbers drawn at random, all different, with a million thresholds; all are ranked.
* **MDLP** beside fimdlp, a compiled implementation with a Python face, if it is installed. It computes with
  float32, wants three rows in an interval at least and decides ties otherwise, so cuts may differ a little;
  their numbers are shown.

What is timed is ``fit`` on an array, encoding included, on one thread, several times in one process, all in
turns. Memory is not measured here.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError, environment, tables
from bench.contest import over
from bench.discretize_literal import literal_mid
from bench.measure import Span, median, span_of
from bench.optimal import version_of
from bench.optimal_tables import codes
from bench.report import Check, Grid, checklist, facts_as_text, seconds, times, write_csv, write_markdown
from bench.tables import Table
from bench.tree_contest import positive
from boxwood.data import make_dataset
from boxwood.discretize import MDLPDiscretizer, MinimumImpurityDiscretizer, rank_thresholds

HELP = "boxwood's discretisers: MID beside a transcription of its paper, a million thresholds, MDLP"
TITLE = "Discretisers"
TABLES = ("magic04", "letter")
SAMPLE, QUICK_SAMPLE = 500, 200
PATIENCE = 2.0  # seconds; while the transcription needs less, it gets twice as many rows
MILLION, QUICK_MILLION = 1_000_000, 20_000
COLUMNS, CLASSES = 5, (2, 10)
ROUNDS = 5
LEAST, MOST = 50, 5.0  # times faster than the transcription; seconds for a million thresholds
TOLERANCE = 1e-9  # of gains, in bits
PEER = "fimdlp"


@dataclass(frozen=True)
class Row:
    """One line of a report: what was timed on what, and beside what."""

    question: str  # mid, literal, million, mdlp
    table: str
    shape: str
    n_thresholds: int
    spans: Sequence[Span]
    other: str = ""
    other_spans: Sequence[Span] = ()
    other_thresholds: int = 0
    difference: float = math.nan  # of gains

    @property
    def time(self) -> float:
        """Median seconds of ours."""
        return median([span.wall for span in self.spans])

    @property
    def other_time(self) -> float:
        """Median seconds of the other one."""
        return median([span.wall for span in self.other_spans])

    @property
    def ratio(self) -> float:
        """How many times longer the other one takes; NaN where there is none."""
        return over(self.other_time, self.time)


# -------------------------------------------------------------------------------------------------- measuring


def in_rounds(calls: Sequence[Callable[[], Any]], rounds: int) -> tuple[list[list[Span]], list[Any]]:
    """Spans of calls that take turns, and their last answers."""
    spans: list[list[Span]] = [[] for _ in calls]
    answers: list[Any] = [None] * len(calls)
    for _ in range(rounds):
        for place, call in enumerate(calls):
            span, answers[place] = span_of(call)
            spans[place].append(span)
    return spans, answers


def rank_whole(table: Table, rounds: int) -> Row:
    """All thresholds of a table."""
    fit = partial(MinimumImpurityDiscretizer(n_thresholds="all").fit, table.X, table.y)
    (spans,), (fitted,) = in_rounds([fit], rounds)
    return Row("mid", table.name, table.shape, len(fitted.thresholds_), spans)


def rank_samples(table: Table, size: int, rounds: int, patience: float) -> Row:
    """The largest sample on which the transcription ends in reasonable time, twice as many rows each time."""
    row = rank_sample(table, size, rounds)
    while row.other_time < patience and size < len(table.y):
        size *= 2
        row = rank_sample(table, size, rounds)
    return row


def rank_sample(table: Table, size: int, rounds: int) -> Row:
    """The boundary points of some rows, by us and by the transcription."""
    rows = np.random.default_rng(0).permutation(len(table.y))[:size]
    X, y = np.ascontiguousarray(table.X[rows]), codes(table.y[rows]).astype(np.intp)

    def ours() -> Any:
        # As `fit` does it: infinite numbers are met by the ranking.
        return rank_thresholds(make_dataset(X, y, refuse_infinite=False), others=False).thresholds

    theirs = partial(literal_mid, X, y)
    span, literal = span_of(theirs)
    if span.wall < PATIENCE / 4:
        (mine, others), (ranked, _) = in_rounds([ours, theirs], rounds)
    else:  # too slow to be repeated
        (mine,), (ranked,) = in_rounds([ours], rounds)
        others = [span]
    return Row(
        "literal",
        table.name,
        f"{len(X):,} x {X.shape[1]}",
        len(ranked),
        mine,
        "Algorithm 4",
        others,
        len(literal),
        largest_difference(ranked, literal),
    )


def largest_difference(ranked: NDArray[Any], literal: Sequence[tuple[int, float, float]]) -> float:
    """How far the entropies of the two rankings are apart after the same number of cuts of a column, at most.

    Equal gains may come in either order, and then all later gains of the column may differ; the fall of the
    entropy so far is compared, which ties do not touch at the places where both have made the same cuts.
    """
    if len(ranked) != len(literal):
        return math.inf
    worst = 0.0
    for column in {place for place, _, _ in literal}:
        mine = [(float(t), float(g)) for f, t, g in ranked if f == column]
        theirs = [(t, g) for place, t, g in literal if place == column]
        if len(mine) != len(theirs):
            return math.inf
        made: set[float] = set()
        fall = 0.0
        for (threshold, gain), (other, other_gain) in zip(mine, theirs, strict=True):
            made ^= {threshold} ^ {other}
            fall += gain - other_gain
            if not made:
                worst = max(worst, abs(fall))
    return worst


def rank_many(n_thresholds: int, n_classes: int, rounds: int) -> Row:
    """As many thresholds, all of them value changes of columns without ties."""
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.permutation(n_thresholds // COLUMNS + 1) for _ in range(COLUMNS)]).astype(float)
    y = (X[:, 0] / len(X) * n_classes + rng.normal(size=len(X))).astype(int) % n_classes
    fit = partial(MinimumImpurityDiscretizer(n_thresholds="all").fit, X, y)
    (spans,), (fitted,) = in_rounds([fit], rounds)
    shape = f"{len(X):,} x {COLUMNS}"
    return Row("million", f"{n_classes} classes", shape, len(fitted.thresholds_), spans)


def cut_by_mdlp(table: Table, rounds: int) -> Row:
    """MDLP by us, and by the peer if it is there."""
    y = codes(table.y)
    ours = partial(MDLPDiscretizer().fit, table.X, y)
    if importlib.util.find_spec(PEER) is None:
        (spans,), (fitted,) = in_rounds([ours], rounds)
        return Row("mdlp", table.name, table.shape, len(fitted.thresholds_), spans)
    from fimdlp.mdlp import FImdlp

    (mine, theirs), (fitted, other) = in_rounds([ours, partial(FImdlp(n_jobs=1).fit, table.X, y)], rounds)
    # Its lists of cuts begin and end with the least and the largest value.
    cuts = sum(max(0, len(one.get_cut_points()) - 2) for one in other.discretizer_)
    return Row("mdlp", table.name, table.shape, len(fitted.thresholds_), mine, PEER, theirs, cuts)


def measure(names: Sequence[str], given: argparse.Namespace) -> list[Row]:
    """All rows, with a line on the error stream after each."""
    rounds = given.repeat or (1 if given.quick else ROUNDS)
    sample = given.sample or (QUICK_SAMPLE if given.quick else SAMPLE)
    million = QUICK_MILLION if given.quick else MILLION
    rows = []
    for name in names:
        table = tables.TABLES[name]()
        patience = 0.0 if given.sample or given.quick else PATIENCE
        rows += [told(rank_whole(table, rounds)), told(rank_samples(table, sample, rounds, patience))]
        rows.append(told(cut_by_mdlp(table, rounds)))
    return rows + [told(rank_many(million, n_classes, min(rounds, 3))) for n_classes in CLASSES]


def told(row: Row) -> Row:
    """Say on the error stream that a row is there."""
    beside = f", {row.other} {seconds(row.other_time)}" if row.other else ""
    print(f"{row.question}, {row.table}: {seconds(row.time)}{beside}", file=sys.stderr)
    return row


# ---------------------------------------------------------------------------------------------------- reports


def check_targets(rows: Sequence[Row]) -> list[Check]:
    """What is to be reached, with what was found."""
    literal = [row for row in rows if row.question == "literal"]
    million = [row for row in rows if row.question == "million" and row.n_thresholds >= MILLION]
    checks = []
    aim = f"MID: at least {LEAST}x the transcription"
    if literal:
        worst = min(literal, key=lambda row: row.ratio)
        checks.append(Check(aim, f"worst {times(worst.ratio)} ({worst.table})", worst.ratio >= LEAST))
    else:
        checks.append(Check(aim, "not measured", None))
    aim = f"a million thresholds: under {MOST:g} s"
    if million:
        slow = max(million, key=lambda row: row.time)
        checks.append(Check(aim, f"worst {seconds(slow.time)} ({slow.table})", slow.time < MOST))
    else:
        checks.append(Check(aim, "not measured", None))
    far = [row for row in literal if not row.difference <= TOLERANCE]
    found = "; ".join(f"{row.table}: {row.difference:.1g} bits" for row in far or literal)
    aim = f"the transcription's ranking, within {TOLERANCE:.0e} bits"
    checks.append(Check(aim, found or "not measured", not far if literal else None, is_correctness=True))
    return checks


def grids_of(rows: Sequence[Row]) -> list[Grid]:
    """A table per question."""

    def of(question: str) -> list[Row]:
        return [row for row in rows if row.question == question]

    def plain(row: Row) -> list[str]:
        return [row.table, row.shape, f"{row.n_thresholds:,}", seconds(row.time)]

    def beside(row: Row) -> list[str]:
        other = f"{row.other_thresholds:,}" if row.other else "n/a"
        return [*plain(row), seconds(row.other_time), times(row.ratio), other]

    head = ["table", "rows x columns", "thresholds", "ours"]
    return [
        Grid("MID, all thresholds", head, [plain(row) for row in of("mid")], 2),
        Grid(
            "MID beside the transcription, boundary points of a sample",
            [*head, "Algorithm 4", "ratio", "its thresholds"],
            [beside(row) for row in of("literal")],
            2,
        ),
        Grid("Many thresholds", head, [plain(row) for row in of("million")], 2),
        Grid(
            f"MDLP beside {PEER}",
            [*head, PEER, "ratio", "its cuts"],
            [beside(row) for row in of("mdlp")],
            2,
        ),
    ]


def raw_rows(rows: Sequence[Row]) -> list[dict[str, object]]:
    """Every single measurement."""
    return [
        {
            "question": row.question,
            "table": row.table,
            "library": library,
            "round": number,
            "thresholds": thresholds,
            "seconds": span.wall,
            "cpu_seconds": span.cpu,
        }
        for row in rows
        for library, thresholds, spans in (
            ("boxwood", row.n_thresholds, row.spans),
            (row.other, row.other_thresholds, row.other_spans),
        )
        for number, span in enumerate(spans)
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
    parser.add_argument(
        "--sample",
        type=positive,
        metavar="N",
        help=f"rows for the transcription; without it, {SAMPLE:,}, and twice as many while it is quick",
    )
    parser.add_argument("--repeat", type=positive, metavar="N", help=f"rounds: {ROUNDS}")
    parser.add_argument("--quick", action="store_true", help="one round on less: a look, not a measurement")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every single measurement")


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    names, absent = tables.choose(given.tables or TABLES)
    if not names:
        raise RefusedError(absent)
    if absent:
        print(f"bench discretize: {absent}", file=sys.stderr)
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    facts = environment.describe()
    if importlib.util.find_spec(PEER) is None:
        absent += (
            f' {PEER} is not installed, and left out; it comes with the extra: pip install "boxwood[bench]".'
        )
    else:
        facts[PEER] = version_of(PEER)
    rows = measure(names, given)
    checks = check_targets(rows)
    grids = [*grids_of(rows), checklist(checks)]
    print(f"{facts_as_text(facts)}.\n{absent.strip()}\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, grids, absent.strip())
    if given.csv is not None:
        write_csv(given.csv, raw_rows(rows))
    return int(any(check.is_correctness and check.reached is False for check in checks))
