"""A user's own impurity: what it is refused for, what is found out about it, and that it travels well."""

from __future__ import annotations

import copy
import functools
import math
import pickle
import threading
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.criteria import CRITERIA, Impurity
from tests.criteria.user_functions import (
    OF_SHARE,
    OF_SHARES,
    cancelling_gini,
    cubed,
    identity,
    miss,
    s_curve,
    shannon,
    two_best,
)


def criterion_of(impurity: Impurity, n_classes: int):  # type: ignore[no-untyped-def]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return impurity.criterion(n_classes)


# --- what is found out ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_SHARE)
def test_curvature_is_found(name: str) -> None:
    impurity, curvature = OF_SHARE[name]
    for n_classes in (2, 3, 5):
        found = criterion_of(impurity, n_classes)
        assert found.curvature == curvature
        assert found.curvature_many == (curvature if curvature in ("concave", "linear") else "unknown")
        assert found.name == name
        assert found.core is None
        assert (found.of_share is None, found.of_shares is None) == (n_classes > 2, n_classes == 2)


@pytest.mark.parametrize("scale", [1e-200, 1e-9, 1e9, 1e200])
@pytest.mark.parametrize("name", OF_SHARE)
def test_curvature_does_not_depend_on_the_scale(name: str, scale: float) -> None:
    impurity, curvature = OF_SHARE[name]
    f = impurity.f
    assert criterion_of(Impurity(lambda x: scale * f(x)), 2).curvature == curvature


@settings(max_examples=50)
@given(
    exponent=st.floats(0.05, 8.0).filter(lambda a: abs(a - 1) > 1e-6),
    bend=st.floats(-0.9, 0.9).filter(lambda a: abs(a) > 1e-6),
)
def test_curvature_of_powers_and_parabolas(exponent: float, bend: float) -> None:
    power = criterion_of(Impurity(lambda x: x**exponent), 2)
    assert power.curvature == ("concave" if exponent < 1 else "convex")
    parabola = criterion_of(Impurity(lambda x: x + bend * x * x), 2)
    assert parabola.curvature == ("concave" if bend < 0 else "convex")


@pytest.mark.parametrize("where", [1e-6, 0.01, 0.123, 0.25, 1 / 3, 0.49, 0.4999])
def test_a_kink_is_seen_wherever_it_is(where: float) -> None:
    up = criterion_of(Impurity(lambda x: x + np.maximum(0, x - where)), 2)
    assert up.curvature == "convex"
    down = criterion_of(Impurity(lambda x: x + np.minimum(x, where)), 2)
    assert down.curvature == "concave"


@pytest.mark.parametrize("n_classes", [2, 3, 4, 6])
@pytest.mark.parametrize("name", OF_SHARES)
def test_concavity_of_vector_functions_is_found(name: str, n_classes: int) -> None:
    impurity, curvature = OF_SHARES[name]
    found = criterion_of(impurity, n_classes)
    assert found.curvature == found.curvature_many == curvature
    assert found.rule(n_classes) == ("boundaries" if curvature == "concave" else "all")
    assert found.of_share is None
    assert found.of_shares is not None


def test_what_cannot_be_settled_is_said_once() -> None:
    impurity = Impurity(s_curve)
    vector = Impurity(two_best, vector=True)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        for n_classes in (2, 2, 4):
            impurity.criterion(n_classes)
        copy.deepcopy(impurity).criterion(2)
        for n_classes in (3, 3, 4):
            vector.criterion(n_classes)
    assert [warning.category for warning in said] == [UserWarning, UserWarning]
    assert "impurity 's_curve': on [0, 1/2] it is concave in places (f(" in str(said[0].message)
    assert "impurity 'two_best': it is not concave: half way between" in str(said[1].message)
    assert all("all are looked at" in str(warning.message) for warning in said)
    assert all(warning.filename == __file__ for warning in said)


def test_what_can_be_settled_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for known in (*OF_SHARE.values(), *OF_SHARES.values()):
            if known.curvature != "unknown":
                for n_classes in (2, 3):
                    Impurity(known.impurity.f, vector=known.impurity.vector).criterion(n_classes)


def test_f_is_looked_at_once() -> None:
    calls = []

    def counted(x: np.ndarray) -> np.ndarray:
        calls.append(len(x))
        return np.sqrt(x)

    impurity = Impurity(counted)
    first = impurity.criterion(2)
    n_calls = len(calls)
    assert sum(calls) < 500_000
    assert impurity.criterion(2) is first
    impurity.criterion(3)
    assert len(calls) == n_calls


def test_threads_look_once() -> None:
    calls = []

    def counted(x: np.ndarray) -> np.ndarray:
        calls.append(None)
        return s_curve(x)

    alone = Impurity(counted)
    criterion_of(alone, 2)
    n_calls = len(calls)
    shared, found = Impurity(counted), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        threads = [threading.Thread(target=lambda: found.append(shared.criterion(2))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(calls) == 2 * n_calls
    assert len({id(criterion) for criterion in found}) == 1


# --- declared curvature --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OF_SHARE)
@pytest.mark.parametrize("declared", ["concave", "linear", "convex"])
def test_a_declaration_is_trusted_unless_the_numbers_contradict(name: str, declared) -> None:  # type: ignore[no-untyped-def]
    impurity, curvature = OF_SHARE[name]
    again = Impurity(impurity.f, declared)
    if curvature in (declared, "linear"):
        assert again.criterion(2).curvature == declared
        return
    with pytest.raises(
        ValueError, match=rf"impurity '{name}' is declared {declared}, but f'' [<>] 0 near x = "
    ) as e:
        again.criterion(2)
    sign = str(e.value).split("f'' ")[1][0]
    assert (sign == ">") if declared == "concave" else (sign == "<") if declared == "convex" else True


def test_a_contradiction_names_a_place_where_it_shows() -> None:
    with pytest.raises(ValueError, match="near x = ") as e:
        Impurity(s_curve, "convex").criterion(2)
    x = float(str(e.value).split("near x = ")[1].split(":")[0])
    assert x > 0.25, "s_curve is concave above 1/4"


def test_declared_vectors() -> None:
    assert Impurity(miss, "concave", vector=True).criterion(3).curvature == "concave"
    with pytest.raises(
        ValueError, match="impurity 'cubed' is declared concave, but half way between the shares"
    ):
        Impurity(cubed, "concave", vector=True).criterion(3)
    for curvature in ("linear", "convex"):
        with pytest.raises(ValueError, match=f"curvature='{curvature}' cannot be declared"):
            Impurity(miss, curvature, vector=True)  # type: ignore[arg-type]


# --- what is refused -----------------------------------------------------------------------------------


def scalar_log(x: float) -> float:
    return math.log1p(x)


def scalar_if(x: float) -> float:
    return x if x < 0.25 else 0.25


def raises_at_zero(x: np.ndarray) -> np.ndarray:
    if (x == 0).any():
        raise ZeroDivisionError("no zero please")
    return x


def raises_in_the_middle(x: np.ndarray) -> np.ndarray:
    if ((x >= 0.25) & (x < 0.251)).any():
        raise RuntimeError("hole")
    return x


REFUSED = {
    "math.log": (scalar_log, "f works for one number only.*Use NumPy's functions.*TypeError"),
    "if": (scalar_if, "f works for one number only.*ValueError"),
    "raises at 0": (raises_at_zero, "f raised at x = 0: ZeroDivisionError: no zero please"),
    "raises in the middle": (raises_in_the_middle, r"f raised at x = 0\.25: RuntimeError: hole"),
    "takes no argument": (lambda: 0, "f raised at x = 0: TypeError"),
    "one number": (lambda x: x.sum(), r"must return one number for each.*returned one of shape \(\)"),
    "too many": (lambda x: np.stack([x, x], 1), r"one of shape \(\d+, 2\)"),
    "column": (lambda x: x[:, None], r"one of shape \(\d+, 1\)"),
    "wrong length": (lambda x: x[1:], "must return one number for each"),
    "nothing": (lambda x: None, "must return an array of dtype float64, but returned None"),
    "complex": (lambda x: x + 0j, "but returned an array of dtype complex128"),
    "true or false": (lambda x: x > 0.1, "but returned an array of dtype bool"),
    "half precision": (lambda x: x.astype(np.float32), "but returned an array of dtype float32"),
    "words": (lambda x: np.array(["a"] * len(x)), "but returned an array of dtype <U1"),
    "ragged": (lambda x: [[1.0], *([[1.0, 2.0]] * (len(x) - 1))], "f returned no array of numbers"),
    "log(0)": (lambda x: -x * np.log(x) + x, "f must be finite, but it is nan at x = 0. .*xlogy.*np.where"),
    "infinite": (lambda x: x / (0.5 - x), "f must be finite, but it is inf at x = 0.5$"),
    "nan inside": (lambda x: np.where(x > 0.4, np.nan, x), r"but it is nan at x = 0\.4"),
    "cosine": (np.cos, "f must be 0 at x = 0, a pure node, but is 1 there"),
    "offset": (lambda x: x + 1e-9, "f must be 0 at x = 0, a pure node, but is 1e-09 there"),
    "zero": (np.zeros_like, r"f is 0 on all of \[0, 1/2\]"),
    "negative": (lambda x: -x, r"f must not be negative, but f\(0.5\) = -0.5"),
    "negative first": (lambda x: x * (x - 0.1), r"f must not be negative, but f\(0\.0\d+\) = -0\.00249"),
    "decreasing": (
        lambda x: np.sin(5 * x),
        r"f must increase on \[0, 1/2\], but f\(0\.31\d*\) = 0\.9999\d* and f\(0\.5\) = 0\.59847",
    ),
    "decreasing slowly": (lambda x: x - 0.1 * np.maximum(0, x - 0.4) ** 0.5, "f must increase"),
    "decreasing a little": (lambda x: np.minimum(x, 0.4) - 1e-8 * np.maximum(x - 0.4, 0), "f must increase"),
    "step": (lambda x: np.where(x < 0.3, x, x + 0.1), r"jumps at x = 0\.3, from 0\.3 to 0\.4"),
    "step on the grid": (lambda x: x + (x >= 0.25) * 0.1, r"jumps at x = 0\.25, from 0\.25 to 0\.35"),
    "small step": (lambda x: x + (x > 0.2) * 1e-3, r"jumps at x = 0\.2"),
    "step at 0": (lambda x: x + (x > 0) * 0.1, "jumps at x = 0: "),
    "step at 1/2": (lambda x: x + (x == 0.5) * 0.1, r"jumps at x = 0\.5, from 0\.5 to 0\.6"),
    "step near 0": (lambda x: x + (x > 1e-9) * 0.1, "jumps at x = 1e-09"),
    "rounded": (lambda x: np.round(x, 2), "jumps at x = "),
    "not each by itself": (lambda x: x * x.sum(), "each value must depend on its own share only"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_is_refused_with_its_reason(case: str) -> None:
    f, reason = REFUSED[case]
    with pytest.raises(ValueError, match=f"^impurity '[a-z_]+': .*{reason}"):
        Impurity(f).criterion(2)


@pytest.mark.parametrize("case", ["raises at 0", "math.log"])
def test_the_error_of_f_is_chained(case: str) -> None:
    with pytest.raises(ValueError) as e:
        Impurity(REFUSED[case][0]).criterion(2)
    assert isinstance(e.value.__cause__, ZeroDivisionError | TypeError)


VECTORS_REFUSED = {
    "one number": (lambda p: 1 - (p * p).sum(), r"\d+ rows of class shares.*shape \(\).*\.sum\(axis=1\)"),
    "per class": (lambda p: p * (1 - p), r"one of shape \(\d+, 3\)"),
    "one row": (lambda p: 1 - float(max(p)), "f works for one row only"),
    "pure": (lambda p: 2 - p.max(axis=1), r"0 at a pure node, the class shares \(1, 0, 0\), but is 1 there"),
    "one class": (lambda p: 1 - p[:, 0] ** 2, r"the class shares \(0, 1, 0\), but is 1 there"),
    "log(0)": (lambda p: -(p * np.log(p)).sum(axis=1), r"it is nan at the class shares \(1, 0, 0\). .*xlogy"),
    "negative": (lambda p: p.max(axis=1) - 1, "f must not be negative, but it is -0.6"),
    "zero": (lambda p: np.zeros(len(p)), "f is 0 for all class shares"),
    "raises": (lambda p: p.nothing, "f raised at the class shares .*AttributeError"),
    "not each row by itself": (lambda p: (1 - p.max(axis=1)) / len(p), "each value must depend on its own"),
}  # fmt: skip


@pytest.mark.parametrize("case", VECTORS_REFUSED)
def test_what_is_refused_of_vectors(case: str) -> None:
    f, reason = VECTORS_REFUSED[case]
    with pytest.raises(ValueError, match=f"^impurity 'lambda': .*{reason}"):
        Impurity(f, vector=True).criterion(3)


def test_arguments() -> None:
    with pytest.raises(TypeError, match="must be a function of an array of class shares, not 'gini'"):
        Impurity("gini")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'concave', 'linear', 'convex' or None, not 'unknown'"):
        Impurity(np.sqrt, "unknown")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name of an Impurity must be a string"):
        Impurity(np.sqrt, name="")
    with pytest.raises(ValueError, match="name 'gini' of an Impurity is one of boxwood's own"):
        Impurity(np.sqrt, name="gini")
    with pytest.raises(TypeError, match="vector of an Impurity must be True or False"):
        Impurity(np.sqrt, vector=2)  # type: ignore[arg-type]
    for bad in (0, -1, 2.0, True):
        with pytest.raises(ValueError, match="n_classes must be a positive whole number"):
            Impurity(np.sqrt).criterion(bad)  # type: ignore[arg-type]


def test_a_value_that_turns_bad_later_is_refused_then() -> None:
    """The grid cannot see everything; what f returns during growth is looked at as well."""
    bad = 0.2987654321
    criterion = Impurity(lambda x: np.where(x == bad, np.nan, x)).criterion(2)
    with pytest.raises(ValueError, match=r"it is nan at x = 0\.298765"):
        criterion.of_share(np.array([0.1, bad]))


def test_f_may_write_into_its_array() -> None:
    def in_place(x: np.ndarray) -> np.ndarray:
        x *= 2
        return x

    criterion = Impurity(in_place).criterion(2)
    smaller = np.array([0.0, 0.25])
    assert criterion.of_share(smaller).tolist() == [0.0, 0.5]
    assert smaller.tolist() == [0.0, 0.25]


# --- the criterion -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*OF_SHARE, *OF_SHARES])
@settings(max_examples=50)
@given(data=st.data(), n_classes=st.integers(1, 6))
def test_impurity_is_zero_when_pure_and_never_more_than_the_largest(
    name: str, data: st.DataObject, n_classes: int
) -> None:
    impurity = {**OF_SHARE, **OF_SHARES}[name].impurity
    if name == "two_best" and n_classes == 1:
        return  # it has no second share to look at
    criterion = criterion_of(impurity, n_classes)
    counts = np.array(
        data.draw(st.lists(st.integers(0, 9), min_size=n_classes, max_size=n_classes)), dtype=float
    )
    value = float(criterion.impurity(counts))
    assert -1e-12 <= value <= criterion.largest(n_classes) + 1e-9
    if np.count_nonzero(counts) <= 1:
        assert value == 0.0
        assert not np.signbit(value)
    elif not impurity.vector:
        p = counts / counts.sum()
        with np.errstate(all="ignore"):
            expected = [float(impurity.f(np.array([min(share, 1 - share)]))[0]) for share in p]
        assert value == pytest.approx(expected[0] if n_classes == 2 else sum(expected), rel=1e-9, abs=1e-12)
    table = np.stack([counts, counts[::-1], np.zeros(n_classes)])[np.newaxis]
    assert criterion.impurity(table).shape == (1, 3)
    assert criterion.impurity(table[:0]).shape == (0, 3)


@given(
    counts=st.lists(st.lists(st.integers(0, 9), min_size=3, max_size=3).filter(any), min_size=1, max_size=4)
)
def test_own_functions_equal_the_named_criteria(counts: list[list[int]]) -> None:
    three = np.array(counts, dtype=float)
    two = three[three[:, :2].any(axis=1), :2]
    # In a three-class table the sum over classes of 2 p (1 - p) is twice Gini's.
    own = criterion_of(OF_SHARE["cancelling_gini"].impurity, 3)
    assert own.impurity(three) == pytest.approx(2 * CRITERIA["gini"].impurity(three), abs=1e-12)
    assert own.of_shares(three / three.sum(axis=1, keepdims=True)) == pytest.approx(
        own.impurity(three), abs=1e-12
    )
    for name, named in (("cancelling_gini", "gini"), ("where_shannon", "entropy"), ("identity", "error")):
        own = criterion_of(OF_SHARE[name].impurity, 2)
        assert own.impurity(two) == pytest.approx(CRITERIA[named].impurity(two), abs=1e-12)
        share = two.min(axis=1) / two.sum(axis=1)
        assert own.of_share(share) == pytest.approx(own.impurity(two), abs=1e-12)
    own = criterion_of(OF_SHARE["odds"].impurity, 2)
    assert math.log(2) * own.impurity(two) == pytest.approx(CRITERIA["ambiguity"].impurity(two), abs=1e-12)
    for name, named in (("pairs", "gini"), ("miss", "error")):
        own = criterion_of(OF_SHARES[name].impurity, 3)
        assert own.impurity(three) == pytest.approx(CRITERIA[named].impurity(three), abs=1e-12)


# --- it travels ----------------------------------------------------------------------------------------


class Power:
    """A callable object with a parameter."""

    def __init__(self, exponent: float) -> None:
        self.exponent = exponent

    def __call__(self, x: np.ndarray) -> np.ndarray:
        return x**self.exponent


def power(x: np.ndarray, exponent: float) -> np.ndarray:
    return x**exponent


def entropy(x: np.ndarray) -> np.ndarray:
    return shannon(x)


def test_names() -> None:
    assert Impurity(identity).name == "identity"
    assert Impurity(lambda x: x).name == "lambda"
    assert Impurity(functools.partial(power, exponent=2)).name == "power"
    assert Impurity(Power(2)).name == "Power"
    assert Impurity(np.sqrt).name == "sqrt"
    assert Impurity(lambda x: x, name="mine").criterion(2).name == "mine"
    assert Impurity(entropy).name == "user.entropy", "a saved tree must not take it for boxwood's own"


def test_repr() -> None:
    assert repr(Impurity(identity)) == "Impurity(identity)"
    assert repr(Impurity(entropy)) == "Impurity(entropy)"
    assert repr(Impurity(identity, "linear", name="x")) == "Impurity(identity, curvature='linear', name='x')"
    assert repr(Impurity(miss, vector=True)) == "Impurity(miss, vector=True)"


def test_equality_and_hash() -> None:
    assert Impurity(identity) == Impurity(identity)
    assert hash(Impurity(identity)) == hash(Impurity(identity))
    looked_at = Impurity(identity)
    looked_at.criterion(2)
    assert looked_at == Impurity(identity)
    others = [
        Impurity(cancelling_gini),
        Impurity(identity, "linear"),
        Impurity(identity, name="x"),
        Impurity(identity, vector=True),
    ]
    assert all(other != looked_at for other in others)
    assert looked_at != "identity"


def test_copies_and_clones() -> None:
    from sklearn.base import BaseEstimator, clone

    class Holder(BaseEstimator):
        def __init__(self, criterion: object = None) -> None:
            self.criterion = criterion

    for impurity in (Impurity(lambda x: x), Impurity(miss, vector=True)):
        assert copy.deepcopy(impurity) == impurity
        assert copy.copy(impurity) == impurity
        assert clone(Holder(impurity)).criterion == impurity


def test_pickling() -> None:
    for impurity in (
        Impurity(np.sqrt),
        Impurity(shannon, "concave", name="mine"),
        Impurity(np.square),
    ):
        impurity.criterion(2)
        again = pickle.loads(pickle.dumps(impurity))
        assert again == impurity
        assert again.criterion(2).curvature == impurity.criterion(2).curvature
    vector = pickle.loads(pickle.dumps(Impurity(miss, vector=True)))
    assert vector.vector
    assert vector.criterion(3).curvature == "concave"
    criterion = pickle.loads(pickle.dumps(Impurity(np.sqrt).criterion(2)))
    assert criterion.impurity(np.array([1.0, 3.0])) == 0.5
    with pytest.raises(Exception, match="lambda"):
        pickle.dumps(Impurity(lambda x: x))


@pytest.mark.parametrize("f", [lambda p: 1 - (p**2).sum(axis=1), lambda p: 1 - (p**2).sum(axis=-1)])
def test_a_function_of_vectors_is_told_to_say_so(f: Callable[[np.ndarray], np.ndarray]) -> None:
    """Without ``vector=True`` such a function ended in NumPy's AxisError "at x = 0", or in a wrong shape."""
    with pytest.raises(ValueError, match=r"is Impurity\(f, vector=True\)$"):
        Impurity(f).criterion(2)
    Impurity(f, vector=True).criterion(2)
    with pytest.raises(ValueError) as caught:
        Impurity(np.sum).criterion(2)  # makes one number of anything
    assert "vector=True" not in str(caught.value)
