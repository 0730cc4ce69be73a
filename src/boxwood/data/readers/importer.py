"""`CsvImporter`: the verbs of a transformer on the path of a file, with one-hot columns or native categories.

Van Hove's extension of scikit-learn (2018, section 4.2) had such a class: ``fit`` learns the columns of a
file, ``transform`` gives the features of a file in the same columns, and ``fit_transform_both`` gives
features and labels at once, which scikit-learn's own verbs cannot. His dropped every row with a missing cell;
here such rows are kept: a missing number is NaN, a missing category is 0 in all of its one-hot columns.

It is no estimator: its input is a path, so that it can stand in no pipeline, be searched by no grid and be
checked by no estimator check.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from boxwood.data.readers.contents import Contents
from boxwood.data.readers.hand_over import FRAMES, as_labels, to_pandas
from boxwood.data.readers.kinds import ReadColumn, short
from boxwood.data.readers.read import check_named, find_target, no_such_column, read_contents
from boxwood.data.readers.source import Source, TableError

if TYPE_CHECKING:
    import polars as pl

ENCODINGS: tuple[str, ...] = ("one-hot", "native")
_CATEGORIES = ("categories", "empty")
_NUMBERS = ("whole numbers", "numbers")


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
    text, numbers : iterable of str, default=()
        Columns that stay text, whatever they hold (codes, postcodes), and columns that hold numbers even if
        some of them begin with a zero.
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
    weights_ : ndarray or None
        The weights of the rows that the last reading gave, where the file has some (ARFF can), for
        ``sample_weight``.

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
    weights_: npt.NDArray[np.float64] | None

    def __init__(
        self,
        target: str | None = None,
        *,
        categories: str = "one-hot",
        task: str = "classification",
        frame: str = "polars",
        text: Iterable[str] = (),
        numbers: Iterable[str] = (),
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
        self._text, self._numbers = _listed(text), _listed(numbers)
        self._reading: dict[str, Any] = {
            "missing": _listed(missing),
            "malformed": malformed,
            "separator": separator,
            "header": header,
            "quote": quote,
            "encoding": encoding,
        }

    def __repr__(self) -> str:
        given = {"target": self.target, "categories": self.categories, "task": self.task, "frame": self.frame}
        given |= {"text": self._text, "numbers": self._numbers, **self._reading}
        usual = {name: one.default for name, one in inspect.signature(CsvImporter).parameters.items()}
        told = [f"{name}={value!r}" for name, value in given.items() if value not in (usual[name], [])]
        return f"CsvImporter({', '.join(told)})"

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
        y = self._labels(contents, contents.frame[self.target_])
        self._say(said, contents.weights)
        return X, y

    def transform(self, source: Source) -> Any:
        """Give the features of a file in the columns of ``fit``: of every row, with a target or without.

        Columns are found by name, in any order; others are left out, and so is the target.
        """
        contents, said = self._read(source)
        X = self._features(contents.frame, said)
        self._say(said, contents.weights)
        return X

    def transform_both(self, source: Source) -> tuple[Any, npt.NDArray[Any]]:
        """Give features and labels of another file, of its rows that have a target."""
        contents, said = self._read(source)
        if self.target_ not in contents.frame.columns:
            raise TableError(no_such_column(self.target_, contents.frame.columns, "target column"))
        frame, weights = _rows_with_target(contents, self.target_, said)
        X, y = self._features(frame, said), self._labels(contents, frame[self.target_])
        self._say(said, weights)
        return X, y

    def inverse_transform(self, y: npt.ArrayLike) -> npt.NDArray[Any]:
        """The labels of codes, as they stand in the file."""
        self._check_fitted()
        if self.task == "regression":
            return np.asarray(y)
        codes = np.asarray(y)
        known = np.isin(codes, np.arange(len(self.classes_)))
        if not known.all():
            raise ValueError(
                f"y holds {codes[~known].tolist()[0]!r}, which is the code of no label: the labels of "
                f'"{self.target_}" have the codes 0 to {len(self.classes_) - 1}'
            )
        return self.classes_[codes.astype(np.intp)]

    # ------------------------------------------------------------------------------------ learning

    def _learn(self, source: Source) -> tuple[Contents, list[str]]:
        contents = read_contents(source, **self._reading, text=self._text, numbers=self._numbers)
        check_named(contents, self._text, self._numbers)
        target = find_target(contents.frame.columns, self.target)
        said = list(contents.remarks)
        frame, weights = _rows_with_target(contents, target, said)
        if frame.width == 1:
            raise TableError(f'The table has no column besides the target "{target}".')
        kinds = {column.name: column.kind for column in contents.columns}
        if self.task == "regression":
            _need_numbers(contents, target)
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
                if not self.categories_[name]:
                    said.append(f'column "{name}", in which no cell has a value, left out')
                names += [f"{name}={value}" for value in self.categories_[name]]
            else:
                names.append(name)
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise TableError(
                f'A one-hot column would have the name "{twice}" of another column: rename that one, or use '
                'categories="native".'
            )
        if not names:
            raise TableError(
                f'No column besides the target "{target}" has a value: there is nothing to learn from.'
            )
        self.feature_names_out_ = names
        if self.task == "classification":
            self.classes_ = np.unique(as_labels(frame[target]))
        self._say(said, weights)
        return replace(contents, frame=frame, weights=weights), said

    def _check_fitted(self) -> None:
        if not hasattr(self, "target_"):
            raise ValueError("this CsvImporter has not learned a file yet: call fit first")

    # -------------------------------------------------------------------------------- transforming

    def _read(self, source: Source) -> tuple[Contents, list[str]]:
        """Read another file, with the columns that were categories as text, and numbers as numbers."""
        self._check_fitted()
        text = {*self._text, *self.categories_}
        if self.task == "classification" and self.classes_.dtype.kind == "U":
            text.add(self.target_)
        numbers = {column.name for column in self.columns_ if column.kind in _NUMBERS}
        contents = read_contents(source, **self._reading, text=text, numbers=numbers)
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

    def _labels(self, contents: Contents, column: pl.Series) -> npt.NDArray[Any]:
        """Codes of the labels, or numbers as they are."""
        if self.task == "regression":
            _need_numbers(contents, self.target_)
            return as_labels(column).astype(np.float64)
        labels, classes = as_labels(column), self.classes_
        if _comparable(labels, classes):
            places = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
            strange = classes[places] != labels
        else:  # a text among numbers, say: no label is known unless it reads like one
            known = set(map(str, classes.tolist()))
            strange = np.array([str(label) not in known for label in labels.tolist()])
            strange = strange if strange.any() else np.ones(len(labels), dtype=bool)
        if strange.any():
            label = labels[strange][0]
            listed = ", ".join(f'"{value}"' for value in classes[:20]) + (
                ", ..." if len(classes) > 20 else ""
            )
            raise TableError(
                f'The target "{self.target_}" holds "{short(str(label))}", which fit did not see; its labels '
                f"are {listed}. Fit on a file that has this label too, or leave such rows out; a text that "
                "means missing can be named in missing=."
            )
        return places

    def _say(self, said: list[str], weights: npt.NDArray[np.float64] | None) -> None:
        self.weights_ = weights
        weighted = [] if weights is None else ["the rows have weights, which are in weights_"]
        text = "; ".join([*said, *weighted])
        self.report_ = f"{text[0].upper()}{text[1:]}." if text else ""


def _listed(names: Iterable[str] | None) -> Any:
    """A list that can be read twice; a lone text is left for the reader to refuse."""
    return names if names is None or isinstance(names, str) else list(names)


def _comparable(labels: npt.NDArray[Any], classes: npt.NDArray[Any]) -> bool:
    kinds = {labels.dtype.kind, classes.dtype.kind}
    return len(kinds) == 1 or kinds <= set("biuf")


def _need_numbers(contents: Contents, target: str) -> None:
    """Refuse a target of which regression can learn nothing."""
    column = next(column for column in contents.columns if column.name == target)
    if column.kind not in _NUMBERS:
        raise TableError(
            f'The target "{target}" holds no numbers, {column.reason or column.kind}: task="regression" '
            "needs some. A text that means missing can be named in missing=."
        )


def _rows_with_target(
    contents: Contents, target: str, said: list[str]
) -> tuple[pl.DataFrame, npt.NDArray[np.float64] | None]:
    """The rows that have a target, and their weights."""
    column = contents.frame[target]
    there = (column.fill_nan(None) if column.dtype.is_float() else column).is_not_null()
    lost = len(there) - int(there.sum())
    if lost == len(there):
        raise TableError(f'The target "{target}" has no value in any row.')
    if lost:
        said.append(f'{lost:,} {"row" if lost == 1 else "rows"} without a value of "{target}" left out')
    weights = contents.weights
    return contents.frame.filter(there), None if weights is None else weights[there.to_numpy()]


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
