"""The study in one figure: accuracies, ours and the paper's, and the share of cuts that need no look.

A row per data set. In the two panels of accuracies each function has a line of its own in that row: a filled
point is ours, with its standard deviation over the folds, a hollow one is the paper's, and a thin line joins
the two. The last panel does the same for the shares.
"""

from __future__ import annotations

from typing import Any

from studies.harness.drawing import COLOURS, FAINT, INK
from studies.heuristics.results import PARTS, SHARES, Results

STEP = 0.17  # between the functions of one data set, where data sets are 1 apart
MARKS = {"tree": "o", "root": "^", "rows": "s"}


def size(results: Results) -> tuple[float, float]:
    """Inches."""
    return 12.5, 1.9 + 0.68 * len(results.lines)


def paint(figure: Any, results: Results) -> None:
    """Fill a figure."""
    left, middle, right = figure.subplots(1, 3, sharey=True, width_ratios=[1, 1, 0.8])
    middle.sharex(left)
    for axes, part in zip((left, middle), PARTS, strict=True):
        _accuracies(axes, results, part)
    _shares(right, results)
    left.set_yticks(range(len(results.lines)), [line.title.replace(", ", ",\n") for line in results.lines])
    left.set_ylim(len(results.lines) - 0.5, -0.5)
    for axes in (left, middle, right):
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color=FAINT, linewidth=0.6)
        axes.spines["left"].set_visible(False)
        for place in range(0, len(results.lines), 2):
            axes.axhspan(place - 0.5, place + 0.5, color="#f5f5f5", zorder=0, linewidth=0)
    _legends(figure, results)


def _accuracies(axes: Any, results: Results, part: str) -> None:
    """One panel of accuracies."""
    functions = list(results.functions)
    for place, line in enumerate(results.lines):
        for number, function in enumerate(functions):
            y = place + STEP * (number - (len(functions) - 1) / 2)
            ours, theirs = line.accuracy[part, function], line.paper.accuracy(part, function)
            colour = COLOURS[number]
            axes.plot([ours.mean, theirs], [y, y], color=colour, linewidth=0.8, alpha=0.45, zorder=2)
            axes.errorbar(
                ours.mean,
                y,
                xerr=ours.sd if ours.n > 1 else None,
                color=colour,
                elinewidth=2.2,
                zorder=3,
            )
            axes.plot(ours.mean, y, "o", color=colour, markersize=5.5, zorder=4)
            axes.plot(theirs, y, "o", color=colour, markerfacecolor="white", markersize=5.5, zorder=4)
    axes.set_title(f"{part.capitalize()} accuracy")


def _shares(axes: Any, results: Results) -> None:
    """The panel of shares."""
    for place, line in enumerate(results.lines):
        theirs = line.paper.non_boundary
        for number, way in enumerate(SHARES):
            y = place + STEP * (number - (len(SHARES) - 1) / 2)
            ours = 100 * line.shares[way]
            axes.plot([ours, theirs], [y, y], color=INK, linewidth=0.6, alpha=0.3, zorder=2)
            axes.plot(ours, y, MARKS[way], color=COLOURS[4 + number % 3], markersize=5.5, zorder=4)
        axes.plot([theirs, theirs], [place - 0.3, place + 0.3], color=INK, linewidth=1.6, zorder=3)
    axes.set_title("Cuts that need no look, %")
    axes.set_xlim(-3, 103)


def _legends(figure: Any, results: Results) -> None:
    """Explain colours and marks below the panels."""
    from matplotlib.lines import Line2D

    named = [
        Line2D([], [], color=COLOURS[number], marker="o", linestyle="", label=f"{function} {name}")
        for number, (function, name) in enumerate(results.functions.items())
    ]
    named += [
        Line2D([], [], color=INK, marker="o", linestyle="-", linewidth=2.2, label="ours ± sd"),
        Line2D([], [], color=INK, marker="o", markerfacecolor="white", linestyle="", label="paper"),
    ]
    shares = [
        Line2D([], [], color=COLOURS[4 + number % 3], marker=MARKS[way], linestyle="", label=title)
        for number, (way, (title, _, _)) in enumerate(SHARES.items())
    ]
    shares.append(
        Line2D([], [], color=INK, marker="|", markersize=11, linestyle="", markeredgewidth=1.6, label="paper")
    )
    figure.legend(
        handles=named, loc="outside lower left", ncols=len(named), handletextpad=0.4, columnspacing=1.2
    )
    figure.legend(handles=shares, loc="outside lower right", ncols=2, handletextpad=0.4, columnspacing=1.2)
