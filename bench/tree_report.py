"""What the benchmarks of trees show: tables for people, the README's block, and raw rows for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.contest import THEIRS, Result, on_threads
from bench.report import NOT_MEASURED, Grid, seconds, times

CASE = ("table", "criterion", "depth")


def case_cells(result: Result) -> list[str]:
    """What stands before the numbers of a row."""
    return [result.case.table, result.case.criterion, result.case.depth]


def time_header(threads: Sequence[int]) -> list[str]:
    """The columns of times and ratios; (n) is on n threads."""
    ours, ratios = [f"ours ({n})" for n in threads], [f"ratio ({n})" for n in threads]
    return [*CASE, "scikit-learn", *ours, *ratios, "CPU ratio (1)"]


def fit_grid(results: Sequence[Result], threads: Sequence[int]) -> Grid:
    """Times and ratios of fit, and what further threads are worth."""
    more = [n for n in threads if n > 1 and 1 in threads]
    rows = [
        [
            *case_cells(result),
            seconds(result.fit(THEIRS)),
            *(seconds(result.fit(result.with_threads(n))) for n in threads),
            *(times(result.fit_ratio(n)) for n in threads),
            times(result.fit_cpu_ratio(1)),
            *(times(result.gain_of_threads(n), 2) for n in more),
        ]
        for result in results
    ]
    header = [*time_header(threads), *(f"({n}) over (1)" for n in more)]
    title = "Fit: median time, and scikit-learn's over ours; (n) is on n threads"
    return Grid(title, header, rows, len(CASE))


def predict_grid(results: Sequence[Result], threads: Sequence[int]) -> Grid:
    """Times and ratios of predict."""
    rows = [
        [
            *case_cells(result),
            seconds(result.predict(THEIRS)),
            *(seconds(result.predict(result.with_threads(n))) for n in threads),
            *(times(result.predict_ratio(n)) for n in threads),
            times(result.predict_cpu_ratio(1)),
        ]
        for result in results
    ]
    title = "Predict the training table: median time, and scikit-learn's over ours"
    return Grid(title, time_header(threads), rows, len(CASE))


def memory_grid(results: Sequence[Result], threads: Sequence[int]) -> Grid:
    """Peaks of memory."""
    header = [*CASE, "table", "scikit-learn", *(f"ours ({n})" for n in threads)]
    rows = [
        [
            *case_cells(result),
            f"{result.table_bytes / 1e6:.1f} MB",
            times(result.memory(THEIRS), 2),
            *(times(result.memory(result.with_threads(n)), 2) for n in threads),
        ]
        for result in results
    ]
    return Grid("Peak memory of fit above the table, in multiples of the table", header, rows, len(CASE))


def tree_grid(results: Sequence[Result]) -> Grid:
    """The trees side by side."""
    scored = results[0].quality_name
    header = [*CASE, "leaves, ours", "theirs", "depth, ours", "theirs", f"{scored}, ours", "theirs"]
    rows = []
    for result in results:
        row = case_cells(result)
        for value, form in ((result.leaves, ",.0f"), (result.depth, ".0f"), (result.quality, ".5f")):
            row += [format(value(result.ours[0]), form), format(value(THEIRS), form)]
        rows.append(row)
    return Grid(f"Trees: medians; {scored} on the training table", header, rows, len(CASE))


def search_grid(results: Sequence[Result]) -> Grid:
    """What the naive search says of our trees."""
    header = [*CASE, "nodes", "smallest, rows", "largest, rows", "worst difference", "not the best"]
    rows = []
    for result in results:
        verdict = result.verdict()
        cells = [NOT_MEASURED] * 5
        if verdict is not None:
            cells = [str(verdict["nodes"]), f"{verdict['smallest']:,}", f"{verdict['largest']:,}"]
            cells += [f"{verdict['worst']:.0e}", str(len(verdict["wrong"]))]
        rows.append([*case_cells(result), *cells])
    return Grid("Our scores beside the best ones that a naive search finds", header, rows, len(CASE))


def disturbance(results: Sequence[Result]) -> str:
    """Say how much of a processor the fits on one thread had; with much less than all, times mislead."""
    shares = [result.undisturbed() for result in results]
    return (
        f"Fits on one thread had {min(shares):.0%} to {max(shares):.0%} of a processor "
        "(100%: nothing else ran; CPU ratios are less touched by what else ran)."
    )


def readme_block(results: Sequence[Result], threads: Sequence[int], facts: Mapping[str, str]) -> str:
    """What the README shows between its markers."""
    header = ["table", "criterion", "depth", *(f"fit, {on_threads(n)}" for n in threads)]
    header += ["predict", "memory", "leaves, ours / theirs"]
    few = min(threads)
    rows = [
        [
            *(f"{result.case.table}, {result.shape}", result.case.criterion, result.case.depth),
            *(times(result.fit_ratio(n)) for n in threads),
            times(result.predict_ratio(few)),
            times(result.memory(result.with_threads(few)), 2),
            f"{result.leaves(result.ours[0]):,.0f} / {result.leaves(THEIRS):,.0f}",
        ]
        for result in results
    ]
    note = (
        f"Fit and predict: scikit-learn's time over ours (predict on {on_threads(few)}; scikit-learn's tree "
        "always has one). Memory: the peak that our fit adds to the caller's table, in multiples of that "
        "table. Medians of one run; "
        f"{facts['processor']}, {facts['cores']} cores, {facts['system']}, Python {facts['Python']}, "
        f"boxwood {facts['boxwood']}, scikit-learn {facts['scikit-learn']}, {facts['date']}."
    )
    return f"{Grid('', header, rows, 3).as_markdown()}\n\n{note}"


def raw_rows(results: Sequence[Result]) -> list[dict[str, object]]:
    """Every single measurement; those of fits in turns with the turn's number in place of the process's."""
    rows: list[dict[str, object]] = []
    for result in results:
        case: dict[str, object] = {
            "table": result.case.table,
            "criterion": result.case.criterion,
            "max_depth": "" if result.case.max_depth is None else result.case.max_depth,
        }
        for one, observations in result.observed.items():
            for number, seen in enumerate(observations):
                measured: list[tuple[str, object]] = []
                for what, spans in (("fit", seen["fit"]), ("predict", seen["predict"])):
                    measured += [(f"{what}_seconds", span.wall) for span in spans]
                    measured += [(f"{what}_cpu_seconds", span.cpu) for span in spans]
                measured += [("peak_bytes", seen["peak"]), ("leaves", seen["leaves"])]
                measured += [("depth", seen["depth"]), (result.quality_name, seen["quality"])]
                rows += [
                    {
                        **case,
                        "library": one.library,
                        "threads": one.threads,
                        "process": number,
                        "quantity": quantity,
                        "value": "" if value is None else value,
                    }
                    for quantity, value in measured
                ]
        rows += [
            {
                **case,
                "library": "boxwood",
                "threads": threads,
                "process": number,
                "quantity": f"fit_seconds_in_turns_of_1_and_{n}",
                "value": span.wall,
            }
            for n, pairs in result.side_by_side.items()
            for number, pair in enumerate(pairs)
            for threads, span in zip((1, n), pair, strict=True)
        ]
    return rows
