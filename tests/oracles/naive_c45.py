"""Trees with spread rows, by the definition: every node of a grown tree is grown again and compared.

Rows are pairs of a number and a part of a weight, and parts are fractions of whole numbers, so that nothing
is ever rounded. Every split of every column is listed, its branches counted row by row, and scored by its
textbook formula. `check_spread` walks down a tree from anywhere, with rows of its own, and asserts at every
node that counts are right, that a split is the one that the rules choose, and that a leaf had to be one.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from tests.oracles.naive_split import SPLIT_SCORES, TIE, Table, exact_midpoint, impurity, split_scores

Rows = dict[int, Fraction]
SMALL = 1e-6  # what Weka takes for equal
THRESHOLD, SUBSET, MULTIWAY = 1, 2, 3


@dataclass(eq=False)
class Candidate:
    feature: int
    kind: int
    values: tuple[Any, ...]  # (threshold,), or the categories of each branch
    branches: list[Rows]  # the rows whose value is known
    merit: float = math.nan
    ratio: float = math.nan
    gain: float = math.nan  # before any correction


def counts_of(table: Table, rows: Rows) -> np.ndarray:
    counts = [Fraction(0)] * table.n_classes
    for row, weight in rows.items():
        counts[int(table.target[row])] += weight
    return np.array([float(count) for count in counts])


def weight_of(rows: Rows) -> Fraction:
    return sum(rows.values(), Fraction(0))


def is_missing(table: Table, feature: int, row: int) -> bool:
    value = table.columns[feature][row]
    return bool(np.isnan(value)) if table.n_categories[feature] == 0 else bool(value < 0)


def enough(rows: Rows, least_rows: int, least_weight: float) -> bool:
    return len(rows) >= least_rows and float(weight_of(rows)) >= least_weight * (1 - 1e-9)


def score(table: Table, node: Rows, candidate: Candidate, criterion: str) -> None:
    """Merit on the known rows, times their share; gain over the information of branches and unknown rows."""
    weight = float(weight_of(node))
    branches = np.array([counts_of(table, rows) for rows in candidate.branches])
    known = branches.sum(axis=0)
    share = float(known.sum()) / weight
    gain = impurity(criterion, known) - sum(
        float(branch.sum() / known.sum()) * impurity(criterion, branch) for branch in branches
    )
    candidate.gain = gain * share
    candidate.merit = candidate.gain
    if criterion in SPLIT_SCORES:
        candidate.merit = float(split_scores(criterion, branches[np.newaxis])[0]) * share
    parts = [float(branch.sum()) / weight for branch in branches] + [1 - share]
    information = -sum(part * math.log2(part) for part in parts if part > 1e-12)
    candidate.ratio = candidate.merit / information if information > 0 else 0.0


def numeric_candidates(
    table: Table, node: Rows, feature: int, options: Any
) -> tuple[list[Candidate], int, int]:
    """All cuts that the minima allow, their number, and that of all cuts."""
    column = table.columns[feature]
    known = {row: weight for row, weight in node.items() if not is_missing(table, feature, row)}
    least = options.min_weight_leaf
    if options.numeric_minimum == "quinlan":
        least = max(least, min(0.1 * float(weight_of(known)) / table.n_classes, 25.0))
    found, n_cuts = [], 0
    values = sorted({float(column[row]) for row in known})
    for below, above in itertools.pairwise(values):
        if options.min_value_gap > 0 and not below + options.min_value_gap < above:
            continue
        n_cuts += 1
        sides = [
            {row: w for row, w in known.items() if column[row] <= below},
            {row: w for row, w in known.items() if column[row] > below},
        ]
        if not all(enough(side, options.min_samples_leaf, least) for side in sides):
            continue
        threshold = exact_midpoint(below, above)
        if options.thresholds == "training_value":
            threshold = max(float(v) for v in column[~np.isnan(column)] if v <= threshold)
        found.append(Candidate(feature, THRESHOLD, (threshold,), sides))
        score(table, node, found[-1], options.criterion)
    return found, len(found), n_cuts


def content(table: Table, rows: Rows) -> tuple[float, ...]:
    """What categories are ordered by: falling class shares, then weight, then rows."""
    counts = [float(count) for count in counts_of(table, rows)]
    return (*(-round(count / sum(counts), 11) for count in counts), -sum(counts), -len(rows))


def category_candidates(table: Table, node: Rows, feature: int, options: Any) -> list[Candidate]:
    by_code: dict[int, Rows] = {}
    for row, weight in node.items():
        if not is_missing(table, feature, row):
            by_code.setdefault(int(table.columns[feature][row]), {})[row] = weight
    codes = sorted(by_code)
    if len(codes) < 2:
        return []
    groupings: list[tuple[tuple[int, ...], ...]]
    if options.categorical_split == "multiway":
        groupings = [tuple((code,) for code in codes)]
    elif options.categorical_split == "one_vs_rest":
        order = codes
        if options.comparison != "weka":
            order = sorted(codes, key=lambda code: content(table, by_code[code]))
        alone = order[:1] if len(codes) == 2 else order
        groupings = [((code,), tuple(c for c in codes if c != code)) for code in alone]
    else:
        groupings = [
            (chosen, tuple(c for c in codes if c not in chosen))
            for size in range(len(codes))
            for chosen in itertools.combinations(codes, size)
            if codes[0] in chosen
        ]
    found = []
    for grouping in groupings:
        branches = [
            {row: w for code in codes_of for row, w in by_code[code].items()} for codes_of in grouping
        ]
        fits = [enough(rows, options.min_samples_leaf, options.min_weight_leaf) for rows in branches]
        if sum(fits) < (2 if options.leaf_minimum == "two" else len(fits)):
            continue
        if codes[0] not in grouping[0]:  # the lowest category is in branch 0
            grouping, branches = grouping[::-1], branches[::-1]
        found.append(
            Candidate(
                feature,
                MULTIWAY if len(grouping) != 2 or options.categorical_split == "multiway" else SUBSET,
                grouping,
                branches,
            )
        )
        score(table, node, found[-1], options.criterion)
    return found


def best_of_column(table: Table, node: Rows, feature: int, options: Any, tie: float) -> list[Candidate]:
    """The candidates among which a column's offer is: those that tie with its best, in order."""
    weka = options.comparison == "weka"
    if table.n_categories[feature] > 0:
        found = category_candidates(table, node, feature, options)
        if not found:
            return []
        if weka and options.categorical_split == "one_vs_rest" and options.criterion == "gain_ratio":
            best, chosen = 0.0, [replace(found[0], merit=0.0, ratio=0.0)]
            for candidate in found:
                if candidate.ratio - best > SMALL:
                    best, chosen = candidate.ratio, [candidate]
            return chosen
        best = max(candidate.merit for candidate in found)
        return [candidate for candidate in found if candidate.merit >= best - tie]
    found, n_allowed, _ = numeric_candidates(table, node, feature, options)
    chosen: list[Candidate] = []
    if weka:
        best = 0.0
        for candidate in found:
            if candidate.merit - best > SMALL:
                best, chosen = candidate.merit, [candidate]
    elif found:
        best = max(candidate.merit for candidate in found)
        chosen = [candidate for candidate in found if candidate.merit >= best - tie]
    if options.gain_correction == "mdl" and chosen:
        bits = math.log2(n_allowed) / float(weight_of(node))
        for candidate in chosen:
            candidate.ratio *= (candidate.merit - bits) / candidate.merit if candidate.merit else 1.0
            candidate.merit -= bits
        if max(candidate.merit for candidate in chosen) <= (SMALL if weka else 0.0):
            return []
    return chosen


def has_few_values(table: Table, feature: int) -> bool:
    return table.n_categories[feature] < 0.3 * table.n_rows - SMALL


def choices(table: Table, node: Rows, options: Any) -> list[Candidate]:
    """The splits that the rules allow at a node: one, or several that tie among subsets of one column."""
    tie = TIE * impurity(options.criterion, counts_of(table, node))
    columns = [best_of_column(table, node, feature, options, tie) for feature in range(len(table.columns))]
    offered = [column for column in columns if column]
    if not offered:
        return []
    by_ratio = options.criterion == "gain_ratio"
    if options.comparison == "weka":
        least = -math.inf
        if by_ratio:
            few = [column for column in offered if has_few_values(table, column[0].feature)]
            if not any(has_few_values(table, feature) for feature in range(len(table.columns))):
                few = offered
            if not few:
                return []
            least = sum(column[0].merit for column in few) / len(few) - 1e-3
        best, chosen = 0.0, list[Candidate]()
        for column in offered:
            value = column[0].ratio if by_ratio else column[0].merit
            if column[0].merit >= least and value - best > SMALL:
                best, chosen = value, column[:1]
        return chosen
    if by_ratio:
        average = sum(column[0].merit for column in offered) / len(offered)
        offered = [column for column in offered if column[0].merit >= average - tie]
        best = max(column[0].ratio for column in offered)
        return next(column[:1] for column in offered if column[0].ratio >= best - tie)
    best = max(candidate.merit for column in offered for candidate in column)
    for column in offered:
        near = [candidate for candidate in column if candidate.merit >= best - tie]
        if near:
            several = column[0].kind == SUBSET and options.categorical_split == "auto"
            return near if several else near[:1]
    raise AssertionError


def ends(table: Table, node: Rows, depth: int, options: Any) -> bool:
    counts = counts_of(table, node)
    impure = counts.sum() - counts.max() > (SMALL if options.comparison == "weka" else 0.0)
    return bool(
        not impure
        or (options.max_depth is not None and depth >= options.max_depth)
        or len(node) < max(options.min_samples_split, 2 * options.min_samples_leaf)
        or counts.sum() < 2 * options.min_weight_leaf * (1 - 1e-9)
    )


def spread(table: Table, node: Rows, candidate: Candidate) -> list[Rows]:
    """The rows of each branch: those that are known, and a part of those that are not."""
    known = sum((weight_of(rows) for rows in candidate.branches), Fraction(0))
    children = [dict(rows) for rows in candidate.branches]
    for row, weight in node.items():
        if is_missing(table, candidate.feature, row):
            for child, rows in zip(children, candidate.branches, strict=True):
                child[row] = weight * weight_of(rows) / known
    return children


def split_of(tree: Any, node: int) -> tuple[int, int, tuple[Any, ...]]:
    """Feature, kind and values of a node of a tree."""
    kind = int(tree.kind[node])
    if kind == THRESHOLD:
        return int(tree.feature[node]), kind, (float(tree.threshold[node]),)
    begin, end = tree.category_offset[node], tree.category_offset[node + 1]
    values = tuple(
        tuple(tree.category_code[begin:end][tree.category_branch[begin:end] == branch].tolist())
        for branch in range(tree.n_children[node])
    )
    return int(tree.feature[node]), kind, values


def check_spread(tree: Any, table: Table, options: Any) -> int:
    """Assert that a tree is what the rules ask for; returns how many splits were compared."""
    rows_at = {0: {row: Fraction(float(w)) for row, w in enumerate(table.weights)}}
    depth_at = {0: 0}
    n_splits = 0
    for node in range(len(tree.kind)):
        rows = rows_at[node]
        counts = counts_of(table, rows)
        assert tree.n_rows[node] == len(rows), f"node {node}: n_rows"
        np.testing.assert_allclose(tree.counts[node], counts, rtol=1e-9, atol=1e-12)
        if ends(table, rows, depth_at[node], options):
            assert tree.kind[node] == 0, f"node {node} must be a leaf"
            continue
        wanted = choices(table, rows, options)
        if tree.kind[node] == 0:
            assert not wanted, f"node {node} is a leaf, and could be {wanted[0]}"
            continue
        chosen = [c for c in wanted if (c.feature, c.kind, c.values) == split_of(tree, node)]
        assert chosen, f"node {node}: {split_of(tree, node)} is not {[(c.feature, c.values) for c in wanted]}"
        n_splits += 1
        best = chosen[0].ratio if options.criterion == "gain_ratio" else chosen[0].merit
        assert math.isclose(tree.score[node], best, rel_tol=1e-9, abs_tol=1e-11)
        assert tree.missing_branch[node] == -3
        for branch, child in enumerate(spread(table, rows, chosen[0])):
            rows_at[tree.first_child[node] + branch] = child
            depth_at[tree.first_child[node] + branch] = depth_at[node] + 1
    return n_splits
