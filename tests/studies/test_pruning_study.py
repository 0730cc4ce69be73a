"""The study of paper D on tiny tables: what is fitted, what is compared, and what is reported."""

from __future__ import annotations

import csv
import sys
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

import boxwood
from studies import RefusedError, pruning
from studies.__main__ import main
from studies.harness.configuration import lay_over, read_configuration
from studies.harness.paired import corrected_t
from studies.harness.rows import RowFile
from studies.harness.run import run_fits
from studies.pruning import experiment, sources, weka
from studies.pruning.paper import read_paper
from studies.pruning.results import collect

CONFIGURATION = read_configuration(pruning.STUDY.folder / "study.toml")
SMALL = lay_over(CONFIGURATION, {"validation": {"folds": 3}, "plan": {"repeats": 1}})
SOME = ["diabetes", "vote"]
ABSENT = weka.Weka(None, "", "nobody looked")


def silent(text: str) -> None:
    """Tell nobody."""


# -------------------------------------------------------------------------------------------------- the paper


def test_the_papers_figures_are_all_there() -> None:
    paper = read_paper()
    assert len(paper.rows) == 14
    assert {about["name"] for about in CONFIGURATION["datasets"]} == set(paper.rows)
    marks = [(row.marks["one_hot"], row.marks["multiway"]) for row in paper.rows.values()]
    assert sum(one != "" for one, _ in marks) == paper.text["one_hot_differs"]
    assert sum(many == "*" for _, many in marks) == paper.text["multiway_worse"]
    slower = [row.fit_marks["one_hot"] for row in paper.rows.values()]
    assert (slower.count("v"), slower.count(""), slower.count("*")) == (6, 7, 1)
    several = [row.fit_marks["multiway"] for row in paper.rows.values()]
    assert (several.count(""), several.count("*")) == (12, 2)
    for row in paper.rows.values():  # nothing to encode, nothing changes
        if not row.categorical:
            assert len(set(row.accuracy.values())) == 1


def test_the_configuration_has_the_thesis_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    there = weka.Weka(Path("weka.jar"), "3.9.6", "")
    monkeypatch.setattr(experiment, "find_weka", lambda named: there)
    keys = experiment.plan(CONFIGURATION)
    of_iris = [key for key in keys if key["dataset"] == "iris" and (key["repeat"], key["fold"]) == (0, 0)]
    numbers = {name: sum(key["learner"] == name for key in of_iris) for name in experiment.LEARNERS}
    assert numbers == {"boxwood": 12, "c45": 10, "sklearn": 2, "j48": 10}
    assert len(keys) == 14 * 100 * len(of_iris)
    broken = weka.Weka(Path("weka.jar"), "3.9.7", "")
    monkeypatch.setattr(experiment, "find_weka", lambda named: broken)
    left = [key for key in experiment.plan(CONFIGURATION) if key["learner"] == "j48"]
    assert len(left) == 14 * 100 * 7  # no reduced-error pruning
    monkeypatch.setattr(experiment, "find_weka", lambda named: ABSENT)
    assert not [key for key in experiment.plan(CONFIGURATION) if key["learner"] == "j48"]


# --------------------------------------------------------------------------------------------- tiny data sets


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a numeric table, and one with categories and gaps."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(80, 3)), 1)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame["class"] = np.where(X[:, 0] + 0.7 * rng.normal(size=80) > 0, "yes", "no")
    frame.to_csv(folder / "pima.csv.gz", index=False)
    words = rng.choice(["red", "green", "blue's"], size=80)
    frame = pd.DataFrame({"colour": words, "size": X[:, 1]})
    frame["class"] = np.where((words == "red") ^ (rng.random(80) < 0.2), "yes", "no")
    frame.loc[::10, "colour"] = None
    frame.loc[5, "size"] = np.nan
    frame.to_csv(folder / "vote.csv.gz", index=False)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> RowFile:
    """Give the rows of a small run, without J48."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiment, "find_weka", lambda named: ABSENT)
        return run_fits(pruning.STUDY, SMALL, tmp_path_factory.mktemp("out"), folder, SOME, tell=silent)


def test_chapter_6_leaves_gaps_out_and_the_appendix_keeps_them(folder: Path) -> None:
    complete = sources.find_part("vote", 0, 0, False, SMALL, folder)
    whole = sources.find_part("vote", 0, 0, True, SMALL, folder)
    assert len(sources.read_source(complete.source).y) == 80 - 8 - 1
    assert len(sources.read_source(whole.source).y) == 80
    seeds = [sources.find_part("vote", repeat, 0, True, SMALL, folder).seed for repeat in (0, 1)]
    assert seeds == [1, 2]


def test_one_hot_keeps_gaps() -> None:
    frame = pd.DataFrame({"colour": pd.Categorical(["red", None, "blue"]), "size": [1.0, 2.0, np.nan]})
    coded = sources.one_hot(frame)
    assert coded.columns.tolist() == ["colour=blue", "colour=red", "size"]
    assert coded["colour=red"].tolist()[::2] == [1.0, 0.0]
    assert coded.iloc[1, :2].isna().all()


def test_a_row_is_what_a_fit_by_hand_gives(folder: Path, rows: RowFile) -> None:
    table = pd.read_csv(folder / "pima.csv.gz")
    y = table.pop("class").to_numpy(dtype=str)
    train, test = list(StratifiedKFold(3, shuffle=True, random_state=1).split(table, y))[2]
    by_hand = boxwood.TreeClassifier(
        criterion="entropy",
        pruning=boxwood.pruning.ErrorBased(confidence=0.1, subtree_raising=False, collapse=False),
    ).fit(table.iloc[train], y[train])
    frame = rows.frame()
    (row,) = (
        row
        for _, row in frame.iterrows()
        if (row["dataset"], row["learner"], row["configuration"], row["fold"])
        == ("diabetes", "boxwood", "ebp_0.10000", "2")
    )
    assert row["n_nodes"] == by_hand.tree_.n_nodes
    assert row["accuracy"] == by_hand.score(table.iloc[test], y[test])


def test_pruned_trees_are_smaller(rows: RowFile) -> None:
    frame = rows.frame()
    ours = frame[frame["learner"] == "boxwood"].set_index(["dataset", "fold", "configuration"])["n_nodes"]
    sizes = ours.unstack("configuration")
    assert (sizes["ebp_0.00001"] <= sizes["ebp_0.00100"]).all()
    assert (sizes["ebp_0.00100"] <= sizes["ebp_0.10000"]).all()
    assert (sizes["ebp_0.10000"] <= sizes["none"]).all()
    assert (sizes["early_stop"] < sizes["none"]).all()


def test_results_equal_a_count_by_hand(rows: RowFile) -> None:
    frame = rows.frame()
    results = collect(frame, SMALL)
    assert results.datasets == SOME
    picked = {
        name: frame[
            (frame["dataset"] == "vote") & (frame["learner"] == "c45") & (frame["configuration"] == name)
        ]
        for name in ("binary", "multiway")
    }
    test = results.test(("vote", "c45", "binary"), ("vote", "c45", "multiway"))
    first, second = (picked[name]["accuracy"].to_numpy() for name in ("binary", "multiway"))
    assert test == corrected_t(first, second, 1 / 2)
    assert results.against_j48("vote", "c45", "none", "n_nodes").n == 0
    assert results.same_trees("vote", "c45", "none") == (0, 0)


def test_the_report_has_every_table(rows: RowFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["studies.pruning.report"], "find_weka", lambda named: ABSENT)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = pruning.STUDY.report(rows.frame(), SMALL, tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    for heading in ("Figure 6.1", "Figure 6.2", "Figure 6.4", "Figure 6.6", "Table A.1.1", "Table A.2.1"):
        assert f"### {heading}" in text
    assert "Figure 6.3" not in text
    assert "J48's columns are empty: nobody looked. It comes with pip install" in told
    assert "no figure: matplotlib is not installed" in told
    with (tmp_path / "means.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 2 * (12 + 10 + 2)


# -------------------------------------------------------------------------------------------------------- J48


def test_arff_has_domains_gaps_and_quotes(folder: Path) -> None:
    table = sources.read_source(sources.find_part("vote", 0, 0, True, SMALL, folder).source)
    text = weka.as_arff(table.X, table.y)
    lines = text.splitlines()
    assert lines[1] == r"@attribute 'colour' {'blue\'s','green','red'}"
    assert lines[2] == "@attribute 'size' numeric"
    assert lines[3] == "@attribute class {'no','yes'}"
    assert len(lines) == 5 + 80
    assert lines[5].startswith("?,")
    assert lines[10].split(",")[1] == "?"


def test_weka_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RefusedError, match="--weka: there is no file"):
        weka.find_weka(str(tmp_path / "none.jar"))
    monkeypatch.setenv(weka.VARIABLE, str(tmp_path / "none.jar"))
    with pytest.raises(RefusedError, match="BOXWOOD_WEKA: there is no file"):
        weka.find_weka()
    monkeypatch.delenv(weka.VARIABLE)
    monkeypatch.setattr(weka.importlib.util, "find_spec", lambda name: None)
    absent = weka.find_weka()
    assert absent.jar is None
    assert not absent.runs("-U")
    assert "python-weka-wrapper3 is not installed" in absent.sentence()


def test_a_jar_says_its_version(tmp_path: Path) -> None:
    jar = tmp_path / "weka.jar"
    with zipfile.ZipFile(jar, "w") as packed:
        packed.writestr("weka/core/version.txt", "3-9-7\n")
    assert weka.read_version(jar) == "3.9.7"
    found = weka.Weka(jar, "3.9.7", "")
    assert (found.runs("-U -M 1"), found.runs("-R -N 3")) == (True, False)
    assert "reduced-error pruning does not work" in found.sentence()
    (tmp_path / "other.jar").write_text("no archive")
    with pytest.raises(RefusedError, match="not Weka's jar"):
        weka.read_version(tmp_path / "other.jar")


@pytest.mark.skipif(weka.find_weka().jar is None, reason=f"J48 is not here. {weka.HOW}")
def test_j48_on_the_same_folds(folder: Path) -> None:
    found = weka.find_weka()
    assert found.jar is not None
    part = sources.find_part("diabetes", 0, 0, False, SMALL, folder)
    train, test = sources.split(part)
    seen, unseen = weka.instances(found.jar, part)
    assert (seen.numInstances(), unseen.numInstances()) == (len(train), len(test))
    whole, pruned = (
        weka.fit_j48(found.jar, part, options, False) for options in ("-U -O -M 1 -J", "-C 0.00001")
    )
    assert whole["n_leaves"] > pruned["n_leaves"]
    assert whole["n_nodes"] == 2 * whole["n_leaves"] - 1
    assert set(whole) == set(experiment.VALUES)
    part = sources.find_part("vote", 0, 0, True, SMALL, folder)
    as_it_is, coded = (weka.fit_j48(found.jar, part, "-B -M 1", one_hot) for one_hot in (False, True))
    assert as_it_is["accuracy"] == coded["accuracy"]


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_goes_on_with_more(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiment, "find_weka", lambda named: ABSENT)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    line = ["pruning", "--quick", "--data", str(folder), "--out", str(tmp_path), "--only", "diabetes"]
    assert main([*line, "--repeats", "1"]) == 0
    assert main([*line, "--repeats", "2"]) == 0
    assert f"{3 * 24} of {2 * 3 * 24} fits are there already" in capsys.readouterr().out
