"""The benchmark of criteria grows what it says, judges rightly and reports. No timing decides a test."""

from __future__ import annotations

import contextlib
import csv
import doctest
import io
import re
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bench import criteria, criteria_report, tables
from bench.__main__ import BENCHMARKS, main
from bench.contest import Case
from bench.criteria_report import COMPILED, IN_PYTHON, Result, Seen, check_targets, cut_grid, python_grid
from bench.measure import Span
from boxwood.criteria import CRITERIA, get_criterion
from boxwood.data import make_dataset
from boxwood.grow import GrowOptions, grow

EVERY = [*COMPILED, *IN_PYTHON]


def small_table(n_rows: int = 300, n_classes: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Numbers, some with ties, and classes that follow them loosely."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4))
    X[:, 2:] = np.round(X[:, 2:], 1)
    return X, np.abs((X[:, 0] + X[:, 2] ** 2 + rng.normal(size=n_rows)) * 2).astype(int) % n_classes


# ------------------------------------------------------------------------------------------------ a whole run


@dataclass(frozen=True)
class Run:
    """What one run of the command left behind."""

    status: int
    out: str
    err: str
    folder: Path


@pytest.fixture(scope="module")
def quick_run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run the command once, with everything, on one tiny table that is called magic04."""
    folder = tmp_path_factory.mktemp("criteria")
    X, y = small_table()
    frame = pd.DataFrame(X, columns=list("abcd"))
    frame["class"] = np.array(["g", "h"])[y]
    frame.to_csv(folder / "magic04.csv.gz", index=False)
    arguments = ["criteria", "--quick", "--tables", "magic04", "letter"]
    arguments += ["--markdown", str(folder / "report.md"), "--csv", str(folder / "raw.csv")]
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOXWOOD_DATA", str(folder))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(arguments)
    return Run(status, out.getvalue(), err.getvalue(), folder)


def test_a_run_shows_every_criterion_and_passes_what_is_not_a_matter_of_time(quick_run: Run) -> None:
    assert quick_run.status == 0, quick_run
    assert "letter.csv.gz left out" in quick_run.err
    for name in EVERY:
        assert re.search(rf"^magic04 +{name} +8 +\w+ .* yes$", quick_run.out, re.MULTILINE), name
    assert re.search(
        r"PASS +the same tree with the cut rule and with all cuts.* 11 of 11 rows", quick_run.out
    )
    assert re.search(r"PASS +a function in Python splits as its compiled form.* 2 of 2 rows", quick_run.out)
    assert re.search(r"- +every named criterion, synthetic: at most 1.5x .* not measured", quick_run.out)


def test_a_run_writes_its_files_and_nothing_private(quick_run: Run) -> None:
    text = (quick_run.folder / "report.md").read_text("utf-8")
    assert text.count("\n### ") == 3
    assert str(quick_run.folder) not in text + quick_run.out
    assert str(tables.ROOT) not in text + quick_run.out
    with (quick_run.folder / "raw.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {(row["criterion"], row["cuts"]) for row in rows} == {
        (n, c) for n in EVERY for c in ("auto", "all")
    }
    assert {row["quantity"] for row in rows} == {
        *("grow_seconds", "grow_cpu_seconds", "n_cuts", "n_cuts_evaluated", "leaves")
    }
    for criterion in EVERY:
        mine = [row for row in rows if row["criterion"] == criterion]
        assert sum(row["quantity"] == "grow_seconds" for row in mine) > 2
        n_cuts = {int(row["value"]) for row in mine if row["quantity"] == "n_cuts"}
        weighed = {row["cuts"]: int(row["value"]) for row in mine if row["quantity"] == "n_cuts_evaluated"}
        assert n_cuts == {weighed["all"]}
        assert weighed["auto"] < weighed["all"]


def test_it_is_registered_and_measures_every_named_criterion() -> None:
    assert BENCHMARKS["criteria"] is criteria
    assert set(COMPILED) == set(CRITERIA)
    assert set(IN_PYTHON.values()) <= set(COMPILED)
    assert criteria_report.DEFAULT_TABLES == ("magic04", "letter", "synthetic")


def test_refusals_come_before_anything_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(criteria, "measure", lambda *_: pytest.fail("it measured"))
    monkeypatch.setenv("BOXWOOD_DATA", str(tmp_path))
    assert main(["criteria", "--tables", "letter"]) == 2
    assert "BOXWOOD_DATA" in capsys.readouterr().err
    assert main(["criteria", "--tables", "small", "--csv", str(tmp_path / "no" / "raw.csv")]) == 2
    assert "folder" in capsys.readouterr().err


def test_rounds_are_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def note(names: list[str], known: list[str], rounds: int) -> list[Result]:
        asked.append((tuple(names), len(known), rounds))
        return [row("small", "gini")]

    monkeypatch.setattr(criteria, "measure", note)
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["criteria", "--tables", "small"]) == 0
        assert main(["criteria", "--tables", "small", "--quick", "--criteria", "gini"]) == 0
        assert main(["criteria", "--tables", "synthetic", "--quick", "--repeat", "5"]) == 0
    assert asked == [(("small",), 11, 3), (("small",), 1, 1), (("synthetic",), 11, 5)]


def test_examples_run() -> None:
    results = doctest.testmod(criteria)
    assert results.attempted > 0
    assert results.failed == 0


# ---------------------------------------------------------------------------------------------- what is grown


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("name", IN_PYTHON)
def test_functions_in_python_are_the_formula_of_their_compiled_form(name: str, n_classes: int) -> None:
    counts = np.random.default_rng(0).integers(0, 20, size=(50, n_classes)).astype(float)
    mine = get_criterion(criteria.make_criterion(name, n_classes), n_classes)
    assert mine.core is None
    expected = CRITERIA[IN_PYTHON[name]].impurity(counts)
    np.testing.assert_allclose(mine.impurity(counts), expected, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 5])
def test_what_a_process_sees_is_what_growth_gives(n_classes: int) -> None:
    dataset = make_dataset(*small_table(n_classes=n_classes))
    rows = criteria.rows_of(False, EVERY)
    assert rows == [(name, 8) for name in EVERY]
    for (name, depth), seen in zip(rows, criteria.in_process(dataset, rows, budget=0.0), strict=True):
        made = criteria.make_criterion(name, n_classes)
        growth = grow(dataset, GrowOptions(criterion=made, max_depth=depth))
        assert seen["equal"]
        assert seen["leaves"] == growth.tree.n_leaves
        assert (seen["n_cuts"], seen["evaluated"]["auto"]) == (growth.n_cuts, growth.n_cuts_evaluated)
        assert seen["splits"] == criteria.splits(growth.tree)
        assert (seen["rule"] == "all") == (seen["evaluated"]["auto"] == seen["n_cuts"])
        assert [len(spans) for spans in seen["spans"].values()] == [1, 1]


def test_everything_takes_turns_equally_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions in Python once were repeated less often than the compiled forms beside them, and so at other
    times of a process: a program that ran meanwhile could hit one side of the ratio more than the other.
    """
    order = []

    def noted(dataset: object, options: GrowOptions) -> object:
        order.append((str(options.criterion), options.cuts))
        return grow(dataset, options)

    monkeypatch.setattr(criteria, "grow", noted)
    monkeypatch.setattr(criteria, "MOST", 3)
    rows = [("gini", 2), ("python_gini", 2)]
    seen = criteria.in_process(make_dataset(*small_table()), rows, budget=float("inf"))
    assert {len(spans) for one in seen for spans in one["spans"].values()} == {3}
    once = order[:4]
    assert len(set(once)) == 4
    assert order == [*once, *reversed(once), *once]


def test_an_unequal_tree_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Growth that forgets a cut under the rule: here, one that grows a shallower tree."""

    def forgetful(dataset: object, options: GrowOptions) -> object:
        return grow(dataset, replace(options, max_depth=1) if options.cuts == "auto" else options)

    monkeypatch.setattr(criteria, "grow", forgetful)
    (seen,) = criteria.in_process(make_dataset(*small_table()), [("gini", 3)], budget=0.0)
    assert not seen["equal"]


def test_splits_tell_trees_apart() -> None:
    dataset = make_dataset(*small_table())
    trees = [
        grow(dataset, GrowOptions(criterion=name, max_depth=4)).tree for name in ("gini", "twoing", "error")
    ]
    gini, twoing, error = map(criteria.splits, trees)
    assert gini == twoing  # for two classes the same order of cuts, with other scores
    assert gini != error


def test_on_large_tables_python_is_grown_less_deep_beside_its_compiled_form() -> None:
    rows = criteria.rows_of(True, EVERY)
    deep, shallow = criteria.DEPTH, criteria.PYTHON_DEPTH_IF_LARGE
    assert rows[: len(COMPILED)] == [(name, deep) for name in COMPILED]
    assert set(rows[len(COMPILED) :]) == {
        (name, shallow) for name in ("gini", "entropy", "python_gini", "python_entropy")
    }
    assert criteria.rows_of(False, ["python_entropy"]) == [("entropy", deep), ("python_entropy", deep)]


# ---------------------------------------------------------------------------------------------------- targets


def row(
    table: str, criterion: str, auto: float = 1.0, every: float = 1.0, depth: int = 8, **seen: object
) -> Result:
    """A row with the given times."""
    one: Seen = {
        "spans": {"auto": [Span(2 * auto, auto)], "all": [Span(2 * every, every)]},
        "evaluated": {"auto": 30, "all": 100},
        "n_cuts": 100,
        "rule": "boundaries",
        "settling": Span(0.5, 0.25),
        "leaves": 12,
        "equal": True,
        "splits": "these",
    }
    return Result(Case(table, criterion, depth), "9 x 3", [{**one, **seen}])


def marks(*results: Result) -> dict[str, str]:
    """The verdicts, by the start of the aim."""
    return {check.aim: check.mark for check in check_targets(results)}


def verdict(aim: str, *results: Result) -> str:
    (mark,) = [mark for name, mark in marks(*results).items() if aim in name]
    return mark


def test_nothing_is_judged_that_was_not_measured() -> None:
    found = marks(row("small", "gini", every=0.1), row("small", "sine", auto=9.0))
    assert set(found.values()) == {"-", "PASS"}
    assert [aim for aim, mark in found.items() if mark == "PASS"] == [
        "the same tree with the cut rule and with all cuts, in every process"
    ]


@pytest.mark.parametrize(("time", "mark"), [(1.5, "PASS"), (1.51, "FAIL"), (0.5, "PASS")])
def test_named_criteria_are_compared_with_gini_on_the_same_table(time: float, mark: str) -> None:
    rows = [row("letter", "gini", 1.0), row("letter", "twoing", time), row("magic04", "gini", 0.01)]
    rows.append(row("letter", "python_gini", 99.0))
    assert verdict("named criterion, letter", *rows) == mark
    assert verdict("named criterion, magic04", *rows) == "-"
    assert verdict("named criterion, letter", *rows[1:]) == "-"  # without Gini


def test_gini_of_another_depth_does_not_count() -> None:
    rows = [row("synthetic", "gini", 10.0), row("synthetic", "entropy", 3.0, depth=3)]
    assert verdict("named criterion, synthetic", *rows) == "-"
    assert verdict("named criterion, synthetic", *rows, row("synthetic", "gini", 1.0, depth=3)) == "FAIL"


@pytest.mark.parametrize(("time", "mark"), [(10.0, "PASS"), (10.1, "FAIL")])
def test_python_is_compared_with_its_own_formula_on_magic04(time: float, mark: str) -> None:
    rows = [
        row("magic04", "gini", 0.1),
        row("magic04", "entropy", 1.0),
        row("magic04", "python_entropy", time),
    ]
    assert verdict("in Python, magic04", *rows) == mark
    elsewhere = [replace(one, case=replace(one.case, table="letter")) for one in rows]
    assert verdict("in Python, magic04", *elsewhere) == "-"


@pytest.mark.parametrize(("every", "mark"), [(2.0, "PASS"), (0.96, "PASS"), (0.94, "FAIL")])
def test_the_rule_must_not_be_slower(every: float, mark: str) -> None:
    rows = [row("magic04", "gini"), row("letter", "sine", every=every)]
    assert verdict("never slower", *rows) == mark
    check = next(check for check in check_targets(rows) if "never slower" in check.aim)
    assert not check.is_correctness
    assert ("letter, sine" in check.found) == (every < 1)


def test_another_tree_is_wrong_and_not_slow() -> None:
    good, bad = row("small", "gini"), row("small", "sine", equal=False)
    changing = replace(good, seen=[*good.seen, *row("small", "gini", splits="those").seen])
    for rows in ([good, bad], [changing]):
        (check,) = [check for check in check_targets(rows) if check.aim.startswith("the same tree")]
        assert check.reached is False
        assert check.is_correctness
        assert str(rows[-1].case) in check.found
    other = row("small", "python_gini", splits="those")
    assert verdict("splits as", good, other) == "FAIL"
    assert verdict("splits as", good, row("small", "python_gini")) == "PASS"
    assert verdict("splits as", other) == "-"


def test_a_wrong_tree_makes_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(criteria, "measure", lambda *_: [row("magic04", "gini", equal=False)])
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(["criteria", "--tables", "small"]) == 1
    monkeypatch.setattr(criteria, "measure", lambda *_: [row("magic04", "gini", every=0.1)])
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(["criteria", "--tables", "small"]) == 0
    assert re.search(r"FAIL +the cut rule never slower", out.getvalue())


def test_the_tables_show_medians_of_processor_time_and_ratios() -> None:
    gini = row("letter", "gini", auto=2.0, every=3.0)
    slow = replace(gini, seen=[*gini.seen, *row("letter", "gini", 4.0, 9.0).seen, *gini.seen])
    python = row("letter", "python_gini", auto=9.0, every=18.0, splits="those")
    first, second = cut_grid([slow, python]).rows
    assert first[4:] == ["2.00 s", "3.00 s", "1.50x", "1.00x", "30.0%", "12", "yes"]
    assert second[4:] == ["9.00 s", "18.00 s", "2.00x", "4.50x", "30.0%", "12", "yes"]
    (line,) = python_grid([slow, python]).rows
    assert line[3:] == ["9.00 s", "2.00 s", "4.5x", "250 ms", "NO"]
    assert python_grid([python]).rows[0][4:6] == ["n/a", "n/a"]
    assert "50% to 50%" in criteria_report.disturbance([slow, python])
