"""How the study is shown: Markdown for people, CSV for programs, heat maps, and a short text to print."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.configuration import deciding, fingerprint
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import draw
from studies.harness.environment import read_environment
from studies.harness.heatmap import paint
from studies.harness.paired import Paired
from studies.harness.report import ABSENT, Grid, number, write_csv, write_markdown
from studies.harness.study import Configuration
from studies.pruning.experiment import BOXWOOD, C45, EARLY_STOP, J48, NONE, SKLEARN, VALUES
from studies.pruning.figures import FIGURES
from studies.pruning.results import Results, collect
from studies.pruning.weka import find_weka

TITLE = "Pruning, beside scikit-learn's tree and Weka's J48"
SETTINGS = ("datasets", "sample", "validation", "configurations", "encodings")
NAMES = {BOXWOOD: "boxwood", C45: "boxwood, C4.5", SKLEARN: "scikit-learn", J48: "J48"}
BINARY = "binary"


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write all files, and give the text to print."""
    if not len(rows):
        raise RefusedError(f"{out} has no rows yet; there is nothing to report.")
    results = collect(rows, configuration)
    parts: list[Grid | str] = [
        how_it_was_made(results, configuration),
        find_weka(configuration["weka"]["jar"]).sentence(),
        *size_parts(results),
        *accuracy_parts(results),
        *time_parts(results),
        *encoding_parts(results),
    ]
    pictures: list[Path] = []
    for figure in FIGURES:
        if not figure.is_there(results):
            continue
        heat = figure.heat(results)
        drawn = draw(lambda canvas, heat=heat: paint(canvas, heat), out / figure.stem, heat.size)
        pictures += drawn
        parts.append(
            f"![{figure.title}]({figure.stem}.png)\n\n{figure.title}."
            if drawn
            else f"{figure.title}: {NO_FIGURE}"
        )
    write_markdown(out / "report.md", TITLE, read_environment(out), parts)
    write_csv(out / "means.csv", mean_rows(results))
    write_csv(out / "tests.csv", test_rows(results))
    files = [out / name for name in ("report.md", "means.csv", "tests.csv")]
    written = "written: " + ", ".join(str(path) for path in [*files, *pictures])
    shown = [part.as_text() if isinstance(part, Grid) else part for part in parts if "](" not in str(part)]
    return "\n\n".join([*shown, written])


def how_it_was_made(results: Results, configuration: Configuration) -> str:
    """Folds and sample in a sentence."""
    validation, sample = configuration["validation"], configuration["sample"]
    folds = max(len(frame) for frame in results.frames.values())
    drawn = f", at most {sample['rows']:,} rows per table" if sample["rows"] else ""
    return (
        f"Stratified {validation['folds']}-fold cross-validation, {folds} fits per cell at most (the thesis: "
        f"100){drawn}; configuration {fingerprint(deciding(configuration, SETTINGS))}. Marks: v better, * "
        "worse than the one that it is compared with, by the corrected resampled t-test at 5 %, two-tailed."
    )


def grid(
    results: Results,
    title: str,
    names: Sequence[str],
    cell: Callable[[str, str], str],
    head: Sequence[str] | None = None,
) -> Grid:
    """A line per data set, a column per name."""
    return Grid(
        title,
        ["data set", *(head or names)],
        [[dataset, *(cell(dataset, name) for name in names)] for dataset in results.datasets],
        1,
    )


# ------------------------------------------------------------------------------------------------------- size


def size_parts(results: Results) -> list[Grid | str]:
    """Figures 6.1 to 6.3 in numbers."""
    ways = results.configurations
    found: list[Grid | str] = [
        grid(
            results,
            "Figure 6.1: nodes, per cent of the unpruned tree's (boxwood)",
            ways,
            lambda dataset, way: number(100 * results.kept(dataset, BOXWOOD, way), 1),
        ),
        grid(
            results,
            "Figure 6.2: nodes of unpruned trees",
            results.learners(),
            lambda dataset, learner: number(results.mean(dataset, learner, NONE, "n_nodes"), 1),
            [NAMES[learner] for learner in results.learners()],
        ),
    ]
    if results.there(J48):
        found += [
            grid(
                results,
                f"Figure 6.3: nodes, {NAMES[learner]} minus J48 (without J48's empty leaves)",
                ways,
                lambda dataset, way, learner=learner: signed(
                    results.against_j48(dataset, learner, way, "n_nodes").mean_difference, 1
                ),
            )
            for learner in (BOXWOOD, C45)
        ]
        found.append(same_grid(results))
    return found


def same_grid(results: Results) -> Grid:
    """On how many folds C45Classifier's tree is J48's, as far as leaves and accuracy tell."""
    ways = [*results.configurations, *results.encodings]

    def cell(dataset: str, way: str) -> str:
        alike, total = results.same_trees(dataset, C45, way)
        return f"{alike} of {total}" if total else ABSENT

    return grid(results, "Folds on which C45Classifier has J48's number of leaves and accuracy", ways, cell)


def signed(value: float, digits: int) -> str:
    """A difference with its sign, or a dash."""
    return ABSENT if math.isnan(value) else f"{value:+.{digits}f}"


# --------------------------------------------------------------------------------------------------- accuracy


def accuracy_parts(results: Results) -> list[Grid | str]:
    """Figures 6.4 and 6.5 in numbers, and scikit-learn's own remedy."""

    def shown(dataset: str, learner: str, way: str) -> str:
        mark = results.test((dataset, BOXWOOD, NONE), (dataset, learner, way)).mark
        return number(100 * results.mean(dataset, learner, way, "accuracy"), 2) + mark

    ways = results.configurations
    found: list[Grid | str] = [
        grid(
            results,
            "Figure 6.4: accuracy, per cent (boxwood; marks against no pruning)",
            ways,
            lambda dataset, way: shown(dataset, BOXWOOD, way),
        )
    ]
    if results.there(J48):
        for learner in (BOXWOOD, C45):
            tests = {
                (dataset, way): results.against_j48(dataset, learner, way, "accuracy")
                for dataset in results.datasets
                for way in ways
            }
            found.append(
                grid(
                    results,
                    f"Figure 6.5: accuracy, {NAMES[learner]} minus J48, percentage points",
                    ways,
                    lambda dataset, way, tests=tests: difference(tests[dataset, way]),
                )
            )
            found.append(difference_words(results, NAMES[learner], list(tests.values())))
    columns = [
        (SKLEARN, NONE),
        (SKLEARN, EARLY_STOP),
        (BOXWOOD, NONE),
        (BOXWOOD, EARLY_STOP),
        *((BOXWOOD, way) for way in ways if way not in (NONE, EARLY_STOP)),
    ]
    found.append(
        Grid(
            "scikit-learn's own tree, with and without early stopping, beside ours: accuracy (nodes)",
            ["data set", *(f"{NAMES[learner]} {way}" for learner, way in columns)],
            [
                [
                    dataset,
                    *(
                        f"{number(100 * results.mean(dataset, *column, 'accuracy'), 2)} "
                        f"({number(results.mean(dataset, *column, 'n_nodes'), 0)})"
                        for column in columns
                    ),
                ]
                for dataset in results.datasets
            ],
            1,
        )
    )
    found.append(early_words(results))
    return found


def difference(test: Paired) -> str:
    """A difference in percentage points, marked when J48 is significantly better or worse."""
    return signed(100 * test.mean_difference, 2) + {"*": " v", "v": " *", "": ""}[test.mark]


def difference_words(results: Results, name: str, tests: Sequence[Paired]) -> str:
    """How many differences are significant, and how large they are."""
    there = [test for test in tests if test.n]
    if not there:
        return ""
    better = sum(test.mark == "*" for test in there)
    worse = sum(test.mark == "v" for test in there)
    largest = max(abs(100 * test.mean_difference) for test in there)
    return (
        f"{name} and J48 on the same folds: {better} cells significantly better, {worse} worse, "
        f"{len(there) - better - worse} of {len(there)} without a significant difference; the largest "
        f"difference is {largest:.2f} points (the thesis's: {results.paper.text['largest_difference']})."
    )


def early_words(results: Results) -> str:
    """Where early stopping is less accurate than every pruner."""
    real = [way for way in results.configurations if way not in (NONE, EARLY_STOP)]
    worse = total = 0
    for dataset in results.datasets:
        stopped = results.mean(dataset, SKLEARN, EARLY_STOP, "accuracy")
        pruned = [results.mean(dataset, BOXWOOD, way, "accuracy") for way in real]
        if not any(math.isnan(value) for value in (stopped, *pruned)):
            total += 1
            worse += stopped < min(pruned)
    return (
        f"scikit-learn's tree with early stopping is less accurate than each of our {len(real)} pruned ones "
        f"on {worse} of {total} data sets; the thesis says: on all."
    )


# ------------------------------------------------------------------------------------------------------- time


def time_parts(results: Results) -> list[Grid | str]:
    """Figure 6.6 in numbers, and all learners side by side."""
    learners = results.learners()
    ebp = next((way for way in results.configurations if way.startswith("ebp_0.001")), NONE)

    def side(value: str) -> Callable[[str, str], str]:
        def cell(dataset: str, learner: str) -> str:
            way = NONE if learner == SKLEARN else ebp
            return number(1000 * results.mean(dataset, learner, way, value), 2)

        return cell

    head = [f"{NAMES[learner]} {NONE if learner == SKLEARN else ebp}" for learner in learners]
    return [
        grid(
            results,
            "Figure 6.6: milliseconds of fitting (boxwood)",
            results.configurations,
            lambda dataset, way: number(1000 * results.mean(dataset, BOXWOOD, way, "fit_seconds"), 2),
        ),
        grid(results, "Milliseconds of fitting, side by side", learners, side("fit_seconds"), head),
        grid(results, "Milliseconds of predicting, side by side", learners, side("predict_seconds"), head),
    ]


# --------------------------------------------------------------------------------------------------- appendix


def encoding_parts(results: Results) -> list[Grid | str]:
    """Tables A.1 and A.2, ours beside the thesis's."""
    found: list[Grid | str] = []
    for table, other in (("A.1", "one_hot"), ("A.2", "multiway")):
        found.append(encoding_grid(results, table, other))
        found.append(encoding_words(results, table, other))
        found.append(encoding_times(results, table, other))
    if "subsets" in results.encodings:
        found.append(
            grid(
                results,
                "Splits by subsets of categories (boxwood; marks against one category at a time)",
                [BINARY, "subsets"],
                lambda dataset, way: (
                    number(100 * results.mean(dataset, BOXWOOD, way, "accuracy"), 2)
                    + results.test((dataset, BOXWOOD, BINARY), (dataset, BOXWOOD, way)).mark
                ),
            )
        )
    return found


def encoded(results: Results) -> list[str]:
    """The learners with encodings."""
    return [learner for learner in (BOXWOOD, C45, J48) if results.there(learner)]


def encoding_grid(results: Results, table: str, other: str) -> Grid:
    """Accuracy with binary splits of categories, and otherwise."""
    learners = encoded(results)
    header = ["data set"]
    for name in [*(NAMES[learner] for learner in learners), "thesis's J48"]:
        header += [f"{name}, {BINARY}", other.replace("_", "-")]
    rows = []
    for dataset in results.datasets:
        cells = [dataset]
        for learner in learners:
            test = results.test((dataset, learner, BINARY), (dataset, learner, other))
            cells.append(number(100 * results.mean(dataset, learner, BINARY, "accuracy"), 2))
            cells.append(number(100 * results.mean(dataset, learner, other, "accuracy"), 2) + test.mark)
        printed = results.paper.rows[dataset]
        cells.append(f"{printed.accuracy[BINARY]:.2f}")
        cells.append(f"{printed.accuracy[other]:.2f}{printed.marks[other]}")
        rows.append(cells)
    return Grid(f"Table {table}.1: accuracy, {BINARY} against {other.replace('_', '-')}", header, rows, 1)


def encoding_words(results: Results, table: str, other: str) -> str:
    """How often the other encoding is better or worse."""
    told = []
    for learner in encoded(results):
        marks = [
            results.test((dataset, learner, BINARY), (dataset, learner, other)).mark
            for dataset in results.datasets
        ]
        told.append(f"{NAMES[learner]} ({marks.count('v')}/{marks.count('')}/{marks.count('*')})")
    printed = [results.paper.rows[dataset].marks[other] for dataset in results.datasets]
    told.append(f"the thesis's J48 ({printed.count('v')}/{printed.count('')}/{printed.count('*')})")
    return f"Table {table}.1, {other.replace('_', '-')} better, alike, worse: {', '.join(told)}."


def encoding_times(results: Results, table: str, other: str) -> Grid:
    """Seconds of fitting, encoding included."""
    learners = encoded(results)
    header = ["data set"]
    for name in [*(NAMES[learner] for learner in learners), "thesis's J48"]:
        header += [f"{name}, {BINARY}", other.replace("_", "-")]
    rows = []
    for dataset in results.datasets:
        cells = [dataset]
        for learner in learners:
            test = results.test((dataset, learner, BINARY), (dataset, learner, other), "fit_seconds")
            cells.append(number(results.mean(dataset, learner, BINARY, "fit_seconds"), 4))
            cells.append(number(results.mean(dataset, learner, other, "fit_seconds"), 4) + test.mark)
        first, second = results.paper.rows[dataset].fit_seconds[other]
        cells += [f"{first:.2f}", f"{second:.2f}{results.paper.rows[dataset].fit_marks[other]}"]
        rows.append(cells)
    return Grid(f"Table {table}.2: seconds of fitting (v: takes longer)", header, rows, 1)


# -------------------------------------------------------------------------------------------------------- CSV


def mean_rows(results: Results) -> list[dict[str, object]]:
    """Every mean, for programs."""
    return [
        {
            "dataset": dataset,
            "learner": learner,
            "configuration": way,
            "fits": len(frame),
            **{value: float(frame[value].mean()) for value in VALUES},
            "accuracy_sd": float(frame["accuracy"].std()) if len(frame) > 1 else math.nan,
        }
        for (dataset, learner, way), frame in results.frames.items()
    ]


def test_rows(results: Results) -> list[dict[str, object]]:
    """Every corrected t-test against J48 and between encodings, for programs."""
    asked = [
        ((dataset, learner, way), (dataset, J48, way))
        for dataset in results.datasets
        for learner in (BOXWOOD, C45)
        for way in [*results.configurations, *results.encodings]
    ] + [
        ((dataset, learner, BINARY), (dataset, learner, other))
        for dataset in results.datasets
        for learner in encoded(results)
        for other in results.encodings
        if other != BINARY
    ]
    found = []
    for first, second in asked:
        test = results.test(first, second)
        if test.n:
            found.append(
                {
                    "dataset": first[0],
                    "first": " ".join(first[1:]),
                    "second": " ".join(second[1:]),
                    "pairs": test.n,
                    "mean_difference": test.mean_difference,
                    "t": test.t,
                    "p": test.p,
                }
            )
    return found or [{"dataset": ""}]
