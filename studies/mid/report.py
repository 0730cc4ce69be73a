"""How the study is shown: Markdown for people, CSV for programs, figures, and a short text to print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.configuration import deciding, fingerprint
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import draw
from studies.harness.environment import read_environment
from studies.harness.report import Grid, number, write_csv, write_markdown
from studies.harness.study import Configuration
from studies.mid.experiment import DISCRETISERS, EVERY
from studies.mid.figures import FIGURES
from studies.mid.results import PIPELINES, Results, Shortfall, Summary, collect, shortfalls, unexplained

TITLE = "Optimal trees on MID's thresholds"
SETTINGS = ("datasets", "sample", "validation", "limits")
NAMES = {
    "mid_gini": "MID, Gini",
    "mid_entropy": "MID, entropy",
    "cart_mid_gini": "greedy on MID, Gini",
    "cart_mid_entropy": "greedy on MID, entropy",
    "cart_gini": "greedy, Gini",
    "cart_entropy": "greedy, entropy",
    "mdlp": "MDLP",
    "equal_frequency": "equal frequency",
}
Of = Callable[[str, int, str], Summary | None]


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write all files, and give the text to print."""
    if not len(rows):
        raise RefusedError(f"{out} has no rows yet; there is nothing to report.")
    results = collect(rows, configuration)
    found = shortfalls(results, configuration)
    table_2 = accuracy_grid(results, results.at_most, "at_45", f"Table 3.2: {most(results)} features")
    table_3 = accuracy_grid(results, results.best, "best", "Table 3.3: the best number of features")
    parts: list[Grid | str] = [
        how_it_was_made(configuration),
        training_grid(results, found),
        training_words(found),
        *([exception_grid(found)] if any(not one.at_least for one in found) else []),
        table_2,
        wins_words(results, results.at_most, "best_at_45", "Table 3.2"),
        table_3,
        wins_words(results, results.best, "best_of_all", "Table 3.3"),
        proof_grid(results),
    ]
    pictures: list[Path] = []
    for figure in FIGURES:
        if figure.is_there(results):
            drawn = draw(
                lambda canvas, figure=figure: figure.paint(canvas, results), out / figure.stem, figure.size
            )
            pictures += drawn
            parts.append(
                f"![{figure.title}]({figure.stem}.png)\n\n{figure.title}. {figure.words(results)}"
                if drawn
                else f"{figure.title}: {NO_FIGURE} {figure.words(results)}"
            )
    write_markdown(out / "report.md", TITLE, read_environment(out), parts)
    write_csv(out / "table_3_1.csv", training_rows(found))
    write_csv(out / "accuracy.csv", accuracy_rows(results))
    files = [out / name for name in ("report.md", "table_3_1.csv", "accuracy.csv")]
    written = "written: " + ", ".join(str(path) for path in [*files, *pictures])
    shown = [part.as_text() if isinstance(part, Grid) else part for part in parts if "](" not in str(part)]
    return "\n\n".join([*shown, written])


def how_it_was_made(configuration: Configuration) -> str:
    """Folds, limits and sample in a sentence."""
    validation, sample, limits = (configuration[name] for name in ("validation", "sample", "limits"))
    drawn = f", at most {sample['rows']:,} rows per table" if sample["rows"] else ""
    return (
        f"{validation['folds']}-fold stratified cross-validation{drawn}; at least "
        f"{limits['min_samples_leaf']} rows per leaf; {limits['seconds']:g} s for an optimal tree, the "
        f"thesis had 300 s (a factor of {300 / limits['seconds']:g}), and {limits['sweep_seconds']:g} s "
        f"for MID with fewer than {limits['table_2_features']} features (a factor of "
        f"{300 / limits['sweep_seconds']:g}); configuration "
        f"{fingerprint(deciding(configuration, SETTINGS))}. Per cent; the thesis's figure in brackets."
    )


def most(results: Results) -> int:
    """The longest prefix."""
    return max(results.features)


# -------------------------------------------------------------------------------------------------- Table 3.1


def training_grid(results: Results, found: list[Shortfall]) -> Grid:
    """Training accuracies, ours and the thesis's."""
    by = {(one.dataset, one.pipeline): one for one in found}
    header = ["data set"]
    for name in DISCRETISERS:
        header += [f"features, {NAMES[name]}", NAMES[name], "MID, as many", "MID, the thesis's number"]
    rows = []
    for dataset in results.datasets:
        cells = [results.row(dataset).title]
        for name in DISCRETISERS:
            first = by.get((dataset, name))
            count = "–" if first is None else f"{first.n_features:.1f} ({first.thesis_features:.1f})"
            cells.append(count)
            for pipeline in (name, f"mid_as_{name}", f"mid_thesis_{name}"):
                one = by.get((dataset, pipeline))
                cells.append("–" if one is None else shown(one))
        rows.append(cells)
    return Grid("Table 3.1: training accuracies at depth 3 (* below the thesis's)", header, rows, 1)


def shown(one: Shortfall) -> str:
    """A training accuracy beside the thesis's."""
    return f"{number(100 * one.ours.mean, 2)} ({one.thesis:.2f}){'' if one.at_least else '*'}"


def training_words(found: list[Shortfall]) -> str:
    """How many training accuracies are at least the thesis's."""
    comparable = [one for one in found if one.comparable]
    reached = sum(one.at_least for one in comparable)
    bare = unexplained(comparable)
    left = ", ".join(f"{one.dataset} {one.pipeline}" for one in bare)
    return (
        f"Proved in every fold on as many features as the thesis has: {len(comparable)} of {len(found)} "
        f"cells; {reached} of them are at least the thesis's, {len(comparable) - reached - len(bare)} are "
        f"below for a reason in the table, {len(bare)} without one{f' ({left})' if left else ''}."
    )


def exception_grid(found: list[Shortfall]) -> Grid:
    """Every cell that is below the thesis's, with the reasons that the rows give."""
    return Grid(
        "Table 3.1: below the thesis's, and why",
        ["data set", "pipeline", "reasons", "ours", "thesis"],
        [
            [
                one.dataset,
                one.pipeline,
                "; ".join(one.reasons) or "none found",
                number(100 * one.ours.mean, 2),
                f"{one.thesis:.2f}",
            ]
            for one in found
            if not one.at_least
        ],
        3,
    )


def training_rows(found: list[Shortfall]) -> list[dict[str, object]]:
    """The same for programs."""
    return [
        {
            "dataset": one.dataset,
            "discretiser": one.discretiser,
            "pipeline": one.pipeline,
            "n_features": one.n_features,
            "training_accuracy": one.ours.mean,
            "sd": one.ours.sd,
            "proved": int(one.proved),
            "thesis_features": one.thesis_features,
            "thesis": one.thesis / 100,
            "at_least": int(one.at_least),
            "reasons": "; ".join(one.reasons),
        }
        for one in found
    ] or [{"dataset": ""}]


# ------------------------------------------------------------------------------------- Tables 3.2 and 3.3


def accuracy_grid(results: Results, of: Of, printed: str, title: str) -> Grid:
    """Testing accuracies of the eight pipelines, ours and the thesis's; the highest of ours has a star."""
    rows = []
    for dataset in results.datasets:
        theirs = getattr(results.row(dataset), printed)
        for depth in results.depths:
            found = {pipeline: of(dataset, depth, pipeline) for pipeline in PIPELINES}
            there = [summary.testing.mean for summary in found.values() if summary is not None]
            if not there:
                continue
            cells = [results.row(dataset).title, str(depth)]
            for pipeline, summary in found.items():
                thesis = theirs.get((depth, pipeline))
                ours = "–" if summary is None else number(100 * summary.testing.mean, 2)
                mark = "*" if summary is not None and summary.testing.mean >= max(there) - 1e-9 else ""
                cells.append(f"{ours}{mark} ({'–' if thesis is None else f'{thesis:.2f}'})")
            rows.append(cells)
    return Grid(f"{title}, testing accuracies", ["data set", "depth", *NAMES.values()], rows, 1)


def wins_words(results: Results, of: Of, name: str, table: str) -> str:
    """In how many cells MID before the optimal learner is the best."""
    won, total = results.wins(of)
    return (
        f"{table}: MID before the optimal learner, with either impurity, has the highest accuracy in {won} "
        f"of {total} rows; the thesis has {results.paper.text[name]} of 56."
    )


def accuracy_rows(results: Results) -> list[dict[str, object]]:
    """Every point, for programs."""
    return [
        {
            "dataset": dataset,
            "depth": depth,
            "pipeline": pipeline,
            "features": features,
            "n_features": summary.n_features,
            "training_accuracy": summary.training.mean,
            "testing_accuracy": summary.testing.mean,
            "testing_sd": summary.testing.sd,
            "folds": summary.testing.n,
            "seconds": summary.seconds,
            "proved": summary.proved,
            "features_used": summary.features_used,
            "n_leaves": summary.n_leaves,
        }
        for (dataset, depth, pipeline, features), summary in results.points.items()
    ]


# ------------------------------------------------------------------------------------------------------ proof


def proof_grid(results: Results) -> Grid:
    """How many of the optimal trees were proved in time, and how long they took, by data set and depth."""
    learners = ("mid_gini", "mid_entropy", "mdlp", "equal_frequency", EVERY)
    rows = []
    for dataset in results.datasets:
        cells = [results.row(dataset).title]
        for depth in results.depths:
            found = [
                summary
                for (name, level, pipeline, _), summary in results.points.items()
                if (name, level) == (dataset, depth) and pipeline in learners
            ]
            folds = sum(summary.training.n for summary in found)
            proved = sum(summary.proved * summary.training.n for summary in found)
            took = sum(summary.seconds * summary.training.n for summary in found)
            cells += [f"{round(proved)} of {folds}", f"{took / folds:.3f}" if folds else "–"]
        rows.append(cells)
    header = ["data set", *(c for d in results.depths for c in (f"depth {d}: proved", "mean s"))]
    return Grid("Optimal trees proved in time", header, rows, 1)
