"""``categorical_split`` in estimators: every search grows valid trees, and what it cannot take is refused."""

from __future__ import annotations

import itertools
from typing import Any
from zlib import crc32

import numpy as np
import pandas as pd
import pytest

import boxwood
from boxwood import GrowOptions, TreeClassifier, TreeRegressor, make_dataset
from boxwood.criteria import CRITERIA, Impurity
from boxwood.grow import grow_tree
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.search.categorical import GROUPINGS
from boxwood.select import SELECT

SEARCHES = [name for name in GROUPINGS if name != "ordered"] + ["one_vs_rest"]
EVERY = ["auto", *SEARCHES, "multiway"]


def table_of(
    n_rows: int = 400, n_values: int = 14, n_classes: int = 5, seed: int = 0
) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    place = rng.integers(0, n_values, n_rows)
    of_place = rng.dirichlet(np.ones(n_classes) * 0.4, n_values)
    y = np.array([rng.choice(n_classes, p=of_place[p]) for p in place])
    names = np.array([f"place {p}" for p in place], dtype=object)
    names[rng.random(n_rows) < 0.1] = None
    return pd.DataFrame({"place": names, "size": rng.normal(size=n_rows) + (y == 2)}), y


@pytest.mark.parametrize("search", EVERY)
@pytest.mark.parametrize("missing", ["learn", "branch"])
def test_every_search_grows_a_tree_that_learns(search: str, missing: str) -> None:
    X, y = table_of()
    classifier = TreeClassifier(
        categorical_split=search, missing=missing, min_samples_leaf=3, max_depth=6
    ).fit(X, y)
    boxwood.check_tree(classifier.tree_)
    assert classifier.score(X, y) > (0.4 if search == "one_vs_rest" else 0.5)
    assert (np.asarray(classifier.tree_.n_rows) >= 3).all()
    expected = classifier.predict(X)
    order = np.random.default_rng(1).permutation(len(y))
    again = TreeClassifier(
        categorical_split=search, missing=missing, min_samples_leaf=3, max_depth=6, n_jobs=2
    )
    assert (again.fit(X.iloc[order], y[order]).predict(X) == expected).all()


@pytest.mark.parametrize("search", EVERY)
def test_the_names_of_the_categories_do_not_matter(search: str) -> None:
    X, y = table_of(seed=3)
    names = {name: f"{crc32(name.encode()):08x} {name}" for name in X["place"].dropna().unique()}
    renamed = X.assign(place=X["place"].map(names))
    trees = [TreeClassifier(categorical_split=search, max_depth=4).fit(x, y) for x in (X, renamed)]
    assert (trees[0].predict_proba(X) == trees[1].predict_proba(renamed)).all()


@pytest.mark.parametrize("search", ["auto", *SEARCHES])
def test_a_split_is_scored_by_the_judge_and_no_better_than_exact(search: str) -> None:
    X, y = table_of(n_values=9, seed=4)
    X = X[["place"]].fillna("none")
    tree = TreeClassifier(categorical_split=search, max_depth=1).fit(X, y).tree_
    counts = pd.crosstab(X["place"], y).to_numpy(float)
    node = boxwood.criteria.CRITERIA["gini"].impurity(counts.sum(axis=0))
    _, impurity = boxwood.split_categories(counts, method=search)
    assert float(tree.score[0]) == pytest.approx(float(node) - impurity, abs=1e-12)
    _, least = boxwood.split_categories(counts, method="exact")
    assert float(tree.score[0]) <= float(node) - least + 1e-12


@pytest.mark.parametrize("search", ["one_vs_rest", "multiway"])
@pytest.mark.parametrize("numbers", [False, True])
def test_names_do_not_break_ties(search: str, numbers: bool) -> None:
    """Tables full of ties. The category with the lowest name was split off, or took the missing rows: a table
    of three pure categories gave another class its leaf as soon as one of them was renamed.
    """
    rng = np.random.default_rng(9)
    for _ in range(20):
        n_values = int(rng.integers(2, 5))
        counts = np.unique(rng.integers(0, 3, (n_values, 3)), axis=0)  # no two categories are alike
        counts = counts[counts.sum(axis=1) > 0]
        if numbers:  # nor have two of them the same mean and the same number of rows
            counts = counts[np.unique(counts @ [10, 1, -11] * 100 + counts.sum(axis=1), return_index=True)[1]]
        place, y = np.nonzero(counts)
        place, y = np.repeat(place, counts[place, y]), np.repeat(y, counts[place, y])
        place, y = np.append(place, [-1, -1, -1]), np.append(y, [0, 1, 2])  # missing
        answers = set()
        for names in itertools.permutations("abcdef"[: len(counts)]):
            X = pd.DataFrame({"place": [names[p] if p >= 0 else None for p in place]})
            kind = TreeRegressor if numbers else TreeClassifier
            tree = kind(categorical_split=search, max_depth=1).fit(X, np.array([10, 1, -11])[y])
            found = tree.predict(X) if numbers else tree.predict_proba(X)
            answers.add(tuple(np.round(found, 9).ravel().tolist()))
        assert len(answers) == 1


@pytest.mark.parametrize("search", EVERY)
def test_weights_equal_repetition(search: str) -> None:
    X, y = table_of(n_rows=150, seed=5)
    weight = np.random.default_rng(0).integers(0, 4, len(y))
    once = TreeClassifier(categorical_split=search).fit(X, y, sample_weight=weight)
    repeated = TreeClassifier(categorical_split=search).fit(X.loc[X.index.repeat(weight)], y.repeat(weight))
    assert (once.predict_proba(X) == repeated.predict_proba(X)).all()


@pytest.mark.parametrize("search", ["auto", *SEARCHES])
def test_a_criterion_of_the_users_own_goes_with_every_search(search: str) -> None:
    X, y = table_of(n_rows=200, seed=6)
    like_gini = Impurity(lambda p: p * (1 - p), curvature="concave")
    ours = TreeClassifier(criterion=like_gini, categorical_split=search, max_depth=3).fit(X, y)
    named = TreeClassifier(criterion="gini", categorical_split=search, max_depth=3).fit(X, y)
    assert (ours.predict_proba(X) == named.predict_proba(X)).all()


def test_two_classes_take_the_order() -> None:
    X, y = table_of(seed=7)
    y = y > 1
    ordered, auto = (TreeClassifier(categorical_split=s).fit(X, y) for s in ("ordered", "auto"))
    assert (ordered.predict_proba(X) == auto.predict_proba(X)).all()


@pytest.mark.parametrize("search", GROUPINGS)
def test_where_a_minimum_forbids_the_grouping_others_are_tried(search: str) -> None:
    # One value is all of a class, and too light for a leaf: the best grouping is forbidden, others are not.
    place = ["a"] * 3 + ["b"] * 10 + ["c"] * 10 + ["d"] * 10
    y = [1] * 3 + [0] * 10 + [0, 1] * 5 + [0] * 9 + [1]
    tree = grow_tree(
        make_dataset({"place": place}, y),
        GrowOptions(categorical_split=search, min_samples_leaf=5, max_depth=1),
    )
    assert tree.n_leaves == 2
    assert min(tree.n_rows) >= 5


@pytest.mark.parametrize(
    ("options", "n_values", "message"),
    [
        (
            {"categorical_split": "exact"},
            21,
            "'exact' takes at most 20 categories, and column 'place' has 21",
        ),
        ({"categorical_split": "ordered"}, 3, "'ordered' takes at most 2 classes, and column 'place'"),
        ({"categorical_split": "chi2"}, 2001, "takes at most 2,000 categories, and column 'place' has 2,001"),
        ({"categorical_split": "chi2_sdp"}, 501, "takes at most 500 categories, and column 'place'"),
        ({"categorical_split": "chi2", "splitter": "random"}, 3, "has no meaning with splitter='random'"),
    ],
)
def test_refusals_name_the_column(options: dict[str, Any], n_values: int, message: str) -> None:
    X = pd.DataFrame({"place": [f"p{i % n_values}" for i in range(2100)]})
    with pytest.raises(ValueError, match=message):
        TreeClassifier(**options).fit(X, np.arange(2100) % 3)


def test_numbers_have_no_use_for_classes() -> None:
    """ "ordered" is another name of "auto" there; the core once took it for a split in many branches."""
    X, y = table_of()
    auto, ordered = (TreeRegressor(categorical_split=s, max_depth=3).fit(X, y) for s in ("auto", "ordered"))
    assert (auto.predict(X) == ordered.predict(X)).all()
    with pytest.raises(ValueError, match="categorical_split='chi2' divides categories by their classes"):
        TreeRegressor(categorical_split="chi2").fit(X, y)


def test_numeric_columns_do_not_care() -> None:
    X, y = table_of()
    for search in CATEGORICAL_SPLITS:
        assert TreeClassifier(categorical_split=search, max_depth=2).fit(X[["size"]], y).tree_.n_leaves > 1


KNOWN_REFUSALS = (
    "categorical_split='ordered' takes at most 2 classes",
    "categorical_split='multiway' cannot go together with missing='surrogate'",
    "categorical_split='multiway' is not available with criterion='like_gini'",
    "missing='surrogate' cannot go together with a criterion that Python evaluates",
    "criterion='like_gini' is evaluated in Python, and missing='fractional' needs one that is compiled",
    "is not available with missing='fractional': its test counts rows",
)


@pytest.mark.parametrize("missing", MISSING_MODES)
@pytest.mark.parametrize("select", SELECT)
def test_every_combination_works_or_is_refused_by_a_known_sentence(missing: str, select: str) -> None:
    """Criterion x search x selection x missing mode, on categories with holes; and what is refused for three
    classes works for two, where that is the reason.
    """
    X, y = table_of(n_rows=60, n_values=5, n_classes=3, seed=11)
    like_gini = Impurity(lambda p: p * (1 - p), curvature="concave", name="like_gini")
    refused = set()
    for criterion, search in itertools.product([*CRITERIA, like_gini], CATEGORICAL_SPLITS):
        told: dict[str, Any] = {"criterion": criterion, "categorical_split": search, "missing": missing}
        told |= {"select": select, "max_depth": 2}
        reason = ""
        try:
            boxwood.check_tree(TreeClassifier(**told).fit(X, y).tree_)
        except ValueError as error:
            reason = str(error)
        if reason:
            known = [sentence for sentence in KNOWN_REFUSALS if sentence in reason]
            assert len(known) == 1, f"{told}: {reason}"
            refused |= set(known)
            if "at most 2 classes" in known[0]:
                boxwood.check_tree(TreeClassifier(**told).fit(X, y == 0).tree_)
    assert refused  # "ordered", at least, for three classes
