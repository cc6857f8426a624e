"""The legal play that is nearest to one that was proposed: as few of its parts as possible are other ones.

A part is the way in which it is done, each mode, each optional cost, each target, X, each object that something is done to, and the mana.
For each choice of way, modes and optional costs, the nearest first, asp/ (entry/nearest-play.lp) says which targets there are and finds
what else has to be another thing; which of the targets can stay is an alignment of two lists. So all that is nearer has been looked at
when a play is offered, and nothing is offered where that cannot be said. What is offered has been judged like any other proposal.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import clingo

from lawmage.board import Board
from lawmage.errors import InputError
from lawmage.play.facts import Facts, Problem
from lawmage.play.mana import unread_sources
from lawmage.play.payment import BASIC, MOST, add_symbols, add_units, can_spend, in_symbols
from lawmage.play.play_words import nothing_in_words
from lawmage.play.plays_facts import Offered, Play, PlayProblem, Way, mode_named, shares
from lawmage.play.program import specialise
from lawmage.play.solver import facts_of, ground, minimum
from lawmage.play.verdict import ProposalVerdict
from lawmage.resources import data_folder
from lawmage.text.costs import read_cost
from lawmage.text.plays import Mode

__all__ = ["Found", "Judge", "NearestPlay"]

#: The proposal of a play, as `lawmage.board.Proposal.raw` has it.
Raw: TypeAlias = Mapping[str, Any]
#: An optional cost as a proposal names it.
Extra: TypeAlias = str | Mapping[str, str]

#: The keys that name the way, by what is judged; the first is the one that is set.
_WAY_KEYS = {"cast": ("using",), "activate": ("ability", "using"), "special": ("special", "using"), "trigger": ("ability",)}
#: What asp/ finds, or an alignment; everything else of a proposal is settled before.
_FOUND_LATER = ("targets", "with", "pay", "x")
#: A cost that can be paid any number of times is tried so often beyond what was proposed.
_MOST_MORE = 2
#: Of more modes than this not all choices are looked at, nor more targets than this, nor other values of X.
_MOST_MODES, _MOST_TARGETS, _MOST_X = 6, 40, 20
#: More ways, modes and optional costs together than this are not looked at.
_MOST_TOGETHER = 20_000


@dataclass(frozen=True, slots=True)
class Found:
    """A nearest legal play, or a sentence that says that there is none; neither where it is not known."""

    play: Raw | None = None
    nothing: str = ""


@dataclass(frozen=True, slots=True)
class Judge:
    """What is asked about plays on one board.

    Attributes:
        board: the board.
        problem: returns the facts of a play.
        verdict: judges a play.
    """

    board: Board
    problem: Callable[[Play], PlayProblem]
    verdict: Callable[[Play], ProposalVerdict]


class _UnclearError(Exception):
    """Something that could be nearer is not settled."""


class _UndecidedError(Exception):
    """Of the plays looked at, one that differs in `changes` parts or more may be undecided."""

    def __init__(self, changes: int) -> None:
        super().__init__(changes)
        self.changes = changes


@dataclass(frozen=True, slots=True)
class _WayChosen:
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
class _Settled:
    """Way, modes and optional costs: how many of them are other ones than was proposed, and the proposal with them and no other part."""

    changes: int
    way: _WayChosen
    raw: Raw


class NearestPlay:
    """Looks for the legal play that is nearest to `play`.

    Args:
        judge: whom to ask.
        play: what was proposed, and is illegal.
        seconds: the time allowed.
    """

    def __init__(self, judge: Judge, play: Play, *, seconds: float) -> None:
        self.judge = judge
        self.play = play
        self.deadline = time.monotonic() + seconds
        self.pool = judge.board.players[play.player].mana if play.kind != "trigger" else None
        self.price = read_cost(play.raw["pay"]) if "pay" in play.raw else None
        self.hopeless: dict[_WayChosen, bool] = {}

    def find(self) -> Found:
        """Return what is found."""
        try:
            found = self._attached() if self.play.kind == "attach" else self._played()
        except _UnclearError:
            return Found()
        return found or Found(nothing=nothing_in_words(self.play.kind, self.play.player, self.play.object))

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise _UnclearError
        return left

    def _with(self, raw: Raw) -> Play:
        return Play(self.play.kind, self.play.object, self.play.player, raw)

    def _legal(self, raw: Raw) -> bool:
        """Return whether a play that should be legal is; where it is not decided, it could be."""
        self._left()
        return self.judge.verdict(self._with(raw)).verdict == "legal"

    # ------------------------------------------------------------ attaching

    def _attached(self) -> Found | None:
        """Return the first thing in the order of the file that the object could be attached to."""
        problem = self.judge.problem(self.play)
        facts = problem.facts.copy()
        things = [*problem.base.numbers.values(), *(f"p({number})" for number in problem.base.players.values())]
        played = problem.base.numbers[self.play.object]
        for thing in things:
            facts.add("pair", played, thing)
        program = specialise(data_folder("asp") / "entry" / "attach.lp", facts.signatures)
        wrong = {str(atom.arguments[1]) for atom in facts_of(ground(facts.text(program.takes), rules=program.text))}
        names = _names(problem.base)
        fine = [names[str(thing)] for thing in things if str(thing) not in wrong]
        for name in fine:
            raw = {**self.play.raw, "to": name}
            if self._legal(raw):
                return Found(raw)
        if fine or problem.unread or problem.base.conditions:
            raise _UnclearError
        return None

    # ------------------------------------------------------------ all other plays

    def _played(self) -> Found | None:
        options = self._options()
        best: tuple[int, Raw] | None = None
        unclear: int | None = None
        for number, settled in enumerate(options.settled()):
            if number == 1 and all(self._is_hopeless(way, options) for way in options.ways):
                return None
            if best is not None and settled.changes >= best[0]:
                break
            if unclear is not None and settled.changes > unclear:
                raise _UnclearError
            if number and self._is_hopeless(settled.way, options):
                continue
            try:
                found = self._completed(settled)
            except _UndecidedError as undecided:
                unclear = min(undecided.changes, undecided.changes if unclear is None else unclear)
                continue
            if found is not None and (best is None or found[0] < best[0]):
                best = found
        if unclear is not None and (best is None or unclear < best[0]):
            raise _UnclearError
        return None if best is None else Found(best[1])

    def _options(self) -> _Options:
        bare = {key: value for key, value in self.play.raw.items() if key not in _FOUND_LATER}
        return _Options(self.play.kind, bare, self.judge.problem(self._with(bare)))

    def _is_hopeless(self, way: _WayChosen, options: _Options) -> bool:
        """Return whether nothing is legal in a way, whatever modes and optional costs are chosen.

        To choose modes allows nothing that could not be done with none chosen yet, nor do several optional costs allow what no single
        one does, but that somebody helps with the mana, which is left out of it where there are such costs.
        """
        if way not in self.hopeless:
            raw = {key: value for key, value in way.applied(options.bare, self.play.kind).items() if key not in ("modes", "extra")}
            raws = [raw, *({**raw, "extra": (extra,)} for extra in options.offered)]
            self.hopeless[way] = not any(self._may_be_possible(one, mana=not options.offered) for one in raws)
        return self.hopeless[way]

    def _may_be_possible(self, raw: Raw, *, mana: bool) -> bool:
        problem = self.judge.problem(self._with(raw))
        if problem.unread or problem.base.conditions:
            return True
        return self._solved(problem, mana=mana) is not None or (mana and self._is_doubtful(problem))

    def _completed(self, settled: _Settled) -> tuple[int, Raw] | None:
        """Return the nearest legal play of those with certain ways, modes and optional costs, and how many parts are other ones."""
        problem = self.judge.problem(self._with(settled.raw))
        if problem.unread or problem.base.conditions:
            raise _UndecidedError(settled.changes)
        atoms = self._solved(problem)
        if atoms is None:
            if self._is_doubtful(problem):
                raise _UndecidedError(settled.changes)
            return None
        solved = _Solution(atoms, problem, self.play.raw)
        targets = self._targets(problem, solved)
        if targets is None:
            return None
        changes = settled.changes + solved.changes + targets[0]
        later: dict[str, Any] = {"targets": targets[1], "with": solved.given(), "pay": solved.pay(), "x": solved.x()}
        raw = {key: later.get(key, value) for key, value in self.play.raw.items() if key in settled.raw or key in _FOUND_LATER}
        raw |= settled.raw
        if solved.x():
            raw["x"] = solved.x()
        try:
            if not self._legal(raw):
                raise _UndecidedError(settled.changes)
        except InputError:
            raise _UndecidedError(settled.changes) from None
        return changes, raw

    def _is_doubtful(self, problem: PlayProblem) -> bool:
        """Return whether what cannot be paid is undecided rather than illegal."""
        if self.pool is not None and unread_sources(self.judge.board, self.play.player):
            return True
        checked = self.price is not None or self.pool is not None
        return checked and "with" not in self.play.raw and any(problem.facts.rows("takes_off", 3))

    def _targets(self, problem: PlayProblem, solved: _Solution) -> tuple[int, tuple[str, ...]] | None:
        """Return the legal targets that are nearest to those that were proposed, and how many of them are other ones."""
        wanted = self.play.raw.get("targets")
        if wanted is None:
            return 0, ()
        aims = problem.aims if solved.asked else ()
        least = sum(aim.least for aim in aims)
        most = sum(len(wanted) + 1 if aim.most is None else aim.most for aim in aims)
        if max(least, len(wanted)) > _MOST_TARGETS:
            raise _UnclearError
        found: tuple[int, tuple[str, ...]] | None = None
        for number in sorted(range(least, min(most, _MOST_TARGETS) + 1), key=lambda number: (abs(number - len(wanted)), number)):
            slots = [aim for aim, share in enumerate(shares(aims, number), start=1) for _ in range(share)]
            fitting = aligned(wanted, slots, solved.legal)
            if fitting is not None and (found is None or fitting[0] < found[0]):
                found = fitting
        return found

    # ------------------------------------------------------------ what asp/ is asked

    def _solved(self, problem: PlayProblem, *, mana: bool = True) -> Sequence[clingo.Symbol] | None:
        """Return what asp/ finds for a play of which only the parts that are found later are open; None if nothing is legal."""
        facts = problem.facts.copy()
        numbers = problem.base.numbers
        if "with" in self.play.raw:
            facts.add("named")
            for verb, names in self.play.raw["with"].items():
                for name in names:
                    facts.add("was_given", verb, numbers[name])
        checked = mana and (self.price is not None or self.pool is not None)
        if any(row[1] == "x" for row in facts.rows("mana_of", 3)):
            was = min(self.play.raw.get("x", 0), MOST)
            facts.add("was_x", was)
            for value in {was, *(range(_MOST_X + 1) if checked else ())}:
                facts.add("may_be_x", value)
        if checked:
            self._mana(facts, helped=problem.helped)
        atoms = self._minimum(facts)
        if atoms is not None and checked and not self._is_affordable(atoms):
            facts.add("unaffordable")
            atoms = self._minimum(facts)
        return atoms

    def _minimum(self, facts: Facts) -> Sequence[clingo.Symbol] | None:
        program = specialise(data_folder("asp") / "entry" / "nearest-play.lp", facts.signatures)
        control = ground(facts.text(program.takes), rules=program.text)
        atoms = minimum(control, seconds=self._left())
        self._left()
        return atoms

    def _mana(self, facts: Facts, *, helped: bool) -> None:
        """Add the mana that was named, and what there is; where that is not said, any."""
        rows = (*facts.rows("mana_of", 3), *facts.rows("mana_cost", 3), *facts.rows("more", 3), *facts.rows("less", 3))
        add_symbols(facts, sorted({str(row[1]).strip('"') for row in rows} - {"x"}))
        if helped:
            facts.add("helped")
        named = dict(self.price.mana) if self.price is not None else {}
        if self.price is not None:
            facts.add("mana_named")
            facts.add("exact_help")
            add_units(facts, "was_paid", named)
            if self.price.life:
                facts.add("was_life", self.price.life)
            for number, kind in enumerate((*BASIC[1:], BASIC[0]), start=1):
                facts.add("rank", kind, number)
        facts.add("has_pool")
        if self.pool is None:
            facts.add("pool", 0, MOST)
            for kind in BASIC:
                facts.add("may", 0, kind)
            return
        add_units(facts, "pool", _mana_in(self.pool), after=len(named))
        facts.add("adds_mana")

    def _is_affordable(self, atoms: Iterable[clingo.Symbol]) -> bool:
        """Return whether the mana that was named is there, if it is paid."""
        if self.price is None or self.pool is None or any(atom.name == "repaid" for atom in atoms):
            return True
        sources: dict[str, set[str]] = {}
        for atom in atoms:
            if atom.name == "source":
                sources.setdefault(str(atom.arguments[:2]), {"generic"}).add(atom.arguments[2].name)
        return can_spend(self.price.mana, _mana_in(self.pool).items(), sources)


def _mana_in(pool: str) -> Mapping[str, int]:
    price = read_cost(pool)
    mana = {} if price is None else dict(price.mana)
    if any(amount > MOST for amount in mana.values()):
        raise _UnclearError
    return mana


# ---------------------------------------------------------------- way, modes and optional costs


class _Options:
    """The ways, modes and optional costs that there are.

    Args:
        kind: what is judged.
        bare: the proposal without what is found later.
        problem: its facts.
    """

    def __init__(self, kind: str, bare: Raw, problem: PlayProblem) -> None:
        self.kind = kind
        self.bare = bare
        self.ways = tuple(self._ways(problem.ways))
        self.offered = tuple(_as_extras(problem.offered))
        #: With so many changes, or more, not everything is looked at.
        self.incomplete = (
            2 if len(problem.modes) > _MOST_MODES else 1 + _MOST_MORE if any(one.repeatable for one in problem.offered) else None
        )
        self.modes = sorted(self._modes(problem.modes), key=lambda found: found[0])
        self.extras = sorted(self._extras(problem.offered), key=lambda found: found[0])

    def settled(self) -> Iterator[_Settled]:
        """Yield all together, those first that differ least from what was proposed."""
        if len(self.ways) * len(self.modes) * len(self.extras) > _MOST_TOGETHER:
            raise _UnclearError
        together = [
            (modes[0] + extras[0] + (not way.is_proposed), number)
            for number, (way, modes, extras) in enumerate(itertools.product(self.ways, self.modes, self.extras))
        ]
        chosen = list(itertools.product(self.ways, self.modes, self.extras))
        for changes, number in sorted(together):
            if self.incomplete is not None and changes >= self.incomplete:
                raise _UnclearError
            way, (_, modes), (_, extras) = chosen[number]
            raw = way.applied(self.bare, self.kind)
            for key, value in (("modes", modes), ("extra", extras)):
                if value is not None:
                    raw[key] = value
            if not raw.get("extra", True):
                del raw["extra"]
            yield _Settled(changes, way, raw)

    def _ways(self, ways: Sequence[Way]) -> Iterator[_WayChosen]:
        yield _WayChosen(is_proposed=True)
        key = _WAY_KEYS[self.kind][0]
        asked = self.bare.get(key)
        # What is cast so goes by the name of the card, too, which says no more than none.
        if self.kind == "cast" and asked is not None:
            yield _WayChosen(is_proposed=False)
        names = _apart([way.names for way in ways if self.kind != "cast" or way.names != (self.bare["cast"],)])
        for name in dict.fromkeys(names):
            if not isinstance(asked, str) or asked.lower() != name.lower():
                yield _WayChosen(is_proposed=False, name=name)

    def _modes(self, modes: Sequence[Mode]) -> Iterator[tuple[int, tuple[str, ...] | None]]:
        yield 0, None
        proposed: tuple[str, ...] = self.bare.get("modes", ())
        if self.kind != "cast" or not (modes or proposed):
            return
        found = [mode_named(written, modes) for written in proposed]
        wanted = [None if mode is None else modes.index(mode) for mode in found]
        most = len(modes) if len(modes) <= _MOST_MODES else min(len(modes), len(proposed) + 1)
        for number in range(most + 1):
            for chosen in itertools.permutations(range(len(modes)), number):
                changes = apart(wanted, chosen)
                if changes:
                    written = {place: word for place, word in zip(wanted, proposed, strict=True) if place is not None}
                    yield changes, tuple(written.get(place, str(place + 1)) for place in chosen)

    def _extras(self, offered: Sequence[Offered]) -> Iterator[tuple[int, tuple[Extra, ...] | None]]:
        yield 0, None
        proposed: tuple[Extra, ...] = self.bare.get("extra", ())
        if self.kind != "cast":
            return
        more = [(extra,) * times for extra, one in zip(self.offered, offered, strict=True) for times in range(1, 2 + one.repeatable)]
        for dropped in range(len(proposed) + 1):
            for kept in itertools.combinations(proposed, len(proposed) - dropped):
                for added in range(len(more) + 1):
                    for chosen in itertools.combinations(more, added):
                        new = tuple(itertools.chain.from_iterable(chosen))
                        if (dropped or new) and len({str(extra) for extra in new}) == added:
                            yield dropped + len(new), (*kept, *new)


def _apart(names: Sequence[tuple[str, ...]]) -> list[str]:
    """Return for each thing, of which the names are given, the first name that nothing else has; the first where it has no such."""
    known = Counter(name for those in names for name in dict.fromkeys(those))
    return [next((name for name in those if known[name] == 1), those[0]) for those in names]


def _as_extras(offered: Sequence[Offered]) -> Iterator[Extra]:
    """Yield optional costs as proposals name them."""
    named = _apart([one.names if not one.chosen else (f"{one.names[0]} {one.chosen}",) for one in offered])
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


# ---------------------------------------------------------------- targets


def aligned(wanted: Sequence[str], slots: Sequence[int], legal: Mapping[int, Sequence[str]]) -> tuple[int, tuple[str, ...]] | None:
    """Return a list that differs from `wanted` as little as possible, and in how many places (see `apart`).

    Args:
        wanted: names.
        slots: for each place of the list, for which instance of "target" it is; those for the same one stand together.
        legal: the names that may stand in the places of each, in the order in which they are taken; each once for the same instance.

    Returns:
        None if there are not enough names.
    """
    if any(len(legal.get(aim, ())) < number for aim, number in Counter(slots).items()):
        return None

    @cache
    def best(first: int, place: int, kept: frozenset[str]) -> tuple[int, tuple[str | None, ...]]:
        """Return what the rest of the list costs, and which names stay in it; `kept` are those that stay before, for the same instance."""
        if place == len(slots):
            return len(wanted) - first, ()
        here = kept if place and slots[place] == slots[place - 1] else frozenset()
        ways = []
        if first < len(wanted):
            name = wanted[first]
            if name in legal[slots[place]] and name not in here:
                cost, rest = best(first + 1, place + 1, here | {name})
                ways.append((cost, (name, *rest)))
            cost, rest = best(first + 1, place + 1, here)
            ways.append((cost + 1, (None, *rest)))
            cost, rest = best(first + 1, place, here)
            ways.append((cost + 1, rest))
        cost, rest = best(first, place + 1, here)
        ways.append((cost + 1, (None, *rest)))
        return min(ways, key=lambda way: way[0])

    cost, kept = best(0, 0, frozenset())
    names: list[str] = []
    for aim, group in itertools.groupby(zip(slots, kept, strict=True), key=lambda pair: pair[0]):
        places = [name for _, name in group]
        others = iter([name for name in legal[aim] if name not in places])
        names += [next(others) if name is None else name for name in places]
    return cost, tuple(names)


# ---------------------------------------------------------------- what asp/ found


def _names(problem: Problem) -> dict[str, str]:
    """Return the names of objects and players by what they are called in asp/."""
    return {str(number): name for number, name in problem.holders.items()} | {
        f"p({number})": name for name, number in problem.players.items()
    }


class _Solution:
    """What asp/ found: what is done to pay, X, the mana; and the legal targets.

    Attributes:
        asked: whether there are targets to choose.
        legal: the legal targets for each instance of the word, in the order of the file, players last.
        changes: how many parts are other ones than was proposed.
    """

    def __init__(self, atoms: Sequence[clingo.Symbol], problem: PlayProblem, proposed: Raw) -> None:
        self.proposed = proposed
        self.atoms: dict[str, list[list[clingo.Symbol]]] = {}
        for atom in sorted(atoms):
            self.atoms.setdefault(atom.name, []).append(atom.arguments)
        self.names = _names(problem.base)
        self.asked = "asks" in self.atoms
        self.legal: dict[int, list[str]] = {aim.number: [] for (aim,) in self._of("asks")}
        for aim, target in self._of("legal_target"):
            self.legal.setdefault(aim.number, []).append(self.names[str(target)])
        self.repaid = "repaid" in self.atoms
        self.changes = self.repaid + (self.x() is not None) + sum(number.number for _, number in self._of("changed"))

    def _of(self, name: str) -> list[list[clingo.Symbol]]:
        return self.atoms.get(name, [])

    def x(self) -> int | None:
        """Return another value of X; None where it stays."""
        found = next((value.number for (value,) in self._of("x_value")), None)
        was = self.proposed.get("x", 0)
        return found if found is not None and found != min(was, MOST) else None

    def given(self) -> Mapping[str, tuple[str, ...]]:
        """Return what is done to which objects: those that stay first, in their order."""
        was: Mapping[str, tuple[str, ...]] = self.proposed.get("with", {})
        found: dict[str, list[str]] = {verb: [] for verb in was}
        for verb, thing in self._of("given"):
            found.setdefault(verb.name, []).append(self.names[str(thing)])
        ordered = {
            verb: (*(name for name in was.get(verb, ()) if name in names), *(name for name in names if name not in was.get(verb, ())))
            for verb, names in found.items()
        }
        return {verb: names for verb, names in ordered.items() if names}

    def pay(self) -> str:
        """Return the mana, and the life, that is paid."""
        if not self.repaid:
            return str(self.proposed.get("pay", ""))
        mana: Counter[str] = Counter()
        for unit, kind, number in self._of("spends"):
            if not (unit.type is clingo.SymbolType.Function and unit.name == "help"):
                mana[kind.name] += number.number
        life = sum(number.number for (number,) in self._of("for_life"))
        done = [way.number for (way,) in self._of("done")]
        life += sum(number.number for way, number in self._of("owes_life") if way.number in done)
        paid = in_symbols(+mana)
        return f"{paid}, {life} life" if life else paid
