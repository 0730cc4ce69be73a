"""The one table that every learner sees.

A `Dataset` is frozen: columns encoded once (float64, or codes), target encoded once, weights always there and
rounded so that their sums are exact. Rows of weight 0 are not in it, and leave no trace: no threshold,
category or count comes from them, and neither does the kind of a column. Only the list of classes is taken
from all rows.

The target is a class for each row, or, for a regression, a number.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boxwood.data.categorical_features import CategoricalFeatures
from boxwood.data.cells import Rows
from boxwood.data.encode import Columns, encode_features, encode_with
from boxwood.data.numeric_target import NumericTarget, check_sum_of_squares, encode_numeric_target
from boxwood.data.schema import MISSING, UNKNOWN, Column, Schema
from boxwood.data.table import align_columns, read_table
from boxwood.data.target import Target, encode_target
from boxwood.data.weights import (
    ClassWeight,
    Weights,
    check_sample_weight,
    class_weights,
    keep_total,
    round_weights,
    row_weights,
)

TASKS: Final = ("classification", "regression")
"""What can be learned: classes, or numbers."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A table for training: columns, target, weights. Made by `make_dataset`.

    Parameters
    ----------
    schema
        What the columns are.
    columns
        For each column a one-dimensional array: float64 with NaN for missing cells (any stride; a view of the
        caller's array where that is float64), or int32 category codes with -1 for them.
    target
        The class of each row: int32 codes into `classes`; or, for a regression, its number: float64.
    classes
        The distinct labels in order, also those that only rows of weight 0 have; None for a regression.
    weights
        The weight of each row, positive; every sum of some of them is exact in float64.
    unit_weights
        Whether all weights are exactly 1.
    rows
        The caller's numbers of the rows, or None when all are there.
    by_class
        What class weights have multiplied the weights of each class's rows by; None when there were none.
    n_given
        How many rows the caller gave, also those that are not here; None: `n_rows`.

    Examples
    --------
    >>> dataset = make_dataset([[1.0], [2.0], [3.0]], ["a", "b", "b"], sample_weight=[1, 0, 2])
    >>> dataset
    Dataset(2 rows, 1 columns, 2 classes)
    >>> dataset.columns[0], dataset.rows, dataset.weights
    (array([1., 3.]), array([0, 2]), array([1., 2.]))
    """

    schema: Schema
    columns: Columns
    target: Target | NumericTarget
    classes: npt.NDArray[Any] | None
    weights: Weights
    unit_weights: bool
    rows: Rows | None = None
    by_class: Weights | None = None
    n_given: int | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.target)

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return len(self.columns)

    @property
    def n_classes(self) -> int:
        """The number of classes; 0 for a regression."""
        return 0 if self.classes is None else len(self.classes)

    def take(self, rows: Rows) -> Dataset:
        """The table of some rows, given by their numbers in this one.

        >>> make_dataset([[1.0], [2.0], [3.0]], [0, 1, 1]).take(np.array([0, 2])).columns
        (array([1., 3.]),)
        """
        return replace(
            self,
            columns=tuple(column[rows] for column in self.columns),
            target=self.target[rows],
            weights=self.weights[rows],
            rows=rows if self.rows is None else self.rows[rows],
            n_given=self.n_rows if self.n_given is None else self.n_given,
        )

    def columns_under(self, schema: Schema) -> Columns:
        """The columns in the codes of another schema, which may lack some of the categories.

        >>> from boxwood.data import Column, Schema
        >>> fewer = Schema((Column("colour", "categorical", "category", ("red",)),), named=True)
        >>> make_dataset({"colour": ["blue", "red", None]}, [0, 1, 1]).columns_under(fewer)
        (array([-2,  0, -1], dtype=int32),)
        """
        if schema is self.schema:
            return self.columns

        def recode(codes: npt.NDArray[Any], ours: Column, theirs: Column) -> npt.NDArray[Any]:
            if ours.categories == theirs.categories:
                return codes
            places = [theirs.codes.get(value, UNKNOWN) for value in ours.categories]
            table: npt.NDArray[Any] = np.array([*places, UNKNOWN, MISSING], dtype=np.int32)
            return table.take(codes)

        return tuple(map(recode, self.columns, self.schema.columns, schema.columns))

    def __repr__(self) -> str:
        learned = "numbers" if self.classes is None else f"{self.n_classes} classes"
        return f"Dataset({self.n_rows} rows, {self.n_features} columns, {learned})"


def make_dataset(
    X: object,
    y: object,
    sample_weight: object = None,
    class_weight: ClassWeight = None,
    categorical_features: CategoricalFeatures = "from_dtype",
    owner: str = "the tree",
    *,
    refuse_infinite: bool = True,
    task: str = "classification",
    keep_total_weight: bool = False,
) -> Dataset:
    """Encode a table with its labels or numbers, and its weights.

    Parameters
    ----------
    X
        The table: a numpy array, a list of rows, a data frame (pandas, polars, pyarrow, ...) or a dict of
        columns.
    y
        The label of each row: integers, text, booleans; for a regression, its number.
    sample_weight
        The weight of each row; None means 1 for all. Rows of weight 0 are left out.
    class_weight
        None, "balanced", or a dict from labels to weights; the weights of the rows are multiplied by it.
    categorical_features
        The numeric columns to read as categories: None, a mask, positions, names, or "from_dtype".
    owner
        Who asks, for messages: the name of an estimator.
    refuse_infinite
        Look for infinite numbers. Greedy growth meets them on its way: False saves a pass over the table.
    task
        "classification", or "regression": `y` holds finite numbers, and there are no class weights.
    keep_total_weight
        Multiply class weights so that the total weight of all rows is what it would be without them.

    Returns
    -------
    Dataset
        The table that learners take.

    Examples
    --------
    >>> dataset = make_dataset({"size": [1, 2, None], "colour": ["red", "blue", "red"]}, [True, False, True])
    >>> dataset.schema.columns[1].categories, dataset.columns[1], dataset.target
    (('blue', 'red'), array([1, 0, 1], dtype=int32), array([1, 0, 1], dtype=int32))
    >>> dataset = make_dataset([[1.0], [2.0]], [10, 12.5], task="regression")
    >>> dataset, dataset.target
    (Dataset(2 rows, 1 columns, numbers), array([10. , 12.5]))
    """
    if task not in TASKS:
        raise ValueError(f"task={task!r} is not one of {', '.join(map(repr, TASKS))}")
    table = read_table(X, owner)
    target: Target | NumericTarget
    classes = by_class = None
    if task == "regression":
        if class_weight is not None:
            raise ValueError(
                f"class_weight={class_weight!r} is given for a regression, which has no classes; weigh the "
                "rows with sample_weight"
            )
        target = encode_numeric_target(y, table.n_rows, owner)
        weights = check_sample_weight(sample_weight, table.n_rows)
    else:
        target, classes = encode_target(y, table.n_rows, owner)
        sample = check_sample_weight(sample_weight, table.n_rows)
        by_class = class_weights(class_weight, classes, target, sample)
        if by_class is not None and keep_total_weight:
            by_class = keep_total(by_class, target, sample)
        weights = row_weights(sample, by_class, target)
    rows = None
    if weights is not None and not weights.all():
        rows = np.flatnonzero(weights)
        target, weights = target[rows], weights[rows]
    schema, columns = encode_features(table, categorical_features, rows, refuse_infinite=refuse_infinite)
    unit = weights is None
    weights = np.broadcast_to(1.0, len(target)) if weights is None else round_weights(weights)
    if classes is None:
        check_sum_of_squares(np.asarray(target, dtype=np.float64), weights)
    for array in (target, classes, weights):
        if array is not None:
            array.flags.writeable = False
    unit = unit or bool((weights == 1.0).all())
    return Dataset(schema, columns, target, classes, weights, unit, rows, by_class, table.n_rows)


def dataset_under(
    schema: Schema,
    classes: npt.NDArray[Any] | None,
    X: object,
    y: object,
    sample_weight: object = None,
    class_weight: ClassWeight = None,
    owner: str = "the tree",
    *,
    own_categories: bool = False,
) -> Dataset:
    """Encode a table under the schema and the classes of an earlier one.

    Parameters
    ----------
    schema, classes
        What the columns are, and the labels in order; classes are None for a regression.
    X, y, sample_weight, class_weight, owner
        As for `make_dataset`. The columns of a frame may come in any order.
    own_categories
        List the categories that the rows have, and not those of the schema: where rare ones were pooled
        before that was written down, it lacks some, and a tree that is to grow on the rows needs them.

    Raises
    ------
    ValueError
        If `y` has a label that is not one of the classes, or a column holds something else than it did.

    Examples
    --------
    >>> first = make_dataset([[1.0, "red"], [2.0, "blue"]], ["no", "yes"])
    >>> dataset_under(first.schema, first.classes, [[5.0, "green"]], ["yes"]).target
    array([1], dtype=int32)
    """
    if schema.named:
        X = align_columns(X, schema.names, owner=owner)
    table = read_table(X, owner)
    columns = encode_with(schema, table)
    sample = check_sample_weight(sample_weight, table.n_rows)
    by_class = None
    target: Target | NumericTarget
    if classes is None:
        target, weights = encode_numeric_target(y, table.n_rows, owner), sample
    else:
        found, labels = encode_target(y, table.n_rows, owner)
        codes = {label: code for code, label in enumerate(classes.tolist())}
        strange = [label for label in labels.tolist() if label not in codes]
        if strange:
            raise ValueError(f"y has the label {strange[0]!r}, which is not one of {list(codes)}")
        target = np.array([codes[label] for label in labels.tolist()], dtype=np.int32)[found]
        by_class = class_weights(class_weight, classes, target, sample)
        weights = row_weights(sample, by_class, target)
    rows = None
    if weights is not None and not weights.all():
        rows = np.flatnonzero(weights)
        target, weights = target[rows], weights[rows]
        columns = tuple(column[rows] for column in columns)
    if own_categories:
        mask = [column.is_categorical for column in schema]
        found_schema, found_columns = encode_features(table, mask, rows, refuse_infinite=False)
        listed = zip(mask, found_schema.columns, schema.columns, strict=True)
        schema = Schema(tuple(own if chosen else old for chosen, own, old in listed), schema.named)
        columns = tuple(
            own if chosen else old for chosen, own, old in zip(mask, found_columns, columns, strict=True)
        )
    unit = weights is None
    weights = np.broadcast_to(1.0, len(target)) if weights is None else round_weights(weights)
    unit = unit or bool((weights == 1.0).all())
    return Dataset(schema, columns, target, classes, weights, unit, rows, by_class, table.n_rows)
