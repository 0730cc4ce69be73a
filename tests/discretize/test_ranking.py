"""The ranking of thresholds is that of the published algorithm, and every prefix of it is a ranking."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.criteria import CRITERIA, Impurity, get_criterion
from boxwood.data import Dataset, make_dataset
from boxwood.discretize import MID
from boxwood.discretize.description_length import is_worth_describing
from boxwood.discretize.ranking import GRID_BITS, grid_scale, rank_thresholds
from boxwood.search.numeric import midpoint, value_table
from tests.discretize.tables import datasets
from tests.oracles import naive_mdlp, naive_mid


def in_python(name: str):
    """The same criterion, as one that the core does not know."""
    return dataclasses.replace(CRITERIA[name], name=f"{name} in Python")


def unit_of(dataset: Dataset, name: str) -> float:
    return 2.0 ** (grid_scale(CRITERIA[name], dataset) - GRID_BITS)


def assert_same(found, expected, unit: float) -> None:
    """Same thresholds in the same order; gains may differ by the rounding of a logarithm."""
    assert found["feature"].tolist() == expected["feature"].tolist()
    assert found["threshold"].tolist() == expected["threshold"].tolist()
    assert np.abs(found["gain"] - expected["gain"]).max(initial=0.0) <= 2 * unit


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@settings(max_examples=300)
@given(dataset=datasets())
def test_the_ranking_is_that_of_the_published_algorithm(criterion: str, dataset: Dataset) -> None:
    found = rank_thresholds(dataset, CRITERIA[criterion], others=False).thresholds
    unit = unit_of(dataset, criterion)
    expected = naive_mid.rank(list(dataset.columns), dataset.target, dataset.weights, criterion, unit)
    assert found["feature"].tolist() == [entry[0] for entry in expected]
    assert found["threshold"].tolist() == [entry[1] for entry in expected]
    gains = np.array([entry[2] * unit for entry in expected])
    assert np.abs(found["gain"] - gains).max(initial=0.0) <= 2 * unit


def formula_of(name: str, n_classes: int) -> naive_mid.Formula:
    """A concave impurity by the book, of the shares of the classes that are there."""
    if name == "error":
        return lambda p: 1 - max(p)
    if name == "sine":
        return lambda p: math.fsum(math.sin(math.pi * x) for x in p if x < 1) / (2 if n_classes == 2 else 1)
    if name == "tsallis":
        return lambda p: 2 * (1 - math.fsum(float(x) ** 1.5 for x in p)) if len(p) > 1 else 0
    return lambda p: math.fsum(math.sqrt(min(x, 1 - x)) for x in p) / (2 if n_classes == 2 else 1)


@pytest.mark.parametrize("name", ["error", "sine", "tsallis", "root", "root of a vector"])
@settings(max_examples=100)
@given(dataset=datasets())
def test_every_concave_impurity_has_the_ranking_of_the_published_algorithm(
    name: str, dataset: Dataset
) -> None:
    """A user's function was refused, as was "error", which is concave, though not strictly."""
    given: Any = {
        "root": Impurity(np.sqrt),
        "root of a vector": Impurity(
            lambda p: np.sqrt(np.minimum(p, 1 - p)).sum(axis=1) / (2 if p.shape[1] == 2 else 1), vector=True
        ),
    }.get(name, name)
    criterion = get_criterion(given, dataset.n_classes)
    found = rank_thresholds(dataset, criterion, others=False).thresholds
    unit = 2.0 ** (grid_scale(criterion, dataset) - GRID_BITS)
    formula = formula_of(name, dataset.n_classes)
    expected = naive_mid.rank(list(dataset.columns), dataset.target, dataset.weights, formula, unit)
    assert found["feature"].tolist() == [entry[0] for entry in expected]
    assert found["threshold"].tolist() == [entry[1] for entry in expected]
    gains = np.array([entry[2] * unit for entry in expected])
    assert np.abs(found["gain"] - gains).max(initial=0.0) <= 2 * unit
    mid = MID("all", criterion=given).fit_dataset(dataset)
    assert mid.thresholds_[: len(found)].tolist() == found.tolist()


@settings(max_examples=100)
@given(dataset=datasets(max_rows=60))
def test_a_users_formula_of_gini_ranks_as_gini_does(dataset: Dataset) -> None:
    like_gini = Impurity(lambda p: p * (1 - p))
    ours = MID("all", criterion=like_gini).fit_dataset(dataset).thresholds_
    named = MID("all", criterion="gini").fit_dataset(dataset).thresholds_
    half = 0.5 if dataset.n_classes == 2 else 1.0
    assert ours[["feature", "threshold"]].tolist() == named[["feature", "threshold"]].tolist()
    assert np.abs(ours["gain"] - half * named["gain"]).max(initial=0.0) <= 2 * unit_of(dataset, "gini")


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@settings(max_examples=150)
@given(dataset=datasets(max_rows=60), refusal=st.sampled_from(["ignored", "list", "interval"]))
def test_a_criterion_in_python_gives_the_ranking_of_the_core(
    criterion: str, dataset: Dataset, refusal: str
) -> None:
    core = rank_thresholds(dataset, CRITERIA[criterion], refusal=refusal)
    python = rank_thresholds(dataset, in_python(criterion), refusal=refusal)
    assert_same(python.thresholds, core.thresholds, unit_of(dataset, criterion))
    assert python.n_value_changes == core.n_value_changes


@settings(max_examples=100)
@given(dataset=datasets(), criterion=st.sampled_from(["gini", "entropy", "python"]))
def test_every_prefix_is_the_ranking_of_its_length(dataset: Dataset, criterion: str) -> None:
    chosen = in_python("gini") if criterion == "python" else CRITERIA[criterion]
    everything = rank_thresholds(dataset, chosen)
    assert everything.complete
    for limit in range(len(everything.thresholds) + 2):
        found = rank_thresholds(dataset, chosen, limit=limit).thresholds
        assert found.tolist() == everything.thresholds[:limit].tolist()


@given(dataset=datasets())
def test_all_are_the_midpoints_of_neighbouring_values(dataset: Dataset) -> None:
    found = rank_thresholds(dataset).thresholds
    expected = set()
    for place, column in enumerate(dataset.columns):
        values = np.unique(column[~np.isnan(column)]).tolist()
        expected |= {(place, midpoint(a, b)) for a, b in itertools.pairwise(values)}
    pairs = [(int(entry["feature"]), float(entry["threshold"])) for entry in found]
    assert len(pairs) == len(set(pairs))
    assert set(pairs) == expected
    boundary = rank_thresholds(dataset, others=False).thresholds
    assert found[: len(boundary)].tolist() == boundary.tolist()
    assert not found[len(boundary) :]["gain"].any()


@given(dataset=datasets(weights=("none", "any")), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_rows_and_classes_does_not_matter(dataset: Dataset, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.permutation(dataset.n_rows)
    names = rng.permutation(dataset.n_classes)
    X = np.column_stack(dataset.columns)
    for criterion in ("gini", "entropy"):
        found = rank_thresholds(dataset, CRITERIA[criterion]).thresholds
        other = make_dataset(X[rows], names[dataset.target[rows]], sample_weight=dataset.weights[rows])
        assert rank_thresholds(other, CRITERIA[criterion]).thresholds.tolist() == found.tolist()


@given(dataset=datasets(weights=("whole",)))
def test_weights_are_repetitions(dataset: Dataset) -> None:
    times = dataset.weights.astype(int)
    X = np.repeat(np.column_stack(dataset.columns), times, axis=0)
    repeated = make_dataset(X, np.repeat(dataset.target, times))
    for refusal in ("ignored", "list", "interval"):
        weighted = rank_thresholds(dataset, refusal=refusal).thresholds
        assert rank_thresholds(repeated, refusal=refusal).thresholds.tolist() == weighted.tolist()


@given(dataset=datasets(max_rows=40))
def test_mdl_ends_a_column_at_its_first_refused_cut(dataset: Dataset) -> None:
    """And nothing else: the cuts before it stand in the order of the whole ranking."""
    everything = rank_thresholds(dataset, others=False).thresholds
    ended: set[int] = set()
    made: dict[int, list[float]] = {}
    kept = []
    for entry in everything:
        feature, threshold = int(entry["feature"]), float(entry["threshold"])
        column = dataset.columns[feature]
        cuts = made.setdefault(feature, [])
        low = max((cut for cut in cuts if cut < threshold), default=-np.inf)
        high = min((cut for cut in cuts if cut > threshold), default=np.inf)
        cuts.append(threshold)
        inside = (column > low) & (column <= high)
        rows = zip(column[inside], dataset.target[inside], dataset.weights[inside], strict=True)
        sides: tuple[list, list] = ([], [])
        for row in rows:
            sides[int(row[0] > threshold)].append(row)
        if not naive_mdlp.accepts(naive_mdlp.tally(sides[0]), naive_mdlp.tally(sides[1])):
            ended.add(feature)
        if feature not in ended:
            kept.append(entry.tolist())
    assert rank_thresholds(dataset, refusal="list", others=False).thresholds.tolist() == kept


def test_gains_within_a_column_may_rise() -> None:
    """Of 0 1 1 0 the first cut gains less than the second one, which it makes possible."""
    found = rank_thresholds(make_dataset([[1.0], [2.0], [3.0], [4.0]], [0, 1, 1, 0]))
    assert found.thresholds["threshold"].tolist() == [1.5, 3.5, 2.5]
    first, second, _ = found.thresholds["gain"].tolist()
    assert first < second


def test_a_column_with_few_values_does_not_outrank_one_with_all() -> None:
    """Gains are shares of all rows: two known rows, perfectly told apart, gain two rows' worth."""
    known = np.arange(20.0)
    rare = np.full(20, np.nan)
    rare[[0, 19]] = 0.0, 1.0
    y = (known > 12).astype(int)
    found = rank_thresholds(make_dataset(np.column_stack([rare, known]), y), others=False).thresholds
    assert found["feature"].tolist() == [1, 0]
    assert found["gain"][1] == pytest.approx(2 / 20)


@pytest.mark.parametrize("pattern", ["alternating", "cycle", "noise", "skewed", "blocks", "slope"])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_long_intervals(pattern: str, criterion: str, weighted: bool) -> None:
    """The core skips stretches of a long interval in which no cut can be best; Python looks at all."""
    n = 1200
    rng = np.random.default_rng(7)
    y = {
        "alternating": np.arange(n) % 2,
        "cycle": np.arange(n) % 5,
        "noise": rng.integers(0, 3, n),
        "skewed": (rng.random(n) < 0.03).astype(int),
        "blocks": np.arange(n) // 280 % 2 ^ (rng.random(n) < 0.2),
        "slope": (rng.random(n) < np.linspace(0, 1, n)).astype(int) + (np.arange(n) > 800),
    }[pattern]
    weights = rng.random(n) + 0.1 if weighted else None
    dataset = make_dataset(np.arange(n, dtype=float)[:, None], y, sample_weight=weights)
    core = rank_thresholds(dataset, CRITERIA[criterion]).thresholds
    python = rank_thresholds(dataset, in_python(criterion)).thresholds
    assert_same(core, python, unit_of(dataset, criterion))


def test_values_that_differ_in_the_last_bit_are_told_apart() -> None:
    below = np.nextafter(1.0, 0.0)
    found = rank_thresholds(make_dataset([[below], [1.0]], [0, 1])).thresholds
    assert found["threshold"].tolist() == [below]


def test_the_two_zeros_are_one_value() -> None:
    found = rank_thresholds(make_dataset([[-0.0], [0.0], [1.0]], [0, 1, 1])).thresholds
    assert found["threshold"].tolist() == [0.5]


@given(
    st.lists(st.integers(0, 6), min_size=2, max_size=4).flatmap(
        lambda left: st.tuples(
            st.just(left), st.lists(st.integers(0, 6), min_size=len(left), max_size=len(left))
        )
    )
)
def test_the_mdl_test_is_its_formula(sides: tuple[list[int], list[int]]) -> None:
    left, right = sides
    if not any(left) or not any(right):
        return
    counts = [naive_mdlp.tally([(0.0, k, float(w)) for k, w in enumerate(side) if w]) for side in sides]
    assert is_worth_describing(left, right) == naive_mdlp.accepts(*counts)


def test_thousands_of_classes_do_not_overflow_the_test() -> None:
    counts = np.ones(2000)
    assert not is_worth_describing(counts, counts)


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_column_is_ranked_alike_alone_and_in_a_wide_table(order: str) -> None:
    """Columns are read some at a time, those with few values and those with many in different ways."""
    rng = np.random.default_rng(5)
    n = 700
    X = np.asarray(rng.random((n, 37)), order=order)
    X[:, ::3] = rng.integers(0, 9, (n, 13))
    X[rng.random(X.shape) < 0.1] = np.nan
    X[:, 20] = np.nan
    X[:, 21] = 1.5
    y = rng.integers(0, 3, n)
    wide = rank_thresholds(make_dataset(X, y)).thresholds
    for place in range(37):
        alone = rank_thresholds(make_dataset(X[:, [place]].copy(), y)).thresholds
        mine = wide[wide["feature"] == place]
        assert mine[["threshold", "gain"]].tolist() == alone[["threshold", "gain"]].tolist()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@given(dataset=datasets(max_rows=60))
def test_the_gains_of_a_column_add_up(criterion: str, dataset: Dataset) -> None:
    """From one interval to one for each value: what is left is the impurity within the values."""
    found = rank_thresholds(dataset, CRITERIA[criterion]).thresholds
    total = dataset.weights.sum()
    for place, column in enumerate(dataset.columns):
        known = ~np.isnan(column)
        if not known.any():
            continue
        table = value_table(
            column[known], dataset.target[known], dataset.weights[known], dataset.n_classes
        ).counts
        whole = table.sum() * CRITERIA[criterion].impurity(table.sum(axis=0))
        within = (table.sum(axis=1) * CRITERIA[criterion].impurity(table)).sum()
        gains = found["gain"][found["feature"] == place]
        assert gains.sum() == pytest.approx((whole - within) / total, abs=1e-9)


def test_a_real_table(data_file) -> None:
    """All of magic04: every value change once, the boundary points first, a limit as a prefix."""
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(data_file("magic04.csv.gz"))
    dataset = make_dataset(table.drop(columns="class").to_numpy(), table["class"].to_numpy())
    ranking = rank_thresholds(dataset)
    assert ranking.complete
    assert ranking.n_value_changes == sum(len(np.unique(column)) - 1 for column in dataset.columns)
    some = rank_thresholds(dataset, limit=500).thresholds
    assert some.tolist() == ranking.thresholds[:500].tolist()
    python = rank_thresholds(dataset, in_python("entropy"), limit=60).thresholds
    assert_same(python, some[:60], unit_of(dataset, "entropy"))


def test_mdl_is_no_prefix_of_another_ranking() -> None:
    """The story: asked for 'mdl' after a fit with 'all', MID said that it needs more than all of them."""
    mid = MID("all").fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    with pytest.raises(ValueError, match=r"'mdl' is no prefix of the ranking .* n_thresholds='all'.* Fit"):
        mid.set_params(n_thresholds="mdl").transform([[1.0]])
