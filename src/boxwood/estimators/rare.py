"""Rare categories of an optimal tree's table: unknown ones, from the beginning.

Greedy growth makes one group of them (:mod:`boxwood.grow.pooling`), which may go to either side of a split.
An optimal tree splits one category against the rest, and a category that it does not know is with the rest.
So here they are not a group that could be split off, but simply not known.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from boxwood.data import UNKNOWN, Dataset
from boxwood.grow.pooling import pool_rare


def without_rare(dataset: Dataset, least: float | None) -> Dataset:
    """The table with its categories of a weight below `least` made unknown; None: as it is.

    >>> from boxwood.data import make_dataset
    >>> dataset = make_dataset({"colour": ["red", "red", "blue", "green"]}, [0, 1, 0, 1])
    >>> found = without_rare(dataset, 2)
    >>> found.columns[0], found.schema[0].categories
    (array([ 0,  0, -2, -2], dtype=int32), ('red',))
    """
    if least is None:
        return dataset
    pooled = pool_rare(dataset, least)
    columns = list(pooled.dataset.columns)
    for feature, code in pooled.other.items():
        columns[feature] = np.where(columns[feature] == code, np.int32(UNKNOWN), columns[feature])
        columns[feature].flags.writeable = False
    return replace(pooled.dataset, columns=tuple(columns))
