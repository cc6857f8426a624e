"""What an entry program of asp/ shows in which nothing is chosen: derived where it can be (`stratified`), else by clingo.

`Model` is what such a program derives, of which what is asked for is looked at, also as it would be if some facts were other ones.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import clingo

from lawmage.play.facts import Facts
from lawmage.play.program import signatures_of, specialise, statements
from lawmage.play.rule_functions import KEYS, NUMBERS, NotEvaluatedError, number_of
from lawmage.play.solver import facts_of, ground
from lawmage.play.stratified import Derived, Key, Relation, Row, Rules, Value

__all__ = ["Model", "searched", "shown_by"]


def shown_by(entry: Path, facts: Facts) -> tuple[clingo.Symbol, ...]:
    """Return the atoms that the only model of a program shows, in no order.

    Args:
        entry: the program.
        facts: what it is about.
    """
    with suppress(NotEvaluatedError):
        return tuple(Model(entry, facts).shown())
    program = specialise(entry, facts.signatures)
    return facts_of(ground("", rules=program.rules, facts=program.taken(facts.relations())))


class Model:
    """What a program derives from facts, without clingo.

    Args:
        entry: the program, in which nothing is chosen.
        facts: what it is about.

    Raises:
        NotEvaluatedError: here or later, for what only clingo can find.
    """

    __slots__ = ("_derived", "_facts", "_rules")

    def __init__(self, entry: Path, facts: Facts) -> None:
        self._rules = _rules(entry)
        self._facts: Mapping[int, Relation] = facts.relations()
        self._derived = Derived(self._rules, self._facts, asked=frozenset(NUMBERS[key] for key in self._rules.shown))
        self._derived.check()
        for key in self._rules.shown:
            self._derived.get(key)

    def shown(self) -> Iterator[clingo.Symbol]:
        """Yield the atoms that the program shows, in no order."""
        for name, size in self._rules.shown:
            for row in self._derived.get((name, size)).rows:
                yield clingo.Function(name, [_symbol(row)] if size == 1 else [_symbol(value) for value in row])

    def rows(self, name: str, size: int) -> Collection[Row]:
        """Return the arguments of what is derived of a predicate; where it is one, that alone."""
        rows: Collection[Row] = self._derived.get((name, size)).rows
        return rows

    def instead(self, facts: Mapping[Key, Iterable[Row]]) -> Model:
        """Return the model where the facts of these predicates are other ones; only what they have a bearing on is derived anew."""
        found = object.__new__(Model)
        found._rules = self._rules
        relations = {number_of(key): Relation(dict.fromkeys(rows)) for key, rows in facts.items()}
        found._facts = {number: relation for number, relation in {**self._facts, **relations}.items() if relation.rows}
        # To ask for nothing at once lets rules be taken that were narrowed for more facts than these, and serve many boards.
        settled = self._rules.settled(frozenset(relations))
        found._derived = Derived(self._rules, found._facts, self._derived, settled, asked=frozenset())
        return found

    def bears(self, on: Key, facts: Iterable[Key]) -> bool:
        """Return whether facts of some predicates can have a bearing on another predicate."""
        return NUMBERS.get(on) not in self._rules.settled(frozenset(map(number_of, facts)))


def searched(entry: Path, facts: Facts, chosen: frozenset[Key]) -> clingo.Control:
    """Return a program grounded in which something is chosen, with all derived beforehand that does not depend on it.

    Args:
        entry: the program.
        facts: what it is about.
        chosen: the predicates that are chosen; what is derived without them has no terms `f(a)` that rules for the rest speak of.
    """
    rules = _rules(entry)
    relations = facts.relations()
    apart: frozenset[Key] = frozenset()
    with suppress(NotEvaluatedError):
        settled = rules.settled(frozenset(map(number_of, chosen)))
        derived, asked = _settled_heads(rules, chosen)
        later, names = _asked_later(entry, chosen)
        found = Derived(rules, relations, asked=asked)
        given = {NUMBERS[key]: Relation(dict.fromkeys(map(_written, found.get(key).rows))) for key in derived}
        relations = {
            number: relation
            for number, relation in relations.items()
            if number not in given and (KEYS[number] in later or KEYS[number][0] in names)
        }
        relations |= {number: relation for number, relation in given.items() if relation.rows}
        apart = frozenset(key for key in rules.heads if NUMBERS[key] in settled)
    program = specialise(entry, frozenset(signatures_of({KEYS[number]: relation.rows for number, relation in relations.items()})), apart)
    return ground("", rules=program.rules, facts=program.taken(relations))


@lru_cache(maxsize=16)
def _rules(entry: Path) -> Rules:
    return Rules(statements(entry))


def _symbol(value: Value) -> clingo.Symbol:
    if isinstance(value, tuple):
        return clingo.Function("", [_symbol(part) for part in value])
    return clingo.Number(value) if isinstance(value, int) else _read(value)


@lru_cache(maxsize=8192)
def _read(value: str) -> clingo.Symbol:
    return clingo.parse_term(value)


@lru_cache(maxsize=16)
def _settled_heads(rules: Rules, chosen: frozenset[Key]) -> tuple[tuple[Key, ...], frozenset[int]]:
    """Return the predicates that are derived beforehand and used or shown later, and their numbers."""
    settled = rules.settled(frozenset(map(number_of, chosen)))
    used = rules.used(settled) | (settled & {NUMBERS[key] for key in rules.shown})
    keys = tuple(sorted(key for key in rules.heads if NUMBERS[key] in used))
    return keys, frozenset(NUMBERS[key] for key in keys)


@lru_cache(maxsize=16)
def _asked_later(entry: Path, chosen: frozenset[Key]) -> tuple[frozenset[Key], frozenset[str]]:
    """Return the predicates of a program that are not only used by what is derived beforehand."""
    rules = _rules(entry)
    settled = rules.settled(frozenset(map(number_of, chosen)))
    used = rules.used(settled)
    elsewhere = "\n".join(line for line in statements(entry) if line.startswith(("#", ":~")))
    names = set(re.findall(r"[a-z_]\w*", elsewhere))
    return frozenset(key for key in rules.keys if NUMBERS[key] in used or NUMBERS[key] not in settled), frozenset(names)


def _written(row: Row) -> Row:
    """Return a row as clingo reads it: with pairs and the like in parentheses."""
    if isinstance(row, tuple):
        return tuple([f"({','.join(map(str, _written(value)))})" if isinstance(value, tuple) else value for value in row])
    return row
