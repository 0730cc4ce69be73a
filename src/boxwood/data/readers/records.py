"""Where each record of a delimited text begins, in which line, and how many fields it has.

polars parses the cells; but it fills short lines up in silence, and cannot say in which line a long one
stands. So the bytes are looked at once before, by whole arrays: a quote opens or closes a quoted stretch, a
line break outside of one ends a record, a separator outside of one ends a field. A few passes over the bytes,
which take less time than parsing does.

What is malformed:

- a record with another number of fields than the table has columns;
- a quote that opens in the middle of a field, or closes before its end (a quote inside quotes is doubled);
- a quote that is never closed.

What follows a wrong quote cannot be trusted, so the first one ends a scan. Under ``malformed="skip"`` its
line is cut out and the rest is scanned again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]

_BREAK: Final = 10
_PATIENCE: Final = 200  # lines with wrong quotes that are cut out before the file is given up


@dataclass(frozen=True)
class Malformed:
    """A line that cannot be part of the table, and why."""

    line: int
    reason: str

    def __str__(self) -> str:
        return f"line {self.line:,} {self.reason}"


@dataclass(frozen=True, eq=False)
class Records:
    """The records of a text: where they start and end, their lines (from 1) and their numbers of fields."""

    starts: Places
    ends: Places
    lines: Places
    fields: Places

    def __len__(self) -> int:
        return len(self.starts)

    def keep(self, which: npt.NDArray[np.bool_]) -> Records:
        """Some of the records."""
        return Records(self.starts[which], self.ends[which], self.lines[which], self.fields[which])


def scan(text: bytes, separator: str, quote: str | None) -> tuple[Records, Malformed | None]:
    r"""Find the records of a text, up to the first wrong quote; blank lines are none.

    >>> records, wrong = scan(b'a,b\n"x\ny",1\n\n2\n', ",", '"')
    >>> records.lines.tolist(), records.fields.tolist(), wrong
    ([1, 2, 5], [2, 2, 1], None)
    """
    data = np.frombuffer(text, dtype=np.uint8)
    breaks = data == _BREAK
    marks = data == ord(separator)
    wrong: Malformed | None = None
    limit = len(data)
    if quote is not None and quote.encode() in text:
        quotes = data == ord(quote)
        inside = np.bitwise_xor.accumulate(quotes)
        place, reason = _wrong_quote(data, quotes, inside, ord(separator), ord(quote))
        if reason:
            wrong = Malformed(int(np.count_nonzero(breaks[:place])) + 1, reason)
            limit = _line_start(text, place)
        outside = ~inside
        ends = np.flatnonzero(breaks & outside)
        marks &= outside
    else:
        ends = np.flatnonzero(breaks)
    if limit < len(data):
        ends = ends[ends < limit]
    elif len(data) and (not len(ends) or ends[-1] != len(data) - 1):
        ends = np.append(ends, len(data))
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)[: len(ends)]
    all_breaks = np.flatnonzero(breaks)
    lines = np.searchsorted(all_breaks, starts) + 1
    places = np.flatnonzero(marks)
    fields = np.searchsorted(places, ends) - np.searchsorted(places, starts) + 1
    records = Records(starts, ends.astype(np.int64), lines.astype(np.int64), fields.astype(np.int64))
    # A blank line has no more than a few characters, all of them blanks.
    short = np.flatnonzero((records.fields == 1) & (records.ends - records.starts < 200))
    blank = [place for place in short if not text[records.starts[place] : records.ends[place]].strip()]
    if blank:
        kept = np.ones(len(records), dtype=np.bool_)
        kept[blank] = False
        records = records.keep(kept)
    return records, wrong


def _wrong_quote(
    data: npt.NDArray[np.uint8],
    quotes: npt.NDArray[np.bool_],
    inside: npt.NDArray[np.bool_],
    separator: int,
    quote: int,
) -> tuple[int, str]:
    """The place of the first quote that is wrong, and why it is; no reason when all are right."""
    places = np.flatnonzero(quotes)
    opens = inside[places]
    before = np.where(places > 0, data[places - 1], _BREAK)
    after = np.where(places + 1 < len(data), data[np.minimum(places + 1, len(data) - 1)], _BREAK)
    at_start = (before == separator) | (before == _BREAK)
    at_end = (after == separator) | (after == _BREAK) | (after == 13)
    # Blanks between a separator and a quote are read as part of the cell, so they are wrong here.
    good = np.where(opens, at_start | (before == quote), at_end | (after == quote))
    if not good.all():
        return int(places[np.argmin(good)]), "has a quote in the middle of a field"
    return (_last_opening(quotes, inside), "opens a quote that is never closed") if inside[-1] else (0, "")


def _last_opening(quotes: npt.NDArray[np.bool_], inside: npt.NDArray[np.bool_]) -> int:
    """The quote that the end of the text leaves open: the last one that opened a field."""
    places = np.flatnonzero(quotes & inside)
    # A doubled quote closes and opens again; the field began before it.
    place = int(places[-1])
    while place > 0 and quotes[place - 1]:
        earlier = places[places < place - 1]
        if not len(earlier):
            break
        place = int(earlier[-1])
    return place


def _line_start(text: bytes, place: int) -> int:
    return text.rfind(b"\n", 0, place) + 1


def well_formed(
    text: bytes, separator: str, quote: str | None, width: int, skip: bool
) -> tuple[bytes, Records, list[Malformed]]:
    r"""Return a text of good records only, its records, and what was wrong with the others.

    `width` is the number of columns. The lines of the records are those of the original text. Without `skip`
    the text is returned as far as it was understood, and is of no use if anything was wrong.

    >>> well_formed(b"1,2\n3\n4,5\n", ",", '"', 2, skip=True)[2]
    [Malformed(line=2, reason='has 1 cell')]
    """
    wrong: list[Malformed] = []
    done: list[tuple[bytes, Records]] = []
    first_line = 0
    while True:
        records, bad = scan(text, separator, quote)
        records = Records(records.starts, records.ends, records.lines + first_line, records.fields)
        done.append((text, records))
        if bad is None:
            break
        wrong.append(Malformed(bad.line + first_line, bad.reason))
        if not skip or len(wrong) >= _PATIENCE:
            break
        end = 0
        for _ in range(bad.line):
            end = text.find(b"\n", end) + 1
            if end == 0:
                break
        if end == 0:
            break
        text = text[end:]
        first_line += bad.line
    parts, kept = [], []
    for part, records in done:
        good = records.fields == width
        wrong += [
            Malformed(int(line), f"has {fields:,} {'cell' if fields == 1 else 'cells'}")
            for line, fields in zip(records.lines[~good], records.fields[~good], strict=True)
        ]
        records = records.keep(good)
        parts.append(_cut(part, records))
        kept.append(records)
    every = Records(
        *(np.concatenate([getattr(r, f) for r in kept]) for f in ("starts", "ends", "lines", "fields"))
    )
    return b"".join(parts), every, sorted(wrong, key=lambda bad: bad.line)


def _cut(text: bytes, records: Records) -> bytes:
    """The bytes of these records, each one with a line break at its end; unbroken runs are copied as one."""
    if not len(records):
        return b""
    gaps = np.flatnonzero(records.starts[1:] != records.ends[:-1] + 1)
    first = np.concatenate([[0], gaps + 1])
    last = np.concatenate([gaps, [len(records) - 1]])
    runs = [text[records.starts[a] : records.ends[b]] for a, b in zip(first, last, strict=True)]
    return b"\n".join(runs) + b"\n"
