import io
import pickle
import pickletools

import joblib
import numpy as np
import pytest
from hypothesis import given, settings

from boxwood.tree import Tree, TreeFormatError, build_tree, leaf, state
from tests.oracles.trees import trees
from tests.tree.examples import SCHEMA, balanced, every_kind, regression, spread_and_surrogates, stump, table


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("tree", [stump(), every_kind(), regression(), spread_and_surrogates()], ids=repr)
def test_pickles(tree, protocol):
    again = pickle.loads(pickle.dumps(tree, protocol=protocol))
    assert again == tree
    assert not again.weight.flags.writeable


@settings(max_examples=30)
@given(trees(regression=None))
def test_any_tree_is_pickled(tree):
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_routing_is_not_pickled_but_works_again():
    tree = every_kind()
    before = pickle.dumps(tree)
    columns = table((2.0, 2, 0), (1.0, 0, 0))
    ends = tree.apply(columns)
    assert pickle.dumps(tree) == before
    assert np.array_equal(pickle.loads(before).apply(columns), ends)


def test_the_state_is_plain_and_versioned():
    found = every_kind().with_extra("p", np.zeros(15)).__getstate__()
    assert found["version"] == state.FORMAT_VERSION
    waiting, kinds = [found], set()
    while waiting:
        item = waiting.pop()
        kinds.add(type(item))
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)
    assert {kind.__module__ for kind in kinds} == {"builtins", "numpy", "datetime"}
    # The only name of ours in a pickle is that of the class itself.
    strings = [
        argument for _, argument, _ in pickletools.genops(pickle.dumps(stump())) if isinstance(argument, str)
    ]
    assert {name for name in strings if "boxwood" in name} == {"boxwood.tree.tree"}


def test_labels_of_any_type_are_pickled():
    labels = np.array([(1, 2), frozenset("ab"), b"bytes"], dtype=object)
    tree = build_tree(leaf([1, 1, 1]), SCHEMA, labels)
    assert pickle.loads(pickle.dumps(tree)) == tree


def test_joblib(tmp_path):
    tree = balanced(10)
    joblib.dump(tree, tmp_path / "tree.joblib")
    assert joblib.load(tmp_path / "tree.joblib") == tree
    mapped = joblib.load(tmp_path / "tree.joblib", mmap_mode="r")
    assert mapped == tree
    buffer = io.BytesIO()
    joblib.dump(tree, buffer, compress=3)
    buffer.seek(0)
    assert joblib.load(buffer) == tree


def test_older_states_are_upgraded(monkeypatch):
    old = stump().__getstate__()
    old["version"] = 0
    old["measure"] = old.pop("criterion")

    def from_version_0(found: state.State) -> state.State:
        return {
            **{k: v for k, v in found.items() if k != "measure"},
            "criterion": found["measure"],
            "version": 1,
        }

    with pytest.raises(TreeFormatError, match="no format version 0"):
        restored(old)
    monkeypatch.setitem(state.UPGRADES, 0, from_version_0)
    assert restored(old) == stump()


def restored(found: state.State) -> Tree:
    tree = object.__new__(Tree)
    tree.__setstate__(found)
    return tree


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"version": 3}, "written by a newer boxwood"),
        ({"version": None}, "no format version None"),
        ({"arrays": {}}, "the tree is damaged: these arrays are lacking"),
        ({"criterion": None}, "the tree is damaged: criterion is None"),
        ({"schema": {"named": True, "columns": []}}, "the tree is damaged: the schema has no columns"),
        ({"classes": np.array(["no"])}, "the tree is damaged: counts has shape"),
    ],
)
def test_damaged_states_are_refused(change, words):
    with pytest.raises(TreeFormatError, match=words):
        restored({**stump().__getstate__(), **change})
    with pytest.raises(TreeFormatError, match="damaged: 'schema'"):
        restored({k: v for k, v in stump().__getstate__().items() if k != "schema"})
