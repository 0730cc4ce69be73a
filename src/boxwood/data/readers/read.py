"""`read_table`: from a file to a frame and a target that any learner takes."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, Literal

from boxwood.data.readers.arff import is_arff, read_arff
from boxwood.data.readers.contents import Contents
from boxwood.data.readers.delimited import Dialect, read_delimited
from boxwood.data.readers.hand_over import FRAMES, as_labels, to_pandas, with_categories
from boxwood.data.readers.parquet import read_parquet
from boxwood.data.readers.result import LoadedTable
from boxwood.data.readers.source import PARQUET, Source, TableError, read_source

MISSING: Final = ("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL")
"""The texts that mean missing in a delimited file, unless the caller names others."""

CATEGORIES: tuple[str, ...] = ("categorical", "text")
MALFORMED: tuple[str, ...] = ("error", "skip")


def read_table(
    source: Source,
    target: str | bool | None = None,
    *,
    missing: Iterable[str] | None = None,
    text: Iterable[str] = (),
    numbers: Iterable[str] = (),
    frame: str = "polars",
    categories: str = "categorical",
    malformed: str = "error",
    separator: str | None = None,
    header: bool | Literal["auto"] = "auto",
    quote: str | None = '"',
    encoding: str | None = None,
) -> LoadedTable:
    r"""Read a table from a CSV, TSV, ARFF or Parquet file, compressed or not.

    Rows with missing cells are kept. A row without a target is left out, and the report says so. The format
    is known by the file's content, and so are separator, header and encoding where the caller does not
    name them. The type of a column comes from all of its cells. Needs polars, from the extra
    ``boxwood[cli]``.

    Parameters
    ----------
    source : str, path or binary file
        The file.
    target : str or False, default=None
        The column to learn. None takes the one column called "class" (in any case of letters) or else the
        last one; False takes none, and y is None.
    missing : iterable of str, default=None
        The cells that are missing, "" for the empty one; blanks around a cell do not count. None means "",
        "?", "NA", "N/A", "n/a", "NaN", "nan", "null" and "NULL" in a delimited file. ARFF and Parquet have
        marks of their own, and there None means only those.
    text : iterable of str, default=()
        Columns that stay text, whatever they hold: codes, postcodes. Whole numbers that begin with a zero,
        as 01234 does, stay text anyway.
    numbers : iterable of str, default=()
        Columns that hold numbers even if some of them begin with a zero.
    frame : {"polars", "pandas"}, default="polars"
        The library of the features' frame.
    categories : {"categorical", "text"}, default="categorical"
        Text columns as categories (an Enum of polars, a Categorical of pandas; by code point, or in the order
        that an ARFF file declares), or as plain text.
    malformed : {"error", "skip"}, default="error"
        What to do with lines that have a wrong number of cells or wrong quotes: name the first ones in an
        error, or leave them out and say so in the report.
    separator : str, default=None
        The character between two cells. None finds it out among comma, semicolon, tab, bar and blank.
    header : bool or "auto", default="auto"
        Whether the first line holds the names of the columns.
    quote : str, default='"'
        The character around cells that hold a separator or a line break; None for none.
    encoding : str, default=None
        The encoding of the text. None looks for a byte order mark, then tries UTF-8, then Windows-1252.

    Returns
    -------
    LoadedTable
        Unpacks as ``X, y``; its ``report`` says in one line what was left out or changed, and its ``columns``
        say of each column what it was read as, and why.

    Raises
    ------
    FileNotFoundError
        When there is no such file.
    ValueError
        When it is no table, or the target is not in it; the message has the line or the nearest name.

    Examples
    --------
    >>> import pathlib, tempfile, boxwood
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "cats.csv")
    >>> _ = path.write_text("weight;colour;mood\n4.2;black;calm\n;white;wild\n3.9;black;\n")
    >>> table = boxwood.read_table(path, target="mood")
    >>> table.report
    '1 row without a value of "mood" left out.'
    >>> print(table.columns[0])
    column "weight": numbers, not whole because of "4.2" in line 2; 1 cell is missing
    >>> X, y = table
    >>> boxwood.TreeClassifier().fit(X, y).predict(X)
    array(['calm', 'wild'], dtype='<U4')
    >>> folder.cleanup()
    """
    _check(frame, FRAMES, "frame")
    _check(categories, CATEGORIES, "categories")
    if target is True:
        raise TypeError("target must be the name of a column, None for the last one, or False for none")
    as_text = text if isinstance(text, str) else list(text)
    as_numbers = numbers if isinstance(numbers, str) else list(numbers)
    contents = read_contents(
        source,
        missing=missing,
        text=as_text,
        numbers=as_numbers,
        malformed=malformed,
        separator=separator,
        header=header,
        quote=quote,
        encoding=encoding,
    )
    check_named(contents, as_text, as_numbers)
    chosen = None if target is False else find_target(contents.frame.columns, target)
    return load(contents, chosen, frame, categories)


def read_contents(
    source: Source,
    *,
    missing: Iterable[str] | None = None,
    text: Iterable[str] = (),
    numbers: Iterable[str] = (),
    malformed: str = "error",
    separator: str | None = None,
    header: bool | Literal["auto"] = "auto",
    quote: str | None = '"',
    encoding: str | None = None,
    shown: str | None = None,
) -> Contents:
    """Read all columns of a file into a polars frame, in the types of their kinds; see `read_table`."""
    need_polars()
    _check(malformed, MALFORMED, "malformed")
    for name, value in (("missing", missing), ("text", text), ("numbers", numbers)):
        if isinstance(value, str):
            raise TypeError(f"{name} takes a list of texts: write {name}=[{value!r}] for one")
    _check_character(separator, "separator", {"\n", "\r", quote})
    _check_character(quote, "quote", {"\n", "\r"})
    if header not in (True, False, "auto"):
        raise ValueError(f"header must be True, False or 'auto', not {header!r}")
    named, content = read_source(source)
    named = shown or named
    if not content:
        raise TableError(f"{named} is empty.")
    given = None if missing is None else [word.strip() for word in missing]
    as_text, as_numbers = list(text), list(numbers)
    both = next((name for name in as_text if name in as_numbers), None)
    if both is not None:
        raise ValueError(f'column "{both}" stands in text= and in numbers=: leave it out of one of them')
    skip = malformed == "skip"
    dialect = Dialect(separator, header, quote, encoding, skip)
    if content.startswith(PARQUET):
        _refuse_dialect(dialect, named, "a Parquet file has types and no lines", encoding=True)
        contents = read_parquet(content, named, given or (), as_text)
    elif is_arff(content) or _suffix(source) == ".arff":
        _refuse_dialect(dialect, named, "an ARFF file declares them", encoding=False)
        contents = read_arff(content, named, given or (), as_text, encoding, skip)
    else:
        words = MISSING if given is None else given
        contents = read_delimited(content, named, dialect, words, as_text, as_numbers)
    return contents


def check_named(contents: Contents, text: Iterable[str], numbers: Iterable[str]) -> None:
    """Refuse names of columns that a file does not have, and numbers that are none."""
    numbers = list(numbers)
    for name in [*text, *numbers]:
        if name not in contents.frame.columns:
            raise TableError(no_such_column(name, contents.frame.columns))
    for column in contents.columns:
        if column.name in numbers and column.kind not in ("whole numbers", "numbers", "empty"):
            raise TableError(
                f'numbers= names the column "{column.name}", which holds {column.kind}, {column.reason}: '
                "leave it out there, or name a text that means missing in missing=."
            )


def load(contents: Contents, target: str | None, frame: str, categories: str) -> LoadedTable:
    """Take the target out of the columns of a file, with the rows that have none, and hand the rest over."""
    everything, weights = contents.frame, contents.weights
    said = list(contents.remarks)
    labels = None
    if target is not None:
        column = everything[target]
        if column.dtype.is_float():
            column = column.fill_nan(None)
        there = column.is_not_null()
        lost = len(there) - int(there.sum())
        if lost == len(there):
            raise TableError(f'The target "{target}" has no value in any row.')
        if lost:
            everything = everything.filter(there)
            weights = None if weights is None else weights[there.to_numpy()]
            said.append(f'{lost:,} {"row" if lost == 1 else "rows"} without a value of "{target}" left out')
        labels = as_labels(everything[target])
        everything = everything.drop(target)
        if everything.width == 0:
            raise TableError(
                f'The table has no column besides the target "{target}": there is nothing to learn from; if '
                "that is several in one, say what stands between them with separator=."
            )
    if categories == "categorical":
        everything = with_categories(everything, contents.domains)
    X: Any = to_pandas(everything) if frame == "pandas" else everything
    return LoadedTable(X, labels, target, contents.columns, _sentence(said), weights)


def find_target(columns: Sequence[str], target: str | None) -> str:
    """The name of the target: as given, the one column called "class", or the last one.

    >>> find_target(["Class", "age"], None), find_target(["age", "sex"], None)
    ('Class', 'sex')
    """
    if target is None:
        classes = [name for name in columns if name.lower() == "class"]
        return classes[0] if len(classes) == 1 else columns[-1]
    if target not in columns:
        raise TableError(no_such_column(target, columns, "target column"))
    return target


def no_such_column(name: str, columns: Sequence[str], role: str = "column") -> str:
    """Say that a table has no column of a name, with the nearest one that it has.

    >>> print(no_such_column("specie", ["species", "sex"], "target column"))
    The table has no target column "specie": did you mean "species"? Its columns are "species", "sex".
    """
    close = difflib.get_close_matches(str(name), columns, n=1)
    hint = f' did you mean "{close[0]}"? Its' if close else " its"
    listed = ", ".join(f'"{column}"' for column in columns[:20])
    more = f" and {len(columns) - 20} more" if len(columns) > 20 else ""
    return f'The table has no {role} "{name}":{hint} columns are {listed}{more}.'


def need_polars() -> None:
    """Refuse in one sentence when polars is not there."""
    try:
        import polars

        polars.DataFrame  # noqa: B018  # a broken installation imports, and then has nothing in it
    except (ImportError, AttributeError) as error:
        raise ImportError(
            "reading tables needs the package polars, which is not installed: pip install 'boxwood[cli]' "
            "brings it"
        ) from error


def _sentence(remarks: Collection[str]) -> str:
    text = "; ".join(remarks)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _suffix(source: Source) -> str:
    """The suffix of a path that says what is in the file, without that of its compression."""
    if not isinstance(source, str | os.PathLike):
        return ""
    name = os.fspath(source).lower()
    for packed in (".gz", ".bz2", ".xz", ".zst"):
        name = name.removesuffix(packed)
    return os.path.splitext(name)[1]


def _check(value: object, known: Sequence[str], name: str) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")


def _check_character(value: str | None, name: str, refused: set[str | None]) -> None:
    if value is None:
        return
    if not isinstance(value, str) or len(value.encode()) != 1 or value in refused:
        raise ValueError(f"{name} must be one plain character, not {value!r}")


def _refuse_dialect(dialect: Dialect, shown: str, why: str, *, encoding: bool) -> None:
    """No argument is ignored: what is said of a delimited file cannot be said of another one."""
    plain = Dialect()
    names = ["separator", "header", "quote", *(["encoding", "skip_malformed"] if encoding else [])]
    given = [name for name in names if getattr(dialect, name) != getattr(plain, name)]
    if dialect.header is True:  # these files have names
        given.remove("header")
    if given:
        listed = ", ".join("malformed" if name == "skip_malformed" else name for name in given)
        raise ValueError(f"{shown} is no delimited text ({why}): leave out {listed}")
