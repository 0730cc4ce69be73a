"""The versioned state of a tree: what is pickled, and what a file is read into.

A state is a dict of plain things (strings, lists, dicts, numpy arrays), never of this library's classes, so
that the classes may change while old states stay readable::

    {"version": 2, "criterion": str, "missing": str, "unknown_category": str,
     "schema": {"named": bool, "columns": [{"name", "kind", "values", "categories": [...]}, ...]},
     "classes": array or None, "arrays": {name: array}, "extra": {name: array}}

Its version is the version of the file format. When the format changes, `FORMAT_VERSION` goes up by one and
`UPGRADES` gains the function that turns a state of the version before into the new one. Pickles and files
of any age then take the same road: read as what they are, upgraded step by step, checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from boxwood.data.schema import Column, Schema
from boxwood.tree.errors import TreeFormatError

State: TypeAlias = dict[str, Any]

FORMAT_VERSION = 2


def _without_surrogates(state: State) -> State:
    """Version 1 had neither surrogates nor rows that are spread: whatever it says means the same."""
    return {**state, "version": 2}


UPGRADES: dict[int, Callable[[State], State]] = {1: _without_surrogates}
"""Version to the function that makes the next version's state out of one of that version."""


def check_version(version: object) -> int:
    """`version`, if this boxwood can read it; otherwise `TreeFormatError`.

    >>> check_version(1)
    1
    """
    if type(version) is not int or version < min([FORMAT_VERSION, *UPGRADES]):
        raise TreeFormatError(f"there is no format version {version!r:.40}")
    if version > FORMAT_VERSION:
        raise TreeFormatError(
            f"format version {version!r:.40} was written by a newer boxwood "
            f"(this one reads versions up to {FORMAT_VERSION}): upgrade boxwood"
        )
    return version


def upgrade(state: Mapping[str, Any]) -> State:
    """The state in today's version.

    >>> upgrade({"version": 1, "classes": None})["version"]
    2
    """
    current = dict(state)
    version = check_version(current.get("version"))
    while version < FORMAT_VERSION:
        current = UPGRADES[version](current)
        version += 1
    return current


def plain_schema(schema: Schema) -> dict[str, Any]:
    """A schema as dicts and lists.

    >>> plain_schema(Schema((Column("age", "numeric", "integer"),), named=True))["columns"]
    [{'name': 'age', 'kind': 'numeric', 'values': 'integer', 'categories': []}]
    """
    return {
        "named": schema.named,
        "columns": [
            {
                "name": column.name,
                "kind": column.kind,
                "values": column.values,
                "categories": list(column.categories),
            }
            for column in schema.columns
        ],
    }


def schema_from_plain(plain: Mapping[str, Any]) -> Schema:
    """The schema that `plain_schema` wrote down; `TreeFormatError` if it is none.

    >>> schema = Schema((Column("age", "numeric", "integer"),), named=True)
    >>> schema_from_plain(plain_schema(schema)) == schema
    True
    """
    try:
        columns = tuple(
            Column(column["name"], column["kind"], column["values"], tuple(column["categories"]))
            for column in plain["columns"]
        )
        return Schema(columns, named=plain["named"])
    except (ValueError, TypeError) as error:
        raise TreeFormatError(f"the schema is damaged: {error}") from None
