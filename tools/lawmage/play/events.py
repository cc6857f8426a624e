"""What happens on a named event: which abilities of keywords trigger and how often, and what changes (asp/entry/events.lp).

An event is one of those that kb/ names, on any board. What triggered abilities do is shown as though they had resolved.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import clingo

from lawmage.board import Board, Object, Player, Proposal, Scenario
from lawmage.constraints import Condition
from lawmage.errors import InputError, suggestion
from lawmage.play.combat import Dealt, Trigger, check_actions, deal
from lawmage.play.damage_facts import Combat
from lawmage.play.dated import cited_in
from lawmage.play.derived import shown_by
from lawmage.play.facts import Problem, quoted
from lawmage.play.keyword_uses import Happening, KeywordUses, keyword_uses, named_events
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.one_by_one import OneByOne
from lawmage.play.play_problem import Play
from lawmage.play.plays_facts import PlayBuilder
from lawmage.play.program import specialise
from lawmage.play.reading import Reading, read_board
from lawmage.play.tapping import with_attackers_tapped
from lawmage.play.verdict import ProposalVerdict
from lawmage.resources import data_folder
from lawmage.scenario_shapes import ZONES
from lawmage.text.described import described
from lawmage.text.forms import KeywordUse
from lawmage.text.plays import read_condition

__all__ = ["EventVerdict", "Events"]

_ROMAN = {"i": 1, "v": 5, "x": 10}


@dataclass(frozen=True, slots=True)
class EventVerdict(ProposalVerdict):
    """What happens on an event.

    Attributes:
        triggers: the abilities that trigger.
        players, objects: what they are like afterwards.
        creates: who creates how many of which tokens.
        choices: what somebody has to choose, which the file does not say.
        daytime: `day`, `night` or None.
    """

    triggers: tuple[Trigger, ...] = ()
    players: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    objects: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    creates: tuple[tuple[str, str, int], ...] = ()
    choices: tuple[str, ...] = ()
    daytime: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return ProposalVerdict.as_json(self) | {
            "triggers": [{"source": one.source, "ability": one.ability, "times": one.times, "rule": one.rule} for one in self.triggers],
            "players": {name: dict(state) for name, state in self.players.items()},
            "objects": {name: dict(state) for name, state in self.objects.items()},
            "creates": [{"player": player, "token": token, "number": count} for player, token, count in self.creates],
            "choices": list(self.choices),
            "daytime": self.daytime,
        }


class Events(OneByOne):
    """The events that a scenario proposes.

    Args:
        scenario: the board and the proposals, all of which name events.
        seconds, explain: for the same arguments as other judgements; nothing here searches for long.

    Raises:
        InputError: for proposals of which some name events and some do not, and for events that nobody knows.
    """

    def __init__(self, scenario: Scenario, *, seconds: float | None = None, explain: bool = False) -> None:
        del seconds, explain
        self.known: Knowledge = knowledge()
        self.release = scenario.release or self.known.release
        if not scenario.board.objects:
            raise InputError("has no objects, so nothing happens", file=scenario.file)
        for proposal in scenario.proposals:
            if not isinstance(proposal.raw, Mapping):
                raise InputError("proposes events and damage; write them into two files", file=scenario.file, line=proposal.line or None)
            name = proposal.raw["event"]
            if name not in named_events():
                told = f'"{name}" is no event{suggestion(name, named_events())}'
                raise InputError(told, file=scenario.file, line=proposal.line or None)
            needs = named_events()[name].objects
            if needs and len(proposal.raw.get("objects", ())) != needs:
                raise InputError(f"the event {name} needs {needs} objects", file=scenario.file, line=proposal.line or None)
        self.scenario = scenario = with_attackers_tapped(scenario, always=True)
        self.reading = read_board(scenario.board, self.known, file=scenario.file, zones=ZONES)

    def programs(self) -> list[str]:
        """Return what clingo gets for each proposal."""
        texts = []
        for proposal in self.scenario.proposals:
            builder, problem = self._problem(proposal)
            del builder
            program = specialise(data_folder("asp") / "entry" / "events.lp", problem.facts.signatures)
            texts.append(f"{program.text}\n{problem.facts.text(program.takes)}")
        return texts

    @property
    def _says(self) -> str:
        return "proposes events"

    def _problem(self, proposal: Proposal) -> tuple[_EventBuilder, Problem]:
        board, raw = self.scenario.board, proposal.raw
        objects = raw.get("objects", ())
        player = raw.get("by") or (board.objects[objects[0]].controller if objects else board.active)
        builder = _EventBuilder(board, self.reading, self.known, keyword_uses(), Play("event", objects[0] if objects else "", player, raw))
        return builder, builder.problem()

    def _judge(self, proposal: Proposal) -> EventVerdict:
        start = time.perf_counter()
        builder, problem = self._problem(proposal)
        after = _After(self, builder, problem, proposal)
        after.take(shown_by(data_folder("asp") / "entry" / "events.lp", problem.facts))
        return replace(after.verdict(), seconds=time.perf_counter() - start)


# ---------------------------------------------------------------- facts


class _EventBuilder(PlayBuilder):
    """Makes the facts of an event."""

    def __init__(self, board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> None:
        super().__init__(board, reading, known, uses, play)
        self.happenings: list[tuple[Happening, KeywordUse]] = []
        self.not_followed: list[str] = []

    def extend(self) -> None:
        """Add what the event needs."""
        raw = self.play.raw
        self.unread.extend(f"{holder}: {sentence}" for holder, _, sentence in self._unread_sentences() if "attached" in sentence)
        self._zones()
        self._time()
        self._history()
        self.add("event", raw["event"])
        self.add("scope", named_events()[raw["event"]].scope)
        self.add("event_player", self._player(self.play.player))
        self.add("actor", self._player(self.play.player))
        for name in raw.get("objects", ()):
            self.add("of_event", self.numbers[name])
            self.add("played", self.numbers[name])
        if "number" in raw:
            self.add("event_number", raw["number"])
            self.add("chosen_number", raw["number"])
        for name in raw.get("targets", ()):
            if name in self.numbers:
                self.add("event_targets", self.numbers[name])
        for word, count in Counter(one.lower() if isinstance(one, str) else next(iter(one)).lower() for one in raw.get("paid", ())).items():
            self.add("paid", quoted(word), count)
        for word in raw.get("choose", ()):
            self.add("chooses", quoted(word))
        self._labels()
        self._happenings()
        self._sagas_and_cases()
        self._attachments()
        self._day()

    def _labels(self) -> None:
        """State the keywords that stand before dashes ("Visit")."""
        for name, text in self.texts.items():
            for label, _ in text.labels:
                if label in self.known.keywords:
                    use = KeywordUse(label, label)
                    number = self._use(use)
                    self.add("keyword", self.numbers[name], number)
                    self.add("written", self.numbers[name], number, 1)

    def _happenings(self) -> None:
        holders = [(holder.name, use) for holder in self.reading.objects for use in holder.keywords]
        for name, times in Counter((name, self._use(use)) for name, use in holders).items():
            self.add("written", self.numbers[name[0]], name[1], times)
        for (keyword, quality, number), use in list(self.uses.items()):
            uses = self.keyword_uses.get(keyword)
            if uses is None:
                continue
            for zone in uses.zones:
                self.add("works_in", use, zone)
            found = [one for one in uses.happenings if one.event == self.play.raw["event"]]
            if not found and self.play.raw["event"] in uses.waits_for:
                self._waits(use)
            for one in found:
                self._happening(one, use, KeywordUse(keyword, self.written[use], quality, number))

    def _waits(self, use: int) -> None:
        """Note the objects with a keyword that waits for the event in a way that is not described."""
        looks = set(self.play.raw.get("objects", ())) if named_events()[self.play.raw["event"]].scope == "self" else set(self.numbers)
        for holder in self.reading.objects:
            if holder.name in looks and any(self._use(one) == use for one in holder.keywords):
                self.not_followed.append(f"{holder.name}: {self.written[use]}")

    def _happening(self, one: Happening, use: int, written: KeywordUse) -> None:
        self.happenings.append((one, written))
        number = len(self.happenings)
        self.add("happening", number, use, one.kind)
        self.add("on", number, one.event)
        self.add("whom", number, one.whom)
        if one.triggered:
            self.add("triggered_by", number)
        if one.what:
            self.add("word", number, quoted(one.what))
        amount = one.amount if one.amount is not None else written.number
        if amount is not None:
            self.add("how_much", number, amount)
        if one.per_paid:
            self.add("per_paid", number, quoted(written.keyword))
        if one.either:
            self.add("either", number, quoted(one.either))
        if one.by_opponent:
            self.add("by_opponent", number)
        if one.of_object:
            what = described(one.of_object)
            if what is not None:
                self.add("object_is", number, self._filter(what, early=False))
        for condition in one.conditions:
            index = self._condition_number(condition.says)
            self._ask(index, condition)
            self.add("requires_not" if condition.negated else "requires", number, index)

    def _sagas_and_cases(self) -> None:
        for name, text in self.texts.items():
            thing, index = self.board.objects[name], self.numbers[name]
            for label, rest in text.labels:
                for part in label.split(", "):
                    if re.fullmatch("[ivx]+", part):
                        self.add("chapter", index, _arabic(part))
                if label == "to solve":
                    condition = read_condition(rest.lower().removesuffix("."), self.forms)
                    self._case(index, condition)
            if thing.counters.get("lore"):
                self.add("lore", index, thing.counters["lore"])
        for thing in self.board.objects.values():
            for light in thing.lights:
                self.add("lit", self.numbers[thing.id], light)

    def _case(self, index: int, conditions: tuple[Condition, ...] | None) -> None:
        if conditions is None or conditions[0].filter is None or conditions[0].negated:
            self.add("doubtful_case", index)
            return
        number = self._condition_number("")
        condition = conditions[0]
        assert condition.filter is not None
        self.add("counts_objects", number, quoted(condition.who), self._filter(condition.filter, early=False), condition.number)
        self.add("solves", index, number)

    def _attachments(self) -> None:
        for thing in self.board.objects.values():
            if thing.attached_to is not None and thing.zone == "battlefield":
                self.add("pair", self.numbers[thing.id], self._named(thing.attached_to))

    def _day(self) -> None:
        if "daytime" in self.board.turn:
            self.add("daytime", self.board.turn["daytime"])
        for name, count in self.board.history.get("cast_last_turn", {}).items():
            del name
            self.add("cast_last_turn", count)


def _arabic(roman: str) -> int:
    values = [_ROMAN[letter] for letter in roman]
    return sum(-value if any(value < later for later in values[place + 1 :]) else value for place, value in enumerate(values))


# ---------------------------------------------------------------- what is afterwards


class _After:
    """The board as it is after an event, and what is told about it."""

    def __init__(self, events: Events, builder: _EventBuilder, problem: Problem, proposal: Proposal) -> None:
        self.events = events
        self.builder = builder
        self.problem = problem
        self.proposal = proposal
        self.board = events.scenario.board
        self.objects = dict(self.board.objects)
        self.players = dict(self.board.players)
        self.gains: dict[str, list[str]] = {}
        self.triggers: list[Trigger] = []
        self.creates: Counter[tuple[str, str]] = Counter()
        self.choices: list[str] = []
        self.rules: set[str] = set()
        self.daytime: str | None = self.board.turn.get("daytime")
        self.dealt: list[Dealt] = []
        self.checks = False
        zone = named_events()[proposal.raw["event"]].zone
        for name in proposal.raw.get("objects", ()) if zone else ():
            self._move(self.objects[name], zone)

    def _name(self, symbol: clingo.Symbol) -> str:
        if symbol.type is clingo.SymbolType.Number:
            return self.problem.holders[symbol.number]
        return next(name for name, number in self.problem.players.items() if number == symbol.arguments[0].number)

    def take(self, atoms: Iterable[clingo.Symbol]) -> None:
        """Let everything happen that `atoms` say."""
        triggered: Counter[tuple[str, str, str]] = Counter()
        for atom in sorted(atoms):
            first, *rest = atom.arguments or (atom,)
            match atom.name:
                case "triggers":
                    one, use = self.builder.happenings[rest[1].number - 1]
                    key = (self._name(first), use.written, one.rule)
                    triggered[key] = max(triggered[key], rest[2].number)
                case "does":
                    one, _ = self.builder.happenings[rest[0].number - 1]
                    self.rules.add(one.rule)
                    self._do(rest[1].name, one.what, rest[3].number, self._name(rest[4]), self._name(first))
                case "choose":
                    self.choices.append(f"{self._name(first)}: {rest[1].string}")
                case "by_rule":
                    self.rules.add(rest[3].string)
                    self._do(rest[0].name, rest[1].string, rest[2].number, self._name(first), self._name(first))
                case "chapter_triggers":
                    self.triggers.append(Trigger(self._name(first), f"chapter {rest[0].number}", 1, rest[1].string))
                case "choose_number":
                    self.choices.append(f"{self._name(first)}: a number from 1 to {rest[0].number}")
                case "becomes":
                    self.rules.add(rest[0].string)
                    self.daytime = first.name
                case "gains":
                    self.rules.add(rest[2].string)
                    player = self.players[self._name(first)]
                    amount = player.extra.get(rest[0].string, 0) + rest[1].number
                    self.players[player.name] = replace(player, extra={**player.extra, rest[0].string: amount})
                case "ask":
                    self.builder.not_followed.append(f"{self._name(first)}: whether its condition holds")
                case "fights":
                    self.rules.add(rest[2].string)
                    self.dealt.append(Dealt(self._name(first), self._name(rest[0]), rest[1].number))
                case "no_fight":
                    self.rules.add(first.string)
                case _:
                    self.checks = True
        self.triggers += [Trigger(source, ability, times, rule) for (source, ability, rule), times in triggered.items()]
        self.triggers.sort(key=lambda one: (list(self.objects).index(one.source), one.ability))
        self.rules.update(one.rule for one in self.triggers)
        self._by_the_rules_of_combat()

    def _do(self, what: str, word: str, amount: int, target: str, source: str) -> None:
        thing = self.objects.get(target)
        match what:
            case "puts_counters" if thing is not None:
                self._change(thing, counters={**thing.counters, word: thing.counters.get(word, 0) + amount})
            case "removes_counters" if thing is not None:
                left = max(0, thing.counters.get(word, 0) - amount)
                kept = {kind: count for kind, count in thing.counters.items() if kind != word}
                self._change(thing, counters=kept | ({word: left} if left else {}))
            case "creates_tokens":
                self.creates[self.board.objects[source].controller, word] += amount
            case "designates" if thing is not None:
                self._change(thing, designations=tuple(dict.fromkeys((*thing.designations, word))))
            case "designates":
                player = self.players[target]
                self.players[target] = replace(player, extra={**player.extra, word: True})
            case "transforms" if thing is not None:
                self._change(thing, transformed=not thing.transformed)
            case "gains_keyword":
                self.gains.setdefault(target, []).append(word)
            case "goes_to" if thing is not None:
                self._move(thing, word)
            case "comes_off" if thing is not None:
                self._change(thing, attached_to=None)
            case "sets" if target in self.players:
                player = self.players[target]
                self.players[target] = replace(player, extra={**player.extra, word: amount})
            case "sets":
                self.daytime = word
            case _:
                return

    def _change(self, thing: Object, **changes: Any) -> None:
        self.objects[thing.id] = replace(self.objects[thing.id], **changes)

    def _move(self, thing: Object, zone: str) -> None:
        self._change(thing, zone=zone, counters={}, attached_to=None, tapped=False, damage=0)

    def _by_the_rules_of_combat(self) -> None:
        """Let creatures that fight deal damage, and perform state-based actions where the state is checked."""
        if not self.dealt and not self.checks:
            return
        board = replace(self.board, objects=self.objects, players=self.players, attacks=None, blocks=None)
        combat = Combat(board, self.events.known, "outcome", self.events.release, self.events.scenario.file)
        if self.dealt:
            after, changes = deal(combat, [gift for gift in self.dealt if gift.amount > 0], in_combat=False)
        else:
            after, changes = check_actions(combat)
        self.builder.not_followed.extend((*changes.not_followed, *changes.choices))
        self.triggers.extend(changes.triggers)
        self.rules |= changes.rules
        self.objects, self.players = dict(after.board.objects), dict(after.board.players)

    def verdict(self) -> EventVerdict:
        """Return the answer."""
        unread = tuple(dict.fromkeys((*self.builder.unread, *self.builder.not_followed)))
        return EventVerdict(
            verdict="undecided" if unread or self.choices else "legal",
            not_understood=unread,
            cites=cited_in(self.events.release, self.rules, self.events.known),
            triggers=tuple(self.triggers),
            players={name: _player(player) for name, player in self.players.items()},
            objects={name: self._object(thing) for name, thing in self.objects.items()},
            creates=tuple((player, token, count) for (player, token), count in self.creates.items()),
            choices=tuple(dict.fromkeys(self.choices)),
            daytime=self.daytime,
        )

    def _object(self, thing: Object) -> dict[str, Any]:
        return {
            "zone": thing.zone,
            "damage": thing.damage,
            "counters": dict(thing.counters),
            "attached_to": thing.attached_to,
            "designations": list(thing.designations),
            "gains": self.gains.get(thing.id, []),
            "transformed": thing.transformed,
        }


def _player(player: Player) -> dict[str, Any]:
    return {
        "life": player.life,
        "poison": player.extra.get("poison", 0),
        "speed": player.extra.get("speed", 0),
        "designations": [word for word in ("monarch", "initiative", "citys_blessing") if player.extra.get(word)],
    }
