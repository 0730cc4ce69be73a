"""Our greedy tree beside scikit-learn's exact one, in one run: what the benchmarks of trees share.

Both get the same C-ordered float64 array and the same target. Measured are the time of ``fit``, the time of
``predict`` on the training table, the peak of memory that ``fit`` adds to that table, and the tree: leaves,
depth, how good it is on the training table. Ratios are scikit-learn's time over ours, so that larger is
better; scikit-learn's tree has one thread. Quality is measured in the same run: on a sample of nodes an
independent search (`bench.naive`) must find no better split, the tree must be the same for any number of
threads, and its leaves and its training quality must be within one per cent of scikit-learn's (whose ties
fall at random, so every round gives it another seed). The targets hold for the default tables; `small` is
there for a quick look.

How much more threads gain is measured for itself, in processes that fit on one thread and on more in turns:
the fits of a pair are a second apart, while the processes of a round may be minutes apart.

A benchmark of this kind is a module with a `TreeContest`, and functions ``observe`` and ``compare_threads``
that a fresh process can call.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench import RefusedError, environment, naive, tables
from bench.contest import THEIRS, Case, Contestant, Observation, Result
from bench.measure import Span, in_fresh_process, in_turns, peak_of, repeat, span_of, wanted_rounds
from bench.report import (
    Check,
    checklist,
    facts_as_text,
    fill_markers,
    seconds,
    split_at_markers,
    write_csv,
    write_markdown,
)
from bench.tree_report import (
    disturbance,
    fit_grid,
    memory_grid,
    predict_grid,
    raw_rows,
    readme_block,
    search_grid,
    tree_grid,
)

QUICK_TABLES = ("small", "magic04")
SAMPLED_NODES = 30
FIT_BUDGET = 3.0  # seconds of fits in one process
PAIR_BUDGET = 12.0  # the same where numbers of threads are compared
PAIR_ROUNDS = 3
README = tables.ROOT / "README.md"


@dataclass(frozen=True)
class TreeContest:
    """What one benchmark of trees is about."""

    name: str  # of the subcommand, and of the markers in the README
    title: str  # of the report
    module: str  # where `observe` is
    tables: Mapping[str, Callable[[], tables.Table]]
    default_tables: Sequence[str]
    criteria: Sequence[str]
    quality: str  # what the answers are scored by
    make_model: Callable[[str, int, str, int | None, int], Any]  # library, threads, criterion, depth, seed
    score: Callable[[NDArray[Any], NDArray[Any]], float]  # truth, answers
    search: Callable[[Any, NDArray[Any]], naive.Search]  # tree, target
    check_targets: Callable[[Sequence[Result]], list[Check]]
    leaves_out: Callable[[str, str], bool] = lambda table, criterion: False  # by default


# --------------------------------------------------------------------------------------- in the fresh process


def digest(tree: Any) -> str:
    """A fingerprint of all that a tree decides by."""
    contents = (tree.counts,) if tree.classes is not None else (tree.sums, tree.answer)
    arrays = (tree.kind, tree.feature, tree.threshold, tree.first_child, *contents, tree.score)
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def observe(
    contest: TreeContest,
    paths: tuple[str, str],
    library: str,
    threads: int,
    criterion: str,
    max_depth: int | None,
    seed: int,
    examine: int,
) -> Observation:
    """Fit, predict, and look at the tree; runs in a process of its own."""
    X, y = np.load(paths[0]), np.load(paths[1])

    def fit() -> Any:
        return contest.make_model(library, threads, criterion, max_depth, seed).fit(X, y)

    warm = contest.make_model(library, threads, criterion, 2, seed)  # imports, thread start
    warm.fit(X[:50], y[:50]).predict(X[:50])
    peak, first, model = peak_of(fit)
    fits = repeat(fit, [first], budget=FIT_BUDGET)
    once, answers = span_of(lambda: model.predict(X))
    predicts = repeat(lambda: model.predict(X), [once])
    ours = library == "boxwood"
    verdict = None
    if ours and examine:
        verdict = naive.examine(model.tree_, X, contest.search(model.tree_, y), examine)
    return {
        "fit": fits,
        "predict": predicts,
        "peak": peak,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "quality": contest.score(y, answers),
        "digest": digest(model.tree_) if ours else "",
        "verdict": asdict(verdict) if verdict else None,
    }


def compare_threads(
    contest: TreeContest,
    paths: tuple[str, str],
    threads: Sequence[int],
    criterion: str,
    max_depth: int | None,
) -> list[list[Span]]:
    """Fit on each number of threads in turns, forwards and backwards; a row per turn, in the order given."""
    X, y = np.load(paths[0]), np.load(paths[1])

    def fit(n: int) -> Span:
        model = contest.make_model("boxwood", n, criterion, max_depth, 0)
        return span_of(lambda: model.fit(X, y))[0]

    for n in threads:  # memory and threads are there then
        fit(n)
    turns: list[list[Span]] = []
    while not turns or (len(turns) < 20 and sum(one.wall for turn in turns for one in turn) < PAIR_BUDGET):
        order = threads if len(turns) % 2 == 0 else threads[::-1]
        spans = {n: fit(n) for n in order}
        turns.append([spans[n] for n in threads])
    return turns


# -------------------------------------------------------------------------------------------------- measuring


def measure_case(
    contest: TreeContest,
    case: Case,
    table: tables.Table,
    paths: tuple[Path, Path],
    threads: Sequence[int],
    rounds: int | None,
) -> Result:
    """Observe every contestant in turns."""
    contestants = [*(Contestant("boxwood", number) for number in threads), THEIRS]

    def look(one: Contestant, number: int) -> Observation:
        seen: Observation = in_fresh_process(
            f"{contest.module}:observe",
            paths=[str(path) for path in paths],
            library=one.library,
            threads=one.threads,
            criterion=case.criterion,
            max_depth=case.max_depth,
            seed=number,
            examine=SAMPLED_NODES if number == 0 and one == contestants[0] else 0,
        )
        seen["fit"] = [Span(*pair) for pair in seen["fit"]]
        seen["predict"] = [Span(*pair) for pair in seen["predict"]]
        return seen

    def wanted(seen: Sequence[Observation]) -> int:
        return wanted_rounds(seen[0]["fit"][0].wall) if rounds is None else rounds

    observed = in_turns(contestants, look, wanted)
    pairs: dict[int, list[tuple[Span, Span]]] = {n: [] for n in threads if n > 1 and 1 in threads}
    for _ in range(min(rounds or PAIR_ROUNDS, PAIR_ROUNDS) if pairs else 0):
        turns = in_fresh_process(
            f"{contest.module}:compare_threads",
            paths=[str(path) for path in paths],
            threads=[1, *pairs],
            criterion=case.criterion,
            max_depth=case.max_depth,
        )
        for alone, *others in turns:
            for n, more in zip(pairs, others, strict=True):
                pairs[n].append((Span(*alone), Span(*more)))
    return Result(case, table.shape, table.is_large, table.X.nbytes, observed, contest.quality, pairs)


def measure(contest: TreeContest, given: argparse.Namespace, names: Sequence[str]) -> list[Result]:
    """All cases, table by table, with a line on the error stream after each."""
    results = []
    for name in names:
        criteria = given.criteria or [one for one in contest.criteria if not contest.leaves_out(name, one)]
        print(f"{name}: reading", file=sys.stderr)
        table = contest.tables[name]()
        with tempfile.TemporaryDirectory(prefix="boxwood-bench-") as folder:
            paths = table.save(Path(folder))
            for criterion in criteria:
                for max_depth in given.depths:
                    case = Case(name, criterion, max_depth)
                    result = measure_case(contest, case, table, paths, given.threads, given.repeat)
                    fits = ", ".join(f"{one} {seconds(result.fit(one))}" for one in result.observed)
                    print(f"{case}: {fits}", file=sys.stderr)
                    results.append(result)
    return results


# ----------------------------------------------------------------------------------------------- command line


def depth_limit(text: str) -> int | None:
    """Parse a limit of depth."""
    if text in {"unlimited", "none"}:
        return None
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a depth is a positive number or 'unlimited', not {text!r}")
    return int(text)


def positive(text: str) -> int:
    """Parse a count."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a positive number is needed here, not {text!r}")
    return int(text)


def add_arguments(contest: TreeContest, parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--tables",
        nargs="+",
        choices=list(contest.tables),
        metavar="NAME",
        help=", ".join(contest.tables),
    )
    parser.add_argument(
        "--criteria", nargs="+", choices=contest.criteria, metavar="NAME", help=", ".join(contest.criteria)
    )
    parser.add_argument(
        "--depths",
        nargs="+",
        type=depth_limit,
        default=[None, 6],
        metavar="N",
        help="limits: unlimited, 6, ...",
    )
    parser.add_argument(
        "--threads", nargs="+", type=positive, default=[1, 2], metavar="N", help="threads of ours: 1 2"
    )
    parser.add_argument(
        "--repeat",
        type=positive,
        metavar="N",
        help="rounds; without it, 3 for quick fits and 1 for long ones",
    )
    parser.add_argument(
        "--quick", action="store_true", help="one round on small tables: a look, not a measurement"
    )
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


def run(contest: TreeContest, given: argparse.Namespace) -> int:
    """Measure, print, write."""
    given.threads = sorted(set(given.threads))
    if given.quick and given.repeat is None:
        given.repeat = 1
    wanted = given.tables or (QUICK_TABLES if given.quick else contest.default_tables)
    names, absent = tables.choose(wanted)
    if not names:
        raise RefusedError(absent)
    if absent:
        print(f"bench {contest.name}: {absent}", file=sys.stderr)
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    if given.readme is not None:
        split_at_markers(given.readme, contest.name)

    facts = environment.describe()
    results = measure(contest, given, names)
    checks = contest.check_targets(results)
    grids = [
        fit_grid(results, given.threads),
        predict_grid(results, given.threads),
        memory_grid(results, given.threads),
        tree_grid(results),
        search_grid(results),
        checklist(checks),
    ]
    shapes = ", ".join(dict.fromkeys(f"{result.case.table} {result.shape}" for result in results))
    notes = f"Tables: {shapes}. {disturbance(results)}" + (f" {absent}" if absent else "")
    print(f"{facts_as_text(facts)}.\n{notes}\n")
    print("\n\n".join(grid.as_text() for grid in grids))
    if given.markdown is not None:
        write_markdown(given.markdown, contest.title, facts, grids, notes)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(results))
    if given.readme is not None:
        fill_markers(given.readme, contest.name, readme_block(results, given.threads, facts))
    return int(any(check.is_correctness and check.reached is False for check in checks))
