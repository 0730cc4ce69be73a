"""Where `python -m bench` begins: one benchmark per subcommand, one file per benchmark.

A benchmark is a module with ``HELP`` (one line), ``add_arguments(parser)`` and ``run(given) -> int``, which
returns the exit status.

| status | meaning |
|---|---|
| 0 | measured |
| 1 | measured, and a result is wrong (slow is not wrong) |
| 2 | refused, told in one sentence on the error stream |
| 130 | interrupted by Ctrl-C |
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from bench import RefusedError, categorical, criteria, discretize, greedy, limits, optimal, prune, regress

BENCHMARKS: dict[str, ModuleType] = {
    "greedy": greedy,
    "regress": regress,
    "criteria": criteria,
    "optimal": optimal,
    "discretize": discretize,
    "categorical": categorical,
    "limits": limits,
    "prune": prune,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Speed and memory beside the peers.")
    commands = parser.add_subparsers(title="benchmarks", dest="benchmark", metavar="BENCHMARK", required=True)
    for name, benchmark in BENCHMARKS.items():
        sub = commands.add_parser(name, help=benchmark.HELP, description=benchmark.HELP)
        benchmark.add_arguments(sub)
    given = parser.parse_args(arguments)
    try:
        status: int = BENCHMARKS[given.benchmark].run(given)
    except RefusedError as refusal:
        print(f"bench {given.benchmark}: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"bench {given.benchmark}: interrupted.", file=sys.stderr)
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
