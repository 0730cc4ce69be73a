"""``boxwood learn --method optimal``: the best tree, its proof, and which method is taken by default."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import boxwood as library
from tests.cli.outcome import Outcome

Run = Callable[..., Outcome]
Csv = Callable[..., Path]

CATS = "weight,mood,colour\n" + "".join(
    f"{3 + i / 10},{'calm' if i % 3 else 'wild'},{'red' if i < 20 else 'black'}\n" for i in range(40)
)


def noise(path: Path, n_rows: int = 3000, n_features: int = 20) -> Path:
    """A table on which a search takes long."""
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 50, (n_rows, n_features))
    labels = rng.choice(["yes", "no"], n_rows)
    header = ",".join(f"x{place}" for place in range(n_features))
    rows = (",".join(map(str, row)) + f",{label}" for row, label in zip(cells.tolist(), labels, strict=True))
    path.write_text("\n".join([f"{header},y", *rows]))
    return path


def test_the_proof_is_the_estimators(boxwood: Run, tmp_path: Path) -> None:
    saved = tmp_path / "tree.json"
    arguments = ["--max-depth", 2, "--complexity", "1.5", "--n-thresholds", 20, "--test", 0]
    outcome = boxwood("learn", *arguments, "--method", "optimal", "--save", saved)
    assert outcome.status == 0, outcome.err
    penguins, species, *_ = library.load_penguins()
    model = library.OptimalTreeClassifier(2, complexity=1.5, n_thresholds=20, min_samples_leaf=5)
    model.fit(penguins, species)
    result = model.result_
    assert f"Proof    {result.search_space}\n" in outcome.out
    assert (
        f"objective {result.objective:g}, lower bound {result.objective:g}, gap 0; certified" in outcome.out
    )
    assert library.export_text(library.load(saved)).strip() in outcome.out
    assert re.search(r"^Greedy .*: training accuracy 0\.\d{4}$", outcome.out, re.MULTILINE)


def test_a_time_limit_leaves_a_gap_that_is_shown(boxwood: Run, tmp_path: Path) -> None:
    path = noise(tmp_path / "noise.csv")
    outcome = boxwood("learn", path, "--method", "optimal", "--max-depth", 5, "--time-limit", "0.3")
    assert outcome.status == 0, outcome.err
    assert "Proof    not complete: the time limit ended the search" in outcome.out
    found = re.search(r"objective (\d+), lower bound (\d+), gap (\d+)", outcome.out)
    assert found
    objective, lower, gap = map(int, found.groups())
    assert objective - lower == gap > 0
    assert "the lower bound holds for 45 MID thresholds of 20 features, depth at most 5" in outcome.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ([], "found"),
        (["--target", "island"], "found"),
        (["--method", "greedy"], "grown"),
        (["--criterion", "entropy"], "grown"),
        (["--missing", "branch"], "grown"),
        (["--target", "body_mass_g"], "grown"),
    ],
)
def test_the_method_without_a_table(boxwood: Run, arguments: list[str], word: str) -> None:
    outcome = boxwood("learn", *arguments)
    assert outcome.status == 0, outcome.err
    assert re.search(rf"^Tree .*, {word} in ", outcome.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [([], "grown"), (["--n-thresholds", "grow"], "found"), (["--method", "optimal"], "found")],
)
def test_the_method_with_a_table(boxwood: Run, csv: Csv, arguments: list[str], word: str) -> None:
    outcome = boxwood("learn", csv(CATS), *arguments)
    assert outcome.status == 0, outcome.err
    assert re.search(rf"^Tree .*, {word} in ", outcome.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["--method", "optimal", "--max-features", 2], ["--max-features", "--method greedy"]),
        (["--method", "greedy", "--complexity", 1], ["--complexity", "--method optimal"]),
        (["--cuts", "all", "--max-gap", 1], ["--max-gap", "the method is greedy"]),
        (["--method", "optimal", "--target", "body_mass_g"], ["taken as a quantity"]),
        (["--target", "body_mass_g", "--time-limit", 3], ["--time-limit", "--task classification"]),
        (["--method", "greedy", "--unknown-category", "other"], ["--unknown-category other"]),
        (["--memory-limit", "much"], ["memory_limit", "'much'"]),
    ],
)
def test_what_does_not_go_together_is_refused(
    boxwood: Run, arguments: list[object], parts: list[str]
) -> None:
    outcome = boxwood("learn", *arguments)
    assert outcome.status == 2
    for part in parts:
        assert part in outcome.err


@pytest.mark.parametrize("value", ["0", "some", "-3", "1.5"])
def test_a_wrong_number_of_thresholds_is_refused(boxwood: Run, value: str) -> None:
    outcome = boxwood("learn", f"--n-thresholds={value}")
    assert outcome.status == 2
    assert value in outcome.err


def test_the_best_tree_is_saved_and_used(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    table, saved = csv(CATS), tmp_path / "tree.json"
    boxwood("learn", table, "--method", "optimal", "--test", 0, "--save", saved)
    outcome = boxwood("predict", saved, table)
    assert outcome.status == 0, outcome.err
    assert library.load(saved).unknown_category == "other"


def test_answers_that_a_cost_matrix_chose_are_kept_in_the_file(
    boxwood: Run, csv: Csv, tmp_path: Path
) -> None:
    """The heaviest class of a leaf need not be its answer, and a saved tree must answer as the model does."""
    table = {"cough": [0] * 10 + [1] * 5}
    truth = ["well"] * 8 + ["ill"] * 2 + ["well"] * 5
    model = library.OptimalTreeClassifier(cost_matrix=[[0, 10], [1, 0]]).fit(table, truth)
    saved = tmp_path / "tree.json"
    model.tree_.save(saved)
    outcome = boxwood("predict", saved, csv("cough\n0\n1\n"))
    assert outcome.out.split() == ["prediction", "ill", "well"]
    assert model.predict({"cough": [0, 1]}).tolist() == ["ill", "well"]


def test_the_line_is_drawn_for_a_terminal_only(
    boxwood: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = noise(tmp_path / "noise.csv")
    arguments = ["learn", path, "--method", "optimal", "--max-depth", 5, "--time-limit", "0.4"]
    assert boxwood(*arguments).err == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes the stream for a terminal
    drawn = boxwood(*arguments).err
    assert re.search(r"Searching: objective \d+, bound \d+, gap \d+", drawn)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGINT cannot be sent to one process there")
def test_ctrl_c_shows_the_best_tree_so_far(tmp_path: Path) -> None:
    path = noise(tmp_path / "noise.csv")
    program = textwrap.dedent(
        """
        import os, signal, sys, threading, time
        from boxwood.cli import main, method

        def fit(*given, fit=method.fit_quietly):
            threading.Timer(0.6, os.kill, (os.getpid(), signal.SIGINT)).start()
            began = time.perf_counter()
            fit(*given)
            sys.stderr.write(f"{time.perf_counter() - began < 15}")

        method.fit_quietly = fit
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.exit(main(sys.argv[1:]))
        """
    )
    arguments = ["learn", str(path), "--method", "optimal", "--max-depth", "6", "--time-limit", "100"]
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "True")
    assert "Proof    not complete: Ctrl-C ended the search" in ended.stdout
    assert re.search(r"^Test +accuracy", ended.stdout, re.MULTILINE)
