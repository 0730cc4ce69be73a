"""How good is a split: one file per criterion, with its formula, its bounds and its reference.

A new criterion is one file here, one in the core, and one line in :data:`CRITERIA`; the grower stays as
it is.
"""

from __future__ import annotations

from boxwood.criteria.criterion import TIE, Criterion
from boxwood.criteria.entropy import ENTROPY
from boxwood.criteria.gain_ratio import GAIN_RATIO
from boxwood.criteria.gini import GINI

CRITERIA: dict[str, Criterion] = {
    "gini": GINI,
    "entropy": ENTROPY,
    "gain_ratio": GAIN_RATIO,
}

ALIASES: dict[str, str] = {"log_loss": "entropy"}
"""Other names that a user may write: scikit-learn's second name for entropy."""

__all__ = ["ALIASES", "CRITERIA", "TIE", "Criterion"]
