"""The benchmark of time limits measures what it says, and judges rightly. No timing decides a test."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest

from bench import limits, tables
from bench.__main__ import BENCHMARKS, main
from bench.limits import Row, check_targets
from bench.measure import Span
from boxwood.optimal import CertificateError


def test_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tables.TABLES, "small", lambda: tables.draw("small", 300, 4))
    out = io.StringIO()
    line = ["limits", "--quick", "--limits", "0", "0.1", "--csv", str(tmp_path / "raw.csv")]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        assert main([*line, "--markdown", str(tmp_path / "r.md")]) == 0, out.getvalue()
    assert re.search(r"^small +300 x 4 +time_limit +0 s +\d", out.getvalue(), re.MULTILINE)
    assert re.search(r"PASS +every tree is what it says +certified", out.getvalue())
    assert (tmp_path / "r.md").read_text("utf-8").count("\n### ") == 2
    with (tmp_path / "raw.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["limit"]) for row in rows] == [0, 0.1]


def test_judgements() -> None:
    row = Row("t", "1 x 1", 0.5, [Span(0.6, 0.6), Span(0.69, 0.1)], 45, 8, 10.0, 0.0, "time_limit")
    assert [check.reached for check in check_targets([row])] == [True, True]
    late = replace(row, spans=[Span(0.6, 0.6), Span(0.71, 0.1)])
    assert [check.reached for check in check_targets([row, late])] == [False, True]  # the worst round counts
    wrong = check_targets([row, replace(row, refusal="it costs more")])[1]
    assert (wrong.reached, wrong.is_correctness) == (False, True)


def test_a_tree_that_is_not_what_it_says_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise CertificateError("it costs more")

    monkeypatch.setattr(limits, "certify", refuse)
    (row,) = limits.fit_within(tables.draw("small", 100, 4), [0.0], rounds=1, threads=1)
    assert row.refusal == "it costs more"


def test_it_is_registered() -> None:
    assert BENCHMARKS["limits"] is limits
