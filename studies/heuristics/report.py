"""How the study is shown: Markdown for people, CSV for programs, one figure, and a short text to print."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.configuration import deciding, fingerprint
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import draw
from studies.harness.environment import read_environment
from studies.harness.report import Grid, number, p_value, percent, write_csv, write_markdown
from studies.harness.study import Configuration
from studies.harness.summary import Comparison
from studies.heuristics.figure import paint, size
from studies.heuristics.results import PARTS, SHARES, Results, collect

TITLE = "Four impurity functions on nine data sets"


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write all files, and give the text to print."""
    results = collect(rows, configuration)
    if not results.lines:
        raise RefusedError(
            f"{out} has no data set with rows of all functions yet; there is nothing to report."
        )
    grids = [
        *(accuracy_grid(results, part) for part in PARTS),
        share_grid(results),
        rank_grid(results),
    ]
    pictures = draw(lambda figure: paint(figure, results), out / "figure", size(results))
    picture = "![Accuracies and shares of cuts, ours and the paper's](figure.png)" if pictures else NO_FIGURE
    words: list[Grid | str] = [
        how_it_was_made(configuration),
        *grids[:2],
        accuracy_words(results),
        grids[2],
        share_words(results),
        grids[3],
        rank_words(results),
        picture,
    ]
    write_markdown(out / "report.md", TITLE, read_environment(out), words)
    write_csv(out / "accuracy.csv", accuracy_rows(results))
    write_csv(out / "cuts.csv", share_rows(results))
    write_csv(out / "tests.csv", rank_rows(results))
    files = [out / name for name in ("report.md", "accuracy.csv", "cuts.csv", "tests.csv")]
    written = "written: " + ", ".join(str(path) for path in [*files, *pictures])
    shown = [part.as_text() if isinstance(part, Grid) else part for part in words[:-1]]
    return "\n\n".join([*shown, *([] if pictures else [NO_FIGURE]), written])


# ------------------------------------------------------------------------------------------------ accuracies


def how_it_was_made(configuration: Configuration) -> str:
    """Folds, stopping rule and sample in a sentence."""
    validation, sample = configuration["validation"], configuration["sample"]
    stopping = ", ".join(f"{name}={value}" for name, value in configuration["stopping"].items()) or "none"
    drawn = f", at most {sample['rows']:,} rows per table" if sample["rows"] else ""
    settings = deciding(configuration, ["datasets", "functions", "sample", "validation", "stopping"])
    return (
        f"{len(validation['seeds'])} x {validation['folds']}-fold stratified cross-validation{drawn}; "
        f"stopping rule: {stopping}; configuration {fingerprint(settings)}. Mean ± standard "
        "deviation over the folds; the paper's figure in brackets."
    )


def accuracy_grid(results: Results, part: str) -> Grid:
    """Accuracy per data set and function, ours and the paper's."""
    header = ["data set", *(f"{function} {name}" for function, name in results.functions.items())]
    rows = [
        [
            line.title,
            *(
                f"{line.accuracy[part, function]} ({number(line.paper.accuracy(part, function))})"
                for function in results.functions
            ),
        ]
        for line in results.lines
    ]
    if results.nine:
        theirs = {
            function: sum(line.paper.accuracy(part, function) for line in results.nine) / len(results.nine)
            for function in results.functions
        }
        means = [
            f"{number(results.mean_accuracy(part, function))} ({number(theirs[function])})"
            for function in results.functions
        ]
        rows.append([f"mean of {len(results.nine)}", *means])
    return Grid(f"{part.capitalize()} accuracy", header, rows, 1)


def accuracy_words(results: Results) -> str:
    """How far ours is from the paper's."""
    return (
        "Mean absolute difference to the paper: "
        f"{number(results.distance('training'))} in training, "
        f"{number(results.distance('testing'))} in testing."
    )


def accuracy_rows(results: Results) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "dataset": line.name,
            "part": part,
            "function": function,
            "criterion": name,
            "mean": line.accuracy[part, function].mean,
            "sd": line.accuracy[part, function].sd,
            "n": line.accuracy[part, function].n,
            "paper": line.paper.accuracy(part, function),
        }
        for line in results.lines
        for part in PARTS
        for function, name in results.functions.items()
    ]


# ------------------------------------------------------------------------------------------------------ cuts


def share_grid(results: Results) -> Grid:
    """The share of cuts that need no look, counted in every way, beside the paper's."""
    header = ["data set", "paper", *(title for title, _, _ in SHARES.values()), "leaves"]
    rows = [
        [
            line.title,
            number(line.paper.non_boundary, 1),
            *(percent(line.shares[way]) for way in SHARES),
            number(line.n_leaves, 1),
        ]
        for line in results.lines
    ]
    if results.nine:
        theirs = sum(line.paper.non_boundary for line in results.nine) / len(results.nine)
        leaves = sum(line.n_leaves for line in results.nine) / len(results.nine)
        means = [percent(results.mean_share(way)) for way in SHARES]
        rows.append([f"mean of {len(results.nine)}", number(theirs, 1), *means, number(leaves, 1)])
        far = [percent(results.share_distance(way)) for way in SHARES]
        rows.append(["mean distance to the paper", "", *far, ""])
    return Grid("Cuts that need no look, in per cent", header, rows, 1)


def share_words(results: Results) -> str:
    """Which way of counting comes nearest."""
    ways = (
        "Whole trees: one minus evaluated over all candidate cuts, as the grower counts them, over all "
        "nodes. Root, between values: non-boundary cuts among those between neighbouring distinct values of "
        "the training rows. Root, between rows: pairs of one class among neighbouring rows, which are sorted "
        "by value and then by class."
    )
    if not results.nine:
        return ways
    return f"{ways} Nearest to the paper: {SHARES[results.nearest_share()][0]}."


def share_rows(results: Results) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "dataset": line.name,
            **{way: line.shares[way] for way in SHARES},
            "paper": line.paper.non_boundary / 100,
            "n_leaves": line.n_leaves,
        }
        for line in results.lines
    ]


# ----------------------------------------------------------------------------------------------------- tests


def all_tests(results: Results) -> list[tuple[str, Sequence[Comparison]]]:
    """The tests with a name each: per data set, over data sets, over folds."""
    return [
        *((line.title, line.tests) for line in results.lines),
        ("over the data sets", results.over_sets),
        ("over the folds", results.over_folds),
    ]


def rank_grid(results: Results) -> Grid:
    """p-values of the signed-rank tests: a row per sample, a column per pair of functions."""
    pairs = [f"{test.first}, {test.second}" for test in results.over_sets]
    rows = [
        [name, str(tests[0].n), *(p_value(test.p) for test in tests)] for name, tests in all_tests(results)
    ]
    return Grid(
        "Signed-rank tests of testing accuracies: p-values (* below 0.05)", ["sample", "n", *pairs], rows, 1
    )


def rank_words(results: Results) -> str:
    """How many pairs differ, beside the paper's count."""
    differing = sum(test.significant() for test in results.over_folds)
    return (
        f"Over the folds (one pair of means over the nine data sets per fold) {differing} of "
        f"{len(results.over_folds)} pairs differ at 0.05; the paper has {results.paper.significant_pairs} of "
        f"{results.paper.pairs}. Folds share training rows, so these p-values are too small; those over the "
        "data sets are not, but come from few pairs."
    )


def rank_rows(results: Results) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "sample": name,
            "first": test.first,
            "second": test.second,
            "n": test.n,
            "mean_difference": test.mean_difference,
            "statistic": test.statistic,
            "p": test.p,
        }
        for name, tests in all_tests(results)
        for test in tests
    ]
