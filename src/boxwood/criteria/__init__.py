"""How good is a split: one file per criterion, with its formula, its bounds and its reference.

A new criterion is one file here, one in the core, and one line in :data:`CRITERIA`; the grower stays as
it is. A criterion of the user's own is an :class:`Impurity`: one Python function.
"""

from __future__ import annotations

import re

from boxwood.criteria.ambiguity import AMBIGUITY
from boxwood.criteria.criterion import TIE, Criterion, Curvature, CutRule
from boxwood.criteria.entropy import ENTROPY
from boxwood.criteria.error import ERROR
from boxwood.criteria.gain_ratio import GAIN_RATIO
from boxwood.criteria.gini import GINI
from boxwood.criteria.hellinger import HELLINGER
from boxwood.criteria.impurity import Impurity
from boxwood.criteria.sine import SINE
from boxwood.criteria.tsallis import TSALLIS, tsallis
from boxwood.criteria.twoing import TWOING

CRITERIA: dict[str, Criterion] = {
    "gini": GINI,
    "entropy": ENTROPY,
    "gain_ratio": GAIN_RATIO,
    "error": ERROR,
    "ambiguity": AMBIGUITY,
    "sine": SINE,
    "tsallis": TSALLIS,
    "twoing": TWOING,
    "hellinger": HELLINGER,
}

ALIASES: dict[str, str] = {"log_loss": "entropy", "purity": "error"}
"""Other names that a user may write: scikit-learn's second name for entropy, and a common one for error."""


def get_criterion(criterion: str | Criterion | Impurity, n_classes: int = 2) -> Criterion:
    """The criterion that a user means.

    Parameters
    ----------
    criterion
        A key of :data:`CRITERIA` or :data:`ALIASES`; "tsallis(q)" with a number q; an :class:`Impurity`; or a
        :class:`Criterion`, which is returned as it is.
    n_classes
        The number of classes of the table, for an :class:`Impurity`.

    Returns
    -------
    Criterion
        The criterion.

    Examples
    --------
    >>> from boxwood.criteria import get_criterion
    >>> get_criterion("log_loss").name, get_criterion("tsallis(0.5)").parameter
    ('entropy', 0.5)
    >>> get_criterion("ginny")
    Traceback (most recent call last):
    ...
    ValueError: criterion 'ginny' is unknown; the names are 'gini', 'entropy', 'gain_ratio', 'error', \
'ambiguity', 'sine', 'tsallis', 'twoing', 'hellinger', 'log_loss', 'purity' and 'tsallis(q)' with a \
number q > 0
    """
    if isinstance(criterion, Criterion):
        return criterion
    if isinstance(criterion, Impurity):
        return criterion.criterion(n_classes)
    if not isinstance(criterion, str):
        remedy = "; a function goes into boxwood.criteria.Impurity(f)" if callable(criterion) else ""
        raise TypeError(f"criterion must be a name, an Impurity or a Criterion, not {criterion!r}{remedy}")
    name = ALIASES.get(criterion, criterion)
    if name in CRITERIA:
        return CRITERIA[name]
    with_q = re.fullmatch(r"tsallis\((.*)\)", name)
    if with_q is not None:
        try:
            q = float(with_q.group(1))
        except ValueError:
            raise ValueError(
                f"criterion {criterion!r}: {with_q.group(1)!r} is no number; write 'tsallis(1.5)', say"
            ) from None
        return tsallis(q)
    names = ", ".join(repr(known) for known in (*CRITERIA, *ALIASES))
    raise ValueError(
        f"criterion {criterion!r} is unknown; the names are {names} and 'tsallis(q)' with a number q > 0"
    )


__all__ = [
    "ALIASES",
    "CRITERIA",
    "TIE",
    "Criterion",
    "Curvature",
    "CutRule",
    "Impurity",
    "get_criterion",
    "tsallis",
]
