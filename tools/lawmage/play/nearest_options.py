"""The ways, modes and optional costs that there are for a play, those first that differ least from what was proposed."""

from __future__ import annotations

import itertools
import math
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lawmage.play.one_change import Raw
from lawmage.play.play_choices import mode_named
from lawmage.play.play_problem import Offered, PlayProblem, Way

__all__ = ["MOST_TARGETS", "Options", "Settled", "UnclearError", "WayChosen", "apart"]

#: An optional cost as a proposal names it.
Extra: TypeAlias = str | Mapping[str, str]
#: The keys that name the way, by what is judged; the first is the one that is set.
_WAY_KEYS = {"cast": ("using",), "activate": ("ability", "using"), "special": ("special", "using"), "trigger": ("ability",)}
#: A cost that can be paid any number of times is tried so often beyond what was proposed.
_MOST_MORE = 2
#: Of so many lists of modes those that are longer are not looked at, nor more targets than this.
_MOST_LISTS, MOST_TARGETS = 1_000, 40
#: More optional costs than this are not looked at, nor more ways, modes and optional costs together.
_MOST_EXTRAS, _MOST_TOGETHER = 12, 20_000


class UnclearError(Exception):
    """Something that could be nearer is not settled."""


@dataclass(frozen=True, slots=True)
class WayChosen:
    """A way to do it: the one that was proposed, or one that goes by `name`; None for no name at all."""

    is_proposed: bool
    name: str | None = None

    def applied(self, raw: Raw, kind: str) -> dict[str, Any]:
        """Return a proposal with this way."""
        if self.is_proposed:
            return dict(raw)
        key, *others = _WAY_KEYS[kind]
        kept = {one: value for one, value in raw.items() if one not in others and (one != key or self.name is not None)}
        return kept if self.name is None else {**kept, key: self.name}


@dataclass(frozen=True, slots=True)
class Settled:
    """Way, modes and optional costs: how many of them are other ones than was proposed, and the proposal with them and no other part."""

    changes: int
    way: WayChosen
    raw: Raw


class Options:
    """The ways, modes and optional costs that there are.

    Args:
        kind: what is judged.
        bare: the proposal without what is found later.
        problem: its facts.
        settled: returns the facts of a proposal with each choice of what it leaves open.
    """

    def __init__(self, kind: str, bare: Raw, problem: PlayProblem, settled: Callable[[Raw], Iterable[PlayProblem]]) -> None:
        self.kind = kind
        self.bare = bare
        self._settled = settled
        self.ways = tuple(self._ways(problem.ways))
        self.offered = tuple(_as_extras(problem.offered))
        #: With so many changes, or more, not everything is looked at.
        self.incomplete = 1 + _MOST_MORE if any(one.repeatable for one in problem.offered) else sys.maxsize
        self.modes = {way: self._modes_of(way, problem) for way in self.ways}
        self.extras = sorted(self._extras(problem.offered), key=lambda found: found[0])

    def settled(self, other_way: int = 1) -> Iterator[Settled]:
        """Yield all together, those first that differ least from what was proposed; another way counts as so many changes."""
        if sum(map(len, self.modes.values())) * len(self.extras) > _MOST_TOGETHER:
            raise UnclearError
        together = ((way, modes) for way in self.ways for modes in self.modes[way])
        chosen = ((way, modes, extras) for (way, modes), extras in itertools.product(together, self.extras))
        changed = [
            (modes[0] + extras[0] + (0 if way.is_proposed else other_way), way, modes[1], extras[1]) for way, modes, extras in chosen
        ]
        for changes, way, modes, extras in sorted(changed, key=lambda one: one[0]):
            if changes >= self.incomplete:
                raise UnclearError
            raw = way.applied(self.bare, self.kind)
            raw |= {"modes": modes} if modes is not None else {}
            raw |= {"extra": extras} if extras is not None else {}
            if not raw.get("extra", True):
                del raw["extra"]
            yield Settled(changes, way, raw)

    def _ways(self, ways: Sequence[Way]) -> Iterator[WayChosen]:
        yield WayChosen(is_proposed=True)
        proposed = self.bare.get(_WAY_KEYS[self.kind][0], ())
        asked = {name.lower() for name in ((proposed,) if isinstance(proposed, str) else proposed)}
        # What is cast so goes by the name of the card, too, which says no more than none.
        own = (self.bare["cast"],) if self.kind == "cast" else ()
        # Where none is named, what can be done in any way is legal.
        if self.kind != "cast" and not asked:
            return
        names = list(dict.fromkeys(_own_names([way.names for way in ways if way.names != own])))
        # Of several names that cannot go together one may stay.
        yield from (WayChosen(is_proposed=False, name=name) for name in names if len(asked) > 1 and name.lower() in asked)
        if self.kind == "cast" and asked:
            yield WayChosen(is_proposed=False)
        yield from (WayChosen(is_proposed=False, name=name) for name in names if name.lower() not in asked)

    def _modes_of(self, way: WayChosen, problem: PlayProblem) -> list[tuple[int, tuple[str, ...] | None]]:
        """Return the lists of modes that can be named for a way, those first that differ least; abilities have modes of their own."""
        problems: Iterable[PlayProblem] = [problem]
        if self.kind == "activate" and (problem.modes.each or problem.choices or "modes" in self.bare):
            raw = {key: value for key, value in way.applied(self.bare, self.kind).items() if key != "modes"}
            problems = self._settled({**raw, "modes": self.bare.get("modes", ())})
        found = dict.fromkeys(modes for one in problems for modes in self._modes(one))
        return sorted(found, key=lambda modes: modes[0])

    def _modes(self, problem: PlayProblem) -> Iterator[tuple[int, tuple[str, ...] | None]]:
        yield 0, None
        modes, again = problem.modes.each, problem.modes.again
        proposed: tuple[str, ...] = self.bare.get("modes", ())
        if not (modes or proposed):
            return
        if len(proposed) > MOST_TARGETS:
            raise UnclearError
        found = [mode_named(written, modes) for written in proposed]
        wanted = [None if mode is None else modes.index(mode) for mode in found]
        written = {place: word for place, word in zip(wanted, proposed, strict=True) if place is not None}
        # Of few modes, all lists are looked at; the same one more than once makes them as long as one likes.
        longest = len(proposed) + len(modes) if again else len(modes)
        most = min(len(proposed) + 1, longest)
        while most < longest and _lists(len(modes), most + 1, again=again) <= _MOST_LISTS:
            most += 1
        if _lists(len(modes), most, again=again) > _MOST_TOGETHER:
            raise UnclearError
        if most < len(modes) or again:
            self.incomplete = min(self.incomplete, most + 1 - len(proposed))
        for number in range(most + 1):
            places = range(len(modes))
            for chosen in itertools.product(places, repeat=number) if again else itertools.permutations(places, number):
                changes = apart(wanted, chosen)
                if changes:
                    yield changes, tuple(written.get(place, str(place + 1)) for place in chosen)

    def _extras(self, offered: Sequence[Offered]) -> Iterator[tuple[int, tuple[Extra, ...] | None]]:
        yield 0, None
        proposed: tuple[Extra, ...] = self.bare.get("extra", ())
        if self.kind != "cast":
            return
        more = [(extra,) * times for extra, one in zip(self.offered, offered, strict=True) for times in range(1, 2 + one.repeatable)]
        if len(proposed) + len(more) > _MOST_EXTRAS:
            raise UnclearError
        done: set[str] = set()
        for dropped in range(len(proposed) + 1):
            for kept in itertools.combinations(proposed, len(proposed) - dropped):
                for added in range(len(more) + 1):
                    for chosen in itertools.combinations(more, added):
                        new = tuple(itertools.chain.from_iterable(chosen))
                        if (dropped or new) and len({str(extra) for extra in new}) == added and str((kept, new)) not in done:
                            done.add(str((kept, new)))
                            yield dropped + len(new), (*kept, *new)


def _lists(things: int, number: int, *, again: bool) -> int:
    """Return how many lists of so many things there are, the same ones more than once only if `again`."""
    return int(things**number) if again else math.perm(things, number)


def _own_names(names: Sequence[tuple[str, ...]]) -> list[str]:
    """Return for each thing, of which the names are given, the first name that nothing else has; the first where it has no such."""
    known = Counter(name for those in names for name in dict.fromkeys(those))
    return [next((name for name in those if known[name] == 1), those[0]) for those in names]


def _as_extras(offered: Sequence[Offered]) -> Iterator[Extra]:
    """Yield optional costs as proposals name them."""
    named = _own_names([one.names if not one.chosen else (f"{one.names[0]} {one.chosen}",) for one in offered])
    for one, name in zip(offered, named, strict=True):
        yield {one.names[0]: one.chosen} if one.chosen else name


def apart(one: Sequence[object], other: Sequence[object]) -> int:
    """Return in how many places two lists differ, where one is replaced, added or dropped at each."""
    row = list(range(len(other) + 1))
    for number, left in enumerate(one, start=1):
        last, row[0] = row[0], number
        for place, right in enumerate(other, start=1):
            last, row[place] = row[place], min(last + (left != right), row[place] + 1, row[place - 1] + 1)
    return row[-1]
