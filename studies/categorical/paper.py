"""What the thesis says in numbers, from `paper.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("paper.toml")


@cache
def read_paper() -> dict[str, Any]:
    """Read the figures.

    >>> read_paper()["splits"]["pc_ext_above_twoing"]
    [3.48, 6.23]
    """
    return tomllib.loads(FILE.read_text(encoding="utf-8"))
