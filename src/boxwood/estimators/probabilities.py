"""The class probabilities that a node answers with, from its class counts.

The problem: the shares of a small leaf are too bold. Three rows of one class make a probability of 1, and
so do three hundred. The idea is to add rows that nobody has seen before the shares are taken:

``"raw"``
    The shares themselves, ``n_k / n``.
``"laplace"``
    One row of every class: ``(n_k + 1) / (n + K)``, Laplace's rule of succession.
``"m-estimate"``
    m rows in the proportions p of the root: ``(n_k + m p_k) / (n + m)`` (Cestnik 1990).

Here n is the weight of the node, n_k that of class k in it, and K the number of classes. A formula that
adds rows needs a weight that counts rows. Weights whose total is less than the number of rows (AdaBoost's
add up to 1) are rescaled to a mean of 1 first; larger totals are taken as repeated rows.

Under monotonic constraints smoothing may turn the order of two leaves around, since it moves small leaves
more than large ones. So smoothed probabilities of two classes are held to bounds, in the way of growth: below
a cut of a constrained column they lie on their side of the middle between the (smoothed, held) probabilities
of its two branches. Rows of which one differs from the other by a larger value of that column part at such a
cut, and so keep their order; where the order was right before, mostly nothing changes.

Smoothing changes no answer of ``predict``, which goes by the counts. (The rule of Laplace keeps the order
of the classes; the m-estimate may put the root's favourite first where a node is nearly undecided.)

Reference: B. Cestnik, Estimating probabilities: a crucial task in machine learning, ECAI 1990, 147-149.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boxwood.tree import Kind, Tree

PROBA = ("raw", "laplace", "m-estimate")
"""The values of the argument ``proba``."""

PROBA_M = 2.0
"""What ``proba_m`` is unless it is said."""


def check_proba(proba: str, m: float) -> None:
    """Refuse an m that nothing would use.

    >>> check_proba("laplace", m=5.0)
    Traceback (most recent call last):
    ...
    ValueError: proba_m=5.0 is the m of proba='m-estimate', and proba is 'laplace'. Leave it out.
    """
    if proba != "m-estimate" and m != PROBA_M:
        raise ValueError(
            f"proba_m={m!r} is the m of proba='m-estimate', and proba is {proba!r}. Leave it out."
        )


def class_probabilities(
    tree: Tree, proba: str = "raw", m: float = PROBA_M, monotonic: Sequence[int] | None = None
) -> NDArray[np.float64]:
    """The class probabilities of each node, of shape (n_nodes, n_classes).

    ``monotonic`` are the constraints that the tree was grown under, one per column, for two classes.

    >>> from boxwood.data import Column, Schema
    >>> from boxwood.tree import Threshold, build_tree, leaf, node
    >>> schema = Schema((Column("x", "numeric", "float"),), named=True)
    >>> tree = build_tree(node(Threshold(0, 0.5), [leaf([3, 0]), leaf([0, 1])]), schema, ["a", "b"])
    >>> class_probabilities(tree, "laplace")[1]
    array([0.8, 0.2])
    >>> class_probabilities(tree, "m-estimate", m=1.0)[1]
    array([0.9375, 0.0625])
    """
    assert tree.counts is not None
    if proba == "raw":
        shares: NDArray[np.float64] = tree.value[:, 0]
        return shares
    rows = float(tree.n_rows[0])
    counts = tree.counts * max(1.0, rows / float(tree.weight[0]))
    n_classes = counts.shape[1]
    added = np.ones(n_classes) if proba == "laplace" else m * tree.value[0, 0]
    total = counts.sum(axis=1, keepdims=True) + added.sum()
    smoothed: NDArray[np.float64] = (counts + added) / total
    if monotonic is not None and n_classes == 2:
        second = _held(tree, smoothed[:, 1], monotonic)
        smoothed = np.where((second == smoothed[:, 1])[:, None], smoothed, np.stack((1 - second, second), 1))
    return smoothed


def _held(tree: Tree, value: NDArray[np.float64], monotonic: Sequence[int]) -> NDArray[np.float64]:
    """The values of the nodes, each within the bounds that the cuts of constrained columns above it set."""
    lower, upper = np.full(tree.n_nodes, -np.inf), np.full(tree.n_nodes, np.inf)
    held = value.copy()
    for node in np.flatnonzero(~tree.is_leaf).tolist():  # parents come before their children
        children = tree.children(node)
        lower[children], upper[children] = lower[node], upper[node]
        held[children] = np.clip(value[children], lower[node], upper[node])
        sign = monotonic[tree.feature[node]]
        if sign == 0 or tree.kind[node] != Kind.THRESHOLD:
            continue
        low, high = (children[0], children[1]) if sign > 0 else (children[1], children[0])
        upper[low] = lower[high] = held[low] / 2 + held[high] / 2
        held[low], held[high] = min(held[low], upper[low]), max(held[high], lower[high])
    return held
