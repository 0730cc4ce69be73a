"""The Tsallis entropies: one family with Gini and Shannon in it.

The problem: Gini and entropy are two points; what lies between and beyond? The idea: replace the logarithm
of Shannon's entropy by a power with exponent q > 0. With class shares p

    T_q(p) = (1 - sum_k p_k^q) / (q - 1)                                     (Tsallis 1988, (1))
    T_1(p) = - sum_k p_k ln p_k                                      (its limit)

so q = 2 is Gini and q = 1 is Shannon's entropy in natural units (ln 2 times the one in bits that the
criterion "entropy" has). A small q makes a rare class count for much, a large q for little. Every T_q is
zero for a pure node, strictly concave in p because p^q / (q - 1) is strictly convex, and largest at equal
shares, where it is (1 - K^(1 - q)) / (q - 1).

Near q = 1 both the numerator and the denominator vanish. Written as

    T_q(p) = - sum_k p_k expm1((q - 1) ln p_k) / (q - 1)

nothing is lost, at any q.

The name "tsallis" stands for q = 1.5, half way between the two; "tsallis(0.7)" names any other q, and
:func:`tsallis` makes the criterion.

Reference: C. Tsallis, Possible generalization of Boltzmann-Gibbs statistics, Journal of Statistical Physics
52 (1988) 479-487; for trees: T. Maszczyk, W. Duch, Comparison of Shannon, Renyi and Tsallis entropy used in
decision trees, ICAISC 2008.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from boxwood.criteria.criterion import Criterion, Floats, shares

USUAL_Q = 1.5
"""The q of the criterion that is called "tsallis" and no more."""


@dataclass(frozen=True)
class TsallisEntropy:
    """The formulas, for one q.

    >>> TsallisEntropy(2.0).impurity(np.array([2.0, 1.0, 1.0]))
    array(0.625)
    """

    q: float

    def _term(self, p: Floats) -> Floats:
        """What a class of share p > 0 adds, divided by p."""
        logarithm = np.log(p)
        result: Floats
        if self.q == 1:
            result = -logarithm
        else:
            result = -np.expm1((self.q - 1) * logarithm) / (self.q - 1)
        return result

    def impurity(self, counts: Floats) -> Floats:
        """The Tsallis entropy of weights per class; 0 where there is no weight."""
        p = shares(counts)
        present = p > 0
        # Where q < 1 the term of a share near the smallest float is large, but its product with p is not.
        terms = self._term(np.where(present, p, 1.0))
        entropy: Floats = np.asarray((p * terms).sum(axis=-1) + 0.0)  # a pure node gives 0.0, not -0.0
        return entropy

    def largest(self, n_classes: int) -> float:
        """(1 - K^(1 - q)) / (q - 1): all classes equally frequent."""
        return abs(float(self._term(np.array(1.0 / n_classes))))


def tsallis(q: float) -> Criterion:
    """The criterion "tsallis" with a q of your own.

    Parameters
    ----------
    q
        The exponent: positive and finite. 1 is Shannon's entropy in natural units, 2 is Gini.

    Returns
    -------
    Criterion
        The criterion, named after its q.

    Examples
    --------
    >>> from boxwood.criteria import tsallis
    >>> tsallis(2).name
    'tsallis(2)'
    >>> float(tsallis(2).impurity(np.array([2.0, 1.0, 1.0])))
    0.625
    """
    if isinstance(q, bool | np.bool_) or not isinstance(q, int | float | np.integer | np.floating):
        raise TypeError(f"q of the Tsallis entropy must be a number, not {q!r}")
    value = float(q)
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"q of the Tsallis entropy must be positive and finite, not {q!r}")
    return _named_after(value)


@lru_cache(maxsize=64)
def _named_after(value: float) -> Criterion:
    """The criterion for one q; the same object for the same q."""
    short = format(value, "g")
    formulas = TsallisEntropy(value)
    return Criterion(
        f"tsallis({short if float(short) == value else repr(value)})",
        formulas.impurity,
        formulas.largest,
        "concave",
        "concave",
        core="tsallis",
        parameter=value,
    )


TSALLIS = tsallis(USUAL_Q)
