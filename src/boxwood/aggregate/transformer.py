"""`AggregateFeatures`: a transformer that adds the joint column of each group of columns."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._set_output import _get_output_config
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted, validate_data

from boxwood.aggregate.joint import MISSING, UNSEEN, Codes, Joint, join
from boxwood.aggregate.proposal import Candidates, propose
from boxwood.aggregate.wording import has_only_text, value_text
from boxwood.data import (
    Column,
    Schema,
    align_columns,
    encode_features,
    encode_numeric_target,
    encode_target,
    encode_with,
    read_table,
    round_weights,
)
from boxwood.data.cells import is_missing
from boxwood.data.frames import as_frame
from boxwood.data.table import Table
from boxwood.data.weights import check_sample_weight

Self = TypeVar("Self", bound="AggregateFeatures")

UNSEEN_RULES = ("missing", "keep")
TARGET_BINS = 8


class AggregateFeatures(TransformerMixin, BaseEstimator):
    """Add joint columns: the combinations of the values of several columns, as one categorical column.

    A tree that asks for a joint column sees in one question what takes it several questions, and many more
    leaves, otherwise. Groups can be named, or proposed from the data: "auto" joins the columns that together
    tell significantly more about the target than the better one alone, by conditional mutual information
    (`boxwood.aggregate.proposal` explains how), and ``reasons_`` says why.

    Columns that can be joined are categories, booleans and whole numbers. The joint columns hold text, such
    as "buying=high & maint=low", in quotes where a value could be misread (`boxwood.aggregate.wording`); with
    a missing cell in the group the joint one is missing. What comes out is of the kind that went in: a frame,
    a dict of columns, or an array, of objects when anything was added.

    Parameters
    ----------
    groups : "auto" or list of tuples, default="auto"
        The columns of each group, by name or by position.
    budget : int, default=3
        How many groups "auto" proposes at most.
    max_columns : int, default=3
        How many columns a group of "auto" has at most.
    max_values : int, default=128
        How many combinations a group of "auto" has at most.
    max_integers : int, default=12
        "auto" takes a column of whole numbers for categories when it has at most so many different ones.
    unseen : {"missing", "keep"}, default="missing"
        A combination that training did not see is missing, or is kept as a new text, which the learner's rule
        for unknown categories then meets.
    categorical_features : default="from_dtype"
        Columns of numbers that are categories, as in `boxwood.TreeClassifier`.

    Attributes
    ----------
    groups_ : list of tuples of str
        The columns of each group.
    reasons_ : list of str
        Why each group is there.
    values_ : list of tuples of str
        The combinations of each group that training saw.
    n_features_in_ : int
        The number of columns.
    feature_names_in_ : ndarray of str
        Their names, where the table has some.

    Examples
    --------
    >>> import boxwood
    >>> X = {"a": ["no", "yes"] * 20, "b": ["low", "low", "high", "high"] * 10, "c": list("xxyyz") * 8}
    >>> y = [(a == "yes") != (b == "high") for a, b in zip(X["a"], X["b"])]
    >>> joined = boxwood.AggregateFeatures().fit(X, y)
    >>> joined.groups_
    [('a', 'b')]
    >>> joined.reasons_
    ['together 1.000 bits about the target, a alone 0.000, b alone 0.000; 0.964 beyond a, p = 9.1e-13; 4 ...']
    >>> joined.transform(X)["a & b"][:2]
    ['a=no & b=low', 'a=yes & b=low']
    """

    groups_: list[tuple[str, ...]]
    reasons_: list[str]
    values_: list[tuple[str, ...]]
    n_features_in_: int

    def __init__(
        self,
        groups: Any = "auto",
        *,
        budget: int = 3,
        max_columns: int = 3,
        max_values: int = 128,
        max_integers: int = 12,
        unseen: str = "missing",
        categorical_features: Any = "from_dtype",
    ) -> None:
        self.groups = groups
        self.budget = budget
        self.max_columns = max_columns
        self.max_values = max_values
        self.max_integers = max_integers
        self.unseen = unseen
        self.categorical_features = categorical_features

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.input_tags.sparse = False
        tags.target_tags.required = isinstance(self.groups, str)
        tags.transformer_tags.preserves_dtype = []
        return tags

    # ------------------------------------------------------------------------------------------ learning

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the groups and their combinations.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            The table.
        y : array-like of shape (n_samples,), default=None
            The target. "auto" needs it: labels, or numbers, which are put into bins of equal frequency. Named
            groups do not look at it.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows, for "auto". A row of weight 0 is not there.

        Returns
        -------
        AggregateFeatures
            This transformer.
        """
        self._check_arguments()
        owner = type(self).__name__
        table = read_table(X, owner)
        weights = check_sample_weight(sample_weight, table.n_rows)
        rows = None
        if weights is not None and not weights.all():
            rows = np.flatnonzero(weights)
            weights = weights[rows]
        automatic = isinstance(self.groups, str)
        target, n_classes = self._target(y, table.n_rows, rows) if automatic else (None, 0)
        schema, columns = encode_features(table, self.categorical_features, rows)
        weights = np.ones(len(columns[0])) if weights is None else round_weights(weights)
        levels = [_levels(column, cells) for column, cells in zip(schema, columns, strict=True)]
        if automatic:
            assert target is not None
            places = [place for place, level in enumerate(levels) if self._is_candidate(schema[place], level)]
            chosen = Candidates(
                tuple(places),
                tuple(schema.names[place] for place in places),
                tuple(_size(schema[place], levels[place]) for place in places),
                tuple(_codes(schema[place], columns[place], levels[place]) for place in places),
            )
            proposed = propose(
                chosen,
                target,
                n_classes,
                weights,
                budget=self.budget,
                max_values=self.max_values,
                max_columns=self.max_columns,
            )
            joints, reasons = [one.joint for one in proposed], [one.reason for one in proposed]
        else:
            joints = []
            for group in self._named_groups(schema):
                for place in group:
                    _refuse_fractions(schema[place], columns[place], levels[place])
                sizes = tuple(_size(schema[place], levels[place]) for place in group)
                codes = [_codes(schema[place], columns[place], levels[place]) for place in group]
                joints.append(join(group, sizes, codes)[0])
            reasons = ["as was asked for"] * len(joints)
        self._keep(X, schema, levels, joints, reasons)
        return self

    def _keep(
        self,
        X: Any,
        schema: Schema,
        levels: list[npt.NDArray[Any] | None],
        joints: list[Joint],
        reasons: list[str],
    ) -> None:
        names = [" & ".join(schema.names[place] for place in joint.places) for joint in joints]
        taken = set(schema.names)
        for name in names:
            if name in taken:
                raise ValueError(
                    f"a joint column would be called {name!r}, as another column is; rename that column"
                )
            taken.add(name)
        if not isinstance(X, Mapping):
            validate_data(self, X, skip_check_array=True)
        self.n_features_in_ = schema.n_features
        if schema.named:
            self.feature_names_in_ = np.array(schema.names, dtype=object)
        used = {place for joint in joints for place in joint.places}
        self.schema_ = schema
        self._levels = {place: levels[place] for place in used}
        self._joints = joints
        self.groups_ = [tuple(schema.names[place] for place in joint.places) for joint in joints]
        self.reasons_ = reasons
        self.values_ = [tuple(self._texts(joint)) for joint in joints]

    def _target(self, y: Any, n_rows: int, rows: npt.NDArray[np.intp] | None) -> tuple[Codes, int]:
        """The classes of the rows; numbers with fractions are put into bins."""
        owner = type(self).__name__
        if y is None:
            raise ValueError(
                f"{owner} requires y to be passed, but the target y is None: groups='auto' asks which "
                "columns tell most about it. Name the groups to do without."
            )
        if _is_continuous(y):
            values = np.asarray(encode_numeric_target(y, n_rows, owner), dtype=np.float64)
            edges = np.unique(np.quantile(values, np.linspace(0, 1, TARGET_BINS + 1)[1:-1]))
            codes = np.searchsorted(edges, values, side="right").astype(np.int64)
            n_classes = len(edges) + 1
        else:
            target, classes = encode_target(y, n_rows, owner)
            codes, n_classes = target.astype(np.int64), len(classes)
        return (codes if rows is None else codes[rows]), n_classes

    def _is_candidate(self, column: Column, levels: npt.NDArray[Any] | None) -> bool:
        size = len(column.categories) if column.is_categorical else 0
        if not column.is_categorical:
            if levels is None or column.values in ("date", "duration"):
                return False
            size = len(levels)
            if size > self.max_integers:
                return False
        return 2 <= size <= self.max_values

    def _named_groups(self, schema: Schema) -> list[tuple[int, ...]]:
        """The positions of the columns of each named group."""
        groups: list[tuple[int, ...]] = []
        for group in self.groups:
            if isinstance(group, str) or not isinstance(group, Sequence | np.ndarray):
                raise ValueError(
                    f"a group must be a tuple of columns, not {group!r}; groups is a list of such tuples"
                )
            places = tuple(self._place(member, schema) for member in group)
            if len(places) < 2 or len(set(places)) < len(places):
                raise ValueError(f"the group {tuple(group)!r} must name at least two columns, each one once")
            if places in groups:
                raise ValueError(f"groups has the group {tuple(group)!r} twice; name it once")
            groups.append(places)
        return groups

    def _place(self, member: Any, schema: Schema) -> int:
        if isinstance(member, str):
            if member not in schema.names:
                close = difflib.get_close_matches(member, schema.names, n=1)
                hint = (
                    f"; did you mean {close[0]!r}?"
                    if close
                    else f"; there are {', '.join(schema.names[:20])}"
                )
                raise ValueError(f"groups names the column {member!r}, which X does not have{hint}")
            return schema.index(member)
        if isinstance(member, numbers.Integral) and -len(schema) <= int(member) < len(schema):
            return int(member) % len(schema)
        raise ValueError(f"groups names the column {member!r}, but X has {len(schema)} columns")

    def _check_arguments(self) -> None:
        automatic = isinstance(self.groups, str)
        if automatic and self.groups != "auto":
            raise ValueError(f"groups must be 'auto' or a list of tuples of columns, not {self.groups!r}")
        if not automatic and not isinstance(self.groups, Sequence | np.ndarray):
            raise ValueError(f"groups must be 'auto' or a list of tuples of columns, not {self.groups!r}")
        for name, least in (("budget", 0), ("max_columns", 2), ("max_values", 2), ("max_integers", 0)):
            value = getattr(self, name)
            if not isinstance(value, numbers.Integral) or isinstance(value, bool) or value < least:
                raise ValueError(
                    f"The {name!r} parameter of {type(self).__name__} must be an int in the range "
                    f"[{least}, inf). Got {value!r} instead."
                )
        if self.unseen not in UNSEEN_RULES:
            raise ValueError(
                f"unseen must be one of {', '.join(map(repr, UNSEEN_RULES))}, not {self.unseen!r}"
            )

    # -------------------------------------------------------------------------------------- transforming

    def transform(self, X: Any) -> Any:
        """Add the joint columns to a table.

        Parameters
        ----------
        X : array-like or frame of shape (n_samples, n_features)
            Rows. The columns of a frame may come in any order.

        Returns
        -------
        frame, dict or ndarray
            The columns of training in their order, then the joint ones.
        """
        check_is_fitted(self)
        owner, schema = type(self).__name__, self.schema_
        if schema.named:
            X = align_columns(X, schema.names, owner=owner)
        table = read_table(X, owner)
        if not table.named or not (schema.named or isinstance(X, Mapping)):
            validate_data(self, X, reset=False, skip_check_array=True)
        columns = encode_with(schema, table)
        added = {
            " & ".join(group): self._cells(joint, texts, columns, table)
            for group, joint, texts in zip(self.groups_, self._joints, self.values_, strict=True)
        }
        return self._add(X, table, added)

    def _cells(
        self, joint: Joint, texts: tuple[str, ...], columns: Sequence[Any], table: Table
    ) -> list[str | None]:
        """The joint column of a group."""
        codes = [_codes(self.schema_[place], columns[place], self._levels[place]) for place in joint.places]
        found = joint.number(codes)
        cells: list[str | None] = [texts[code] if code >= 0 else None for code in found.tolist()]
        if self.unseen == "keep":
            among_text = [has_only_text(self.schema_[place].categories) for place in joint.places]
            for row in np.flatnonzero(found == UNSEEN).tolist():
                cells[row] = " & ".join(
                    f"{self.schema_.names[place]}={value_text(table.value(row, place), among_text=text)}"
                    for place, text in zip(joint.places, among_text, strict=True)
                )
        return cells

    def _texts(self, joint: Joint) -> list[str]:
        """The names of the combinations of a group."""
        names = []
        for place in joint.places:
            column = self.schema_[place]
            levels = self._levels[place]
            values: Sequence[Any] = column.categories if levels is None else levels.tolist()
            if column.values == "boolean":
                values = [bool(value) for value in values]
            text = has_only_text(column.categories)
            names.append([f"{column.name}={value_text(value, among_text=text)}" for value in values])
        return [
            " & ".join(name[code] for name, code in zip(names, part, strict=True))
            for part in joint.parts.tolist()
        ]

    def _add(self, X: Any, table: Table, added: Mapping[str, list[str | None]]) -> Any:
        """The table with more columns, in the form that it has or that ``set_output`` asks for."""
        wanted = _get_output_config("transform", self)["dense"]
        if isinstance(X, Mapping):
            whole = {**{name: X[name] for name in table.names}, **added}
            return whole if wanted == "default" else _frame(whole, wanted)
        frame = as_frame(X) if not isinstance(X, np.ndarray | list | tuple) else None
        if frame is None:
            array = np.asarray(X)
            if not added and array.dtype.kind in "biuf":
                return array.astype(np.float64)
            if isinstance(X, list | tuple):  # numpy would make text of the numbers
                array = np.array(X, dtype=object)
            whole_array = np.empty((table.n_rows, len(table.names) + len(added)), dtype=object)
            whole_array[:, : len(table.names)] = array
            for place, cells in enumerate(added.values(), len(table.names)):
                whole_array[:, place] = cells
            return whole_array
        if wanted not in ("default", str(frame.implementation)):
            native = {name: _plain(frame[name].to_list()) for name in frame.columns}
            return _frame({**native, **added}, wanted)
        return frame.with_columns(*(_series(frame, name, cells) for name, cells in added.items())).to_native()

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[Any]:
        """What the output columns are called.

        Parameters
        ----------
        input_features : array-like of str, default=None
            Names for a table that had none; of one that had names, only the same names are accepted.

        Returns
        -------
        ndarray of str objects
            The names of the columns, then those of the groups, "buying & maint" say.
        """
        check_is_fitted(self)
        names = _check_feature_names_in(self, input_features).tolist()
        joint = [" & ".join(names[place] for place in joint.places) for joint in self._joints]
        return np.array([*names, *joint], dtype=object)


def _is_continuous(y: Any) -> bool:
    """Whether a target holds numbers with fractions. Of what has no place in a target the encoding that comes
    next tells the row.
    """
    if not hasattr(y, "__len__") or hasattr(y, "tocsr"):
        return False
    try:
        with np.errstate(invalid="ignore"):
            return bool(type_of_target(y) == "continuous")
    except (TypeError, ValueError):
        return False


def _levels(column: Column, cells: npt.NDArray[Any]) -> npt.NDArray[Any] | None:
    """The different values of a column of whole numbers, in order; None for any other column."""
    if column.is_categorical:
        return None
    values = np.unique(cells[~np.isnan(cells)])
    return values if len(values) and bool((values == np.rint(values)).all()) else None


def _size(column: Column, levels: npt.NDArray[Any] | None) -> int:
    return max(1, len(column.categories)) if levels is None else len(levels)


def _codes(column: Column, cells: npt.NDArray[Any], levels: npt.NDArray[Any] | None) -> Codes:
    """The codes of a column, `MISSING` for empty cells, `UNSEEN` for values that training did not see."""
    if column.is_categorical or levels is None:
        return cells.astype(np.int64)
    place = np.minimum(np.searchsorted(levels, cells), len(levels) - 1)
    codes = np.where(levels[place] == cells, place, UNSEEN).astype(np.int64)
    codes[np.isnan(cells)] = MISSING
    return codes


def _refuse_fractions(column: Column, cells: npt.NDArray[Any], levels: npt.NDArray[Any] | None) -> None:
    """Refuse to join a column whose values are no categories."""
    if column.is_categorical or (levels is not None and column.values not in ("date", "duration")):
        return
    there = cells[~np.isnan(cells)]
    if column.values in ("date", "duration"):
        what = f"{column.values}s"
    elif len(there):
        what = f"numbers such as {float(there[there != np.rint(there)][0]):g}"
    else:
        what = "no value at all"
    raise ValueError(
        f"column {column.name!r} holds {what}, which are no categories to join; discretise the column first, "
        "or name it in categorical_features"
    )


def _plain(cells: list[Any]) -> list[Any]:
    """Cells that any library takes: missing ones are None."""
    return [None if is_missing(cell) else cell for cell in cells]


def _frame(columns: Mapping[str, Any], library: Any) -> Any:
    """A frame of another library than the table's own."""
    import narwhals.stable.v2 as nw

    return nw.from_dict(dict(columns), backend=library).to_native()


def _series(frame: Any, name: str, cells: list[str | None]) -> Any:
    """A column of text for a frame, with the frame's index where it has one."""
    import narwhals.stable.v2 as nw

    series = nw.new_series(name, cells, nw.String(), backend=frame.implementation)
    if not frame.implementation.is_pandas_like():
        return series
    native = series.to_native()
    native.index = frame.to_native().index
    return nw.from_native(native, series_only=True)
