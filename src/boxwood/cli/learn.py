"""`boxwood learn`: a table in, a tree out, with how good it is on rows that it has not seen."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from boxwood.cli import method, options
from boxwood.cli.holdout import hold_out
from boxwood.cli.refusal import Refusal, no_such_column, quoted, refusing
from boxwood.cli.report import (
    counted,
    open_console,
    say,
    show_accuracy,
    show_error,
    show_rules,
    show_rules_accuracy,
    show_size,
    show_tree,
)
from boxwood.cli.table import need_extra, read_contents
from boxwood.cli.task import Task, choose_task
from boxwood.criteria import CRITERIA
from boxwood.data import TASKS
from boxwood.grow import CUTS, REGRESSION_CRITERIA

if TYPE_CHECKING:
    import polars as pl

    from boxwood import Tree

HELP = "learn a tree from a table, and measure it"
USAGE = "boxwood learn [TABLE] [--target COLUMN] [--save PATH] [other options]"
DESCRIPTION = """\
Learn a decision tree from a CSV, ARFF or Parquet table (or, when none is given, from an embedded table of 344
penguins).

Says what it understood of each column, puts a share of the rows aside, learns the tree from the others, and
prints the tree, its size and how good it is on both parts. Text columns are categories, empty cells are
missing values; neither needs any preparation. A target of names is learned as classes; a target of numbers
that is plainly a quantity, such as a price, as a regression.

A tree is grown greedily, or, with --method optimal, it is the best one of its depth, and the proof is printed
too. Ctrl-C ends that search with the best tree so far."""
EPILOG = """\
examples:
  boxwood learn                                             the embedded penguins, the best tree of depth 3
  boxwood learn --method greedy                             the same, grown greedily
  boxwood learn customers.csv --method optimal --max-depth 4 --time-limit 30
  boxwood learn customers.csv --target churned              a table of yours
  boxwood learn --target body_mass_g --max-leaf-nodes 8     a quantity: a regression tree
  boxwood learn customers.csv --simple-rules                a few rules that say about the same
  boxwood learn customers.csv --drop id --max-depth 4 --save tree.json
  boxwood predict tree.json new_customers.csv               use the saved tree"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE",
        help="a CSV, ARFF or Parquet file, gzip-compressed or not; - reads it from standard input",
    )
    parser.add_argument(
        "--target",
        metavar="COLUMN",
        help='the column to learn (default: the one called "class", or the last one)',
    )
    parser.add_argument(
        "--task",
        choices=TASKS,
        help="what the target is: classes or a quantity (default: as its values look)",
    )
    parser.add_argument(
        "--drop",
        type=options.names,
        action="extend",
        default=[],
        metavar="COLUMN[,COLUMN...]",
        help="leave these columns out: row numbers, names, and whatever will not be known at prediction",
    )
    parser.add_argument(
        "--categorical",
        type=options.names,
        action="extend",
        default=[],
        metavar="COLUMN[,COLUMN...]",
        help="numbers in these columns are names of groups, not quantities (text always is)",
    )
    parser.add_argument(
        "--method",
        choices=method.METHODS,
        help="grow the tree greedily, or find the best one and prove it (default: optimal for the embedded "
        "table, greedy for others; an option that only one of them has decides)",
    )
    parser.add_argument("--save", metavar="PATH", help="write the tree to this file, as JSON")

    tree = parser.add_argument_group("the tree")
    tree.add_argument(
        "--criterion",
        type=options.criterion,
        metavar="NAME",
        help=f"how good a split is; for classes {', '.join(CRITERIA)} or tsallis(q) with a number "
        f"(default: gini), for quantities {', '.join(REGRESSION_CRITERIA)} (default: squared_error)",
    )
    tree.add_argument(
        "--cuts",
        choices=CUTS,
        help="weigh only the cuts that can be best for classes, or all; the tree is the same (default: auto)",
    )
    tree.add_argument(
        "--max-depth",
        type=options.whole(1),
        metavar="N",
        help="tests on a path, at most (default: no limit; optimal: 3)",
    )
    tree.add_argument(
        "--max-leaf-nodes",
        type=options.whole(2),
        metavar="N",
        help="leaves, at most; the best splits come first",
    )
    tree.add_argument(
        "--min-samples-leaf",
        type=options.rows_or_share(1),
        metavar="N",
        help="rows in a leaf, at least: a number, or a share such as 0.01 (default: 1; optimal: 5)",
    )
    tree.add_argument(
        "--min-samples-split",
        type=options.rows_or_share(2),
        metavar="N",
        help="rows in a node that is split, at least: a number or a share (default: 2)",
    )
    tree.add_argument(
        "--min-impurity-decrease",
        type=options.amount(0.0),
        metavar="X",
        help="what a split must gain, weighted by its share of the rows (default: 0)",
    )
    tree.add_argument(
        "--max-features",
        type=options.features,
        metavar="N",
        help='features that a node looks at: a number, a share, "sqrt" or "log2" (default: all)',
    )
    tree.add_argument(
        "--missing",
        choices=["learn", "branch", "surrogate"],
        help="rows with a missing value go where they fit best, to a branch of their own, or where another "
        "column sends them that mostly agrees (classes only) (default: learn)",
    )
    tree.add_argument(
        "--unknown-category",
        choices=method.UNKNOWN["optimal"],
        help="at prediction, a category that a node has not seen counts as missing, follows the heavier "
        "branch, stops there, is an error, is spread over the branches (distribute), or, with the best tree, "
        "is just another one (default: missing; optimal: other)",
    )
    method.add_arguments(parser)

    run = parser.add_argument_group("the run")
    run.add_argument(
        "--test",
        type=options.share,
        default=0.25,
        metavar="SHARE",
        help="rows put aside (default: 0.25; 0: none)",
    )
    run.add_argument(
        "--seed",
        type=options.whole(0),
        default=0,
        metavar="N",
        help="draws the test rows and features (default: 0)",
    )
    run.add_argument(
        "--n-jobs",
        type=options.jobs,
        default=-1,
        metavar="N",
        help="threads; the tree is the same for any number (default: -1, all CPUs)",
    )
    run.add_argument(
        "--show-depth",
        type=options.whole(0),
        metavar="N",
        help="print the tree down to this depth (default: all of a small tree, the top of a large one)",
    )
    run.add_argument("--rules", action="store_true", help="print the tree as rules too, one for each leaf")
    run.add_argument(
        "--simple-rules",
        action="store_true",
        help="print fewer and simpler rules that say about the same, with how right they are; for classes",
    )
    options.add_table_options(parser)
    options.add_header_option(parser)


def run(given: argparse.Namespace) -> None:
    """Read, describe, hold out, learn, print, measure, save."""
    need_extra()
    save = _writable(given.save)
    from rich.console import Console

    from boxwood import rules
    from boxwood.cli.describe import column_table, remarks

    frame, target, read = _table_and_target(given)
    rows = frame.height
    frame = _rows_with_target(frame, target)
    task = choose_task(given, frame[target])
    if given.simple_rules and task.regression:
        raise Refusal(
            f'--simple-rules is about classes, and the target "{target}" is taken as a quantity: use '
            "--rules, or add --task classification."
        )
    optimal = method.choose_method(given, task) == "optimal"
    values = task.values(frame[target])
    features = frame.drop(target)

    console = open_console()
    say(console, f"{_source(given)}: {counted(rows, 'row')}, {counted(frame.width, 'column')}", style="bold")
    if frame.height < rows:
        say(console, f'{counted(rows - frame.height, "row")} without a value of "{target}" left out.')
    for remark in read:
        say(console, f"{remark[0].upper()}{remark[1:]}.", style="yellow")
    console.print()
    console.print(column_table(frame, target, given.categorical, quantity=task.regression))
    if task.remark is not None:
        say(console, f"Target: {task.remark}")
    for remark in remarks(features):
        say(console, f"Note: {remark}", style="yellow")

    classes, codes = np.unique(values, return_inverse=True)
    if task.regression:
        codes = np.zeros_like(codes)  # a quantity has no classes to draw from
    train, test = hold_out(codes, given.test, given.seed)
    learned = features[train]
    start = time.perf_counter()
    with refusing("The tree cannot be learned" if optimal else "The tree cannot be grown"):
        if optimal:
            model: Any = method.optimal_estimator(given)
            method.fit_quietly(model, learned, values[train])
        else:
            with Console(stderr=True).status("Growing the tree …"):
                model = _estimator(given, task).fit(learned, values[train])
    seconds = time.perf_counter() - start

    tree: Tree = model.tree_
    console.print()
    show_tree(console, tree, given.show_depth)
    console.print()
    show_size(console, tree, seconds, "found" if optimal else "grown")
    if optimal:
        method.show_proof(console, model, learned, values[train])
    show_quality = show_error if task.regression else show_accuracy
    show_quality(console, "Training", model, learned, values[train])
    if len(test):
        show_quality(console, "Test", model, features[test], values[test])
        untested = [] if task.regression else classes[np.bincount(codes) == 1].tolist()
        if untested:
            say(console, f"Note: trained on but not tested, having one row: {quoted(untested)}.", "yellow")
    if optimal:
        parts = [("training", learned, values[train])]
        if len(test):
            parts.append(("test", features[test], values[test]))
        method.show_greedy(console, model, parts)
    if given.rules:
        console.print()
        show_rules(console, rules(tree))
    if given.simple_rules:
        console.print()
        simple = rules(tree, learned, values[train], simplify=True)
        show_rules(console, simple)
        console.print()
        show_rules_accuracy(console, "Training", simple, learned, values[train])
        if len(test):
            show_rules_accuracy(console, "Test", simple, features[test], values[test])
    if save is not None:
        with refusing(f'The tree cannot be saved to "{save}"', (OSError, ValueError, TypeError)):
            tree.save(save)
        say(console, f"Saved    {save}; use it with: boxwood predict {save} TABLE")


def _source(given: argparse.Namespace) -> str:
    if given.table is None:
        return "Palmer penguins (embedded)"
    return "Standard input" if given.table == "-" else str(given.table)


def _writable(name: str | None) -> Path | None:
    """Refuse a path that cannot be written before the work, not after it."""
    if name is None:
        return None
    path = Path(name)
    if path.is_dir():
        raise Refusal(f'"{name}" is a folder: --save needs the name of a file.')
    if not path.parent.is_dir():
        raise Refusal(f'There is no folder "{path.parent}" to save the tree in.')
    return path


def _table_and_target(given: argparse.Namespace) -> tuple[pl.DataFrame, str, Sequence[str]]:
    """Return the table without the dropped columns, the name of its target, and what reading remarked."""
    import polars as pl

    from boxwood.data import load_penguins
    from boxwood.data.readers.read import find_target

    remarks: Sequence[str] = ()
    if given.table is None:
        penguins = load_penguins()
        frame = pl.DataFrame(penguins.data).with_columns(pl.Series(penguins.target_name, penguins.target))
        default = penguins.target_name
    else:
        contents = read_contents(
            given.table,
            given.separator,
            given.missing_values,
            header={"yes": True, "no": False}.get(given.header, "auto"),
            skip_malformed=given.skip_malformed,
            quotes=not given.no_quotes,
        )
        frame, remarks = contents.frame, contents.remarks
        default = find_target(frame.columns, None)
    for name in [*given.drop, *given.categorical]:
        if name not in frame.columns:
            raise no_such_column(name, frame.columns)
    target = default if given.target is None else given.target
    if target not in frame.columns:
        if frame.width == 1:
            raise Refusal(
                f'The table has no target column "{target}": it has one column, "{frame.columns[0]}"; '
                "if that is several in one, say what stands between them with --separator."
            )
        raise no_such_column(target, frame.columns, "target column")
    if target in given.drop:
        raise Refusal(f'"{target}" is the target and cannot be dropped: name another one with --target.')
    frame = frame.drop(given.drop)
    if frame.width < 2:
        raise Refusal(
            f'The table has no column besides the target "{target}": there is nothing to learn from.'
        )
    return frame, target, remarks


def _rows_with_target(frame: pl.DataFrame, target: str) -> pl.DataFrame:
    """Return the rows whose target is known; whole numbers that a gap made floats become integers again."""
    import polars as pl

    if frame[target].dtype.is_float():
        frame = frame.with_columns(frame[target].fill_nan(None))
    frame = frame.filter(frame[target].is_not_null())
    if frame.is_empty():
        raise Refusal(f'The target "{target}" has no value in any row.')
    if frame[target].dtype.is_float():
        whole = frame[target].cast(pl.Int64, strict=False)
        if bool((whole == frame[target]).fill_null(False).all()):
            frame = frame.with_columns(whole)
    return frame


def _estimator(given: argparse.Namespace, task: Task) -> Any:
    from boxwood import TreeClassifier, TreeRegressor

    common = {
        "criterion": task.criterion,
        "max_depth": given.max_depth,
        "max_leaf_nodes": given.max_leaf_nodes,
        "min_samples_leaf": given.min_samples_leaf or 1,
        "min_samples_split": given.min_samples_split or 2,
        "min_impurity_decrease": given.min_impurity_decrease or 0.0,
        "max_features": given.max_features,
        "missing": given.missing or "learn",
        "unknown_category": given.unknown_category or "missing",
        "categorical_features": given.categorical or "from_dtype",
        "random_state": given.seed,
        "n_jobs": given.n_jobs,
    }
    return TreeRegressor(**common) if task.regression else TreeClassifier(cuts=given.cuts or "auto", **common)
