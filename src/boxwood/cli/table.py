"""Reading CSV tables: polars parses, and this file says in one sentence what was wrong when it cannot.

What is understood of a file:

- The first line holds the names; two columns of one name are refused, a column without a name is called by
  its position.
- Types are inferred from every row of the file, not from the first few: a number that turns into text in the
  last row makes the column text. Blanks around a cell do not count.
- Empty cells are missing, and so are the texts that the caller names. Words such as "NA" or "none" are
  otherwise values.
- Numbers, booleans and ISO dates are recognised; everything else is text, which means categories.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from boxwood.cli.refusal import Refusal, one_line, quoted

if TYPE_CHECKING:
    import polars as pl

COMPRESSED = (
    b"\x1f\x8b",
    b"\x28\xb5\x2f\xfd",
    b"\x78\x01",
    b"\x78\x9c",
    b"\x78\xda",
)  # gzip, zstandard, zlib


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


def read_table(
    name: str, separator: str = ",", missing: Sequence[str] = (), text_columns: Iterable[str] = ()
) -> pl.DataFrame:
    r"""Read the CSV file `name` ("-" for standard input); `text_columns` stay text, whatever they hold.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "cats.csv")
    ...     _ = path.write_text("weight, mood\n4.2, calm\n?, wild\n")
    ...     read_table(str(path), missing=["?"]).rows()
    [(4.2, 'calm'), (None, 'wild')]
    """
    import polars as pl

    source = _open(name)
    shown = "Standard input" if name == "-" else f'"{name}"'
    try:
        header = pl.read_csv(
            source, has_header=False, n_rows=1, infer_schema=False, separator=separator, glob=False
        )
        written = [cell or "" for cell in (header.row(0) if header.height else ())]
        names = _names(written, shown)
        as_text = set(text_columns)
        texts = {raw: pl.String for raw, column in zip(written, names, strict=True) if column in as_text}
        try:
            frame = pl.read_csv(
                source,
                schema_overrides=texts,
                infer_schema_length=None,
                separator=separator,
                null_values=list(missing),
                try_parse_dates=True,
                glob=False,
            )
        except pl.exceptions.ComputeError as error:
            if "could not parse" not in str(error):
                raise
            # polars before 1.44 takes whole numbers beyond 64 bits for such of 64 bits, and gives up.
            frame = pl.read_csv(source, infer_schema=False, separator=separator, glob=False)
        if frame.width != len(names):
            raise Refusal(f"{shown} cannot be read as a table: its first line ends inside a quoted cell.")
        frame.columns = names
    except pl.exceptions.NoDataError:
        raise Refusal(f"{shown} is empty.") from None
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise Refusal(f"{shown} cannot be read as a table: {_reason(error, source, separator)}") from error
    if frame.height == 0:
        raise Refusal(f"{shown} has a header and no rows.")
    return frame.with_columns(_settle(frame[column], missing, column in as_text) for column in names)


def _open(name: str) -> Path | bytes:
    """Return what polars is to read, after the refusals that need no parser."""
    if name == "-":
        content = sys.stdin.buffer.read()
        start = content[:8192]
        source: Path | bytes = content
    else:
        path = Path(name)
        if path.is_dir():
            raise Refusal(f'"{name}" is a folder, not a table.')
        try:
            with path.open("rb") as file:
                start = file.read(8192)
        except FileNotFoundError:
            raise Refusal(f'There is no file "{name}".') from None
        except (OSError, ValueError) as error:
            raise Refusal(f'"{name}" cannot be opened: {one_line(error)}') from error
        source = path
    if b"\0" in start and not start.startswith(COMPRESSED):
        raise Refusal(f'"{name}" is not a text file, and so not a CSV table.')
    return source


def _names(header: Sequence[str], shown: str) -> list[str]:
    """Return the names of the columns, each one once and none empty."""
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(header, 1)]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        verb = "stands" if len(twice) == 1 else "stand"
        raise Refusal(f"In the header of {shown}, {quoted(twice)} {verb} more than once: names must differ.")
    if not names:
        raise Refusal(f"{shown} has no header.")
    return names


def _settle(column: pl.Series, missing: Sequence[str], as_text: bool) -> pl.Series:
    """Return the column in the type that learning uses: blanks dropped, odd numeric types made plain."""
    import polars as pl

    if column.dtype == pl.Time:
        return column.cast(pl.Duration("us"))
    if column.dtype.is_integer() and column.dtype not in {pl.Int64, pl.Int32}:
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        return column
    text = column.str.strip_chars()
    text = text.set(text.is_in(["", *missing]).fill_null(False), None)
    if as_text or text.null_count() == len(text):
        return text
    readings: list[Callable[[pl.Series], pl.Series]] = [
        lambda cells: cells.cast(pl.Int64, strict=False),
        lambda cells: cells.cast(pl.Float64, strict=False),
        lambda cells: cells.replace_strict(
            {"true": True, "false": False}, default=None, return_dtype=pl.Boolean
        ),
        lambda cells: cells.str.to_date("%Y-%m-%d", strict=False),
        lambda cells: cells.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False),
    ]
    for reading in readings:
        values = reading(text)
        if values.null_count() == text.null_count():
            return values
    return text


def _reason(error: Exception, source: Path | bytes, separator: str) -> str:
    """Say why parsing failed, with the line where that can be found out."""
    text = one_line(error)
    if "utf-8" in text.lower():
        return "it is not text in UTF-8."
    if "more fields" in text.lower():
        return _ragged(source, separator) or "a line has more cells than the header."
    return text


def _ragged(source: Path | bytes, separator: str) -> str | None:
    """Find the first line with more cells than the header has."""
    try:
        content = source.read_bytes() if isinstance(source, Path) else source
        lines = csv.reader(io.StringIO(content.decode("utf-8"), newline=""), delimiter=separator)
        width = len(next(lines))
        for cells in lines:
            if len(cells) > width:
                return f"line {lines.line_num} has {len(cells)} cells, the header has {width}."
    except (OSError, UnicodeDecodeError, csv.Error, StopIteration):
        return None
    return None
