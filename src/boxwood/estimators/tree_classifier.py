"""`TreeClassifier`: a greedy classification tree with the face of a scikit-learn estimator.

No algorithm lives here. ``fit`` checks its arguments, encodes the table (:mod:`boxwood.data`), grows
the tree (:mod:`boxwood.grow`) and keeps it; prediction encodes a table with the training table's
schema, routes its rows to nodes (:mod:`boxwood.tree`), and looks the answer up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from boxwood.criteria import ALIASES, CRITERIA
from boxwood.data import Schema, Table, align_columns, encode_with, make_dataset, read_table
from boxwood.estimators.parameters import (
    DICT,
    N_JOBS,
    NONE,
    at_least,
    check_parameter,
    count_features,
    count_rows,
    count_threads,
    draw_seed,
    fraction,
    one_of,
    real,
)
from boxwood.estimators.progress import CallbackSupportMixin, Progress, with_callbacks
from boxwood.grow import UNKNOWN_CATEGORY, GrowOptions, grow_tree
from boxwood.search import CATEGORICAL_SPLITS, MISSING_MODES
from boxwood.tree import Tree, UnknownCategoryError

RULES = {
    "criterion": (one_of(*CRITERIA, *ALIASES),),
    "splitter": (one_of("best", "random"),),
    "max_depth": (at_least(1), NONE),
    "min_samples_split": (at_least(2), fraction("(0.0", "1.0]")),
    "min_samples_leaf": (at_least(1), fraction("(0.0", "1.0)")),
    "min_weight_fraction_leaf": (real("[0.0", "0.5]"),),
    "max_features": (at_least(1), fraction("(0.0", "1.0]"), one_of("sqrt", "log2"), NONE),
    "max_leaf_nodes": (at_least(2), NONE),
    "min_impurity_decrease": (real("[0.0", "inf)"),),
    "class_weight": (DICT, one_of("balanced"), NONE),
    "ccp_alpha": (real("[0.0", "inf)"),),
    "categorical_split": (one_of(*CATEGORICAL_SPLITS),),
    "missing": (one_of(*MISSING_MODES),),
    "unknown_category": (one_of(*UNKNOWN_CATEGORY),),
    "n_jobs": (N_JOBS, NONE),
}
"""What the arguments may be. ``categorical_features`` is judged together with the table."""


class TreeClassifier(CallbackSupportMixin, ClassifierMixin, BaseEstimator):
    """A decision tree classifier, grown greedily.

    It takes the tables that people have: numbers, strings, categories, dates and missing values, in a
    numpy array or a pandas, polars or pyarrow frame, with labels of any type. Its arguments have the
    names and the meaning of scikit-learn's ``DecisionTreeClassifier``, followed by a few of its own.
    Every split is the best one of its node, and the tree is the same for any order of the rows and any
    number of threads.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "gain_ratio"}, default="gini"
        How good a split is. "log_loss" is another name for "entropy". With "gain_ratio" a column's cut
        is chosen by information gain, and columns compete by gain ratio among those with at least
        average gain.
    splitter : {"best"}, default="best"
        scikit-learn's "random" is not available.
    max_depth : int, default=None
        The depth of the tree; None means no limit.
    min_samples_split : int or float, default=2
        A node with fewer rows is a leaf. A float is a share of the rows.
    min_samples_leaf : int or float, default=1
        No leaf has fewer rows. A float is a share of the rows.
    min_weight_fraction_leaf : float, default=0.0
        No leaf has a smaller share of the whole weight.
    max_features : int, float, {"sqrt", "log2"}, default=None
        How many columns, drawn at random, are looked at per node: a number, a share, the root or the
        logarithm of their number; None means all. When none of these has a split to offer, more are
        drawn.
    random_state : int, RandomState instance or None, default=None
        Decides about these draws, and about nothing else.
    max_leaf_nodes : int, default=None
        Grow best first up to this many leaves; None means no limit.
    min_impurity_decrease : float, default=0.0
        A split is taken only if it lowers the impurity by this much, weighted by its share of the rows'
        weight.
    class_weight : dict or "balanced", default=None
        Weights of the classes, by label. "balanced" gives every class the same total weight.
    ccp_alpha : float, default=0.0
        Only 0 is available.
    monotonic_cst : None, default=None
        Only None is available.
    categorical_features : "from_dtype", array-like of bool, int or str, or None, default="from_dtype"
        Which numeric columns are categories: those whose type says so (pandas' Categorical, polars'
        Enum and Categorical), or those given by a mask, by their numbers or by their names; None means
        none of them. Columns of strings always are.
    categorical_split : {"auto"}, default="auto"
        Which subsets of categories are tried; see :mod:`boxwood.search.categorical.auto`.
    missing : {"learn", "branch"}, default="learn"
        Where missing rows go: to the branch that gains more ("learn"), or to one of their own ("branch").
    unknown_category : {"missing", "majority", "stop", "error"}, default="missing"
        What to do, when predicting, with a category that was never seen in training, or not at this
        node: take it as missing, follow the heavier branch, stop and answer with this node's own
        distribution, or raise an error.
    n_jobs : int, default=None
        Threads, at most 256. None means 1, -1 all processors that this process may use. The tree does
        not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree.
    classes_ : ndarray
        The labels, sorted.
    n_classes_ : int
        Their number.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray
        Their names, if the table had names and all of them were strings.
    max_features_ : int
        The number of columns looked at per node.

    Examples
    --------
    >>> from boxwood import TreeClassifier
    >>> X = [[2.0, "red"], [1.0, "red"], [4.0, "blue"], [None, "green"]]
    >>> y = ["small", "small", "large", "large"]
    >>> classifier = TreeClassifier().fit(X, y)
    >>> classifier.predict([[3.5, "blue"], [0.5, "red"]])
    array(['large', 'small'], dtype='<U5')
    >>> classifier.get_n_leaves()
    2
    """

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        monotonic_cst: Any = None,
        categorical_features: Any = "from_dtype",
        categorical_split: str = "auto",
        missing: str = "learn",
        unknown_category: str = "missing",
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.categorical_split = categorical_split
        self.missing = missing
        self.unknown_category = unknown_category
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        tags.target_tags.multi_output = False
        tags.classifier_tags.multi_label = False
        return tags

    # ------------------------------------------------------------------------------------------ learning

    @with_callbacks
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> TreeClassifier:
        """Grow the tree.

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
        TreeClassifier
            This estimator.
        """
        self._check_parameters()
        dataset = make_dataset(
            X,
            y,
            sample_weight=sample_weight,
            class_weight=self.class_weight,
            categorical_features=self.categorical_features,
            owner=type(self).__name__,
            refuse_infinite=False,  # growth looks for them on its way
        )
        n_features = dataset.schema.n_features
        max_features = count_features(self.max_features, n_features)
        progress = Progress(self, X, y, {"sample_weight": sample_weight})
        progress.begin()
        options = GrowOptions(
            criterion=ALIASES.get(self.criterion, self.criterion),
            missing=self.missing,
            unknown_category=self.unknown_category,
            categorical_split=self.categorical_split,
            max_depth=self.max_depth,
            min_samples_split=count_rows(self.min_samples_split, dataset.n_rows, least=2),
            min_samples_leaf=count_rows(self.min_samples_leaf, dataset.n_rows, least=1),
            min_weight_leaf=self.min_weight_fraction_leaf * float(dataset.weights.sum()),
            min_impurity_decrease=self.min_impurity_decrease,
            max_features=max_features,
            max_leaf_nodes=self.max_leaf_nodes,
            seed=draw_seed(self.random_state) if max_features < n_features else 0,
            n_threads=count_threads(self.n_jobs),
        )
        tree = grow_tree(dataset, options, progress.poll if progress.wanted else None)
        self._remember_columns(X, dataset.schema)
        self.tree_ = tree
        self.classes_ = dataset.classes
        self.n_classes_ = len(dataset.classes)
        self.max_features_ = max_features
        self._heaviest = (self.tree_, _heaviest_classes(self.tree_))
        progress.end()
        return self

    def _check_parameters(self) -> None:
        """Refuse what is wrong and what is not available."""
        owner = type(self).__name__
        for name, rules in RULES.items():
            check_parameter(owner, name, getattr(self, name), rules)
        check_random_state(self.random_state)
        if self.splitter == "random":
            raise ValueError(
                f"splitter='random' is not available in {owner}: every split is the best of its node. "
                "Use splitter='best', with max_features for trees that differ."
            )
        if self.ccp_alpha > 0:
            raise ValueError(
                f"ccp_alpha={self.ccp_alpha!r} is not available in {owner}: a tree is not pruned while it is "
                "fitted. Use ccp_alpha=0.0, and limit its size by max_leaf_nodes, max_depth or "
                "min_samples_leaf."
            )
        if self.monotonic_cst is not None:
            raise ValueError(
                f"monotonic_cst is not available in {owner}: a split is judged by its criterion alone. "
                "Use monotonic_cst=None."
            )

    def _remember_columns(self, X: Any, schema: Schema) -> None:
        """Set ``n_features_in_`` and ``feature_names_in_``."""
        if not isinstance(X, Mapping):
            validate_data(self, X, skip_check_array=True)
        # Not every scikit-learn knows every frame, and none knows a dict of columns.
        self.n_features_in_ = schema.n_features
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)

    # ---------------------------------------------------------------------------------------- predicting

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row: the heaviest class of its leaf, the first one of equals.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        ndarray of shape (n_samples,)
            Labels.
        """
        nodes = self.apply(X)
        tree, heaviest = self._heaviest
        if tree is not self.tree_:
            heaviest = _heaviest_classes(self.tree_)
        return self.classes_.take(heaviest.take(nodes))

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The share of each class in the leaf of each row.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Shares, in the order of ``classes_``.
        """
        nodes = self.apply(X)
        shares: NDArray[np.float64] = self.tree_.value[:, 0].take(nodes, axis=0)
        return shares

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The logarithm of `predict_proba`; minus infinity for a class that the leaf does not hold.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
            Logarithms, in the order of ``classes_``.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The node of ``tree_`` where each row ends.

        That is a leaf, or an inner node for a row that stops there (``unknown_category="stop"``).

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        ndarray of shape (n_samples,)
            Numbers of nodes.
        """
        table, columns = self._encode(X, refuse_infinite=False)  # routing looks for them on its way
        try:
            return self.tree_.apply(columns, n_threads=count_threads(self.n_jobs), refuse_infinite=True)
        except UnknownCategoryError as error:
            raise self._name_value(error, table) from None

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row visits.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows.

        Returns
        -------
        sparse matrix of shape (n_samples, n_nodes)
            1 where the row visits the node.
        """
        table, columns = self._encode(X)
        try:
            return self.tree_.decision_path(columns, n_threads=count_threads(self.n_jobs))
        except UnknownCategoryError as error:
            raise self._name_value(error, table) from None

    def _encode(self, X: Any, refuse_infinite: bool = True) -> tuple[Table, tuple[NDArray[Any], ...]]:
        """A table with its columns in the order of training, and the columns under the schema of training."""
        check_is_fitted(self)
        owner, schema = type(self).__name__, self.tree_.schema
        if schema.named:
            X = align_columns(X, schema.names, owner=owner)
        table = read_table(X, owner)
        if not table.named or not (schema.named or isinstance(X, Mapping)):
            # Names, where both have them, are in order now; for all else scikit-learn has its words.
            validate_data(self, X, reset=False, skip_check_array=True)
        return table, encode_with(schema, table, refuse_infinite=refuse_infinite)

    def _name_value(self, error: UnknownCategoryError, table: Table) -> ValueError:
        """The error of an unknown category, with the value that the tree itself does not know."""
        value = table.value(error.row, error.feature)
        try:
            never = value not in self.tree_.schema[error.feature].codes
        except TypeError:  # not hashable: encoded by its repr
            never = True
        where = "was not seen in training" if never else f"was seen in training, but not at node {error.node}"
        return ValueError(
            f"column {error.column!r}, row {error.row}: the category {value!r} {where}, and "
            f"unknown_category='error'. Remove the row, or fit {type(self).__name__} with "
            "unknown_category='missing', 'majority' or 'stop'."
        )

    # ----------------------------------------------------------------------------------------- describing

    def get_depth(self) -> int:
        """The depth of the tree: the number of splits on its longest path.

        Returns
        -------
        int
            0 for a lone leaf.
        """
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """The number of leaves of the tree.

        Returns
        -------
        int
            At least 1.
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """How much each column lowers the impurity, as a share of what all do; zeros for a lone leaf."""
        check_is_fitted(self)
        return self.tree_.feature_importances()


def _heaviest_classes(tree: Tree) -> NDArray[np.intp]:
    """The heaviest class of each node, the first one of equals."""
    assert tree.counts is not None
    heaviest: NDArray[np.intp] = tree.counts.argmax(axis=1)
    return heaviest
