"""A quick look at an installed wheel: grow, print, save, load. Needs the extra `cli` and no test tool."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import boxwood


def main() -> None:
    penguins, species, *_ = boxwood.load_penguins()
    one = boxwood.TreeClassifier(n_jobs=1).fit(penguins, species)
    two = boxwood.TreeClassifier(n_jobs=2).fit(penguins, species)
    assert one.tree_ == two.tree_, "the tree depends on the number of threads"
    assert one.score(penguins, species) > 0.98
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tree.json")
        one.tree_.save(path)
        assert boxwood.load(path) == one.tree_
        shown = subprocess.run(
            [sys.executable, "-m", "boxwood", "learn", "--save", str(path)], check=True, capture_output=True
        )
        assert b"accuracy" in shown.stdout
    print(f"boxwood {boxwood.__version__} works on Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
