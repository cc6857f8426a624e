"""How keywords are used: what kb/ says of their costs, zones, times and targets, for the judge of plays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawmage.play.knowledge import open_store, rows_of
from lawmage.resources import data_folder

__all__ = [
    "Happening",
    "KeywordUses",
    "NamedEvent",
    "PlayCondition",
    "PlayRule",
    "SpecialAction",
    "Time",
    "UseCost",
    "UseTarget",
    "keyword_uses",
    "named_events",
    "play_rules",
    "special_actions",
    "times",
]


@dataclass(frozen=True, slots=True)
class PlayCondition:
    """A condition of a cost: its kind, what it asks (`value`, `who`, `number`), and the words for it when it fails.

    `describes` tells whether the value describes objects, in words as on cards.
    """

    kind: str
    value: str
    who: str
    number: int
    negated: bool
    says: str
    describes: bool = False


@dataclass(frozen=True, slots=True)
class UseCost:
    """Something that a keyword costs (lm:cost in kb/keywords/): `pays` is written as on cards, the rest as in kb/vocabulary.ttl."""

    kind: str
    rule: str
    pays: str
    optional: bool = False
    repeatable: bool = False
    zone: str = ""
    spell: str = ""
    yields: str = ""
    resolving: str = ""
    takes_off: str = ""
    for_each: str = ""
    untargeted: bool = False
    modes: bool = False
    all_modes: bool = False
    helper: bool = False
    face_down: bool = False
    other_face: bool = False
    without_brackets: bool = False
    on_another: bool = False
    cheaper: bool = False
    opponent: bool = False
    on_card: bool = False
    used_to: str = ""
    beside: bool = False
    in_place_of_mana: bool = False
    printed_type: str = ""
    if_paid: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    conditions: tuple[PlayCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class UseTarget:
    """What a keyword's ability targets: words as on cards, how many, whether the quality written after the keyword narrows it.

    `of_owner` tells whether it has to have the owner of the spell.
    """

    rule: str
    words: str
    number: int
    up_to: bool
    narrowed: bool
    of_owner: bool


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happens because of a keyword on an event (lm:happens in kb/keywords/), as described in kb/vocabulary.ttl.

    `amount` is None where the number is that written with the keyword.
    """

    kind: str
    rule: str
    event: str
    scope: str
    whom: str
    what: str
    amount: int | None
    either: str
    of_object: str
    triggered: bool
    per_paid: bool
    by_opponent: bool
    conditions: tuple[PlayCondition, ...]


@dataclass(frozen=True, slots=True)
class KeywordUses:
    """How a keyword is used: kinds of abilities, zones and times as their words in asp/, costs and targets.

    `plays` is what is played by using such abilities (lm:usedTo); `continuous` tells whether some is simply true while it functions.

    `happenings` is what happens because of it, `waits_for` the events that its triggered abilities wait for; `meant_in` names files
    that give it a meaning beside its own, `left_out` says what of it is not worked out. `marked_by` is the designation of what a keyword
    action was done to.
    """

    name: str
    rule: str
    kinds: tuple[str, ...]
    zones: tuple[str, ...]
    times: tuple[str, ...]
    costs: tuple[UseCost, ...]
    targets: tuple[UseTarget, ...]
    conditions: tuple[PlayCondition, ...] = ()
    happenings: tuple[Happening, ...] = ()
    waits_for: tuple[str, ...] = ()
    meant_in: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    marked_by: str = ""
    plays: tuple[str, ...] = ()
    continuous: bool = False

    def costs_to(self, play: str) -> tuple[UseCost, ...]:
        """Return the costs that are paid to make a play: `cast`, `activate`, `special`."""
        return tuple(cost for cost in self.costs if cost.used_to == play)


@dataclass(frozen=True, slots=True)
class NamedEvent:
    """An event that scenarios can name: whose keywords look at it (lm:scope), where it puts what it happens to, how many that has to be.

    `zone` is empty where it moves nothing, `objects` 0 where any number will do.
    """

    scope: str
    zone: str
    objects: int


def named_events() -> Mapping[str, NamedEvent]:
    """Return the events that can be named."""
    return _events(data_folder("kb"), data_folder("queries"))


@dataclass(frozen=True, slots=True)
class SpecialAction:
    """A special action that has names beside that of a keyword: these, what it is in words, its rule, the zone it is taken from.

    `card_type` is the type of the cards with which it is taken, at the `time`; both are empty where keywords let it be taken. `left_out`
    says what of it is not worked out.
    """

    names: tuple[str, ...]
    label: str
    rule: str
    zone: str
    card_type: str
    time: str
    left_out: str = ""


@dataclass(frozen=True, slots=True)
class PlayRule:
    """The rule that provides for a play or a part of one, and that by which its targets are chosen, empty where it has none."""

    rule: str
    targets: str


def play_rules() -> Mapping[str, PlayRule]:
    """Return the rules of plays (`cast`, ...) and of their parts (`mana_cost`, ...), by their words in kb/vocabulary.ttl."""
    return _play_rules(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _play_rules(kb: Path, queries: Path) -> Mapping[str, PlayRule]:
    rows = rows_of(open_store(kb), queries / "compile" / "play-rules.rq")
    return {row["term"]: PlayRule(row["by"], row["targets"] or "") for row in rows}


@dataclass(frozen=True, slots=True)
class Time:
    """A limit, once per `turn`, `game` or `object`; or that asks what has happened to the object, `after`, else it `says`."""

    per: str
    after: str
    says: str


def special_actions() -> Mapping[str, SpecialAction]:
    """Return the special actions that have names of their own, by their words in kb/vocabulary.ttl."""
    return _special_actions(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _special_actions(kb: Path, queries: Path) -> Mapping[str, SpecialAction]:
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(open_store(kb), queries / "compile" / "special-actions.rq"):
        rows[row["term"]].append(row)
    return {
        term: SpecialAction(
            (*_distinct(those, "name"), *_distinct(those, "also")),
            those[0]["label"],
            those[0]["by"],
            those[0]["zone"] or "",
            those[0]["type"] or "",
            those[0]["time"] or "",
            those[0]["leftOut"] or "",
        )
        for term, those in rows.items()
    }


def times() -> Mapping[str, Time]:
    """Return the times of keywords that are no moments, by their words."""
    return _all_times(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _all_times(kb: Path, queries: Path) -> Mapping[str, Time]:
    rows = rows_of(open_store(kb), queries / "compile" / "times.rq")
    return {row["term"]: Time(row["per"] or "", row["after"] or "", row["says"] or "") for row in rows}


@lru_cache(maxsize=8)
def _events(kb: Path, queries: Path) -> Mapping[str, NamedEvent]:
    rows = rows_of(open_store(kb), queries / "compile" / "events.rq")
    return {row["event"]: NamedEvent(row["scope"], row["zone"] or "", row["objects"] or 0) for row in rows}


def keyword_uses() -> Mapping[str, KeywordUses]:
    """Return how each keyword of the installed kb/ is used; read once for each folder."""
    return _load(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _load(kb: Path, queries: Path) -> Mapping[str, KeywordUses]:
    store = open_store(kb)
    folder = queries / "compile"
    costs = _costs(list(rows_of(store, folder / "keyword-costs.rq")))
    happenings: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(store, folder / "keyword-happenings.rq"):
        happenings[row["keyword"]].append(row)
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(store, folder / "keyword-uses.rq"):
        rows[row["keyword"]].append(row)
    found = {name: _uses(name, of_one, costs.get(name, ()), happenings[name]) for name, of_one in rows.items()}
    for name, of_one in rows.items():
        parent = found.get(of_one[0]["of"] or "")
        if parent is not None:
            own = found[name]
            found[name] = KeywordUses(
                name,
                own.rule,
                own.kinds or parent.kinds,
                own.zones or parent.zones,
                own.times or parent.times,
                own.costs or parent.costs,
                own.targets or parent.targets,
                own.conditions or parent.conditions,
                own.happenings or parent.happenings,
                own.waits_for or parent.waits_for,
                own.meant_in,
                own.left_out,
                own.marked_by,
                own.plays or parent.plays,
                own.continuous if own.kinds else parent.continuous,
            )
    return found


def _uses(name: str, rows: list[dict[str, Any]], costs: tuple[UseCost, ...], happenings: list[dict[str, Any]]) -> KeywordUses:
    targets = {
        row["target"]: UseTarget(
            row["targetRule"], row["targets"], row["count"] or 1, bool(row["upTo"]), bool(row["narrowed"]), bool(row["ofOwner"])
        )
        for row in rows
        if row["target"]
    }
    return KeywordUses(
        name,
        rows[0]["rule"],
        _distinct(rows, "kind"),
        _distinct(rows, "place"),
        _distinct(rows, "time"),
        costs,
        tuple(sorted(targets.values(), key=repr)),
        tuple(
            {
                row["while"]: PlayCondition(
                    row["condition"], row["value"] or "", row["who"] or "", row["number"] or 1, False, row["says"], bool(row["describes"])
                )
                for row in rows
                if row["while"]
            }.values()
        ),
        _happenings([row for row in happenings if row["node"]]),
        tuple(dict.fromkeys(row["event"] for row in happenings if not row["node"])),
        _distinct(rows, "meantIn"),
        _distinct(rows, "leftOut"),
        rows[0]["markedBy"] or "",
        _distinct(rows, "usedTo"),
        any(row["continuous"] for row in rows),
    )


def _happenings(rows: list[dict[str, Any]]) -> tuple[Happening, ...]:
    by_node: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_node[row["node"]].append(row)
    return tuple(
        Happening(
            kind=first["kind"],
            rule=first["rule"],
            event=first["event"],
            scope=first["scope"],
            whom=first["whom"] or "self",
            what=first["what"] or "",
            amount=first["amount"],
            either=first["either"] or "",
            of_object=first["ofObject"] or "",
            triggered=bool(first["triggered"]),
            per_paid=bool(first["perPaid"]),
            by_opponent=bool(first["byOpponent"]),
            conditions=_conditions(of_node),
        )
        for of_node in by_node.values()
        for first in of_node[:1]
    )


def _conditions(rows: list[dict[str, Any]]) -> tuple[PlayCondition, ...]:
    found = {
        row["when"]: PlayCondition(
            row["condition"],
            row["value"] or "",
            row["who"] or "",
            row["number"] or 1,
            bool(row["unless"]),
            row["says"],
            bool(row["describes"]),
        )
        for row in rows
        if row["when"]
    }
    return tuple(sorted(found.values(), key=repr))


def _distinct(rows: list[dict[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row[name] for row in rows if row[name]))


def _costs(rows: list[dict[str, Any]]) -> dict[str, tuple[UseCost, ...]]:
    by_cost: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_cost[row["cost"]].append(row)
    found: defaultdict[str, list[UseCost]] = defaultdict(list)
    for of_cost in by_cost.values():
        first = of_cost[0]
        found[first["keyword"]].append(
            UseCost(
                kind=first["kind"],
                rule=first["rule"],
                pays=first["pays"],
                optional=bool(first["optional"]),
                repeatable=bool(first["repeatable"]),
                zone=first["from"] or "",
                spell=first["spell"] or "",
                yields=first["yields"] or "",
                resolving=first["resolving"] or "",
                takes_off=first["takesOff"] or "",
                for_each=first["forEach"] or "",
                untargeted=bool(first["untargeted"]),
                modes=bool(first["modes"]),
                all_modes=bool(first["allModes"]),
                helper=bool(first["helper"]),
                face_down=bool(first["faceDown"]),
                other_face=bool(first["otherFace"]),
                without_brackets=bool(first["withoutBrackets"]),
                on_another=bool(first["onAnother"]),
                cheaper=bool(first["cheaper"]),
                opponent=bool(first["opponent"]),
                on_card=bool(first["onCard"]),
                used_to=first["usedTo"] or "",
                beside=bool(first["beside"]),
                in_place_of_mana=bool(first["inPlaceOfMana"]),
                printed_type=first["printedType"] or "",
                if_paid=_distinct(of_cost, "ifPaid"),
                times=_distinct(of_cost, "time"),
                conditions=_conditions(of_cost),
            )
        )
    return {name: tuple(sorted(costs, key=repr)) for name, costs in found.items()}
