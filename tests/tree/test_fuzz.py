"""Whatever is done to a saved tree, it loads as a valid tree or is refused with `TreeFormatError`."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.tree import Tree, TreeFormatError, check_tree, persist
from tests.oracles.trees import tables, trees, without_errors
from tests.tree.examples import every_kind, regression, spread_and_surrogates

DOCUMENTS = [
    every_kind().with_extra("p", [0.5] * 15).to_dict(),
    regression().to_dict(),
    spread_and_surrogates().to_dict(),
]

junk = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 20),
    st.sampled_from([2**31, -(2**31) - 1, 2**63, 10**12, 10**18, 10**400]),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(
        ["stop", "error", "spread", "leaf", "threshold", "Infinity", "regression", "object", "int8"]
    ),
    st.builds(list),
    st.builds(dict),
    st.lists(st.integers(0, 3), max_size=3),
    st.just({"date": "2024-01-01"}),
)


def containers(document: Any) -> list[Any]:
    """Every dict and list in a document."""
    found, waiting = [], [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list) and item:
            found.append(item)
            waiting.extend(item.values() if isinstance(item, dict) else item)
    return found


def mutate(draw: st.DrawFn, document: Any) -> None:
    """Change one entry of a document: replace, remove, repeat, move or copy from elsewhere."""
    everything = containers(document)
    container = draw(st.sampled_from(everything))
    keys = list(container) if isinstance(container, dict) else list(range(len(container)))
    key = draw(st.sampled_from(keys))
    action = draw(st.sampled_from(["replace", "remove", "repeat", "swap", "copy"]))
    if action == "replace":
        container[key] = draw(junk)
    elif action == "remove":
        del container[key]
    elif action == "repeat":
        if isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        else:
            container[draw(st.text(max_size=3))] = copy.deepcopy(container[key])
    elif action == "swap":
        other = draw(st.sampled_from(keys))
        container[key], container[other] = container[other], container[key]
    else:
        container[key] = copy.deepcopy(draw(st.sampled_from(everything)))


@st.composite
def mutated(draw: st.DrawFn) -> Any:
    document = copy.deepcopy(draw(st.sampled_from(DOCUMENTS)))
    for _ in range(draw(st.integers(1, 4))):
        if containers(document):
            mutate(draw, document)
    return document


def load_or_refuse(document: Any) -> Tree | None:
    try:
        tree = Tree.from_dict(document)
    except TreeFormatError:
        return None
    check_tree(tree)
    assert Tree.from_dict(tree.to_dict()) == tree
    assert str(tree)
    return tree


@settings(max_examples=400)
@given(mutated())
def test_changed_documents(document):
    load_or_refuse(document)


@settings(max_examples=50)
@given(st.data())
def test_changed_documents_of_random_trees_that_load_can_route(data):
    document = data.draw(trees(max_splits=3)).to_dict()
    mutate(data.draw, document)
    tree = load_or_refuse(document)
    if tree is not None:
        tree = without_errors(tree)
        columns = data.draw(tables(tree, max_rows=3))
        assert tree.apply(columns).shape == columns[0].shape


TEXTS = [json.dumps(document).encode() for document in (DOCUMENTS[0], DOCUMENTS[2])]


@settings(max_examples=200)
@given(st.data())
def test_changed_bytes(data):
    text = bytearray(data.draw(st.sampled_from(TEXTS)))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 12))
        text[start : start + length] = data.draw(
            st.binary(max_size=6) | st.sampled_from([b"-", b"0", b",", b"]"])
        )
    try:
        document = persist.parse(bytes(text))
    except TreeFormatError:
        return
    load_or_refuse(document)


def test_the_documents_themselves_load():
    assert all(load_or_refuse(document) is not None for document in DOCUMENTS)
