"""The benchmark of the discretisers measures what it says, and judges rightly. No timing decides a test."""

from __future__ import annotations

import contextlib
import csv
import doctest
import importlib
import io
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench import discretize
from bench.__main__ import BENCHMARKS, main
from bench.discretize import MILLION, Row, check_targets, largest_difference
from bench.discretize_literal import literal_mid
from bench.measure import Span
from boxwood.data import make_dataset
from boxwood.discretize import rank_thresholds
from tests.oracles import naive_mid


def small_table(n_rows: int = 80, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers with ties, and classes that follow them loosely."""
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n_rows, 3)), 1)
    return X, (np.abs(X[:, 0] + rng.normal(size=n_rows)) * 2).astype(int) % 3


@pytest.mark.parametrize("seed", range(4))
def test_the_transcription_equals_the_exact_one_and_ours(seed: int) -> None:
    X, y = small_table(60, seed)
    literal = literal_mid(X, y)
    unit = 2.0**-40
    exact = naive_mid.rank(list(X.T), y, np.ones(len(y)), "entropy", unit)
    assert len(literal) == len(exact)
    ours = rank_thresholds(make_dataset(X, y), others=False).thresholds
    assert largest_difference(ours, literal) < 1e-9
    falls = dict.fromkeys(range(3), 0.0)
    for column, _, gain in literal:
        falls[column] += gain
    for column, _, units in exact:
        falls[column] -= units * unit
    assert max(map(abs, falls.values())) < 1e-9  # a column's whole fall does not depend on ties


def test_a_wrong_ranking_is_noticed() -> None:
    X, y = small_table()
    ours = rank_thresholds(make_dataset(X, y), others=False).thresholds
    literal = literal_mid(X, y)
    assert largest_difference(ours[:-1], literal) == math.inf
    worse = ours.copy()
    worse["gain"][0] += 0.01
    assert largest_difference(worse, literal) == pytest.approx(0.01)
    moved = [(1 - column if column < 2 else 2, *rest) for column, *rest in literal]
    assert largest_difference(ours, moved) == math.inf  # type: ignore[arg-type]


def test_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = small_table(300)
    pd.DataFrame(X, columns=list("abc")).assign(**{"class": y}).to_csv(
        tmp_path / "magic04.csv.gz", index=False
    )
    monkeypatch.setenv("BOXWOOD_DATA", str(tmp_path))
    monkeypatch.setattr(discretize, "QUICK_MILLION", 500)
    out, err = io.StringIO(), io.StringIO()
    line = ["discretize", "--quick", "--csv", str(tmp_path / "raw.csv"), "--markdown", str(tmp_path / "r.md")]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        assert main(line) == 0, out.getvalue()
    assert "letter.csv.gz left out" in err.getvalue()
    n_all = sum(len(np.unique(column)) - 1 for column in X.T)
    assert re.search(rf"^magic04 +300 x 3 +{n_all} +\d", out.getvalue(), re.MULTILINE)
    assert re.search(r"^2 classes +101 x 5 +500 +\d", out.getvalue(), re.MULTILINE)
    assert re.search(r"PASS +the transcription's ranking", out.getvalue())
    assert re.search(r"- +a million thresholds: under 5 s +not measured", out.getvalue())
    assert (tmp_path / "r.md").read_text("utf-8").count("\n### ") == 5
    with (tmp_path / "raw.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["question"] for row in rows} == {"mid", "literal", "million", "mdlp"}
    assert all(float(row["seconds"]) >= 0 for row in rows)


def test_judgements() -> None:
    def row(question: str, ours: float, other: float = 1.0, n: int = 10, difference: float = 0.0) -> Row:
        spans = ([Span(ours, ours)], [Span(other, other)])
        return Row(question, "t", "1 x 1", n, spans[0], "Algorithm 4", spans[1], n, difference)

    fast, slow = row("literal", 0.01), row("literal", 0.05)
    assert [check.reached for check in check_targets([fast])] == [True, None, True]
    assert [check.reached for check in check_targets([fast, slow])] == [False, None, True]
    wrong = check_targets([replace(fast, difference=1e-6)])[2]
    assert (wrong.reached, wrong.is_correctness) == (False, True)
    million = row("million", 4.9, n=MILLION)
    assert check_targets([million])[1].reached
    assert not check_targets([million, row("million", 5.1, n=MILLION)])[1].reached
    assert check_targets([row("million", 9.0, n=MILLION - 1)])[1].reached is None  # a quick look


def test_it_is_registered_and_its_examples_run() -> None:
    assert BENCHMARKS["discretize"] is discretize
    results = doctest.testmod(importlib.import_module("bench.discretize_literal"))
    assert results.attempted > 2
    assert results.failed == 0
