"""`python -m bench greedy`: our greedy tree beside scikit-learn's exact one, in one run.

Both get the same C-ordered float64 array and the same labels. Measured are the time of ``fit``, the time
of ``predict`` on the training table, the peak of memory that ``fit`` adds to that table, and the tree:
leaves, depth, training accuracy. Ratios are scikit-learn's time over ours, so that larger is better;
scikit-learn's tree has one thread. Quality is measured in the same run: on a sample of nodes an
independent search (`bench.naive`) must find no better split, the tree must be the same for any number of
threads, and its leaves and training accuracy must be within one per cent of scikit-learn's (whose ties
fall at random, so every round gives it another seed). The targets hold for the default tables; `small` is
there for a quick look.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bench import RefusedError, environment, naive, tables
from bench.contest import THEIRS, Case, Contestant, Observation, Result
from bench.greedy_report import (
    disturbance,
    fit_grid,
    memory_grid,
    predict_grid,
    raw_rows,
    readme_block,
    search_grid,
    tree_grid,
)
from bench.greedy_targets import TARGET_TABLES, check_targets
from bench.measure import Span, in_fresh_process, in_turns, peak_of, repeat, span_of, wanted_rounds
from bench.report import (
    checklist,
    facts_as_text,
    fill_markers,
    seconds,
    split_at_markers,
    write_csv,
    write_markdown,
)

HELP = "boxwood's TreeClassifier beside scikit-learn's DecisionTreeClassifier"
CRITERIA = ("gini", "entropy")
QUICK_TABLES = ("small", "magic04")
SAMPLED_NODES = 30
README = tables.ROOT / "README.md"


# --------------------------------------------------------------------------------------- in the fresh process


def make_model(library: str, threads: int, criterion: str, max_depth: int | None, seed: int) -> Any:
    """A classifier that has seen nothing yet."""
    if library == "boxwood":
        from boxwood import TreeClassifier

        return TreeClassifier(criterion=criterion, max_depth=max_depth, n_jobs=threads)
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(criterion=criterion, max_depth=max_depth, random_state=seed)


def digest(tree: Any) -> str:
    """A fingerprint of all that a tree decides by."""
    arrays = (tree.kind, tree.feature, tree.threshold, tree.first_child, tree.counts, tree.score)
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def observe(
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
        return make_model(library, threads, criterion, max_depth, seed).fit(X, y)

    warm = make_model(library, threads, criterion, 2, seed).fit(X[:50], y[:50])  # imports, thread start
    warm.predict(X[:50])
    peak, first, model = peak_of(fit)
    fits = repeat(fit, [first])
    once, answers = span_of(lambda: model.predict(X))
    predicts = repeat(lambda: model.predict(X), [once])
    ours = library == "boxwood"
    verdict = naive.examine(model.tree_, X, y, examine) if ours and examine else None
    return {
        "fit": fits,
        "predict": predicts,
        "peak": peak,
        "leaves": int(model.get_n_leaves()),
        "depth": int(model.get_depth()),
        "accuracy": float(np.mean(answers == y)),
        "digest": digest(model.tree_) if ours else "",
        "verdict": asdict(verdict) if verdict else None,
    }


# -------------------------------------------------------------------------------------------------- measuring


def measure_case(
    case: Case, table: tables.Table, paths: tuple[Path, Path], threads: Sequence[int], rounds: int | None
) -> Result:
    """Observe every contestant in turns."""
    contestants = [*(Contestant("boxwood", number) for number in threads), THEIRS]

    def look(one: Contestant, number: int) -> Observation:
        seen: Observation = in_fresh_process(
            "bench.greedy:observe",
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
    return Result(case, table.shape, table.is_large, table.X.nbytes, observed)


def measure(given: argparse.Namespace, names: Sequence[str]) -> list[Result]:
    """All cases, table by table, with a line on the error stream after each."""
    cases = [(criterion, max_depth) for criterion in given.criteria for max_depth in given.depths]
    results = []
    for name in names:
        print(f"{name}: reading", file=sys.stderr)
        table = tables.TABLES[name]()
        with tempfile.TemporaryDirectory(prefix="boxwood-bench-") as folder:
            paths = table.save(Path(folder))
            for criterion, max_depth in cases:
                case = Case(name, criterion, max_depth)
                result = measure_case(case, table, paths, given.threads, given.repeat)
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument(
        "--tables", nargs="+", choices=list(tables.TABLES), metavar="NAME", help=", ".join(tables.TABLES)
    )
    parser.add_argument(
        "--criteria",
        nargs="+",
        choices=CRITERIA,
        default=list(CRITERIA),
        metavar="NAME",
        help="gini, entropy",
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


def run(given: argparse.Namespace) -> int:
    """Measure, print, write."""
    given.threads = sorted(set(given.threads))
    if given.quick and given.repeat is None:
        given.repeat = 1
    names, absent = tables.choose(given.tables or (QUICK_TABLES if given.quick else TARGET_TABLES))
    if not names:
        raise RefusedError(absent)
    if absent:
        print(f"bench greedy: {absent}", file=sys.stderr)
    for path in (given.markdown, given.csv):
        if path is not None and not path.absolute().parent.is_dir():
            raise RefusedError(f"the folder of {path} does not exist; make it first.")
    if given.readme is not None:
        split_at_markers(given.readme, "greedy")

    facts = environment.describe()
    results = measure(given, names)
    checks = check_targets(results)
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
        write_markdown(given.markdown, "The greedy tree beside scikit-learn's", facts, grids, notes)
    if given.csv is not None:
        write_csv(given.csv, raw_rows(results))
    if given.readme is not None:
        fill_markers(given.readme, "greedy", readme_block(results, given.threads, facts))
    return int(any(check.is_correctness and check.reached is False for check in checks))
