"""What can go wrong with a tree: it breaks a rule, its file is damaged, or a row cannot be routed."""

from __future__ import annotations


class TreeError(ValueError):
    """A tree breaks one of its rules.

    Attributes
    ----------
    node : int or None
        The first node that breaks the rule, or None when the tree as a whole does.
    rule : str
        The rule, as a sentence about that node.

    Examples
    --------
    >>> raise TreeError("the threshold is nan, and must be finite", node=3)
    Traceback (most recent call last):
    ...
    boxwood.tree.errors.TreeError: node 3: the threshold is nan, and must be finite
    """

    def __init__(self, rule: str, *, node: int | None = None) -> None:
        super().__init__(rule if node is None else f"node {node}: {rule}")
        self.rule = rule
        self.node = node

    def __reduce__(self) -> tuple[object, ...]:
        return _tree_error, (type(self), self.rule, self.node)


def _tree_error(cls: type[TreeError], rule: str, node: int | None) -> TreeError:
    return cls(rule, node=node)


class TreeFormatError(ValueError):
    """A saved tree cannot be read: the file is damaged, is something else, or comes from a newer version.

    Examples
    --------
    >>> from boxwood.tree import Tree
    >>> Tree.from_dict({"format": "boxwood-tree", "version": 99})
    Traceback (most recent call last):
    ...
    boxwood.tree.errors.TreeFormatError: format version 99 was written by a newer boxwood (this one reads \
versions up to 2): upgrade boxwood
    """


class UnknownCategoryError(ValueError):
    """A row holds a category that its tree does not know, and the tree asks for an error then.

    It knows where, but not the value itself, which the tree never saw: whoever holds the caller's table
    can look it up.

    Attributes
    ----------
    row : int
        The first such row.
    node : int
        The node that could not send it on.
    feature : int
        The number of the column that the node tests.
    column : str
        The name of that column.

    Examples
    --------
    >>> error = UnknownCategoryError(row=7, node=0, feature=2, column="island")
    >>> error.row, error.column
    (7, 'island')
    """

    def __init__(self, *, row: int, node: int, feature: int, column: str) -> None:
        super().__init__(
            f"column {column!r}, row {row}: a category that was not seen in training, or not at node {node}; "
            "the tree was grown with unknown_category='error'. Remove the row, or grow the tree with "
            "unknown_category='missing', 'majority', 'stop' or 'distribute'"
        )
        self.row = row
        self.node = node
        self.feature = feature
        self.column = column

    def __reduce__(self) -> tuple[object, ...]:
        return _unknown_category, (self.row, self.node, self.feature, self.column)


def _unknown_category(row: int, node: int, feature: int, column: str) -> UnknownCategoryError:
    return UnknownCategoryError(row=row, node=node, feature=feature, column=column)
