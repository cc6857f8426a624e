"""The parts of a scenario that say what is declared, proposed and expected. `lawmage.scenario` documents their form.

Whether a proposal names permanents that are there, and of the player whose declaration it is, is checked here: one that does not
is bad input. Whether it is legal is not for this module. Of what has been declared already more is checked, since it has happened.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from lawmage.board import Attack, BlockChoice, Board, Proposal, defending_players
from lawmage.scenario_shapes import (
    ZONES,
    Names,
    Reader,
    by_kind,
    by_object,
    by_player,
    by_thing,
    choice,
    cost,
    flag,
    key_name,
    listed,
    number,
    object_name,
    object_names,
    optional,
    player_name,
    record,
    thing_name,
    word,
)
from lawmage.yaml_place import Place

__all__ = [
    "DECLARATION_KEYS",
    "JUDGED",
    "proposes_events",
    "read_attacks",
    "read_bands",
    "read_blocks",
    "read_damage",
    "read_expect",
    "read_order",
    "read_proposals",
]

#: Keys that stand beside objects in a declaration, so that no object can be called so.
DECLARATION_KEYS = ("bands", "order", "by", "step")

_VERDICTS = ("legal", "illegal", "undecided")


# Declarations.


def read_attacks(place: Place, board: Board, *, declared: bool) -> tuple[tuple[Attack, ...], tuple[tuple[str, ...], ...]]:
    """Read a declaration of attackers: the attacks, and the bands beside them. `declared` attacks have happened."""
    if place.is_list:
        return _listed_attacks(place, board), ()
    entries = place.entries("a map of attackers to what they attack, or a list of attackers")
    bands = entries.pop("bands", None)
    attacks = []
    for name, value in entries.items():
        attacker = _attacker(value, _declared_key(value, name, board), board, key=True)
        target, pay = value, None
        acts: tuple[tuple[str, str], ...] = ()
        if value.is_map:
            fields = value.fields(("target", "pay", "with"))
            if "target" not in fields:
                raise value.error("needs the key target, the player or permanent that is attacked")
            target, pay, acts = fields["target"], _pay(fields, board), _acts(fields, board, declared=declared)
        attacks.append(Attack(attacker, _target(target, board, declared=declared), pay, acts, value.line))
    return tuple(attacks), () if bands is None else read_bands(bands, attacks, board, declared=declared)


def read_bands(place: Place, attacks: Collection[Attack], board: Board, *, declared: bool) -> tuple[tuple[str, ...], ...]:
    """Read the bands of a declaration: lists of at least two creatures.

    In bands that are `declared` they attack, each in one band at most; whether that is so in a proposal is for the verdict (702.22c).
    """
    known = {attack.attacker: attack for attack in attacks} if declared else board.objects
    bands: list[tuple[str, ...]] = []
    banded: set[str] = set()
    for item in place.items("a list of lists of attackers"):
        band = item.names(known, "an attacking creature" if declared else "an object")
        if len(band) < 2:
            raise item.error("must name at least two creatures, since it is a band")
        for name in band if declared else ():
            if name in banded:
                raise item.error(f'names "{name}", which is in another band already')
        banded.update(band)
        bands.append(band)
    return tuple(bands)


def read_blocks(
    place: Place, board: Board, defending: Collection[str], *, declared: bool
) -> tuple[tuple[BlockChoice, ...], dict[str, tuple[str, ...]]]:
    """Read a declaration of blockers by the `defending` players: the blocks, and the orders of damage beside them."""
    entries = place.entries("a map of blockers to what they block")
    order = entries.pop("order", None)
    attacking = {attack.attacker for attack in board.attacks or ()} if declared else set()
    blocks = []
    for name, value in entries.items():
        blocker = _blocker(value, _declared_key(value, name, board), board, defending)
        attackers, pay = value, None
        acts: tuple[tuple[str, str], ...] = ()
        if value.is_map:
            fields = value.fields(("attackers", "attacker", "pay", "with"))
            if ("attackers" in fields) == ("attacker" in fields):
                raise value.error("needs one of the keys attacker and attackers, what is blocked")
            attackers = fields.get("attackers") or fields["attacker"]
            pay, acts = _pay(fields, board), _acts(fields, board, declared=declared)
        blocked = _blocked(attackers, board)
        if declared and not attacking.issuperset(blocked):
            strays = ", ".join(name for name in blocked if name not in attacking)
            raise attackers.error(f"names {strays}, which the file does not say to be attacking")
        blocks.append(BlockChoice(blocker, blocked, pay, acts, value.line))
    return tuple(blocks), {} if order is None else read_order(order, board)


def read_order(place: Place, board: Board) -> dict[str, tuple[str, ...]]:
    """Read orders of damage assignment: creature to those it deals damage to, first to last."""
    order: dict[str, tuple[str, ...]] = by_object(object_names)(place, board)
    return order


def read_damage(place: Place, board: Board, *, declared: bool) -> dict[str, Any]:
    """Read an assignment of combat damage: `assign` (source to target to amount), `step` and `by` where they are given.

    What has dealt `declared` damage may have left the battlefield.
    """
    entries = place.entries("a map of sources of damage to {target: amount}")
    readers: dict[str, Reader] = {"step": choice("first", "regular"), "by": player_name}
    damage: dict[str, Any] = {key: readers[key](entries.pop(key), board) for key in readers if key in entries}
    amounts = by_thing(number())
    damage["assign"] = {_declared_key(value, name, board): amounts(value, board) for name, value in entries.items()}
    if not declared:
        for name, value in entries.items():
            _on_battlefield(value, name, board, key=True)
    return damage


def _declared_key(place: Place, name: str, board: Board) -> str:
    """Return the key `name`, an object that attacks, blocks or deals damage."""
    if name in _PLAYS and name not in board.objects:
        raise place.key_error(f"is a key for files that say judge: {name}")
    return key_name(place, name, board.objects)


def _on_battlefield(place: Place, name: str, board: Board, *, key: bool = False) -> str:
    """Return `name` if that object is on the battlefield."""
    zone = board.objects[name].zone
    if zone != "battlefield":
        sentence = f'names "{name}", which is not on the battlefield but in the zone {zone}'
        raise place.key_error(sentence) if key else place.error(sentence)
    return name


def _attacker(place: Place, name: str, board: Board, *, key: bool) -> str:
    """Return `name` if that object is on the battlefield and the active player's."""
    controller = board.objects[_on_battlefield(place, name, board, key=key)].controller
    if controller != board.active:
        sentence = f'names "{name}", a creature of {controller}, but only creatures of {board.active}, the active player, attack'
        raise place.key_error(sentence) if key else place.error(sentence)
    return name


def _listed_attacks(place: Place, board: Board) -> tuple[Attack, ...]:
    opponents = [name for name in board.players if name != board.active]
    if len(opponents) > 1:
        raise place.wrong(f"a map of attackers to what they attack, since {' and '.join(opponents)} can be attacked")
    attacks: dict[str, Attack] = {}
    for item in place.items():
        attacker = _attacker(item, object_name(item, board), board, key=False)
        if attacker in attacks:
            raise item.error(f'names "{attacker}" for the second time')
        attacks[attacker] = Attack(attacker, opponents[0], line=item.line)
    return tuple(attacks.values())


def _target(place: Place, board: Board, *, declared: bool) -> str:
    name = thing_name(place, board)
    if name in board.players:
        if declared and name == board.active:
            raise place.error(f"names {name}, the attacking player, who cannot be attacked")
        return name
    if not declared:
        return _on_battlefield(place, name, board)
    # A planeswalker or battle that has left the battlefield is allowed: the attacker attacks nothing, but attacks (506.4c).
    thing = board.objects[name]
    if thing.zone == "battlefield" and not {"planeswalker", "battle"}.intersection(thing.types):
        raise place.error(f'names "{name}", which is neither a player nor a planeswalker nor a battle')
    return name


def _blocker(place: Place, name: str, board: Board, defending: Collection[str]) -> str:
    """Return `name` if that object is on the battlefield and its controller may declare blocks."""
    controller = board.objects[_on_battlefield(place, name, board, key=True)].controller
    if controller not in defending:
        who = f"{controller}, the attacking player" if controller == board.active else f"{controller}, whom nothing attacks"
        only = f"only creatures of {' and '.join(defending)} can block" if defending else "nobody is attacked"
        raise place.key_error(f'names "{name}", a creature of {who}; {only}')
    return name


def _blocked(place: Place, board: Board) -> tuple[str, ...]:
    names = object_names(place, board) if place.is_list else (object_name(place, board),)
    if not names:
        raise place.error("names no attacker; leave out a creature that does not block")
    return tuple(_on_battlefield(place, name, board) for name in names)


def _pay(fields: dict[str, Place], board: Board) -> str | None:
    return cost(fields["pay"], board) if "pay" in fields else None


# Other plays.


def _extra(place: Place, names: Names) -> str | dict[str, Any]:
    """Read an optional cost: a word, or a map of one word to what is chosen for it."""
    if not place.is_map:
        return place.text("a word such as kicker, or a map such as {gift: D}")
    entries = place.entries()
    if len(entries) != 1:
        raise place.error(f"must have one key, but has {len(entries)}")
    return {key: word(value, names) for key, value in entries.items()}


#: What a declaration of attackers or blockers is paid with beside mana and life.
_ACTS = record(dict.fromkeys(("sacrifice", "tap", "return"), object_names))


def _acts(fields: dict[str, Place], board: Board, *, declared: bool) -> tuple[tuple[str, str], ...]:
    """Read what is done to pay for an attack or block, and with what, each object once for each.

    Where that has been declared, the board shows what has been paid: what was sacrificed or returned isn't on the battlefield any more.
    """
    given = _ACTS(fields["with"], board) if "with" in fields else {}
    acts = tuple(dict.fromkeys((act, name) for act, names in given.items() for name in names))
    for act, name in acts if declared else ():
        if act != "tap" and board.objects[name].zone == "battlefield":
            raise fields["with"].error(f'says that "{name}" has left the battlefield to pay ({act}), but it is still there')
    return acts


_WITH = record(dict.fromkeys(("exile", "sacrifice", "discard", "tap", "untap", "return", "reveal"), object_names))


def _using(place: Place, names: Names) -> str | tuple[str, ...]:
    """Read a keyword, the object that grants a permission or cost, or a list of them."""
    return tuple(word(item, names) for item in place.items()) if place.is_list else word(place, names)


_PAID: dict[str, Reader] = {"pay": cost, "with": _WITH, "x": number()}
_CHOSEN: dict[str, Reader] = {"by": player_name, "targets": listed(thing_name), "modes": listed(word)}

#: The form of each play, by what `judge:` says.
_PLAYS: dict[str, Reader] = {
    "cast": record({"cast": object_name, "using": _using, "extra": listed(_extra), **_CHOSEN, **_PAID}, ("cast",)),
    "activate": record({"activate": object_name, "ability": word, "using": _using, **_CHOSEN, **_PAID}, ("activate",)),
    "special": record({"special": word, "object": object_name, "by": player_name, "using": _using, **_PAID}, ("special", "object")),
    "attach": record({"attach": object_name, "to": thing_name, "by": player_name}, ("attach", "to")),
    "trigger": record({"trigger": object_name, "ability": word, "x": number(), **_CHOSEN}, ("trigger",)),
}

#: What `judge:` can say.
JUDGED = ("attack", "block", "damage", *_PLAYS, "outcome", "lethal")


#: The form of an event of which the outcome is asked.
_EVENT = record(
    {
        "event": word,
        "objects": object_names,
        "by": player_name,
        "paid": listed(_extra),
        "choose": listed(word),
        "number": number(),
        "targets": listed(thing_name),
    },
    ("event",),
)


def proposes_events(place: Place) -> bool:
    """Return whether proposals name events, rather than damage."""
    return place.is_map and any(value.is_map and "event" in value.entries() for value in place.entries().values())


# Proposals.


def read_proposals(place: Place, board: Board, judge: str) -> tuple[Proposal, ...]:
    """Read the named proposals, which are of the kind `judge`."""
    if judge == "lethal":
        raise place.key_error("is no key for files that say judge: lethal; an attack to ask about stands under attack")
    proposals = []
    defending = defending_players(board)
    for name, value in place.entries("a map of names to proposals").items():
        if name in ("count", "counts"):
            raise value.key_error("cannot be the name of a proposal, since it is a key of expect")
        proposals.append(_proposal(name, value, board, defending, judge))
    return tuple(proposals)


def _proposal(name: str, place: Place, board: Board, defending: Collection[str], judge: str) -> Proposal:
    if judge == "attack":
        attacks, bands = read_attacks(place, board, declared=False)
        return Proposal(name, attacks=attacks, bands=bands, line=place.line)
    if judge == "block":
        blocks, order = read_blocks(place, board, defending, declared=False)
        return Proposal(name, blocks=blocks, order=order, line=place.line)
    if judge == "damage":
        return Proposal(name, raw=read_damage(place, board, declared=False), line=place.line)
    if judge == "outcome" and place.is_map and "event" in place.entries():
        return Proposal(name, raw=_EVENT(place, board), line=place.line)
    if judge == "outcome":
        steps = place.items() if place.is_list else (place,)
        return Proposal(name, raw=tuple(read_damage(step, board, declared=False) for step in steps), line=place.line)
    return Proposal(name, raw=_PLAYS[judge](place, board), line=place.line)


# Expectations.

# What is expected can be the result of arithmetic, so it may be larger than what a file may state; it still is 32 bits.
_sum = number(0, 2**31 - 1)
#: What every verdict has; of `cites` and `assumptions` some may be given.
_told = {
    "verdict": choice(*_VERDICTS),
    "violations": listed(record({"rule": word, "objects": listed(thing_name), "message": word})),
    "cites": listed(word),
    "assumptions": listed(word),
    "not_understood": listed(word),
}
_verdict = record(_told)
_outcome = record(
    _told
    | {
        "steps": listed(
            record(
                {
                    "step": choice("first", "regular"),
                    "damage": listed(record({"source": object_name, "target": thing_name, "amount": number()})),
                    "died": object_names,
                }
            )
        ),
        "players": by_player(
            record(
                {
                    "life": number(-(2**31), 2**31 - 1),
                    "poison": _sum,
                    "commander_damage": by_object(_sum),
                    "lost": optional(word),
                    "speed": _sum,
                    "designations": listed(word),
                }
            )
        ),
        "objects": by_object(
            record(
                {
                    "zone": choice(*ZONES),
                    "damage": _sum,
                    "counters": by_kind(_sum),
                    "attached_to": optional(thing_name),
                    "designations": listed(word),
                    "gains": listed(word),
                    "transformed": flag,
                }
            )
        ),
        "creates": listed(record({"player": player_name, "token": word, "number": number()})),
        "choices": listed(word),
        "daytime": choice("day", "night"),
        "triggers": listed(record({"source": object_name, "ability": word, "times": number(), "rule": word})),
    }
)


#: What is expected of plays, by what is judged: the nearest legal one has the form of a proposal.
_plays = {
    judge: record(
        _told
        | {
            "total": optional(word),
            "life": number(),
            "using": word,
            "targets": listed(record({"least": number(), "most": optional(number())})),
            "nearest": optional(proposal),
        }
    )
    for judge, proposal in _PLAYS.items()
}


def read_expect(place: Place, proposals: Collection[Proposal], board: Board, judge: str) -> dict[str, Any]:
    """Read what is expected: verdicts or parts of answers by the names of proposals, `count`, `counts`, and an outcome."""
    names = {proposal.name: proposal for proposal in proposals}
    count = number(0, None)
    expect: dict[str, Any] = {}
    for name, value in place.entries().items():
        if name == "count":
            expect[name] = count(value, board)
        elif name == "counts":
            expect[name] = by_player(count)(value, board)
        elif name in names and value.is_map:
            expect[name] = (_plays[judge] if judge in _PLAYS else _outcome if judge == "outcome" else _verdict)(value, board)
        elif name in names:
            expect[name] = value.word(_VERDICTS)
        elif name == "outcome" and judge == "outcome":
            expect[name] = _outcome(value, board)
        elif name == "outcome":
            raise value.key_error("is a key for files that say judge: outcome")
        else:
            key_name(value, name, [*names, "count", "counts"], "a proposal")
    return expect
