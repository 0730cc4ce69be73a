"""The answer: one immutable tree for every learner, with its splits, its checks and its file format."""

from __future__ import annotations

from boxwood.tree.builder import Node, TreeBuilder, build_tree, leaf, node
from boxwood.tree.check import check_tree
from boxwood.tree.errors import TreeError, TreeFormatError, UnknownCategoryError
from boxwood.tree.routing import Ends
from boxwood.tree.split import (
    ERROR,
    SPREAD,
    STOP,
    IsMissing,
    Kind,
    Multiway,
    Split,
    Subset,
    Surrogate,
    Threshold,
)
from boxwood.tree.state import FORMAT_VERSION
from boxwood.tree.tree import Tree, load

__all__ = [
    "Tree",
    "load",
    "check_tree",
    "Split",
    "Threshold",
    "Subset",
    "Multiway",
    "IsMissing",
    "Surrogate",
    "Kind",
    "STOP",
    "ERROR",
    "SPREAD",
    "Ends",
    "TreeBuilder",
    "Node",
    "build_tree",
    "leaf",
    "node",
    "TreeError",
    "TreeFormatError",
    "UnknownCategoryError",
    "FORMAT_VERSION",
]
