"""A tree as text that people like to read.

One line per node, indented under its parent, with the condition that leads to it; beside it, in columns, the
answer of each leaf and what is known about the rows of each node. A line reads as a rule would: whoever
fulfils it and all lines above it is here. Binary and multiway splits, and branches of their own for missing
values, look alike.

Where missing and unknown values go is told where it tells something. Every split by category says so. A
threshold says so unless missing values take the heavier branch, which is what they do where training saw none
of them; one sentence below the tree says that. Rules that hold at every node (unknown categories are an
error, say, or missing values are spread over the branches) are such sentences too. A split that has
surrogates lists them on a line of its own, each as the condition that leads to the first branch, with its
agreement.

The text is made in one pass without recursion, so trees of any depth can be printed. Deep in a tree the
indentation would take more room than everything else (and quadratic space in a chain), so below
`MAX_INDENT` levels the left part of it gives way to the depth, in brackets.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boxwood.export.tree_of import tree_of
from boxwood.export.wording import Wording, clean, cut, number_text
from boxwood.tree import ERROR, SPREAD, STOP, IsMissing, Kind, Split, Subset, Threshold, Tree

MAX_INDENT = 24
"""Levels of indentation; deeper lines begin with their depth."""

_MAX_ALIGNED = 100
_LONGEST_CLASS = 24
_TOP_CLASSES = 3

_HEAVIER = "Missing values go to the heavier branch (the first of two alike) unless a line says otherwise."
_STOPS = "A row with an unknown category ends at the node that asks for it, and gets that node's answer."
_ERRORS = "Unknown categories are an error."
_SPREADS = "{} are spread over the branches, in proportion to their weights."
_ASKS = (
    "A row without the value that a split asks for goes by the first surrogate whose value it has: to the "
    "first branch where that holds, else to the second."
)
_SURROGATES, _MORE = -4, -5  # beside STOP, ERROR and SPREAD: what a line that leads to no child tells

_REMARKS = {STOP: " (stops here)", SPREAD: ": spread over the branches", ERROR: ""}

_STYLES = {
    "unicode": {"branch": "├── ", "last": "└── ", "through": "│   ", "space": "    ", "cut": "…"},
    "ascii": {"branch": "|-- ", "last": "`-- ", "through": "|   ", "space": "    ", "cut": "..."},
}


def export_text(
    tree: Any,
    *,
    max_depth: int | None = None,
    merge_same_answer: bool = False,
    show_missing: bool | Literal["auto"] = "auto",
    show_ids: bool = False,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | Mapping[Any, str] | None = None,
    digits: int | None = 6,
    max_categories: int = 5,
    max_classes: int = 6,
    max_branches: int | None = None,
    style: Literal["unicode", "ascii"] = "unicode",
) -> str:
    """A tree as text.

    Parameters
    ----------
    tree : Tree, or a fitted tree estimator of boxwood or scikit-learn
        The tree.
    max_depth
        Show no node deeper than this; None shows all.
    merge_same_answer
        Show a subtree whose leaves all give the same answer as one leaf.
    show_missing
        Where missing and unknown values go: True tells it of every split, False of none, and "auto" wherever
        it does not follow from a sentence below the tree.
    show_ids
        Show the number of each node, as `Tree.apply` returns it.
    feature_names
        Names in place of those in the schema.
    class_names
        Names in place of the class labels: one per class, or a mapping from label to name.
    digits
        Significant digits of thresholds, at least; None shows them exactly. Digits in front of the point are
        always shown, and more digits wherever two thresholds of a column would look the same otherwise.
    max_categories
        How many categories of a longer set are shown.
    max_classes
        Up to how many classes have a column each. Of more, the most frequent three are shown.
    max_branches
        How many branches of a node with more are shown, beside those that missing and unknown values take;
        None shows all.
    style
        "unicode", or "ascii" for terminals that have nothing else.

    Returns
    -------
    str
        The text, without a newline at the end.

    Examples
    --------
    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Subset, Threshold, build_tree, leaf, node
    >>> columns = (
    ...     Column("flipper_mm", "numeric", "float"),
    ...     Column("island", "categorical", "category", ("Biscoe", "Dream", "Torgersen")),
    ... )
    >>> small = node(
    ...     Subset(1, {0: 0, 1: 1, 2: 0}, missing_branch=0, unknown_branch=0),
    ...     [leaf([90, 2]), leaf([56, 68])],
    ... )
    >>> tree = build_tree(
    ...     node(Threshold(0, 206.5, missing_branch=1), [small, leaf([1, 3])]),
    ...     Schema(columns, named=True),
    ...     ["Adelie", "Chinstrap"],
    ... )
    >>> print(export_text(tree))
    Classification tree: 3 leaves, depth 2, 220 rows
    <BLANKLINE>
                                                              answer         rows  Adelie  Chinstrap
    all rows                                                                  220     147         73
    ├── flipper_mm <= 206.5                                                   216     146         70
    │   ├── island in {Biscoe, Torgersen} or missing/unknown  Adelie    98%    92      90          2
    │   └── island = Dream                                    Chinstrap 55%   124      56         68
    └── flipper_mm > 206.5 or missing                         Chinstrap 75%     4       1          3
    """
    tree = tree_of(tree, "export_text", theirs=True)
    if max_depth is not None and max_depth < 0:
        raise ValueError(f"max_depth must be None or at least 0, not {max_depth}")
    if show_missing not in (True, False, "auto"):
        raise ValueError(f"show_missing must be True, False or 'auto', not {show_missing!r}")
    if style not in _STYLES:
        raise ValueError(f"style must be 'unicode' or 'ascii', not {style!r}")
    if max_branches is not None and max_branches < 1:
        raise ValueError(f"max_branches must be None or at least 1, not {max_branches}")
    if digits is not None and digits < 1:
        raise ValueError(f"digits must be None or at least 1, not {digits}")
    marks = _STYLES[style]
    wording = Wording(
        tree,
        digits=digits,
        max_categories=max_categories,
        feature_names=feature_names,
        ellipsis=marks["cut"],
    )
    names = _class_names(tree, class_names, marks["cut"])
    routes = _Routes.of(tree, show_missing)
    outline = _Outline(tree, max_depth, merge_same_answer, marks["cut"])
    lines = list(_walk(tree, wording, routes, outline, marks, max_branches or tree.n_nodes))
    columns = list(_columns(tree, names, outline, show_ids=show_ids, max_classes=max_classes))
    parts = [_heading(tree, max_classes), "", *_layout(lines, columns)]
    notes = [*outline.notes(), *routes.notes()]  # these know what the lines have left to be said
    if notes:
        parts += ["", *notes]
    return "\n".join(parts)


def _heading(tree: Tree, max_classes: int) -> str:
    parts = [
        _count(tree.n_leaves, "leaf", "leaves"),
        f"depth {tree.depth}",
        _count(int(tree.n_rows[0]), "row", "rows"),
    ]
    if tree.n_classes > max_classes:
        parts.append(_count(tree.n_classes, "class", "classes"))
    return f"{'Regression' if tree.classes is None else 'Classification'} tree: {', '.join(parts)}"


def _count(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _class_names(tree: Tree, given: Sequence[str] | Mapping[Any, str] | None, ellipsis: str) -> list[str]:
    if tree.classes is None:
        if given is not None:
            raise ValueError("a regression tree has no classes to name with class_names")
        return []
    labels = tree.classes.tolist() if tree.classes.dtype.kind not in "mM" else [str(c) for c in tree.classes]
    if isinstance(given, Mapping):
        names: Sequence[Any] = [given.get(label, label) for label in labels]
    else:
        names = labels if given is None else given
    if len(names) != len(labels):
        raise ValueError(f"{len(names)} class_names are given for {len(labels)} classes")
    return [cut(clean(str(name)), _LONGEST_CLASS, ellipsis) for name in names]


# ------------------------------------------------------------------------------------------------ routes


@dataclass
class _Routes:
    """Which of the routes of missing and unknown values the lines tell, and which the notes below."""

    mode: bool | Literal["auto"]
    heavier: NDArray[np.int64]
    unknown_rule: int | None  # STOP, ERROR or SPREAD if that holds at every split by category, in auto mode
    missing_rule: int | None  # SPREAD if that holds at every split, in auto mode
    relied_on_heavier: bool = False
    told_surrogates: bool = False

    @classmethod
    def of(cls, tree: Tree, mode: bool | Literal["auto"]) -> _Routes:
        inner = ~tree.is_leaf
        first = np.where(inner, tree.first_child, 0)
        second_heavier = tree.weight[np.where(inner, first + 1, 0)] > tree.weight[first]
        categorical = np.array([column.kind == "categorical" for column in tree.schema.columns])
        unknown = np.unique(tree.unknown_branch[inner & categorical[np.where(inner, tree.feature, 0)]])
        uniform = mode == "auto" and unknown.size == 1 and unknown[0] < 0
        missing = np.unique(tree.missing_branch[inner & (tree.kind != Kind.IS_MISSING)])
        spread = mode == "auto" and missing.tolist() == [SPREAD]
        return cls(
            mode,
            second_heavier.astype(np.int64),
            unknown_rule=int(unknown[0]) if uniform else None,
            missing_rule=SPREAD if spread else None,
        )

    def tells_missing(self, node: int, split: Split) -> bool:
        if self.mode != "auto" or not isinstance(split, Threshold):
            return bool(self.mode)
        if split.missing_branch == self.heavier[node]:
            self.relied_on_heavier = True
            return False
        return True

    def stays(self, split: Split, *, categorical: bool) -> Iterator[tuple[int, list[str]]]:
        """The values that end at this node, are an error or are spread there, as lines of their own."""
        if not self.mode or (split.missing_branch >= 0 and split.unknown_branch >= 0):
            return
        ends = {STOP: list[str](), SPREAD: list[str](), ERROR: list[str]()}
        if split.missing_branch < 0 and self.missing_rule is None and not isinstance(split, IsMissing):
            ends[split.missing_branch].append("missing")
        if categorical and split.unknown_branch < 0 and self.unknown_rule is None:
            ends[split.unknown_branch].append("unknown")
        for end, values in ends.items():
            if values:
                yield end, values

    def notes(self) -> Iterator[str]:
        if self.told_surrogates:
            yield _ASKS
        if self.relied_on_heavier:
            yield _HEAVIER
        spread = ["missing values"] * (self.missing_rule == SPREAD)
        spread += ["unknown categories"] * (self.unknown_rule == SPREAD)
        if spread:
            yield _SPREADS.format(" and ".join(spread).capitalize())
        if self.unknown_rule == ERROR:
            yield _ERRORS
        if self.unknown_rule == STOP:
            yield _STOPS


# ------------------------------------------------------------------------------------------------ outline


class _Outline:
    """Which nodes are shown, and which of them as if they were leaves."""

    def __init__(self, tree: Tree, max_depth: int | None, merge: bool, ellipsis: str) -> None:
        self.tree = tree
        self.ellipsis = ellipsis
        self.closed = tree.is_leaf.copy()
        self.merged = np.zeros(tree.n_nodes, dtype=bool)
        self.cut = np.zeros(tree.n_nodes, dtype=bool)
        if merge:
            self.merged = _same_answer(tree) & ~tree.is_leaf
            self.closed |= self.merged
        self.max_depth = max_depth
        if max_depth is not None:
            self.cut = (tree.node_depth == max_depth) & ~self.closed
            self.closed |= self.cut
        self.leaves_below: list[int] = _leaves_below(tree).tolist() if merge or max_depth is not None else []
        self.saw_merged = self.saw_cut = False

    def remark(self, node: int) -> str:
        """What is said of a node that hides others."""
        if self.merged[node]:
            self.saw_merged = True
            return f"= {self.leaves_below[node]:,} leaves"
        if self.cut[node]:
            self.saw_cut = True
            return f"{self.ellipsis} {self.leaves_below[node]:,} leaves below"
        return ""

    def notes(self) -> Iterator[str]:
        if self.saw_cut:
            yield f"Shown down to depth {self.max_depth} of {self.tree.depth}."
        if self.saw_merged:
            yield "Leaves under one node that all give the same answer are shown as one."


def _answers(tree: Tree) -> NDArray[Any]:
    """What each node answers: a class by number (written down, or the first of the heaviest), or a number."""
    if tree.counts is not None and "answering_class" in tree.extra:
        return tree.extra["answering_class"].astype(np.intp)
    answers: NDArray[Any] | None = tree.answer if tree.counts is None else np.argmax(tree.counts, axis=1)
    assert answers is not None
    return answers


def _same_answer(tree: Tree) -> NDArray[np.bool_]:
    """Whether all leaves below each node give the same answer."""
    lowest, highest = _answers(tree).tolist(), _answers(tree).tolist()
    parent = tree.parent.tolist()
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        lowest[node], highest[node] = math.inf, -math.inf
    for node in range(tree.n_nodes - 1, 0, -1):
        above = parent[node]
        lowest[above] = min(lowest[above], lowest[node])
        highest[above] = max(highest[above], highest[node])
    same: NDArray[np.bool_] = np.array(lowest) == np.array(highest)
    return same


def _leaves_below(tree: Tree) -> NDArray[np.int64]:
    leaves = tree.is_leaf.astype(np.int64).tolist()
    parent = tree.parent.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        leaves[parent[node]] += leaves[node]
    return np.array(leaves, dtype=np.int64)


# ------------------------------------------------------------------------------------------------ lines


@dataclass(slots=True)
class _Line:
    """A line: what stands on its left, and the node whose columns stand on its right."""

    indent: str
    label: str
    node: int
    closed: bool
    end: int | None  # not a child: values that end at this node or are spread there, or its surrogates


@dataclass(slots=True)
class _Waiting:
    node: int
    label: str
    depth: int
    last: bool
    end: int | None = None


def _walk(
    tree: Tree, wording: Wording, routes: _Routes, outline: _Outline, style: dict[str, str], most: int
) -> Iterator[_Line]:
    """All lines, each parent before its children, each child before the next."""
    kept = len(style["space"]) * (MAX_INDENT - 1)
    guides = [""] * (tree.depth + 2)  # by depth: the guides that stand in front of everything deeper
    closed = outline.closed.tolist()
    splits = _splits(tree)
    waiting = [_Waiting(0, "all rows", 0, True)]
    while waiting:
        item = waiting.pop()
        depth = item.depth
        indent = ""
        if depth > 0:
            above = guides[depth - 1]
            indent = above + style["last" if item.last else "branch"]
            guides[depth] = (above + style["space" if item.last else "through"])[-kept:]
            if depth > MAX_INDENT:
                indent = f"[{depth}] {indent}"
        yield _Line(indent, item.label, item.node, closed[item.node], item.end)
        if item.end is not None or closed[item.node]:
            continue
        split = splits(item.node)
        depth += 1
        categorical = tree.schema[split.feature].kind == "categorical"
        conditions = wording.conditions(
            item.node,
            missing=routes.tells_missing(item.node, split),
            unknown=bool(routes.mode),
            split=split,
        )
        below = [
            _Waiting(child, condition, depth, False)
            for child, condition in zip(tree.children(item.node), conditions, strict=True)
        ]
        if len(below) > most + 1:  # to hide one branch would save nothing
            guests = sorted({split.missing_branch, split.unknown_branch} & set(range(most, len(below))))
            hidden = len(below) - most - len(guests)
            below = below[:most] + [below[branch] for branch in guests]
            below.append(_Waiting(item.node, f"{style['cut']} {hidden:,} more branches", depth, False, _MORE))
        if routes.mode and isinstance(split, Threshold | Subset) and split.surrogates:
            routes.told_surrogates = True
            tests = zip(wording.surrogates(split), split.surrogates, strict=True)
            told = ", ".join(f"{test} ({_percent(surrogate.agreement)})" for test, surrogate in tests)
            below.insert(0, _Waiting(item.node, f"surrogates: {told}", depth, False, _SURROGATES))
        for end, values in routes.stays(split, categorical=categorical):
            label = wording.surprise(split.feature, values) + _REMARKS[end]
            below.append(_Waiting(item.node, label, depth, False, end))
        below[-1].last = True
        waiting.extend(reversed(below))


def _splits(tree: Tree) -> Callable[[int], Split]:
    """`Tree.split` for inner nodes, quick for the many thresholds of a large tree."""
    threshold = ((tree.kind == Kind.THRESHOLD) & (np.diff(tree.surrogate_offset) == 0)).tolist()
    columns = [array.tolist() for array in (tree.feature, tree.threshold, tree.missing_branch)]

    def split(node: int) -> Split:
        if threshold[node]:
            feature, cut, missing = columns
            return Threshold(feature[node], cut[node], missing[node])
        found = tree.split(node)
        assert found is not None
        return found

    return split


# ------------------------------------------------------------------------------------------------ columns


@dataclass(slots=True)
class _Column:
    """A column of the table beside the lines."""

    title: str
    cell: Callable[[int], str]  # by node
    right: bool = True
    of_answers: bool = False  # for leaves, what is shown as a leaf, and values that end at an inner node
    gap: str = "  "


def _columns(
    tree: Tree, names: list[str], outline: _Outline, *, show_ids: bool, max_classes: int
) -> Iterator[_Column]:
    if show_ids:
        yield _Column("node", str)
    answers = _answers(tree)
    if tree.counts is None:
        texts = _answer_texts(answers, outline.closed)
        yield _Column("answer", texts.__getitem__, of_answers=True)
    else:
        best = answers.tolist()
        shares = (tree.counts[np.arange(tree.n_nodes), answers] / tree.counts.sum(axis=1)).tolist()
        yield _Column("answer", lambda node: names[best[node]], right=False, of_answers=True)
        yield _Column("", lambda node: _percent(shares[node]), of_answers=True, gap=" ")
    rows = tree.n_rows.tolist()
    yield _Column("rows", lambda node: f"{rows[node]:,}")
    if not np.array_equal(tree.weight, tree.n_rows):
        yield _amounts("weight", tree.weight, tree)
    if tree.counts is None:
        title, spread = _spread(tree)
        yield _Column(title, lambda node: f"{spread[node]:.4g}")
    elif tree.counts is not None and len(names) <= max_classes:
        for k, name in enumerate(names):
            yield _amounts(name, tree.counts[:, k], tree)
    elif tree.counts is not None:
        yield _most_frequent(tree.counts, names)
    if "p_value" in tree.extra:
        p_values = tree.extra["p_value"].tolist()
        yield _Column("p", lambda node: _p_value_text(p_values[node]))
    if outline.merged.any() or outline.cut.any():
        yield _Column("", outline.remark, right=False)


def _answer_texts(answers: NDArray[np.float64], shown: NDArray[np.bool_]) -> list[str]:
    """Numbers that compare at a glance: those shown have the same decimals, six digits of the largest.

    Where that would hide small ones beside large ones, each number has six digits of its own.
    """
    texts = [number_text(value, 6) for value in answers.tolist()]
    sizes = np.abs(answers[shown & (answers != 0)])
    if sizes.size == 0 or sizes.min() < 1e-6 or sizes.max() > min(1e15, 1e4 * sizes.min()):
        return texts
    decimals = max(0, 5 - math.floor(math.log10(sizes.max())))
    places = np.flatnonzero(shown).tolist()
    rounded = [f"{answers[place] + 0.0:.{decimals}f}".partition(".")[2].rstrip("0") for place in places]
    decimals = max(map(len, rounded))
    for place in places:
        texts[place] = f"{answers[place] + 0.0:.{decimals}f}"
    return texts


def _spread(tree: Tree) -> tuple[str, list[float]]:
    """How far the numbers of each node lie apart, in the unit that people know where there is one."""
    if tree.criterion == "squared_error":
        return "sd", np.sqrt(np.maximum(tree.impurity, 0.0)).tolist()
    return {"absolute_error": "mean error", "poisson": "deviance"}.get(tree.criterion, "impurity"), (
        tree.impurity.tolist()
    )


def _p_value_text(p_value: float) -> str:
    """Two digits; nothing where no test was made."""
    if math.isnan(p_value):
        return ""
    return f"{p_value:.2g}" if p_value > 1e-300 else "<1e-300"


def _percent(share: float) -> str:
    """Whole percent; 100 % and 0 % only where that is exact."""
    rounded = round(100 * share)
    if rounded >= 100 and share < 1:
        return ">99%"
    if rounded == 0 and share > 0:
        return "<1%"
    return f"{rounded}%"


def _amounts(title: str, amounts: NDArray[np.float64], tree: Tree) -> _Column:
    """Weights: whole numbers if all in the tree are, otherwise about three digits of the largest."""
    values = amounts.tolist()
    total = float(tree.weight[0])
    whole = tree.weight if tree.counts is None else tree.counts
    if total < 1e15 and bool((whole == np.floor(whole)).all()):
        return _Column(title, lambda node: f"{int(values[node]):,}")
    if not 1e-3 <= total < 1e9:
        return _Column(title, lambda node: f"{values[node]:.3g}")
    decimals = max(1, 3 - math.ceil(math.log10(total) + 1e-9))
    return _Column(title, lambda node: f"{values[node]:,.{decimals}f}")


def _most_frequent(counts: NDArray[np.float64], names: list[str]) -> _Column:
    def cell(node: int) -> str:
        row = counts[node]
        total, present = row.sum(), np.count_nonzero(row)
        order = np.argsort(-row, kind="stable")[: min(_TOP_CLASSES, present)].tolist()
        shown = ", ".join(f"{names[k]} {_percent(row[k] / total)}" for k in order)
        return f"{shown}, +{present - len(order)} more" if present > len(order) else shown

    return _Column("most frequent classes", cell, right=False)


def _layout(lines: list[_Line], columns: list[_Column]) -> Iterator[str]:
    """Lines and columns, aligned."""
    lengths = [0, *(len(line.indent) + display_width(line.label) for line in lines)]
    aligned = max(length for length in lengths if length <= _MAX_ALIGNED)
    parts = [
        ["", *(line.indent + line.label for line in lines)],
        [" " * (aligned - length) for length in lengths],
    ]
    says_error = True
    for column in columns:
        cells = [column.title]
        for line in lines:
            if line.end is None:
                cells.append(column.cell(line.node) if line.closed or not column.of_answers else "")
            elif line.end == STOP:
                cells.append(column.cell(line.node) if column.of_answers else "")
            else:
                cells.append("error" if line.end == ERROR and column.of_answers and says_error else "")
        says_error = says_error and not column.of_answers
        parts.append(_padded(cells, column.gap, right=column.right))
    for pieces in zip(*parts, strict=True):
        yield "".join(pieces).rstrip()


def _padded(cells: list[str], gap: str, *, right: bool) -> list[str]:
    """Cells of equal width, with a gap before them."""
    widths = list(map(display_width, cells))
    width = max(widths)
    if right:
        return [gap + " " * (width - own) + cell for cell, own in zip(cells, widths, strict=True)]
    return [gap + cell + " " * (width - own) for cell, own in zip(cells, widths, strict=True)]


def display_width(text: str) -> int:
    """How many places of a terminal a text takes.

    >>> display_width("abc"), display_width("木")
    (3, 2)
    """
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))
