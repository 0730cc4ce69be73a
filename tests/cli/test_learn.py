from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

import boxwood as library
from boxwood.cli.describe import understand
from boxwood.cli.table import read_table
from tests.cli.outcome import Outcome

Run = Callable[..., Outcome]
Csv = Callable[..., Path]

CATS = "weight,mood,colour\n" + "".join(
    f"{3 + i / 10},{'calm' if i % 3 else 'wild'},{'red' if i < 20 else 'black'}\n" for i in range(40)
)


def accuracy(outcome: Outcome, part: str) -> tuple[float, int, int]:
    found = re.search(rf"^{part} +accuracy ([\d.]+), ([\d,]+) of ([\d,]+) rows", outcome.out, re.MULTILINE)
    assert found, outcome.out
    return float(found[1]), int(found[2].replace(",", "")), int(found[3].replace(",", ""))


def test_without_a_table_it_learns_the_penguins(boxwood: Run) -> None:
    outcome = boxwood("learn")
    assert outcome.status == 0
    assert outcome.err == ""
    assert "344 rows" in outcome.out
    assert re.search(r"island +categories +3 +0 +Biscoe \(168\)", outcome.out)
    assert re.search(r"sex +categories +2 +11", outcome.out)
    assert re.search(r"species +the target +3 +0 +Adelie \(152\)", outcome.out)
    assert "├── body_mass_g <= 3925" in outcome.out
    assert re.search(r"^Tree +8 leaves, 15 nodes, depth 3, found in [\d.]+ m?s$", outcome.out, re.MULTILINE)
    assert re.search(
        r"^Proof +optimal over 45 MID thresholds, .*, depth at most 3$", outcome.out, re.MULTILINE
    )
    assert accuracy(outcome, "Training")[2] == 258
    share, right, rows = accuracy(outcome, "Test")
    assert rows == 86
    assert share == pytest.approx(right / rows, abs=5e-5)
    assert share > 0.9


def test_rules_follow_the_tree(boxwood: Run) -> None:
    plain = boxwood("learn", "--rules", "--method", "greedy", "--max-depth", "2").out
    assert "4 rules, one for each leaf. Exactly one of them fits a row." in plain
    assert "simplified" not in plain
    simple = boxwood("learn", "--simple-rules", "--method", "greedy").out
    assert re.search(r"^\d rules, simplified. The first one that fits a row answers.$", simple, re.MULTILINE)
    assert re.search(r"^ +\w+ +otherwise$", simple, re.MULTILINE)
    found = re.search(r"^Test +accuracy of these rules ([\d.]+), \d+ of 86 rows$", simple, re.MULTILINE)
    assert found, simple
    assert float(found[1]) > 0.9


def test_simple_rules_are_for_classes(boxwood: Run) -> None:
    outcome = boxwood("learn", "--target", "body_mass_g", "--simple-rules")
    assert outcome.status == 2
    assert outcome.err.startswith("boxwood learn: --simple-rules is about classes")


def test_output_in_a_pipe_has_no_colours(boxwood: Run) -> None:
    assert "\x1b" not in boxwood("learn").out


def test_the_target_is_the_last_column_unless_it_is_named(boxwood: Run, csv: Csv) -> None:
    path = csv(CATS)
    assert re.search(r"^colour +the target", boxwood("learn", path).out, re.MULTILINE)
    assert re.search(r"^mood +the target", boxwood("learn", path, "--target", "mood").out, re.MULTILINE)


def test_the_saved_tree_is_the_one_that_was_grown(boxwood: Run, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    outcome = boxwood("learn", "--max-depth", 2, "--save", path)
    assert outcome.status == 0
    tree = library.load(path)
    assert tree.depth == 2
    assert library.export_text(tree).strip() in outcome.out
    assert str(path) in outcome.out


def test_it_says_what_the_tree_sees(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    """The kinds that are shown are those of the tree's own schema."""
    header = "number,text,truth,day,group,empty,y\n"
    text = header + "".join(
        f"{i / 7},{'ab'[i % 2]},{str(i % 3 > 0).lower()},2024-01-{i % 28 + 1:02},{i % 4},,{'pq'[i % 2]}\n"
        for i in range(40)
    )
    path, saved = csv(text), tmp_path / "tree.json"
    outcome = boxwood("learn", path, "--categorical", "group", "--save", saved)
    assert outcome.status == 0, outcome.err
    frame = read_table(str(path))
    schema = library.load(saved).schema
    assert len(schema) == 6
    for column in schema:
        shown = understand(frame[column.name], categorical=column.name == "group")
        if shown.kind != "empty":
            assert shown.numeric == (column.kind == "numeric"), column
        assert re.search(rf"^{column.name} +{shown.kind}", outcome.out, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "shape"),
    [
        (["--max-depth", 1], lambda tree: tree.depth == 1),
        (["--max-leaf-nodes", 3], lambda tree: tree.n_leaves == 3),
        (["--min-samples-leaf", 30], lambda tree: tree.n_rows[tree.is_leaf].min() >= 30),
        (["--min-samples-leaf", "0.2"], lambda tree: tree.n_rows[tree.is_leaf].min() >= 0.2 * 258),
        (["--min-samples-split", 100], lambda tree: tree.n_rows[~tree.is_leaf].min() >= 100),
        (["--min-impurity-decrease", "0.2"], lambda tree: 1 < tree.n_leaves < 5),
        (["--criterion", "entropy"], lambda tree: tree.criterion == "entropy"),
        (["--criterion", "gain_ratio"], lambda tree: tree.criterion == "gain_ratio"),
        (["--missing", "branch"], lambda tree: tree.missing == "branch"),
        (["--missing", "surrogate"], lambda tree: tree.surrogate_feature.size > 0),
        (["--unknown-category", "stop"], lambda tree: tree.unknown_category == "stop"),
        (["--unknown-category", "distribute"], lambda tree: tree.unknown_category == "distribute"),
        (["--drop", "island,sex"], lambda tree: "sex" not in tree.schema.names),
        (["--drop", "island", "--drop", "sex"], lambda tree: tree.n_features == 5),
        (["--test", "0"], lambda tree: tree.n_rows[0] == 344),
        (["--target", "island"], lambda tree: "Dream" in tree.classes),
    ],
)
def test_options_reach_the_tree(
    boxwood: Run, tmp_path: Path, arguments: list[object], shape: Callable[[library.Tree], bool]
) -> None:
    path = tmp_path / "tree.json"
    outcome = boxwood("learn", *arguments, "--save", path)
    assert outcome.status == 0, outcome.err
    assert shape(library.load(path))


def test_the_seed_draws_rows_and_features(boxwood: Run, tmp_path: Path) -> None:
    def grown(*arguments: object) -> library.Tree:
        boxwood("learn", *arguments, "--save", tmp_path / "tree.json")
        return library.load(tmp_path / "tree.json")

    assert grown("--seed", 1) == grown("--seed", 1) == grown("--seed", 1, "--n-jobs", 1)
    assert grown("--seed", 1) != grown("--seed", 2)
    few = ["--test", 0, "--max-features", 1]
    assert grown(*few, "--seed", 1) == grown(*few, "--seed", 1)
    assert len({grown(*few, "--seed", seed) for seed in range(4)}) > 1


def test_without_a_test_share_there_is_no_test_line(boxwood: Run) -> None:
    outcome = boxwood("learn", "--test", "0")
    assert "Test " not in outcome.out
    assert accuracy(outcome, "Training")[2] == 344


def test_rows_without_a_target_are_left_out_and_counted(boxwood: Run) -> None:
    outcome = boxwood("learn", "--target", "sex")
    assert '11 rows without a value of "sex" left out.' in outcome.out
    assert accuracy(outcome, "Training")[2] + accuracy(outcome, "Test")[2] == 333


def test_a_class_of_one_row_is_trained_on_and_said(boxwood: Run, csv: Csv) -> None:
    outcome = boxwood("learn", csv(CATS + "9.9,calm,tabby\n"))
    assert outcome.status == 0
    assert 'having one row: "tabby"' in outcome.out


def test_whole_number_labels_stay_whole_when_one_is_missing(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"{i},{i % 2}\n" for i in range(20))
    boxwood("learn", csv(f"a,y\n{rows}7,\n"), "--save", tmp_path / "tree.json")
    assert library.load(tmp_path / "tree.json").classes.tolist() == [0, 1]


def test_numbers_with_words_among_them_are_remarked_upon(boxwood: Run, csv: Csv) -> None:
    path = csv("age,y\n" + "".join(f"{'?' if i == 3 else i},{i % 2}\n" for i in range(30)))
    assert "--missing-values '?'" in boxwood("learn", path).out
    assert "--missing-values" not in boxwood("learn", path, "--missing-values", "?").out


def test_arff_and_parquet_tables(boxwood: Run, csv: Csv, tmp_path: Path) -> None:
    rows = "".join(f"{i},{'yes' if i < 15 else 'no'}\n" for i in range(30))
    path = csv(f"@relation r\n@attribute size real\n@attribute y {{no,yes}}\n@data\n{rows}", "t.arff")
    assert "size <= 14.5" in boxwood("learn", path, "--test", "0", "--save", tmp_path / "tree.json").out
    pl.DataFrame({"size": [3, 20]}).write_parquet(tmp_path / "new.parquet")
    answers = boxwood("predict", tmp_path / "tree.json", tmp_path / "new.parquet").out
    assert answers == "prediction\nyes\nno\n"


def test_malformed_lines_are_named_or_left_out(boxwood: Run, csv: Csv) -> None:
    rows = "".join(f"{i},{'p' if i < 15 else 'q'}\n" for i in range(30))
    path = csv(f"size,y\n{rows}1,2,3\n")
    boxwood("learn", path).refuses("line 32 has 3 cells", "header has 2", "--skip-malformed")
    assert "Malformed line 32 left out." in boxwood("learn", path, "--skip-malformed").out
    headless = csv(rows, "rows.csv")
    assert "No header was found" in boxwood("learn", headless).out
    assert "No header" not in boxwood("learn", headless, "--header", "no").out


def test_names_with_brackets_are_shown_as_they_are(boxwood: Run, csv: Csv) -> None:
    rows = "".join(f"{i},{'[red]' if i < 15 else '[/blue]'}\n" for i in range(30))
    outcome = boxwood("learn", csv(f"[bold]size,y\n{rows}"))
    assert outcome.status == 0
    for name in ("[bold]size", "[red]", "[/blue]"):
        assert name in outcome.out


def test_a_wide_table_is_described_in_part(boxwood: Run, tmp_path: Path) -> None:
    frame = pl.DataFrame({f"c{j}": [i * j for i in range(20)] for j in range(200)})
    frame.with_columns(y=pl.Series(["p", "q"] * 10)).write_csv(tmp_path / "wide.csv")
    outcome = boxwood("learn", tmp_path / "wide.csv")
    assert outcome.status == 0
    assert "and 140 more" in outcome.out


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["is empty"]),
        ("a,y\n", ["no rows"]),
        ("y\np\nq\n", ["no column besides the target"]),
        ("a,y\n1,p\n2,p\n", ['"y"', '"p" in every row']),
        ("a,y\n1,\n2,\n", ['"y" has no value']),
        ("a,y\n1,2.5\n2,2.5\n", ['"y"', '"2.5" in every row']),
        ("a,y\n1,0.5\n2,inf\n3,1.5\n4,2.5\n", ["Input y contains infinity"]),
        ("a,y\ninf,p\n1,q\n2,p\n3,q\n", ["'a'", "nfinit"]),
        ("a,a\n1,2\n", ["more than once"]),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(
    boxwood: Run, csv: Csv, content: str, parts: list[str]
) -> None:
    outcome = boxwood("learn", csv(content), "--test", "0")
    Outcome(outcome.status, "", outcome.err).refuses(*parts)


def test_bad_paths_are_refused(boxwood: Run, tmp_path: Path) -> None:
    boxwood("learn", tmp_path / "no.csv").refuses("There is no file", "no.csv")
    boxwood("learn", tmp_path).refuses("folder")
    boxwood("learn", "--save", tmp_path / "nowhere" / "tree.json").refuses("There is no folder")
    boxwood("learn", "--save", tmp_path).refuses("folder")


def test_bad_columns_are_refused_with_the_nearest_name(boxwood: Run, csv: Csv) -> None:
    boxwood("learn", "--target", "specie").refuses("target", '"specie"', 'did you mean "species"?')
    boxwood("learn", "--drop", "nothing").refuses('"nothing"', '"island"')
    boxwood("learn", "--categorical", "yaer").refuses('did you mean "year"?')
    boxwood("learn", "--drop", "species").refuses("target")
    boxwood("learn", csv("a;y\n1;p\n2;q\n"), "--target", "y", "--separator", ",").refuses("--separator")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--max-depth", "0"], "--max-depth"),
        (["--max-depth", "deep"], "'deep'"),
        (["--test", "1"], "--test"),
        (["--test", "nan"], "--test"),
        (["--criterion", "magic"], "--criterion"),
        (["--criterion", "tsallis(0)"], "--criterion"),
        (["--cuts", "some"], "--cuts"),
        (["--task", "ranking"], "--task"),
        (["--min-samples-leaf", "0"], "--min-samples-leaf"),
        (["--min-samples-leaf", "1.5"], "--min-samples-leaf"),
        (["--min-samples-split", "1"], "--min-samples-split"),
        (["--max-features", "0"], "--max-features"),
        (["--max-features", "most"], "--max-features"),
        (["--min-impurity-decrease", "-1"], "--min-impurity-decrease"),
        (["--max-leaf-nodes", "1"], "--max-leaf-nodes"),
        (["--n-jobs", "0"], "--n-jobs"),
        (["--seed", "-1"], "--seed"),
        (["--separator", "ab"], "--separator"),
        (["--drop", ","], "--drop"),
        (["--nonsense"], "--nonsense"),
    ],
)
def test_bad_arguments_are_refused(boxwood: Run, arguments: list[str], part: str) -> None:
    outcome = boxwood("learn", *arguments)
    assert outcome.status == 2
    assert outcome.out == ""
    assert part in outcome.err.splitlines()[-1]
