"""A way to run the command line and look at what came out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from boxwood.cli import main
from tests.cli.outcome import Outcome


@pytest.fixture
def boxwood(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Give a function that runs the command line with the given arguments, in this process."""

    def run(*arguments: object) -> Outcome:
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Outcome(status, out, err)

    return run


@pytest.fixture
def csv(tmp_path: Path) -> Callable[..., Path]:
    """Give a function that writes a small CSV file and returns its path."""

    def write(text: str | bytes, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
        return path

    return write
