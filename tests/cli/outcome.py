"""What one run of the command line left behind."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outcome:
    """What one run of the command line left behind."""

    status: int
    out: str
    err: str

    def refuses(self, *parts: str) -> None:
        """Assert that the command said no as it should: one sentence, status 2, nothing else."""
        assert self.status == 2, self
        assert self.out == "", self
        assert "Traceback" not in self.err
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("boxwood "), self.err
        assert lines[0].endswith((".", "!", "?")), self.err
        for part in parts:
            assert part in self.err
