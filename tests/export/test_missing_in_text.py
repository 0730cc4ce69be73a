"""What the text says of surrogates, and of rows that are spread over the branches."""

from __future__ import annotations

from boxwood.export import export_text
from boxwood.tree import SPREAD, Subset, Surrogate, Threshold, build_tree, leaf, node
from tests.export.test_text import PENGUINS, SPECIES, labels
from tests.tree.examples import spread_and_surrogates


def with_surrogates(missing: int = 0):
    standing_in = (
        Surrogate(Threshold(1, 42.05), 0.91, flipped=True),
        Surrogate(Subset(0, {0: 1, 1: 0, 2: 0}), 0.8449),
        Surrogate(Threshold(1, 40.0), 0.999),
    )
    split = Threshold(2, 206.5, missing, standing_in)
    return build_tree(node(split, [leaf([149, 4, 0]), leaf([2, 6, 120])]), PENGUINS, SPECIES)


def test_surrogates_have_a_line_with_their_agreement():
    assert labels(with_surrogates()) == [
        "all rows",
        "surrogates: bill_length_mm > 42.05 (91%), island in {Dream, Torgersen} against {Biscoe} (84%), "
        "bill_length_mm <= 40 (>99%)",
        "flipper_length_mm <= 206.5",
        "flipper_length_mm > 206.5",
    ]
    text = export_text(with_surrogates())
    assert "goes by the first surrogate whose value it has" in text
    assert "go to the heavier branch" in text
    assert "surrogate" not in export_text(with_surrogates(), show_missing=False)
    assert labels(with_surrogates(missing=1))[-1] == "flipper_length_mm > 206.5 or missing"


def test_one_sentence_says_that_all_are_spread():
    split = Threshold(2, 206.5, SPREAD)
    islands = node(Subset(0, {0: 0, 1: 1}, SPREAD, SPREAD), [leaf([9, 1, 0]), leaf([2, 60, 1])])
    tree = build_tree(node(split, [islands, leaf([0, 4, 1])]), PENGUINS, SPECIES)
    assert labels(tree)[1:] == [
        "flipper_length_mm <= 206.5",
        "island = Biscoe",
        "island = Dream",
        "flipper_length_mm > 206.5",
    ]
    sentence = (
        "Missing values and unknown categories are spread over the branches, in proportion to their weights."
    )
    assert export_text(tree).endswith(sentence)
    assert labels(tree, show_missing=True)[2:] == [
        "island = Biscoe",
        "island = Dream",
        "island is missing or unknown: spread over the branches",
        "flipper_length_mm > 206.5",
        "flipper_length_mm is missing: spread over the branches",
    ]


def test_where_only_some_are_spread_lines_say_so():
    text = export_text(spread_and_surrogates())
    assert "height is missing: spread over the branches" in text
    assert "code is unknown: spread over the branches" in text
    assert "are spread over the branches, in proportion" not in text
