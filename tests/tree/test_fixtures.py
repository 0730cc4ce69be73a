"""Files of every format version ever written load, and answer as they did. Nothing here may change."""

from __future__ import annotations

import datetime
import importlib.util
import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

from boxwood.data import MISSING, UNKNOWN
from boxwood.tree import (
    FORMAT_VERSION,
    SPREAD,
    Kind,
    Subset,
    Surrogate,
    Threshold,
    Tree,
    UnknownCategoryError,
    load,
)

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
nan = float("nan")

LABELS = ["no", 1, 2.5, False, datetime.date(1999, 12, 31), datetime.datetime(2000, 1, 1, 0, 0, 1)]

# age, größe, member, since, stay, colour, code, empty; and the node where the row ends.
ROWS = [
    ((40.5, nan, nan, nan, nan, 0, 0, -1), 3),
    ((nan, 0.1, nan, nan, nan, 0, 0, -1), 5),
    ((40.6, nan, nan, nan, nan, 0, 0, -1), 5),
    ((41.0, 0.10000000000000002, nan, nan, nan, 0, 0, -1), 6),
    ((1.0, 1.0, nan, nan, nan, 0, 0, -1), 7),
    ((1.0, 1.0, nan, nan, nan, 0, 6, -1), 7),
    ((1.0, 1.0, nan, nan, nan, 0, 1, -1), 12),
    ((1.0, 1.0, 0.0, nan, nan, 2, 2, -1), 19),
    ((1.0, 1.0, 1.0, nan, nan, 2, 2, -1), 20),
    ((1.0, 1.0, nan, nan, nan, 2, 2, -1), 21),
    ((1.0, 1.0, nan, nan, nan, MISSING, 2, -1), 14),
    ((1.0, 1.0, nan, nan, nan, 1, 2, -1), 8),
    ((1.0, 1.0, nan, nan, nan, UNKNOWN, 2, -1), 8),
    ((1.0, 1.0, nan, nan, nan, 1, 3, -1), 15),
    ((1.0, 1.0, nan, nan, nan, MISSING, 4, -1), 15),
    ((1.0, 1.0, nan, nan, nan, 0, 4, -1), 16),
    ((1.0, 1.0, nan, nan, nan, 0, MISSING, -1), 10),
    ((1.0, 1.0, nan, nan, nan, 0, 5, -1), 11),
    ((1.0, 1.0, nan, 0.0, 0.0, 0, UNKNOWN, MISSING), 24),
    ((1.0, 1.0, nan, 0.0, nan, 0, UNKNOWN, MISSING), 24),
    ((1.0, 1.0, nan, 1583064900e6, 1.296e11 + 1, 0, UNKNOWN, MISSING), 25),
    ((1.0, 1.0, nan, 1583064900e6 + 1, 0.0, 0, UNKNOWN, MISSING), 18),
    ((1.0, 1.0, nan, 0.0, 0.0, 0, UNKNOWN, UNKNOWN), 17),
]


def columns(rows) -> list[np.ndarray]:
    kinds = [np.float64] * 5 + [np.int32] * 3
    return [np.array(cells, dtype=kind) for cells, kind in zip(zip(*rows, strict=True), kinds, strict=True)]


def check_version_1(tree: Tree) -> None:
    """The large fixture: every split, every route, every type of value."""
    rows, ends = zip(*ROWS, strict=True)
    assert tree.apply(columns(rows)).tolist() == list(ends)
    refused = (1.0, 1.0, nan, nan, nan, UNKNOWN, 3, -1)
    with pytest.raises(UnknownCategoryError, match="'colour', row 0"):
        tree.apply(columns([refused]))
    assert tree.counts[[0, 3, 25]].tolist() == [
        [16, 13.5, 13.5, 17.5, 7.5, 8],
        [0, 5, 0.5, 0, 0, 0],
        [0, 4, 0.5, 0, 0, 0],
    ]
    assert tree.classes.dtype == object
    assert tree.classes.tolist() == LABELS
    assert list(map(type, tree.classes)) == list(map(type, LABELS))
    assert set(tree.kind.tolist()) == set(Kind)
    assert tree.threshold[[0, 2, 11, 22]].tolist() == [40.5, 0.1, 1583064900e6, 1.296e11]
    assert tree.score[[0, 2, 11]].tolist() == [0.1 + 0.2, 5e-324, 1 / 3]
    assert tree.n_rows[[0, 1, 25]].tolist() == [84, 70, 5]
    assert tree.impurity[1] == 2.513821304362072
    assert (tree.criterion, tree.missing, tree.unknown_category) == ("entropy", "branch", "stop")
    assert tree.schema.names == ("age", "größe", "member", "since", "stay", "colour", "code", "empty")
    assert [column.values for column in tree.schema.columns][:5] == [
        "integer",
        "float",
        "boolean",
        "date",
        "duration",
    ]
    codes = [
        False,
        2,
        2.5,
        "2",
        "a, b",
        datetime.date(2020, 2, 29),
        datetime.datetime(2020, 2, 29, 12, 30, 15, 250000),
    ]
    assert list(tree.schema[6].categories) == codes
    assert list(map(type, tree.schema[6].categories)) == list(map(type, codes))
    assert tree.extra["bound"][:3].tolist() == [-np.inf, np.inf, -np.inf]
    assert np.isnan(tree.extra["p_value"][0])
    assert tree.extra["p_value"][1] == 1 / 7


def test_version_1():
    check_version_1(load(FIXTURES / "tree-v1.json"))


@pytest.mark.skipif(
    importlib.util.find_spec("numpy._core") is None,
    reason="numpy below 1.26 cannot read numpy 2's own pickles",
)
def test_version_1_pickled():
    with open(FIXTURES / "tree-v1.pickle", "rb") as file:
        tree = pickle.load(file)
    check_version_1(tree)
    assert tree == load(FIXTURES / "tree-v1.json")


def test_version_1_regression():
    tree = load(FIXTURES / "tree-v1-regression.json")
    table = [
        np.array([-0.0015, nan, 0.0, 0.0, 0.0, 0.0]),
        np.array([0, 0, 1, 2, MISSING, UNKNOWN], dtype=np.int32),
    ]
    assert tree.predict_answers(table).tolist() == [2, -2, 0.1, 0.25, -2, -2]
    assert tree.sums[0].tolist() == [8.5, -2.9000000000000004, 29.51]
    assert tree.classes is None


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("int32.json", np.array([3, 5], dtype=np.int32)),
        ("uint8.json.gz", np.array([3, 5], dtype=np.uint8)),
        ("float32.json", np.array([0.1, 2], dtype=np.float32)),
        ("bool.json", np.array([False, True])),
        ("str.json", np.array(["no", "yes"])),
        ("object.json", np.array(["no", "yes"], dtype=object)),
        ("datetime64-D.json", np.array(["2024-01-01", "2024-02-29"], dtype="datetime64[D]")),
    ],
)
def test_version_1_labels(name, labels):
    tree = load(FIXTURES / f"tree-v1-{name}")
    assert tree.classes.dtype == labels.dtype
    assert np.array_equal(tree.classes, labels)
    answer = tree.predict_counts([np.array([0.5, 0.6, nan]), np.zeros(3, dtype=np.int32)])
    assert answer.tolist() == [[3, 1], [0, 2], [3, 1]]


# height, colour, code; the nodes where the row ends, with their shares.
SPREAD_ROWS = [
    ((1.0, 0, 0), {5: 1.0}),
    ((1.0, 2, MISSING), {8: 1.0}),
    ((3.0, 0, 0), {2: 1.0}),
    ((nan, 2, UNKNOWN), {2: 0.3, 8: 0.56, 9: 0.14}),
    ((nan, MISSING, 3), {2: 0.3, 5: 0.175, 6: 0.175, 7: 0.35}),
    ((nan, 0, MISSING), {5: 0.25, 6: 0.25, 7: 0.5}),
    ((1.25, MISSING, 0), {9: 1.0}),
    ((1.5, UNKNOWN, 3), {5: 0.25, 6: 0.25, 7: 0.5}),
    ((nan, 1, 4), {2: 1.0}),
    ((nan, UNKNOWN, 1), {2: 0.3, 6: 0.7}),
    ((2.0, 2, UNKNOWN), {8: 0.8, 9: 0.2}),
]


def check_version_2(tree: Tree) -> None:
    """Rows that are spread, and surrogates."""
    rows, wanted = zip(*SPREAD_ROWS, strict=True)
    kinds = [np.float64, np.int32, np.int32]
    cells = [np.array(cells, dtype=kind) for cells, kind in zip(zip(*rows, strict=True), kinds, strict=True)]
    row, node, share = tree.ends(cells)
    found: list[dict[int, float]] = [{} for _ in rows]
    for i, end, part in zip(row.tolist(), node.tolist(), share.tolist(), strict=True):
        found[i][end] = pytest.approx(part)
    assert found == list(wanted)
    assert tree.apply(cells).tolist() == [5, 8, 2, 8, 7, 7, 9, 7, 2, 6, 8]
    assert tree.predict_shares(cells)[[3, 9]].ravel().tolist() == pytest.approx(
        [0.58, 0.28, 0.14, 0.3, 0.7, 0]
    )
    assert tree.split(0) == Threshold(0, 2.5, SPREAD, (Surrogate(Subset(1, {0: 0, 1: 1}), 2 / 3),))
    standing_in = (
        Surrogate(Threshold(0, 1.25), 0.9375, flipped=True),
        Surrogate(Subset(2, {0: 1, 3: 0}), 0.75),
    )
    assert tree.split(1) == Subset(1, {0: 0, 2: 1}, 1, 0, standing_in)
    assert tree.n_rows[[0, 3, 5, 6, 7]].tolist() == [28, 14, 3, 4, 8]
    assert (tree.missing, tree.unknown_category) == ("fractional", "distribute")


def test_version_2():
    check_version_2(load(FIXTURES / "tree-v2.json"))


@pytest.mark.skipif(
    importlib.util.find_spec("numpy._core") is None,
    reason="numpy below 1.26 cannot read numpy 2's own pickles",
)
def test_version_2_pickled():
    with open(FIXTURES / "tree-v2.pickle", "rb") as file:
        tree = pickle.load(file)
    check_version_2(tree)
    assert tree == load(FIXTURES / "tree-v2.json")


def test_every_version_has_its_fixture():
    for version in range(1, FORMAT_VERSION + 1):
        assert (FIXTURES / f"tree-v{version}.json").exists()
        assert (FIXTURES / f"tree-v{version}.pickle").exists()


def test_the_file_of_today_is_the_fixture(tmp_path):
    name = f"tree-v{FORMAT_VERSION}.json"
    load(FIXTURES / name).save(tmp_path / name)
    assert (tmp_path / name).read_bytes() == (FIXTURES / name).read_bytes()


def test_the_example_in_the_documentation_is_a_tree(repository):
    page = (repository / "docs" / "tree-format.md").read_text(encoding="utf-8")
    document = json.loads(re.search(r"```json\n(.*?)```", page, re.DOTALL)[1])
    tree = Tree.from_dict(document)
    assert tree.depth == 2
    assert document["version"] == FORMAT_VERSION
    written = tree.to_dict()
    assert written == document
    for key in (*written, *written["nodes"], *written["schema"]["columns"][0], "sums", "answer"):
        assert f"`{key}`" in page
