"""Verdicts without a search: what asp/ says of the proposals, and a best declaration where counting finds and proves it.

The programs are those that clingo runs. As long as nothing has to be chosen they are evaluated by `lawmage.play.stratified`: what the
board allows, once; what each proposal disobeys and obeys; the numbers from which `lawmage.play.bound` gets an upper bound on the
requirements that can be obeyed, and a declaration that may reach it, which is judged like a proposal. If it does reach it and disobeys
nothing, the greatest number is found and proved. Otherwise clingo searches.

Where a board has many objects of one kind, a few of them speak for all (`lawmage.play.alike`, `lawmage.play.lifted`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

from lawmage.play.bound import Bound, limits_from, upper_bound
from lawmage.play.facts import Facts
from lawmage.play.lifted import Kinds, Lifted
from lawmage.play.program import places_in, specialise
from lawmage.play.stratified import Key, Relation, evaluate, plans

__all__ = ["Judged", "Pair", "Position"]

#: A creature that acts and what it acts on, as asp/ has them.
Pair: TypeAlias = tuple[Any, Any]
_BEST = "best"
#: The predicates that say of what a declaration consists.
_DECLARED = frozenset({("world", 1), ("proposed", 3)})
#: The predicates that say for whom, or for which pairs, something has to be paid.
_PRICED = (("priced", 1), ("priced", 2))
#: The predicates that `bound` reads.
_LIMITS = {"edge": 2, "slots": 2, "seats": 2, "threshold": 2, "total": 1, "gain_pair": 3, "gain_blocker": 2, "gain_attacker": 3}


@dataclass(frozen=True, slots=True)
class Judged:
    """What asp/ says of a declaration: the arguments of `violated` and `obeyed` but for the first, and the pairs that it consists of."""

    violated: frozenset[tuple[Any, ...]]
    obeyed: frozenset[tuple[Any, ...]]
    pairs: tuple[Pair, ...]


#: The declaration of no creature, where nothing is required.
NOTHING = Judged(frozenset(), frozenset(), ())


class Position:
    """What one player may declare.

    Args:
        judging, bounding: entry programs.
        facts: about the board and the player; of the objects in `kinds`, about the first `spoken_for` of each.
        kinds: the integers of objects that are alike.
        spoken_for: see there.
    """

    def __init__(self, judging: Path, bounding: Path, facts: Facts, kinds: Sequence[Sequence[int]] = (), spoken_for: int = 0) -> None:
        self._judging = judging
        self._bounding = bounding
        self._kinds = Kinds(kinds, spoken_for) if kinds else None
        self._alike = {members[0]: members for members in kinds}
        self._facts = facts
        self._settled: dict[Key, Any] = dict(facts.relations())
        self._places = places_in(judging, bounding)
        self._signatures = facts.signatures_at(self._places)
        self._lifted: dict[Key, Lifted] = {}
        self._done: set[Key] = set()

    @property
    def kind_of(self) -> Mapping[Any, int]:
        """The kind of each object that has others like it."""
        return {} if self._kinds is None else self._kinds.kind_of

    def told(self, declarations: Sequence[Collection[Pair]]) -> list[Judged]:
        """Return what is said of declarations for which nothing is paid."""
        facts = Facts()
        for world, pairs in enumerate(declarations, start=1):
            facts.add("world", world)
            for pair in pairs:
                facts.add("proposed", world, *pair)
        found = self.judged(facts, searching=False)[0] if declarations else {}
        return [found[world] for world in range(1, len(declarations) + 1)]

    def all_told(self, pairs: Collection[Pair]) -> list[Judged]:
        """Return what is said of every declaration of some of `pairs`, which are few."""
        return self.told([chosen for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)])

    def stated(self, entry: Path) -> dict[str, Iterable[Any]]:
        """Return what another entry program derives from the board, about all objects: arguments by predicate."""
        program = specialise(entry, self._facts.signatures_at(places_in(entry)))
        found = dict(self._settled)
        evaluate(plans(program.rules, frozenset())[0], found, self._done)
        return {name: relation.rows if self._kinds is None else Lifted(relation, self._kinds).rows for (name, _), relation in found.items()}

    def judged(self, declarations: Facts, *, searching: bool) -> tuple[dict[int, Judged], int, Judged | None]:
        """Return what is said of declarations, how many requirements can be obeyed at most, and a declaration that costs nothing and does.

        Args:
            declarations: facts of `world`, `proposed`, ...; each has a number.
            searching: whether to look for the latter two, which else are 0 and no creature's declaration. None: it was not found.
        """
        # What is searched for is judged as well, even if nothing was proposed.
        given = declarations.predicates | (_DECLARED if searching else frozenset())
        program = specialise(self._judging, self._signatures | given | declarations.signatures_at(self._places))
        settled, rest = plans(program.rules, given)
        evaluate(settled, self._settled, self._done)
        self._done |= settled.derived
        judged = declarations.copy()
        if searching:
            _add(judged, _BEST, self.bound.attempt)
        found: dict[Key, Any] = {key: self._all(key) for key in rest.keys if key in self._settled}
        found |= judged.relations()
        evaluate(rest, found)
        said = _said(found)
        most, best = (self.bound.most, self._reaching(said.values())) if searching else (0, NOTHING)
        return {world: told for world, told in said.items() if isinstance(world, int)}, most, best

    def _reaching(self, declarations: Iterable[Judged]) -> Judged | None:
        """Return the first declaration that is as good as any can be, disobeys nothing and costs nothing."""
        for judged in declarations:
            if len(judged.obeyed) >= self.bound.most and not judged.violated and self.is_free(judged.pairs):
                return judged
        return None

    @cached_property
    def bound(self) -> Bound:
        """An upper bound on the number of requirements that a declaration obeys that costs nothing, and an attempt to reach it."""
        rows = {key[0]: self._bounded[key].rows for key in _LIMITS.items() if key in self._bounded}
        return upper_bound(limits_from(rows, self._alike))

    @cached_property
    def _bounded(self) -> dict[Key, Any]:
        program = specialise(self._bounding, self._signatures)
        found = dict(self._settled)
        evaluate(plans(program.rules, frozenset())[0], found, self._done)
        return found

    def _all(self, key: Key) -> Relation | Lifted:
        """Return what is settled of a predicate, about all objects."""
        settled: Relation = self._settled[key]
        if self._kinds is None:
            return settled
        if key not in self._lifted:
            self._lifted[key] = Lifted(settled, self._kinds)
        return self._lifted[key]

    def is_free(self, pairs: Iterable[Pair]) -> bool:
        """Tell whether nothing has to be paid for any of `pairs`."""
        priced = [self._bounded[key] for key in _PRICED if key in self._bounded]
        rows = [relation.rows if self._kinds is None else Lifted(relation, self._kinds).rows for relation in priced]
        return not any(pair in those or pair[0] in those for those in rows for pair in pairs)


def _add(declarations: Facts, world: str, pairs: Iterable[Pair]) -> None:
    """Add a declaration that is to be judged."""
    declarations.add("world", world)
    for actor, other in pairs:
        declarations.add("proposed", world, actor, other)


def _said(found: Mapping[Key, Relation]) -> dict[int | str, Judged]:
    """Return what is said of each declaration."""
    said: list[defaultdict[int | str, list[Any]]] = []
    for key in (("violated", 5), ("obeyed", 5), ("proposed", 3)):
        by_world: defaultdict[int | str, list[Any]] = defaultdict(list)
        for row in found[key].rows if key in found else ():
            by_world[row[0]].append(row[1:])
        said.append(by_world)
    violated, obeyed, pairs = said
    worlds = found["world", 1].rows if ("world", 1) in found else ()
    return {world: Judged(frozenset(violated[world]), frozenset(obeyed[world]), tuple(pairs[world])) for world in worlds}
