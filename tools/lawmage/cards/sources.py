"""What the publishers' files say about cards, each as one record, whoever published it.

Scryfall    an array of card objects, a list object around one, or one object a line: https://scryfall.com/docs/api/cards
MTGJSON     AtomicCards: an object with the faces of each card under its name: https://mtgjson.com/data-models/card/card-atomic/
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawmage.cards.json_stream import JsonStream
from lawmage.cards.layouts import load_layouts
from lawmage.cards.unpacking import Progress, pieces
from lawmage.text.read import LONGEST_TEXT

__all__ = ["CardFile", "Record", "RecordFace"]

#: Cards that have no identifier yet get one made of their name.
_UNIDENTIFIED = uuid.UUID("5c0ffee5-0b5e-55a1-9a2d-6c61776d6167")
_MOST_FACES = 10
_MOST_OTHERS = 1_000
_LONGEST_NAME = 500
_TEXTS = ("oracle_text", "text")
_NOT_LEGAL = "not_legal"


@dataclass(frozen=True, slots=True)
class RecordFace:
    """A face as published; `colors` and `indicator` are letters, None where the publisher doesn't say."""

    name: str
    type_line: str
    mana_cost: str | None
    text: str
    colors: tuple[str, ...] | None
    indicator: tuple[str, ...] | None
    power: str | None
    toughness: str | None
    loyalty: str | None
    defense: str | None


@dataclass(frozen=True, slots=True)
class Record:
    """A card as published.

    Attributes:
        whole: whether all its faces are there; some cards are published with their front alone.
        mana_value, identity: the publisher's, the latter in letters.
        other_names: what else printings of it are called.
    """

    oracle_id: str
    name: str
    layout: str
    faces: tuple[RecordFace, ...]
    whole: bool
    mana_value: float
    identity: tuple[str, ...]
    legalities: Mapping[str, str]
    game_changer: bool | None
    other_names: tuple[str, ...]


class CardFile:
    """A publisher's file of cards.

    Attributes:
        source: `Scryfall` or `MTGJSON`, once the first record has been read.
        date: of the data (ISO), where the file says it, once all records have been read.
    """

    def __init__(self, path: Path, progress: Progress | None = None) -> None:
        self.path = path
        self.source = ""
        self.date = ""
        self._stream = JsonStream(pieces(path, progress), path)

    def records(self) -> Iterator[Record]:
        """Yield the cards in the file's order; in a file of printings a card comes several times.

        Raises:
            InputError: if the file isn't one of those named above, or is damaged.
        """
        first = self._stream.peek()
        if first == "[":
            self.source = "Scryfall"
            yield from self._scryfall(self._stream.items())
        elif first == "{":
            yield from self._object()
        else:
            raise self._stream.error("holds no JSON object or array; expected cards as Scryfall or MTGJSON publishes them")
        if self._stream.peek():
            raise self._stream.error("goes on behind the cards; expected the end of the file")

    def _object(self) -> Iterator[Record]:
        """Read an object: it has the cards under `data`, or is the first of one card a line."""
        head: dict[str, Any] = {}
        found = False
        for key in self._stream.pairs():
            if key == "data" and not found and self._stream.peek() in ("{", "["):
                found = True
                if self._stream.peek() == "[":
                    self.source = "Scryfall"
                    yield from self._scryfall(self._stream.items())
                else:
                    self.source = "MTGJSON"
                    yield from self._mtgjson()
            elif len(head) >= _MOST_OTHERS:
                raise self._stream.error("has too many keys; expected a file of cards")
            else:
                head[key] = self._stream.value()
        with suppress(TypeError, KeyError, ValueError):
            self.date = datetime.date.fromisoformat(head["meta"]["date"]).isoformat()
        if found:
            return
        if head.get("object") != "card":
            raise self._stream.error("has no cards; expected Scryfall's oracle-cards or default-cards, or MTGJSON's AtomicCards")
        self.source = "Scryfall"
        yield from self._scryfall(iter([head]))
        while self._stream.peek():
            yield from self._scryfall(iter([self._stream.value()]))

    def _scryfall(self, objects: Iterator[Any]) -> Iterator[Record]:
        for number, item in enumerate(objects, 1):
            with _Place(self._stream, f"card {number}", item):
                record = _from_scryfall(item)
            if record is not None:
                yield record

    def _mtgjson(self) -> Iterator[Record]:
        known: set[str] = set()
        for name in self._stream.pairs():
            if name in known:
                raise self._stream.error(f'has "{_shown(name)}" twice; expected each name once')
            known.add(name)
            with _Place(self._stream, f'"{_shown(name)}"', None):
                records = list(_from_mtgjson(name, self._stream.value()))
            yield from records


class _FaultError(Exception):
    """Raised, and caught in this module, for a card that is not as its publisher describes; the message is a part of a sentence."""


class _Place:
    """Turns what is wrong with a card into an error that says which card it is."""

    def __init__(self, stream: JsonStream, place: str, item: Any) -> None:
        self._stream, self._place = stream, place
        name = item.get("name") if isinstance(item, dict) else None
        if isinstance(name, str):
            self._place += f' ("{_shown(name)}")'

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, _FaultError):
            raise self._stream.error(f"{self._place} {error}") from None


def _shown(name: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in name[:60])


# ---------------------------------------------------------------- Scryfall


def _from_scryfall(item: Any) -> Record | None:
    """Return a card; None for what is no card."""
    if not isinstance(item, dict):
        raise _FaultError("isn't an object; expected a card object")
    layouts = load_layouts()
    layout = _text(item, "layout")
    if layout in layouts.not_cards:
        return None
    faces = item.get("card_faces") or [item]
    if not isinstance(faces, list) or not all(isinstance(face, dict) for face in faces) or len(faces) > _MOST_FACES:
        raise _FaultError("has card_faces that are not a few objects")
    name = _text(item, "name")
    if layout in layouts.doubled:
        # what is the same on both sides stands on each of them
        item = {**item, **{key: value for key, value in faces[0].items() if key in ("oracle_id", "cmc", "layout")}}
        faces, name = faces[:1], _text(faces[0], "name")
        layout = _undoubled(_text(item, "layout"))
    parts = name.split(" // ")
    read = tuple(_scryfall_face(face, parts[0] if face is item else None) for face in faces)
    if "legalities" not in item or "color_identity" not in item:
        raise _FaultError("lacks its legalities or color_identity; expected a card object")
    legalities = _mapping(item, "legalities")
    written = ("flavor_name", "printed_name") if item.get("lang") == "en" else ("flavor_name",)
    other = [face.get(key) for face in (item, *faces) for key in written]
    return Record(
        oracle_id=_identifier(item.get("oracle_id"), name),
        name=name,
        layout=_layout(layout, item.get("keywords")),
        faces=read,
        whole=len(read) == len(parts) or layout in layouts.melding,
        mana_value=_number(item, "cmc"),
        identity=_letters(item, "color_identity") or (),
        legalities={form: how for form, how in legalities.items() if how != _NOT_LEGAL},
        game_changer=_flag(item, "game_changer"),
        other_names=tuple(dict.fromkeys(one for one in other if isinstance(one, str) and 0 < len(one) <= _LONGEST_NAME and one != name)),
    )


def _scryfall_face(face: dict[str, Any], name: str | None) -> RecordFace:
    return RecordFace(
        name=name or _text(face, "name"),
        type_line=_text(face, "type_line"),
        mana_cost=_optional(face, "mana_cost") or None,
        text=_optional(face, "oracle_text") or "",
        colors=_letters(face, "colors"),
        indicator=_letters(face, "color_indicator"),
        power=_optional(face, "power"),
        toughness=_optional(face, "toughness"),
        loyalty=_optional(face, "loyalty"),
        defense=_optional(face, "defense"),
    )


# ---------------------------------------------------------------- MTGJSON


def _from_mtgjson(name: str, entries: Any) -> Iterator[Record]:
    """Yield the cards of a name: one but for a few names."""
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries) or len(entries) > _MOST_OTHERS:
        raise _FaultError("isn't a list of a card's faces; expected MTGJSON's AtomicCards")
    layouts = load_layouts()
    cards: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        identifier = _mapping(entry, "identifiers").get("scryfallOracleId")
        cards.setdefault(_identifier(identifier, name), []).append(entry)
    for oracle_id, faces in cards.items():
        if _text(faces[0], "layout") in layouts.not_cards:
            continue
        # a card with several wordings has several entries for a side
        sides = {_optional(entry, "side") or "": entry for entry in reversed(faces)}
        ordered = [sides[side] for side in sorted(sides)]
        if _text(ordered[0], "layout") in layouts.doubled:
            yield _mtgjson_card(oracle_id, name.partition(" // ")[0], ordered[:1])
        else:
            # what two cards meld into stands under the names of both
            alone = _optional(ordered[0], "faceName") if entries[0] not in faces else None
            yield _mtgjson_card(oracle_id, alone or name, ordered)


def _mtgjson_card(oracle_id: str, name: str, faces: list[dict[str, Any]]) -> Record:
    if len(faces) > _MOST_FACES:
        raise _FaultError("has too many faces")
    first = faces[0]
    parts = name.split(" // ")
    layout = _undoubled(_text(first, "layout"))
    return Record(
        oracle_id=oracle_id,
        name=name,
        layout=_layout(layout, first.get("keywords")),
        faces=tuple(_mtgjson_face(face, parts[0] if len(faces) == 1 else name) for face in faces),
        whole=len(faces) == len(parts) or layout in load_layouts().melding,
        mana_value=_number(first, "manaValue"),
        identity=_letters(first, "colorIdentity") or (),
        legalities={form: how.lower() for form, how in _mapping(first, "legalities").items()},
        game_changer=_flag(first, "isGameChanger"),
        other_names=tuple(
            dict.fromkeys(one for face in faces for key in ("faceFlavorName", "flavorName") if (one := _optional(face, key)))
        ),
    )


def _mtgjson_face(face: dict[str, Any], name: str) -> RecordFace:
    return RecordFace(
        name=_optional(face, "faceName") or name,
        type_line=_text(face, "type"),
        mana_cost=_optional(face, "manaCost") or None,
        text=_optional(face, "text") or "",
        colors=_letters(face, "colors"),
        indicator=_letters(face, "colorIndicator"),
        power=_optional(face, "power"),
        toughness=_optional(face, "toughness"),
        loyalty=_optional(face, "loyalty"),
        defense=_optional(face, "defense"),
    )


# ---------------------------------------------------------------- fields


def _layout(layout: str, keywords: Any) -> str:
    words = keywords if isinstance(keywords, list) else []
    found = (load_layouts().renamed.get((layout, word.lower())) for word in words if isinstance(word, str))
    return next((name for name in found if name), layout)


def _undoubled(layout: str) -> str:
    return "normal" if layout in load_layouts().doubled else layout


def _identifier(written: Any, name: str) -> str:
    if written is None:
        return str(uuid.uuid5(_UNIDENTIFIED, name))
    try:
        return str(uuid.UUID(written))
    except (ValueError, AttributeError, TypeError):
        raise _FaultError(f"has the oracle id {_shown(str(written))}; expected a UUID") from None


def _text(item: dict[str, Any], key: str) -> str:
    value = _optional(item, key)
    if not value:
        raise _FaultError(f"has no {key}")
    return value


def _optional(item: dict[str, Any], key: str) -> str | None:
    value = item.get(key)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31:
        return str(value)
    if value is None or (isinstance(value, str) and len(value) <= (LONGEST_TEXT if key in _TEXTS else _LONGEST_NAME)):
        return value
    raise _FaultError(f"has a {key} that is no text of a card's length")


def _mapping(item: dict[str, Any], key: str) -> dict[str, Any]:
    value = item.get(key)
    if value is None:
        return {}
    if isinstance(value, dict) and all(isinstance(one, str) or one is None for one in value.values()):
        return value
    raise _FaultError(f"has {key} that are no texts by name")


def _letters(item: dict[str, Any], key: str) -> tuple[str, ...] | None:
    value = item.get(key)
    if value is None:
        return None
    known = load_layouts().colors
    if isinstance(value, list) and all(isinstance(letter, str) and letter in known for letter in value):
        return tuple(letter for letter in known if letter in value)
    raise _FaultError(f"has {key} that are not letters of colors")


def _number(item: dict[str, Any], key: str) -> float:
    value = item.get(key, 0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 2**31:
        raise _FaultError(f"has a {key} that is no number")
    return value


def _flag(item: dict[str, Any], key: str) -> bool | None:
    value = item.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise _FaultError(f"has a {key} that is neither true nor false")
