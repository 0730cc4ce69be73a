"""The harness keeps its promises: rows are made once, in any number of processes, and never mixed."""

from __future__ import annotations

import argparse
import dataclasses
import doctest
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from studies import RefusedError
from studies.__main__ import STUDIES, main
from studies.harness import drawing, progress
from studies.harness.command import add_common_arguments, run_study
from studies.harness.configuration import lay_over, read_configuration
from studies.harness.folds import stratified_folds, stratified_sample
from studies.harness.rows import RowFile
from studies.harness.run import run_fits
from studies.harness.study import Key, Row
from studies.harness.summary import compare_all, signed_rank, summarise
from studies.harness.tables import check_tables, find_folder, read_table
from tests.studies import counting
from tests.studies.counting import counting_study

BASE: dict[str, Any] = {"datasets": ["one", "three"], "folds": {"number": 4, "seed": 7}, "title": "a word"}


def silent(text: str) -> None:
    """Tell nobody."""


def run(out: Path, configuration: dict[str, Any] = BASE, **options: Any) -> RowFile:
    return run_fits(counting_study(out), configuration, out, tell=silent, **options)


# ---------------------------------------------------------------------------------------------------- one run


def test_a_run_makes_every_row_once_and_in_order(tmp_path: Path) -> None:
    rows = run(tmp_path).read()
    assert [(row["dataset"], row["fold"]) for row in rows] == [
        (name, str(fold)) for name in ("one", "three") for fold in range(4)
    ]
    expected = [counting.fit(key, BASE, None) for key in counting.plan(BASE)]
    assert [float(row["score"]) for row in rows] == [row["score"] for row in expected]  # to the last bit


def test_rows_do_not_depend_on_the_number_of_processes(tmp_path: Path) -> None:
    alone, many = run(tmp_path / "alone"), run(tmp_path / "many", jobs=2)
    assert alone.path.read_bytes() == many.path.read_bytes()


def test_the_environment_is_recorded_once(tmp_path: Path) -> None:
    run(tmp_path)
    path = tmp_path / "environment.json"
    facts = json.loads(path.read_text())
    assert {"processor", "cores", "Python", "boxwood", "numpy", "scikit-learn", "date"} <= set(facts)
    path.write_text('{"date": "long ago"}')
    run(tmp_path)
    assert json.loads(path.read_text()) == {"date": "long ago"}
    run(tmp_path, fresh=True)
    assert "numpy" in json.loads(path.read_text())


# --------------------------------------------------------------------------------------------------- resuming


class Interrupter:
    """Fits that stop at a key, and remember which fits were made."""

    def __init__(self, stop_at: int | None = None) -> None:
        self.made: list[tuple[str, str]] = []
        self.stop_at = stop_at

    def __call__(self, key: Key, configuration: Any, data: Path | None) -> Row:
        if len(self.made) == self.stop_at:
            raise KeyboardInterrupt
        self.made.append((str(key["dataset"]), str(key["fold"])))
        return counting.fit(key, configuration, data)


def test_an_interrupted_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    first, second = Interrupter(stop_at=3), Interrupter()
    with pytest.raises(KeyboardInterrupt):
        run_fits(counting_study(tmp_path, first), BASE, tmp_path, tell=silent)
    rows = run_fits(counting_study(tmp_path, second), BASE, tmp_path, tell=silent)
    assert first.made == [("one", "0"), ("one", "1"), ("one", "2")]
    assert second.made == [("one", "3"), *(("three", str(fold)) for fold in range(4))]
    assert rows.path.read_bytes() == run(tmp_path / "whole").path.read_bytes()


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_torn_last_line_is_made_again(tmp_path: Path, cut: int) -> None:
    """A machine that goes down may leave half a line, which would glue itself to the next row."""
    whole = run(tmp_path).path.read_bytes()
    (tmp_path / "rows.csv").write_bytes(whole[:-cut])
    assert run(tmp_path).path.read_bytes() == whole


def test_a_file_torn_in_its_header_is_refused(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "rows.csv").write_text("datas")
    with pytest.raises(RefusedError, match="has the columns"):
        run(tmp_path)


def test_only_some_data_sets_first_and_the_others_later(tmp_path: Path) -> None:
    assert len(run(tmp_path, only=["three"]).read()) == 4
    rows = run(tmp_path).read()
    assert [row["dataset"] for row in rows] == ["three"] * 4 + ["one"] * 4


def test_a_data_set_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match=r"no data set 'two'.*There are: one, three"):
        run(tmp_path, only=["two"])


# ------------------------------------------------------------------------------------------------ fingerprint


def test_a_changed_configuration_is_refused_and_named(tmp_path: Path) -> None:
    rows = run(tmp_path)
    before = rows.path.read_bytes()
    changed = lay_over(BASE, {"folds": {"number": 5}})
    with pytest.raises(RefusedError, match=r"folds.number was 4, is 5.*--fresh"):
        run(tmp_path, changed)
    assert rows.path.read_bytes() == before
    assert len(run(tmp_path, changed, fresh=True).read()) == 10
    assert len(run(tmp_path, changed).read()) == 10


def test_a_setting_that_decides_nothing_may_change(tmp_path: Path) -> None:
    before = run(tmp_path).path.read_bytes()
    assert run(tmp_path, {**BASE, "title": "another word"}).path.read_bytes() == before


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path)
    monkeypatch.setattr("boxwood.__version__", "0.0.0")
    with pytest.raises(RefusedError, match=r"boxwood was .* is 0\.0\.0"):
        run(tmp_path)


def test_rows_of_unknown_origin_are_refused(tmp_path: Path) -> None:
    run(tmp_path)
    (tmp_path / "run.json").unlink()
    with pytest.raises(RefusedError, match="missing or damaged"):
        run(tmp_path)


def test_a_setting_that_is_missing(tmp_path: Path) -> None:
    study = dataclasses.replace(counting_study(tmp_path), settings=("datasets", "colour"))
    with pytest.raises(RefusedError, match="no colour"):
        run_fits(study, BASE, tmp_path, tell=silent)


# --------------------------------------------------------------------------------------------------- mistakes


def test_a_fit_that_fills_other_columns(tmp_path: Path) -> None:
    study = counting_study(tmp_path, lambda key, configuration, data: {"score": 1.0})
    with pytest.raises(ValueError, match="differs in size"):
        run_fits(study, BASE, tmp_path, tell=silent)


def test_a_plan_that_names_a_fit_twice(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="twice"):
        run(tmp_path, {**BASE, "datasets": ["one", "one"]})


def test_no_processes(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="--jobs must be at least 1; got 0"):
        run(tmp_path, jobs=0)


# ---------------------------------------------------------------------------------------------- configuration


def test_the_quick_variant_is_laid_over(tmp_path: Path) -> None:
    path = tmp_path / "study.toml"
    path.write_text(
        'sets = ["a", "b"]\n[folds]\nnumber = 10\nseed = 1\n[quick]\nsets = ["a"]\n[quick.folds]\nnumber = 3'
    )
    assert read_configuration(path) == {"sets": ["a", "b"], "folds": {"number": 10, "seed": 1}}
    assert read_configuration(path, quick=True) == {"sets": ["a"], "folds": {"number": 3, "seed": 1}}


def test_a_configuration_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(RefusedError, match="cannot be read"):
        read_configuration(tmp_path / "study.toml")
    (tmp_path / "study.toml").write_text("folds = ")
    with pytest.raises(RefusedError, match="is not TOML"):
        read_configuration(tmp_path / "study.toml")


def test_the_common_options(tmp_path: Path) -> None:
    (tmp_path / "study.toml").write_text(
        'datasets = ["one", "three"]\n[folds]\nnumber = 4\nseed = 7\n[quick.folds]\nnumber = 2\n'
    )
    parser = argparse.ArgumentParser()
    add_common_arguments(parser)
    told: list[str] = []
    given = parser.parse_args(["--quick", "--only", "one", "--out", str(tmp_path / "here")])
    assert run_study(counting_study(tmp_path), given, tell=told.append) == 0
    assert told[-1] == "2 rows, mean size 1.50"
    given = parser.parse_args(["--quick", "--out", str(tmp_path / "here")])
    assert run_study(counting_study(tmp_path), given, {"folds": {"number": 2}}, told.append) == 0
    assert told[-1] == "4 rows, mean size 1.50"
    assert any("2 of 4 fits are there already" in text for text in told)


def test_the_command_lists_its_studies(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in STUDIES)


def test_a_refusal_is_told_on_the_error_stream(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["heuristics", "--data", str(tmp_path / "nowhere")]) == 2
    heard = capsys.readouterr()
    assert heard.out == ""
    assert "nowhere" in heard.err
    assert "BOXWOOD_DATA" in heard.err


# --------------------------------------------------------------------------------------------------- progress


def test_lines_come_now_and_then_and_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Iterator[float] = iter([0.0, 1.0, 11.0, 12.0, 13.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    told: list[str] = []
    advance = progress.lines("name", 6, 2, told.append)
    for about in "abcd":
        advance(about)
    assert told == ["name: 4 of 6 fits (b), about 11 s left", "name: 6 of 6 fits (d), 13 s"]


def test_a_bar_where_there_is_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress.sys.stderr, "isatty", lambda: True, raising=False)
    told: list[str] = []
    with progress.show_progress("name", 2, 0, told.append) as advance:
        advance("a")
        advance("b")
    assert told == []


# ----------------------------------------------------------------------------------------------------- tables


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_where_tables_are_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BOXWOOD_DATA", raising=False)
    with pytest.raises(RefusedError, match=r"no folder of tables at data \(the default\)"):
        find_folder(None)
    for name in ("data", "named", "given"):
        (tmp_path / name).mkdir()
    assert find_folder(None) == (tmp_path / "data").resolve()
    monkeypatch.setenv("BOXWOOD_DATA", str(tmp_path / "named"))
    assert find_folder(None) == (tmp_path / "named").resolve()
    assert find_folder(tmp_path / "given") == (tmp_path / "given").resolve()


def test_all_missing_tables_are_named(tmp_path: Path) -> None:
    write(tmp_path, "here.csv", "a,class\n1,x\n")
    with pytest.raises(RefusedError, match=r"lacks gone\.csv\.gz, away\.csv\.gz"):
        check_tables(tmp_path, ["gone", "here", "away"])


def test_types_are_found(tmp_path: Path) -> None:
    write(tmp_path, "t.csv", "a,b,class,c\n1,red,x,\n,NA,y,2.5\n3e2,,x,-1\n")
    table = read_table(tmp_path, "t")
    assert table.numeric == ["a", "c"]
    assert list(table.y) == ["x", "y", "x"]
    assert table.X["a"].tolist()[::2] == [1.0, 300.0]
    assert np.isnan(table.X["a"][1])
    assert list(table.X["b"].cat.categories) == ["NA", "red"]  # a word is a value
    assert table.X["b"].isna().tolist() == [False, False, True]


def test_the_manifest_decides_about_types(tmp_path: Path) -> None:
    write(tmp_path, "t.csv", "a,b,label\n1,1,x\n2,2,y\n")
    write(tmp_path, "manifest.json", '{"datasets": [{"name": "t", "numeric": ["a"], "categorical": ["b"]}]}')
    assert read_table(tmp_path, "t").numeric == ["a"]
    read_table.cache_clear()
    (tmp_path / "other").mkdir()
    write(tmp_path / "other", "t.csv", "a,label\n1,x\n")
    write(tmp_path / "other", "manifest.json", "[]")
    with pytest.raises(RefusedError, match="not a list of data sets"):
        read_table(tmp_path / "other", "t")


@pytest.mark.parametrize(
    ("text", "complaint"), [("a,class\n", "no rows"), ("a,class\n1,x\n2,\n", "row 1 has no label")]
)
def test_tables_that_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    write(tmp_path, "t.csv", text)
    with pytest.raises(RefusedError, match=complaint):
        read_table(tmp_path, "t")


def test_labels_in_bands(tmp_path: Path) -> None:
    write(tmp_path, "t.csv", "a,class\n" + "".join(f"0,{ring}\n" for ring in (1, 8, 9, 10, 11, 29)))
    assert list(read_table(tmp_path, "t").banded([8, 10]).y) == ["0", "0", "1", "1", "2", "2"]


def test_a_table_that_changed_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", "t.csv", "a,class\n1,x\n")
    study = dataclasses.replace(
        counting_study(tmp_path), tables=lambda configuration: {"one": "t", "three": "t"}
    )
    run_fits(study, BASE, tmp_path / "out", tmp_path / "data", tell=silent)
    write(tmp_path / "data", "t.csv", "a,class\n2,x\n")
    with pytest.raises(RefusedError, match=r"tables\.t was "):
        run_fits(study, BASE, tmp_path / "out", tmp_path / "data", tell=silent)
    with pytest.raises(RefusedError, match="needs a folder of tables"):
        run_fits(study, BASE, tmp_path / "out", tell=silent)


# ------------------------------------------------------------------------------------------------------ folds


def test_folds_are_stratified_and_follow_the_seed() -> None:
    y = np.array(["a"] * 40 + ["b"] * 20)
    folds = stratified_folds(y, 5, seed=3)
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(60))
    for train, test in folds:
        assert set(train).isdisjoint(test)
        assert list(np.unique(y[test], return_counts=True)[1]) == [8, 4]
    again, other = stratified_folds(y, 5, seed=3), stratified_folds(y, 5, seed=4)
    assert all((one[1] == two[1]).all() for one, two in zip(folds, again, strict=True))
    assert any((one[1] != two[1]).any() for one, two in zip(folds, other, strict=True))


@pytest.mark.filterwarnings("error")
def test_a_rare_class_is_part_of_the_data() -> None:
    assert len(stratified_folds(np.array(["a"] * 9 + ["b"]), 3, seed=0)) == 3


def test_a_sample_keeps_the_class_shares() -> None:
    y = np.array(["a"] * 600 + ["b"] * 300 + ["c"] * 100)
    chosen = stratified_sample(y, 100, seed=1)
    assert list(np.unique(y[chosen], return_counts=True)[1]) == [60, 30, 10]
    assert (np.diff(chosen) > 0).all()
    assert (chosen != stratified_sample(y, 100, seed=2)).any()
    assert list(stratified_sample(y, 5000, seed=1)) == list(range(1000))


# ---------------------------------------------------------------------------------------------------- summary


def test_the_signed_rank_test_is_scipys() -> None:
    from scipy.stats import wilcoxon

    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(40, 3)).cumsum(axis=1), columns=["a", "b", "c"])
    found = compare_all(frame, ["a", "b", "c"])
    assert [(test.first, test.second) for test in found] == [("a", "b"), ("a", "c"), ("b", "c")]
    for test in found:
        expected = wilcoxon(frame[test.first], frame[test.second])
        assert test.statistic == expected.statistic
        assert test.p == pytest.approx(expected.pvalue, rel=1e-9)
        assert test.mean_difference == pytest.approx((frame[test.first] - frame[test.second]).mean())
        assert test.significant() == (expected.pvalue < 0.05)


def test_equal_differences_tie_although_they_are_floats() -> None:
    """0.3 - 0.2 and 0.4 - 0.3 are not the same float; ranked as they are, they would not tie."""
    first, second = [0.3, 0.4, 0.2, 0.9, 0.8, 0.75], [0.2, 0.3, 0.3, 0.8, 0.9, 0.65]
    assert len(set(np.subtract(first, second))) > 2
    from scipy.stats import wilcoxon

    assert signed_rank(first, second).p == wilcoxon([1, 1, -1, 1, -1, 1]).pvalue


def test_samples_that_are_no_pairs() -> None:
    with pytest.raises(ValueError, match="must be pairs"):
        signed_rank([1.0, 2.0], [1.0])


def test_means_and_deviations() -> None:
    cell = summarise([1.0, 2.0, 4.0])
    assert (cell.mean, cell.n) == (pytest.approx(7 / 3), 3)
    assert cell.sd == pytest.approx(np.std([1.0, 2.0, 4.0], ddof=1))
    assert str(summarise([0.5])) == "0.5000"
    assert summarise([]).n == 0


# ---------------------------------------------------------------------------------------------------- figures


def test_a_figure_is_saved_twice(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    paths = drawing.draw(lambda figure: figure.subplots().plot([1, 2]), tmp_path / "figure", (3, 2))
    assert [path.name for path in paths] == ["figure.png", "figure.svg"]
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    before = paths[1].read_bytes()
    drawing.draw(lambda figure: figure.subplots().plot([1, 2]), tmp_path / "figure", (3, 2))
    assert paths[1].read_bytes() == before


def test_no_figure_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert drawing.draw(lambda figure: None, tmp_path / "figure", (3, 2)) == []
    assert "studies" in drawing.ABSENT


# --------------------------------------------------------------------------------------------------- examples


@pytest.mark.parametrize(
    "name",
    [
        "harness.configuration",
        "harness.summary",
        "harness.report",
        "heuristics.paper",
        "heuristics.cuts",
        "heuristics.calibration",
    ],
)
def test_examples_in_docstrings(name: str) -> None:
    results = doctest.testmod(importlib.import_module(f"studies.{name}"))
    assert results.attempted > 0
    assert results.failed == 0
