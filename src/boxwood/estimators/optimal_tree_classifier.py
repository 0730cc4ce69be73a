"""`OptimalTreeClassifier`: the best tree within given limits, with its proof, as a scikit-learn estimator.

No algorithm lives here: ``fit`` encodes the table (:mod:`boxwood.data`), asks for candidate splits
(:mod:`boxwood.discretize`), has the best tree on them found (:mod:`boxwood.optimal`), and keeps that tree in
terms of the table's own columns.
"""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import train_test_split

from boxwood.data import Dataset, Table, make_dataset
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
from boxwood.estimators.optimal_arguments import (
    DEFAULT_FRACTION,
    DEFAULT_PATIENCE,
    DEFAULT_THRESHOLDS,
    RULES,
    check_together,
    refuse_early,
)
from boxwood.estimators.parameters import Rule, count_rows, count_threads
from boxwood.estimators.progress import Progress, with_callbacks
from boxwood.estimators.pruned_result import result_of_pruned
from boxwood.estimators.pruning_choice import check_cost_matrix, class_scale, make_pruner
from boxwood.estimators.rare import without_rare
from boxwood.estimators.room import Plan, make_plan, most_features, settled
from boxwood.estimators.tree_estimator import TreeEstimator
from boxwood.optimal import Problem, Result
from boxwood.optimal import Progress as SearchProgress
from boxwood.optimal.anytime import Stops, growing_sizes, set_up_seconds, solve_growing, warn_outside
from boxwood.optimal.features import Limits, refuse_other_than_binary, result_on_table
from boxwood.optimal.problem import ANY_DEPTH, search_space_of
from boxwood.optimal.solve import memory_bytes
from boxwood.optimal.splits import Splits
from boxwood.pruning import Material
from boxwood.tree import Tree

LEAST_RANKING = 0.03
"""Seconds that the ranking has under any time limit."""
LISTENERS_PATIENCE = 10.0
"""Seconds after which a search without a time limit is said to be half done."""
LARGE_TABLE = 2**26
"""Bytes: beyond this size of the 0/1 table, thresholds always join little by little."""


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
        Seconds for the whole fit, which ends at most about 0.2 s later; only reading a table of many
        columns of text, before all else, may take longer. 0 gives a greedy tree on the
        candidate splits; of a table of very many rows or categories, on those that can be had in that time,
        or a single leaf.
    memory_limit : int, str or None, default=None
        Bytes, or text like "2GiB", for 0/1 table, tables and kernels of the search. Where the candidates do
        not fit, the rarest categories and the thresholds of the lowest rank are left out;
        ``result_.search_space`` says how many are in.
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
    min_samples_category : float or None, default=None
        Categories of less weight than this, in the whole table, are no candidates, and count as unknown from
        the beginning: they are none of the known ones.
    unknown_category : {"other", "missing", "majority", "stop", "error", "distribute"}, default="other"
        What to do, when predicting, with a category that was not there in training: it is none of the known
        ones, counts as missing, takes the heavier branch, stops at the node, is an error, or is spread over
        both branches by their weight.
    early_stopping : bool, default=False
        With ``n_thresholds="grow"``: hold some rows out, and keep the tree that is best on them; end when
        more thresholds do not help any more.
    validation_fraction : float, default=0.1
        The share of the rows that `early_stopping` holds out; only with it.
    n_iter_no_change : int, default=3
        How many enlargements in a row must bring nothing on these rows before it ends; only with
        `early_stopping`.
    random_state : int, RandomState instance or None, default=None
        Draws the rows that `early_stopping` holds out, and what `pruning` draws; nothing else depends on it.
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
        ``trace``. Where a limit left thresholds or categories out, the lower bound holds for trees with these
        too. :func:`boxwood.certify` checks it.
    splits_ : sequence of Split
        The candidate splits.
    discretizer_ : Discretizer or None
        The fitted discretiser; None with ``features="binary"``, or if Ctrl-C came before it was fitted.
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
        min_samples_category: float | None = None,
        unknown_category: str = "other",
        early_stopping: bool = False,
        validation_fraction: float = DEFAULT_FRACTION,
        n_iter_no_change: int = DEFAULT_PATIENCE,
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
        self.min_samples_category = min_samples_category
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
        seconds = math.inf if self.time_limit is None else self.time_limit
        deadline = began + seconds if math.isfinite(seconds) else None
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            categorical_features=self._categorical_features(),
            owner=type(self).__name__,
        )
        dataset = without_rare(dataset, self.min_samples_category)
        listeners = Progress(self, X, y, {"sample_weight": sample_weight})
        listeners.begin()
        self._find(dataset, deadline, listeners, X)
        listeners.end()
        if self.result_.keyboard_interrupt:
            if self.on_interrupt == "raise":
                raise KeyboardInterrupt
            warn_outside(
                f"Ctrl-C ended the search: the tree costs {self.result_.objective:g}, and no tree costs less "
                f"than {self.result_.lower_bound:g}. Use on_interrupt='raise' to end the program instead.",
                RuntimeWarning,
            )
        return self

    def _check_parameters(self) -> None:
        refuse_early(self)
        super()._check_parameters()
        check_together(self)

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
        candidates, wanted, plan = self._plan(training, deadline)
        with LiveLine(bool(self.progress)) as line:

            def problem_of(size: int) -> Problem | str:
                line.remark = f"{size:,} thresholds" if candidates.growing else ""
                if not candidates.reach(size):
                    return "interrupted" if candidates.stopped == "interrupt" else "time_limit"
                return candidates.problem(size, limits)

            def bare() -> Problem:
                candidates.forget()
                return candidates.problem(0, limits)

            def hear(found: Result, size: int) -> bool:
                return jury is not None and jury.hear(found, size, candidates.splits(size))

            stops = Stops(
                deadline=0.0 if plan.lack == "interrupted" else deadline,
                memory_limit=self.memory_limit,
                max_gap=self.max_gap,
                n_threads=count_threads(self.n_jobs),
                callback=self._callback(listeners, line),
            )
            found = solve_growing(
                problem_of,
                plan.sizes,
                stops,
                start=candidates.start,
                after=hear,
                bare=None if plan.lack == "interrupted" else bare,
            )
        size = found.stats["steps"][-1].n_thresholds
        if jury is not None:
            found, size = jury.verdict(found)
        if jury is None or candidates.n_left_out:
            lack = plan.lack or (found.status if size < wanted else "")
            asked = candidates.meaning(wanted, complete=True)
            everything = search_space_of(asked, limits.max_depth, limits.max_leaf_nodes)
            found = settled(found, found.stats["floor"], lack, self.max_gap, everything)
        if plan.lack == "interrupted":
            found = replace(found, keyboard_interrupt=True)
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

    def _encode(self, X: Any, refuse_infinite: bool = True) -> tuple[Table, tuple[NDArray[Any], ...]]:
        """As all tree estimators; and what was 0 and 1 in training must be so now."""
        table, columns = super()._encode(X, refuse_infinite)
        if isinstance(self.features, str) and self.features == "binary":
            refuse_other_than_binary(self.tree_.schema, columns)
        return table, columns

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
            max_depth=ANY_DEPTH if self.max_depth is None else int(self.max_depth),
            max_leaf_nodes=None if self.max_leaf_nodes is None else int(self.max_leaf_nodes),
            min_samples_leaf=count_rows(self.min_samples_leaf, training.n_rows, least=1),
            min_weight_leaf=self.min_weight_fraction_leaf * float(training.weights.sum()),
            complexity=float(self.complexity),
            cost_matrix=costs,
        )

    def _plan(self, training: Dataset, deadline: float | None) -> tuple[CandidateSplits, int, Plan]:
        """The candidate splits, how many thresholds are asked for, and how many of them to begin with."""
        candidates = CandidateSplits(training, Splits([]))
        try:
            candidates = self._candidates(training, deadline)
            wanted = candidates.n_thresholds
            # A large 0/1 table takes so long to set up that it is better to begin with less.
            candidates.growing |= training.n_rows * wanted > LARGE_TABLE
            sizes = growing_sizes(wanted) if candidates.growing else [wanted]
            n_added = (
                0 if self.initial_tree is None else self.initial_tree.n_nodes - self.initial_tree.n_leaves
            )
            plan = make_plan(candidates, sizes, self.memory_limit, deadline, n_added)
            if self.initial_tree is not None:
                candidates.begin_with(self.initial_tree, plan.sizes[-1])
        except KeyboardInterrupt:
            if candidates.stopped == "interrupt":
                raise
            candidates.forget()
            return candidates, 1, Plan([0], "interrupted")
        if candidates.stopped:
            plan = replace(plan, lack="interrupted" if candidates.stopped == "interrupt" else "time_limit")
        return candidates, wanted, plan

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
            most = memory_bytes(self.memory_limit)
            return Pace(count_threads(self.n_jobs), left, keep_on_interrupt=True, memory_limit=most or None)

        if isinstance(self.features, Discretizer):
            discretizer: Discretizer = clone(self.features)
            discretizer.check_splits()
            discretizer.set_params(categorical_features=self._categorical_features())
            discretizer.fit_dataset(training, pace())
            return from_discretizer(discretizer, training, growing)
        # More thresholds than the memory has room for need not be ranked.
        longest = max(1, most_features(self.memory_limit, training.n_rows, growing))
        asked: float | None = math.inf
        if not isinstance(self.n_thresholds, str):
            asked = min(int(self.n_thresholds), 2**62)
        elif self.n_thresholds == "mdl":
            asked = None
        first = "mdl" if asked is None else int(min(FIRST_RANKING if growing else asked, longest))
        discretizer = MinimumImpurityDiscretizer(first, categorical_features=self._categorical_features())
        discretizer.fit_dataset(training, pace())
        done = not discretizer._stopped
        if asked is None and done and not discretizer.n_used and discretizer.n_value_changes_:
            warn_outside(
                f"n_thresholds='mdl' accepts none of the {discretizer.n_value_changes_:,} thresholds of this "
                "table, so that the tree has none. Use a number of thresholds, or 'all'.",
                UserWarning,
            )
        if self.n_thresholds == "all" and done and discretizer.n_value_changes_ <= longest:
            discretizer.set_params(n_thresholds="all")
        again = pace if growing and done else None
        return from_discretizer(discretizer, training, growing, again, asked, longest)

    def _hold_out(self, dataset: Dataset) -> tuple[Dataset, Jury]:
        """The rows to learn from, and the others, which judge."""
        rows = np.arange(dataset.n_rows)
        counts = np.bincount(dataset.target)
        share = math.ceil(self.validation_fraction * dataset.n_rows)
        if share >= dataset.n_rows:
            raise ValueError(
                f"early_stopping=True with validation_fraction={self.validation_fraction!r} holds {share} of "
                f"{dataset.n_rows} rows out, and leaves none to learn from: use a smaller "
                "validation_fraction, more rows, or early_stopping=False."
            )
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
