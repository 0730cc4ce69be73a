"""Growing and pruning in one go, as ``fit`` does.

What a pruner judges on is kept back before anything is grown; a price of leaves is found by growing again on
parts of the rows; everything random is drawn from one random state, in a fixed order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from boxwood.data import Dataset
from boxwood.pruning.pruner import MUST, Material, Pruner
from boxwood.pruning.reduced_error import hold_out
from boxwood.tree import Tree


def grow_and_prune(
    dataset: Dataset,
    grow: Callable[[Dataset], Tree],
    pruner: Pruner,
    material: Callable[[Tree], Material],
    random_state: Any = None,
) -> Tree:
    """Grow a tree on a table and prune it.

    Parameters
    ----------
    dataset
        The table.
    grow
        Grows a tree on a table.
    pruner
        The pruner.
    material
        What the pruner is told about the grown tree (costs, scale, ...); the rows are added here.
    random_state
        For draws, where the pruner has no random state of its own.

    Examples
    --------
    >>> from boxwood.data import make_dataset
    >>> from boxwood.grow import grow_tree
    >>> from boxwood.pruning import ReducedError
    >>> dataset = make_dataset([[float(i)] for i in range(40)], [i % 7 == 0 for i in range(40)])
    >>> grow_and_prune(dataset, grow_tree, ReducedError(random_state=0), lambda tree: Material()).n_leaves
    1
    """
    pruner._check()
    training, validation = dataset, None
    if pruner.held_out > 0 and dataset.n_rows > 1:
        own = getattr(pruner, "random_state", None)
        kept, held = hold_out(dataset, pruner.held_out, random_state if own is None else own)
        training, validation = dataset.take(kept), dataset.take(held)
    tree = grow(training)
    if pruner.validation_wanted == MUST and validation is None:
        return tree  # a single row cannot be kept back
    told = replace(material(tree), rows=training, validation=validation, grow=grow, random_state=random_state)
    return pruner.prune(tree, told)
