"""The options that every study has, and what happens after them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studies.harness.configuration import lay_over, read_configuration
from studies.harness.run import run_fits
from studies.harness.study import Study
from studies.harness.tables import find_folder

OUTPUT = Path("studies-out")
CONFIGURATION = "study.toml"


def add_common_arguments(parser: argparse.ArgumentParser) -> None:
    """Give a study's command its common options."""
    parser.add_argument(
        "--data",
        metavar="FOLDER",
        help="folder of tables, NAME.csv.gz or NAME.csv (default: $BOXWOOD_DATA, else ./data)",
    )
    parser.add_argument(
        "--out", metavar="FOLDER", type=Path, help=f"folder for rows and reports (default: {OUTPUT}/STUDY)"
    )
    parser.add_argument("--quick", action="store_true", help="a small variant that ends within a minute")
    parser.add_argument("--only", nargs="+", default=[], metavar="DATASET", help="only these data sets")
    parser.add_argument(
        "--jobs",
        type=int,
        default=1,
        metavar="N",
        help="processes (default: 1); rows do not depend on it",
    )
    parser.add_argument("--fresh", action="store_true", help="throw away the rows of earlier runs")


def run_study(
    study: Study, given: argparse.Namespace, changes: Mapping[str, Any] | None = None, tell: Any = print
) -> int:
    """Make the missing fits, report on all of them, and return the exit status.

    ``changes`` are laid over the configuration: what a study's own options ask for.
    """
    configuration = lay_over(
        read_configuration(study.folder / CONFIGURATION, given.quick), changes if changes is not None else {}
    )
    out = given.out or OUTPUT / (f"{study.name}-quick" if given.quick else study.name)
    data = find_folder(given.data) if study.tables(configuration) else None
    rows = run_fits(study, configuration, out, data, given.only, given.jobs, given.fresh, tell)
    tell(study.report(rows.frame(), configuration, out))
    return 0
