"""`python -m bench criteria`: growth with the cut rule beside growth with all cuts, criterion by criterion.

The cut rule (`boxwood.search.numeric`) leaves out cuts that cannot be the best ones. Three things are to be
known of it: that the tree is the same, that leaving out is not dearer than looking, and how much it saves.
And of the criteria: that none is much slower than Gini's, and what a function in Python costs beside the
compiled form of the same formula.

*What is timed* is `boxwood.grow.grow` on a table encoded before the clock starts, on one thread. Encoding is
the same for every criterion and would only blur their differences; ranking the columns belongs to
growth. A user's function is checked and its curvature is found before the clock starts, because that
happens once per function and not once per tree; how long it takes is shown for itself.

*All trees are grown to depth 8.* Without a limit, trees of different criteria differ much in size (on
continuous columns "error" and "ambiguity" cut off chains of tiny leaves), and one would compare the sizes
of trees and not the work per node. On large tables the functions in Python, which get every candidate of a
level in one array, are grown to depth 3 only, and beside them the compiled forms of their formulas to
the same depth.

*How it is timed.* Everything on one table, each criterion with the rule and with all cuts, takes turns within
one process, forwards and backwards, equally often: whatever else the machine does hits all of it alike, and
nobody always comes after the same neighbour. Small tables are gone through many times, and the process is
repeated in rounds; the answer is the median over all of them. It is processor time: there is one thread and
no peer, and other programs touch it less than the clock on the wall. (Other benchmarks give every contestant
a process of its own, since they measure memory and foreign libraries; here there is neither.)
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError, environment, tables
from bench.contest import Case
from bench.criteria_report import (
    COMPILED,
    DEFAULT_TABLES,
    IN_PYTHON,
    Result,
    Seen,
    check_targets,
    cut_grid,
    disturbance,
    python_grid,
    raw_rows,
)
from bench.measure import Span, in_fresh_process, span_of
from bench.report import checklist, facts_as_text, seconds, write_csv, write_markdown
from bench.tree_contest import QUICK_TABLES, positive
from boxwood.criteria import Impurity, get_criterion
from boxwood.data import Dataset, make_dataset
from boxwood.grow import CUTS, GrowOptions, Growth, grow
from boxwood.tree import Tree

HELP = "growth with the cut rule beside all cuts, for every criterion and for functions in Python"
TITLE = "The cut rule and the criteria"
DEPTH = 8
PYTHON_DEPTH_IF_LARGE = 3
ROUNDS = 3
BUDGET = 20.0  # seconds of growth in a process after which nothing is repeated any more
MOST = 30  # times that everything is repeated

Floats = NDArray[np.float64]
Row = tuple[str, int]  # a criterion and a limit of depth


# ----------------------------------------------------------------------------- what a user might have written


def gini_of_share(x: Floats) -> Floats:
    """Gini's impurity of two classes.

    >>> gini_of_share(np.array([0.0, 0.5]))
    array([0. , 0.5])
    """
    return 2 * x * (1 - x)


def entropy_of_share(x: Floats) -> Floats:
    """Shannon's entropy of two classes, in bits.

    >>> entropy_of_share(np.array([0.25, 0.5])).round(3)
    array([0.811, 1.   ])
    """
    return np.where(x > 0, -(x * np.log2(x) + (1 - x) * np.log2(1 - x)), 0.0)


def gini_of_shares(p: Floats) -> Floats:
    """Gini's impurity of any number of classes.

    >>> gini_of_shares(np.array([[1.0, 0.0, 0.0], [0.5, 0.25, 0.25]]))
    array([0.   , 0.625])
    """
    impurity: Floats = 1 - (p * p).sum(axis=1)
    return impurity


def entropy_of_shares(p: Floats) -> Floats:
    """Shannon's entropy of any number of classes, in bits.

    >>> entropy_of_shares(np.array([[0.25, 0.25, 0.5]]))
    array([1.5])
    """
    impurity: Floats = -np.where(p > 0, p * np.log2(p), 0.0).sum(axis=1)
    return impurity


OF_SHARE = {"gini": gini_of_share, "entropy": entropy_of_share}
OF_SHARES = {"gini": gini_of_shares, "entropy": entropy_of_shares}


def make_criterion(name: str, n_classes: int) -> str | Impurity:
    """What growth is told. In Python, two classes get a function of the smaller share. With more, the sum
    of that over the classes would be another formula than the entropy, so they get one of all shares.
    """
    formula = IN_PYTHON.get(name)
    if formula is None:
        return name
    if n_classes <= 2:
        return Impurity(OF_SHARE[formula], name=name)
    return Impurity(OF_SHARES[formula], name=name, vector=True)


# --------------------------------------------------------------------------------------- in the fresh process


def splits(tree: Tree) -> str:
    """A fingerprint of the splits of a tree and of what they part; not of scores, whose last bit depends
    on how a formula is written down.
    """
    assert tree.counts is not None
    arrays = (tree.kind, tree.feature, tree.threshold, tree.first_child, tree.counts)
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def in_process(
    dataset: Dataset, rows: Sequence[Row], budget: float = BUDGET, say: bool = False, backwards: bool = False
) -> list[Seen]:
    """Grow every criterion with the rule and with all cuts, in turns, and tell of each what was seen.

    Who comes first pays for memory that the system has yet to find, so the turns go back and forth.
    """
    made = {name: make_criterion(name, dataset.n_classes) for name, _ in rows}
    settling = {name: span_of(partial(get_criterion, made[name], dataset.n_classes)) for name in made}
    growths: dict[tuple[Row, str], Growth] = {}

    contestants = [(row, cuts) for row in rows for cuts in CUTS]
    spans: dict[tuple[Row, str], list[Span]] = {one: [] for one in contestants}
    spent, number = 0.0, 0
    gc.collect()
    while number == 0 or (number < MOST and spent < budget):
        for one in contestants if number % 2 == backwards else reversed(contestants):
            (name, max_depth), cuts = one
            options = GrowOptions(criterion=made[name], cuts=cuts, max_depth=max_depth)
            span, growth = span_of(partial(grow, dataset, options))
            spans[one].append(span)
            growths.setdefault(one, growth)
            spent += span.wall
            if say and number == 0:
                print(f"  {name}, depth {max_depth}, cuts {cuts}: {seconds(span.cpu)}", file=sys.stderr)
        number += 1
    seen: list[Seen] = []
    for row in rows:
        rule, every = growths[row, "auto"], growths[row, "all"]
        span, criterion = settling[row[0]]
        seen.append(
            {
                "spans": {cuts: spans[row, cuts] for cuts in CUTS},
                "evaluated": {cuts: growths[row, cuts].n_cuts_evaluated for cuts in CUTS},
                "n_cuts": rule.n_cuts,
                "rule": criterion.rule(dataset.n_classes),
                "settling": span,
                "leaves": rule.tree.n_leaves,
                "equal": rule.tree == every.tree and rule.n_cuts == every.n_cuts,
                "splits": splits(rule.tree),
            }
        )
    return seen


def observe(
    paths: tuple[str, str], rows: Sequence[tuple[str, int]], say: bool, backwards: bool
) -> list[Seen]:
    """What one process finds out about every row of a table."""
    X, y = np.load(paths[0]), np.load(paths[1])
    few = slice(None, None, max(1, len(y) // 50))
    in_process(make_dataset(X[few], y[few]), [(name, 2) for name, _ in rows], budget=0.0)  # warm up
    cases = [(name, max_depth) for name, max_depth in rows]
    return in_process(make_dataset(X, y), cases, say=say, backwards=backwards)


# -------------------------------------------------------------------------------------------------- measuring


def rows_of(is_large: bool, criteria: Sequence[str]) -> list[Row]:
    """The rows of one table: named criteria first, then functions in Python with their compiled forms."""
    python_depth = PYTHON_DEPTH_IF_LARGE if is_large else DEPTH
    functions = [name for name in criteria if name in IN_PYTHON]
    rows = [(name, DEPTH) for name in criteria if name not in IN_PYTHON]
    rows += [(IN_PYTHON[name], python_depth) for name in functions]
    rows += [(name, python_depth) for name in functions]
    return list(dict.fromkeys(rows))


def measure_table(table: tables.Table, criteria: Sequence[str], rounds: int) -> list[Result]:
    """Observe every row in as many processes, one after the other."""
    rows = rows_of(table.is_large, criteria)
    observed: list[list[Seen]] = [[] for _ in rows]
    with tempfile.TemporaryDirectory(prefix="boxwood-bench-") as folder:
        paths = [str(path) for path in table.save(Path(folder))]
        for number in range(rounds):
            print(f"{table.name}: round {number + 1} of {rounds}", file=sys.stderr, flush=True)
            answers: list[Seen] = in_fresh_process(
                "bench.criteria:observe", paths=paths, rows=rows, say=number == 0, backwards=number % 2 == 1
            )
            for seen, answer in zip(observed, answers, strict=True):
                for cuts, pairs in answer["spans"].items():
                    answer["spans"][cuts] = [Span(*pair) for pair in pairs]
                answer["settling"] = Span(*answer["settling"])
                seen.append(answer)
    return [
        Result(Case(table.name, name, max_depth), table.shape, seen)
        for (name, max_depth), seen in zip(rows, observed, strict=True)
    ]


def measure(names: Sequence[str], criteria: Sequence[str], rounds: int) -> list[Result]:
    """All criteria, table by table."""
    results = []
    for name in names:
        print(f"{name}: reading", file=sys.stderr)
        results += measure_table(tables.TABLES[name](), criteria, rounds)
    return results


# ----------------------------------------------------------------------------------------------- command line


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    known = [*COMPILED, *IN_PYTHON]
    parser.add_argument(
        "--tables", nargs="+", choices=list(tables.TABLES), metavar="NAME", help=", ".join(tables.TABLES)
    )
    parser.add_argument(
        "--criteria", nargs="+", choices=known, default=known, metavar="NAME", help=", ".join(known)
    )
    parser.add_argument(
        "--repeat", type=positive, metavar="N", help=f"rounds, each in a fresh process; {ROUNDS} without it"
    )
    parser.add_argument(
        "--quick", action="store_true", help="one round on small tables: a look, not a measurement"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every single measurement")


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    rounds = given.repeat or (1 if given.quick else ROUNDS)
    wanted = given.tables or (QUICK_TABLES if given.quick else DEFAULT_TABLES)
    names, absent = tables.choose(wanted)
    if not names:
        raise RefusedError(absent)
    if absent:
        print(f"bench criteria: {absent}", file=sys.stderr)
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")

    facts: dict[str, Any] = environment.describe()
    results = measure(names, given.criteria, rounds)
    checks = check_targets(results)
    grids = [cut_grid(results), python_grid(results), checklist(checks)]
    shapes = ", ".join(dict.fromkeys(f"{result.case.table} {result.shape}" for result in results))
    notes = f"Tables: {shapes}. {disturbance(results)}" + (f" {absent}" if absent else "")
    print(f"{facts_as_text(facts)}.\n{notes}\n")
    print("\n\n".join(grid.as_text() for grid in grids if grid.rows))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, [grid for grid in grids if grid.rows], notes)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(results))
    return int(any(check.is_correctness and check.reached is False for check in checks))
