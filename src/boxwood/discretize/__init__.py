"""Ranked thresholds: from a table with numbers to one with 0/1 columns, bins or codes.

A discretiser learns a ranked list of thresholds, ``thresholds_``, of which every prefix is a valid
binarisation, and then encodes tables with it. All of them take the tables that the trees take (numbers,
text, categories, dates, missing cells), give output columns readable names, and are scikit-learn
transformers.

>>> from boxwood.discretize import MID
>>> X = {"length": [1.4, 1.3, 4.7, 4.5], "colour": ["red", "blue", "blue", "blue"]}
>>> MID(n_thresholds=1).fit(X, ["a", "a", "b", "b"]).get_feature_names_out()
array(['colour = blue', 'colour = red', 'length <= 2.95'], dtype=object)
"""

from __future__ import annotations

from boxwood.discretize.chimerge import ChiMergeDiscretizer
from boxwood.discretize.equal_frequency import EqualFrequencyDiscretizer
from boxwood.discretize.equal_width import EqualWidthDiscretizer
from boxwood.discretize.mdlp import MDLPDiscretizer
from boxwood.discretize.mid import MID, MinimumImpurityDiscretizer
from boxwood.discretize.ranking import THRESHOLD, Pace, Ranking, rank_thresholds
from boxwood.discretize.transformer import Discretizer

DISCRETIZERS: dict[str, type[Discretizer]] = {
    "mid": MinimumImpurityDiscretizer,
    "mdlp": MDLPDiscretizer,
    "equal_frequency": EqualFrequencyDiscretizer,
    "equal_width": EqualWidthDiscretizer,
    "chimerge": ChiMergeDiscretizer,
}

__all__ = [
    "DISCRETIZERS",
    "MID",
    "THRESHOLD",
    "ChiMergeDiscretizer",
    "Discretizer",
    "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer",
    "MDLPDiscretizer",
    "MinimumImpurityDiscretizer",
    "Pace",
    "Ranking",
    "rank_thresholds",
]
