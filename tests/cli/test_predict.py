from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import boxwood as library
from boxwood.data import Column, Schema, encode_with
from boxwood.tree import SPREAD, Threshold, build_tree, leaf, node
from tests.cli.outcome import Outcome

Run = Callable[..., Outcome]
Csv = Callable[..., Path]


@pytest.fixture
def penguins(tmp_path: Path) -> Path:
    path = tmp_path / "penguins.csv"
    table = library.load_penguins()
    pl.DataFrame(table.data).with_columns(species=pl.Series(table.target)).write_csv(path)
    return path


@pytest.fixture
def tree(tmp_path: Path, boxwood: Run) -> Path:
    path = tmp_path / "tree.json"
    assert boxwood("learn", "--save", path).status == 0
    return path


def answers(text: str) -> pl.DataFrame:
    return pl.read_csv(io.StringIO(text))


def expected(tree: Path) -> np.ndarray:
    loaded = library.load(tree)
    return loaded.predict_counts(encode_with(loaded.schema, library.load_penguins().data))


def test_one_answer_per_row(boxwood: Run, tree: Path, penguins: Path) -> None:
    outcome = boxwood("predict", tree, penguins)
    assert (outcome.status, outcome.err) == (0, "")
    classes = library.load(tree).classes
    assert answers(outcome.out).columns == ["prediction"]
    assert answers(outcome.out)["prediction"].to_list() == classes[expected(tree).argmax(axis=1)].tolist()


def test_probabilities_and_kept_columns(boxwood: Run, tree: Path, penguins: Path) -> None:
    found = answers(boxwood("predict", tree, penguins, "--proba", "--keep", "year,island").out)
    labels = ["Adelie", "Chinstrap", "Gentoo"]
    assert found.columns == ["year", "island", "prediction", *(f"probability {label}" for label in labels)]
    shares = found.select(f"probability {label}" for label in labels).to_numpy()
    counts = expected(tree)
    np.testing.assert_allclose(shares, counts / counts.sum(axis=1, keepdims=True))
    assert found["island"].to_list() == library.load_penguins().data["island"]


def test_order_and_extra_columns_do_not_matter(
    boxwood: Run, tree: Path, penguins: Path, tmp_path: Path
) -> None:
    frame = pl.read_csv(penguins)
    frame.select(reversed(frame.columns)).write_csv(tmp_path / "mixed.csv")
    assert boxwood("predict", tree, tmp_path / "mixed.csv").out == boxwood("predict", tree, penguins).out


def test_output_goes_to_a_file(boxwood: Run, tree: Path, penguins: Path, tmp_path: Path) -> None:
    outcome = boxwood("predict", tree, penguins, "--output", tmp_path / "out.csv")
    assert (outcome.status, outcome.out) == (0, "")
    assert (tmp_path / "out.csv").read_text() == boxwood("predict", tree, penguins).out


def test_missing_cells_are_routed(boxwood: Run, tree: Path, penguins: Path, tmp_path: Path) -> None:
    frame = pl.read_csv(penguins)
    frame.with_columns(pl.lit(None).alias(name) for name in frame.columns).write_csv(tmp_path / "empty.csv")
    outcome = boxwood("predict", tree, tmp_path / "empty.csv")
    assert outcome.status == 0, outcome.err
    assert answers(outcome.out)["prediction"].n_unique() == 1


def test_digits_match_the_categories_that_were_learned_as_text(
    boxwood: Run, csv: Csv, tmp_path: Path
) -> None:
    rows = "".join(f"{code},{'p' if code == '007' else 'q'}\n" for code in ["007", "12", "A1"] * 10)
    boxwood("learn", csv(f"code,y\n{rows}"), "--test", 0, "--save", tmp_path / "tree.json")
    outcome = boxwood("predict", tmp_path / "tree.json", csv("code\n007\n12\n", "new.csv"))
    assert answers(outcome.out)["prediction"].to_list() == ["p", "q"]


def test_numeric_categories_match_by_value(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"{i % 5},{'p' if i % 5 in (0, 3) else 'q'}\n" for i in range(50))
    saved = tmp_path / "tree.json"
    boxwood("learn", csv(f"g,y\n{rows}"), "--categorical", "g", "--test", 0, "--save", saved)
    new = csv("g\n3.0\n1\n0\nx\n", "new.csv")
    outcome = boxwood("predict", saved, new)
    assert outcome.status == 0, outcome.err
    assert answers(outcome.out)["prediction"].to_list()[:3] == ["p", "q", "p"]
    boxwood(
        "learn",
        csv(f"g,y\n{rows}"),
        "--categorical",
        "g",
        "--test",
        0,
        "--save",
        saved,
        "--unknown-category",
        "error",
    )
    boxwood("predict", saved, new).refuses('"g"', "row 4", '"x"')


def test_dates_and_durations_are_read_again(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"2024-01-{i:02},{i % 12:02}:30:00,{'p' if i < 14 else 'q'}\n" for i in range(1, 29))
    path = csv(f"day,time,y\n{rows}")
    outcome = boxwood("learn", path, "--test", 0, "--save", tmp_path / "tree.json")
    assert outcome.status == 0, outcome.err
    found = answers(boxwood("predict", tmp_path / "tree.json", path).out)["prediction"].to_list()
    assert found == ["p"] * 13 + ["q"] * 15
    boxwood("predict", tmp_path / "tree.json", csv("day,time\n3,4\n", "new.csv")).refuses(
        '"day"', "dates", "numbers"
    )


def test_labels_keep_their_type(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    path = csv("a,y\n" + "".join(f"{i},{i // 10}\n" for i in range(30)))
    boxwood("learn", path, "--test", 0, "--save", tmp_path / "tree.json")
    assert boxwood("predict", tmp_path / "tree.json", path).out.splitlines()[:2] == ["prediction", "0"]


def test_a_tree_without_names_goes_by_position(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    X = np.arange(20.0).reshape(10, 2)
    library.TreeClassifier().fit(X, X[:, 0] > 8).tree_.save(tmp_path / "tree.json")
    outcome = boxwood("predict", tmp_path / "tree.json", csv("p,q\n1,2\n17,18\n"))
    assert outcome.out.splitlines() == ["prediction", "false", "true"]


def test_what_is_lacking_is_named(boxwood: Run, tree: Path, csv: Csv, penguins: Path, tmp_path: Path) -> None:
    boxwood("predict", tree, csv("island,year\nDream,2007\n")).refuses('"bill_length_mm"', '"sex"')
    boxwood("predict", tree, tmp_path / "no.csv").refuses("There is no file")
    boxwood("predict", tmp_path / "no.json", penguins).refuses("There is no file")
    boxwood("predict", tmp_path, penguins).refuses("folder")
    boxwood("predict", tree, penguins, "--keep", "yaer").refuses('did you mean "year"?')
    boxwood("predict", tree, penguins, "--output", tmp_path / "nowhere" / "out.csv").refuses(
        "cannot be written"
    )
    boxwood("predict", tree, penguins, "--output", tmp_path).refuses("cannot be written")


def test_text_among_numbers_is_named(boxwood: Run, tree: Path, penguins: Path, csv: Csv) -> None:
    text = penguins.read_text().replace("39.5", "broad", 1)
    broken = csv(text, "broken.csv")
    boxwood("predict", tree, broken).refuses('"bill_length_mm"', '"broad"', "row 2")
    assert boxwood("predict", tree, broken, "--missing-values", "broad").status == 0


@pytest.mark.parametrize("content", [b"", b"{", b"not json", b"\x00\xff\x00", b"[1, 2]", b'{"format": 1}'])
def test_damaged_trees_are_refused(boxwood: Run, csv: Csv, penguins: Path, content: bytes) -> None:
    boxwood("predict", csv(content, "tree.json"), penguins).refuses("cannot be read as a tree")


def test_a_truncated_tree_is_refused(boxwood: Run, tree: Path, penguins: Path) -> None:
    tree.write_bytes(tree.read_bytes()[:-20])
    boxwood("predict", tree, penguins).refuses("cannot be read as a tree")


def test_a_spread_row_gets_the_mixture(boxwood: Run, tmp_path: Path) -> None:
    """A missing length: three quarters of the row are in the first leaf, one quarter in the other."""
    schema = Schema((Column("length", "numeric", "float"),), named=True)
    root = node(Threshold(0, 2.5, missing_branch=SPREAD), [leaf([5, 1]), leaf([0, 2])])
    build_tree(root, schema, ["a", "b"]).save(tmp_path / "tree.json")
    (tmp_path / "rows.csv").write_text("length,n\n1,1\n9,2\n,3\n")
    found = answers(boxwood("predict", tmp_path / "tree.json", tmp_path / "rows.csv", "--proba").out)
    assert found["prediction"].to_list() == ["a", "b", "a"]
    assert found["probability b"].to_list() == pytest.approx([1 / 6, 1.0, 0.75 / 6 + 0.25])
