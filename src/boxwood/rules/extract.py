"""`boxwood.rules`: from a tree to its rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boxwood.data import align_columns, encode_with, read_table
from boxwood.data.target import encode_target
from boxwood.data.weights import check_sample_weight, round_weights
from boxwood.export.tree_of import tree_of
from boxwood.rules.choose import choose_rules
from boxwood.rules.paths import Way, Ways, ways_through
from boxwood.rules.rule_set import Rule, RuleSet
from boxwood.rules.simplify import Rows, simplified_rules
from boxwood.tree import Tree
from boxwood.tree.answers import answering_classes

CONFIDENCE = 0.25


def rules(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    simplify: bool = False,
    confidence: float = CONFIDENCE,
    sample_weight: Any = None,
) -> RuleSet:
    """Make rules of a tree: one for each leaf, or fewer and simpler ones.

    Without `simplify`, the rules answer exactly as the tree does, for rows with missing and unknown values
    too. Tests of a path that ask about the same column are one condition. A tree that lets rows stop at an
    inner node has a rule for each way to do so. Only where a tree divides rows among branches
    (``missing="fractional"``) or asks surrogates, rows with missing values are answered differently: they
    take the heaviest branch, or the branch for missing values. ``RuleSet.exact`` is False then. Probabilities
    are those of the estimator, smoothed if it smooths them (``proba="laplace"``); the figures of a rule, its
    confidence among them, are always of the training rows.

    With `simplify`, which needs the training rows, the rules are those of C4.5rules: conditions are dropped
    for as long as the errors to be expected do not grow, a subset of the rules of each class is chosen that
    is short to write down together with its mistakes, the classes are put in order, and a default answers for
    the rows that no rule fits. Such a list is shorter than the tree, and answers differently; its
    probabilities are shares of the training rows, never smoothed.

    Parameters
    ----------
    model : Tree, or a fitted tree estimator of boxwood or scikit-learn
        The tree, whoever has learned it.
    X : array-like or frame of shape (n_samples, n_features), default=None
        The rows to simplify by, as a rule those that the tree was grown on.
    y : array-like of shape (n_samples,), default=None
        Their labels.
    simplify : bool, default=False
        Drop conditions and rules. For classes only.
    confidence : float, default=0.25
        How much `simplify` trusts the rows, above 0 and below 1: the smaller, the fewer conditions.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights of the rows.

    Returns
    -------
    RuleSet
        The rules, with how many rows each one fits and how often it is right.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, rules
    >>> penguins, species, *_ = load_penguins()
    >>> names = {"bill": "bill_length_mm", "flipper": "flipper_length_mm", "island": "island"}
    >>> table = {short: penguins[name] for short, name in names.items()}
    >>> model = TreeClassifier().fit(table, species)
    >>> len(rules(model))
    17
    >>> print(rules(model, table, species, simplify=True))
    7 rules, simplified. The first one that fits a row answers.
    <BLANKLINE>
       answer     confidence  rows  lift  if
    1  Gentoo           100%   122  2.77  flipper > 206.5 and (island = Biscoe or missing/unknown)
    2  Adelie           100%   115  2.26  bill <= 40.85
    3  Adelie           100%    94  2.26  flipper <= 206.5 and bill <= 47.2 and island in {Biscoe, Torgersen}
    4  Adelie            99%   139  2.25  flipper <= 206.5 and bill <= 42.35
    5  Adelie           100%    52  2.26  island = Torgersen
    6  Chinstrap         98%    64  4.98  bill > 43.35 and (island = Dream or missing/unknown)
    7  Chinstrap        100%    11  5.06  flipper <= 189.5 and (bill > 42.35 or missing)
       Gentoo                             otherwise
    <BLANKLINE>
    Not every line says whether a missing number fits; to_text(show_missing=True) does.
    """
    tree = tree_of(model, "rules", theirs=True)
    if simplify:
        if tree.classes is None:
            raise ValueError(
                "simplify=True is for classes: it counts errors, and a regression tree answers with numbers. "
                "Use simplify=False."
            )
        if X is None or y is None:
            lacking = "X" if X is None else "y"
            raise ValueError(f"simplify=True needs the rows that the tree was grown on: {lacking} is missing")
        if not 0 < confidence < 1:
            raise ValueError(f"confidence must be above 0 and below 1, not {confidence!r}")
    else:
        given = {"X": X, "y": y, "sample_weight": sample_weight}
        for name, value in given.items():
            if value is not None:
                raise ValueError(f"{name} is for simplify=True; the rules of a tree as it is need no rows")
        if confidence != CONFIDENCE:
            raise ValueError(
                "confidence is for simplify=True; the rules of a tree as it is do not depend on it"
            )
    ways = ways_through(tree)
    if not simplify:
        return _exact_rules(tree, ways, _shares(model, tree))
    return _simplified(tree, ways, _rows(tree, X, y, sample_weight), confidence)


def _shares(model: Any, tree: Tree) -> NDArray[np.float64] | None:
    """The class probabilities of each node: smoothed, where the estimator smooths them."""
    if tree.counts is None:
        return None
    if getattr(model, "proba", "raw") == "raw" or not hasattr(model, "_probabilities"):
        raw: NDArray[np.float64] = tree.value[:, 0]
        return raw
    smoothed: NDArray[np.float64] = model._probabilities()
    return smoothed


def _exact_rules(tree: Tree, ways: Ways, shares: NDArray[np.float64] | None) -> RuleSet:
    if tree.counts is None or shares is None:
        assert tree.answer is not None
        found = [_number_rule(tree, way) for way in ways.ends]
        return RuleSet(tree, found, None, exact=ways.exact, simplified=False, errors=ways.errors)
    answers = answering_classes(tree)
    nothing = np.zeros(tree.n_classes)
    found = []
    for way in ways.ends:
        ended = way.stopped_by is None  # training rows never stop early
        counts = tree.counts[way.node] if ended else nothing
        n_rows = int(tree.n_rows[way.node]) if ended else 0
        found.append(_class_rule(tree, way, int(answers[way.node]), counts, n_rows, tree.counts[0]))
    shares = shares[[way.node for way in ways.ends]]
    return RuleSet(tree, found, shares, exact=ways.exact, simplified=False, errors=ways.errors)


def _number_rule(tree: Tree, way: Way) -> Rule:
    assert tree.answer is not None
    ended = way.stopped_by is None
    weight = float(tree.weight[way.node]) if ended else 0.0
    share = weight / float(tree.weight[0])
    return Rule(
        way.conditions,
        float(tree.answer[way.node]),
        int(tree.n_rows[way.node]) if ended else 0,
        weight,
        coverage=share,
        support=share,
        node=way.node,
    )


def _class_rule(
    tree: Tree,
    way: Way,
    answer: int,
    counts: NDArray[np.float64],
    n_rows: int,
    everywhere: NDArray[np.float64],
) -> Rule:
    """A rule with its figures, from the class weights of the rows that fit and of all rows."""
    assert tree.classes is not None
    weight, total = float(counts.sum()), float(everywhere.sum())
    right = float(counts[answer])
    confidence = right / weight if weight > 0 else np.nan
    prior = float(everywhere[answer]) / total
    return Rule(
        conditions=way.conditions,
        answer=tree.classes.tolist()[answer] if tree.classes.dtype.kind not in "mM" else tree.classes[answer],
        n_rows=n_rows,
        weight=weight,
        counts=tuple(counts.tolist()),
        coverage=weight / total,
        support=right / total,
        confidence=confidence,
        lift=confidence / prior if prior > 0 else np.nan,
        node=way.node if way.node >= 0 else None,
    )


# ------------------------------------------------------------------------------------------------ simplified


def _rows(tree: Tree, X: Any, y: Any, sample_weight: Any) -> Rows:
    """The caller's rows, encoded under the tree's schema and classes; rows without weight left out."""
    if tree.schema.named:
        X = align_columns(X, tree.schema.names, owner="rules")
    columns = encode_with(tree.schema, read_table(X, "rules"))
    n_rows = len(columns[0])
    codes, labels = encode_target(y, n_rows, "rules")
    assert tree.classes is not None
    number = {label: place for place, label in enumerate(tree.classes.tolist())}
    strange = [label for label in labels.tolist() if label not in number]
    if strange:
        raise ValueError(f"y holds {strange[0]!r}, which is none of the tree's classes {list(number)}")
    target = np.array([number[label] for label in labels.tolist()], dtype=np.intp)[codes]
    weights = check_sample_weight(sample_weight, n_rows)
    if weights is None:
        return Rows(columns, target, np.ones(n_rows))
    there = np.flatnonzero(weights > 0)
    return Rows([column[there] for column in columns], target[there], round_weights(weights[there]))


def _simplified(tree: Tree, ways: Ways, rows: Rows, confidence: float) -> RuleSet:
    answers = answering_classes(tree)
    total = float(rows.weights.sum())
    n = len(rows.target)
    scaled = rows if total >= n else Rows(rows.columns, rows.target, rows.weights * (n / total))
    starts = [(way.conditions, int(answers[way.node])) for way in ways.ends]
    chosen = choose_rules(simplified_rules(starts, scaled, confidence), scaled, tree.schema, tree.n_classes)

    def by_class(places: Any, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(rows.target[places], weights[places], tree.n_classes).astype(np.float64)

    everywhere = by_class(slice(None), rows.weights)
    left = rows.weights.copy()
    found, shares = [], []
    for draft, fits in zip(chosen.drafts, chosen.fits, strict=True):
        counts, answered = by_class(fits, rows.weights), by_class(fits, left)
        left[fits] = 0.0
        judged = next((some for some in (answered, counts) if some.any()), everywhere)
        shares.append(judged / judged.sum())
        way = Way(draft.conditions, -1)
        found.append(_class_rule(tree, way, draft.answer, counts, len(fits), everywhere))
    rest = by_class(slice(None), left)
    rest = rest if rest.any() else everywhere
    assert tree.classes is not None
    return RuleSet(
        tree,
        found,
        np.array(shares).reshape(-1, tree.n_classes),
        default=tree.classes[chosen.default],
        default_shares=rest / rest.sum(),
        exact=False,
        simplified=True,
    )
