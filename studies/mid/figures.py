"""The thesis's Figures 3.1 to 3.4, drawn from our rows.

The thesis's curves are pictures without numbers, so they are not beside ours; what it prints in its tables
about the same point is a hollow mark, and what it says about a figure in words is in `words`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from studies.harness.drawing import COLOURS, FAINT, INK
from studies.mid.results import Results, Summary

CURVES = {
    "mid_gini": ("optimal on MID, Gini", COLOURS[0], "-"),
    "mid_entropy": ("optimal on MID, entropy", COLOURS[2], "-"),
    "cart_mid_gini": ("greedy on MID, Gini", COLOURS[0], ":"),
    "cart_mid_entropy": ("greedy on MID, entropy", COLOURS[2], ":"),
}
POINTS = {
    "cart_gini": ("greedy, Gini", COLOURS[1], "s"),
    "cart_entropy": ("greedy, entropy", COLOURS[4], "D"),
}
BANKNOTE, YEAST = "banknote", "yeast"
PROVED, STOPPED = COLOURS[2], COLOURS[4]


@dataclass(frozen=True)
class Figure:
    """One figure of the thesis, made again."""

    stem: str
    title: str
    size: tuple[float, float]
    is_there: Callable[[Results], bool]
    paint: Callable[[Any, Results], None]
    words: Callable[[Results], str]


def deepest(results: Results, dataset: str, wanted: int, pipeline: str = "mid_gini") -> int:
    """The wanted depth if there are rows of it, else the deepest one that there is; 0 for none."""
    depths = [d for d in [wanted, *reversed(results.depths)] if results.curve(dataset, d, pipeline)]
    return depths[0] if depths else 0


def curve(
    axes: Any, found: list[Summary], value: Callable[[Summary], float], style: Any, **more: Any
) -> None:
    """One line over the number of features."""
    name, colour, line = style
    axes.plot(
        [one.n_features for one in found],
        [value(one) for one in found],
        line,
        color=colour,
        label=name,
        linewidth=1.4,
        **more,
    )


def finish(axes: Any, title: str, across: str = "binary features") -> None:
    """What all panels have in common."""
    axes.set_title(title)
    axes.set_xlabel(across)
    axes.grid(color=FAINT, linewidth=0.6)


def explain_below(figure: Any, axes: Any) -> None:
    """The marks of one panel, explained where they cover no curve."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize=8)


def testing(one: Summary) -> float:
    """Testing accuracy in per cent."""
    return 100 * one.testing.mean


def training(one: Summary) -> float:
    """Training accuracy in per cent."""
    return 100 * one.training.mean


# ------------------------------------------------------------------------------------------------- Figure 3.1


def paint_beyond(figure: Any, results: Results) -> None:
    """Accuracies over all numbers of features, with the runs that were stopped in another colour."""
    depth = deepest(results, BANKNOTE, 5)
    found = results.curve(BANKNOTE, depth, "mid_gini")
    for axes, value, name in zip(
        figure.subplots(1, 2), (training, testing), ("Training", "Testing"), strict=True
    ):
        for colour, label, chosen in (
            (PROVED, "every fold proved", [one for one in found if one.proved == 1]),
            (STOPPED, "some folds stopped by the limit", [one for one in found if one.proved < 1]),
        ):
            axes.plot(
                [one.n_features for one in chosen],
                [value(one) for one in chosen],
                "o",
                color=colour,
                markersize=4,
                label=label,
            )
        axes.set_xscale("log")
        finish(axes, f"{name} accuracy, %")
    figure.axes[0].legend(loc="lower right")


def words_beyond(results: Results) -> str:
    """Whether accuracy falls where the thesis's does."""
    depth = deepest(results, BANKNOTE, 5)
    found = results.curve(BANKNOTE, depth, "mid_gini")
    after = [one for one in found if one.n_features > results.paper.text["drops_above"]]
    drop = results.paper.text["drops_above"]
    if not after:
        return f"No rows with more than {drop} features."
    proved = sum(one.proved == 1 for one in after)
    return (
        f"Depth {depth}. In the thesis accuracy falls above {drop} features, where DL8.5 runs out of time. "
        f"Ours above {drop}: {proved} of {len(after)} points proved in every fold, training accuracy between "
        f"{min(map(training, after)):.2f} and {max(map(training, after)):.2f}, and "
        f"{max(training(one) for one in found if one.n_features <= drop):.2f} at most below."
    )


# ---------------------------------------------------------------------------------------- Figures 3.2 to 3.4


def draw_accuracies(axes: Any, results: Results, dataset: str, depth: int, part: str) -> None:
    """Accuracies of MID's pipelines over the number of features, and of the greedy tree as points."""
    value = training if part == "Training" else testing
    for pipeline, style in CURVES.items():
        curve(axes, up_to_most(results, dataset, depth, pipeline), value, style)
    for pipeline, (name, colour, mark) in POINTS.items():
        one = results.at(dataset, depth, pipeline)
        if one is not None:
            axes.plot(one.features_used, value(one), mark, color=colour, label=name, markersize=6)
    if part == "Testing":
        most = max(results.features)
        for pipeline, (_, colour, _) in CURVES.items():
            printed = results.row(dataset).at_45.get((depth, pipeline))
            if printed is not None:
                axes.plot(most, printed, "o", color=colour, markerfacecolor="white", markersize=5)
        axes.plot([], [], "o", color=INK, markerfacecolor="white", label="thesis, Table 3.2")
    finish(axes, f"{part} accuracy, %")


def up_to_most(results: Results, dataset: str, depth: int, pipeline: str) -> list[Summary]:
    """A curve without the points of Figure 3.1 that lie beyond."""
    return [one for one in results.curve(dataset, depth, pipeline) if one.n_features <= max(results.features)]


def draw_seconds(axes: Any, results: Results, dataset: str, depth: int) -> None:
    """Run times over the number of features."""
    for pipeline, style in CURVES.items():
        curve(axes, up_to_most(results, dataset, depth, pipeline), lambda one: max(one.seconds, 1e-5), style)
    axes.set_yscale("log")
    finish(axes, "Seconds")


def paint_banknote(figure: Any, results: Results) -> None:
    """Training, testing and run time on banknote at depth 3."""
    left, middle, right = figure.subplots(1, 3)
    depth = deepest(results, BANKNOTE, 3)
    draw_accuracies(left, results, BANKNOTE, depth, "Training")
    draw_accuracies(middle, results, BANKNOTE, depth, "Testing")
    draw_seconds(right, results, BANKNOTE, depth)
    explain_below(figure, middle)


def words_banknote(results: Results) -> str:
    """The best training accuracy, beside what the thesis says of it."""
    depth = deepest(results, BANKNOTE, 3)
    found = up_to_most(results, BANKNOTE, depth, "mid_entropy")
    best = max(map(training, found), default=float("nan"))
    return f"Depth {depth}. The thesis reaches 98 % in training above 19 features; ours reaches {best:.2f}."


def paint_used(figure: Any, results: Results) -> None:
    """Different features in the trees on banknote at depth 3."""
    axes = figure.subplots()
    depth = deepest(results, BANKNOTE, 3)
    for pipeline in ("mid_gini", "mid_entropy"):
        found = up_to_most(results, BANKNOTE, depth, pipeline)
        curve(axes, found, lambda one: one.features_used, CURVES[pipeline])
    for pipeline, (name, colour, _) in POINTS.items():
        one = results.at(BANKNOTE, depth, pipeline)
        if one is not None:
            axes.axhline(one.features_used, color=colour, linewidth=1, label=name)
    finish(axes, "Different tests in the tree")
    axes.legend()


def words_used(results: Results) -> str:
    """At most so many features, and the thesis's number."""
    depth = deepest(results, BANKNOTE, 3)
    used = [
        one.features_used
        for pipeline in ("mid_gini", "mid_entropy")
        for one in up_to_most(results, BANKNOTE, depth, pipeline)
    ]
    return (
        f"Depth {depth}. At most {max(used, default=float('nan')):.1f} on average over the folds; the thesis "
        f"has at most {results.paper.text['most_features_used']}."
    )


def paint_yeast(figure: Any, results: Results) -> None:
    """Run time and testing accuracy on yeast at depth 6."""
    left, right = figure.subplots(1, 2)
    depth = deepest(results, YEAST, 6)
    draw_seconds(left, results, YEAST, depth)
    draw_accuracies(right, results, YEAST, depth, "Testing")
    explain_below(figure, right)


def words_yeast(results: Results) -> str:
    """Whether testing accuracy falls again."""
    depth = deepest(results, YEAST, 6)
    told = []
    for pipeline in ("mid_gini", "mid_entropy"):
        found = up_to_most(results, YEAST, depth, pipeline)
        if found:
            best = max(found, key=testing)
            told.append(
                f"{CURVES[pipeline][0]}: {testing(best):.2f} at {best.n_features:.0f} features, "
                f"{testing(found[-1]):.2f} at {found[-1].n_features:.0f}"
            )
    return f"Depth {depth}. In the thesis testing accuracy falls after its peak. Ours: {'; '.join(told)}."


def there_is(dataset: str) -> Callable[[Results], bool]:
    """Whether there are curves of a data set."""
    return lambda results: any(results.curve(dataset, depth, "mid_gini") for depth in results.depths)


FIGURES = (
    Figure(
        "figure_3_1",
        "Figure 3.1: banknote, more than 45 features",
        (10, 4),
        there_is(BANKNOTE),
        paint_beyond,
        words_beyond,
    ),
    Figure(
        "figure_3_2",
        "Figure 3.2: banknote, accuracies and run times",
        (13, 4.2),
        there_is(BANKNOTE),
        paint_banknote,
        words_banknote,
    ),
    Figure(
        "figure_3_3",
        "Figure 3.3: banknote, features used",
        (6, 4),
        there_is(BANKNOTE),
        paint_used,
        words_used,
    ),
    Figure(
        "figure_3_4",
        "Figure 3.4: yeast, run times and testing accuracies",
        (10, 4.2),
        there_is(YEAST),
        paint_yeast,
        words_yeast,
    ),
)
