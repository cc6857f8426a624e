"""Finds a card by its name as people type it.

A name is tried as it stands first, then without what people put beside names: a set code, a collector number, marks of foil and
of categories, then with other spellings of "and". The first of these that is a card's name is taken; a card's full name comes
before the name of a face, which other cards can have too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawmage.cards.card import Card
from lawmage.cards.spelling import key
from lawmage.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from lawmage.cards.store import CardStore

__all__ = ["LONGEST_NAME", "Found", "find", "look_up", "names_like", "suggestions"]

#: What is longer is no name of a card; the longest has 141 characters.
LONGEST_NAME = 300
#: The kinds of names that `CardStore.by_key` tells apart, those that win first.
_KINDS = ("full", "face", "other")
_MOST_NAMED = 8
#: How many names that begin as what was typed are looked at.
_MOST_LONGER = 60
#: Fewer letters than this are in too many names to be looked for but at their beginning.
_LEAST_SOUGHT = 3

_ORACLE_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
#: Collector numbers such as 146, 12a, 33★, PLG-12, A25-123.
_NUMBER = r"#?(?:[A-Za-z0-9]{2,5}-)?[A-Za-z]{0,3}\d{1,4}[a-z]?[★†*]?"
#: What people write behind a name, each time the last of it: categories, foil, sets and numbers.
_BESIDE = tuple(
    re.compile(rf"\s*(?:{pattern})\s*$", re.IGNORECASE)
    for pattern in (
        r"\^[^^]*\^?|`[^`]*`|<[^<>]*>|#!?[A-Za-z][^#]*",
        r"\*[A-Z]{1,8}\*|[\[({](?:F|E|foil|etched|etched foil|surge foil|nonfoil|non-foil|showcase|borderless|extended art)[\])}]",
        rf"\[[A-Za-z0-9]{{2,6}}(?:[:#\s]+{_NUMBER})?\](?:\s+{_NUMBER})?",
        rf"[({{][A-Za-z0-9]{{2,6}}(?:[:#\s]+{_NUMBER})?[)}}](?:\s+{_NUMBER})?",
        rf"\|.*|,?\s+(?-i:[A-Z0-9]{{3,5}})\s+{_NUMBER}|\s#\d{{1,4}}[a-z★]?",
    )
)
_ALCHEMY = re.compile(r"^A-|\s*[\[(](?:alchemy|rebalanced)[\])]\s*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A card, and the number of the face (from 0) whose name was typed; None for the card's own name."""

    card: Card
    face: int | None = None


def find(store: CardStore, typed: str) -> Card:
    """Return the card whose name `typed` is.

    Raises:
        UnknownNameError: if no card is called so; the message names the closest.
        InputError: if several cards are.
    """
    return look_up(store, typed).card


def look_up(store: CardStore, typed: str) -> Found:
    """Return the card whose name `typed` is, and which face it names. Raises as `find`."""
    name = " ".join(typed.split())
    if len(name) > LONGEST_NAME:
        raise InputError(f"a card's name has {len(name)} characters, expected at most {LONGEST_NAME}")
    if _ORACLE_ID.fullmatch(name.lower()):
        return Found(store.card(name.lower()))
    for spelling in _spellings(name):
        if cards := _called(store, spelling):
            return _only(cards, spelling)
    if card := _without_slashes(store, key(name)):
        return Found(card)
    near = suggestions(store, name)
    hint = f"; did you mean {_listed(near)}?" if near else ""
    raise UnknownNameError(f'no card is called "{_shown(name)}"{hint}')


def suggestions(store: CardStore, typed: str, most: int = 3) -> list[str]:
    """Return the full names of cards whose names are like `typed` or begin so: those that have it before a comma, then the closest."""
    from rapidfuzz import fuzz, process

    name = " ".join(typed.split())[:LONGEST_NAME]
    keys = list(store.keys())
    scores: dict[str, float] = {}
    first: list[str] = []
    begun: list[str] = []
    for wanted in dict.fromkeys((key(name), key(_bare(name)))):
        if len(wanted) > 1:
            scores |= {like: score for like, score, _ in process.extract(wanted, keys, scorer=fuzz.ratio, limit=most, score_cutoff=70)}
        if len(wanted) > 2:
            longer = sorted((one for one in keys if one.startswith(wanted)), key=len)[:_MOST_LONGER]
            found = [card.name for card in _of_keys(store, longer)]
            # "Jace" means those called "Jace, ..." before what is written like it, and before those called "Jace's ..."
            first += [one for one in found if key(one.split(",")[0]) == wanted]
            begun += found
    close = sorted(scores, key=lambda found: -scores[found])
    return list(dict.fromkeys([*first, *(card.name for card in _of_keys(store, close)), *begun]))[:most]


def names_like(store: CardStore, begun: str, most: int = 12) -> list[str]:
    """Return up to `most` full names of cards for somebody who has typed `begun` so far.

    First come names that begin so, then those of which a face does, then those that have it in them; if there are none, those that are like
    it. An empty text begins no name.
    """
    wanted = key(begun[:LONGEST_NAME])
    if not wanted or most < 1:
        return []
    found = [card.name for card in store.begun_by(wanted, most)]
    if len(wanted) < _LEAST_SOUGHT:
        return found[:most]
    if len(found) < most:
        found += [card.name for card in store.holding(wanted, most)]
    return list(dict.fromkeys(found))[:most] or suggestions(store, begun, most)


def _of_keys(store: CardStore, keys: Iterable[str]) -> Iterable[Card]:
    return store.many(dict.fromkeys(oracle_id for found in keys for oracle_id, _ in store.by_key(found))).values()


# ---------------------------------------------------------------- the spellings that are tried


def _spellings(name: str) -> Iterator[str]:
    """Yield `name` in the ways in which it could be meant, those that change least first."""
    seen: set[str] = set()
    for one in (*_ways(name), *_ways(_bare(name))):
        if one not in seen:
            seen.add(one)
            yield one


def _ways(name: str) -> Iterator[str]:
    """Yield `name` with and without marks of Alchemy, and with other words for what stands between two names."""
    plain = _ALCHEMY.sub("", name)
    if plain != name:
        yield f"A-{plain}"
    yield from (name, plain)
    for sign, other in ((r"\s*[&|\\]+\s*|\s+(?:and|-{1,2}|—)\s+", " // "), (r"\s*&\s*", " and "), (r"\s+and\s+", " & ")):
        yield re.sub(sign, other, plain, flags=re.IGNORECASE)


def _bare(name: str) -> str:
    """Return `name` without what stands beside it."""
    before = ""
    while name != before:
        before = name
        for pattern in _BESIDE:
            # a name that is nothing else stays
            name = pattern.sub("", name) or name
    return name


# ---------------------------------------------------------------- the cards that have a name


def _called(store: CardStore, name: str) -> list[Found]:
    """Return the cards that are called `name`: those of the best kind, and of them those whose spelling is the same, if any."""
    rows = store.by_key(key(name))
    for kind in _KINDS:
        cards = store.many(dict.fromkeys(oracle_id for oracle_id, found in rows if found == kind))
        if not cards:
            continue
        found = [Found(card, None if kind == "full" else _face(card, name)) for card in cards.values()]
        same = [one for one in found if _same(name, one)]
        # what has no letters has no key: only the very name is meant
        return same if (same and len(found) > 1) or not key(name) else found
    return []


def _same(name: str, found: Found) -> bool:
    written = found.card.name if found.face is None else found.card.faces[found.face].name
    return name.casefold() == written.casefold()


def _face(card: Card, name: str) -> int | None:
    wanted = key(name)
    return next((number for number, face in enumerate(card.faces) if key(face.name) == wanted), None)


def _only(cards: Sequence[Found], name: str) -> Found:
    """Return the one card, or the one that some format allows; several are for the user to choose from."""
    allowed = [found for found in cards if found.card.legalities]
    if len(cards) == 1 or len(allowed) == 1:
        return (cards if len(cards) == 1 else allowed)[0]
    names = sorted({found.card.name for found in cards})
    if len(names) == 1:
        names = sorted(f"{found.card.name} ({found.card.oracle_id})" for found in cards)
    raise InputError(f'several cards are called "{_shown(name)}"; write {_listed(names)}')


def _without_slashes(store: CardStore, wanted: str) -> Card | None:
    """Return the one card of several names that are written without anything between them."""
    if not wanted or "/" in wanted:
        return None
    keys = [each for each in store.keys() if "/" in each and each.replace("/", "") == wanted]  # noqa: SIM118  (it is no mapping)
    found = {oracle_id for each in keys for oracle_id, _ in store.by_key(each)}
    return store.card(found.pop()) if len(found) == 1 else None


def _shown(name: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in name[:80])


def _listed(names: Sequence[str]) -> str:
    *first, last = [f'"{name}"' for name in names[:_MOST_NAMED]]
    return f"{', '.join(first)} or {last}" if first else last
