"""`boxwood predict`: a saved tree and a table in, one answer per row out, as CSV.

A CSV file has no types, and a column of the new table may look different from the one that was learned from
(postcodes that happen to be all digits, say). So the tree's own schema says how each column is read; nothing
is guessed twice.
"""

from __future__ import annotations

import argparse
import datetime
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.cli import options
from boxwood.cli.refusal import Refusal, no_such_column, one_line, quoted, refusing
from boxwood.cli.table import need_extra, read_contents

if TYPE_CHECKING:
    import polars as pl

    from boxwood import Tree
    from boxwood.data import Category, Column

HELP = "answer for the rows of a table, with a saved tree"
USAGE = "boxwood predict TREE TABLE [--proba] [--keep COLUMN,...] [--output PATH] [other options]"
DESCRIPTION = """\
Answer for every row of a CSV, ARFF or Parquet table with a tree that 'boxwood learn --save' (or tree.save in
Python) wrote.

Columns are found by name, in any order. Columns that the tree does not know are ignored, so the target
may be there; columns that it needs must be."""
EPILOG = """\
examples:
  boxwood predict tree.json new.csv                         one column: prediction
  boxwood predict tree.json new.csv --proba --keep id       with the id and the probability of each class
  boxwood predict tree.json new.csv --output answers.csv"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("tree", metavar="TREE", help="the file of a saved tree")
    parser.add_argument(
        "table",
        metavar="TABLE",
        help="a CSV, ARFF or Parquet file, gzip-compressed or not; - reads it from standard input",
    )
    parser.add_argument("--output", metavar="PATH", help="write to this file (default: standard output)")
    parser.add_argument(
        "--proba",
        action="store_true",
        help="add the probability of each class, one column each (not for a regression tree)",
    )
    parser.add_argument(
        "--keep",
        type=options.names,
        action="extend",
        default=[],
        metavar="COLUMN[,COLUMN...]",
        help="copy these columns of the table, row numbers or names say, in front of the answers",
    )
    options.add_table_options(parser)


def run(given: argparse.Namespace) -> None:
    """Load, read, route, write."""
    need_extra()
    import polars as pl

    from boxwood.estimators.class_answers import votes

    tree = _load(given.tree)
    if given.proba and tree.classes is None:
        raise Refusal(f'"{given.tree}" holds a regression tree, which has no classes: leave out --proba.')
    as_text = [column.name for column in tree.schema if column.is_categorical]
    contents = read_contents(
        given.table,
        given.separator,
        given.missing_values,
        as_text,
        number_columns=[column.name for column in tree.schema if not column.is_categorical],
        header=True,  # columns are found by name
        skip_malformed=given.skip_malformed,
        quotes=not given.no_quotes,
    )
    frame = contents.frame
    for remark in contents.remarks:
        if not remark.endswith("read as missing"):  # that was asked for
            print(f"boxwood predict: {remark}.", file=sys.stderr)
    for name in given.keep:
        if name not in frame.columns:
            raise no_such_column(name, frame.columns)
    columns = _columns(tree, frame)
    answers: dict[str, Any] = {name: frame[name] for name in given.keep}
    if tree.classes is None or tree.counts is None:
        assert tree.answer is not None
        _add(answers, "prediction", pl.Series(_mix(tree, columns, tree.answer[:, None])[:, 0]))
    else:
        answering = _mix(tree, columns, votes(tree)).argmax(axis=1)
        _add(answers, "prediction", _series(tree.classes[answering]))
        if given.proba:
            shares = _mix(tree, columns, tree.value[:, 0])
            for place, label in enumerate(tree.classes.tolist()):
                _add(answers, f"probability {label}", pl.Series(shares[:, place]))
    _write(pl.DataFrame(answers), given.output)


def _load(name: str) -> Tree:
    from boxwood import load

    if Path(name).is_dir():
        raise Refusal(f'"{name}" is a folder, not a saved tree.')
    try:
        tree = load(name)
    except FileNotFoundError:
        raise Refusal(f'There is no file "{name}".') from None
    except (OSError, ValueError) as error:
        raise Refusal(f'"{name}" cannot be read as a tree: {one_line(error)}') from error
    return tree


def _columns(tree: Tree, frame: pl.DataFrame) -> dict[str, Any]:
    """Return the columns that the tree needs, in its order, each with the values that its schema asks for."""
    names = list(tree.schema.names)
    lacking = [name for name in names if name not in frame.columns]
    if lacking and not tree.schema.named and frame.width == len(names):
        frame = frame.rename(
            dict(zip(frame.columns, names, strict=True))
        )  # a tree without names goes by position
    elif lacking:
        noun = "column" if len(lacking) == 1 else "columns"
        raise Refusal(f"The table lacks the {noun} {quoted(lacking, 20)} that the tree was grown on.")
    return {
        column.name: _categories(column, frame[column.name])
        if column.is_categorical
        else _numbers(column, frame[column.name])
        for column in tree.schema
    }


def _numbers(column: Column, found: pl.Series) -> NDArray[Any]:
    """Return a numeric column as floats, or as moments or durations where the tree learned from those."""
    import polars as pl

    if found.null_count() == len(found):
        found = found.cast(pl.Boolean)  # no value, no type
    wanted = {"date": "dates", "duration": "durations"}.get(column.values, "numbers")
    kind = "numbers"
    if found.dtype == pl.String:
        text = found.filter(found.is_not_null() & found.cast(pl.Float64, strict=False).is_null())
        value = text[0] if len(text) else found.drop_nulls()[0]
        row = int((found == value).arg_max() or 0) + 1
        raise Refusal(
            f'Column "{column.name}" holds {wanted} in the tree, and "{value}" in row {row} of the table; '
            "a text that means missing can be named with --missing-values."
        )
    if found.dtype.is_temporal():
        kind = "durations" if found.dtype == pl.Duration else "dates"
    if kind != wanted and found.null_count() < len(found):
        raise Refusal(f'Column "{column.name}" holds {wanted} in the tree, and {kind} in the table.')
    if wanted == "dates" and kind == wanted:
        moments = found.cast(pl.Datetime("us")) if found.dtype == pl.Date else found
        return moments.dt.convert_time_zone("UTC").dt.replace_time_zone(None).to_numpy()
    if wanted == "durations" and kind == wanted:
        return found.to_numpy()
    return found.cast(pl.Float64).to_numpy()


def _categories(column: Column, found: pl.Series) -> list[Any]:
    """Return a categorical column, read as text, with the types that the tree's categories have."""
    kinds = {type(category) for category in column.categories}
    if kinds <= {str}:
        return found.to_list()
    known = set(column.categories)
    values = {text: _typed(text, known, kinds) for text in found.unique().to_list() if text is not None}
    return [None if text is None else values[text] for text in found.to_list()]


def _typed(text: str, known: set[Category], kinds: set[type]) -> Any:
    """Read a cell as the category that it names; a cell that names none stays text, which is unknown.

    >>> _typed("1.0", {1, 2}, {int}), _typed("true", {True, False}, {bool}), _typed("x", {1, 2}, {int})
    (1.0, True, 'x')
    """
    if text in known:
        return text
    if bool in kinds and text.lower() in {"true", "false"}:
        return text.lower() == "true"
    if kinds & {int, float, bool}:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if number in known:
            return number
    for kind in (datetime.datetime, datetime.date):
        if kind in kinds:
            try:
                return kind.fromisoformat(text)
            except ValueError:
                continue
    return text


def _mix(tree: Tree, columns: dict[str, Any], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each row what `values` holds for the node where it ends, or the mean for all its ends."""
    from boxwood.data import encode_with
    from boxwood.tree import UnknownCategoryError

    with refusing("The rows cannot be encoded"):
        encoded = encode_with(tree.schema, columns)
    try:
        return tree.mix(encoded, values)
    except UnknownCategoryError as error:
        value = columns[error.column][error.row]
        raise Refusal(
            f'Column "{error.column}", row {error.row + 1}: the tree does not know the category "{value}" '
            "there, and was grown to refuse what it does not know."
        ) from None


def _series(labels: NDArray[Any]) -> pl.Series:
    """Return labels as a column; labels of mixed types as text."""
    import polars as pl

    values = labels.tolist()
    if len({type(value) for value in values}) > 1:
        values = [str(value) for value in values]
    return pl.Series(values)


def _add(answers: dict[str, Any], name: str, values: pl.Series) -> None:
    """Add a column; a kept column of the same name would be lost, and is refused."""
    if name in answers:
        raise Refusal(
            f'The kept column "{name}" has the name of a column of answers: leave it out of --keep.'
        )
    answers[name] = values


def _write(frame: pl.DataFrame, output: str | None) -> None:
    if output is None:
        sys.stdout.write(frame.write_csv())
        return
    with refusing(f'"{output}" cannot be written', (OSError,)):
        Path(output).write_text(frame.write_csv(), encoding="utf-8", newline="")
