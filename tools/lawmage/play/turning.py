"""What kb/ says that constraints turn on, what is done to pay changes, and which permanents take part in combat."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lawmage.constraints import Constraint, tests_in
from lawmage.play.knowledge import open_store, rows_of
from lawmage.resources import data_folder

__all__ = ["Act", "acts", "damage_takes", "takes_part", "turns_on"]


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a cost asks to be done with permanents: what that changes (lm:changes), how texts say that it can't be done."""

    changes: str
    barred_by: str


def turns_on(constraint: Constraint, what: str) -> bool:
    """Return whether what a constraint says may be another thing after `what` (lm:turnsOn): `tapping`, or `leaving` the battlefield."""
    terms = _turning(data_folder("kb"), data_folder("queries")).get(what, frozenset())
    if not terms:
        return False
    asked = {("kind", constraint.kind), *(("test", kind) for kind in tests_in(constraint))}
    return not terms.isdisjoint(asked | {("condition", condition.kind) for condition in constraint.conditions})


def acts() -> Mapping[str, Act]:
    """Return what costs ask to be done with permanents, by the words for it."""
    return _acts(data_folder("kb"), data_folder("queries"))


def takes_part(types: Iterable[str]) -> bool:
    """Return whether a permanent of these card types takes part in combat by itself (506.2, 506.3)."""
    return not _fighting(data_folder("kb"), data_folder("queries")).isdisjoint(types)


def damage_takes() -> Mapping[str, str]:
    """Return what damage to a permanent of a card type takes away (120.3c, 120.3h), by the key of scenarios."""
    return _damage_takes(data_folder("kb"), data_folder("queries"))


def functions_in_command_zone(types: Iterable[str]) -> bool:
    """Return whether the abilities of a card of these types function in the command zone (113.6p)."""
    return bool(types) and not _in_command_zone(data_folder("kb"), data_folder("queries")).isdisjoint(types)


@lru_cache(maxsize=8)
def _turning(kb: Path, queries: Path) -> Mapping[str, frozenset[tuple[str, str]]]:
    found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows_of(open_store(kb), queries / "compile" / "turns-on.rq"):
        found[row["what"]].add((row["sort"], row["term"]))
    return {what: frozenset(terms) for what, terms in found.items()}


@lru_cache(maxsize=8)
def _acts(kb: Path, queries: Path) -> Mapping[str, Act]:
    rows = rows_of(open_store(kb), queries / "compile" / "acts.rq")
    return {row["term"]: Act(row["changes"], row["barred"] or "") for row in rows}


@lru_cache(maxsize=8)
def _fighting(kb: Path, queries: Path) -> frozenset[str]:
    return frozenset(row["term"] for row in rows_of(open_store(kb), queries / "compile" / "card-types.rq") if row["inCombat"])


@lru_cache(maxsize=8)
def _in_command_zone(kb: Path, queries: Path) -> frozenset[str]:
    return frozenset(row["term"] for row in rows_of(open_store(kb), queries / "compile" / "card-types.rq") if row["inCommandZone"])


@lru_cache(maxsize=8)
def _damage_takes(kb: Path, queries: Path) -> Mapping[str, str]:
    return {row["term"]: row["takes"] for row in rows_of(open_store(kb), queries / "compile" / "card-types.rq") if row["takes"]}
