"""Reads scenario files: a board, what is proposed on it, and what is expected. This is the reference of the format.

A scenario is YAML 1.2 or JSON, at most 1 MiB. Keys that are not named here are errors. Names of players and objects are any
short texts; no two are the same, no object is called `bands`, `order`, `by` or `step`, and no proposal `count` or `counts`.

    lawmage: 1                         # the version of the format; may be left out
    title: Menace and a requirement
    release: 2026-08-07                # of the rules; default: the newest known
    players: {A: {life: 20}, D: {}}    # in turn order; default: A and D, life 20
    active: A                          # default: A
    battlefield:
      m:  {controller: A, pt: 9/9, keywords: [menace, trample], text: "This creature must be blocked if able."}
      b1: {controller: D, pt: 2/2, colors: [green], subtypes: [Elf]}
      b2: {controller: D, pt: 2/2, tapped: true}
      w:  {controller: D, types: [planeswalker], loyalty: 4}
    effects:                           # continuous effects without a source on the board
      - {controller: D, text: "Creatures you control block this turn if able."}
    attack: {m: D}                     # declared already
    propose: {p1: {}, p2: {b1: m}}     # candidates for the next step, by name
    expect: {p1: illegal, p2: illegal, count: 1}

Values. Whole numbers lie between -10,000,000 and 10,000,000, and counts are not negative. Truth is `true` or `false`. Mana and
costs are written in quotes, `"{2}{R}"`. Lists are lists, also with one element.

Players. `life`, `starting_total` (the life at the start), `mana` (the pool), `poison`, `speed`, `counters` (kind to number),
`commander_damage` (commander to number), `monarch`, `initiative` (each true of at most one player, and then false of the others),
`citys_blessing`, and `hand` and `graveyard`, how many cards are there: at least those that the file lists. Without the number they are
those that it lists, if it lists any, else unknown.

Objects stand in `battlefield`, `hand`, `graveyard`, `exile`, `library`, `command`, `stack` or `outside`.

- `controller`, and `owner` where it is another player. In zones where nothing is controlled either names the owner (108.4a).
- What it is: `name`, `types` (default: creature), `subtypes`, `supertypes`, `colors` (names or letters; default: those of
  `mana_cost`, 202.2), `mana_cost`, `pt` (a creature on the battlefield needs it), `loyalty`, `defense`, `keywords`, `text`,
  `token`. Or `card`, with keys beside it; see Cards.
- State: `tapped` (a declared attacker without this key is tapped, unless attacking leaves it untapped, 508.1f), `sick`, `damage`,
  `counters`, `attached_to` (a permanent or player), `goaded_by: [players]`, `designations: [words]` such as solved or
  plotted, `level` (of a Class), `lights: [numbers]` (of an Attraction), `commander`, `face_down`, `phased_out`, `transformed`,
  `blocked` (an attacking creature that is blocked, whatever blocks it now), and for a battle `protector`. A battle
  without it, between two players, is protected by its controller's opponent (310.12a); otherwise it is needed.
- `conditions` says whether what its text makes a condition holds, where the board does not tell: `{"you have no cards in hand": true}`,
  in the words of the text or by the name that `lawmage card` shows. Where nothing is said, both are tried. Counters, `level` and
  `designations` settle the conditions that are about them; so do what players have (`life`, `poison`, `hand`, `graveyard`, `monarch`,
  ...) and `history`, where they are given.

Cards. `card: Grizzly Bears` takes what the object is from the card of that name, or of the name of one of its faces, as people type it
(`lawmage card` shows what is taken): the cards that are installed, or the facts that come with lawmage.

- Keys beside it replace what the card brings: `keywords` its keywords, `text` the rest of its text, `types` its types, and so on.
  `also: {keywords: [..], text: ".."}` adds to them.
- A number that is not printed (`*`, `X`) has to be given: `pt`, `loyalty`. Counters of the kinds loyalty and defense give these.
- A double-faced card is its back face on the battlefield or the stack if it is `transformed` or if `card` names that face; a flip
  card is flipped if `card` names the flipped half; an adventurer card or the like is the spell on the stack if `card` names that. A
  split card is both halves together but for the stack, where `card` names one. The text of a Room's half counts if `card` names that
  half; where it names both, `conditions: {"NAME is unlocked": true}` says which count.
- A Vehicle that is crewed says `types: [artifact, creature]`, and so does a Spacecraft that has its charge counters. A leveler with
  level counters says `pt`. A card that is turned face down has nothing of what it is.

Effects. `controller` and `text`; `affects`, a list of the objects or players that the text points at, such as "target creature";
`source`, the object that "this creature" in the text means; `conditions` as for objects.

Declarations. `attack`, `block` and `damage` say what has been declared; proposals of the same kind have the same form.

- Attack: `attacker: player or permanent`, or `attacker: {target: D, pay: "{2}", with: {sacrifice: [ID], tap: [..], return: [..]}}`;
  `bands: [[x, y]]` beside it. A plain list of attackers attacks the only opponent. Beside `attack:` in the file `bands:` may also be
  a key of the scenario.
- Payments, and `mana` of players: {W} is white mana, {1} mana of a kind that is not said, {S} mana from a snow source whose kind is not
  said. What untapped permanents add is worked out where `mana` is given; else what is named is there.
- Block: `blocker: attacker`, `blocker: [attackers]` or `blocker: {attackers: [..], pay: "{1}", with: {..}}`; `order: {m: [b1, b2]}` beside
  it, or beside `block:` in the file, is an order of damage assignment, for releases that have it. `{}`: no creature blocks.
- Damage: `source: {target: amount}`; `step: first` or `regular` and `by: player` beside it. `damage:` in the file may be a list,
  one map a step.
- What has been declared has happened: attackers and blockers are on the battlefield, the attacks are the active player's, and
  blocks name creatures that attack. What is attacked (506.4c) and what has dealt damage may have left the battlefield.
- Blockers belong to players who are attacked, in proposals too. With two players the nonactive one always may block.

Judgements. `judge` says what the proposals are. Default: `attack` if none is declared, else `block`, else `damage`.

- `outcome`: a damage proposal or a list of them, one a step; or no proposals. Or, on any board, what happens on a named event:
  `{event: enters, objects: [ids], by, paid: [offspring], choose: [counter], number, targets: [..]}`. Events are `attacks`, `enters`,
  `dies`, `cast_this_spell`, `your_upkeep`, `main_phase_begins`, `your_end_step`, `state_checked` and others (kb/vocabulary.ttl).
- `cast: {cast: ID, by, using, targets, modes, extra, pay, with, x}`; `extra` lists words or maps such as `{gift: D}`; `with` is a
  map of `exile`, `sacrifice`, `discard`, `tap`, `untap`, `return` and `reveal` to lists of objects.
- `activate: {activate: ID, ability, by, using, targets, modes, pay, with, x}`; `special: {special: plot, object: ID, by, using,
  pay, with, x}`; `attach: {attach: ID, to: ID, by}`; `trigger: {trigger: ID, ability, by, targets, modes, x}`.

Expectations. `expect` has for each proposal `legal`, `illegal` or `undecided`, or a part of the answer: `verdict`, `violations` (each with
`rule` and `objects`), what is `not_understood`, some of what it `cites` and of its `assumptions`; `count`, or `counts` by defending
player; for `judge: outcome` also `steps`, `players`, `objects` and `triggers`, by the proposal's name or as `outcome`.

`judge: lethal` asks whether an attack wins whatever the blocks, that of `attack:` or any; nothing is proposed. `expect` then has any of
`lethal` (`true`, `false` or `undecided`), `max_damage` (the most damage that is certain), `attack` (one that wins), and `block` (one with
which the player survives the declared attack). With several opponents `lethal` and `max_damage` are maps by player.

Timing. `turn: {phase: beginning|main1|combat|main2|end, step, priority: player, land_played: true, daytime: day|night}`, with `priority:
null` where nobody has it, as while something resolves; steps have the rulebook's
names: `untap`, `upkeep`, `draw`, `beginning_of_combat`, `declare_attackers`, `declare_blockers`, `combat_damage`, `end_of_combat`,
`end`, `cleanup`.

History. `history` tells of this turn, by players: `lost_life`, `gained_life`, `was_dealt_damage` (lists), `cast_this_turn`,
`drawn_this_turn`, `lands_played` (numbers); by objects: `attacked`, `blocked`, `entered`, `died`, `discarded`, `exiled`,
`dealt_combat_damage` (to a player; lists), `activated` (numbers); and of the game, by objects, `commander_casts` and `used`, how often
what can be done once has been done (numbers). `cast_last_turn` is of the turn before, `speed_increased` a list of players.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawmage.board import Board, Effect, Object, Player, Proposal, Scenario, defending_players
from lawmage.scenario_cards import Cards, faces_to_choose, with_card
from lawmage.scenario_lethal import read_lethal_expect
from lawmage.scenario_proposals import (
    DECLARATION_KEYS,
    JUDGED,
    proposes_events,
    read_attacks,
    read_bands,
    read_blocks,
    read_damage,
    read_expect,
    read_order,
    read_proposals,
)
from lawmage.scenario_shapes import (
    MAX_NUMBER,
    ZONES,
    Names,
    Reader,
    by_kind,
    by_object,
    by_player,
    choice,
    flag,
    listed,
    mana,
    number,
    object_name,
    object_names,
    optional,
    player_name,
    player_names,
    record,
    thing_name,
    word,
)
from lawmage.yaml_place import Place
from lawmage.yaml_tree import MAX_NAME, Node, from_python, load_tree, parse_tree

if TYPE_CHECKING:
    from lawmage.cards.store import CardStore

__all__ = ["load_scenario", "read_scenario", "scenario_from"]

_KEYS = (
    *("lawmage", "title", "release", "players", "active", "turn", "history"),
    *ZONES,
    *("effects", "attack", "bands", "block", "order", "damage", "judge", "propose", "expect"),
)

# 205.2a, 205.4a; tribal is the name of kindred in releases until 2023.
_TYPES = (
    *("artifact", "battle", "conspiracy", "creature", "dungeon", "enchantment", "instant", "kindred", "land", "phenomenon"),
    *("plane", "planeswalker", "scheme", "sorcery", "tribal", "vanguard"),
)
_SUPERTYPES = ("basic", "legendary", "ongoing", "snow", "world")
_COLORS = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}

# 109.4: only there does a card have a controller; in the command zone some objects do.
_CONTROLLED = ("battlefield", "stack", "command")

_PT = re.compile(r"([-+]?\d{1,9})\s*/\s*([-+]?\d{1,9})")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

#: The steps of each phase (501.1, 506.1, 512.1).
_STEPS = {
    "beginning": ("untap", "upkeep", "draw"),
    "main1": (),
    "combat": ("beginning_of_combat", "declare_attackers", "declare_blockers", "combat_damage", "end_of_combat"),
    "main2": (),
    "end": ("end", "cleanup"),
}


def load_scenario(path: str | Path, *, cards: CardStore | None = None) -> Scenario:
    """Read a scenario file of YAML or JSON.

    Whether keywords exist is not checked here; `Object.keyword_lines` lets whoever checks it name the line.

    Args:
        path: the file.
        cards: the cards that it may name; without it those that are installed, or the facts that are shipped.

    Raises:
        InputError: if the file cannot be read or is not a scenario.
        DataError: if it names a card and there is no card data.
    """
    return _scenario(load_tree(path), str(path), cards)


def read_scenario(text: str, *, file: str | None = None, cards: CardStore | None = None) -> Scenario:
    """Read the text of a scenario; `file` is the name for messages. See `load_scenario`."""
    return _scenario(parse_tree(text, file=file), file, cards)


def scenario_from(data: Mapping[str, Any], *, file: str | None = None, cards: CardStore | None = None) -> Scenario:
    """Read a scenario from the mapping that its YAML or JSON stands for. See `load_scenario`."""
    return _scenario(from_python(data, file=file), file, cards)


def _scenario(tree: Node, file: str | None, store: CardStore | None) -> Scenario:
    fields = Place(tree, "", file, tree.line).fields(_KEYS, "a map of keys and values")
    if "lawmage" in fields and fields["lawmage"].text("1, the version of the format") != "1":
        raise fields["lawmage"].wrong("1, the version of the format")
    with Cards(store) as cards:
        board = _board(fields, cards)
    judge = _judge(fields, board)
    proposals = read_proposals(fields["propose"], board, judge) if "propose" in fields else ()
    return Scenario(
        board=board,
        judge=judge,
        proposals=proposals,
        title=fields["title"].text() if "title" in fields else "",
        release=_release(fields["release"]) if "release" in fields else None,
        expect=_expect(fields["expect"], proposals, board, judge) if "expect" in fields else None,
        file=file,
    )


def _expect(place: Place, proposals: tuple[Proposal, ...], board: Board, judge: str) -> dict[str, Any]:
    return read_lethal_expect(place, board) if judge == "lethal" else read_expect(place, proposals, board, judge)


def _release(place: Place) -> str:
    text = place.text("a date such as 2026-08-07")
    try:
        if not _DATE.fullmatch(text):
            raise ValueError(text)
        datetime.date.fromisoformat(text)
    except ValueError:
        from lawmage.rulebook.store import nearest_releases, shipped_releases

        raise place.wrong("the date of a release", f"; {nearest_releases(text, shipped_releases())}") from None
    return text


def _judge(fields: Mapping[str, Place], board: Board) -> str:
    default = "attack" if board.attacks is None else "block" if board.blocks is None else "damage"
    if "judge" not in fields:
        return default
    place = fields["judge"]
    judge = place.word(JUDGED)
    if judge == "attack" and board.attacks is not None:
        raise place.error("is attack, but the file has the key attack, so that attackers have been declared already")
    if judge == "block" and board.blocks is not None:
        raise place.error("is block, but the file has the key block, so that blockers have been declared already")
    if judge == "outcome" and "propose" in fields and proposes_events(fields["propose"]):
        return judge
    if judge in ("block", "damage", "outcome") and board.attacks is None:
        raise place.error(f"is {judge}, but the file has no key attack that says what attacks")
    if judge == "lethal" and board.blocks is not None:
        raise place.error("is lethal, but the file has the key block; whether blocks lose is asked before they are declared")
    if judge == "damage" and board.blocks is None:
        raise place.error("is damage, but the file has no key block that says what blocks (write block: {} for none)")
    return judge


# The board.


@dataclass(frozen=True, slots=True)
class _Named:
    """The names of a scenario, known before its values are read. `active` is the active player."""

    players: Mapping[str, Any]
    objects: Mapping[str, Any]
    active: str


def _board(fields: Mapping[str, Place], cards: Cards) -> Board:
    players = fields["players"].entries("a map of players") if "players" in fields else {}
    zones = {key: place.entries("a map of objects") for key, place in fields.items() if key in ZONES}
    names = _names(fields, players, zones)
    read_player = record(_PLAYER)
    board = Board(
        players=_with_one_holder(
            {name: _player(name, read_player(players[name], names)) if name in players else Player(name) for name in names.players}, players
        ),
        active=names.active,
        objects={name: _object(name, place, zone, names, cards) for zone, entries in zones.items() for name, place in entries.items()},
        effects=tuple(_effect(item, names) for item in fields["effects"].items()) if "effects" in fields else (),
        turn=_turn(fields["turn"], names) if "turn" in fields else {},
        history=_HISTORY(fields["history"], names) if "history" in fields else {},
    )
    _check_attachments(board, names.objects)
    _check_cards(board, players)
    board = _with_declarations(board, fields)
    _check_blocked(board, names.objects)
    return board


def _names(fields: Mapping[str, Place], players: Mapping[str, Place], zones: Mapping[str, Mapping[str, Place]]) -> _Named:
    if "players" in fields and len(players) < 2:
        raise fields["players"].error(f"must name at least two players, but names {len(players)}")
    known: Mapping[str, Any] = players or dict.fromkeys(("A", "D"))
    if "active" in fields:
        active = fields["active"].name(known, "a player")
    elif "A" in known:
        active = "A"
    else:
        raise fields["players"].error('has no player "A", so the key active must say who the active player is')
    objects: dict[str, Place] = {}
    for entries in zones.values():
        for name, place in entries.items():
            if name in objects:
                raise place.key_error(f"has a name that {objects[name].path} has already")
            if name in known:
                raise place.key_error("has the name of a player; give it another")
            if name in DECLARATION_KEYS:
                raise place.key_error(f'must not be called "{name}", which is a key of declarations')
            objects[name] = place
    return _Named(known, objects, active)


# Players.

_PLAYER: dict[str, Reader] = {
    "life": number(-MAX_NUMBER),
    "mana": mana,
    "poison": number(),
    "speed": number(),
    "counters": by_kind(number()),
    "commander_damage": by_object(number()),
    "monarch": flag,
    "initiative": flag,
    "citys_blessing": flag,
    "hand": number(),
    "graveyard": number(),
    "starting_total": number(),
}
#: What only one player has at a time (725.3, 726.3), and the zones of which a number of cards can be given.
_OF_ONE = ("monarch", "initiative")
_COUNTED = ("hand", "graveyard")


def _player(name: str, values: dict[str, Any]) -> Player:
    extra = {key: value for key, value in values.items() if key not in ("life", "mana")}
    return Player(name, life=values.get("life", 20), mana=values.get("mana"), extra=extra)


def _with_one_holder(players: dict[str, Player], places: Mapping[str, Place]) -> dict[str, Player]:
    """Return the players, where one has what only one has, with the others not having it."""
    for key in _OF_ONE:
        holders = [name for name, player in players.items() if player.extra.get(key)]
        if len(holders) > 1:
            raise places[holders[1]].error(f"has {key}: true, which {holders[0]} has already; one player has it at a time")
        if holders:
            players = {
                name: player if key in player.extra else replace(player, extra={**player.extra, key: False})
                for name, player in players.items()
            }
    return players


def _check_cards(board: Board, places: Mapping[str, Place]) -> None:
    """Check that no more cards of a player are listed in a zone than the player has there."""
    for name, player in board.players.items():
        for zone in _COUNTED:
            listed = sum(thing.zone == zone and thing.owner == name for thing in board.objects.values())
            if listed > player.extra.get(zone, listed):
                raise places[name].error(f"has {zone}: {player.extra[zone]}, but the file lists {listed:,} cards there")


# Objects.


def _term(known: tuple[str, ...]) -> Reader:
    """Return a reader of one of the known terms, in any case."""

    def read(place: Place, _: Names) -> str:
        term = place.text().strip().lower()
        return term if term in known else place.word(known)

    return read


_COLOR_NAMES = tuple(_COLORS.values())


def _color(place: Place, _: Names) -> str:
    text = place.text().strip()
    color = _COLORS.get(text.upper(), text.lower())
    if color == "colorless":
        raise place.error("is colorless, which is no color; write [] for no colors")
    return color if color in _COLOR_NAMES else place.word(_COLOR_NAMES)


_POWER_TOUGHNESS = f"power and toughness as two whole numbers up to {MAX_NUMBER:,}, such as 2/2"


def _power_toughness(place: Place, _: Names) -> tuple[int, int]:
    text = place.text(_POWER_TOUGHNESS)
    numbers = _PT.fullmatch(text.strip())
    power, toughness = (int(numbers[1]), int(numbers[2])) if numbers else (None, None)
    if power is None or toughness is None or abs(power) > MAX_NUMBER or abs(toughness) > MAX_NUMBER:
        raise place.wrong(_POWER_TOUGHNESS, "; write the numbers that they are now" if "*" in text or "X" in text.upper() else "")
    return power, toughness


def _short(place: Place, _: Names) -> str:
    """Read a name, a subtype or a keyword."""
    text = place.text().strip()
    if not 0 < len(text) <= MAX_NAME:
        raise place.wrong(f"text of 1 to {MAX_NAME} characters")
    return text


def _sentences(place: Place, _: Names) -> str:
    """Read rules text that says something."""
    text = place.text().strip()
    if not text:
        raise place.wrong("text that is not empty")
    return text


def _here(place: Place, _: Names) -> Place:
    return place


_OBJECT: dict[str, Reader] = {
    "controller": player_name,
    "owner": player_name,
    "card": _here,
    "also": record({"keywords": listed(_short), "text": _sentences}),
    "name": _short,
    "types": listed(_term(_TYPES), _TYPES),
    "subtypes": listed(_short),
    "supertypes": listed(_term(_SUPERTYPES), _SUPERTYPES),
    "colors": listed(_color, _COLOR_NAMES),
    "mana_cost": mana,
    "pt": _power_toughness,
    "loyalty": number(),
    "defense": number(),
    "keywords": listed(_short),
    "text": word,
    "token": flag,
    "tapped": flag,
    "sick": flag,
    "damage": number(),
    "counters": by_kind(number()),
    "attached_to": thing_name,
    "protector": player_name,
    "goaded_by": player_names,
    "commander": flag,
    "face_down": flag,
    "phased_out": flag,
    "transformed": flag,
    "blocked": flag,
    "designations": listed(_short),
    "level": number(1),
    "conditions": by_kind(flag),
    "lights": listed(number(1, 6)),
}
#: What those write who have not seen the format.
_INSTEAD = {"power": "both as pt: 2/3", "toughness": "both as pt: 2/3"}
_read_object = record(_OBJECT, instead=_INSTEAD)


def _object(name: str, place: Place, zone: str, names: _Named, cards: Cards) -> Object:
    values = _read_object(place, names)
    controller, owner = _whose(place, values, zone)
    written = "keywords" in values or "also" in values
    faces: tuple[dict[str, Any], ...] = ()
    if "card" in values:
        values, faces = _with_card(values, zone, cards)
    elif "also" in values:
        raise place.at("also").key_error("adds to a card, so it needs the key card beside it")
    made = _made(name, place, zone, (controller, owner), values, names, written=written)
    if faces:
        made.faces = tuple(_made(name, place, zone, (controller, owner), face, names, written=written) for face in faces)
    return made


def _made(name: str, place: Place, zone: str, whose: tuple[str, str], values: dict[str, Any], names: _Named, *, written: bool) -> Object:
    """Return the object of which the file and its card say `values`."""
    controller, owner = whose
    types = values.pop("types", ("creature",))
    power, toughness = values.pop("pt", None) or (None, None)
    if power is None and "creature" in types and zone == "battlefield" and values.get("card_text") is None:
        raise place.key_error("is a creature, so it needs the key pt, its power and toughness, such as pt: 2/2")
    given = values.pop("colors", None)
    if given is None:
        mana_cost = values.get("mana_cost") or ""
        given = tuple([color for letter, color in _COLORS.items() if letter in mana_cost]) if mana_cost else ()
    elif len(given) > 1:
        given = tuple([color for color in _COLOR_NAMES if color in given])
    for key in ("loyalty", "defense"):
        if values.get(key) is not None and values.get("counters", {}).get(key, values[key]) != values[key]:
            raise place.at(key).error(f"is {values[key]}, but the counters say {values['counters'][key]}")
    return Object(
        id=name,
        zone=zone,
        controller=controller,
        owner=owner,
        types=types,
        colors=given,
        power=power,
        toughness=toughness,
        protector=_protector(place, values.pop("protector", None), types, zone, controller, names),
        line=place.line,
        keyword_lines=_keyword_lines(place) if written else (),
        **values,
    )


def _with_card(values: dict[str, Any], zone: str, cards: Cards) -> tuple[dict[str, Any], tuple[dict[str, Any], ...]]:
    """Return what the file says of an object, with what it does not say from the object's card; and the same by faces to choose."""
    card, also = cards.named(values.pop("card")), values.pop("also", {})
    found = with_card(card, zone, values)
    faces = faces_to_choose(card, zone, values)
    for one in (found, *faces):
        one["keywords"] = one.get("keywords", ()) + also.get("keywords", ())
        one["text"] = "\n".join(text for text in (one.get("text"), also.get("text")) if text)
    return found, faces


def _keyword_lines(place: Place) -> tuple[int, ...]:
    fields = place.entries()
    also = fields["also"].entries() if "also" in fields else {}
    return tuple(item.line for keys in (fields, also) if "keywords" in keys for item in keys["keywords"].items() if item.line)


def _whose(place: Place, values: dict[str, Any], zone: str) -> tuple[str, str]:
    """Take controller and owner out of `values`; where one is missing it is the other."""
    controller, owner = values.pop("controller", None), values.pop("owner", None)
    if controller is None and (owner is None or zone in ("battlefield", "stack")):
        needed = "controller" if zone in _CONTROLLED else "owner"
        raise place.key_error(f"needs the key {needed}, the name of a player")
    if zone not in _CONTROLLED and None not in (controller, owner) and controller != owner:
        raise place.key_error(f"has owner {owner} and controller {controller}, but nothing is controlled in the zone {zone} (109.4)")
    return controller or owner, owner or controller


def _protector(place: Place, given: str | None, types: tuple[str, ...], zone: str, controller: str, names: _Named) -> str | None:
    if "battle" not in types:
        if given is not None:
            raise place.key_error("has a protector, but it is not a battle")
        return None
    if given is not None or zone != "battlefield":
        return given
    if len(names.players) > 2:
        raise place.key_error("is a battle, so it needs the key protector, the player who protects it (310.9)")
    return next(player for player in names.players if player != controller)


def _check_attachments(board: Board, places: Mapping[str, Place]) -> None:
    """Raise an InputError for an object that is attached to itself, directly or by way of others."""
    settled: set[str] = set()
    for name in board.objects:
        chain: dict[str, None] = {}
        link: str | None = name
        while link in board.objects and link not in settled:
            if link in chain:
                raise places[link].key_error("is attached to itself, directly or by way of others")
            chain[link] = None
            link = board.objects[link].attached_to
        settled.update(chain)


def _check_blocked(board: Board, places: Mapping[str, Place]) -> None:
    attacking = {attack.attacker for attack in board.attacks or ()}
    for name, thing in board.objects.items():
        if thing.blocked and name not in attacking:
            raise places[name].entries()["blocked"].key_error("is true, but the file does not say that it is attacking")


# What is beside players and objects.

_EFFECT = record(
    {"controller": player_name, "text": _sentences, "affects": listed(thing_name), "source": object_name, "conditions": by_kind(flag)},
    ("controller", "text"),
)
_TURN = record(
    {"phase": choice(*_STEPS), "step": word, "priority": optional(player_name), "land_played": flag, "daytime": choice("day", "night")}
)
_HISTORY = record(
    {
        "lost_life": player_names,
        "gained_life": player_names,
        "was_dealt_damage": player_names,
        "cast_this_turn": by_player(number()),
        "drawn_this_turn": by_player(number()),
        "lands_played": by_player(number()),
        "attacked": object_names,
        "blocked": object_names,
        "entered": object_names,
        "died": object_names,
        "discarded": object_names,
        "exiled": object_names,
        "dealt_combat_damage": object_names,
        "used": by_object(number()),
        "cast_last_turn": by_player(number()),
        "speed_increased": player_names,
        "activated": by_object(number()),
        "commander_casts": by_object(number()),
    }
)


def _effect(place: Place, names: Names) -> Effect:
    return Effect(line=place.line, **_EFFECT(place, names))


def _turn(place: Place, names: Names) -> dict[str, Any]:
    turn: dict[str, Any] = _TURN(place, names)
    if "step" in turn:
        phases = {step: phase for phase, steps in _STEPS.items() for step in steps}
        phase = phases[place.entries()["step"].word(phases)]
        if turn.setdefault("phase", phase) != phase:
            raise place.entries()["step"].error(f"is {turn['step']}, which is a step of the phase {phase}, not {turn['phase']}")
    return turn


def _with_declarations(board: Board, fields: Mapping[str, Place]) -> Board:
    """Return the board with what has been declared: attacks, blocks, damage, and what stands beside them."""
    for key, needed in (("block", "attack"), ("bands", "attack"), ("order", "block"), ("damage", "block")):
        if key in fields and needed not in fields:
            raise fields[key].key_error(f"needs the key {needed} beside it, for what has been declared before")
    if "attack" in fields:
        attacks, bands = read_attacks(fields["attack"], board, declared=True)
        if "bands" in fields:
            if bands:
                raise fields["bands"].key_error("stands twice, in the scenario and in attack")
            bands = read_bands(fields["bands"], attacks, board, declared=True)
        board = replace(board, attacks=attacks, bands=bands)
    if "block" in fields:
        blocks, order = read_blocks(fields["block"], board, defending_players(board), declared=True)
        if "order" in fields:
            if order:
                raise fields["order"].key_error("stands twice, in the scenario and in block")
            order = read_order(fields["order"], board)
        board = replace(board, blocks=blocks, order=order)
    if "damage" in fields:
        steps = fields["damage"].items() if fields["damage"].is_list else (fields["damage"],)
        board = replace(board, damage=tuple(read_damage(step, board, declared=True) for step in steps))
    return board
