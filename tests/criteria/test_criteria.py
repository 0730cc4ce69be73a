"""What every criterion promises: zero when pure, symmetric, bounded, equal to the plain formulas."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxwood.criteria import ALIASES, CRITERIA, Criterion, Impurity, get_criterion, tsallis
from tests.criteria import plain_formulas

criteria = pytest.mark.parametrize("name", CRITERIA)
weights = st.one_of(st.integers(0, 30).map(float), st.integers(0, 400).map(lambda n: n / 16))


@st.composite
def branches(draw: st.DrawFn, n_branches: int | None = None, n_classes: int | None = None) -> np.ndarray:
    """A table of weights (branch, class) with some weight in every branch."""
    n_branches = n_branches or draw(st.integers(2, 3))
    n_classes = n_classes or draw(st.integers(2, 6))
    rows = draw(
        st.lists(
            st.lists(weights, min_size=n_classes, max_size=n_classes).filter(any),
            min_size=n_branches,
            max_size=n_branches,
        )
    )
    return np.array(rows)


@criteria
def test_a_pure_node_has_no_impurity_and_even_shares_have_the_largest(name: str) -> None:
    criterion = CRITERIA[name]
    for n_classes in range(1, 7):
        pure = np.zeros(n_classes)
        pure[n_classes // 2] = 3.5
        assert criterion.impurity(pure) == 0.0
        assert not np.signbit(criterion.impurity(pure))
        even = np.full(n_classes, 2.0)
        assert criterion.impurity(even) == pytest.approx(criterion.largest(n_classes))
    assert criterion.impurity(np.zeros(3)) == 0.0
    assert criterion.impurity(np.zeros((0, 3))).shape == (0,)


@criteria
@settings(max_examples=50)
@given(table=branches())
def test_impurity_ignores_the_order_and_the_scale_of_classes(name: str, table: np.ndarray) -> None:
    criterion, counts = CRITERIA[name], table[0]
    value = float(criterion.impurity(counts))
    assert float(criterion.impurity(counts[::-1])) == pytest.approx(value, abs=1e-12)
    assert float(criterion.impurity(counts * 8)) == pytest.approx(value, abs=1e-12)
    assert -1e-12 <= value <= criterion.largest(len(counts)) + 1e-12


@criteria
@settings(max_examples=50)
@given(table=branches())
def test_scores_equal_the_plain_formulas(name: str, table: np.ndarray) -> None:
    criterion = CRITERIA[name]
    for counts in (*table, table.sum(axis=0)):
        expected = plain_formulas.IMPURITIES[name](counts.tolist())
        assert float(criterion.impurity(counts)) == pytest.approx(expected, abs=1e-12)
    expected = plain_formulas.gain(name, table.tolist())
    assert float(criterion.gain(table)) == pytest.approx(expected, abs=1e-12)
    # The root in the Hellinger distance and the quotient in the gain ratio make small errors larger.
    expected = plain_formulas.score(name, table.tolist())
    assert float(criterion.score(table)) == pytest.approx(expected, abs=1e-7 if name == "hellinger" else 1e-9)


@criteria
@settings(max_examples=25)
@given(data=st.data(), n_classes=st.integers(2, 6))
def test_many_candidates_score_as_one_by_one(name: str, data: st.DataObject, n_classes: int) -> None:
    criterion = CRITERIA[name]
    tables = data.draw(st.lists(branches(n_branches=2, n_classes=n_classes), min_size=1, max_size=5))
    padded = np.zeros((len(tables), 3, n_classes))  # a third branch without weight
    padded[:, :2] = tables
    one_by_one = [float(criterion.score(table)) for table in tables]
    assert criterion.score(padded) == pytest.approx(one_by_one, abs=1e-12)
    assert criterion.score(padded[:0]).shape == (0,)


@criteria
@settings(max_examples=50)
@given(table=branches(), empty=st.integers(0, 2))
def test_classes_without_weight_change_nothing(name: str, table: np.ndarray, empty: int) -> None:
    """Except that the sine has one form for two classes and another for more."""
    criterion = CRITERIA[name]
    padded = np.concatenate([table, np.zeros((len(table), empty))], axis=1)
    factor = 2 if name == "sine" and table.shape[1] == 2 and empty else 1
    assert float(criterion.score(padded)) == pytest.approx(factor * float(criterion.score(table)), abs=1e-12)


@criteria
@settings(max_examples=50)
@given(table=branches())
def test_where_the_impurity_is_concave_no_split_loses(name: str, table: np.ndarray) -> None:
    criterion = CRITERIA[name]
    if criterion.rule(table.shape[1]) == "boundaries":
        assert float(criterion.gain(table)) >= -1e-12
    assert float(criterion.score(table)) >= -1e-12 or name == "ambiguity"


def test_ambiguity_can_lose_by_a_split() -> None:
    """It is convex below one half: mixing more evenly costs more than sorting saves."""
    loses = CRITERIA["ambiguity"].gain(np.array([[1.0, 1.0], [1.0, 5.0]]))
    assert float(loses) == pytest.approx(-math.log(2) / 15)


@given(table=branches())
def test_gain_ratio_lies_between_0_and_1(table: np.ndarray) -> None:
    assert -1e-9 <= float(CRITERIA["gain_ratio"].score(table)) <= 1 + 1e-9


# --- Tsallis -------------------------------------------------------------------------------------------


@given(table=branches())
def test_gini_and_shannon_are_cases_of_tsallis(table: np.ndarray) -> None:
    gini, bits = CRITERIA["gini"], CRITERIA["entropy"]
    assert float(tsallis(2).gain(table)) == pytest.approx(float(gini.gain(table)), abs=1e-13)
    assert float(tsallis(1).gain(table)) == pytest.approx(math.log(2) * float(bits.gain(table)), abs=1e-13)


@given(table=branches(), q=st.floats(0.01, 50.0))
@example(table=np.array([[1.0, 2.0], [3.0, 1.0]]), q=math.nextafter(1.0, 2.0))
def test_tsallis_by_its_definition(table: np.ndarray, q: float) -> None:
    if abs(q - 1) > 1e-3:  # nearer to 1 the definition loses its digits
        expected = plain_formulas.tsallis(table[0].tolist(), q)
        assert float(tsallis(q).impurity(table[0])) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    near_one = float(tsallis(1 + (q - 1) * 1e-12).impurity(table[0]))
    assert near_one == pytest.approx(float(tsallis(1).impurity(table[0])), rel=1e-8)
    assert 0 <= near_one <= tsallis(1).largest(table.shape[1]) * (1 + 1e-9)


def test_tsallis_names_and_bad_q() -> None:
    for same in (tsallis(1.5), get_criterion("tsallis(1.5)"), get_criterion("tsallis( 1.5 )")):
        assert same == CRITERIA["tsallis"]
    assert tsallis(1.5).name == "tsallis(1.5)"
    assert tsallis(2).name == "tsallis(2)"
    third = tsallis(1 / 3)
    assert get_criterion(third.name).parameter == third.parameter == 1 / 3
    assert tsallis(1.5) != tsallis(1.6)
    again = pickle.loads(pickle.dumps(third))
    assert (again.name, again.largest(3)) == (third.name, third.largest(3))
    for bad in (0, -1, math.inf, math.nan):
        with pytest.raises(ValueError, match="q of the Tsallis entropy must be positive and finite"):
            tsallis(bad)
    with pytest.raises(TypeError, match="must be a number, not 'two'"):
        tsallis("two")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"'tsallis\(many\)': 'many' is no number"):
        get_criterion("tsallis(many)")


# --- split scores --------------------------------------------------------------------------------------


@given(table=branches(n_branches=2))
def test_twoing_is_half_the_best_two_class_gini_gain(table: np.ndarray) -> None:
    twoing = CRITERIA["twoing"]
    expected = plain_formulas.twoing(table.tolist())
    assert float(twoing.score(table)) == pytest.approx(expected, abs=1e-12)
    assert float(twoing.score(table)) <= 0.25 + 1e-12
    if table.shape[1] == 2:
        assert float(twoing.score(table)) == pytest.approx(float(CRITERIA["gini"].gain(table)) / 2, abs=1e-12)


@given(table=branches(n_classes=2), factor=st.sampled_from([0.125, 2.0, 1000.0]))
def test_hellinger_does_not_see_how_frequent_a_class_is(table: np.ndarray, factor: float) -> None:
    hellinger = CRITERIA["hellinger"]
    scaled = table * np.array([factor, 1.0])
    assert float(hellinger.score(scaled)) == pytest.approx(float(hellinger.score(table)), abs=1e-7)
    assert float(hellinger.score(table)) <= math.sqrt(2) + 1e-12


def test_hellinger_of_a_pure_node_is_zero() -> None:
    hellinger = CRITERIA["hellinger"]
    assert hellinger.score(np.array([[3.0, 0.0], [2.0, 0.0]])) == 0
    assert hellinger.score(np.array([[3.0, 0.0, 0.0], [2.0, 0.0, 0.0]])) == 0
    assert hellinger.score(np.zeros((2, 3))) == 0


# --- names ---------------------------------------------------------------------------------------------


def test_names() -> None:
    assert list(CRITERIA) == [
        "gini",
        "entropy",
        "gain_ratio",
        "error",
        "ambiguity",
        "sine",
        "tsallis",
        "twoing",
        "hellinger",
    ]
    assert list(CRITERIA) == [criterion.core for criterion in CRITERIA.values()]
    assert all(criterion.name.startswith(name) for name, criterion in CRITERIA.items())
    assert set(ALIASES.values()) <= set(CRITERIA)
    assert not set(ALIASES) & set(CRITERIA)


def test_get_criterion() -> None:
    for name, criterion in CRITERIA.items():
        assert get_criterion(name) is criterion
        assert get_criterion(criterion) is criterion
    assert get_criterion("purity") is CRITERIA["error"]
    assert get_criterion("log_loss") is CRITERIA["entropy"]
    root = Impurity(np.sqrt)
    assert get_criterion(root, 2).of_share is not None
    assert get_criterion(root, 4).of_shares is not None
    with pytest.raises(ValueError, match="criterion 'Gini' is unknown; the names are 'gini', 'entropy'"):
        get_criterion("Gini")
    with pytest.raises(TypeError, match=r"a function goes into boxwood.criteria.Impurity\(f\)"):
        get_criterion(np.sqrt)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not 3"):
        get_criterion(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("curvature", "two", "more"),
    [
        ("concave", "boundaries", "boundaries"),
        ("linear", "boundaries", "boundaries"),
        ("convex", "equal_shares", "all"),
        ("unknown", "all", "all"),
    ],
)
def test_rules(curvature, two: str, more: str) -> None:  # type: ignore[no-untyped-def]
    criterion = Criterion("some", CRITERIA["gini"].impurity, CRITERIA["gini"].largest, curvature, curvature)
    assert [criterion.rule(n_classes) for n_classes in (1, 2, 3, 6)] == [two, two, more, more]
    assert criterion.concave == (curvature == "concave")


def test_a_curvature_that_does_not_exist() -> None:
    with pytest.raises(ValueError, match="curvature_many of the criterion 'some' is 'flat'"):
        Criterion("some", CRITERIA["gini"].impurity, CRITERIA["gini"].largest, "concave", "flat")  # type: ignore[arg-type]
