"""How a split is put into words: the names, numbers and categories of its branches.

Every line of a printed tree, every rule and every label of a drawing says the same thing in the same way:

=====================================  ============================================================
``bill_length_mm <= 43.35``            a threshold, and ``>`` for the other side
``island in {Biscoe, Dream}``          categories; one alone is ``island = Dream``
``island = Dream or missing/unknown``  who else takes this branch
``sex is missing``                     a branch for missing values alone; also the test for them
``smoker = true``                      a threshold on a column of booleans
``born <= 2001-12-31 12:00``           a threshold on dates (exact to the microsecond, rounded down)
``island in {Dream} against {Biscoe}`` a surrogate: first what leads to the first branch, then the second
=====================================  ============================================================

Thresholds are rounded for reading: to six significant digits unless told otherwise, never in front of the
point, and to more digits where that is needed to keep the thresholds of one column apart. Columns of integers
keep their thresholds exactly. The tree's own ``threshold`` array has the exact numbers.

Names and categories come from the caller's table, so whatever is not printable in them is escaped.
"""

from __future__ import annotations

import datetime
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from boxwood.data.schema import Category, Column
from boxwood.tree import Kind, Multiway, Split, Subset, Threshold, Tree

_EPOCH = datetime.datetime(1970, 1, 1)
_LONGEST_CATEGORY = 40
_LONGEST_NAME = 60
_MOST_DIGITS = 17


class Wording:
    """Puts the splits of one tree into words.

    Parameters
    ----------
    tree
        The tree.
    digits
        Significant digits of thresholds; None for all.
    max_categories
        Categories shown of a longer set.
    feature_names
        Names in place of those in the schema.
    ellipsis
        What stands for what is left out.

    Examples
    --------
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import build_tree, leaf, node
    >>> schema = Schema((Column("age", "numeric", "float"),), named=True)
    >>> root = node(Threshold(0, 17.949999999999996), [leaf([8, 1]), leaf([0, 4])])
    >>> tree = build_tree(root, schema, ["no", "yes"])
    >>> Wording(tree).conditions(0)
    ['age <= 17.95', 'age > 17.95']
    """

    def __init__(
        self,
        tree: Tree,
        *,
        digits: int | None = 6,
        max_categories: int = 5,
        feature_names: Sequence[str] | None = None,
        ellipsis: str = "…",
    ) -> None:
        if feature_names is not None and len(feature_names) != tree.n_features:
            raise ValueError(f"{len(feature_names)} feature_names are given for {tree.n_features} columns")
        names = tree.schema.names if feature_names is None else feature_names
        self.tree = tree
        self.max_categories = max_categories
        self.ellipsis = ellipsis
        self.names = [cut(clean(str(name)), _LONGEST_NAME, ellipsis) for name in names]
        self._thresholds = _threshold_texts(tree, digits)
        self._mixed: dict[
            int, bool
        ] = {}  # whether a column has text and other categories: text is quoted then

    def conditions(
        self, node: int, *, missing: bool = False, unknown: bool = False, split: Split | None = None
    ) -> list[str]:
        """What leads to each branch of a node.

        With `missing` and `unknown`, the branch that such values take says so. A branch that only they take
        always does, and so does the test for missing values.
        """
        split = split or self.tree.split(node)
        if split is None:
            return []
        name = self.names[split.feature]
        guests: list[list[str]] = [[] for _ in range(split.n_branches)]
        if missing and split.missing_branch >= 0:
            guests[split.missing_branch].append("missing")
        categorical = self.tree.schema[split.feature].kind == "categorical"
        if unknown and categorical and split.unknown_branch >= 0:
            guests[split.unknown_branch].append("unknown")
        if isinstance(split, Threshold):
            tests = [*self._sides(split, name), None][: split.n_branches]
            if split.n_branches == 3:
                guests[2] = ["missing"]
        elif isinstance(split, Subset | Multiway):
            tests = [self._membership(split.feature, name, codes) for codes in split.groups]
            for branch, test in enumerate(tests):
                if test is None:
                    led = [("missing", split.missing_branch), ("unknown", split.unknown_branch)]
                    guests[branch] = [value for value, taken in led if taken == branch]
        else:
            guests[0] = [value for value in guests[0] if value != "missing"]
            guests[1] = []
            tests = [f"{name} is missing", f"{name} is present"]
        return [_with_guests(test, name, others) for test, others in zip(tests, guests, strict=True)]

    def surrogates(self, split: Threshold | Subset) -> list[str]:
        """Each surrogate of a split as the condition that leads to the first branch.

        One by category also says which categories lead to the second, since it knows no others.
        """
        texts = []
        for surrogate in split.surrogates:
            test, name = surrogate.split, self.names[surrogate.split.feature]
            if isinstance(test, Threshold):
                texts.append(str(self._sides(test, name)[surrogate.flipped]))
            else:
                first, second = (self._set(test.feature, codes) for codes in test.groups)
                texts.append(f"{name} in {first} against {second}")
        return texts

    def surprise(self, feature: int, values: Iterable[str]) -> str:
        """A condition on missing or unknown values alone."""
        return _with_guests(None, self.names[feature], list(values))

    def interval(self, feature: int, low: float, high: float, guests: Iterable[str] = ()) -> str:
        """A condition on numbers above one threshold of the tree and at most another; either may be infinite.

        `guests` are the other values that fit; they stand alone where no number does.
        """
        name = self.names[feature]
        texts = self._thresholds.get(feature, {})
        test: str | None = f"{name} is present"
        if low >= high:
            test = None
        elif self.tree.schema[feature].values == "boolean" and 0 <= low < 1 <= high:
            test = f"{name} = true"
        elif self.tree.schema[feature].values == "boolean" and low < 0 <= high < 1:
            test = f"{name} = false"
        elif low > -math.inf and high < math.inf:
            test = f"{texts[low]} < {name} <= {texts[high]}"
        elif low > -math.inf:
            test = f"{name} > {texts[low]}"
        elif high < math.inf:
            test = f"{name} <= {texts[high]}"
        return _with_guests(test, name, list(guests))

    def membership(
        self, feature: int, codes: Sequence[int], guests: Iterable[str] = (), *, negated: bool = False
    ) -> str:
        """A condition on the categories of given codes, or with `negated` on all others."""
        name = self.names[feature]
        test = self._membership(feature, name, codes)
        if test is not None and negated:
            relation, opposite = (" = ", " is not ") if len(codes) == 1 else (" in ", " not in ")
            test = name + test[len(name) :].replace(relation, opposite, 1)
        return _with_guests(test, name, list(guests))

    def _sides(self, split: Threshold, name: str) -> list[str | None]:
        if self.tree.schema[split.feature].values == "boolean" and 0 <= split.threshold < 1:
            return [f"{name} = false", f"{name} = true"]
        text = self._thresholds[split.feature][split.threshold]
        return [f"{name} <= {text}", f"{name} > {text}"]

    def _membership(self, feature: int, name: str, codes: Sequence[int]) -> str | None:
        if not codes:
            return None
        if len(codes) == 1:
            return f"{name} = {self._category(feature, codes[0])}"
        return f"{name} in {self._set(feature, codes)}"

    def _set(self, feature: int, codes: Sequence[int]) -> str:
        # Cutting a set to hide a single category would save nothing.
        shown = codes if len(codes) <= self.max_categories + 1 else codes[: self.max_categories]
        texts = [self._category(feature, code) for code in shown]
        if len(shown) < len(codes):
            texts.append(f"{self.ellipsis} +{len(codes) - len(shown)} more")
        return f"{{{', '.join(texts)}}}"

    def _category(self, feature: int, code: int) -> str:
        categories = self.tree.schema[feature].categories
        if feature not in self._mixed:
            self._mixed[feature] = any(not isinstance(category, str) for category in categories)
        text = category_text(categories[code], quote=self._mixed[feature])
        return cut(text, _LONGEST_CATEGORY, self.ellipsis)


def _with_guests(test: str | None, name: str, guests: list[str]) -> str:
    if test is None:
        return f"{name} is {' or '.join(guests)}"
    return f"{test} or {'/'.join(guests)}" if guests else test


# ------------------------------------------------------------------------------------------------ numbers


def _threshold_texts(tree: Tree, digits: int | None) -> dict[int, dict[float, str]]:
    """By column and threshold, the text of every threshold in the tree."""
    found: dict[int, set[float]] = defaultdict(set)
    at = tree.kind == Kind.THRESHOLD
    features = [*tree.feature[at].tolist(), *tree.surrogate_feature.tolist()]
    thresholds = [*tree.threshold[at].tolist(), *tree.surrogate_threshold.tolist()]
    for feature, threshold in zip(features, thresholds, strict=True):
        if not math.isnan(threshold):
            found[feature].add(threshold)
    return {feature: _texts(tree.schema[feature], values, digits) for feature, values in found.items()}


def _texts(column: Column, values: Iterable[float], digits: int | None) -> dict[float, str]:
    if column.values == "date":
        return {value: date_text(value) for value in values}
    if column.values == "duration":
        return {value: duration_text(value) for value in values}
    if column.values != "float" or digits is None:
        return {value: number_text(value, None) for value in values}
    return distinct_texts(values, digits)


def distinct_texts(values: Iterable[float], digits: int) -> dict[float, str]:
    """Numbers in as few digits as keep them apart, but at least `digits`.

    >>> list(distinct_texts([0.5, 0.12345578, 0.12345612], 6).values())
    ['0.5', '0.1234558', '0.1234561']
    """
    texts: dict[float, str] = {}
    pending = list(values)
    for precision in range(digits, _MOST_DIGITS):
        groups: dict[str, list[float]] = defaultdict(list)
        for value in pending:
            groups[number_text(value, precision)].append(value)
        pending = []
        for text, alike in groups.items():
            if len(alike) == 1:
                texts[alike[0]] = text
            else:
                pending.extend(alike)
        if not pending:
            break
    texts.update({value: number_text(value, None) for value in pending})
    return texts


def number_text(value: float, digits: int | None) -> str:
    """A number in so many significant digits (None: all), with every digit in front of the point.

    >>> number_text(43.349999999999994, 6), number_text(1234567.5, 6), number_text(3.0, None)
    ('43.35', '1234567.5', '3')
    """
    value += 0.0  # no negative zero
    size = abs(value)
    if digits is None:
        text = repr(float(value))
        return text[:-2] if text.endswith(".0") else text
    if 1 <= size < 1e16:
        decimals = max(digits - len(str(int(size))), 1)
        text = f"{value:.{decimals}f}"
        return text.rstrip("0").rstrip(".")
    return f"{value:.{digits}g}"


def date_text(microseconds: float) -> str:
    """A date, given in microseconds since 1970; without the time of day at midnight.

    >>> date_text(86400e6), date_text(1.5 * 86400e6)
    ('1970-01-02', '1970-01-02 12:00')
    """
    try:
        return moment_text(_EPOCH + datetime.timedelta(microseconds=math.floor(microseconds)))
    except OverflowError:
        return f"{number_text(microseconds, None)} µs"


def moment_text(moment: datetime.datetime) -> str:
    """A date, with the time of day to the precision that it needs.

    >>> moment_text(datetime.datetime(2024, 2, 29, 8, 30, 15))
    '2024-02-29 08:30:15'
    """
    if moment.time() == datetime.time() and moment.tzinfo is None:
        return moment.date().isoformat()
    exact = "auto" if moment.second or moment.microsecond else "minutes"
    return moment.isoformat(sep=" ", timespec=exact)


def duration_text(microseconds: float) -> str:
    """A duration, given in microseconds.

    >>> duration_text(1.5 * 86400e6), duration_text(-90e6)
    ('1 day 12:00:00', '-0:01:30')
    """
    try:
        duration = datetime.timedelta(microseconds=abs(math.floor(microseconds)))
    except OverflowError:
        return f"{number_text(microseconds, None)} µs"
    return ("-" if microseconds < 0 else "") + str(duration).replace(",", "")


# ------------------------------------------------------------------------------------------------ words


def category_text(category: Category, *, quote: bool = False) -> str:
    """A category. Text stands as it is, but in quotes where it could be misread, or with `quote`.

    >>> [category_text(category) for category in ("Very Good", "a, b", 3, True)]
    ['Very Good', '"a, b"', '3', 'true']
    """
    if isinstance(category, bool):
        return "true" if category else "false"
    if isinstance(category, datetime.datetime):
        return moment_text(category)
    if isinstance(category, datetime.date):
        return category.isoformat()
    if isinstance(category, float):
        return number_text(category, None)
    if isinstance(category, int):
        return str(category)
    quote = quote or category != category.strip() or not category or bool(set(category) & set(',{}"'))
    text = clean(category)
    return json.dumps(text, ensure_ascii=False) if quote else text


def clean(text: str) -> str:
    r"""Text with everything escaped that does not print.

    >>> clean("a\nb")
    'a\\nb'
    """
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


def cut(text: str, longest: int, ellipsis: str = "…") -> str:
    """Text, cut with an ellipsis if it is long.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= longest else text[: longest - len(ellipsis)] + ellipsis
