"""Which columns are searched: every node tests the column that the definition names, or is a leaf for its
reason.
"""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import boxwood
from boxwood import TreeClassifier, TreeRegressor
from boxwood.criteria import CRITERIA, Impurity
from boxwood.data import Dataset, make_dataset
from boxwood.grow import GrowOptions, grow_by_level, grow_tree
from boxwood.select.association import (
    log_chi2_tail,
    log_p_of_correlation,
    log_p_of_groups,
    log_p_of_table,
    pearson,
)
from boxwood.select.chi2_filter import passes
from boxwood.select.conditional_inference import most_significant
from boxwood.tree import Tree, check_tree
from tests.grow.tables import Recipe, dataset_of, recipes
from tests.oracles.naive_association import best_cut_statistic
from tests.oracles.naive_split import Limits, Table, offers_of
from tests.oracles.naive_tree import divide, must_be_leaf, split_of

STYLES = ("category2", "category5", "category12", "few", "floats", "ties", "constant", "copy")


def known_rows(table: Table, rows: np.ndarray, feature: int) -> np.ndarray:
    column = table.columns[feature][rows]
    return rows[column >= 0 if table.n_categories[feature] else ~np.isnan(column)]


def is_constant(table: Table, rows: np.ndarray, feature: int) -> bool:
    known = known_rows(table, rows, feature)
    n_values = len(np.unique(table.columns[feature][known]))
    return n_values == 0 or (n_values == 1 and len(known) == len(rows))


def contingency(table: Table, rows: np.ndarray, feature: int) -> np.ndarray:
    known = known_rows(table, rows, feature)
    counts = np.zeros((table.n_categories[feature], table.n_classes))
    np.add.at(counts, (table.columns[feature][known], table.target[known]), table.weights[known])
    return counts


def log_p(table: Table, rows: np.ndarray, feature: int, unit: float) -> float:
    known = known_rows(table, rows, feature)
    if table.n_categories[feature]:
        return log_p_of_table(unit * contingency(table, rows, feature)) if len(known) else 0.0
    column = table.columns[feature][known]
    if len(known) == 0:
        return 0.0
    return log_p_of_groups(column, table.target[known], unit * table.weights[known])


def rows_by_node(tree: Tree, table: Table) -> dict[int, np.ndarray]:
    rows_at = {0: np.arange(table.n_rows)}
    for node in np.flatnonzero(tree.kind):
        rows, feature = rows_at[node], int(tree.feature[node])
        any_missing = len(known_rows(table, rows, feature)) < len(rows)
        for branch, part in enumerate(divide(table, rows, feature, split_of(tree, node, any_missing))):
            rows_at[int(tree.first_child[node]) + branch] = part
    return rows_at


def check_conditional(tree: Tree, dataset: Dataset, limits: Limits, significance_level: float | None) -> None:
    """Walk a tree: the tested column is the most significant one with a split, and leaves have a reason."""
    table = Table.of(dataset)
    unit = max(1.0, table.n_rows / table.weights.sum())
    for node, rows in rows_by_node(tree, table).items():
        if must_be_leaf(table, rows, _depth(tree, node), limits):
            continue
        tested = [f for f in range(len(table.columns)) if not is_constant(table, rows, f)]
        logs = {f: log_p(table, rows, f, unit) for f in tested}
        while tested:
            chosen, p_value = most_significant([logs[f] for f in tested], significance_level)
            feature = tested[chosen]
            p_value = min(1.0, p_value / len(tested) * len(logs))
            if chosen < 0 or (significance_level is not None and p_value > significance_level):
                tested = []
            elif len(offers_of(table, rows, feature, limits)) == 0:
                tested.remove(feature)  # the next significant one
            else:
                break
        if not tested:
            assert tree.kind[node] == 0, f"node {node}: nothing is significant"
            assert math.isnan(tree.extra["p_value"][node])
            continue
        assert tree.kind[node] != 0, f"node {node}: column {feature} is significant"
        tied = abs(logs[int(tree.feature[node])] - logs[feature]) < 1e-9 * (1 + abs(logs[feature]))
        assert tree.feature[node] == feature or tied, f"node {node}"
        assert tree.extra["p_value"][node] == pytest.approx(p_value, rel=1e-6, abs=1e-300)


def _depth(tree: Tree, node: int) -> int:
    return int(tree.node_depth[node])


@pytest.mark.parametrize("significance_level", [0.05, 0.6, None])
@settings(max_examples=60)
@given(data=st.data())
def test_conditional_inference(significance_level: float | None, data: st.DataObject) -> None:
    recipe: Recipe = data.draw(recipes(STYLES, max_rows=60, missing=(0.0, 0.2)))
    limits = Limits(
        criterion=data.draw(st.sampled_from(["gini", "entropy", "gain_ratio"])),
        missing=data.draw(st.sampled_from(["learn", "branch"])),
        min_samples_leaf=data.draw(st.sampled_from([1, 3])),
        categorical_split=data.draw(st.sampled_from(["multiway", "one_vs_rest"])),
    )
    dataset = recipe.cook()
    options = GrowOptions(
        **vars_of(limits), select="conditional_inference", significance_level=significance_level
    )
    tree = grow_tree(dataset, options)
    check_tree(tree)
    check_conditional(tree, dataset, limits, significance_level)
    assert grow_tree(dataset, GrowOptions(**{**vars(options), "n_threads": 2})) == tree
    if data.draw(st.booleans()):
        free = GrowOptions(**{**vars(options), "max_leaf_nodes": dataset.n_rows + 1})
        assert grow_tree(dataset, free) == tree


def vars_of(limits: Limits) -> dict[str, object]:
    names = ("criterion", "missing", "min_samples_leaf", "categorical_split")
    return {name: getattr(limits, name) for name in names}


@settings(max_examples=80)
@given(
    recipe=recipes(STYLES, max_rows=80, missing=(0.0, 0.2)),
    max_p=st.sampled_from([0.1, 0.5]),
    second=st.sampled_from([0.0, 4.0, 15.0]),
)
def test_chi2_filter(recipe: Recipe, max_p: float, second: float) -> None:
    dataset = recipe.cook()
    table, limits = Table.of(dataset), Limits(categorical_split="one_vs_rest")
    options = GrowOptions(
        categorical_split="one_vs_rest", select="chi2_filter", max_p_value=max_p, min_second_value=second
    )
    tree = grow_tree(dataset, options)
    check_tree(tree)
    for node, rows in rows_by_node(tree, table).items():
        if must_be_leaf(table, rows, 0, limits):
            continue
        passing = {}
        for feature in range(len(table.columns)):
            if table.n_categories[feature]:
                counts = contingency(table, rows, feature)
                if passes(counts, max_p, second):
                    passing[feature] = math.exp(log_chi2_tail(*pearson(counts)))
            else:
                known = known_rows(table, rows, feature)
                freedom = len(np.unique(table.target[known])) - 1
                best = best_cut_statistic(table, rows, feature, second)
                if freedom > 0 and not math.isnan(best) and log_chi2_tail(best, freedom) <= math.log(max_p):
                    passing[feature] = math.exp(log_chi2_tail(best, freedom))
        if tree.kind[node] == 0:
            assert not any(len(offers_of(table, rows, f, limits)) for f in passing), f"node {node}"
        else:
            assert tree.extra["p_value"][node] == pytest.approx(passing[int(tree.feature[node])], rel=1e-6)


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("weighted", [False, True])
def test_numbers_as_the_target(criterion: str, weighted: bool) -> None:
    random = np.random.default_rng(7)
    for _ in range(12):
        n_rows = int(random.integers(20, 400))
        X = np.column_stack(
            [
                random.normal(size=n_rows),
                random.integers(0, 6, n_rows),
                random.integers(0, 300, n_rows),
                random.integers(0, 4, n_rows),
            ]
        )
        X[random.random(X.shape) < 0.1] = np.nan
        y = random.normal(size=n_rows) + np.nan_to_num(X[:, 3]) + 5
        y = np.abs(y)
        weights = random.integers(1, 4, n_rows) if weighted else None
        dataset = make_dataset(X, y, sample_weight=weights, categorical_features=[1, 2], task="regression")
        options = GrowOptions(
            criterion=criterion, select="conditional_inference", significance_level=None, max_depth=1
        )
        tree = grow_tree(dataset, options)
        logs = []
        for feature, column in enumerate(dataset.columns):
            known = column >= 0 if feature in (1, 2) else ~np.isnan(column)
            test: Callable[..., float] = log_p_of_groups if feature in (1, 2) else log_p_of_correlation
            pair = (dataset.target[known], column[known])
            logs.append(test(*(pair if feature in (1, 2) else pair[::-1]), dataset.weights[known]))
        chosen, p_value = most_significant(logs, None)
        assert tree.feature[0] == chosen
        assert tree.extra["p_value"][0] == pytest.approx(p_value, rel=1e-6)


def random_table(seed: int, n_rows: int, sizes: tuple[int, ...], share: float) -> Dataset:
    random = np.random.default_rng(seed)
    columns = [random.integers(0, size, n_rows).astype(np.int32) for size in sizes]
    target = np.zeros(n_rows, dtype=np.int32)
    target[random.permutation(n_rows)[: int(share * n_rows)]] = 1
    return dataset_of(columns, target, None, 2, list(sizes))


def times_chosen(
    n_rows: int, sizes: tuple[int, ...], n_tables: int, share: float = 0.5, **options: object
) -> np.ndarray:
    counts = np.zeros(len(sizes))
    for seed in range(n_tables):
        tree = grow_tree(random_table(seed, n_rows, sizes, share), GrowOptions(max_depth=1, **options))
        if tree.feature[0] >= 0:
            counts[tree.feature[0]] += 1
    return counts


def test_columns_that_tell_nothing_are_chosen_equally_often() -> None:
    sizes = (2, 5, 12, 35, 100)
    fair = times_chosen(1_000, sizes, 400, select="conditional_inference", significance_level=None)
    assert fair.sum() == 400
    assert chisquare(fair).pvalue > 0.01
    unfair = times_chosen(1_000, sizes, 100)
    assert unfair[-1] > 95
    significant = times_chosen(1_000, sizes, 400, select="conditional_inference").sum()
    assert significant < 0.05 * 400 + 3 * math.sqrt(400 * 0.05 * 0.95)


def test_monte_carlo_is_fair_where_rows_are_few() -> None:
    """Two rows per value, and a rare class: no approximation can be trusted, and none is used."""
    options = {"select": "conditional_inference", "significance_level": None, "monte_carlo": 199}
    assert chisquare(times_chosen(60, (2, 6, 30), 240, 0.5, **options)).pvalue > 0.01
    assert chisquare(times_chosen(60, (2, 6, 30), 240, 0.15, **options)).pvalue > 0.01


def test_a_simulated_p_value_is_the_share_of_permutations() -> None:
    """Many permutations, against many of numpy's."""
    random = np.random.default_rng(11)
    value, number = random.integers(0, 4, 30), random.normal(size=30)
    label = np.where(random.random(30) < 0.6, 1, value % 2)
    target = number + 3 * random.normal(size=30)

    def statistic(y: np.ndarray) -> float:
        if y.dtype.kind == "i":
            table = np.zeros((4, 2))
            np.add.at(table, (value, y), 1.0)
            return pearson(table)[0]
        return float(np.corrcoef(number, y)[0, 1] ** 2)

    for y, column in ((label, value), (target, number)):
        permuted = np.array([statistic(random.permutation(y)) for _ in range(4_000)])
        expected = float((permuted >= statistic(y) - 1e-9).mean())
        dataset = make_dataset(
            column.reshape(-1, 1),
            y,
            categorical_features=[0] if column is value else None,
            task="classification" if y is label else "regression",
        )
        options = GrowOptions(
            criterion="gini" if y is label else "squared_error",
            select="conditional_inference",
            significance_level=None,
            monte_carlo=10_000,
            max_depth=1,
        )
        found = grow_tree(dataset, options).extra["p_value"][0]
        assert 0.0005 < expected < 0.5
        assert found == pytest.approx(expected, abs=4 * math.sqrt(expected / 2_500))


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_monte_carlo_is_keyed_by_the_seed_alone(task: str) -> None:
    random = np.random.default_rng(5)
    X = np.column_stack([random.integers(0, 9, 90), random.normal(size=90), random.integers(0, 3, 90)])
    X[random.random(X.shape) < 0.1] = np.nan
    y = random.integers(0, 2, 90) + (random.random(90) < 0.1 * np.nan_to_num(X[:, 2]))
    weights = random.integers(1, 4, 90)
    options = GrowOptions(
        criterion="gini" if task == "classification" else "squared_error",
        select="conditional_inference",
        monte_carlo=199,
        significance_level=None,
        seed=3,
        max_depth=3,
    )

    def grown(rows: np.ndarray, weights: np.ndarray | None, options: GrowOptions = options) -> Tree:
        more = {"sample_weight": weights, "categorical_features": [0], "task": task}
        return grow_tree(make_dataset(X[rows], y[rows], **more), options)

    every = np.arange(90)
    tree = grown(every, weights)
    assert tree.n_leaves > 2
    assert grown(every, weights, GrowOptions(**{**vars(options), "n_threads": 2})) == tree
    shuffled = grown(random.permutation(90), None)
    assert np.array_equal(shuffled.extra["p_value"], grown(every, None).extra["p_value"], equal_nan=True)
    repeated = grown(np.repeat(every, weights), None)
    assert np.array_equal(repeated.extra["p_value"], tree.extra["p_value"], equal_nan=True)
    other = grown(every, weights, GrowOptions(**{**vars(options), "seed": 4}))
    assert not np.array_equal(other.extra["p_value"], tree.extra["p_value"], equal_nan=True)


def test_strong_columns_are_told_apart_beyond_underflow() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 20_000)
    flipped = np.where(random.random(20_000) < 0.01, 1 - y, y)
    X = np.column_stack([flipped, y])
    for options in ({}, {"monte_carlo": 49}):
        tree = grow_tree(make_dataset(X, y), GrowOptions(select="conditional_inference", **options))
        assert tree.feature[0] == 1
        assert tree.n_leaves == 2
    assert (
        grow_tree(make_dataset(X, y), GrowOptions(select="conditional_inference")).extra["p_value"][0] == 0.0
    )


def test_small_weights_count_as_rows_and_larger_ones_as_repetition() -> None:
    random = np.random.default_rng(2)
    X = random.integers(0, 4, (200, 2))
    y = (X[:, 0] > 1) ^ (random.random(200) < 0.3)
    plain = TreeClassifier(select="conditional_inference").fit(X, y).tree_.extra["p_value"]
    tiny = (
        TreeClassifier(select="conditional_inference").fit(X, y, sample_weight=np.full(200, 2.0**-20)).tree_
    )
    assert np.allclose(tiny.extra["p_value"], plain, rtol=1e-9, equal_nan=True)
    twice = TreeClassifier(select="conditional_inference").fit(np.repeat(X, 2, axis=0), np.repeat(y, 2)).tree_
    heavy = TreeClassifier(select="conditional_inference").fit(X, y, sample_weight=np.full(200, 2.0)).tree_
    assert np.array_equal(twice.extra["p_value"], heavy.extra["p_value"], equal_nan=True)


@pytest.mark.parametrize("categorical_split", ["auto", "multiway", "one_vs_rest"])
@pytest.mark.parametrize("select", ["chi2_filter", "conditional_inference"])
def test_an_identifier_is_not_chosen(select: str, categorical_split: str) -> None:
    random = np.random.default_rng(0)
    n_rows = 2_000
    X = {"id": [f"row {i}" for i in range(n_rows)], "size": random.integers(0, 3, n_rows).tolist()}
    y = np.where(random.random(n_rows) < 0.2, 1, np.array(X["size"]) > 1)
    options = {"categorical_split": categorical_split, "max_depth": 3}
    if categorical_split != "one_vs_rest":  # a single row against the others gains little
        assert TreeClassifier(**options).fit(X, y).tree_.feature[0] == 0
    tree = TreeClassifier(**options, select=select).fit(X, y).tree_
    assert tree.feature[0] == 1
    assert 0 not in tree.feature
    if select == "conditional_inference":
        assert 0 not in TreeRegressor(**options, select=select).fit(X, y.astype(float)).tree_.feature


@pytest.mark.parametrize("select", ["chi2_filter", "conditional_inference"])
@pytest.mark.parametrize("criterion", ["gini", "gain_ratio", "twoing"])
def test_growth_by_level_selects_alike(criterion: str, select: str) -> None:
    random = np.random.default_rng(4)
    X = np.column_stack([random.normal(size=300), random.integers(0, 6, 300), random.integers(0, 30, 300)])
    X[random.random(X.shape) < 0.08] = np.nan
    y = (np.nan_to_num(X[:, 1]) > 2).astype(int) + random.integers(0, 2, 300)
    dataset = make_dataset(X, y, categorical_features=[1, 2])
    for more in ({}, {"max_features": 2, "seed": 1}, {"max_leaf_nodes": 5}, {"min_samples_leaf": 20}):
        options = GrowOptions(criterion=criterion, select=select, **more)
        fused = grow_tree(dataset, options)
        levels = grow_by_level(dataset, CRITERIA[criterion], options).tree
        assert levels.feature.tolist() == fused.feature.tolist()
        assert np.allclose(levels.extra["p_value"], fused.extra["p_value"], equal_nan=True)
        assert fused.n_leaves > 1
    own = grow_tree(dataset, GrowOptions(criterion=Impurity(np.sqrt), select=select))
    assert own.n_leaves > 1


def test_the_text_shows_p_values_and_files_keep_them(tmp_path: Path) -> None:
    random = np.random.default_rng(6)
    X = {
        "colour": random.choice(["red", "green", "blue"], 200).tolist(),
        "size": random.normal(size=200).tolist(),
    }
    y = np.where(random.random(200) < 0.1, "no", np.where(np.array(X["colour"]) == "red", "yes", "no"))
    tree = TreeClassifier(select="conditional_inference", max_depth=1).fit(X, y).tree_
    lines = str(tree).splitlines()
    assert lines[2].split()[-1] == "p"
    assert float(lines[3].split()[-1]) == pytest.approx(tree.extra["p_value"][0], rel=0.05)
    tree.save(tmp_path / "tree.json")
    assert boxwood.load(tmp_path / "tree.json") == tree


def test_what_would_be_ignored_is_refused() -> None:
    X, y = [[0.0], [1.0], [2.0]], [0, 1, 0]
    for arguments, words in (
        ({"significance_level": 0.1}, "belongs to select='conditional_inference'"),
        ({"select": "conditional_inference", "max_p_value": 0.2}, "belongs to select='chi2_filter'"),
        ({"select": "chi2_filter", "monte_carlo": 99}, "belongs to select='conditional_inference'"),
        ({"select": "conditional_inference", "monte_carlo": 9}, "Use monte_carlo=19 or more"),
        (
            {"min_samples_category": 5, "unknown_category": "error"},
            "cannot be combined with min_samples_category",
        ),
    ):
        with pytest.raises(ValueError, match=words):
            TreeClassifier(**arguments).fit(X, y)
    with pytest.raises(ValueError, match="weights must be whole numbers"):
        TreeClassifier(select="conditional_inference", monte_carlo=99).fit(X, y, sample_weight=[1, 0.5, 1])
    with pytest.raises(ValueError, match="the target is a number"):
        TreeRegressor(select="chi2_filter").fit(X, y)


def read(path: Path, n_rows: int | None = None) -> tuple[dict[str, list[str | None]], list[str]]:
    """A table of text; the last column is the target."""
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        names, *rows = list(csv.reader(file))[: None if n_rows is None else n_rows + 1]
    columns = list(zip(*rows, strict=True))
    X = {name: [cell or None for cell in column] for name, column in zip(names, columns, strict=True)}
    return X, X.pop(names[-1])  # type: ignore[return-value]


def test_mushrooms(data_file: Callable[[str], Path]) -> None:
    """Smell tells edible mushrooms apart; one branch per value, and every test is significant."""
    X, y = read(data_file("mushroom.csv.gz"))
    for select in ("chi2_filter", "conditional_inference"):
        model = TreeClassifier(criterion="gain_ratio", categorical_split="multiway", select=select).fit(X, y)
        assert model.tree_.schema[int(model.tree_.feature[0])].name == "odor"
        assert model.tree_.n_children[0] == len(set(X["odor"]))
        assert model.score(X, y) > 0.999
        inner = model.tree_.kind > 0
        assert (model.tree_.extra["p_value"][inner] <= 0.1).all()


def test_animals_of_many_breeds(data_file: Callable[[str], Path]) -> None:
    X, y = read(data_file("shelter15.csv.gz"), 6_000)
    largest = max(X, key=lambda name: len(set(X[name])))
    assert len(set(X[largest])) > 200
    plain = TreeClassifier(max_depth=4).fit(X, y).tree_
    assert largest in {plain.schema[f].name for f in plain.feature[plain.kind > 0].tolist()}
    tested = TreeClassifier(max_depth=4, select="conditional_inference", min_samples_category=20).fit(X, y)
    check_tree(tested.tree_)
    assert len(tested.tree_.schema.columns[tested.tree_.schema.index(largest)].categories) < 100
    assert tested.score(X, y) > 0.3
