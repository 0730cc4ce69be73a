"""Every split of a node, by the definition.

An independent reference for the compiled search: no sorting tricks, no running sums, no boundary
points, no bounds. Every cut between two distinct values of every numeric column, every subset of the
categories present at the node, with the missing rows on either side or in a branch of their own, and
missing against the rest. The branches of all splits of a column are written as a 0/1 matrix (split x
row), so that class weights per branch are one matrix product, and the gain follows from its textbook
formula.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

TIE = 1e-12
BRUTE_FORCE = 10  # categories present at a node, up to which all subsets are tried


@dataclass(frozen=True, eq=False)
class Table:
    """Encoded columns (float64 with NaN, or int32 codes with -1), target codes and weights."""

    columns: tuple[np.ndarray, ...]
    n_categories: tuple[int, ...]  # 0: numeric
    target: np.ndarray
    weights: np.ndarray
    n_classes: int

    @classmethod
    def of(cls, dataset: Any) -> Table:
        return cls(
            tuple(np.asarray(column) for column in dataset.columns),
            tuple(dataset.schema.n_categories.tolist()),
            np.asarray(dataset.target),
            np.asarray(dataset.weights),
            len(dataset.classes),
        )

    @property
    def n_rows(self) -> int:
        return len(self.target)


@dataclass(frozen=True)
class Limits:
    """What decides about a tree, apart from the table."""

    criterion: str = "gini"
    missing: str = "learn"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    every_feature: bool = (
        True  # False: max_features left some out, so only each feature's own best can be checked
    )


def impurity(criterion: str, counts: np.ndarray) -> float:
    total = counts.sum()
    if total <= 0:
        return 0.0
    shares = [float(c) / float(total) for c in counts if c > 0]
    if criterion == "gini":
        return 1.0 - sum(p * p for p in shares)
    return -sum(p * float(np.log2(p)) for p in shares)


def impurities(criterion: str, counts: np.ndarray) -> np.ndarray:
    """The same for an array of counts, last axis classes."""
    total = counts.sum(axis=-1, keepdims=True)
    p = counts / np.where(total > 0, total, 1.0)
    if criterion == "gini":
        return np.where(total[..., 0] > 0, 1.0 - (p * p).sum(axis=-1), 0.0)
    return -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1)


def entropy_of_sizes(sizes: np.ndarray) -> np.ndarray:
    return impurities("entropy", sizes)


def exact_midpoint(lower: float, upper: float) -> float:
    """The midpoint, rounded once; the lower value if that gives the upper one."""
    middle = float((Fraction(lower) + Fraction(upper)) / 2)
    return lower if middle == upper else middle


@dataclass(frozen=True)
class Split:
    """One split of one column: its test, and where missing rows go."""

    kind: str  # "threshold", "subset", "is_missing"
    threshold: float = float("nan")
    subset: frozenset[int] = frozenset()  # categories of branch 0
    missing_branch: int | None = None  # None: there were no missing rows at the node


@dataclass
class Offers:
    """All feasible splits of one column at one node, in the order in which ties are broken."""

    splits: list[Split] = field(default_factory=list)
    branches: list[np.ndarray] = field(default_factory=list)  # (B, K) counts each
    gains: np.ndarray = field(default_factory=lambda: np.empty(0))
    ratios: np.ndarray = field(default_factory=lambda: np.empty(0))

    def __len__(self) -> int:
        return len(self.splits)

    def best(self, tolerance: float) -> int:
        """The first split in tie order whose gain is within the tolerance of the best."""
        return int(np.flatnonzero(self.gains >= self.gains.max() - tolerance)[0])


def _offers(
    criterion: str,
    splits: list[Split],
    membership: list[np.ndarray],  # per split (B, n_rows) of booleans
    one_hot: np.ndarray,  # (n_rows, K), weights
    limits: Limits,
) -> Offers:
    """Score the splits that the minimum leaf sizes allow."""
    kept, counts = [], []
    for split, branches in zip(splits, membership, strict=True):
        table = branches.astype(np.float64) @ one_hot
        enough_rows = (branches.sum(axis=1) >= limits.min_samples_leaf).all()
        enough_weight = (table.sum(axis=1) >= limits.min_weight_leaf).all()
        if enough_rows and enough_weight:
            kept.append(split)
            counts.append(table)
    if not kept:
        return Offers()
    padded = np.zeros((len(kept), 3, one_hot.shape[1]))
    for position, table in enumerate(counts):
        padded[position, : len(table)] = table
    node = padded[0].sum(axis=0)
    sizes = padded.sum(axis=2)
    after = (sizes / node.sum() * impurities(criterion, padded)).sum(axis=1)
    gains = impurity(criterion, node) - after
    return Offers(kept, counts, gains, gains / entropy_of_sizes(sizes))


def offers_of(table: Table, rows: np.ndarray, feature: int, limits: Limits) -> Offers:
    """Every feasible split of one column at the node that holds these rows."""
    column = table.columns[feature][rows]
    target = table.target[rows]
    one_hot = np.zeros((len(rows), table.n_classes))
    one_hot[np.arange(len(rows)), target] = table.weights[rows]
    numeric = table.n_categories[feature] == 0
    missing = np.isnan(column) if numeric else column < 0

    own_branch = (
        limits.missing == "branch"
        and missing.sum() >= max(limits.min_samples_leaf, 1)
        and one_hot[missing].sum() >= limits.min_weight_leaf
    )

    splits: list[Split] = []
    membership: list[np.ndarray] = []

    def add(left: np.ndarray, **test: Any) -> None:
        right = ~left & ~missing
        left = left & ~missing
        if not missing.any():
            splits.append(Split(**test))
            membership.append(np.array([left, right]))
        elif own_branch:
            splits.append(Split(**test, missing_branch=2))
            membership.append(np.array([left, right, missing]))
        else:
            splits.append(Split(**test, missing_branch=1))
            membership.append(np.array([left, right | missing]))
            splits.append(Split(**test, missing_branch=0))
            membership.append(np.array([left | missing, right]))

    present = sorted(set(column[~missing].tolist()))
    if numeric:
        for lower, upper in itertools.pairwise(present):
            add(column <= lower, kind="threshold", threshold=exact_midpoint(lower, upper))
    else:
        for subset in subsets_of(present, column, one_hot):
            add(np.isin(column, list(subset)), kind="subset", subset=subset)
    if missing.any() and not missing.all():
        splits.append(Split("is_missing", missing_branch=0))
        membership.append(np.array([missing, ~missing]))
    criterion = "gini" if limits.criterion == "gini" else "entropy"
    return _offers(criterion, splits, membership, one_hot, limits)


def subsets_of(present: list[int], column: np.ndarray, one_hot: np.ndarray) -> list[frozenset[int]]:
    """All subsets with the lowest category; of more than ten categories, those that follow class shares."""
    if len(present) <= BRUTE_FORCE:
        return [
            frozenset((present[0], *others))
            for size in range(len(present) - 1)
            for others in itertools.combinations(present[1:], size)
        ]
    last_class = int(np.flatnonzero(one_hot.sum(axis=0))[-1])
    share = {v: one_hot[column == v][:, last_class].sum() / one_hot[column == v].sum() for v in present}
    order = sorted(present, key=lambda value: share[value])
    sides = [(frozenset(order[:size]), frozenset(order[size:])) for size in range(1, len(order))]
    return [left if present[0] in left else right for left, right in sides]


def can_try_everything(table: Table, rows: np.ndarray, feature: int, limits: Limits) -> bool:
    """Whether the splits of a column that growth tries and those listed here have the same best one.

    For two classes a subset that follows the class shares is best, but a minimum leaf size may forbid it; and
    more than ten categories with more than two classes have too many subsets to try.
    """
    if table.n_categories[feature] == 0:
        return True
    if len(set(table.target[rows].tolist())) <= 2:
        return limits.min_samples_leaf == 1 and limits.min_weight_leaf == 0
    column = table.columns[feature][rows]
    return len(set(column[column >= 0].tolist())) <= BRUTE_FORCE


@dataclass(frozen=True)
class Choice:
    """The split that a greedy tree takes at a node."""

    feature: int
    split: Split
    branches: np.ndarray
    gain: float
    score: float


def best_split(table: Table, rows: np.ndarray, limits: Limits) -> Choice | None:
    """The best feasible split of a node, ties to the lowest feature, then to its first split."""
    counts = np.zeros(table.n_classes)
    np.add.at(counts, table.target[rows], table.weights[rows])
    node_impurity = impurity(limits.criterion, counts)
    tolerance = TIE * node_impurity
    choices: list[Choice] = []
    for feature in range(len(table.columns)):
        offers = offers_of(table, rows, feature, limits)
        if len(offers):
            best = offers.best(tolerance)
            score = (offers.ratios if limits.criterion == "gain_ratio" else offers.gains)[best]
            choices.append(
                Choice(
                    feature,
                    offers.splits[best],
                    offers.branches[best],
                    float(offers.gains[best]),
                    float(score),
                )
            )
    if not choices:
        return None
    if limits.criterion == "gain_ratio":
        average = sum(choice.gain for choice in choices) / len(choices)
        choices = [choice for choice in choices if choice.gain >= average - tolerance]
    top = max(choice.score for choice in choices)
    return next(choice for choice in choices if choice.score >= top - tolerance)
