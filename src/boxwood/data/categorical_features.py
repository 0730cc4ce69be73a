"""The meaning of `categorical_features`: which numeric columns are to be read as categories.

It is scikit-learn's: None, a boolean mask, positions, names, or "from_dtype". Text is categorical in any
case, since nothing else can be done with it, so the argument decides about the other columns only:

=================  ====================================================================
None               none of them
"from_dtype"       those whose type in the frame is Categorical or Enum
mask               those where the mask is True
positions, names   the listed ones
=================  ====================================================================

A Categorical that is not chosen is read by its values: numbers become a numeric column, text stays
categorical.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.table import Table

CategoricalFeatures: TypeAlias = (
    str | Sequence[bool] | Sequence[int] | Sequence[str] | npt.NDArray[Any] | None
)
Mask: TypeAlias = npt.NDArray[np.bool_]


def categorical_mask(categorical_features: CategoricalFeatures, table: Table) -> Mask | None:
    """The columns that are to be categorical whatever they hold; None leaves it to the columns' types.

    >>> from boxwood.data.table import read_table
    >>> categorical_mask(["b"], read_table({"a": [1], "b": [2]}))
    array([False,  True])
    """
    n_features = len(table.names)
    if categorical_features is None:
        return np.zeros(n_features, dtype=np.bool_)
    if isinstance(categorical_features, str):
        if categorical_features == "from_dtype":
            return None
        raise ValueError(
            "categorical_features must be None, 'from_dtype', or a list of names, positions or booleans; "
            f"got the string {categorical_features!r}. Write [{categorical_features!r}] for a single column."
        )
    try:
        chosen = [item.item() if isinstance(item, np.generic) else item for item in categorical_features]
    except TypeError:
        raise ValueError(
            "categorical_features must be None, 'from_dtype', or a list of names, positions or booleans; "
            f"got {categorical_features!r}"
        ) from None
    types = set(map(type, chosen))
    if len(types) > 1 or not types <= {bool, int, str}:
        shown = ", ".join(sorted(cls.__name__ for cls in types))
        raise ValueError(f"categorical_features must be an array-like of bool, int or str, got: {shown}.")
    if types == {bool}:
        if len(chosen) != n_features:
            raise ValueError(
                "categorical_features set as a boolean mask must have shape (n_features,) = "
                f"({n_features},), got: ({len(chosen)},)"
            )
        return np.array(chosen, dtype=np.bool_)
    mask = np.zeros(n_features, dtype=np.bool_)
    places = {name: place for place, name in enumerate(table.names)}
    for item in chosen:
        if isinstance(item, str):
            if not table.named:
                raise ValueError(
                    f"categorical_features has the name {item!r}, but the table has no column names; pass "
                    "positions or a boolean mask, or a table with names"
                )
            if item not in places:
                raise ValueError(
                    f"categorical_features has an item value {item!r} which is not a valid feature name of "
                    f"the training data. Observed feature names: {list(table.names)}"
                )
            mask[places[item]] = True
        else:
            if not 0 <= item < n_features:
                raise ValueError(
                    "categorical_features set as integer indices must be in [0, n_features - 1] = "
                    f"[0, {n_features - 1}], got: {item}"
                )
            mask[item] = True
    return mask
