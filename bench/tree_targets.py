"""What the benchmarks of trees are to reach, and whether they do.

The regression tree is to be as many times faster than scikit-learn's as the classification tree is.

Speed and memory are judged on the default tables, in their worst row. Quality is judged on every table.
Only two checks are about right and wrong: every sampled split is the best one of its node, and every
process grew the same tree. Leaves and training quality depend a little on how ties fall, which scikit-learn
leaves to chance.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from bench import naive
from bench.contest import THEIRS, Contestant, Result
from bench.report import Check, times

CLASSIFICATION_TABLES = ("magic04", "letter", "covertype", "synthetic")
REGRESSION_TABLES = ("magic04", "covertype", "synthetic")


def check_bound(
    aim: str,
    results: Iterable[Result],
    value: Callable[[Result], float],
    least: float = -math.inf,
    most: float = math.inf,
) -> Check:
    """Compare the worst row with a bound."""
    values = [(value(result), result.case) for result in results]
    values = [(number, case) for number, case in values if not math.isnan(number)]
    if not values:
        return Check(aim, "not measured", None)
    pick = min if most == math.inf else max
    worst, case = pick(values, key=lambda pair: pair[0])
    short = sum(not least <= number <= most for number, _ in values)
    found = f"worst {times(worst, 2)} ({case})"
    if short:
        found += f"; {short} of {len(values)} rows miss it"
    return Check(aim, found, short == 0)


def check_classification(results: Sequence[Result]) -> list[Check]:
    """What is to be reached on the default tables, with what was found in this run."""
    judged = [result for result in results if result.case.table in CLASSIFICATION_TABLES]
    memory = check_memory("peak memory, every row: at most 2x the table", judged)
    return [*check_speed(results, judged), memory, *check_quality(results)]


def check_regression(results: Sequence[Result]) -> list[Check]:
    """The same for regression. Single tables are judged by the squared error.

    Without a limit of depth a tree has about as many leaves as rows, and takes more room than most tables:
    there memory is shown, not judged. Nor is it on small tables, where fixed costs weigh more than the
    table.
    """
    judged = [result for result in results if result.case.table in REGRESSION_TABLES]
    squared = [result for result in results if result.case.criterion == "squared_error"]
    limited = [result for result in judged if result.is_large and result.case.max_depth is not None]
    memory = check_memory("peak memory, large tables, depth limited: at most 2x the table", limited)
    return [*check_speed(squared, judged), memory, *check_quality(results)]


def check_memory(aim: str, results: Sequence[Result]) -> Check:
    """The peak of our hungriest contestant."""
    return check_bound(
        aim, results, lambda r: max((r.memory(ours) for ours in r.ours), default=math.nan), most=2
    )


def check_speed(by_table: Sequence[Result], judged: Sequence[Result]) -> list[Check]:
    """The aims of single tables, and those of all rows of the default tables."""

    def unlimited(table: str) -> list[Result]:
        return [result for result in by_table if result.case.table == table and result.case.max_depth is None]

    large = [result for result in judged if result.is_large]
    one, two = "1 thread", "2 threads"
    return [
        check_bound(
            f"fit, {one}, synthetic, unlimited: at least 15x",
            unlimited("synthetic"),
            lambda r: r.fit_ratio(1),
            15,
        ),
        check_bound(
            f"fit, {one}, covertype, unlimited: at least 5x",
            unlimited("covertype"),
            lambda r: r.fit_ratio(1),
            5,
        ),
        check_bound(f"fit, {one}, every row: at least 2x", judged, lambda r: r.fit_ratio(1), 2),
        check_bound(
            f"fit, {two} over {one}, large tables: at least 1.6x", large, lambda r: r.gain_of_threads(2), 1.6
        ),
        check_bound(f"predict, {one}, every row: at least 2x", judged, lambda r: r.predict_ratio(1), 2),
    ]


def check_quality(results: Sequence[Result]) -> list[Check]:
    """Whether the trees are as good as they should be."""
    verdicts = [(result.case, result.verdict()) for result in results]
    searched = [(case, verdict) for case, verdict in verdicts if verdict is not None]
    wrong = [f"{case}: {sentence}" for case, verdict in searched for sentence in verdict["wrong"]]
    nodes = sum(verdict["nodes"] for _, verdict in searched)
    worst = max((verdict["worst"] for _, verdict in searched), default=math.nan)
    several = [str(result.case) for result in results if result.n_trees() > 1]

    def off(value: Callable[[Result, Contestant], float]) -> Callable[[Result], float]:
        return lambda result: abs(value(result, result.ours[0]) / value(result, THEIRS) - 1)

    return [
        Check(
            f"every score is the best one of its node, within {naive.TOLERANCE:.0e}",
            "; ".join(wrong) if wrong else f"{nodes:,} nodes searched, worst difference {worst:.0e}",
            not wrong if searched else None,
            is_correctness=True,
        ),
        Check(
            "the same tree in every process, on any number of threads",
            f"different in {'; '.join(several)}" if several else f"{len(results)} of {len(results)} rows",
            not several,
            is_correctness=True,
        ),
        check_share("leaves within 1 % of scikit-learn's", results, off(Result.leaves)),
        check_share(
            f"training {results[0].quality_name} within 1 % of scikit-learn's", results, off(Result.quality)
        ),
    ]


def check_share(aim: str, results: Sequence[Result], difference: Callable[[Result], float]) -> Check:
    """Compare the largest relative difference with one per cent."""
    worst, case = max(((difference(result), result.case) for result in results), key=lambda pair: pair[0])
    far = sum(difference(result) > 0.01 for result in results)
    found = f"worst {worst:.2%} ({case})"
    return Check(aim, found + (f"; {far} of {len(results)} rows miss it" if far else ""), far == 0)
