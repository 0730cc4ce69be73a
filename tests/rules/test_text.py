"""Rules as text and as plain dicts: they say what the rules say."""

from __future__ import annotations

import json
import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood import TreeClassifier, TreeRegressor, load_penguins, rules
from boxwood.data import MISSING, UNKNOWN, Column, Schema
from boxwood.tree import Subset, Threshold, build_tree, leaf, node
from tests.oracles.trees import tables, trees, without_errors

CATEGORIES = ("ant", "bee", "cat", "dog", "elk", "fox")
SCHEMA = Schema(
    (
        Column("length", "numeric", "float"),
        Column("animal", "categorical", "category", CATEGORIES),
        Column("day", "numeric", "integer"),
    ),
    named=True,
)
EXPECTED = """\
9 rules, one for each leaf. Exactly one of them fits a row.

   answer     confidence  rows  lift  if
1  Adelie            99%   139  2.25  wing <= 206.5 and bill <= 42.35
2  Adelie            64%    11  1.44  wing <= 206.5 and 42.35 < bill <= 43.35
3  Adelie            75%     4  1.70  wing <= 206.5 and bill > 43.35 and island in {Biscoe, Torgersen}
4  Chinstrap         98%    59  4.97  wing <= 206.5 and bill > 43.35 and (island = Dream or missing/unknown)
5  Gentoo           100%   122  2.77  wing > 206.5 and (island = Biscoe or missing/unknown)
6  Adelie           100%     2  2.26  wing > 206.5 and island in {Dream, Torgersen} and bill <= 46.55
7  Chinstrap        100%     5  5.06  wing > 206.5 and island in {Dream, Torgersen} and bill > 46.55
8  Gentoo           100%     1  2.77  wing is missing and (island in {Biscoe, Dream} or missing/unknown)
9  Adelie           100%     1  2.26  wing is missing and island = Torgersen

Not every line says whether a missing number fits; to_text(show_missing=True) does."""
CONDITION = re.compile(
    r"(?:(?P<low>\S+) < )?(?P<column>\w+)"
    r"(?: (?P<relation><=|>|=|in|not in|is not) (?P<value>\{.*?\}|[^ ]+)(?: or (?P<guests>[a-z/]+))?"
    r"| is (?P<alone>missing or unknown|missing|unknown|present)(?: or (?P<more>[a-z/]+))?)$"
)


def reads(text: str, cells: dict[str, float | str]) -> bool:
    """Whether a row fits a condition as it is printed; a cell is a number, a category or a guest."""
    found = CONDITION.match(text.strip("()"))
    assert found, text
    cell = cells[found["column"]]
    guests = re.split("/| or ", found["guests"] or found["more"] or "")
    if found["alone"] and found["alone"] != "present":
        return cell in found["alone"].split(" or ")
    if cell == "missing":
        return "missing" in guests
    if found["alone"]:  # present
        return True
    if found["relation"] in ("not in", "is not"):
        return cell not in found["value"].strip("{}").split(", ")
    if cell == "unknown":
        return "unknown" in guests
    if found["relation"] in ("=", "in"):
        return cell in found["value"].strip("{}").split(", ")
    if found["relation"] == ">":
        return cell > float(found["value"])
    return cell <= float(found["value"]) and (not found["low"] or cell > float(found["low"]))


def words(columns, place: int) -> dict[str, float | str]:
    row: dict[str, float | str] = {}
    for column, values in zip(SCHEMA, columns, strict=True):
        cell = values[place].item()
        if column.is_categorical:
            row[column.name] = {MISSING: "missing", UNKNOWN: "unknown"}.get(cell) or CATEGORIES[cell]
        else:
            row[column.name] = "missing" if math.isnan(cell) else cell
    return row


@settings(max_examples=80)
@given(st.data())
def test_the_text_says_everything(data):
    tree = without_errors(data.draw(trees(schema=SCHEMA, regression=True)))
    columns = data.draw(tables(tree))
    found = rules(tree)
    text = found.to_text(show_missing=True, digits=None, max_categories=10)
    lines = text.splitlines()[3 : 3 + len(found)]
    start = text.splitlines()[2].index("  if") + 2
    expected = found.first_fitting(columns)
    for place in range(len(columns[0])):
        row = words(columns, place)
        conditions = [line[start:].split(" and ") for line in lines]
        fitting = [
            k
            for k, all_of in enumerate(conditions)
            if all_of == ["always"] or all(reads(c, row) for c in all_of)
        ]
        assert fitting == [expected[place]]


@pytest.fixture(scope="module")
def penguins():
    data = load_penguins()
    return data.data, data.target


def test_what_a_newcomer_reads(penguins):
    table, species = penguins
    table = {
        name.partition("_length")[0].replace("flipper", "wing"): column for name, column in table.items()
    }
    found = rules(TreeClassifier(max_depth=3, missing="branch").fit(table, species))
    assert str(found) == EXPECTED


def test_few_of_many(penguins):
    found = rules(TreeClassifier().fit(*penguins))
    text = found.to_text(max_rules=2)
    assert f"… and {len(found) - 2} more." in text
    assert "\n2 " in text.replace("\n ", "\n")
    assert "otherwise" not in rules(TreeClassifier().fit(*penguins), *penguins, simplify=True).to_text(
        max_rules=1
    )
    assert found.to_text(max_rules=2, style="ascii").isascii()
    with pytest.raises(ValueError, match="max_rules must be None or at least 1"):
        found.to_text(max_rules=0)


def test_many_categories_are_told_by_the_few_that_do_not_fit():
    schema = Schema((Column("c", "categorical", "category", tuple("abcdefghij")),), named=True)
    split = Subset(0, {k: int(k == 3) for k in range(10)}, missing_branch=1, unknown_branch=0)
    found = rules(build_tree(node(split, [leaf([3, 1]), leaf([0, 2])]), schema, ["no", "yes"]))
    assert "c is not d" in str(found)
    assert "c = d or missing" in str(found)


def test_booleans_and_dates_are_worded_as_in_trees():
    schema = Schema((Column("smoker", "numeric", "boolean"), Column("born", "numeric", "date")), named=True)
    inner = node(Threshold(1, 86400e6, 0), [leaf([3, 1]), leaf([1, 1])])
    found = rules(build_tree(node(Threshold(0, 0.5, 0), [inner, leaf([0, 2])]), schema, ["no", "yes"]))
    assert "smoker = false and born <= 1970-01-02" in str(found)
    assert "smoker = true" in str(found)


def test_weights_are_shown_where_they_are_not_numbers_of_rows(penguins):
    table, species = penguins
    weighted = TreeClassifier(max_depth=1).fit(table, species, np.full(len(species), 0.5))
    assert "weight" in str(rules(weighted))
    assert "weight" not in str(rules(TreeClassifier(max_depth=1).fit(table, species)))


def test_plain_dicts_are_json(penguins):
    table, species = penguins
    found = rules(TreeClassifier().fit(table, species), table, species, simplify=True)
    plain = json.loads(json.dumps(found.to_dict()))
    assert len(plain["rules"]) == len(found)
    assert plain["otherwise"] == found.default
    assert plain["rules"][0]["then"] == found[0].answer
    assert {"island"} < {condition["column"] for rule in plain["rules"] for condition in rule["if"]}


def test_a_rule_set_is_a_sequence_and_can_be_pickled(penguins):
    table, species = penguins
    found = rules(TreeRegressor(max_depth=2).fit(table, np.arange(len(species), dtype=float)))
    assert len(list(found)) == len(found) == 4
    assert found[-1] == found[3]
    assert repr(found) == "RuleSet(4 rules)"
    assert np.array_equal(pickle.loads(pickle.dumps(found)).predict(table), found.predict(table))
