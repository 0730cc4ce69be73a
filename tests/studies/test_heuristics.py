"""The study of paper E on tiny tables: what it counts, how it calibrates, what it reports."""

from __future__ import annotations

import csv
import itertools
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import wilcoxon
from sklearn.model_selection import StratifiedKFold

from boxwood import TreeClassifier
from studies import RefusedError, heuristics
from studies.__main__ import main
from studies.harness.configuration import lay_over, read_configuration
from studies.harness.rows import RowFile
from studies.harness.run import run_fits
from studies.harness.tables import Table, read_table
from studies.heuristics import calibration, experiment
from studies.heuristics.cuts import CutCount, count_row_cuts, count_table, count_value_cuts
from studies.heuristics.paper import FUNCTIONS, read_paper
from studies.heuristics.results import collect

CONFIGURATION = read_configuration(heuristics.STUDY.folder / "study.toml")
SMALL = lay_over(CONFIGURATION, {"validation": {"folds": 2, "seeds": [1, 2]}, "calibration": {"folds": 2}})
SMALL["calibration"]["rules"] = {"max_depth": [1], "max_leaf_nodes": [2, 4]}


def silent(text: str) -> None:
    """Tell nobody."""


# -------------------------------------------------------------------------------------------------- the paper


def test_the_papers_figures_are_all_there() -> None:
    rows = read_paper().rows
    assert len(rows) == 9
    accuracies = [number for row in rows.values() for number in (*row.training, *row.testing)]
    assert len(accuracies) == 9 * 4 * 2
    assert all(0.6 < number < 0.96 for number in accuracies)
    shares = [row.non_boundary for row in rows.values()]
    assert len(shares) == 9
    assert np.mean(shares) == pytest.approx(read_paper().mean_non_boundary, abs=0.005)  # the paper's own sum


def test_the_configuration_has_the_nine_data_sets_and_four_functions() -> None:
    nine = [dataset for dataset in CONFIGURATION["datasets"] if not dataset.get("extra")]
    assert {dataset["paper"] for dataset in nine} == set(read_paper().rows)
    assert len(nine) == 9
    assert tuple(CONFIGURATION["functions"]) == FUNCTIONS
    assert list(CONFIGURATION["functions"].values()) == ["entropy", "gini", "error", "sine"]
    assert (CONFIGURATION["validation"]["folds"], len(CONFIGURATION["validation"]["seeds"])) == (10, 5)


def test_the_quick_variant_is_small() -> None:
    quick = read_configuration(heuristics.STUDY.folder / "study.toml", quick=True)
    assert len(experiment.plan(quick)) == 10 * 4 * 3
    assert quick["sample"]["rows"] == 1000
    assert quick["stopping"] == CONFIGURATION["stopping"]


# ------------------------------------------------------------------------------------------------------- cuts


def naive_value_cuts(values: list[float], classes: list[int]) -> CutCount:
    """Look at every pair of neighbouring values, and at all rows that have them."""
    distinct = sorted(set(values))
    boundaries = 0
    for low, high in itertools.pairwise(distinct):
        seen = {label for value, label in zip(values, classes, strict=True) if value in (low, high)}
        boundaries += len(seen) > 1
    return CutCount(max(len(distinct) - 1, 0), boundaries)


ROWS = st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 2)), max_size=30)


@given(ROWS)
def test_boundaries_between_values(rows: list[tuple[int, int]]) -> None:
    values, classes = [float(value) for value, _ in rows], [label for _, label in rows]
    counted = count_value_cuts(np.array(values), np.array(classes, dtype=np.intp))
    assert counted == naive_value_cuts(values, classes)


@given(ROWS)
def test_boundaries_between_rows(rows: list[tuple[int, int]]) -> None:
    in_order = sorted(rows)
    differing = sum(one[1] != two[1] for one, two in itertools.pairwise(in_order))
    values, classes = np.array(rows, dtype=float).reshape(-1, 2).T
    assert count_row_cuts(values, classes.astype(np.intp)) == CutCount(max(len(rows) - 1, 0), differing)


def test_the_two_counts_agree_where_all_values_differ() -> None:
    rng = np.random.default_rng(3)
    values, classes = rng.random(200), rng.integers(0, 3, 200)
    assert count_value_cuts(values, classes) == count_row_cuts(values, classes)


def test_missing_values_are_no_cuts() -> None:
    values = np.array([np.nan, 1.0, 2.0, np.nan])
    classes = np.array([0, 0, 0, 1])
    assert count_value_cuts(values, classes) == count_row_cuts(values, classes) == CutCount(1, 0)
    assert count_value_cuts(values[:1], classes[:1]) == CutCount(0, 0)
    assert CutCount(0, 0).non_boundary_share == 0


# --------------------------------------------------------------------------------------------- tiny data sets


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a small table under each of the study's file names."""
    folder = tmp_path_factory.mktemp("data")
    for number, name in enumerate(sorted(set(experiment.tables(CONFIGURATION).values()))):
        rng = np.random.default_rng(number)
        X = np.round(rng.normal(size=(60, 3)), 1)
        y = (X[:, 0] + 0.7 * X[:, 1] + rng.normal(size=60) > 0).astype(int)
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        if name == "abalone":
            frame["sex"] = np.array(["F", "I", "M"])[rng.integers(0, 3, 60)]
            y = 7 + y * 3 + rng.integers(0, 3, 60)
        frame["class"] = y
        frame.to_csv(folder / f"{name}.csv.gz", index=False)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> RowFile:
    """Give the rows of a small run."""
    return run_fits(heuristics.STUDY, SMALL, tmp_path_factory.mktemp("out"), folder, tell=silent)


def test_a_row_is_what_a_tree_by_hand_gives(folder: Path, rows: RowFile) -> None:
    table = read_table(folder, "pima")
    train, test = list(StratifiedKFold(2, shuffle=True, random_state=2).split(table.X, table.y))[1]
    tree = TreeClassifier(criterion="sine", **SMALL["stopping"]).fit(table.X.iloc[train], table.y[train])
    frame = rows.frame()
    row = frame[
        (frame["dataset"] == "pima")
        & (frame["function"] == "f4")
        & (frame["repeat"] == "1")
        & (frame["fold"] == "1")
    ].iloc[0]
    assert row["training_accuracy"] == tree.score(table.X.iloc[train], table.y[train])
    assert row["testing_accuracy"] == tree.score(table.X.iloc[test], table.y[test])
    assert (row["n_leaves"], row["depth"]) == (tree.tree_.n_leaves, tree.tree_.depth)
    assert (row["n_cuts"], row["n_cuts_evaluated"]) == (tree.n_cuts_, tree.n_cuts_evaluated_)
    counted = count_table(table.take(train), count_value_cuts)
    assert (row["root_cuts"], row["root_boundary_cuts"]) == (counted.cuts, counted.boundaries)


def test_the_grower_has_at_least_the_roots_cuts(rows: RowFile) -> None:
    frame = rows.frame()
    assert (frame["n_cuts"] >= frame["root_cuts"]).all()
    assert (frame["n_cuts_evaluated"] <= frame["n_cuts"]).all()
    assert (frame["n_cuts_evaluated"] < frame["n_cuts"]).any()


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error", "sine"])
def test_a_stump_looks_at_the_boundaries_of_the_root(folder: Path, criterion: str) -> None:
    """The grower's count and the count from the columns are made by different code, and must agree.

    The grower may add the first and last cut of each column, and cuts beside a value that several rows have:
    it does not ask whether these are all of one class. So where all values differ, the counts are nearly the
    same, and where they repeat, the grower's is the larger one.
    """
    rng = np.random.default_rng(5)
    distinct = pd.DataFrame(rng.normal(size=(300, 4)), columns=list("abcd"))
    labels = (distinct["a"] + rng.normal(size=300) > 0).to_numpy().astype(str)
    for table, spare in ((Table("distinct", distinct, labels), 2 * 4), (read_table(folder, "pima"), 10**6)):
        counted = count_table(table, count_value_cuts)
        stump = TreeClassifier(criterion=criterion, max_depth=1).fit(table.X, table.y)
        assert stump.n_cuts_ == counted.cuts
        assert (
            counted.boundaries <= stump.n_cuts_evaluated_ <= min(counted.boundaries + spare, counted.cuts - 1)
        )
        every = TreeClassifier(criterion=criterion, max_depth=1, cuts="all").fit(table.X, table.y)
        assert every.n_cuts_evaluated_ == every.n_cuts_ == counted.cuts


def test_rows_do_not_depend_on_the_number_of_processes(folder: Path, rows: RowFile, tmp_path: Path) -> None:
    some = ["pima", "breast_w"]  # the first ones of the plan
    many = run_fits(heuristics.STUDY, SMALL, tmp_path, folder, only=some, jobs=2, tell=silent)
    assert len(many.read()) == 2 * 4 * 4
    assert rows.path.read_bytes().startswith(many.path.read_bytes())


# ---------------------------------------------------------------------------------------------------- results


def test_results_equal_a_count_by_hand(rows: RowFile) -> None:
    frame = rows.frame()
    results = collect(frame, SMALL)
    assert [line.name for line in results.lines] == [dataset["name"] for dataset in SMALL["datasets"]]
    assert len(results.nine) == 9
    for line in results.lines:
        some = frame[frame["dataset"] == line.name]
        for function in FUNCTIONS:
            numbers = some[some["function"] == function]["testing_accuracy"]
            assert line.accuracy["testing", function].n == 4
            assert line.accuracy["testing", function].mean == pytest.approx(numbers.mean())
            assert line.accuracy["testing", function].sd == pytest.approx(numbers.std())
        assert line.shares["tree"] == pytest.approx(1 - some["n_cuts_evaluated"].sum() / some["n_cuts"].sum())
    far = {
        way: np.mean([abs(line.shares[way] - line.paper.non_boundary / 100) for line in results.nine])
        for way in ("tree", "root", "rows")
    }
    assert far[results.nearest_share()] == min(far.values())


def p_by_scipy(first: Any, second: Any) -> float:
    difference = np.round(np.asarray(first) - np.asarray(second), 12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # few pairs, and ties among them
        return float(wilcoxon(difference).pvalue) if difference.any() else 1.0


def test_the_signed_rank_tests_are_scipys(rows: RowFile) -> None:
    frame = rows.frame()
    results = collect(frame, SMALL)
    by = {
        function: some.set_index(["dataset", "repeat", "fold"])["testing_accuracy"]
        for function, some in frame.groupby("function")
    }
    nine = [line.name for line in results.nine]
    for number, (one, two) in enumerate(itertools.combinations(FUNCTIONS, 2)):
        for line in results.lines:
            test = line.tests[number]
            assert (test.first, test.second, test.n) == (one, two, 4)
            assert test.p == pytest.approx(p_by_scipy(by[one].loc[line.name], by[two].loc[line.name]))
        means = {name: by[name].loc[nine].groupby("dataset").mean() for name in (one, two)}
        assert results.over_sets[number].n == 9
        assert results.over_sets[number].p == pytest.approx(p_by_scipy(means[one], means[two]))
        means = {name: by[name].loc[nine].groupby(["repeat", "fold"]).mean() for name in (one, two)}
        assert results.over_folds[number].n == 4
        assert results.over_folds[number].p == pytest.approx(p_by_scipy(means[one], means[two]))


# ------------------------------------------------------------------------------------------------ calibration


def test_a_rule_and_its_arguments() -> None:
    assert calibration.rules(SMALL) == ["max_depth=1", "max_leaf_nodes=2", "max_leaf_nodes=4"]
    for rule in calibration.rules(CONFIGURATION):
        TreeClassifier(**calibration.arguments(rule)).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


def test_distances_by_hand() -> None:
    """Two rules on two data sets with made-up accuracies: one is 0.01 away everywhere, the other 0.03."""
    paper = read_paper()
    printed = {name: row.accuracy for name, row in paper.rows.items()}
    frame = pd.DataFrame(
        [
            {
                "dataset": dataset,
                "rule": rule,
                "function": function,
                "repeat": "0",
                "fold": str(fold),
                "training_accuracy": printed[dataset]("training", function) + sign * shift + noise,
                "testing_accuracy": printed[dataset]("testing", function),
                "n_leaves": 4.0,
                "depth": 2.0,
            }
            for dataset, sign in (("pima", 1), ("clouds", -1))
            for rule, shift in (("max_depth=1", 0.03), ("max_depth=2", 0.01))
            for function in FUNCTIONS
            for fold, noise in enumerate((0.005, -0.005))
        ]
    )
    ranked = calibration.rank(calibration.distances(frame, CONFIGURATION, paper), ["pima", "clouds"])
    assert list(ranked.index) == ["max_depth=2", "max_depth=1"]
    assert ranked["training"].tolist() == pytest.approx([0.01, 0.03])
    assert ranked["testing"].tolist() == pytest.approx([0.0, 0.0])


def test_abalone_is_read_in_two_ways() -> None:
    as_printed, in_groups = calibration.readings(CONFIGURATION)
    assert set(as_printed) - set(in_groups) == {"abalone"}
    assert set(in_groups) - set(as_printed) == {"abalone3"}


def test_calibration_runs_and_reports(folder: Path, tmp_path: Path) -> None:
    made = run_fits(calibration.CALIBRATION, SMALL, tmp_path, folder, tell=silent)
    text = calibration.report(made.frame(), SMALL, tmp_path)
    assert len(made.read()) == 10 * 2 * 3 * 4
    assert "nearest: max_" in text
    with (tmp_path / "calibration.csv").open() as file:
        listed = list(csv.DictReader(file))
    distances = [float(row["training"]) for row in listed]
    assert distances == sorted(distances)
    assert len(distances) == 3
    assert "| max_leaf_nodes=4 |" in (tmp_path / "calibration.md").read_text("utf-8")


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_resumes(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = ["heuristics", "--quick", "--data", str(folder), "--out", str(tmp_path), "--only", "pima"]
    assert main(line) == 0
    assert main([*line, "clouds", "abalone3"]) == 0
    assert "12 of 36 fits are there already" in capsys.readouterr().out
    report = (tmp_path / "report.md").read_text("utf-8")
    for heading in ("Training accuracy", "Testing accuracy", "Cuts that need no look", "Signed-rank tests"):
        assert f"### {heading}" in report
    assert "(0.8163)" in report  # the paper's
    assert "the paper has 5 of 6" in report
    assert "mean of 2" in report  # abalone3 is not one of the nine
    with (tmp_path / "accuracy.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 3 * 2 * 4
    with (tmp_path / "tests.csv").open() as file:
        assert len(list(csv.DictReader(file))) == (3 + 2) * 6
    assert json.loads((tmp_path / "environment.json").read_text())["boxwood"]


def test_the_figure_shows_every_data_set(rows: RowFile, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert "figure.svg" in heuristics.STUDY.report(rows.frame(), SMALL, tmp_path)
    drawn = (tmp_path / "figure.svg").read_text("utf-8")
    assert all(row.title in drawn for row in read_paper().rows.values())
    assert (tmp_path / "figure.png").stat().st_size > 10_000


def test_without_matplotlib_the_report_says_so(
    rows: RowFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = heuristics.STUDY.report(rows.frame(), SMALL, tmp_path)
    assert "no figure: matplotlib is not installed" in told
    assert "no figure: matplotlib is not installed" in (tmp_path / "report.md").read_text("utf-8")


def test_a_criterion_that_boxwood_refuses(folder: Path) -> None:
    with pytest.raises(RefusedError, match=r"does not grow pima with criterion 'sinus'"):
        experiment.grow(read_table(folder, "pima"), "sinus", {})


def test_a_folder_without_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["heuristics", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 2
    assert "lacks pima.csv.gz" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
