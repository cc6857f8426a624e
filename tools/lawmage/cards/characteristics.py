"""From a card as published to its characteristics by the rulebook: types, colours, mana value, colour identity."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawmage.cards.card import Card, Face
from lawmage.cards.layouts import load_layouts
from lawmage.cards.reading import read_face
from lawmage.cards.sources import Record, RecordFace
from lawmage.errors import InputError
from lawmage.play.card_types import basic_land_types
from lawmage.text.lines import own_names, sentences, without_reminders

__all__ = ["colors_in", "make_card", "mana_value"]

_SYMBOL = re.compile(r"\{([^{}]{1,20})\}")
#: Half a coloured mana, on cards that no format allows.
_HALF = re.compile(r"H([WUBRG])")


def make_card(record: Record) -> Card:
    """Return the card that a record describes, with what its text states.

    Raises:
        InputError: if its text is too long.
    """
    faces = tuple(_face(face) for face in record.faces)
    combined = record.layout in load_layouts().combined
    costs = [face.mana_cost or "" for face in (faces if combined else faces[:1])]
    # what a meld pair becomes has the mana value of both cards (202.3c), of which this record doesn't tell
    melded = record.layout in load_layouts().melding and not faces[0].mana_cost
    identity = color_identity(faces)
    return Card(
        oracle_id=record.oracle_id,
        name=record.name,
        layout=record.layout,
        faces=faces,
        mana_value=_plain(record.mana_value if melded else sum(map(mana_value, costs))),
        color_identity=identity if record.whole and not melded else _ordered([*identity, *_words(record.identity)]),
        legalities=dict(record.legalities),
        game_changer=record.game_changer,
    )


def mana_value(cost: str) -> float:
    """Return the mana value of a mana cost off the stack (202.3): X is 0 (202.3e), a hybrid symbol its largest part (202.3f)."""
    return sum(max(map(_amount, symbol.split("/"))) for symbol in _SYMBOL.findall(cost))


def _amount(part: str) -> float:
    if part.isascii() and part.isdecimal():
        return int(part)
    if part in ("X", "Y", "Z"):
        return 0
    return 0.5 if part == "½" or _HALF.fullmatch(part) else 1


def colors_in(text: str) -> tuple[str, ...]:
    """Return the colours of the mana symbols in a cost or text (202.2, 107.4e-f)."""
    parts = (part.removeprefix("H") for symbol in _SYMBOL.findall(text) for part in symbol.split("/"))
    return _words(parts)


def color_identity(faces: Iterable[Face]) -> tuple[str, ...]:
    """Return the colours of the mana symbols in costs and rules text, of indicators and of what defines colours, on all faces (903.4).

    That a land has a basic land type gives it a mana ability, but no symbol in its text: 903.5d speaks of such cards.
    """
    found: list[str] = []
    for face in faces:
        found += [*colors_in(face.mana_cost or ""), *face.color_indicator, *colors_in(without_reminders(face.text or ""))]
        if not _says(load_layouts().spares_identity, face.text or "", face.name):
            found += face.colors
    return _ordered(found)


def _face(face: RecordFace) -> Face:
    supertypes, types, subtypes = split_type_line(face.type_line)
    cost_colors = colors_in(face.mana_cost or "")
    colors = cost_colors if face.colors is None else _words(face.colors)
    indicator = _words(face.indicator or ())
    if defined := _says(load_layouts().defines_colors, face.text, face.name):
        # some files show these colours as an indicator, and miss that there are none
        indicator = ()
        colors = () if defined["none"] else colors
    elif set(colors) - set(cost_colors):
        # not every file has indicators, but what else could give it these colours (105.2)
        indicator = colors
    try:
        read = read_face(face.text, face.name)
    except InputError as error:
        raise InputError(f"{face.name}: {error}") from None
    return Face(
        name=face.name,
        mana_cost=face.mana_cost,
        supertypes=supertypes,
        types=types,
        subtypes=subtypes,
        colors=_ordered([*colors, *indicator]),
        color_indicator=indicator,
        power=face.power,
        toughness=face.toughness,
        loyalty=face.loyalty,
        defense=face.defense,
        keywords=read.keywords,
        constraints=read.constraints,
        not_understood=read.not_understood,
        bears_on=read.bears_on,
        triggers=read.triggers,
        activated=read.activated or bool(basic_land_types() & set(subtypes)),
        text=face.text,
    )


def split_type_line(line: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the supertypes, types and subtypes of a type line (205.1)."""
    layouts = load_layouts()
    before, _, after = line.replace(" - ", " — ").partition(" — ")
    words = before.lower().split()
    supertypes = tuple(word for word in words if word in layouts.supertypes)
    types = tuple(word for word in words if word not in layouts.supertypes)
    after = after.strip()
    if layouts.one_subtype & set(types):
        return supertypes, types, (after,) if after else ()
    for long in layouts.long_subtypes:
        after = after.replace(long, long.replace(" ", "\0"))
    return supertypes, types, tuple(word.replace("\0", " ") for word in after.split())


def _says(turn: re.Pattern[str], text: str, name: str) -> re.Match[str] | None:
    """Return how a sentence of a text fits a turn of layouts.toml, if one does."""
    text = without_reminders(text)
    for own in own_names(name):
        text = text.replace(own, "~")
    found = (turn.search(sentence.lower()) for line in text.split("\n") for sentence in sentences(line))
    return next(filter(None, found), None)


def _words(letters: Iterable[str]) -> tuple[str, ...]:
    known = load_layouts().colors
    found = set(letters)
    return tuple(word for letter, word in known.items() if letter in found)


def _ordered(colors: Iterable[str]) -> tuple[str, ...]:
    found = set(colors)
    return tuple(word for word in load_layouts().colors.values() if word in found)


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
