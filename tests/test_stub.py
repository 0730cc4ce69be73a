"""The committed stub `_core.pyi` says what the compiled module offers, today."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

REFRESH = "python -m nanobind.stubgen -m boxwood._core -o src/boxwood/_core.pyi"


def normalised(text: str) -> list[str]:
    """Drop what carries no meaning: trailing blanks and empty lines."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def test_the_stub_matches_the_extension(tmp_path: Path, repository: Path) -> None:
    committed = repository / "src" / "boxwood" / "_core.pyi"
    assert committed.is_file(), f"{committed.name} is missing; write it with:  {REFRESH}"
    fresh = tmp_path / "_core.pyi"
    # A process of its own: the generator asks for modules by name and changes what it finds there.
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-m", "boxwood._core", "-o", str(fresh)], check=True
    )
    expected, actual = normalised(fresh.read_text("utf-8")), normalised(committed.read_text("utf-8"))
    difference = "\n".join(difflib.unified_diff(actual, expected, "committed", "generated", lineterm=""))
    assert not difference, f"the stub has drifted; refresh it with:  {REFRESH}\n{difference}"
