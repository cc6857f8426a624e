"""Phrases that describe spells, cards in any zone and permanents -> filters: "instant or sorcery card", "artifacts you control".

Beside what `lawmage.text.meaning.quality` reads of permanents in combat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lawmage.constraints import Filter, Test
from lawmage.text.words import subtype

__all__ = ["described", "number_of"]

_TYPES = ("artifact", "battle", "creature", "enchantment", "instant", "kindred", "land", "planeswalker", "sorcery")
_SUPERTYPES = ("basic", "legendary", "snow", "world")
_COLORS = ("white", "blue", "black", "red", "green")
_PLURALS = {"sorceries": "sorcery", "batteries": "battery"}
#: Words that say what sort of thing is described, not what it is like.
_NOUNS = frozenset({"card", "cards", "spell", "spells", "permanent", "permanents", "object", "objects", "source", "sources", "token"})
_WHOSE = (
    (re.compile(r" (?:you control|of yours)$"), Test("controlled_by", "you")),
    (re.compile(r" (?:an opponent controls|your opponents control|you don't control)$"), Test("controlled_by", "opponent")),
)
_WITH: tuple[tuple[re.Pattern[str], *tuple[str, ...]], ...] = (
    (re.compile(r" with mana value (\d{1,4})$"), "mana_value_at_most", "mana_value_at_least"),
    (re.compile(r" with power (\d{1,4})$"), "power_at_most", "power_at_least"),
    (re.compile(r" with toughness (\d{1,4})$"), "toughness_at_most", "toughness_at_least"),
    (re.compile(r" with mana value (\d{1,4}) or less$"), "mana_value_at_most"),
    (re.compile(r" with mana value (\d{1,4}) or greater$"), "mana_value_at_least"),
    (re.compile(r" with power (\d{1,4}) or less$"), "power_at_most"),
    (re.compile(r" with power (\d{1,4}) or greater$"), "power_at_least"),
    (re.compile(r" with toughness (\d{1,4}) or less$"), "toughness_at_most"),
    (re.compile(r" with toughness (\d{1,4}) or greater$"), "toughness_at_least"),
)
_STATES = {"tapped": ("tapped", False), "untapped": ("tapped", True), "attacking": ("attacking", False), "token": ("token", False)}
_STATES |= {
    "unblocked": ("unblocked", False),
    "attacker": ("attacking", False),
    "nontoken": ("token", True),
    "equipped": ("equipped", False),
    "enchanted": ("enchanted", False),
}
_STATES |= {"commander": ("commander", False), "other": ("other", False), "another": ("other", False)}
_STATES |= {"colorless": ("colorless", False), "colored": ("colorless", True)}
_STATES |= {"multicolored": ("multicolored", False), "monocolored": ("monocolored", False)}
_NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_of(word: str) -> int | None:
    """Return the number that a word or digits stand for ("a" is 1), or None."""
    text = word.lower()
    if text in ("a", "an", "another"):
        return 1
    return int(text) if text.isdecimal() and len(text) < 8 else (_NUMBER_WORDS.index(text) if text in _NUMBER_WORDS else None)


@lru_cache(maxsize=4096)
def described(phrase: str) -> Filter | None:
    """Return what `phrase` describes, or None where it is not understood.

    Articles in front are left out by the caller; case does not matter.
    """
    text = " ".join(phrase.lower().split())
    if not text or len(text) > 200:
        return None
    text = re.sub(r"^(?:spells? that (?:are|is) one or more colors)$", "colored spell", text)
    shared: list[Test] = []
    for pattern, test in _WHOSE:
        if pattern.search(text):
            text = pattern.sub("", text)
            shared.append(test)
    for pattern, *kinds in _WITH:
        if match := pattern.search(text):
            text = pattern.sub("", text)
            shared.extend(Test(kind, int(match[1])) for kind in kinds)
    if match := re.search(r" named ([^,.;]+)$", text):
        text = text[: match.start()]
        shared.append(Test("named", match[1]))
    if text.endswith(" that share a color with this spell"):
        text = text.removesuffix(" that share a color with this spell")
        shared.append(Test("shares_color_with_own"))
    if text.endswith(" with lesser power"):
        text = text.removesuffix(" with lesser power")
        shared.append(Test("power_less_than_source"))
    found = [_alternative(part) for part in _parts(text)]
    if not found or None in found:
        return None
    alternatives = [part for part in found if part is not None]
    # "blue or red creature": the words behind the last alternative belong to all, where the others have no type of their own.
    last = alternatives[-1]
    for index, part in enumerate(alternatives[:-1]):
        if all(test.kind in ("color", "supertype", "tapped", "attacking") for test in part):
            alternatives[index] = (*part, *(test for test in last if test.kind in ("type", "subtype")))
    return Filter(tuple((*part, *shared) for part in alternatives))


def _parts(text: str) -> Iterator[str]:
    yield from (part for part in re.split(r",? (?:or|and/or|and) |, ", text) if part)


def _alternative(text: str) -> tuple[Test, ...] | None:
    tests: list[Test] = []
    words = text.split()
    if "permanent" in words and {"card", "cards", "spell", "spells"} & set(words):
        tests += [Test("type", "instant", True), Test("type", "sorcery", True)]
    for index, word in enumerate(words):
        if word in _NOUNS and not (word == "token" and index == 0 and len(words) == 1):
            if word in ("token", "spell", "spells"):
                tests.append(Test(word.removesuffix("s")))
            continue
        test = _word(word)
        if test is None:
            return None
        tests.append(test)
    return tuple(tests)


def _word(word: str) -> Test | None:
    if word in _STATES:
        kind, negated = _STATES[word]
        return Test(kind, None, negated)
    plain = _plain(word)
    if plain is not None:
        return plain
    if word.startswith("non"):
        denied = _plain(word.removeprefix("non").removeprefix("-"))
        return None if denied is None else Test(denied.kind, denied.value, not denied.negated)
    return None


def _plain(word: str) -> Test | None:
    for form in (word, word.removesuffix("s"), _PLURALS.get(word, word)):
        for kind, known in (("type", _TYPES), ("supertype", _SUPERTYPES), ("color", _COLORS)):
            if form in known:
                return Test(kind, form)
    found = subtype(word, any_case=True)
    return None if found is None else Test("subtype", found[0])
