"""A short way to write down what a text is read as."""

from __future__ import annotations

from lawmage.constraints import Condition, Constraint, Filter, Subject, Test
from lawmage.text.forms import KeywordForms

__all__ = ["FORMS", "described", "stated"]

#: Some keywords as kb/ has them, so that these tests do not depend on the catalogue.
FORMS = KeywordForms(
    {
        "banding": ["banding", "bands with other {quality}"],
        "bushido": ["bushido {number}"],
        "crew": ["crew {number}"],
        "deathtouch": ["deathtouch"],
        "defender": ["defender"],
        "enchant": ["enchant {quality}"],
        "equip": ["equip {cost}", "equip {quality} {cost}"],
        "fear": ["fear"],
        "first strike": ["first strike"],
        "flying": ["flying"],
        "haste": ["haste"],
        "hexproof": ["hexproof"],
        "hexproof from": ["hexproof from {quality}"],
        "landwalk": ["{type}walk"],
        "max speed": ["max speed — {ability}"],
        "menace": ["menace"],
        "partner with": ["partner with {name}"],
        "protection": ["protection from {quality}"],
        "reach": ["reach"],
        "shadow": ["shadow"],
        "shroud": ["shroud"],
        "trample": ["trample"],
        "vigilance": ["vigilance"],
        "ward": ["ward {cost}"],
    }
)


def described(subject: Subject) -> str:
    """Return a side of a constraint: a pointer, or alternatives in braces."""
    if not isinstance(subject, Filter):
        return subject
    return "{" + " | ".join(" & ".join(map(_test, tests)) or "any" for tests in subject.any_of) + "}"


def stated(constraint: Constraint) -> str:
    """Return a constraint without its source."""
    words = [constraint.kind, described(constraint.subject)]
    if constraint.object is not None:
        words.append(f"object {described(constraint.object)}")
    if constraint.number is not None:
        words.append(f"number {constraint.number}")
    if constraint.value is not None:
        words.append(f"value {constraint.value}")
    if constraint.target is not None:
        words.append(f"target {constraint.target}")
    if constraint.kind in ("gets", "gets_for_each"):
        words.append(f"{constraint.power:+}/{constraint.toughness:+}")
    return " ".join(words + [_condition(condition) for condition in constraint.conditions])


def _test(test: Test) -> str:
    value = "" if test.value is None else f" {test.value}"
    return ("not " if test.negated else "") + test.kind + value


def _condition(condition: Condition) -> str:
    what = f'"{condition.text}"' if condition.kind == "open" else condition.kind
    who = f" {condition.who} {condition.number}" if condition.who else ""
    who += f" {condition.value}" if condition.value else ""
    filter_ = f" {described(condition.filter)}" if condition.filter is not None else ""
    return f"[{'unless' if condition.negated else 'when'} {what}{who}{filter_}]"
