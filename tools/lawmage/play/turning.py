"""What constraints turn on, and what that is done to pay changes of it, by kb/vocabulary.ttl."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lawmage.constraints import Constraint, tests_in
from lawmage.play.knowledge import open_store, rows_of
from lawmage.resources import data_folder

__all__ = ["Act", "acts", "turns_on"]


@dataclass(frozen=True, slots=True)
class Act:
    """Something that a cost asks to be done with permanents: what that changes (lm:changes), how texts say that it can't be done.

    `done` is the word in asp/; `undeclared` tells whether it is done only with what is not declared as an attacker or blocker.
    """

    changes: str
    barred_by: str
    done: str
    undeclared: bool


def turns_on(constraint: Constraint, what: str) -> bool:
    """Return whether what a constraint says may be another thing after `what` (lm:turnsOn): `tapping`, `leaving`, or paying `life`."""
    terms = _turning(data_folder("kb"), data_folder("queries")).get(what, frozenset())
    if not terms:
        return False
    asked = {("kind", constraint.kind), *(("test", kind) for kind in tests_in(constraint))}
    return not terms.isdisjoint(asked | {("condition", condition.kind) for condition in constraint.conditions})


def acts() -> Mapping[str, Act]:
    """Return what costs ask to be done with permanents, by the words for it."""
    return _acts(data_folder("kb"), data_folder("queries"))


@lru_cache(maxsize=8)
def _turning(kb: Path, queries: Path) -> Mapping[str, frozenset[tuple[str, str]]]:
    found: defaultdict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows_of(open_store(kb), queries / "compile" / "turns-on.rq"):
        found[row["what"]].add((row["sort"], row["term"]))
    return {what: frozenset(terms) for what, terms in found.items()}


@lru_cache(maxsize=8)
def _acts(kb: Path, queries: Path) -> Mapping[str, Act]:
    rows = rows_of(open_store(kb), queries / "compile" / "acts.rq")
    return {row["term"]: Act(row["changes"], row["barred"] or "", row["done"] or row["term"], bool(row["undeclared"])) for row in rows}
