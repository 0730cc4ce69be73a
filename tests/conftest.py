"""What every room's tests share: where the real data sets are, and how property tests run."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).resolve().parent.parent

# Same examples on every run: a red test must be red again when it is run again.
# `--hypothesis-profile=explore` draws new ones.
COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("fixed", derandomize=True, **COMMON)
settings.register_profile("explore", **COMMON)
settings.load_profile("fixed")


def find_data() -> Path | None:
    """Return the folder of real data sets: $BOXWOOD_DATA, or `shared/data` beside the repository."""
    named = os.environ.get("BOXWOOD_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Give the folder of real data sets, or skip."""
    folder = find_data()
    if folder is None:
        pytest.skip("no folder of real data sets: set BOXWOOD_DATA, or put it at ../shared/data")
    return folder


@pytest.fixture(scope="session")
def data_file(data_dir: Path) -> Callable[[str], Path]:
    """Give a function from a file name, `magic04.csv.gz` say, to its path; it skips when that is absent."""

    def locate(name: str) -> Path:
        path = data_dir / name
        if not path.exists():
            pytest.skip(f"the data set {name} is not in {data_dir}")
        return path

    return locate


@pytest.fixture(scope="session")
def repository() -> Path:
    """Give the root of the source tree."""
    return ROOT
