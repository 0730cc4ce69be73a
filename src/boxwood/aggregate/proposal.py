r"""Which columns are worth joining? Those that tell more about the target together than the better one alone.

A tree asks one column at a time. Where the target hangs on a combination of columns, each of them alone may
say little (nothing at all for an exclusive or), and the tree needs a level for each. The joint column says it
in one question. What it is worth is the conditional mutual information

    min( I(A;Y|B), I(B;Y|A) )  =  I(A,B;Y) - max( I(A;Y), I(B;Y) )

estimated without bias, and only if it is more than chance explains (`boxwood.aggregate.information`).

The search is greedy. All pairs are weighed; the best one is joined; columns are added to it, the best first,
as long as the new one tells significantly more given those that are there and the combinations stay few
enough; then the columns of that group are set aside, and the next group is sought among the rest, until the
budget of groups is used up or no pair is worth it. Each column is in one group at most. Chance is judged at
1 % divided by the number of pairs.

Attributes aggregated by hand are in Pereira's thesis on splits of large categorical attributes (PUC-Rio 2018,
chapter 6); the choice by information is ours. Complexity: O(P² (N + cells)) for P columns and N rows. Of more
than `MOST_COLUMNS` columns those that tell most by themselves are weighed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from boxwood.aggregate.information import Codes, Counts, Told, mutual_information, table_of, told, told_beyond
from boxwood.aggregate.joint import Joint, join

MOST_COLUMNS = 64
CHANCE = 0.01


@dataclass(frozen=True, eq=False)
class Candidates:
    """Columns that may be joined: positions, names, numbers of values, and codes (negative: missing)."""

    places: tuple[int, ...]
    names: tuple[str, ...]
    sizes: tuple[int, ...]
    codes: tuple[Codes, ...]


@dataclass(frozen=True, eq=False)
class Proposed:
    """A group that was proposed, and why."""

    joint: Joint
    codes: Codes
    reason: str


@dataclass(frozen=True, eq=False)
class _Weighed:
    """A joint column with what it tells: in all, beyond its better part, and that part."""

    joint: Joint
    codes: Codes
    members: tuple[int, ...]  # in the candidates
    bits: float
    beyond: Told
    better: str


def propose(
    candidates: Candidates,
    target: Codes,
    n_classes: int,
    weights: Counts,
    *,
    budget: int,
    max_values: int,
    max_columns: int,
) -> list[Proposed]:
    """Propose groups of columns, the most telling first."""
    # Rows that the weights stand for: no fewer than there are.
    rows_per_weight = max(1.0, len(weights) / float(weights.sum()))
    tables = (
        table_of(codes, size, target, n_classes, weights)
        for codes, size in zip(candidates.codes, candidates.sizes, strict=True)
    )
    alone = [told(table, float(table.sum()) * rows_per_weight).bits for table in tables]
    # Stable: equal columns keep their order.
    free = sorted(sorted(range(len(alone)), key=lambda i: -alone[i])[:MOST_COLUMNS])
    pairs = list(combinations(free, 2))
    chance = CHANCE / max(1, len(pairs))
    search = _Search(candidates, target, n_classes, weights, rows_per_weight, alone, max_values, chance)
    weighed = [found for pair in pairs if (found := search.weigh(pair)) is not None]
    weighed.sort(key=lambda found: -found.beyond.bits)
    used: set[int] = set()
    proposed: list[Proposed] = []
    for found in weighed:
        if len(proposed) == budget:
            break
        if used & set(found.members):
            continue
        group = found
        while len(group.members) < max_columns:
            wider = search.widen(group, [place for place in free if place not in used])
            if wider is None:
                break
            group = wider
        used |= set(group.members)
        proposed.append(Proposed(group.joint, group.codes, search.reason(group)))
    return proposed


class _Search:
    def __init__(
        self,
        candidates: Candidates,
        target: Codes,
        n_classes: int,
        weights: Counts,
        rows_per_weight: float,
        alone: Sequence[float],
        max_values: int,
        chance: float,
    ) -> None:
        self.candidates = candidates
        self.target, self.n_classes = target, n_classes
        self.weights, self.rows_per_weight = weights, rows_per_weight
        self.total = float(weights.sum())
        self.alone = alone
        self.max_values = max_values
        self.chance = chance

    def weigh(self, members: tuple[int, ...]) -> _Weighed | None:
        """Weigh the pair, or None where it is not worth joining."""
        joined = self._join(members)
        if joined is None:
            return None
        joint, codes, table = joined
        beyond = [self._beyond(table, joint.parts[:, place]) for place in (0, 1)]
        # What is told beyond the better part is the smaller of the two.
        better = int(beyond[1].bits < beyond[0].bits)
        if not self._worth(beyond[better]):
            return None
        name = self.candidates.names[members[better]]
        return _Weighed(joint, codes, members, mutual_information(table), beyond[better], name)

    def widen(self, group: _Weighed, free: Sequence[int]) -> _Weighed | None:
        """The group with the column that tells most beyond it, or None where none tells enough."""
        best: _Weighed | None = None
        for place in free:
            if place in group.members:
                continue
            members = (*group.members, place)
            joined = self._join(members)
            if joined is None:
                continue
            joint, codes, table = joined
            # The combinations of the narrower group, numbered among those of the wider one.
            _, part = np.unique(joint.parts[:, :-1], axis=0, return_inverse=True)
            beyond = self._beyond(table, part.reshape(-1))
            if self._worth(beyond) and (best is None or beyond.bits > best.beyond.bits):
                names = " & ".join(self.candidates.names[member] for member in group.members)
                best = _Weighed(joint, codes, members, mutual_information(table), beyond, names)
        return best

    def _beyond(self, table: Counts, part: npt.NDArray[np.intp]) -> Told:
        """What the joint column tells beyond a part, over all rows: nothing where a cell is missing."""
        known = float(table.sum())
        found = told_beyond(table, part, known * self.rows_per_weight)
        return Told(found.bits * known / self.total, found.p_value)

    def _worth(self, beyond: Told) -> bool:
        return beyond.bits > 0.0 and beyond.p_value < self.chance

    def _join(self, members: tuple[int, ...]) -> tuple[Joint, Codes, Counts] | None:
        """Join columns, or None where they have more combinations than the budget allows."""
        chosen = self.candidates
        joint, codes = join(
            tuple(chosen.places[member] for member in members),
            tuple(chosen.sizes[member] for member in members),
            [chosen.codes[member] for member in members],
        )
        if not 1 < joint.n_values <= self.max_values:
            return None
        return joint, codes, table_of(codes, joint.n_values, self.target, self.n_classes, self.weights)

    def reason(self, group: _Weighed) -> str:
        """Say what the group tells, and why that is worth a column."""
        parts = ", ".join(
            f"{self.candidates.names[member]} alone {max(0.0, self.alone[member]):.3f}"
            for member in group.members
        )
        chance = "p < 1e-300" if group.beyond.p_value < 1e-300 else f"p = {group.beyond.p_value:.1e}"
        return (
            f"together {group.bits:.3f} bits about the target, {parts}; {group.beyond.bits:.3f} beyond "
            f"{group.better}, {chance}; {group.joint.n_values} combinations"
        )
