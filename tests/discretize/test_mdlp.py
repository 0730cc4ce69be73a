"""MDLP finds the cuts that a plain recursion finds."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from sklearn.datasets import load_iris

from boxwood.data import Dataset
from boxwood.discretize import MDLPDiscretizer
from boxwood.discretize.ranking import rank_thresholds
from tests.discretize.tables import datasets
from tests.oracles import naive_mdlp


def expected_cuts(dataset: Dataset, place: int) -> list[float]:
    column = dataset.columns[place]
    rows = zip(column.tolist(), dataset.target.tolist(), dataset.weights.tolist(), strict=True)
    return naive_mdlp.cut_points([row for row in rows if not np.isnan(row[0])])


@settings(max_examples=200)
@given(dataset=datasets(max_rows=60))
def test_the_cuts_are_those_of_the_recursion(dataset: Dataset) -> None:
    found = rank_thresholds(dataset, refusal="interval", others=False).thresholds
    for place in range(dataset.n_features):
        mine = np.sort(found["threshold"][found["feature"] == place])
        assert mine.tolist() == expected_cuts(dataset, place)


def test_iris() -> None:
    """The cuts of the petal, which every implementation of the method agrees about."""
    iris = load_iris()
    mdlp = MDLPDiscretizer().fit(iris.data, iris.target)
    cuts = {place: [] for place in range(4)}
    for entry in mdlp.thresholds_:
        cuts[int(entry["feature"])].append(float(entry["threshold"]))
    assert [round(cut, 6) for cut in sorted(cuts[2])] == [2.45, 4.75]
    assert [round(cut, 6) for cut in sorted(cuts[3])] == [0.8, 1.75]
    gains = mdlp.thresholds_["gain"]
    assert np.all(gains[:-1] >= gains[1:])


def test_noise_is_not_cut() -> None:
    rng = np.random.default_rng(0)
    mdlp = MDLPDiscretizer(encode="ordinal").fit(rng.random((500, 2)), rng.integers(0, 2, 500))
    assert len(mdlp.thresholds_) == 0
    assert not mdlp.transform(rng.random((5, 2))).any()
