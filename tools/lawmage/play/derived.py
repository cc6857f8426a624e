"""What an entry program of asp/ shows in which nothing is chosen: derived where it can be (`stratified`), else by clingo."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import clingo

from lawmage.play.facts import Facts
from lawmage.play.program import specialise, statements
from lawmage.play.rule_functions import NUMBERS, NotEvaluatedError
from lawmage.play.solver import facts_of, ground
from lawmage.play.stratified import Derived, Rules, Value

__all__ = ["shown_by"]


def shown_by(entry: Path, facts: Facts) -> tuple[clingo.Symbol, ...]:
    """Return the atoms that the only model of a program shows, in no order.

    Args:
        entry: the program.
        facts: what it is about.
    """
    with suppress(NotEvaluatedError):
        return tuple(_derived(entry, facts))
    program = specialise(entry, facts.signatures)
    return facts_of(ground("", rules=program.text, facts=program.taken(facts.relations())))


def _derived(entry: Path, facts: Facts) -> Iterator[clingo.Symbol]:
    rules = _rules(entry)
    found = Derived(rules, facts.relations(), asked=frozenset(NUMBERS[key] for key in rules.shown))
    found.check()
    for key in rules.shown:
        name, size = key
        for row in found.get(key).rows:
            yield clingo.Function(name, [_symbol(row)] if size == 1 else [_symbol(value) for value in row])


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
