"""Reading tables from files: CSV and its kin, ARFF, Parquet.

| file | subject |
|---|---|
| `read` | `read_table`: from a file to a frame and a target |
| `importer` | `CsvImporter`: the same with ``fit`` and ``transform`` on paths, and one-hot columns |
| `source` | opening and decompressing |
| `encoding` | which characters the bytes mean |
| `dialect` | which separator, and whether there is a header |
| `records` | where the lines are, and which ones are malformed |
| `delimited` | CSV and its kin, from bytes to columns |
| `arff`, `java_dates` | Weka's format, and the dates in it |
| `parquet` | Parquet |
| `kinds` | what a column holds, and why |
| `contents`, `result` | what a format's reader hands on, and what the caller gets |
| `hand_over` | frames of polars and pandas |

Parsing of CSV and Parquet is polars'; it is imported when a table is read.
"""

from boxwood.data.readers.importer import CsvImporter
from boxwood.data.readers.kinds import ReadColumn
from boxwood.data.readers.read import MISSING, read_contents, read_table
from boxwood.data.readers.result import LoadedTable
from boxwood.data.readers.source import TableError

__all__ = [
    "MISSING",
    "CsvImporter",
    "LoadedTable",
    "ReadColumn",
    "TableError",
    "read_contents",
    "read_table",
]
