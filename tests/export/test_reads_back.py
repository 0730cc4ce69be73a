"""The text says everything: rows routed by what is printed end where the tree sends them.

A reader of the text, which knows nothing of the tree, takes its lines for rules. With every route shown
(``show_missing=True``) and thresholds in full (``digits=None``), it must give all ends of every row, missing
and unknown values and surrogates included. (How much of a spread row ends where follows from the weights, which
stand beside the lines.)
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import MISSING, UNKNOWN, Column, Schema
from boxwood.export import export_text
from tests.oracles.route import RefusedError, reached
from tests.oracles.trees import tables, trees

CATEGORIES = ("ant", "bee", "cat", "dog", "elk", "fox")
SCHEMA = Schema(
    (
        Column("length", "numeric", "float"),
        Column("animal", "categorical", "category", CATEGORIES),
        Column("day", "numeric", "integer"),
    ),
    named=True,
)


@dataclass
class Rule:
    """A printed line: its condition, and the node that it leads to (None: an error)."""

    column: str = ""
    relation: str = ""
    value: str = ""
    guests: tuple[str, ...] = ()
    node: int | None = None
    ends: bool = False
    spread: bool = False
    surrogates: str = ""
    below: list[Rule] = field(default_factory=list)

    def takes(self, cell: float | str) -> bool:
        """Whether a cell fulfils the condition as it stands; a cell is a number, a category or a guest."""
        if isinstance(cell, str) and cell in ("missing", "unknown"):
            return cell in self.guests or (self.relation == "is present" and cell == "unknown")
        if self.relation == "is present":
            return True
        if self.relation in ("<=", ">"):
            return (cell <= float(self.value)) == (self.relation == "<=")
        return cell in self.value.strip("{}").split(", ")


CONDITION = re.compile(
    r"(?P<column>\w+) (?:(?P<relation><=|>|=|in) (?P<value>\{.*?\}|[^ ]+)(?: or (?P<guests>[a-z/]+))?"
    r"|is (?P<alone>missing or unknown|missing|unknown|present(?: or unknown)?))"
    r"(?P<stops> \(stops here\))?(?P<spread>: spread over the branches)?$"
)
SURROGATE = re.compile(
    r"(?P<column>\w+) (?:(?P<relation><=|>) (?P<value>[^ ]+)"
    r"|in \{(?P<first>.*?)\} against \{(?P<second>.*?)\})"
    r" \([<>]?\d+%\)(?:, |$)"
)


def read(text: str) -> Rule:
    """The rules of a printed tree with node numbers."""
    lines = text.split("\n\n")[1].splitlines()[1:]
    stack: list[Rule] = []
    for line in lines:
        guides = re.match(r"[│├└─ ]*", line)[0]
        label, *cells = re.split(r"  +", line[len(guides) :])
        depth = len(guides) // 4
        if depth == 0:
            assert label == "all rows"
            rule = Rule(node=int(cells[0]))
        elif label.startswith("surrogates: "):
            stack[depth - 1].surrogates = label.removeprefix("surrogates: ")
            continue
        else:
            found = CONDITION.match(label)
            assert found, label
            alone = found["alone"]
            guests = found["guests"].split("/") if found["guests"] else []
            relation = found["relation"] or "is"
            if alone and alone.startswith("present"):
                relation, guests = "is present", []
            elif alone:
                guests = alone.split(" or ")
            parent = stack[depth - 1]
            spread = bool(found["spread"])
            error = not spread and cells[0] == "error"
            here = spread or bool(found["stops"])
            node = None if error else parent.node if here else int(cells[0])
            rule = Rule(
                found["column"], relation, found["value"] or "", tuple(guests), node, error or here, spread
            )
            parent.below.append(rule)
        stack[depth:] = [rule]
    return stack[0]


def stand_in(surrogates: str, row: dict[str, float | str]) -> int | None:
    """The branch that the first surrogate with a value gives."""
    for found in SURROGATE.finditer(surrogates):
        cell = row[found["column"]]
        if cell in ("missing", "unknown"):
            continue
        if found["relation"]:
            return 0 if (cell <= float(found["value"])) == (found["relation"] == "<=") else 1
        for branch, listed in enumerate((found["first"], found["second"])):
            if cell in listed.split(", "):
                return branch
    return None


def step(rule: Rule, row: dict[str, float | str]) -> list[Rule]:
    """The lines below a line that a row goes on with."""
    column = rule.below[0].column
    assert all(other.column == column for other in rule.below)
    cell = row[column]
    taken = [other for other in rule.below if other.takes(cell)]
    if not taken and cell not in ("missing", "unknown"):  # a category that no line names
        cell = "unknown"
        taken = [other for other in rule.below if other.takes(cell)]
    named = [other for other in taken if "unknown" in other.guests] if cell == "unknown" else taken
    (found,) = named or taken
    if cell == "missing" or (cell == "unknown" and not found.ends):
        branch = stand_in(rule.surrogates, row)
        if branch is not None:
            return [rule.below[branch]]
    return [other for other in rule.below if not other.ends] if found.spread else [found]


def follow(rule: Rule, row: dict[str, float | str]) -> set[int] | None:
    """The nodes where a row ends; None if it is an error."""
    ends, waiting = set(), [rule]
    while waiting:
        rule = waiting.pop()
        if rule.below:
            waiting.extend(step(rule, row))
        elif rule.node is None:
            return None
        else:
            ends.add(rule.node)
    return ends


def words(columns: list, row: int) -> dict[str, float | str]:
    cells: dict[str, float | str] = {}
    for column, values in zip(SCHEMA.columns, columns, strict=True):
        cell = values[row]
        if column.kind == "numeric":
            cells[column.name] = "missing" if math.isnan(cell) else float(cell)
        else:
            special = {MISSING: "missing", UNKNOWN: "unknown"}
            cells[column.name] = special[cell] if cell < 0 else CATEGORIES[cell]
    return cells


@settings(max_examples=80)
@given(st.data())
def test_rules_as_printed_route_as_the_tree_does(data):
    tree = data.draw(trees(schema=SCHEMA))
    columns = data.draw(tables(tree))
    rules = read(export_text(tree, show_missing=True, digits=None, show_ids=True, max_categories=9))
    for row, cells in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        try:
            wanted: set[int] | None = set(reached(tree, cells)[1])
        except RefusedError:
            wanted = None
        assert follow(rules, words(columns, row)) == wanted


@settings(max_examples=30)
@given(trees(schema=SCHEMA), st.sampled_from([True, False, "auto"]))
def test_every_node_has_its_line(tree, show_missing):
    text = export_text(tree, show_missing=show_missing, show_ids=True)
    ids = []
    rules = [read(text)]
    while rules:
        rule = rules.pop()
        if not rule.ends:
            ids.append(rule.node)
        rules.extend(rule.below)
    assert sorted(ids) == list(range(tree.n_nodes))


def test_the_reader_can_fail():
    with pytest.raises(AssertionError):
        read("head\n\n  node\nall rows  0\n├── length ~ 3  1\n")
