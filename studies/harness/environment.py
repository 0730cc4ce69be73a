"""On what a study ran, recorded once per folder: versions, processor, commit, date; no names of machines."""

from __future__ import annotations

import datetime
import json
import platform
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import boxwood
from bench.environment import cores, processor

FILE = "environment.json"
ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "joblib", "matplotlib")


def record_environment(folder: Path, fresh: bool = False) -> None:
    """Write the file if it is not there, or if the run starts over."""
    path = folder / FILE
    if fresh or not path.is_file():
        path.write_text(json.dumps(describe(), indent=1) + "\n", encoding="utf-8", newline="\n")


def read_environment(folder: Path) -> dict[str, str]:
    """What was recorded; empty when nothing was."""
    path = folder / FILE
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def describe() -> dict[str, str]:
    """What a reader must know to repeat the study."""
    facts = {
        "processor": processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "boxwood": boxwood.__version__,
        **{name: found for name in PACKAGES if (found := installed(name))},
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    if commit := find_commit():
        facts["commit"] = commit
    return facts


def installed(package: str) -> str:
    """The version of a package, "" when it is absent."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def find_commit() -> str:
    """The commit of the source, with a plus when files differ from it; "" when there is none."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        return ""
    commit = _git("rev-parse", "--short=12", "HEAD")
    return commit and commit + ("+" if _git("status", "--porcelain", "--untracked-files=no") else "")


def _git(*arguments: str) -> str:
    # Without optional locks git only looks; it does not refresh its index.
    command = ["git", "--no-optional-locks", "-C", str(ROOT), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""
