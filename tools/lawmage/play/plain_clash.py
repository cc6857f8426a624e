"""Clashes that show at once: what one restriction makes impossible, what tears one creature apart, what nobody is left for.

Most boards on which not every requirement can be obeyed have such a clash, and the statements of asp/509-clash-bound.lp and
508-clash-bound.lp show it without counting. The declarations that show that nothing in it can be left out are named beforehand, so that
they can be judged along with what was proposed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from lawmage.play.clash_parts import Found, Pair, Part
from lawmage.play.clash_shortage import Shortages
from lawmage.play.quick import Judged, Position

__all__ = ["PlainClash"]

#: Of more actors than this it is left to counting what keeps all of them from something.
_MOST_ACTORS = 24
#: The predicates that restrictions are stated with.
_RESTRICTING = (("bars", 3), ("stops", 2), ("slots", 3), ("seats", 3), ("threshold", 3), ("total", 2))


def _unlike(objects: Collection[Any]) -> Mapping[Any, Any]:
    """Return the kinds of objects where nothing is known of them."""
    del objects
    return {}


class PlainClash:
    """What shows at once of a board.

    Args:
        position: what the player may declare.
        statements: the entry program that says what restrictions and requirements say of the pairs that a requirement is about.
        kinds: returns the kind of each of some objects that has others like it, by its integer; asked where some are short.
    """

    def __init__(self, position: Position, statements: Path, kinds: Callable[[Collection[Any]], Mapping[Any, Any]] = _unlike) -> None:
        self._position = position
        self._statements = statements
        self._kinds = kinds
        self._derived = position.derived(statements)
        self._stated: dict[str, Any] = {}

    @property
    def witnesses(self) -> tuple[Collection[Pair], ...]:
        """The declarations that `parts` rests on."""
        return () if self._all_may_hold or self._found is None else self._found.witnesses

    def parts(self) -> frozenset[Part] | None:
        """Return a clash of which nothing can be left out, nothing if all requirements can be obeyed, None if neither shows.

        Raises:
            NotEvaluatedError: if asp/ has to be run by clingo even to judge a declaration.
        """
        if self._all_may_hold and any(self._holds(judged) for judged in self._position.known):
            return frozenset()
        found = self._found
        if found is None:
            return None
        parts = left = found.requirements | found.restrictions
        for judged in self._judged(found):
            if len(judged.obeyed) + 1 < len(found.requirements):
                continue
            lacking = found.requirements - judged.obeyed
            failing = lacking | self._broken(found, judged) if len(lacking) < 2 else lacking
            if len(failing) == 1:
                (part,) = failing
                legal = part in found.obeyed and not judged.violated and self._position.is_free(judged.pairs)
                alike = found.obeyed if legal else found.alike
                same = alike.get(part, part)
                left = frozenset([other for other in left if alike.get(other, other) != same])
                if not left:
                    return parts
        return None

    def _judged(self, found: Found) -> Iterator[Judged]:
        """Yield what is said of declarations that may show that nothing can be left out; what is known anyway comes first."""
        position = self._position
        position.told(found.witnesses)
        yield from tuple(position.known)
        yield from position.told(found.spare)

    def restrictions(self) -> set[Part]:
        """Return all restrictions of those that speak for all."""
        found = {row[0] for key in _RESTRICTING for row in self._speaking(*key).rows}
        return {part for part in found if isinstance(part, str) or len(part) == 2}

    @property
    def _all_may_hold(self) -> bool:
        """Whether counting does not exclude that all requirements are obeyed."""
        return not self._position.kind_of and self._position.bound.most >= len(self._requirements)

    def _holds(self, judged: Judged) -> bool:
        """Tell whether a declaration breaks nothing and obeys everything."""
        if judged.violated or not self._requirements <= judged.obeyed or not self._position.is_free(judged.pairs):
            return False
        return not any(self._too_often(judged))

    def _broken(self, found: Found, judged: Judged) -> frozenset[Part]:
        """Return the restrictions in the clash that a declaration does not keep."""
        broken = {row[1] for row in judged.violated}
        if self._is_limiting:
            broken.update(self._too_often(judged))
        if self._forbidding is not None:
            bars, stops = self._forbidding
            for pair in judged.pairs:
                if pair in bars:
                    broken.update([row[0] for row in bars[pair]])
                if pair[0] in stops:
                    broken.update([row[0] for row in stops[pair[0]]])
        return found.restrictions & broken

    @cached_property
    def _forbidding(self) -> tuple[Any, Any] | None:
        """Who can't act on what, and who can't act, if anything in the clash says such a thing."""
        assert self._found is not None
        stating = (*self._speaking("bars", 3).rows, *self._speaking("stops", 2).rows)
        if {_source(part) for part in self._found.restrictions}.isdisjoint(map(_source, {row[0] for row in stating})):
            return None
        return self._of_all("bars", 3).index((1, 2)), self._of_all("stops", 2).index((1,))

    @cached_property
    def _is_limiting(self) -> bool:
        """Whether anything in the clash says how often a creature can act."""
        assert self._found is not None
        return not self._found.restrictions.isdisjoint([row[0] for row in self._speaking("slots", 3).rows])

    def _too_often(self, judged: Judged) -> Iterator[Part]:
        """Yield the restrictions on how often a creature acts that a declaration breaks."""
        if len({actor for actor, _ in judged.pairs}) < len(judged.pairs):
            slots = self._of_all("slots", 3).index((1,))
            acting = [(actor, number) for actor, number in Counter([actor for actor, _ in judged.pairs]).items() if number > 1]
            yield from (part for actor, number in acting for part, _, most in slots.get(actor, ()) if number > most)

    # ------------------------------------------------------------ what is stated

    def _of_all(self, name: str, size: int) -> Any:
        return self._position.relation(self._statements, (name, size))

    def _speaking(self, name: str, size: int) -> Any:
        """Return what is stated of those that speak for all: a clash among them is one."""
        found = self._stated.get(name)
        if found is None:
            found = self._stated[name] = self._derived.get((name, size))
        return found

    @cached_property
    def _requirements(self) -> frozenset[Part]:
        found = {part for parts in self._asked.values() for part in parts}
        found.update([row[0] for row in self._speaking("asks_attacker", 3).rows])
        return frozenset(found)

    @cached_property
    def _asked(self) -> dict[Any, dict[Part, list[Any]]]:
        """What requirements ask of each actor: to act on one of these."""
        asked: defaultdict[Any, dict[Part, list[Any]]] = defaultdict(dict)
        for part, actor, other in self._speaking("asks_pair", 3).rows:
            parts = asked[actor]
            if part in parts:
                parts[part].append(other)
            else:
                parts[part] = [other]
        every = list(self._speaking("acted_on", 1).rows)
        for part, actor in self._speaking("asks_blocker", 2).rows:
            asked[actor].setdefault(part, every)
        return asked

    # ------------------------------------------------------------ clashes

    @cached_property
    def _found(self) -> Found | None:
        return self._hindered() or self._torn() or self._crowded() or self._vain() or self._short()

    def _vain(self) -> Found | None:
        """Return a requirement that nothing would obey."""
        part = next(iter(self._speaking("never", 1).rows), None)
        return None if part is None else Found(frozenset([part]), frozenset(), ([],))

    def _short(self) -> Found | None:
        """Return requirements for which some are too few."""
        position = self._position
        kinds = self._kinds if not position.kind_of else lambda _: position.kind_of
        return Shortages(self._speaking, position.limits.alike, kinds, position.bound.attempt).found()

    def _hindered(self) -> Found | None:
        """Return a requirement and a restriction that forbids everything that would obey it."""
        stops, bars = self._stops, self._bars
        if not stops and not bars:
            return None
        for actor, parts in self._asked.items():
            for part, others in parts.items():
                if actor in stops or (actor, others[0]) in bars:
                    why = self._hindering([(actor, other) for other in others])
                    if why is not None:
                        # What has to be obeyed is most likely not, where as much as can be is.
                        return Found(frozenset([part]), frozenset([why]), ([(actor, others[0])],), spare=([],))
        counting, every = self._speaking("counts_for", 2).index((0,)), list(self._speaking("actor", 1).rows)
        for part, other, number in self._speaking("asks_attacker", 3).rows:
            if number == 1:
                actors = [actor for _, actor in counting[part]] if part in counting else every
                if actors and (actors[0] in stops or (actors[0], other) in bars):
                    why = self._hindering([(actor, other) for actor in actors])
                    if why is not None:
                        return Found(frozenset([part]), frozenset([why]), ([(actors[0], other)],), spare=([],))
        return None

    @cached_property
    def _stops(self) -> Any:
        return self._speaking("stops", 2).index((1,))

    @cached_property
    def _bars(self) -> Any:
        return self._speaking("bars", 3).index((1, 2))

    def _hindering(self, pairs: Iterable[Pair]) -> Part | None:
        """Return a restriction that forbids each of `pairs`, None if no single one does."""
        stops, bars = self._stops, self._bars
        common: list[Part] | None = None
        for pair in pairs:
            if pair not in bars and pair[0] not in stops:
                return None
            here = [row[0] for row in (*stops.get(pair[0], ()), *bars.get(pair, ()))]
            common = here if common is None else [part for part in common if part in here]
            if not common:
                return None
        return common[0] if common else None

    def _torn(self) -> Found | None:
        """Return two requirements that ask different things of a creature that can do one thing only, and what says so."""
        for actor, parts in self._asked.items():
            if len(parts) == 1:
                continue
            slots = self._speaking("slots", 3).index((1,)).get(actor, ())
            limit = next((part for part, _, number in slots if number == 1), None)
            if limit is None:
                continue
            one, others = next(iter(parts.items()))
            for another, there in parts.items():
                if not set(others).intersection(there):
                    first, second = (actor, others[0]), (actor, there[0])
                    # In a declaration that obeys as much as can be this creature does one of the two.
                    done = {other for acting, other in self._position.bound.attempt if acting == actor}
                    spare = [pair for pair, asked in ((first, others), (second, there)) if not done.isdisjoint(asked)]
                    witnesses = [[pair] for pair in (first, second) if pair not in spare]
                    return Found(
                        frozenset([one, another]),
                        frozenset([limit]),
                        (*witnesses, [first, second]),
                        spare=tuple([pair] for pair in spare),
                    )
        return None

    def _crowded(self) -> Found | None:
        """Return a requirement that something is acted on, and what keeps everybody from it: restrictions, and what else each has to do."""
        if self._position.kind_of or not self._asked:
            return None
        counting, every = self._speaking("counts_for", 2).index((0,)), list(self._speaking("actor", 1).rows)
        slots = self._speaking("slots", 3).index((1,))
        for part, other, number in self._speaking("asks_attacker", 3).rows:
            if number > 1 or len(every) > _MOST_ACTORS:
                continue
            busy: dict[Any, tuple[Part, Any]] = {}
            barred: dict[Part, Any] = {}
            limits: set[Part] = set()
            for actor in [actor for _, actor in counting[part]] if part in counting else every:
                why = self._hindering([(actor, other)])
                if why is not None:
                    barred.setdefault(why, actor)
                    continue
                limit = next((one for one, _, most in slots.get(actor, ()) if most == 1), None)
                asked = ((one, others[0]) for one, others in self._asked.get(actor, {}).items() if other not in others)
                doing = next(asked, None)
                if limit is None or doing is None:
                    break
                busy[actor] = doing
                limits.add(limit)
            else:
                if busy:
                    return self._crowd(part, other, busy, barred, limits)
        return None

    def _crowd(self, part: Part, other: Any, busy: Mapping[Any, tuple[Part, Any]], barred: Mapping[Part, Any], limits: set[Part]) -> Found:
        """Return what keeps everybody from acting on `other`, as `part` asks, and declarations in which all but one of these hold."""
        does = {actor: (actor, instead) for actor, (_, instead) in busy.items()}
        witnesses = [list(does.values()), [*does.values(), (next(iter(busy)), other)]]
        witnesses += [[*does.values(), (actor, other)] for actor in barred.values()]
        free = next(iter(busy))
        witnesses.append([*(pair for actor, pair in does.items() if actor != free), (free, other)])
        # Nothing bars any of the others from it either, and each does one thing: what shows it of one shows it of all.
        elsewhere = dict.fromkeys([one for one, _ in busy.values()], ("elsewhere", part))
        return Found(frozenset([part, *elsewhere]), frozenset([*limits, *barred]), tuple(witnesses), elsewhere)


def _source(restriction: Part) -> Any:
    """Return what states a restriction, whoever has it."""
    return restriction if isinstance(restriction, str) else restriction[0]
