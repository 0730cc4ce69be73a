"""Rules as text: a line for each, in plain words, with the figures in columns beside them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import numpy as np

from boxwood.export.text import display_width
from boxwood.export.wording import Wording, clean, cut, number_text
from boxwood.rules.condition import Condition, Interval
from boxwood.tree import Kind, Tree

if TYPE_CHECKING:
    from boxwood.rules.rule_set import Rule, RuleSet

_LONGEST_CLASS = 24
_ELLIPSIS = {"unicode": "…", "ascii": "..."}
_NO_FIGURE = {"unicode": "–", "ascii": "-"}

_INEXACT = (
    "The tree divides rows with missing values among its branches, or asks surrogates; these rules do not. "
    "They send such a row to the heaviest branch, or to the branch for missing values."
)
_SILENT = "Not every line says whether a missing number fits; to_text(show_missing=True) does."


def rules_text(
    rules: RuleSet,
    *,
    max_rules: int | None,
    show_missing: bool | Literal["auto"],
    digits: int | None,
    max_categories: int,
    style: Literal["unicode", "ascii"],
) -> str:
    """The rules as text; see `RuleSet.to_text`."""
    if max_rules is not None and max_rules < 1:
        raise ValueError(f"max_rules must be None or at least 1, not {max_rules}")
    if show_missing not in (True, False, "auto"):
        raise ValueError(f"show_missing must be True, False or 'auto', not {show_missing!r}")
    if digits is not None and digits < 1:
        raise ValueError(f"digits must be None or at least 1, not {digits}")
    if style not in _ELLIPSIS:
        raise ValueError(f"style must be 'unicode' or 'ascii', not {style!r}")
    ellipsis = _ELLIPSIS[style]
    wording = Wording(rules.tree, digits=digits, max_categories=max_categories, ellipsis=ellipsis)
    telling = _telling(rules.tree, show_missing)
    shown = rules[:max_rules]
    names = [str(place) for place in range(1, len(shown) + 1)]
    asked = [_asked(rule, wording, telling, bool(show_missing)) for rule in shown]
    answers = [_answer(rule.answer, ellipsis) for rule in shown]
    if rules.default is not None and len(shown) == len(rules):
        names.append("")
        asked.append("otherwise" if shown else "always")
        answers.append(_answer(rules.default, ellipsis))
    columns = [_padded(["", *names]), _padded(["answer", *answers], right=rules.tree.classes is None)]
    for title, figures in _figures(rules.tree, shown, _NO_FIGURE[style]):
        cells = [title, *figures]
        columns.append(_padded(cells + [""] * (len(names) + 1 - len(cells))))
    columns.append(["if", *asked])  # last, as it is as long as it likes
    lines = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
    notes = []
    if len(shown) < len(rules):
        notes.append(f"{ellipsis} and {len(rules) - len(shown):,} more.")
    if not rules.exact and not rules.simplified:
        notes.append(_INEXACT)
    if _is_silent(shown, telling):
        notes.append(_SILENT)
    return "\n".join([_heading(rules), "", *lines, *([""] if notes else []), *notes])


def _heading(rules: RuleSet) -> str:
    count = "1 rule" if len(rules) == 1 else f"{len(rules):,} rules"
    if rules.simplified:
        return f"{count}, simplified. The first one that fits a row answers."
    if len(rules) == rules.tree.n_leaves:
        return f"{count}, one for each leaf. Exactly one of them fits a row."
    return f"{count}, one for each way to end in the tree. No two of them fit the same row."


def _telling(tree: Tree, show_missing: bool | Literal["auto"]) -> set[int]:
    """The numeric columns whose conditions say that a missing value fits."""
    thresholds = tree.kind == Kind.THRESHOLD
    if show_missing == "auto":
        first = tree.first_child[thresholds]
        heavier = (tree.weight[first + 1] > tree.weight[first]).astype(np.int32)
        return set(tree.feature[thresholds][tree.missing_branch[thresholds] != heavier].tolist())
    return set(tree.feature[thresholds].tolist()) if show_missing else set()


def _is_silent(rules: tuple[Rule, ...], telling: set[int]) -> bool:
    return any(
        isinstance(condition, Interval)
        and condition.missing
        and condition.has_numbers
        and condition.feature not in telling
        for rule in rules
        for condition in rule.conditions
    )


def _asked(rule: Rule, wording: Wording, telling: set[int], categories_tell: bool) -> str:
    if not rule.conditions:
        return "always"
    parts = []
    for condition in rule.conditions:
        text = condition_text(
            condition,
            wording,
            tell=condition.feature in telling if isinstance(condition, Interval) else categories_tell,
        )
        parts.append(f"({text})" if " or " in text and len(rule.conditions) > 1 else text)
    return " and ".join(parts)


def condition_text(condition: Condition, wording: Wording, *, tell: bool = True) -> str:
    """A condition in words; with `tell`, it says whether missing and unknown values fit.

    >>> from boxwood import TreeClassifier
    >>> model = TreeClassifier().fit({"size": [1.0, 2.0, 3.0]}, ["a", "b", "a"])
    >>> condition_text(Interval(0, 1.5, 2.5, missing=True), Wording(model.tree_))
    '1.5 < size <= 2.5 or missing'
    """
    guests = ["missing"] if condition.missing else []
    if isinstance(condition, Interval):
        alone = not condition.has_numbers
        return wording.interval(
            condition.feature, condition.low, condition.high, guests if tell or alone else []
        )
    n = len(wording.tree.schema[condition.feature].categories)
    codes = [code for code in condition.codes if code < n]
    if condition.unknown and len(codes) == n:
        return wording.interval(condition.feature, -math.inf, math.inf, guests if tell else [])
    if condition.unknown and n - len(codes) < len(codes) and len(codes) > wording.max_categories + 1:
        others = [code for code in range(n) if code not in set(codes)]
        return wording.membership(condition.feature, others, guests if tell else [], negated=True)
    if condition.unknown:
        guests.append("unknown")
    return wording.membership(condition.feature, codes, guests if tell or not codes else [])


def _answer(answer: object, ellipsis: str) -> str:
    if isinstance(answer, float):
        return number_text(answer, 6)
    return cut(clean(str(answer)), _LONGEST_CLASS, ellipsis)


def _figures(tree: Tree, rules: tuple[Rule, ...], nothing: str) -> Iterator[tuple[str, list[str]]]:
    if tree.classes is not None:
        yield "confidence", [nothing if rule.weight <= 0 else _percent(rule.confidence) for rule in rules]
    yield "rows", [f"{rule.n_rows:,}" for rule in rules]
    if any(rule.weight != rule.n_rows for rule in rules):
        yield "weight", [f"{rule.weight:,.4g}" for rule in rules]
    if tree.classes is not None:
        yield "lift", [nothing if rule.weight <= 0 else f"{rule.lift:.2f}" for rule in rules]


def _percent(share: float) -> str:
    """Whole percent; 100 % and 0 % only where that is exact."""
    rounded = round(100 * share)
    if rounded >= 100 and share < 1:
        return ">99%"
    if rounded == 0 and share > 0:
        return "<1%"
    return f"{rounded}%"


def _padded(cells: list[str], *, right: bool = True) -> list[str]:
    """Cells of equal width."""
    widths = [display_width(cell) for cell in cells]
    gaps = [" " * (max(widths) - own) for own in widths]
    return [gap + cell if right else cell + gap for cell, gap in zip(cells, gaps, strict=True)]
