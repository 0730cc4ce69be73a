"""How chapter 6 is shown: accuracies and methods beaten, times, and what joined attributes bring."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.categorical.paper import read_paper
from studies.categorical.splits_report import multiple
from studies.harness.configuration import deciding, fingerprint
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import draw
from studies.harness.environment import read_environment
from studies.harness.heatmap import HeatMap, paint
from studies.harness.paired import greater_t
from studies.harness.report import ABSENT, Grid, number, write_csv, write_markdown
from studies.harness.study import Configuration

TITLE = "Binary splits of categories in trees"
SETTINGS = ("datasets", "sample", "validation", "trees")
SELECTS = {"chi2_filter": "chi-square filter", "conditional_inference": "conditional inference"}
INFERENCE = "conditional_inference"
Scenario = tuple[str, str, str]  # attributes, depth, select


@dataclass(frozen=True, eq=False)
class Results:
    """All that is reported."""

    frames: dict[tuple[Scenario, str, str], Any]
    """The rows of a scenario, data set and method, with repeat and fold as index."""
    scenarios: list[Scenario]
    datasets: list[str]
    methods: list[str]
    extends: dict[str, str]

    @functools.cached_property
    def means(self) -> dict[tuple[Scenario, str, str], Any]:
        """The means over all folds."""
        return {key: frame.mean(numeric_only=True) for key, frame in self.frames.items()}

    @functools.cached_property
    def samples(self) -> dict[tuple[Scenario, str, str], Any]:
        """One accuracy per repeat (the mean of its folds), or per fold where there is one repeat only."""
        found = {}
        for key, frame in self.frames.items():
            by_repeat = frame["accuracy"].groupby(level="repeat").mean()
            found[key] = by_repeat if len(by_repeat) > 1 else frame["accuracy"]
        return found

    def mean(self, scenario: Scenario, dataset: str, method: str, value: str = "accuracy") -> float:
        """The mean over all folds; nan where there is nothing."""
        found = self.means.get((scenario, dataset, method))
        return math.nan if found is None else float(found[value])

    def pairs(self, scenario: Scenario, dataset: str, method: str) -> Any:
        """What is compared, one accuracy per repeat or fold."""
        return self.samples[scenario, dataset, method]

    def tried(self, scenario: Scenario, dataset: str) -> list[str]:
        """The methods with accuracies."""
        return [m for m in self.methods if not math.isnan(self.mean(scenario, dataset, m))]

    @functools.cached_property
    def beats(self) -> dict[tuple[Scenario, str, str], int]:
        """How many other methods are significantly less accurate: one-tailed paired t-test, 5 %."""
        return {
            (scenario, dataset, method): sum(
                self.greater(self.pairs(scenario, dataset, method), scenario, dataset, other)
                for other in self.tried(scenario, dataset)
                if other != method
            )
            for scenario, dataset, method in self.frames
            if method in self.tried(scenario, dataset)
        }

    def beaten(self, scenario: Scenario, dataset: str, method: str) -> int:
        """How many methods one beats."""
        return self.beats[scenario, dataset, method]

    def greater(self, mine: Any, scenario: Scenario, dataset: str, other: str) -> bool:
        """Whether some accuracies are significantly above another method's."""
        theirs = self.pairs(scenario, dataset, other)
        both = mine.index.intersection(theirs.index)
        return greater_t(mine.loc[both], theirs.loc[both]).significant


def collect(rows: Any, configuration: Configuration) -> Results:
    """Put rows in order."""
    frames = {}
    keys = ["attributes", "depth", "select", "dataset", "method"]
    for (attributes, depth, select, dataset, method), group in rows.groupby(keys, sort=False):
        scenario = (str(attributes), str(depth), str(select))
        frames[scenario, str(dataset), str(method)] = group.set_index(["repeat", "fold"])
    there = {dataset for _, dataset, _ in frames}
    return Results(
        frames,
        list(dict.fromkeys(scenario for scenario, _, _ in frames)),
        [about["name"] for about in configuration["datasets"] if about["name"] in there],
        list(dict.fromkeys(method for _, _, method in frames)),
        {about["name"]: about["extends"] for about in configuration["datasets"] if "extends" in about},
    )


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write all files, and give the text to print."""
    if not len(rows):
        raise RefusedError(f"{out} has no rows yet; there is nothing to report.")
    results = collect(rows, configuration)
    parts: list[Grid | str] = [how_it_was_made(results, configuration)]
    for scenario in results.scenarios:
        parts += [accuracy_grid(results, scenario), wins_words(results, scenario)]
    parts += [time_grid(results, scenario) for scenario in results.scenarios]
    parts += [speed_words(results), *extension_parts(results), *inference_parts(results)]
    pictures: list[Path] = []
    for scenario in results.scenarios:
        heat = heat_map(results, scenario)
        stem = "figure_" + "_".join(scenario)
        drawn = draw(lambda canvas, heat=heat: paint(canvas, heat), out / stem, heat.size, ["png"])
        pictures += drawn
        parts.append(f"![{heat.title}]({stem}.png)" if drawn else f"{heat.title}: {NO_FIGURE}")
    write_markdown(out / "report.md", TITLE, read_environment(out), parts)
    write_csv(out / "accuracy.csv", accuracy_rows(results))
    written = "written: " + ", ".join(map(str, [out / "report.md", out / "accuracy.csv", *pictures]))
    shown = [part.as_text() if isinstance(part, Grid) else part for part in parts if "](" not in str(part)]
    return "\n\n".join([*shown, written])


def how_it_was_made(results: Results, configuration: Configuration) -> str:
    """Folds and sample in a sentence."""
    validation, sample = configuration["validation"], configuration["sample"]
    folds = max(len(frame) for frame in results.frames.values())
    drawn = f", at most {sample['rows']:,} rows per table" if sample["rows"] else ""
    return (
        f"Stratified {validation['folds']}-fold cross-validation, {folds} fits per cell at most (the thesis: "
        f"60){drawn}; criterion {configuration['trees']['criterion']}; configuration "
        f"{fingerprint(deciding(configuration, SETTINGS))}. In brackets: how many methods are significantly "
        "less accurate (one-tailed paired t-test at 5 %, over the means of repeats, or over the folds of a "
        "single one)."
    )


def titled(scenario: Scenario) -> str:
    """A scenario in words."""
    attributes, depth, select = scenario
    which = "nominal attributes" if attributes == "nominal" else "nominal and numeric attributes"
    return f"{which}, depth {depth}, {SELECTS.get(select, select)}"


def there(results: Results, scenario: Scenario) -> list[str]:
    """The data sets of a scenario."""
    return [name for name in results.datasets if results.tried(scenario, name)]


def tried_methods(results: Results, scenario: Scenario) -> list[str]:
    """The methods of a scenario."""
    names = there(results, scenario)
    return [m for m in results.methods if any(m in results.tried(scenario, name) for name in names)]


# --------------------------------------------------------------------------------------------------- accuracy


def accuracy_grid(results: Results, scenario: Scenario) -> Grid:
    """Accuracy and the number of methods beaten."""
    methods = tried_methods(results, scenario)

    def cell(name: str, method: str) -> str:
        mean = results.mean(scenario, name, method)
        if math.isnan(mean):
            return ABSENT
        return f"{number(100 * mean, 2)} ({results.beaten(scenario, name, method)})"

    return Grid(
        f"Accuracy: {titled(scenario)}",
        ["data set", *methods],
        [[name, *(cell(name, method) for method in methods)] for name in there(results, scenario)],
        1,
    )


def wins_words(results: Results, scenario: Scenario) -> str:
    """On how many data sets each method is most accurate, and how many it beats in all."""
    names = there(results, scenario)
    told = []
    for method in tried_methods(results, scenario):
        first = beats = 0
        for name in names:
            if method not in results.tried(scenario, name):
                continue
            best = max(results.mean(scenario, name, other) for other in results.tried(scenario, name))
            first += results.mean(scenario, name, method) >= best - 1e-12
            beats += results.beaten(scenario, name, method)
        told.append(f"{method} {first} and {beats}")
    return (
        f"Most accurate on so many of {len(names)} data sets, and so many methods beaten: {', '.join(told)}."
    )


def heat_map(results: Results, scenario: Scenario) -> HeatMap:
    """Accuracy, as the difference from the mean of all methods on the data set."""
    methods, names = tried_methods(results, scenario), there(results, scenario)
    middle = {
        name: sum(results.mean(scenario, name, m) for m in results.tried(scenario, name))
        / len(results.tried(scenario, name))
        for name in names
    }
    return HeatMap(
        f"Accuracy, points above the methods' mean: {titled(scenario)}",
        methods,
        names,
        [[100 * (results.mean(scenario, name, m) - middle[name]) for name in names] for m in methods],
        lambda value: f"{value:+.2f}" if abs(value) >= 0.005 else "0",
        around_zero=True,
    )


# ------------------------------------------------------------------------------------------------------- time


def time_grid(results: Results, scenario: Scenario) -> Grid:
    """Milliseconds of fitting, and leaves of Twoing's tree."""
    methods = tried_methods(results, scenario)
    return Grid(
        f"Milliseconds of fitting: {titled(scenario)}",
        ["data set", *methods],
        [
            [name, *(number(1000 * results.mean(scenario, name, m, "fit_seconds"), 1) for m in methods)]
            for name in there(results, scenario)
        ],
        1,
    )


def speed_words(results: Results) -> str:
    """Twoing beside greedy cut and local search, by the number of classes."""
    low, high = read_paper()["trees"]["greedy_over_twoing"]
    found: dict[int, list[float]] = {}
    for scenario in results.scenarios:
        if scenario[2] == INFERENCE:
            continue
        for name in there(results, scenario):
            classes = int(results.mean(scenario, name, results.tried(scenario, name)[0], "n_classes"))
            slow = results.mean(scenario, name, "twoing", "fit_seconds")
            for method in ("squared_gini", "chi2"):
                ratio = slow / results.mean(scenario, name, method, "fit_seconds")
                if not math.isnan(ratio):
                    found.setdefault(classes, []).append(ratio)
    told = ", ".join(
        f"{multiple(min(ratios))} to {multiple(max(ratios))} with {classes} classes"
        for classes, ratios in sorted(found.items())
    )
    return (
        f"The whole tree's time with Twoing over that with greedy cut and local search: {told or ABSENT}; "
        f"the thesis has {low} to {high} with 15 classes."
    )


# -------------------------------------------------------------------------------------------- what it is for


def extension_parts(results: Results) -> list[Grid | str]:
    """Joined attributes beside the original ones."""
    pairs = [(name, base) for name, base in results.extends.items() if {name, base} <= set(results.datasets)]
    if not pairs:
        return []
    rows = []
    for scenario in results.scenarios:
        methods = tried_methods(results, scenario)
        for name, base in pairs:
            if name not in there(results, scenario) or base not in there(results, scenario):
                continue
            cells = [gain(results, scenario, name, base, method) for method in methods]
            filled = dict(zip(methods, cells, strict=True))
            rows.append([titled(scenario), name, *(filled.get(m, ABSENT) for m in results.methods)])
    clearly = ", ".join(read_paper()["trees"]["clearly_better"])
    return [
        Grid(
            "Joined attributes minus the original ones, percentage points of accuracy (v, * significant)",
            ["scenario", "data set", *results.methods],
            rows,
            2,
        ),
        f"The thesis finds {clearly} clearly more accurate than the original attributes, and no clear effect "
        f"on {', '.join(read_paper()['trees']['not_clear'])}.",
    ]


def gain(results: Results, scenario: Scenario, name: str, base: str, method: str) -> str:
    """What joined attributes add to the accuracy of a method."""
    return compared(results, (scenario, name, method), (scenario, base, method))


def compared(results: Results, first: tuple[Scenario, str, str], second: tuple[Scenario, str, str]) -> str:
    """A difference in points, with a mark where it is significant (one-tailed, either way)."""
    if math.isnan(results.mean(*first)) or math.isnan(results.mean(*second)):
        return ABSENT
    one, other = results.pairs(*first), results.pairs(*second)
    both = one.index.intersection(other.index)
    if not len(both):
        return ABSENT
    better, worse = greater_t(one.loc[both], other.loc[both]), greater_t(other.loc[both], one.loc[both])
    mark = " v" if better.significant else " *" if worse.significant else ""
    return f"{100 * better.mean_difference:+.2f}{mark}"


def inference_parts(results: Results) -> list[Grid | str]:
    """Conditional inference beside the chi-square filter."""
    rows: list[Sequence[str]] = []
    for scenario in results.scenarios:
        attributes, depth, select = scenario
        other = (attributes, depth, "chi2_filter")
        if select != INFERENCE or other not in results.scenarios:
            continue
        rows += [
            [
                f"{attributes}, depth {depth}",
                name,
                *(compared(results, (scenario, name, m), (other, name, m)) for m in results.methods),
            ]
            for name in there(results, scenario)
        ]
    if not rows:
        return []
    return [
        Grid(
            "Conditional inference minus chi-square filter, percentage points of accuracy (v, * significant)",
            ["scenario", "data set", *results.methods],
            rows,
            2,
        ),
        "The thesis could not run conditional inference on shelter15, and finds it significantly worse on "
        "the data sets with joined attributes at depth 5.",
    ]


def accuracy_rows(results: Results) -> list[dict[str, object]]:
    """Every cell, for programs."""
    return [
        {
            "dataset": dataset,
            "attributes": scenario[0],
            "depth": scenario[1],
            "select": scenario[2],
            "method": method,
            "fits": len(frame),
            "accuracy": float(frame["accuracy"].mean()),
            "beaten": results.beaten(scenario, dataset, method),
            "fit_seconds": float(frame["fit_seconds"].mean()),
            "n_leaves": float(frame["n_leaves"].mean()),
            "reached_depth": float(frame["reached_depth"].mean()),
        }
        for (scenario, dataset, method), frame in results.frames.items()
        if not math.isnan(results.mean(scenario, dataset, method))
    ] or [{"dataset": ""}]
