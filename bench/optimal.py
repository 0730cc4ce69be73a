"""`python -m bench optimal`: our solver for optimal trees beside pystreed, pydl8.5 and gosdt, in one run.

Every solver gets the same 0/1 table and the same limit of depth, on one thread, in a process of its own with
a limit of time, and is to find the tree with the fewest errors and to prove that there is no better one
(`bench.optimal_solvers` tells how each is asked). Measured are the time to the proof, the errors of the tree
on the training rows, counted from its answers, and the peak of memory.

Four parts:

* **binary**: the tables that are binary to begin with, at depths 3, 4 and 5.
* **binarised**: real tables, with two classes and with more, cut up by `bench.optimal_tables`, at depths 3
  and 4.
* **threads**: our solver on more threads in those cases of the first two parts where one needs two seconds.
* **anytime**: how good the trees are while the search goes on, on the tables that are hardest, at depth 6. A
  solver is stopped at several moments, each time in a new run; ours tells of every better tree, so that one
  run is enough. The primal-gap integral is the area under the curve of the relative distance to the best
  tree that anybody found.

Solvers take turns, so that whatever else the machine does hits all of them; quick ones are repeated. A run
that ended by its limit is not repeated. With ``--spare`` a peer that was ended by its limit is not asked at
larger depths of the same table: such a case counts nowhere. With ``--resume`` every observation is kept in a
file as soon as it is made, and the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench import RefusedError, environment, optimal_tables
from bench.contest import Contestant
from bench.measure import GaveUpError, Span, in_fresh_process_within, in_turns, wanted_rounds
from bench.optimal_report import (
    LONG,
    NOT_ASKED,
    OURS,
    Anytime,
    Case,
    Result,
    anytime_grid,
    check_targets,
    disturbance,
    failures,
    memory_grid,
    raw_rows,
    readme_block,
    shown_time,
    summary_grid,
    time_grid,
)
from bench.optimal_solvers import PEERS, SOLVERS, Observation, failed
from bench.optimal_tables import BinaryTable
from bench.report import (
    checklist,
    facts_as_text,
    fill_markers,
    split_at_markers,
    write_csv,
    write_markdown,
)
from bench.tree_contest import README, positive

HELP = "boxwood's optimal trees beside pystreed, pydl8.5 and gosdt: time to proof, memory, anytime quality"
TITLE = "Optimal trees beside pystreed, pydl8.5 and gosdt"
PARTS = ("binary", "binarised", "threads", "anytime")
DEPTHS = {"binary": (3, 4, 5), "binarised": (3, 4)}
TIME_LIMIT, HORIZON = 120.0, 60.0
ANYTIME_DEPTH = 6
ANYTIME_PEERS = ("pystreed", "pydl8.5")
HARDEST = ("splice-1", "german-credit", "vehicle", "australian-credit", "diabetes")  # longest at depth 5
MOMENTS = (1, 2, 5, 10, 20, 40, 60)
QUICK = {"binary": ("lymph", "hepatitis"), "binarised": ("pima-8",), "anytime": ("lymph",)}
QUICK_LIMIT, QUICK_HORIZON = 5.0, 2.0
GRACE = 60.0  # seconds beyond twice its limit, after which a solver is given up


# -------------------------------------------------------------------------------------------------- measuring


class Kept:
    """Observations by what was asked, in a file that grows by a line each; without a file, none."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.found: dict[str, Any] = {}
        if path is not None and path.is_file():
            for line in path.read_text(encoding="utf-8").splitlines():
                question, answer = json.loads(line)
                self.found[json.dumps(question)] = answer

    def ask(self, paths: tuple[Path, Path], limit: float, **asked: Any) -> Observation:
        """What a fresh process observes, or what one has observed earlier."""
        question = {**asked, "limit": limit, "boxwood": version_of("boxwood")}
        name = json.dumps(question)
        if name not in self.found:
            self.found[name] = answer = observe(paths, limit, asked)
            if self.path is not None:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([question, answer]) + "\n")
        seen: Observation = {**self.found[name]}
        seen["spans"] = [Span(*pair) for pair in seen["spans"]]
        return seen


def observe(paths: tuple[Path, Path], limit: float, asked: dict[str, Any]) -> Observation:
    """Ask one solver in a process of its own."""
    try:
        seen: Observation = in_fresh_process_within(
            2 * limit + GRACE,
            "bench.optimal_solvers:observe",
            paths=[str(path) for path in paths],
            library=asked["library"],
            depth=asked["depth"],
            limit=limit,
            threads=asked["threads"],
        )
    except GaveUpError as error:
        return failed(str(error))
    return seen


def measure_case(
    case: Case,
    table: BinaryTable,
    given: argparse.Namespace,
    peers: Sequence[str],
    kept: Kept,
    spared: Mapping[str, int],
) -> Result:
    """Observe every contestant of one case in turns; `spared` are peers, with the depth that was too much."""
    with tempfile.TemporaryDirectory(prefix="boxwood-bench-") as folder:
        paths = table.save(Path(folder))

        def look(one: Contestant, number: int) -> Observation:
            return kept.ask(
                paths,
                given.time_limit,
                part=case.part,
                table=case.table,
                depth=case.depth,
                library=one.library,
                threads=one.threads,
                process=number,
            )

        def wanted(seen: Sequence[Observation]) -> int:
            if seen[0]["failure"] or not seen[0]["proved"]:
                return 1
            return given.repeat or wanted_rounds(seen[0]["spans"][0].wall)

        asked = [OURS, *(Contestant(peer, 1) for peer in peers if peer not in spared)]
        observed = in_turns(asked, look, wanted)
        for peer in (peer for peer in peers if peer in spared):
            observed[Contestant(peer, 1)] = [failed(f"{NOT_ASKED}: no proof at depth {spared[peer]} in time")]
        result = Result(case, table.shape, table.n_classes, given.time_limit, observed)
        if "threads" in given.parts and result.proved(OURS) and result.time(OURS) > LONG:
            more = [Contestant("boxwood", number) for number in given.threads if number > 1]
            observed |= in_turns(more, look, wanted)
    return result


def measure_proofs(
    part: str, names: Sequence[str], given: argparse.Namespace, peers: Sequence[str], kept: Kept
) -> list[Result]:
    """The cases of one part, with a line on the error stream after each."""
    results = []
    for name in names:
        table = optimal_tables.read(name)
        spared: dict[str, int] = {}
        for depth in sorted(given.depths or DEPTHS[part]):
            result = measure_case(Case(part, name, depth), table, given, peers, kept, spared)
            if given.spare:
                gave_up = (peer for peer in peers if not result.proved(Contestant(peer, 1)))
                spared = dict.fromkeys(gave_up, depth) | spared
            told = ", ".join(
                f"{one if one.threads > 1 else one.library} {shown_time(result, one)} ({result.errors(one)})"
                for one in result.observed
            )
            print(f"{result.case}: {told}", file=sys.stderr)
            results.append(result)
    return results


def measure_anytime(
    names: Sequence[str], given: argparse.Namespace, peers: Sequence[str], kept: Kept
) -> list[Anytime]:
    """Errors of every solver at some moments of its run."""
    moments = [m for m in MOMENTS if m < given.horizon] + [given.horizon]
    depth, results = ANYTIME_DEPTH, []
    for name in names:
        table = optimal_tables.read(name)
        with tempfile.TemporaryDirectory(prefix="boxwood-bench-") as folder:
            paths = table.save(Path(folder))

            def ask(library: str, limit: float, table: str = name, paths: Any = paths) -> Observation:
                asked = {"part": "anytime", "table": table, "depth": depth, "library": library}
                return kept.ask(paths, limit, threads=1, process=0, **asked)

            seen = ask("boxwood", moments[-1])
            errors = {"boxwood": errors_at(seen, moments, table.majority_errors)}
            for peer in peers:
                errors[peer] = run_to_moments(lambda limit, peer=peer: ask(peer, limit), moments, table)
        result = Anytime(name, depth, moments, errors)
        told = ", ".join(f"{solver} {result.integral(solver):.2f} {errors[solver]}" for solver in errors)
        print(f"anytime, {name}: {told}", file=sys.stderr)
        results.append(result)
    return results


def errors_at(seen: Observation, moments: Sequence[float], nothing: int) -> list[int]:
    """The errors of the best tree at each moment of a run that told of every better tree.

    >>> seen = {"trace": [(0.1, 9), (3.0, 7)], "errors": 7}
    >>> errors_at(seen, [1, 2, 5], 50)
    [9, 9, 7]
    """
    found = []
    for moment in moments:
        before = [objective for at, objective in seen["trace"] if at <= moment]
        found.append(round(min(before)) if before else nothing)
    if seen["errors"] is not None:
        found[-1] = min(found[-1], seen["errors"])
    return found


def run_to_moments(ask: Any, moments: Sequence[float], table: BinaryTable) -> list[int]:
    """The errors of runs that are stopped at each moment; nothing is run again once a tree is proved."""
    found: list[int] = []
    for place, moment in enumerate(moments):
        seen = ask(moment)
        errors = (
            table.majority_errors if seen["errors"] is None else min(seen["errors"], table.majority_errors)
        )
        found.append(errors)
        if seen["proved"]:
            return found + [errors] * (len(moments) - place - 1)
    return found


# ----------------------------------------------------------------------------------------------- command line


def positive_seconds(text: str) -> float:
    """Parse a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"a positive number of seconds is needed here, not {text!r}")
    return value


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("--parts", nargs="+", choices=PARTS, metavar="PART", help=", ".join(PARTS))
    parser.add_argument(
        "--tables",
        nargs="+",
        metavar="NAME",
        help="files of the folder binary/ by their names, and CSV tables as NAME-8",
    )
    parser.add_argument("--depths", nargs="+", type=positive, metavar="N", help="limits of depth")
    parser.add_argument("--peers", nargs="*", choices=PEERS, metavar="NAME", help=", ".join(PEERS))
    parser.add_argument(
        "--threads",
        nargs="+",
        type=positive,
        default=[2],
        metavar="N",
        help="threads on long runs: 2",
    )
    parser.add_argument(
        "--time-limit", type=positive_seconds, metavar="S", help=f"seconds for a proof: {TIME_LIMIT:g}"
    )
    parser.add_argument(
        "--horizon", type=positive_seconds, metavar="S", help=f"seconds of the anytime runs: {HORIZON:g}"
    )
    parser.add_argument("--repeat", type=positive, metavar="N", help="rounds; without it, 3 for quick runs")
    parser.add_argument(
        "--quick", action="store_true", help="one round on small tables: a look, not a measurement"
    )
    parser.add_argument(
        "--spare", action="store_true", help="ask no peer at depths beyond one that it did not prove in time"
    )
    parser.add_argument("--resume", type=Path, metavar="FILE", help="keep observations, and reuse kept ones")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the whole report")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write every single measurement")
    parser.add_argument(
        "--readme",
        type=Path,
        nargs="?",
        const=README,
        metavar="FILE",
        help="put a compact table between the markers of README.md (or of FILE)",
    )


def choose_tables(given: argparse.Namespace) -> dict[str, list[str]]:
    """The tables of each part that was asked for."""
    there = {"binary": optimal_tables.binary_names(), "binarised": optimal_tables.binarised_names()}
    every = [*there["binary"], *there["binarised"]]
    if not every:
        raise RefusedError(
            "the folder of data sets is absent or has no tables for this. Name the folder in the environment "
            "variable BOXWOOD_DATA, or put it at ../shared/data."
        )
    unknown = [name for name in given.tables or () if name not in every]
    if unknown:
        raise RefusedError(
            f"--tables: there is no {', '.join(map(repr, unknown))}. There are: {', '.join(every)}."
        )
    chosen = {
        "binary": there["binary"],
        "binarised": there["binarised"],
        "anytime": [name for name in HARDEST if name in there["binary"]],
    }
    if given.tables:
        chosen = {part: [n for n in there.get(part, every) if n in given.tables] for part in chosen}
    elif given.quick:
        chosen = {part: [n for n in QUICK[part] if n in every] for part in chosen}
    return {part: names if part in given.parts else [] for part, names in chosen.items()}


def version_of(package: str) -> str:
    """The version of a package; ours is its own witness, installed or not."""
    if package == "boxwood":
        import boxwood

        return boxwood.__version__
    try:
        return version(package)
    except PackageNotFoundError:
        return "of unknown version"


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    given.parts = given.parts or list(PARTS)
    given.time_limit = given.time_limit or (QUICK_LIMIT if given.quick else TIME_LIMIT)
    given.horizon = given.horizon or (QUICK_HORIZON if given.quick else HORIZON)
    if given.quick and given.repeat is None:
        given.repeat = 1
    for path in (given.markdown, given.csv, given.resume):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    if given.readme is not None:
        split_at_markers(given.readme, "optimal")
    chosen = choose_tables(given)
    wanted = PEERS if given.peers is None else given.peers
    peers = [name for name in wanted if SOLVERS[name].is_there]
    absent = [name for name in wanted if name not in peers]
    sentence = (
        f"Not installed, and left out: {', '.join(absent)}. They come with the extra: "
        'pip install "boxwood[bench]".'
        if absent
        else ""
    )
    if sentence:
        print(f"bench optimal: {sentence}", file=sys.stderr)

    facts = environment.describe() | {name: version_of(name) for name in peers}
    kept = Kept(given.resume)
    results = [
        result
        for part in ("binary", "binarised")
        for result in measure_proofs(part, chosen[part], given, peers, kept)
    ]
    anytime = measure_anytime(chosen["anytime"], given, [p for p in peers if p in ANYTIME_PEERS], kept)
    if not results and not anytime:
        raise RefusedError("none of the chosen tables belongs to one of the chosen parts.")
    checks = check_targets(results, anytime)
    threads = sorted({one.threads for result in results for one in result.observed})
    grids = [
        *(time_grid(results, part, peers, threads) for part in ("binary", "binarised") if chosen[part]),
        *([summary_grid(results, peers), memory_grid(results, peers)] if results else []),
        *([anytime_grid(anytime)] if anytime else []),
        checklist(checks),
    ]
    limits = f"At most {given.time_limit:g} s for a proof; errors are on the training rows."
    notes = " ".join(part for part in (limits, disturbance(results), failures(results), sentence) if part)
    print(f"{facts_as_text(facts)}.\n{notes}\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, TITLE, facts, grids, notes)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(results, anytime))
    if given.readme is not None:
        fill_markers(given.readme, "optimal", readme_block(results, peers, facts))
    return int(any(check.is_correctness and check.reached is False for check in checks))
