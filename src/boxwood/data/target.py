"""The target of a classification: labels of any type, encoded as int32 codes of the sorted distinct labels.

Labels are whatever the caller uses: integers, text, booleans, whole floats, in an array, a list or a
series. The classes are those of `np.unique` over *all* rows, also those of weight 0, because ensembles that
work by weights rely on it; such a class simply has no rows. What cannot be a label is refused in the words
of scikit-learn's checks: missing and infinite values, fractions (a regression target), complex numbers,
bytes, several outputs. `read_target`, which opens whatever the caller has as one column, also serves the
numbers of a regression (`boxwood.data.numeric_target`).
"""

from __future__ import annotations

import warnings
from typing import Any, NoReturn, TypeAlias

import numpy as np
import numpy.typing as npt

from boxwood.data.categories import distinct_numbers, distinct_text
from boxwood.data.cells import (
    Cells,
    Coded,
    Numbers,
    Objects,
    Times,
    Where,
    cell_kind,
    is_missing,
    judge,
)
from boxwood.data.frames import as_frame, as_series, cells_of, cells_of_array
from boxwood.data.table import refuse_sparse

Target: TypeAlias = npt.NDArray[np.int32]
Classes: TypeAlias = npt.NDArray[Any]


def encode_target(y: object, n_rows: int | None = None, owner: str = "the tree") -> tuple[Target, Classes]:
    """Encode class labels.

    Parameters
    ----------
    y
        One label for each row.
    n_rows
        The number of rows that there should be; None accepts any but 0.
    owner
        Who asks, for messages: the name of an estimator.

    Returns
    -------
    target : array of int32
        The class of each row.
    classes : array
        The distinct labels in order.

    Examples
    --------
    >>> encode_target(["yes", "no", "yes"])
    (array([1, 0, 1], dtype=int32), array(['no', 'yes'], dtype='<U3'))
    """
    cells, dtype = read_target(y, n_rows, owner, "MultiOutputClassifier")
    length = len(cells.array)
    target, classes = _encode(cells, dtype)
    if length > 20 and len(classes) > max(2, round(0.5 * length)):
        warnings.warn(
            "The number of unique classes is greater than 50% of the number of samples. `y` could "
            "represent a regression problem, not a classification problem.",
            UserWarning,
            stacklevel=2,
        )
    target.flags.writeable = False
    return target, classes


def read_target(
    y: object, n_rows: int | None, owner: str, for_several: str
) -> tuple[Cells, npt.DTypeLike | None]:
    """Open the caller's target as one column, and refuse what is none.

    Parameters
    ----------
    y
        One value for each row: an array, a list, a series, or a frame of one column.
    n_rows
        The number of rows that there should be; None accepts any but 0.
    owner
        Who asks, for messages: the name of an estimator.
    for_several
        What scikit-learn has for several targets at once, for messages.

    Returns
    -------
    cells
        The values, as the caller gave them.
    dtype
        The dtype that classes of text are to have: that of the array in which they came, object for a series,
        and None, numpy's choice, for a list.

    Examples
    --------
    >>> read_target([1.5, 2], 2, "the tree", "MultiOutputRegressor")[0]
    Objects(array=[1.5, 2], text=False)
    """
    if y is None:
        raise ValueError(f"This {owner} estimator requires y to be passed, but the target y is None.")
    refuse_sparse(y, "y")
    cells, dtype = _one_column(y, for_several)
    length = len(cells.array)
    if n_rows is not None and length != n_rows:
        raise ValueError(f"Found input variables with inconsistent numbers of samples: [{n_rows}, {length}]")
    if length == 0:
        raise ValueError(
            f"Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required by {owner}."
        )
    return cells, dtype


def _one_column(y: object, for_several: str) -> tuple[Cells, npt.DTypeLike | None]:
    series = None if isinstance(y, np.ndarray | list | tuple) else as_series(y)
    if series is not None:
        return cells_of(series), object
    if not isinstance(y, np.ndarray | list | tuple):
        frame = as_frame(y)
        if frame is not None:
            _one_output((len(frame), len(frame.columns)), for_several)
            return cells_of(frame[:, 0]), object
        if hasattr(y, "to_pylist"):  # an array of pyarrow
            return Objects(y.to_pylist()), object
    if isinstance(y, list | tuple):
        array = np.array(y, dtype=object)
        if array.ndim == 1 and any(issubclass(cls, list | tuple | np.ndarray) for cls in set(map(type, y))):
            raise ValueError("y should be a 1d array, but some of its entries are lists")
    else:
        array = np.asanyarray(y)
    if array.ndim == 2:
        _one_output(array.shape, for_several)
        array = array.reshape(-1)
    if array.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {array.shape} instead.")
    return cells_of_array(array), None if isinstance(y, list | tuple) else array.dtype


def _one_output(shape: tuple[int, ...], for_several: str) -> None:
    if shape[1] != 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {shape} instead. Several outputs at once are not "
            f"supported; fit one tree for each, for example with sklearn.multioutput.{for_several}."
        )
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y to "
        "(n_samples, ), for example using ravel().",
        DataConversionWarning,
        stacklevel=5,
    )


def _encode(cells: Cells, dtype: npt.DTypeLike | None) -> tuple[Target, Classes]:
    if isinstance(cells, Objects):
        kinds = {cell_kind(cls) for cls in set(map(type, cells.array))}
        if kinds != {"text"} and not kinds <= {"boolean", "integer", "float"}:
            row = next((row for row, cell in enumerate(cells.array) if is_missing(cell)), None)
            if row is not None:
                _refuse_missing(row)
        cells = judge(cells, Where("y"))
    match cells:
        case Numbers():
            return _numbers(cells)
        case Coded():
            return _codes(cells)
        case Objects():
            return _text(cells, dtype)
        case Times():
            raise ValueError("Unknown label type: dates. Turn the labels of y into text or whole numbers.")


def _numbers(cells: Numbers) -> tuple[Target, Classes]:
    array = cells.array
    if cells.null is not None and cells.null.any():
        _refuse_missing(int(cells.null.argmax()))
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            row = int(np.argmin(np.isfinite(array)))
            if np.isnan(array[row]):
                _refuse_missing(row)
            raise ValueError(
                f"Input y contains infinity or a value too large for {array.dtype!r}, first in row {row}."
            )
        broken = array != np.rint(array)
        if broken.any():
            row = int(broken.argmax())
            raise ValueError(
                f"Unknown label type: continuous. Row {row} of y holds {array[row].item()!r}. Maybe you are "
                "trying to fit a classifier, which expects discrete classes on a regression target with "
                "continuous values."
            )
    classes, places = distinct_numbers(array)
    return places.astype(np.int32, copy=False), classes


def _codes(cells: Coded) -> tuple[Target, Classes]:
    if (cells.array < 0).any():
        _refuse_missing(int((cells.array < 0).argmax()))
    used, places = distinct_numbers(np.asarray(cells.array))
    target, classes = _encode(Objects([cells.categories[code] for code in used.tolist()]), object)
    return target[places], classes


def _text(cells: Objects, dtype: npt.DTypeLike | None) -> tuple[Target, Classes]:
    kinds = {cell_kind(cls): cls for cls in set(map(type, cells.array))}
    if "bytes" in kinds:
        raise TypeError(
            "Support for labels represented as bytes is not supported. Convert the labels to a string or "
            "integer format."
        )
    if set(kinds) != {"text"}:
        names = ", ".join(sorted(cls.__name__ for cls in kinds.values()))
        raise ValueError(
            f"Unknown label type: unknown. The labels in y are of the types {names}; make them all text, or "
            "all whole numbers."
        )
    distinct, places = distinct_text(cells.array)
    return places.astype(np.int32), np.array(distinct, dtype=dtype)


def _refuse_missing(row: int) -> NoReturn:
    raise ValueError(
        f"Input y contains NaN, first in row {row}. Every row needs a label; leave out the rows without."
    )
