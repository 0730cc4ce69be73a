"""What was asked for: a study's TOML file, its quick variant, and a fingerprint of both.

The file may have a table ``[quick]``. With ``--quick`` it is laid over the rest: tables are merged key by
key, everything else is replaced. Without ``--quick`` it is dropped.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.study import Configuration


def read_configuration(path: Path, quick: bool = False) -> Configuration:
    """Read a study's configuration, with its quick variant laid over it if that is wanted."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RefusedError(f"the configuration {path} cannot be read ({error.strerror}).") from None
    except tomllib.TOMLDecodeError as error:
        raise RefusedError(f"the configuration {path} is not TOML: {error}.") from None
    changes = found.pop("quick", {})
    return lay_over(found, changes) if quick else found


def lay_over(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge tables key by key and replace everything else.

    >>> base = {"folds": {"number": 10, "seed": 1}, "sets": ["a", "b"]}
    >>> lay_over(base, {"folds": {"number": 3}, "sets": ["a"]})
    {'folds': {'number': 3, 'seed': 1}, 'sets': ['a']}
    """
    merged = dict(base)
    for name, value in changes.items():
        below = merged.get(name)
        merged[name] = (
            lay_over(below, value) if isinstance(below, Mapping) and isinstance(value, Mapping) else value
        )
    return merged


def deciding(configuration: Configuration, settings: Sequence[str]) -> dict[str, Any]:
    """The parts of a configuration that decide about the rows, as JSON would give them back."""
    missing = [name for name in settings if name not in configuration]
    if missing:
        raise RefusedError(f"the configuration has no {' and no '.join(missing)}; add what is missing.")
    decided: dict[str, Any] = json.loads(json.dumps({name: configuration[name] for name in settings}))
    return decided


def fingerprint(settings: Mapping[str, Any]) -> str:
    """Sixteen hexadecimal digits that change whenever a setting does, whatever the order of the keys.

    >>> fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1})
    True
    >>> fingerprint({"a": 1}) == fingerprint({"a": 2})
    False
    """
    text = json.dumps(settings, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def differences(before: Any, now: Any, place: str = "") -> Iterator[str]:
    """Say in words what changed from one tree of settings to another.

    >>> list(differences({"folds": {"number": 10}}, {"folds": {"number": 3}, "depth": 2}))
    ['folds.number was 10, is 3', 'depth is new']
    """
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for name in [*before, *(name for name in now if name not in before)]:
            inner = f"{place}.{name}" if place else str(name)
            if name not in now:
                yield f"{inner} is gone"
            elif name not in before:
                yield f"{inner} is new"
            else:
                yield from differences(before[name], now[name], inner)
    elif before != now:
        short = all(len(str(value)) <= 60 for value in (before, now))
        yield f"{place} was {before}, is {now}" if short else f"{place} changed"
