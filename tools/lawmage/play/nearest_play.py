"""The legal play that is nearest to one that was proposed: as few of its parts as possible are other ones.

A part is the way in which it is done, each mode, each optional cost, each target, X, each object that something is done to, and the mana.
A legal play of which a single part is another one is looked for first (`one_change`), as nothing is nearer. Where none is found so, for
each choice of way, modes and optional costs, the nearest first, asp/ (entry/nearest-play.lp) finds the other parts so that as few as
possible are other ones; X is tried. So all that is nearer has been looked at when a play is offered, and nothing is offered where that
cannot be said. What is offered has been judged like any other proposal.
"""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import clingo

from lawmage.board import Board
from lawmage.errors import InputError
from lawmage.play.derived import Model, searched, shown_by
from lawmage.play.facts import Facts
from lawmage.play.mana import barred_sources, lands_changed, unread_sources
from lawmage.play.nearest_options import MOST_TARGETS, Options, Settled, UnclearError, WayChosen
from lawmage.play.nearest_solution import Solution, paid_in_words
from lawmage.play.one_change import BARRED, FOUND_LATER, UNPAID, Looked, OneChange, Raw, begin, names_in
from lawmage.play.payment import BASIC, MOST, add_symbols, add_units, can_spend
from lawmage.play.play_problem import Play, PlayProblem
from lawmage.play.play_targets import shares
from lawmage.play.play_words import nothing_in_words
from lawmage.play.program import specialise
from lawmage.play.rule_functions import NotEvaluatedError
from lawmage.play.solver import ground, minimum
from lawmage.play.stratified import Key, Row
from lawmage.play.verdict import ProposalVerdict
from lawmage.resources import data_folder
from lawmage.text.costs import read_cost

__all__ = ["Found", "Judge", "NearestPlay"]


#: What is found when all else of a proposal is settled.
_FOUND_LATER = ("targets", "with", "pay", "x")
#: What asp/601-nearest.lp and asp/118-payment.lp choose.
_CHOSEN = frozenset({("_length", 1), ("repaid", 0), ("_paired", 2), ("done", 1), ("given", 2), ("_by", 3), ("targeted", 3), ("spends", 3)})
#: So many other ways, modes and optional costs are tried before anything is searched.
_MOST_TRIED = 16
#: No greater X is looked at than this, or than the mana named.
_MOST_X = 20
#: No search waits longer, in seconds: clingo doesn't wait for ever.
_LONGEST = 86_400.0
#: On boards with more objects than this, those that nothing tells apart are not all looked at.
_FEW_OBJECTS = 12
#: More objects that something is done to are not looked at.
_MOST_GIVEN = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A nearest legal play, in how many parts it differs, or a sentence that says that there is none; neither where it is not known."""

    play: Raw | None = None
    nothing: str = ""
    changes: int = 0


@dataclass(frozen=True, slots=True)
class Judge:
    """What is asked about plays on one board.

    Attributes:
        board: the board.
        problem: returns the facts of a play.
        looks: yields a play with each choice of what it leaves open.
        verdict: judges a play.
        paid: does so where the mana is known to suffice.
        verdict_so, paid_so: the same for one of which nothing is open.
        targets_in_doubt: returns whether something that is not understood could bear on a play for some targets only.
    """

    board: Board
    problem: Callable[[Play], PlayProblem]
    looks: Callable[[Play], Iterator[Looked]]
    verdict: Callable[[Play], ProposalVerdict]
    paid: Callable[[Play], ProposalVerdict]
    verdict_so: Callable[[Looked], ProposalVerdict]
    paid_so: Callable[[Looked], ProposalVerdict]
    targets_in_doubt: Callable[[Play], bool]


class _UndecidedError(Exception):
    """Of the plays looked at, one that differs in `changes` parts or more may be undecided."""

    def __init__(self, changes: int) -> None:
        super().__init__(changes)
        self.changes = changes


class NearestPlay:
    """Looks for the legal play that is nearest to `play`.

    Args:
        judge: whom to ask.
        play: what was proposed, and is illegal.
        looked_at: it with each choice of what it leaves open.
        seconds: the time allowed.
    """

    def __init__(self, judge: Judge, play: Play, looked_at: Sequence[Looked], *, seconds: float) -> None:
        self.judge = judge
        self.play = play
        self.looked_at = looked_at
        self.deadline = time.monotonic() + min(seconds, _LONGEST)
        self.pool = judge.board.players[play.player].mana if play.kind != "trigger" else None
        self.price = read_cost(play.raw["pay"]) if "pay" in play.raw else None
        self.hopeless: dict[WayChosen, bool] = {}
        #: What there is to look at for proposals, by their parts.
        self._looked_at_before: dict[str, list[Looked]] = {}
        #: Whether all that differs in one part was looked at, and is illegal.
        self.none_at_one = True
        self.bare = {key: value for key, value in play.raw.items() if key not in _FOUND_LATER}

    def find(self, *, search: bool = True, is_illegal: bool = True) -> Found:
        """Return what is found; without `search` only what a single change makes legal, and, unless the play `is_illegal`, also itself."""
        try:
            found = self._attached() if self.play.kind == "attach" else self._played(search=search, is_illegal=is_illegal)
        except (UnclearError, InputError):
            return Found()
        return found or Found(nothing=nothing_in_words(self.play.kind, self.play.player, self.play.object))

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise UnclearError
        return left

    def _in_order(self, parts: Raw) -> Raw:
        """Return the parts of a proposal in the order of what was proposed."""
        return {key: parts[key] for key in dict.fromkeys((*self.play.raw, *parts)) if key in parts}

    def _with(self, raw: Raw) -> Play:
        return replace(self.play, raw=raw)

    def _looks(self, raw: Raw) -> list[Looked]:
        """Return what there is to look at for a proposal; that it is paid is among the facts, how is not."""
        key = str(sorted((name, part if name != "pay" else "") for name, part in raw.items()))
        found = self._looked_at_before.get(key)
        if found is None:
            found = self._looked_at_before[key] = list(self.judge.looks(self._with(raw)))
        return [one if one.play.raw.get("pay") == raw.get("pay") else replace(one, play=_paying(one.play, raw["pay"])) for one in found]

    def _settled(self, raw: Raw) -> Iterator[PlayProblem]:
        return (looked.problem for looked in self._looks(raw))

    # ------------------------------------------------------------ attaching

    def _attached(self) -> Found | None:
        """Return the first thing in the order of the file that the object could be attached to."""
        problem, model = self.looked_at[0].problem, self.looked_at[0].model
        things: list[int | str] = [*problem.base.numbers.values(), *(f"p({number})" for number in problem.base.players.values())]
        played = problem.base.numbers[self.play.object]
        wrong = self._not_attached(problem, model, [(played, thing) for thing in things])
        names = names_in(problem.base)
        fine = [names[thing] for thing in things if str(thing) not in wrong]
        # Whatever it is attached to, the facts are the same but for that, and what is not understood depends on it only so.
        sure = not problem.unread and not problem.base.conditions and bool(fine) and not self._targets_in_doubt
        for name in fine:
            raw = {**self.play.raw, "to": name}
            self._left()
            if sure or self.judge.verdict(self._with(raw)).verdict == "legal":
                return Found(raw, changes=1)
        if fine or _could_be_allowed(problem):
            raise UnclearError
        return None

    def _not_attached(self, problem: PlayProblem, model: Model | None, pairs: list[tuple[int, int | str]]) -> set[str]:
        """Return to what the object cannot be attached, of pairs of it and something."""
        with suppress(NotEvaluatedError):
            if model is not None:
                return {str(row[1]) for row in model.instead({("pair", 2): pairs}).rows("unattachable", 4)}
        facts = problem.facts.copy()
        facts.add_rows("pair", 2, pairs)
        return {str(atom.arguments[1]) for atom in shown_by(data_folder("asp") / "entry" / "attach.lp", facts)}

    # ------------------------------------------------------------ all other plays

    def _played(self, *, search: bool, is_illegal: bool) -> Found | None:
        looked_at = self.looked_at
        is_open = len(looked_at) > 1 or looked_at[0].play.raw != self.play.raw
        problem = self.judge.problem(self.play) if is_open else looked_at[0].problem
        options = Options(self.play.kind, self.bare, problem, self._settled)
        ones: list[OneChange] = []
        with suppress(NotEvaluatedError):
            ones = [OneChange(one.model, one.problem, self.play.raw) for one in looked_at if one.model is not None]
            if len(ones) == len(looked_at):
                self._note_hopeless(ones, options)
                if all(one.is_barred() for one in ones) and self._are_hopeless(options, ones):
                    return None
            if is_illegal:
                near: list[tuple[Raw, Looked]] = []
                for raw in self._one_change(ones, options, near):
                    return Found(raw, changes=1)
                for raw in self._with_other_payment(near):
                    return Found(raw, changes=2)
        if not search:
            raise UnclearError
        return self._searched(options, ones, way=1 if is_illegal else 0)

    def _note_hopeless(self, ones: Sequence[OneChange], options: Options) -> None:
        """Note that nothing is legal in the way that was proposed where that is known already: see `_is_hopeless`."""
        if not options.offered and not {"modes", "extra", "x"} & self.play.raw.keys() and not any(one.ways_begun() for one in ones):
            self.hopeless[options.ways[0]] = True

    def _are_hopeless(self, options: Options, ones: Sequence[OneChange]) -> bool:
        return all(self._is_hopeless(way, options, ones) for way in options.ways)

    def _one_change(self, ones: Sequence[OneChange], options: Options, near: list[tuple[Raw, Looked]]) -> Iterator[Raw]:
        """Yield legal plays of which one part is another one, in the order in which they are rather taken.

        Those with another part of which perhaps only the mana is wrong are added to `near`.
        """
        for one, looked in zip(ones, self.looked_at, strict=False):
            for way in one.ways_open(one.model) if "pay" in self.play.raw else ():
                paid = self._other_payment(one, way)
                if paid is None and unread_sources(self.judge.board, self.play.player):
                    self.none_at_one = False
                # What is paid is not among the facts.
                if paid is not None and self._is_legal(
                    replace(looked, play=_paying(looked.play, paid)), paid=not one.problem.base.conditions
                ):
                    yield {**self.play.raw, "pay": paid}
        for one, looked in zip(ones, self.looked_at, strict=False):
            for raw, model in one.others():
                if raw is None or model is None:
                    self.none_at_one = False
                    break
                other = self._other(looked, raw, model)
                near += [(raw, each) for each in other]
                if any(self._is_legal(each) for each in other):
                    yield raw
        for raw in self._other_x():
            if any(self._is_legal(each) for each in self._looks(raw)):
                yield raw
        with_x = []
        for raw, looked in self._other_x_of_mana(ones):
            with_x.append((raw, looked))
            if self._is_legal(looked):
                yield raw
        later = {key: value for key, value in self.play.raw.items() if key in _FOUND_LATER}
        for settled in itertools.islice(options.settled(), 1, None):
            if settled.changes > 1:
                break
            if self.hopeless.get(settled.way):
                continue
            if len(near) > _MOST_TRIED:
                self.none_at_one = False
                break
            raw = self._in_order({**later, **settled.raw})
            other = self._in_other_way(ones, settled.way, raw, {}) or self._looks(raw)
            near += [(raw, each) for each in other]
            if any(self._is_legal(each) for each in other):
                yield raw
        if not with_x and self.checked and any(_has_x(looked.problem) for looked in self.looked_at):
            self.none_at_one = False
        near += with_x

    def _in_other_way(self, ones: Sequence[OneChange], way: WayChosen, raw: Raw, facts: Mapping[Key, Iterable[Row]]) -> list[Looked]:
        """Return what there is to look at where only the way of casting is another one, and some facts; nothing if more would differ."""
        if self.play.kind != "cast" or way.is_proposed or len(ones) != len(self.looked_at):
            return []
        found: list[Looked] = []
        for one, looked in zip(ones, self.looked_at, strict=True):
            model = one.in_way(way.name, facts)
            if model is None or looked.play.raw != self.play.raw:
                return []
            found.append(Looked(self._with(raw), looked.problem, model))
        return found

    def _other_x(self) -> Iterator[Raw]:
        """Yield proposals with another X where X is loyalty, or how many targets there are."""
        by_x = any(any(looked.problem.facts.rows("loyalty_ability", 2)) or _targets_by_x(looked.problem) for looked in self.looked_at)
        if "x" not in self.play.raw or not by_x:
            return
        proposed = self.play.raw["x"]
        for x in sorted(range(_MOST_X + 1), key=lambda x: abs(x - proposed)):
            if x != proposed:
                yield {**self.play.raw, "x": x}

    def _other_x_of_mana(self, ones: Sequence[OneChange]) -> Iterator[tuple[Raw, Looked]]:
        """Yield proposals with another X where it stands for mana alone, as far as any are looked at; none where something else is open."""
        proposed = self.play.raw.get("x", 0)
        for one, looked in zip(ones, self.looked_at, strict=False):
            alone = _has_x(one.problem) and not _targets_by_x(one.problem)
            if len(self.looked_at) == 1 and self.checked and alone and looked.play.raw == self.play.raw:
                for x in self._each_x():
                    raw = {**self.play.raw, "x": x}
                    if x != proposed:
                        yield raw, Looked(self._with(raw), looked.problem, one.model.instead({("x_value", 1): [x]}))

    def _each_x(self) -> list[int]:
        """Return each X of mana that is looked at, those first that differ least from what was proposed."""
        most = max(_MOST_X, sum(dict(self.price.mana).values()) if self.price is not None else 0)
        return sorted(range(most + 1), key=lambda x: abs(x - self.play.raw.get("x", 0)))

    def _other(self, looked: Looked, raw: Raw, model: Model) -> list[Looked]:
        """Return what there is to look at where targets, or what is done to pay, are other ones and all else is as in `looked`."""
        settled = looked.play.raw == self.play.raw and not any(looked.problem.facts.rows("takes_off", 3))
        if settled and (raw.get("targets") == self.play.raw.get("targets") or not self._targets_in_doubt):
            return [Looked(self._with(raw), looked.problem, model)]
        return self._looks(raw)

    @cached_property
    def _targets_in_doubt(self) -> bool:
        return self.judge.targets_in_doubt(self.play)

    def _with_other_payment(self, near: Iterable[tuple[Raw, Looked]]) -> Iterator[Raw]:
        """Yield legal plays of which one part, and what is paid, are other ones, if none with one other part is legal."""
        if not self.none_at_one or "pay" not in self.play.raw:
            return
        for raw, looked in near:
            # Others with two changes are as near as one that is not decided.
            if looked.model is None or looked.problem.unread or looked.problem.base.conditions:
                continue
            one = OneChange(looked.model, looked.problem, looked.play.raw)
            for way in one.ways_open(one.model):
                paid = self._other_payment(one, way)
                if paid is not None and self._is_legal(replace(looked, play=_paying(looked.play, paid)), paid=True):
                    yield {**raw, "pay": paid}

    def _is_legal(self, looked: Looked, *, paid: bool = False) -> bool:
        self._left()
        verdict = self._at_once(looked, paid=paid)
        with suppress(InputError):
            verdict = verdict or (self.judge.paid_so if paid else self.judge.verdict_so)(looked).verdict
        verdict = verdict or "undecided"
        self.none_at_one = self.none_at_one and verdict == "illegal"
        return verdict == "legal"

    def _at_once(self, looked: Looked, *, paid: bool) -> str:
        """Return the verdict where nothing is open and it does not depend on whether the mana suffices, or that is known; else nothing."""
        if looked.model is None or looked.problem.unread or looked.problem.base.conditions:
            return ""
        ways = OneChange(looked.model, looked.problem, looked.play.raw).ways_open(looked.model)
        if not ways:
            return "illegal"
        sure = not lands_changed(self.judge.board) and not barred_sources(self.judge.board, self.play.player)
        known = len(ways) == 1 and sure if paid else not self.checked and "pay" not in looked.play.raw
        return "legal" if known else ""

    def _other_payment(self, one: OneChange, way: int) -> str | None:
        """Return how the mana can be paid for a way in which nothing else is wrong; None if it can't be."""
        owed = {str(symbol): int(number) for of, symbol, number in one.model.rows("total", 3) if of == way}
        if all(symbol in BASIC for symbol in owed) and not one.model.rows("pays_for", 2) and not one.problem.helped:
            # There is nothing to choose.
            life = sum(number for of, number in one.model.rows("owes_life", 2) if of == way)
            return paid_in_words(owed, life) if self._is_there(owed, one.model.rows("source", 3)) else None
        facts = Facts()
        facts.add("done", way)
        for name, size in (("total", 3), ("owes_life", 2), ("source", 3), ("pays_for", 2), ("actor", 1), ("life", 2)):
            facts.add_rows(name, size, one.model.rows(name, size))
        self._mana(facts, one.problem)
        facts.add("unaffordable")
        program = specialise(data_folder("asp") / "entry" / "nearest-payment.lp", facts.signatures)
        control = ground("", rules=program.rules, facts=program.taken(facts.relations()))
        atoms = minimum(control, seconds=self._left())
        return None if atoms is None else str(Solution(atoms, one.problem, self.play.raw, 0).parts()["pay"])

    def _searched(self, options: Options, ones: Sequence[OneChange], *, way: int) -> Found | None:
        """Return what is found by search; another way counts as so many changes."""
        best: tuple[int, Raw] | None = None
        unclear: int | None = None
        for number, settled in enumerate(options.settled(way)):
            if number == 0 and self._are_hopeless(options, ones):
                return None
            if best is not None and settled.changes >= best[0]:
                break
            if unclear is not None and settled.changes > unclear:
                raise UnclearError
            if self.hopeless.get(settled.way):
                continue
            try:
                found = self._completed(settled, best)
            except _UndecidedError as undecided:
                unclear = min(undecided.changes, undecided.changes if unclear is None else unclear)
                continue
            if found is not None:
                best = found
        if unclear is not None and (best is None or unclear < best[0]):
            raise UnclearError
        return None if best is None else Found(best[1], changes=best[0])

    def _is_hopeless(self, way: WayChosen, options: Options, ones: Sequence[OneChange]) -> bool:
        """Return whether nothing is legal in a way, whatever modes and optional costs are chosen.

        To choose modes allows nothing that could not be done with none chosen yet, nor do several optional costs allow what no single
        one does, but that somebody helps with the mana, which is left out of it where there are such costs.
        """
        if way not in self.hopeless:
            raw = {key: value for key, value in way.applied(options.bare, self.play.kind).items() if key not in ("modes", "extra")}
            other = (
                [] if options.offered or self.play.raw.keys() & {"modes", "extra", "x"} else self._in_other_way(ones, way, raw, FOUND_LATER)
            )
            raws = [raw, *({**raw, "extra": (extra,)} for extra in options.offered)]
            if other:
                self.hopeless[way] = not any(self._may_be(looked, mana=True) for looked in other)
            else:
                self.hopeless[way] = not any(self._may_be_possible(one, mana=not options.offered) for one in raws)
        return self.hopeless[way]

    def _may_be_possible(self, raw: Raw, *, mana: bool) -> bool:
        """Return whether something may be legal of which only what is found later is open, and, without `mana`, optional costs."""
        if raw == _without_payment(self.play.raw):
            # What is paid is not among the facts.
            same = (replace(one, play=replace(one.play, raw=_without_payment(one.play.raw))) for one in self.looked_at)
            return any(self._may_be(looked, mana=mana) for looked in same)
        return any(self._may_be(looked, mana=mana) for looked in self._looks(raw))

    def _may_be(self, looked: Looked, *, mana: bool) -> bool:
        problem = looked.problem
        if looked.model is None or _could_be_allowed(problem):
            return True
        one = OneChange(looked.model, problem, looked.play.raw)
        # What optional costs are paid can change what is to be targeted.
        if not (one.ways_open(one.model) if mana else one.ways_open(one.model, [BARRED, UNPAID])):
            return False
        if not mana or self.pool is None or any(problem.facts.rows("method", 2)) or any(problem.facts.rows("takes_off", 3)):
            return True
        return self.judge.verdict_so(looked).verdict != "illegal"

    def _completed(self, settled: Settled, best: tuple[int, Raw] | None) -> tuple[int, Raw] | None:
        """Return the nearest legal play with this way, these modes and costs, and how many parts are other ones, if it beats `best`."""
        solution: Solution | None = None
        for looked in self._looks(settled.raw):
            problem = looked.problem
            if _could_be_allowed(problem):
                raise _UndecidedError(settled.changes)
            if self._is_barred(looked):
                continue
            if problem.unread:
                # What it forbids is not known, nor what would be targeted; what else is changed is as much at least.
                least = self._solved(problem, x=self.play.raw.get("x", 0), targets=False)
                if least is not None or _has_x(problem) or self._is_doubtful(problem):
                    raise _UndecidedError(settled.changes + (0 if least is None or _has_x(problem) else least.changes))
                continue
            found = self._solution(problem)
            if found is None and self._is_doubtful(problem):
                raise _UndecidedError(settled.changes)
            if found is not None and (solution is None or found.changes < solution.changes):
                solution = found
        if solution is None:
            return None
        changes = settled.changes + solution.changes
        if best is not None and changes >= best[0]:
            return None
        raw = self._in_order({**settled.raw, **solution.parts()})
        try:
            self._left()
            # The mana is a part of what was found.
            if self.judge.paid(self._with(raw)).verdict != "legal":
                raise _UndecidedError(changes)
        except InputError:
            raise _UndecidedError(changes) from None
        return changes, raw

    def _is_barred(self, looked: Looked) -> bool:
        """Return whether nothing is legal, whatever is chosen that is found later: that cannot make possible what can't begin."""
        if looked.model is not None:
            one = OneChange(looked.model, looked.problem, looked.play.raw)
            return one.is_barred() and bool(one.ways() or ("none" in {row[0] for row in looked.model.rows(*BARRED)}))
        candidates: set[clingo.Symbol] = set()
        barred: set[clingo.Symbol] = set()
        for atom in shown_by(begin(), looked.problem.facts):
            if atom.name in ("candidate", "barred"):
                (candidates if atom.name == "candidate" else barred).add(atom.arguments[0])
        return clingo.Function("none") in barred or bool(candidates and candidates <= barred)

    def _solution(self, problem: PlayProblem) -> Solution | None:
        """Return how the parts that are found later are best, X among them."""
        proposed = self.play.raw.get("x", 0)
        solution = self._solved(problem, x=proposed)
        if not _has_x(problem) or not self.checked or (solution is not None and solution.changes < 2):
            return solution
        # With another X there are at least as many other parts as where no mana is asked for, and X.
        free = self._solved(problem, x=proposed, mana=False)
        if free is None:
            return solution
        for x in self._each_x():
            if solution is not None and solution.changes <= free.changes + 1:
                break
            other = self._solved(problem, x=x) if x != proposed else None
            if other is not None and (solution is None or other.changes < solution.changes):
                solution = other
        return solution

    def _is_doubtful(self, problem: PlayProblem) -> bool:
        """Return whether what is not legal, as the mana doesn't suffice, is undecided rather than illegal."""
        unread = self.pool is not None and unread_sources(self.judge.board, self.play.player)
        reduced = self.checked and "with" not in self.play.raw and any(problem.facts.rows("takes_off", 3))
        return bool(unread or reduced) and self._solved(problem, mana=False) is not None

    # ------------------------------------------------------------ what asp/ is asked

    def _solved(self, problem: PlayProblem, *, x: int = 0, mana: bool = True, targets: bool = True) -> Solution | None:
        """Return what asp/ finds for a play of which only the parts that are found later are open; None if nothing is legal.

        Without `mana` or `targets` these are not asked about.
        """
        facts = problem.facts.copy()
        facts.add("x_value", min(x, MOST))
        if "with" in self.play.raw:
            if sum(map(len, self.play.raw["with"].values())) > _MOST_GIVEN:
                raise UnclearError
            facts.add("named")
            for verb, names in self.play.raw["with"].items():
                for name in names:
                    facts.add("was_given", verb, problem.base.numbers[name])
        if targets and "targets" in self.play.raw:
            self._targets(facts, problem)
        if len(self.judge.board.objects) > _FEW_OBJECTS:
            self._leave_out(facts, problem)
        if mana and self.checked:
            self._mana(facts, problem)
        atoms = self._minimum(facts)
        if atoms is not None and mana and not self._is_affordable(atoms):
            facts.add("unaffordable")
            atoms = self._minimum(facts)
        return None if atoms is None else Solution(atoms, problem, self.play.raw, x)

    def _targets(self, facts: Facts, problem: PlayProblem) -> None:
        """Add the targets that were proposed, and how many there can be."""
        wanted = self.play.raw["targets"]
        terms: dict[str, int | str] = {**problem.base.numbers, **{name: f"p({number})" for name, number in problem.base.players.items()}}
        least = sum(aim.least for aim in problem.aims)
        most = sum(len(wanted) + 1 if aim.most is None else aim.most for aim in problem.aims)
        if max(least, len(wanted)) > MOST_TARGETS:
            raise UnclearError
        facts.add("chosen_targets")
        for number, name in enumerate(wanted, start=1):
            facts.add("wanted", number, terms[name])
        for number, term in enumerate(terms.values(), start=1):
            facts.add("order", term, number)
        for length in {0, *range(least, min(most, MOST_TARGETS) + 1)}:
            facts.add("length", length)
            slots = [(aim, place) for aim, share in enumerate(shares(problem.aims, length), start=1) for place in range(1, share + 1)]
            for place, slot in enumerate(slots, start=1):
                facts.add("slot", length, place, *slot)

    def _leave_out(self, facts: Facts, problem: PlayProblem) -> None:
        """Name what need not be looked at: of objects that nothing here tells apart those behind as many as could be asked for."""
        stated = problem.facts.copy()
        atoms = sorted(shown_by(data_folder("asp") / "entry" / "play-options.lp", stated))
        wanted = {problem.base.numbers.get(name) for name in self.play.raw.get("targets", ())}
        named = len(self.play.raw.get("targets", ()))
        slots = sum(named + 1 if aim.most is None else aim.most for aim in problem.aims)
        left = Counter(dict.fromkeys(range(1, len(problem.aims) + 1), slots))
        told: dict[int, list[str]] = {}
        usable: dict[int, None] = {}
        for atom in atoms:
            first, *rest = atom.arguments
            if atom.name == "legal_target" and rest[0].type is clingo.SymbolType.Number and rest[0].number not in wanted:
                left[first.number] -= 1
                if left[first.number] < 0:
                    facts.add("passed_over", first.number, rest[0].number)
            elif atom.name == "usable":
                usable[rest[1].number] = None
                told.setdefault(rest[1].number, []).append(f"{first} {rest[0]}")
            elif first.type is clingo.SymbolType.Number and (atom.name != "characteristic" or rest[0].name == "color"):
                told.setdefault(first.number, []).append(f"{atom.name} {rest}")
        for name in ("mana_value", "mana_cost"):
            for number, *amounts in (row for size in (2, 3) for row in stated.rows(name, size)):
                told.setdefault(int(number), []).append(f"{name} {amounts}")
        alike: Counter[str] = Counter()
        asked = self._most_asked(stated)
        given = {problem.base.numbers[name] for names in self.play.raw.get("with", {}).values() for name in names}
        for number in (number for number in usable if number not in given):
            alike[str(told[number])] += 1
            if alike[str(told[number])] > asked:
                facts.add("spare", number)

    def _most_asked(self, facts: Facts) -> int:
        """Return to how many objects something could have to be done to pay, at most."""
        times = {cost: int(number) for cost, number in facts.rows("chosen", 2)}
        asked = [(row[0], int(row[3])) for name in ("act_of", "act_up_to") for row in facts.rows(name, 4)]
        asked += [(row[0], int(row[2])) for row in facts.rows("act_power", 3)]
        if any(facts.rows("method", 2)):
            asked += [(row[0], int(row[2]) * (1 if row[1] != "x" else self.play.raw.get("x", 0) + 1)) for row in facts.rows("mana_of", 3)]
            asked += [(0, int(row[2]) * len(self.judge.board.objects)) for row in facts.rows("more", 3)]
            asked += [(0, int(row[1])) for row in facts.rows("tax", 2)]
        return sum(number * max(1, times.get(cost, 1)) for cost, number in asked)

    def _minimum(self, facts: Facts) -> Sequence[clingo.Symbol] | None:
        chosen = _CHOSEN if "with" in self.play.raw else _CHOSEN - {("given", 2)}
        control = searched(data_folder("asp") / "entry" / "nearest-play.lp", facts, chosen)
        atoms = minimum(control, seconds=self._left())
        self._left()
        return atoms

    def _mana(self, facts: Facts, problem: PlayProblem) -> None:
        """Add the mana that was named, and what there is; where that is not said, any."""
        stated = problem.facts
        rows = [row for name in ("mana_of", "mana_cost", "more", "less") for row in stated.rows(name, 3)]
        if max([self.play.raw.get("x", 0), *(int(row[2]) for row in rows), *(int(row[1]) for row in stated.rows("tax", 2))]) > MOST:
            raise UnclearError
        add_symbols(facts, sorted({str(row[1]).strip('"') for row in rows} - {"x"}))
        if problem.helped:
            facts.add("helped")
        named = dict(self.price.mana) if self.price is not None else {}
        if self.price is not None:
            facts.add("mana_named")
            add_units(facts, "was_paid", named)
            facts.add("was_life", self.price.life)
            for number, kind in enumerate((*BASIC[1:], BASIC[0]), start=1):
                facts.add("rank", kind, number)
        facts.add("mana_matters")
        if self.pool is None:
            facts.add("any_mana")
            return
        add_units(facts, "pool", _mana_in(self.pool), after=len(named))
        facts.add("adds_mana")

    @property
    def checked(self) -> bool:
        """Whether it is looked at what mana is paid."""
        return self.price is not None or self.pool is not None

    def _is_affordable(self, atoms: Iterable[clingo.Symbol]) -> bool:
        """Return whether the mana that was named is there, if it is paid."""
        if self.price is None or self.pool is None or any(atom.name == "repaid" for atom in atoms):
            return True
        sources = [(*map(str, atom.arguments[:2]), atom.arguments[2].name) for atom in atoms if atom.name == "source"]
        return self._is_there(dict(self.price.mana), sources)

    def _is_there(self, mana: Mapping[str, int], sources: Iterable[Sequence[Any]]) -> bool:
        """Return whether mana is there, given what permanents add: the permanent, the number of the mana, and the kind."""
        if self.pool is None:
            return True
        kinds: dict[str, set[str]] = {}
        for thing, number, kind in sources:
            kinds.setdefault(f"{thing} {number}", {"generic"}).add(kind)
        return can_spend(mana.items(), _mana_in(self.pool).items(), kinds)


def _mana_in(pool: str) -> Mapping[str, int]:
    price = read_cost(pool)
    mana = {} if price is None else dict(price.mana)
    if any(amount > MOST for amount in mana.values()):
        raise UnclearError
    return mana


def _could_be_allowed(problem: PlayProblem) -> bool:
    """Return whether something that is open, or not understood, could allow what is illegal otherwise."""
    return bool(problem.base.conditions) or not problem.only_forbidding.issuperset(problem.unread)


def _has_x(problem: PlayProblem) -> bool:
    return any(row[1] == "x" for row in problem.facts.rows("mana_of", 3))


def _targets_by_x(problem: PlayProblem) -> bool:
    return any(aim.by_x for aim in problem.aims)


def _without_payment(raw: Raw) -> Raw:
    return {key: value for key, value in raw.items() if key != "pay"}


def _paying(play: Play, paid: str) -> Play:
    return replace(play, raw={**play.raw, "pay": paid})
