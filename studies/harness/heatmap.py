"""A heat map: a grid of coloured cells with their numbers in them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from studies.harness.drawing import INK

SEQUENTIAL, DIVERGING = "cividis", "PuOr"


@dataclass(frozen=True)
class HeatMap:
    """What is drawn: one number per row and column, nan where there is none."""

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: Sequence[Sequence[float]]
    show: Callable[[float], str]
    """How a number is written in its cell."""
    colour: Callable[[float], float] = lambda value: value
    """What of a number decides about its colour, such as its logarithm."""
    around_zero: bool = False
    """Two colours that meet at zero, for differences."""

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return max(2.2 + 0.78 * len(self.columns), 0.5 + 0.105 * len(self.title)), 1.7 + 0.36 * len(self.rows)


def paint(figure: Any, heat: HeatMap) -> None:
    """Fill a figure with one heat map."""
    import numpy as np

    axes = figure.subplots()
    numbers = np.array(
        [[math.nan if math.isnan(cell) else heat.colour(cell) for cell in row] for row in heat.values]
    )
    known = numbers[np.isfinite(numbers)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    if heat.around_zero:
        high = max(abs(low), abs(high)) or 1.0
        low = -high
    if low == high:
        low, high = low - 0.5, high + 0.5
    image = axes.imshow(
        np.ma.masked_invalid(numbers),
        cmap=DIVERGING if heat.around_zero else SEQUENTIAL,
        vmin=low,
        vmax=high,
        aspect="auto",
    )
    for place, row in enumerate(heat.values):
        for across, cell in enumerate(row):
            there = not math.isnan(cell)
            shade = image.norm(numbers[place, across]) if there else 0.5
            dark = abs(shade - 0.5) > 0.33 if heat.around_zero else shade < 0.45
            ink = "white" if there and dark else INK
            words = heat.show(cell) if there else "–"
            axes.text(across, place, words, ha="center", va="center", fontsize=7.5, color=ink)
    axes.set_xticks(np.arange(len(heat.columns) - 1) + 0.5, minor=True)
    axes.set_yticks(np.arange(len(heat.rows) - 1) + 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=1)
    axes.set_xticks(range(len(heat.columns)), heat.columns, rotation=40, ha="right")
    axes.set_yticks(range(len(heat.rows)), heat.rows)
    axes.tick_params(which="both", length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(heat.title)
