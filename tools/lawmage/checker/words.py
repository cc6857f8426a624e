"""Do the words of a verdict name something on the board? What they say of it is not checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lawmage.board import Board
from lawmage.checker.table import Table
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Reading
from lawmage.text.forms import parse_keywords

__all__ = ["Named"]

_RULE_BEHIND = re.compile(r"(.*) \([0-9.]+[a-z]?\)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """What can be named: a board, what its words say, and its objects, with the open conditions taken in each way."""

    board: Board
    reading: Reading
    known: Knowledge
    tables: Sequence[Table]

    def in_a_clash(self, text: str) -> bool:
        """Tell whether `text` names a rule of the game, or what somebody on the board states, with a rule behind it."""
        match = _RULE_BEHIND.fullmatch(text)
        if match is None:
            return False
        rules = (breach.says.format_map(_AnyCreature()) for breach in self.known.breaches.values())
        return match[1] in rules or self.is_stated(match[1])

    def is_stated(self, text: str) -> bool:
        """Tell whether `text` names what an object, an effect or a player on the board states: `x says "..."`, `x has flying for y`."""
        names = [*(holder.name for holder in (*self.reading.objects, *self.reading.effects)), *self.board.players]
        for name in (name for name in names if text.startswith(f"{name} ")):
            said = text.removeprefix(f"{name} ")
            ends = ["", *(f" for {other}" for other in self.board.objects if said.endswith(f" for {other}"))]
            if any(self._states(name, said.removesuffix(end)) for end in ends):
                return True
        return False

    def _states(self, name: str, said: str) -> bool:
        """Tell whether `name` says what `said` quotes, has goaded something, or has the keyword that it names."""
        if said.startswith('says "'):
            quoted = said.removeprefix('says "').removesuffix('"')
            holders = (holder for holder in (*self.reading.objects, *self.reading.effects) if holder.name == name)
            return any(state.source.rstrip(".") == quoted for holder in holders for state in holder.states)
        if said == "has goaded it":
            return any(name in thing.goaded_by for thing in self.board.objects.values())
        uses = {(use.keyword, use.quality, use.number) for use in parse_keywords(said.removeprefix("has "), self.reading.forms)}
        beings = (table.beings[name] for table in self.tables if name in table.beings)
        return any((use.keyword, use.quality, use.number) in uses for being in beings for use in being.keywords)


class _AnyCreature(dict[str, str]):
    """What a sentence of kb/ says where a clash names a rule of the game."""

    def __missing__(self, key: str) -> str:
        return "a creature"
