"""Reads and writes perft files: a board on one line, and the number of its legal declarations.

Lines that start with `#` are comments; empty lines are nothing. The other lines are fields between ` | `:

    4 | A: a1>D a2>D{1/1, flying} | D: b1 b2 b3{tapped} | all-must-block(a1) *must-be-blocked(a2, number=2)

The first is the number; with several defending players that of all their declarations together. Fields with a player's name and a
colon are what that player controls; players are in turn order and A is the active one. The last field, which may be missing, holds
statements.

- A permanent is a name; behind it `>` and what it attacks; behind that, in braces, what it is: `P/T` (else 2/2), colors, subtypes
  with a capital, keywords as on cards, `artifact`, `tapped`, `sick`, `+N` for N +1/+1 counters; or it is no creature: `land` with
  supertypes, `enchantment`, `planeswalker`, `battle of P` with the player P who protects it.
- `mana N` behind a player's colon says how much mana A has; without it, whatever is needed.
- A statement is the name of a class of tests/oracle/blocks.py or attacks.py with hyphens, and in parentheses the permanent that it
  stands on, or that an effect names if `*` stands before the statement; then its fields, unless they have their defaults. `number=any`
  is any number; descriptions are written as in `whom=not color red`, `whom=power at least 3`, `whom=artifact`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any, TypeAlias

from . import attacks, blocks
from .blocks import COLORS, Change, Creature, Filter, Land, Statement, every_creature

__all__ = ["lines", "read_attack_board", "read_block_board", "written"]

Board: TypeAlias = blocks.Board | attacks.Board

_PERMANENT = re.compile(r"(\w+)(?:>(\w+))?(?:\{([^}]*)\})?")
_STATEMENT = re.compile(r"(\*?)([a-z-]+)\((\w+)(?:, ([^)]*))?\)")
_MANA = re.compile(r"mana (\d+)(?: |$)")
_PT = re.compile(r"(\d+)/(\d+)")
_SUPERTYPES = ("basic", "legendary", "snow")
_DESCRIPTIONS = ("not color", "color", "not subtype", "subtype", "no keyword", "keyword", "power at least", "power at most", "artifact")


def lines(file: Path) -> list[tuple[int, str]]:
    """Return the boards of a file, each with its number."""
    found = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            number, _, board = line.partition(" | ")
            found.append((int(number), board))
    return found


def read_block_board(line: str) -> blocks.Board:
    """Read a board on which attackers have been declared."""
    table = _Table(line, blocks)
    return blocks.Board(tuple(table.creatures), tuple(table.statements), tuple(table.lands), tuple(table.planeswalkers))


def read_attack_board(line: str) -> attacks.Board:
    """Read a board on which attackers are to be declared."""
    table = _Table(line, attacks)
    return attacks.Board(
        tuple(table.creatures),
        tuple(table.statements),
        tuple(table.players),
        tuple(table.lands),
        tuple(table.planeswalkers),
        tuple(table.battles),
        tuple(table.enchantments),
        frozenset(table.sick),
        table.mana,
    )


class _Table:
    """What the fields of a line say."""

    def __init__(self, line: str, oracle: Any) -> None:
        self.creatures: list[Creature] = []
        self.lands: list[Land] = []
        self.planeswalkers: list[tuple[str, str]] = []
        self.battles: list[tuple[str, str, str]] = []
        self.enchantments: list[tuple[str, str]] = []
        self.sick: set[str] = set()
        self.statements: list[Statement] = []
        self.players: list[str] = []
        self.mana: int | None = None
        for field in line.split(" | "):
            player, colon, permanents = field.partition(":")
            if colon and player.isalpha():
                self._player(player, permanents.strip())
            else:
                self.statements = [_statement(match, oracle) for match in _whole(_STATEMENT, field)]

    def _player(self, player: str, permanents: str) -> None:
        self.players.append(player)
        if mana := _MANA.match(permanents):
            self.mana = int(mana[1])
            permanents = permanents[mana.end() :]
        for match in _whole(_PERMANENT, permanents):
            name, target, inside = match.groups()
            self._permanent(name, player, target, inside.split(", ") if inside else [])

    def _permanent(self, name: str, player: str, target: str | None, items: list[str]) -> None:
        subtypes = frozenset(item for item in items if item[0].isupper())
        if "land" in items:
            supertypes = frozenset(item for item in items if item in _SUPERTYPES)
            self.lands.append(Land(name, player, subtypes, supertypes, "artifact" in items))
        elif "enchantment" in items:
            self.enchantments.append((name, player))
        elif "planeswalker" in items:
            self.planeswalkers.append((name, player))
        elif items and items[0].startswith("battle of "):
            self.battles.append((name, player, items[0].removeprefix("battle of ")))
        else:
            if "sick" in items:
                self.sick.add(name)
            size = next((match for match in map(_PT.fullmatch, items) if match), None)
            known = {"artifact", "tapped", "sick", *COLORS}
            self.creatures.append(
                Creature(
                    name,
                    player,
                    int(size[1]) if size else 2,
                    int(size[2]) if size else 2,
                    frozenset(item for item in items if item in COLORS),
                    "artifact" in items,
                    subtypes,
                    tuple(item for item in items if item[0].islower() and item not in known),
                    "tapped" in items,
                    sum(int(item) for item in items if item[0] == "+"),
                    target,
                )
            )


def _whole(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield what `pattern` matches in a text that is nothing else but matches with spaces between."""
    place = 0
    while place < len(text):
        match = pattern.match(text, place)
        if match is None or text[match.end() : match.end() + 1] not in ("", " "):
            raise ValueError(f"cannot read {text[place:]!r}")
        yield match
        place = match.end() + 1


def _kinds(oracle: Any) -> dict[str, type[Statement]]:
    """Return the classes of statements of an oracle by their names in the notation."""
    kinds = [kind for name in oracle.__all__ if isinstance(kind := getattr(oracle, name), type) and issubclass(kind, Statement)]
    return {_hyphened(kind): kind for kind in (*kinds, *Change.__subclasses__()) if hasattr(kind, "__dataclass_fields__")}


def _hyphened(kind: type[Statement]) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", kind.__name__).lower()


def _statement(match: re.Match[str], oracle: Any) -> Statement:
    star, word, on, arguments = match.groups()
    kind = _kinds(oracle)[word]
    given = dict(part.partition("=")[::2] for part in arguments.split(", ")) if arguments else {}
    types = {field.name: str(field.type) for field in fields(kind)}
    return kind(on, **{name: _value(types[name], value) for name, value in given.items()}, by_effect=star == "*")


def _value(type_: str, value: str) -> Any:
    if type_ == "bool":
        return value != "no"
    if type_ == "Filter":
        return _filter(value)
    if type_.startswith("int"):
        return None if value == "any" else int(value)
    return value


def _filter(text: str) -> Filter:
    if text == "any":
        return every_creature()
    kind = next(kind for kind in _DESCRIPTIONS if text.startswith(kind))
    value = text.removeprefix(kind).strip()
    return Filter(kind, number=int(value)) if kind.startswith("power") else Filter(kind, value)


# Writing


def written(board: Board) -> str:
    """Return a board as a line without its number."""
    parts = []
    for player in board.players:
        permanents = [_written_creature(c, board) for c in board.creatures if c.controller == player]
        permanents += [_written_land(land) for land in board.lands if land.controller == player]
        permanents += [f"{name}{{planeswalker}}" for name, controller in board.planeswalkers if controller == player]
        if isinstance(board, attacks.Board):
            permanents += [f"{name}{{battle of {of}}}" for name, controller, of in board.battles if controller == player]
            permanents += [f"{name}{{enchantment}}" for name, controller in board.enchantments if controller == player]
            if player == "A" and board.mana is not None:
                permanents.insert(0, f"mana {board.mana}")
        parts.append(" ".join([f"{player}:", *permanents]))
    if board.statements:
        parts.append(" ".join(map(_written_statement, board.statements)))
    return " | ".join(parts)


def _written_creature(creature: Creature, board: Board) -> str:
    items = [
        *([f"{creature.base_power}/{creature.toughness}"] if (creature.base_power, creature.toughness) != (2, 2) else []),
        *sorted(creature.colors),
        *(["artifact"] if creature.artifact else []),
        *sorted(creature.subtypes),
        *creature.keywords,
        *(["tapped"] if creature.tapped else []),
        *(["sick"] if isinstance(board, attacks.Board) and creature.name in board.sick else []),
        *([f"+{creature.counters}"] if creature.counters else []),
    ]
    attacked = f">{creature.attacking}" if creature.attacking else ""
    return creature.name + attacked + (f"{{{', '.join(items)}}}" if items else "")


def _written_land(land: Land) -> str:
    items = ["land", *(["artifact"] if land.artifact else []), *sorted(land.supertypes), *sorted(land.subtypes)]
    return f"{land.name}{{{', '.join(items)}}}"


def _written_statement(statement: Statement) -> str:
    arguments = [statement.on]
    for field in fields(statement):
        value = getattr(statement, field.name)
        if field.name not in ("on", "by_effect") and value != _default(field):
            arguments.append(f"{field.name}={_written_value(value)}" if value is not True else field.name)
    return f"{'*' if statement.by_effect else ''}{_hyphened(type(statement))}({', '.join(arguments)})"


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _written_value(value: Any) -> str:
    if isinstance(value, Filter):
        return " ".join(filter(None, (value.kind, value.value, str(value.number) if value.kind.startswith("power") else "")))
    if value is False:
        return "no"
    return "any" if value is None else str(value)
