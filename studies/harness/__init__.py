"""What all studies have in common, written once.

A study is data (a TOML file), a plan (which fits there are, by their keys), a function that makes one fit
and gives one row of numbers, and a report on all rows. The harness does the rest.

| file | question |
|---|---|
| `study` | what is a study? |
| `configuration` | what was asked for, and is it the same as last time? |
| `tables` | where are the tables, and what is in them? |
| `folds` | which rows train, which rows test? |
| `rows` | which fits are done already, and what came out? |
| `run` | make the fits that are missing, on any number of processes |
| `progress` | how far is it? |
| `environment` | on what did it run? |
| `summary` | means, standard deviations, signed-rank tests |
| `paired` | paired t-tests, plain and corrected for shared training rows |
| `report` | Markdown and CSV |
| `drawing` | the one place that knows matplotlib |
| `heatmap` | a grid of coloured cells |
| `command` | the options that every study has |
"""

from __future__ import annotations
