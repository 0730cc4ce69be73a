from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import psutil
import pytest

import boxwood as library
from boxwood.cli.entry import COMMANDS
from tests.cli.outcome import Outcome

Run = Callable[..., Outcome]
COMMAND = [sys.executable, "-m", "boxwood"]


def test_alone_it_shows_its_help(boxwood: Run) -> None:
    outcome = boxwood()
    assert outcome.status == 0
    assert outcome.out == boxwood("--help").out
    for name, command in COMMANDS.items():
        assert name in outcome.out
        assert command.HELP in " ".join(outcome.out.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(boxwood: Run, name: str) -> None:
    outcome = boxwood(name, "--help")
    assert outcome.status == 0
    assert "examples:" in outcome.out
    assert max(map(len, outcome.out.splitlines())) <= 110


def test_it_knows_its_version(boxwood: Run) -> None:
    assert boxwood("--version").out == f"boxwood {library.__version__}\n"


def test_an_unknown_command_is_refused(boxwood: Run) -> None:
    outcome = boxwood("lern")
    assert outcome.status == 2
    assert "lern" in outcome.err


@pytest.mark.parametrize("package", ["polars", "rich"])
def test_a_missing_package_is_named_with_the_remedy(
    boxwood: Run, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # importing it fails now
    boxwood("learn").refuses(package, "pip install", "boxwood[cli]")
    boxwood("predict", "tree.json", "table.csv").refuses(package, "pip install")
    assert boxwood("--help").status == 0


def test_as_a_program_it_refuses_without_a_traceback() -> None:
    done = subprocess.run([*COMMAND, "learn", "no.csv"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == 'boxwood learn: There is no file "no.csv".\n'


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_reader_that_leaves_is_no_error() -> None:
    program = "import sys; from boxwood.cli import main; sys.exit(main(['learn', '--test', '0']))"
    done = subprocess.run(
        ["bash", "-c", f'"{sys.executable}" -c "{program}" | head -1; echo "${{PIPESTATUS[0]}}"'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] in {"0", "141"}


def test_a_terminal_that_knows_only_ascii_is_served() -> None:
    done = subprocess.run(
        [*COMMAND, "learn"], capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False
    )
    assert done.returncode == 0, done.stderr
    assert b"accuracy" in done.stdout


def test_an_interruption_ends_with_130(boxwood: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(given: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(COMMANDS["learn"], "run", interrupt)
    outcome = boxwood("learn")
    assert (outcome.status, outcome.err) == (130, "boxwood learn: interrupted.\n")


@pytest.fixture
def long_job(tmp_path: Path) -> list[str]:
    """Give a command that grows for some seconds."""
    draw = np.random.default_rng(0)
    frame = pl.DataFrame({f"x{j}": draw.random(600_000) for j in range(12)})
    frame.with_columns(y=pl.Series(draw.integers(0, 8, 600_000))).write_csv(tmp_path / "large.csv")
    return [*COMMAND, "learn", str(tmp_path / "large.csv"), "--n-jobs", "1"]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are different there")
def test_ctrl_c_ends_a_long_fit_promptly(long_job: list[str]) -> None:
    """The time to press is counted in the job's own work.

    After 0.3 s by the clock a busy machine may still be holding out the test rows, in the calls of other
    libraries. And a shell without job control ignores SIGINT for its background, children included: with a
    handler here, the job starts with the default again. Once the job went on to its end.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        interrupt_growth(long_job)
    finally:
        signal.signal(signal.SIGINT, before)


def interrupt_growth(long_job: list[str]) -> None:
    """Press Ctrl-C while the job grows its tree."""
    with subprocess.Popen(long_job, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:  # the target is the last line before the tree is grown
            if "the target" in line:
                break
        job = psutil.Process(process.pid)
        begin = job.cpu_times().user
        while process.poll() is None and job.cpu_times().user < begin + 0.8:
            time.sleep(0.02)
        assert process.poll() is None, "the job was too short to be interrupted"
        process.send_signal(signal.SIGINT)
        begin = time.monotonic()
        _, err = process.communicate(timeout=30)
        assert time.monotonic() - begin < 15
    assert process.returncode == 130
    assert err.strip() == "boxwood learn: interrupted."
