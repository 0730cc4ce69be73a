"""What `boxwood learn` prints after it has grown a tree: the tree, its size, and how right it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from boxwood.cli.refusal import one_line

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console

    from boxwood import RuleSet, Tree

PIPE_WIDTH = 110  # columns of the description when nobody's terminal sets a width
READABLE_RULES = 50  # more rules are counted only
READABLE_NODES = 200  # larger trees are shown down to the depth where this many nodes are reached


def open_console() -> Console:
    """Return a console that shows names as they are, without colours when it is no terminal."""
    from rich.console import Console

    class PlainConsole(Console):
        def on_broken_pipe(self) -> None:
            """Leave a reader that has gone to `boxwood.cli.entry`, instead of ending the program here."""
            raise BrokenPipeError

    console = PlainConsole(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = PIPE_WIDTH
    return console


def say(console: Console, text: str, style: str | None = None) -> None:
    """Print lines that are as long as they are: never wrapped, never cut."""
    console.print(text, style=style, soft_wrap=True, markup=False, highlight=False)


def show_tree(console: Console, tree: Tree, depth: int | None) -> None:
    """Print the tree as text, down to the given depth or, without one, as much of it as can be read."""
    from boxwood import export_text

    if depth is None and tree.n_nodes > READABLE_NODES:
        # The deepest level down to which all of the tree is still readable.
        depth = max(
            1, int(np.searchsorted(np.cumsum(np.bincount(tree.node_depth)), READABLE_NODES, "right")) - 1
        )
    style: Literal["unicode", "ascii"] = "unicode" if console.encoding.startswith("utf") else "ascii"
    say(console, export_text(tree, max_depth=depth, style=style).rstrip("\n"))
    if depth is not None and depth < tree.depth:
        say(console, "More of the tree is shown with --show-depth.", "yellow")


def show_rules(console: Console, rules: RuleSet) -> None:
    """Print rules, as many of them as can be read."""
    style: Literal["unicode", "ascii"] = "unicode" if console.encoding.startswith("utf") else "ascii"
    say(console, rules.to_text(max_rules=READABLE_RULES, style=style))


def show_rules_accuracy(
    console: Console, name: str, rules: RuleSet, x: pl.DataFrame, labels: NDArray[Any]
) -> None:
    """Print the share of rows that simplified rules answer rightly."""
    right = int((rules.predict(x) == labels).sum())
    say(
        console,
        f"{name:<9}accuracy of these rules {right / len(labels):.4f}, {right:,} of {len(labels):,} rows",
    )


def show_size(console: Console, tree: Tree, seconds: float, verb: str = "grown") -> None:
    """Print how large the tree is and how long it took."""
    leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves:,} leaves"
    size = f"{leaves}, {counted(tree.n_nodes, 'node')}, depth {tree.depth}"
    say(console, f"Tree     {size}, {verb} in {duration(seconds)}")


def show_accuracy(console: Console, name: str, model: Any, x: pl.DataFrame, labels: NDArray[Any]) -> None:
    """Print the share of rows that the model answers rightly, or why it cannot answer."""
    answered = _answers(console, name, model, x)
    if answered is None:
        return
    answers, seconds = answered
    right = int((answers == labels).sum())
    rows = f"{right:,} of {counted(len(labels), 'row')}"
    line = f"{name:<9}accuracy {right / len(labels):.4f}, {rows}, predicted in {duration(seconds)}"
    if name == "Test":
        common = model.classes_[np.argmax(model.tree_.counts[0])]
        line += f' (always "{common}": {np.mean(labels == common):.4f})'
    say(console, line, style="bold" if name == "Test" else None)


def show_error(
    console: Console, name: str, model: Any, x: pl.DataFrame, numbers: NDArray[np.float64]
) -> None:
    """Print how far the model's answers are from the truth, or why it cannot answer."""
    answered = _answers(console, name, model, x)
    if answered is None:
        return
    answers, seconds = answered
    error = float(np.abs(answers - numbers).mean())
    line = f"{name:<9}R² {r_squared(numbers, answers)}, mean absolute error {error:.6g}, "
    line += f"{counted(len(numbers), 'row')}, predicted in {duration(seconds)}"
    if name == "Test":
        always = float(model.tree_.answer[0])
        line += f" (always {always:.6g}: {float(np.abs(always - numbers).mean()):.6g})"
    say(console, line, style="bold" if name == "Test" else None)


def r_squared(numbers: NDArray[np.float64], answers: NDArray[np.float64]) -> str:
    """Write the share of the variance that the answers explain; there is none to explain in equal numbers.

    >>> r_squared(np.array([1.0, 3.0]), np.array([1.0, 2.0])), r_squared(np.array([2.0]), np.array([2.0]))
    ('0.5000', 'undefined')
    """
    spread = float(np.square(numbers - numbers.mean()).sum())
    return f"{1 - float(np.square(numbers - answers).sum()) / spread:.4f}" if spread else "undefined"


def _answers(console: Console, name: str, model: Any, x: pl.DataFrame) -> tuple[NDArray[Any], float] | None:
    """What the model answers and how long it takes; None, with a line that says why, where it cannot."""
    start = time.perf_counter()
    try:
        answers = model.predict(x)
    except ValueError as error:  # an unknown category, where the caller asked for an error
        say(console, f"{name:<9}not measured: {one_line(error)}", style="yellow")
        return None
    return answers, time.perf_counter() - start


def counted(number: int, noun: str) -> str:
    """Write a number of things.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def duration(seconds: float) -> str:
    """Write a time with a unit that suits it.

    >>> duration(0.00123), duration(12.3)
    ('1.2 ms', '12.3 s')
    """
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.1f} s"
