"""Cards made for tests, and a store of them in a file."""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from lawmage.cards.card import Card, Face
from lawmage.cards.packing import pack
from lawmage.cards.reading import FaceReading, read_face
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore, NameKind, StoredCard, write_store

__all__ = ["card", "face", "store_of"]


def face(name: str, text: str = "", **values: Any) -> Face:
    """A face with what its text states; a creature 2/2 unless `values` say otherwise."""
    given: dict[str, Any] = {"types": ("creature",)} | values
    if "creature" in given["types"]:
        given = {"power": "2", "toughness": "2"} | given
    read = read_face(text, name)
    return Face(name=name, text=text, **{field: getattr(read, field) for field in FaceReading.__slots__}, **given)


def card(*faces: Face, layout: str = "normal", legal: bool = True, **values: Any) -> Card:
    """A card of these faces."""
    name = " // ".join(one.name for one in faces)
    legalities = {"commander": "legal"} if legal else {}
    return Card(str(uuid.uuid5(uuid.NAMESPACE_URL, name)), name, layout, faces, legalities=legalities, **values)


def store_of(folder: Path, cards: Iterable[Card]) -> CardStore:
    """Write the cards to a file in `folder` and open it."""
    path = folder / "cards.sqlite"
    write_store(path, map(_stored, cards), date="2026-08-07", source="made for tests", with_text=True, game_changers=False)
    return CardStore.open(path)


def _stored(one: Card) -> StoredCard:
    names: dict[str, NameKind] = {key(part.name): "face" for part in one.faces}
    names[key(one.name)] = "full"
    return StoredCard(one.oracle_id, pack(one), tuple(names.items()), len(one.faces))
