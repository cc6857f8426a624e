"""`lawmage card`: what a card is, what its text states, and what of it is not understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import NO, JsonFlag, ReleaseOption, emit_json, fail, stdout

if TYPE_CHECKING:
    from lawmage.cards.card import Card, Face
    from lawmage.cards.store import CardStore

__all__ = ["register"]

_ASIDE = "dim"

Name = Annotated[list[str], typer.Argument(metavar="NAME", help="A card's name as you would type it, or that of one of its faces.")]


def register(app: typer.Typer) -> None:
    """Add this subject's command to `app`."""
    app.command("card", epilog="Examples: lawmage card grizzly bears, lawmage card fire // ice")(card)


def card(name: Name, as_json: JsonFlag = False, release: ReleaseOption = None) -> None:
    """Show a card: characteristics, keywords with their rules, what its text states, what is not understood.

    Exit status 1 if there is no such card. Texts are shown if card data are installed; otherwise the facts that come with lawmage are.
    """
    from lawmage.cards.names import find, suggestions
    from lawmage.cards.store import CardStore
    from lawmage.errors import UnknownNameError
    from lawmage.rulebook.store import choose_release

    known = choose_release(release)
    typed = " ".join(name)
    with CardStore.open() as store:
        try:
            found = find(store, typed)
        except UnknownNameError as error:
            if as_json:
                emit_json({"card": typed, "found": False, "suggestions": suggestions(store, typed)})
            else:
                fail(str(error))
            raise typer.Exit(NO) from None
        answer = _as_json(found, store, known)
    if as_json:
        emit_json(answer)
    else:
        _print(answer)


# ---------------------------------------------------------------- for programs


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
    from lawmage.play.knowledge import knowledge
    from lawmage.play.phrases import constraint_in_words
    from lawmage.text.forms import parse_keywords

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
    from lawmage.play.knowledge import knowledge

    known = knowledge()
    if release == known.release:
        return {name: keyword.rule for name, keyword in known.keywords.items()}
    from lawmage.rulebook.catalogue import heading_names
    from lawmage.rulebook.store import load_graph

    graph = load_graph(release)
    numbers = [number for chapter in ("701", "702") for number in graph.children.get(chapter, ())]
    return {name: number for number in numbers for name in heading_names(graph.by_number[number].heading)}


# ---------------------------------------------------------------- for people


def _print(answer: dict[str, Any]) -> None:
    console = stdout()
    faces = answer["faces"]
    identity = ", ".join(answer["color_identity"]) or "colorless"
    beside = [*([] if answer["layout"] == "normal" else [answer["layout"]]), f"mana value {answer['mana_value']:g}", f"identity {identity}"]
    if answer["game_changer"]:
        beside.append("game changer")
    console.print(Text.assemble((answer["card"], "bold"), "  ", (", ".join(beside), _ASIDE)))
    for face in faces:
        console.print()
        if len(faces) > 1:
            console.print(Text(face["name"], style="bold"))
        grid = Table.grid(padding=(0, 2))
        grid.add_column(no_wrap=True, style=_ASIDE)
        grid.add_column()
        for label, lines in _rows(face):
            for number, line in enumerate(lines):
                grid.add_row("" if number else label, line)
        console.print(Padding(grid, (0, 0, 0, 2)) if len(faces) > 1 else grid)
    console.print()
    for status in ("legal", "restricted", "banned"):
        formats = sorted(name for name, found in answer["legalities"].items() if found == status)
        if formats:
            console.print(Text.assemble((f"{status} in ", _ASIDE), ", ".join(formats)))
    console.print(Text(f"Facts of {answer['date']} ({answer['source']}); rules of {answer['release']}.", style=_ASIDE))


def _rows(face: dict[str, Any]) -> Iterator[tuple[str, list[Text]]]:
    line = " ".join([*face["supertypes"], *face["types"]]).title()
    yield "type", [Text(f"{line} — {' '.join(face['subtypes'])}" if face["subtypes"] else line)]
    for label, value in (("mana cost", face["mana_cost"]), ("colors", ", ".join(face["colors"]) or "colorless")):
        yield label, [] if value is None else [Text(value)]
    if face["power"] is not None:
        yield "power/toughness", [Text(f"{face['power']}/{face['toughness']}")]
    for label in ("loyalty", "defense"):
        yield label, [] if face[label] is None else [Text(face[label])]
    yield "text", [Text(part) for part in (face["text"] or "").split("\n") if part]
    yield "keywords", [Text.assemble(one["written"], "  ", (one["rule"] or "no rule in this release", _ASIDE)) for one in face["keywords"]]
    yield "states", list(_stated(face["states"]))
    yield "not understood", [Text(_doubt(one), style="yellow") for one in face["not_understood"]]
    yield "not followed", [Text(sentence) for sentence in face["not_followed"]]


def _stated(states: Iterable[dict[str, Any]]) -> Iterator[Text]:
    """Yield what each sentence states, with its rule, below the sentence."""
    before = None
    for one in states:
        if one["sentence"] and one["sentence"] != before:
            yield Text(one["sentence"], style="italic")
        before = one["sentence"]
        yield Text.assemble("  " if one["sentence"] else "", one["says"], "  ", (one["rule"] or "", _ASIDE))


def _doubt(one: dict[str, Any]) -> str:
    from lawmage.text.bearing import SETTLED

    on = [judge for judge in one["bears_on"] if judge not in SETTLED]
    return f"{one['sentence']} (could bear on: {', '.join(on) or 'anything'})"
