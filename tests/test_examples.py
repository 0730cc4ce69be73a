"""Every example in the documentation runs: docstrings as doctests, the Python of pages as programs."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import boxwood
from boxwood.criteria import CRITERIA
from boxwood.discretize import DISCRETIZERS
from boxwood.estimators.certify import STATES
from boxwood.pruning import PRUNERS
from boxwood.search import CATEGORICAL_SPLITS
from boxwood.select import SELECT

ROOT = Path(__file__).resolve().parent.parent
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE

MODULES = ["boxwood", *(found.name for found in pkgutil.walk_packages(boxwood.__path__, "boxwood."))]
MODULES = [name for name in MODULES if not name.endswith(("._core", ".__main__"))]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # examples may write files
    results = doctest.testmod(importlib.import_module(name), optionflags=OPTIONS)
    assert results.failed == 0, (
        f"{results.failed} of {results.attempted} examples in {name} fail (shown above)"
    )


def test_there_are_examples() -> None:
    finder = doctest.DocTestFinder()
    modules = [importlib.import_module(name) for name in MODULES]
    examples = sum(len(found.examples) for module in modules for found in finder.find(module))
    assert examples >= 20


README = (ROOT / "README.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "guide.md").read_text("utf-8")
PROGRAMS = [
    pytest.param(program, name, id=f"{name} {place}")
    for name, page in (("README.md", README), ("guide.md", GUIDE))
    for place, program in enumerate(re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL))
]


@pytest.mark.parametrize(("program", "name"), PROGRAMS)
def test_pages_run(program: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(program, name, "exec"), {"__name__": "__main__"})


def test_the_guide_names_everything_there_is() -> None:
    """Its tables are complete, and name the right classes."""
    rows = dict(re.findall(r'^\| `"(\w+)"` \| `(\w+)` \|', GUIDE, re.MULTILINE))
    assert {name: PRUNERS[name].__name__ for name in rows} == rows
    assert set(rows.values()) == {pruner.__name__ for pruner in PRUNERS.values()}
    for name in (*CRITERIA, *CATEGORICAL_SPLITS, *SELECT):
        stem = name.removesuffix("_sdp")
        assert f'"{stem}' in GUIDE, name
    for found in DISCRETIZERS.values():
        assert f"`{found.__name__}`" in GUIDE, found
    for state in set(STATES) - {"pruned"}:
        assert f'| `"{state}"` |' in GUIDE, state
    numbers = re.search(r"For numbers there are (.*?)\.\n", GUIDE, re.DOTALL)
    assert numbers is not None
    named = {PRUNERS[name] for name in re.findall(r'"(\w+)"', numbers.group(1))}
    assert named == {pruner for pruner in PRUNERS.values() if pruner.FOR_NUMBERS}


def test_the_readme_has_two_commands() -> None:
    commands = re.findall(r"^```(?:sh|bash|console)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert len(commands) == 2
    assert all(len(command.strip().splitlines()) == 1 for command in commands)
    learn, test = commands
    assert "boxwood learn" in learn
    assert "pytest" in test


@pytest.mark.parametrize(
    "page", sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")]), ids=lambda page: page.name
)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text("utf-8"))
    local = [target for target in targets if "://" not in target]
    assert not [target for target in local if not (page.parent / target).exists()]
