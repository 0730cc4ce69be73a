"""Paper A, chapter 3: optimal trees on MID's thresholds, beside other discretisers and greedy trees."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from studies.harness.command import add_common_arguments, run_study
from studies.harness.study import Study
from studies.mid.experiment import KEYS, VALUES, fit, plan, tables
from studies.mid.report import SETTINGS, report
from studies.mid.runtime import RUNTIME

HELP = "optimal trees on MID's thresholds: Tables 3.1 to 3.3, Figures 3.1 to 3.4 and 3.6 to 3.8 (paper A)"

STUDY = Study(
    name="mid",
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
        "--runtime",
        action="store_true",
        help="does a known error, or the work behind it, save time? (Figures 3.6 to 3.8)",
    )
    parser.add_argument(
        "--depths", nargs="+", type=int, metavar="N", help="only these limits of depth; others may follow"
    )
    parser.add_argument(
        "--features", nargs="+", type=int, metavar="N", help="only these prefixes; others may follow"
    )


def run(given: argparse.Namespace) -> int:
    """Run the study, or its measurements of run time."""
    wanted: dict[str, Any] = {
        name: sorted(set(value))
        for name, value in (("depths", given.depths), ("features", given.features))
        if value
    }
    return run_study(RUNTIME if given.runtime else STUDY, given, {"plan": wanted} if wanted else None)
