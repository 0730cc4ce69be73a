"""The house plan, enforced: who may import whom, and the manners of every file.

`docs/map.md` tells the same story in words. Python files are parsed, never imported, so a cycle or an
optional package that is absent cannot hide a wrong import.
"""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import boxwood

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "boxwood"
CORE = ROOT / "core"

# Who may import whom. A room may always import itself, and the compiled module.
GREEDY = ["data", "tree", "criteria", "search", "select", "grow"]
MAY_IMPORT: dict[str, set[str]] = {room: set(GREEDY[:place]) for place, room in enumerate(GREEDY)}
MAY_IMPORT |= {
    room: {"data", "tree"} for room in ("pruning", "discretize", "optimal", "partition", "milp", "export")
}
# Thresholds are ranked by a criterion, over the cuts of a column, and are named as splits are put into words.
MAY_IMPORT["discretize"] |= {"criteria", "search", "export"}
# A branch that is raised gets other rows, and its nodes other impurities.
MAY_IMPORT["pruning"] |= {"criteria"}
# Rules are put into words as splits are, and judged as leaves are in error-based pruning.
MAY_IMPORT["rules"] = {"data", "tree", "export", "pruning"}
MAY_IMPORT["aggregate"] = {"data"}
MAY_IMPORT["estimators"] = set(MAY_IMPORT)
MAY_IMPORT["cli"] = {*MAY_IMPORT, "boxwood", "_version"}
MAY_IMPORT["boxwood"] = {*MAY_IMPORT, "_version"} - {"cli"}  # src/boxwood/__init__.py
MAY_IMPORT["__main__"] = {"cli"}
MAY_IMPORT["_version"] = set()

# Imports inside functions that go against the direction: where, what, and why it is right all the same.
AGAINST_THE_DIRECTION: dict[tuple[str, str], str] = {
    ("tree/tree.py", "export"): "print(tree) shows the text export, which is built on trees",
}

# The same order holds between the folders of the core; threads/ and simd.hpp stand below all of them.
GROUND = {"threads", "simd.hpp"}
CORE_MAY_INCLUDE: dict[str, set[str]] = {
    room: {*GREEDY[:place], *GROUND} for place, room in enumerate(GREEDY)
}
CORE_MAY_INCLUDE |= {room: {"data", "tree", *GROUND} for room in ("discretize", "optimal", "pruning")}
CORE_MAY_INCLUDE["discretize"] |= {"criteria"}
CORE_MAY_INCLUDE |= {room: set() for room in GROUND}
CORE_MAY_INCLUDE["bindings"] = set(CORE_MAY_INCLUDE)
CORE_MAY_INCLUDE["tests"] = set(CORE_MAY_INCLUDE) - {"bindings"}

# Packages that a user may not have, and the one file that may import them at module level, if any.
OPTIONAL = {
    "pandas": "",
    "polars": "",
    "pyarrow": "",
    "rich": "",
    "matplotlib": "",
    "dask": "",
    "highspy": "milp/highs.py",
}

LONG, TOO_LONG = 600, 700
VAGUE = {"utils", "util", "helpers", "helper", "misc", "manager", "common"}


@dataclass(frozen=True)
class Import:
    """One imported module, by absolute name, with the place where it is imported."""

    file: str
    line: int
    module: str
    late: bool  # inside a function
    typing_only: bool  # under `if TYPE_CHECKING`

    @property
    def room(self) -> str | None:
        """The room of boxwood that is imported; "boxwood" for the package itself, None for other packages."""
        parts = self.module.split(".")
        if parts[0] != "boxwood":
            return None
        return parts[1] if len(parts) > 1 else "boxwood"


def python_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def room_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    if len(parts) > 1:
        return parts[0]
    return "boxwood" if parts[0] == "__init__.py" else path.stem


def imports_of(path: Path, root: Path = PACKAGE, package: str = "boxwood") -> Iterator[Import]:
    """Yield every import of a file, with relative ones made absolute."""
    name = path.relative_to(root).as_posix()
    inside = [package, *path.relative_to(root).parts[:-1]]
    # `from boxwood import data` names the room in the imported name, not in the module.
    rooms = {"_core", *(child.stem for child in PACKAGE.iterdir())}

    def visit(node: ast.AST, late: bool, typing_only: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(name, child.lineno, alias.name, late, typing_only)
            elif isinstance(child, ast.ImportFrom):
                module = child.module or ""
                if child.level:
                    module = ".".join(
                        [*inside[: len(inside) - child.level + 1], *([module] if module else [])]
                    )
                if module == "boxwood":
                    for alias in child.names:
                        deeper = f"boxwood.{alias.name}" if alias.name in rooms else "boxwood"
                        yield Import(name, child.lineno, deeper, late, typing_only)
                else:
                    yield Import(name, child.lineno, module, late, typing_only)
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                for part in child.body:
                    yield from visit(ast.Module([part], []), late, True)
                for part in child.orelse:
                    yield from visit(ast.Module([part], []), late, typing_only)
            else:
                function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                yield from visit(child, late or function, typing_only)

    yield from visit(ast.parse(path.read_text("utf-8"), name), False, False)


def against_the_direction(path: Path) -> list[Import]:
    room = room_of(path)
    allowed = MAY_IMPORT[room] | {room, "_core"}
    return [found for found in imports_of(path) if found.room is not None and found.room not in allowed]


PYTHON = python_files(PACKAGE)
SILENT = [path for path in PYTHON if room_of(path) not in {"cli", "__main__"}]
SOURCES = sorted([*CORE.rglob("*.cpp"), *CORE.rglob("*.hpp")])
PURE = [path for path in SOURCES if CORE / "bindings" not in path.parents]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_the_plan_knows_every_room() -> None:
    rooms = {room_of(path) for path in PYTHON}
    assert rooms <= set(MAY_IMPORT), "a new room needs a row here and in docs/map.md"
    assert {"data", "tree", "criteria", "search", "select", "grow", "export", "estimators", "cli"} <= rooms


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_imports_follow_the_direction(path: Path) -> None:
    wrong = [
        f"{found.file}:{found.line} imports boxwood.{found.room}"
        for found in against_the_direction(path)
        if not (found.late and (found.file, found.room) in AGAINST_THE_DIRECTION)
    ]
    assert not wrong, "\n".join(wrong)


def test_every_exception_is_still_needed() -> None:
    used = {
        (found.file, found.room) for path in PYTHON for found in against_the_direction(path) if found.late
    }
    assert set(AGAINST_THE_DIRECTION) <= used, "an exception that nothing uses any more"


def test_only_the_outer_rooms_import_estimators() -> None:
    importers = {room_of(path) for path in PYTHON for found in imports_of(path) if found.room == "estimators"}
    assert importers <= {"boxwood", "cli", "estimators"}


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_optional_packages_are_imported_late(path: Path) -> None:
    wrong = [
        f"{found.file}:{found.line} imports {found.module} at module level"
        for found in imports_of(path)
        if found.module.split(".")[0] in OPTIONAL
        and OPTIONAL[found.module.split(".")[0]] != found.file
        and not found.late
        and not found.typing_only
    ]
    assert not wrong, "\n".join(wrong)


def test_studies_use_public_names_only() -> None:
    folder = ROOT / "studies"
    wrong = [
        f"{found.file}:{found.line} imports {found.module}"
        for path in (python_files(folder) if folder.is_dir() else [])
        for found in imports_of(path, folder, "studies")
        if found.room is not None and any(part.startswith("_") for part in found.module.split("."))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", SILENT, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_library_neither_prints_nor_exits(path: Path) -> None:
    wrong = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        text = ""
        if isinstance(node, ast.Call):
            text = ast.unparse(node.func)
        elif isinstance(node, ast.Raise) and node.exc is not None:
            text = ast.unparse(node.exc).partition("(")[0]
        if text in {"print", "exit", "quit", "sys.exit", "os._exit", "SystemExit"} or text.startswith(
            "sys.stdout."
        ):
            wrong.append(f"{relative(path)}:{node.lineno} calls {text}")
    assert not wrong, "\n".join(wrong)


def includes_of(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', line)
        if found:
            yield number, found.group(1)


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.relative_to(CORE).as_posix())
def test_the_core_knows_nothing_of_python(path: Path) -> None:
    foreign = re.compile(r"(Python\.h|pybind11/|nanobind/|numpy/|bindings/)")
    wrong = [
        f"{relative(path)}:{line} includes {name}" for line, name in includes_of(path) if foreign.match(name)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(CORE).as_posix())
def test_the_core_follows_the_direction(path: Path) -> None:
    room = path.relative_to(CORE).parts[0]
    assert room in CORE_MAY_INCLUDE, "a new folder of the core needs a row here and in docs/map.md"
    allowed = CORE_MAY_INCLUDE[room] | {room}
    wrong = [
        f"{relative(path)}:{line} includes {name}"
        for line, name in includes_of(path)
        if name.split("/")[0] in CORE_MAY_INCLUDE and name.split("/")[0] not in allowed
    ]
    assert not wrong, "\n".join(wrong)


def types_of(path: Path) -> Iterator[str]:
    """The types that a header defines for others, with their namespace."""
    namespaces: list[str] = []
    for line in path.read_text("utf-8").splitlines():
        if found := re.match(r"namespace ([\w:]+) \{$", line):
            namespaces.append(found.group(1))
        elif re.match(r"\}  // namespace", line):
            namespaces.pop()
        elif found := re.match(r"(?:struct|class|enum class) (\w+)(?![\w<])[^;]*$", line):
            yield "::".join([*namespaces, found.group(1)])


def test_no_two_types_of_the_core_share_a_name() -> None:
    """Two of one name in one namespace are one type to the linker, whichever it meets first.

    The groups of the discretisers and those of the categorical searches were both called Groups; Ctrl-C in
    the midst of a ranking took the one for the other, and ended the process.
    """
    owner: dict[str, str] = {}
    for path in sorted(CORE.rglob("*.hpp")):
        if CORE / "tests" in path.parents:
            continue
        for name in types_of(path):
            assert name not in owner, f"{name} is defined in {owner[name]} and in {relative(path)}"
            owner[name] = relative(path)
    assert "boxwood::discretize::Groups" in owner
    assert "boxwood::Groups" in owner


def every_file() -> list[Path]:
    found = [*PYTHON, *SOURCES]
    for folder in ("tests", "bench", "studies"):
        if (ROOT / folder).is_dir():
            found += python_files(ROOT / folder)
    return found


def test_no_file_has_two_subjects() -> None:
    lengths = {relative(path): len(path.read_text("utf-8").splitlines()) for path in every_file()}
    for name, length in lengths.items():
        if LONG < length <= TOO_LONG:
            warnings.warn(f"{name} has {length} lines: does it have two subjects?", stacklevel=1)
    assert not {name: length for name, length in lengths.items() if length > TOO_LONG}


def test_every_name_says_something() -> None:
    parts = {part.lower() for path in every_file() for part in path.relative_to(ROOT).with_suffix("").parts}
    assert not parts & VAGUE


@pytest.mark.parametrize("path", PYTHON, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_module_says_what_it_is(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text("utf-8"))), f"{relative(path)} has no docstring"


def test_public_names_exist() -> None:
    missing = [name for name in boxwood.__all__ if not hasattr(boxwood, name)]
    assert not missing
    assert len(set(boxwood.__all__)) == len(boxwood.__all__)


@pytest.mark.parametrize("name", [name for name in boxwood.__all__ if callable(getattr(boxwood, name, None))])
def test_public_names_have_an_example(name: str) -> None:
    value = getattr(boxwood, name)
    assert ">>> " in (inspect.getdoc(value) or ""), f"boxwood.{name} has no example in its docstring"
