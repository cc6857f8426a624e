"""Modes that are chosen as a spell is cast or an ability activated (601.2b, 700.2)."""

from __future__ import annotations

import itertools
import re

from lawmage.play.keyword_uses import play_rules
from lawmage.play.play_texts import word_of
from lawmage.play.play_ways import PlayWays
from lawmage.text.modes import Mode, Modes

__all__ = ["PlayChoices", "mode_named"]

#: Of so many ways to choose modes that the file leaves open, not all are tried.
_MOST_CHOICES = 200


class PlayChoices(PlayWays):
    """Adds which modes are chosen, or which choices are left open."""

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
                if cost.all_modes and any(word_of(one) in self._names(found) for one in self.play.raw.get("extra", ())):
                    least = most = len(modes.each)
        return least, most


def mode_named(written: str, modes: tuple[Mode, ...]) -> Mode | None:
    """Return the mode that is meant: by its number, or by words that it begins with or has."""
    if written.isdecimal():
        return modes[int(written) - 1] if 0 < int(written) <= len(modes) else None
    lower = written.lower()
    found = [mode for mode in modes if lower in mode.written.lower()]
    return found[0] if len(found) == 1 else None
