"""What the page of the board is drawn from, and the file that it saves: a scenario as plain data, and what stands on it.

Nothing is judged here.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from lawmage.answers.answered import Answered
from lawmage.answers.scenarios import read, release_of
from lawmage.answers.source import Source
from lawmage.board import Attack, BlockChoice, Board, Object, Scenario, defending_player, defending_players
from lawmage.play.card_types import types_among
from lawmage.yaml_tree import parse_tree, to_python

__all__ = ["board", "scenario_file"]

_PLAIN = re.compile(r"\w[\w /.()+'-]*")
# 122.1a: counters that change power and toughness are named for what they add.
_CHANGES = re.compile(r"([-+]\d{1,3})/([-+]\d{1,3})")


def board(source: Source, *, release: str | None = None, objects: int | None = None) -> Answered:
    """Return a scenario as plain data under `scenario`, and under `board` what it puts on the table.

    Args:
        source: the scenario, YAML or JSON.
        release: replaces the one that the scenario says.
        objects: the most that the board may have.

    Raises:
        InputError, DataError: if it is no scenario.
    """
    scenario = read(source, release, objects)
    return Answered({"scenario": to_python(parse_tree(source.text, file=source.name)), "board": _drawn(scenario)})


def scenario_file(source: Source, *, objects: int | None = None) -> Answered:
    """Return a scenario as the text of a YAML file, under `text`. See `board`."""
    read(source, None, objects)
    data = to_python(parse_tree(source.text, file=source.name))
    writer = YAML()
    writer.width = 140
    text = io.StringIO()
    writer.dump(_laid_out(data, 0), text)
    return Answered({"text": text.getvalue()})


def _laid_out(value: Any, depth: int) -> Any:
    """Return data with the first two levels of maps on lines of their own and what is below in one line."""
    laid: CommentedMap | CommentedSeq
    if isinstance(value, dict):
        laid = CommentedMap({_quoted(key): _laid_out(inner, depth + 1) for key, inner in value.items()})
    elif isinstance(value, list):
        laid = CommentedSeq([_laid_out(inner, depth + 1) for inner in value])
    else:
        return _quoted(value)
    if depth > 1 or not value:
        laid.fa.set_flow_style()
    return laid


def _quoted(value: Any) -> Any:
    """Return text that has more than letters, digits and a few signs in quotes, where nothing in it can mean something to YAML."""
    return DoubleQuotedScalarString(value) if isinstance(value, str) and not _PLAIN.fullmatch(value) else value


def _drawn(scenario: Scenario) -> dict[str, Any]:
    table = scenario.board
    defending = defending_players(table)
    here = [one for one in table.objects.values() if one.zone == "battlefield"]
    return {
        "title": scenario.title,
        "release": release_of(scenario),
        "judge": scenario.judge,
        "active": table.active,
        "players": [
            {"name": one.name, "life": one.life, "active": one.name == table.active, "defending": one.name in defending}
            for one in table.players.values()
        ],
        "objects": [_object(one) for one in here],
        "elsewhere": dict(Counter(one.zone for one in table.objects.values() if one.zone != "battlefield")),
        "effects": [{"controller": one.controller, "text": one.text, "affects": list(one.affects)} for one in table.effects],
        "attackers": [one.id for one in here if one.controller == table.active and _fights(one)],
        "blockers": [one.id for one in here if one.controller != table.active and _fights(one)],
        "targets": _targets(table, here),
        "attack": None if table.attacks is None else _attacks(table.attacks),
        "block": None if table.blocks is None else _blocks(table.blocks),
        "proposals": {one.name: _attacks(one.attacks) if scenario.judge == "attack" else _blocks(one.blocks) for one in scenario.proposals},
    }


def _fights(thing: Object) -> bool:
    """Tell whether a permanent could be declared as an attacker or blocker at all (508.1a, 509.1a)."""
    return not thing.phased_out and any(one.fights for one in types_among(thing.types))


def _targets(table: Board, here: list[Object]) -> list[dict[str, str]]:
    """Return what can be attacked: other players, their planeswalkers, the battles they protect (508.1b), with who defends it."""
    players = [name for name in table.players if name != table.active]
    permanents = [one.id for one in here if any(kind.attacked for kind in types_among(one.types))]
    found = [(name, defending_player(table, name)) for name in [*players, *permanents]]
    return [{"name": name, "player": player} for name, player in found if player != table.active]


def _attacks(attacks: tuple[Attack, ...]) -> dict[str, str]:
    return {one.attacker: one.target for one in attacks}


def _blocks(blocks: tuple[BlockChoice, ...]) -> dict[str, list[str]]:
    return {one.blocker: list(one.attackers) for one in blocks}


def _object(thing: Object) -> dict[str, Any]:
    card = thing.card_text
    line = " ".join(word.capitalize() for word in (*thing.supertypes, *thing.types))
    return {
        "id": thing.id,
        "controller": thing.controller,
        "name": thing.name or (card.card if card else None) or thing.id,
        "line": f"{line} — {' '.join(thing.subtypes)}" if thing.subtypes else line,
        "colors": list(thing.colors),
        "pt": _size(thing),
        "loyalty": thing.loyalty if thing.loyalty is not None else thing.counters.get("loyalty"),
        "defense": thing.defense if thing.defense is not None else thing.counters.get("defense"),
        "keywords": list(dict.fromkeys((*(card.keywords if card else ()), *thing.keywords))),
        "text": thing.whole_text,
        "tapped": bool(thing.tapped),
        "sick": thing.sick,
        "damage": thing.damage,
        "counters": dict(thing.counters),
        "attached_to": thing.attached_to,
        "goaded_by": list(thing.goaded_by),
        "conditions": dict(thing.conditions),
    }


def _size(thing: Object) -> str | None:
    """Return power and toughness with what counters add (122.1a); effects are not in it."""
    if thing.power is None or thing.toughness is None:
        return None
    power, toughness = _with_counters(thing.power, thing.toughness, thing.counters)
    return f"{power}/{toughness}"


def _with_counters(power: int, toughness: int, counters: Mapping[str, int]) -> tuple[int, int]:
    for kind, number in counters.items():
        if change := _CHANGES.fullmatch(kind):
            power, toughness = power + int(change[1]) * number, toughness + int(change[2]) * number
    return power, toughness
