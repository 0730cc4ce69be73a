"""From a tree to a smaller one: one file per method, all on the same immutable tree.

>>> from boxwood import TreeClassifier, load_penguins, prune
>>> penguins, species, *_ = load_penguins()
>>> model = TreeClassifier().fit(penguins, species)
>>> prune(model, "ebp").get_n_leaves() < model.get_n_leaves()
True
"""

from __future__ import annotations

from boxwood.pruning.cost_complexity import CostComplexity, cost_complexity_pruning_path
from boxwood.pruning.critical_value import CriticalValue
from boxwood.pruning.error_based import ErrorBased
from boxwood.pruning.mdl import MDL
from boxwood.pruning.minimum_error import MinimumError
from boxwood.pruning.optimal_size import OptimalSize, size_risks
from boxwood.pruning.pessimistic import Pessimistic
from boxwood.pruning.pruner import Material, Pruner
from boxwood.pruning.reduced_error import ReducedError
from boxwood.pruning.same_answer import SameAnswer

PRUNERS: dict[str, type[Pruner]] = {
    "rep": ReducedError,
    "reduced_error": ReducedError,
    "ebp": ErrorBased,
    "error_based": ErrorBased,
    "ccp": CostComplexity,
    "cost_complexity": CostComplexity,
    "pep": Pessimistic,
    "pessimistic": Pessimistic,
    "mep": MinimumError,
    "minimum_error": MinimumError,
    "cvp": CriticalValue,
    "critical_value": CriticalValue,
    "mdl": MDL,
    "optimal_size": OptimalSize,
    "same_answer": SameAnswer,
}
"""The names that the argument ``pruning`` takes."""

__all__ = [
    "MDL",
    "PRUNERS",
    "CostComplexity",
    "CriticalValue",
    "ErrorBased",
    "Material",
    "MinimumError",
    "OptimalSize",
    "Pessimistic",
    "Pruner",
    "ReducedError",
    "SameAnswer",
    "cost_complexity_pruning_path",
    "size_risks",
]
