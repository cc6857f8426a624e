"""The constraint vocabulary as Python values: what keywords (kb/) and sentences on cards are read into.

What a kind means is written in asp/; what each kind and test is called and takes is listed in kb/vocabulary.ttl. Nothing
here interprets them. `kind` strings are the `lm:term` of the classes there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Condition", "Constraint", "Filter", "Pointer", "Subject", "Test", "tests_in"]

#: An object that is pointed at rather than described: the object that has the ability ("this creature"), what that object
#: is attached to ("enchanted creature"), or the objects that the effect names ("target creature", "those creatures").
Pointer: TypeAlias = Literal["self", "attached", "affected"]


@dataclass(frozen=True, slots=True)
class Test:
    """One test of one object, such as `keyword flying` or `power_at_most 2`; `negated` turns it round."""

    kind: str
    value: str | int | None = None
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Filter:
    """A description of objects: any of the alternatives, each of which is all of its tests.

    `Filter(((),))` describes every object.
    """

    any_of: tuple[tuple[Test, ...], ...] = ((),)


Subject: TypeAlias = Filter | Pointer


@dataclass(frozen=True, slots=True)
class Condition:
    """When a constraint applies.

    `kind` is one of the conditions of the vocabulary (`controls`: `who` controls at least `number` objects that `filter`
    describes; `is`: the object with the ability is one that `filter` describes; `has_amount`: `who` has at least `number` of what
    `value` names) or `open`: the board cannot settle it, and `text` says what it is. `who` is `you`, `opponent`, `defending player`,
    `attacking player`, `any player` or empty; where `value` names something that objects have, also `self` or `attached`.
    """

    kind: str
    who: str = ""
    filter: Filter | None = None
    number: int = 1
    negated: bool = False
    text: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One instance of the vocabulary, as an ability or effect states it.

    Attributes:
        kind: what it does (`cannot_block`, `min_blockers`, ...).
        subject: whom it is about.
        object: the other side, where the kind has one (the attackers that cannot be blocked, the blockers that may block).
        number: the number in it, where the kind has one.
        value: the word in it, where the kind has one (the keyword granted, the cost to pay).
        power, toughness: what is added, for changes of power and toughness.
        conditions: all must hold for it to apply.
        source: the rule number (from kb/) or the sentence (from a card or effect) that says so.
        target: whom or what an attack is on, where the kind is about attacks on somebody: `you`, `planeswalker you control`,
            `permanent you control`, `its owner`, `planeswalker its owner controls`, `this` (the object with the ability), `named`
            (the player or object that the effect names).
    """

    kind: str
    subject: Subject = "self"
    object: Subject | None = None
    number: int | None = None
    value: str | None = None
    power: int = 0
    toughness: int = 0
    conditions: tuple[Condition, ...] = ()
    source: str = ""
    target: str | None = None


def tests_in(constraint: Constraint) -> set[str]:
    """Return the kinds of tests in a constraint."""
    filters = [constraint.subject, constraint.object, *(condition.filter for condition in constraint.conditions)]
    return {test.kind for described in filters if isinstance(described, Filter) for tests in described.any_of for test in tests}
