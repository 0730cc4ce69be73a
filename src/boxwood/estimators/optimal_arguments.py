"""What the arguments of `OptimalTreeClassifier` may be, each alone and together.

An argument that has no effect beside the others is refused; those that scikit-learn's own checks set on any
estimator are reported, and `random_state`, which everybody sets, may be idle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sklearn.base import BaseEstimator

from boxwood.discretize import Discretizer
from boxwood.estimators.parameters import (
    BOOL,
    CALLABLE,
    DICT,
    N_JOBS,
    NONE,
    Rule,
    at_least,
    fraction,
    one_of,
    real,
)
from boxwood.estimators.pruning_choice import PRUNING, make_pruner
from boxwood.optimal.anytime import warn_outside
from boxwood.optimal.features import UNKNOWN
from boxwood.optimal.solve import memory_bytes
from boxwood.pruning.pruner import NO
from boxwood.tree import Tree

if TYPE_CHECKING:
    from boxwood.estimators.optimal_tree_classifier import OptimalTreeClassifier

DEFAULT_THRESHOLDS = 45
DEFAULT_FRACTION = 0.1
DEFAULT_PATIENCE = 3

RULES: dict[str, tuple[Rule, ...]] = {
    "max_depth": (at_least(0), NONE),
    "max_leaf_nodes": (at_least(1), NONE),
    "min_samples_leaf": (at_least(1), fraction("(0.0", "1.0)")),
    "complexity": (real("[0.0", "inf)"),),
    "features": (
        one_of("mid", "binary"),
        Rule("a discretiser of boxwood.discretize", lambda value: isinstance(value, Discretizer)),
    ),
    "n_thresholds": (at_least(1), one_of("all", "mdl", "grow")),
    "min_weight_fraction_leaf": (real("[0.0", "0.5]"),),
    "time_limit": (real("[0.0", "inf]"), NONE),
    "memory_limit": (at_least(0), Rule("a str like '2GiB'", lambda value: isinstance(value, str)), NONE),
    "max_gap": (real("[0.0", "inf]"),),
    "initial_tree": (Rule("a boxwood.Tree", lambda value: isinstance(value, Tree)), NONE),
    "class_weight": (DICT, one_of("balanced"), NONE),
    "min_samples_category": (real("[0.0", "inf)"), NONE),
    "unknown_category": (one_of(*UNKNOWN),),
    "early_stopping": (BOOL,),
    "validation_fraction": (fraction("(0.0", "1.0)"),),
    "n_iter_no_change": (at_least(1),),
    "on_interrupt": (one_of("return", "raise"),),
    "callback": (CALLABLE, NONE),
    "progress": (BOOL,),
    "n_jobs": (N_JOBS, NONE),
    "pruning": PRUNING,
}


def refuse_early(model: OptimalTreeClassifier) -> None:
    """Refuse what is no value of its argument, but for which there is better advice than a list of values."""
    features: Any = model.features
    if isinstance(features, str) and features == "all":
        raise ValueError(
            f"features='all' is not available in {type(model).__name__}: use features='mid' with "
            "n_thresholds='all' (every threshold at once) or 'grow' (more and more of them)."
        )
    initial: Any = model.initial_tree
    if isinstance(initial, BaseEstimator):
        raise ValueError(
            f"initial_tree must be a boxwood.Tree, and is a {type(initial).__name__}: fit that, and give its "
            "tree, initial_tree=model.tree_."
        )


def check_together(model: OptimalTreeClassifier) -> None:
    """Refuse arguments that have no meaning beside the others."""
    owner = type(model).__name__
    memory_bytes(model.memory_limit)
    if isinstance(model.features, str) and model.features == "binary":
        for name, default, why in (
            ("n_thresholds", DEFAULT_THRESHOLDS, "which has no thresholds"),
            ("unknown_category", "other", "which has no categories"),
            ("min_samples_category", None, "which has no categories"),
        ):
            if getattr(model, name) != default:
                raise ValueError(
                    f"{name}={getattr(model, name)!r} has no meaning with features='binary', {why}: leave it "
                    "out."
                )
    if isinstance(model.features, Discretizer) and model.n_thresholds not in (DEFAULT_THRESHOLDS, "grow"):
        raise ValueError(
            f"n_thresholds={model.n_thresholds!r} is given beside the discretiser {model.features!r}, "
            "which decides itself: set it there, or use n_thresholds='grow'."
        )
    if model.pruning is not None:
        pruner = make_pruner(model.pruning)
        if pruner.validation_wanted != NO:
            raise ValueError(
                f"pruning={model.pruning!r} judges on rows of their own or grows again, and {owner} "
                "proves its tree on all rows: use another method here, or boxwood.prune(model, method, "
                "X_val=..., y_val=...) afterwards."
            )
    if model.min_samples_category is not None and model.unknown_category != "other":
        raise ValueError(
            f"min_samples_category={model.min_samples_category!r} makes rare categories unknown ones in "
            "training, where an unknown category is none of the known ones: it needs "
            f"unknown_category='other', got {model.unknown_category!r}."
        )
    if model.early_stopping and model.n_thresholds != "grow":
        raise ValueError(
            "early_stopping=True chooses a number of thresholds, which only n_thresholds='grow' leaves "
            f"open. Got n_thresholds={model.n_thresholds!r}."
        )
    usual = {"validation_fraction": DEFAULT_FRACTION, "n_iter_no_change": DEFAULT_PATIENCE}
    for name, value in usual.items():
        if not model.early_stopping and getattr(model, name) != value:
            warn_outside(
                f"{name}={getattr(model, name)!r} has no effect without early_stopping=True: leave it out, "
                "or use early_stopping=True with n_thresholds='grow'.",
                UserWarning,
            )
