"""A line in the terminal that shows how far a search for the best tree is.

Drawn by rich, if that is installed, on standard error, and only where somebody is watching: in a terminal or
a notebook. It is gone when the search ends.
"""

from __future__ import annotations

import math
import warnings
from types import TracebackType
from typing import Any

from boxwood.optimal import Progress


def progress_text(progress: Progress, remark: str = "") -> str:
    """What the line says.

    >>> progress_text(Progress(12.5, 31.0, 24.0, 50_000), "36 thresholds")
    'objective 31, bound 24, gap 7 (23 %), 4,000 nodes/s, 12.5 s, 36 thresholds'
    """
    parts = []
    if math.isfinite(progress.objective):
        share = f" ({progress.gap / progress.objective:.0%})".replace("%", " %") if progress.objective else ""
        parts.append(f"objective {progress.objective:g}, bound {progress.lower_bound:g}")
        parts.append(f"gap {progress.gap:g}{share}")
    if progress.n_nodes and progress.seconds > 0:
        parts.append(f"{progress.n_nodes / progress.seconds:,.0f} nodes/s")
    parts.append(f"{progress.seconds:.1f} s")
    if remark:
        parts.append(remark)
    return ", ".join(parts)


class LiveLine:
    """The line; a context manager. Without rich, or when nobody is watching, it does nothing.

    Parameters
    ----------
    wanted
        Whether there is to be a line at all.
    """

    def __init__(self, wanted: bool) -> None:
        self.remark = ""
        self._live: Any = None
        if not wanted:
            return
        try:
            from rich.console import Console
            from rich.live import Live
        except ImportError:
            warnings.warn(
                "progress=True needs the package rich, which is not installed: the fit is silent. "
                'Install it with: pip install "boxwood[cli]"',
                UserWarning,
                stacklevel=5,
            )
            return
        console = Console(stderr=True)
        if console.is_terminal or console.is_jupyter:
            self._live = Live(console=console, transient=True, auto_refresh=False)

    @property
    def shown(self) -> bool:
        """Whether there is a line."""
        return self._live is not None

    def show(self, progress: Progress) -> None:
        """Draw it anew."""
        if self._live is not None:
            from rich.text import Text

            line = Text(f"Searching: {progress_text(progress, self.remark)}", no_wrap=True)
            self._live.update(line, refresh=True)

    def __enter__(self) -> LiveLine:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()
