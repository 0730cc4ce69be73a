import datetime
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data import Column, Schema
from boxwood.export import export_text
from boxwood.export.text import display_width
from boxwood.tree import (
    ERROR,
    STOP,
    IsMissing,
    Multiway,
    Subset,
    Threshold,
    build_tree,
    leaf,
    node,
)
from tests.oracles.trees import trees
from tests.tree.examples import SCHEMA, every_kind, regression, stump

ISLANDS = ("Biscoe", "Dream", "Torgersen")
PENGUINS = Schema(
    (
        Column("island", "categorical", "category", ISLANDS),
        Column("bill_length_mm", "numeric", "float"),
        Column("flipper_length_mm", "numeric", "float"),
        Column("sex", "categorical", "category", ("female", "male")),
    ),
    named=True,
)
SPECIES = ["Adelie", "Chinstrap", "Gentoo"]


def penguins():
    short = node(Threshold(1, 43.349999999999994, 0), [leaf([149, 4, 0]), leaf([2, 60, 1])])
    long = node(
        Subset(0, {0: 0, 1: 1, 2: 1}, missing_branch=0, unknown_branch=0),
        [leaf([1, 0, 122]), leaf([0, 4, 1])],
    )
    return build_tree(node(Threshold(2, 206.5, missing_branch=1), [short, long]), PENGUINS, SPECIES)


def shown(tree, **options):
    """The lines of the tree itself, without heading and notes."""
    return export_text(tree, **options).split("\n\n")[1].splitlines()


def labels(tree, **options):
    return [re.split(r"  +", line.lstrip("│├└─ "))[0] for line in shown(tree, **options)[1:]]


def test_a_tree_of_penguins():
    wanted = """\
Classification tree: 4 leaves, depth 2, 344 rows

                                            answer         rows  Adelie  Chinstrap  Gentoo
all rows                                                    344     152         68     124
├── flipper_length_mm <= 206.5                              216     151         64       1
│   ├── bill_length_mm <= 43.35             Adelie    97%   153     149          4       0
│   └── bill_length_mm > 43.35              Chinstrap 95%    63       2         60       1
└── flipper_length_mm > 206.5 or missing                    128       1          4     123
    ├── island = Biscoe or missing/unknown  Gentoo    99%   123       1          0     122
    └── island in {Dream, Torgersen}        Chinstrap 80%     5       0          4       1

Missing values go to the heavier branch (the first of two alike) unless a line says otherwise."""
    assert export_text(penguins()) == wanted


def test_print_shows_it():
    assert str(penguins()) == export_text(penguins())


def test_a_lone_leaf():
    tree = build_tree(leaf([3, 1]), PENGUINS, ["no", "yes"])
    assert export_text(tree).splitlines() == [
        "Classification tree: 1 leaf, depth 0, 4 rows",
        "",
        "          answer      rows  no  yes",
        "all rows  no     75%     4   3    1",
    ]


def test_one_class():
    assert shown(build_tree(leaf([3]), PENGUINS, [7]))[1] == "all rows  7      100%     3  3"


def test_every_kind_of_split():
    assert labels(every_kind()) == [
        "all rows",
        "height <= 1.5",
        "height > 1.5",
        "height <= 2.25",
        "colour = blue",
        "colour = red",
        "colour is missing",
        "colour is unknown (stops here)",
        "height > 2.25",
        "code is missing",
        "code is present",
        'code in {1, "x"}',
        "code = 2.5",
        "code = 2024-02-29",
        "code is missing",
        "code is unknown",
        "height is missing (stops here)",
        "height is missing",
    ]
    error = next(line for line in shown(every_kind()) if "code is unknown" in line)
    assert error.split()[-1] == "error"
    stop = next(line for line in shown(every_kind()) if "colour is unknown" in line)
    assert stop.split()[-2:] == ["a", "75%"]


def test_regression():
    assert (
        export_text(regression())
        == """\
Regression tree: 2 leaves, depth 1, 6 rows

                   answer  rows      sd
all rows                      6   3.815
├── height <= 0.5       2     4     0.5
└── height > 0.5       10     2  0.7071

Missing values go to the heavier branch (the first of two alike) unless a line says otherwise."""
    )


def number_leaf(answer, impurity=1.0, n=10):
    return leaf(sums=(n, n * answer, n * answer**2 + n), answer=answer, impurity=impurity)


def number_tree(*answers, criterion="squared_error"):
    """A chain of cuts on one column with these answers in turn."""
    below = number_leaf(answers[-1], 2.25)
    for place in range(len(answers) - 2, -1, -1):
        below = node(Threshold(0, float(place), 0), [number_leaf(answers[place], 4.0), below], impurity=9.0)
    return build_tree(below, SCHEMA, criterion=criterion)


@pytest.mark.parametrize(
    ("criterion", "title", "cells"),
    [
        ("squared_error", "sd", ["3", "2", "1.5"]),
        ("absolute_error", "mean error", ["9", "4", "2.25"]),
        ("poisson", "deviance", ["9", "4", "2.25"]),
        ("something_else", "impurity", ["9", "4", "2.25"]),
    ],
)
def test_the_impurity_of_a_regression_tree_has_a_name(criterion, title, cells):
    lines = shown(number_tree(1.0, 2.0, criterion=criterion))
    assert lines[0].split()[:2] == ["answer", "rows"]
    assert lines[0].endswith(title)
    assert [line.split()[-1] for line in lines[1:]] == cells


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((1.5, 2.0, -3.25), ["1.50", "2.00", "-3.25"]),
        ((1 / 3, 200.0), ["0.333", "200.000"]),
        ((4207.057, 3706.5), ["4207.06", "3706.50"]),
        ((3.0, 20.0), ["3", "20"]),
        ((0.0, -0.0, 0.5), ["0.0", "0.0", "0.5"]),
        ((1e-9, 1234.5), ["1e-09", "1234.5"]),
        ((2.5e-5, 1.25e-5), ["0.0000250", "0.0000125"]),
        ((1e16, 1.0), ["1e+16", "1"]),
        ((0.0, 0.0), ["0", "0"]),
    ],
    ids=str,
)
def test_answers_have_the_same_decimals(answers, expected):
    cells = [re.split(r"  +", line) for line in shown(number_tree(*answers))[1:]]
    assert [line[-3] for line in cells if len(line) >= 4 and line[-2] == "10"] == expected


# ------------------------------------------------------------------------------------------ routes


def split_labels(split, *weights, **options):
    children = [leaf([weight, 0]) for weight in weights]
    return labels(build_tree(node(split, children), PENGUINS, [0, 1]), **options)[1:]


@pytest.mark.parametrize(
    ("split", "weights", "auto", "always", "never"),
    [
        # A threshold is silent where missing values take the heavier branch, or the first of two alike.
        (
            Threshold(1, 2.0, 0),
            (5, 3),
            ["{n} <= 2", "{n} > 2"],
            ["{n} <= 2 or missing", "{n} > 2"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Threshold(1, 2.0, 1),
            (3, 5),
            ["{n} <= 2", "{n} > 2"],
            ["{n} <= 2", "{n} > 2 or missing"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Threshold(1, 2.0, 0),
            (4, 4),
            ["{n} <= 2", "{n} > 2"],
            ["{n} <= 2 or missing", "{n} > 2"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Threshold(1, 2.0, 1),
            (4, 4),
            ["{n} <= 2", "{n} > 2 or missing"],
            ["{n} <= 2", "{n} > 2 or missing"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Threshold(1, 2.0, 0),
            (3, 5),
            ["{n} <= 2 or missing", "{n} > 2"],
            ["{n} <= 2 or missing", "{n} > 2"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Threshold(1, 2.0, 2),
            (3, 5, 1),
            ["{n} <= 2", "{n} > 2", "{n} is missing"],
            ["{n} <= 2", "{n} > 2", "{n} is missing"],
            ["{n} <= 2", "{n} > 2", "{n} is missing"],
        ),
        (
            Threshold(1, 2.0, STOP),
            (3, 5),
            ["{n} <= 2", "{n} > 2", "{n} is missing (stops here)"],
            ["{n} <= 2", "{n} > 2", "{n} is missing (stops here)"],
            ["{n} <= 2", "{n} > 2"],
        ),
        (
            Subset(3, {0: 0, 1: 1}, 0, 1),
            (3, 5),
            ["sex = female or missing", "sex = male or unknown"],
            ["sex = female or missing", "sex = male or unknown"],
            ["sex = female", "sex = male"],
        ),
        (
            Subset(3, {0: 0, 1: 1}, 2, 2),
            (3, 5, 1),
            ["sex = female", "sex = male", "sex is missing or unknown"],
            ["sex = female", "sex = male", "sex is missing or unknown"],
            ["sex = female", "sex = male", "sex is missing or unknown"],
        ),
        # Rules that hold everywhere are told once, below the tree.
        (
            Subset(3, {0: 0, 1: 1}, 0, ERROR),
            (3, 5),
            ["sex = female or missing", "sex = male"],
            ["sex = female or missing", "sex = male", "sex is unknown"],
            ["sex = female", "sex = male"],
        ),
        (
            Multiway(3, {0: 0, 1: 1}, STOP, STOP),
            (3, 5),
            ["sex = female", "sex = male", "sex is missing (stops here)"],
            ["sex = female", "sex = male", "sex is missing or unknown (stops here)"],
            ["sex = female", "sex = male"],
        ),
        (
            Multiway(3, {0: 0}, 1, 2),
            (3, 5, 1),
            ["sex = female", "sex is missing", "sex is unknown"],
            ["sex = female", "sex is missing", "sex is unknown"],
            ["sex = female", "sex is missing", "sex is unknown"],
        ),
        (
            IsMissing(3, 0),
            (3, 5),
            ["sex is missing or unknown", "sex is present"],
            ["sex is missing or unknown", "sex is present"],
            ["sex is missing", "sex is present"],
        ),
        (
            IsMissing(3, 1),
            (3, 5),
            ["sex is missing", "sex is present"],
            ["sex is missing", "sex is present"],
            ["sex is missing", "sex is present"],
        ),
        (
            IsMissing(1, ERROR),
            (3, 5),
            ["{n} is missing", "{n} is present"],
            ["{n} is missing", "{n} is present"],
            ["{n} is missing", "{n} is present"],
        ),
    ],
)
def test_where_missing_and_unknown_values_go(split, weights, auto, always, never):
    for mode, wanted in (("auto", auto), (True, always), (False, never)):
        found = split_labels(split, *weights, show_missing=mode)
        assert found == [label.format(n="bill_length_mm") for label in wanted]


def test_notes_say_what_the_lines_do_not():
    heavier, stops, errors = "heavier branch", "ends at the node that asks", "Unknown categories are an error"

    def notes(split, mode):
        text = export_text(
            build_tree(node(split, [leaf([3, 0]), leaf([2, 0])]), PENGUINS, [0, 1]), show_missing=mode
        )
        return {note for note in (heavier, stops, errors) if note in text}

    assert notes(Threshold(1, 2.0, 0), "auto") == {heavier}
    assert notes(Threshold(1, 2.0, 1), "auto") == set()
    assert notes(Subset(3, {0: 0, 1: 1}, 0, ERROR), "auto") == {errors}
    assert notes(Subset(3, {0: 0, 1: 1}, 0, STOP), "auto") == {stops}
    assert notes(Subset(3, {0: 0, 1: 1}, 0, 0), "auto") == set()
    for split in (Threshold(1, 2.0, 0), Subset(3, {0: 0, 1: 1}, 0, ERROR), Subset(3, {0: 0, 1: 1}, 0, STOP)):
        assert notes(split, True) == notes(split, False) == set()


# ------------------------------------------------------------------------------------------ merging, cutting


def test_same_answers_are_merged():
    inner = node(Threshold(1, 5.0, 0), [leaf([5, 1, 0]), leaf([3, 2, 0])])
    deeper = node(Threshold(2, 3.0, 0), [inner, leaf([2, 0, 0])])
    tree = build_tree(node(Threshold(1, 9.0, 0), [deeper, leaf([0, 4, 1])]), PENGUINS, SPECIES)
    assert (
        export_text(tree, merge_same_answer=True)
        == """\
Classification tree: 4 leaves, depth 3, 18 rows

                         answer         rows  Adelie  Chinstrap  Gentoo
all rows                                  18      10          7       1
├── bill_length_mm <= 9  Adelie    77%    13      10          3       0  = 3 leaves
└── bill_length_mm > 9   Chinstrap 80%     5       0          4       1

Leaves under one node that all give the same answer are shown as one.
Missing values go to the heavier branch (the first of two alike) unless a line says otherwise."""
    )
    assert len(shown(tree)) == 8


def test_a_tree_of_one_answer_is_one_line():
    tree = build_tree(node(Threshold(1, 5.0), [leaf([5, 1, 0]), leaf([3, 2, 0])]), PENGUINS, SPECIES)
    assert len(shown(tree, merge_same_answer=True)) == 2
    assert "heavier" not in export_text(tree, merge_same_answer=True)


def test_nothing_to_merge():
    assert export_text(penguins(), merge_same_answer=True) == export_text(penguins())


@settings(max_examples=40)
@given(trees(regression=None), st.integers(0, 4))
def test_merged_leaves_all_give_the_answer_of_their_line(tree, depth):
    whole = export_text(tree, show_ids=True, show_missing=False)
    merged = export_text(tree, show_ids=True, show_missing=False, merge_same_answer=True)
    answers = tree.answer if tree.counts is None else tree.counts.argmax(axis=1)
    ids = [int(re.findall(r"  +(\d+)", line)[0]) for line in merged.split("\n\n")[1].splitlines()[1:]]
    hidden = set(range(tree.n_nodes)) - set(ids)
    for i in hidden:
        above = i
        while above in hidden:
            above = tree.parent[above]
        assert answers[i] == answers[above] or not tree.is_leaf[i]
    for above in ids:  # no split is left whose children are shown as leaves of one answer
        children = list(tree.children(above))
        if children and children[0] in ids:
            closed = all(child in ids and not set(tree.children(child)) & set(ids) for child in children)
            assert not closed or len({answers[child] for child in children}) > 1
    assert merged.count("\n") <= whole.count("\n") + 2
    cut = export_text(tree, show_ids=True, show_missing=False, max_depth=depth)
    assert len(cut.split("\n\n")[1].splitlines()) == 1 + np.count_nonzero(tree.node_depth <= depth)


def test_cut_at_a_depth():
    wanted = """\
Classification tree: 4 leaves, depth 2, 344 rows

                                          answer      rows  Adelie  Chinstrap  Gentoo
all rows                                               344     152         68     124
├── flipper_length_mm <= 206.5            Adelie 70%   216     151         64       1  … 2 leaves below
└── flipper_length_mm > 206.5 or missing  Gentoo 96%   128       1          4     123  … 2 leaves below

Shown down to depth 1 of 2."""
    assert export_text(penguins(), max_depth=1) == wanted
    for depth in (2, 9, None):
        assert export_text(penguins(), max_depth=depth) == export_text(penguins())


# ------------------------------------------------------------------------------------------ columns


def test_many_classes_show_the_most_frequent():
    tree = build_tree(leaf([1, 5, 0, 500, 2, 5, 0]), PENGUINS, list("abcdefg"))
    assert export_text(tree).splitlines()[2:] == [
        "          answer      rows  most frequent classes",
        "all rows  d      97%   513  d 97%, b 1%, f 1%, +2 more",
    ]
    assert "7 classes" in export_text(tree)
    assert shown(tree, max_classes=7)[0].split() == ["answer", "rows", *"abcdefg"]
    few = build_tree(leaf([0, 5, 0, 0, 0, 5, 0]), PENGUINS, list("abcdefg"))
    assert shown(few)[1].endswith("b 50%, f 50%")


def test_shares_are_never_rounded_to_certainty():
    assert ">99%" in export_text(build_tree(leaf([1999, 1]), PENGUINS, [0, 1]))
    tree = build_tree(leaf([1999, 1, 0, 0, 0, 0, 0]), PENGUINS, list("abcdefg"))
    assert "a >99%, b <1%" in export_text(tree)
    assert "100%" in export_text(build_tree(leaf([2000, 0]), PENGUINS, [0, 1]))


def test_weights():
    half = build_tree(leaf([1.5, 12.25], n_rows=9), PENGUINS, ["no", "yes"])
    assert shown(half) == [
        "          answer      rows  weight   no   yes",
        "all rows  yes    89%     9    13.8  1.5  12.2",
    ]
    whole = build_tree(leaf([3, 12], n_rows=9), PENGUINS, ["no", "yes"])
    assert shown(whole)[1].split() == ["all", "rows", "yes", "80%", "9", "15", "3", "12"]
    tiny = build_tree(leaf([1e-9, 2e-9], n_rows=9), PENGUINS, ["no", "yes"])
    assert shown(tiny)[1].split()[-3:] == ["3e-09", "1e-09", "2e-09"]
    large = build_tree(leaf([1234567, 0]), PENGUINS, ["no", "yes"])
    assert "1,234,567" in export_text(large)


def test_names_of_classes():
    tree = build_tree(leaf([3, 1]), PENGUINS, [0, 1])
    assert shown(tree, class_names=["bad", "good"])[0].split() == ["answer", "rows", "bad", "good"]
    assert shown(tree, class_names={1: "good"})[0].split() == ["answer", "rows", "0", "good"]
    for labels_given, words in (
        (np.array([False, True]), ["False", "True"]),
        (np.array(["2024-01-01", "2024-02-01"], dtype="datetime64[D]"), ["2024-01-01", "2024-02-01"]),
        (np.array(["a\nb", "x" * 99]), ["a\\nb", "x" * 23 + "…"]),
    ):
        found = shown(build_tree(leaf([3, 1]), PENGUINS, labels_given))[0].split()
        assert found == ["answer", "rows", *words]


def test_ids():
    ids = [int(re.findall(r"  +(\d+)", line)[0]) for line in shown(penguins(), show_ids=True)[1:]]
    assert ids == [0, 1, 3, 4, 2, 5, 6]
    assert shown(penguins(), show_ids=True)[0].split()[0] == "node"


def test_ascii():
    wide = Schema((Column("c", "categorical", "category", tuple(f"v{i}" for i in range(20))),), named=True)
    split = Multiway(0, {i: i % 2 for i in range(20)}, 0, 0)
    tree = build_tree(node(split, [leaf([1, 0]), leaf([0, 1])]), wide, ["x" * 50, "y"])
    text = export_text(tree, style="ascii")
    assert text.isascii()
    assert "|-- c in {v0, v2, v4, v6, v8, ... +5 more} or missing/unknown" in text
    assert "`-- c in {v1, " in text
    assert export_text(tree, style="ascii", max_depth=0).isascii()


def test_wide_letters_keep_the_columns_in_line():
    schema = Schema((Column("木", "categorical", "category", ("スギ", "oak")),), named=True)
    tree = build_tree(
        node(Subset(0, {0: 0, 1: 1}, 0, 0), [leaf([1, 0]), leaf([0, 1])]), schema, ["はい", "no"]
    )
    ends = {display_width(line) for line in shown(tree)}
    assert len(ends) == 1


def test_long_lines_do_not_push_everything_to_the_right():
    long = "very long name " * 10
    schema = Schema((Column(long, "categorical", "category", ("a" * 99, "b" * 99, "c")),), named=True)
    tree = build_tree(node(Subset(0, {0: 0, 1: 0, 2: 1}, 0, 0), [leaf([1, 0]), leaf([0, 1])]), schema, [0, 1])
    lines = shown(tree)
    assert "…" in lines[2]
    assert len(lines[3]) < 120


@pytest.mark.parametrize(
    "options",
    [
        {"max_depth": -1},
        {"max_branches": 0},
        {"show_missing": "sometimes"},
        {"style": "fancy"},
        {"digits": 0},
        {"class_names": ["a"]},
        {"feature_names": ["a"]},
    ],
)
def test_wrong_options_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        export_text(stump(), **options)


def test_class_names_need_classes():
    with pytest.raises(ValueError, match="no classes"):
        export_text(regression(), class_names=["a"])


@settings(max_examples=40)
@given(trees(regression=None), st.booleans(), st.sampled_from([True, False, "auto"]))
def test_any_tree_prints(tree, merge, show_missing):
    text = export_text(tree, merge_same_answer=merge, show_missing=show_missing)
    body = text.split("\n\n")[1].splitlines()
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.replace("\n", "").isprintable()
    if not merge:
        assert len(body) >= 1 + tree.n_nodes


def test_dates_and_other_values():
    columns = [("born", "date"), ("smoker", "boolean"), ("stay", "duration"), ("children", "integer")]
    schema = Schema(tuple(Column(name, "numeric", values) for name, values in columns), named=True)
    noon = (datetime.datetime(2001, 12, 31, 12) - datetime.datetime(1970, 1, 1)) / datetime.timedelta(
        microseconds=1
    )
    cuts = [noon, 0.5, 1.5 * 86400e6, 1234567.5]
    wanted = [
        ("born <= 2001-12-31 12:00", "born > 2001-12-31 12:00"),
        ("smoker = false", "smoker = true"),
        ("stay <= 1 day 12:00:00", "stay > 1 day 12:00:00"),
        ("children <= 1234567.5", "children > 1234567.5"),
    ]
    for feature, (cut, words) in enumerate(zip(cuts, wanted, strict=True)):
        tree = build_tree(node(Threshold(feature, cut, 0), [leaf([2, 0]), leaf([0, 1])]), schema, [0, 1])
        assert tuple(labels(tree)[1:]) == words
    odd = build_tree(node(Threshold(1, 1.5, 0), [leaf([2, 0]), leaf([0, 1])]), schema, [0, 1])
    assert labels(odd)[1:] == ["smoker <= 1.5", "smoker > 1.5"]


def test_thresholds_that_would_look_alike_do_not():
    schema = Schema((Column("x", "numeric", "float"),), named=True)
    cuts = [0.12345649, 0.12345651, 0.1234561, 0.1234999, 7.0]
    root = leaf([1, 0])
    for cut in cuts:
        root = node(Threshold(0, cut, 1), [root, leaf([0, 1])])
    tree = build_tree(root, schema, [0, 1])
    texts = [label.split()[-1] for label in labels(tree, show_missing=False)[1:] if "<=" in label]
    assert sorted(texts) == ["0.1234561", "0.1234565", "0.123457", "0.1235", "7"]
    exact = [
        label.split()[-1] for label in labels(tree, digits=None, show_missing=False)[1:] if "<=" in label
    ]
    assert sorted(map(float, exact)) == sorted(cuts)


def many_branches(n, missing, unknown):
    column = Column("place", "categorical", "category", tuple(f"p{i}" for i in range(n)))
    split = Multiway(0, {code: code for code in range(n)}, missing_branch=missing, unknown_branch=unknown)
    return build_tree(node(split, [leaf([1, 2])] * n), Schema((column,), named=True), ["no", "yes"])


def test_a_node_with_very_many_branches_is_cut_short():
    """The text of a tree with a million branches was 72 MB."""
    assert len(str(many_branches(5000, 0, 0)).splitlines()) == 2005
    lines = export_text(many_branches(3000, 1, 2999), max_branches=100).splitlines()
    assert len(lines) == 106
    assert lines[5].startswith("├── place = p1 or missing")
    assert lines[-2].startswith("├── place = p2999 or unknown")
    assert lines[-1] == "└── … 2,899 more branches"
    tree = many_branches(5, 0, 0)
    shown = export_text(tree, max_branches=3, style="ascii").splitlines()[3:]
    assert [line.split("  ")[0] for line in shown][3:] == ["|-- place = p2", "`-- ... 2 more branches"]
    assert export_text(tree, max_branches=4) == export_text(tree)  # to hide one would save nothing
