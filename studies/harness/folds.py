"""Which rows train and which test: stratified, and decided by a seed alone."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

Rows = NDArray[np.intp]


def stratified_folds(y: NDArray[np.str_], folds: int, seed: int) -> list[tuple[Rows, Rows]]:
    """Training and testing rows of each fold, with the class shares of the whole table.

    A class with fewer rows than there are folds is spread as far as it goes, and is absent from some
    folds: scikit-learn warns of that, and for a study it is part of the data.
    """
    splitter = StratifiedKFold(n_splits=folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The least populated class", category=UserWarning)
        return [(train, test) for train, test in splitter.split(np.zeros(len(y)), y)]


def stratified_sample(y: NDArray[np.str_], size: int, seed: int) -> Rows:
    """``size`` rows (all of them when there are no more) with nearly the class shares of the whole table.

    The rows of each class are shuffled and spread evenly over the unit interval; the sample is what comes
    first. Its rows are in the order of the table.
    """
    if size >= len(y):
        return np.arange(len(y))
    rng = np.random.default_rng(seed)
    place = np.empty(len(y))
    for label in np.unique(y):
        members = np.flatnonzero(y == label)
        place[rng.permutation(members)] = (np.arange(len(members)) + 0.5) / len(members)
    chosen: Rows = np.sort(np.argsort(place, kind="stable")[:size])
    return chosen
