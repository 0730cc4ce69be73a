"""What a target is: the name of a class, or a quantity. `boxwood learn` asks, unless it is told.

Text, booleans, dates and durations are classes. Numbers can be either, and the rule is:

- numbers with fractions are a quantity;
- whole numbers are a quantity when there are more than `FEW` different ones and these are more than a share
  of `RARE` of the rows: grades, ratings and codes repeat, prices and counts do not;
- all others are classes.

A criterion that only one task knows decides too, and ``--task`` decides against all of this. What was
understood of a column of numbers is said, with the option that says otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.cli.refusal import Refusal, one_line
from boxwood.criteria import get_criterion
from boxwood.grow import REGRESSION_CRITERIA

if TYPE_CHECKING:
    import argparse

    import polars as pl

FEW = 20
RARE = 0.05


@dataclass(frozen=True)
class Task:
    """What is to be learned, and how a split is to be judged."""

    regression: bool
    criterion: str
    remark: str | None = None  # what is said of a target that could have been understood otherwise

    def values(self, column: pl.Series) -> NDArray[Any]:
        """The target as an array of labels, or of numbers."""
        import polars as pl

        if self.regression:
            return column.cast(pl.Float64).to_numpy()
        if column.dtype.is_temporal() or column.dtype.is_float():
            column = column.cast(pl.String)  # fractions as labels are names
        return np.asarray(column.to_list())


def is_criterion(text: str) -> bool:
    """Whether some task has a criterion of this name.

    >>> is_criterion("gini"), is_criterion("poisson"), is_criterion("magic")
    (True, True, False)
    """
    return text in REGRESSION_CRITERIA or _complaint(text) is None


def _complaint(criterion: str) -> str | None:
    """What classification has against a criterion, None if nothing."""
    try:
        get_criterion(criterion)
    except ValueError as error:
        return one_line(error)
    return None


def is_quantity(column: pl.Series) -> bool:
    """Whether a column of numbers is plainly a quantity.

    >>> import polars as pl
    >>> [is_quantity(pl.Series(numbers)) for numbers in ([1.5, 2.5], [1, 2] * 9, range(99))]
    [True, False, True]
    """
    if not column.dtype.is_numeric():
        return False
    distinct = column.n_unique()
    return column.dtype.is_float() or (distinct > FEW and distinct > RARE * len(column))


def choose_task(given: argparse.Namespace, column: pl.Series) -> Task:
    """Decide what is learned from the options and the target, or refuse what does not go together."""
    numeric = column.dtype.is_numeric()
    name, criterion = column.name, given.criterion
    wants_numbers = criterion in REGRESSION_CRITERIA
    if given.task is not None:
        regression = given.task == "regression"
    else:
        regression = wants_numbers or is_quantity(column)
    if regression and not numeric:
        why = "--task regression" if given.task else f"--criterion {criterion}"
        raise Refusal(
            f'The target "{name}" holds no numbers, which {why} needs: leave that out, or name another '
            "column with --target."
        )
    if criterion is not None and regression != wants_numbers:
        if regression:
            raise Refusal(
                f'--criterion {criterion} judges classes, and the target "{name}" is taken as a quantity: '
                f"choose one of {', '.join(REGRESSION_CRITERIA)}, or add --task classification."
            )
        raise Refusal(f"--criterion {criterion} judges quantities, and --task classification learns classes.")
    if regression and given.cuts is not None:
        raise Refusal(
            f'--cuts is about classes, and the target "{name}" is taken as a quantity: leave it out, or add '
            "--task classification."
        )
    if column.n_unique() == 1:
        raise Refusal(f'The target "{name}" is "{column[0]}" in every row: there is nothing to tell apart.')
    remark = None
    if numeric:
        kind = "numbers" if column.dtype.is_float() else "whole numbers"
        taken, other = ("a quantity", "classification") if regression else ("classes", "regression")
        remark = f'"{name}" has {column.n_unique():,} different {kind}, taken as {taken}'
        if given.task is None:
            remark += f"; --task {other} takes them otherwise"
    return Task(regression, criterion or ("squared_error" if regression else "gini"), remark and f"{remark}.")
