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

__all__ = ["KeywordUses", "PlayCondition", "UseCost", "UseTarget", "keyword_uses"]


@dataclass(frozen=True, slots=True)
class PlayCondition:
    """A condition of a cost: its kind, what it asks (`value`, `who`, `number`), and the words for it when it fails."""

    kind: str
    value: str
    who: str
    number: int
    negated: bool
    says: str


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
    helper: bool = False
    if_paid: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    conditions: tuple[PlayCondition, ...] = ()


@dataclass(frozen=True, slots=True)
class UseTarget:
    """What a keyword's ability targets: words as on cards, how many, and whether the quality written after the keyword narrows it."""

    rule: str
    words: str
    number: int
    up_to: bool
    narrowed: bool


@dataclass(frozen=True, slots=True)
class KeywordUses:
    """How a keyword is used: kinds of abilities, zones and times as their words in asp/, costs and targets."""

    name: str
    rule: str
    kinds: tuple[str, ...]
    zones: tuple[str, ...]
    times: tuple[str, ...]
    costs: tuple[UseCost, ...]
    targets: tuple[UseTarget, ...]
    conditions: tuple[PlayCondition, ...] = ()

    def costs_of(self, *kinds: str) -> tuple[UseCost, ...]:
        """Return the costs of these kinds."""
        return tuple(cost for cost in self.costs if cost.kind in kinds)


def keyword_uses() -> Mapping[str, KeywordUses]:
    """Return how each keyword of the installed kb/ is used; read once for each folder."""
    return _load(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _load(kb: Path, queries: Path) -> Mapping[str, KeywordUses]:
    store = open_store(kb)
    folder = queries / "compile"
    costs = _costs(list(rows_of(store, folder / "keyword-costs.rq")))
    rows: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of(store, folder / "keyword-uses.rq"):
        rows[row["keyword"]].append(row)
    found = {name: _uses(name, of_one, costs.get(name, ())) for name, of_one in rows.items()}
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
            )
    return found


def _uses(name: str, rows: list[dict[str, Any]], costs: tuple[UseCost, ...]) -> KeywordUses:
    targets = {
        row["target"]: UseTarget(row["targetRule"], row["targets"], row["count"] or 1, bool(row["upTo"]), bool(row["narrowed"]))
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
                row["while"]: PlayCondition(row["condition"], row["value"] or "", row["who"] or "", row["number"] or 1, False, row["says"])
                for row in rows
                if row["while"]
            }.values()
        ),
    )


def _distinct(rows: list[dict[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row[name] for row in rows if row[name]))


def _costs(rows: list[dict[str, Any]]) -> dict[str, tuple[UseCost, ...]]:
    by_cost: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_cost[row["cost"]].append(row)
    found: defaultdict[str, list[UseCost]] = defaultdict(list)
    for of_cost in by_cost.values():
        first = of_cost[0]
        conditions = {
            row["when"]: PlayCondition(
                row["condition"], row["value"] or "", row["who"] or "", row["number"] or 1, bool(row["unless"]), row["says"]
            )
            for row in of_cost
            if row["when"]
        }
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
                helper=bool(first["helper"]),
                if_paid=_distinct(of_cost, "ifPaid"),
                times=_distinct(of_cost, "time"),
                conditions=tuple(sorted(conditions.values(), key=repr)),
            )
        )
    return {name: tuple(sorted(costs, key=repr)) for name, costs in found.items()}
