"""The study of paper A on tiny tables: what is fitted, what is compared, and what is reported."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from boxwood import TreeClassifier
from boxwood.data import make_dataset
from boxwood.discretize import MinimumImpurityDiscretizer
from boxwood.optimal import make_problem, solve
from studies import RefusedError, mid
from studies.__main__ import main
from studies.harness.configuration import lay_over, read_configuration
from studies.harness.rows import RowFile
from studies.harness.run import run_fits
from studies.harness.summary import Cell
from studies.mid import experiment, results, runtime, sources
from studies.mid.paper import read_paper
from studies.mid.results import Summary, collect, reasons, shortfalls, unexplained

CONFIGURATION = read_configuration(mid.STUDY.folder / "study.toml")
SMALL = lay_over(
    CONFIGURATION,
    {
        "validation": {"folds": 2},
        "limits": {"min_samples_leaf": 3},
        "plan": {"depths": [2, 3], "features": [1, 4], "beyond": {"depth": 2, "first": 4, "steps": 2}},
        "runtime": {"features": 5, "step": 2, "depth": 3, "repeat_seconds": 0.0},
    },
)


def silent(text: str) -> None:
    """Tell nobody."""


# -------------------------------------------------------------------------------------------------- the paper


def test_the_papers_figures_are_all_there() -> None:
    paper = read_paper()
    assert len(paper.rows) == 14
    assert paper.pipelines == (*experiment.BY_PREFIX, *experiment.ONCE)
    for row in paper.rows.values():
        assert len(row.at_45) == len(row.best) == 4 * 8
        for (depth, pipeline), accuracy in row.at_45.items():
            if pipeline in experiment.BY_PREFIX:
                assert row.best[depth, pipeline] >= accuracy  # the best of all numbers of features
            else:
                assert row.best[depth, pipeline] == accuracy  # there is no choice
        assert row.equal_frequency.mid >= row.equal_frequency.accuracy  # as the thesis says of its Table 3.1
        assert abs(row.mdlp.mid - row.mdlp.accuracy) < 0.075


def test_the_papers_own_counts_come_out() -> None:
    """The thesis says in how many of the 56 rows MID and DL8.5 are best: a check of all 896 numbers."""
    paper = read_paper()

    def wins(table: str) -> int:
        won = 0
        for row in paper.rows.values():
            cells = getattr(row, table)
            for depth in (3, 4, 5, 6):
                best = max(cells[depth, pipeline] for pipeline in paper.pipelines)
                won += best in (cells[depth, "mid_gini"], cells[depth, "mid_entropy"])
        return won

    assert wins("at_45") == paper.text["best_at_45"]
    assert wins("best") == paper.text["best_of_all"]


def test_the_configuration_has_the_thesis_plan() -> None:
    assert {about["name"] for about in CONFIGURATION["datasets"]} == set(read_paper().rows)
    assert CONFIGURATION["plan"]["depths"] == [3, 4, 5, 6]
    assert CONFIGURATION["plan"]["features"] == list(range(1, 46))
    assert CONFIGURATION["limits"]["min_samples_leaf"] == read_paper().text["min_samples_leaf"]
    assert CONFIGURATION["validation"]["folds"] == 10
    wine = [key for key in experiment.plan(CONFIGURATION) if (key["dataset"], key["fold"]) == ("wine", 0)]
    assert len(wine) == 4 * (4 * 45 + 4) + 4
    banknote = [key for key in experiment.plan(CONFIGURATION) if key["dataset"] == "banknote"]
    assert len(banknote) == 10 * (4 * (4 * 45 + 4) + 4 + 32)


@pytest.mark.parametrize(
    ("features", "seconds"),
    [("1", 1), ("44", 1), ("45", 5), ("60", 5), (experiment.OWN, 5), ("45+3/32", 5)],
)
def test_only_short_prefixes_get_less_time(features: str, seconds: float) -> None:
    """Which fits are asked for must not matter: a folder may be filled in parts."""
    assert experiment.seconds_for({"features": features}, CONFIGURATION["limits"]) == seconds


# --------------------------------------------------------------------------------------------- tiny data sets


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with a small table under each of the study's file names."""
    folder = tmp_path_factory.mktemp("data")
    for number, name in enumerate(sorted(set(experiment.tables(CONFIGURATION).values()))):
        rng = np.random.default_rng(number)
        X = np.round(rng.normal(size=(70, 3)), 1)
        label = (X[:, 0] + 0.7 * X[:, 1] + 0.5 * rng.normal(size=70) > 0).astype(int)
        frame = pd.DataFrame(X, columns=["a", "b", "c"])
        if name == "covertype":
            frame = frame.assign(**{f"d{place}": rng.normal(size=70).round(1) for place in range(12)})
        if name == "penguins":
            frame["sex"] = np.where(label == 1, "female", "male")
            frame.loc[::9, "sex"] = None
            frame.loc[1, "a"] = np.nan
        frame["class"] = np.where(label == 1, "yes", "no")
        frame.to_csv(folder / f"{name}.csv.gz", index=False)
    return folder


@pytest.fixture(scope="module")
def rows(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> RowFile:
    """Give the rows of a small run."""
    some = ["banknote", "iris", "penguins", "yeast"]
    return run_fits(mid.STUDY, SMALL, tmp_path_factory.mktemp("out"), folder, some, tell=silent)


def test_sources_are_cut_as_the_configuration_says(folder: Path) -> None:
    covertype = sources.read_source(sources.find_source("covertype", CONFIGURATION, folder))
    assert covertype.X.shape == (70, 10)
    penguins = sources.read_source(sources.find_source("penguins", CONFIGURATION, folder))
    assert set(penguins.y) == {"female", "male"}
    assert len(penguins.y) == 70 - len(range(0, 70, 9)) - 1
    assert not np.isnan(penguins.X).any()
    wrong = lay_over(CONFIGURATION, {"datasets": [{"name": "iris", "table": "iris", "label": "colour"}]})
    with pytest.raises(RefusedError, match="no column 'colour'"):
        sources.read_source(sources.find_source("iris", wrong, folder))


def test_a_row_is_what_fits_by_hand_give(folder: Path, rows: RowFile) -> None:
    table = pd.read_csv(folder / "banknote.csv.gz")
    y = table.pop("class").to_numpy(dtype=str)
    X = table.to_numpy()
    train, test = list(StratifiedKFold(2, shuffle=True, random_state=1).split(X, y))[1]
    mid_gini = MinimumImpurityDiscretizer(n_thresholds=4, criterion="gini").fit(X[train], y[train])
    seen, unseen = (np.asarray(mid_gini.transform(X[part])) for part in (train, test))
    solved = solve(make_problem(make_dataset(seen, y[train]), max_depth=2, min_samples_leaf=3))
    greedy = TreeClassifier(criterion="gini", max_depth=2, min_samples_leaf=3).fit(seen, y[train])
    frame = rows.frame()

    def row(pipeline: str) -> pd.Series:
        chosen = frame[
            (frame["dataset"] == "banknote")
            & (frame["pipeline"] == pipeline)
            & (frame["features"] == "4")
            & (frame["depth"] == "2")
            & (frame["fold"] == "1")
        ]
        return chosen.iloc[0]

    best = row("mid_gini")
    assert best["training_accuracy"] == pytest.approx(1 - solved.errors / len(train))
    assert (best["proved"], best["gap"], best["n_features"]) == (1, 0, 4)
    by_hand = row("cart_mid_gini")
    assert by_hand["training_accuracy"] == greedy.score(seen, y[train])
    assert by_hand["testing_accuracy"] == greedy.score(unseen, y[test])
    assert best["training_accuracy"] >= by_hand["training_accuracy"]


def test_more_features_never_hurt_training_when_proved(rows: RowFile) -> None:
    frame = rows.frame()
    proved = frame[frame["pipeline"].isin(["mid_gini", "mid_entropy"])]
    assert (proved["proved"] == 1).all()
    keys = ["dataset", "depth", "pipeline", "fold"]
    for _, some in proved.groupby(keys):
        ordered = some.sort_values("n_features")["training_accuracy"].to_numpy()
        assert (np.diff(ordered) >= -1e-12).all()
    every = frame[frame["pipeline"] == "every_threshold"].set_index(["dataset", "fold"])["training_accuracy"]
    for name in ("mdlp", "equal_frequency", *experiment.TABLE_1):
        other = frame[(frame["pipeline"] == name) & (frame["depth"] == "3")]
        joined = other.set_index(["dataset", "fold"])["training_accuracy"].reindex(every.index)
        assert (joined <= every + 1e-12).all()


def test_numbers_of_features(folder: Path, rows: RowFile) -> None:
    frame = rows.frame()
    counts = {
        name: some.set_index(["dataset", "depth", "fold"])["n_features"]
        for name, some in frame.groupby("pipeline")
    }
    for name in experiment.DISCRETISERS:
        alike = counts[f"mid_as_{name}"]
        assert (alike == counts[name].reindex(alike.index)).all()
        for dataset, printed in ((d, read_paper().rows[d].printed(name).features) for d in ("iris", "yeast")):
            assert (counts[f"mid_thesis_{name}"].loc[dataset] == round(printed)).all()
    beyond = frame[frame["features"].str.contains("+", regex=False)]
    assert sorted(set(beyond["features"])) == ["4+1/2", "4+2/2"]
    part = sources.Part(sources.find_source("banknote", SMALL, folder), 2, 1, 0)
    most = sources.n_boundary_points(part, "mid_gini")
    last = beyond[(beyond["features"] == "4+2/2") & (beyond["fold"] == "0")]
    assert last["n_features"].tolist() == [most]


# ---------------------------------------------------------------------------------------------------- results


def test_results_equal_a_count_by_hand(rows: RowFile) -> None:
    frame = rows.frame()
    found = collect(frame, SMALL)
    assert found.datasets == ["banknote", "iris", "penguins", "yeast"]
    some = frame[
        (frame["dataset"] == "iris") & (frame["depth"] == "3") & (frame["pipeline"] == "mid_entropy")
    ]
    by_number = some.groupby("features")["testing_accuracy"].mean()
    last, best = found.at_most("iris", 3, "mid_entropy"), found.best("iris", 3, "mid_entropy")
    assert last is not None
    assert best is not None
    assert last.testing.mean == pytest.approx(by_number["4"])
    assert best.testing.mean == pytest.approx(by_number.max())
    won, total = found.wins(found.at_most)
    assert total == 4 * 2
    by_hand = 0
    for dataset in found.datasets:
        for depth in ("2", "3"):
            here = frame[(frame["dataset"] == dataset) & (frame["depth"] == depth)]
            here = here[here["features"].isin(["4", "own"]) & here["pipeline"].isin(results.PIPELINES)]
            means = here.groupby("pipeline")["testing_accuracy"].mean().round(6)
            by_hand += means[["mid_gini", "mid_entropy"]].max() == means.max()
    assert won == by_hand


def test_all_rows_are_reported_whatever_was_asked_for_last(rows: RowFile) -> None:
    """A folder is filled in parts. Table 3.3 once had the best of only the numbers that the last had."""
    part = lay_over(SMALL, {"plan": {"depths": [2], "features": [1]}})
    assert collect(rows.frame(), part) == collect(rows.frame(), SMALL)


def summary(mean: float, sd: float = 0.001, proved: float = 1.0, n_features: float = 10.0) -> Summary:
    cell = Cell(mean, sd, 10)
    return Summary(n_features, cell, cell, 0.1, proved, 3.0, 8.0)


def test_reasons_are_found_where_there_are_any() -> None:
    assert reasons(summary(0.90), 90.0, 10.0, None, 0) == ()
    assert reasons(summary(0.89996), 90.0, 10.0, None, 0) == ()  # the thesis rounds to two digits
    assert reasons(summary(0.80), 90.0, 10.0, None, 0) == ()  # far below, and no reason
    (unproved,) = reasons(summary(0.80, proved=0.7), 90.0, 10.0, None, 0)
    assert "30% of the folds not proved" in unproved
    (fewer,) = reasons(summary(0.80, n_features=8.0), 90.0, 10.0, None, 0)
    assert "8.0 features, the thesis has 10.0" in fewer
    (ceiling,) = reasons(summary(0.80), 90.0, 10.0, summary(0.85), 0)
    assert "with every threshold the proved optimum is 85.00" in ceiling
    assert reasons(summary(0.80), 90.0, 10.0, summary(0.95), 0) == ()
    assert reasons(summary(0.80), 90.0, 10.0, summary(0.85, proved=0.9), 0) == ()
    (folds,) = reasons(summary(0.895, sd=0.01), 90.0, 10.0, None, 0)
    assert "other folds" in folds
    (apart,) = reasons(summary(0.80), 90.0, 10.0, None, 0, (0.5, 4.0))
    assert "testing accuracy is 4.00 below its training accuracy, ours 0.50" in apart
    assert reasons(summary(0.80), 90.0, 10.0, None, 0, (3.0, 4.0)) == ()
    (sample,) = reasons(summary(0.80), 90.0, 10.0, None, 400)
    assert "a sample of 400 rows" in sample


def test_cells_of_table_1(rows: RowFile) -> None:
    found = shortfalls(collect(rows.frame(), SMALL), SMALL)
    assert len(found) == 4 * 6
    for one in found:
        assert one.at_least == (100 * one.ours.mean >= one.thesis - 0.005)
        if one.reasons:
            assert not one.at_least
    assert set(unexplained(found)) == {one for one in found if not one.at_least and not one.reasons}


def test_the_report_has_every_table_and_figure(rows: RowFile, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    told = mid.STUDY.report(rows.frame(), SMALL, tmp_path)
    text = (tmp_path / "report.md").read_text("utf-8")
    for heading in (
        "Table 3.1: training accuracies",
        "Table 3.2: 4 features",
        "Table 3.3: the best",
        "Optimal trees proved",
    ):
        assert f"### {heading}" in text
    assert "(97.78)" in text  # the thesis's MID on iris
    assert "the thesis has 38 of 56" in told
    assert "a factor of 60" in told
    for stem in ("figure_3_1", "figure_3_2", "figure_3_3", "figure_3_4"):
        assert (tmp_path / f"{stem}.png").stat().st_size > 10_000
        assert f"({stem}.png)" in text
    with (tmp_path / "table_3_1.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == 4 * 6
    with (tmp_path / "accuracy.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(collect(rows.frame(), SMALL).points)


def test_without_matplotlib_the_report_says_so(
    rows: RowFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = mid.STUDY.report(rows.frame(), SMALL, tmp_path)
    assert "no figure: matplotlib is not installed" in told
    assert not list(tmp_path.glob("*.png"))


# ------------------------------------------------------------------------------------------------- run times


def test_every_way_to_begin_finds_the_same_errors(folder: Path, tmp_path: Path) -> None:
    made = run_fits(runtime.RUNTIME, SMALL, tmp_path, folder, tell=silent)
    frame = made.frame()
    assert len(frame) == 2 * 4 * 3
    assert (frame["proved"] == 1).all()
    assert (frame["errors"] == frame["errors_alone"]).all()
    told = runtime.report(frame, SMALL, tmp_path)
    assert told.count("All ways found the same errors.") == 2
    assert "### Banknote: all steps together" in (tmp_path / "report.md").read_text("utf-8")
    frame.loc[0, "errors"] += 1
    assert "Other errors than alone: bound_for_all" in runtime.report(frame, SMALL, tmp_path)


def test_a_tree_is_carried_over_to_more_features(folder: Path) -> None:
    source = sources.find_source("iris", SMALL, folder)
    case = runtime.Case(source, "entropy", 3, 3, 10.0, (2, 6))
    small, large = case.problem(2), case.problem(6)
    tree = solve(small).tree
    moved = runtime.on_more_features(tree, large)
    assert moved.n_features == 6
    assert moved.feature.tolist() == tree.feature.tolist()
    assert solve(large, time_limit=0, initial_tree=moved).objective <= solve(small).objective
    assert (case.before(6), case.before(2)) == (2, None)
    assert case == runtime.Case(source, "entropy", 3, 3, 10.0, (2, 6))
    assert case != runtime.Case(source, "gini", 3, 3, 10.0, (2, 6))


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_goes_on_with_more(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = ["mid", "--quick", "--data", str(folder), "--out", str(tmp_path), "--only", "wine"]
    assert main([*line, "--depths", "3", "--features", "2"]) == 0
    first = 3 * (6 + 2 + 4)  # folds, pipelines of Table 3.1, the greedy ones, the prefixes
    assert main([*line, "--depths", "3", "4", "--features", "2", "3"]) == 0
    assert f"{first} of {3 * (6 + 2 * 2 + 2 + 2 * 8)} fits are there already" in capsys.readouterr().out


def test_a_folder_without_the_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mid", "--data", str(tmp_path), "--out", str(tmp_path / "out"), "--only", "iris"]) == 2
    assert "lacks iris.csv.gz" in capsys.readouterr().err
