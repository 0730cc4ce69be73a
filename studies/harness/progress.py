"""How far a run is: a bar where rich and a terminal are, plain lines now and then elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

Tell = Callable[[str], object]
Advance = Callable[[str], None]
SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def show_progress(title: str, total: int, done: int, tell: Tell) -> Iterator[Advance]:
    """Give a function to be called after each fit, with a word on what it was about."""
    if done:
        tell(f"{title}: {done:,} of {total:,} fits are there already.")
    if done == total:
        yield lambda about: None
    elif sys.stderr.isatty() and has_rich():
        with bar(title, total, done) as advance:
            yield advance
    else:
        yield lines(title, total, done, tell)


def has_rich() -> bool:
    """Whether bars can be drawn; rich comes with the extra ``cli``."""
    try:
        import rich.progress  # noqa: F401
    except ImportError:
        return False
    return True


@contextlib.contextmanager
def bar(title: str, total: int, done: int) -> Iterator[Advance]:
    """A bar on the error stream."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[about]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(title, total=total, completed=done, about="")
        yield lambda about: progress.update(task, advance=1, about=about)


def lines(title: str, total: int, done: int, tell: Tell) -> Advance:
    """A line every ten seconds, and one at the end."""
    begin = last = time.monotonic()
    made = 0

    def advance(about: str) -> None:
        nonlocal last, made
        made += 1
        now = time.monotonic()
        if done + made < total and now - last < SECONDS_BETWEEN_LINES:
            return
        last = now
        left = (total - done - made) * (now - begin) / made
        end = f"about {left:,.0f} s left" if done + made < total else f"{now - begin:,.0f} s"
        tell(f"{title}: {done + made:,} of {total:,} fits ({about}), {end}")

    return advance
