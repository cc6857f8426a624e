"""Decks as JSON: MTGJSON, MTGGoldfish, Moxfield, Archidekt, Scryfall, and lists by hand.

They all have a map whose keys are sections, and in each a list (or a map) of cards with a name and a number; so one reader takes them all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, TypeGuard

from lawmage.decks.deck import Deck, Entry, Notice
from lawmage.decks.lines import read_card_line, read_name
from lawmage.decks.sections import section_of
from lawmage.errors import InputError

__all__ = ["is_json", "read_json"]

_WRAPPERS = ("data", "deck", "boards", "entries")
_COUNTS = ("count", "quantity", "qty", "amount", "number_of_copies")
_NESTED = ("card", "oracleCard", "card_digest")
_SETS = ("setCode", "set", "set_code", "edition")
_NUMBERS = ("number", "collectorNumber", "collector_number", "cn")
_TITLES = ("name", "title")
_MOST_DECKS = 1000
_JSON_STARTS = ("{", "[{", '["', "[[", "[]")


def is_json(text: str) -> bool:
    """Tell whether a text starts like JSON."""
    return "".join(text[:200].split()).startswith(_JSON_STARTS)


def read_json(text: str, source: str) -> tuple[Deck, ...]:
    """Return the decks of a JSON file.

    Raises:
        InputError: if it isn't JSON, is nested too deep, or has no list of cards; naming the place.
    """
    try:
        document = json.loads(text, object_pairs_hook=_without_doubles)
        decks = list(_decks(document))
        if not decks:
            raise InputError("has no list of cards; expected a section such as mainboard with cards in it", file=source)
        if len(decks) > _MOST_DECKS:
            raise InputError(f"has {len(decks):,} decks; expected at most {_MOST_DECKS:,}", file=source)
        return tuple(_Reader(source).deck(deck) for deck in decks)
    except json.JSONDecodeError as error:
        raise InputError(f"isn't JSON ({error.msg})", file=source, line=error.lineno) from None
    except RecursionError:
        raise InputError("is nested too deep; expected a deck", file=source) from None
    except ValueError as error:
        raise InputError(f"isn't a deck ({error})", file=source) from None


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f'the key "{double[:60]}" stands twice in one map')
    return found


def _decks(document: Any) -> Iterator[Any]:
    """Yield the parts of a document that are decks."""
    if isinstance(document, dict) and isinstance(document.get("decks"), list):
        for deck in document["decks"]:
            yield from _decks(deck)
    elif isinstance(document, list):
        if any(isinstance(item, dict) and _has_sections(item) for item in document):
            yield from document
        elif document:
            yield {"cards": document}
    elif isinstance(document, dict) and _has_sections(document):
        yield document


def _has_sections(document: dict[str, Any]) -> bool:
    return any(_is_cards(value) and section_of(key) for key, value in document.items()) or any(
        isinstance(document.get(name), dict) and _has_sections(document[name]) for name in _WRAPPERS
    )


def _is_cards(value: Any) -> TypeGuard[list[Any] | dict[str, Any]]:
    return isinstance(value, list | dict)


class _Reader:
    def __init__(self, source: str) -> None:
        self.source = source
        self.title: str | None = None
        self.entries: list[Entry] = []
        self.notices: list[Notice] = []
        self.excluded: set[str] = set()
        self.form = "json"

    def deck(self, document: Any) -> Deck:
        if not isinstance(document, dict):
            raise InputError(f"found {_shown(document)} among the decks; expected a map of sections", file=self.source)
        self._read(document, "")
        return Deck(self.source, self.form, self.title, tuple(self.entries), notices=tuple(self.notices))

    def _read(self, document: dict[str, Any], path: str) -> None:
        title = next((document[name] for name in _TITLES if isinstance(document.get(name), str)), None)
        self.title = self.title or (title.strip() or None if title else None)
        self._categories(document.get("categories"))
        for key, value in document.items():
            section = section_of(key)
            place = f"{path}{key}"
            if key in _WRAPPERS and isinstance(value, dict) and _has_sections(value):
                self.form = {"data": "mtgjson", "boards": "moxfield", "entries": "scryfall"}.get(key, self.form)
                self._read(value, f"{place}.")
            elif section is not None and _is_cards(value):
                self._section(value, section, place)
            elif section is None and _looks_like_cards(value):
                self.notices.append(Notice(0, f'the key "{place[:60]}" is not read'))

    def _categories(self, categories: Any) -> None:
        """Note which of Archidekt's categories are not in the deck."""
        if isinstance(categories, list):
            for category in categories:
                if isinstance(category, dict) and category.get("includedInDeck") is False and isinstance(category.get("name"), str):
                    self.form = "archidekt"
                    self.excluded.add(category["name"])

    def _section(self, value: list[Any] | dict[str, Any], section: str, place: str) -> None:
        if isinstance(value, dict) and isinstance(value.get("cards"), dict | list):
            value = value["cards"]  # Moxfield keeps a board's count beside its cards
        items: Iterable[tuple[Any, Any]] = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            self._card(key if isinstance(key, str) else None, item, section, f"{place}[{key}]")

    def _card(self, key: str | None, item: Any, section: str, place: str) -> None:
        if isinstance(item, str):
            line = read_card_line(item[:1000])
            if not line.name:
                raise InputError(f"found {_shown(item)} at {place}; expected a card's name", file=self.source)
            self.entries.append(line.entry(section, 0))
            return
        if isinstance(item, int) and not isinstance(item, bool) and key:
            item = {"name": key, "count": item}
        if not isinstance(item, dict):
            raise InputError(f"found {_shown(item)} at {place}; expected a card", file=self.source)
        name = _find(item, ("name",), str) or key
        count = _find(item, _COUNTS, object)
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"found a card without a name at {place}; expected its name", file=self.source)
        if count is None:
            count = 1
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise InputError(f'found {_shown(count)} copies of "{name[:60]}" at {place}; expected a whole number', file=self.source)
        given = item.get("categories")
        categories = [word for word in given if isinstance(word, str)] if isinstance(given, list) else []
        card = read_name(name)
        card.count, card.categories = count, [*categories, *card.categories]
        card.set_code = _find(item, _SETS, str) or card.set_code
        card.collector_number = _find(item, _NUMBERS, str) or card.collector_number
        card.foil = card.foil or item.get("isFoil") is True or item.get("foil") is True or item.get("modifier") == "Foil"
        self.entries.append(card.entry(self._by_category(categories, section), 0))

    def _by_category(self, categories: list[str], section: str) -> str:
        """Say where Archidekt's categories put a card: they alone tell a commander or a maybeboard from the deck."""
        if section != "main" or not categories:
            return section
        named = next((found for word in categories if (found := section_of(word)) not in {None, "main", "beside"}), None)
        return named or ("maybeboard" if self.excluded & set(categories) else section)


def _looks_like_cards(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and any(name in value[0] for name in _COUNTS)


def _find(item: dict[str, Any], names: tuple[str, ...], kind: type) -> Any:
    """Return the first of some keys that an object has, itself or in the card inside it."""
    for name in names:
        if isinstance(item.get(name), kind) and item.get(name) is not None:
            return item[name]
    return next(
        (found for nest in _NESTED if isinstance(item.get(nest), dict) and (found := _find(item[nest], names, kind)) is not None), None
    )


def _shown(value: Any) -> str:
    shown = json.dumps(value, ensure_ascii=False)
    return shown if len(shown) <= 60 else shown[:57] + "..."
