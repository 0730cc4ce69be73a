"""How things are measured: in fresh processes, several times, in turns.

* A fresh process per observation: no library inherits the threads, the caches or the freed memory of
  another, and the peak of memory belongs to one fit. The process reads the table, warms up on a handful
  of rows (imports, thread start), and only then looks at the clock.
* Several times: quick things are repeated within a process, and processes are repeated in rounds. The
  answer is the median over all of them.
* In turns: a round runs every contestant once, so that whatever else the machine does hits all of them.
  Contestants that are slow take part in fewer rounds.
* With two clocks: next to the time on the wall, the time of processors that the call used. On a machine that
  does nothing else the two agree on one thread; where they do not, the second is the better witness.

Peak memory is what a call adds to the resident memory of its process: on Linux, the peak is reset by
writing 5 to ``/proc/self/clear_refs``, the resident size is noted (after free memory was given back to
the system), and the peak is read after the call. Other systems have no such reset: the answer is None
there.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

Contestant = TypeVar("Contestant", bound=Hashable)
Answer = TypeVar("Answer")

STATUS = Path("/proc/self/status")
CLEAR_REFS = Path("/proc/self/clear_refs")
PROCESSORS = Path("/proc/stat")
RESET_PEAK = "5"  # proc(5): "reset the peak resident set size to the current value"


# ------------------------------------------------------------------------------------------------------- time


class Span(NamedTuple):
    """How long something took."""

    wall: float  # seconds on the clock
    cpu: float  # seconds of processors, all threads together
    stolen: float = (
        0.0  # seconds that processors were taken away from this machine, where it is a virtual one
    )


def span_of(call: Callable[[], Answer]) -> tuple[Span, Answer]:
    """How long a call takes, and its answer."""
    stolen = stolen_seconds()
    wall, cpu = time.perf_counter(), time.process_time()
    answer = call()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Span(wall, cpu, stolen_seconds() - stolen), answer


def stolen_seconds() -> float:
    """Seconds for which processors were taken from this machine so far, proc(5); 0 where unknown."""
    if not PROCESSORS.exists():
        return 0.0
    numbers = PROCESSORS.read_text().splitlines()[0].split()
    return int(numbers[8]) / os.sysconf("SC_CLK_TCK") if len(numbers) > 8 else 0.0


def repeat(
    call: Callable[[], object], spent: Sequence[Span] = (), budget: float = 1.0, most: int = 30
) -> list[Span]:
    """Times of a call, repeated as long as the budget (seconds, together with those already spent) allows."""
    spans = list(spent)
    gc.collect()
    while not spans or (len(spans) < most and sum(span.wall for span in spans) < budget):
        spans.append(span_of(call)[0])
    return spans


def median(values: Sequence[float]) -> float:
    """The median; NaN for nothing.

    >>> median([3.0, 1.0, 2.0])
    2.0
    """
    return statistics.median(values) if values else float("nan")


# ----------------------------------------------------------------------------------------------------- memory


def peak_of(call: Callable[[], Answer]) -> tuple[int | None, Span, Answer]:
    """Bytes that a call adds to the resident memory at its peak, how long it takes, and its answer."""
    before = reset_peak()
    span, answer = span_of(call)
    return (None if before is None else max(0, status_bytes("VmHWM") - before)), span, answer


def reset_peak() -> int | None:
    """Forget the peak so far; the resident size now, or None where the system cannot forget."""
    gc.collect()
    if not CLEAR_REFS.exists():
        return None
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # glibc keeps freed memory, which the call could use without being seen
        trim(0)
    try:
        CLEAR_REFS.write_text(RESET_PEAK)
    except OSError:
        return None
    now = status_bytes("VmRSS")
    return now if status_bytes("VmHWM") - now < 2**20 else None  # a kernel that ignores the request


def status_bytes(field: str) -> int:
    """A size from the status of this process."""
    for line in STATUS.read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise LookupError(f"{STATUS} has no {field}")


# -------------------------------------------------------------------------------------------- fresh processes


class GaveUpError(Exception):
    """A process died, or did not answer in time; the message says which."""


def in_fresh_process(function: str, **arguments: Any) -> Any:
    """What ``package.module:function`` answers in a new process. Arguments and answer travel as JSON."""
    return _ask(function, arguments, None)


def in_fresh_process_within(seconds: float, function: str, **arguments: Any) -> Any:
    """The same for a foreign library that may die, or never come back.

    Raises
    ------
    GaveUpError
        If there is no answer after so many seconds, or none at all.
    """
    try:
        return _ask(function, arguments, seconds)
    except subprocess.TimeoutExpired:
        raise GaveUpError(f"no answer after {seconds:.0f} s") from None
    except subprocess.CalledProcessError as error:
        how = f"signal {-error.returncode}" if error.returncode < 0 else f"exit status {error.returncode}"
        raise GaveUpError(f"the process died ({how})") from None


def _ask(function: str, arguments: dict[str, Any], timeout: float | None) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "bench.measure", function],
        input=json.dumps(arguments),
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(os.path.abspath(place) for place in sys.path)},
        check=True,
        timeout=timeout,
    )
    return json.loads(done.stdout.splitlines()[-1])


def answer_parent(function: str) -> None:
    """The other end of `in_fresh_process`."""
    module, _, name = function.partition(":")
    answer = getattr(importlib.import_module(module), name)(**json.load(sys.stdin))
    print(json.dumps(answer))


# ----------------------------------------------------------------------------------------------------- rounds


def wanted_rounds(seconds: float) -> int:
    """In how many rounds a contestant takes part, by what it took in the first.

    >>> [wanted_rounds(seconds) for seconds in (0.1, 4.9, 9.0, 20.0, 100.0)]
    [5, 5, 3, 2, 1]
    """
    if seconds < 10:
        return 5 if seconds < 5 else 3
    return 2 if seconds <= 30 else 1


def in_turns(
    contestants: Sequence[Contestant],
    observe: Callable[[Contestant, int], Answer],
    wanted: Callable[[Sequence[Answer]], int],
) -> dict[Contestant, list[Answer]]:
    """The observations of each contestant, made in rounds; every round begins with another contestant.

    ``wanted`` says from what was observed so far in how many rounds a contestant takes part.
    """
    observed: dict[Contestant, list[Answer]] = {contestant: [] for contestant in contestants}
    due = list(contestants)
    number = 0
    while due:
        first = number % len(due)
        for contestant in [*due[first:], *due[:first]]:
            observed[contestant].append(observe(contestant, number))
        number += 1
        due = [contestant for contestant in contestants if wanted(observed[contestant]) > number]
    return observed


if __name__ == "__main__":
    answer_parent(sys.argv[1])
