"""CSV and its kin: the dialect is found out, the lines are checked, polars parses, the kinds are settled."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from boxwood.data.readers.contents import (
    Contents,
    inside,
    malformed_sentence,
    refuse_duplicates,
    skipped_remark,
)
from boxwood.data.readers.dialect import find_separator, first_records, has_names
from boxwood.data.readers.encoding import to_utf8
from boxwood.data.readers.kinds import Lines, settle
from boxwood.data.readers.records import PATIENCE, scan, well_formed
from boxwood.data.readers.source import TableError

if TYPE_CHECKING:
    import polars as pl

_BYTES: Final = 1 << 18
_COMMENTS: Final = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*#[^\n]*\n")


@dataclass(frozen=True)
class Dialect:
    """What the caller knows of a delimited file; None means: find it out."""

    separator: str | None = None
    header: bool | Literal["auto"] = "auto"
    quote: str | None = '"'
    encoding: str | None = None
    skip_malformed: bool = False


def read_delimited(
    content: bytes,
    shown: str,
    dialect: Dialect,
    missing: Collection[str],
    as_text: Collection[str] = (),
    as_numbers: Collection[str] = (),
) -> Contents:
    r"""Read a table of delimited text.

    >>> found = read_delimited(b"age;sex\n31;m\n45;f\n", '"t.csv"', Dialect(), [""])
    >>> found.frame.rows()
    [(31, 'm'), (45, 'f')]
    """
    text, remark = to_utf8(content, shown, dialect.encoding)
    remarks = [remark] if remark else []
    if not text or text.isspace():
        raise TableError(f"{shown} is empty.")
    if b"\r" in text and b"\n" not in text:  # as old Macintoshes write
        text = text.replace(b"\r", b"\n")
    quote = dialect.quote
    text, above = _without_comments(text, dialect)
    if above:
        remarks.append(f"{above:,} {'line' if above == 1 else 'lines'} of comment above the table left out")
    separator = find_separator(text, quote) if dialect.separator is None else dialect.separator
    text = _without_blanks_before_quotes(text, separator, quote)
    records = first_records(text, separator, quote)
    if not records:
        raise TableError(f"{shown} has no cell with a value.")
    named = has_names(records, [*missing]) if dialect.header == "auto" else dialect.header
    width = len(records[0])
    rest, line = text, above
    nameless = False
    if named:
        names, nameless, rest, lines_above = _header(text, separator, quote, shown)
        line += lines_above
        width = len(names)
    else:
        names = [f"column {place}" for place in range(1, width + 1)]
        if dialect.header == "auto":
            remarks.append("no header was found, so the columns are called by their numbers")
    if not rest or rest.isspace():
        raise TableError(f"{shown} has a header and no rows.")
    rest, kept, wrong = well_formed(rest, separator, quote, width, dialect.skip_malformed)
    if dialect.skip_malformed and sum("quote" in bad.reason for bad in wrong) >= PATIENCE:
        raise TableError(
            f"{shown} cannot be read as a table: {PATIENCE} lines and more have wrong quotes, the first one "
            f"is line {wrong[0].line + line:,}; if quotes are ordinary characters, read with quote=None."
        )
    if wrong:
        what = "the header" if named else "the first line"
        if not dialect.skip_malformed or not len(kept):
            raise TableError(malformed_sentence(shown, wrong, line, f"{what} has {width}", separator))
        remarks.append(skipped_remark(wrong, line))
    frame = _parse(rest, names, separator, quote, len(kept), shown)
    lines = Lines(kept.lines + line)
    settled = [
        settle(
            frame[name],
            missing,
            lines,
            as_text=name in as_text,
            as_numbers=name in as_numbers,
            comma=separator != ",",
        )
        for name in names
    ]
    if nameless and width > 1 and settled[-1].reading.kind == "empty":  # a separator at the end of each line
        del settled[-1]
        remarks.append("the last column, which has neither a name nor a value, left out")
    return Contents.of(settled, remarks, lines=lines)


def _without_comments(text: bytes, dialect: Dialect) -> tuple[bytes, int]:
    """The text without the lines above the table that begin with #, and the number of lines that are gone.

    A line with as many cells as the first line that follows is no comment but a header, "#id,name", or a row;
    in a table of one column, "#id" is one and "# made in May" is not.
    """
    found = _COMMENTS.match(text)
    if found is None or not text[found.end() :].strip():
        return text, 0
    rest = text[found.end() :]
    separator = find_separator(rest, dialect.quote) if dialect.separator is None else dialect.separator
    width = len((first_records(rest, separator, dialect.quote) or [[]])[0])
    lines = found.group().splitlines(keepends=True)
    while lines:
        cells = (first_records(lines[-1], separator, dialect.quote) or [[]])[0]
        if len(cells) != width or (width == 1 and cells[0].startswith("# ")):
            break
        lines.pop()
    return text[sum(map(len, lines)) :], len(lines)


def _without_blanks_before_quotes(text: bytes, separator: str, quote: str | None) -> bytes:
    """Blanks between a separator and a quote do not count, if that makes sense of all quotes."""
    if quote is None:
        return text
    blank = re.compile(re.escape(separator.encode()) + rb"[ ]+" + re.escape(quote.encode()))
    # The first lines show the habit; a wrong quote shows that it matters.
    if separator == " " or not blank.search(text[:_BYTES]) or scan(text, separator, quote)[1] is None:
        return text
    closer = blank.sub(separator.encode() + quote.encode(), text)
    return closer if scan(closer, separator, quote)[1] is None else text


def _header(text: bytes, separator: str, quote: str | None, shown: str) -> tuple[list[str], bool, bytes, int]:
    """The names in the first record, is the last one empty?, the text behind it, and the lines before."""
    start = len(text) - len(text.lstrip(b"\r\n"))
    end, quotes = start, 0
    while True:
        found = text.find(b"\n", end)
        stop = len(text) if found < 0 else found
        quotes += text.count(quote.encode(), end, stop) if quote else 0
        end = stop + 1
        if quotes % 2 == 0 or found < 0:
            break
    if quotes % 2:
        raise TableError(f"{shown} cannot be read as a table: its first line ends inside a quoted cell.")
    record = text[start:stop].decode("utf-8")
    cells = next(
        csv.reader(
            io.StringIO(record.rstrip("\r"), newline=""),
            delimiter=separator,
            quotechar=quote or '"',
            quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
        )
    )
    names = [cell.strip() or f"column {place}" for place, cell in enumerate(cells, 1)]
    refuse_duplicates(names, f"In the header of {inside(shown)}")
    return names, not cells[-1].strip(), text[end:], text.count(b"\n", 0, min(end, len(text)))


def _parse(
    text: bytes, names: Sequence[str], separator: str, quote: str | None, rows: int, shown: str
) -> pl.DataFrame:
    """Let polars cut the cells apart; it must find as many rows as the scan has."""
    import polars as pl

    try:
        frame = pl.read_csv(
            io.BytesIO(text),
            has_header=False,
            schema=dict.fromkeys(names, pl.String),
            separator=separator,
            quote_char=quote,
            infer_schema=False,
        )
    except pl.exceptions.PolarsError as error:
        reason = " ".join(str(error).split())
        raise TableError(f"{shown} cannot be read as a table: {reason}") from error
    if frame.height != rows:
        raise TableError(
            f"{shown} cannot be read as a table: {rows:,} records were counted and {frame.height:,} parsed; "
            "if its quotes are ordinary characters, read it with quote=None."
        )
    return frame
