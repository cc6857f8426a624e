"""What a spell or ability targets (115, 601.2c), and what an Aura can enchant (303.4a)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawmage.constraints import Filter
from lawmage.play.card_types import types_among
from lawmage.play.play_texts import PLAYERS, Found, word_of
from lawmage.play.play_ways import PlayWays
from lawmage.text.aims import Aim
from lawmage.text.described import described
from lawmage.text.plays import PlayText

__all__ = ["PlayTargets", "shares"]


class PlayTargets(PlayWays):
    """Adds what is asked of each target, and which are proposed."""

    def _aims_of_spell(self, text: PlayText) -> tuple[Aim, ...]:
        for one in types_among(self.thing.subtypes):
            if one.targets_by:
                return (Aim(None, written=one.targets_by),)
        aims = list(text.aims) if any(one.followed for one in types_among(self.thing.types)) else []
        aims.extend(self._aims_of_modes())
        paid: set[str] = set()
        for found in self._keywords_of(self.thing):
            for cost in found.uses.costs:
                if cost.if_paid and any(word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                    paid.update(cost.if_paid)
            if any(name.lower() in map(str.lower, self._names(found)) for name in self._asked_names()):
                aims.extend(self._keyword_aims(found) or ())
        held = [aim for aim in aims if not aim.if_paid or aim.if_paid in paid]
        if any(aim.instead for aim in held):
            held = [aim for aim in held if aim.if_paid]
        return tuple(held)

    def _aims_of_modes(self) -> Iterator[Aim]:
        for mode in self.chosen_modes:
            if mode.aims is None:
                self.unread.append(f"{self.thing.id}: {mode.written}")
            yield from mode.aims or ()

    def _keyword_aims(self, found: Found) -> tuple[Aim, ...] | None:
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

    def _aims(self, aims: tuple[Aim, ...]) -> None:
        chosen = self.play.raw.get("targets")
        aims = tuple(map(self._with_x, aims))
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

    def _with_x(self, aim: Aim) -> Aim:
        """Return an aim with as many targets as X is, which the file has to say; and X has to be of a cost."""
        if not aim.by_x:
            return aim
        x = self.play.raw.get("x")
        if x is None or not any(symbol == "x" for cost in self.costs for symbol, _ in cost.price.mana):
            self.unread.append(f"{self.thing.id}: how many targets X is")
            return aim
        return replace(aim, least=min(aim.least, 1) * x, most=x)

    def _named(self, name: str) -> int | str:
        return self._player(name) if name in self.players else self.numbers[name]

    def _enchanting(self) -> None:
        """Add the players that the Aura's keywords let it enchant: those whose quality is no object."""
        imposes, kinds = self.known.keywords, self.known.kinds
        uses = [use for use in self._uses_on(self.thing) if any(kinds[one.kind].names_players for one in imposes[use.keyword].imposes)]
        for use in uses:
            if use.unread in PLAYERS and len(uses) == 1:
                for name in self.players:
                    if use.unread == "player" or name != self.play.player:
                        self.add("enchants_player", self.numbers[self.thing.id], self._player(name))
            elif use.quality is None:
                self.unread.append(f"{self.thing.id}: {use.shown}")


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
