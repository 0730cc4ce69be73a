"""Reading tables for the command line: `boxwood.read_table`'s readers, with refusals for errors.

What is understood of a file is said in `boxwood.data.readers`. The command line differs in one thing: besides
empty cells only the texts that the caller names are missing. Words such as "NA" or "none" are otherwise
values, and a remark asks whether they should be.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from boxwood.cli.refusal import Refusal, one_line

if TYPE_CHECKING:
    import polars as pl

    from boxwood.data.readers.contents import Contents

# What the library calls its arguments, and what the command line calls them.
OPTIONS = {
    "malformed='skip'": "--skip-malformed",
    "quote=None": "--no-quotes",
    "name the right separator": "name the right one with --separator",
}


def need_extra() -> None:
    """Refuse in one sentence when the packages of the extra `cli` are not there."""
    try:
        import polars
        import rich  # noqa: F401

        polars.DataFrame  # noqa: B018  # a broken installation imports, and then has nothing in it
    except (ImportError, AttributeError) as error:
        package = getattr(error, "name", None) or "polars"
        raise Refusal(
            f"The package {package} is needed here and not installed: pip install 'boxwood[cli]' brings it."
        ) from error


def read_contents(
    name: str,
    separator: str | None = None,
    missing: Sequence[str] = (),
    text_columns: Iterable[str] = (),
    *,
    number_columns: Iterable[str] = (),
    header: bool | Literal["auto"] = "auto",
    skip_malformed: bool = False,
    quotes: bool = True,
) -> Contents:
    """Read the file `name` ("-" for standard input).

    `text_columns` stay text, whatever they hold; `number_columns` hold numbers, even if some begin with 0.
    """
    from boxwood.data.readers import read_contents

    standard = name == "-"
    source = io.BytesIO(sys.stdin.buffer.read()) if standard else name
    try:
        return read_contents(
            source,
            missing=["", *missing],
            text=text_columns,
            numbers=number_columns,
            malformed="skip" if skip_malformed else "error",
            separator=separator,
            header=header,
            quote='"' if quotes else None,
            shown="Standard input" if standard else None,
        )
    except (OSError, ValueError) as error:
        sentence = one_line(error)
        for argument, option in OPTIONS.items():
            sentence = sentence.replace(argument, option)
        raise Refusal(sentence) from error


def read_table(
    name: str, separator: str | None = None, missing: Sequence[str] = (), text_columns: Iterable[str] = ()
) -> pl.DataFrame:
    r"""Read the columns of the file `name`.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "cats.csv")
    ...     _ = path.write_text("weight, mood\n4.2, calm\n?, wild\n")
    ...     read_table(str(path), missing=["?"]).rows()
    [(4.2, 'calm'), (None, 'wild')]
    """
    return read_contents(name, separator, missing, text_columns).frame
