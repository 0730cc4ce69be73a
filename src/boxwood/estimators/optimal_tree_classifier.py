"""`OptimalTreeClassifier`: the best tree within given limits, with its proof, as a scikit-learn estimator.

No algorithm lives here: ``fit`` encodes the table (:mod:`boxwood.data`), asks for candidate splits
(:mod:`boxwood.discretize`), has the best tree on them found (:mod:`boxwood.optimal`), and keeps that tree in
terms of the table's own columns.
"""

from __future__ import annotations

import math
import os
import time
import warnings
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from boxwood.data import Dataset, make_dataset
from boxwood.discretize import Discretizer, MinimumImpurityDiscretizer, Pace
from boxwood.estimators.candidate_splits import (
    FIRST_RANKING,
    CandidateSplits,
    from_binary,
    from_discretizer,
)
from boxwood.estimators.class_answers import ANSWER, ClassAnswers, cheapest_classes, heaviest_classes
from boxwood.estimators.jury import Jury
from boxwood.estimators.live import LiveLine
from boxwood.estimators.parameters import (
    BOOL,
    CALLABLE,
    DICT,
    N_JOBS,
    NONE,
    Rule,
    at_least,
    count_rows,
    count_threads,
    fraction,
    one_of,
    real,
)
from boxwood.estimators.progress import Progress, with_callbacks
from boxwood.estimators.pruned_result import result_of_pruned
from boxwood.estimators.pruning_choice import PRUNING, check_cost_matrix, class_scale, make_pruner
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.optimal import Problem, Result
from boxwood.optimal import Progress as SearchProgress
from boxwood.optimal.anytime import (
    ENDS,
    GRACE,
    Stops,
    features_in_time,
    growing_sizes,
    set_up_seconds,
    solve_growing,
)
from boxwood.optimal.features import UNKNOWN, Limits, result_on_table
from boxwood.optimal.solve import memory_bytes
from boxwood.pruning import Material
from boxwood.pruning.pruner import NO
from boxwood.tree import Tree

DEFAULT_THRESHOLDS = 45
SMALL_TABLE = 2**24
"""Bytes: a 0/1 table of this size is made under any memory limit."""
LEAST_RANKING = 0.03
"""Seconds that the ranking has under any time limit."""
LISTENERS_PATIENCE = 10.0
"""Seconds after which a search without a time limit is said to be half done."""
LARGE_TABLE = 2**26
"""Bytes: beyond this size of the 0/1 table, thresholds always join little by little."""

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


class OptimalTreeClassifier(ClassAnswers, TreeEstimator):
    """The best decision tree of limited size, with a proof that there is none better.

    It minimises the weight of the rows that are answered wrongly (or the cost of the answers) plus
    `complexity` for each leaf, over all trees within the limits that use the candidate splits: thresholds of
    the numeric columns, one category against the others, and tests for missing cells. A search always has a
    complete tree at hand, and can be ended by time, by memory, by a callback or by Ctrl-C; ``result_`` then
    says how far from the best its tree can be at most.

    It takes the tables that :class:`boxwood.TreeClassifier` takes. A missing value goes to the right ("no")
    at a threshold or a category, unless the tree tests for it.

    Parameters
    ----------
    max_depth : int or None, default=3
        The depth of the tree; None means no limit, which only a small table or a `complexity` makes feasible.
    max_leaf_nodes : int or None, default=None
        No tree has more leaves.
    min_samples_leaf : int or float, default=1
        No leaf has fewer rows. A float is a share of the rows.
    complexity : float, default=0.0
        What a leaf costs, in units of row weight: a leaf is worth having if it mends that many rows.
    features : "mid", "binary" or a discretiser, default="mid"
        Where the candidate splits come from: the thresholds that MID ranks highest
        (:class:`boxwood.discretize.MinimumImpurityDiscretizer`); any other discretiser of
        :mod:`boxwood.discretize`, of which a copy is fitted; or the columns as they are, which must then hold
        0 and 1.
    n_thresholds : int, "all", "mdl" or "grow", default=45
        How many of MID's thresholds: the best so many, every midpoint of neighbouring values, or as many as
        an MDL test accepts. "grow" begins with a few and takes in more and more, until all are in or a limit
        ends the search; this also works with a discretiser given as `features`, which otherwise decides
        itself.
    min_weight_fraction_leaf : float, default=0.0
        No leaf has a smaller share of the whole weight.
    time_limit : float or None, default=None
        Seconds for the whole fit, which ends at most about 0.2 s later. 0 gives a greedy tree on the
        candidate splits; of a table of very many rows, on those that can be had in that time, or a single
        leaf.
    memory_limit : int, str or None, default=None
        Bytes, or text like "2GiB", for 0/1 table, tables and kernels of the search.
    max_gap : float, default=0
        End the search as soon as the objective is within this of the lower bound.
    initial_tree : Tree or None, default=None
        A tree on this table's columns to start from, for example ``TreeClassifier(...).fit(X, y).tree_``. Its
        splits join the candidates, so that the answer is never worse than it.
    cost_matrix : array-like of shape (n_classes, n_classes) or None, default=None
        ``cost_matrix[i, j]`` is the cost of answering ``classes_[j]`` where the truth is ``classes_[i]``. A
        leaf answers with what costs least on its rows; the tree has these answers in its further column
        "answering_class". None: 1 for every wrong answer.
    class_weight : dict, "balanced" or None, default=None
        Weights of the classes, by label. "balanced" gives every class the same total weight.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories. Columns of strings always are.
    unknown_category : {"other", "missing", "majority", "stop", "error", "distribute"}, default="other"
        What to do, when predicting, with a category that was not there in training: it is none of the known
        ones, counts as missing, takes the heavier branch, stops at the node, is an error, or is spread over
        both branches by their weight.
    early_stopping : bool, default=False
        With ``n_thresholds="grow"``: hold some rows out, and keep the tree that is best on them; end when
        more thresholds do not help any more.
    validation_fraction : float, default=0.1
        The share of the rows that `early_stopping` holds out.
    n_iter_no_change : int, default=3
        How many enlargements in a row must bring nothing on these rows before it ends.
    random_state : int, RandomState instance or None, default=None
        Draws the rows that are held out, and decides about nothing else.
    on_interrupt : {"return", "raise"}, default="return"
        After Ctrl-C the estimator is fitted with the best tree so far; then ``fit`` returns, with a warning,
        or raises KeyboardInterrupt.
    callback : callable or None, default=None
        Called about twenty times a second with a :class:`boxwood.optimal.Progress` (seconds, objective, lower
        bound, gap); the search ends when it returns True.
    progress : bool, default=False
        Show a line with objective, bound and gap while the search is running, in a terminal or a notebook;
        needs the package rich.
    n_jobs : int or None, default=None
        Threads, at most 256. None means 1, -1 all processors that this process may use. The tree does not
        depend on it, unless something ended the search early.
    pruning : str, pruner or None, default=None
        Prune the tree that was found: a name or an object of :mod:`boxwood.pruning`. ``result_`` then is
        about the pruned tree: its objective is what that costs, the lower bound stays, and the status is
        "pruned" where the two no longer meet. Methods that judge on rows of their own are refused, since the
        proof is about all rows; see `boxwood.prune` for them.

    Attributes
    ----------
    tree_ : Tree
        The tree, on the columns of the table.
    result_ : boxwood.optimal.Result
        The tree with its proof: ``status``, ``objective``, ``lower_bound``, ``gap``, ``errors``,
        ``search_space`` (what "optimal" ranges over, in words), ``stats`` (with ``"steps"``, one for each
        number of thresholds, and ``"proved"``, the words for the last that was solved to the end),
        ``trace``. :func:`boxwood.certify` checks it.
    splits_ : tuple of Split
        The candidate splits.
    discretizer_ : Discretizer or None
        The fitted discretiser; None with ``features="binary"``.
    classes_ : ndarray
        The labels, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names and all of them were strings.
    validation_rows_, validation_scores_ : ndarray
        With `early_stopping`: the rows that were held out, and after each enlargement the accuracy on them
        (minus the mean cost with a `cost_matrix`).

    Examples
    --------
    >>> from boxwood import OptimalTreeClassifier, load_penguins
    >>> penguins, species, *_ = load_penguins()
    >>> model = OptimalTreeClassifier(max_depth=2).fit(penguins, species)
    >>> model.result_
    Result(optimal, objective 6, 4 leaves)
    >>> model.result_.search_space
    'optimal over 45 MID thresholds, 5 categories and 5 missingness tests of 7 features, depth at most 2'
    """

    RULES: ClassVar[dict[str, tuple[Rule, ...]]] = RULES

    def __init__(
        self,
        max_depth: int | None = 3,
        *,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int | float = 1,
        complexity: float = 0.0,
        features: Any = "mid",
        n_thresholds: int | str = DEFAULT_THRESHOLDS,
        min_weight_fraction_leaf: float = 0.0,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        max_gap: float = 0.0,
        initial_tree: Tree | None = None,
        cost_matrix: Any = None,
        class_weight: Any = None,
        categorical_features: Any = "from_dtype",
        unknown_category: str = "other",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 3,
        random_state: Any = None,
        on_interrupt: str = "return",
        callback: Any = None,
        progress: bool = False,
        n_jobs: int | None = None,
        pruning: Any = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.complexity = complexity
        self.features = features
        self.n_thresholds = n_thresholds
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.max_gap = max_gap
        self.initial_tree = initial_tree
        self.cost_matrix = cost_matrix
        self.class_weight = class_weight
        self.categorical_features = categorical_features
        self.unknown_category = unknown_category
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.random_state = random_state
        self.on_interrupt = on_interrupt
        self.callback = callback
        self.progress = progress
        self.n_jobs = n_jobs
        self.pruning = pruning

    # ------------------------------------------------------------------------------------------ learning

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeClassifier:
        """Find the best tree.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table. Its columns may be numbers, booleans, dates, strings or categories, with missing
            cells.
        y : array-like of shape (n_samples,)
            The labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows. A row of weight 0 is not there.

        Returns
        -------
        OptimalTreeClassifier
            This estimator.
        """
        began = time.perf_counter()
        self._check_parameters()
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            categorical_features=self._categorical_features(),
            owner=type(self).__name__,
        )
        listeners = Progress(self, X, y, {"sample_weight": sample_weight})
        listeners.begin()
        self._find(dataset, None if self.time_limit is None else began + self.time_limit, listeners, X)
        listeners.end()
        if self.result_.keyboard_interrupt:
            if self.on_interrupt == "raise":
                raise KeyboardInterrupt
            warnings.warn(
                f"Ctrl-C ended the search: the tree costs {self.result_.objective:g}, and no tree costs less "
                f"than {self.result_.lower_bound:g}. Use on_interrupt='raise' to end the program instead.",
                RuntimeWarning,
                stacklevel=3,
            )
        return self

    def _check_parameters(self) -> None:
        owner = type(self).__name__
        if isinstance(self.features, str) and self.features == "all":
            raise ValueError(
                f"features='all' is not available in {owner}: use features='mid' with n_thresholds='all' "
                "(every threshold at once) or 'grow' (more and more of them)."
            )
        super()._check_parameters()
        memory_bytes(self.memory_limit)
        if self.features == "binary" and self.n_thresholds != DEFAULT_THRESHOLDS:
            raise ValueError(
                f"n_thresholds={self.n_thresholds!r} has no meaning with features='binary', which has no "
                "thresholds: leave it out."
            )
        if isinstance(self.features, Discretizer) and self.n_thresholds not in (DEFAULT_THRESHOLDS, "grow"):
            raise ValueError(
                f"n_thresholds={self.n_thresholds!r} is given beside the discretiser {self.features!r}, "
                "which decides itself: set it there, or use n_thresholds='grow'."
            )
        if self.pruning is not None:
            pruner = make_pruner(self.pruning)
            if pruner.validation_wanted != NO:
                raise ValueError(
                    f"pruning={self.pruning!r} judges on rows of their own or grows again, and {owner} "
                    "proves its tree on all rows: use another method here, or boxwood.prune(model, method, "
                    "X_val=..., y_val=...) afterwards."
                )
        if self.early_stopping and self.n_thresholds != "grow":
            raise ValueError(
                "early_stopping=True chooses a number of thresholds, which only n_thresholds='grow' leaves "
                f"open. Got n_thresholds={self.n_thresholds!r}."
            )

    def _categorical_features(self) -> Any:
        """Which columns are categories, as the estimator or the discretiser says."""
        if not isinstance(self.features, Discretizer):
            return self.categorical_features
        theirs = self.features.categorical_features
        if isinstance(theirs, str) and theirs == "from_dtype":
            return self.categorical_features
        if not (isinstance(self.categorical_features, str) and self.categorical_features == "from_dtype"):
            raise ValueError(
                "categorical_features is given to the estimator and to the discretiser: give it to one of "
                "them."
            )
        return theirs

    def _find(self, dataset: Dataset, deadline: float | None, listeners: Progress, X: Any) -> None:
        """Search, and set what a fitted estimator has."""
        assert dataset.classes is not None
        training, jury = dataset, None
        if self.early_stopping:
            training, jury = self._hold_out(dataset)
        limits = self._limits(training)
        candidates = self._candidates(training, deadline)
        cut_short = bool(candidates.stopped)  # the candidates, by the clock or by Ctrl-C
        n_thresholds = candidates.n_thresholds
        # A large 0/1 table takes so long to set up that it is better to begin with less.
        candidates.growing |= training.n_rows * n_thresholds > LARGE_TABLE
        if self.initial_tree is not None:
            candidates.begin_with(self.initial_tree)
        wanted = growing_sizes(n_thresholds) if candidates.growing else [n_thresholds]
        sizes = self._sizes_that_fit(wanted, candidates)
        in_time = _thresholds_in_time(candidates, deadline)
        if sizes[0] > in_time:
            sizes, cut_short = [int(in_time)], True
        with LiveLine(bool(self.progress)) as line:

            def problem_of(size: int) -> Problem | str:
                line.remark = f"{size:,} thresholds" if candidates.growing else ""
                if not candidates.reach(size):
                    return "interrupted" if candidates.stopped == "interrupt" else "time_limit"
                return candidates.problem(size, limits)

            def hear(found: Result, size: int) -> bool:
                return jury is not None and jury.hear(found, size, candidates.splits(size))

            stops = Stops(
                deadline=time.perf_counter() if candidates.stopped == "interrupt" else deadline,
                memory_limit=self.memory_limit,
                max_gap=self.max_gap,
                n_threads=count_threads(self.n_jobs),
                callback=self._callback(listeners, line),
            )
            found = solve_growing(problem_of, sizes, stops, start=candidates.start, after=hear)
        size = found.stats["steps"][-1].n_thresholds
        if cut_short:
            found = _for_lack_of_thresholds(found, candidates.stopped == "interrupt", limits)
        elif size == sizes[-1] < wanted[-1]:
            found = _for_lack_of_memory(found)
        if jury is not None:
            found, size = jury.verdict(found)
        self.splits_ = candidates.splits(size)
        self._remember_columns(X, dataset.schema)
        self.classes_ = dataset.classes
        self.n_classes_ = len(dataset.classes)
        self.discretizer_ = candidates.discretizer
        if candidates.pace is not None and candidates.discretizer is not None:
            candidates.discretizer.set_params(n_thresholds=max(1, size))
        self._keep(result_on_table(found, self.splits_, dataset.schema, self.unknown_category), training)
        if self.pruning is not None:
            self._prune(training)
        if jury is not None:
            self.validation_rows_ = jury.rows
            self.validation_scores_ = np.array(jury.scores)

    def _keep(self, result: Result, training: Dataset | None) -> None:
        """Keep the tree, with the answers that `predict` gives and their errors."""
        answers = self._best_answers(result.tree)
        self.tree_ = result.tree if self.cost_matrix is None else result.tree.with_extra(ANSWER, answers)
        self._remember_answers(answers)
        counts = self.tree_.counts
        assert counts is not None
        leaves = np.flatnonzero(self.tree_.is_leaf)
        weight = float(counts[leaves].sum() - counts[leaves, answers[leaves]].sum())
        if training is None or training.unit_weights:
            errors = int(weight)
        else:
            errors = int(np.count_nonzero(answers[self.tree_.apply(training.columns)] != training.target))
        self.result_ = replace(result, tree=self.tree_, errors=errors, weighted_errors=weight)

    def _prune(self, training: Dataset) -> None:
        """Prune the tree, and say what that does to the proof."""
        costs = None if self.cost_matrix is None else check_cost_matrix(self.cost_matrix, self.classes_)
        tree = make_pruner(self.pruning).prune(
            self.tree_,
            Material(
                rows=training,
                costs=costs,
                scale=class_scale(self.tree_, self.class_weight),
                random_state=self.random_state,
                n_threads=count_threads(self.n_jobs),
            ),
        )
        if tree is not self.tree_:
            self._keep(result_of_pruned(self, tree, training), training)

    def _keep_pruned(self, tree: Tree) -> None:
        """Take over a tree that `boxwood.prune` made of this estimator's."""
        self._keep(result_of_pruned(self, tree, None), None)

    def _best_answers(self, tree: Tree) -> NDArray[np.intp]:
        """The class that each node is to answer with."""
        if self.cost_matrix is None:
            return heaviest_classes(tree)
        return cheapest_classes(tree, np.asarray(self.cost_matrix, dtype=np.float64))

    # ---------------------------------------------------------------------------------------- preparing

    def _limits(self, training: Dataset) -> Limits:
        costs = None
        if self.cost_matrix is not None:
            k = training.n_classes
            try:
                costs = np.array(self.cost_matrix, dtype=np.float64)
            except (TypeError, ValueError) as error:
                raise ValueError(
                    f"cost_matrix must be a table of numbers with a row and a column for each of the {k} "
                    f"classes: {error}"
                ) from error
        return Limits(
            max_depth=max(1, training.n_rows - 1) if self.max_depth is None else int(self.max_depth),
            max_leaf_nodes=None if self.max_leaf_nodes is None else int(self.max_leaf_nodes),
            min_samples_leaf=count_rows(self.min_samples_leaf, training.n_rows, least=1),
            min_weight_leaf=self.min_weight_fraction_leaf * float(training.weights.sum()),
            complexity=float(self.complexity),
            cost_matrix=costs,
        )

    def _candidates(self, training: Dataset, deadline: float | None) -> CandidateSplits:
        """The candidate splits."""
        if isinstance(self.features, str) and self.features == "binary":
            return from_binary(training)
        growing = self.n_thresholds == "grow"

        def pace() -> Pace:
            left = None
            if deadline is not None:
                # What comes after the ranking takes its time too.
                left = max(0.0, deadline - time.perf_counter())
                left -= min(left / 2, set_up_seconds(training.n_rows, DEFAULT_THRESHOLDS))
                left = max(left, LEAST_RANKING)
            return Pace(count_threads(self.n_jobs), time_limit=left, keep_on_interrupt=True)

        discretizer: Discretizer
        if isinstance(self.features, Discretizer):
            discretizer = clone(self.features)
        else:
            discretizer = MinimumImpurityDiscretizer(FIRST_RANKING if growing else self.n_thresholds)
        discretizer.set_params(categorical_features=self._categorical_features())
        discretizer.fit_dataset(training, pace())
        more = growing and not isinstance(self.features, Discretizer) and not discretizer._stopped
        return from_discretizer(discretizer, training, growing, pace if more else None)

    def _sizes_that_fit(self, sizes: list[int], candidates: CandidateSplits) -> list[int]:
        """The numbers of thresholds whose 0/1 table fits the memory, with a third left to the search.

        Where thresholds join little by little, the table before, two thirds as large, is there as well.
        """
        limit = memory_bytes(self.memory_limit) or half_of_the_memory()
        beside = len(candidates.splits(0))
        share = limit * 2 // 5 if len(sizes) > 1 else limit * 2 // 3
        room = max(share, SMALL_TABLE) // max(1, candidates.dataset.n_rows)
        most = max(0, room - beside)
        return [size for size in sizes if size <= most] or [min(sizes[0], most)]

    def _hold_out(self, dataset: Dataset) -> tuple[Dataset, Jury]:
        """The rows to learn from, and the others, which judge."""
        rows = np.arange(dataset.n_rows)
        counts = np.bincount(dataset.target)
        share = math.ceil(self.validation_fraction * dataset.n_rows)
        stratify = counts[counts > 0].min() >= 2 and min(share, dataset.n_rows - share) >= np.sum(counts > 0)
        kept, held = train_test_split(
            rows,
            test_size=self.validation_fraction,
            random_state=self.random_state,
            stratify=dataset.target if stratify else None,
        )
        kept, held = np.sort(kept), np.sort(held)
        return dataset.take(kept), Jury(self, dataset.take(held))

    def _callback(self, listeners: Progress, line: LiveLine) -> Any:
        """What the search is to call; None if nobody listens."""
        if self.callback is None and not listeners.wanted and not line.shown:
            return None
        first_gap = 0.0

        def told(progress: SearchProgress) -> bool:
            nonlocal first_gap
            if progress.objective < 0:  # there is no tree yet
                progress = replace(progress, objective=math.inf)
            line.show(progress)
            stop = self.callback is not None and bool(self.callback(progress))
            if listeners.wanted and math.isfinite(progress.gap):
                first_gap = max(first_gap, progress.gap)
                closed = 1 - progress.gap / first_gap if first_gap else 1.0
                # A gap may stay open for long, and whoever listens must be able to stop that too.
                patience = min(self.time_limit or math.inf, progress.seconds + LISTENERS_PATIENCE)
                stop |= listeners.poll(max(closed, progress.seconds / patience))
            return stop

        return told


def half_of_the_memory() -> int:
    """Bytes: half of what the machine has, or 4 GiB where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return 2**32


def _thresholds_in_time(candidates: CandidateSplits, deadline: float | None) -> float:
    """How many thresholds can be set up before the time, and a little more, is over."""
    if deadline is None:
        return math.inf
    left = max(0.0, deadline - time.perf_counter()) + GRACE
    n_features = features_in_time(candidates.dataset.n_rows, left)
    return max(0, n_features - len(candidates.splits(0)))


def _for_lack_of_thresholds(found: Result, interrupted: bool, limits: Limits) -> Result:
    """The result on fewer thresholds than asked for: what more of them would bring is not known."""
    lower = min(found.objective, limits.complexity)
    status = "interrupted" if interrupted else "time_limit"
    return replace(
        found,
        status="optimal" if lower == found.objective else status,
        lower_bound=lower,
        keyboard_interrupt=interrupted or found.keyboard_interrupt,
    )


def _for_lack_of_memory(found: Result) -> Result:
    """The result on as many thresholds as the memory has room for, where more were asked for."""
    return replace(found, status=found.status if found.status in ENDS else "memory_limit")
