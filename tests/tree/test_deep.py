"""Trees of any depth and size: nothing recurses, nothing is quadratic."""

from __future__ import annotations

import json
import pickle
import sys
import time

import numpy as np

from boxwood.export import export_text
from boxwood.tree import Threshold, Tree, build_tree, check_tree, leaf, load, node
from tests.tree.examples import SCHEMA, balanced, chain

DEEP = chain(10_000)


def test_a_chain_of_20_000_nodes(tmp_path):
    assert DEEP.n_nodes == 20_001
    assert DEEP.depth == 10_000
    check_tree(DEEP)
    DEEP.save(tmp_path / "deep.json")
    again = load(tmp_path / "deep.json")
    assert again == DEEP
    assert hash(again) == hash(DEEP)
    assert pickle.loads(pickle.dumps(DEEP)) == DEEP
    assert repr(DEEP) == "Tree(classification, 10001 leaves, depth 10000, 1 feature, 2 classes)"
    assert DEEP.apply([np.array([-1.0, 1e9])]).tolist() == [19_999, 2]
    assert DEEP.feature_importances().tolist() == [1.0]


def test_a_chain_prints_in_full_and_in_linear_space():
    text = export_text(DEEP)
    lines = text.splitlines()
    assert len(lines) >= DEEP.n_nodes
    assert max(map(len, lines)) < 200
    assert "[10000] " in text
    assert export_text(DEEP, merge_same_answer=True) == text  # the last leaf differs from all others


def test_nested_nodes_of_any_depth():
    root = leaf([1, 0])
    for step in range(5 * sys.getrecursionlimit()):
        root = node(Threshold(0, float(step)), [root, leaf([0, 1])])
    tree = build_tree(root, SCHEMA, [0, 1])
    assert tree.depth == 5 * sys.getrecursionlimit()


def test_tens_of_thousands_of_nodes_take_seconds(tmp_path):
    tree = balanced(14)
    start = time.perf_counter()
    check_tree(tree)
    tree.save(tmp_path / "tree.json")
    assert load(tmp_path / "tree.json") == tree
    text = export_text(tree, merge_same_answer=True)
    elapsed = time.perf_counter() - start
    assert text.count("\n") > 5_000
    assert elapsed < 20, "this is a matter of a second, or of a quadratic algorithm"


def test_a_long_tree_prints_only_its_top():
    tree = balanced(12)
    text = str(tree)
    assert text.count("\n") < 1100
    assert "Shown down to depth 8 of 12." in text
    assert export_text(tree).count("\n") > tree.n_nodes


def test_a_wide_tree_still_prints_one_level():
    labels = list(range(1500))
    schema_document = {
        "named": True,
        "columns": [{"name": "c", "kind": "categorical", "values": "category", "categories": labels}],
    }
    n = 1501
    document = {
        "format": "boxwood-tree",
        "version": 1,
        "task": "classification",
        "criterion": "gini",
        "missing": "learn",
        "unknown_category": "stop",
        "schema": schema_document,
        "classes": {"dtype": "int64", "labels": [0]},
        "n_nodes": n,
        "nodes": {
            "kind": ["multiway"] + ["leaf"] * 1500,
            "feature": [0] + [None] * 1500,
            "threshold": [None] * n,
            "categories": [[[code] for code in labels]] + [None] * 1500,
            "missing_branch": ["stop"] + [None] * 1500,
            "unknown_branch": ["stop"] + [None] * 1500,
            "first_child": [1] + [None] * 1500,
            "n_children": [1500] + [0] * 1500,
            "n_rows": [1500] + [1] * 1500,
            "weight": [1500] + [1] * 1500,
            "impurity": [0] * n,
            "score": [None] * n,
            "counts": [[1500]] + [[1]] * 1500,
        },
        "extra": {},
    }
    tree = Tree.from_dict(json.loads(json.dumps(document)))
    assert str(tree).count("c = ") == 1500
