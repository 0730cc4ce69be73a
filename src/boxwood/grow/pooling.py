"""Rare categories are pooled: ``min_samples_category``.

The problem: a value that a handful of rows have says nothing that can be trusted, and a column of a million
such values costs memory in every tree that tests it. The idea: values whose weight in the whole training
table is below a limit become one group, "other". It takes part in every search like one more category.

What a tree makes of a value that it never saw is then clear: it is rarer than rare, and goes with "other". So
pooled values are not listed in the tree or in its schema at all. They are unknown, and wherever "other" was
present at a node, the branch of unknown values is that of "other"; elsewhere ``unknown_category`` decides, as
ever. (``unknown_category="error"`` would refuse rows of the training table, and cannot be combined.)

Pooling is by the whole table, once, not by node: deep in a tree every value is rare.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from boxwood.data import Dataset
from boxwood.data.schema import Column, Schema
from boxwood.tree import Kind


@dataclass(frozen=True, eq=False)
class Pooled:
    """A table whose rare categories are one, as growth sees it.

    Attributes
    ----------
    dataset
        The table; its schema lists the categories that were kept.
    other
        By column, the code of the pooled group, one beyond the categories that were kept.
    """

    dataset: Dataset
    other: dict[int, int]


def pool_rare(dataset: Dataset, least: float | None) -> Pooled:
    """Pool the categories that weigh less than `least`.

    Parameters
    ----------
    dataset
        The encoded table.
    least
        The weight of a category that is kept; None pools nothing. Weights that sum to less than the number of
        rows are brought to a mean of 1 first.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> pooled = pool_rare(make_dataset({"colour": ["red", "red", "blue", "green"]}, [0, 1, 0, 1]), 2)
    >>> pooled.dataset.columns[0], pooled.dataset.schema[0].categories, pooled.other
    (array([0, 0, 1, 1], dtype=int32), ('red',), {0: 1})
    """
    if least is None:
        return Pooled(dataset, {})
    unit = max(1.0, dataset.n_rows / float(dataset.weights.sum()))
    columns, described, other = list(dataset.columns), list(dataset.schema.columns), {}
    for feature, column in enumerate(dataset.schema.columns):
        if not column.is_categorical:
            continue
        codes = np.asarray(columns[feature])
        known = codes >= 0
        weight = np.bincount(codes[known], dataset.weights[known], minlength=len(column.categories))
        kept = unit * weight[: len(column.categories)] >= least
        if kept.all():
            continue
        n_kept = int(kept.sum())
        place = np.append(np.where(kept, np.cumsum(kept) - 1, n_kept), -1).astype(np.int32)
        columns[feature] = place[codes]
        columns[feature].flags.writeable = False
        names = tuple(column.categories[code] for code in np.flatnonzero(kept).tolist())
        described[feature] = Column(column.name, "categorical", "category", names)
        other[feature] = n_kept
    schema = Schema(tuple(described), dataset.schema.named)
    return Pooled(replace(dataset, schema=schema, columns=tuple(columns)), other)


def name_unknown(arrays: dict[str, Any], other: dict[int, int]) -> None:
    """Take the pooled groups out of the category lists of a grown tree: unknown values go where they went."""
    if not other:
        return
    feature, kind = arrays["feature"], arrays["kind"]
    code_of = np.full(int(feature.max(initial=0)) + 1, -1)
    for column, code in other.items():
        if column < len(code_of):
            code_of[column] = code
    pooled = np.where(feature >= 0, code_of[np.maximum(feature, 0)], -1)  # by node
    unknown = arrays["unknown_branch"].copy()
    unknown[(kind == Kind.IS_MISSING) & (pooled >= 0)] = 1  # a pooled value is there
    offset, code, branch = (arrays[f"category_{part}"] for part in ("offset", "code", "branch"))
    owner = np.repeat(np.arange(len(kind)), np.diff(offset))
    gone = (code == pooled[owner]) & (pooled[owner] >= 0)
    unknown[owner[gone]] = branch[gone]
    arrays["unknown_branch"] = unknown
    arrays["category_code"], arrays["category_branch"] = code[~gone], branch[~gone]
    arrays["category_offset"] = np.concatenate(
        [[0], np.cumsum(np.bincount(owner[~gone], minlength=len(kind)))]
    ).astype(np.int64)
