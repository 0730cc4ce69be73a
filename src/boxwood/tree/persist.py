"""Trees as JSON documents: readable by people, safe to read from strangers.

The problem: a saved tree must load in every later version, must be readable without this library, and must
not be able to hurt whoever loads it. The idea: one documented, versioned format (``docs/tree-format.md``)
that holds a structure of arrays, like the tree in memory; numbers, strings and lists only; no code, no class
names, nothing that is executed.

Reading distrusts everything. A document is taken apart by `state_from_document` with every type and every
length verified before an array is made (a claim of 10¹² nodes costs nothing, since the arrays are as long
as the lists that are really there), and the tree that comes out is checked by `check_tree` like any other.
Whatever is wrong, the answer is a `TreeFormatError`, and never anything else: not for truncated files, other
encodings, keys given twice, NaN tokens, numbers beyond float64, integers of a million digits, or ten
thousand opening brackets.

Floats are written with the fewest digits that give back the same float64, so nothing is lost; whole numbers
are written without ``.0``. NaN is ``null``.
"""

from __future__ import annotations

import gzip
import itertools
import json
import math
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boxwood.tree import arrays
from boxwood.tree.errors import TreeFormatError
from boxwood.tree.labels import MAX_DIGITS, labels_from_json, labels_to_json, value_from_json, value_to_json
from boxwood.tree.split import ERROR, SPREAD, STOP, Kind
from boxwood.tree.state import FORMAT_VERSION, State, check_version, plain_schema

if TYPE_CHECKING:
    from boxwood.tree.tree import Tree

FORMAT = "boxwood-tree"

MAX_BYTES = 2**30
"""Files that are larger, decompressed, are only read by those who ask for it."""

_KIND_NAMES = {kind: kind.name.lower() for kind in Kind}
_KINDS = {name: kind for kind, name in _KIND_NAMES.items()}
_SPECIAL_BRANCHES = {"stop": STOP, "error": ERROR, "spread": SPREAD}
_BRANCH_NAMES = {branch: name for name, branch in _SPECIAL_BRANCHES.items()}
_SPECIAL_FLOATS = {"Infinity": math.inf, "-Infinity": -math.inf}


# ---------------------------------------------------------------------------------------------- writing


def document(tree: Tree) -> dict[str, Any]:
    """The tree as a document: dicts, lists, strings, numbers, booleans and None only."""
    regression = tree.classes is None
    inner = (tree.kind != Kind.LEAF).tolist()
    nodes: dict[str, Any] = {
        "kind": [_KIND_NAMES[Kind(kind)] for kind in tree.kind.tolist()],
        "feature": _where(inner, tree.feature.tolist()),
        "threshold": _where((tree.kind == Kind.THRESHOLD).tolist(), _floats(tree.threshold)),
        "categories": [_groups(tree, node) for node in range(tree.n_nodes)],
        "missing_branch": _where(inner, _branches(tree.missing_branch)),
        "unknown_branch": _where((tree.kind > Kind.THRESHOLD).tolist(), _branches(tree.unknown_branch)),
        "surrogates": _surrogates(tree),
        "first_child": _where(inner, tree.first_child.tolist()),
        "n_children": tree.n_children.tolist(),
        "n_rows": tree.n_rows.tolist(),
        "weight": _floats(tree.weight),
        "impurity": _floats(tree.impurity),
        "score": _floats(tree.score),
    }
    for name in arrays.REGRESSION if regression else arrays.CLASSIFICATION:
        nodes[name] = _floats(getattr(tree, name))
    schema = plain_schema(tree.schema)
    for column in schema["columns"]:
        column["categories"] = [value_to_json(category) for category in column["categories"]]
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "task": "regression" if regression else "classification",
        "criterion": tree.criterion,
        "missing": tree.missing,
        "unknown_category": tree.unknown_category,
        "schema": schema,
        "classes": None if tree.classes is None else labels_to_json(tree.classes),
        "n_nodes": tree.n_nodes,
        "nodes": nodes,
        "extra": {name: _floats(column) for name, column in tree.extra.items()},
    }


def _where(keep: list[bool], values: list[Any]) -> list[Any]:
    return [value if kept else None for kept, value in zip(keep, values, strict=True)]


def _floats(array: NDArray[np.float64]) -> list[Any]:
    """Floats as JSON numbers: whole ones without a point, NaN as None, infinities by name."""
    values = array.ravel().tolist()
    written = [
        int(value)
        if value.is_integer() and abs(value) < 2**53 and (value or math.copysign(1.0, value) > 0)
        else value
        if math.isfinite(value)
        else None
        if math.isnan(value)
        else ("Infinity" if value > 0 else "-Infinity")
        for value in values
    ]
    if array.ndim == 1:
        return written
    width = array.shape[1]
    return [written[start : start + width] for start in range(0, len(written), width)]


def _branches(array: NDArray[np.int32]) -> list[Any]:
    return [_BRANCH_NAMES.get(branch, branch) for branch in array.tolist()]


def _groups(tree: Tree, node: int) -> list[list[int]] | None:
    start, end = tree.category_offset[node], tree.category_offset[node + 1]
    if start == end:
        return None
    groups: list[list[int]] = [[] for _ in range(tree.n_children[node])]
    pairs = zip(tree.category_code[start:end].tolist(), tree.category_branch[start:end].tolist(), strict=True)
    for code, branch in pairs:
        groups[branch].append(code)
    return groups


def _surrogates(tree: Tree) -> list[list[dict[str, Any]] | None]:
    """Per node the list of its surrogates; null where there are none."""
    written: list[dict[str, Any]] = []
    codes, branches = tree.surrogate_category_code.tolist(), tree.surrogate_category_branch.tolist()
    starts, thresholds = tree.surrogate_category_offset.tolist(), _floats(tree.surrogate_threshold)
    flipped, agreement = tree.surrogate_flipped.tolist(), _floats(tree.surrogate_agreement)
    for s, feature in enumerate(tree.surrogate_feature.tolist()):
        places = range(starts[s], starts[s + 1])
        test: dict[str, Any] = {"threshold": thresholds[s], "flipped": bool(flipped[s])}
        if places:
            test = {"categories": [[codes[k] for k in places if branches[k] == side] for side in (0, 1)]}
        written.append({"feature": feature, **test, "agreement": agreement[s]})
    ends = tree.surrogate_offset.tolist()
    return [written[start:end] or None for start, end in itertools.pairwise(ends)]


def write(document: dict[str, Any], path: str | os.PathLike[str]) -> None:
    """Write a document to a file, compressed if its name ends in ``.gz``; equal trees give equal bytes."""
    text = "".join(_lines(document))
    try:
        data = text.encode()
    except UnicodeEncodeError:  # half a surrogate pair in a name: written as an escape
        data = "".join(_lines(document, ensure_ascii=True)).encode()
    target = Path(path)
    target.write_bytes(gzip.compress(data, mtime=0) if target.suffix == ".gz" else data)


def _lines(document: dict[str, Any], *, ensure_ascii: bool = False) -> Iterator[str]:
    """JSON with one line per array and per column, so that people can read it and diffs mean something."""

    def dump(value: object) -> str:
        return json.dumps(value, ensure_ascii=ensure_ascii, allow_nan=False)

    def body(entries: dict[str, Any], indent: str) -> Iterator[str]:
        for i, (key, value) in enumerate(entries.items()):
            yield f"{',' if i else ''}\n{indent}{dump(key)}: "
            if key in ("schema", "nodes", "extra") and indent == "  ":
                yield "{"
                yield from body(value, indent + "  ")
                yield f"\n{indent}}}"
            elif key == "columns":
                yield "["
                yield ",".join(f"\n{indent}  {dump(column)}" for column in value)
                yield f"\n{indent}]"
            else:
                yield dump(value)

    yield "{"
    yield from body(document, "  ")
    yield "\n}\n"


# ---------------------------------------------------------------------------------------------- reading


def read(path: str | os.PathLike[str], max_bytes: int = MAX_BYTES) -> Any:
    """The JSON in a file (compressed or not), or `TreeFormatError`."""
    with open(path, "rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            if compressed:
                with gzip.GzipFile(fileobj=file) as unpacked:
                    data = unpacked.read(max_bytes + 1)
            else:
                data = file.read(max_bytes + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise TreeFormatError(f"the compressed file is damaged ({error})") from None
    if len(data) > max_bytes:
        raise TreeFormatError(f"it is larger than {max_bytes} bytes: pass a larger max_bytes if you trust it")
    return parse(data)


def parse(data: bytes) -> Any:
    """JSON in UTF-8 as Python values, refusing what JSON proper does not have.

    >>> parse(b'{"a": [1, 2.5, null]}')
    {'a': [1, 2.5, None]}
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise TreeFormatError(f"it is not UTF-8 text (byte {error.start})") from None
    try:
        return json.loads(
            text,
            parse_float=_parse_float,
            parse_int=_parse_int,
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique_keys,
        )
    except json.JSONDecodeError as error:
        raise TreeFormatError(f"it is not JSON, or cut off ({error})") from None
    except RecursionError:
        raise TreeFormatError("it is nested too deeply") from None


def _parse_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise TreeFormatError(f"{text:.40} is beyond the range of float64")
    return value


def _parse_int(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise TreeFormatError(f"an integer of {len(text)} digits")
    return int(text)


def _refuse_constant(text: str) -> float:
    raise TreeFormatError(f"{text} is not JSON")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise TreeFormatError(f"the key {key!r:.40} is twice there")
        result[key] = value
    return result


def state_from_document(document: object) -> State:
    """The state that a document describes, with every type and length verified."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise TreeFormatError(f'it is not a saved tree (no "format": "{FORMAT}")')
    return _READERS[check_version(document.get("version"))](document)


def _read_version_1(document: dict[str, Any]) -> State:
    """Without surrogates, and without rows that are spread."""
    return _read_document(document, version=1)


def _read_version_2(document: dict[str, Any]) -> State:
    return _read_document(document, version=2)


def _read_document(document: dict[str, Any], version: int) -> State:
    keys = ("format", "version", "task", "criterion", "missing", "unknown_category", "schema", "classes")
    _keys(document, (*keys, "n_nodes", "nodes", "extra"), "the document")
    regression = document["task"] == "regression"
    if not regression and document["task"] != "classification":
        raise TreeFormatError(f"there is no task {document['task']!r:.40}")
    for key in ("criterion", "missing", "unknown_category"):
        _typed(document[key], str, key)
    classes = document["classes"]
    if regression:
        if classes is not None:
            raise TreeFormatError("a regression tree has classes")
    else:
        _keys(classes, ("dtype", "labels"), "classes")
        classes = labels_from_json(classes["dtype"], classes["labels"])
    n = _typed(document["n_nodes"], int, "n_nodes")
    extra = _typed(document["extra"], dict, "extra")
    return {
        "version": version,
        "criterion": document["criterion"],
        "missing": document["missing"],
        "unknown_category": document["unknown_category"],
        "schema": _read_schema(document["schema"]),
        "classes": classes,
        "arrays": _read_nodes(document["nodes"], n, None if regression else len(classes), version),
        "extra": {name: _read_floats(column, n, name, special=True) for name, column in extra.items()},
    }


_READERS = {1: _read_version_1, 2: _read_version_2}
"""A reader for every format version that there ever was."""


def _read_schema(schema: object) -> dict[str, Any]:
    known = _keys(schema, ("named", "columns"), "schema")
    columns = []
    for column in _typed(known["columns"], list, "columns"):
        _keys(column, ("name", "kind", "values", "categories"), "a column")
        name = _typed(column["name"], str, "the name of a column")
        categories = [value_from_json(value) for value in _typed(column["categories"], list, "categories")]
        for key in ("kind", "values"):
            _typed(column[key], str, f"the {key} of column {name!r:.40}")
        columns.append(
            {"name": name, "kind": column["kind"], "values": column["values"], "categories": categories}
        )
    return {"named": _typed(known["named"], bool, "named"), "columns": columns}


def _read_nodes(nodes: object, n: int, n_classes: int | None, version: int) -> dict[str, NDArray[Any]]:
    """The node arrays, refilled where the document has null because a node has no such thing."""
    names = ("kind", "feature", "threshold", "categories", "missing_branch", "unknown_branch", "first_child")
    later = ("surrogates",) if version > 1 else ()
    content = ("n_children", "n_rows", "weight", "impurity", "score")
    task = arrays.CLASSIFICATION if n_classes is not None else arrays.REGRESSION
    known = _keys(nodes, (*names, *later, *content, *task), "nodes")
    kind_names = _list(known["kind"], n, "kind")
    if any(type(name) is not str or name not in _KINDS for name in kind_names):
        raise TreeFormatError("kind: there are only " + ", ".join(_KINDS))
    kind = np.array([_KINDS[name] for name in kind_names], dtype=np.int8)
    leaf = kind == Kind.LEAF
    threshold = kind == Kind.THRESHOLD

    special = {name: branch for name, branch in _SPECIAL_BRANCHES.items() if version > 1 or branch != SPREAD}
    missing = _read_branches(known["missing_branch"], n, "missing_branch", leaf, special)
    unknown = _read_branches(known["unknown_branch"], n, "unknown_branch", leaf | threshold, special)
    n_children = _read_ints(known["n_children"], n, "n_children", np.int32)
    offset, code, branch = _read_categories(known["categories"], kind, n_children)
    thresholds = _read_floats(known["threshold"], n, "threshold", absent=~threshold)
    result: dict[str, NDArray[Any]] = {
        "kind": kind,
        "feature": _read_ints(known["feature"], n, "feature", np.int32, leaf, arrays.LEAF_FEATURE),
        "threshold": np.where(leaf, arrays.LEAF_THRESHOLD, thresholds),
        "first_child": _read_ints(known["first_child"], n, "first_child", np.int32, leaf, arrays.LEAF_CHILD),
        "n_children": n_children,
        "missing_branch": missing,
        "unknown_branch": np.where(threshold, missing, unknown),
        "category_offset": offset,
        "category_code": code,
        "category_branch": branch,
        "n_rows": _read_ints(known["n_rows"], n, "n_rows", np.int64),
        "weight": _read_floats(known["weight"], n, "weight"),
        "impurity": _read_floats(known["impurity"], n, "impurity"),
        "score": _read_floats(known["score"], n, "score", special=True),
    }
    if version > 1:
        result |= _read_surrogates(known["surrogates"], n)
    if n_classes is not None:
        result["counts"] = _read_table(known["counts"], n, n_classes, "counts")
    else:
        result["sums"] = _read_table(known["sums"], n, 3, "sums")
        result["answer"] = _read_floats(known["answer"], n, "answer")
    return result


def _read_ints(
    values: object,
    n: int,
    name: str,
    dtype: type[np.signedinteger[Any]],
    absent: NDArray[np.bool_] | None = None,
    fill: int = 0,
) -> NDArray[Any]:
    """A list of n integers; exactly where `absent`, null, which becomes `fill`."""
    numbers = _list(values, n, name)
    if absent is not None:
        numbers = _filled(numbers, absent, name, fill)
    if not set(map(type, numbers)) <= {int}:
        raise TreeFormatError(f"{name} holds something else than integers")
    limits = np.iinfo(dtype)
    if numbers and not limits.min <= min(numbers) <= max(numbers) <= limits.max:
        raise TreeFormatError(f"{name} holds an integer that is out of range")
    return np.array(numbers, dtype=dtype)


def _read_floats(
    values: object, n: int, name: str, *, special: bool = False, absent: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """A list of n numbers; null where `absent`; with `special`, null (NaN) and named infinities anywhere."""
    numbers = _list(values, n, name)
    if absent is not None:
        numbers = _filled(numbers, absent, name, math.nan)
    if special:
        numbers = [
            math.nan
            if number is None
            else _SPECIAL_FLOATS.get(number, number)
            if type(number) is str
            else number
            for number in numbers
        ]
    return _as_floats(numbers, name)


def _read_table(rows: object, n: int, width: int, name: str) -> NDArray[np.float64]:
    table = _list(rows, n, name)
    if any(type(row) is not list or len(row) != width for row in table):
        raise TreeFormatError(f"{name} is not a list of lists of {width} numbers")
    return _as_floats(list(itertools.chain.from_iterable(table)), name).reshape(n, width)


def _as_floats(numbers: list[Any], name: str) -> NDArray[np.float64]:
    if not set(map(type, numbers)) <= {int, float}:
        raise TreeFormatError(f"{name} holds something else than numbers")
    try:
        return np.array(numbers, dtype=np.float64)
    except OverflowError:
        raise TreeFormatError(f"{name} holds a number beyond the range of float64") from None


def _read_branches(
    values: object, n: int, name: str, absent: NDArray[np.bool_], special: dict[str, int]
) -> NDArray[Any]:
    """A list of branches: numbers, or the names of special ones."""
    branches = []
    for value in _list(values, n, name):
        if type(value) is int and value < 0:
            raise TreeFormatError(f"{name} holds {value}: branches are counted from 0")
        branches.append(special.get(value, value) if type(value) is str else value)
    return _read_ints(branches, n, name, np.int32, absent, STOP)


def _read_categories(
    values: object, kind: NDArray[np.int8], n_children: NDArray[Any]
) -> tuple[NDArray[np.int64], NDArray[Any], NDArray[Any]]:
    """Per node null, or for each of its branches the list of its category codes."""
    offset = [0]
    codes: list[int] = []
    branches: list[int] = []
    listed = ((kind == Kind.SUBSET) | (kind == Kind.MULTIWAY)).tolist()
    for node, groups in enumerate(_list(values, kind.size, "categories")):
        if not listed[node]:
            if groups is not None:
                raise TreeFormatError(
                    f"categories: node {node} does not split by category, so null belongs here"
                )
        elif (
            type(groups) is not list
            or len(groups) != n_children[node]
            or any(type(group) is not list or not set(map(type, group)) <= {int} for group in groups)
        ):
            raise TreeFormatError(f"categories: node {node} needs a list of category codes for each branch")
        else:
            pairs = sorted((code, branch) for branch, group in enumerate(groups) for code in group)
            codes.extend(code for code, _ in pairs)
            branches.extend(branch for _, branch in pairs)
        offset.append(len(codes))
    return (
        np.array(offset, dtype=np.int64),
        _read_ints(codes, len(codes), "categories", np.int32),
        np.array(branches, dtype=np.int32),
    )


def _read_surrogates(values: object, n: int) -> dict[str, NDArray[Any]]:
    """Per node null, or a list of at least one surrogate."""
    offset = [0]
    every: list[Any] = []
    for node, listed in enumerate(_list(values, n, "surrogates")):
        if listed is not None:
            if type(listed) is not list or not listed:
                raise TreeFormatError(f"surrogates: node {node} needs null, or a list of surrogates")
            every.extend(listed)
        offset.append(len(every))
    features, thresholds, flipped, agreement = [], [], [], []
    starts, codes, branches = [0], list[Any](), list[int]()
    for surrogate in every:
        by_category = type(surrogate) is dict and "categories" in surrogate
        tests = ("categories",) if by_category else ("threshold", "flipped")
        known = _keys(surrogate, ("feature", *tests, "agreement"), "a surrogate")
        features.append(known["feature"])
        agreement.append(known["agreement"])
        flipped.append(False if by_category else _typed(known["flipped"], bool, "flipped"))
        thresholds.append(math.nan if by_category else known["threshold"])
        groups = known["categories"] if by_category else [[], []]
        if (
            type(groups) is not list
            or len(groups) != 2
            or any(type(group) is not list or not set(map(type, group)) <= {int} for group in groups)
        ):
            raise TreeFormatError("the categories of a surrogate are two lists of category codes")
        pairs = sorted((code, side) for side, group in enumerate(groups) for code in group)
        codes.extend(code for code, _ in pairs)
        branches.extend(side for _, side in pairs)
        starts.append(len(codes))
    size = len(every)
    return {
        "surrogate_offset": np.array(offset, dtype=np.int64),
        "surrogate_feature": _read_ints(features, size, "the feature of a surrogate", np.int32),
        "surrogate_threshold": _as_floats(thresholds, "the threshold of a surrogate"),
        "surrogate_flipped": np.array(flipped, dtype=np.int8),
        "surrogate_agreement": _as_floats(agreement, "the agreement of a surrogate"),
        "surrogate_category_offset": np.array(starts, dtype=np.int64),
        "surrogate_category_code": _read_ints(codes, len(codes), "the categories of a surrogate", np.int32),
        "surrogate_category_branch": np.array(branches, dtype=np.int32),
    }


def _keys(value: object, wanted: tuple[str, ...], name: str) -> dict[str, Any]:
    known: dict[str, Any] = _typed(value, dict, name)
    lacking = [key for key in wanted if key not in known]
    strange = [key for key in known if key not in wanted]
    if lacking or strange:
        what = f"lacks {lacking[0]!r}" if lacking else f"has an unknown key {strange[0]!r:.40}"
        raise TreeFormatError(f"{name} {what}")
    return known


def _typed(value: object, kind: type, name: str) -> Any:
    if type(value) is not kind:
        raise TreeFormatError(
            f"{name} is of type {type(value).__name__}, and must be of type {kind.__name__}"
        )
    return value


def _list(values: object, n: int, name: str) -> list[Any]:
    known: list[Any] = _typed(values, list, name)
    if len(known) != n:
        raise TreeFormatError(f"{name} has {len(known)} entries, and there are {n!s:.40} nodes")
    return known


def _filled(values: list[Any], absent: NDArray[np.bool_], name: str, fill: float) -> list[Any]:
    filled = []
    for node, (value, empty) in enumerate(zip(values, absent.tolist(), strict=True)):
        if (value is None) != empty:
            raise TreeFormatError(f"{name}: node {node} needs {'null' if empty else 'a value'} here")
        filled.append(fill if empty else value)
    return filled
