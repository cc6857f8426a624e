"""Where everything is, whose turn and which step it is, what happened before (117, 307, 400, 500)."""

from __future__ import annotations

from collections.abc import Mapping

from lawmage.board import Object
from lawmage.play.facts import quoted
from lawmage.play.play_texts import PlayTexts
from lawmage.play.play_ways import term_of, value_of
from lawmage.text.costs import symbols

__all__ = ["TIMELESS", "PlayTiming"]

#: What is judged whatever the time.
TIMELESS = ("attach", "trigger")
#: The status of an object that kb/ speaks of as a designation.
_STATUSES = ("face_down", "transformed", "token", "commander")


class PlayTiming(PlayTexts):
    """Adds the facts about zones, time and history."""

    def _zones(self) -> None:
        for thing in self.board.objects.values():
            index = self.numbers[thing.id]
            self.add("zone", index, thing.zone)
            if thing.zone == "stack":
                self.add("casts", self._player(thing.controller), index)
            amounts = symbols(thing.mana_cost or "") or {}
            self.add("mana_value", index, sum(value_of(symbol) * number for symbol, number in amounts.items()))
            for symbol, number in amounts.items():
                self.add("mana_cost", index, term_of(symbol), number)
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
            if phase == "main1" and self.play.kind not in TIMELESS:
                self.assumptions.append(f"it is the first main phase of {self.board.active}'s turn")
        self.add("phase", phase)
        if "step" in turn:
            self.add("turn_step", turn["step"])
        if turn.get("priority"):
            self.add("priority", self._player(turn["priority"]))
        elif "priority" not in turn:
            self.add("priority", self._player(self.play.player))
            if self.play.kind not in TIMELESS:
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
