"""Paper E, Table 4: four impurity functions on nine data sets, and the share of cuts that need no look."""

from __future__ import annotations

import argparse
from pathlib import Path

from studies.harness.command import add_common_arguments, run_study
from studies.harness.study import Study
from studies.heuristics.calibration import CALIBRATION
from studies.heuristics.experiment import KEYS, VALUES, fit, plan, tables
from studies.heuristics.report import report

HELP = "four impurity functions on nine data sets, and the share of cuts that need no look (paper E, Table 4)"

STUDY = Study(
    name="heuristics",
    folder=Path(__file__).parent,
    settings=("datasets", "functions", "sample", "validation", "stopping"),
    keys=KEYS,
    values=VALUES,
    tables=tables,
    plan=plan,
    fit=fit,
    report=report,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Give the command its options."""
    add_common_arguments(parser)
    parser.add_argument(
        "--calibrate",
        action="store_true",
        help="find the stopping rule that comes nearest to the paper's trees",
    )


def run(given: argparse.Namespace) -> int:
    """Run the study, or its calibration."""
    return run_study(CALIBRATION if given.calibrate else STUDY, given)
