"""Where `python -m studies` begins: one study per subcommand, one folder per study.

A study is a package with ``HELP`` (one line), ``add_arguments(parser)`` and ``run(given) -> int``, which
returns the exit status; `studies.harness` does all that studies have in common.

| status | meaning |
|---|---|
| 0 | done |
| 2 | refused, told in one sentence on the error stream |
| 130 | interrupted by Ctrl-C; the rows so far are kept, and the same command goes on from there |
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from types import ModuleType

from studies import RefusedError, categorical, heuristics, mid, pruning

STUDIES: dict[str, ModuleType] = {
    "categorical": categorical,
    "heuristics": heuristics,
    "mid": mid,
    "pruning": pruning,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one study and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m studies", description="The papers' tables and figures, ours beside theirs."
    )
    commands = parser.add_subparsers(title="studies", dest="study", metavar="STUDY", required=True)
    for name, study in STUDIES.items():
        sub = commands.add_parser(name, help=study.HELP, description=study.HELP)
        study.add_arguments(sub)
    given = parser.parse_args(arguments)
    try:
        status: int = STUDIES[given.study].run(given)
    except RefusedError as refusal:
        print(f"studies {given.study}: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            f"studies {given.study}: interrupted. The rows so far are kept; the same command goes on.",
            file=sys.stderr,
        )
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
