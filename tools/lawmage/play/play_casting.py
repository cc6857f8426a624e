"""Casting a spell: its mana cost, alternative and additional costs, and what changes them (601.2b, 601.2f, 118.7 to 118.9)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lawmage.board import Object
from lawmage.constraints import Filter, Test
from lawmage.play.card_types import types_among
from lawmage.play.facts import quoted
from lawmage.play.keyword_uses import UseCost, play_rules
from lawmage.play.play_choices import PlayChoices
from lawmage.play.play_problem import Offered, Way
from lawmage.play.play_targets import PlayTargets
from lawmage.play.play_texts import Found, word_of
from lawmage.play.play_ways import term_of, value_of
from lawmage.play.worked_out import worked_out
from lawmage.text.aims import Aim
from lawmage.text.costs import Price, read_cost, symbols
from lawmage.text.described import described
from lawmage.text.plays import Offer, PlayText

__all__ = ["PlayCasting"]


class PlayCasting(PlayTargets, PlayChoices):
    """Adds the ways to cast a card."""

    def _cast(self) -> None:
        thing = self.thing
        text = self.texts.get(thing.id) or PlayText()
        own = symbols(thing.mana_cost) if thing.mana_cost is not None else {}
        if thing.mana_cost is None and thing.card_text is None and not any(one.played for one in types_among(thing.types)):
            self.assumptions.append(f"{thing.id} has no mana to pay, since the file gives it no mana_cost")
        mana_cost = Price(tuple((own or {}).items()), unpayable=thing.mana_cost is None and thing.card_text is not None)
        rule = play_rules()["mana_cost"].rule
        sole = self._way(Way((thing.id,), "its mana cost", rule))
        self.add("sole", sole)
        self.add("base", sole, self._cost("its mana cost", rule, mana_cost))
        in_command_zone = thing.commander and thing.zone == "command"
        tax = 2 * self.board.history.get("commander_casts", {}).get(thing.id, 0) if in_command_zone else 0
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
        if tax:
            for way in range(1, len(self.ways) + 1):
                self.add("tax", way, tax)
        self._modes(text.modes)
        self._aims((*self._aims_of_spell(text), *self._aims_on_others()))

    def _keyword_ways(self, found: Found, mana_cost: Price) -> None:
        uses, use = found.uses, found.use
        for cost in uses.costs:
            if cost.used_to == self.play.kind and cost.resolving != "other":
                price = self._price(cost, found, mana_cost)
                if price is not None:
                    way = self._way(Way(self._names(found), use.shown, cost.rule, _is_plain(found, cost)))
                    self._limits(way, cost)
                    self.add("base", way, self._cost(use.shown, cost.rule, price, found.takes_off))
            elif cost.beside and cost.zone:
                price = self._price(cost, found, mana_cost)
                if price is not None:
                    way = self._way(Way(self._names(found), use.shown, cost.rule, _is_plain(found, cost)))
                    self._limits(way, cost)
                    self.add("base", way, self._cost("its mana cost", play_rules()["mana_cost"].rule, mana_cost))
                    self.add("beside", way, self._cost(use.shown, cost.rule, price))
            elif cost.beside and not cost.on_another:
                self._extra(cost, found, mana_cost)
            elif cost.in_place_of_mana:
                self._method(cost, found, mana_cost)

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

    def _extra(self, cost: UseCost, found: Found, mana_cost: Price) -> None:
        if cost.modes:
            return
        player = cost.opponent
        price = Price() if player else self._price(cost, found, mana_cost)
        chosen = [one for one in self.play.raw.get("extra", ()) if word_of(one) in self._names(found)]
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
            self._known_extras.add(word_of(one))
            if player:
                who = one[word_of(one)] if isinstance(one, Mapping) else None
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
                price = self._price(cost, Found(use, uses, source=other.id), Price())
                text = self.texts.get(other.id) or PlayText()
                if price is None or use.quality is None:
                    self.unread.append(f"{other.id}: {use.shown}")
                    continue
                if any(mode.aims != () for mode in text.modes.each) or any(aim.if_paid for aim in text.aims):
                    self.unread.append(f"{other.id}: what is chosen for it")
                    if "targets" not in self.play.raw:
                        self.only_forbidding.append(self.unread[-1])
                number = self._cost(f"{use.shown} of {other.id}", cost.rule, price)
                self.add("chosen", number, len(chosen))
                self.add("only_for", number, self._filter(use.quality, early=False), quoted(cost.rule))
                self._known_extras.add(f"{use.keyword} {other.id}")
                self._taken_from.append(other.id)

    def _aims_on_others(self) -> Iterator[Aim]:
        """Yield the targets of the texts of other cards that are added to the spell, in the order that is named (702.47b, 702.47d)."""
        named = (other for one in self.play.raw.get("extra", ()) if isinstance(one, Mapping) for other in one.values())
        for other in dict.fromkeys(named):
            if other in self._taken_from and other in self.texts:
                yield from self.texts[other].aims

    def _method(self, cost: UseCost, found: Found, mana_cost: Price) -> None:
        if cost.helper:
            self.offered.append(Offered(self._names(found)))
            if any(word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                self.helped = True
                self._known_extras.update(self._names(found))
            return
        price = self._price(cost, found, mana_cost)
        if price is not None:
            number = self._cost(found.use.shown, cost.rule, price)
            self.add("method", number, cost.yields)

    def _offer(self, offer: Offer, source: str, mana_cost: Price) -> None:
        rule = play_rules()[offer.kind].rule
        if offer.kind == "additional":
            number = self._cost(offer.source, rule, offer.price)
            if not offer.optional:
                self.add("always", number)
                return
            self.offered.append(Offered(("additional",)))
            if "additional" in map(word_of, self.play.raw.get("extra", ())):
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
                    way = self._way(Way((use.keyword, other.id), f"{use.shown} of {other.id}", cost.rule, worked_out(use.keyword).works))
                    self.add("resolving", way)
                    self.add("foreign", way)
                    if cost.zone:
                        self.add("way_from", way, cost.zone)
                    what = described(cost.spell)
                    if what is not None and cost.cheaper and other.mana_cost is not None:
                        value = sum(value_of(symbol) * number for symbol, number in (symbols(other.mana_cost) or {}).items())
                        what = Filter(tuple((*tests, Test("mana_value_at_most", value - 1)) for tests in what.any_of))
                    if what is not None:
                        self.add("way_spell", way, self._filter(what, early=False))
                    self.add("base", way, self._cost(use.shown, cost.rule, price))

    def _cost_changes(self) -> None:
        for number, constraint in enumerate(self.listed):
            kind = None if constraint is None else self.known.kinds.get(constraint.kind)
            if constraint is None or kind is None or not kind.price:
                continue
            for symbol, amount in (symbols(constraint.value or "") or {}).items():
                self.add(kind.price, number, term_of(symbol), amount)
            if isinstance(constraint.object, Filter):
                self.add("per", number, self._filter(constraint.object, early=False))


def _is_plain(found: Found, cost: UseCost) -> bool:
    """Return whether nothing else depends on whether the way with this cost is asked for."""
    with_text = any(one.without_brackets for one in found.uses.costs)
    return not (cost.face_down or cost.other_face or found.uses.targets or with_text) and worked_out(found.uses.name).works
