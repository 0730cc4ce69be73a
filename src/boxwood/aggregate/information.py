r"""How much does a column tell about the target, and how much more than another one does?

Mutual information I(A;Y) = H(A) + H(Y) - H(A,Y), and conditional mutual information
I(B;Y|A) = I(A,B;Y) - I(A;Y), in bits, from weighted counts.

Estimated from N rows, both are too high: a column without any relation to the target still seems to tell
something, the more so the more values it has. Under independence 2 N ln 2 I is distributed, for large N, as a
chi-square with as many degrees of freedom as the table has, df; its mean is df, so the bias is
df / (2 N ln 2) (Miller 1955). `Told` holds the estimate without that bias and the probability of one as high
by chance. Degrees of freedom are counted from what is there: for I(B;Y|A), for each value of A, the values of
B less one times the classes less one.

Complexity: O(N + cells) for each pair of columns. Weights count as repetitions; when they add up to less than
the number of rows (weights that sum to 1, say), N is the number of rows.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

Codes = npt.NDArray[np.int64]
Counts = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Told:
    """Information in bits without its bias, and the probability of as much by chance."""

    bits: float
    p_value: float


def table_of(codes: Codes, n_values: int, target: Codes, n_classes: int, weights: Counts) -> Counts:
    """The weighted counts of values and classes; rows with a code below 0 are left out.

    >>> table_of(np.array([0, 1, -1]), 2, np.array([1, 0, 0]), 2, np.ones(3)).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    there = codes >= 0
    if not there.all():
        codes, target, weights = codes[there], target[there], weights[there]
    counts: Counts = np.bincount(codes * n_classes + target, weights, minlength=n_values * n_classes).astype(
        np.float64
    )
    return counts.reshape(n_values, n_classes)


def entropy(counts: Counts) -> float:
    """The entropy of counts, in bits.

    >>> entropy(np.array([1.0, 1.0, 0.0]))
    1.0
    """
    present = counts[counts > 0]
    total = present.sum()
    return float(np.log2(total) - (present @ np.log2(present)) / total) if total > 0 else 0.0


def mutual_information(table: Counts) -> float:
    """I(A;Y) as the counts have it, bias and all.

    >>> mutual_information(np.array([[5.0, 0.0], [0.0, 5.0]]))
    1.0
    """
    return max(0.0, entropy(table.sum(axis=1)) + entropy(table.sum(axis=0)) - entropy(table.ravel()))


def freedom(table: Counts) -> int:
    """Degrees of freedom of the values and classes that are there."""
    rows, columns = np.count_nonzero(table.sum(axis=1)), np.count_nonzero(table.sum(axis=0))
    return max(0, (int(rows) - 1) * (int(columns) - 1))


def told(table: Counts, n_rows: float) -> Told:
    """What a column tells about the target.

    >>> told(np.array([[50.0, 0.0], [0.0, 50.0]]), 100).bits
    0.99...
    """
    return _unbiased(mutual_information(table), freedom(table), n_rows)


def told_beyond(joint: Counts, part: npt.NDArray[np.intp], n_rows: float) -> Told:
    """What a joint column tells beyond one of its parts: I(rest; Y | part).

    Parameters
    ----------
    joint
        The counts of combinations and classes.
    part
        The part's value in each combination.
    n_rows
        The number of rows behind the counts.

    Examples
    --------
    >>> exclusive_or = np.array([[25.0, 0.0], [0.0, 25.0], [0.0, 25.0], [25.0, 0.0]])
    >>> told_beyond(exclusive_or, np.array([0, 0, 1, 1]), 100).bits
    0.98...
    """
    n_values = int(part.max(initial=-1)) + 1
    collapsed = np.zeros((n_values, joint.shape[1]))
    np.add.at(collapsed, part, joint)
    bits = max(0.0, mutual_information(joint) - mutual_information(collapsed))
    there = np.bincount(part, joint.sum(axis=1) > 0, minlength=n_values)
    classes = np.count_nonzero(collapsed, axis=1)
    df = int((np.maximum(there - 1, 0) * np.maximum(classes - 1, 0)).sum())
    return _unbiased(bits, df, n_rows)


def _unbiased(bits: float, df: int, n_rows: float) -> Told:
    if df == 0 or n_rows <= 0:
        return Told(0.0, 1.0)
    scale = 2.0 * n_rows * float(np.log(2.0))
    return Told(bits - df / scale, float(chdtrc(df, scale * bits)))
