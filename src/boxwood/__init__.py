"""Decision trees for the tables that people really have: exact, fast, deterministic.

>>> import boxwood
>>> X = {"size": [1.5, 2.0, None, 4.5], "colour": ["red", "red", "blue", "blue"]}
>>> classifier = boxwood.TreeClassifier().fit(X, ["no", "no", "yes", "yes"])
>>> classifier.predict({"size": [4.0], "colour": ["blue"]})
array(['yes'], dtype='<U3')
"""

from __future__ import annotations

from boxwood._version import __version__
from boxwood.aggregate import AggregateFeatures
from boxwood.data import Column, Dataset, Schema, load_penguins, make_dataset
from boxwood.data.readers import CsvImporter, LoadedTable, ReadColumn, read_table
from boxwood.discretize import (
    MID,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    MinimumImpurityDiscretizer,
)
from boxwood.estimators import (
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
    OptimalTreeClassifier,
    TreeClassifier,
    TreeRegressor,
    certify,
    prune,
)
from boxwood.export import export_text, from_sklearn, to_sklearn
from boxwood.grow import GrowOptions, grow_tree
from boxwood.rules import RuleSet, rules
from boxwood.search import split_categories
from boxwood.tree import Tree, check_tree, load

__all__ = [
    "TreeClassifier",
    "TreeRegressor",
    "CARTClassifier",
    "OptimalTreeClassifier",
    "C45Classifier",
    "ID3Classifier",
    "certify",
    "prune",
    "Tree",
    "load",
    "check_tree",
    "export_text",
    "from_sklearn",
    "to_sklearn",
    "rules",
    "RuleSet",
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
    "AggregateFeatures",
    "load_penguins",
    "read_table",
    "LoadedTable",
    "ReadColumn",
    "CsvImporter",
    "__version__",
]
