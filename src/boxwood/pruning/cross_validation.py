"""Which rows are in which fold, for pruners that cross-validate.

Rows are shuffled and put in order of their class; fold i takes every k-th of them, beginning with the i-th.
So every fold has its share of every class, to within one row, and no class is too small for that. Rows of a
regression are shuffled only.

Ready-made splits are taken as they are: pairs of row numbers of the table that ``fit`` was given. What is
no such pair is refused: a split that is passed over in silence would be a tree that is not pruned.
"""

from __future__ import annotations

import numbers
import reprlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from boxwood.data import Dataset

Fold = tuple[NDArray[np.intp], NDArray[np.intp]]


def dealt_rows(dataset: Dataset, random_state: Any) -> NDArray[np.intp]:
    """The rows in random order, but class by class."""
    shuffled: NDArray[np.intp] = check_random_state(random_state).permutation(dataset.n_rows)
    if dataset.classes is None:
        return shuffled
    return shuffled[np.argsort(dataset.target[shuffled], kind="stable")]


def folds(dataset: Dataset, cv: Any, random_state: Any) -> Iterator[Fold]:
    """Pairs (rows to grow on, rows to judge on) of a table.

    Parameters
    ----------
    dataset
        The table.
    cv
        A number of folds, at most as many as there are rows; a scikit-learn splitter; or an iterable of pairs
        of row numbers of the caller's table.
    random_state
        Shuffles the rows for a number of folds.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "b"])
    >>> [sorted(dataset.target[judged].tolist()) for _, judged in folds(dataset, 2, 0)]
    [[0, 1], [0, 1]]
    """
    n = dataset.n_rows
    if isinstance(cv, numbers.Integral):
        order = dealt_rows(dataset, random_state)
        k = min(int(cv), n)
        for i in range(k if k > 1 else 0):
            judged = np.zeros(n, dtype=bool)
            judged[order[i::k]] = True
            yield np.flatnonzero(~judged), np.flatnonzero(judged)
        return
    if hasattr(cv, "split"):
        place = np.arange(n)  # a splitter is shown the rows that are there
        splits = cv.split(np.zeros((n, 1)), dataset.target)
    else:
        place = np.full(n if dataset.n_given is None else dataset.n_given, -1)
        place[np.arange(n) if dataset.rows is None else dataset.rows] = np.arange(n)
        splits = cv
    # All of them, before a tree is grown: what is wrong with the last one is told at once.
    ready = [_pair(place, pair, number) for number, pair in enumerate(splits)]
    if not ready:
        raise ValueError(
            f"cv={reprlib.repr(cv)} has no split. Give pairs (rows to grow on, rows to judge on), or a "
            "number of folds; what can be read only once, as a generator, is empty after the first fit: give "
            "list(...) of it."
        )
    if not any(grown.size and judged.size for grown, judged in ready):
        raise ValueError(
            "cv: no split has rows of positive weight both to grow on and to judge on. Give splits that do, "
            "or a number of folds."
        )
    yield from ready


def _pair(place: NDArray[np.intp], pair: Any, number: int) -> Fold:
    """A split of the caller, by the rows of the table."""
    if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
        raise ValueError(
            f"cv: split {number} is {reprlib.repr(pair)}, and must be a pair: the numbers of the rows to "
            "grow on, and of those to judge on."
        )
    grown, judged = (_places(place, rows, number) for rows in pair)
    return grown, judged


def _places(place: NDArray[np.intp], rows: Any, number: int) -> NDArray[np.intp]:
    """Where the caller's rows are in the table; those of weight 0 are not there."""
    given = np.asarray(rows)
    if given.ndim != 1 or (given.dtype.kind not in "iub" and given.size):
        raise ValueError(
            f"cv: split {number} has {reprlib.repr(rows)} for rows ({given.dtype}, {given.ndim} dimensions), "
            f"and needs a list of row numbers: whole numbers from 0 to {len(place) - 1}."
        )
    if given.dtype == bool:
        if len(given) != len(place):
            raise ValueError(
                f"cv: split {number} has a mask of {len(given)} rows, and the table has {len(place)}."
            )
        given = np.flatnonzero(given)
    wrong = (given < 0) | (given >= len(place))
    if wrong.any():
        raise ValueError(
            f"cv: split {number} names the row {int(given[wrong.argmax()])}, and the rows are numbered from "
            f"0 to {len(place) - 1}."
        )
    found = place[given.astype(np.intp)]
    return np.sort(found[found >= 0])
