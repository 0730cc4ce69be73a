"""What the benchmark of optimal trees found out, what is to be reached, and how both are shown.

A case is a table with a limit of depth. Ratios are the peer's time to proof over ours, so that larger is
better. A solver that ran out of time is counted with the limit: the ratio of a peer that did is a lower
bound, and ours could only look worse. Where neither proved its tree there is no ratio, nor where the peer
failed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from bench.contest import Contestant, on_threads, over
from bench.measure import median
from bench.optimal_solvers import Observation
from bench.optimal_tables import known_optima
from bench.report import NOT_MEASURED, Check, Grid, seconds, times

OURS = Contestant("boxwood", 1)
COUNTS_FROM = 0.1  # seconds; ratios to a peer that needs less are not averaged
TIE = 0.01  # seconds; below that nobody is slower
LONG = 2.0  # seconds; runs that threads are judged on
AIMS = {("binary", "pystreed"): 10, ("binary", "pydl8.5"): 50, ("binarised", "pystreed"): 20}
JUDGED_DEPTHS = {"binary": (4, 5), "binarised": (3, 4)}
LEAST_OF_THREADS = 1.6
NOT_ASKED = "not asked"  # how the failure of a peer begins that was spared


@dataclass(frozen=True)
class Case:
    """One row of the report."""

    part: str  # binary or binarised
    table: str
    depth: int

    def __str__(self) -> str:
        return f"{self.table}, depth {self.depth}"


@dataclass(frozen=True, eq=False)
class Result:
    """All that was observed in one case."""

    case: Case
    shape: str
    n_classes: int
    limit: float
    observed: Mapping[Contestant, Sequence[Observation]] = field(default_factory=dict)

    def good(self, one: Contestant) -> list[Observation]:
        """The observations that did not fail."""
        return [seen for seen in self.observed.get(one, ()) if not seen["failure"]]

    def failure(self, one: Contestant) -> str:
        """Why a contestant failed, if it did."""
        return next((seen["failure"] for seen in self.observed.get(one, ()) if seen["failure"]), "")

    def proved(self, one: Contestant) -> bool:
        """Whether a contestant proved its tree, each time."""
        return bool(self.good(one)) and all(seen["proved"] for seen in self.good(one))

    def time(self, one: Contestant) -> float:
        """Median seconds to the proof, the limit where there is none."""
        spans = [span.wall for seen in self.good(one) for span in seen["spans"]]
        return median(spans) if self.proved(one) or not spans else self.limit

    def cpu(self, one: Contestant) -> float:
        """Median seconds of processors."""
        return median([span.cpu for seen in self.good(one) for span in seen["spans"]])

    def errors(self, one: Contestant) -> int | None:
        """The fewest errors of a contestant's trees."""
        return min((seen["errors"] for seen in self.good(one) if seen["errors"] is not None), default=None)

    def memory(self, one: Contestant) -> float:
        """Median bytes at the peak."""
        return median([seen["peak"] for seen in self.good(one) if seen["peak"] is not None])

    def table_bytes(self, one: Contestant) -> int:
        """What a solver says of its table."""
        return max((seen["table_bytes"] for seen in self.good(one)), default=0)

    def ratio(self, peer: str) -> float:
        """How many times longer a peer needs; NaN where there is nothing to compare."""
        them = Contestant(peer, 1)
        if not self.good(them) or not self.good(OURS) or not (self.proved(them) or self.proved(OURS)):
            return math.nan
        return over(self.time(them), self.time(OURS))

    def gain_of_threads(self, threads: int) -> float:
        """How many times faster ours is than on one thread."""
        more = Contestant("boxwood", threads)
        return over(self.time(OURS), self.time(more)) if self.good(more) else math.nan

    def undisturbed(self) -> tuple[float, float]:
        """Seconds of a processor, and seconds on the wall, of all runs on one thread."""
        spans = [
            span for one in self.observed if one.threads == 1 for s in self.good(one) for span in s["spans"]
        ]
        return sum(span.cpu for span in spans), sum(span.wall for span in spans)


@dataclass(frozen=True)
class Anytime:
    """How good the trees of some solvers were at some moments of their runs, on one table."""

    table: str
    depth: int
    moments: Sequence[float]
    errors: Mapping[str, Sequence[int]]  # by solver, at each moment

    @property
    def best(self) -> int:
        """The fewest errors that anybody reached."""
        return min(min(found) for found in self.errors.values())

    def integral(self, solver: str) -> float:
        """The primal-gap integral in seconds; 0 for a solver that is at the best at every moment."""
        return gap_integral(self.moments, self.errors[solver], self.best)


def gap_integral(moments: Sequence[float], errors: Sequence[int], best: int) -> float:
    """The area under the primal gap: the difference to the best over the larger of the two.

    The run is looked at at some moments only. Between two of them the later one counts, for everybody alike.

    >>> gap_integral([1, 3], [20, 10], 10)
    0.5
    """
    area, before = 0.0, 0.0
    for moment, found in zip(moments, errors, strict=True):
        area += (moment - before) * ((found - best) / max(found, best) if found != best else 0.0)
        before = moment
    return area


# -------------------------------------------------------------------------------------------------- summaries


def geometric_mean(values: Sequence[float]) -> float:
    """The geometric mean; NaN for nothing.

    >>> round(geometric_mean([1.0, 100.0]), 6)
    10.0
    """
    return math.exp(math.fsum(map(math.log, values)) / len(values)) if values else math.nan


def counted(results: Iterable[Result], peer: str) -> list[tuple[float, Result]]:
    """Ratios to a peer over the cases where it needs a tenth of a second or more."""
    them = Contestant(peer, 1)
    pairs = [(r.ratio(peer), r) for r in results if r.good(them) and r.time(them) >= COUNTS_FROM]
    return [(ratio, result) for ratio, result in pairs if not math.isnan(ratio)]


def is_slower(result: Result, peer: str) -> bool:
    """Whether ours takes longer than a peer, and long enough to be noticed."""
    return result.ratio(peer) < 1 and result.time(OURS) >= TIE


def some(results: Iterable[Result], part: str, depths: Iterable[int] | None = None) -> list[Result]:
    """The results of one part at some depths."""
    wanted = None if depths is None else set(depths)
    return [r for r in results if r.case.part == part and (wanted is None or r.case.depth in wanted)]


# ---------------------------------------------------------------------------------------------------- targets


def check_targets(results: Sequence[Result], anytime: Sequence[Anytime]) -> list[Check]:
    """What is to be reached, with what was found in this run."""
    checks = []
    for (part, peer), least in AIMS.items():
        judged = some(results, part, JUDGED_DEPTHS[part])
        depths = " and ".join(map(str, JUDGED_DEPTHS[part]))
        checks.append(
            check_mean(f"{part} tables, depths {depths}: at least {least}x {peer}", judged, peer, least)
        )
        if peer == "pystreed":
            checks.append(check_none_slower(f"{part} tables, depths {depths}: slower on none", judged, peer))
    for words, judge in (("two classes", lambda n: n == 2), ("more classes", lambda n: n > 2)):
        judged = [r for r in some(results, "binarised", JUDGED_DEPTHS["binarised"]) if judge(r.n_classes)]
        checks.append(check_mean(f"binarised tables, {words}: at least 20x pystreed", judged, "pystreed", 20))
    return [
        *checks,
        check_memory(results),
        check_threads(results),
        check_anytime(anytime),
        check_optima(results),
    ]


def check_mean(aim: str, results: Sequence[Result], peer: str, least: float) -> Check:
    """Compare a geometric mean with what it is to reach."""
    pairs = counted(results, peer)
    if not pairs:
        return Check(aim, "not measured", None)
    mean = geometric_mean([ratio for ratio, _ in pairs])
    worst, where = min(pairs, key=lambda pair: pair[0])
    return Check(
        aim, f"{times(mean)} over {len(pairs)} cases, worst {times(worst)} ({where.case})", mean >= least
    )


def check_none_slower(aim: str, results: Sequence[Result], peer: str) -> Check:
    """Look for cases where ours is the slower one."""
    compared = [result for result in results if not math.isnan(result.ratio(peer))]
    if not compared:
        return Check(aim, "not measured", None)
    slow = [
        f"{r.case} ({seconds(r.time(OURS))}, {seconds(r.time(Contestant(peer, 1)))})"
        for r in compared
        if is_slower(r, peer)
    ]
    return Check(aim, "; ".join(slow) or f"{len(compared)} cases", not slow)


def check_memory(results: Sequence[Result]) -> Check:
    """Compare peaks with pystreed's and the stated size of our table."""
    aim = "memory: at most pystreed's and the stated size of the table"
    them = Contestant("pystreed", 1)
    pairs = [
        (r.memory(OURS) - r.memory(them) - r.table_bytes(OURS), r)
        for r in results
        if not math.isnan(r.memory(OURS) + r.memory(them))
    ]
    if not pairs:
        return Check(aim, "not measured", None)
    worst, where = max(pairs, key=lambda pair: pair[0])
    above = sum(spare > 0 for spare, _ in pairs)
    side = "above" if worst > 0 else "below"
    found = f"nearest {megabytes(abs(worst))} {side} ({where.case})"
    return Check(aim, found + (f"; {above} of {len(pairs)} cases miss it" if above else ""), above == 0)


def check_threads(results: Sequence[Result]) -> Check:
    """What a second thread gains on long runs."""
    aim = f"two threads, runs above {LONG:.0f} s: at least {LEAST_OF_THREADS}x one"
    pairs = [(r.gain_of_threads(2), r) for r in results if r.proved(OURS) and r.time(OURS) > LONG]
    pairs = [(gain, r) for gain, r in pairs if not math.isnan(gain)]
    if not pairs:
        return Check(aim, "not measured", None)
    worst, where = min(pairs, key=lambda pair: pair[0])
    short = sum(gain < LEAST_OF_THREADS for gain, _ in pairs)
    found = f"worst {times(worst, 2)} ({where.case})"
    return Check(aim, found + (f"; {short} of {len(pairs)} cases miss it" if short else ""), short == 0)


def check_anytime(anytime: Sequence[Anytime]) -> Check:
    """Whether our primal-gap integral is the smallest on each table."""
    aim = "primal-gap integral: no peer has a smaller one"
    compared = [one for one in anytime if len(one.errors) > 1]
    if not compared:
        return Check(aim, "not measured", None)
    worse = [
        one.table
        for one in compared
        if any(one.integral(peer) < one.integral("boxwood") for peer in one.errors if peer != "boxwood")
    ]
    return Check(aim, "; ".join(worse) or f"{len(compared)} tables", not worse)


def check_optima(results: Sequence[Result]) -> Check:
    """All that was proved must agree, nothing may be better than a proof, and known optima must come out."""
    aim = "all optima agree, with each other and with known_optima.csv"
    wrong, cases = [], 0
    for result in results:
        known = known_optima().get((result.case.table, result.case.depth))
        claims = {one: result.errors(one) for one in result.observed if result.proved(one)}
        cases += bool(claims)
        optimum = result.errors(OURS) if result.proved(OURS) else known
        if optimum is None:
            continue
        other = {**{str(one): n for one, n in claims.items()}, **({} if known is None else {"known": known})}
        differing = [f"{name} {n}" for name, n in other.items() if n != optimum]
        better = [
            f"{one} {n}" for one in result.observed if (n := result.errors(one)) is not None and n < optimum
        ]
        if differing or better:
            told = ", ".join(dict.fromkeys([*differing, *better]))
            wrong.append(f"{result.case}: {optimum} expected, {told}")
    judged = not wrong if cases or wrong else None
    return Check(aim, "; ".join(wrong) or f"{cases} cases", judged, is_correctness=True)


# ------------------------------------------------------------------------------------------------------ grids


def megabytes(number: float) -> str:
    """A size.

    >>> megabytes(12_345_678)
    '12.3 MB'
    """
    return NOT_MEASURED if math.isnan(number) else f"{number / 1e6:.1f} MB"


def shown_time(result: Result, one: Contestant) -> str:
    """A time, marked where it is the limit or a failure."""
    if not result.good(one):
        why = result.failure(one)
        return NOT_ASKED if why.startswith(NOT_ASKED) else "failed" if why else NOT_MEASURED
    return seconds(result.time(one)) if result.proved(one) else f">{seconds(result.limit)}"


def shown_ratio(result: Result, peer: str) -> str:
    """A ratio, marked where it is a lower bound."""
    ratio = result.ratio(peer)
    mark = "" if math.isnan(ratio) or result.proved(Contestant(peer, 1)) else ">"
    return mark + times(ratio)


def time_grid(results: Sequence[Result], part: str, peers: Sequence[str], threads: Sequence[int]) -> Grid:
    """Times to proof, and ratios."""
    several = [number for number in threads if number > 1]
    header = ["table", "rows x features", "classes", "depth", "errors", "ours"]
    header += [f"ours, {on_threads(number)}" for number in several]
    header += [cell for peer in peers for cell in (peer, f"{peer} / ours")]
    rows = []
    for result in some(results, part):
        errors = result.errors(OURS)
        cells = [result.case.table, result.shape, str(result.n_classes), str(result.case.depth)]
        cells += [NOT_MEASURED if errors is None else str(errors), shown_time(result, OURS)]
        cells += [shown_time(result, Contestant("boxwood", number)) for number in several]
        for peer in peers:
            cells += [shown_time(result, Contestant(peer, 1)), shown_ratio(result, peer)]
        rows.append(cells)
    return Grid(f"Time to proof, {part} tables", header, rows, 2)


def summary_grid(results: Sequence[Result], peers: Sequence[str]) -> Grid:
    """Geometric means and worst ratios, by part, depth and peer."""
    rows = []
    for part in ("binary", "binarised"):
        for depth in sorted({r.case.depth for r in some(results, part)}):
            for peer in peers:
                here = some(results, part, [depth])
                pairs, them = counted(here, peer), Contestant(peer, 1)
                tried = [r for r in here if r.observed.get(them)]
                if not tried:
                    continue
                ratios = [ratio for ratio, _ in pairs]
                rows.append(
                    [
                        part,
                        str(depth),
                        peer,
                        f"{sum(r.proved(OURS) for r in tried)} of {len(tried)}",
                        f"{sum(r.proved(them) for r in tried)} of {len(tried)}",
                        str(len(pairs)),
                        times(geometric_mean(ratios)),
                        times(min(ratios, default=math.nan), 2),
                        str(sum(is_slower(r, peer) for r in tried)),
                    ]
                )
    return Grid(
        f"Ratios over the cases where the peer needs {COUNTS_FROM} s or more",
        [
            "tables",
            "depth",
            "peer",
            "proved by us",
            "by the peer",
            "cases",
            "geometric mean",
            "worst",
            "slower on",
        ],
        rows,
        3,
    )


def memory_grid(results: Sequence[Result], peers: Sequence[str]) -> Grid:
    """Peaks above the import baseline."""
    rows = [
        [
            result.case.table,
            str(result.case.depth),
            megabytes(result.memory(OURS)),
            megabytes(result.table_bytes(OURS)),
            *(megabytes(result.memory(Contestant(peer, 1))) for peer in peers),
        ]
        for result in results
    ]
    return Grid("Peak memory", ["table", "depth", "ours", "our table, stated", *peers], rows, 1)


def anytime_grid(anytime: Sequence[Anytime]) -> Grid:
    """Primal-gap integrals, and errors at the first and the last moment."""
    solvers = list(dict.fromkeys(solver for one in anytime for solver in one.errors))
    rows = []
    for one in anytime:
        cells = [one.table, str(one.depth), str(one.best)]
        for solver in solvers:
            if solver in one.errors:
                found = one.errors[solver]
                cells += [f"{one.integral(solver):.2f}", f"{found[0]}, {found[-1]}"]
            else:
                cells += [NOT_MEASURED, NOT_MEASURED]
        rows.append(cells)
    horizon = f", {anytime[0].moments[-1]:g} s" if anytime else ""
    return Grid(
        f"Anytime{horizon}: primal-gap integrals in seconds, and errors at the first and last moment",
        ["table", "depth", "best", *(c for s in solvers for c in (s, f"{s}, errors"))],
        rows,
        1,
    )


def disturbance(results: Sequence[Result]) -> str:
    """How much of a processor runs on one thread had."""
    pairs = [result.undisturbed() for result in results]
    share = over(sum(cpu for cpu, _ in pairs), sum(wall for _, wall in pairs))
    return "" if math.isnan(share) else f"Runs on one thread had {share:.0%} of a processor."


def failures(results: Sequence[Result]) -> str:
    """Who failed where, in a sentence."""
    told = [
        f"{one} on {result.case} ({why})"
        for result in results
        for one in result.observed
        if (why := result.failure(one)) and not why.startswith(NOT_ASKED)
    ]
    return f"Failed: {'; '.join(told)}." if told else ""


def readme_block(results: Sequence[Result], peers: Sequence[str], facts: Mapping[str, str]) -> str:
    """The compact table for the README."""
    grid = summary_grid(results, peers)
    limit = max((result.limit for result in results), default=math.nan)
    note = (
        f"Time to a proved optimum, one thread, {limit:g} s at most; cases where the peer needs "
        f"{COUNTS_FROM} s or more. A peer that ran out of time counts with the limit. "
        f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, boxwood {facts['boxwood']}, "
        f"{facts['date']}."
    )
    return f"{Grid('', grid.header, grid.rows, grid.words).as_markdown()}\n\n{note}"


def raw_rows(results: Sequence[Result], anytime: Sequence[Anytime]) -> list[dict[str, object]]:
    """Every single measurement."""
    rows: list[dict[str, object]] = []

    def add(
        case: tuple[str, str, int], library: str, threads: int, process: int, what: str, value: object
    ) -> None:
        rows.append(
            {
                "part": case[0],
                "table": case[1],
                "depth": case[2],
                "library": library,
                "threads": threads,
                "process": process,
                "quantity": what,
                "value": "" if value is None else value,
            }
        )

    for result in results:
        case = (result.case.part, result.case.table, result.case.depth)
        for one, observations in result.observed.items():
            for number, seen in enumerate(observations):
                for span in seen["spans"]:
                    add(case, one.library, one.threads, number, "seconds", span.wall)
                    add(case, one.library, one.threads, number, "cpu_seconds", span.cpu)
                add(case, one.library, one.threads, number, "peak_bytes", seen["peak"])
                add(case, one.library, one.threads, number, "proved", int(seen["proved"]))
                add(case, one.library, one.threads, number, "errors", seen["errors"])
                if seen["failure"]:
                    add(case, one.library, one.threads, number, "failure", seen["failure"])
    for run in anytime:
        for solver, errors in run.errors.items():
            for moment, found in zip(run.moments, errors, strict=True):
                add(("anytime", run.table, run.depth), solver, 1, 0, f"errors_at_{moment:g}_s", found)
    return rows
