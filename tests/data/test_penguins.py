"""The table that ships with the library."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from importlib import resources

from boxwood.data import Penguins, load_penguins


def test_the_whole_table_is_there() -> None:
    penguins = load_penguins()
    assert isinstance(penguins, Penguins)
    assert penguins.target_name == "species"
    assert Counter(penguins.target) == {"Adelie": 152, "Gentoo": 124, "Chinstrap": 68}
    assert tuple(penguins.data) == penguins.feature_names
    assert {len(column) for column in penguins.data.values()} == {344}
    assert Counter(penguins.data["island"]) == {"Biscoe": 168, "Dream": 124, "Torgersen": 52}
    assert Counter(penguins.data["sex"]) == {"male": 168, "female": 165, None: 11}
    assert Counter(penguins.data["year"]) == {2009: 120, 2008: 114, 2007: 110}


def test_numbers_are_numbers_and_empty_cells_are_missing() -> None:
    data = load_penguins().data
    first = {name: column[0] for name, column in data.items()}
    assert first == {
        "island": "Torgersen",
        "bill_length_mm": 39.1,
        "bill_depth_mm": 18.7,
        "flipper_length_mm": 181,
        "body_mass_g": 3750,
        "sex": "male",
        "year": 2007,
    }
    missing = {name: column.count(None) for name, column in data.items()}
    assert missing == {
        "island": 0,
        "bill_length_mm": 2,
        "bill_depth_mm": 2,
        "flipper_length_mm": 2,
        "body_mass_g": 2,
        "sex": 11,
        "year": 0,
    }
    assert {type(cell) for cell in data["bill_depth_mm"]} == {float, type(None)}
    assert {type(cell) for cell in data["body_mass_g"]} == {int, type(None)}


def test_every_call_gives_a_table_of_its_own() -> None:
    load_penguins().data["island"].clear()
    assert len(load_penguins().data["island"]) == 344


def test_the_file_has_no_word_for_missing() -> None:
    text = (resources.files("boxwood.data") / "penguins.csv").read_text("utf-8")
    assert len(text.splitlines()) == 345
    assert "NA" not in text


def test_no_frame_library_is_needed() -> None:
    program = """
import sys
for name in ("pandas", "polars", "pyarrow"):
    sys.modules[name] = None  # importing it fails
import boxwood.data
penguins = boxwood.data.load_penguins()
print(boxwood.data.make_dataset(penguins.data, penguins.target))
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "Dataset(344 rows, 7 columns, 3 classes)"
