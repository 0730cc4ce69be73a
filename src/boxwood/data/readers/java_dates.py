"""Dates in the letters of Java's SimpleDateFormat, which ARFF files declare, read with Python's strptime."""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import Final

DEFAULT_FORMAT: Final = "yyyy-MM-dd'T'HH:mm:ss"

# A run of one letter: from which length on, and what it is to strptime.
LETTERS: dict[str, tuple[tuple[int, str], ...]] = {
    "y": ((3, "%Y"), (2, "%y"), (1, "%Y")),
    "M": ((4, "%B"), (3, "%b"), (1, "%m")),
    "d": ((1, "%d"),),
    "D": ((1, "%j"),),
    "E": ((4, "%A"), (1, "%a")),
    "H": ((1, "%H"),),
    "h": ((1, "%I"),),
    "m": ((1, "%M"),),
    "s": ((1, "%S"),),
    "S": ((1, "%f"),),
    "a": ((1, "%p"),),
    "Z": ((1, "%z"),),
    "X": ((1, "%z"),),
}


@lru_cache(maxsize=64)
def strptime_format(form: str) -> str:
    """Translate a format.

    >>> strptime_format("yyyy-MM-dd'T'HH:mm:ss"), strptime_format("d MMM yy, h 'o''clock' a")
    ('%Y-%m-%dT%H:%M:%S', "%d %b %y, %I o'clock %p")
    """
    parts: list[str] = []
    place = 0
    while place < len(form):
        letter = form[place]
        if letter == "'":
            place, literal = _literal(form, place)
            parts.append(literal.replace("%", "%%"))
            continue
        end = place
        while end < len(form) and form[end] == letter:
            end += 1
        if letter in LETTERS:
            run = end - place
            parts.append(next(meaning for least, meaning in LETTERS[letter] if run >= least))
        elif letter.isascii() and letter.isalpha():
            raise ValueError(
                f'the date format "{form}" has the letter {letter}, which is not understood; known are '
                f"{', '.join(LETTERS)}"
            )
        else:
            parts.append(form[place:end].replace("%", "%%"))
        place = end
    return "".join(parts)


def _literal(form: str, place: int) -> tuple[int, str]:
    """The quoted text that begins here, and the place behind it; two quotes in a row are one."""
    if form.startswith("''", place):
        return place + 2, "'"
    text = ""
    place += 1
    while place < len(form):
        if form.startswith("''", place):
            text += "'"
            place += 2
        elif form[place] == "'":
            return place + 1, text
        else:
            text += form[place]
            place += 1
    raise ValueError(f'the date format "{form}" has a quote that is never closed')


def read_moment(text: str, form: str = DEFAULT_FORMAT) -> datetime.datetime:
    """Read a moment; one with a time zone becomes UTC, and moments have no zone of their own.

    >>> read_moment("29.2.2024 12:30", "d.M.yyyy HH:mm")
    datetime.datetime(2024, 2, 29, 12, 30)
    """
    plain = strptime_format(form)
    try:
        moment = datetime.datetime.strptime(text, plain)
    except ValueError:
        raise ValueError(f'that is no date of the form "{form}"') from None
    if moment.tzinfo is not None:
        moment = moment.astimezone(datetime.UTC).replace(tzinfo=None)
    return moment
