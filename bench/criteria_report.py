"""What the benchmark of criteria found out, what is to be reached, and how both are shown.

A row is a criterion on a table with a limit of depth, grown with the cut rule and with all cuts. Three ratios
are drawn from it: all cuts over the rule (larger is better: what the rule saves), the criterion over Gini
on the same table to the same depth, and a function in Python over the compiled form of the same formula
(smaller is better, both with the rule).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from bench.contest import Case, over
from bench.measure import Span, median
from bench.report import Check, Grid, seconds, times
from boxwood.criteria import CRITERIA

DEFAULT_TABLES = ("magic04", "letter", "synthetic")
COMPILED = tuple(CRITERIA)
IN_PYTHON = {"python_gini": "gini", "python_entropy": "entropy"}
"""Functions in Python, and the compiled criterion of the same formula."""

MOST_OF_GINI = 1.5
MOST_OF_COMPILED = 10
LEAST_SAVED = 0.95  # 1 is the aim; 5 % are allowed for noise

CASE = ("table", "criterion", "depth")


class Seen(TypedDict):
    """What one process found out about one criterion; dicts are by the cuts looked at, "auto" or "all"."""

    spans: dict[str, list[Span]]
    evaluated: dict[str, int]  # cuts that were weighed
    n_cuts: int
    rule: str  # which cuts "auto" asks for
    settling: Span  # checking a function and finding its curvature
    leaves: int
    equal: bool  # the tree with the rule and the tree with all cuts
    splits: str


@dataclass(frozen=True, eq=False)
class Result:
    """All that was observed of one row."""

    case: Case
    shape: str
    seen: Sequence[Seen]

    @property
    def is_compiled(self) -> bool:
        """Whether the core has the formula."""
        return self.case.criterion not in IN_PYTHON

    def time(self, cuts: str) -> float:
        """Median seconds of a processor."""
        return median([span.cpu for seen in self.seen for span in seen["spans"][cuts]])

    @property
    def saved(self) -> float:
        """How many times slower growth is when all cuts are looked at."""
        return over(self.time("all"), self.time("auto"))

    @property
    def share(self) -> float:
        """The share of cuts that are weighed with the rule."""
        return over(self.seen[0]["evaluated"]["auto"], self.seen[0]["n_cuts"])

    @property
    def is_one_tree(self) -> bool:
        """Whether it is the same tree with the rule and with all cuts, and in every process."""
        return all(seen["equal"] for seen in self.seen) and len({seen["splits"] for seen in self.seen}) == 1

    @property
    def undisturbed(self) -> float:
        """The share of a processor that growth had; 1 when nothing else ran."""
        spans = [span for seen in self.seen for of_cuts in seen["spans"].values() for span in of_cuts]
        return over(sum(span.cpu for span in spans), sum(span.wall for span in spans))


# ------------------------------------------------------------------------------------------ rows side by side


def beside(result: Result, results: Iterable[Result], criterion: str) -> Result | None:
    """The row of another criterion on the same table to the same depth."""
    case = Case(result.case.table, criterion, result.case.max_depth)
    return next((other for other in results if other.case == case), None)


def to_gini(result: Result, results: Iterable[Result]) -> float:
    """How many times Gini's time a criterion takes."""
    gini = beside(result, results, "gini")
    return math.nan if gini is None else over(result.time("auto"), gini.time("auto"))


def to_compiled(result: Result, results: Iterable[Result]) -> float:
    """How many times the time of the compiled form a function in Python takes."""
    twin = beside(result, results, IN_PYTHON[result.case.criterion])
    return math.nan if twin is None else over(result.time("auto"), twin.time("auto"))


# ---------------------------------------------------------------------------------------------------- targets


def check_targets(results: Sequence[Result]) -> list[Check]:
    """What is to be reached, with what was found. Speed is judged on the default tables, trees on all."""
    judged = [result for result in results if result.case.table in DEFAULT_TABLES]
    checks = [
        check_worst(
            f"every named criterion, {table}: at most {MOST_OF_GINI}x Gini's time",
            [
                result
                for result in judged
                if result.case.table == table and result.is_compiled and result.case.criterion != "gini"
            ],
            lambda result: to_gini(result, results),
            most=MOST_OF_GINI,
        )
        for table in DEFAULT_TABLES
    ]
    checks.append(
        check_worst(
            f"a function in Python, magic04: at most {MOST_OF_COMPILED}x its compiled form",
            [result for result in judged if result.case.table == "magic04" and not result.is_compiled],
            lambda result: to_compiled(result, results),
            most=MOST_OF_COMPILED,
        )
    )
    checks.append(
        check_worst(
            f"the cut rule never slower than all cuts: at least {LEAST_SAVED}x (5 % for noise)",
            judged,
            lambda result: result.saved,
            least=LEAST_SAVED,
        )
    )
    return [*checks, check_equal(results), check_twins(results)]


def check_worst(
    aim: str,
    results: Iterable[Result],
    value: Callable[[Result], float],
    least: float = -math.inf,
    most: float = math.inf,
) -> Check:
    """Compare the worst row with a bound, from below or from above."""
    values = [(value(result), result.case) for result in results]
    values = [(number, case) for number, case in values if not math.isnan(number)]
    if not values:
        return Check(aim, "not measured", None)
    pick = min if most == math.inf else max
    worst, case = pick(values, key=lambda pair: pair[0])
    missed = sum(not least <= number <= most for number, _ in values)
    found = f"worst {times(worst, 2)} ({case})"
    return Check(aim, found + (f"; {missed} of {len(values)} rows miss it" if missed else ""), missed == 0)


def check_equal(results: Sequence[Result]) -> Check:
    """The rule must not change a tree."""
    return check_all(
        "the same tree with the cut rule and with all cuts, in every process",
        [(result.case, result.is_one_tree) for result in results],
    )


def check_twins(results: Sequence[Result]) -> Check:
    """A function in Python must give the tree of the compiled form."""
    pairs = []
    for result in results:
        twin = None if result.is_compiled else beside(result, results, IN_PYTHON[result.case.criterion])
        if twin is not None:
            pairs.append((result.case, result.seen[0]["splits"] == twin.seen[0]["splits"]))
    return check_all("a function in Python splits as its compiled form does", pairs)


def check_all(aim: str, verdicts: Sequence[tuple[Case, bool]]) -> Check:
    """Something that must hold in every row."""
    wrong = [str(case) for case, good in verdicts if not good]
    found = f"not so: {'; '.join(wrong)}" if wrong else f"{len(verdicts)} of {len(verdicts)} rows"
    if not verdicts:
        return Check(aim, "not measured", None, is_correctness=True)
    return Check(aim, found, not wrong, is_correctness=True)


# ------------------------------------------------------------------------------------------------------ shown


def case_cells(result: Result) -> list[str]:
    """What stands before the numbers of a row."""
    return [result.case.table, result.case.criterion, result.case.depth]


def yes(good: bool) -> str:
    """A word for a table."""
    return "yes" if good else "NO"


def cut_grid(results: Sequence[Result]) -> Grid:
    """Every criterion with the rule and with all cuts."""
    header = [
        *CASE,
        "rule",
        "with rule",
        "all cuts",
        "all / rule",
        "to Gini",
        "weighed",
        "leaves",
        "equal tree",
    ]
    rows = [
        [
            *case_cells(result),
            result.seen[0]["rule"],
            seconds(result.time("auto")),
            seconds(result.time("all")),
            times(result.saved, 2),
            times(to_gini(result, results), 2),
            f"{result.share:.1%}",
            f"{result.seen[0]['leaves']:,}",
            yes(result.is_one_tree),
        ]
        for result in results
    ]
    title = "Growth: median processor time on one thread, with the cut rule and with all cuts"
    return Grid(title, header, rows, len(CASE) + 1)


def python_grid(results: Sequence[Result]) -> Grid:
    """Functions in Python beside the compiled forms of their formulas."""
    header = [*CASE, "in Python", "compiled", "ratio", "checks, once", "same splits"]
    rows = []
    for result in results:
        if result.is_compiled:
            continue
        twin = beside(result, results, IN_PYTHON[result.case.criterion])
        rows.append(
            [
                *case_cells(result),
                seconds(result.time("auto")),
                seconds(math.nan if twin is None else twin.time("auto")),
                times(to_compiled(result, results)),
                seconds(median([seen["settling"].cpu for seen in result.seen])),
                "n/a" if twin is None else yes(check_twins([result, twin]).reached is True),
            ]
        )
    return Grid("A function in Python beside its compiled form, with the cut rule", header, rows, len(CASE))


def disturbance(results: Sequence[Result]) -> str:
    """Say how much of a processor growth had."""
    shares = [result.undisturbed for result in results]
    return (
        f"Growth had {min(shares):.0%} to {max(shares):.0%} of a processor (100%: nothing else ran); "
        "all times and ratios are of processor time."
    )


def raw_rows(results: Sequence[Result]) -> list[dict[str, object]]:
    """Every single measurement."""
    rows: list[dict[str, object]] = []
    for result in results:
        for number, seen in enumerate(result.seen):
            for cuts, spans in seen["spans"].items():
                measured: list[tuple[str, object]] = [("grow_seconds", span.wall) for span in spans]
                measured += [("grow_cpu_seconds", span.cpu) for span in spans]
                measured += [("n_cuts", seen["n_cuts"]), ("n_cuts_evaluated", seen["evaluated"][cuts])]
                measured += [("leaves", seen["leaves"])]
                rows += [
                    {
                        "table": result.case.table,
                        "criterion": result.case.criterion,
                        "max_depth": result.case.max_depth,
                        "cuts": cuts,
                        "process": number,
                        "quantity": quantity,
                        "value": value,
                    }
                    for quantity, value in measured
                ]
    return rows
