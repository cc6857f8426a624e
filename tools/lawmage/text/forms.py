"""Keywords as written on cards: "flying", "protection from red and from blue", "snow swampwalk", "ward {2}".

Which keywords there are, and how each is written, is data (lm:writtenForm in kb/keywords/): words with slots in braces, such as
"protection from {quality}", "{type}walk", "afflict {number}", "equip {quality} {cost}".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lawmage.constraints import Filter, Test

__all__ = ["KeywordForms", "KeywordUse", "parse_keywords"]

_SLOT = re.compile(r"\{(\w+)\}")
#: What each slot may hold. Other slots hold any words.
_HOLDS = {"number": r"\d+|x", "cost": r"(?:\{[^{}]+\})+", "type": r"[a-z' -]*?[a-z]"}
_NUMBERED = 9


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """A keyword on an object, as written.

    Attributes:
        keyword: its name in the catalogue.
        written: the words, in lower case, such as `protection from red`.
        quality: the objects that its quality or type describes, or None if it has none or `unread` holds it.
        number: the number in it ("afflict 2"), if any; None for X.
        cost: the cost in it, in mana symbols or in words, if any.
        unread: the quality, where it is not understood ("the chosen color").
    """

    keyword: str
    written: str
    quality: Filter | None = None
    number: int | None = None
    cost: str | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class _Form:
    keyword: str
    slots: tuple[str, ...]
    pattern: re.Pattern[str]
    repeated: str
    before: tuple[str, ...]


class KeywordForms:
    """The written forms of all keywords, ready to match.

    Args:
        written: for each keyword the forms in which it is written; its own name where it has none.
    """

    def __init__(self, written: Mapping[str, Sequence[str]]) -> None:
        self.plain: dict[str, str] = {}
        self.families = frozenset(name.lower() for name in written)
        self._heads: dict[str, list[_Form]] = {}
        self._headless: list[_Form] = []
        for keyword, forms in written.items():
            for form in forms or (keyword,):
                if "{" not in form:
                    self.plain[form.lower()] = keyword
                    continue
                made = _form(keyword, form.lower())
                if made.before:
                    self._heads.setdefault(made.before[0], []).append(made)
                else:
                    self._headless.append(made)
        self._plain_heads: dict[str, list[tuple[str, ...]]] = {}
        for form in sorted(self.plain, key=len, reverse=True):
            words = tuple(form.split())
            self._plain_heads.setdefault(words[0], []).append(words)
        self._cache: dict[str, tuple[KeywordUse, ...]] = {}

    def forms_of(self, written: str) -> Iterator[_Form]:
        """Yield the forms with slots that `written` (in lower case) may have."""
        head = re.split(r"[ —]", written, maxsplit=1)[0]
        yield from self._heads.get(head, ())
        yield from self._headless

    def longest(self, words: Sequence[str]) -> int:
        """Return how many of `words`, with commas as words, are the longest keyword at their start; 0 if none is."""
        lower = [word.lower() for word in words]
        best = 0
        for phrase in self._plain_heads.get(lower[0], ()):
            if tuple(lower[: len(phrase)]) == phrase:
                best = len(phrase)
                break
        if lower[0] in self._heads or any(
            form.pattern.fullmatch(" ".join(lower[:count])) for form in self._headless for count in (1, 2, 3)
        ):
            for count in range(len(lower), best, -1):
                uses = parse_keywords(" ".join(lower[:count]).replace(" ,", ","), self)
                if uses and not any(use.unread for use in uses):
                    return count
        if not best and lower[0] in self.families and len(lower) > 1 and lower[1] == "abilities":
            return 1
        return best

    def begins(self, words: Sequence[str]) -> bool:
        """Return whether `words` (in lower case) begin with the words before a slot, or with the name of a family of keywords."""
        return any(tuple(words[: len(form.before)]) == form.before for form in self._heads.get(words[0], ())) or words[0] in self.families


def parse_keywords(written: str, forms: KeywordForms) -> tuple[KeywordUse, ...]:
    """Return the uses of a keyword that `written` is: one, or several as in "protection from red and from blue"; none if it is no keyword."""
    key = " ".join(written.lower().split())
    if key not in forms._cache:
        if len(forms._cache) > _CACHED:
            forms._cache.clear()
        forms._cache[key] = _parse(key, forms)
    return forms._cache[key]


_CACHED = 20_000
_LONGEST = 300


def _parse(written: str, forms: KeywordForms) -> tuple[KeywordUse, ...]:
    if written in forms.plain:
        return (KeywordUse(forms.plain[written], written),)
    if len(written) > _LONGEST:
        return ()
    unread: tuple[KeywordUse, ...] = ()
    for form in forms.forms_of(written):
        uses = _uses(written, form)
        if uses and not any(use.unread for use in uses):
            return uses
        unread = unread or uses
    return unread


def _uses(written: str, form: _Form) -> tuple[KeywordUse, ...]:
    match = form.pattern.fullmatch(written)
    if not match:
        return ()
    if form.repeated:
        before = written[: match.start("quality")]
        pieces = re.split(rf",? and {form.repeated} |, {form.repeated} ", match["quality"])
        return tuple(_use(form, before + piece, {**match.groupdict(), "quality": piece}) for piece in pieces)
    if "type" in form.slots and not _lands(match["type"]):
        return ()
    return (_use(form, written, match.groupdict()),)


def _use(form: _Form, written: str, held: Mapping[str, str | None]) -> KeywordUse:
    quality, unread = None, ""
    if held.get("quality"):
        quality = _quality(str(held["quality"]))
        unread = "" if quality else str(held["quality"])
    elif held.get("type"):
        quality = _lands(str(held["type"]))
    number = held.get("number") or ""
    cost = held.get("cost") or held.get("dashed")
    return KeywordUse(
        form.keyword, written, quality, int(number) if number.isdecimal() and len(number) <= _NUMBERED else None, cost, unread
    )


def _form(keyword: str, form: str) -> _Form:
    parts = _SLOT.split(form)
    slots = tuple(parts[1::2])
    source = ""
    for index, part in enumerate(parts):
        if index % 2 == 0:
            source += re.escape(part)
        elif f"(?P<{part}>" in source:
            source += f"(?:{_HOLDS.get(part, '.+?')})"
        elif part == "cost" and source.endswith("\\ "):
            # A cost in words stands behind a dash: "ward—pay 2 life".
            source = source[:-2] + rf"(?: (?P<cost>{_HOLDS['cost']})| ?— ?(?P<dashed>.+))"
        else:
            source += f"(?P<{part}>{_HOLDS.get(part, '.+?')})"
    before = tuple(re.split(r"[ —]", parts[0].strip(" —"))) if parts[0].endswith((" ", "—")) else ()
    repeated = before[-1] if len(before) > 1 and slots == ("quality",) and not parts[-1] else ""
    return _Form(keyword, slots, re.compile(source), re.escape(repeated), before)


@lru_cache(maxsize=4096)
def _quality(written: str) -> Filter | None:
    from lawmage.text.meaning import quality

    return quality(written)


@lru_cache(maxsize=512)
def _lands(written: str) -> Filter | None:
    """Return the lands of a kind, as in "snow swamp", "nonbasic land", "desert"; None where it is not understood or says nothing."""
    described = _quality(written)
    land = Test("type", "land")
    if described is None or (land,) in described.any_of:
        return None
    return Filter(tuple((land, *(test for test in tests if test != land)) for tests in described.any_of))
