"""Random small tables for property tests: ties, floats and integers, weights, missing rows, categories."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

import boxwood.criteria
from boxwood.criteria import Impurity, get_criterion
from boxwood.data import Column, Dataset, Schema
from boxwood.grow import GrowOptions, grow_by_level, grow_tree
from boxwood.tree import Tree
from tests.oracles.naive_split import Limits

CRITERIA = ("gini", "entropy", "gain_ratio")
EVERY_CRITERION = (*boxwood.criteria.CRITERIA, "tsallis(0.5)", "tsallis(3)")


def dataset_of(
    columns: list[np.ndarray],
    target: np.ndarray,
    weights: np.ndarray | None = None,
    n_classes: int | None = None,
    n_categories: list[int] | None = None,
) -> Dataset:
    """A data set from encoded columns, with as many classes and categories as the codes need, or as said."""
    described = []
    for place, column in enumerate(columns):
        if column.dtype == np.int32:
            size = n_categories[place] if n_categories else int(column.max(initial=0)) + 1
            names = tuple(f"c{code:03d}" for code in range(size))
            described.append(Column(f"f{place}", "categorical", "category", names))
        else:
            described.append(Column(f"f{place}", "numeric", "float"))
    target = np.asarray(target, dtype=np.int32)
    n_classes = int(target.max()) + 1 if n_classes is None else n_classes
    weights = np.ones(len(target)) if weights is None else np.asarray(weights, dtype=np.float64)
    return Dataset(
        schema=Schema(tuple(described), named=True),
        columns=tuple(columns),
        target=target,
        classes=np.arange(n_classes),
        weights=weights,
        unit_weights=bool((weights == 1).all()),
        rows=None,
    )


def numeric_column(rng: np.random.Generator, n_rows: int, style: str) -> np.ndarray:
    match style:
        case "few":
            return rng.integers(0, 4, n_rows).astype(np.float64)
        case "integers":
            return rng.integers(-20, 20, n_rows).astype(np.float64)
        case "floats":
            return rng.normal(size=n_rows)
        case "ties":
            return rng.choice(rng.normal(size=max(2, n_rows // 2)), n_rows)
        case "last bit":
            return np.nextafter(1.0, rng.choice([0.0, 1.0, 2.0], n_rows))
        case _:
            return np.full(n_rows, 0.5)


STYLES = ("few", "integers", "floats", "ties", "last bit", "constant", "copy")


@dataclass(frozen=True)
class Recipe:
    """What a random table is like. Hypothesis draws recipes; numpy fills in the cells."""

    seed: int
    n_rows: int
    n_classes: int
    styles: tuple[str, ...]
    missing: float
    weights: str
    signal: bool

    def cook(self) -> Dataset:
        rng = np.random.default_rng(self.seed)
        columns: list[np.ndarray] = []
        sizes: list[int] = []  # numbers of categories
        for style in self.styles:
            if style == "copy" and columns:  # every split of it ties with one of its original
                column = columns[-1].copy()
                sizes.append(sizes[-1])
            elif style.startswith("category"):
                sizes.append(int(style.removeprefix("category")))
                column = rng.integers(0, sizes[-1], self.n_rows).astype(np.int32)
                column[rng.random(self.n_rows) < self.missing] = -1
            else:
                sizes.append(0)
                column = numeric_column(rng, self.n_rows, style)
                column[rng.random(self.n_rows) < self.missing] = np.nan
            columns.append(column)
        target = rng.integers(0, self.n_classes, self.n_rows)
        if self.signal:  # most labels follow the first column, and missing cells have a label of their own
            first = columns[0].astype(np.float64)
            ranks = np.searchsorted(np.unique(first), first)
            follow = rng.random(self.n_rows) < 0.8
            target[follow] = (ranks[follow] * self.n_classes // (ranks.max() + 1)).astype(int)
        match self.weights:
            case "one":
                weights = np.ones(self.n_rows)
            case "integer":
                weights = rng.integers(1, 5, self.n_rows).astype(np.float64)
            case _:
                weights = rng.integers(1, 64, self.n_rows) / 16
        return dataset_of(columns, target, weights, self.n_classes, sizes)


def recipes(
    styles: tuple[str, ...] = STYLES,
    max_rows: int = 26,
    missing: tuple[float, ...] = (0.0,),
    weights: tuple[str, ...] = ("one", "integer", "fraction"),
    max_columns: int = 4,
) -> st.SearchStrategy[Recipe]:
    return st.builds(
        Recipe,
        seed=st.integers(0, 2**32 - 1),
        n_rows=st.integers(1, max_rows),
        n_classes=st.integers(2, 6),
        styles=st.lists(st.sampled_from(styles), min_size=1, max_size=max_columns).map(tuple),
        missing=st.sampled_from(missing),
        weights=st.sampled_from(weights),
        signal=st.booleans(),
    )


def limits(
    criteria: tuple[str, ...] = CRITERIA,
    missing: tuple[str, ...] = ("learn",),
    max_leaf_nodes: st.SearchStrategy[int | None] | None = None,
    categorical_split: tuple[str, ...] = ("auto",),
) -> st.SearchStrategy[Limits]:
    return st.builds(
        Limits,
        criterion=st.sampled_from(criteria),
        missing=st.sampled_from(missing),
        max_depth=st.sampled_from([None, None, None, 1, 2, 3]),
        min_samples_split=st.sampled_from([2, 2, 2, 5, 9]),
        min_samples_leaf=st.sampled_from([1, 1, 2, 3, 5]),
        min_weight_leaf=st.sampled_from([0.0, 0.0, 1.5, 3.0]),
        min_impurity_decrease=st.sampled_from([0.0, 0.0, 0.0, 0.02, 0.1]),
        max_leaf_nodes=st.none() if max_leaf_nodes is None else max_leaf_nodes,
        categorical_split=st.sampled_from(categorical_split),
    )


def grow_with(dataset: Dataset, limits: Limits, by_level: bool = False, **more: object) -> Tree:
    """Grow with the limits of an oracle."""
    options = GrowOptions(
        criterion=limits.criterion if isinstance(limits.criterion, str) else Impurity(limits.criterion),
        missing=limits.missing,
        max_depth=limits.max_depth,
        min_samples_split=limits.min_samples_split,
        min_samples_leaf=limits.min_samples_leaf,
        min_weight_leaf=limits.min_weight_leaf,
        min_impurity_decrease=limits.min_impurity_decrease,
        max_leaf_nodes=limits.max_leaf_nodes,
        categorical_split=limits.categorical_split,
        **more,  # type: ignore[arg-type]
    )
    if by_level:
        return grow_by_level(dataset, get_criterion(limits.criterion), options).tree
    return grow_tree(dataset, options)
