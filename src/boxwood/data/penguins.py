"""Palmer penguins: a small table that ships with the library, so that a first tree needs no file.

344 penguins of three species on three islands of the Palmer Archipelago, Antarctica, measured from 2007 to
2009, with categories, numbers and missing values. Collected by Kristen Gorman with the Palmer Station Long
Term Ecological Research program, and published as

    Horst AM, Hill AP, Gorman KB (2020). palmerpenguins: Palmer Archipelago (Antarctica) penguin data.
    R package version 0.1.0. https://allisonhorst.github.io/palmerpenguins/. doi:10.5281/zenodo.3960218

under CC0 (no rights reserved). `penguins.csv` is its `penguins` table with empty cells for "NA". Reading it
takes the standard library alone.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib import resources
from typing import Final, NamedTuple, TypeAlias

Cell: TypeAlias = str | float | int | None

_TARGET: Final = "species"
_NUMBERS: Final[dict[str, Callable[[str], float | int]]] = {
    "bill_length_mm": float,
    "bill_depth_mm": float,
    "flipper_length_mm": int,
    "body_mass_g": int,
    "year": int,
}


class Penguins(NamedTuple):
    """The penguins: what was measured, and their species.

    Parameters
    ----------
    data
        The columns by name, a table that `make_dataset` takes; None where a cell is missing.
    target
        The species of each penguin.
    feature_names
        The names of the columns.
    target_name
        "species".

    Examples
    --------
    >>> penguins = load_penguins()
    >>> penguins.target_name, penguins.target[0], penguins.data["island"][0]
    ('species', 'Adelie', 'Torgersen')
    """

    data: dict[str, list[Cell]]
    target: list[str]
    feature_names: tuple[str, ...]
    target_name: str


def load_penguins() -> Penguins:
    """Load the Palmer penguins.

    Returns
    -------
    Penguins
        `data`, a dict of seven columns, and `target`, the species.

    Examples
    --------
    >>> penguins = load_penguins()
    >>> len(penguins.target), penguins.feature_names
    (344, ('island', 'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g', 'sex', 'year'))
    >>> {name: column[3] for name, column in penguins.data.items() if column[3] is not None}
    {'island': 'Torgersen', 'year': 2007}
    """
    path = resources.files("boxwood.data") / "penguins.csv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = tuple(name for name in rows[0] if name != _TARGET)
    data: dict[str, list[Cell]] = {}
    for name in names:
        convert = _NUMBERS.get(name, str)
        data[name] = [convert(row[name]) if row[name] else None for row in rows]
    return Penguins(data, [row[_TARGET] for row in rows], names, _TARGET)
