"""From a tree to a smaller one: one file per method, all on the same immutable tree.

>>> from boxwood import TreeClassifier, load_penguins, prune
>>> penguins, species, *_ = load_penguins()
>>> model = TreeClassifier().fit(penguins, species)
>>> prune(model, "ebp").get_n_leaves() < model.get_n_leaves()
True
"""

from __future__ import annotations

from boxwood.pruning.cost_complexity import CostComplexity, cost_complexity_pruning_path
from boxwood.pruning.error_based import ErrorBased
from boxwood.pruning.pruner import Material, Pruner
from boxwood.pruning.reduced_error import ReducedError

PRUNERS: dict[str, type[Pruner]] = {
    "rep": ReducedError,
    "reduced_error": ReducedError,
    "ebp": ErrorBased,
    "error_based": ErrorBased,
    "ccp": CostComplexity,
    "cost_complexity": CostComplexity,
}
"""The names that the argument ``pruning`` takes."""

__all__ = [
    "PRUNERS",
    "CostComplexity",
    "ErrorBased",
    "Material",
    "Pruner",
    "ReducedError",
    "cost_complexity_pruning_path",
]
