"""The one place that knows matplotlib: opening a figure in the house style, and saving it twice.

A study without matplotlib is a study without a figure, and says so; all its numbers are there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ABSENT = 'no figure: matplotlib is not installed. It comes with the extra: pip install "boxwood[studies]".'

# Okabe and Ito's colours, which most colour-blind readers can tell apart.
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#000000")
INK, FAINT = "#222222", "#d9d9d9"

STYLE: dict[Any, Any] = {
    "font.size": 9.5,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": INK,
    "axes.axisbelow": True,
    "legend.frameon": False,
    "svg.hashsalt": "boxwood",  # the same figure is the same file
    "svg.fonttype": "none",
}


def draw(
    paint: Callable[[Any], None],
    stem: Path,
    size: tuple[float, float],
    endings: Sequence[str] = ("png", "svg"),
) -> list[Path]:
    """Open a figure, let ``paint`` fill it, and save it under each ending; no files without matplotlib."""
    try:
        import matplotlib
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        return []
    paths = []
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=size, layout="constrained")
        FigureCanvasAgg(figure)  # no window, whatever the user's settings
        paint(figure)
        for ending in endings:
            path = stem.with_suffix(f".{ending}")
            dated = {"Date": None} if ending == "svg" else {}
            figure.savefig(path, dpi=160, metadata=dated, facecolor="white")
            paths.append(path)
    return paths
