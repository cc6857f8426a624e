"""What descriptions of objects mean to the checker, from 105.2, 109.3, 208.3, 301.5, 303.4, 702.26b and 708.2a: a table of tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from lawmage.board import Object
from lawmage.constraints import Filter, Test
from lawmage.text.forms import KeywordForms, KeywordUse, parse_keywords
from lawmage.text.words import listed

__all__ = ["TESTS", "Asked", "Being", "KeywordWords", "become", "being", "cease", "fits", "strengthen"]


@dataclass(slots=True)
class Being:
    """A permanent that is there (702.26b), with the characteristics that it has; words are in lower case.

    A face-down one is a 2/2 creature and nothing else (708.2a). Only creatures have power and toughness (208.3).

    Attributes:
        attached: the subtypes of what is attached to it.
        worn: those with the player who controls each.
        attacking: whether it is an attacking creature, and `attacks` the player or permanent that it attacks.
    """

    thing: Object
    types: frozenset[str]
    subtypes: frozenset[str] = frozenset()
    supertypes: frozenset[str] = frozenset()
    colors: frozenset[str] = frozenset()
    name: str | None = None
    power: int | None = None
    toughness: int | None = None
    keywords: list[KeywordUse] = field(default_factory=list)
    attached: set[str] = field(default_factory=set)
    worn: list[tuple[frozenset[str], str]] = field(default_factory=list)
    attacking: bool = False
    attacks: str | None = None


def being(thing: Object) -> Being:
    """Return a permanent as it is before anything changes it."""
    if thing.face_down:
        return Being(thing, frozenset({"creature"}), power=2, toughness=2)
    types = _folded(thing.types)
    power, toughness = (thing.power, thing.toughness) if "creature" in types else (None, None)
    name = thing.name.casefold() if thing.name else None
    return Being(thing, types, _folded(thing.subtypes), _folded(thing.supertypes), _folded(thing.colors), name, power, toughness)


def become(thing: Being, described: Filter) -> None:
    """Add the types and colours that a description tells (613.1d, 613.1e)."""
    for test in described.any_of[0]:
        if test.kind == "every_subtype":
            thing.subtypes |= _every_subtype(str(test.value))
            continue
        where = {"type": "types", "subtype": "subtypes", "supertype": "supertypes", "color": "colors"}[test.kind]
        setattr(thing, where, getattr(thing, where) | {str(test.value).casefold()})
    if "creature" in thing.types and thing.power is None and not thing.thing.face_down:
        thing.power, thing.toughness = thing.thing.power, thing.thing.toughness


def cease(thing: Being, described: Filter) -> None:
    """Take away the card types that a description tells (613.1d)."""
    thing.types -= {str(test.value).casefold() for test in described.any_of[0]}
    if "creature" not in thing.types:
        thing.power = thing.toughness = None


@lru_cache(maxsize=8)
def _every_subtype(of_type: str) -> frozenset[str]:
    return frozenset(name.casefold() for name in listed("subtypes", of_type))


def strengthen(creature: Being, power: int, toughness: int) -> None:
    """Add to power and toughness (613.4c)."""
    if creature.power is not None:
        creature.power += power
    if creature.toughness is not None:
        creature.toughness += toughness


class KeywordWords:
    """Which keywords a word in a test or a constraint means."""

    def __init__(self, forms: KeywordForms) -> None:
        self._forms = forms
        self._uses: dict[str, frozenset[tuple[object, ...]]] = {}

    def means(self, word: str, use: KeywordUse) -> bool:
        """Tell whether `word` names a keyword that is used: as written, or as one of a family such as landwalk."""
        if word not in self._uses:
            self._uses[word] = frozenset((one.keyword, one.quality, one.number) for one in parse_keywords(word, self._forms))
        return use.keyword.casefold() == word.casefold() or (use.keyword, use.quality, use.number) in self._uses[word]


@dataclass(slots=True)  # not frozen, for every check makes many
class Asked:
    """What a filter's answer depends on beside the object that is described.

    Attributes:
        words: what names of keywords mean.
        is_player: whether a player is whom the statement calls "you", "opponent", ...
        source, source_name: the object with the ability, if it is there, and its name.
        own: the creature that the statement is about.
        players: all players.
        as_though: the keywords that the object is treated as having (609.4).
    """

    words: KeywordWords
    is_player: Callable[[str, str], bool]
    source: Being | None = None
    source_name: str | None = None
    own: Being | None = None
    as_though: Collection[str] = ()
    players: Collection[str] = ()


def fits(filter_: Filter, described: Being, asked: Asked) -> bool:
    """Tell whether an object passes every test of some alternative of `filter_`."""
    return any(all(_passes(test, described, asked) != test.negated for test in alternative) for alternative in filter_.any_of)


def _passes(test: Test, described: Being, asked: Asked) -> bool:
    value = test.value.casefold() if isinstance(test.value, str) else test.value
    if test.kind in _ALONE:
        return _ALONE[test.kind](described, value)
    if test.kind in _WITH_OWN:
        return asked.own is not None and _WITH_OWN[test.kind](described, asked.own)
    if test.kind in _WITH_SOURCE:
        return asked.source is not None and _WITH_SOURCE[test.kind](described, asked.source)
    return _WITH_ALL[test.kind](described, str(value), asked)


def _less(one: int | None, other: int | None) -> bool:
    return one is not None and other is not None and one < other


def _at_most(one: int | None, limit: object) -> bool:
    return one is not None and isinstance(limit, int) and one <= limit


def _at_least(one: int | None, limit: object) -> bool:
    return one is not None and isinstance(limit, int) and one >= limit


_Value: TypeAlias = str | int | None


def _has_counter(it: Being, kind: _Value) -> bool:
    return any(number and kind in (None, name.casefold()) for name, number in it.thing.counters.items())


#: Tests of an object alone.
_ALONE: Mapping[str, Callable[[Being, _Value], bool]] = {
    "type": lambda it, value: value in it.types,
    "subtype": lambda it, value: value in it.subtypes,
    "every_subtype": lambda it, value: _every_subtype(str(value)) <= it.subtypes,
    "supertype": lambda it, value: value in it.supertypes,
    "color": lambda it, value: value in it.colors,
    "colorless": lambda it, _: not it.colors,
    "monocolored": lambda it, _: len(it.colors) == 1,
    "multicolored": lambda it, _: len(it.colors) > 1,
    "named": lambda it, value: it.name == value,
    "token": lambda it, _: it.thing.token,
    "tapped": lambda it, _: bool(it.thing.tapped),
    "commander": lambda it, _: it.thing.commander,
    "attacking": lambda it, _: it.attacking,
    "enchanted": lambda it, _: "aura" in it.attached,
    "equipped": lambda it, _: "equipment" in it.attached,
    "has_counter": lambda it, value: _has_counter(it, value),
    # 509.1g: no creature is blocking before all blockers are declared.
    "blocking": lambda _, __: False,
    # 700.9
    "modified": lambda it, _: (
        _has_counter(it, None)
        or "equipment" in it.attached
        or any("aura" in subtypes and player == it.thing.controller for subtypes, player in it.worn)
    ),
    "toughness_greater_than_power": lambda it, _: _less(it.power, it.toughness),
    "power_at_most": lambda it, value: _at_most(it.power, value),
    "power_at_least": lambda it, value: _at_least(it.power, value),
    "toughness_at_most": lambda it, value: _at_most(it.toughness, value),
    "toughness_at_least": lambda it, value: _at_least(it.toughness, value),
}
#: Tests that compare with the creature that a statement is about.
_WITH_OWN: Mapping[str, Callable[[Being, Being], bool]] = {
    "power_less_than_own": lambda it, own: _less(it.power, own.power),
    "power_greater_than_own": lambda it, own: _less(own.power, it.power),
    "toughness_less_than_own": lambda it, own: _less(it.toughness, own.toughness),
    "toughness_greater_than_own": lambda it, own: _less(own.toughness, it.toughness),
    "shares_color_with_own": lambda it, own: bool(it.colors & own.colors),
    # 509.1g: no creature is blocking before all blockers are declared.
    "blocking_own": lambda _, __: False,
    "blocked_by_own": lambda _, __: False,
    "attached_to_own": lambda it, own: it.thing.attached_to == own.thing.id,
}
#: Tests that compare with the object that has the ability.
_WITH_SOURCE: Mapping[str, Callable[[Being, Being], bool]] = {
    "power_less_than_source": lambda it, source: _less(it.power, source.power),
    "blocking_source": lambda _, __: False,
    "blocked_by_source": lambda _, __: False,
    "attached_to_source": lambda it, source: it.thing.attached_to == source.thing.id,
    "power_greater_than_source": lambda it, source: _less(source.power, it.power),
}
#: Tests that need more than that.
_WITH_ALL: Mapping[str, Callable[[Being, str, Asked], bool]] = {
    "keyword": lambda it, word, asked: word in asked.as_though or any(asked.words.means(word, use) for use in it.keywords),
    "controlled_by": lambda it, word, asked: asked.is_player(it.thing.controller, word),
    "other": lambda it, _, asked: it.thing.id != asked.source_name,
    "attacking_player": lambda it, word, asked: (
        it.attacks is not None and it.attacks in asked.players and asked.is_player(it.attacks, word)
    ),
}
#: Every test that the checker knows.
TESTS = frozenset({*_ALONE, *_WITH_OWN, *_WITH_SOURCE, *_WITH_ALL})


@lru_cache(maxsize=4096)
def _folded(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.casefold() for word in words)
