"""From a board in the combat damage step to facts for asp/: what fights what, what is marked, what was declared and is gone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import clingo

from lawmage.board import Board
from lawmage.constraints import Constraint, Filter
from lawmage.errors import InputError
from lawmage.play.dated import facts_of_then
from lawmage.play.facts import Facts, Problem, build, quoted
from lawmage.play.knowledge import Knowledge
from lawmage.play.program import Program, places_in, specialise
from lawmage.play.reading import Reading, read_board
from lawmage.play.solver import facts_of, ground
from lawmage.resources import data_folder

__all__ = ["Combat", "CombatProblem", "Term"]

#: An object or player in the programs: a number for a permanent, `p(N)` for a player, `g(N)` for what has left combat.
Term: TypeAlias = int | str

#: clingo's integers have 32 bits and wrap silently.
_GREATEST = 2**31 - 1


@dataclass(frozen=True)
class Combat:
    """A board in the combat damage step, and what the board alone does not tell.

    Attributes:
        board: as it is now; triggered abilities that have resolved are among its effects.
        known: what kb/ says.
        judges: the judgement, `damage` or `outcome`: what bears on it is among the facts.
        release: the release of the rules, an ISO date.
        file: the scenario's file, for messages.
        taken: the open conditions that are taken to be met, by their text.
        first_done: whether the first of two combat damage steps has happened.
        dealt_first: the creatures that were to assign damage in it.
        used: how much of the shields that protect something is used up.
        removed: the creatures that were removed from combat and are still on the battlefield (506.4).
        struck: the creatures that damage has been dealt to since the last check by what destroys what it damages (704.5h).
    """

    board: Board
    known: Knowledge
    judges: str
    release: str
    file: str | None = None
    taken: frozenset[str] = frozenset()
    first_done: bool = False
    dealt_first: frozenset[str] = frozenset()
    used: Mapping[str, int] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    struck: frozenset[str] = frozenset()

    @cached_property
    def folder(self) -> Path:
        """Where the programs are that are run."""
        return data_folder("asp") / "entry"

    @cached_property
    def reading(self) -> Reading:
        """What the words on the board say."""
        return read_board(self.board, self.known, file=self.file)

    @cached_property
    def problem(self) -> CombatProblem:
        """The facts of the board. Raises InputError for words that cannot be read, and for numbers that are too large."""
        return CombatProblem(self)


class CombatProblem:
    """The facts of a combat, for each program those that it asks for, and the names behind its terms."""

    def __init__(self, combat: Combat) -> None:
        self.combat = combat
        self.board = combat.board
        fighting = tuple(attack for attack in combat.board.attacks or () if attack.attacker not in combat.removed)
        board = replace(combat.board, attacks=fighting) if combat.removed else combat.board
        self.base: Problem = build(board, combat.reading, combat.known, combat.judges)
        self.terms: dict[str, Term] = {name: f"p({number})" for name, number in self.base.players.items()}
        self.terms.update(self.base.numbers)
        gone = [name for name in self._declared() if name not in self.base.numbers or name in combat.removed]
        self.roles: dict[str, Term] = {name: f"g({index})" for index, name in enumerate(dict.fromkeys(gone), start=1)}
        self._players = {number: name for name, number in self.base.players.items()}
        self._refuse_large_numbers()

    def name(self, symbol: clingo.Symbol) -> str:
        """Return the name of an object, effect or player; an empty text for `none`."""
        if symbol.type is clingo.SymbolType.Number:
            return self.base.holders[symbol.number]
        return self._players[symbol.arguments[0].number] if symbol.name == "p" else ""

    def not_understood(self) -> tuple[str, ...]:
        """Return what is not understood and could matter: sentences, and those on the defending player where there are several."""
        sentences = self.combat.reading.not_understood(self.combat.judges)
        if len(self._defending()) < 2:
            return sentences
        unclear = [constraint.source for constraint in self.base.constraints if constraint is not None and _on_defender(constraint)]
        return (*sentences, *(f"which defending player is meant: {text}" for text in dict.fromkeys(unclear)))

    def run(self, entry: str, facts: Facts) -> tuple[clingo.Symbol, ...]:
        """Return the atoms that the program asp/entry/`entry`.lp shows for the board and `facts`."""
        program = self._program(entry, facts)
        return facts_of(ground("", rules=program.rules, facts=program.taken(facts.relations())))

    def text(self, entry: str, facts: Facts) -> str:
        """Return that program, cut down to what matters, with its facts."""
        program = self._program(entry, facts)
        return f"{program.text}\n{facts.text(program.takes)}"

    def _program(self, entry: str, facts: Facts) -> Program:
        file = self.combat.folder / f"{entry}.lp"
        return specialise(file, facts.signatures_at(places_in(file)))

    # ------------------------------------------------------------ facts

    def facts(self) -> Facts:
        """Return the facts of the board itself, with the open conditions that are taken to be met."""
        facts = self.base.facts.copy()
        of_then = facts_of_then(self.combat.release, self.combat.known, self.board, self.base.numbers, self.base.constraints)
        for name, arguments in of_then:
            facts.add(name, *arguments)
        for (condition, holder), text in self.base.conditions.items():
            if text in self.combat.taken:
                facts.add("taken", condition, holder)
        for player in self._defending():
            facts.add("defender", f"p({self.base.players[player]})")
            facts.add("defends", f"p({self.base.players[player]})")
        for block in self.board.blocks or ():
            for attacker in block.attackers:
                facts.add("declared_block", self._role(block.blocker), self._role(attacker))
        return facts

    def add_fight(self, facts: Facts) -> None:
        """Add what fights what, and what is marked."""
        board, numbers = self.board, self.base.numbers
        for index, band in enumerate(board.bands, start=1):
            for name in band:
                facts.add("in_band", self._role(name), index)
        for attack in board.attacks or ():
            target = board.objects.get(attack.target)
            if target is None or attack.attacker not in numbers:
                continue
            if target.zone != "battlefield" or target.phased_out:
                for kind in target.types:
                    facts.add("lost_target", numbers[attack.attacker], f"p({self.base.players[target.controller]})", quoted(kind))
        for name, number in numbers.items():
            thing = board.objects[name]
            if thing.blocked:
                facts.add("blocked_by_effect", number)
            if thing.damage:
                facts.add("marked", number, thing.damage)
            if thing.loyalty is not None:
                facts.add("loyalty", number, thing.loyalty)

    def add_step(self, facts: Facts, step: str | None) -> None:
        """Add which combat damage step it is: that which comes next, or `first` or `regular` of two."""
        if not self.combat.first_done:
            facts.add("step", step or "opening")
        elif step != "first":
            facts.add("step", "closing")
        for name in self.combat.dealt_first:
            if name in self.base.numbers:
                facts.add("dealt_first", self.base.numbers[name])

    def add_dated(self, facts: Facts) -> None:
        """Add what the file says for rules that the newest release does not have."""
        if self.combat.release == self.combat.known.release:
            return
        for source, order in self.board.order.items():
            for place, name in enumerate(order, start=1):
                if source in self.base.numbers and name in self.base.numbers:
                    facts.add("place", self.base.numbers[source], self.base.numbers[name], place)

    def add_waiting(self, facts: Facts) -> bool:
        """Add which keywords wait for which events, and how often each is written; return whether any does."""
        waiting = {trigger.keyword for trigger in self.combat.known.triggers}
        found = {key: number for key, number in self.base.uses.items() if key[0] in waiting}
        for key, number in found.items():
            for trigger in self.combat.known.triggers:
                if trigger.keyword == key[0]:
                    facts.add("waits", number, trigger.event)
        for holder in self.combat.reading.objects:
            for use, times in Counter(holder.keywords).items():
                key = (use.keyword, use.quality, use.number)
                if key in found:
                    facts.add("written", self.base.numbers[holder.name], found[key], times)
        return bool(found)

    def add_shields(self, facts: Facts) -> None:
        """Add the counters that there are, and how much of the shields is used up."""
        for name, number in self.base.numbers.items():
            for kind, count in self.board.objects[name].counters.items():
                if count:
                    facts.add("counted", number, quoted(kind), count)
        for target, amount in self.combat.used.items():
            if target in self.terms:
                facts.add("used", "shield", self.terms[target], amount)

    def add_state(self, facts: Facts) -> None:
        """Add what state-based actions look at."""
        numbers = self.base.numbers
        for name, player in self.board.players.items():
            term = f"p({self.base.players[name]})"
            facts.add("life", term, player.life)
            facts.add("poison", term, player.extra.get("poison", 0))
            for commander, amount in player.extra.get("commander_damage", {}).items():
                facts.add("commander_damage", term, self.terms.get(commander, "none"), amount)
        for name, number in numbers.items():
            thing = self.board.objects[name]
            if thing.damage:
                facts.add("marked", number, thing.damage)
            if thing.loyalty is not None:
                facts.add("loyalty", number, thing.loyalty)
            if thing.defense is not None:
                facts.add("defense", number, thing.defense)
            if thing.attached_to is not None and thing.attached_to not in self.board.players and thing.attached_to not in numbers:
                facts.add("unattached", number)
        for name in self.combat.struck:
            if name in numbers:
                facts.add("struck", numbers[name])
        self.add_shields(facts)

    # ------------------------------------------------------------ parts

    def _declared(self) -> Iterable[str]:
        """Yield what blocks, is blocked or is in a band, as it was declared."""
        for block in self.board.blocks or ():
            yield block.blocker
            yield from block.attackers
        for band in self.board.bands:
            yield from band

    def _role(self, name: str) -> Term:
        """Return the term of what was declared: `g(N)` for what is in combat no more."""
        return self.roles.get(name) or self.base.numbers[name]

    def _defending(self) -> list[str]:
        found = []
        for attack in self.board.attacks or ():
            target = self.board.objects.get(attack.target)
            found.append(attack.target if target is None else target.protector or target.controller)
        return list(dict.fromkeys(found))

    def _refuse_large_numbers(self) -> None:
        """Refuse a board on which sums could leave the range of clingo's integers."""
        total = 0
        for thing in self.board.objects.values():
            total += sum(abs(number or 0) for number in (thing.power, thing.toughness, thing.loyalty, thing.defense, thing.damage))
            total += 100 * sum(thing.counters.values())
        for player in self.board.players.values():
            total += abs(player.life) + player.extra.get("poison", 0) + sum(player.extra.get("commander_damage", {}).values())
        for constraint in self.base.constraints:
            if constraint is None:
                continue
            # What counts objects is added so many times.
            often = 1 if constraint.object is None else len(self.base.numbers) + 1
            total += (abs(constraint.power) + abs(constraint.toughness) + (constraint.number or 0)) * (len(self.base.numbers) + 1) * often
        multiplied = 1
        reading, kinds = self.combat.reading, self.combat.known.kinds
        for holder in (*reading.objects, *reading.effects):
            for stated in holder.states:
                if kinds[stated.kind].group == "multiplication":
                    multiplied *= stated.number or 1
        if total * multiplied > _GREATEST:
            raise InputError(f"the numbers on this board add up to more than {_GREATEST:,}", file=self.combat.file)


def _on_defender(constraint: Constraint) -> bool:
    """Return whether a constraint speaks of the defending player, who is another one for each attacker (508.5)."""
    sides = [side for side in (constraint.subject, constraint.object) if isinstance(side, Filter)]
    sides += [condition.filter for condition in constraint.conditions if condition.filter is not None]
    tested = any(test.value == "defending player" for side in sides for tests in side.any_of for test in tests)
    return tested or any(condition.who == "defending player" for condition in constraint.conditions)
