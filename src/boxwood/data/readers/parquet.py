"""Parquet: the file has types, so polars reads it and little is left to say."""

from __future__ import annotations

import io
from collections.abc import Collection
from dataclasses import replace

from boxwood.data.readers.contents import Contents, inside, refuse_duplicates
from boxwood.data.readers.kinds import Lines, Settled, as_categories, typed
from boxwood.data.readers.source import TableError


def read_parquet(
    content: bytes, shown: str, missing: Collection[str], as_text: Collection[str] = ()
) -> Contents:
    """Read a Parquet file.

    >>> import polars as pl
    >>> file = io.BytesIO()
    >>> pl.DataFrame({"age": [31, None], "sex": ["m", "f"]}).write_parquet(file)
    >>> read_parquet(file.getvalue(), '"t.parquet"', []).columns[0].kind
    'whole numbers'
    """
    import polars as pl

    try:
        frame = pl.read_parquet(io.BytesIO(content))
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise TableError(f"{shown} cannot be read as a Parquet file: {reason}") from error
    if frame.width == 0:
        raise TableError(f"{shown} has no columns.")
    if frame.height == 0:
        raise TableError(f"{shown} has columns and no rows.")
    refuse_duplicates(frame.columns, f"In {inside(shown)}")
    settled: list[Settled] = []
    for column in frame:
        try:
            found = typed(column)
        except TypeError as error:
            raise TableError(
                f'{shown}: column "{column.name}" has the type {error}, and a learner of trees needs one '
                "number, date or text in a cell; leave the column out when writing the file."
            ) from None
        if column.name in as_text:
            found = as_categories(found)
        if missing and found.series.dtype == pl.String:
            hit = found.series.is_in(list(missing)).fill_null(False)
            words = {str(word): count for word, count in found.series.filter(hit).value_counts().rows()}
            text = found.series.set(hit, None)
            reading = replace(found.reading, missing=text.null_count())
            found = Settled(text, reading, words)
        settled.append(found)
    return Contents.of(settled, [], lines=Lines(None))
