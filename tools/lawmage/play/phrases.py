"""Constraints in plain words, for people: `creatures you control can't be blocked by 2 or more, unless ...`."""

from __future__ import annotations

import re

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.play.knowledge import Knowledge

__all__ = ["constraint_in_words"]

_POINTERS = {"self": "it", "attached": "what it is attached to", "affected": "what the effect names"}
#: The letter that stands for the number in a label, and the words after which it does.
_NUMBER, _KEYWORD = re.compile(r"\bN\b"), re.compile(r"\ba keyword\b")


def constraint_in_words(constraint: Constraint, known: Knowledge) -> str:
    """Return what `constraint` says: whom it is about, what its kind does (the label in kb/vocabulary.ttl), the other side, when."""
    kind = known.kinds.get(constraint.kind)
    does = constraint.kind.replace("_", " ") if kind is None or not kind.label else kind.label
    if constraint.power or constraint.toughness:
        does = does.replace("+N/+N", f"{constraint.power:+d}/{constraint.toughness:+d}")
    told = _NUMBER.sub(str(constraint.number), does) if constraint.number is not None else does
    if constraint.value:
        told = _KEYWORD.sub(constraint.value, told) if _KEYWORD.search(told) else f"{told}: {constraint.value}"
    beside = [f"number {constraint.number}"] if constraint.number is not None and told.find(str(constraint.number)) < 0 else []
    if constraint.object is not None:
        beside.append(f"other side: {_whom(constraint.object)}")
    if constraint.target:
        beside.append(f"attacks on: {constraint.target}")
    told = f"{_whom(constraint.subject)}: {told}" + (f" ({'; '.join(beside)})" if beside else "")
    return ", ".join([told, *(_when(condition) for condition in constraint.conditions)])


def _whom(whom: Subject) -> str:
    if not isinstance(whom, Filter):
        return _POINTERS[whom]
    return " or ".join(" and ".join(map(_test, tests)) or "anything" for tests in whom.any_of) or "nothing"


def _test(test: Test) -> str:
    value = "" if test.value is None else f" {test.value}"
    return f"{'not ' if test.negated else ''}{test.kind.replace('_', ' ')}{value}"


def _when(condition: Condition) -> str:
    joint = "unless" if condition.negated else "if"
    if condition.kind == "open":
        return f"{joint} {condition.text}"
    told = f"{condition.who} {condition.kind.replace('_', ' ')}".strip()
    filtered = f" {condition.number} or more that are {_whom(condition.filter)}" if condition.filter is not None else ""
    if condition.kind == "is" and condition.filter is not None:
        told, filtered = "it is", f" {_whom(condition.filter)}"
    return f"{joint} {told}{filtered}"
