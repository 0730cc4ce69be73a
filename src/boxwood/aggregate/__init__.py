"""Joint attributes: several columns of few values as one column of their combinations.

| file | subject |
|---|---|
| `transformer` | `AggregateFeatures`, as scikit-learn sees it |
| `proposal` | which groups tell more about the target together than apart |
| `information` | mutual information from weighted counts, without its bias |
| `joint` | the combinations of a group, numbered and named |
"""

from boxwood.aggregate.transformer import AggregateFeatures

__all__ = ["AggregateFeatures"]
