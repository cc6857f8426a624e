"""What `lawmage card` answers: what a card is; and the names of cards that begin as what was typed."""

from __future__ import annotations

from typing import Any

from lawmage.answers.answered import NO, Answered
from lawmage.cards.card import Card, Face
from lawmage.cards.names import find, names_like, suggestions
from lawmage.cards.store import CardStore
from lawmage.errors import UnknownNameError
from lawmage.play.knowledge import knowledge
from lawmage.play.phrases import constraint_in_words
from lawmage.rulebook.store import choose_release
from lawmage.text.forms import parse_keywords

__all__ = ["card", "complete"]

_MOST_NAMES = 100


def card(name: str, *, release: str | None = None) -> Answered:
    """Show a card: characteristics, keywords with their rules, what its text states, what is not understood.

    Args:
        name: as people type it, of the card or of one of its faces.
        release: of the rules, in whose numbering they are cited; by default the newest known.

    Raises:
        InputError: if several cards are called so.
        UnknownNameError: if there is no such release.
        DataError: if there are no cards.
    """
    known = choose_release(release)
    with CardStore.open() as store:
        try:
            found = find(store, name)
        except UnknownNameError as error:
            return Answered({"card": name, "found": False, "error": str(error), "suggestions": suggestions(store, name)}, NO)
        return Answered(_as_json(found, store, known))


def complete(prefix: str, *, limit: int = 12) -> Answered:
    """Return `{"names": [..]}`: full names of cards for somebody who has typed `prefix` so far (`lawmage.cards.names.names_like`).

    Args:
        prefix: what has been typed so far; case, accents and punctuation make no difference.
        limit: the most names, up to 100.

    Raises:
        DataError: if there are no cards.
    """
    with CardStore.open() as store:
        return Answered({"names": names_like(store, prefix, min(limit, _MOST_NAMES))})


def _as_json(found: Card, store: CardStore, release: str) -> dict[str, Any]:
    rules = _keyword_rules(release)
    return {
        "card": found.name,
        "found": True,
        "oracle_id": found.oracle_id,
        "layout": found.layout,
        "mana_value": found.mana_value,
        "color_identity": [*found.color_identity],
        "legalities": dict(found.legalities),
        "game_changer": found.game_changer,
        "faces": [_face_as_json(face, rules) for face in found.faces],
        "release": release,
        "source": store.source,
        "date": store.date,
    }


def _face_as_json(face: Face, rules: dict[str, str]) -> dict[str, Any]:
    known = knowledge()

    def keyword(written: str) -> dict[str, str | None]:
        label = written.casefold() if written.casefold() in known.keywords else None
        name = next((use.keyword for use in parse_keywords(written, known.forms)), label)
        return {"written": written, "keyword": name, "rule": rules.get(name or "")}

    return {
        "name": face.name,
        "mana_cost": face.mana_cost,
        "supertypes": [*face.supertypes],
        "types": [*face.types],
        "subtypes": [*face.subtypes],
        "colors": [*face.colors],
        "color_indicator": [*face.color_indicator],
        "power": face.power,
        "toughness": face.toughness,
        "loyalty": face.loyalty,
        "defense": face.defense,
        "text": face.text,
        "keywords": [keyword(written) for written in face.keywords],
        "states": [
            {
                "kind": one.kind,
                "says": constraint_in_words(one, known),
                "rule": known.kinds[one.kind].by if one.kind in known.kinds else None,
                "sentence": one.source or None,
            }
            for one in face.constraints
        ],
        "not_understood": [
            {"sentence": sentence, "bears_on": sorted(on)}
            for sentence, on in zip(face.not_understood, face.bears_on or [frozenset[str]()] * len(face.not_understood), strict=True)
        ],
        "not_followed": [*face.triggers],
    }


def _keyword_rules(release: str) -> dict[str, str]:
    """Return the rule of each keyword in the numbering of `release`, for those that it has."""

    known = knowledge()
    if release == known.release:
        return {name: keyword.rule for name, keyword in known.keywords.items()}
    from lawmage.rulebook.catalogue import heading_names
    from lawmage.rulebook.store import load_graph

    graph = load_graph(release)
    numbers = [number for chapter in ("701", "702") for number in graph.children.get(chapter, ())]
    return {name: number for number in numbers for name in heading_names(graph.by_number[number].heading)}
