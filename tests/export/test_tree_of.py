"""What counts as a tree, and what is said of models that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, GradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from boxwood import TreeClassifier, export_text, rules, to_sklearn

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20) % 7 > 3
FOREST = RandomForestClassifier(2, random_state=0).fit(X, Y)
PIPELINE = make_pipeline(StandardScaler(), TreeClassifier()).fit(X, Y)
SEARCH = GridSearchCV(TreeClassifier(), {"max_depth": [1, 2]}, cv=2).fit(X, Y)

REFUSED: list[tuple[Any, str]] = [
    (FOREST, "a RandomForestClassifier, which has many trees"),
    (GradientBoostingClassifier(n_estimators=2).fit(X, Y), "Classifier, which has many trees"),
    (BaggingClassifier(TreeClassifier(), 2).fit(X, Y), r"has many trees: give one of its estimators_"),
    (LogisticRegression().fit(X, Y), "not a LogisticRegression$"),
    (LogisticRegression(), "not a LogisticRegression$"),
    (PIPELINE, r"not a Pipeline: give its last step, model\[-1\]"),
    (SEARCH, "not a GridSearchCV: give its best_estimator_"),
    (TreeClassifier, "not the class TreeClassifier: make an object of it, and fit that"),
    (3, "not a int$"),
]


@pytest.mark.parametrize("taker", [rules, to_sklearn, export_text])
@pytest.mark.parametrize(("model", "message"), REFUSED, ids=lambda value: type(value).__name__)
def test_models_without_a_tree_are_told_what_would_do(taker: Any, model: Any, message: str) -> None:
    """A fitted forest, pipeline or logistic regression was said to be "not fitted yet"; and `export_text` had
    an AttributeError for it, as it had for our own estimators."""
    with pytest.raises(TypeError, match=f"^{taker.__name__} takes a Tree or a fitted tree .*{message}"):
        taker(model)


def test_what_is_advised_works() -> None:
    for model in (PIPELINE[-1], SEARCH.best_estimator_):
        assert len(rules(model)) == model.get_n_leaves() == to_sklearn(model).get_n_leaves()
    assert len(rules(FOREST.estimators_[0])) == FOREST.estimators_[0].get_n_leaves()
    with pytest.raises(TypeError, match="a tree of scikit-learn's already"):
        to_sklearn(FOREST.estimators_[0])


@pytest.mark.parametrize("taker", [rules, to_sklearn, export_text])
def test_trees_that_are_not_fitted_are_not_fitted(taker: Any) -> None:
    class Derived(TreeClassifier):
        pass

    for model in (TreeClassifier(), Derived()):
        with pytest.raises(NotFittedError):
            taker(model)


def test_export_text_takes_estimators() -> None:
    model = TreeClassifier().fit(X, Y)
    assert export_text(model) == export_text(model.tree_)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, Y)
    assert f"{theirs.get_n_leaves()} leaves" in export_text(theirs)
    with pytest.raises(NotFittedError):
        export_text(DecisionTreeClassifier())
