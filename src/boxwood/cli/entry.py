r"""Where the command line begins: `main` parses, runs one command, and answers with an exit status.

| status | meaning |
|---|---|
| 0 | done |
| 2 | refused: bad arguments or bad input, told in one sentence on the error stream |
| 130 | interrupted by Ctrl-C |
| 141 | the reader of the output has gone (as in `boxwood learn \| head`) |
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from boxwood._version import __version__
from boxwood.cli import learn, predict
from boxwood.cli.refusal import Refusal

COMMANDS: dict[str, ModuleType] = {
    "learn": learn,
    "predict": predict,
}


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the whole line."""
    parser = argparse.ArgumentParser(
        prog="boxwood",
        description="Decision trees for the tables people really have.",
        epilog="'boxwood learn' alone grows a tree on an embedded table of penguins. "
        "'boxwood COMMAND --help' explains a command.",
    )
    parser.add_argument("--version", action="version", version=f"boxwood {__version__}")
    commands = parser.add_subparsers(title="commands", dest="command", metavar="COMMAND")
    for name, command in COMMANDS.items():
        sub = commands.add_parser(
            name,
            help=command.HELP,
            usage=command.USAGE,
            description=command.DESCRIPTION,
            epilog=command.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(sub)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status.

    >>> main(["predict", "no-such-tree.json", "table.csv"])  # prints one sentence to the error stream
    2
    """
    # A name that the terminal cannot write must not end the program.
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    parser = build_parser()
    try:
        given = parser.parse_args(arguments)
    except SystemExit as end:  # argparse has said what is wrong, or shown its help
        return end.code if isinstance(end.code, int) else 2
    if given.command is None:
        parser.print_help()
        return 0
    try:
        COMMANDS[given.command].run(given)
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"boxwood {given.command}: {refusal}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"boxwood {given.command}: interrupted.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Python flushes stdout once more at its end; give that flush somewhere to go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return 0
