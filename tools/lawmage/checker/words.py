"""Do the words of a verdict name something on the board? What they say of it is not checked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from lawmage.board import Board
from lawmage.checker.table import Table
from lawmage.play.knowledge import Knowledge
from lawmage.play.reading import Holder, Reading
from lawmage.text.forms import parse_keywords

__all__ = ["Named"]

_RULE_BEHIND = re.compile(r"(.*) \([0-9.]+[a-z]?\)", re.DOTALL)


class Named:
    """What can be named: a board, what its words say, and its objects, with the open conditions taken in each way."""

    def __init__(self, board: Board, reading: Reading, known: Knowledge, tables: Sequence[Table]) -> None:
        self.board = board
        self.known = known
        self.tables = tables
        self._forms = reading.forms
        self._holders: dict[str, list[Holder]] = {name: [] for name in board.players}
        for holder in (*reading.objects, *reading.effects):
            self._holders.setdefault(holder.name, []).append(holder)

    def in_a_clash(self, text: str) -> bool:
        """Tell whether `text` names a rule of the game, or what somebody on the board states, with a rule behind it."""
        match = _RULE_BEHIND.fullmatch(text)
        return match is not None and (match[1] in _rules(self.known) or self.is_stated(match[1]))

    def is_stated(self, text: str) -> bool:
        """Tell whether `text` names what an object, an effect or a player on the board states: `x says "..."`, `x has flying for y`."""
        for name, said in _cuts(text, " "):
            if name in self._holders:
                ways = [said, *(before for before, other in _cuts(said, " for ") if other in self.board.objects)]
                if any(self._states(name, way) for way in ways):
                    return True
        return False

    def _states(self, name: str, said: str) -> bool:
        """Tell whether `name` says what `said` quotes, has goaded something, or has the keyword that it names."""
        if said.startswith('says "'):
            quoted = said.removeprefix('says "').removesuffix('"')
            return any(state.source.rstrip(".") == quoted for holder in self._holders[name] for state in holder.states)
        if said.startswith("has goaded "):
            whom = said.removeprefix("has goaded ")
            return any(name in thing.goaded_by and whom in (thing.id, "it") for thing in self.board.objects.values())
        uses = {(use.keyword, use.quality, use.number) for use in parse_keywords(said.removeprefix("has "), self._forms)}
        beings = [table.beings[name] for table in self.tables if name in table.beings]
        designations = [word for being in beings for word in being.thing.designations if self.known.imposed_by(word)]
        return said.removeprefix("is ") in designations or any(
            (use.keyword, use.quality, use.number) in uses for being in beings for use in being.keywords
        )


def _cuts(text: str, mark: str) -> Iterator[tuple[str, str]]:
    """Yield what stands before and behind each `mark`."""
    at = text.find(mark)
    while at >= 0:
        yield text[:at], text[at + len(mark) :]
        at = text.find(mark, at + 1)


@lru_cache(maxsize=8)
def _rules(known: Knowledge) -> frozenset[str]:
    """Return what clashes call the rules of the game."""
    return frozenset(breach.says.format_map(_AnyCreature()) for breach in known.breaches.values())


class _AnyCreature(dict[str, str]):
    """What a sentence of kb/ says where a clash names a rule of the game."""

    def __missing__(self, key: str) -> str:
        return "a creature"
