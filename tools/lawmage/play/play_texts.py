"""What texts and keywords say that bears on a play: of the object itself, of permanents, of effects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from lawmage.board import Board, Object
from lawmage.play.conditions import settle
from lawmage.play.facts import Builder
from lawmage.play.keyword_uses import KeywordUses
from lawmage.play.knowledge import Knowledge
from lawmage.play.play_problem import Cost, Offered, Play, Way
from lawmage.play.reading import Holder, Reading
from lawmage.scenario_shapes import ZONES
from lawmage.text.aims import Aim
from lawmage.text.costs import Price
from lawmage.text.forms import KeywordForms, KeywordUse, parse_keywords
from lawmage.text.lines import abilities
from lawmage.text.modes import NO_MODES, Mode
from lawmage.text.plays import Grant, PlayText, read_plays
from lawmage.text.read import keyword_abilities

__all__ = ["PLAYERS", "Found", "PlayTexts", "effect_text", "text_of", "turns_of", "word_of"]

#: What "enchant" has behind it that means players.
PLAYERS = ("player", "opponent")


def text_of(thing: Object, forms: KeywordForms) -> PlayText:
    """Return what the text of an object says about plays."""
    names = tuple(dict.fromkeys([thing.name, thing.name.split(",")[0]])) if thing.name else ()
    return effect_text(thing.whole_text, names, forms)


@lru_cache(maxsize=1024)
def effect_text(text: str, names: tuple[str, ...], forms: KeywordForms) -> PlayText:
    """Return what a text says about plays, in which `names` mean the object itself."""
    return read_plays(text, names, forms)


@dataclass
class Found:
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


class PlayTexts(Builder):
    """Reads what bears on a play, before facts are made of it."""

    zones = ZONES
    remembers = False

    def __init__(self, board: Board, reading: Reading, known: Knowledge, uses: Mapping[str, KeywordUses], play: Play) -> None:
        self.play = play
        self.keyword_uses = uses
        self.forms = reading.forms
        self.thing = board.objects[play.object] if play.object else next(iter(board.objects.values()))
        self.texts = {thing.id: text_of(thing, self.forms) for thing in board.objects.values() if thing.whole_text}
        self._leave_out_brackets()
        self.effect_texts = [effect_text(effect.text, (), self.forms) for effect in board.effects]
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
        self._taken_from: list[str] = []
        self.chosen_modes: list[Mode] = []
        self._grant_filter = 0
        self.helped = False
        self.face_down_ways: set[int] = set()
        self.other_face_ways: set[int] = set()

    def _leave_out_brackets(self) -> None:
        """Read the text of the object itself with the words in square brackets, or without them if a cost that leaves them out is paid."""
        asked = {name.lower() for name in self._asked_names()}
        self.by_brackets = False
        for use in self._uses_on(self.thing):
            uses = self.keyword_uses.get(use.keyword)
            if uses is not None and any(cost.without_brackets for cost in uses.costs):
                self.by_brackets = True
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
                states = (*states, *settle(text.constraints, turns_of(board, board.objects[holder.name].controller)))
            elif text is not None and holder.name == self.play.object:
                states = (*states, *(one for one in text.constraints if one.subject == "self"))
            objects.append(replace(holder, states=states))
        effects = [
            replace(holder, states=(*holder.states, *settle(text.constraints, turns_of(board, effect.controller))))
            for holder, text, effect in zip(reading.effects, self.effect_texts, board.effects, strict=True)
        ]
        return replace(reading, objects=tuple(objects), effects=tuple(effects))

    def _keywords(self, index: int, holder: Holder) -> None:
        there = self.board.objects.get(holder.name)
        elsewhere = {use for use in holder.keywords if there is not None and there.zone == "battlefield" and not self._on_battlefield(use)}
        if elsewhere:
            for use in elsewhere:
                self.add("keyword", index, self._use(use))
            holder = replace(holder, keywords=tuple(use for use in holder.keywords if use not in elsewhere))
        super()._keywords(index, holder)

    def _on_battlefield(self, use: KeywordUse) -> bool:
        """Return whether a keyword says something where permanents are (113.6)."""
        uses = self.keyword_uses.get(use.keyword)
        return uses is None or not uses.zones or "battlefield" in uses.zones

    def _states(self, number: int, index: int, time: int, pointers: dict[str, list[int]]) -> None:
        constraint = self.listed[number]
        name = self.holders[index]
        zone = self.board.objects[name].zone if name in self.board.objects else "battlefield"
        # 113.6: away from the battlefield only what an object says about itself counts, on the stack also what its keywords say.
        if constraint is not None and zone not in ("battlefield", "stack") and constraint.subject != "self":
            return
        super()._states(number, index, time, pointers)

    def _effect_names(self) -> list[str]:
        return [effect.name or f"effect {number}" for number, effect in enumerate(self.board.effects, start=1)]

    def _asked_names(self) -> list[str]:
        used = self.play.raw.get("using", ())
        names = [used] if isinstance(used, str) else list(used)
        return names + [self.play.raw[key] for key in ("ability", "special") if key in self.play.raw]

    def _keywords_of(self, thing: Object) -> Iterator[Found]:
        """Yield the keywords on an object, and those that the texts of permanents give to the card."""
        for use in self._uses_on(thing):
            if use.keyword in self.keyword_uses:
                yield Found(use, self.keyword_uses[use.keyword])
        for name, uses in self.keyword_uses.items() if thing.designations else ():
            if uses.marked_by and uses.marked_by in thing.designations:
                yield Found(KeywordUse(name, name), uses)
        for other in self.board.objects.values():
            text = self.texts.get(other.id)
            if text is None or other.zone != "battlefield" or other.controller != thing.owner:
                continue
            for grant in text.grants:
                if thing.zone == grant.zone:
                    yield from self._granted(grant, other)

    def _granted(self, grant: Grant, other: Object) -> Iterator[Found]:
        uses = self.keyword_uses.get(grant.keyword)
        if uses is None or grant.beside is None:
            self.unread.append(f"{other.id}: {grant.source}")
            return
        index = self._filter(grant.cards, early=False)
        self._grant_filter = index
        yield Found(KeywordUse(grant.keyword, grant.keyword), uses, grant.beside, other.id, plus_mana_cost=True)
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

    def _names(self, found: Found) -> tuple[str, ...]:
        parts = [found.uses.name, found.use.written, *([found.source] if found.source else [])]
        return tuple(dict.fromkeys(parts))


def turns_of(board: Board, player: str) -> dict[str, bool]:
    """Return whether it is a turn of those that a text under a player's control speaks of."""
    return {"during your turn": player == board.active, "during each opponent's turn": player != board.active}


def word_of(extra: str | Mapping[str, str]) -> str:
    """Return the name of an additional cost that is to be paid, in lower case."""
    return extra.lower() if isinstance(extra, str) else next(iter(extra)).lower()
