"""The combinations of a group of columns, numbered as training saw them.

A combination is found one column after the other: the number of what was found so far and the code of the
next column make a key, and the key's place among the keys of training is the next number. So no product of
cardinalities is ever formed, and a group may have any number of columns. A combination that training did not
see has no number (`UNSEEN`); one with a missing cell is `MISSING`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int64]

MISSING = -1
UNSEEN = -2


@dataclass(frozen=True, eq=False)
class Joint:
    """A group of columns and its combinations.

    Parameters
    ----------
    places
        The positions of the columns.
    sizes
        The number of values of each of them.
    keys
        For each column but the first the keys that training saw, in order.
    parts
        For each combination the code of each column.
    """

    places: tuple[int, ...]
    sizes: tuple[int, ...]
    keys: tuple[Codes, ...]
    parts: npt.NDArray[np.intp]

    @property
    def n_values(self) -> int:
        """The number of combinations."""
        return len(self.parts)

    def number(self, columns: Sequence[Codes]) -> Codes:
        """The combination of each row; `columns` are those of the group, with negative codes for missing.

        >>> joint, _ = join((0, 1), (2, 2), [np.array([0, 0, 1]), np.array([1, 1, 0])])
        >>> joint.number([np.array([0, 1, 1]), np.array([1, 1, -1])]).tolist()
        [0, -2, -1]
        """
        found = columns[0].copy()
        lost = columns[0] == MISSING
        for size, keys, codes in zip(self.sizes[1:], self.keys, columns[1:], strict=True):
            lost |= codes == MISSING
            good = (found >= 0) & (codes >= 0) & (codes < size)
            key = found * size + codes
            place = np.minimum(np.searchsorted(keys, key), max(0, len(keys) - 1))
            good &= keys[place] == key if len(keys) else False
            found = np.where(good, place, UNSEEN)
        found[lost] = MISSING
        return found


def join(places: tuple[int, ...], sizes: tuple[int, ...], columns: Sequence[Codes]) -> tuple[Joint, Codes]:
    """Number the combinations of columns; also gives the combination of each row.

    >>> joint, codes = join((0, 1), (2, 2), [np.array([0, 0, 1]), np.array([1, 1, 0])])
    >>> joint.parts.tolist(), codes.tolist()
    ([[0, 1], [1, 0]], [0, 0, 1])
    """
    found = columns[0]
    parts = np.arange(sizes[0], dtype=np.intp)[:, None]
    keys: list[Codes] = []
    for size, codes in zip(sizes[1:], columns[1:], strict=True):
        there = (found >= 0) & (codes >= 0)
        key = found * size + codes
        seen = np.unique(key[there])
        keys.append(seen)
        parts = np.column_stack([parts[seen // size], seen % size])
        found = np.where(there, np.searchsorted(seen, key), MISSING)
    return Joint(places, sizes, tuple(keys), parts), found
