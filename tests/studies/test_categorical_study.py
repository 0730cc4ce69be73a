"""The study of paper B on tiny tables: what is drawn, fitted, compared and reported."""

from __future__ import annotations

import csv
import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import boxwood
from studies import RefusedError, categorical
from studies.__main__ import main
from studies.categorical import sources, splits, splits_report, trees, trees_report
from studies.categorical.paper import read_paper
from studies.harness.configuration import lay_over, read_configuration
from studies.harness.paired import greater_t
from studies.harness.rows import RowFile
from studies.harness.run import run_fits
from studies.harness.tables import read_table

CONFIGURATION = read_configuration(categorical.TREES.folder / "study.toml")
SMALL = lay_over(
    CONFIGURATION,
    {
        "splits": {"batch": 3, "most": {"exact": {"values": 6}, "twoing": {"classes": 4}}},
        "plan": {
            "tables": 6,
            "values": [5, 8],
            "classes": [3, 5],
            "repeats": 2,
            "depths": [{"depth": 3, "methods": ["twoing", "chi2"]}],
        },
    },
)


def silent(text: str) -> None:
    """Tell nobody."""


# -------------------------------------------------------------------------------------------------- the plan


def test_the_configuration_has_the_thesis_plan() -> None:
    wanted, said = CONFIGURATION["plan"], read_paper()
    assert (wanted["values"], wanted["classes"]) == ([6, 12, 30, 50, 100], [3, 9, 15, 30])
    assert wanted["tables"] == said["splits"]["tables"]
    assert (wanted["repeats"], CONFIGURATION["validation"]["folds"]) == (
        said["trees"]["repeats"],
        said["trees"]["folds"],
    )
    names = [about["name"] for about in CONFIGURATION["datasets"]]
    assert {*said["trees"]["clearly_better"], *said["trees"]["not_clear"]} <= set(names)
    assert all(about.get("extends", names[0]) in names for about in CONFIGURATION["datasets"])
    keys = trees.plan(CONFIGURATION)
    assert len(keys) == 60 * (15 + 7) * 2 * (
        9 + 7
    )  # folds, data sets without and with numbers, selects, methods
    shapes = {key["dataset"] for key in splits.plan(CONFIGURATION)}
    assert len(shapes) == 5 * 4


# --------------------------------------------------------------------------------------------- random tables


@pytest.fixture(scope="module")
def batches(tmp_path_factory: pytest.TempPathFactory) -> RowFile:
    """Give the rows of some random tables."""
    return run_fits(categorical.SPLITS, SMALL, tmp_path_factory.mktemp("out"), tell=silent)


def impurity(table: np.ndarray, branch: np.ndarray, criterion: str) -> float:
    total = 0.0
    for side in (table[branch], table[~branch]):
        counts = side.sum(axis=0)
        shares = counts[counts > 0] / counts.sum()
        value = 1 - (shares**2).sum() if criterion == "gini" else -(shares * np.log2(shares)).sum()
        total += counts.sum() / table.sum() * value
    return total


def test_tables_have_no_empty_row_or_column() -> None:
    drawn = splits.draw_tables(12, 3, 0, {"seed": 1, "batch": 50, "largest": 1})
    assert len(drawn) == 50
    for table in drawn:
        assert table.shape == (12, 3)
        assert table.any(axis=0).all()
        assert table.any(axis=1).all()
        assert table.max() <= 1
    again = splits.draw_tables(12, 3, 0, {"seed": 1, "batch": 50, "largest": 1})
    assert all((one == other).all() for one, other in zip(drawn, again, strict=True))


def test_counts_equal_a_search_by_hand(batches: RowFile) -> None:
    """Exact search finds what trying all groupings finds, and every other method's excess is above that."""
    frame = batches.frame().set_index(["dataset", "criterion", "batch"])
    for criterion in ("gini", "entropy"):
        row = frame.loc[("5x3", criterion, "1")]
        drawn = splits.draw_tables(5, 3, 1, SMALL["splits"])
        best = np.array(
            [
                min(
                    impurity(table, np.array(sides), criterion)
                    for sides in itertools.product([True, False], repeat=5)
                    if 0 < sum(sides) < 5
                )
                for table in drawn
            ]
        )
        assert row["best:exact"] == 3
        for method in ("twoing", "largest_alone", "chi2"):
            found = np.array(
                [boxwood.split_categories(t, criterion=criterion, method=method)[1] for t in drawn]
            )
            assert row[f"excess:{method}"] == pytest.approx((found / best - 1).sum(), abs=1e-9)
            assert row[f"worst:{method}"] == pytest.approx((found / best - 1).max(), abs=1e-9)
            assert row[f"best:{method}"] == (found <= best + 1e-9).sum()


def test_methods_beyond_their_limits_are_not_tried(batches: RowFile) -> None:
    results = splits_report.collect(batches.frame())
    assert results.shapes == ["5x3", "8x3", "5x5", "8x5"]
    assert ("8x3", "gini", "exact") not in results.cells
    assert ("5x5", "gini", "twoing") not in results.cells
    assert math.isnan(results.at("5x5", "gini", "twoing", "best"))
    assert set(results.duels) == {(shape, name) for shape in ("5x3", "8x3") for name in ("gini", "entropy")}
    for cell in results.cells.values():
        assert cell.tables == 6
        assert 0 <= cell.best <= 1
        assert cell.worst >= cell.excess >= 0


def test_the_report_on_tables_has_the_papers_words(batches: RowFile, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    told = categorical.SPLITS.report(batches.frame(), SMALL, tmp_path)
    assert "thesis 3.48 %" in told
    assert "thesis 1.4 %" in told
    text = (tmp_path / "report.md").read_text("utf-8")
    for criterion in ("Gini", "entropy"):
        assert f"### {criterion}: per cent of tables on which a method is best" in text
    assert (tmp_path / "figure_excess_gini.png").stat().st_size > 10_000
    with (tmp_path / "methods.csv").open(encoding="utf-8") as file:
        assert len(list(csv.DictReader(file))) == len(splits_report.collect(batches.frame()).cells)


# ------------------------------------------------------------------------------------------------ real tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with small tables under some of the study's file names."""
    folder = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    words = rng.choice(list("abcdef"), size=(240, 2))
    target = (words[:, 0] < "c").astype(int) + (words[:, 1] < "c")
    target = np.where(rng.random(240) < 0.1, 0, target)
    frame = pd.DataFrame({"one": words[:, 0], "two": words[:, 1]})
    frame.assign(**{"class": target}).to_csv(folder / "car.csv.gz", index=False)
    joined = frame.assign(both=frame["one"] + "_" + frame["two"])
    joined.assign(**{"class": target}).to_csv(folder / "car_ext.csv.gz", index=False)
    frame = frame.assign(age=rng.normal(size=240).round(1))
    frame.loc[3, "two"] = None
    frame.assign(**{"class": target}).to_csv(folder / "shelter15.csv.gz", index=False)
    area = rng.integers(0, 4, size=60)
    soil = rng.integers(0, 3, size=60)
    cover = pd.DataFrame({"height": rng.normal(size=60)})
    for name, code, n in (("Wilderness_Area", area, 4), ("Soil_Type", soil, 3)):
        for value in range(n):
            cover[f"{name}{value + 1}"] = (code == value).astype(int)
    cover.assign(**{"class": soil % 2}).to_csv(folder / "covertype.csv.gz", index=False)
    return folder


@pytest.fixture(scope="module")
def fitted(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> RowFile:
    """Give the rows of a small run."""
    some = ["car", "car_ext", "shelter15"]
    return run_fits(categorical.TREES, SMALL, tmp_path_factory.mktemp("out"), folder, some, tell=silent)


def test_indicators_are_categories_or_folded_back(folder: Path) -> None:
    plain, folded = (
        sources.read_source(sources.find_part(name, 0, 0, CONFIGURATION, folder).source)
        for name in ("covertype", "covertype_ext")
    )
    assert sources.choose_columns(plain, "nominal").shape == (60, 7)
    two = sources.choose_columns(folded, "nominal")
    assert two.columns.tolist() == ["Wilderness_Area", "Soil_Type"]
    assert ((two["Soil_Type"] == "2") == (plain.X["Soil_Type2"] == "1")).all()
    assert sources.choose_columns(folded, "all").shape == (60, 3)
    with pytest.raises(RefusedError, match="not exactly one 1"):
        sources.with_indicators(pd.DataFrame({"Wilderness_Area1": [0], "Soil_Type1": [1]}), True)
    with pytest.raises(RefusedError, match="no columns Wilderness_Area1"):
        sources.with_indicators(pd.DataFrame({"a": [0]}), True)


def test_rows_with_gaps_are_left_out(folder: Path) -> None:
    source = sources.find_part("shelter15", 0, 0, CONFIGURATION, folder).source
    assert len(sources.read_source(source).y) == 239


def test_a_row_is_what_a_fit_by_hand_gives(folder: Path, fitted: RowFile) -> None:
    part = sources.find_part("shelter15", 1, 2, SMALL, folder)
    table = sources.read_source(part.source)
    train, test = sources.split(part)
    by_hand = boxwood.TreeClassifier(
        criterion="gini", max_depth=3, categorical_split="chi2", select="conditional_inference"
    ).fit(table.X.iloc[train], table.y[train])
    frame = fitted.frame().set_index(list(trees.KEYS))
    row = frame.loc[("shelter15", "all", "3", "conditional_inference", "chi2", "1", "2")]
    assert row["accuracy"] == by_hand.score(table.X.iloc[test], table.y[test])
    assert row["n_leaves"] == by_hand.get_n_leaves()


def test_too_many_classes_for_a_method_give_an_empty_row(folder: Path) -> None:
    narrow = lay_over(SMALL, {"trees": {"most": {"twoing": {"classes": 2}}}})
    key = {**trees.plan(narrow)[0], "dataset": "car", "method": "twoing"}
    row = trees.fit(key, narrow, folder)
    assert math.isnan(row["accuracy"])
    assert row["n_classes"] == 3


def test_methods_beaten_are_counted_over_repeats(fitted: RowFile) -> None:
    frame = fitted.frame()
    results = trees_report.collect(frame, SMALL)
    scenario = ("nominal", "3", "chi2_filter")
    by_repeat = {
        method: frame[
            (frame["dataset"] == "car")
            & (frame["select"] == "chi2_filter")
            & (frame["attributes"] == "nominal")
            & (frame["method"] == method)
        ]
        .groupby("repeat")["accuracy"]
        .mean()
        for method in ("twoing", "chi2")
    }
    for one, other in (("twoing", "chi2"), ("chi2", "twoing")):
        assert results.pairs(scenario, "car", one).tolist() == by_repeat[one].tolist()
        expected = int(greater_t(by_repeat[one], by_repeat[other]).significant)
        assert results.beaten(scenario, "car", one) == expected


def test_the_report_on_trees(fitted: RowFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = categorical.TREES.report(fitted.frame(), SMALL, tmp_path)
    assert "Accuracy: nominal and numeric attributes, depth 3, conditional inference" in told
    assert "Joined attributes minus the original ones" in told
    assert "Conditional inference minus chi-square filter" in told
    assert "the thesis has 30 to 300 with 15 classes" in told
    assert "no figure: matplotlib is not installed" in told


def test_joined_attributes_are_those_of_aggregate_features(data_dir: Path) -> None:
    """The extended tables say what `AggregateFeatures` makes of the original columns."""
    for name, groups in {
        "car_ext": {"PRICE": ("buying", "maint"), "CONFORT": ("doors", "persons", "lug_boot")},
        "contraceptive_ext": {
            "aggreg_education": ("wifes_education", "husbands_education"),
            "aggreg_working_occupation_sol": (
                "wife_is_working",
                "husbands_occupation",
                "standard_of_living_index",
            ),
        },
    }.items():
        X = read_table(data_dir, name).X
        base = X.drop(columns=list(groups))
        made = boxwood.AggregateFeatures(groups=list(groups.values())).fit_transform(base)
        new = [column for column in made.columns if column not in base.columns]
        for column, given in zip(new, groups, strict=True):
            pairs = pd.DataFrame({"ours": made[column].astype(str), "theirs": X[given].astype(str)})
            kinds = pairs.drop_duplicates()
            assert len(kinds) == kinds["ours"].nunique() == kinds["theirs"].nunique()


# ------------------------------------------------------------------------------------------------ the command


def test_the_command_takes_a_part(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    line = ["categorical", "--quick", "--out", str(tmp_path), "--only", "6x3"]
    assert main(line) == 0
    assert (tmp_path / "splits" / "report.md").is_file()
    assert not (tmp_path / "trees").exists()
    assert main([*line, "--tables", "10"]) == 0
    assert "2 of 4 fits are there already" in capsys.readouterr().out
    assert main(["categorical", "--part", "trees", "--data", str(folder), "--only", "6x3"]) == 2
    assert "there is no data set '6x3' here" in capsys.readouterr().err
