"""How chapter 5 is shown: how often each method is best, how far off it is, how long it takes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.categorical.paper import read_paper
from studies.categorical.splits import MEASURES, METHODS, PAIR_VALUES, shape
from studies.harness.configuration import deciding, fingerprint
from studies.harness.drawing import ABSENT as NO_FIGURE
from studies.harness.drawing import draw
from studies.harness.environment import read_environment
from studies.harness.heatmap import HeatMap, paint
from studies.harness.report import ABSENT, Grid, number, write_csv, write_markdown
from studies.harness.study import Configuration

TITLE = "Binary splits of categories on random tables"
SETTINGS = ("splits",)
WORDS = {"gini": "Gini", "entropy": "entropy"}


@dataclass(frozen=True)
class Cell:
    """One method on the tables of one shape under one criterion."""

    tables: int
    best: float  # share of tables
    excess: float  # mean, relative
    worst: float
    milliseconds: float  # per table


@dataclass(frozen=True)
class Duel:
    """Twoing and PC-ext on the tables of one shape: shares of tables, and relative excesses at most."""

    twoing_better: float
    pc_ext_better: float
    twoing_above: float
    pc_ext_above: float


@dataclass(frozen=True)
class Results:
    """All that is reported, by shape, criterion and method."""

    shapes: list[str]
    criteria: list[str]
    cells: dict[tuple[str, str, str], Cell]
    duels: dict[tuple[str, str], Duel]

    def at(self, dataset: str, criterion: str, method: str, value: str) -> float:
        """One number, nan where a method was not tried."""
        cell = self.cells.get((dataset, criterion, method))
        return math.nan if cell is None else float(getattr(cell, value))

    def ratio(self, dataset: str, criterion: str, slow: str, fast: str) -> float:
        """How many times longer one method takes than another."""
        times = [self.at(dataset, criterion, method, "milliseconds") for method in (slow, fast)]
        return times[0] / times[1]


def collect(rows: Any) -> Results:
    """Add up the batches."""
    cells, duels = {}, {}
    for (dataset, criterion), group in rows.groupby(["dataset", "criterion"], sort=False):
        tables = int(group["tables"].sum())
        for method in METHODS:
            best, excess, worst, seconds = (group[f"{measure}:{method}"] for measure in MEASURES)
            if not seconds.isna().any():
                cells[str(dataset), str(criterion), method] = Cell(
                    tables,
                    float(best.sum()) / tables,
                    float(excess.sum()) / tables,
                    float(worst.max()),
                    1000 * float(seconds.sum()) / tables,
                )
        if not group[list(PAIR_VALUES)].isna().any(axis=None):
            duels[str(dataset), str(criterion)] = Duel(
                float(group["twoing_better"].sum()) / tables,
                float(group["pc_ext_better"].sum()) / tables,
                float(group["twoing_above"].max()),
                float(group["pc_ext_above"].max()),
            )
    return Results(
        list(dict.fromkeys(dataset for dataset, _, _ in cells)),
        list(dict.fromkeys(criterion for _, criterion, _ in cells)),
        cells,
        duels,
    )


def report(rows: Any, configuration: Configuration, out: Path) -> str:
    """Write all files, and give the text to print."""
    if not len(rows):
        raise RefusedError(f"{out} has no rows yet; there is nothing to report.")
    results = collect(rows)
    parts: list[Grid | str] = [how_it_was_made(results, configuration)]
    for criterion in results.criteria:
        name = WORDS.get(criterion, criterion)
        parts += [
            grid(results, criterion, f"{name}: per cent of tables on which a method is best", "best", 100, 1),
            grid(results, criterion, f"{name}: mean excess over the best known, per cent", "excess", 100, 3),
            grid(
                results, criterion, f"{name}: largest excess over the best known, per cent", "worst", 100, 2
            ),
            grid(results, criterion, f"{name}: milliseconds per table", "milliseconds", 1, 4),
        ]
    parts += [duel_grid(results), *words(results)]
    pictures: list[Path] = []
    for criterion in results.criteria:
        heat = heat_map(results, criterion)
        stem = f"figure_excess_{criterion}"
        drawn = draw(lambda canvas, heat=heat: paint(canvas, heat), out / stem, heat.size)
        pictures += drawn
        parts.append(f"![{heat.title}]({stem}.png)" if drawn else f"{heat.title}: {NO_FIGURE}")
    write_markdown(out / "report.md", TITLE, read_environment(out), parts)
    write_csv(out / "methods.csv", method_rows(results))
    written = "written: " + ", ".join(map(str, [out / "report.md", out / "methods.csv", *pictures]))
    shown = [part.as_text() if isinstance(part, Grid) else part for part in parts if "](" not in str(part)]
    return "\n\n".join([*shown, written])


def how_it_was_made(results: Results, configuration: Configuration) -> str:
    """Tables in a sentence."""
    numbers = sorted({cell.tables for cell in results.cells.values()})
    many = f"{numbers[0]:,}" if len(numbers) == 1 else f"{numbers[0]:,} to {numbers[-1]:,}"
    return (
        f"{many} random tables per shape (values x classes) and criterion, entries uniform in 0 to "
        f"{configuration['splits']['largest']}, no empty row or column; the thesis has "
        f"{read_paper()['splits']['tables']:,}. The best known is the best of all methods tried; with exact "
        "search among them it is the optimum. Configuration "
        f"{fingerprint(deciding(configuration, SETTINGS))}."
    )


def grid(results: Results, criterion: str, title: str, value: str, scale: float, digits: int) -> Grid:
    """A line per shape, a column per method."""
    there = [
        method for method in METHODS if any((s, criterion, method) in results.cells for s in results.shapes)
    ]
    return Grid(
        title,
        ["values x classes", *there],
        [
            [name, *(number(scale * results.at(name, criterion, method, value), digits) for method in there)]
            for name in results.shapes
        ],
        1,
    )


def duel_grid(results: Results) -> Grid:
    """Twoing beside PC-ext, as the thesis has them."""
    return Grid(
        "Twoing and PC-ext: per cent of tables on which the one is better, per cent above the other at most",
        ["values x classes", "criterion", "Twoing better", "PC-ext better", "Twoing above", "PC-ext above"],
        [
            [
                name,
                WORDS.get(criterion, criterion),
                number(100 * duel.twoing_better, 1),
                number(100 * duel.pc_ext_better, 1),
                number(100 * duel.twoing_above, 2),
                number(100 * duel.pc_ext_above, 2),
            ]
            for (name, criterion), duel in results.duels.items()
        ],
        2,
    )


# ----------------------------------------------------------------------------------------- the thesis's words


def words(results: Results) -> list[str]:
    """What the thesis says, and what we found."""
    said = read_paper()["splits"]
    found = []
    for place, criterion in enumerate(("gini", "entropy")):
        duels = [duel for (_, name), duel in results.duels.items() if name == criterion]
        if duels:
            found.append(
                f"{WORDS[criterion]}: PC-ext is above Twoing by at most "
                f"{100 * max(duel.pc_ext_above for duel in duels):.2f} % (thesis "
                f"{said['pc_ext_above_twoing'][place]} %), Twoing above PC-ext by at most "
                f"{100 * max(duel.twoing_above for duel in duels):.2f} % "
                f"(thesis {said['twoing_above_pc_ext'][place]} %)."
            )
    exact = [
        results.cells[name, criterion, "twoing"].best
        for name, criterion, method in results.cells
        if method == "exact" and (name, criterion, "twoing") in results.cells
    ]
    if exact:
        found.append(
            f"Where exact search is possible Twoing finds the optimum on {100 * min(exact):.1f} to "
            f"{100 * max(exact):.1f} % of the tables of a shape; the thesis says: nearly always."
        )
    found.append(
        "Twoing's time over PC-ext's: "
        + by_classes(results, lambda name, criterion: results.ratio(name, criterion, "twoing", "pc_ext"))
        + f"; in the thesis PC-ext is the faster one above {said['pc_ext_faster_above']} classes."
    )
    low, high = read_paper()["trees"]["greedy_over_twoing"]
    found.append(
        "Twoing's time over that of greedy cut and local search (chi2): "
        + by_classes(results, lambda name, criterion: results.ratio(name, criterion, "twoing", "chi2"))
        + f"; the thesis has {low} to {high} in whole trees with 15 classes."
    )
    low, high = said["greedy_over_sdp"]
    ratios = [
        results.ratio(name, criterion, f"{greedy}_sdp", greedy)
        for name in results.shapes
        if shape(name)[0] == 100
        for criterion in results.criteria
        for greedy in ("squared_gini", "chi2")
    ]
    there = [ratio for ratio in ratios if not math.isnan(ratio)]
    if there:
        found.append(
            f"At 100 values the semidefinite program takes {min(there):.1f} to {max(there):.1f} times as "
            f"long as greedy cut and local search; the thesis has {low} to {high}."
        )
    return found


def by_classes(results: Results, of: Callable[[str, str], float]) -> str:
    """The smallest and the largest of some ratios for each number of classes."""
    told = []
    for classes in sorted({shape(name)[1] for name in results.shapes}):
        ratios = [
            of(name, criterion)
            for name in results.shapes
            if shape(name)[1] == classes
            for criterion in results.criteria
        ]
        there = [ratio for ratio in ratios if not math.isnan(ratio)]
        if there:
            told.append(f"{multiple(min(there))} to {multiple(max(there))} with {classes} classes")
    return ", ".join(told) or ABSENT


def multiple(ratio: float) -> str:
    """A ratio in two or three digits.

    >>> multiple(0.256), multiple(3.14), multiple(512.3)
    ('0.26', '3.1', '512')
    """
    return f"{ratio:.2f}" if ratio < 1 else f"{ratio:.1f}" if ratio < 10 else f"{ratio:.0f}"


def heat_map(results: Results, criterion: str) -> HeatMap:
    """Mean excess, methods down, shapes across."""
    return HeatMap(
        f"Mean excess over the best known split, per cent ({WORDS.get(criterion, criterion)})",
        METHODS,
        results.shapes,
        [
            [100 * results.at(name, criterion, method, "excess") for name in results.shapes]
            for method in METHODS
        ],
        lambda value: f"{value:.2f}" if value else "0",
        lambda value: math.log10(value + 0.01),
    )


def method_rows(results: Results) -> list[dict[str, object]]:
    """Every cell, for programs."""
    return [
        {
            "shape": name,
            "criterion": criterion,
            "method": method,
            "tables": cell.tables,
            "best_share": cell.best,
            "mean_excess": cell.excess,
            "worst_excess": cell.worst,
            "milliseconds": cell.milliseconds,
        }
        for (name, criterion, method), cell in results.cells.items()
    ]
