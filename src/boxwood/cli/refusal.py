"""How a command says no: one sentence on the error stream and exit status 2."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager


class Refusal(Exception):  # noqa: N818  # it is an answer, not an accident
    """Bad input, told in one sentence that names the place and, where there is one, the remedy."""


@contextmanager
def refusing(what: str, kinds: tuple[type[Exception], ...] = (ValueError, TypeError)) -> Iterator[None]:
    """Turn the library's own complaints into a refusal.

    >>> with refusing("Cannot grow the tree"):
    ...     raise ValueError("column 'age', row 3: infinite value.")
    Traceback (most recent call last):
    ...
    boxwood.cli.refusal.Refusal: Cannot grow the tree: column 'age', row 3: infinite value.
    """
    try:
        yield
    except kinds as error:
        raise Refusal(f"{what}: {one_line(error)}") from error


def one_line(error: BaseException) -> str:
    """Return the message of an error without line breaks, ending with a full stop."""
    if isinstance(error, OSError) and error.strerror:
        text = error.strerror
    else:
        text = " ".join(str(error).split()) or type(error).__name__
    return text if text.endswith((".", "!", "?")) else f"{text}."


def quoted(names: Sequence[object], limit: int = 8) -> str:
    """List names for a sentence.

    >>> quoted(["age", "sex"])
    '"age", "sex"'
    >>> quoted(range(20), limit=3)
    '"0", "1", "2" and 17 more'
    """
    shown = ", ".join(f'"{name}"' for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"


def no_such_column(name: str, columns: Sequence[str], role: str = "column") -> Refusal:
    """Return the refusal for a name that the table does not have, with the nearest one that it has.

    >>> print(no_such_column("specie", ["species", "sex"], "target column"))
    The table has no target column "specie": did you mean "species"? Its columns are "species", "sex".
    """
    close = difflib.get_close_matches(name, columns, n=1)
    hint = f' did you mean "{close[0]}"? Its' if close else " its"
    return Refusal(f'The table has no {role} "{name}":{hint} columns are {quoted(columns, 20)}.')
