"""How many times the usual number of random problems: the long runs of CONTRIBUTING.md set BOXWOOD_EFFORT."""

from __future__ import annotations

import os

EFFORT = float(os.environ.get("BOXWOOD_EFFORT", "1"))
