"""A target that is a quantity: how it is recognised, what is printed, and what `predict` answers."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import boxwood as library
from boxwood.cli.report import r_squared
from boxwood.cli.task import is_quantity
from tests.cli.outcome import Outcome

Run = Callable[..., Outcome]
Csv = Callable[..., Path]

FLATS = "size,place,price\n" + "".join(
    f"{30 + i},{'town' if i % 3 else 'village'},{(30 + i) * (9.5 if i % 3 else 4.25)}\n" for i in range(80)
)


def quality(outcome: Outcome, part: str) -> tuple[float, float, int]:
    pattern = rf"^{part} +R² (-?[\d.]+), mean absolute error ([\d.e+-]+), ([\d,]+) rows, predicted in"
    found = re.search(pattern, outcome.out, re.MULTILINE)
    assert found, outcome.out
    return float(found[1]), float(found[2]), int(found[3].replace(",", ""))


def test_a_quantity_is_recognised_and_learned(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    saved = tmp_path / "tree.json"
    outcome = boxwood("learn", csv(FLATS), "--target", "price", "--save", saved)
    assert outcome.status == 0, outcome.err
    assert outcome.err == ""
    said = r'Target: "price" has 80 different numbers, taken as a quantity; --task classification takes them'
    assert re.search(said, outcome.out)
    assert re.search(r"^price +the target +80 +0 +127.5 to 1035.5, median", outcome.out, re.MULTILINE)
    assert "Regression tree: " in outcome.out
    assert quality(outcome, "Training") == (1.0, 0.0, 60)
    share, error, rows = quality(outcome, "Test")
    assert rows == 20
    assert share > 0.9
    tree = library.load(saved)
    assert (tree.classes, tree.criterion) == (None, "squared_error")
    always = re.search(r"\(always ([\d.]+): ([\d.]+)\)$", outcome.out, re.MULTILINE)
    assert always
    assert float(always[1]) == pytest.approx(tree.answer[0], rel=1e-5)
    assert float(always[2]) > error


def test_the_measures_are_those_of_scikit_learn(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    from sklearn.metrics import mean_absolute_error, r2_score

    saved, path = tmp_path / "tree.json", csv(FLATS)
    outcome = boxwood("learn", path, "--test", 0, "--max-leaf-nodes", 3, "--save", saved)
    found = pl.read_csv(io.StringIO(boxwood("predict", saved, path, "--keep", "price").out))
    share, error, rows = quality(outcome, "Training")
    assert rows == 80
    assert share == pytest.approx(r2_score(found["price"], found["prediction"]), abs=5e-5)
    assert error == pytest.approx(mean_absolute_error(found["price"], found["prediction"]), rel=1e-5)
    assert "Test " not in outcome.out
    assert r_squared(np.ones(3), np.ones(3)) == "undefined"


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
def test_predict_answers_with_numbers(boxwood: Run, csv: Csv, tmp_path: Path, criterion: str) -> None:
    saved, path = tmp_path / "tree.json", csv(FLATS)
    assert boxwood("learn", path, "--test", 0, "--criterion", criterion, "--save", saved).status == 0
    outcome = boxwood("predict", saved, path)
    assert (outcome.status, outcome.err) == (0, "")
    found = pl.read_csv(io.StringIO(outcome.out))
    assert found.columns == ["prediction"]
    np.testing.assert_allclose(found["prediction"], pl.read_csv(path)["price"])
    boxwood("predict", saved, path, "--proba").refuses("regression tree", "leave out --proba")


def test_the_penguins_have_a_quantity_too(boxwood: Run) -> None:
    outcome = boxwood("learn", "--target", "body_mass_g", "--max-leaf-nodes", 8)
    assert outcome.status == 0, outcome.err
    assert '"body_mass_g" has 94 different whole numbers, taken as a quantity' in outcome.out
    assert quality(outcome, "Test")[0] > 0.7
    again = boxwood("learn", "--target", "body_mass_g", "--max-leaf-nodes", 8, "--task", "regression")
    assert "taken as a quantity." in again.out
    assert quality(again, "Test") == quality(outcome, "Test")


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ([1.5, 2.5, 1.5, 2.5], True),
        (list(range(21)), True),
        (list(range(20)), False),
        (list(range(30)) * 10, True),
        (list(range(30)) * 30, False),
        ([0, 1] * 50, False),
        (["1.5", "2.5"], False),
        ([True, False], False),
    ],
    ids=["fractions", "21 numbers", "20 numbers", "10 of each", "30 of each", "flags", "text", "booleans"],
)
def test_what_is_plainly_a_quantity(column: list[object], expected: bool) -> None:
    assert is_quantity(pl.Series(column)) is expected


def test_a_task_can_be_said(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 4}\n" for i in range(60))
    path, saved = csv(f"a,y\n{rows}"), tmp_path / "tree.json"
    outcome = boxwood("learn", path, "--save", saved)
    assert '"y" has 4 different whole numbers, taken as classes; --task regression takes' in outcome.out
    assert library.load(saved).classes.tolist() == [0, 1, 2, 3]
    outcome = boxwood("learn", path, "--task", "regression", "--save", saved)
    assert outcome.status == 0, outcome.err
    assert library.load(saved).classes is None
    outcome = boxwood("learn", path, "--criterion", "absolute_error", "--save", saved)
    assert '"y" has 4 different whole numbers, taken as a quantity; --task classification' in outcome.out
    assert library.load(saved).criterion == "absolute_error"


def test_fractions_can_be_classes(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 3 / 2}\n" for i in range(60))
    path, saved = csv(f"a,y\n{rows}"), tmp_path / "tree.json"
    outcome = boxwood("learn", path, "--task", "classification", "--save", saved)
    assert outcome.status == 0, outcome.err
    assert library.load(saved).classes.tolist() == ["0.0", "0.5", "1.0"]
    assert boxwood("predict", saved, path).out.splitlines()[:3] == ["prediction", "0.0", "0.5"]


def test_a_target_with_gaps(boxwood: Run, csv: Csv) -> None:
    outcome = boxwood("learn", csv(FLATS + "50,town,\n"))
    assert '1 row without a value of "price" left out.' in outcome.out
    assert quality(outcome, "Training")[2] + quality(outcome, "Test")[2] == 80


def test_what_does_not_go_together_is_refused(boxwood: Run, csv: Csv) -> None:
    path = csv(FLATS)
    boxwood("learn", path, "--criterion", "gini").refuses("gini judges classes", "squared_error", "--task")
    boxwood("learn", path, "--cuts", "all").refuses("--cuts is about classes", "--task classification")
    boxwood("learn", path, "--task", "classification", "--criterion", "poisson").refuses("judges quantities")
    boxwood("learn", "--task", "regression").refuses('"species" holds no numbers', "--task regression")
    boxwood("learn", "--criterion", "poisson").refuses('"species" holds no numbers', "--criterion poisson")


def test_poisson_needs_numbers_that_are_not_negative(boxwood: Run, csv: Csv) -> None:
    path = csv("a,y\n" + "".join(f"{i},{i - 3.5}\n" for i in range(40)))
    outcome = boxwood("learn", path, "--criterion", "poisson")
    Outcome(outcome.status, "", outcome.err).refuses("negative", "Poisson")


@pytest.mark.parametrize(
    "arguments",
    [["--criterion", name] for name in ("error", "purity", "ambiguity", "sine", "twoing", "hellinger")]
    + [["--criterion", "tsallis(1.5)"], ["--cuts", "all"], ["--cuts", "auto", "--criterion", "log_loss"]],
    ids=str,
)
def test_criteria_and_cuts_of_classes(boxwood: Run, tmp_path: Path, arguments: list[str]) -> None:
    saved = tmp_path / "tree.json"
    outcome = boxwood("learn", *arguments, "--save", saved)
    assert outcome.status == 0, outcome.err
    named = {"purity": "error", "log_loss": "entropy"}
    expected = arguments[arguments.index("--criterion") + 1] if "--criterion" in arguments else "gini"
    assert library.load(saved).criterion == named.get(expected, expected)
