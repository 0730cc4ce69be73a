"""Every split of a node, by the definition.

An independent reference for the compiled search: no sorting tricks, no running sums, no boundary
points, no bounds. Every cut between two distinct values of every numeric column, every subset of the
categories present at the node (or one branch for each, or each against the rest), with the missing rows on
either side or in a branch of their own, and missing against the rest; with surrogates, without the missing
rows, and by the share of the others. The branches of all splits of a column are written as a 0/1 matrix
(split x row), so that class weights per branch are one matrix product, and the gain follows from its textbook
formula.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

Function: TypeAlias = Callable[[np.ndarray], np.ndarray]  # a user's f of the smaller share

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

    criterion: str | Function = "gini"
    missing: str = "learn"
    max_depth: int | None = None
    min_samples_split: int = 2
    min_samples_leaf: int = 1
    min_weight_leaf: float = 0.0
    min_impurity_decrease: float = 0.0
    max_leaf_nodes: int | None = None
    categorical_split: str = "auto"
    every_feature: bool = (
        True  # False: max_features left some out, so only each feature's own best can be checked
    )


SPLIT_SCORES = ("twoing", "hellinger")
CONCAVE = (
    "gini",
    "entropy",
    "gain_ratio",
    "error",
    "sine",
    "tsallis",
    "tsallis(0.5)",
    "tsallis(3)",
    *SPLIT_SCORES,
)


def impurity(criterion: str | Function, counts: np.ndarray) -> float:
    return float(impurities(criterion, counts[np.newaxis])[0])


def impurities(criterion: str | Function, counts: np.ndarray) -> np.ndarray:
    """Impurities of an array of counts, last axis classes, by definition; 0 where there is no row."""
    n_classes = counts.shape[-1]
    total = counts.sum(axis=-1, keepdims=True)
    p = counts / np.where(total > 0, total, 1.0)
    empty = total[..., 0] <= 0
    if callable(criterion):  # f of the smaller share, mirrored; summed over more than two classes
        smaller = np.minimum(p, np.where(empty[..., np.newaxis], 0.0, 1.0 - p))
        values = criterion(smaller[..., 0]) if n_classes == 2 else criterion(smaller).sum(axis=-1)
    elif criterion in ("gini", *SPLIT_SCORES):
        values = 1.0 - (p * p).sum(axis=-1)
    elif criterion == "error":
        values = 1.0 - p.max(axis=-1)
    elif criterion == "ambiguity":
        ordered = -np.sort(-p, axis=-1)
        ordered = ordered / np.where(empty, 1.0, ordered[..., 0])[..., np.newaxis]
        following = np.concatenate([ordered[..., 1:], np.zeros_like(ordered[..., :1])], axis=-1)
        values = ((ordered - following) * np.log(np.arange(1, n_classes + 1))).sum(axis=-1)
    elif criterion == "sine":
        values = np.sin(np.pi * p[..., 0]) if n_classes == 2 else np.sin(np.pi * p).sum(axis=-1)
    elif criterion.startswith("tsallis"):
        q = float(criterion.removeprefix("tsallis").strip("()") or 1.5)
        values = (1.0 - np.where(p > 0, p, 1.0) ** q @ np.ones(n_classes) + (p <= 0).sum(axis=-1)) / (q - 1)
    else:
        values = -(p * np.log2(np.where(p > 0, p, 1.0))).sum(axis=-1)
    return np.where(empty, 0.0, values)


def split_scores(criterion: str, branches: np.ndarray) -> np.ndarray:
    """Twoing and Hellinger of arrays (splits, branches, classes), pair by pair and class by class."""
    scores = np.zeros(len(branches))
    for at, split in enumerate(branches):
        split = split[split.sum(axis=1) > 0]
        node, weights = split.sum(axis=0), split.sum(axis=1)
        if criterion == "twoing":
            for one, other in itertools.combinations(range(len(split)), 2):
                difference = np.abs(split[one] / weights[one] - split[other] / weights[other]).sum()
                scores[at] += weights[one] * weights[other] / node.sum() ** 2 * difference**2 / 4
            continue
        present = np.flatnonzero(node)
        distances = [
            np.sqrt(
                sum(
                    (np.sqrt(branch[k] / node[k]) - np.sqrt((w - branch[k]) / (node.sum() - node[k]))) ** 2
                    for branch, w in zip(split, weights, strict=True)
                )
            )
            for k in present
            if node[k] < node.sum()
        ]
        scores[at] = np.mean(distances) if distances else 0.0
    return scores


def entropy_of_sizes(sizes: np.ndarray) -> np.ndarray:
    return impurities("entropy", sizes)


def exact_midpoint(lower: float, upper: float) -> float:
    """The midpoint, rounded once; the lower value if that gives the upper one."""
    middle = float((Fraction(lower) + Fraction(upper)) / 2)
    return lower if middle == upper else middle


@dataclass(frozen=True)
class Split:
    """One split of one column: its test, and where missing rows go."""

    kind: str  # "threshold", "subset", "multiway", "is_missing"
    threshold: float = float("nan")
    subset: frozenset[int] = frozenset()  # categories of branch 0; of a multiway split, all that have one
    missing_branch: int | None = None  # None: there were no missing rows at the node


@dataclass
class Offers:
    """All feasible splits of one column at one node, in the order in which ties are broken."""

    splits: list[Split] = field(default_factory=list)
    branches: list[np.ndarray] = field(default_factory=list)  # (B, K) counts each
    gains: np.ndarray = field(default_factory=lambda: np.empty(0))
    merits: np.ndarray = field(default_factory=lambda: np.empty(0))  # what the splits of a column compete by
    ratios: np.ndarray = field(default_factory=lambda: np.empty(0))

    def __len__(self) -> int:
        return len(self.splits)

    def best(self, tolerance: float) -> int:
        """The first split in tie order whose merit is within the tolerance of the best."""
        return int(np.flatnonzero(self.merits >= self.merits.max() - tolerance)[0])


def _offers(
    criterion: str | Function,
    splits: list[Split],
    membership: list[np.ndarray],  # per split (B, n_rows) of booleans
    one_hot: np.ndarray,  # (n_rows, K), weights
    limits: Limits,
    known_share: float = 1.0,
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
    padded = np.zeros((len(kept), max(map(len, counts)), one_hot.shape[1]))
    for position, table in enumerate(counts):
        padded[position, : len(table)] = table
    node = padded[0].sum(axis=0)
    sizes = padded.sum(axis=2)
    after = (sizes / node.sum() * impurities(criterion, padded)).sum(axis=1)
    gains = known_share * (impurity(criterion, node) - after)
    if criterion in SPLIT_SCORES:
        merits = known_share * split_scores(criterion, padded)
        return Offers(kept, counts, gains, merits, merits)
    return Offers(kept, counts, gains, gains, gains / entropy_of_sizes(sizes))


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
        elif limits.missing == "surrogate":
            splits.append(Split(**test, missing_branch=-1))
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
    elif limits.categorical_split == "multiway":
        values = [column == value for value in present]
        every = frozenset(present)
        if len(present) < 2:
            pass  # one branch is no split
        elif not missing.any():
            splits.append(Split("multiway", subset=every))
            membership.append(np.array(values))
        elif own_branch:
            splits.append(Split("multiway", subset=every, missing_branch=len(present)))
            membership.append(np.array([*values, missing]))
        else:
            for joined in [present.index(value) for value in canonical(present, column, one_hot)]:
                splits.append(Split("multiway", subset=every, missing_branch=joined))
                rows_of = [values[i] | missing if i == joined else values[i] for i in range(len(present))]
                membership.append(np.array(rows_of))
    elif limits.categorical_split == "one_vs_rest":
        order = canonical(present, column, one_hot)
        for alone in order[:1] if len(present) == 2 else order if len(present) > 2 else []:
            subset = frozenset([alone] if alone == present[0] else present) - (
                frozenset() if alone == present[0] else {alone}
            )
            add(np.isin(column, list(subset)), kind="subset", subset=subset)
            if missing.any() and not own_branch and alone != present[0]:  # first with the rest, then alone
                splits[-2:] = splits[-2:][::-1]
                membership[-2:] = membership[-2:][::-1]
    else:
        for subset in subsets_of(present, column, one_hot):
            add(np.isin(column, list(subset)), kind="subset", subset=subset)
    if missing.any() and not missing.all() and limits.missing != "surrogate":
        splits.append(Split("is_missing", missing_branch=0))
        membership.append(np.array([missing, ~missing]))
    criterion = "entropy" if limits.criterion == "gain_ratio" else limits.criterion
    known_share = float(one_hot[~missing].sum() / one_hot.sum()) if limits.missing == "surrogate" else 1.0
    return _offers(criterion, splits, membership, one_hot, limits, known_share)


def canonical(present: list[int], column: np.ndarray, one_hot: np.ndarray) -> list[int]:
    """Categories in the order that only their counts decide: the larger share of the first class first, and
    so on; then the heavier one; then the one of more rows; then the lower code.
    """

    def key(value: int) -> tuple[Any, ...]:
        counts = one_hot[column == value].sum(axis=0)
        shares = (-(counts / counts.sum())).round(11).tolist()
        return (*shares, -float(counts.sum()), -int((column == value).sum()), *(-counts).tolist(), value)

    return sorted(present, key=key)


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

    For two classes a subset that follows the class shares is best for a concave impurity (and for scores that
    are convex in the counts), but a minimum leaf size may forbid it; and
    more than ten categories with more than two classes have too many subsets to try.
    """
    if table.n_categories[feature] == 0 or limits.categorical_split != "auto":
        return True
    if len(set(table.target[rows].tolist())) <= 2:
        concave = limits.criterion in CONCAVE
        return concave and limits.min_samples_leaf == 1 and limits.min_weight_leaf == 0
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
            score = (offers.ratios if limits.criterion == "gain_ratio" else offers.merits)[best]
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
