"""Attackers that the file says nothing about are tapped (508.1f), unless attacking does not tap them (702.20b).

What asp/ says of the board as it was while attackers were declared decides. It is asked only where that can matter.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from lawmage.board import Board, Scenario
from lawmage.errors import InputError
from lawmage.play.attacks import Attacks
from lawmage.play.knowledge import Knowledge, knowledge
from lawmage.play.reading import Reading, Says, read_board
from lawmage.play.solver import facts_of
from lawmage.play.turning import turns_on

__all__ = ["tap_attackers", "with_attackers_tapped"]


class _Attackers(Attacks):
    """The declare attackers step, with what declaring does to attackers in the place of judging."""

    entries = ("attackers-tapped", *Attacks.entries[1:])

    def tapped(self, attackers: Collection[str]) -> frozenset[str]:
        """Return which of `attackers` are tapped as they are declared.

        Raises:
            InputError: where that depends on what the board does not say.
        """
        ways = list({self._tapped(taken) & frozenset(attackers) for taken in self._choices()})
        for name in attackers:
            if len({name in way for way in ways}) > 1:
                open_conditions = ", nor whether ".join(self.problem.conditions.values())
                message = f"{name} attacks, so it needs the key tapped: the board does not say whether {open_conditions}"
                raise InputError(message, file=self.file, line=self.board.objects[name].line or None)
        return ways[0]

    def _tapped(self, taken: tuple[tuple[int, int], ...]) -> frozenset[str]:
        atoms = facts_of(self._ground(0, self._facts(self.board.active, taken)))
        return frozenset(self.problem.holders[atom.arguments[0].number] for atom in atoms)


def with_attackers_tapped(scenario: Scenario, *, always: bool = False) -> Scenario:
    """Return the scenario with the attackers tapped that declaring them taps, where something on the board asks what is tapped.

    Args:
        scenario: the board; an attacker of which it says whether it is tapped stays as it is.
        always: also where nothing on the board asks, as what is paid with does.

    Raises:
        InputError: for words that cannot be read, and for an attacker of which neither the file nor the board says whether it is tapped.
    """
    if not _unsaid(scenario.board):
        return scenario
    reading = None if always else read_board(scenario.board, knowledge(), file=scenario.file)
    board = tap_attackers(scenario, reading, knowledge())
    return scenario if board is scenario.board else replace(scenario, board=board)


def tap_attackers(scenario: Scenario, reading: Reading | None, known: Knowledge) -> Board:
    """Return the board that `with_attackers_tapped` makes; with a `reading` of it, only where something read asks what is tapped."""
    board = scenario.board
    if reading is not None and not _asks_what_is_tapped(reading, known):
        return board
    unsaid = _unsaid(board)
    if not unsaid:
        return board
    before = replace(board, attacks=None, bands=(), blocks=None, order={}, damage=None)
    tapped = _Attackers(replace(scenario, board=before, judge="attack", proposals=(), expect=None)).tapped(unsaid)
    return replace(board, objects=board.objects | {name: replace(board.objects[name], tapped=name in tapped) for name in unsaid})


def _unsaid(board: Board) -> list[str]:
    """Return the attackers of which the file does not say whether they are tapped."""
    attackers = dict.fromkeys([attack.attacker for attack in board.attacks or ()])
    return [name for name in attackers if board.objects[name].tapped is None and board.objects[name].zone == "battlefield"]


def _asks_what_is_tapped(reading: Reading, known: Knowledge) -> bool:
    return any(_asks(says, known) for says in reading.said)


@lru_cache(maxsize=4096)
def _asks(said: Says, known: Knowledge) -> bool:
    uses = (*said.keywords, *said.counters)
    stated = (*said.states, *(constraint for use in uses for constraint in known.keywords[use.keyword].imposes))
    return any(turns_on(constraint, "tapping") for constraint in stated)
