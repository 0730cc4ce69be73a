"""`CsvImporter`: the verbs of a transformer on the path of a file, with one-hot columns or native categories.

Van Hove's extension of scikit-learn (2018, section 4.2) had such a class: ``fit`` learns the columns of a
file, ``transform`` gives the features of a file in the same columns, and ``fit_transform_both`` gives
features and labels at once, which scikit-learn's own verbs cannot. His dropped every row with a missing cell;
here such rows are kept: a missing number is NaN, a missing category is 0 in all of its one-hot columns.

It is no estimator: its input is a path, so that it can stand in no pipeline, be searched by no grid and be
checked by no estimator check.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from boxwood.data.readers.contents import Contents
from boxwood.data.readers.hand_over import FRAMES, as_labels, to_pandas
from boxwood.data.readers.kinds import ReadColumn, short
from boxwood.data.readers.read import find_target, no_such_column, read_contents
from boxwood.data.readers.source import Source, TableError

if TYPE_CHECKING:
    import polars as pl

ENCODINGS: tuple[str, ...] = ("one-hot", "native")
_CATEGORIES = ("categories", "empty")


class CsvImporter:
    r"""Features and labels from files, in the same columns each time.

    Reads whatever `boxwood.read_table` reads.

    Parameters
    ----------
    target : str, default=None
        The column to learn; None takes the one called "class", or the last one.
    categories : {"one-hot", "native"}, default="one-hot"
        A 0/1 column for each category, which every learner of scikit-learn takes; or one column of
        categories, which boxwood's learners prefer.
    task : {"classification", "regression"}, default="classification"
        Whether labels are encoded as 0, 1, ..., or numbers left as they are.
    frame : {"polars", "pandas"}, default="polars"
        The library of the features' frame.
    missing, malformed, separator, header, quote, encoding
        As in `boxwood.read_table`.

    Attributes
    ----------
    target_ : str
        The name of the target.
    classes_ : ndarray
        The labels in the order of their codes; only for classification.
    columns_ : tuple of ReadColumn
        How each column of the fitted file was read.
    categories_ : dict
        The categories of each categorical feature.
    feature_names_out_ : list of str
        The columns that ``transform`` gives; a one-hot column is called "colour=red".
    report_ : str
        What the last reading left out or changed, in one line; empty when nothing.

    Examples
    --------
    >>> import io, boxwood
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> train = b"size,colour,sold\n1.5,red,no\n,blue,yes\n3,red,yes\n"
    >>> importer = boxwood.CsvImporter(target="sold")
    >>> X, y = importer.fit_transform_both(io.BytesIO(train))
    >>> X.columns, y
    (['size', 'colour=blue', 'colour=red'], array([0, 1, 1]))
    >>> tree = DecisionTreeClassifier().fit(X, y)
    >>> new = importer.transform(io.BytesIO(b"colour,size\npink,3\n"))
    >>> importer.inverse_transform(tree.predict(new))
    array(['yes'], dtype='<U3')
    >>> importer.report_
    '1 cell of "colour" holds a category that fit did not see, as "pink".'
    """

    target_: str
    classes_: npt.NDArray[Any]
    columns_: tuple[ReadColumn, ...]
    categories_: dict[str, tuple[str, ...]]
    feature_names_out_: list[str]
    report_: str

    def __init__(
        self,
        target: str | None = None,
        *,
        categories: str = "one-hot",
        task: str = "classification",
        frame: str = "polars",
        missing: Iterable[str] | None = None,
        malformed: str = "error",
        separator: str | None = None,
        header: bool | Literal["auto"] = "auto",
        quote: str | None = '"',
        encoding: str | None = None,
    ) -> None:
        for name, value, known in (
            ("categories", categories, ENCODINGS),
            ("task", task, ("classification", "regression")),
            ("frame", frame, FRAMES),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
        self.target = target
        self.categories = categories
        self.task = task
        self.frame = frame
        self._reading: dict[str, Any] = {
            "missing": missing,
            "malformed": malformed,
            "separator": separator,
            "header": header,
            "quote": quote,
            "encoding": encoding,
        }

    def fit(self, source: Source) -> CsvImporter:
        """Learn the columns, their categories and the labels of a file.

        Parameters
        ----------
        source : str, path or binary file
            The file.

        Returns
        -------
        CsvImporter
            This importer.
        """
        self._learn(source)
        return self

    def fit_transform(self, source: Source) -> Any:
        """Learn a file and give the features of its rows that have a target."""
        return self.fit_transform_both(source)[0]

    def fit_transform_both(self, source: Source) -> tuple[Any, npt.NDArray[Any]]:
        """Learn a file and give features and labels of its rows that have a target."""
        contents, said = self._learn(source)
        X = self._features(contents.frame, said)
        y = self._labels(contents.frame[self.target_])
        self._say(said)
        return X, y

    def transform(self, source: Source) -> Any:
        """Give the features of a file in the columns of ``fit``: of every row, with a target or without.

        Columns are found by name, in any order; others are left out, and so is the target.
        """
        contents, said = self._read(source)
        X = self._features(contents.frame, said)
        self._say(said)
        return X

    def transform_both(self, source: Source) -> tuple[Any, npt.NDArray[Any]]:
        """Give features and labels of another file, of its rows that have a target."""
        contents, said = self._read(source)
        if self.target_ not in contents.frame.columns:
            raise TableError(no_such_column(self.target_, contents.frame.columns, "target column"))
        frame = _rows_with_target(contents.frame, self.target_, said)
        X, y = self._features(frame, said), self._labels(frame[self.target_])
        self._say(said)
        return X, y

    def inverse_transform(self, y: npt.ArrayLike) -> npt.NDArray[Any]:
        """The labels of codes, as they stand in the file."""
        self._check_fitted()
        if self.task == "regression":
            return np.asarray(y)
        return self.classes_[np.asarray(y, dtype=np.intp)]

    # ------------------------------------------------------------------------------------ learning

    def _learn(self, source: Source) -> tuple[Contents, list[str]]:
        contents = read_contents(source, **self._reading)
        target = find_target(contents.frame.columns, self.target)
        said = list(contents.remarks)
        frame = _rows_with_target(contents.frame, target, said)
        if frame.width == 1:
            raise TableError(f'The table has no column besides the target "{target}".')
        kinds = {column.name: column.kind for column in contents.columns}
        if self.task == "regression" and not frame[target].dtype.is_numeric():
            reason = next(column.reason for column in contents.columns if column.name == target)
            raise TableError(
                f'The target "{target}" holds no numbers, {reason}: task="regression" needs some.'
            )
        self.target_ = target
        self.columns_ = contents.columns
        self.categories_ = {
            name: contents.domains.get(name) or tuple(frame[name].drop_nulls().unique().sort().to_list())
            for name in frame.columns
            if name != target and kinds[name] in _CATEGORIES
        }
        names: list[str] = []
        for name in frame.columns:
            if name == target:
                continue
            if self.categories == "one-hot" and name in self.categories_:
                names += [f"{name}={value}" for value in self.categories_[name]]
            else:
                names.append(name)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise TableError(
                f'A one-hot column would have the name "{twice}" of another column: rename that one, or use '
                'categories="native".'
            )
        self.feature_names_out_ = names
        if self.task == "classification":
            self.classes_ = np.unique(as_labels(frame[target]))
        self._say(said)
        return Contents(frame, contents.columns, contents.remarks, contents.lines, contents.domains), said

    def _check_fitted(self) -> None:
        if not hasattr(self, "target_"):
            raise ValueError("this CsvImporter has not learned a file yet: call fit first")

    # -------------------------------------------------------------------------------- transforming

    def _read(self, source: Source) -> tuple[Contents, list[str]]:
        """Read another file, with the columns that were categories as text."""
        self._check_fitted()
        contents = read_contents(source, **self._reading, text=self.categories_)
        found = {column.name: column for column in contents.columns}
        for column in self.columns_:
            name = column.name
            if name == self.target_:
                continue
            if name not in found:
                raise TableError(no_such_column(name, contents.frame.columns))
            if name in self.categories_ or found[name].kind == "empty":
                continue
            if _family(found[name].kind) != _family(column.kind):
                raise TableError(
                    f'Column "{name}" held {column.kind} when it was fitted, and holds {found[name].kind} '
                    f"now, {found[name].reason}; a text that means missing can be named in missing=."
                )
        return contents, list(contents.remarks)

    def _features(self, frame: pl.DataFrame, said: list[str]) -> Any:
        """The columns of fit, numbers as floats, categories as asked for."""
        import polars as pl

        columns: list[pl.Series] = []
        for described in self.columns_:
            name = described.name
            if name == self.target_:
                continue
            column = frame[name]
            if name not in self.categories_:
                columns.append(_numbers(column))
                continue
            known = self.categories_[name]
            text = column.cast(pl.String)
            new = text.filter(~text.is_in(list(known))).drop_nulls()
            if len(new):
                count = f'{len(new):,} {"cell" if len(new) == 1 else "cells"} of "{name}"'
                verb = "holds a category" if len(new) == 1 else "hold categories"
                said.append(f'{count} {verb} that fit did not see, as "{short(new[0])}"')
            if self.categories == "native":
                columns.append(text.cast(pl.Enum([*known, *new.unique().sort().to_list()])))
            else:
                columns += [
                    (text == value).fill_null(False).cast(pl.UInt8).alias(f"{name}={value}")
                    for value in known
                ]
        table = pl.DataFrame(columns)
        return to_pandas(table) if self.frame == "pandas" else table

    def _labels(self, column: pl.Series) -> npt.NDArray[Any]:
        """Codes of the labels, or numbers as they are."""
        labels = as_labels(column)
        if self.task == "regression":
            return labels.astype(np.float64)
        if labels.dtype.kind != self.classes_.dtype.kind:
            labels = labels.astype(self.classes_.dtype)
        places = np.minimum(np.searchsorted(self.classes_, labels), len(self.classes_) - 1)
        strange = self.classes_[places] != labels
        if strange.any():
            label = labels[strange][0]
            known = ", ".join(f'"{value}"' for value in self.classes_[:20])
            raise TableError(
                f'The target "{self.target_}" holds "{label}", which fit did not see; its labels are {known}.'
            )
        return places

    def _say(self, said: list[str]) -> None:
        text = "; ".join(said)
        self.report_ = f"{text[0].upper()}{text[1:]}." if text else ""


def _rows_with_target(frame: pl.DataFrame, target: str, said: list[str]) -> pl.DataFrame:
    column = frame[target]
    there = (column.fill_nan(None) if column.dtype.is_float() else column).is_not_null()
    lost = len(there) - int(there.sum())
    if lost == len(there):
        raise TableError(f'The target "{target}" has no value in any row.')
    if lost:
        said.append(f'{lost:,} {"row" if lost == 1 else "rows"} without a value of "{target}" left out')
    return frame.filter(there)


def _family(kind: str) -> str:
    return "numbers" if kind in ("numbers", "whole numbers", "booleans") else kind


def _numbers(column: pl.Series) -> pl.Series:
    """A column that is no category, as floats: dates and durations in microseconds, missing cells as NaN."""
    import polars as pl

    if column.dtype == pl.String:  # no value, no type
        return pl.Series(column.name, [float("nan")] * len(column), dtype=pl.Float64)
    if column.dtype == pl.Date:
        column = column.cast(pl.Datetime("us"))
    if column.dtype.is_temporal():
        column = column.to_physical()
    return column.cast(pl.Float64).fill_null(float("nan"))
