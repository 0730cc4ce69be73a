"""Ctrl-C while the best tree is searched for: everything is set, then ``fit`` returns, or raises."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from boxwood import MID, OptimalTreeClassifier, certify, check_tree
from boxwood.criteria import Criterion, Impurity, get_criterion
from boxwood.discretize import Pace, rank_thresholds


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """A test run in the background of a shell ignores Ctrl-C from the start; these tests must not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def hard() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(0, 30, (3000, 12)).astype(float), rng.integers(0, 3, 3000)


def interrupt_after(seconds: float) -> list[float]:
    """Press Ctrl-C after a while; returns a list that will hold the moment."""
    moment: list[float] = []

    def press() -> None:
        moment.append(time.perf_counter())
        _thread.interrupt_main()

    threading.Timer(seconds, press).start()
    return moment


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("n_thresholds", [45, "grow"])
def test_by_default_it_returns_with_a_warning(
    hard: tuple[np.ndarray, np.ndarray], n_jobs: int, n_thresholds: Any
) -> None:
    X, y = hard
    moment = interrupt_after(0.4)
    model = OptimalTreeClassifier(max_depth=6, n_jobs=n_jobs, n_thresholds=n_thresholds)
    with pytest.warns(RuntimeWarning, match="Ctrl-C ended the search: the tree costs"):
        assert model.fit(X, y) is model
    assert time.perf_counter() - moment[0] < 15
    assert model.result_.status == "interrupted"
    assert model.result_.keyboard_interrupt
    certify(model, X, y)
    assert model.predict(X).shape == y.shape


def test_it_can_raise_and_is_fitted_all_the_same(hard: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = hard
    interrupt_after(0.4)
    model = OptimalTreeClassifier(max_depth=6, on_interrupt="raise")
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.result_.status == "interrupted"
    certify(model, X, y)


def test_while_the_thresholds_are_ranked() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150_000, 25)), rng.integers(0, 10, 150_000)
    moment = interrupt_after(0.8)
    model = OptimalTreeClassifier(max_depth=2, n_thresholds="all")
    with pytest.warns(RuntimeWarning, match="Ctrl-C ended the search"):
        model.fit(X, y)
    assert time.perf_counter() - moment[0] < 15
    assert model.result_.status == "interrupted"
    assert model.result_.keyboard_interrupt
    check_tree(model.tree_)
    interrupt_after(0.8)
    with pytest.raises(KeyboardInterrupt):
        MID("all").fit(X, y)


AFTER_THE_SEARCH = [
    "boxwood.optimal.solve:counts_of",
    "boxwood.optimal.anytime:Step",
    "boxwood.optimal.anytime:_Road.result",
    "boxwood.estimators.optimal_tree_classifier:settled",
    "boxwood.estimators.progress:Progress.end",
]


@pytest.mark.parametrize("place", AFTER_THE_SEARCH)
def test_a_second_one_always_raises(
    place: str, hard: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The story: pressed again while the tree of the first was being written down, it was as if unsaid."""
    press_in(place, monkeypatch, at_call=1)
    moment = interrupt_after(0.4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nothing is said of the first one
        with pytest.raises(KeyboardInterrupt):
            OptimalTreeClassifier(max_depth=6).fit(*hard)
    assert moment


@pytest.mark.parametrize(
    "place",
    [
        "boxwood.estimators.optimal_tree_classifier:make_plan",
        "boxwood.estimators.candidate_splits:problem_on",
        "boxwood.optimal.anytime:solve_once",
    ],
)
def test_a_second_one_after_a_ranking_raises(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(150_000, 25)), rng.integers(0, 10, 150_000)
    press_in(place, monkeypatch, at_call=1)
    moment = interrupt_after(0.8)
    with pytest.raises(KeyboardInterrupt):
        OptimalTreeClassifier(max_depth=2, n_thresholds="all").fit(X, y)
    assert moment


def test_a_first_one_while_the_tree_is_written_down(
    hard: tuple[np.ndarray, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    press_in("boxwood.optimal.solve:counts_of", monkeypatch, at_call=1)
    with pytest.warns(RuntimeWarning, match="Ctrl-C ended the search"):
        model = OptimalTreeClassifier(max_depth=1).fit(*hard)
    assert model.result_.status == "interrupted"
    certify(model, *hard)


def press_in(place: str, monkeypatch: pytest.MonkeyPatch, at_call: int) -> None:
    """Let Ctrl-C be pressed when a function ("module:name") is called for the so-manieth time."""
    module, name = place.split(":")
    owner: Any = sys.modules[module]  # not by attributes: boxwood.optimal.solve is a function, too
    *outer, name = name.split(".")
    for one in outer:
        owner = getattr(owner, one)
    real, calls = getattr(owner, name), [0]

    def press(*given: Any, **named: Any) -> Any:
        calls[0] += 1
        if calls[0] == at_call:
            raise KeyboardInterrupt
        return real(*given, **named)

    monkeypatch.setattr(owner, name, press)


@pytest.mark.parametrize("n_threads", [1, 2])
def test_a_ranking_hands_back_what_it_has_when_the_time_is_over(n_threads: int) -> None:
    from boxwood import make_dataset

    rng = np.random.default_rng(0)
    dataset = make_dataset(rng.normal(size=(60_000, 30)), rng.integers(0, 5, 60_000))
    began = time.perf_counter()
    some = rank_thresholds(dataset, pace=Pace(n_threads, time_limit=0.2))
    assert time.perf_counter() - began < 15
    assert some.stopped == "time"
    assert not some.complete
    whole = rank_thresholds(dataset, limit=3000, pace=Pace(n_threads))
    alone = rank_thresholds(dataset, limit=3000)
    assert np.array_equal(whole.thresholds, alone.thresholds)
    assert not alone.stopped
    # What was found is a beginning of each column's own list.
    for feature in np.unique(some.thresholds["feature"])[:2]:
        ours = some.thresholds[some.thresholds["feature"] == feature]["threshold"]
        theirs = alone.thresholds[alone.thresholds["feature"] == feature]["threshold"]
        n = min(len(ours), len(theirs))
        assert np.array_equal(ours[:n], theirs[:n])


def root_impurity() -> Criterion:
    return get_criterion(Impurity(np.sqrt, name="root"), 2)


def test_so_does_a_ranking_by_a_criterion_of_ones_own() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20_000, 20)), rng.integers(0, 2, 20_000)
    began = time.perf_counter()
    model = OptimalTreeClassifier(2, features=MID("all", criterion=root_impurity()), time_limit=0.5).fit(X, y)
    assert time.perf_counter() - began < 15
    assert model.result_.status == "time_limit"
    certify(model, X, y)


WAYS: list[tuple[Any, str]] = [
    ("boxwood.estimators.candidate_splits:problem_on", "the 0/1 table is made"),
    ("boxwood.estimators.optimal_tree_classifier:make_plan", "room is looked for"),
    ("boxwood.discretize.mid:rank_thresholds", "a ranking begins"),
    ("boxwood.optimal.anytime:solve_once", "a search begins"),
]


@pytest.mark.parametrize("on_interrupt", ["return", "raise"])
@pytest.mark.parametrize("way", [way for way, _ in WAYS], ids=[when for _, when in WAYS])
def test_before_the_first_search(way: str, on_interrupt: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The story: Ctrl-C while the first 0/1 table was being made raised, and there was no tree at all."""
    press_in(way, monkeypatch, at_call=1)
    X = np.random.default_rng(0).integers(0, 9, (60, 2)).astype(float)
    y = X[:, 0] > 4
    model = OptimalTreeClassifier(on_interrupt=on_interrupt)
    if on_interrupt == "raise":
        with pytest.raises(KeyboardInterrupt):
            model.fit(X, y)
    else:
        with pytest.warns(RuntimeWarning, match="Ctrl-C ended the search"):
            model.fit(X, y)
    assert (model.result_.status, model.result_.keyboard_interrupt) == ("interrupted", True)
    assert model.get_n_leaves() == 1
    assert model.result_.lower_bound == 0
    assert model.predict(X).tolist() == [model.predict(X)[0]] * 60
    certify(model, X, y)


def test_between_two_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    press_in("boxwood.estimators.candidate_splits:problem_on", monkeypatch, at_call=3)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0) ^ (rng.random(60) < 0.3)
    with pytest.warns(RuntimeWarning, match="Ctrl-C ended the search"):
        model = OptimalTreeClassifier(2, n_thresholds="grow").fit(X, y)
    assert [step.n_thresholds for step in model.result_.stats["steps"]] == [16, 24]
    assert model.result_.keyboard_interrupt
    assert model.get_n_leaves() > 1
    certify(model, X, y)
