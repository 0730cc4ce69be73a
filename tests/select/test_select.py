"""The rules that choose a feature."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxwood.criteria import CRITERIA
from boxwood.select import SELECTIONS, average_gain, best_score

offers = st.lists(
    st.one_of(st.none(), st.tuples(st.integers(0, 16), st.integers(1, 16))), min_size=1, max_size=8
)


@given(offers=offers)
def test_every_rule_chooses_a_feature_that_has_a_split(offers: list[tuple[int, int] | None]) -> None:
    gain = np.array([np.nan if offer is None else offer[0] / 16 for offer in offers])
    score = np.array([np.nan if offer is None else offer[0] / offer[1] for offer in offers])
    for rule in SELECTIONS.values():
        chosen = rule(gain, score, 1.0)
        if np.isnan(gain).all():
            assert chosen == -1
        else:
            assert not np.isnan(gain[chosen])


@given(offers=offers)
def test_by_the_definition(offers: list[tuple[int, int] | None]) -> None:
    present = [(i, offer[0] / 16, offer[0] / offer[1]) for i, offer in enumerate(offers) if offer is not None]
    if not present:
        return
    gain = np.array([np.nan if offer is None else offer[0] / 16 for offer in offers])
    score = np.array([np.nan if offer is None else offer[0] / offer[1] for offer in offers])
    top = max(s for _, _, s in present)
    assert best_score(gain, score, 1.0) == min(i for i, _, s in present if s == top)
    mean = sum(g for _, g, _ in present) / len(present)
    passing = [(i, s) for i, g, s in present if g >= mean]
    top = max(s for _, s in passing)
    assert average_gain(gain, score, 1.0) == min(i for i, s in passing if s == top)


def test_a_difference_by_rounding_is_a_tie() -> None:
    score = np.array([0.3, 0.3 + 1e-14, 0.3 + 1e-9])
    assert best_score(score[:2], score[:2], impurity=0.5) == 0
    assert best_score(score, score, impurity=0.5) == 2
    # Equal gains that their average exceeds by rounding all pass.
    gain = np.array([0.1, 0.1, 0.1])
    assert average_gain(gain, np.array([0.2, 0.4, 0.3]), impurity=0.5) == 1


def test_every_criterion_names_a_rule() -> None:
    assert {criterion.selection for criterion in CRITERIA.values()} <= set(SELECTIONS)


@pytest.mark.parametrize("rule", SELECTIONS.values(), ids=SELECTIONS)
def test_nothing_to_choose_from(rule) -> None:  # type: ignore[no-untyped-def]
    assert rule(np.array([np.nan, np.nan]), np.array([np.nan, np.nan]), 0.5) == -1
