"""The papers' tables and figures, ours beside theirs. Not in the wheel; see `docs/studies.md`."""


class RefusedError(Exception):
    """A study cannot do what it was asked to; the message says why and what to do."""
