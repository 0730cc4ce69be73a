"""What ``monotonic_cst`` may be, which constraint each column gets, and how pruning keeps to them.

scikit-learn's trees take one of -1, 0 and 1 per column; its gradient boosting also takes a dict from column
names to them. Both are taken here, and refused in its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from boxwood.data import Schema
from boxwood.pruning import ErrorBased, Pruner

ALLOWED = (-1, 0, 1)
_SHOWN = 5


def monotonic_constraints(monotonic_cst: Any, schema: Schema, owner: str) -> tuple[int, ...] | None:
    """One of -1, 0 and 1 per column, or None when nothing is constrained.

    Parameters
    ----------
    monotonic_cst
        What the caller gave: None, an array, or a dict from column names.
    schema
        The columns of the table.
    owner
        Who asks, for messages: the name of an estimator.

    Raises
    ------
    ValueError
        For another value or shape, a name that the table does not have, and a constraint on a categorical
        column, whose values have no order.

    Examples
    --------
    >>> from boxwood.data import Column
    >>> columns = Column("age", "numeric", "integer"), Column("sex", "categorical", "category", ("f", "m"))
    >>> schema = Schema(columns, named=True)
    >>> monotonic_constraints({"age": 1}, schema, "TreeClassifier")
    (1, 0)
    >>> monotonic_constraints([0, -1], schema, "TreeClassifier")
    Traceback (most recent call last):
    ...
    ValueError: monotonic_cst asks for -1 on column 'sex', which is categorical: its values have no order.
    Use 0 \
there, or pass numbers.
    """
    if monotonic_cst is None:
        return None
    if isinstance(monotonic_cst, Mapping):
        constraints = _by_name(monotonic_cst, schema, owner)
    else:
        constraints = _by_position(monotonic_cst, schema.n_features)
    for column, constraint in zip(schema, constraints, strict=True):
        if constraint and column.is_categorical:
            raise ValueError(
                f"monotonic_cst asks for {constraint} on column {column.name!r}, which is categorical: its "
                "values have no order. Use 0 there, or pass numbers."
            )
    return constraints if any(constraints) else None


def keeping_order(pruner: Pruner, monotonic_cst: Any) -> Pruner:
    """A pruner that keeps to constraints: one that collapses nodes does, one that raises branches need not.

    A branch that takes the place of its parent gets rows that it was not grown on, and they may turn the
    order of its leaves around. So "auto" raises none, and what was asked for is refused.

    >>> from boxwood.pruning import ErrorBased
    >>> keeping_order(ErrorBased(), [1, 0]), keeping_order(ErrorBased(), [0, 0])
    (ErrorBased(subtree_raising=False), ErrorBased())
    """
    given = list(monotonic_cst.values()) if isinstance(monotonic_cst, Mapping) else monotonic_cst
    if not isinstance(pruner, ErrorBased) or given is None or not np.any(np.asarray(given) != 0):
        return pruner
    if pruner.subtree_raising is True:
        raise ValueError(
            "subtree_raising=True cannot go together with monotonic_cst: a branch that is raised gets rows "
            "that it was not grown on, and its answers may break the order. Use subtree_raising=False."
        )
    return clone(pruner).set_params(subtree_raising=False)  # type: ignore[no-any-return]


def _by_position(given: Any, n_features: int) -> tuple[int, ...]:
    array = np.asarray(given)
    if array.ndim != 1 or len(array) != n_features:
        shape = array.shape[0] if array.ndim == 1 else array.shape
        raise ValueError(f"monotonic_cst has shape {shape} but the input data X has {n_features} features.")
    if not np.isin(array, ALLOWED).all():
        raise ValueError(
            f"monotonic_cst must be None or an array-like of -1, 0 or 1, but got {_distinct(array)}"
        )
    return tuple(int(value) for value in array)


def _distinct(array: Any) -> Any:
    try:
        return np.unique(array)
    except TypeError:  # objects that cannot be compared
        return array


def _by_name(given: Mapping[Any, Any], schema: Schema, owner: str) -> tuple[int, ...]:
    if not schema.named:
        raise ValueError(
            f"{owner} was not fitted on data with feature names. Pass monotonic_cst as an integer array "
            "instead."
        )
    strange = sorted(map(str, set(given) - set(schema.names)))
    if strange:
        shown = strange[:_SHOWN] + ["..."] * (len(strange) > _SHOWN)
        raise ValueError(f"monotonic_cst contains {len(strange)} unexpected feature names: {shown}.")
    for name, constraint in given.items():
        if constraint not in ALLOWED:
            raise ValueError(f"monotonic_cst[{name!r}] must be either -1, 0 or 1. Got {constraint!r}.")
    return tuple(int(given.get(name, 0)) for name in schema.names)
