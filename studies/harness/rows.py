"""The rows of a run: a CSV file that grows by one line per fit and is never rewritten.

Beside it, ``run.json`` holds what the rows depend on: the settings, the version of boxwood, and a digest of
each table. A run that is resumed with anything else is refused, for rows of two kinds in one file would be
worse than none. A line that was cut off in the middle, because the machine went down, is dropped.

Numbers are written so that they read back as the same floats.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.configuration import differences, fingerprint
from studies.harness.study import Key, Row

ROWS, RUN = "rows.csv", "run.json"


class RowFile:
    """The rows of one run, in one folder."""

    def __init__(self, folder: Path, keys: Sequence[str], values: Sequence[str]) -> None:
        self.folder = folder
        self.path = folder / ROWS
        self.keys = list(keys)
        self.header = [*keys, *values]

    # ---------------------------------------------------------------------------------------------- opening

    def open(self, depends_on: Mapping[str, Any], fresh: bool = False) -> set[tuple[str, ...]]:
        """Make the file ready for more rows, and give the names of the fits that it has."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if fresh:
            for path in (self.path, self.folder / RUN):
                path.unlink(missing_ok=True)
        if self.path.is_file():
            self._check(depends_on)
            self._drop_torn_line()
        else:
            self.path.write_text(self._line(self.header), encoding="utf-8", newline="")
        self._remember(depends_on)
        return {self.name(row) for row in self.read()}

    def _check(self, depends_on: Mapping[str, Any]) -> None:
        """Refuse to mix rows of two kinds."""
        try:
            before = json.loads((self.folder / RUN).read_text(encoding="utf-8"))["depends_on"]
        except (OSError, ValueError, KeyError):
            raise RefusedError(
                f"{self.path} has rows, but {RUN}, which says what they were made with, is missing or "
                "damaged. Use --fresh to start over, or --out to name another folder."
            ) from None
        # Only tables that both runs use can have changed in between.
        shared = set(before.get("tables", {})) & set(depends_on.get("tables", {}))
        then, now = (
            {**side, "tables": {name: side["tables"][name] for name in sorted(shared)}}
            for side in (before, depends_on)
        )
        changes = list(differences(then, now))
        if changes:
            listed = "; ".join(changes[:3]) + (f"; and {len(changes) - 3} more" if len(changes) > 3 else "")
            raise RefusedError(
                f"the rows in {self.folder} were made with something else ({listed}). Use --fresh to throw "
                "them away and start over, or --out to keep both."
            )
        with self.path.open(newline="", encoding="utf-8") as file:
            header = next(csv.reader(file), [])
        if header != self.header:
            raise RefusedError(
                f"{self.path} has the columns {', '.join(header) or '(none)'}, and this study writes "
                f"{', '.join(self.header)}. Use --fresh to start over, or --out to name another folder."
            )

    def _drop_torn_line(self) -> None:
        """Cut the file after its last whole line."""
        text = self.path.read_bytes()
        whole = text.rfind(b"\n") + 1
        if whole < len(text):
            with self.path.open("r+b") as file:
                file.truncate(whole)

    def _remember(self, depends_on: Mapping[str, Any]) -> None:
        """Write what the rows depend on; tables of earlier runs stay listed."""
        path = self.folder / RUN
        tables = dict(depends_on.get("tables", {}))
        if path.is_file():
            tables = {**json.loads(path.read_text(encoding="utf-8"))["depends_on"]["tables"], **tables}
        held = {**depends_on, "tables": tables}
        text = json.dumps(
            {"fingerprint": fingerprint(depends_on["settings"]), "depends_on": held}, indent=1, sort_keys=True
        )
        path.write_text(text + "\n", encoding="utf-8", newline="\n")

    # ------------------------------------------------------------------------------------- reading, writing

    def name(self, key: Mapping[str, object]) -> tuple[str, ...]:
        """The key of a fit as words, in the order of the columns."""
        return tuple(str(key[name]) for name in self.keys)

    def append(self, key: Key, row: Row) -> None:
        """Add one row, and see that it is on its way to the disk."""
        cells = {**key, **row}
        if set(cells) != set(self.header):
            odd = ", ".join(sorted(set(cells) ^ set(self.header)))
            raise ValueError(f"a fit of this study must fill the columns {self.header}; it differs in {odd}")
        with self.path.open("a", encoding="utf-8", newline="") as file:
            file.write(self._line([_written(cells[name]) for name in self.header]))

    def read(self) -> list[dict[str, str]]:
        """All rows, as they are written."""
        with self.path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def frame(self) -> Any:
        """All rows as a pandas frame: keys as words, values as floats."""
        import pandas as pd

        values = [name for name in self.header if name not in self.keys]
        frame = pd.DataFrame(self.read(), columns=self.header)
        return frame.astype(dict.fromkeys(values, "float64"))

    @staticmethod
    def _line(cells: Sequence[str]) -> str:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(cells)
        return text.getvalue()


def _written(value: object) -> str:
    """A cell that reads back as the same value."""
    return repr(float(value)) if isinstance(value, float) else str(value)
