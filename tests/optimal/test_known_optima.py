"""Optima that several solvers agree on, on real tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from boxwood.data import make_dataset
from boxwood.optimal import certify, make_problem, solve

# Errors at depths 3, 4 and 5 (where that is quick), by two or three independent programs.
KNOWN = {
    "anneal": (112, 91, 70),
    "audiology": (5, 1, 0),
    "breast-wisconsin": (15, 7, 0),
    "german-credit": (236, 204),
    "heart-cleveland": (41, 25, 7),
    "hepatitis": (10, 3, 0),
    "hypothyroid": (61, 53, 44),
    "kr-vs-kp": (198, 144, 81),
    "lymph": (12, 3, 0),
    "primary-tumor": (46, 34, 26),
    "soybean": (29, 14, 8),
    "tic-tac-toe": (216, 137, 63),
    "vote": (12, 5, 1),
    "zoo-1": (0, 0, 0),
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_optima(name: str, data_file: Callable[[str], Path]) -> None:
    table = np.loadtxt(data_file(f"binary/{name}.txt.gz"), dtype=np.int64)
    dataset = make_dataset(table[:, 1:], table[:, 0])
    for depth, errors in zip((3, 4, 5), KNOWN[name], strict=False):
        problem = make_problem(dataset, max_depth=depth)
        result = solve(problem)
        assert (result.status, result.objective) == ("optimal", errors)
        certify(result, problem)
