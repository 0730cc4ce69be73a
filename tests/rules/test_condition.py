"""Conditions: which cells fit, and what fits two of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from boxwood.rules import Categories, Interval
from tests.oracles.naive_rules import cell_fits

ENDS = [-math.inf, 0.0, 1.0, math.inf]
CELLS = np.array([-math.inf, -1.0, 0.0, 0.5, 1.0, 2.0, math.inf, math.nan])
INTERVALS = [Interval(0, low, high, missing) for low in ENDS for high in ENDS for missing in (False, True)]
SETS = [
    Categories(0, codes, 3, missing, unknown)
    for codes in ((), (0,), (0, 2), (0, 1, 2))
    for missing in (False, True)
    for unknown in (False, True)
]
CODES = np.array([-2, -1, 0, 1, 2], dtype=np.int32)


@pytest.mark.parametrize(("conditions", "column"), [(INTERVALS, CELLS), (SETS, CODES)])
def test_cells_fit_as_they_do_one_by_one(conditions, column):
    for condition in conditions:
        if isinstance(condition, Interval) and not condition.has_numbers:
            expected = [condition.missing and math.isnan(cell) for cell in column.tolist()]
        else:
            expected = [cell_fits(condition, cell) for cell in column.tolist()]
        assert condition.fits(column).tolist() == expected, condition
        assert condition.is_empty == (not any(expected))
        parts = [part.fits(column) for part in condition.parts()]
        assert np.logical_and.reduce(parts).tolist() == expected


@pytest.mark.parametrize(("conditions", "column"), [(INTERVALS, CELLS), (SETS, CODES)])
def test_what_meets_fits_both(conditions, column):
    for one, other in itertools.product(conditions, conditions):
        assert np.array_equal(one.met(other).fits(column), one.fits(column) & other.fits(column)), (
            one,
            other,
        )
