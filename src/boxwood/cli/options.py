"""Argument types that say what is wrong with a value, and the options of every command that reads a table."""

from __future__ import annotations

import argparse
import math


def names(text: str) -> list[str]:
    """Split a list of names at its commas.

    >>> names("age, sex")
    ['age', 'sex']
    """
    found = [name.strip() for name in text.split(",") if name.strip()]
    if not found:
        raise argparse.ArgumentTypeError("at least one name is needed")
    return found


def tokens(text: str) -> list[str]:
    """Split a list of cell texts at its commas; a text may be anything but empty, which is missing anyway."""
    return [token for token in text.split(",") if token]


def whole(least: int) -> type[int]:
    """Return an argument type: a whole number of at least `least`."""

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {least} or more")
        return value

    return convert  # type: ignore[return-value]


def amount(least: float) -> type[float]:
    """Return an argument type: a finite number of at least `least`."""

    def convert(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (least <= value < math.inf):
            raise argparse.ArgumentTypeError(f"{text!r} is not a number of {least:g} or more")
        return value

    return convert  # type: ignore[return-value]


def share(text: str) -> float:
    """Read a share of the rows: at least 0 and less than 1.

    >>> share("0.25")
    0.25
    """
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < 1.0:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a share of the rows: a number from 0 up to, not including, 1"
        )
    return value


def rows_or_share(least: int) -> type[float]:
    """Return an argument type: a number of rows, or a share of them when it has a decimal point.

    >>> rows_or_share(1)("5"), rows_or_share(1)("0.01")
    (5, 0.01)
    """

    def convert(text: str) -> int | float:
        try:
            value: int | float = int(text)
            good = value >= least
        except ValueError:
            try:
                value = float(text)
            except ValueError:
                value = math.nan
            good = 0.0 < value < 1.0
        if not good:
            raise argparse.ArgumentTypeError(
                f"{text!r} is neither a number of rows, {least} or more, nor a share of them between 0 and 1"
            )
        return value

    return convert  # type: ignore[return-value]


def features(text: str) -> int | float | str:
    """Read how many features a node looks at: a number, a share, "sqrt" or "log2".

    >>> features("sqrt"), features("3"), features("0.5")
    ('sqrt', 3, 0.5)
    """
    if text in {"sqrt", "log2"}:
        return text
    try:
        return whole(1)(text)
    except argparse.ArgumentTypeError:
        pass
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value <= 1.0:
        raise argparse.ArgumentTypeError(
            f'{text!r} is neither "sqrt" or "log2", nor a number of features, nor a share of them (up to 1.0)'
        )
    return value


def thresholds(text: str) -> int | str:
    """Read how many thresholds the best tree chooses from: a number, "all", "mdl" or "grow".

    >>> thresholds("30"), thresholds("grow")
    (30, 'grow')
    """
    if text in {"all", "mdl", "grow"}:
        return text
    try:
        return whole(1)(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(
            f'{text!r} is neither a number of thresholds, 1 or more, nor "all", "mdl" or "grow"'
        ) from None


def criterion(text: str) -> str:
    """Read the name of a criterion.

    >>> criterion("tsallis(1.5)"), criterion("absolute_error")
    ('tsallis(1.5)', 'absolute_error')
    """
    from boxwood.cli.task import is_criterion
    from boxwood.criteria import CRITERIA
    from boxwood.grow import REGRESSION_CRITERIA

    if not is_criterion(text):
        known = ", ".join([*CRITERIA, "tsallis(q) with a number above 0", *REGRESSION_CRITERIA])
        raise argparse.ArgumentTypeError(f"{text!r} is not one of {known}")
    return text


def jobs(text: str) -> int:
    """Read a number of threads: 1 or more, or -1 for every CPU that this process may use."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1 and value != -1:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a number of threads (1 or more) nor -1 for all CPUs"
        )
    return value


def separator(text: str) -> str:
    r"""Read the character between two cells; "tab" and "\t" mean the tab."""
    if text.lower() in {"tab", r"\t"}:
        return "\t"
    if len(text.encode()) != 1 or text in {'"', "\n", "\r"}:
        raise argparse.ArgumentTypeError(f"{text!r} is not one plain character (write tab for the tab)")
    return text


def add_header_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that says whether a file begins with names."""
    parser.add_argument(
        "--header",
        choices=["auto", "yes", "no"],
        default="auto",
        help="whether the first line of a CSV table holds the names of the columns (default: auto)",
    )


def add_table_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how a file is to be read."""
    group = parser.add_argument_group("reading the table")
    group.add_argument(
        "--separator",
        type=separator,
        metavar="CHARACTER",
        help="the character between two cells (default: found out; write tab for the tab)",
    )
    group.add_argument(
        "--missing-values",
        type=tokens,
        default=[],
        metavar="TEXT[,TEXT...]",
        help="cells with these texts are missing, besides empty cells, which always are (example: 'NA,?')",
    )
    group.add_argument(
        "--skip-malformed",
        action="store_true",
        help="leave out lines with a wrong number of cells or wrong quotes (default: refuse the table)",
    )
    group.add_argument(
        "--no-quotes",
        action="store_true",
        help="quotes are ordinary characters (default: they surround cells)",
    )
