"""Rules and lists of them: how they answer, and how good each one is.

A `RuleSet` answers with the first of its rules that fits a row, and with its default where none does. Rows
are matched rule by rule on whole columns, and each rule looks only at the rows that no earlier one took:
O(rules * rows) comparisons at most.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from boxwood.data import align_columns, encode_with, read_table
from boxwood.rules.condition import Condition, Interval
from boxwood.rules.listing import rules_text
from boxwood.tree import Tree, UnknownCategoryError
from boxwood.tree.labels import value_to_json

if TYPE_CHECKING:
    from boxwood.rules.paths import Way

SHOWN = 50
"""How many rules `print` shows."""


@dataclass(frozen=True, slots=True)
class Rule:
    """If all conditions fit a row, the answer is this.

    Parameters
    ----------
    conditions
        One for each column that is asked about.
    answer
        A class label, or for regression a number.
    n_rows, weight
        How many training rows fit, and their weight.
    counts
        Their weight per class; None for regression.
    coverage
        Their share of the weight of all rows.
    support
        The share of the weight of all rows that fits and has the class; the coverage, for regression.
    confidence
        The share of that class among the rows that fit; NaN where there are none, and for regression.
    lift
        The confidence divided by the share of that class among all rows; NaN likewise.
    node
        The node of the tree that answers; None where simplification has changed the rule.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, rules
    >>> penguins, species, *_ = load_penguins()
    >>> rule = rules(TreeClassifier(max_leaf_nodes=3).fit(penguins, species))[0]
    >>> rule.answer, rule.n_rows, round(rule.confidence, 3), round(rule.lift, 2)
    ('Adelie', 152, 0.961, 2.17)
    """

    conditions: tuple[Condition, ...]
    answer: Any
    n_rows: int
    weight: float
    counts: tuple[float, ...] | None = None
    coverage: float = math.nan
    support: float = math.nan
    confidence: float = math.nan
    lift: float = math.nan
    node: int | None = None

    def fits(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.bool_]:
        """Which rows of an encoded table fit all conditions."""
        fitting = np.ones(len(columns[0]), dtype=bool)
        for condition in self.conditions:
            fitting &= condition.fits(columns[condition.feature])
        return fitting


class RuleSet(Sequence[Rule]):
    """A list of rules, made by `boxwood.rules`. The first rule that fits a row answers.

    Attributes
    ----------
    tree : Tree
        The tree that the rules come from.
    default : object or None
        The answer where no rule fits; None if there is always one that does.
    exact : bool
        Whether the rules answer as the tree does, for every row.
    simplified : bool
        Whether conditions and rules have been dropped.

    Examples
    --------
    >>> from boxwood import TreeClassifier, load_penguins, rules
    >>> penguins, species, *_ = load_penguins()
    >>> found = rules(TreeClassifier(max_leaf_nodes=3).fit(penguins, species))
    >>> found
    RuleSet(3 rules)
    >>> print(found)
    3 rules, one for each leaf. Exactly one of them fits a row.
    <BLANKLINE>
       answer     confidence  rows  lift  if
    1  Adelie            96%   152  2.17  flipper_length_mm <= 206.5 and bill_length_mm <= 43.35
    2  Chinstrap         92%    63  4.66  flipper_length_mm <= 206.5 and bill_length_mm > 43.35
    3  Gentoo            95%   129  2.62  flipper_length_mm > 206.5
    <BLANKLINE>
    Not every line says whether a missing number fits; to_text(show_missing=True) does.
    """

    def __init__(
        self,
        tree: Tree,
        rules: Sequence[Rule],
        shares: NDArray[np.float64] | None,
        *,
        default: Any = None,
        default_shares: NDArray[np.float64] | None = None,
        exact: bool,
        simplified: bool,
        errors: Sequence[Way] = (),
    ) -> None:
        self.tree = tree
        self.default = default
        self.exact = exact
        self.simplified = simplified
        self._rules = tuple(rules)
        self._errors = tuple(errors)
        self._shares = shares
        self._default_shares = default_shares
        answers = [rule.answer for rule in self._rules]
        if tree.classes is None:
            self._answers: NDArray[Any] = np.array(answers, dtype=np.float64)
        else:
            self._answers = np.empty(len(answers) + 1, dtype=tree.classes.dtype)
            self._answers[:-1] = answers
            self._answers[-1] = tree.classes[0] if default is None else default

    # ------------------------------------------------------------------------------------------ as a list

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, place: int) -> Rule: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Rule, ...]: ...
    def __getitem__(self, place: int | slice) -> Rule | tuple[Rule, ...]:
        return self._rules[place]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __repr__(self) -> str:
        count = f"{len(self)} rule{'' if len(self) == 1 else 's'}"
        return f"RuleSet({count}{'' if self.default is None else f', otherwise {self.default}'})"

    def __str__(self) -> str:
        return self.to_text(max_rules=SHOWN)

    # ------------------------------------------------------------------------------------------ answering

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the rule that answers for each row; -1 for the default.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of rules.
        """
        schema = self.tree.schema
        if schema.named:
            X = align_columns(X, schema.names, owner="RuleSet")
        return self.first_fitting(encode_with(schema, read_table(X, "RuleSet")))

    def first_fitting(self, columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        """`apply`, for a table that is encoded under the schema of the tree."""
        n_rows = len(columns[0])
        if not self.exact and self._errors:
            self._refuse_errors(columns, np.arange(n_rows))
        found = np.full(n_rows, -1, dtype=np.int64)
        waiting = np.arange(n_rows)
        for place, rule in enumerate(self._rules):
            if not waiting.size:
                break
            left = _fitting(rule.conditions, columns, waiting)
            found[waiting[left]] = place
            waiting = waiting[~left]
        if self.default is None and waiting.size:
            self._refuse(columns, waiting)
        return found

    def _refuse(self, columns: Sequence[NDArray[Any]], rows: NDArray[np.intp]) -> None:
        """Raise what the tree raises: where no rule fits, an unknown category is an error."""
        self._refuse_errors(columns, rows[:1])
        raise AssertionError(f"no rule fits row {int(rows[0])}")

    def _refuse_errors(self, columns: Sequence[NDArray[Any]], rows: NDArray[np.intp]) -> None:
        """Raise for the first of some rows that fits a way which is an error, if there is one."""
        refused: dict[int, Way] = {}
        for way in self._errors:
            fitting = rows[_fitting(way.conditions, columns, rows)]
            if fitting.size:
                refused.setdefault(int(fitting[0]), way)
        if refused:
            row, way = min(refused.items(), key=lambda item: item[0])
            assert way.stopped_by is not None
            name = self.tree.schema.names[way.stopped_by]
            raise UnknownCategoryError(row=row, node=way.node, feature=way.stopped_by, column=name)

    def predict(self, X: Any) -> NDArray[Any]:
        """The answer of the first rule that fits, for each row.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Class labels, or numbers.
        """
        answers: NDArray[Any] = self._answers[self.apply(X)]
        return answers

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Class shares for each row, in the order of the tree's classes.

        They are the shares of the leaf that the rule comes from, smoothed if the estimator that was given
        smooths them; in a simplified set, the shares of the training rows for which the rule answers. There
        the heaviest class need not be the answer.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Shares.
        """
        if self._shares is None:
            raise TypeError("the rules of a regression tree answer with numbers and have no class shares")
        shares = self._shares
        if self._default_shares is not None:
            shares = np.vstack((shares.reshape(-1, self.tree.n_classes), self._default_shares))
        taken: NDArray[np.float64] = shares[self.apply(X)]
        return taken

    # ------------------------------------------------------------------------------------------ leaving

    def to_text(
        self,
        *,
        max_rules: int | None = None,
        show_missing: bool | Literal["auto"] = "auto",
        digits: int | None = 6,
        max_categories: int = 5,
        style: Literal["unicode", "ascii"] = "unicode",
    ) -> str:
        """The rules as text, a line for each.

        Parameters
        ----------
        max_rules
            Show no more; None shows all.
        show_missing
            Whether conditions on numbers say that a missing value fits: True, False, or "auto", which says so
            for columns whose missing values do not always take the heavier branch of the tree. Conditions
            on categories say so unless it is False.
        digits, max_categories, style
            As in `boxwood.export_text`.

        Returns
        -------
        str
            The text, without a newline at the end.
        """
        return rules_text(
            self,
            max_rules=max_rules,
            show_missing=show_missing,
            digits=digits,
            max_categories=max_categories,
            style=style,
        )

    def to_dict(self) -> dict[str, Any]:
        """The rules as plain dicts and lists, ready for JSON.

        A number fits if it is greater than ``above`` and not greater than ``at_most``.

        >>> from boxwood import TreeRegressor, rules
        >>> model = TreeRegressor(max_depth=1).fit({"x": [1, 2, 3, 4]}, [0.5, 0.5, 2.5, 2.5])
        >>> rules(model).to_dict()["rules"][0]
        {'if': [{'column': 'x', 'at_most': 2.5, 'missing': True}], 'then': 0.5, 'rows': 2, 'weight': 2.0}
        """
        rules = []
        for rule in self._rules:
            plain: dict[str, Any] = {"if": [self._plain(condition) for condition in rule.conditions]}
            plain["then"] = value_to_json(rule.answer)
            plain |= {"rows": rule.n_rows, "weight": rule.weight}
            if rule.counts is not None:
                plain["counts"] = list(rule.counts)
                if rule.weight > 0:
                    plain |= {"support": rule.support, "confidence": rule.confidence, "lift": rule.lift}
            rules.append(plain)
        otherwise = {} if self.default is None else {"otherwise": value_to_json(self.default)}
        return {"rules": rules, **otherwise}

    def _plain(self, condition: Condition) -> dict[str, Any]:
        column = self.tree.schema[condition.feature]
        plain: dict[str, Any] = {"column": column.name}
        if isinstance(condition, Interval):
            if not condition.has_numbers:
                plain["numbers"] = False
            elif condition.low > -math.inf:
                plain["above"] = condition.low
            if condition.has_numbers and condition.high < math.inf:
                plain["at_most"] = condition.high
        else:
            known = [code for code in condition.codes if code < len(column.categories)]
            plain["in"] = [value_to_json(column.categories[code]) for code in known]
            plain["unknown"] = condition.unknown
        return {**plain, "missing": condition.missing}


def _fitting(
    conditions: Sequence[Condition], columns: Sequence[NDArray[Any]], rows: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Which of some rows fit all conditions; each condition looks only at those that fit the ones before."""
    fitting = np.ones(len(rows), dtype=bool)
    left = rows
    for condition in conditions:
        fits = condition.fits(columns[condition.feature][left])
        fitting[fitting] = fits
        left = left[fits]
    return fitting
