"""Verdicts without a search: what asp/ says of the proposals, and a best declaration where counting finds and proves it.

The programs are those that clingo runs. As long as nothing has to be chosen they are evaluated by `lawmage.play.stratified`: what the
board allows, once; what each proposal disobeys and obeys; the numbers from which `lawmage.play.bound` gets an upper bound on the
requirements that can be obeyed, and a declaration that may reach it, which is judged like a proposal. If it does reach it and disobeys
nothing, the greatest number is found and proved. Otherwise clingo searches.

Where a board has many objects of one kind, a few of them speak for all (`lawmage.play.alike`, `lawmage.play.lifted`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from lawmage.play.bound import Bound, Limits, limits_from, upper_bound
from lawmage.play.facts import Facts
from lawmage.play.lifted import Kinds, Lifted
from lawmage.play.program import statements
from lawmage.play.rule_functions import number_of
from lawmage.play.stratified import Derived, Key, Relation, Rules

__all__ = ["Judged", "Pair", "Position", "acting_on_several", "propose"]

#: A creature that acts and what it acts on, as asp/ has them.
Pair: TypeAlias = tuple[Any, Any]
_BEST = "best"
_EXPECTED = "expected"
#: The predicates that say of what a declaration consists.
_DECLARED = frozenset(map(number_of, (("world", 1), ("proposed", 3))))
#: Those that say nothing beside them: which creatures act on several.
_FOLLOWING = frozenset(map(number_of, (("proposes_several", 2),)))
#: The predicates that say what a declaration disobeys and obeys, and what it is.
_SAID = tuple(map(number_of, (("violated", 5), ("obeyed", 5), ("proposed", 3))))
_TOLD = frozenset(_SAID)
_WORLD = number_of(("world", 1))
#: The predicates that say for whom, or for which pairs, something has to be paid.
_PRICED = (("priced", 1), ("priced", 2))


class Judged(NamedTuple):
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
        helping: an entry program that derives what `bounding` does, and more: evaluated in its place.
    """

    def __init__(
        self,
        judging: Path,
        bounding: Path,
        facts: Facts,
        kinds: Sequence[Sequence[int]] = (),
        spoken_for: int = 0,
        *,
        helping: Path | None = None,
    ) -> None:
        self._bounding = _rules(bounding)
        self._helping = self._bounding if helping is None else _rules(helping)
        self._kinds = Kinds(kinds, spoken_for) if kinds else None
        self._alike = {members[0]: members for members in kinds}
        self._facts: dict[int, Any] = facts.relations()
        rules = _rules(judging)
        self._settled = Derived(rules, self._facts, asked=_foundation(rules, self._helping))
        self._before = {rules: self._settled}
        self._liftings: dict[int, Relation | Lifted] = {}
        self._limits: Limits | None = None
        self._bound: Bound | None = None
        self._prices: list[Any] | None = None
        # What was said of declarations for which nothing is paid: by their pairs, and what was said since that was last looked at.
        self._known: dict[frozenset[Pair], Judged] = {}
        self._new: list[Judged] = []
        self._expected: dict[frozenset[Pair], None] = {}

    @property
    def kind_of(self) -> Mapping[Any, int]:
        """The kind of each object that has others like it."""
        return {} if self._kinds is None else self._kinds.kind_of

    @property
    def helped(self) -> bool:
        """Whether `limits` are about all pairs that were proposed, too (asp/509-wanted-bound.lp)."""
        return self._helping is not self._bounding and self._kinds is None

    @property
    def known(self) -> Collection[Judged]:
        """What was said so far of declarations for which nothing is paid."""
        return self._told.values()

    @property
    def _told(self) -> dict[frozenset[Pair], Judged]:
        """What was said so far of declarations for which nothing is paid, by their pairs."""
        if self._new:
            self._known.update((frozenset(told.pairs), told) for told in self._new)
            self._new.clear()
        return self._known

    def expect(self, declarations: Iterable[Collection[Pair]]) -> None:
        """Note declarations that will be asked about: they are judged along with what is judged next."""
        self._expected.update((frozenset(pairs), None) for pairs in declarations)

    def told(self, declarations: Sequence[Collection[Pair]]) -> list[Judged]:
        """Return what is said of declarations for which nothing is paid."""
        asked = [frozenset(pairs) for pairs in declarations]
        known = self._told
        new = {key: pairs for key, pairs in zip(asked, declarations, strict=True) if key not in known}
        if new:
            facts = Facts()
            for world, pairs in enumerate(new.values(), start=1):
                propose(facts, world, pairs)
            self.judged(facts, searching=False)
        known = self._told
        return [known[key] for key in asked]

    def all_told(self, pairs: Collection[Pair]) -> list[Judged]:
        """Return what is said of every declaration of some of `pairs`, which are few."""
        return self.told([chosen for size in range(len(pairs) + 1) for chosen in combinations(pairs, size)])

    def stated(self, entry: Path) -> dict[str, Iterable[Any]]:
        """Return what another entry program shows of the board, about all objects: arguments by predicate."""
        return {key[0]: self.relation(entry, key).rows for key in _rules(entry).shown}

    def relation(self, entry: Path, key: Key) -> Relation | Lifted:
        """Return what another entry program derives of a predicate, about all objects."""
        found = self.representatives(entry, key)
        return found if self._kinds is None else Lifted(found, self._kinds)

    def representatives(self, entry: Path, key: Key) -> Relation:
        """Return what another entry program derives of a predicate, about those that speak for all."""
        found: Relation = self.derived(entry).get(key)
        return found

    def derived(self, entry: Path) -> Derived:
        """Return all that another entry program derives, about those that speak for all."""
        return self._derived(_rules(entry))

    def judged(self, declarations: Facts, *, searching: bool) -> tuple[dict[int, Judged], int, Judged | None]:
        """Return what is said of declarations, how many requirements can be obeyed at most, and a declaration that costs nothing and does.

        Args:
            declarations: facts of `world`, `proposed`, ...; each has a number. Others are added.
            searching: whether to look for the latter two, which else are 0 and no creature's declaration. None: it was not found.
        """
        rules = self._settled.rules
        if searching:
            propose(declarations, _BEST, self.bound.attempt)
        expected: dict[str, frozenset[Pair]] = {}
        if self._expected:
            if searching:
                # It is judged as it is.
                self._expected.pop(frozenset(self.bound.attempt), None)
            expected = {f"{_EXPECTED}{number}": pairs for number, pairs in enumerate(self._expected) if pairs not in self._told}
            self._expected.clear()
            for world, pairs in expected.items():
                propose(declarations, world, pairs)
        # What is searched for is judged as well, even if nothing was proposed.
        proposed = declarations.predicates
        given = proposed | _DECLARED if searching else proposed
        lifted, asked = (None, _TOLD) if self._kinds is None else (self._lifted, None)
        found = Derived(rules, declarations.relations(), self._settled, rules.settled(given), lifted, asked)
        found.check()
        said = _said(found)
        numbered = {world: told for world, told in said.items() if world.__class__ is int}
        for_nothing = proposed - _FOLLOWING <= _DECLARED
        self._new += said.values() if for_nothing else [told for world, told in said.items() if world.__class__ is str]
        most, best = (self.bound.most, self._reaching(said.values())) if searching else (0, NOTHING)
        return numbered, most, best

    def _reaching(self, declarations: Iterable[Judged]) -> Judged | None:
        """Return the first declaration that is as good as any can be, disobeys nothing and costs nothing."""
        for judged in declarations:
            if len(judged.obeyed) >= self.bound.most and not judged.violated and self.is_free(judged.pairs):
                return judged
        return None

    @property
    def bound(self) -> Bound:
        """An upper bound on the number of requirements that a declaration obeys that costs nothing, and an attempt to reach it."""
        if self._bound is None:
            self._bound = upper_bound(self.limits)
        return self._bound

    @property
    def limits(self) -> Limits:
        """What limits how many requirements can be obeyed, in numbers."""
        if self._limits is None:
            bounded = self._derived(self._bounding)
            self._limits = limits_from({name: bounded.at(number).rows for name, number in self._bounding.shown_at}, self._alike)
        return self._limits

    def _derived(self, rules: Rules) -> Derived:
        """Return what another entry program derives; what it has in common with one before it is derived once."""
        rules = self._helping if rules is self._bounding else rules
        found = self._before.get(rules)
        if found is None:
            below = max(self._before.values(), key=lambda each: len(rules.shared(each.rules)))
            asked = _shown(rules) if rules is self._helping else None
            found = self._before[rules] = Derived(rules, self._facts, below, rules.shared(below.rules), asked=asked)
            found.check()
        return found

    def _lifted(self, number: int) -> Relation | Lifted:
        """Return what is settled of a predicate, by its number, about all objects."""
        found = self._liftings.get(number)
        if found is None:
            settled: Relation = self._settled.at(number)
            assert self._kinds is not None
            found = self._liftings[number] = Lifted(settled, self._kinds) if settled.rows else settled
        return found

    def is_free(self, pairs: Iterable[Pair]) -> bool:
        """Tell whether nothing has to be paid for any of `pairs`."""
        priced = self._priced
        return not any(pair in those or pair[0] in those for those in priced for pair in pairs)

    @property
    def _priced(self) -> list[Any]:
        """The actors, and the pairs, for which something has to be paid."""
        if self._prices is None:
            priced: list[Relation] = [self._settled.get(key) for key in _PRICED]
            self._prices = [each.rows if self._kinds is None else Lifted(each, self._kinds).rows for each in priced if each.rows]
        return self._prices

    def not_dearer(self, pairs: Iterable[Pair], proposed: Collection[Pair]) -> list[Pair]:
        """Return those of `pairs` that cost nothing, or what was proposed costs as well."""
        paid = {*proposed, *(actor for actor, _ in proposed)}
        priced = [set(those) - paid for those in self._priced]
        return [pair for pair in pairs if not any(pair in those or pair[0] in those for those in priced)]


def propose(declarations: Facts, world: int | str, pairs: Collection[Pair]) -> None:
    """Add a declaration that is to be judged."""
    declarations.add("world", world)
    declarations.add_rows("proposed", 3, [(world, *pair) for pair in pairs])
    declarations.add_rows("proposes_several", 2, [(world, actor) for actor in acting_on_several(pairs)])


def acting_on_several(pairs: Collection[Pair]) -> Iterable[Any]:
    """Return what acts on more than one in a declaration of `pairs`."""
    if len({actor for actor, _ in pairs}) == len(pairs):
        return ()
    return [actor for actor, number in Counter(actor for actor, _ in pairs).items() if number > 1]


def _said(found: Derived) -> dict[int | str, Judged]:
    """Return what is said of each declaration."""
    said: dict[int | str, tuple[list[Any], ...]] = {world: ([], [], []) for world in found.at(_WORLD).rows}
    for place, number in enumerate(_SAID):
        for row in found.at(number).rows:
            said[row[0]][place].append(row[1:])
    return {world: Judged(frozenset(violated), frozenset(obeyed), tuple(pairs)) for world, (violated, obeyed, pairs) in said.items()}


@lru_cache(maxsize=32)
def _rules(entry: Path) -> Rules:
    return Rules(statements(entry))


@lru_cache(maxsize=64)
def _shown(rules: Rules) -> frozenset[int]:
    """Return the predicates that an entry program shows, by their numbers."""
    return frozenset(map(number_of, rules.shown))


@lru_cache(maxsize=64)
def _foundation(judging: Rules, bounding: Rules) -> frozenset[int]:
    """Return what the programs use of what is the same whatever is declared."""
    settled = judging.settled(_DECLARED)
    return judging.used(settled) | (settled & bounding.used(bounding.shared(judging)))
