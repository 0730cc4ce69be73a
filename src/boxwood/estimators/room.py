"""How many candidate splits there is room and time for, and what a result on fewer of them says.

A limit of memory or of time is for the whole fit, and the 0/1 table of the candidates is the first large
thing that it makes. So the candidates are counted before: where they are too many, the rarest categories and
the thresholds of the lowest rank stay out. Categories take at most half of the room, unless thresholds leave
more of it free.

A search over fewer candidates than were asked for says nothing about the others. So its lower bound is then
the one that holds for any splits whatever (:mod:`boxwood.optimal.floor`), and its status is what kept them
out; it is "optimal" all the same where that bound is met.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace

from boxwood.estimators.candidate_splits import CandidateSplits
from boxwood.optimal import Result
from boxwood.optimal.anytime import ENDS, GRACE, features_in_time
from boxwood.optimal.solve import memory_bytes

SMALL_TABLE = 2**24
"""Bytes: a 0/1 table of this size is made under any memory limit."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of thresholds to search over, and the status of a limit that has left something out."""

    sizes: list[int]
    lack: str = ""


def most_features(memory_limit: int | str | None, n_rows: int, growing: bool) -> int:
    """How many 0/1 features fit the memory, with a third left to the search.

    Where thresholds join little by little, the table before, two thirds as large, is there as well.
    """
    limit = memory_bytes(memory_limit) or half_of_the_memory()
    share = limit * 2 // 5 if growing else limit * 2 // 3
    return max(share, SMALL_TABLE) // max(1, n_rows)


def half_of_the_memory() -> int:
    """Bytes: half of what the machine has, or 4 GiB where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        return 2**32


def make_plan(
    candidates: CandidateSplits,
    wanted: list[int],
    memory_limit: int | str | None,
    deadline: float | None,
    n_added: int = 0,
) -> Plan:
    """Leave out what there is no room or no time for; `n_added` splits come on top."""
    n_rows = candidates.dataset.n_rows
    lack = ""
    most = most_features(memory_limit, n_rows, len(wanted) > 1) - n_added
    if _fit_categories(candidates, most, wanted[0]):
        lack = "memory_limit"
    left = max(0, most - len(candidates.fixed))
    sizes = [size for size in wanted if size <= left] or [min(wanted[0], left)]
    if sizes[-1] < wanted[-1]:
        lack = "memory_limit"
    if deadline is not None:
        seconds = max(0.0, deadline - time.perf_counter())
        # Thousands of categories must not take all the time before the search.
        most = features_in_time(n_rows, seconds / 2 + GRACE) - n_added
        if _fit_categories(candidates, most, sizes[0]):
            lack = "time_limit"
        left = max(0, features_in_time(n_rows, seconds + GRACE) - n_added - len(candidates.fixed))
        if sizes[0] > left:
            sizes, lack = [left], "time_limit"
    return Plan(sizes, lack)


def _fit_categories(candidates: CandidateSplits, most: int, n_thresholds: int) -> bool:
    """Leave out categories until these, and so many thresholds, are at most `most`; whether some went."""
    room = max(most // 2, most - n_thresholds)
    return candidates.leave_out(max(0, room))


def settled(found: Result, floor: float, lack: str, max_gap: float, everything: str) -> Result:
    """The result as one about everything that was asked for.

    Parameters
    ----------
    found
        The result of the last search.
    floor
        What no tree costs less than, whatever its splits.
    lack
        The status of what has left some candidates out; "" if all were in.
    max_gap
        The gap that is enough.
    everything
        The search space that was asked for, in words.
    """
    if found.objective <= floor:
        proved = {**found.stats, "proved": everything}
        return replace(
            found, status="optimal", lower_bound=found.objective, search_space=everything, stats=proved
        )
    if not lack:
        return found
    status = found.status if found.status in ENDS and lack != "interrupted" else lack
    if status != "interrupted" and max_gap > 0 and found.objective - floor <= max_gap:
        status = "gap"
    return replace(found, status=status, lower_bound=min(floor, found.objective))
