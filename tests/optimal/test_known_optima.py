"""Optima that several solvers agree on, on real tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from boxwood.data import make_dataset
from boxwood.optimal import certify, make_problem, solve

# Errors at depths 3 and 4, by two independent programs (and at depth 4 by a third for the first three).
KNOWN = {
    "anneal": (112, 91),
    "hypothyroid": (61, 53),
    "german-credit": (236, 204),
    "kr-vs-kp": (198, 144),
    "lymph": (12, 3),
    "zoo-1": (0, 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_optima(name: str, data_file: Callable[[str], Path]) -> None:
    table = np.loadtxt(data_file(f"binary/{name}.txt.gz"), dtype=np.int64)
    dataset = make_dataset(table[:, 1:], table[:, 0])
    for depth, errors in zip((3, 4), KNOWN[name], strict=True):
        problem = make_problem(dataset, max_depth=depth)
        result = solve(problem)
        assert (result.status, result.objective) == ("optimal", errors)
        certify(result, problem)
