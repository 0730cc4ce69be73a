"""Ctrl-C ends a long fit promptly, and a fit works from a thread that is not the main one."""

from __future__ import annotations

import _thread
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator

import numpy as np
import pytest

from boxwood import TreeClassifier

LONG = (400_000, 30)


@pytest.fixture(autouse=True)
def interruptible() -> Iterator[None]:
    """A test run in the background of a shell ignores Ctrl-C from the start; these tests must not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="module")
def long_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=LONG), rng.integers(0, 10, LONG[0])


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("max_leaf_nodes", [None, 10**6])
def test_interrupt_in_the_same_process(
    long_table: tuple[np.ndarray, np.ndarray], n_jobs: int, max_leaf_nodes: int | None
) -> None:
    X, y = long_table
    asked: list[float] = []

    def interrupt() -> None:
        asked.append(time.perf_counter())
        _thread.interrupt_main()

    timer = threading.Timer(0.5, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        TreeClassifier(n_jobs=n_jobs, max_leaf_nodes=max_leaf_nodes).fit(X, y)
    assert time.perf_counter() - asked[0] < 15
    timer.join()


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_interrupt_of_a_process() -> None:
    program = textwrap.dedent(
        f"""
        import signal
        import numpy as np
        from boxwood import TreeClassifier
        signal.signal(signal.SIGINT, signal.default_int_handler)
        rng = np.random.default_rng(0)
        X, y = rng.normal(size={LONG}), rng.integers(0, 10, {LONG[0]})
        print("ready", flush=True)
        try:
            TreeClassifier(n_jobs=2).fit(X, y)
            print("finished", flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    sent = time.perf_counter()
    output, _ = process.communicate(timeout=30)
    assert output == "interrupted\n"
    assert time.perf_counter() - sent < 15


def test_fits_from_other_threads() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(5_000, 6)), rng.integers(0, 3, 5_000)
    expected = TreeClassifier().fit(X, y).tree_
    found = []

    def work() -> None:
        found.append(TreeClassifier(n_jobs=2).fit(X, y).tree_)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_no_thread_survives_a_call() -> None:
    psutil = pytest.importorskip("psutil")
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(50_000, 6)), rng.integers(0, 3, 50_000)
    process = psutil.Process()
    before = process.num_threads()
    classifier = TreeClassifier(n_jobs=4).fit(X, y)
    classifier.predict(X)
    assert process.num_threads() == before
