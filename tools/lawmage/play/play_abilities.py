"""Activating an ability (602), taking a special action (116.2), attaching (701.3), choosing targets for a triggered ability (603.3d)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawmage.play.card_types import types_among
from lawmage.play.facts import quoted
from lawmage.play.keyword_uses import PlayCondition, UseCost, play_rules, special_actions
from lawmage.play.mana import lands_changed
from lawmage.play.play_choices import PlayChoices
from lawmage.play.play_problem import Way
from lawmage.play.play_targets import PlayTargets
from lawmage.play.play_texts import Found
from lawmage.play.play_ways import MOST_MANA
from lawmage.text.aims import Aim
from lawmage.text.costs import Price
from lawmage.text.modes import NO_MODES, Modes
from lawmage.text.plays import Activated, PlayText, read_condition

__all__ = ["PlayAbilities"]

#: What says of an ability that it costs more or less mana.
_OF_COST = re.compile(r"\bthis ability costs (?:\{[^{}]*\})+ (?:more|less) to activate\b")


class PlayAbilities(PlayTargets, PlayChoices):
    """Adds the ways to do what is not casting."""

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

    def _ability(self, found: Found, cost: UseCost) -> int:
        uses = found.uses
        way = self._way(Way(self._names(found), found.use.shown, cost.rule))
        for zone in uses.zones:
            self.add("way_from", way, zone)
        self._times(way, (*uses.times, *cost.times))
        for condition in cost.conditions:
            self._needs(way, condition)
        return way

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
        if conditions is None and _OF_COST.search(sentence.lower()) and not self._asks_for_mana():
            self.untold.append(f"{self.thing.id}: {sentence}")
        elif conditions is None:
            self.unread.append(f"{self.thing.id}: {sentence}")
        for condition in conditions or ():
            self._needs_controls(way, condition, sentence)

    def _asks_for_mana(self) -> bool:
        """Return whether it matters how much mana is to be paid: some is named, or it is told how much there is."""
        return "pay" in self.play.raw or self.board.players[self.play.player].mana is not None

    def _loyalty(self, way: int, cost: str) -> None:
        change = cost.replace("x", str(min(self.play.raw.get("x", 0), MOST_MANA)))
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
        elif "targets" in self.play.raw and any(set(asked) <= {name.lower() for name in way.names} for way in self.ways):
            self.unread.append(f"{self.thing.id}: what its ability targets")

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
        asked = {name.lower() for name in self._asked_names()}
        for word, action in special_actions().items():
            if action.left_out and not asked.isdisjoint(action.names):
                self.unread.append(f"{self.thing.id}: {action.label} is not worked out ({action.left_out})")
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
