"""Weka's J48 on the very folds of the study: one Java machine per process, one call per fit.

Weka is no part of boxwood and of no extra. The study finds it through `--weka JAR`, else through the
environment variable ``BOXWOOD_WEKA``, else in the installed package python-weka-wrapper3, which brings the
jar; Java and the package JPype (which python-weka-wrapper3 installs) are needed either way. Where something
is missing, the study has no column of J48, and says what is missing.

Tables are handed over as ARFF text, with the categories of the whole table as nominal domains; Weka's own
filter takes the rows of a fold. J48 counts branches that no training row takes as leaves, printed "(0.0)";
they are counted apart. Prediction is timed as Weka's `Evaluation.evaluateModel`, which keeps its statistics
too. Java runs in the calling thread, whose processor time is taken; its compiler and its collector of garbage
have threads of their own and are not counted. The first fits of a Java machine are slow, so it warms up.
"""

from __future__ import annotations

import functools
import importlib.util
import os
import re
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies import RefusedError
from studies.harness.study import Row
from studies.pruning.sources import Part, Source, read_source, split

VARIABLE = "BOXWOOD_WEKA"
PACKAGE = "python-weka-wrapper3"
HOW = (
    f'It comes with pip install "{PACKAGE}==0.3.2" (Weka 3.9.6; Java 11 or later must be there), or name a '
    f"weka.jar with --weka or in the environment variable {VARIABLE} and pip install jpype1."
)
WITHOUT_REDUCED_ERROR = ("3.9.7",)  # its J48 -R stops with "Model selection method not implemented"
EMPTY_LEAF = re.compile(r"\(0\.0\)$", re.MULTILINE)
WARM_UP_FITS = 15


@dataclass(frozen=True)
class Weka:
    """Where Weka is, or why there is none."""

    jar: Path | None
    version: str
    reason: str

    def runs(self, options: str) -> bool:
        """Whether J48 works with some options."""
        return self.jar is not None and not (
            "-R" in options.split() and self.version in WITHOUT_REDUCED_ERROR
        )

    def sentence(self) -> str:
        """What the report says about it."""
        if self.jar is None:
            return f"J48's columns are empty: {self.reason}. {HOW}"
        if self.version in WITHOUT_REDUCED_ERROR:
            return f"J48 is Weka {self.version}'s, whose reduced-error pruning does not work. {HOW}"
        return f"J48 is Weka {self.version}'s."


def find_weka(named: str = "") -> Weka:
    """Look for Weka, Java and the bridge between Python and Java; starts nothing."""
    wanted = named or os.environ.get(VARIABLE, "")
    if wanted:
        jar = Path(wanted)
        if not jar.is_file():
            origin = "--weka" if named else VARIABLE
            raise RefusedError(f"{origin}: there is no file {jar}. Name Weka's jar, or leave it out.")
    else:
        package = importlib.util.find_spec("weka")
        places = list(package.submodule_search_locations or []) if package else []
        jars = [path for path in (Path(place) / "lib" / "weka.jar" for place in places) if path.is_file()]
        if not jars:
            return Weka(None, "", f"the package {PACKAGE} is not installed")
        jar = jars[0]
    try:
        import jpype

        jpype.getDefaultJVMPath()
    except ImportError:
        return Weka(None, "", "the package JPype1 is not installed")
    except Exception:
        return Weka(None, "", "there is no Java")
    return Weka(jar.resolve(), read_version(jar), "")


@functools.cache
def read_version(jar: Path) -> str:
    """Weka's version, as its jar says: "3.9.6", say."""
    try:
        with zipfile.ZipFile(jar) as packed:
            return packed.read("weka/core/version.txt").decode().strip().replace("-", ".")
    except (OSError, KeyError, zipfile.BadZipFile):
        raise RefusedError(f"{jar} is not Weka's jar. Name another, or leave it out.") from None


# ---------------------------------------------------------------------------------------------------- one fit


def fit_j48(jar: Path, part: Part, options: str, one_hot: bool) -> Row:
    """Grow one tree on the training rows, and try it on the others."""
    java = start(jar)
    train, test = instances(jar, part)
    learner: Any = java("weka.classifiers.trees.J48")()
    learner.setOptions(options.split())
    if one_hot:
        encoder = java("weka.filters.supervised.attribute.NominalToBinary")()
        encoder.setTransformAllValues(True)
        tree, learner = learner, java("weka.classifiers.meta.FilteredClassifier")()
        learner.setFilter(encoder)
        learner.setClassifier(tree)
    begin = time.thread_time()
    learner.buildClassifier(train)
    fitted = time.thread_time()
    evaluation = java("weka.classifiers.Evaluation")(train)
    middle = time.thread_time()
    evaluation.evaluateModel(learner, test)
    end = time.thread_time()
    grown = learner.getClassifier() if one_hot else learner
    empty = len(EMPTY_LEAF.findall(str(grown.toString())))
    return {
        "n_nodes": int(grown.measureTreeSize()) - empty,
        "n_leaves": int(grown.measureNumLeaves()) - empty,
        "n_empty": empty,
        "accuracy": float(evaluation.pctCorrect()) / 100,
        "fit_seconds": fitted - begin,
        "predict_seconds": end - middle,
    }


@functools.cache
def start(jar: Path) -> Any:
    """Start the Java machine of this process, let it warm up, and give what finds its classes."""
    import jpype

    if not jpype.isJVMStarted():
        opened = "--add-opens=java.base/java.lang=ALL-UNNAMED"
        jpype.startJVM(opened, "-Xmx1g", "-XX:+UseSerialGC", classpath=[str(jar)], convertStrings=False)
    java = jpype.JClass
    made = java("weka.datagenerators.classifiers.classification.RandomRBF")()
    made.setNumExamples(500)
    made.setDatasetFormat(made.defineDataFormat())
    rows = made.generateExamples()
    rows.setClassIndex(rows.numAttributes() - 1)
    for _ in range(WARM_UP_FITS):
        learner = java("weka.classifiers.trees.J48")()
        learner.buildClassifier(rows)
        java("weka.classifiers.Evaluation")(rows).evaluateModel(learner, rows)
    return java


@functools.lru_cache(maxsize=4)
def whole(jar: Path, source: Source) -> Any:
    """All rows of a source, as Weka has them."""
    java = start(jar)
    table = read_source(source)
    rows = java("weka.core.Instances")(java("java.io.StringReader")(as_arff(table.X, table.y)))
    rows.setClassIndex(rows.numAttributes() - 1)
    return rows


@functools.lru_cache(maxsize=8)
def instances(jar: Path, part: Part) -> tuple[Any, Any]:
    """Training and testing rows, as Weka has them."""
    java = start(jar)
    rows = whole(jar, part.source)
    _, test = split(part)
    found = []
    for inverted in (False, True):
        chosen = java("weka.filters.unsupervised.instance.RemoveRange")()
        chosen.setInstancesIndices(",".join(str(row + 1) for row in test))
        chosen.setInvertSelection(inverted)
        chosen.setInputFormat(rows)
        found.append(java("weka.filters.Filter").useFilter(rows, chosen))
    return found[0], found[1]


# ------------------------------------------------------------------------------------------------------- ARFF


def as_arff(X: Any, y: Any) -> str:
    """A frame and its labels as ARFF text: categories are nominal, an absent cell is "?"."""
    import pandas as pd

    head, columns = ["@relation table"], []
    for name in X.columns:
        column = X[name]
        if isinstance(column.dtype, pd.CategoricalDtype):
            words = [quoted(word) for word in column.cat.categories]
            head.append(f"@attribute {quoted(name)} {{{','.join(words)}}}")
            columns.append([words[code] if code >= 0 else "?" for code in column.cat.codes])
        else:
            head.append(f"@attribute {quoted(name)} numeric")
            columns.append(["?" if cell != cell else repr(float(cell)) for cell in column])
    head.append(f"@attribute class {{{','.join(quoted(word) for word in sorted(set(y)))}}}")
    columns.append([quoted(word) for word in y])
    return "\n".join([*head, "@data", *(",".join(row) for row in zip(*columns, strict=True))]) + "\n"


def quoted(word: object) -> str:
    r"""A word in quotes.

    >>> quoted("it's")
    "'it\\'s'"
    """
    text = str(word).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"
