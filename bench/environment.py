"""On what a benchmark ran: the processor, the cores and the versions; never names of machines or paths."""

from __future__ import annotations

import datetime
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

import boxwood


def describe() -> dict[str, str]:
    """What a reader must know to judge the numbers."""
    facts = {
        "processor": processor(),
        "cores": str(cores()),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "boxwood": boxwood.__version__,
        "scikit-learn": version("scikit-learn"),
        "numpy": version("numpy"),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
    }
    if hasattr(os, "getloadavg"):
        facts["load at the start"] = f"{os.getloadavg()[0]:.1f}"
    return facts


def processor() -> str:
    """The model of the processor, as far as the system tells."""
    listing = Path("/proc/cpuinfo")
    if listing.exists():
        for line in listing.read_text().splitlines():
            if line.lower().startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or platform.machine()


def cores() -> int:
    """Processors that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
