"""Paper B, chapters 5 and 6: binary splits of categories, on random tables and in trees."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from studies.categorical import splits, splits_report, trees, trees_report
from studies.harness.command import add_common_arguments, run_study
from studies.harness.study import Study

HELP = (
    "binary splits of large categorical attributes: chapter 5 on random tables, chapter 6 in trees (paper B)"
)

SPLITS = Study(
    name="categorical-splits",
    folder=Path(__file__).parent,
    settings=splits_report.SETTINGS,
    keys=splits.KEYS,
    values=splits.VALUES,
    tables=splits.tables,
    plan=splits.plan,
    fit=splits.fit,
    report=splits_report.report,
)
TREES = Study(
    name="categorical-trees",
    folder=Path(__file__).parent,
    settings=trees_report.SETTINGS,
    keys=trees.KEYS,
    values=trees.VALUES,
    tables=trees.tables,
    plan=trees.plan,
    fit=trees.fit,
    report=trees_report.report,
)
PARTS = {"splits": SPLITS, "trees": TREES}
SHAPE = re.compile(r"\d+x\d+")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the command its options."""
    add_common_arguments(parser)
    parser.add_argument(
        "--part",
        choices=PARTS,
        help="only random tables (splits) or only real data (trees); default: what --only names, else both",
    )
    parser.add_argument("--tables", type=int, metavar="N", help="random tables per shape; more may follow")
    parser.add_argument("--repeats", type=int, metavar="N", help="so many repeats; more may follow")


def run(given: argparse.Namespace) -> int:
    """Run one part of the study, or both; with ``--out`` each has a folder of its own below it."""
    wanted: dict[str, Any] = {
        name: value for name, value in (("tables", given.tables), ("repeats", given.repeats)) if value
    }
    parts = list(PARTS)
    if given.part:
        parts = [given.part]
    elif given.only:
        parts = ["splits" if all(SHAPE.fullmatch(name) for name in given.only) else "trees"]
    for part in parts:
        own = argparse.Namespace(**vars(given))
        own.out = given.out / part if given.out else None
        run_study(PARTS[part], own, {"plan": wanted} if wanted else None)
    return 0
