"""Cards by name in scenarios: what an object is whose card the file names, in the zone where it is (709 to 722)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any

from lawmage.board import CardText
from lawmage.cards.faces import faces_table
from lawmage.constraints import Condition, Constraint
from lawmage.errors import InputError, UnknownNameError
from lawmage.text.bearing import POWER, SETTLED
from lawmage.yaml_place import Place

if TYPE_CHECKING:
    from lawmage.cards.card import Card, Face
    from lawmage.cards.names import Found
    from lawmage.cards.store import CardStore

__all__ = ["Cards", "NamedCard", "faces_to_choose", "with_card"]

_WHOLE_NUMBER = re.compile(r"-?\d{1,7}")


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card that a scenario names, and which of its faces it names, if it names one; `place` is where."""

    found: Found
    place: Place

    @property
    def name(self) -> str:
        """The card's full name."""
        return self.found.card.name


class Cards:
    """The cards that a scenario names. The card store is opened for the first one, unless another is given."""

    def __init__(self, store: CardStore | None = None) -> None:
        self._store = store
        self._opened: CardStore | None = None

    def __enter__(self) -> Cards:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._opened is not None:
            self._opened.close()

    def named(self, place: Place) -> NamedCard:
        """Return the card whose name stands at `place`."""
        from lawmage.cards.names import look_up

        typed = place.text("the name of a card")
        if self._store is None:
            from lawmage.cards.store import CardStore

            self._store = self._opened = CardStore.open()
        try:
            return NamedCard(look_up(self._store, typed), place)
        except (InputError, UnknownNameError) as error:
            raise place.error(f"is not the name of one card: {error}") from None


def with_card(named: NamedCard, zone: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return `values`, what the file says of an object, completed by what its card is in `zone`, with its text as `card_text`.

    Raises:
        InputError: for a card that cannot be there or transformed, and where what the file has to say is missing.
    """
    faces, text = _shown(named, zone, values)
    return _completed(named, zone, values, faces, text)


def faces_to_choose(named: NamedCard, zone: str, values: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return `values` completed by each face that can be chosen as the card is cast or played from `zone`; none where there is no choice.

    The other names by which a face goes are its `also_called`. A back face that is no choice is there alone, as `transformed`.
    """
    card = named.found.card
    chosen = faces_table()["chosen"].get(card.layout)
    if chosen is None or len(card.faces) < 2 or zone in ("battlefield", "stack"):
        return ()
    made = []
    back = chosen.get("back", False)
    for face in card.faces[1:] if back else card.faces if chosen.get("only_from", zone) == zone else card.faces[:1]:
        found = _completed(named, zone, values, (face,), _text(card, [face], values)) | ({"transformed": True} if back else {})
        made.append({**found, "also_called": tuple(word for word in chosen.get("by", ()) if word in face.subtypes)})
    return tuple(made)


def _completed(named: NamedCard, zone: str, values: Mapping[str, Any], faces: tuple[Face, ...], text: CardText) -> dict[str, Any]:
    power, toughness, loyalty, defense = (
        _number(getattr(faces[0], key)) if len(faces) == 1 else None for key in ("power", "toughness", "loyalty", "defense")
    )
    counters = values.get("counters", {})
    found: dict[str, Any] = {
        "name": faces[0].name if len(faces) == 1 else named.name,
        "types": _joined(face.types for face in faces),
        "subtypes": _joined(face.subtypes for face in faces),
        "supertypes": _joined(face.supertypes for face in faces),
        "colors": _joined(face.colors for face in faces),
        "mana_cost": "".join(face.mana_cost or "" for face in faces) or None,
        "pt": None if power is None or toughness is None else (power, toughness),
        "loyalty": counters.get("loyalty", loyalty),
        "defense": counters.get("defense", defense),
        "card_text": text,
        **values,
    }
    if zone == "battlefield" and values.get("face_down"):
        # 708.2a: nothing of the card counts but what turns it face up; asp/ leaves out its keywords, too.
        found["card_text"] = CardText(named.name, text.keywords)
    elif zone == "battlefield":
        _check_permanent(named, faces[0], found, values)
    return found


def _check_permanent(named: NamedCard, face: Face, found: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    """Raise an InputError for a permanent that its card and what the file says besides (`values`) do not make whole (`found`)."""
    if not set(found["types"]).intersection(faces_table()["permanents"]):
        raise named.place.error(
            f"names {named.name}, which can't be on the battlefield: {' '.join(found['types'])} is no permanent (110.4)"
        )
    kinds = {*face.subtypes, named.found.card.layout, *(written.partition(" ")[0].lower() for written in face.keywords)}
    for kind, changed in faces_table()["changed"].items():
        key = changed["key"]
        if key not in values and values.get("counters", {}).get(kind) and changed["of"] in kinds:
            raise named.place.error(f"names {named.name}, whose {key} {kind} counters can change; add the key {key}, what it is now")
    if "creature" in found["types"] and found["pt"] is None:
        printed = f"whose power and toughness are {face.power}/{face.toughness}" if face.power else "which has no power and toughness"
        raise named.place.error(f"names {named.name}, {printed}; add the key pt, the numbers that they are now, such as pt: 2/2")
    if "planeswalker" in found["types"] and found["loyalty"] is None:
        raise named.place.error(f"names {named.name}, whose loyalty is no number; add the key loyalty, what it is now")


# ---------------------------------------------------------------- faces


def _shown(named: NamedCard, zone: str, values: Mapping[str, Any]) -> tuple[tuple[Face, ...], CardText]:
    """Return the faces of which a card has the characteristics in `zone`, and the text that it has there."""
    card, number = named.found.card, named.found.face
    second, halves = faces_table()["second"].get(card.layout), faces_table()["halves"]
    turned = _turned(named, zone, values)
    if card.layout in halves["layouts"]:
        return _halves(card, number if zone in halves["zones"] else None, zone, values)
    face = card.faces[0]
    if second and len(card.faces) > 1 and zone in second["zones"] and turned:
        kept = {key: getattr(face, key) for key in second.get("keeps", ())}
        face = replace(card.faces[1], **kept)
    return (face,), _text(card, [face], values)


def _turned(named: NamedCard, zone: str, values: Mapping[str, Any]) -> bool:
    """Return whether the second face is the one that counts: the file says so, or names it."""
    transformed = values.get("transformed")
    if transformed:
        card = named.found.card
        if card.layout not in faces_table()["turned"]["layouts"] or len(card.faces) < 2:
            raise named.place.error(f"names {card.name}, which has no back face, but the key transformed beside it is true (712.9)")
        if zone not in faces_table()["second"][card.layout]["zones"]:
            raise named.place.error(f"names {card.name}, which has only its front face in the zone {zone} (712.8a), but is transformed")
    return (named.found.face or 0) > 0 if transformed is None else bool(transformed)


def _halves(card: Card, number: int | None, zone: str, values: Mapping[str, Any]) -> tuple[tuple[Face, ...], CardText]:
    chosen = card.faces if number is None else (card.faces[number],)
    if zone != "battlefield" or number is not None:
        return chosen, _text(card, chosen, values)
    locked = set(faces_table()["halves"]["locked"]).intersection(*(face.subtypes for face in chosen))
    if not locked:
        return chosen, _text(card, chosen, values)
    return chosen, _text(card, [_while(face, f"{face.name} is unlocked") for face in chosen], values)


def _while(face: Face, condition: str) -> Face:
    """Return `face` with what it states bound to a condition that the board does not settle."""
    open_ = Condition("open", text=condition)
    stated = [Constraint("has_keyword", value=written, source=written) for written in face.keywords]
    bound = tuple(replace(one, conditions=(open_, *one.conditions)) for one in (*stated, *face.constraints))
    return replace(face, keywords=(), constraints=bound)


# ---------------------------------------------------------------- text and numbers


def _text(card: Card, faces: Sequence[Face], values: Mapping[str, Any]) -> CardText:
    """Return what the text of `faces` states, as far as `values` does not replace it."""
    keywords = () if "keywords" in values else tuple(written for face in faces for written in face.keywords)
    if "text" in values:
        return CardText(card.name, keywords)
    # the other boxes of a card that levels up: which of them counts, `pt` says once it has (see `changed`)
    boxes = POWER if card.layout == faces_table()["changed"]["level"]["of"] else frozenset()
    settled = (SETTLED & values.keys()) | boxes
    return CardText(
        card.name,
        keywords,
        tuple(constraint for face in faces for constraint in face.constraints),
        tuple(pair for face in faces for pair in _not_understood(face, settled)),
        tuple(sentence for face in faces for sentence in face.triggers),
        "\n".join(face.text for face in faces if face.text),
        frozenset().union(*(face.plays for face in faces)),
    )


def _not_understood(face: Face, settled: frozenset[str]) -> Iterable[tuple[str, frozenset[str]]]:
    """Return what is not understood of a face, and what it bears on, but for what is `settled`."""
    judges = face.bears_on or (frozenset[str](),) * len(face.not_understood)
    return ((sentence, on) for sentence, on in zip(face.not_understood, judges, strict=True) if not on & settled)


def _number(printed: str | None) -> int | None:
    return int(printed) if printed is not None and _WHOLE_NUMBER.fullmatch(printed) else None


def _joined(words: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for some in words for word in some))
