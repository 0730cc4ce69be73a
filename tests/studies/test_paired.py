"""The paired t-tests beside scipy's, and the correction beside its formula; heat maps."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from studies.harness.drawing import draw
from studies.harness.heatmap import HeatMap, paint
from studies.harness.paired import corrected_t, greater_t


@pytest.fixture
def samples() -> tuple[np.ndarray, np.ndarray]:
    """Give two paired samples."""
    rng = np.random.default_rng(3)
    first = rng.normal(0.8, 0.02, size=12)
    return first, first - rng.normal(0.01, 0.015, size=12)


def test_the_plain_test_is_scipys(samples: tuple[np.ndarray, np.ndarray]) -> None:
    theirs = stats.ttest_rel(*samples, alternative="greater")
    ours = greater_t(*samples)
    assert ours.t == pytest.approx(theirs.statistic)
    assert ours.p == pytest.approx(theirs.pvalue)
    assert greater_t(*reversed(samples)).p == pytest.approx(1 - theirs.pvalue)


def test_without_sharing_the_corrected_test_is_the_plain_one(samples: tuple[np.ndarray, np.ndarray]) -> None:
    theirs = stats.ttest_rel(*samples)
    ours = corrected_t(*samples, 0.0)
    assert (ours.t, ours.p) == pytest.approx((theirs.statistic, theirs.pvalue))


def test_the_correction_widens_the_error(samples: tuple[np.ndarray, np.ndarray]) -> None:
    plain, corrected = corrected_t(*samples, 0.0), corrected_t(*samples, 1 / 9)
    assert corrected.t == pytest.approx(plain.t / math.sqrt(1 + 12 / 9))
    assert corrected.p > plain.p
    assert corrected.mean_difference == plain.mean_difference


def test_equal_and_constant_differences() -> None:
    assert corrected_t([0.1, 0.2], [0.1, 0.2], 0.1).p == 1
    assert not greater_t([0.1, 0.2], [0.1, 0.2]).significant
    assert corrected_t([0.1, 0.2, 0.3], [0.0, 0.1, 0.2], 0.1).mark == "*"
    assert corrected_t([0.0, 0.1, 0.2], [0.1, 0.2, 0.3], 0.1).mark == "v"
    assert math.isnan(corrected_t([0.1], [0.2], 0.1).p)
    with pytest.raises(ValueError, match="must be pairs"):
        greater_t([0.1], [0.1, 0.2])


@pytest.mark.parametrize("around_zero", [False, True])
def test_a_heat_map_with_a_gap(tmp_path: Path, around_zero: bool) -> None:
    pytest.importorskip("matplotlib")
    rows = [[1.0, math.nan], [2.0, -3.0]]
    heat = HeatMap(
        "some numbers", ["a", "b"], ["c", "d"], rows, lambda x: f"{x:.1f}", around_zero=around_zero
    )
    (path,) = draw(lambda figure: paint(figure, heat), tmp_path / "heat", heat.size, ["svg"])
    text = path.read_text("utf-8")
    for words in ("-3.0", "2.0", "–", "some numbers"):
        assert words in text
