"""A card's facts as plain values: characteristics of each face, combined values, legality, and what its text states.

Facts come from the files that Scryfall and MTGJSON publish. Types and colours are written as in `lawmage.board`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lawmage.constraints import Constraint

__all__ = ["Card", "Face"]


@dataclass(frozen=True, slots=True)
class Face:
    """One set of characteristics that a card has: a face, a half, or an inset frame (709 to 720).

    Attributes:
        name: its name.
        mana_cost: as printed, such as `{2}{W/U}`; None where it has none, which is not `{0}` (202.1b).
        supertypes, types: in lower case, such as `legendary`, `creature`.
        subtypes: with the rulebook's capitals, such as `Time Lord`.
        colors: `white`, `blue`, `black`, `red`, `green`, in this order; also by colour indicator and characteristic-defining ability.
        color_indicator: the colours of its indicator (204).
        power, toughness, loyalty, defense: as printed, such as `2`, `*`, `1+*`; None where it has none.
        keywords: the keyword abilities that stand in its text, as written, such as `protection from red`.
        constraints: what its text states, in the vocabulary; `source` is the sentence, or empty where no text is installed.
        not_understood: what in its text could bear on a verdict and is not understood: the sentence, or where no text is installed a
            name of its place, such as `sentence 2`.
        bears_on: beside each of `not_understood`, the judgements that it could bear on, such as `{"attack", "block"}`; empty means any
            (`lawmage.text.bearing` tells them).
        triggers: its triggered abilities that trigger as attackers and blockers are declared, named like `not_understood`; what they
            do is not followed.
        plays: where no text is installed, what of plays it bears on (`lawmage.text.bearing.plays_bearing`).
        activated: whether it has an activated ability (602.1), mana abilities, keywords (702) and those of its basic land types
            (305.6) included.
        text: its rules text, None where only facts are installed.
    """

    name: str
    mana_cost: str | None = None
    supertypes: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    subtypes: tuple[str, ...] = ()
    colors: tuple[str, ...] = ()
    color_indicator: tuple[str, ...] = ()
    power: str | None = None
    toughness: str | None = None
    loyalty: str | None = None
    defense: str | None = None
    keywords: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    not_understood: tuple[str, ...] = ()
    bears_on: tuple[frozenset[str], ...] = ()
    triggers: tuple[str, ...] = ()
    plays: frozenset[str] = frozenset()
    activated: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A card.

    Attributes:
        oracle_id: the identifier that all printings share.
        name: its full name, `A // B` where it has two.
        layout: the publishers' word, such as `normal`, `transform`, `split`, `adventure`.
        faces: its faces, front or left first.
        mana_value: of the card outside the stack (202.3): both halves of a split card together, the front of a double-faced one.
            A fraction only on cards that no format allows.
        color_identity: colours as in `Face.colors` (903.4).
        legalities: for each format that the publishers name, `legal`, `banned` or `restricted`; the rest is not legal.
        game_changer: whether the Commander brackets list it; None where the source does not say.
    """

    oracle_id: str
    name: str
    layout: str
    faces: tuple[Face, ...]
    mana_value: float = 0
    color_identity: tuple[str, ...] = ()
    legalities: Mapping[str, str] = field(default_factory=dict)
    game_changer: bool | None = None
