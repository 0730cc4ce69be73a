"""Paper D, chapters 5 and 6 and its appendix: pruning, beside scikit-learn's tree and Weka's J48."""

from __future__ import annotations

import argparse
from pathlib import Path

from studies.harness.command import add_common_arguments, run_study
from studies.harness.study import Study
from studies.pruning.experiment import KEYS, LEARNERS, VALUES, fit, plan, tables
from studies.pruning.report import SETTINGS, report

HELP = "pruning beside scikit-learn and Weka's J48: Figures 6.1 to 6.6, Tables A.1 and A.2 (paper D)"

STUDY = Study(
    name="pruning",
    folder=Path(__file__).parent,
    settings=SETTINGS,
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
        "--weka",
        metavar="JAR",
        help="Weka's jar (default: $BOXWOOD_WEKA, else the installed package python-weka-wrapper3)",
    )
    parser.add_argument("--repeats", type=int, metavar="N", help="so many repeats; more may follow")
    parser.add_argument(
        "--learners", nargs="+", choices=LEARNERS, metavar="NAME", help="only these; others may follow"
    )


def run(given: argparse.Namespace) -> int:
    """Run the study."""
    changes: dict[str, dict[str, object]] = {}
    if given.weka:
        changes["weka"] = {"jar": given.weka}
    wanted = (("repeats", given.repeats), ("learners", given.learners))
    changes["plan"] = {name: value for name, value in wanted if value}
    return run_study(STUDY, given, changes)
