"""`CsvImporter`: the same columns each time, whatever the file looks like."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.base import BaseEstimator
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from boxwood import CsvImporter, TreeClassifier

TRAIN = b"age,sex,zip,score\n31,m,07,low\n?,f,08,high\n45,?,09,high\n50,m,09,\n"


def file(content: bytes) -> io.BytesIO:
    return io.BytesIO(content)


def test_one_hot_columns_keep_incomplete_rows() -> None:
    importer = CsvImporter()
    X, y = importer.fit_transform_both(file(TRAIN))
    assert X.columns == ["age", "sex=f", "sex=m", "zip"] == importer.feature_names_out_
    np.testing.assert_array_equal(X["age"].to_numpy(), [31, np.nan, 45])
    assert X["sex=f"].to_list() == [0, 1, 0]
    assert X["sex=m"].to_list() == [1, 0, 0]
    assert importer.classes_[y].tolist() == ["low", "high", "high"]
    assert importer.report_ == '2 cells of "?" read as missing; 1 row without a value of "score" left out.'
    assert importer.fit_transform(file(TRAIN)).equals(X)
    assert DecisionTreeClassifier().fit(X, y).score(X, y) == 1.0
    assert not isinstance(importer, BaseEstimator)


@pytest.mark.parametrize("frame", ["polars", "pandas"])
def test_another_file_gets_the_same_columns(frame: str) -> None:
    importer = CsvImporter(frame=frame).fit(file(TRAIN))
    X = importer.transform(file(b"more;sex;age;zip\n1;7;?;1\n2;m;3;2\n"))
    assert list(X.columns) == importer.feature_names_out_
    np.testing.assert_array_equal(X.to_numpy().astype(float), [[np.nan, 0, 0, 1], [3, 0, 1, 2]])
    assert 'did not see, as "7"' in importer.report_
    X, y = importer.transform_both(file(TRAIN))
    assert len(X) == len(y) == 3
    assert len(importer.transform(file(TRAIN))) == 4


def test_native_categories() -> None:
    importer = CsvImporter(categories="native")
    X, y = importer.fit_transform_both(file(TRAIN))
    assert X["sex"].dtype == pl.Enum(["f", "m"])
    assert TreeClassifier().fit(X, y).score(X, y) == 1.0
    new = importer.transform(file(b"age,sex,zip\n1,x,1\n"))
    assert new["sex"].to_list() == ["x"]


def test_regression_leaves_numbers_as_they_are() -> None:
    X, y = CsvImporter("age", task="regression").fit_transform_both(file(TRAIN))
    assert y.tolist() == [31.0, 45.0, 50.0]
    DecisionTreeRegressor().fit(X, y)


def test_what_does_not_fit_is_refused() -> None:
    importer = CsvImporter()
    with pytest.raises(ValueError, match="call fit first"):
        importer.transform(file(TRAIN))
    importer.fit(file(TRAIN))
    with pytest.raises(ValueError, match=r'"age" held whole numbers .* because of "old" in line 2'):
        importer.transform(file(b"age,sex,zip\nold,m,1\n"))
    with pytest.raises(ValueError, match='no column "zip"'):
        importer.transform(file(b"age,sex\n1,m\n"))
    with pytest.raises(ValueError, match='holds "middle", which fit did not see'):
        importer.transform_both(file(b"age,sex,zip,score\n1,m,1,middle\n"))
    with pytest.raises(ValueError, match='"sex" holds no numbers'):
        CsvImporter("sex", task="regression").fit(file(TRAIN))
    with pytest.raises(ValueError, match="categories must be one of"):
        CsvImporter(categories="binary")


def test_a_real_table_goes_into_scikit_learn(data_file: Callable[[str], Path]) -> None:
    importer = CsvImporter("class")
    X, y = importer.fit_transform_both(data_file("hepatitis.csv.gz"))
    assert len(X) == 155
    assert DecisionTreeClassifier(random_state=0).fit(X, y).score(X, y) == 1.0
