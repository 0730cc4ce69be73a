"""The benchmark of pruning measures what it says, and judges rightly. No timing decides a test."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

from bench import prune
from bench.__main__ import BENCHMARKS, main
from bench.prune import Row, check_targets
from bench.tables import Table
from boxwood.pruning import PRUNERS


def test_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prune, "QUICK_ROWS", 600)
    monkeypatch.setattr(prune, "QUICK_THEIR_ROWS", 400)
    monkeypatch.setattr(prune, "find_weka", lambda given: None)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(["prune", "--quick", "--csv", str(tmp_path / "raw.csv")]) == 0, out.getvalue()
    assert "J48 left out: Weka is absent" in err.getvalue()
    for name in prune.METHODS:
        assert name in out.getvalue()
    assert re.search(r"PASS +pruned trees are scikit-learn's +the same tests", out.getvalue())
    assert (tmp_path / "raw.csv").read_text("utf-8").count("\n") == 2 + len(prune.METHODS)


def test_judgements() -> None:
    fast = Row("growing", "MDL", [1.0], [2.0], "9 to 3")
    assert [check.reached for check in check_targets([fast])] == [True]
    slow = Row("growing", "ErrorBased", [3.0], [2.0], "9 to 3")
    assert [check.reached for check in check_targets([fast, slow])] == [False]
    best = Row("growing", "OptimalSize", [9.0], [2.0], "9 to 3")  # which may take longer
    assert [check.reached for check in check_targets([fast, best])] == [True]
    theirs = Row("scikit-learn", "CostComplexity", [1.0], [2.9], "9 to 3, DIFFERENT")
    checks = check_targets([theirs])
    assert [(check.reached, check.is_correctness) for check in checks] == [(False, False), (False, True)]


def test_every_pruner_is_timed() -> None:
    assert {type(pruner) for pruner, _ in prune.METHODS.values()} == set(PRUNERS.values())


def test_trees_are_compared_and_not_their_sizes() -> None:
    """Two trees of as many leaves counted as the same, whatever they tested."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    stump = DecisionTreeClassifier(max_depth=1)
    one, again, other = (clone(stump).fit(X, X[:, column] > 0) for column in (0, 0, 1))
    assert prune.same_tree(one, again)
    assert not prune.same_tree(one, other)
    moved = clone(stump).fit(X, X[:, 0] > 0.5)
    assert not prune.same_tree(one, moved)


def test_a_table_for_weka(tmp_path: Path) -> None:
    table = Table("t", np.array([[1.5, 2.0], [0.1, -3.0]]), np.array(["b", "a"]))
    prune.write_arff(table, tmp_path / "t.arff")
    lines = (tmp_path / "t.arff").read_text("utf-8").splitlines()
    assert lines[3:] == ["@attribute class {a,b}", "@data", "1.5,2.0,b", "0.1,-3.0,a"]


def test_it_is_registered() -> None:
    assert BENCHMARKS["prune"] is prune
