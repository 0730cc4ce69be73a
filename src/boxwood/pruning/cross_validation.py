"""Which rows are in which fold, for pruners that cross-validate.

Rows are shuffled and put in order of their class; fold i takes every k-th of them, beginning with the i-th.
So every fold has its share of every class, to within one row, and no class is too small for that. Rows of a
regression are shuffled only.

Ready-made splits are taken as they are: pairs of row numbers of the table that ``fit`` was given.
"""

from __future__ import annotations

import numbers
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
    of_caller = np.arange(n) if dataset.rows is None else dataset.rows
    if hasattr(cv, "split"):
        for grown, judged in cv.split(np.zeros((n, 1)), dataset.target):
            yield np.sort(grown), np.sort(judged)
        return
    most = int(of_caller[-1]) + 1 if n else 0
    place = np.full(most, -1, dtype=np.intp)
    place[of_caller] = np.arange(n)
    for pair in cv:
        yield _places(place, pair[0]), _places(place, pair[1])


def _places(place: NDArray[np.intp], rows: Any) -> NDArray[np.intp]:
    """Where the caller's rows are in the table; those of weight 0 are not there."""
    given = np.asarray(rows)
    if given.dtype == bool:
        given = np.flatnonzero(given)
    if given.size and given.min() < 0:
        raise ValueError(f"cv names the row {int(given.min())}; rows are numbered from 0")
    found = place[given[given < len(place)]]
    return np.sort(found[found >= 0])
