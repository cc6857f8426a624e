"""`lawmage card`: what a card is, what its text states, and what of it is not understood."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from lawmage.cli._shared import JsonFlag, ReleaseOption, fail, finish, stdout

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
    from lawmage.answers.cards import card as answer

    answered = answer(" ".join(name), release=release)
    if not (as_json or answered.document["found"]):
        fail(answered.document["error"])
    elif not as_json:
        _print(answered.document)
    finish(answered, as_json=as_json)


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
