"""How a combination is written: "buying=high & maint=low", and never two of them alike.

The text of a combination becomes a category, so different combinations need different texts, also those that
only a new table has. Most values stand as they are. Text is put in quotes, as in JSON, where it could be
misread: in a column that has numbers beside text (1 is 1, "1" is text), where it contains " &", which begins
the next column, and where it begins with a quotation mark or "#". A number that turns up in a column of text
is written "#1".

Why no two texts are alike: the columns and their order are those of the group. Of the first value whose texts
differ, text in quotes ends at its closing quotation mark; text without has no " &" inside, so it ends before
the first one. Within a column, what begins with a quotation mark or with "#" is text in quotes or a number,
and everything else is plain text, or, where numbers are at home, a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable


def has_only_text(categories: Iterable[object]) -> bool:
    """Whether the values of a column are all text.

    >>> has_only_text(["a", "1"]), has_only_text(["1", 1]), has_only_text([])
    (True, False, False)
    """
    kinds = {isinstance(category, str) for category in categories}
    return kinds == {True}


def value_text(value: object, *, among_text: bool) -> str:
    """A value in the name of a combination; whole floats without their point.

    >>> [value_text(value, among_text=True) for value in ("high", "1", "R & D", "#3", 3.0)]
    ['high', '1', '"R & D"', '"#3"', '#3']
    >>> [value_text(value, among_text=False) for value in (1, 2.0, "1", True)]
    ['1', '2', '"1"', 'True']
    """
    if isinstance(value, str):
        misread = not among_text or " &" in value or value.startswith(('"', "#"))
        return json.dumps(value, ensure_ascii=False) if misread else str(value)
    plain = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return f"#{plain}" if among_text else plain
