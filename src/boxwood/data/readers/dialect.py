"""Which character stands between two cells, and does the first line hold names? Found out from the cells.

The separator is the candidate that cuts the first records into the same number of cells, more than one; the
one that agrees with most of the records wins, then the one that makes more cells. A blank counts only if all
records agree, since blanks stand in ordinary text too.

The first record holds names unless something speaks against it. In order:

1. numbers that count the columns (0, 1, 2, ... or 1, 2, 3, ...) are names, since pandas writes such headers;
2. any other number in it means that it is data: names are rarely numbers;
3. a column that holds only numbers or dates from the second record on has a name above it;
4. without any such column, a text that stands twice in the first record, or again further down in its
   column, means that it is data;
5. otherwise it holds names.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import Final

CANDIDATES: tuple[str, ...] = (",", ";", "\t", "|", " ")
_LOOKED_AT: Final = 1000  # records
_BYTES: Final = 1 << 18


def first_records(text: bytes, separator: str, quote: str | None) -> list[list[str]]:
    """The first records of a text, cut into cells, without blank lines."""
    start = text[:_BYTES]
    if len(start) < len(text):  # do not look at half a record
        start = start[: start.rfind(b"\n") + 1] or start
    reader = csv.reader(
        io.StringIO(start.decode("utf-8", "replace"), newline=""),
        delimiter=separator,
        quotechar=quote or '"',
        quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
    )
    found: list[list[str]] = []
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append([cell.strip() for cell in cells])
            if len(found) == _LOOKED_AT:
                break
    except csv.Error:  # a cell beyond the reader's limit; what was read is enough
        pass
    return found


def find_separator(text: bytes, quote: str | None) -> str:
    r"""Return the character between two cells; a comma when the text has one column.

    >>> find_separator(b"a;b\n1,5;2\n", '"'), find_separator(b"one\ntwo, or so\n", '"')
    (';', ',')
    """
    best, chosen = (0.0, 0), ","
    for candidate in CANDIDATES:
        if candidate.encode() not in text:
            continue
        widths = Counter(len(cells) for cells in first_records(text, candidate, quote))
        if not widths:
            continue
        width, records = max(widths.items(), key=lambda item: (item[1], item[0]))
        agreeing = records / widths.total()
        if width < 2 or agreeing < (1.0 if candidate == " " else 0.5):
            continue
        # A few ragged lines are no reason to prefer a separator that makes two cells of each line.
        rank = (round(agreeing, 1), width)
        if rank > best and not (candidate == " " and best[1]):
            best, chosen = rank, candidate
    return chosen


def has_names(records: Sequence[Sequence[str]], missing: Sequence[str]) -> bool:
    """Whether the first record holds the names of the columns.

    >>> has_names([["age", "sex"], ["31", "m"]], []), has_names([["31", "m"], ["45", "f"]], [])
    (True, False)
    >>> has_names([["m", "yes"], ["f", "yes"]], [])
    False
    """
    if not records:
        return True
    first, rest = records[0], [record for record in records[1:] if len(record) == len(records[0])]
    empty = {"", *missing}
    numbers = {place: cell for place, cell in enumerate(first) if cell not in empty and is_value(cell)}
    if numbers:
        counting = any(
            all(cell == str(place + offset) for place, cell in numbers.items()) for offset in (0, 1)
        )
        return counting and len(numbers) > 1 and bool(rest)
    if not rest:
        return True
    columns = [[record[place] for record in rest] for place in range(len(first))]
    present = [[cell for cell in column if cell not in empty] for column in columns]
    if any(
        name not in empty and cells and all(map(is_value, cells))
        for name, cells in zip(first, present, strict=True)
    ):
        return True
    named = [name for name in first if name not in empty]
    if len(set(named)) < len(named):
        return False
    return not any(name not in empty and name in column for name, column in zip(first, columns, strict=True))


def is_value(cell: str) -> bool:
    """Whether a cell is a number or a date, which a name hardly ever is.

    >>> [is_value(cell) for cell in ("1.5", "1,5", "2024-02-29", "v1", "nan")]
    [True, True, True, False, False]
    """
    if not any(character.isdigit() for character in cell):
        return False
    try:
        float(cell.replace(",", ".", 1))
    except ValueError:
        parts = cell[:10].split("-")
        return len(parts) == 3 and len(cell) >= 8 and all(part.isdigit() for part in parts)
    return True
