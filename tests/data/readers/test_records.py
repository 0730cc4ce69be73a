"""Where records begin and how many cells they have, beside the standard library's reader."""

from __future__ import annotations

import csv
import io

from hypothesis import given, settings
from hypothesis import strategies as st

from boxwood.data.readers.records import scan, well_formed

CELLS = st.sampled_from(["", "1", "x y", 'q"', "a,b", ",,", "l\nm", "\n", '"'])


@settings(max_examples=100)
@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=8), st.booleans())
def test_ragged_records_are_counted_as_they_were_written(rows: list[list[str]], finished: bool) -> None:
    rows = [["first"], *rows, ["last", "1"]]
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(rows)
    text = file.getvalue() if finished else file.getvalue().removesuffix("\n")
    records, wrong = scan(text.encode(), ",", '"')
    assert wrong is None
    assert records.fields.tolist() == [len(row) for row in rows]
    lines, line = [], 1
    for row in rows:
        lines.append(line)
        line += 1 + sum(cell.count("\n") for cell in row)
    assert records.lines.tolist() == lines
    kept, good, bad = well_formed(text.encode(), ",", '"', 2, skip=True)
    two = [row for row in rows if len(row) == 2]
    assert list(csv.reader(io.StringIO(kept.decode(), newline=""))) == two
    assert sorted([*good.lines.tolist(), *(one.line for one in bad)]) == lines


def test_lines_are_right_after_lines_with_wrong_quotes() -> None:
    text = b'1,2\n3,x"\n\n5,"a\nb"\n7,"never\n8,9\n10\n'
    kept, good, bad = well_formed(text, ",", '"', 2, skip=True)
    assert kept == b'1,2\n5,"a\nb"\n8,9\n'
    assert good.lines.tolist() == [1, 4, 7]
    assert [one.line for one in bad] == [2, 6, 8]
