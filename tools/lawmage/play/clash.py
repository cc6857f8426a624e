"""A smallest set of restrictions and requirements that cannot all hold together: a clash, of which nothing can be left out.

That parts cannot hold together is shown by counting (`lawmage.play.clash_flow`) where that is possible, else by a search in which each
is an assumption (asp/508-clash.lp, asp/509-clash.lp). That a part cannot be left out is shown by a declaration that keeps and obeys all
others: what a declaration breaks and obeys is what asp/ says of it, as of a proposal.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, product
from pathlib import Path
from typing import Any

import clingo

from lawmage.play.clash_flow import Numbers, can_hold
from lawmage.play.clash_parts import Pair, Part, alike_parts, sorted_parts
from lawmage.play.plain_clash import PlainClash
from lawmage.play.quick import Judged, Position
from lawmage.play.stratified import order, value_of

__all__ = ["find_clash", "shown_at_once"]

#: Conflicts allowed to a search that only comes first; few where nothing has to be counted.
_SHORT = "500"
#: Where no more pairs than this can be declared, all declarations are listed.
_FEW_PAIRS = 6
#: Declarations that show what is needed are guessed where no more parts than this clash.
_GUESSED = 4


def find_clash(
    position: Position,
    numbers: Path,
    search: Callable[[], clingo.Control | None],
    *,
    seconds: float,
    plain: bool = False,
    at_once: PlainClash | None = None,
    said: Callable[[Part], Any] | None = None,
) -> tuple[Part, ...]:
    """Return restrictions and requirements that cannot hold together and of which none could be left out.

    Args:
        position: what the player may declare.
        numbers: the entry program that states what restrictions allow and requirements ask.
        search: grounds the program of the search; None if it is too large.
        seconds: the time allowed.
        plain: whether a short search comes first: counting takes longer to get ready the first time.
        at_once: what shows at once, if that was looked for.
        said: returns a key that parts have in common which one sentence states; then no sentence could be left out, either.

    Returns:
        The parts, sorted; none if all can hold, or if the time was over before that was settled.

    Raises:
        NotEvaluatedError: if asp/ has to be run by clingo even to judge a declaration.
    """
    shown = None if at_once is None else shown_at_once(at_once, said)
    if shown is not None:
        return shown
    searching = _Searching(search, seconds)
    if plain:
        with suppress(_TimeOverError):
            core = searching.smallest()
            return sorted_parts(_in_sentences(core, said, searching.parts, searching))
    with suppress(_TimeOverError):
        found = Numbers.of(position.stated(numbers))
        few = len(found.actors) * len(found.objects) <= _FEW_PAIRS
        exact = _Listing(position, found) if few else searching
        core = _Counting(position, found, exact).smallest()
        return sorted_parts(_in_sentences(core, said, found.parts, exact))
    return ()


def shown_at_once(at_once: PlainClash, said: Callable[[Part], Any] | None) -> tuple[Part, ...] | None:
    """Return what `find_clash` does, if it shows at once; None if it does not."""
    shown = at_once.parts()
    return sorted_parts(shown) if shown is not None and (said is None or _whole_sentences(shown, said, at_once)) else None


def _whole_sentences(clash: Collection[Part], said: Callable[[Part], Any], at_once: PlainClash) -> bool:
    """Tell whether the sentences of a clash state no other restrictions: with these one of them could be left out."""
    by_text = {key for part in clash if (key := said(part)) != part}
    return not by_text or not any(said(part) in by_text for part in at_once.restrictions() if part not in clash)


def _in_sentences(
    core: frozenset[Part], said: Callable[[Part], Any] | None, parts: Collection[Part], exact: _Listing | _Searching
) -> frozenset[Part]:
    """Return a clash of which no sentence can be left out: one may state several restrictions, of which `core` has some."""
    if said is None or not core:
        return core
    by_sentence: defaultdict[Any, set[Part]] = defaultdict(set)
    for part in {*parts, *core}:
        by_sentence[said(part)].add(part)
    sentences = {said(part) for part in core}
    for left_out in sorted(sentences, key=str):
        others = frozenset().union(*(by_sentence[sentence] for sentence in sentences if sentence != left_out))
        smaller = exact.clash(others)[0] if others - core else frozenset()
        if smaller:
            for part in sorted(smaller, key=order):
                if part in smaller:
                    smaller = exact.clash(smaller - {part})[0] or smaller
            return _in_sentences(smaller, said, parts, exact)
    return core


def _failing(numbers: Numbers, judged: Judged) -> frozenset[Part]:
    """Return all parts that a declaration does not keep or obey."""
    broken = (why for _, why, *_ in judged.violated)
    return (numbers.requirements - judged.obeyed).union(broken, numbers.broken(judged.pairs))


class _Listing:
    """Looks for clashes on a small board by listing all declarations."""

    def __init__(self, position: Position, numbers: Numbers) -> None:
        self._position = position
        self._numbers = numbers

    @cached_property
    def _all(self) -> list[frozenset[Part]]:
        pairs = list(product(self._numbers.actors, self._numbers.objects))
        return [_failing(self._numbers, judged) for judged in self._position.all_told(pairs)]

    def clash(self, among: Collection[Part] | None = None) -> tuple[frozenset[Part], frozenset[Part]]:
        """Return what `_Searching.clash` returns."""
        kept = frozenset().union(*self._all) if among is None else frozenset(among)
        failing = next((each for each in self._all if kept.isdisjoint(each)), None)
        return (kept, frozenset()) if failing is None else (frozenset(), failing)


class _TimeOverError(Exception):
    """The time for a search is over."""


class _Searching:
    """Looks for clashes by a search alone."""

    def __init__(self, search: Callable[[], clingo.Control | None], seconds: float) -> None:
        self._search = search
        self._deadline = time.monotonic() + seconds

    @cached_property
    def _control(self) -> clingo.Control:
        control = self._search() if time.monotonic() < self._deadline else None
        if control is None:
            raise _TimeOverError
        return control

    @cached_property
    def _literals(self) -> Mapping[Part, int]:
        """What is assumed of each part: that it is kept or obeyed."""
        atoms = self._control.symbolic_atoms
        kept = {_part(atom.symbol): -atom.literal for atom in atoms.by_signature("given_up", 1)}
        return kept | {_part(atom.symbol): atom.literal for atom in atoms.by_signature("met", 4)}

    @property
    def parts(self) -> Collection[Part]:
        """All restrictions and requirements."""
        return self._literals.keys()

    def clash(self, among: Collection[Part] | None = None, conflicts: str = "umax") -> tuple[frozenset[Part], frozenset[Part]]:
        """Return parts that cannot hold together, or none and the parts that a declaration fails which all others hold in.

        Args:
            among: the parts to look among, None for all.
            conflicts: how often the search may go wrong before it is given up.

        Raises:
            _TimeOverError: if that, or the time, was not enough.
        """
        parts = {literal: part for part, literal in self._literals.items() if among is None or part in among}
        configuration = self._control.configuration.solve
        assert isinstance(configuration, clingo.Configuration)
        configuration.solve_limit = conflicts
        with self._control.solve(assumptions=sorted(parts), yield_=True, async_=True) as handle:
            handle.resume()
            if not handle.wait(max(0.0, self._deadline - time.monotonic())):
                handle.cancel()
                raise _TimeOverError
            model = handle.model()
            if model is not None:
                return frozenset(), frozenset(part for part, literal in self._literals.items() if not model.is_true(literal))
            if not handle.get().unsatisfiable:
                raise _TimeOverError
            return frozenset(parts[literal] for literal in handle.core()), frozenset()

    def smallest(self) -> frozenset[Part]:
        """Return a clash of which nothing can be left out, none if all can hold, by short searches."""
        core, _ = self.clash(conflicts=_SHORT)
        for part in sorted(core, key=order):
            if part in core:
                core = self.clash(core - {part}, _SHORT)[0] or core
        return core


class _Counting:
    """Looks for a clash by counting, and by a search where that does not tell."""

    def __init__(self, position: Position, numbers: Numbers, searching: _Searching | _Listing) -> None:
        self.position = position
        self.numbers = numbers
        self.searching = searching
        #: For each declaration looked at, all parts that it does not keep or obey.
        self.failing: list[frozenset[Part]] = [_failing(numbers, judged) for judged in position.known]

    def smallest(self) -> frozenset[Part]:
        """Return a clash of which nothing can be left out, none if all can hold."""
        core = self._first() if all(self.failing) else frozenset()
        if len(core) <= _GUESSED:
            self._learn(self._guesses(core))
        while core:
            for alike in (True, False):
                if self._needed(core) != core:
                    core, witnesses = self._shrunk(core, alike=alike)
                    self._learn(witnesses)
            smaller = self._searched(core)
            if not smaller:
                return core
            core = smaller
        return core

    def _learn(self, declarations: Sequence[Collection[Pair]]) -> None:
        self.failing += [_failing(self.numbers, judged) for judged in self.position.told(declarations)]

    def _needed(self, core: frozenset[Part]) -> frozenset[Part]:
        """Return the parts without which the others of `core` hold in some declaration that is known, or in one like it."""
        lacking = (failing & core for failing in self.failing)
        needed = {part for parts in lacking if len(parts) == 1 for part in parts}
        like = self._alike(core)
        keys = {like[part] for part in needed}
        return frozenset(part for part in core if like[part] in keys)

    def _alike(self, core: frozenset[Part]) -> dict[Part, Any]:
        """Return what `alike_parts` returns."""
        return alike_parts(core, self.position.kind_of)

    def _first(self) -> frozenset[Part]:
        """Return parts that cannot hold together; none if all can."""
        cut, attempt = can_hold(self.numbers, self.numbers.parts)
        if cut:
            return cut
        self._learn([attempt])
        return self.searching.clash()[0] if self.failing[-1] else frozenset()

    def _guesses(self, core: frozenset[Part]) -> list[list[Pair]]:
        """Return a declaration for each part not known to be needed, in which all others of `core` may hold; no choice is weighed."""
        numbers = self.numbers
        asked: list[tuple[Part, Any, Collection[Any]]]
        asked = [(part, actor, others) for actor, those in numbers.asks_pair.items() for part, others in those.items() if part in core]
        asked += [(part, actor, numbers.objects) for actor, parts in numbers.asks_actor.items() for part in parts if part in core]
        asked_of = [(part, other, number) for other, limits in numbers.asks_object.items() for part, number in limits if part in core]
        guesses: list[list[Pair]] = []
        for without in core - self._needed(core):
            kept = core - {without}
            pairs: list[Pair] = []
            acting: set[Any] = set()
            for part, actor, others in asked:
                if part in kept and (actor not in acting or len(others) == 1):
                    acting.add(actor)
                    pairs += [(actor, other) for other in islice((one for one in others if numbers.allowed(kept, actor, one)), 1)]
            for part, other, number in asked_of:
                if part in kept:
                    able = (actor for actor in numbers.actors if actor not in acting and numbers.allowed(kept, actor, other))
                    joining = list(islice(able, max(0, number - sum(at == other for _, at in pairs))))
                    acting.update(joining)
                    pairs += [(actor, other) for actor in joining]
            guesses.append(list(dict.fromkeys(pairs)))
        return guesses

    def _shrunk(self, core: frozenset[Part], *, alike: bool) -> tuple[frozenset[Part], list[Collection[Pair]]]:
        """Leave out what counting can do without; return the rest, and declarations that should each do without one part alone.

        If something like a part could not be left out, that part is not tried again with `alike`: the same declaration, with what the
        parts are about exchanged, should show it.
        """
        witnesses: list[Collection[Pair]] = []
        numbers = self.numbers.only(core)
        needed = self._needed(core)
        like = self._alike(core)
        tried: set[Any] = set()
        left_in: list[Part] = []
        found: dict[tuple[str, int], tuple[Collection[Pair], Any, Any]] = {}
        # Requirements are left out before restrictions are.
        for part in sorted(core, key=lambda part: (part not in self.numbers.requirements, order(part))):
            if part not in core or part in needed or like[part] in tried:
                continue
            kind, actor, other = self.numbers.places.get(part, (None, None, None))
            if alike and kind in found:
                there, actor_there, other_there = found[kind]
                witnesses.append(_exchanged(there, (actor, actor_there), (other, other_there)))
                continue
            cut, attempt = can_hold(numbers, core - {part})
            if cut:
                core = cut
                like = self._alike(core)
                tried = {like[each] for each in left_in if each in core}
                continue
            witnesses.append(attempt)
            tried.add(like[part])
            left_in.append(part)
            if kind is not None:
                found[kind] = attempt, actor, other
        return core, witnesses

    def _searched(self, core: frozenset[Part]) -> frozenset[Part]:
        """Return parts of `core` that clash without one that is not known to be needed; none if all are."""
        needed = self._needed(core)
        while needed != core:
            smaller, failing = self.searching.clash(core - {min(core - needed, key=order)})
            if smaller:
                return smaller
            if failing.isdisjoint(core):
                # Counting and the search contradict each other: rather nothing than something wrong.
                raise _TimeOverError
            self.failing.append(failing)
            needed = self._needed(core)
        return frozenset()


def _exchanged(pairs: Collection[Pair], actors: tuple[Any, Any], others: tuple[Any, Any]) -> list[Pair]:
    """Return a declaration in which two actors, and two of what they act on, have changed places."""
    places = ({actors[0]: actors[1], actors[1]: actors[0]}, {others[0]: others[1], others[1]: others[0]})
    return [(places[0].get(actor, actor), places[1].get(other, other)) for actor, other in pairs]


def _part(atom: clingo.Symbol) -> Part:
    values = [value_of(argument) for argument in atom.arguments]
    return values[0] if atom.name == "given_up" else tuple(values)
