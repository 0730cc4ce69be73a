import datetime
import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings

from boxwood.data import Column, Schema
from boxwood.tree import Threshold, Tree, TreeFormatError, build_tree, leaf, load, node
from tests.oracles.trees import trees
from tests.tree.examples import SCHEMA, balanced, every_kind, regression, spread_and_surrogates, stump

ALL = [
    stump(),
    every_kind(),
    regression(),
    spread_and_surrogates(),
    balanced(4),
    every_kind().with_extra("p", [np.nan, np.inf, -np.inf] * 5),
]


def refuse_constant(token: str) -> None:
    raise AssertionError(f"{token} in a JSON file")


@pytest.mark.parametrize("name", ["tree.json", "tree.json.gz", "tree"])
@pytest.mark.parametrize("tree", ALL, ids=repr)
def test_what_is_saved_is_loaded(tree, name, tmp_path):
    path = tmp_path / name
    tree.save(path)
    assert load(path) == tree
    assert load(str(path)) == tree


@settings(max_examples=60)
@given(trees(regression=None))
def test_any_tree_survives(tree):
    text = json.dumps(tree.to_dict(), allow_nan=False)
    again = Tree.from_dict(json.loads(text))
    assert again == tree
    assert hash(again) == hash(tree)
    assert again.schema == tree.schema
    for one, other in zip(again.schema.columns, tree.schema.columns, strict=True):
        assert [type(value) for value in one.categories] == [type(value) for value in other.categories]
    if tree.classes is not None:
        assert again.classes.dtype == tree.classes.dtype
        assert list(map(type, again.classes.tolist())) == list(map(type, tree.classes.tolist()))
    assert json.dumps(again.to_dict(), allow_nan=False) == text


def test_the_file_is_plain_json_that_people_can_read(tmp_path):
    path = tmp_path / "tree.json"
    every_kind().with_extra("p", [np.nan, np.inf, -np.inf] * 5).save(path)
    text = path.read_text(encoding="utf-8")
    document = json.loads(text, parse_constant=refuse_constant)
    assert document == every_kind().with_extra("p", [np.nan, np.inf, -np.inf] * 5).to_dict()
    assert max(map(len, text.splitlines())) < 200
    nodes = document["nodes"]
    assert nodes["kind"][:3] == ["threshold", "leaf", "threshold"]
    assert nodes["categories"][10] == [[0, 3], [1], [4], []]
    assert (nodes["missing_branch"][2], nodes["unknown_branch"][10]) == ("stop", "error")
    assert nodes["counts"][1] == [9, 0, 0]
    assert document["extra"]["p"][:3] == [None, "Infinity", "-Infinity"]
    assert document["schema"]["columns"][2]["categories"] == [1, 2.5, 3, "x", {"date": "2024-02-29"}]


def test_equal_trees_give_equal_files(tmp_path):
    for name in ("a.json", "b.json", "a.json.gz", "b.json.gz"):
        every_kind().save(tmp_path / name)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_floats_come_back_to_the_last_bit(tmp_path):
    rng = np.random.default_rng(0)
    awkward = [0.1, 1 / 3, 5e-324, -0.0, 1.7976931348623157e308, 2.0**53 + 2, 1e15, 123456789012345678.0]
    for threshold in (*awkward, *np.frombuffer(rng.bytes(8 * 200), dtype=np.float64)):
        if not np.isfinite(threshold):
            continue
        tree = build_tree(node(Threshold(0, threshold), [leaf([1, 1])] * 2), SCHEMA, [0, 1])
        again = Tree.from_dict(json.loads(json.dumps(tree.to_dict())))
        assert again.threshold.tobytes() == tree.threshold.tobytes()


@pytest.mark.parametrize(
    "classes",
    [
        np.array(["no", "yes"]),
        np.array(["", "ja 木 \ud800 \x00!"]),
        np.array(["no", "yes"], dtype=object),
        np.array([0, 1], dtype=np.int32),
        np.array([-(2**63), 2**63 - 1], dtype=np.int64),
        np.array([0, 2**64 - 1], dtype=np.uint64),
        np.array([0.1, 1 / 3], dtype=np.float32),
        np.array([0.1, -0.0]),
        np.array([-np.inf, np.inf]),
        np.array([False, True]),
        np.array([False, True], dtype=object),
        np.array([1, "1"], dtype=object),
        np.array([1.0, 2], dtype=object),
        np.array([np.int8(1), np.str_("x")], dtype=object),
        np.array([10**40, -(10**40)], dtype=object),
        np.array([datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 1, 2, 3, 4)], dtype=object),
        np.array(["1969-12-31", "2024-02-29"], dtype="datetime64[D]"),
        np.array(["1969-12-31T01", "2024-02-29T02:03:04.123456789"], dtype="datetime64[ns]"),
        np.array([1, 2], dtype="timedelta64[s]"),
        np.array([0, 1], dtype=">i4"),
    ],
    ids=lambda classes: f"{classes.dtype}-{classes!r:.40}",
)
def test_labels_keep_their_type(classes, tmp_path):
    tree = build_tree(leaf([3, 1]), SCHEMA, classes)
    tree.save(tmp_path / "tree.json")
    again = load(tmp_path / "tree.json")
    assert again == tree
    assert again.classes.dtype == classes.dtype.newbyteorder("=")
    plain = [value.item() if isinstance(value, np.generic) else value for value in classes.tolist()]
    assert again.classes.tolist() == plain
    assert list(map(type, again.classes.tolist())) == list(map(type, plain))


def test_wide_string_labels_are_stored_no_wider_than_they_need_be():
    assert build_tree(leaf([3, 1]), SCHEMA, np.array(["no", "yes"], dtype="U50")).classes.dtype == "U3"


@pytest.mark.parametrize(
    ("classes", "words"),
    [
        (np.array([b"no", b"yes"]), "dtype .S3"),
        (np.array([1j, 2j]), "dtype complex128"),
        (np.array([(1, 2), "x"], dtype=object), "of type tuple cannot be saved as JSON"),
        (np.array([10**1001, 1], dtype=object), "more than 1000 digits"),
    ],
)
def test_labels_that_json_cannot_hold(classes, words, tmp_path):
    with pytest.raises(TreeFormatError, match=words):
        build_tree(leaf([3, 1]), SCHEMA, classes).save(tmp_path / "tree.json")
    assert not (tmp_path / "tree.json").exists()


def test_names_of_any_kind(tmp_path):
    schema = Schema(
        tuple(
            Column(name, "numeric", "float") for name in ("", "木", "\ud800", "\n", "\x00", '"', "n_nodes")
        ),
        named=True,
    )
    tree = build_tree(leaf([3, 1]), schema, [0, 1]).with_extra("\ud800", [1.0]).with_extra("schema", [2.0])
    tree.save(tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == tree


def test_a_file_of_version_1_is_the_same_tree():
    assert Tree.from_dict(of_version_1()) == every_kind()


# ------------------------------------------------------------------------------------------ hostile files


def document(**changes) -> dict:
    return {**every_kind().to_dict(), **changes}


def nodes(**changes) -> dict:
    found = every_kind().to_dict()
    return {**found, "nodes": {**found["nodes"], **changes}}


def at(name: str, place: int, value: object) -> dict:
    values = list(every_kind().to_dict()["nodes"][name])
    values[place] = value
    return nodes(**{name: values})


def column(**changes) -> dict:
    found = every_kind().to_dict()
    found["schema"]["columns"][1].update(changes)
    return found


def surrogate(**changes) -> dict:
    """With the second surrogate of node 1 changed."""
    found = spread_and_surrogates().to_dict()
    kept = {k: v for k, v in found["nodes"]["surrogates"][1][1].items() if k not in changes}
    found["nodes"]["surrogates"][1][1] = kept | {k: v for k, v in changes.items() if v is not None}
    return found


def of_version_1() -> dict:
    found = every_kind().to_dict()
    del found["nodes"]["surrogates"]
    return found | {"version": 1}


def spread_in_version_1() -> dict:
    found = of_version_1()
    found["nodes"]["missing_branch"][10] = "spread"
    return found


DAMAGED = [
    (None, "not a saved tree"),
    ([], "not a saved tree"),
    ({}, "not a saved tree"),
    (document(format="other"), "not a saved tree"),
    (document(format=["boxwood-tree"]), "not a saved tree"),
    (document(version=3), "newer boxwood .*: upgrade boxwood"),
    (document(version=10**30), "newer boxwood"),
    (document(version=0), "no format version 0"),
    (document(version=True), "no format version True"),
    (document(version=1.0), "no format version 1.0"),
    (document(version="1"), "no format version '1'"),
    (document(version=None), "no format version None"),
    (document(version=1), "nodes has an unknown key 'surrogates'"),
    (spread_in_version_1(), "missing_branch holds something else than integers"),
    (at("surrogates", 0, []), "node 0 needs null, or a list of surrogates"),
    (at("surrogates", 0, {}), "node 0 needs null, or a list of surrogates"),
    (at("surrogates", 0, [3]), "a surrogate is of type int"),
    (
        at("surrogates", 10, [{"feature": 0, "threshold": 1, "flipped": True, "agreement": 1}]),
        "neither a thr",
    ),
    (surrogate(agreement=None), "a surrogate lacks 'agreement'"),
    (surrogate(categories=None), "a surrogate lacks 'threshold'"),
    (surrogate(threshold=1.5), "a surrogate has an unknown key 'threshold'"),
    (surrogate(categories=[[3], [0], [1]]), "two lists of category codes"),
    (surrogate(categories=[[3], [0.5]]), "two lists of category codes"),
    (surrogate(categories=[[], []]), "a surrogate of categories needs categories"),
    (surrogate(categories=[[3], [3]]), "lists category code 3 out of order or twice"),
    (surrogate(categories=[[9], [0]]), "lists category code 9, which is not its column's"),
    (surrogate(categories=[[10**12], [0]]), "an integer that is out of range"),
    (surrogate(feature=1), "tests the column of its own node"),
    (surrogate(feature=7), "tests column 7, which is not there"),
    (surrogate(feature="code"), "something else than integers"),
    (surrogate(agreement=1.5), "has agreement 1.5, not between 0 and 1"),
    (surrogate(agreement="most"), "something else than numbers"),
    (document(comment="hello"), "unknown key 'comment'"),
    ({k: v for k, v in document().items() if k != "nodes"}, "lacks 'nodes'"),
    (document(task="clustering"), "no task 'clustering'"),
    (document(task=None), "no task None"),
    (document(task="regression"), "a regression tree has classes"),
    (document(task="regression", classes=None), "nodes lacks 'sums'"),
    (document(classes=None), "classes is of type NoneType"),
    (document(criterion=3), "criterion is of type int"),
    (document(n_nodes=10**12), "kind has 15 entries, and there are 1000000000000 nodes"),
    (document(n_nodes=10**400), "kind has 15 entries, and there are 1000"),
    (document(n_nodes=-1), "kind has 15 entries"),
    (document(n_nodes=15.0), "n_nodes is of type float"),
    (document(n_nodes=True), "n_nodes is of type bool"),
    (document(nodes=[]), "nodes is of type list"),
    (document(extra=[]), "extra is of type list"),
    (document(extra={"p": [1]}), "p has 1 entries"),
    (document(extra={"p": ["x"] * 15}), "p holds something else than numbers"),
    (document(extra={"p": [True] * 15}), "p holds something else than numbers"),
    (document(extra={"weight": [1] * 15}), "'weight' is no name"),
    (document(schema=None), "schema is of type NoneType"),
    (document(schema={"named": 1, "columns": []}), "named is of type int"),
    (document(schema={"named": True, "columns": []}), "no columns"),
    (document(schema={"named": True, "columns": [3]}), "a column is of type int"),
    (column(name=3), "name of a column is of type int"),
    (column(name="height"), "the schema is damaged: two columns are named 'height'"),
    (column(kind="ordinal"), "the schema is damaged"),
    (column(kind=[]), "kind of column 'colour' is of type list"),
    (column(values="float"), "the schema is damaged"),
    (column(categories=["red", "red", "blue"]), "the schema is damaged: .* twice"),
    (column(categories=[1, True, 2]), "the schema is damaged: .* twice"),
    (column(categories=[None]), "None is no category"),
    (column(categories=[[]]), r"\[\] is no category"),
    (column(categories=[{"float": "nan"}]), "is no category"),
    (column(categories=[{"float": "inf"}]), "the schema is damaged: .* finite"),
    (column(categories=[{"date": "2024-02-30"}]), "not an ISO 8601 date"),
    (column(categories=[{"datetime": 3}]), "is no category"),
    (column(categories=[{"date": "2024-02-29", "time": "3"}]), "is no category"),
    (column(categories=[{"eval": "1"}]), "is no category"),
    (column(categories=["blue"]), "node 4: category code 2 is not one of its column's"),
    (document(classes={"dtype": "int64", "labels": ["a", "b", "c"]}), "not all of dtype int64"),
    (document(classes={"dtype": "int8", "labels": [1, 2, 1000]}), "not all of dtype int8"),
    (document(classes={"dtype": "int64", "labels": [1, 2, True]}), "not all of dtype int64"),
    (document(classes={"dtype": "bool", "labels": [0, 1, 2]}), "not all of dtype bool"),
    (document(classes={"dtype": "str", "labels": ["a", "b", 3]}), "not all of dtype str"),
    (document(classes={"dtype": "float32", "labels": [0.1, 0.2, 1e300]}), "not all of dtype float32"),
    (document(classes={"dtype": "float64", "labels": [1, 2.0, 3.0]}), "not all of dtype float64"),
    (
        document(classes={"dtype": "datetime64[D]", "labels": ["now", "x", "y"]}),
        "not all of dtype datetime64",
    ),
    (
        document(classes={"dtype": "datetime64[D]", "labels": ["2024-02-30"] * 3}),
        "not all of dtype datetime64",
    ),
    (
        document(classes={"dtype": "datetime64[ns]", "labels": ["2424242424"] * 3}),
        "not all of dtype datetime64",
    ),
    (document(classes={"dtype": "timedelta64[D]", "labels": [0.5, 1, 2]}), "not all of dtype timedelta64"),
    (document(classes={"dtype": "timedelta64[D]", "labels": [2**70, 1, 2]}), "not all of dtype timedelta64"),
    (document(classes={"dtype": "U1000000000", "labels": ["a", "b", "c"]}), "no dtype of class labels"),
    (document(classes={"dtype": "complex128", "labels": [1, 2, 3]}), "no dtype of class labels"),
    (document(classes={"dtype": ["i4"], "labels": [1, 2, 3]}), "no dtype of class labels"),
    (document(classes={"dtype": "str", "labels": []}), "at least one label"),
    (document(classes={"dtype": "str", "labels": "abc"}), "at least one label"),
    (document(classes={"dtype": "str", "labels": ["a", "a", "b"]}), "'a' is twice there"),
    (document(classes={"dtype": "str", "labels": ["a", "b"]}), "counts is not a list of lists of 2 numbers"),
    (document(classes={"dtype": "str", "labels": ["x" * 10**5] + ["y"] * 10**4}), "too large"),
    (at("kind", 0, "oblique"), "kind: there are only leaf, threshold"),
    (at("kind", 0, []), "kind: there are only"),
    (at("kind", 0, 1), "kind: there are only"),
    (at("feature", 0, True), "feature holds something else than integers"),
    (at("feature", 0, 0.0), "feature holds something else than integers"),
    (at("feature", 0, None), "feature: node 0 needs a value"),
    (at("feature", 1, 0), "feature: node 1 needs null"),
    (at("feature", 0, 10**20), "feature holds an integer that is out of range"),
    (at("feature", 0, 99), "node 0: it tests column 99"),
    (at("threshold", 0, "1.5"), "threshold holds something else than numbers"),
    (at("threshold", 0, float("nan")), "the threshold is nan"),
    (at("threshold", 0, float("inf")), "the threshold is inf"),
    (at("threshold", 0, 10**400), "threshold holds a number beyond"),
    (at("threshold", 0, None), "threshold: node 0 needs a value"),
    (at("threshold", 5, 1.0), "threshold: node 5 needs null"),
    (at("categories", 4, None), "node 4 needs a list of category codes for each branch"),
    (at("categories", 4, [[0], [2]]), "node 4 needs a list of category codes for each branch"),
    (at("categories", 4, [[0], [2], 3]), "node 4 needs a list of category codes"),
    (at("categories", 4, [[0], [2], [True]]), "node 4 needs a list of category codes"),
    (at("categories", 4, [[0], [10**20], []]), "categories holds an integer that is out of range"),
    (at("categories", 4, [[0], [0], []]), "node 4: category code 0 is out of order or twice there"),
    (at("categories", 4, [[], [0, 2], []]), "node 6: nothing leads here"),
    (at("categories", 0, [[0], [1]]), "node 0 does not split by category"),
    (at("missing_branch", 0, -1), "missing_branch holds -1"),
    (at("missing_branch", 0, "error"), "missing values take branch -2"),
    (at("missing_branch", 0, "halt"), "missing_branch holds something else than integers"),
    (at("missing_branch", 0, 2**40), "missing_branch holds an integer that is out of range"),
    (at("unknown_branch", 10, 4), "node 10: unknown values take branch 4"),
    (at("unknown_branch", 0, 2), "unknown_branch: node 0 needs null"),
    (at("first_child", 2, 0), "node 2: its first child is 0"),
    (at("first_child", 2, 2), "node 2: its first child is 2"),
    (at("first_child", 2, 10**9), "node 2: its first child is 1000000000"),
    (at("n_children", 2, 10**12), "n_children holds an integer that is out of range"),
    (at("n_children", 2, 2**31 - 1), "children, and there are 14 nodes below"),
    (at("n_children", 10, 2**31 - 1), "node 10 needs a list of category codes for each branch"),
    (at("n_rows", 0, 10**30), "n_rows holds an integer that is out of range"),
    (at("n_rows", 0, 10**18), "node 0: it has 1000000000000000000 rows"),
    (at("n_rows", 0, 1.5), "n_rows holds something else than integers"),
    (at("weight", 0, -1), "node 0: its weight is -1"),
    (at("weight", 0, None), "weight holds something else than numbers"),
    (at("counts", 0, 3), "counts is not a list of lists of 3 numbers"),
    (at("counts", 0, [1, 2]), "counts is not a list of lists of 3 numbers"),
    (at("counts", 0, [1, 2, None]), "counts holds something else than numbers"),
    (at("counts", 0, [1, 2, [3]]), "counts holds something else than numbers"),
    (at("score", 0, "Infinity"), "node 0: its score is infinite"),
    (nodes(counts=[]), "counts has 0 entries"),
    (nodes(feature={}), "feature is of type dict"),
    (nodes(colour=[0] * 15), "nodes has an unknown key 'colour'"),
]


@pytest.mark.parametrize(("damaged", "words"), DAMAGED, ids=[f"{words:.45}" for _, words in DAMAGED])
def test_damaged_documents_are_refused(damaged, words):
    with pytest.raises(TreeFormatError, match=words):
        Tree.from_dict(damaged)


GOOD = json.dumps(every_kind().to_dict()).encode()
PACKED = gzip.compress(GOOD)

FILES = [
    (b"", "not JSON, or cut off"),
    (b"hello", "not JSON, or cut off"),
    (b"null", "not a saved tree"),
    (b'"boxwood-tree"', "not a saved tree"),
    (GOOD[: len(GOOD) // 2], "not JSON, or cut off"),
    (GOOD[:-1], "not JSON, or cut off"),
    (GOOD + b"}", "not JSON, or cut off"),
    (b"\xff\xfe" + GOOD, "not UTF-8 text"),
    (b"\xef\xbb\xbf" + GOOD, "not JSON"),
    (GOOD.decode().encode("utf-16"), "not UTF-8 text"),
    (b"\x00" * 100, "not JSON"),
    (b"\x80\x04\x95" + GOOD, "not UTF-8 text"),
    (b"[" * 1_000_000, "nested too deeply"),
    (b'{"a":' * 1_000_000, "nested too deeply"),
    (GOOD.replace(b'"score": [', b'"score": [NaN, ', 1), "NaN is not JSON"),
    (GOOD.replace(b'"score": [', b'"score": [-Infinity, ', 1), "-Infinity is not JSON"),
    (GOOD.replace(b'"score": [', b'"score": [1e400, ', 1), "1e400 is beyond the range of float64"),
    (GOOD.replace(b'"n_rows": [', b'"n_rows": [' + b"9" * 5000 + b", ", 1), "an integer of 5000 digits"),
    (GOOD.replace(b'"n_rows": [', b'"n_rows": [' + b"9" * 400 + b", ", 1), "n_rows has 16 entries"),
    (GOOD.replace(b'"criterion":', b'"criterion": "x", "criterion":', 1), "'criterion' is twice there"),
    (PACKED[:-10], "compressed file is damaged"),
    (PACKED[:30] + b"\x00\x00\x00" + PACKED[33:], "compressed file is damaged"),
    (b"\x1f\x8b", "compressed file is damaged"),
    (b"\x1f\x8b\x07" + PACKED[3:], "compressed file is damaged"),
]


@pytest.mark.parametrize(("data", "words"), FILES, ids=range(len(FILES)))
def test_damaged_files_are_refused(data, words, tmp_path):
    path = tmp_path / "tree.json"
    path.write_bytes(data)
    with pytest.raises(TreeFormatError, match=words) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_bombs_are_refused(tmp_path):
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(gzip.compress(b" " * 5_000_000))
    with pytest.raises(TreeFormatError, match="larger than 1000000 bytes"):
        load(path, max_bytes=1_000_000)
    every_kind().save(path)
    size = len(gzip.decompress(path.read_bytes()))
    assert load(path, max_bytes=size) == every_kind()
    with pytest.raises(TreeFormatError, match="pass a larger max_bytes"):
        load(path, max_bytes=size - 1)


def test_a_missing_file_is_a_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing.json")
    with pytest.raises(OSError):
        load(tmp_path)
