"""What is not understood, or not worked out, and could change the verdict on a play."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawmage.board import Object
from lawmage.constraints import Filter
from lawmage.play.card_types import types_among
from lawmage.play.play_texts import PLAYERS, word_of
from lawmage.play.play_timing import TIMELESS
from lawmage.play.play_ways import PlayWays
from lawmage.play.worked_out import worked_out
from lawmage.text.bearing import DECLARATIONS, SETTLED
from lawmage.text.doubts import Doubt, doubt_about
from lawmage.text.forms import KeywordUse

__all__ = ["PlayDoubts"]

#: Away from the battlefield a text bears on plays where it speaks of itself, of targets, or of what is to be paid (113.6).
_OF_ITSELF = re.compile(
    r"~|\bthis (?!turn|way|combat|phase)\w|\bit (?:without|as though)|\btargets?\b|rather than pay|additional cost|\bspend\b|\bactivate"
)
#: What says of objects that they are of other types, or have no abilities; and the name of a sentence of which no text is there.
_TURNS_INTO = re.compile(
    r"\bloses? all\b|: sentence \d+$|\bin addition to (?:its|their) other\b"
    r"|\b(?:is|are|becomes?|it's|they're)\b[^.;]*\b(?:artifact|creature|enchantment|land|planeswalker|plains|island|swamp|mountain|forest)s?\b"
)
#: What keeps anything from being attached to an object, and from being turned face up.
_NOT_WORN, _NOT_TURNED = re.compile(r"\bcan't be (?:enchanted|equipped)\b"), re.compile(r"\bcan't be turned face up\b")


class PlayDoubts(PlayWays):
    """Names what is not understood."""

    def _not_understood(self) -> None:
        """Name what is not understood and could change what is answered."""
        for thing in self.board.objects.values():
            if thing.card_text is not None and thing.card_text.plays & self._counting(thing):
                self.unread.append(f"{thing.id}: the text of {thing.card_text.card}, which is not installed")
            if thing.zone == "battlefield" and self._aimed_at(thing):
                self.unread += [f"{thing.id}: {use.shown}" for use in self._uses_on(thing) if self._imposes_unread(use)]
        for holder, controller, sentence in self._unread_sentences():
            self._doubt(holder, controller, sentence)
        self.unread += [told for told in self._changing_what_is_meant() if told not in self.unread]
        if self.play.kind == "activate" and self.thing.sick:
            # 602.5a, 702.10c - what is read of creatures could let its abilities be activated.
            for one in self.reading.unread:
                if self.forms.plays.letting_activate.search(one.sentence.lower()):
                    self.unread.append(f"{one.holder}: {one.sentence}")
                    self.only_allowing.append(self.unread[-1])

    def _changing_what_is_meant(self) -> Iterator[str]:
        """Yield what is not understood and may change what the object is that is played or aimed at, or keep that from being done to it."""
        there = {thing.id: thing for thing in self.board.objects.values() if thing.zone == "battlefield"}
        aims = self.play.kind == "attach" or bool(self.aims or self.choices)
        aimed = {name for name, thing in there.items() if aims and self._aimed_at(thing)}
        meant = aimed | ({self.play.object} & set(there))
        for one in self.reading.unread:
            thing = there.get(one.holder)
            about = {one.holder} if one.judges & SETTLED else {thing.attached_to} if thing is not None and thing.attached_to else meant
            if one.judges >= DECLARATIONS and about & meant and _TURNS_INTO.search(one.sentence.lower()):
                yield f"{one.holder}: {one.sentence}"
        for name in aimed if self.play.kind in ("attach", "activate") or self.thing.subtypes else ():
            if _NOT_WORN.search(there[name].whole_text.lower()):
                yield f"{name}: {there[name].whole_text}"
        for name, thing in there.items() if self.play.kind == "special" and self.thing.face_down else ():
            if _NOT_TURNED.search(thing.whole_text.lower()):
                yield f"{name}: {thing.whole_text}"

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
        doubt = doubt_about(sentence, self.forms)
        of_spell = holder == self.play.object and self.play.kind == "cast" and bool(doubt.kinds & {"cast", "target"})
        thing = self.board.objects.get(holder)
        if thing is not None and ((doubt.attached and thing.attached_to is None) or (doubt.there and thing.zone != "battlefield")):
            return
        if not doubt.kinds or (doubt.zones and self.thing.zone not in doubt.zones):
            return
        if doubt.power and not self._taps_for_power(holder, sentence):
            return
        if not of_spell and self._is_idle(doubt, own=controller == self.play.player, itself=holder == self.play.object):
            return
        told = f"{holder}: {sentence}"
        if doubt.mana and "pay" not in self.play.raw and self.board.players[self.play.player].mana is None:
            self.untold.append(told)
            return
        self.unread.append(told)
        if not doubt.forbids and (doubt.itself or not of_spell):
            self.only_allowing.append(told)
        if not doubt.allows and not of_spell:
            self.only_forbidding.append(told)

    def _is_idle(self, doubt: Doubt, *, own: bool, itself: bool) -> bool:
        """Return whether what is not understood is about other plays, or those of others."""
        others = (doubt.itself and not itself) or doubt.by == ("opponent" if own else "you")
        return others or not self._concerned() & doubt.kinds or (doubt.mana and self.play.kind in TIMELESS)

    def _taps_for_power(self, holder: str, sentence: str) -> bool:
        """Return whether creatures are tapped for their power to pay for what a sentence names, and one of those that it is about."""
        lower = sentence.lower()
        asked = any(act.power for cost in self.costs for act in cost.price.acts if cost.told.lower().split()[0] in lower)
        given = self.play.raw.get("with", {}).get("tap")
        return asked and (given is None or holder in given or "you control" in lower)

    def _concerned(self) -> set[str]:
        """Return of what kinds (`Doubt.kinds`) the play is."""
        targeting = self.play.kind == "attach" or bool(self.aims or self.choices)
        # 116.2f - what could be cast now; and what would be played
        as_cast = self.play.kind == "special"
        return {self.play.kind} | ({"target"} if targeting else set()) | ({"cast"} if as_cast else set())

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
        return bool(use.unread) and use.unread not in PLAYERS and any("play" in kind.judges for kind in kinds)

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

    def _doubts(self) -> None:
        """Name what is not worked out and bears on the play: keywords that are used, or that could change how the card is cast."""
        asked = {name.lower() for name in self._asked_names()} | {word_of(one) for one in self.play.raw.get("extra", ())}
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
