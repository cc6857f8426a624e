"""What a scenario file that says `judge: lethal` expects. `lawmage.scenario` documents the form."""

from __future__ import annotations

from typing import Any

from lawmage.board import Board, defending_players
from lawmage.scenario_proposals import read_attacks, read_blocks
from lawmage.scenario_shapes import Names, flag, key_name, number
from lawmage.yaml_place import Place

__all__ = ["read_lethal_expect"]

_damage = number()


def read_lethal_expect(place: Place, board: Board) -> dict[str, Any]:
    """Read `lethal` and `max_damage`, of the only opponent or of several by name, `attack` and `block`.

    Raises:
        InputError: for other keys, and for an attack or a block where it can't be expected.
    """
    expect: dict[str, Any] = {}
    opponents = [name for name in board.players if name != board.active]
    for name, value in place.fields(("lethal", "max_damage", "attack", "block")).items():
        if name == "attack":
            if board.attacks is not None:
                raise value.key_error("is expected where no attack has been declared, but the file has the key attack")
            expect[name] = {one.attacker: one.target for one in read_attacks(value, board, declared=False)[0]}
        elif name == "block":
            if board.attacks is None:
                raise value.key_error("is expected of a declared attack, but the file has no key attack")
            blocks, _ = read_blocks(value, board, defending_players(board), declared=True)
            expect[name] = {one.blocker: list(one.attackers) for one in blocks}
        elif value.is_map:
            entries = {key_name(each, player, opponents, "an opponent"): each for player, each in value.entries().items()}
            expect[name] = {player: _answer(name, each, board) for player, each in entries.items()}
        elif len(opponents) != 1:
            raise value.wrong(f"a map of players, since {' and '.join(opponents)} can be attacked")
        else:
            expect[name] = _answer(name, value, board)
    return expect


def _answer(name: str, place: Place, names: Names) -> bool | int | str:
    """Read whether an attack is lethal (true, false or undecided), or how much damage is certain."""
    if name == "max_damage":
        return int(_damage(place, names))
    said = place.text("true, false or undecided")
    return said if said == "undecided" else bool(flag(place, names))
