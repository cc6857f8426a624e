"""What the sections of a deck are called in the forms that people use."""

from __future__ import annotations

import re

__all__ = ["ENDED_BY_A_BLANK_LINE", "section_of"]

#: Sections of a card or two: in a text, what follows an empty line after them is the deck.
ENDED_BY_A_BLANK_LINE = frozenset({"commander", "signature", "companion"})

_CALLED = {
    "commander": "commander, commanders, cmdr, cdr, general, generals, command zone, commandzone, oathbreaker, oathbreakers",
    "signature": "signature, signatures, signature spell, signature spells, signaturespell, signaturespells",
    "companion": "companion, companions",
    "main": (
        "deck, main, main deck, maindeck, main board, mainboard, cards, library, spells, other spells, other, "
        "creature, creatures, artifact, artifacts, enchantment, enchantments, instant, instants, sorcery, sorceries, "
        "planeswalker, planeswalkers, battle, battles, land, lands, basic lands, nonbasic lands"
    ),
    "sideboard": "sideboard, side board, side, sb, sidedeck, side deck",
    "maybeboard": "maybeboard, maybe board, maybe, considering, acquireboard, wishlist",
    "tokens": "token, tokens, tokens and extras, tokens extras",
    "beside": (
        "beside, display commander, scheme deck, scheme, schemes, planar deck, plane, planes, planechase, attraction, attractions, "
        "attraction deck, sticker, stickers, sticker sheets, contraption, contraptions, contraption deck, conspiracy, conspiracies, "
        "dungeon, dungeons, avatar, vanguard"
    ),
}
_SECTIONS = {name: section for section, names in _CALLED.items() for name in names.split(", ")}
_CAPITAL_INSIDE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NOT_LETTERS = re.compile(r"[^a-z]+")


def section_of(words: str) -> str | None:
    """Return the section that `words` name, such as `SIDEBOARD:`, `Creatures (23)`, `mainBoard` or `Command Zone`; None if none."""
    if len(words) > 60:
        return None
    spaced = _CAPITAL_INSIDE.sub(" ", words).casefold()
    plain = _NOT_LETTERS.sub(" ", spaced).strip()
    return _SECTIONS.get(plain) or _SECTIONS.get(_NOT_LETTERS.sub(" ", words.casefold()).strip())
