"""The command line: one file per command, and the few things that commands share.

| file | subject |
|---|---|
| `entry` | parses the line, runs the command, turns refusals into one sentence and a status |
| `learn` | `boxwood learn`: a table in, a tree and how good it is out |
| `predict` | `boxwood predict`: a saved tree and a table in, answers out |
| `table` | reads tables from files, and refuses what is none |
| `describe` | what was understood of each column |
| `report` | what is said of a grown tree: its text, size, accuracy or error |
| `task` | what the target is: classes or a quantity |
| `holdout` | puts a share of the rows aside, of every class |
| `options` | argument types and options that several commands take |
| `refusal` | the one exception that a command raises for bad input |

A new command is one file with `HELP`, `USAGE`, `DESCRIPTION`, `EPILOG`, `add_arguments` and `run`, and one
row in `entry.COMMANDS`. polars and rich are imported only when a command runs, so that `--help` and
`--version` work without them.
"""

from __future__ import annotations

from boxwood.cli.entry import main

__all__ = ["main"]
