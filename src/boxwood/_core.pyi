"""The compiled core of boxwood."""

from collections.abc import Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray


def find_infinite(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]]) -> tuple[int, int]:
    """
    The (column, row) of the first infinite cell of float64 columns, or (-1, -1).
    """

class Router:
    """Sends rows to the nodes of a tree: the one routing rule."""

    def __init__(self, n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], kind: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], first_child: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_children: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], missing_branch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], unknown_branch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], category_offset: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], category_code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], category_branch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weight: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_offset: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_feature: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_flipped: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_category_offset: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_category_code: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], surrogate_category_branch: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Check and compile a tree's arrays; raises ValueError if they are not a tree.
        """

    def apply(self, columns: Sequence[NDArray], n_threads: int = 1, refuse_infinite: bool = False) -> NDArray[numpy.int32] | None:
        """
        The node where each row ends, or the heaviest end of a row that is spread; -1 - node where an unknown
        category is an error. None if a cell is infinite and that is to be refused.
        """

    def mix(self, columns: Sequence[NDArray], values: NDArray[numpy.float64], n_threads: int = 1, refuse_infinite: bool = False) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64]] | None:
        """
        What apply() gives, and for each row the mean of its ends' values (one row of them per node), weighted
        by their shares.
        """

    def ends(self, columns: Sequence[NDArray], n_threads: int = 1) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float64]]:
        """
        All ends of all rows: where each row's begin (and their number), their nodes, their shares.
        """

    def passed(self, columns: Sequence[NDArray], n_threads: int = 1) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32]]:
        """
        All nodes that the rows pass: where each row's begin (and their number), and the nodes.
        """

class Options:
    """What is asked of a growth; -1 stands for no limit."""

    def __init__(self, *, criterion: str = 'gini', parameter: float = 0.0, cut_rule: str = 'all', cuts: str = 'auto', splitter: str = 'best', monotonic: Sequence[int] = [], missing: str = 'learn', unknown_category: str = 'missing', categorical_split: str = 'auto', max_depth: int = -1, min_samples_split: int = 2, min_samples_leaf: int = 1, min_weight_leaf: float = 0.0, min_impurity_decrease: float = 0.0, max_features: int = -1, max_leaf_nodes: int = -1, seed: int = 0, n_threads: int = 1, min_significance: float = 1.0, mdl_stop: bool = False, gain_correction: str = 'none', leaf_minimum: str = 'every', numeric_minimum: str = 'plain', min_value_gap: float = 0.0, comparison: str = 'exact', thresholds: str = 'midpoint', select: str = 'score', max_p_value: float = 0.1, min_second_value: float = 15.0, alpha: float = 0.05, monte_carlo: int = 0, search_criterion: str = 'gini', max_surrogates: int = 5, mixing: Sequence[float] = []) -> None: ...

def log_chi_square_tail(x: float, freedom: float) -> float:
    """
    The logarithm of the probability that a chi-square distributed number exceeds x.
    """

def grow(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: Options, poll: object | None = None) -> dict:
    """Grow a greedy tree; returns the arrays of boxwood.tree.Tree by name."""

def grow_spread(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: Options, poll: object | None = None) -> dict:
    """The same, with the rows that lack a tested value in every branch."""

def significance(branches: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> float:
    """
    The p-value of a chi-square test of branches against classes, from counts by both.
    """

class LevelGrower:
    """
    Growth level by level: gather candidates, score them in Python, take the best.
    """

    def __init__(self, columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: Options, poll: object | None = None) -> None: ...

    @property
    def n_open(self) -> int:
        """Nodes to be split."""

    def gather_counts(self) -> dict:
        """
        Branch counts by candidate, branch and class (counts), the open node (node) and the column (feature)
        of each candidate, and the class counts of each gathered node (totals).
        """

    def gather_shares(self) -> NDArray[numpy.float64]:
        """
        The class shares of every branch of every candidate, then of every gathered node.
        """

    def gather_minority(self) -> NDArray[numpy.float64]:
        """
        With two classes: the smaller share of every branch of every candidate, then of every gathered node.
        """

    def take(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], gains: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tolerance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """
        Split each gathered node at its first candidate within the node's tolerance of its best score.
        """

    def take_impurities(self, impurities: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], tie: float) -> None:
        """
        The same, by the impurities of what gather_shares or gather_minority gave; gains within `tie` of the
        node's impurity are equal.
        """

    def finish(self) -> dict:
        """The arrays of boxwood.tree.Tree by name."""

def grow_regression(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], n_categories: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, options: Options, poll: object | None = None) -> dict:
    """
    Grow a greedy regression tree; returns the arrays of boxwood.tree.Tree by name.
    """

def split_categories(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], options: Options, mixing: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> tuple[NDArray[numpy.uint8], float, float]:
    """
    The branch of each row of a table of positive rows, the weighted impurity of the split, and its merit.
    """

def category_groupings(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], options: Options) -> NDArray[numpy.uint8]:
    """
    The groupings that a search tries: the branch of each value, by grouping.
    """

def cut_weights(table: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], kind: str, mixing: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None) -> NDArray[numpy.float64]:
    """What parting each pair of values is worth."""

def greedy_cut(weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """GreedyCut: the side of each vertex."""

def improve_cut(weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], side: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], moves: int, exchanges: int) -> NDArray[numpy.uint8]:
    """Local search: the side of each vertex afterwards."""

def relax_cut(weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[float, NDArray[numpy.float64]]:
    """
    The semidefinite relaxation of the maximum cut: its value and a unit vector per vertex.
    """

def heavy_cut(weights: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], relaxed: bool) -> NDArray[numpy.uint8]:
    """A heavy cut: by GreedyCut or by the relaxation, then local search."""

def rank_thresholds(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, criterion: str = 'entropy', scale: int = 0, refusal: str = 'ignored', others: bool = False, limit: int = -1, n_threads: int = 1, time_limit: float = -1.0, keep_on_interrupt: bool = False) -> dict:
    """
    Thresholds of float64 columns, best first: feature, threshold and gain, and the number of all value changes
    (n_cuts). A limit of -1 stands for none. When the time is over, and on Ctrl-C if that is asked for, what
    was ranked so far is handed back, and stopped is true.
    """

def missing_columns(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]]) -> list[bool]:
    """For each column, whether a cell is missing: NaN, or a code below 0."""

def merge_alike(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, *, least: float, most_intervals: int = -1) -> dict:
    """
    The cuts that ChiMerge leaves, by falling statistic: feature, threshold and gain (the statistic), and the
    number of all value changes (n_cuts). -1 intervals stand for any number.
    """

def threshold_cells(columns: Sequence[Annotated[NDArray, dict(shape=(None,), device='cpu', writable=False)]], column: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], missing: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], place: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], cells: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
    """
    Writes the branches of thresholds (0 where x <= threshold, else 1; missing cells as told) into columns of
    `cells`, a matrix of uint8 by rows.
    """

class OptimalProblem:
    """
    Rows with 0/1 cells, classes, whole-number weights and costs, and the limits of a tree.
    """

    def __init__(self, cells: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)], target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], n_classes: int, weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, costs: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None = None, *, max_depth: int = 3, max_leaves: int = 0, min_rows: int = 1, min_weight: int = 0, leaf_cost: int = 0, weight_unit: int = 1) -> None: ...

    def evaluate(self, tree: Sequence[Sequence[int]]) -> int | None:
        """
        What a tree (feature, left, right, answer) costs on the rows; None if it breaks a limit.
        """

    def first_difference(self, before: OptimalProblem) -> int | None:
        """
        The first feature of another problem of as many rows that is not the same one here; None if all are.
        """

    def leaves(self, tree: Sequence[Sequence[int]]) -> NDArray[numpy.int32]:
        """The place of each row's leaf in a tree (feature, left, right, answer)."""

    def solve_plainly(self) -> tuple:
        """
        The reference solver: slow, without bounds. Returns the objective and a tree.
        """

class OptimalTactics:
    """Switches that change the time of a run, never its optimum."""

    def __init__(self, *, deepest: int = 3, table: bool = True, siblings: bool = True, archive: bool = True, floor: bool = True, look_ahead: bool = True, probes: bool = True, merge: bool = True, steps: bool = True, machine: str = 'best', table_bytes: int = 100663296) -> None: ...

class OptimalKept:
    """What a run hands on to one with appended features."""

    @property
    def n_bytes(self) -> int:
        """Of tables of pairs."""

    @property
    def n_bytes_of_parts(self) -> int:
        """Of the table of what is known about parts of the rows."""

def solve_optimally(problem: OptimalProblem, tactics: OptimalTactics, *, time_limit: float = -1.0, memory_limit: int = 0, max_gap: int = 0, n_threads: int = 1, initial: Sequence[Sequence[int]] | None = None, keep: bool = False, past: OptimalKept | None = None, poll: object | None = None) -> dict:
    """
    The best tree with its certificate. `poll`, if given, is called from the calling thread with the seconds,
    the objective, the lower bound and the number of nodes opened, and ends the search when it returns True. A
    time limit below 0 and a memory limit of 0 mean none. With `keep`, what a run with appended features can use is handed on as `kept`;
    that run gets it as `past`.
    """

def add_up(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], table: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    """To the numbers of each node, those of all nodes below it added."""

def subtree_extremes(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], value: NDArray[numpy.float64], takes_part: NDArray[numpy.uint8]) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The least and the largest value at and below each node, over the nodes that take part.
    """

def cheapest_subtree(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], leaf: NDArray[numpy.float64], own: NDArray[numpy.float64], slack: float = 0.0) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float64]]:
    """
    Which inner nodes are better off as leaves, and what the best subtree at each node costs.
    """

def weakest_links(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], risk: NDArray[numpy.float64]) -> tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float64]]:
    """
    The inner nodes in the order in which they become leaves, the prices, and the risks of the trees.
    """

def best_sizes(first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], risk: NDArray[numpy.float64], most: int, n_leaves: int | None = None) -> tuple[NDArray[numpy.float64], NDArray[numpy.uint8]]:
    """
    The least risk of each number of leaves, and the inner nodes that become leaves in one of these trees.
    """

def extra_errors(size: NDArray[numpy.float64], errors: NDArray[numpy.float64], confidence: float, z: float, weka: bool) -> NDArray[numpy.float64]:
    """What error-based pruning adds to the errors of each leaf."""

def prune_and_raise(router: Router, first_child: NDArray[numpy.int32], n_children: NDArray[numpy.int32], columns: Sequence[NDArray], target: NDArray[numpy.int32], weights: NDArray[numpy.float64] | None, counts: NDArray[numpy.float64], n_rows: NDArray[numpy.int64], spreads: bool, confidence: float, z: float, weka: bool, slack: float, size: NDArray[numpy.float64], losses: NDArray[numpy.float64] | None, tie: float, n_threads: int = 1) -> dict:
    """
    Error-based pruning with subtree raising: the nodes of the new tree, by their numbers in the old one.
    """
