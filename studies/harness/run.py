"""Make the fits of a study that are missing, one row each, on any number of processes.

The rows come back in the order of the plan, whatever the number of processes, and are written one by one;
so the file is the same for any ``--jobs``, and what is lost when a run is cut short is at most the fits
that were under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import boxwood
from studies import RefusedError
from studies.harness.configuration import deciding
from studies.harness.environment import record_environment
from studies.harness.progress import Tell, show_progress
from studies.harness.rows import RowFile
from studies.harness.study import Configuration, Key, Row, Study
from studies.harness.tables import check_tables, digest


def run_fits(
    study: Study,
    configuration: Configuration,
    out: Path,
    data: Path | None = None,
    only: Sequence[str] = (),
    jobs: int = 1,
    fresh: bool = False,
    tell: Tell = print,
) -> RowFile:
    """Make what is missing, and give the file of all rows."""
    if jobs < 1:
        raise RefusedError(f"--jobs must be at least 1; got {jobs}.")
    tables = dict(study.tables(configuration))
    plan = choose(study.plan(configuration), only)
    used = {dataset: table for dataset, table in tables.items() if not only or dataset in only}
    if used:
        if data is None:
            raise RefusedError(f"the study {study.name} needs a folder of tables; name it with --data.")
        check_tables(data, used.values())
    rows = RowFile(out, study.keys, study.values)
    done = rows.open(
        {
            "study": study.name,
            "boxwood": boxwood.__version__,
            "settings": deciding(configuration, study.settings),
            "tables": {table: digest(data, table) for table in used.values()} if data is not None else {},
        },
        fresh,
    )
    record_environment(out, fresh)
    missing = [key for key in plan if rows.name(key) not in done]
    if len({rows.name(key) for key in plan}) < len(plan):
        raise ValueError(f"the plan of {study.name} names a fit twice")
    with show_progress(study.name, len(plan), len(plan) - len(missing), tell) as advance:
        for key, row in zip(missing, fits(study, missing, configuration, data, jobs), strict=True):
            rows.append(key, row)
            advance(str(key["dataset"]))
    return rows


def choose(plan: Sequence[Key], only: Sequence[str]) -> list[Key]:
    """The fits on some of the data sets, all of them when none is named."""
    there = dict.fromkeys(str(key["dataset"]) for key in plan)
    unknown = [name for name in only if name not in there]
    if unknown:
        raise RefusedError(
            f"--only: there is no data set {', '.join(map(repr, unknown))} here. "
            f"There are: {', '.join(there)}."
        )
    return [key for key in plan if not only or key["dataset"] in only]


def fits(
    study: Study, keys: Sequence[Key], configuration: Configuration, data: Path | None, jobs: int
) -> Iterator[Row]:
    """The rows of some fits, in the order of their keys."""
    if jobs == 1 or len(keys) < 2:
        yield from (study.fit(key, configuration, data) for key in keys)
        return
    from joblib import Parallel, delayed

    # A row at a time, in order: what is done is on the disk before the last fit has begun.
    work = Parallel(n_jobs=jobs, return_as="generator")
    yield from work(delayed(study.fit)(key, configuration, data) for key in keys)
