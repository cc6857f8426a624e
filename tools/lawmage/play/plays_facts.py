"""From a board and a play that is proposed on it to facts for asp/: the ways in which it can be done, their costs, times and targets.

What keywords cost and when they may be used is data (`keyword_uses`); what texts say is read by `lawmage.text.plays`. Nothing here
decides anything.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from lawmage.board import Board, Object
from lawmage.constraints import Condition, Filter, Test
from lawmage.errors import InputError
from lawmage.play.card_types import types_among
from lawmage.play.conditions import settle
from lawmage.play.facts import Builder, Facts, Problem, quoted
from lawmage.play.keyword_uses import KeywordUses, PlayCondition, UseCost, play_rules, special_actions, times
from lawmage.play.knowledge import Knowledge
from lawmage.play.mana import lands_changed, source_of
from lawmage.play.reading import Reading
from lawmage.play.worked_out import worked_out
from lawmage.scenario_shapes import ZONES
from lawmage.text.aims import Aim
from lawmage.text.costs import Price, read_cost, symbols
from lawmage.text.described import described, number_of
from lawmage.text.doubts import Doubt, doubt_about
from lawmage.text.forms import KeywordForms, KeywordUse, parse_keywords
from lawmage.text.lines import abilities
from lawmage.text.modes import NO_MODES, Mode, Modes
from lawmage.text.plays import Activated, Grant, Offer, PlayText, read_condition, read_plays
from lawmage.text.read import keyword_abilities
from lawmage.text.words import listed

__all__ = [
    "Cost",
    "Offered",
    "Play",
    "PlayBuilder",
    "PlayProblem",
    "Way",
    "build_play",
    "mode_named",
    "shares",
    "targets_in_doubt",
    "text_of",
]

_KNOWN_SYMBOLS = frozenset({"generic", "white", "blue", "black", "red", "green", "colorless", "snow", "x"})
#: More mana of one symbol than this is not judged: clingo's numbers have 32 bits, and sums must fit.
_MOST_MANA = 1_000_000
#: What is judged whatever the time.
_TIMELESS = ("attach", "trigger")
#: The status of an object that kb/ speaks of as a designation.
_STATUSES = ("face_down", "transformed", "token", "commander")
#: Away from the battlefield a text bears on plays where it speaks of itself, of targets, or of what is to be paid (113.6).
_OF_ITSELF = re.compile(
    r"~|\bthis (?!turn|way|combat|phase)\w|\bit (?:without|as though)|\btargets?\b|rather than pay|additional cost|\bspend\b|\bactivate"
)
#: Of so many ways to choose modes that the file leaves open, not all are tried.
_MOST_CHOICES = 200
#: What "enchant" has behind it that means players.
_PLAYERS = ("player", "opponent")


@dataclass(frozen=True, slots=True)
class Play:
    """What is proposed: its kind (`cast`, `activate`, `special`, `trigger`), the object, the player, and what the file says of it.

    `face` is the face of its card that is chosen, where one is.
    """

    kind: str
    object: str
    player: str
    raw: Mapping[str, Any]
    face: Object | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """A way to do what is proposed: the names by which it can be asked for, words for it, and the rule that gives it."""

    names: tuple[str, ...]
    told: str
    rule: str
    doubtful: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost among the facts: words for it, the rule that says so, and what it asks for."""

    told: str
    rule: str
    price: Price


@dataclass(frozen=True, slots=True)
class Offered:
    """An additional cost that may be paid: the names that it goes by, whom or what is chosen for it, whether it can be repeated."""

    names: tuple[str, ...]
    chosen: str = ""
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class PlayProblem:
    """The facts of a play, and what their integers mean.

    Attributes:
        base: the problem of the board.
        facts: all facts.
        ways, costs, aims: what is behind their integers, which start at 1.
        offered: the additional costs that may be paid.
        modes: those of the spell, or of the ability that is asked for.
        choices: what the file leaves open and the player chooses (601.2b), which ability or which modes: each as keys of a proposal.
        conditions: the words for each condition that fails.
        unread: what is not understood and could change the verdict.
        only_allowing, only_forbidding: what of it could only make legal what is not, or the other way round.
        untold: what is not understood and could only change how much mana the total is.
        assumptions: what is assumed where the file does not say.
        helped: whether another player pays a part of the mana.
    """

    base: Problem
    facts: Facts
    ways: tuple[Way, ...]
    costs: tuple[Cost, ...]
    aims: tuple[Aim, ...]
    offered: tuple[Offered, ...]
    modes: Modes
    choices: tuple[Mapping[str, Any], ...]
    conditions: Mapping[int, str]
    unread: tuple[str, ...]
    only_allowing: frozenset[str]
    only_forbidding: frozenset[str]
    untold: tuple[str, ...]
    assumptions: tuple[str, ...]
    helped: bool


def build_play(board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> PlayProblem:
    """Return the facts of `play` on `board`; `reading` is of the objects in all zones."""
    builder = PlayBuilder(board, reading, known, uses, play)
    base = builder.problem()
    return PlayProblem(
        base,
        base.facts,
        tuple(builder.ways),
        tuple(builder.costs),
        tuple(builder.aims),
        tuple(builder.offered),
        builder.modes,
        tuple(builder.choices),
        dict(builder.says),
        tuple(dict.fromkeys(builder.unread)),
        frozenset(builder.only_allowing),
        frozenset(builder.only_forbidding),
        tuple(dict.fromkeys(builder.untold)),
        tuple(dict.fromkeys(builder.assumptions)),
        builder.helped,
    )


def targets_in_doubt(board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> bool:
    """Return whether something that is not understood could bear on a play for some targets only."""
    return PlayBuilder(board, reading, known, uses, play).targets_in_doubt()


def text_of(thing: Object, forms: KeywordForms) -> PlayText:
    """Return what the text of an object says about plays."""
    names = tuple(dict.fromkeys([thing.name, thing.name.split(",")[0]])) if thing.name else ()
    return _text(thing.whole_text, names, forms)


@lru_cache(maxsize=1024)
def _text(text: str, names: tuple[str, ...], forms: KeywordForms) -> PlayText:
    return read_plays(text, names, forms)


@dataclass
class _Found:
    """A keyword as it is on an object: how it is used, and its words there."""

    use: KeywordUse
    uses: KeywordUses
    beside: Price | None = None
    source: str = ""
    plus_mana_cost: bool = False

    @property
    def takes_off(self) -> str:
        """What of each object that is used to pay comes off the total cost (lm:takesOff); empty where nothing does."""
        return next((cost.takes_off for cost in self.uses.costs if cost.takes_off), "")


class PlayBuilder(Builder):
    """Makes the facts of a play."""

    zones = ZONES
    remembers = False

    def __init__(self, board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> None:
        self.play = play
        self.keyword_uses = uses
        self.forms = reading.forms
        self.thing = board.objects[play.object] if play.object else next(iter(board.objects.values()))
        self.texts = {thing.id: text_of(thing, self.forms) for thing in board.objects.values() if thing.whole_text}
        self._leave_out_brackets()
        self.effect_texts = [_text(effect.text, (), self.forms) for effect in board.effects]
        super().__init__(board, self._with_plays(board, reading), known, "play")
        self.ways: list[Way] = []
        self.costs: list[Cost] = []
        self.aims: list[Aim] = []
        self.offered: list[Offered] = []
        self.modes = NO_MODES
        self.choices: list[Mapping[str, Any]] = []
        self.says: dict[int, str] = {}
        self.unread: list[str] = []
        self.only_allowing: list[str] = []
        self.only_forbidding: list[str] = []
        self.untold: list[str] = []
        self.assumptions: list[str] = []
        self._next_condition = 0
        self._known_extras: set[str] = set()
        self.chosen_modes: list[Mode] = []
        self._grant_filter = 0
        self.helped = False
        self.face_down_ways: set[int] = set()
        self.other_face_ways: set[int] = set()

    # ------------------------------------------------------------ what texts say

    def _leave_out_brackets(self) -> None:
        """Read the text of the object itself with the words in square brackets, or without them if a cost that leaves them out is paid."""
        asked = {name.lower() for name in self._asked_names()}
        for use in self._uses_on(self.thing):
            uses = self.keyword_uses.get(use.keyword)
            if uses is not None and any(cost.without_brackets for cost in uses.costs):
                without = bool(asked & {use.keyword.lower(), use.written.lower()})
                text = re.sub(r" ?\[[^\]]*\]" if without else r"[\[\]]", "", self.thing.whole_text)
                self.texts[self.thing.id] = text_of(replace(self.thing, text=text, card_text=None), self.forms)

    def _with_plays(self, board: Board, reading: Reading) -> Reading:
        """Add to the reading what texts state about plays: of permanents all, of the object itself what it says about itself."""
        objects = []
        for holder in reading.objects:
            text = self.texts.get(holder.name)
            states = holder.states
            if text is not None and board.objects[holder.name].zone == "battlefield":
                states = (*states, *settle(text.constraints, _turns(board, board.objects[holder.name].controller)))
            elif text is not None and holder.name == self.play.object:
                states = (*states, *(one for one in text.constraints if one.subject == "self"))
            objects.append(replace(holder, states=states))
        effects = [
            replace(holder, states=(*holder.states, *settle(text.constraints, _turns(board, effect.controller))))
            for holder, text, effect in zip(reading.effects, self.effect_texts, board.effects, strict=True)
        ]
        return replace(reading, objects=tuple(objects), effects=tuple(effects))

    def _states(self, number: int, index: int, time: int, pointers: dict[str, list[int]]) -> None:
        constraint = self.listed[number]
        name = self.holders[index]
        zone = self.board.objects[name].zone if name in self.board.objects else "battlefield"
        # 113.6: away from the battlefield only what an object says about itself counts, on the stack also what its keywords say.
        if constraint is not None and zone not in ("battlefield", "stack") and constraint.subject != "self":
            return
        super()._states(number, index, time, pointers)

    def _not_understood(self) -> None:
        """Name what is not understood and could change what is answered."""
        for thing in self.board.objects.values():
            if thing.card_text is not None and thing.card_text.plays & self._counting(thing):
                self.unread.append(f"{thing.id}: the text of {thing.card_text.card}, which is not installed")
            if thing.zone == "battlefield" and self._aimed_at(thing):
                self.unread += [f"{thing.id}: {use.shown}" for use in self._uses_on(thing) if self._imposes_unread(use)]
        for holder, controller, sentence in self._unread_sentences():
            self._doubt(holder, controller, sentence)

    def _unread_sentences(self) -> Iterator[tuple[str, str, str]]:
        """Yield what bears on plays where it is, and is not understood: who says it, who controls that, the sentence."""
        for thing in self.board.objects.values():
            text = self.texts.get(thing.id)
            for sentence in text.unread if text is not None else ():
                lower = sentence.lower()
                own = thing.id == self.play.object and _OF_ITSELF.search(lower)
                # 113.6b - also what says that it functions in the command zone
                if thing.zone == "battlefield" or own or (thing.zone == "command" and "command zone" in lower):
                    yield thing.id, thing.controller, sentence
        for name, text, effect in zip(self._effect_names(), self.effect_texts, self.board.effects, strict=True):
            yield from ((name, effect.controller, sentence) for sentence in text.unread)

    def _doubt(self, holder: str, controller: str, sentence: str) -> None:
        """Name a sentence that is not understood, with what it could change: nothing where it is about other plays."""
        if self._read_as_change(holder, sentence):
            return
        doubt = doubt_about(sentence, self.forms.plays)
        of_spell = holder == self.play.object and self.play.kind == "cast"
        if not of_spell and self._is_idle(doubt, own=controller == self.play.player, itself=holder == self.play.object):
            return
        told = f"{holder}: {sentence}"
        if doubt.mana and "pay" not in self.play.raw and self.board.players[self.play.player].mana is None:
            self.untold.append(told)
            return
        self.unread.append(told)
        if not doubt.forbids and not of_spell:
            self.only_allowing.append(told)
        if not doubt.allows and not of_spell:
            self.only_forbidding.append(told)

    def _is_idle(self, doubt: Doubt, *, own: bool, itself: bool) -> bool:
        """Return whether what is not understood is about other plays, or those of others."""
        others = (doubt.itself and not itself) or doubt.by == ("opponent" if own else "you")
        return others or not self._concerned() & doubt.kinds or (doubt.mana and self.play.kind in _TIMELESS)

    def _concerned(self) -> set[str]:
        """Return of what kinds (`Doubt.kinds`) the play is."""
        targeting = self.play.kind == "attach" or bool(self.aims or self.choices)
        # 116.2f - what could be cast now; and what would be played
        as_cast = self.play.kind == "special"
        return {self.play.kind} | ({"target"} if targeting else set()) | ({"cast"} if as_cast else set())

    def _effect_names(self) -> list[str]:
        return [effect.name or f"effect {number}" for number, effect in enumerate(self.board.effects, start=1)]

    def _aimed_at(self, thing: Object) -> bool:
        """Return whether `thing` is a target or is to have something attached, or could be, as the file does not say."""
        raw = self.play.raw
        return thing.id == raw["to"] if "to" in raw else thing.id in raw.get("targets", (thing.id,))

    def targets_in_doubt(self) -> bool:
        """Return whether keywords of a permanent restrict what can be aimed at it in words that are not understood."""
        there = (thing for thing in self.board.objects.values() if thing.zone == "battlefield")
        return any(self._imposes_unread(use) for thing in there for use in self._uses_on(thing))

    def _imposes_unread(self, use: KeywordUse) -> bool:
        """Return whether a keyword restricts what can be aimed at what it is on, with words that are not understood."""
        kinds = (self.known.kinds[one.kind] for one in self.known.keywords[use.keyword].imposes)
        return bool(use.unread) and use.unread not in _PLAYERS and any("play" in kind.judges for kind in kinds)

    def _read_as_change(self, holder: str, sentence: str) -> bool:
        """Return whether a sentence is read as one that changes creatures; what it does to other permanents is not known (613)."""
        states = next(one.states for one in (*self.reading.objects, *self.reading.effects) if one.name == holder)
        same = [one for one in states if self.known.kinds[one.kind].layer and one.source.rstrip(".") == sentence.rstrip(".")]
        return bool(same) and not re.search(r"\b(?:permanent|enchantment|artifact|land|planeswalker)s\b", sentence.lower())

    def _counting(self, thing: Object) -> set[str]:
        """Return what of a text that is not there would count where `thing` is."""
        counting = {"play", "own play"} if thing.id == self.play.object else set()
        if thing.zone == "battlefield":
            counting.add("play")
            # what is not stated is taken as paid
            counting |= {"mana"} if self.board.players[self.play.player].mana is not None else set()
        return counting

    # ------------------------------------------------------------ facts

    def extend(self) -> None:
        """Add what the play needs."""
        self._zones()
        self._time()
        self._history()
        self.add("play", self.play.kind)
        self.add("actor", self._player(self.play.player))
        self.add("played", self.numbers[self.play.object])
        self._cost_changes()
        self._untargetable()
        getattr(self, f"_{self.play.kind}")()
        self._using()
        self._doubts()
        self._paid()
        self._not_understood()

    def _doubts(self) -> None:
        """Name what is not worked out and bears on the play: keywords that are used, or that could change how the card is cast."""
        asked = {name.lower() for name in self._asked_names()} | {_word_of(one) for one in self.play.raw.get("extra", ())}
        for found in self._keywords_of(self.thing):
            status = worked_out(found.uses.name)
            named = asked & {name.lower() for name in self._names(found)}
            about_casting = self.play.kind == "cast" and bool({"stack", self.thing.zone} & set(found.uses.zones))
            if (named and not status.works) or (about_casting and not status.begun and found.uses.continuous):
                left = f" ({'; '.join(status.left_out)})" if status.left_out else ""
                self.unread.append(f"{self.thing.id}: {found.use.shown} is not worked out{left}")
        used = [number for number, way in enumerate(self.ways, start=1) if asked & {name.lower() for name in way.names}]
        changing = [kind.term for kind in self.known.kinds.values() if kind.price or kind.forbids == self.play.kind]
        by_others = [one for one in self.listed if one is not None and one.kind in changing and one.subject not in ("self", Filter())]
        if self.face_down_ways & set(used) and by_others:
            self.unread.append(f"{self.thing.id}: what it is like while it is cast face down")
        if self.other_face_ways & set(used):
            self._doubt_of_back(bool(by_others))

    def _doubt_of_back(self, matters: bool) -> None:
        """Name what is not worked out of a card that is cast with its back face up; `matters` is whether its types make a difference."""
        back = next((face for face in self.thing.faces if face.transformed), None)
        if back is None:
            self.assumptions.append(f"the other face of {self.thing.id} has the same types and targets")
        elif any(one.targets_by for one in types_among(back.subtypes)) or (matters and set(back.types) != set(self.thing.types)):
            self.unread.append(f"{self.thing.id}: what it is while it is cast with its back face up")

    def _asked_names(self) -> list[str]:
        used = self.play.raw.get("using", ())
        names = [used] if isinstance(used, str) else list(used)
        return names + [self.play.raw[key] for key in ("ability", "special") if key in self.play.raw]

    def _zones(self) -> None:
        for thing in self.board.objects.values():
            index = self.numbers[thing.id]
            self.add("zone", index, thing.zone)
            if thing.zone == "stack":
                self.add("casts", self._player(thing.controller), index)
            amounts = symbols(thing.mana_cost or "") or {}
            self.add("mana_value", index, sum(_value(symbol) * number for symbol, number in amounts.items()))
            for symbol, number in amounts.items():
                self.add("mana_cost", index, _term(symbol), number)
            for word in thing.designations:
                self.add("designated", index, quoted(word))
            for status in _STATUSES:
                if getattr(thing, status):
                    self.add("designated", index, quoted(status))
            for kind, count in thing.counters.items():
                self.add("amount", index, quoted(kind), count)
            self.add("amount", index, quoted("class level"), thing.level or 1)
        for block in self.board.blocks or ():
            for attacker in block.attackers:
                if attacker in self.numbers:
                    self.add("blocked_creature", self.numbers[attacker])
        if self.board.blocks is not None:
            self.add("blocks_declared")

    def _time(self) -> None:
        turn = self.board.turn
        if "phase" in turn:
            phase = turn["phase"]
        else:
            phase = "combat" if self.board.attacks is not None else "main1"
            if phase == "main1" and self.play.kind not in _TIMELESS:
                self.assumptions.append(f"it is the first main phase of {self.board.active}'s turn")
        self.add("phase", phase)
        if "step" in turn:
            self.add("turn_step", turn["step"])
        if turn.get("priority"):
            self.add("priority", self._player(turn["priority"]))
        elif "priority" not in turn:
            self.add("priority", self._player(self.play.player))
            if self.play.kind not in _TIMELESS:
                self.assumptions.append(f"{self.play.player} has priority")
        for name, player in self.board.players.items():
            self.add("life", self._player(name), player.life)
            self.add("amount", self._player(name), quoted("speed"), player.extra.get("speed", 0))
            for word in ("monarch", "initiative", "citys_blessing"):
                if player.extra.get(word):
                    self.add("designated", self._player(name), quoted(word))
            played = self.board.history.get("lands_played", {}).get(name, 0)
            if turn.get("land_played") and name == self.board.active:
                played = max(played, 1)
            self.add("lands_played", self._player(name), played)

    def _untargetable(self) -> None:
        there = [(thing.controller, self.texts[thing.id]) for thing in self.board.objects.values() if self._states_here(thing)]
        there += [(effect.controller, text) for effect, text in zip(self.board.effects, self.effect_texts, strict=True)]
        for controller, text in there:
            for whose in text.untargetable:
                self.add("untargetable", self._player(controller), whose)

    def _states_here(self, thing: Object) -> bool:
        return thing.id in self.texts and thing.zone == "battlefield" and not thing.phased_out and not thing.face_down

    def _history(self) -> None:
        for event, found in self.board.history.items():
            amounts = found.items() if isinstance(found, Mapping) else ((name, 1) for name in found)
            for name, amount in amounts:
                term = self._player(name) if name in self.players else self.numbers[name]
                if amount:
                    self.add("happened", quoted(event), term)
                    self.add("amount", term, quoted(event), amount)

    def _cost_changes(self) -> None:
        for number, constraint in enumerate(self.listed):
            kind = None if constraint is None else self.known.kinds.get(constraint.kind)
            if constraint is None or kind is None or not kind.price:
                continue
            for symbol, amount in (symbols(constraint.value or "") or {}).items():
                self.add(kind.price, number, _term(symbol), amount)
            if isinstance(constraint.object, Filter):
                self.add("per", number, self._filter(constraint.object, early=False))

    # ------------------------------------------------------------ casting

    def _cast(self) -> None:
        thing = self.thing
        text = self.texts.get(thing.id) or PlayText()
        own = symbols(thing.mana_cost) if thing.mana_cost is not None else {}
        if thing.mana_cost is None and thing.card_text is None and not any(one.played for one in types_among(thing.types)):
            self.assumptions.append(f"{thing.id} has no mana to pay, since the file gives it no mana_cost")
        mana_cost = Price(tuple((own or {}).items()), unpayable=thing.mana_cost is None and thing.card_text is not None)
        rule = play_rules()["mana_cost"].rule
        self.sole = self._way(Way((thing.id,), "its mana cost", rule))
        self.add("sole", self.sole)
        self.add("base", self.sole, self._cost("its mana cost", rule, mana_cost))
        if thing.commander and thing.zone == "command":
            for_tax = 2 * self.board.history.get("commander_casts", {}).get(thing.id, 0)
            self.tax = for_tax
        else:
            self.tax = 0
        for found in self._keywords_of(thing):
            self._keyword_ways(found, mana_cost)
        for offer in text.offers:
            self._offer(offer, thing.id, mana_cost)
        for other in self.board.objects.values():
            if other.zone == "battlefield" and other.controller == self.play.player and other.id in self.texts:
                for offer in self.texts[other.id].offers:
                    if offer.spells is not None:
                        self._offer(offer, other.id, mana_cost)
            if other.zone == "stack" and other.id != thing.id:
                self._resolving(other)
            if other.zone == "hand" and other.owner == self.play.player and other.id != thing.id:
                self._on_another(other)
        if self.tax:
            for way in range(1, len(self.ways) + 1):
                self.add("tax", way, self.tax)
        self._modes(text.modes)
        self._aims(self._aims_of_spell(text))

    def _keywords_of(self, thing: Object) -> Iterator[_Found]:
        """Yield the keywords on an object, and those that the texts of permanents give to the card."""
        for use in self._uses_on(thing):
            if use.keyword in self.keyword_uses:
                yield _Found(use, self.keyword_uses[use.keyword])
        for name, uses in self.keyword_uses.items() if thing.designations else ():
            if uses.marked_by and uses.marked_by in thing.designations:
                yield _Found(KeywordUse(name, name), uses)
        for other in self.board.objects.values():
            text = self.texts.get(other.id)
            if text is None or other.zone != "battlefield" or other.controller != thing.owner:
                continue
            for grant in text.grants:
                if thing.zone == grant.zone:
                    yield from self._granted(grant, other)

    def _granted(self, grant: Grant, other: Object) -> Iterator[_Found]:
        uses = self.keyword_uses.get(grant.keyword)
        if uses is None or grant.beside is None:
            self.unread.append(f"{other.id}: {grant.source}")
            return
        index = self._filter(grant.cards, early=False)
        self._grant_filter = index
        yield _Found(KeywordUse(grant.keyword, grant.keyword), uses, grant.beside, other.id, plus_mana_cost=True)
        self._grant_filter = 0

    def _uses_on(self, thing: Object) -> Iterator[KeywordUse]:
        lines = thing.text.split("\n") if thing.text else []
        for written in (*thing.keywords, *(thing.card_text.keywords if thing.card_text else ())):
            found = parse_keywords(written, self.forms)
            yield from found
            if not found and thing.card_text is not None:
                # of a label the card has the keyword alone; what stands behind it is in the text
                lines += [line for line in abilities(thing.card_text.text) if line.casefold().startswith(written.casefold())]
        for line in lines:
            for written in keyword_abilities(line.strip().removesuffix("."), self.forms):
                yield from parse_keywords(written, self.forms)

    def _keyword_ways(self, found: _Found, mana_cost: Price) -> None:
        uses, use = found.uses, found.use
        for cost in uses.costs:
            if cost.used_to == self.play.kind and cost.resolving != "other":
                price = self._price(cost, found, mana_cost)
                if price is not None:
                    way = self._way(Way(self._names(found), use.shown, cost.rule))
                    self._limits(way, cost)
                    self.add("base", way, self._cost(use.shown, cost.rule, price, found.takes_off))
            elif cost.beside and cost.zone:
                price = self._price(cost, found, mana_cost)
                if price is not None:
                    way = self._way(Way(self._names(found), use.shown, cost.rule))
                    self._limits(way, cost)
                    self.add("base", way, self._cost("its mana cost", play_rules()["mana_cost"].rule, mana_cost))
                    self.add("beside", way, self._cost(use.shown, cost.rule, price))
            elif cost.beside and not cost.on_another:
                self._extra(cost, found, mana_cost)
            elif cost.in_place_of_mana:
                self._method(cost, found, mana_cost)

    def _names(self, found: _Found) -> tuple[str, ...]:
        parts = [found.uses.name, found.use.written, *([found.source] if found.source else [])]
        return tuple(dict.fromkeys(parts))

    def _price(self, cost: UseCost, found: _Found, mana_cost: Price) -> Price | None:
        """Return what a keyword's cost asks for on this object; None, and named as not understood, where it cannot be read."""
        if found.plus_mana_cost and cost.pays == "{cost}":
            assert found.beside is not None
            return mana_cost.plus(found.beside)
        written = cost.pays
        if "{cost}" in written:
            written = written.replace("{cost}", found.use.cost or "?")
        if "{number}" in written:
            written = written.replace("{number}", "?" if found.use.number is None else str(found.use.number))
        if "{mana cost}" in written and self.thing.mana_cost is None:
            # 701.40b, 701.58b: what has none can't be turned face up so.
            self.assumptions.append(f"{self.thing.id} has no mana cost, since the file gives it no mana_cost")
            return None
        written = written.replace("{mana cost}", self.thing.mana_cost or "")
        if "{materials}" in written:
            named = number_of(found.use.materials.partition(" ")[0]) is not None or found.use.materials.startswith("one or more ")
            written = written.replace("{materials}", found.use.materials if named else f"a {found.use.materials}")
        price = read_cost(written.replace("{quality} ", ""))
        if "{quality}" in written and price is not None:
            price = None if found.use.quality is None else price.narrowed(found.use.quality)
        if price is None or " and/or " in found.use.written:
            self._needs_reading(found)
            return None
        return price

    def _needs_reading(self, found: _Found) -> None:
        self.unread.append(f"{found.source or self.thing.id}: {found.use.shown}")

    def _extra(self, cost: UseCost, found: _Found, mana_cost: Price) -> None:
        if cost.modes:
            return
        player = cost.opponent
        price = Price() if player else self._price(cost, found, mana_cost)
        chosen = [one for one in self.play.raw.get("extra", ()) if _word_of(one) in self._names(found)]
        if price is None:
            return
        if cost.optional and not cost.for_each:
            whom = [name for name in self.players if name != self.play.player] if player else [""]
            self.offered += [Offered(self._names(found), name, cost.repeatable) for name in whom]
        count = len(chosen) if cost.optional else 1
        if cost.for_each == "mode":
            count = max(0, len(self.play.raw.get("modes", ())) - 1)
        number = self._cost(found.use.shown, cost.rule, price, found.takes_off)
        for time in found.uses.times:
            self.add("cost_time", number, time)
        if cost.repeatable or cost.for_each:
            self.add("repeatable", number)
        if count:
            self.add("chosen", number, count)
        for one in chosen:
            self._known_extras.add(_word_of(one))
            if player:
                who = one[_word_of(one)] if isinstance(one, Mapping) else None
                if who not in self.players or who == self.play.player:
                    self.add("wrong_player", number)

    def _on_another(self, other: Object) -> None:
        """Add the additional costs that keywords of another card in hand offer: `extra: [{splice: ID}]`."""
        for use in self._uses_on(other):
            uses = self.keyword_uses.get(use.keyword)
            for cost in uses.costs if uses is not None else ():
                chosen = [one for one in self.play.raw.get("extra", ()) if one == {use.keyword: other.id}]
                if uses is None or not cost.on_another:
                    continue
                self.offered.append(Offered((use.keyword,), other.id))
                if not chosen:
                    continue
                price = self._price(cost, _Found(use, uses, source=other.id), Price())
                text = self.texts.get(other.id) or PlayText()
                if price is None or use.quality is None or text.aims or text.modes.each:
                    self.unread.append(f"{other.id}: what is chosen for it" if price is not None else f"{other.id}: {use.shown}")
                    continue
                number = self._cost(f"{use.shown} of {other.id}", cost.rule, price)
                self.add("chosen", number, len(chosen))
                self.add("only_for", number, self._filter(use.quality, early=False), quoted(cost.rule))
                self._known_extras.add(f"{use.keyword} {other.id}")

    def _method(self, cost: UseCost, found: _Found, mana_cost: Price) -> None:
        if cost.helper:
            self.offered.append(Offered(self._names(found)))
            if any(_word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                self.helped = True
                self._known_extras.update(self._names(found))
            return
        price = self._price(cost, found, mana_cost)
        if price is not None:
            number = self._cost(found.use.shown, cost.rule, price)
            self.add("method", number, cost.yields)

    def _limits(self, way: int, cost: UseCost) -> None:
        if cost.zone:
            self.add("way_from", way, cost.zone)
        if cost.resolving == "own":
            self.add("resolving", way)
        if cost.spell:
            what = described(cost.spell)
            if what is not None:
                self.add("way_spell", way, self._filter(what, early=False))
        if self._grant_filter:
            self.add("way_spell", way, self._grant_filter)
        if cost.untargeted:
            self.add("untargeted", way)
        if cost.face_down:
            self.add("turned_down", way)
            self.face_down_ways.add(way)
        if cost.other_face:
            self.other_face_ways.add(way)
        for time in cost.times:
            self.add("way_time", way, time)
        for condition in cost.conditions:
            self._needs(way, condition)

    def _offer(self, offer: Offer, source: str, mana_cost: Price) -> None:
        rule = play_rules()[offer.kind].rule
        if offer.kind == "additional":
            number = self._cost(offer.source, rule, offer.price)
            if not offer.optional:
                self.add("always", number)
                return
            self.offered.append(Offered(("additional",)))
            if "additional" in map(_word_of, self.play.raw.get("extra", ())):
                self.add("chosen", number, 1)
                self._known_extras.add("additional")
            return
        way = self._way(Way((source, "alternative") if source == self.thing.id else (source,), offer.source, rule))
        if offer.spells is not None:
            self.add("way_spell", way, self._filter(offer.spells, early=False))
        if offer.zone:
            self.add("way_from", way, offer.zone)
        if offer.once_each_turn:
            self.add("limit", way, 1)
            self.add("used", way, self.board.history.get("activated", {}).get(source, 0))
        for condition in offer.conditions:
            self._needs_controls(way, condition, offer.source)
        price = offer.price if offer.kind == "alternative" else mana_cost
        self.add("base", way, self._cost(offer.source, rule, price))

    def _resolving(self, other: Object) -> None:
        """Add the ways to cast the card while a keyword of `other` on the stack resolves."""
        for use in self._uses_on(other):
            for cost in self.keyword_uses[use.keyword].costs if use.keyword in self.keyword_uses else ():
                price = read_cost(cost.pays)
                if cost.resolving == "other" and price is not None:
                    way = self._way(Way((use.keyword, other.id), f"{use.shown} of {other.id}", cost.rule))
                    self.add("resolving", way)
                    self.add("foreign", way)
                    if cost.zone:
                        self.add("way_from", way, cost.zone)
                    what = described(cost.spell)
                    if what is not None and cost.cheaper and other.mana_cost is not None:
                        value = sum(_value(symbol) * number for symbol, number in (symbols(other.mana_cost) or {}).items())
                        what = Filter(tuple((*tests, Test("mana_value_at_most", value - 1)) for tests in what.any_of))
                    if what is not None:
                        self.add("way_spell", way, self._filter(what, early=False))
                    self.add("base", way, self._cost(use.shown, cost.rule, price))

    def _modes(self, modes: Modes) -> None:
        chosen = self.play.raw.get("modes", ())
        self.modes = modes
        if not modes.each:
            if chosen:
                self.add("wrong_modes")
            return
        for written in chosen:
            mode = mode_named(written, modes.each)
            if mode is None:
                self.add("wrong_modes")
                continue
            if mode in self.chosen_modes and not modes.again:
                self.add("wrong_modes")
            self.chosen_modes.append(mode)
            if mode.price is not None:
                self.add("chosen", self._cost(mode.written, play_rules()["mode"].rule, mode.price), 1)
        least, most = self._how_many_modes(modes)
        if "modes" not in self.play.raw:
            self._open_modes(least, most)
        elif self._in_doubt_of_modes(modes.unread, len(chosen)):
            self.unread.append(f"{self.thing.id}: {modes.unread}")
        elif len(chosen) < least or (most is not None and len(chosen) > most):
            self.add("wrong_modes")

    def _open_modes(self, least: int, most: int | None) -> None:
        """Add the ways to choose modes: as few as can be, and where targets are named, any number, as more modes may have more of them."""
        several = self.play.raw.get("targets")
        longest = len(self.modes.each) if most is None else most
        numbers = range(least, max(longest, least) + 1) if several else (least,)
        choose = itertools.combinations_with_replacement if self.modes.again else itertools.combinations
        lists = itertools.chain.from_iterable(choose(range(1, len(self.modes.each) + 1), number) for number in numbers)
        self.choices = [{"modes": tuple(map(str, one))} for one in itertools.islice(lists, _MOST_CHOICES + 1)]
        if len(self.choices) > _MOST_CHOICES:
            self.choices = []
            self.unread.append(f"{self.thing.id}: which of its modes are chosen (modes)")

    def _in_doubt_of_modes(self, says: str, number: int) -> bool:
        """Return whether a sentence that lets more modes be chosen could matter: not if nothing was paid for, nor for one mode."""
        if re.search(r"\bwas (?:cast using|paid)\b", says) or self.forms.plays.was_paid.search(says):
            return bool(self.play.raw.get("extra"))
        return bool(says) and (number != 1 or "you may" not in says)

    def _how_many_modes(self, modes: Modes) -> tuple[int, int | None]:
        """Return how many modes have to be chosen at least and at most, by the text and by what keywords let a player choose more."""
        least, most = modes.least, modes.most
        for found in self._keywords_of(self.thing):
            for cost in found.uses.costs:
                if cost.for_each == "mode":
                    most = None
                if cost.all_modes and any(_word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                    least = most = len(modes.each)
        return least, most

    # ------------------------------------------------------------ activating

    def _activate(self) -> None:
        if self.thing.face_down and self.thing.zone == "battlefield":
            return  # 708.2a: it has no abilities
        if any(one.retyped for one in types_among(self.thing.types)):
            self.unread += lands_changed(self.board)  # 305.7: it may have lost its abilities
        for found in self._keywords_of(self.thing):
            uses = found.uses
            if self.play.kind not in uses.plays:
                continue
            for cost in uses.costs_to(self.play.kind):
                price = self._price(cost, found, Price())
                if price is None:
                    continue
                way = self._ability(found, cost)
                self.add("base", way, self._cost(found.use.shown, cost.rule, price))
        text = self.texts.get(self.thing.id) or PlayText()
        for place, ability in enumerate(text.abilities, start=1):
            self._text_ability(place, ability)
        self._aims_for_ability(text)
        asked = {name.lower() for name in self._asked_names()}
        if not any(asked <= {name.lower() for name in way.names} for way in self.ways):
            for name, one in (*self.texts.items(), *zip(self._effect_names(), self.effect_texts, strict=True)):
                self.unread += [f"{name}: {sentence}" for sentence in one.gives if name != self.thing.id]

    def _ability(self, found: _Found, cost: UseCost) -> int:
        uses = found.uses
        way = self._way(Way(self._names(found), found.use.shown, cost.rule))
        for zone in uses.zones:
            self.add("way_from", way, zone)
        self._times(way, (*uses.times, *cost.times))
        for condition in cost.conditions:
            self._needs(way, condition)
        return way

    def _times(self, way: int, named: Iterable[str]) -> None:
        """Add when and how often: what kb/ calls times (lm:Time) are moments, limits and one condition."""
        history = self.board.history
        for time in named:
            meant = times().get(time)
            if meant is None:
                self.add("way_time", way, time)
            elif meant.after:
                self._needs(way, PlayCondition("happened", meant.after, "self", 1, False, meant.says))
            else:
                self.add("limit", way, 1)
                self.add("used", way, history.get("activated" if meant.per == "turn" else "used", {}).get(self.thing.id, 0))

    def _text_ability(self, place: int, ability: Activated) -> None:
        names = (str(place), ability.written, *([ability.label] if ability.label else []))
        if ability.level is not None:
            names = (*names, f"level {ability.level}")
        meant = {name.lower() for name in self._asked_names()} <= {name.lower() for name in names}
        if ability.price is None:
            self.unread += [f"{self.thing.id}: {ability.written}"] if meant else []
            return
        labelled = self.keyword_uses.get(ability.label)
        own = labelled.costs_to(self.play.kind) if labelled is not None else ()
        rule = own[0].rule if own and ability.level is None else play_rules()["ability" if ability.level is None else "level"].rule
        way = self._way(Way(names, ability.written, rule))
        for zone in labelled.zones if labelled is not None and labelled.zones else ability.zones:
            self.add("way_from", way, zone)
        times = list(ability.times)
        if labelled is not None:
            times += labelled.times
            for cost in labelled.costs:
                for condition in cost.conditions:
                    if cost.takes_off:
                        self.add("own_cost_off", way, self._of_condition(condition))
                        if self.thing.id in self.board.history.get(condition.value, ()):
                            self._hybrid(self.thing.id)
                    else:
                        self._needs(way, condition)
            for condition in labelled.conditions:
                self._needs(way, condition)
        if ability.limit:
            times.append(ability.limit)
        self._times(way, times)
        if ability.mana:
            self.add("mana_ability", way)
        if ability.anyone:
            self.add("anyone", way)
        if ability.condition and meant:
            self._only_if(way, ability.condition)
        if ability.loyalty:
            self._loyalty(way, ability.loyalty)
        if ability.level is not None:
            self._needs(way, PlayCondition("has_amount", "class level", "self", ability.level - 1, False, "it is not at the level before"))
            self._needs(way, PlayCondition("has_amount", "class level", "self", ability.level, True, "it has that level already"))
        self.add("base", way, self._cost(ability.written, rule, ability.price))

    def _only_if(self, way: int, sentence: str) -> None:
        """Add the condition on which an ability can be activated (602.5b), or name it as not understood."""
        match = re.fullmatch(r"activate (?:this ability )?only if (.+?)\.?", sentence.lower())
        conditions = read_condition(match[1], self.forms) if match else None
        if conditions is None:
            self.unread.append(f"{self.thing.id}: {sentence}")
        for condition in conditions or ():
            self._needs_controls(way, condition, sentence)

    def _loyalty(self, way: int, cost: str) -> None:
        change = cost.replace("x", str(min(self.play.raw.get("x", 0), _MOST_MANA)))
        self.add("loyalty_ability", way, int(change))
        if self.thing.loyalty is not None:
            self.add("has_loyalty", self.numbers[self.thing.id], self.thing.loyalty)
        if self.board.history.get("activated", {}).get(self.thing.id, 0):
            self.add("activated_before", self.numbers[self.thing.id])

    def _aims_for_ability(self, text: PlayText) -> None:
        """Add the modes and targets of the ability that is asked for; of several, each is a choice that is open."""
        found: list[tuple[str, tuple[Aim, ...] | None, Modes]] = []
        asked = [name.lower() for name in self._asked_names()]
        for keyword in self._keywords_of(self.thing):
            if self.play.kind in keyword.uses.plays and set(asked) <= set(map(str.lower, self._names(keyword))):
                found.append((keyword.use.written, self._keyword_aims(keyword), NO_MODES))
        for place, ability in enumerate(text.abilities, start=1):
            if set(asked) <= {str(place), ability.written.lower(), ability.label, f"level {ability.level}"}:
                found.append((str(place), ability.aims, ability.modes))
        if len({(aims, modes) for _, aims, modes in found}) > 1:
            self.choices = [{"ability": name} for name, _, _ in found if name.lower() not in asked]
        elif found:
            _, aims, modes = found[0]
            self._modes(modes)
            if aims is None:
                self.unread.append(f"{self.thing.id}: what its ability targets")
            else:
                self._aims((*aims, *self._aims_of_modes()))
        elif "targets" in self.play.raw:
            self.unread.append(f"{self.thing.id}: what its ability targets")

    def _aims_of_modes(self) -> Iterator[Aim]:
        for mode in self.chosen_modes:
            if mode.aims is None:
                self.unread.append(f"{self.thing.id}: {mode.written}")
            yield from mode.aims or ()

    def _keyword_aims(self, found: _Found) -> tuple[Aim, ...] | None:
        aims = []
        for target in found.uses.targets:
            what = described(target.words)
            if what is None:
                return None
            if target.narrowed and found.use.quality is not None:
                what = Filter(tuple((*one, *other) for one in what.any_of for other in found.use.quality.any_of))
            if target.narrowed and found.use.unread:
                return None
            words = target.words.removeprefix("another ")
            zone = "own battlefield" if target.of_owner else "battlefield"
            aims.append(Aim(what, zone=zone, least=0 if target.up_to else target.number, most=target.number, written=words))
        return tuple(aims)

    # ------------------------------------------------------------ special actions

    def _action_names(self, cost: UseCost) -> Iterator[str]:
        """Yield what a special action is called beside its keyword."""
        return (
            name for one in special_actions().values() if cost.zone and one.zone == cost.zone and not one.card_type for name in one.names
        )

    def _special(self) -> None:
        for found in self._keywords_of(self.thing):
            for cost in found.uses.costs_to(self.play.kind):
                price = self._price(cost, found, Price())
                if price is None:
                    continue
                way = self._way(Way((*self._names(found), *self._action_names(cost)), found.use.shown, cost.rule))
                if cost.zone:
                    self.add("way_from", way, cost.zone)
                if cost.printed_type:
                    self.add("way_printed", way, quoted(cost.printed_type))
                self._times(way, (*found.uses.times, *cost.times))
                for condition in cost.conditions:
                    self._needs(way, condition)
                self.add("base", way, self._cost(found.use.shown, cost.rule, price))
        self.add("castable", self.numbers[self.thing.id])
        for word, action in special_actions().items():
            if action.card_type in self.thing.types:
                way = self._way(Way(action.names, action.label, action.rule))
                self.add("named_action", way, word)
                self.add("way_from", way, action.zone)
                self.add("way_time", way, action.time)
                self.add("base", way, self._cost("nothing", action.rule, Price()))

    def _attach(self) -> None:
        self.add("pair", self.numbers[self.thing.id], self._named(self.play.raw["to"]))
        self._enchanting()
        attached = self.thing.attached_to
        if attached in self.players:
            self.add("attached_to_player", self.numbers[self.thing.id], self._player(attached))

    def _trigger(self) -> None:
        asked = self.play.raw.get("ability")
        for found in self._keywords_of(self.thing):
            if self.play.kind in found.uses.plays and (asked is None or asked.lower() in map(str.lower, self._names(found))):
                way = self._way(Way(self._names(found), found.use.shown, found.uses.rule))
                self.add("base", way, self._cost("nothing", found.uses.rule, Price()))
                aims = self._keyword_aims(found)
                if aims is None:
                    self.unread.append(f"{self.thing.id}: {found.use.shown}")
                else:
                    self._aims(aims)

    # ------------------------------------------------------------ targets

    def _aims_of_spell(self, text: PlayText) -> tuple[Aim, ...]:
        for one in types_among(self.thing.subtypes):
            if one.targets_by:
                return (Aim(None, written=one.targets_by),)
        aims = list(text.aims) if any(one.followed for one in types_among(self.thing.types)) else []
        aims.extend(self._aims_of_modes())
        paid: set[str] = set()
        for found in self._keywords_of(self.thing):
            for cost in found.uses.costs:
                if cost.if_paid and any(_word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                    paid.update(cost.if_paid)
            if any(name.lower() in map(str.lower, self._names(found)) for name in self._asked_names()):
                aims.extend(self._keyword_aims(found) or ())
        held = [aim for aim in aims if not aim.if_paid or aim.if_paid in paid]
        if any(aim.instead for aim in held):
            held = [aim for aim in held if aim.if_paid]
        return tuple(held)

    def _aims(self, aims: tuple[Aim, ...]) -> None:
        chosen = self.play.raw.get("targets")
        self.aims.extend(aims)
        split = shares(aims, len(chosen or ()))
        left = list(chosen or ())
        for number, (aim, share) in enumerate(zip(aims, split, strict=True), start=1):
            self.add("aim", number, aim.least, "any" if aim.most is None else aim.most)
            if aim.what is not None:
                self.add("aim_filter", number, self._filter(aim.what, early=False))
                whose, _, zone = aim.zone.rpartition(" ")
                self.add("aim_zone", number, zone)
                if whose:
                    self.add("aim_own" if whose == "own" else "aim_of_opponents", number)
            elif not aim.players:
                self.add("enchanting", number)
                self._enchanting()
            if aim.players:
                self.add("aim_player", number, aim.players)
            for other in range(max(1, number - aim.apart), number):
                self.add("aim_apart", number, other)
            for place in range(share):
                name = left.pop(0)
                self.add("targeted", number, place + 1, self._named(name))
        for name in left:
            self.add("surplus", self._named(name))
        if chosen is not None:
            self.add("chosen_targets")

    def _named(self, name: str) -> int | str:
        return self._player(name) if name in self.players else self.numbers[name]

    def _enchanting(self) -> None:
        """Add the players that the Aura's keywords let it enchant: those whose quality is no object."""
        imposes, kinds = self.known.keywords, self.known.kinds
        uses = [use for use in self._uses_on(self.thing) if any(kinds[one.kind].names_players for one in imposes[use.keyword].imposes)]
        for use in uses:
            if use.unread in _PLAYERS and len(uses) == 1:
                for name in self.players:
                    if use.unread == "player" or name != self.play.player:
                        self.add("enchants_player", self.numbers[self.thing.id], self._player(name))
            elif use.quality is None:
                self.unread.append(f"{self.thing.id}: {use.shown}")

    # ------------------------------------------------------------ parts

    def _using(self) -> None:
        words: dict[str, int] = {}
        for number, way in enumerate(self.ways, start=1):
            for name in way.names:
                index = words.setdefault(name.lower(), len(words) + 1)
                self.add("means", number, index)
            self.add("way_rule", number, quoted(way.rule))
        for name in self._asked_names():
            self.add("using", words.setdefault(name.lower(), len(words) + 1))
        for one in self.play.raw.get("extra", ()):
            named = [f"{word} {value}" for word, value in one.items()] if isinstance(one, Mapping) else []
            if self._known_extras.isdisjoint([_word_of(one), *named]):
                self.add("unknown", quoted(_word_of(one)))

    def _paid(self) -> None:
        for thing in self.board.objects.values():
            source = source_of(thing) if thing.zone == "battlefield" and thing.controller == self.play.player else None
            if source is not None and thing.id != self.play.object:
                for place, kinds in enumerate(source.mana, start=1):
                    for kind in sorted(kinds):
                        self.add("adds_mana", self.numbers[thing.id], place, kind)
                if source.taps:
                    self.add("taps_to_add", self.numbers[thing.id])
        given = self.play.raw.get("with")
        if given is not None:
            self.add("named")
            for verb, names in given.items():
                for name in names:
                    self.add("given", verb, self.numbers[name])
                    if any(found.takes_off == "mana_cost" for found in self._keywords_of(self.thing)):
                        self._hybrid(name)
        if "x" in self.play.raw:
            self.add("x_value", min(self.play.raw["x"], _MOST_MANA))

    def _hybrid(self, name: str) -> None:
        """Name as not understood that nobody says which half of a hybrid symbol of this mana cost comes off another cost (118.7e)."""
        if any("/" in symbol and not symbol.endswith("/P") for symbol in symbols(self.board.objects[name].mana_cost or "") or {}):
            self.unread.append(f"{name}: which half of its hybrid mana comes off the cost")

    def _way(self, way: Way) -> int:
        self.ways.append(way)
        number = len(self.ways)
        self.add("way", number)
        return number

    def _cost(self, told: str, rule: str, price: Price, takes_off: str = "") -> int:
        if any(amount > _MOST_MANA for _, amount in price.mana):
            raise InputError(f"the cost {told} asks for more than {_MOST_MANA:,} mana", line=self.thing.line or None)
        self.costs.append(Cost(told, rule, price))
        number = len(self.costs)
        for symbol, amount in price.mana:
            self.add("mana_of", number, _term(symbol), amount)
        if price.life:
            self.add("act_life", number, price.life)
        for kind, amount in price.counters:
            self.add("act_counters", number, quoted(kind), amount)
        if price.unpayable:
            self.add("unpayable", number)
        for place, act in enumerate(price.acts, start=1):
            if act.itself:
                self.add("act_self", number, place, act.verb)
                continue
            if act.number is None:
                self.add("act_power", number, place, act.power)
            elif act.up_to:
                self.add("act_up_to", number, place, act.verb, act.number)
            else:
                if act.or_more:
                    self.add("act_more", number, place)
                self.add("act_of", number, place, act.verb, act.number)
            if act.what is not None:
                self.add("act_filter", number, place, self._filter(act.what, early=False))
            for zone in act.zones:
                self.add("act_zone", number, place, zone)
            if takes_off:
                self.add("takes_off", number, place, takes_off)
        return number

    def _condition_number(self, says: str) -> int:
        self._next_condition += 1
        self.says[self._next_condition] = says
        return self._next_condition

    def _needs(self, way: int, condition: PlayCondition) -> None:
        self.add("needs_not" if condition.negated else "needs", way, self._of_condition(condition))

    def _of_condition(self, condition: PlayCondition) -> int:
        """Add what a condition asks, and return its number."""
        number = self._condition_number(condition.says)
        self._ask(number, condition)
        if condition.describes:
            own = [word for word in self.thing.subtypes if word.title() in listed("subtypes", "creature")]
            what = described(condition.value.replace("{creature types}", " or ".join(own)))
            if what is not None:
                self.add("described_by", number, self._filter(what, early=False))
        return number

    def _ask(self, number: int, condition: PlayCondition) -> None:
        self.add("asks", number, condition.kind, quoted(condition.value), quoted(condition.who), condition.number)

    def _needs_controls(self, way: int, condition: Condition, source: str) -> None:
        assert condition.filter is not None
        number = self._condition_number(source)
        self.add("counts_objects", number, quoted(condition.who), self._filter(condition.filter, early=False), condition.number)
        self.add("needs_not" if condition.negated else "needs", way, number)


def _turns(board: Board, player: str) -> dict[str, bool]:
    """Return whether it is a turn of those that a text under a player's control speaks of."""
    return {"during your turn": player == board.active, "during each opponent's turn": player != board.active}


def _term(symbol: str) -> str:
    return symbol if symbol in _KNOWN_SYMBOLS else quoted(symbol)


def _value(symbol: str) -> int:
    """Return what a mana symbol adds to a mana value (202.3); of generic mana each."""
    return 0 if symbol == "x" else 2 if symbol.startswith("2/") else 1


def _word_of(extra: str | Mapping[str, str]) -> str:
    return extra.lower() if isinstance(extra, str) else next(iter(extra)).lower()


def mode_named(written: str, modes: tuple[Mode, ...]) -> Mode | None:
    """Return the mode that is meant: by its number, or by words that it begins with or has."""
    if written.isdecimal():
        return modes[int(written) - 1] if 0 < int(written) <= len(modes) else None
    lower = written.lower()
    found = [mode for mode in modes if lower in mode.written.lower()]
    return found[0] if len(found) == 1 else None


def shares(aims: tuple[Aim, ...], count: int) -> list[int]:
    """Return how many of `count` targets, in order, are chosen for each instance of "target"."""
    split = [aim.least for aim in aims]
    left = count - sum(split)
    for place, aim in enumerate(aims):
        more = max(0, left if aim.most is None else min(left, aim.most - aim.least))
        split[place] += more
        left -= more
    taken = count
    for place, share in enumerate(split):
        split[place] = min(share, taken)
        taken -= split[place]
    return split
