"""ARFF, the attribute-relation file format of Weka: the types are declared, so nothing is guessed.

A header declares the attributes (``@attribute name type``), a data section lists the rows. Understood are:

- numeric, real and integer; nominal domains in braces; string; date with an optional format in the letters of
  Java's SimpleDateFormat. A relational attribute is refused, since a cell of it is a table.
- Names and values may stand in single or double quotes, with a backslash before quotes inside.
- ``%`` begins a comment, in a line of its own or after a declaration.
- ``?`` without quotes is a missing cell, and so is an empty one; in quotes it is a value.
- A row in braces is sparse: pairs of position (from 0) and value. What it does not list is 0, which for a
  nominal attribute means its first value and for a date 1 January 1970, as in Weka; a string is missing.
- A number in braces behind a row is its weight.

Rows with a wrong number of cells, a value outside of its domain or a number that is none are malformed, each
with its line.
"""

from __future__ import annotations

import datetime
import difflib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from boxwood.data.cells import EXACT_INTEGERS
from boxwood.data.readers.contents import (
    Contents,
    inside,
    malformed_sentence,
    refuse_duplicates,
    skipped_remark,
)
from boxwood.data.readers.encoding import to_utf8
from boxwood.data.readers.java_dates import DEFAULT_FORMAT, read_moment, strptime_format
from boxwood.data.readers.kinds import Kind, Lines, ReadColumn, Settled, as_categories, short
from boxwood.data.readers.records import Malformed
from boxwood.data.readers.source import TableError

_WORD: Final = re.compile(
    r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s,{}'"][^,]*?|))\s*(?:(,)|$)"""
)
_NAME: Final = re.compile(r"""\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|([^\s{}'",]+))""")
_WEIGHT: Final = re.compile(r",\s*\{\s*([^{}\s]+)\s*\}\s*$")
_ESCAPE: Final = re.compile(r"\\(.)")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r"}
_SPECIAL: Final = re.compile(r"""['"\\{]""")
_BEFORE_COMMENT: Final = re.compile(r"""(?:[^'"%]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|['"](?=[^'"]*$))*""")
_POSITION: Final = re.compile(r"\s*(\d+)\s+")
_END_OF_VALUE: Final = re.compile(r"\s*(,|\}|$)")


@dataclass(frozen=True)
class Attribute:
    """One declared attribute: its name, its type in one word, its domain or the format of its dates."""

    name: str
    type: str
    domain: tuple[str, ...] = ()
    form: str = DEFAULT_FORMAT


class _Quoted(str):
    """A cell that stood in quotes, in which a question mark is a value."""


class _RowError(Exception):
    """What is wrong with one row."""


def is_arff(content: bytes) -> bool:
    r"""Whether a text begins as an ARFF file does.

    >>> is_arff(b"% a comment\n@RELATION iris\n"), is_arff(b"a,b\n")
    (True, False)
    """
    for line in content[:65536].splitlines():
        line = line.removeprefix(b"\xef\xbb\xbf").strip()
        if line and not line.startswith(b"%"):
            return line.lower().startswith((b"@relation", b"@attribute"))
    return False


def read_arff(
    content: bytes,
    shown: str,
    missing: Collection[str],
    as_text: Collection[str] = (),
    encoding: str | None = None,
    skip: bool = False,
) -> Contents:
    r"""Read an ARFF file.

    >>> text = b"@relation r\n@attribute 'a b' numeric\n@attribute c {x,'y z'}\n@data\n1.5,'y z'\n?,x\n"
    >>> read_arff(text, '"t.arff"', [""]).frame.rows()
    [(1.5, 'y z'), (None, 'x')]
    """
    text, remark = to_utf8(content, shown, encoding)
    lines = re.split("\r\n|\r|\n", text.decode("utf-8"))
    attributes, start = _declarations(lines, shown)
    readers = [_reader(attribute) for attribute in attributes]
    unlisted = [_unlisted(attribute) for attribute in attributes]
    words = frozenset(missing)
    rows: list[list[Any]] = []
    numbers: list[int] = []
    weights: list[float] = []
    wrong: list[Malformed] = []
    counts: dict[str, int] = {}
    for number, line in enumerate(lines[start:], start + 1):
        line = _without_comment(line)
        if not line:
            continue
        try:
            cells, weight = _cells(line, attributes, unlisted)
            row: list[Any] = []
            for cell, read, attribute in zip(cells, readers, attributes, strict=True):
                if cell is None or (type(cell) is str and cell in ("?", "")):
                    row.append(None)
                elif type(cell) is str and cell in words and cell not in attribute.domain:
                    counts[cell] = counts.get(cell, 0) + 1
                    row.append(None)
                else:
                    row.append(read(cell))
        except _RowError as error:
            wrong.append(Malformed(number, str(error)))
            continue
        rows.append(row)
        numbers.append(number)
        weights.append(weight)
    remarks = [remark] if remark else []
    if wrong:
        if not skip or not rows:
            raise TableError(
                malformed_sentence(shown, wrong, 0, f"there are {len(attributes)} attributes", ",").replace(
                    "; if quotes are ordinary characters there, with quote=None", ""
                )
            )
        remarks.append(skipped_remark(wrong, 0))
    if not rows:
        raise TableError(f"{shown} declares {len(attributes)} attributes and has no rows.")
    columns: Sequence[tuple[Any, ...]] = list(zip(*rows, strict=True))
    settled = [_settled(attribute, cells) for attribute, cells in zip(attributes, columns, strict=True)]
    settled = [as_categories(one) if one.reading.name in as_text else one for one in settled]
    if counts:
        settled[0] = Settled(settled[0].series, settled[0].reading, counts)
    weighted = any(weight != 1.0 for weight in weights)
    return Contents.of(
        settled,
        remarks,
        lines=Lines(np.array(numbers, dtype=np.int64)),
        domains={attribute.name: attribute.domain for attribute in attributes if attribute.type == "nominal"},
        weights=np.array(weights) if weighted else None,
    )


# ----------------------------------------------------------------------------------- declarations


def _declarations(lines: Sequence[str], shown: str) -> tuple[list[Attribute], int]:
    """The attributes, and the place of the first line of data."""
    attributes: list[Attribute] = []
    for place, line in enumerate(lines):
        line = _without_comment(line)
        if not line:
            continue
        keyword = line.split(maxsplit=1)[0].lower()
        if keyword == "@relation":
            continue
        if keyword == "@attribute":
            try:
                attributes.append(_attribute(line[len(keyword) :]))
            except _RowError as error:
                raise TableError(f"{shown}, line {place + 1:,}: {error}.") from None
        elif keyword == "@data":
            if not attributes:
                raise TableError(f"{shown} declares no attribute before its data.")
            refuse_duplicates(
                [attribute.name for attribute in attributes], f"In the declarations of {inside(shown)}"
            )
            return attributes, place + 1
        else:
            raise TableError(
                f"{shown}, line {place + 1:,}: a declaration begins with @relation, @attribute or @data, not "
                f'with "{short(keyword)}".'
            )
    raise TableError(f"{shown} has no @data line, and so no rows.")


def _attribute(text: str) -> Attribute:
    found = _NAME.match(text)
    if found is None:
        raise _RowError("an attribute without a name")
    name = _word(found)
    rest = text[found.end() :].strip()
    if rest.startswith("{"):
        return Attribute(name, "nominal", _domain(name, rest))
    kind, *more = rest.split(maxsplit=1) or [""]
    kind = kind.lower()
    if kind in ("numeric", "real", "integer"):
        return Attribute(name, "numeric")
    if kind == "string":
        return Attribute(name, "string")
    if kind == "date":
        found = _NAME.match(more[0]) if more else None
        form = _word(found) if found else DEFAULT_FORMAT
        try:
            strptime_format(form)
        except ValueError as error:
            raise _RowError(f'attribute "{name}": {error}') from None
        return Attribute(name, "date", form=form)
    if kind == "relational":
        raise _RowError(
            f'attribute "{name}" is relational, so each of its cells is a table of its own; a learner of '
            "trees needs one value in a cell"
        )
    raise _RowError(
        f'attribute "{name}" has the type "{short(kind)}"; known are numeric, real, integer, string, date '
        "and a list of values in braces"
    )


def _without_comment(line: str) -> str:
    """A line without blanks around it and without what follows a percent sign outside of quotes."""
    line = line.strip().removeprefix("\ufeff")
    if "%" not in line:
        return line
    if "'" not in line and '"' not in line:
        return line.partition("%")[0].rstrip()
    found = _BEFORE_COMMENT.match(line)
    return line if found is None else found.group().rstrip()


def _domain(name: str, text: str) -> tuple[str, ...]:
    values: list[str] = []
    place = 1
    while True:
        found = _NAME.match(text, place)
        if found is None:  # nothing more, or an empty place
            closing = _END_OF_VALUE.match(text, place)
            if closing is None or closing.group(1) != "}":
                raise _RowError(f'the values of attribute "{name}" have no closing brace in this line')
            break
        value, place = _word(found), found.end()
        closing = _END_OF_VALUE.match(text, place)
        while closing is None and found.group(3) is not None:  # a value with blanks and no quotes
            found = _NAME.match(text, place)
            if found is None:
                break
            value += text[place : found.end()]
            place = found.end()
            closing = _END_OF_VALUE.match(text, place)
        values.append(value)
        if closing is None or not closing.group(1):
            raise _RowError(f'the values of attribute "{name}" have no closing brace in this line')
        place = closing.end()
        if closing.group(1) == "}":
            break
    if len(set(values)) < len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise _RowError(f'attribute "{name}" lists the value "{twice}" twice')
    return tuple(values)


def _word(found: re.Match[str]) -> str:
    """The text of a match, without its quotes."""
    quoted = found.group(1) if found.group(1) is not None else found.group(2)
    if quoted is None:
        return str(found.group(3))
    return _Quoted(_ESCAPE.sub(lambda escape: _ESCAPES.get(escape.group(1), escape.group(1)), quoted))


# ------------------------------------------------------------------------------------------- rows


def _cells(
    line: str, attributes: Sequence[Attribute], unlisted: Sequence[str | None]
) -> tuple[list[str | None], float]:
    """The cells of one row, None for missing ones, and its weight."""
    weight = 1.0
    found = _WEIGHT.search(line) if line.endswith("}") else None
    if found is not None and (not line.startswith("{") or line.find("}") < found.start()):
        try:
            weight = _float(found.group(1))
        except ValueError:
            weight = -1.0
        if not 0.0 <= weight < float("inf"):
            raise _RowError(f'has the weight "{short(found.group(1))}", which is none')
        line = line[: found.start()].rstrip()
    if line.startswith("{"):
        return _sparse(line, attributes, unlisted), weight
    if _SPECIAL.search(line) is None:
        # Blanks and tabs separate cells too, where there is no comma.
        plain = line.split(",") if "," in line or len(attributes) == 1 else line.split()
        cells: list[str | None] = [cell.strip() for cell in plain]
    else:
        cells = list(_split(line))
    if len(cells) != len(attributes):
        raise _RowError(f"has {len(cells):,} {'cell' if len(cells) == 1 else 'cells'}")
    return cells, weight


def _split(line: str) -> Iterator[str]:
    """The cells of a line with quotes."""
    place = 0
    while True:
        found = _WORD.match(line, place)
        if found is None:
            rest = short(line[place:].strip(), 20)
            raise _RowError(f'has a quote that is never closed, or text behind one: "{rest}"')
        yield _word(found)
        place = found.end()
        if found.group(4) is None:
            return


def _sparse(line: str, attributes: Sequence[Attribute], unlisted: Sequence[str | None]) -> list[str | None]:
    if not line.endswith("}"):
        raise _RowError("begins with a brace and does not end with one")
    cells = list(unlisted)
    inner = line[1:-1].strip()
    seen: set[int] = set()
    place = 0
    while place < len(inner):
        found = _POSITION.match(inner, place)
        value = _WORD.match(inner, found.end()) if found else None
        if found is None or value is None:
            raise _RowError(f'has "{short(inner[place:].strip(), 20)}" where a position and a value belong')
        position = int(found.group(1))
        if position >= len(attributes) or position in seen:
            why = "it named before" if position in seen else "is too high"
            raise _RowError(f"names the position {position}, which {why}")
        seen.add(position)
        cells[position] = _word(value)
        place = value.end()
    return cells


def _unlisted(attribute: Attribute) -> str | None:
    """What a sparse row means by not listing an attribute."""
    match attribute.type:
        case "numeric":
            return "0"
        case "nominal":
            return _Quoted(attribute.domain[0]) if attribute.domain else None
        case "date":
            return _Quoted("\0")
        case _:
            return None


def _float(cell: str) -> float:
    """A number; 1_000 is one in Python and in no file."""
    if "_" in cell:
        raise ValueError(cell)
    return float(cell)


def _reader(attribute: Attribute) -> Callable[[str], Any]:
    """What turns a cell of this attribute into a value."""
    name, domain = attribute.name, frozenset(attribute.domain)

    def number(cell: str) -> float:
        try:
            return _float(cell)
        except ValueError:
            raise _RowError(f'has "{short(cell)}" in "{name}", which is no number') from None

    def value(cell: str) -> str:
        if cell not in domain:
            close = difflib.get_close_matches(cell, attribute.domain, n=1)
            hint = f' (did it mean "{close[0]}"?)' if close else ""
            raise _RowError(f'has "{short(cell)}" in "{name}", which does not declare that value{hint}')
        return str(cell)

    known: dict[str, datetime.datetime] = {"\0": datetime.datetime(1970, 1, 1)}

    def moment(cell: str) -> datetime.datetime:
        if cell not in known:
            try:
                known[cell] = read_moment(cell, attribute.form)
            except ValueError as error:
                raise _RowError(f'has "{short(cell)}" in "{name}": {error}') from None
        return known[cell]

    readers: dict[str, Callable[[str], Any]] = {
        "numeric": number,
        "nominal": value,
        "date": moment,
        "string": str,
    }
    return readers[attribute.type]


def _settled(attribute: Attribute, cells: Sequence[Any]) -> Settled:
    import polars as pl

    gone = sum(cell is None for cell in cells)
    kind: Kind
    if attribute.type == "numeric":
        series = pl.Series(attribute.name, cells, dtype=pl.Float64)
        whole = series.cast(pl.Int64, strict=False)
        exact = bool(((whole == series) & (series.abs() < EXACT_INTEGERS)).fill_null(series.is_null()).all())
        kind = "numbers"
        if exact:
            series, kind = whole, "whole numbers"
    elif attribute.type == "date":
        series, kind = pl.Series(attribute.name, cells, dtype=pl.Datetime("us")), "dates"
    else:
        series, kind = pl.Series(attribute.name, cells, dtype=pl.String), "categories"
    declared = {"nominal": "a list of values", "string": "string"}.get(attribute.type, attribute.type)
    if gone == len(cells):
        kind = "empty"
    return Settled(series, ReadColumn(attribute.name, kind, f"declared as {declared}", gone), {})
