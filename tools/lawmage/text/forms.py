"""Keywords as written on cards: "flying", "protection from red and from blue", "snow swampwalk", "ward {2}".

Which keywords there are, and how each is written, is data (lm:writtenForm in kb/keywords/): words with slots in braces, such as
"protection from {quality}", "{type}walk", "afflict {number}", "equip {quality} {cost}".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lawmage.constraints import Filter, Test
from lawmage.text.play_keywords import PlayKeywords
from lawmage.text.words import listed

__all__ = ["KeywordForms", "KeywordUse", "parse_keywords"]

#: What each slot holds; other slots hold any words.
_HOLDS = {
    "number": r"\d{1,9}|x",
    "cost": r"(?:\{[^{}]+\})+",
    "quality": ".+?",
    "type": r"[a-z](?:[a-z' -]*[a-z'])?",
    "player": "(?:each |that |target |the chosen |each of )?(?:your )?(?:player|opponent)s?",
}
#: A form with one of these slots is a label on an ability ("max speed — ..."), which says more than the keyword.
_LABELS = ("{ability}", "{effect}")
_LONGEST = 300
_MOST_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class KeywordUse:
    """A keyword on an object, as written.

    Attributes:
        keyword: its name in the catalogue.
        written: the words, in lower case, such as `protection from red`.
        quality: the objects that its quality or type describes, or None if it has none or `unread` holds it.
        number: the number in it ("afflict 2"), if any; None for X.
        cost: the cost in it, in mana symbols or in words, if any.
        materials: what stands in it as materials ("craft with two artifacts").
        unread: the quality or number, where it is not understood ("the chosen color", "x").
    """

    keyword: str
    written: str
    quality: Filter | None = None
    number: int | None = None
    cost: str | None = None
    unread: str = ""
    materials: str = ""

    @property
    def shown(self) -> str:
        """The words as cards have them, with mana symbols in capitals."""
        return re.sub(r"\{[^{}]*\}", lambda symbol: symbol[0].upper(), self.written)


@dataclass(frozen=True, slots=True)
class _Form:
    """A form with slots: its pattern, the words before the first slot, and whether a slot holds any words at all.

    `repeated` is the word that each of several qualities has before it: "from" in "protection from red and from blue".
    """

    keyword: str
    pattern: re.Pattern[str]
    before: tuple[str, ...]
    free: bool
    repeated: str


class KeywordForms:
    """The written forms of all keywords, ready to match.

    Args:
        written: for each keyword the forms in which it is written; its own name where it has none.
        plays: what keywords have to do with plays.
    """

    def __init__(self, written: Mapping[str, Sequence[str]], plays: PlayKeywords | None = None) -> None:
        self.plays = plays or PlayKeywords()
        self._names = frozenset(name.lower() for name in written)
        self._plain: dict[str, str] = {}
        self._phrases: dict[str, list[tuple[str, ...]]] = {}
        self._heads: dict[str, list[_Form]] = {}
        self._headless: list[_Form] = []
        self._known: dict[tuple[str, bool], tuple[KeywordUse, ...]] = {}
        for keyword, forms in written.items():
            for form in map(str.lower, forms or (keyword,)):
                if "{" not in form:
                    self._plain[form] = keyword
                elif not any(label in form for label in _LABELS):
                    made = _form(keyword, form)
                    (self._heads.setdefault(made.before[0], []) if made.before else self._headless).append(made)
        for form in sorted(self._plain, key=len, reverse=True):
            words = tuple(form.split())
            self._phrases.setdefault(words[0], []).append(words)

    def longest(self, words: Sequence[str]) -> int:
        """Return how many of `words`, with commas as words, are the longest keyword at their start; 0 if none is.

        A family of keywords stands before "abilities" by its name: "landwalk abilities".
        """
        lower = [word.lower() for word in words]
        best = next((len(phrase) for phrase in self._phrases.get(lower[0], ()) if tuple(lower[: len(phrase)]) == phrase), 0)
        if lower[0] in self._heads or any(
            form.pattern.fullmatch(" ".join(lower[:count])) for form in self._headless for count in (1, 2, 3)
        ):
            for count in range(len(lower), best, -1):
                uses = self.uses(" ".join(lower[:count]).replace(" ,", ","), free=False)
                if uses and not any(use.unread for use in uses):
                    return count
        return best or int(lower[0] in self._names and lower[1:2] == ["abilities"])

    def begins(self, words: Sequence[str]) -> bool:
        """Return whether `words` (in lower case) begin as a keyword with a slot does, or with the name of a family of keywords."""
        return words[0] in self._names or any(tuple(words[: len(form.before)]) == form.before for form in self._heads.get(words[0], ()))

    def is_keyword(self, word: str) -> bool:
        """Return whether `word` (in lower case) is a keyword by itself."""
        return word in self._plain

    def uses(self, written: str, *, free: bool = True) -> tuple[KeywordUse, ...]:
        """Return what `parse_keywords` does; without `free`, forms with a slot for any words are left out."""
        key = (" ".join(written.lower().split()), free)
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            self._known[key] = self._parse(*key)
        return self._known[key]

    def _parse(self, written: str, free: bool) -> tuple[KeywordUse, ...]:
        if written in self._plain:
            return (KeywordUse(self._plain[written], written),)
        unread: tuple[KeywordUse, ...] = ()
        for form in self._forms(written) if len(written) <= _LONGEST else ():
            uses = _uses(written, form) if free or not form.free else ()
            if uses and not any(use.unread for use in uses):
                return uses
            unread = unread or uses
        return unread

    def _forms(self, written: str) -> Iterator[_Form]:
        yield from self._heads.get(re.split(r"[ —]", written, maxsplit=1)[0], ())
        yield from self._headless


def parse_keywords(written: str, forms: KeywordForms) -> tuple[KeywordUse, ...]:
    """Return the uses of a keyword that `written` is: one; several for "protection from red and from blue"; none if it is no keyword."""
    return forms.uses(written)


def _form(keyword: str, form: str) -> _Form:
    first, *rest = re.split(r"\{(\w+)\}", form)
    source = re.escape(first)
    slots = rest[::2]
    for index, (slot, words) in enumerate(zip(slots, rest[1::2], strict=True)):
        holds = _HOLDS.get(slot, ".+?")
        if slot in slots[:index]:
            source += f"(?:{holds})"
        elif slot == "cost" and source.endswith(r"\ "):
            # A cost in words stands behind a dash: "ward—pay 2 life".
            source = source.removesuffix(r"\ ") + rf"(?: (?P<cost>{holds})| ?— ?(?P<dashed>.+))"
        else:
            source += f"(?P<{slot}>{holds})"
        source += re.escape(words)
    before = tuple(re.split(r"[ —]", first.rstrip(" —"))) if first.endswith((" ", "—")) else ()
    repeated = before[-1] if len(before) > 1 and slots == ["quality"] and not rest[-1] else ""
    return _Form(keyword, re.compile(source), before, not set(slots) <= _HOLDS.keys(), repeated)


def _uses(written: str, form: _Form) -> tuple[KeywordUse, ...]:
    match = form.pattern.fullmatch(written)
    if not match:
        return ()
    if form.repeated:
        before = written[: match.start("quality")]
        pieces = re.split(rf",? and {re.escape(form.repeated)} |, {re.escape(form.repeated)} ", match["quality"])
        return tuple(_use(form, before + piece, {"quality": piece}) for piece in pieces)
    use = _use(form, written, match.groupdict())
    # Not every word before "walk" is a land type: what is not understood there is no keyword.
    return () if "type" in match.groupdict() and use.quality is None else (use,)


def _use(form: _Form, written: str, held: Mapping[str, str | None]) -> KeywordUse:
    described = held.get("quality") or held.get("type") or ""
    quality = (_lands(described) if held.get("type") else _quality(described)) if described else None
    number = held.get("number") or ""
    return KeywordUse(
        form.keyword,
        written,
        quality,
        int(number) if number.isdecimal() else None,
        (held.get("cost") or "").upper() or held.get("dashed"),
        (described if quality is None else "") or (number if not number.isdecimal() else ""),
        held.get("materials") or "",
    )


@lru_cache(maxsize=4096)
def _quality(written: str) -> Filter | None:
    from lawmage.text.described import described
    from lawmage.text.meaning import quality

    return quality(written) or described(written)


def _lands(written: str) -> Filter | None:
    """Return the lands of a kind, as in "snow swamp", "nonbasic land", "desert"; None where it is not understood or says nothing."""
    described = _quality(written)
    land = Test("type", "land")
    if described is None or (land,) in described.any_of:
        return None
    if any(test.kind == "subtype" and test.value not in listed("subtypes", "land") for tests in described.any_of for test in tests):
        return described
    return Filter(tuple((land, *(test for test in tests if test != land)) for tests in described.any_of))
