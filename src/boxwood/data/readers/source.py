"""Opening what holds a table: a path or an open file, decompressed, with the refusals that need no parser."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes]"

GZIP: Final = b"\x1f\x8b"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
PARQUET: Final = b"PAR1"

COMPRESSIONS: dict[bytes, Callable[[bytes], bytes]] = {
    GZIP: gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
    b"\x78\x01": zlib.decompress,
    b"\x78\x9c": zlib.decompress,
    b"\x78\xda": zlib.decompress,
}
"""How a compressed file begins, and what undoes it."""

# What people hand over by mistake: how it begins, what it is, what to do.
NO_TABLES: dict[bytes, str] = {
    b"PK\x03\x04": "a ZIP archive or a spreadsheet; unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an Office document; save the sheet as CSV",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"SQLite format 3": "an SQLite database; export the table as CSV",
    b"ARROW1": "an Arrow file; read it with polars or pyarrow and pass the frame",
}


class TableError(ValueError):
    """A file that cannot be read as a table; the sentence names the file, the line and the remedy."""


def read_source(source: Source) -> tuple[str, bytes]:
    """Return how to call a source in messages, and its bytes, decompressed.

    >>> import io
    >>> read_source(io.BytesIO(gzip.compress(b"a,b")))
    ('The file', b'a,b')
    """
    shown, content = _read(source)
    if content.startswith(ZSTANDARD):
        return shown, _unpack_zstandard(shown, content)
    for start, unpack in COMPRESSIONS.items():
        # zlib's two bytes, "x\x9c" say, could begin a text; then unpacking fails, and it is one.
        if content.startswith(start):
            try:
                return shown, unpack(content)
            except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
                if len(start) > 2 or start == GZIP:
                    raise TableError(
                        f"{shown} cannot be read as a table: it begins as a compressed file and cannot be "
                        f"decompressed ({error})."
                    ) from error
    for start, what in NO_TABLES.items():
        if content.startswith(start):
            raise TableError(f"{shown} is not a text file, and so not a CSV table: it is {what}.")
    return shown, content


def _read(source: Source) -> tuple[str, bytes]:
    if hasattr(source, "read"):
        content: Any = source.read()
        if isinstance(content, str):
            raise TypeError("the file is open as text; open it as bytes, with mode 'rb', or pass its path")
        name = getattr(source, "name", None)
        return f'"{name}"' if isinstance(name, str) and not name.startswith("<") else "The file", content
    if not isinstance(source, str | os.PathLike):
        raise TypeError(
            f"a table is read from a path or an open file, not from {type(source).__qualname__}; a frame or "
            "an array can be given to a learner as it is"
        )
    path = Path(source)
    if path.is_dir():
        raise IsADirectoryError(f'"{source}" is a folder, not a table.')
    try:
        return f'"{source}"', path.read_bytes()
    except FileNotFoundError:
        raise FileNotFoundError(f'There is no file "{source}".') from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OSError(f'"{source}" cannot be opened: {reason}.') from error


def _unpack_zstandard(shown: str, content: bytes) -> bytes:
    """Python has this only since 3.14; pyarrow always has."""
    try:
        import pyarrow as pa

        with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
            return bytes(stream.read())
    except ImportError:
        raise TableError(
            f"{shown} is compressed with Zstandard, which needs the package pyarrow: install it, or compress "
            "the file with gzip."
        ) from None
    except OSError as error:
        raise TableError(
            f"{shown} cannot be read as a table: it cannot be decompressed ({error})."
        ) from error
