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
_RETURN: Final = 13
PATIENCE: Final = 50
"""Lines with wrong quotes that are cut out before the file is given up: each one costs another scan."""


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
    breaks = np.flatnonzero(data == _BREAK)
    marks = np.flatnonzero(data == ord(separator))
    ends = breaks
    quotes: Places | None = None
    hidden = np.zeros(0, dtype=np.int64)
    wrong: Malformed | None = None
    limit = len(data)
    if quote is not None and quote.encode() in text:
        quotes = np.flatnonzero(data == ord(quote))
        place, reason = _wrong_quote(data, quotes, ord(separator), ord(quote))
        if reason:
            wrong = Malformed(int(np.searchsorted(breaks, place)) + 1, reason)
            limit = _line_start(text, place)
        # Outside of quotes are the places with an even number of quotes before them.
        ends = breaks[np.searchsorted(quotes, breaks) % 2 == 0]
        hidden = _between(marks, quotes)
    if limit < len(data):
        ends = ends[ends < limit]
    elif len(data) and (not len(ends) or ends[-1] != len(data) - 1):
        ends = np.append(ends, len(data))
    starts = np.concatenate([[0], ends[:-1] + 1]).astype(np.int64)[: len(ends)]
    lines = np.searchsorted(breaks, starts) + 1
    fields = np.searchsorted(marks, ends) - np.searchsorted(marks, starts) + 1
    if quotes is not None:  # less the separators inside of quotes
        until = np.concatenate([[0], np.cumsum(hidden)])
        fields -= until[np.searchsorted(quotes, ends) // 2] - until[np.searchsorted(quotes, starts) // 2]
    records = Records(starts, ends.astype(np.int64), lines.astype(np.int64), fields.astype(np.int64))
    # A blank line has no more than a few characters, all of them blanks.
    short = np.flatnonzero((records.fields == 1) & (records.ends - records.starts < 200))
    blank = [place for place in short if not text[records.starts[place] : records.ends[place]].strip()]
    if blank:
        kept = np.ones(len(records), dtype=np.bool_)
        kept[blank] = False
        records = records.keep(kept)
    return records, wrong


def _between(marks: Places, quotes: Places) -> Places:
    """How many marks each quoted stretch hides; a last quote without a partner opens none."""
    pairs = quotes[: len(quotes) // 2 * 2]
    return np.searchsorted(marks, pairs[1::2]) - np.searchsorted(marks, pairs[::2])


def _wrong_quote(data: npt.NDArray[np.uint8], quotes: Places, separator: int, quote: int) -> tuple[int, str]:
    """The place of the first quote that is wrong, and why it is; no reason when all are right."""
    opens = np.arange(len(quotes)) % 2 == 0
    before = np.where(quotes > 0, data[quotes - 1], _BREAK)
    after = np.where(quotes + 1 < len(data), data[np.minimum(quotes + 1, len(data) - 1)], _BREAK)
    at_start = (before == separator) | (before == _BREAK) | (before == quote)
    at_end = (after == separator) | (after == _BREAK) | (after == _RETURN) | (after == quote)
    good = np.where(opens, at_start, at_end)
    if not good.all():
        return int(quotes[np.argmin(good)]), "has a quote in the middle of a field"
    if len(quotes) % 2 == 0:
        return 0, ""
    # A doubled quote closes a field and opens it again; go back to the one that began it.
    last = len(quotes) - 1
    while last >= 2 and quotes[last] - quotes[last - 1] == 1:
        last -= 2
    return int(quotes[last]), "opens a quote that is never closed"


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
        if not skip or len(wrong) >= PATIENCE:
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
