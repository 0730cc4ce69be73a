"""Decision trees for the tables that people really have: exact, fast, deterministic.

>>> import boxwood
>>> X = {"size": [1.5, 2.0, None, 4.5], "colour": ["red", "red", "blue", "blue"]}
>>> classifier = boxwood.TreeClassifier().fit(X, ["no", "no", "yes", "yes"])
>>> classifier.predict({"size": [4.0], "colour": ["blue"]})
array(['yes'], dtype='<U3')
"""

from __future__ import annotations

from boxwood._version import __version__
from boxwood.data import Column, Dataset, Schema, load_penguins, make_dataset
from boxwood.discretize import (
    MID,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MinimumImpurityDiscretizer,
)
from boxwood.estimators import OptimalTreeClassifier, TreeClassifier, TreeRegressor, certify
from boxwood.export import export_text
from boxwood.grow import GrowOptions, grow_tree
from boxwood.search import split_categories
from boxwood.tree import Tree, check_tree, load

__all__ = [
    "TreeClassifier",
    "TreeRegressor",
    "OptimalTreeClassifier",
    "certify",
    "Tree",
    "load",
    "check_tree",
    "export_text",
    "Column",
    "Dataset",
    "Schema",
    "make_dataset",
    "GrowOptions",
    "grow_tree",
    "split_categories",
    "MinimumImpurityDiscretizer",
    "MID",
    "MDLPDiscretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "ChiMergeDiscretizer",
    "load_penguins",
    "__version__",
]
