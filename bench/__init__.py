"""Speed and memory beside the peers, as ratios in one run. Not in the wheel; see `README.md` here."""


class RefusedError(Exception):
    """A benchmark cannot do what it was asked to; the message says why and what to do."""
