"""scikit-learn's callbacks: progress, stopping, and nothing at all with an older scikit-learn."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from boxwood import OptimalTreeClassifier, TreeClassifier, TreeRegressor, certify, check_tree

callback = pytest.importorskip("sklearn.callback", reason="scikit-learn before 1.9 has no callbacks")


class Recorder:
    """Remembers what it was told; stops after some steps."""

    def __init__(self, stop_after: int | None = None) -> None:
        self.stop_after = stop_after
        self.told: list[tuple[str, str]] = []
        self.fitted: list[Any] = []

    def setup(self, estimator: Any, context: Any) -> None:
        self.told.append(("setup", context.task_name))

    def teardown(self, estimator: Any, context: Any) -> None:
        self.told.append(("teardown", context.task_name))

    def on_fit_task_begin(self, estimator: Any, context: Any, *, X: Any = None, y: Any = None) -> None:
        assert X is not None
        assert y is not None
        self.told.append(("begin", context.task_name))

    def on_fit_task_end(self, estimator: Any, context: Any, *, fitted_estimator: Any = None) -> bool:
        self.told.append(("end", context.task_name))
        self.fitted.append(fitted_estimator)
        return self.stop_after is not None and self.steps >= self.stop_after

    @property
    def steps(self) -> int:
        return self.told.count(("end", "grow"))


@pytest.fixture(scope="module")
def large() -> tuple[np.ndarray, np.ndarray]:
    """Takes long enough to be asked about."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(200_000, 12)), rng.integers(0, 5, 200_000)


def test_a_small_fit_is_one_task() -> None:
    X, y = np.array([[1.0], [2.0]]), [0, 1]
    recorder = Recorder()
    classifier = TreeClassifier().set_callbacks(recorder)
    assert classifier.fit(X, y) is classifier
    assert recorder.told[0] == ("setup", "fit")
    assert recorder.told[1] == ("begin", "fit")
    assert recorder.told[-2:] == [("end", "fit"), ("teardown", "fit")]
    assert recorder.fitted[-1].predict(X).tolist() == y
    assert not hasattr(classifier, "_callback_fit_ctx")


def test_progress_is_reported_and_changes_nothing(large: tuple[np.ndarray, np.ndarray]) -> None:
    X, y = large
    recorder = Recorder()
    classifier = TreeClassifier(max_depth=14).set_callbacks(recorder).fit(X, y)
    assert 1 <= recorder.steps <= 100
    assert recorder.told.count(("begin", "grow")) == recorder.steps
    assert classifier.tree_ == TreeClassifier(max_depth=14).fit(X, y).tree_


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_leaf_nodes", [None, 60_000])
def test_a_callback_stops_growth_and_leaves_a_valid_tree(
    large: tuple[np.ndarray, np.ndarray], n_jobs: int, max_leaf_nodes: int | None
) -> None:
    X, y = large
    recorder = Recorder(stop_after=1)
    classifier = TreeClassifier(n_jobs=n_jobs, max_leaf_nodes=max_leaf_nodes).set_callbacks(recorder)
    classifier.fit(X, y)
    check_tree(classifier.tree_)
    full = TreeClassifier(n_jobs=2, max_leaf_nodes=max_leaf_nodes).fit(X, y)
    assert recorder.steps == 1
    assert 1 <= classifier.get_n_leaves() < full.get_n_leaves()
    assert 0.2 <= classifier.score(X, y) <= 1.0


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_a_regressor_reports_and_stops(large: tuple[np.ndarray, np.ndarray], criterion: str) -> None:
    X, y = large
    numbers = X[:, 0] + y
    recorder = Recorder(stop_after=1)
    regressor = TreeRegressor(criterion=criterion, max_depth=12).set_callbacks(recorder).fit(X, numbers)
    check_tree(regressor.tree_)
    assert recorder.steps == 1
    assert recorder.fitted[-1] is not None
    assert regressor.get_n_leaves() < TreeRegressor(max_depth=12, n_jobs=2).fit(X, numbers).get_n_leaves()


def test_the_best_tree_is_reported_and_stopped() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (600, 60))
    y = (X[:, :4].sum(axis=1) + (rng.random(600) < 0.2)) % 2
    recorder = Recorder()
    model = OptimalTreeClassifier(4, features="binary").set_callbacks(recorder).fit(X, y)
    assert model.result_.is_optimal
    assert recorder.told[:2] == [("setup", "fit"), ("begin", "fit")]
    assert recorder.told[-2:] == [("end", "fit"), ("teardown", "fit")]
    assert recorder.fitted[-1].result_.objective == model.result_.objective
    harder = rng.integers(0, 2, (3000, 100)), rng.integers(0, 3, 3000)
    recorder = Recorder(stop_after=1)
    model = OptimalTreeClassifier(5, features="binary", time_limit=20).set_callbacks(recorder).fit(*harder)
    certify(model, *harder)
    assert recorder.steps == 1
    assert model.result_.status == "interrupted"


def test_an_error_in_a_callback_ends_the_fit(large: tuple[np.ndarray, np.ndarray]) -> None:
    class Failing(Recorder):
        def on_fit_task_end(self, estimator: Any, context: Any) -> bool:
            super().on_fit_task_end(estimator, context)
            if context.task_name == "grow":
                raise RuntimeError("enough")
            return False

    recorder = Failing()
    with pytest.raises(RuntimeError, match="enough"):
        TreeClassifier(n_jobs=2).set_callbacks(recorder).fit(*large)
    assert recorder.told[-1] == ("teardown", "fit")


def test_sklearns_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60_000, 10)), rng.integers(0, 3, 60_000)
    TreeClassifier().set_callbacks(callback.ProgressBar()).fit(X, y)
    assert "TreeClassifier - fit" in capsys.readouterr().out


def test_sklearns_scoring_monitor() -> None:
    X, y = np.array([[1.0], [2.0], [3.0]]), [0, 1, 1]
    monitor = callback.ScoringMonitor(scoring="accuracy")
    TreeClassifier().set_callbacks(monitor).fit(X, y)
    logs = monitor.get_logs()
    assert [row["accuracy"] for row in logs.data] == [1.0]


def test_through_a_pipeline() -> None:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer

    class Propagated(Recorder):
        max_propagation_depth = None

    recorder = Propagated()
    pipeline = make_pipeline(FunctionTransformer(), TreeClassifier())
    with pytest.warns(UserWarning, match="FunctionTransformer does not support"):
        pipeline.set_callbacks(recorder).fit(np.array([[1.0], [2.0]]), [0, 1])
    assert ("end", "fit") in recorder.told


def test_without_callbacks_in_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module of an older scikit-learn: no `sklearn.callback`."""
    import importlib

    from boxwood.estimators import progress

    monkeypatch.setitem(sys.modules, "sklearn.callback", None)
    spec = importlib.util.find_spec("boxwood.estimators.progress")
    assert spec is not None
    assert spec.loader is not None
    old = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(old)
    assert old.CallbackSupportMixin is not progress.CallbackSupportMixin
    assert not hasattr(old.CallbackSupportMixin, "set_callbacks")
    silent = old.Progress(object(), None, None, {})
    silent.begin()
    assert not silent.wanted
    assert silent.poll(0.5) is False
    silent.end()
    assert old.with_callbacks(len) is len
