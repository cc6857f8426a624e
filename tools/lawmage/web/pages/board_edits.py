"""What the form of the board page changes in a scenario, as plain data in and out.

The scenario that comes in has been read before, so its shape is known; what comes out is read again by whoever draws it, so that a
value that is no good is refused there, in the sentence of the command line. Keys that the page doesn't draw stay as they are.

Names of fields: `life/PLAYER`; `attack/ID` (what it attacks, or empty), `block/ID` (once for each attacker it blocks), `pay/ID`;
`tapped/ID`, `sick/ID`, `goaded/ID` (once for each player), `damage/ID`, `counters/ID`, `size/ID`, `keywords/ID`, `text/ID`,
`conditions/ID`; for what is added `new-card/PLAYER`, `new-size/PLAYER`, ...; `step`; and `do`, what was pressed.
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from lawmage.errors import InputError
from lawmage.play.play_words import PLAYS

__all__ = [
    "Fields",
    "apply_declaration",
    "conditions_written",
    "edited",
    "new_board",
    "opened",
    "paid",
    "pressed",
    "shown_proposal",
    "without_attacks",
    "written",
]

#: The most that is added at once.
MAX_COUNT = 30

# Names that stand beside objects in declarations, so that no object can have them.
_TAKEN = ("bands", "order", "by", "step", "count", "counts")

_ZONES = ("battlefield", "hand", "graveyard", "exile", "library", "command", "stack", "outside")

_ANSWERS = {"yes": True, "true": True, "no": False, "false": False}

#: The name of the proposal that the page makes where there is none, by what is judged.
_PROPOSED = {"attack": "attack", "block": "blocks"}


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a form, each with all its values."""

    values: Mapping[str, list[str]]

    def one(self, name: str) -> str:
        """Return the last value of a field without the spaces around it, or an empty text."""
        return (self.values.get(name) or [""])[-1].strip()

    def all(self, name: str) -> list[str]:
        """Return the values of a field that are not empty."""
        return [value for value in self.values.get(name, []) if value]

    def has(self, name: str) -> bool:
        """Tell whether the form had the field."""
        return name in self.values


def new_board() -> dict[str, Any]:
    """Return a board on which nothing stands, where blocks are asked about."""
    return {"battlefield": {}, "attack": {}, "propose": {_PROPOSED["block"]: {}}}


def pressed(fields: Fields, drawn: Mapping[str, Any]) -> tuple[str, str]:
    """Return what was pressed, and what it was about. Enter adds what was typed in; where nothing was, it judges."""
    action, _, about = fields.one("do").partition("/")
    if action != "enter":
        return action, about
    typed = [player["name"] for player in drawn["players"] if _is_typed(fields, player["name"])]
    if typed:
        return "add", typed[0]
    effects = [player["name"] for player in drawn["players"] if fields.one(f"new-effect/{player['name']}")]
    return ("add-effect", effects[0]) if effects else ("judge", "")


def shown_proposal(data: Mapping[str, Any], wanted: str) -> str:
    """Return the name of the proposal that is drawn: the one wanted, or the first."""
    proposals = data.get("propose") or {}
    return wanted if wanted in proposals else next(iter(proposals), "")


def edited(data: Mapping[str, Any], drawn: Mapping[str, Any], fields: Fields) -> dict[str, Any]:
    """Return the scenario as the form has it, and after what was pressed.

    Args:
        data: the scenario as it was when the form was made.
        drawn: what `lawmage.answers.tables.board` says of it.
        fields: the form.

    Raises:
        InputError: if something typed in can't be taken.
    """
    new = opened(data, drawn)
    if fields.has("drawn"):
        _take_players(new, drawn, fields)
        _take_objects(new, drawn, fields)
        _take_declarations(new, drawn, fields)
    judge, step = drawn["judge"], fields.one("step")
    if judge in _PROPOSED and step in _PROPOSED and step != judge:
        _change_step(new, step, shown_proposal(new, fields.one("shown")))
        judge = step
    action, about = pressed(fields, drawn)
    if action == "add":
        added = _add(new, drawn, about, fields)
        if fields.has(f"new-attacks/{about}") and judge in _PROPOSED and drawn["targets"]:
            attacking = new["attack"] if judge == "block" else new["propose"][shown_proposal(new, fields.one("shown"))]
            attacking.update(dict.fromkeys(added, drawn["targets"][0]["name"]))
    elif action == "add-effect":
        new.setdefault("effects", []).append({"controller": about, "text": fields.one(f"new-effect/{about}")})
    elif action == "remove-effect" and about.isdecimal() and int(about) < len(new.get("effects", [])):
        del new["effects"][int(about)]
    elif action == "copy" and about in new.get("battlefield", {}):
        new["battlefield"][_free_name(about, new, drawn)] = copy.deepcopy(new["battlefield"][about])
    elif action == "remove":
        _remove(new, about, judge)
    return new


def opened(data: Mapping[str, Any], drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario with a proposal to draw in, where the page can draw, and with maps for plain lists of attackers."""
    new = copy.deepcopy(dict(data))
    if drawn["judge"] not in _PROPOSED:
        return new
    proposals = new.setdefault("propose", {})
    if not proposals:
        proposals[_PROPOSED[drawn["judge"]]] = {}
    for name in proposals:
        if isinstance(proposals[name], list):
            proposals[name] = dict(drawn["proposals"][name])
    if isinstance(new.get("attack"), list):
        new["attack"] = dict(drawn["attack"])
    return new


def apply_declaration(data: Mapping[str, Any], shown: str, text: str) -> dict[str, Any]:
    """Return the scenario with the proposal `shown` replaced by a declaration or a play, a JSON map as answers have it."""
    try:
        declaration = json.loads(text)
    except (ValueError, RecursionError):
        declaration = None
    if not isinstance(declaration, dict):
        raise InputError("what is to be applied is no declaration; press judge and apply again")
    new = copy.deepcopy(dict(data))
    brief = declaration if data.get("judge") in PLAYS else {name: _briefly(value) for name, value in declaration.items()}
    new.setdefault("propose", {})[shown] = brief
    return new


# Players and objects.


def _take_players(new: dict[str, Any], drawn: Mapping[str, Any], fields: Fields) -> None:
    for player in drawn["players"]:
        name, given = player["name"], fields.one(f"life/{player['name']}")
        if not given or given == str(player["life"]):
            continue
        if "players" not in new:
            new["players"] = {one["name"]: {} for one in drawn["players"]}
        new["players"][name]["life"] = _number(given, f"the life of {name}")


def _take_objects(new: dict[str, Any], drawn: Mapping[str, Any], fields: Fields) -> None:
    for thing in drawn["objects"]:
        name = thing["id"]
        value = new["battlefield"][name]
        for key in ("tapped", "sick"):
            if fields.has(f"{key}/{name}") != thing[key]:
                _set(value, key, not thing[key])
        if fields.has(f"damage/{name}") and (fields.one(f"damage/{name}") or "0") != str(thing["damage"]):
            _set(value, "damage", _number(fields.one(f"damage/{name}") or "0", f"the damage on {name}"))
        goading = [player for player in fields.all(f"goaded/{name}") if player != thing["controller"]]
        if sorted(goading) != sorted(thing["goaded_by"]):
            _set(value, "goaded_by", goading)
        if fields.has(f"counters/{name}"):
            counters = _counters(fields.one(f"counters/{name}"), name)
            if counters != thing["counters"]:
                _set(value, "counters", counters)
        if fields.has(f"conditions/{name}"):
            conditions = _conditions(fields.one(f"conditions/{name}"))
            if conditions != thing["conditions"]:
                _set(value, "conditions", conditions)
        for key in ("size", "keywords", "text"):
            if fields.has(f"{key}/{name}") and fields.one(f"{key}/{name}") != written(value)[key]:
                _write(value, key, fields.one(f"{key}/{name}"))


def written(value: Mapping[str, Any]) -> dict[str, str]:
    """Return what the page lets one write of an object, as it is in the scenario: of a card what is added to it."""
    added = value.get("also", {}) if "card" in value else value
    keywords = [str(keyword) for keyword in added.get("keywords", [])]
    return {
        "size": str(value.get("pt", "")),
        "keywords": ("; " if any("," in keyword for keyword in keywords) else ", ").join(keywords),
        "text": str(added.get("text", "")).strip(),
    }


def _write(value: dict[str, Any], key: str, text: str) -> None:
    if key == "size":
        _set(value, "pt", text)
        return
    target = value.setdefault("also", {}) if "card" in value else value
    _set(target, key, _listed(text) if key == "keywords" else text)
    if value.get("also") == {}:
        del value["also"]


def _set(value: dict[str, Any], key: str, given: Any) -> None:
    """Set a key, or leave it out where it says what is so without it."""
    if given in (False, 0, "", [], {}):
        value.pop(key, None)
    else:
        value[key] = given


def _listed(text: str) -> list[str]:
    """Return keywords that are separated by commas, or by semicolons where keywords have commas in them."""
    return [part.strip() for part in text.split(";" if ";" in text else ",") if part.strip()]


def _counters(text: str, name: str) -> dict[str, int]:
    """Return counters that are written `+1/+1: 2, stun: 1`; a kind alone is one counter."""
    counters = {}
    for part in _listed(text):
        kind, colon, number = part.rpartition(":")
        counters[(kind if colon else part).strip()] = _number(number.strip(), f"the counters on {name}") if colon else 1
    return {kind: number for kind, number in counters.items() if number}


def _conditions(text: str) -> dict[str, bool]:
    """Return conditions that are written `the moon is full: no; it is your turn`; one without an answer holds."""
    conditions = {}
    for part in filter(None, (part.strip() for part in text.split(";"))):
        words, colon, answer = part.rpartition(":")
        given = _ANSWERS.get(answer.strip().casefold()) if colon else None
        conditions[part if given is None else words.strip()] = given is not False
    return conditions


def conditions_written(conditions: Mapping[str, bool]) -> str:
    """Return conditions as the form has them."""
    return "; ".join(f"{words}: {'yes' if holds else 'no'}" for words, holds in conditions.items())


def _number(text: str, what: str) -> int:
    if len(text) > 9 or not text.removeprefix("-").isdecimal():
        raise InputError(f'{what} must be a whole number, but is "{text[:60]}"')
    return int(text)


# Declarations.


def _take_declarations(new: dict[str, Any], drawn: Mapping[str, Any], fields: Fields) -> None:
    if drawn["judge"] not in _PROPOSED:
        return
    proposals, shown = new["propose"], shown_proposal(new, fields.one("shown"))
    attacking = new["attack"] if drawn["judge"] == "block" else proposals[shown]
    for name in drawn["attackers"]:
        if fields.has(f"attack/{name}"):
            _declare(attacking, name, fields.one(f"attack/{name}"), "target")
    _take_payments(attacking, drawn["attackers"], "target", fields)
    if drawn["judge"] == "attack":
        return
    for name in drawn["blockers"]:
        _declare(proposals[shown], name, [one for one in fields.all(f"block/{name}") if one in attacking], "attackers")
    _take_payments(proposals[shown], drawn["blockers"], "attackers", fields)
    for proposal in proposals.values():
        _drop_from_blocks(proposal, lambda attacker: attacker in attacking)


def without_attacks(data: Mapping[str, Any], shown: str, names: Collection[str]) -> dict[str, Any]:
    """Return the scenario without the attacks of these objects, declared or proposed."""
    new = copy.deepcopy(dict(data))
    attacking = new["attack"] if "attack" in new else new["propose"][shown_proposal(new, shown)]
    for name in names:
        attacking.pop(name, None)
    return new


def _take_payments(declared: dict[str, Any], names: list[str], key: str, fields: Fields) -> None:
    """Set what is paid for attacks or blocks; `key` is what the creature attacks or blocks called in the longer form."""
    for name in names:
        value, pay = declared.get(name), fields.one(f"pay/{name}")
        if value is None or not fields.has(f"pay/{name}") or pay == paid(value):
            continue
        choice = value.get(key, value.get("attacker")) if isinstance(value, dict) else value
        declared[name] = {key: _several(choice) if key == "attackers" else choice, "pay": pay} if pay else choice


def paid(value: Any) -> str:
    """Return what a declaration of one creature says that is paid, or nothing."""
    return str(value.get("pay", "")) if isinstance(value, dict) else ""


def _declare(declared: dict[str, Any], name: str, choice: Any, key: str) -> None:
    """Set what a creature attacks or blocks; a payment that is named stays where that is the same."""
    old = declared.get(name)
    before = old.get(key, old.get("attacker")) if isinstance(old, dict) else old
    if not choice:
        declared.pop(name, None)
    elif _several(before) != _several(choice):
        declared[name] = _briefly(choice)


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _briefly(value: Any) -> Any:
    """Return a list of one as the one."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _drop_from_blocks(blocks: dict[str, Any], keeps: Callable[[str], bool]) -> None:
    """Take what does not attack any more out of a declaration of blocks."""
    for name, value in list(blocks.items()):
        if name in ("order", "by"):
            continue
        chosen = _several(value.get("attackers", value.get("attacker")) if isinstance(value, dict) else value)
        left = [one for one in chosen if keeps(one)]
        if len(left) < len(chosen):
            _declare(blocks, name, left, "attackers")


def _change_step(new: dict[str, Any], step: str, shown: str) -> None:
    """Ask about the other step: what was proposed as the attack has then been declared, or the other way round."""
    new.pop("judge", None)
    new.pop("expect", None)
    if step == "block":
        new["attack"] = new["propose"][shown]
        new["propose"] = {_PROPOSED["block"]: {}}
        return
    attack = new.pop("attack", {})
    if "bands" in new and isinstance(attack, dict):
        attack["bands"] = new.pop("bands")
    new["propose"] = {_PROPOSED["attack"]: attack}


# What is added and removed.


def _is_typed(fields: Fields, player: str) -> bool:
    return any(fields.one(f"new-{key}/{player}") for key in ("card", "size", "keywords", "text", "name"))


def _add(new: dict[str, Any], drawn: Mapping[str, Any], player: str, fields: Fields) -> list[str]:
    """Add what was typed in for a player as often as was asked, and return the names."""
    typed = {key: fields.one(f"new-{key}/{player}") for key in ("card", "size", "keywords", "text", "name", "type", "count")}
    if not _is_typed(fields, player):
        raise InputError("nothing is typed in to add; expected the name of a card, or power and toughness such as 2/2")
    count = _number(typed["count"] or "1", "how many are added")
    if not 1 <= count <= MAX_COUNT:
        raise InputError(f"how many are added must be from 1 to {MAX_COUNT}, but is {count}")
    thing: dict[str, Any] = {"controller": player}
    if typed["card"]:
        thing["card"] = typed["card"]
        _set(thing, "pt", typed["size"])
    elif "/" in typed["size"] or not typed["size"]:
        if typed["type"] not in ("", "creature"):
            thing["types"] = [typed["type"]]
        _set(thing, "pt", typed["size"])
    else:
        thing["types"] = [typed["type"] or "creature"]
        thing["defense" if typed["type"] == "battle" else "loyalty"] = _number(typed["size"], "its loyalty or defense")
    for key in ("keywords", "text"):
        if typed[key]:
            _write(thing, key, typed[key])
    kind = typed["type"] if typed["type"] not in ("", "creature") else ""
    base = (
        typed["name"]
        or typed["card"]
        or " ".join(part for part in (typed["size"], *_listed(typed["keywords"])[:1], kind) if part)
        or "creature"
    )
    battlefield = new.setdefault("battlefield", {})
    added = []
    for _ in range(count):
        added.append(_free_name(base[:100], new, drawn))
        battlefield[added[-1]] = copy.deepcopy(thing)
    return added


def _free_name(base: str, new: Mapping[str, Any], drawn: Mapping[str, Any]) -> str:
    """Return a name that nothing has yet: `base`, or `base (2)` and so on."""
    stem, _, number = base.rpartition(" (")
    base = stem if stem and number.removesuffix(")").isdecimal() else base
    taken = _names(new) | {player["name"] for player in drawn["players"]} | set(_TAKEN)
    names = itertools.chain([base], (f"{base} ({another})" for another in itertools.count(2)))
    return next(name for name in names if name not in taken)


def _names(data: Mapping[str, Any]) -> set[str]:
    return {name for zone in _ZONES for name in data.get(zone) or {}}


def _remove(new: dict[str, Any], name: str, judge: str) -> None:
    """Take an object off the battlefield and, where the page draws them, out of attacks and blocks."""
    if new.get("battlefield", {}).pop(name, None) is None or judge not in _PROPOSED:
        return
    proposals = list(new["propose"].values())
    for attack in [new["attack"]] if judge == "block" else proposals:
        _drop_attack(attack, name)
    for blocks in proposals if judge == "block" else []:
        blocks.pop(name, None)
        _drop_from_blocks(blocks, lambda one: one != name)


def _drop_attack(attack: dict[str, Any], name: str) -> None:
    """Take a creature, and the attacks on it, out of a declaration of attackers."""
    for attacker, value in list(attack.items()):
        if attacker == name or name == (value.get("target") if isinstance(value, dict) else value):
            del attack[attacker]
