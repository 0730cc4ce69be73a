"""`AggregateFeatures`: what is joined, why, how it is named, and what a tree makes of it."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from boxwood import AggregateFeatures, TreeClassifier, read_table
from boxwood.aggregate.information import table_of, told_beyond
from boxwood.aggregate.joint import join


@parametrize_with_checks([AggregateFeatures(), AggregateFeatures(groups=[], unseen="keep")])
def test_sklearn_check(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


def exclusive_or(n_rows: int = 400, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({name: rng.choice(["no", "yes"], n_rows) for name in "abcd"})
    X["n"] = rng.integers(0, 3, n_rows)
    X["x"] = rng.normal(size=n_rows)
    return X, np.where((X["b"] == "yes") ^ (X["n"] == 1), "odd", "even")


# ------------------------------------------------------------------------------------------ choice


def naive_conditional_information(a: list[int], b: list[int], y: list[int]) -> float:
    """I(B;Y|A) by its definition: a sum over the rows."""
    n = len(y)
    count_a, count_ab = Counter(a), Counter(zip(a, b, strict=True))
    count_ay, count_aby = Counter(zip(a, y, strict=True)), Counter(zip(a, b, y, strict=True))
    return (
        sum(
            math.log2(count_aby[i, j, k] * count_a[i] / (count_ab[i, j] * count_ay[i, k]))
            for i, j, k in zip(a, b, y, strict=True)
        )
        / n
    )


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 2)), min_size=4, max_size=60))
def test_information_is_what_its_definition_says(rows: list[tuple[int, int, int]]) -> None:
    a, b, y = (np.array(column) for column in zip(*rows, strict=True))
    joint, codes = join((0, 1), (3, 4), [a, b])
    table = table_of(codes, joint.n_values, y, 3, np.ones(len(y)))
    found = told_beyond(table, joint.parts[:, 0], len(y))
    df = sum((len(set(b[a == i])) - 1) * (len(set(y[a == i])) - 1) for i in set(a.tolist()))
    if df:
        bias = df / (2 * len(y) * math.log(2))
        naive = naive_conditional_information(a.tolist(), b.tolist(), y.tolist())
        assert found.bits == pytest.approx(naive - bias, abs=1e-12)
    else:
        assert found.bits == 0


def test_an_exclusive_or_is_found_and_explained() -> None:
    X, y = exclusive_or()
    joined = AggregateFeatures().fit(X, y)
    assert joined.groups_ == [("b", "n")]
    assert "6 combinations" in joined.reasons_[0]
    assert "beyond" in joined.reasons_[0]
    assert set(joined.transform(X)["b & n"]) == set(joined.values_[0])
    assert "b=yes & n=1" in joined.values_[0]
    tree = make_pipeline(AggregateFeatures(), TreeClassifier(max_depth=1)).fit(X, y)
    assert tree.score(X, y) == 1.0
    assert TreeClassifier(max_depth=1).fit(X, y).score(X, y) < 0.8


def test_noise_is_not_joined() -> None:
    proposed = 0
    for seed in range(20):
        X, _ = exclusive_or(200, seed)
        X.loc[X.index % 10 > 0, "d"] = None  # few rows are no better evidence than they are
        y = np.random.default_rng(seed).integers(0, 3, 200)
        proposed += len(AggregateFeatures().fit(X, y).groups_)
    assert proposed <= 1  # chance is judged at 1 % for all pairs of a table


def test_budgets_are_kept() -> None:
    X, y = exclusive_or()
    assert AggregateFeatures(budget=0).fit(X, y).groups_ == []
    assert AggregateFeatures(max_values=5).fit(X, y).groups_ == []
    assert AggregateFeatures(max_integers=2).fit(X, y).groups_ == []
    parity = (X[["a", "b", "c"]] == "yes").sum(axis=1) % 2 + 2 * (X["d"] == "yes")
    groups = AggregateFeatures(max_columns=2).fit(X, parity).groups_
    assert all(len(group) <= 2 for group in groups)


def test_a_third_column_joins_where_it_tells_more() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (600, 5))
    y = X[:, 0] * 2 + (X[:, 1] & X[:, 4])
    assert sorted(AggregateFeatures().fit(X, y).groups_[0]) == ["x0", "x1", "x4"]


def test_weights_count_as_repetitions_and_rows_of_weight_0_are_not_there() -> None:
    X, y = exclusive_or(60)
    weights = np.random.default_rng(0).integers(0, 4, len(X))
    weighted = AggregateFeatures().fit(X, y, sample_weight=weights)
    repeated = AggregateFeatures().fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights))
    assert weighted.groups_ == repeated.groups_ == [("b", "n")]
    assert weighted.reasons_ == repeated.reasons_
    assert weighted.values_ == repeated.values_
    # Weights that sum to 1 are no sample of one row.
    assert AggregateFeatures().fit(X, y, sample_weight=np.full(60, 1 / 60)).groups_ == [("b", "n")]


def test_a_target_of_numbers_is_put_into_bins() -> None:
    X, y = exclusive_or()
    price = np.where(y == "odd", 10.0, 20.0) + np.random.default_rng(0).normal(size=len(y))
    assert AggregateFeatures().fit(X, price).groups_ == [("b", "n")]


# ------------------------------------------------------------------------------------------ tables


@pytest.mark.parametrize("kind", ["pandas", "polars", "dict", "array", "list"])
def test_what_comes_out_is_of_the_kind_that_went_in(kind: str) -> None:
    columns = {"a": ["x", "y", None, "x"], "b": [1.0, 2.0, 1.0, float("nan")], "c": [0.5, 1.5, 2.5, 3.5]}
    rows = np.array(list(zip(*columns.values(), strict=True)), dtype=object)
    X: Any = {
        "pandas": pd.DataFrame(columns, index=[7, 7, 8, 9]),
        "polars": pl.DataFrame(columns),
        "dict": columns,
        "array": rows,
        "list": rows.tolist(),
    }[kind]
    joined = AggregateFeatures(groups=[(0, 1)])
    out = joined.fit_transform(X)
    named = kind in ("pandas", "polars", "dict")
    assert joined.get_feature_names_out().tolist() == (
        ["a", "b", "c", "a & b"] if named else ["x0", "x1", "x2", "x0 & x1"]
    )
    cells = out["a & b"] if named else [row[3] for row in out]
    expected = ["a=x & b=1", "a=y & b=2", None, None]
    if not named:
        expected = ["x0=x & x1=1", "x0=y & x1=2", None, None]
    assert [cell if isinstance(cell, str) else None for cell in cells] == expected
    if kind == "pandas":
        assert isinstance(out, pd.DataFrame)
        assert out.index.tolist() == [7, 7, 8, 9]
        assert out["c"].dtype == np.float64
    if kind == "polars":
        assert out.schema["b"] == pl.Float64
    TreeClassifier().fit(out, [0, 1, 0, 1])


@pytest.mark.parametrize("wanted", ["pandas", "polars"])
def test_set_output(wanted: str) -> None:
    columns = {"a": ["x", "y", "x"], "b": ["p", "p", None]}
    library = {"pandas": pd.DataFrame, "polars": pl.DataFrame}[wanted]
    array = np.array([["x", 1], ["y", 2]], dtype=object)
    for X in (columns, pd.DataFrame(columns), pl.DataFrame(columns), array):
        out = AggregateFeatures(groups=[(0, 1)]).set_output(transform=wanted).fit_transform(X)
        assert isinstance(out, library)
        assert list(out.columns)[-1] in ("a & b", "x0 & x1")


def test_columns_in_another_order_and_combinations_that_training_did_not_see() -> None:
    X = pl.DataFrame({"a": ["x", "y", "x"], "b": [True, True, False], "c": ["u", "u", "u"]})
    new = pl.DataFrame({"c": ["u"] * 4, "b": [True, False, None, False], "a": ["x", "y", "x", "z"]})
    joined = AggregateFeatures(groups=[("a", "b", "c")]).fit(X)
    assert joined.transform(new)["a & b & c"].to_list() == ["a=x & b=True & c=u", None, None, None]
    kept = pickle.loads(pickle.dumps(AggregateFeatures(groups=[("a", "b", "c")], unseen="keep").fit(X)))
    assert kept.transform(new)["a & b & c"].to_list() == [
        "a=x & b=True & c=u",
        "a=y & b=False & c=u",
        None,
        "a=z & b=False & c=u",
    ]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"groups": "all"}, "groups must be 'auto'"),
        ({"groups": ["ab"]}, "must be a tuple"),
        ({"groups": [("a",)]}, "at least two columns"),
        ({"groups": [("a", "a")]}, "each one once"),
        ({"groups": [("a", "bb")]}, "did you mean 'b'"),
        ({"groups": [("a", 9)]}, "X has 3 columns"),
        ({"groups": [("a", "x")]}, "numbers such as 0.5"),
        ({"groups": [("a", "b"), (0, 1)]}, "groups has the group (0, 1) twice; name it once"),
        ({"groups": [3]}, "must be a tuple"),
        ({"budget": -1}, "'budget'"),
        ({"unseen": "error"}, "unseen must be one of"),
        ({}, "requires y"),
    ],
)
def test_bad_arguments_are_refused(arguments: dict[str, Any], part: str) -> None:
    X = {"a": ["p", "q"], "b": ["r", "s"], "x": [0.5, 1.5]}
    with pytest.raises(ValueError) as caught:
        AggregateFeatures(**arguments).fit(X)
    assert part in str(caught.value)


def test_a_joint_column_does_not_take_the_name_of_another() -> None:
    X = {"a": ["p", "q"], "b": ["r", "s"], "a & b": ["t", "u"]}
    with pytest.raises(ValueError, match="would be called 'a & b', as another column is; rename"):
        AggregateFeatures([("a", "b")]).fit(X)


def test_groups_may_be_an_array() -> None:
    """It passed the check of arguments, and its rows were then no tuples."""
    X = {"a": ["p", "q"], "b": ["r", "s"], "c": ["t", "u"]}
    assert AggregateFeatures(np.array([["a", "b"], ["b", "c"]])).fit(X).groups_ == [("a", "b"), ("b", "c")]
    assert AggregateFeatures(np.array([[0, 2]])).fit(X).groups_ == [("a", "c")]


@pytest.mark.parametrize(
    ("X", "texts"),
    [
        ({"a": [1, "1"], "b": ["x", "x"]}, ("a=1 & b=x", 'a="1" & b=x')),
        ({"a": ["1", "1 & b=2"], "b": ["2 & b=2", "2"]}, ('a=1 & b="2 & b=2"', 'a="1 & b=2" & b=2')),
        ({"a": ["x", '"x"'], "b": ["y", "y"]}, ('a="\\"x\\"" & b=y', "a=x & b=y")),
        ({"a": ["1", "2"], "b": ["R&D", "a = b"]}, ("a=1 & b=R&D", "a=2 & b=a = b")),
    ],
)
def test_different_combinations_have_different_texts(X: Any, texts: tuple[str, ...]) -> None:
    """The number 1 and the text "1" were one category, and so were values with " & b=" inside."""
    joined = AggregateFeatures([("a", "b")]).fit(pd.DataFrame(X))
    assert sorted(joined.values_[0]) == sorted(texts)
    assert len(set(joined.transform(pd.DataFrame(X))["a & b"])) == 2


PART = st.sampled_from(["x", "1", " ", "&", " & ", "b=", '"', "#", "\\"])
VALUE = st.one_of(st.lists(PART, max_size=4).map("".join), st.sampled_from([1, 2.0, 3.5]))


@settings(max_examples=200)
@given(rows=st.lists(st.tuples(VALUE, VALUE), min_size=2, max_size=6), n_seen=st.integers(1, 5))
def test_no_two_combinations_are_written_alike(rows: list[tuple[Any, Any]], n_seen: int) -> None:
    """Those that training did not see among them."""
    columns = {name: [row[place] for row in rows] for place, name in enumerate("ab")}
    seen = {name: cells[:n_seen] for name, cells in columns.items()}
    joined = AggregateFeatures([("a", "b")], unseen="keep", categorical_features=["a", "b"]).fit(seen)
    texts = joined.transform(columns)["a & b"]
    assert len(set(texts)) == len(set(rows))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1.0, float("nan")], "Input y contains NaN, first in row 1"),
        (pd.Series([0.5, float("nan")]), "Input y contains NaN, first in row 1"),
        (["a", None], "Input y contains NaN, first in row 1"),
        ([1.5, float("inf")], "Input y contains infinity .* first in row 1"),
    ],
)
def test_a_target_with_holes_is_refused_by_row(y: Any, message: str) -> None:
    """scikit-learn's "Input contains NaN." came first, after a warning from numpy."""
    with pytest.raises(ValueError, match=message):
        AggregateFeatures().fit({"a": ["p", "q"], "b": ["r", "s"]}, y)


# ------------------------------------------------------------------------------------------ real


def test_joint_attributes_make_small_trees_better(data_file: Callable[[str], Path]) -> None:
    X, y = read_table(data_file("car.csv.gz"), "class")
    folds = StratifiedKFold(3, shuffle=True, random_state=0)

    def accuracy(*steps: Any) -> float:
        model = make_pipeline(*steps, TreeClassifier(max_depth=4))
        return float(cross_val_score(model, X, y, cv=folds).mean())

    plain = accuracy()
    by_hand = accuracy(AggregateFeatures([("buying", "maint"), ("doors", "persons", "lug_boot")]))
    assert by_hand > plain + 0.03
    assert accuracy(AggregateFeatures()) > plain + 0.02
