"""What a learner sees: tables of any origin, encoded once into float64 columns and category codes.

`read_table` looks at whatever the caller has (numpy, lists, pandas, polars, pyarrow, a dict of columns) and
says no clearly; `encode_features` and `make_dataset` turn it into columns with a `Schema`; `encode_with` does
the same at prediction under the schema of training, after `align_columns` has put the columns in order by
name. `boxwood.data.readers` reads tables from files; its `read_table` is `boxwood.read_table`.
"""

from boxwood.data.dataset import TASKS, Dataset, dataset_under, make_dataset
from boxwood.data.encode import encode_features, encode_with
from boxwood.data.numeric_target import encode_numeric_target
from boxwood.data.penguins import Penguins, load_penguins
from boxwood.data.schema import MISSING, UNKNOWN, Category, Column, Schema
from boxwood.data.table import Table, align_columns, read_table
from boxwood.data.target import encode_target
from boxwood.data.weights import round_weights

__all__ = [
    "MISSING",
    "TASKS",
    "UNKNOWN",
    "Category",
    "Column",
    "Schema",
    "Dataset",
    "Penguins",
    "Table",
    "align_columns",
    "dataset_under",
    "encode_features",
    "encode_numeric_target",
    "encode_target",
    "encode_with",
    "load_penguins",
    "make_dataset",
    "read_table",
    "round_weights",
]
