"""Growth tells how far it is, and stops when it is asked to."""

from __future__ import annotations

import os
import threading

import numpy as np
import pytest

from boxwood import TreeClassifier
from boxwood.data import Dataset
from boxwood.grow import GrowOptions, grow_tree
from boxwood.tree import check_tree
from tests.grow.tables import dataset_of


@pytest.fixture(scope="module")
def large() -> Dataset:
    """Rows enough for some tenths of a second; growth with sanitizers needs fewer."""
    n_rows = 40_000 if "BOXWOOD_SANITIZED" in os.environ else 150_000
    rng = np.random.default_rng(0)
    return dataset_of([rng.normal(size=n_rows) for _ in range(8)], rng.integers(0, 4, n_rows))


ORDERS = pytest.mark.parametrize(
    "options",
    [GrowOptions(), GrowOptions(n_threads=2), GrowOptions(max_leaf_nodes=80_000)],
    ids=["depth first", "two threads", "best first"],
)


@ORDERS
def test_poll_hears_of_progress_in_the_calling_thread(large: Dataset, options: GrowOptions) -> None:
    heard: list[float] = []
    threads: set[int] = set()

    def poll(done: float) -> bool:
        heard.append(done)
        threads.add(threading.get_ident())
        return False

    tree = grow_tree(large, options, poll)
    assert len(heard) >= 2
    assert heard == sorted(heard)
    assert heard[0] >= 0.0
    assert heard[-1] <= 1.0
    assert threads == {threading.get_ident()}
    assert tree == grow_tree(large, options)


@ORDERS
def test_a_stopped_growth_leaves_a_valid_tree(large: Dataset, options: GrowOptions) -> None:
    tree = grow_tree(large, options, lambda done: True)
    check_tree(tree)
    assert tree.n_rows[0] == large.n_rows
    assert tree.n_rows[tree.is_leaf].sum() == large.n_rows
    assert tree.n_leaves < grow_tree(large, options).n_leaves


@ORDERS
def test_an_error_in_poll_ends_growth(large: Dataset, options: GrowOptions) -> None:
    def poll(done: float) -> bool:
        raise LookupError("stop this")

    with pytest.raises(LookupError, match="stop this"):
        grow_tree(large, options, poll)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("cuts", "some"),
        ("splitter", "worst"),
        ("missing", "impute"),
        ("unknown_category", "ignore"),
        ("categorical_split", "one_hot"),
        ("max_depth", -1),
        ("min_samples_split", 1),
        ("min_samples_leaf", 0),
        ("min_weight_leaf", -0.5),
        ("min_weight_leaf", float("nan")),
        ("min_impurity_decrease", -1.0),
        ("max_features", 0),
        ("max_leaf_nodes", 0),
        ("seed", -1),
        ("n_threads", 0),
    ],
)
def test_wrong_options_are_named(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=f"^{name}="):
        GrowOptions(**{name: value})  # type: ignore[arg-type]


def test_depth_zero_is_a_lone_leaf() -> None:
    dataset = dataset_of([np.array([1.0, 2.0])], np.array([0, 1]))
    assert grow_tree(dataset, GrowOptions(max_depth=0)).n_leaves == 1
    assert grow_tree(dataset).n_leaves == 2


def test_limits_beyond_all_measure() -> None:
    """The story: a limit of 2**70, which is none, was refused with a signature of the core."""
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 0, 1]
    whole = TreeClassifier().fit(X, y).tree_
    assert TreeClassifier(max_depth=2**70).fit(X, y).tree_ == whole
    assert TreeClassifier(max_leaf_nodes=2**70).fit(X, y).get_n_leaves() == whole.n_leaves
    for name in ("min_samples_leaf", "min_samples_split"):
        assert TreeClassifier(**{name: 2**70}).fit(X, y).get_n_leaves() == 1
    with pytest.raises(ValueError, match="monte_carlo=1180591620717411303424 permutations would never end"):
        TreeClassifier(select="conditional_inference", monte_carlo=2**70).fit(X, y)
