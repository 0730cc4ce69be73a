"""Which characters do the bytes mean? Found out from a byte order mark, or from what the bytes can be.

A byte order mark decides. Without one, text in UTF-16 shows by its zero bytes, which stand at every second
place; any other zero byte means that this is no text. Bytes that are valid UTF-8 are UTF-8: text in another
encoding practically never is by accident. What is left is taken for Windows-1252, the superset of Latin-1
that old spreadsheets write, and the caller is told, since nothing can prove it.
"""

from __future__ import annotations

import codecs
from typing import Final

from boxwood.data.readers.source import TableError

MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins as the mark of UTF-16 does, and so comes first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LOOKED_AT: Final = 8192


def to_utf8(content: bytes, shown: str, encoding: str | None = None) -> tuple[bytes, str | None]:
    r"""Return the text in UTF-8 without a byte order mark, and a remark if its encoding was guessed.

    >>> to_utf8("a,é".encode("utf-16"), '"t.csv"')
    (b'a,\xc3\xa9', None)
    >>> to_utf8(b"a,b\n1,\xe9\n", '"t.csv"')[1]
    'read as Windows-1252, since the byte 0xe9 in line 2 is not UTF-8'
    """
    if encoding is not None:
        try:
            return content.decode(encoding).removeprefix("\ufeff").encode(), None
        except LookupError:
            raise ValueError(
                f"there is no encoding {encoding!r}; the usual ones are 'utf-8', 'cp1252'"
            ) from None
        except UnicodeError as error:
            raise TableError(f"{shown} is not text in {encoding}: {error}.") from error
    for mark, name in MARKS:
        if content.startswith(mark):
            rest = content[len(mark) :]
            if name == "utf-8":
                return _checked(rest, shown)
            return _decoded(rest, name, shown), None
    start = content[:_LOOKED_AT]
    if b"\0" in start:
        wide = _wide(start)
        if wide is None:
            raise TableError(f"{shown} is not a text file, and so not a CSV table.")
        return _decoded(content, wide, shown), None
    odd = sum(byte < 32 and byte not in b"\t\n\r\f\x1a\x1b" for byte in start)
    if odd > 0.02 * len(start):
        raise TableError(f"{shown} is not a text file, and so not a CSV table.")
    return _checked(content, shown)


def _wide(start: bytes) -> str | None:
    """UTF-16 without a mark, by where its zero bytes stand."""
    even, odd = start[::2].count(0), start[1::2].count(0)
    half = max(1, len(start) // 2)
    if odd > 0.4 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.4 * half and odd < 0.05 * half:
        return "utf-16-be"
    return None


def _decoded(content: bytes, name: str, shown: str) -> bytes:
    try:
        return content.decode(name).encode()
    except UnicodeError as error:
        raise TableError(
            f"{shown} begins as text in {name.upper()} and does not go on as such: {error}."
        ) from error


def _checked(content: bytes, shown: str) -> tuple[bytes, str | None]:
    """UTF-8 where that is possible, Windows-1252 where it is not."""
    if content.isascii():
        return content, None
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        remark = f"since the byte 0x{content[error.start]:02x} in line {line:,} is not UTF-8"
        try:
            return content.decode("cp1252").encode(), f"read as Windows-1252, {remark}"
        except UnicodeDecodeError:
            return content.decode("latin-1").encode(), f"read as Latin-1, {remark}"
    return content, None
