"""The benchmark of groupings measures what it says, and judges rightly. No timing decides a test."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from dataclasses import replace
from pathlib import Path

from bench import categorical, categorical_trees
from bench.__main__ import BENCHMARKS, main
from bench.categorical import Row, check_targets
from bench.measure import Span


def test_a_run(tmp_path: Path) -> None:
    out = io.StringIO()
    line = [
        "categorical",
        "--quick",
        "--csv",
        str(tmp_path / "raw.csv"),
        "--markdown",
        str(tmp_path / "r.md"),
    ]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main(line) == 0, out.getvalue()
    assert re.search(r"^8 x 3 +gini +exact +\d", out.getvalue(), re.MULTILINE)
    assert re.search(r"^synthetic +boxwood auto +\d", out.getvalue(), re.MULTILINE)
    assert re.search(r"PASS +no search beats exact", out.getvalue())
    assert (tmp_path / "r.md").read_text("utf-8").count("\n### ") == 3
    with (tmp_path / "raw.csv").open(newline="", encoding="utf-8") as file:
        assert {row["search"] for row in csv.DictReader(file)} >= {"auto", "exact", "chi2_sdp"}


def test_judgements() -> None:
    exact = Row(50, 15, "gini", "exact", [Span(1.0, 1.0)], [0.5])
    chi2 = Row(50, 15, "gini", "chi2", [Span(1.0, 0.0002)], [0.5])
    assert [check.reached for check in check_targets([exact, chi2])] == [True, None, None, True]
    slow = replace(chi2, spans=[Span(1.0, 0.0004)], impurities=[0.4])
    judged = check_targets([exact, slow])
    assert [check.reached for check in judged] == [False, None, None, False]
    assert judged[-1].is_correctness
    twoing = Row(50, 15, "gini", "twoing", [Span(1.0, 0.02)], [0.5])
    assert "100.0x at 50 values" in check_targets([chi2, twoing])[1].found


def test_trees_are_judged_beside_one_hot() -> None:
    ours = categorical_trees.Row("t", "boxwood auto", [Span(1.0, 1.0)], [0.8], [5], [2])
    theirs = categorical_trees.Row("t", "one-hot", [Span(1.0, 3.0)], [0.7], [5], [2])
    checks = categorical_trees.check_targets([ours, theirs])
    assert [check.reached for check in checks] == [True, True]
    assert checks[0].found == "3.0x on t"
    better = replace(theirs, accuracies=[0.9], spans=[Span(1.0, 0.5)])
    assert [check.reached for check in categorical_trees.check_targets([ours, better])] == [False, False]
    told = categorical_trees.check_targets([replace(ours, contestant="boxwood one_vs_rest"), better])
    assert [check.reached for check in told] == [None, None]


def test_it_is_registered() -> None:
    assert BENCHMARKS["categorical"] is categorical
